//! Information-set Monte Carlo tree search. Every iteration samples a world that looks like the true
//! one and goes down the tree in it; an edge is an input, whatever dice then fall (open loop), and
//! answers in mid-effect are moves like others. An option that is not always there is compared by how
//! often it was.
//!
//! With one observer there is one tree. With several there is a tree for each seat: who acts chooses in
//! his own; in the trees of the others the edge is what they see of it.

use turnstone::dice::{Draw, Lots};
use turnstone::digest::Digest;
use turnstone::{InputOf, Position, Seat};
use turnstone_host::{Hosted, Sight, Weighed};

use crate::playout::Hands;
use crate::searcher::{Found, Spending};

/// How much is tried that does not look best.
const CURIOSITY: f64 = 0.7;

/// What led from one node to another.
#[derive(Clone, PartialEq)]
enum Step<I> {
    /// The seat of the tree sent it, or there is one tree for all.
    Sent(I),
    /// This is how it looked afterwards.
    Saw(Digest),
}

struct Edge<I> {
    step: Step<I>,
    visits: u32,
    /// How often it could have been chosen.
    offered: u32,
    sum: f64,
    to: usize,
}

struct Tree<I> {
    nodes: Vec<Vec<Edge<I>>>,
    at: usize,
}

impl<I: Clone + PartialEq> Tree<I> {
    fn new() -> Self {
        Tree { nodes: vec![Vec::new()], at: 0 }
    }

    fn find(&self, step: &Step<I>) -> Option<usize> {
        self.nodes[self.at].iter().position(|edge| edge.step == *step)
    }

    /// A new edge and the node behind it.
    fn grow(&mut self, step: Step<I>) -> usize {
        self.nodes.push(Vec::new());
        let to = self.nodes.len() - 1;
        self.nodes[self.at].push(Edge { step, visits: 0, offered: 1, sum: 0.0, to });
        self.nodes[self.at].len() - 1
    }

    /// Of those offered the one with the best prospects, all of which were tried before.
    fn best(&mut self, offered: &[usize]) -> usize {
        let edges = &mut self.nodes[self.at];
        let prospects = |edge: &Edge<I>| {
            let visits = f64::from(edge.visits.max(1));
            edge.sum / visits + CURIOSITY * (f64::from(edge.offered.max(1)).ln() / visits).sqrt()
        };
        offered.iter().for_each(|edge| edges[*edge].offered += 1);
        let better = |best: usize, next: usize| {
            if prospects(&edges[next]) > prospects(&edges[best]) { next } else { best }
        };
        offered.iter().copied().reduce(better).unwrap_or(0)
    }
}

struct Search<'a, 's, G: Hosted> {
    sight: &'a Sight<'s, G>,
    hands: Hands<'s, G>,
    trees: Vec<Tree<InputOf<G>>>,
    longest: u32,
}

pub(crate) fn search<G: Hosted>(
    sight: &Sight<'_, G>,
    spending: Spending,
    longest: u32,
    every_eye: bool,
    lots: &mut Lots,
) -> Found<G> {
    let seats = if every_eye { sight.game().seats(sight.seen().state()).len().max(1) } else { 1 };
    let trees = (0..seats).map(|_| Tree::new()).collect();
    let mut search = Search { sight, hands: Hands::new(sight.game()), trees, longest };
    for iteration in 0..spending.budget {
        if iteration > 0 && spending.late() {
            break;
        }
        search.iterate(lots);
    }
    search.found()
}

impl<G: Hosted> Search<'_, '_, G> {
    /// The tree of a seat.
    fn tree(&self, seat: Seat) -> usize {
        usize::from(seat).min(self.trees.len() - 1)
    }

    fn iterate(&mut self, lots: &mut Lots) {
        self.trees.iter_mut().for_each(|tree| tree.at = 0);
        let mut world = self.sight.sample(lots);
        let mut path: Vec<(usize, usize, usize, Seat)> = Vec::new();
        let (mut whole, mut new, mut first) = (true, false, true);
        while whole && !new && self.hands.game.outcome(world.state()).is_none() {
            let listed = self.hands.offers.list(self.hands.game, &world);
            let inputs = if first { self.sight.inputs() } else { listed };
            if inputs.is_empty() {
                break;
            }
            let seat = if first {
                self.sight.seat()
            } else {
                world.actor(self.hands.game).unwrap_or(self.sight.seat())
            };
            let own = usize::from(seat).min(self.trees.len() - 1);
            let tree = &mut self.trees[own];
            let known: Vec<Option<usize>> =
                inputs.iter().map(|input| tree.find(&Step::Sent(input.clone()))).collect();
            let untried: Vec<usize> = (0..inputs.len()).filter(|index| known[*index].is_none()).collect();
            let (edge, input) = match lots.pick(&untried) {
                Some(&index) => {
                    known.iter().flatten().for_each(|edge| tree.nodes[tree.at][*edge].offered += 1);
                    new = true;
                    (tree.grow(Step::Sent(inputs[index].clone())), inputs[index].clone())
                }
                None => {
                    let edge = tree.best(&known.iter().flatten().copied().collect::<Vec<_>>());
                    let index = known.iter().position(|known| *known == Some(edge)).unwrap_or(0);
                    (edge, inputs[index].clone())
                }
            };
            path.push((own, tree.at, edge, seat));
            tree.at = tree.nodes[tree.at][edge].to;
            whole = self.hands.send(&mut world, &input);
            if whole {
                self.others_see(own, &world);
            }
            first = false;
        }
        let far = if whole { self.hands.far(&world, self.sight.seat(), self.longest) } else { 0 };
        let whole = whole && self.hands.play_on(&mut world, far, lots);
        for (tree, node, edge, seat) in path {
            let value = if whole { self.hands.value(&world, seat) } else { 0.5 };
            let edge = &mut self.trees[tree].nodes[node][edge];
            edge.visits += 1;
            edge.sum += value;
        }
    }

    /// In the trees of the others a step is what they see after it.
    fn others_see(&mut self, actor: usize, world: &Position<G>) {
        for seat in (0..self.trees.len()).filter(|seat| *seat != actor) {
            let step = Step::Saw(self.hands.game.seen(world, seat as Seat).live().digest());
            let tree = &mut self.trees[seat];
            let edge = match tree.find(&step) {
                Some(edge) => edge,
                None => tree.grow(step),
            };
            tree.at = tree.nodes[tree.at][edge].to;
        }
    }

    fn found(&self) -> Found<G> {
        let tree = &self.trees[self.tree(self.sight.seat())];
        let weighed = |input: &InputOf<G>| {
            let edge = tree.nodes[0].iter().find(|edge| edge.step == Step::Sent(input.clone()));
            edge.map_or(Weighed::default(), |edge| Weighed {
                visits: u64::from(edge.visits),
                value: edge.sum / f64::from(edge.visits.max(1)),
            })
        };
        let options: Vec<Weighed> = self.sight.inputs().iter().map(weighed).collect();
        let line = self.line(tree);
        let best = self.sight.inputs().iter().position(|input| Some(input) == line.first()).unwrap_or(0);
        Found { options, best, line }
    }

    /// The line that was tried most.
    fn line(&self, tree: &Tree<InputOf<G>>) -> Vec<InputOf<G>> {
        let (mut line, mut node) = (Vec::new(), 0);
        while let Some(edge) = tree.nodes[node].iter().max_by_key(|edge| edge.visits) {
            let Step::Sent(input) = &edge.step else { break };
            line.push(input.clone());
            node = edge.to;
        }
        line
    }
}
