//! Alpha–beta over a sampled world, one ply deeper each time until the nodes are spent. With more than
//! two seats everybody else is taken for an enemy (paranoid). What chance will bring is what the sample
//! says; several samples vote.

use turnstone::dice::Lots;
use turnstone::{InputOf, Outcome, Position, Seat};
use turnstone_host::{Hosted, Sight, Weighed};

use crate::playout::Hands;
use crate::searcher::{Found, Spending};

/// The value of a win at once; later ones are worth a little less.
const WIN: i32 = 1_000_000;
/// Deeper than any budget goes.
const DEEPEST: u32 = 64;

struct Search<'a, G: Hosted> {
    hands: Hands<'a, G>,
    seat: Seat,
    nodes: u32,
    /// How many of them lie behind each input at the root.
    looked: Vec<u64>,
    spending: Spending,
    /// Whether something was cut off because it was too deep: if not, to go deeper is no use.
    cut: bool,
}

pub(crate) fn search<G: Hosted>(sight: &Sight<'_, G>, spending: Spending, lots: &mut Lots) -> Found<G> {
    let world = sight.sample(lots);
    let inputs = sight.inputs();
    let (hands, looked) = (Hands::new(sight.game()), vec![0; inputs.len()]);
    let mut search = Search { hands, seat: sight.seat(), nodes: 0, looked, spending, cut: true };
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    let (mut best, mut values, mut line) = (0, vec![0; inputs.len()], vec![inputs[0].clone()]);
    for depth in 1..=DEEPEST {
        search.cut = false;
        let Some((found, deeper, told)) = search.root(&world, inputs, &order, depth) else { break };
        (best, values, line) = (found, deeper, told);
        order.sort_by_key(|index| std::cmp::Reverse(values[*index]));
        order.retain(|index| *index != best);
        order.insert(0, best);
        if !search.cut || values[best].abs() > WIN - DEEPEST as i32 * 2 {
            break;
        }
    }
    let share = |value: i32| (f64::from(value) / f64::from(2 * WIN) + 0.5).clamp(0.0, 1.0);
    let weighed = |index: usize| Weighed { visits: search.looked[index], value: share(values[index]) };
    Found { options: (0..inputs.len()).map(weighed).collect(), best, line }
}

impl<G: Hosted> Search<'_, G> {
    /// Every input at the root, in that order; `None` if the nodes are spent before.
    #[allow(clippy::type_complexity)]
    fn root(
        &mut self,
        world: &Position<G>,
        inputs: &[InputOf<G>],
        order: &[usize],
        depth: u32,
    ) -> Option<(usize, Vec<i32>, Vec<InputOf<G>>)> {
        let (mut best, mut alpha) = (order[0], -2 * WIN);
        let (mut values, mut line) = (vec![-2 * WIN; inputs.len()], Vec::new());
        for &index in order {
            let mut after = world.clone();
            let (mut rest, before) = (Vec::new(), self.nodes);
            let value = match self.hands.send(&mut after, &inputs[index]) {
                true => self.value(&after, depth - 1, 1, alpha, 2 * WIN, &mut rest),
                false => Some(0),
            };
            self.looked[index] += u64::from(self.nodes - before);
            values[index] = value?;
            if values[index] > alpha {
                (best, alpha) = (index, values[index]);
                line = vec![inputs[index].clone()];
                line.extend(rest.into_iter().rev());
            }
        }
        Some((best, values, line))
    }

    /// The value for the searcher, between alpha and beta; the line is told from its end.
    fn value(
        &mut self,
        world: &Position<G>,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        mut beta: i32,
        line: &mut Vec<InputOf<G>>,
    ) -> Option<i32> {
        // Looking at the clock takes longer than a node.
        if self.nodes >= self.spending.budget || (self.nodes % 64 == 63 && self.spending.late()) {
            return None;
        }
        self.nodes += 1;
        let state = world.state();
        if let Some(outcome) = self.hands.game.outcome(state) {
            return Some(self.end(outcome, ply));
        }
        if depth == 0 {
            self.cut = true;
            return Some(self.opinion(world));
        }
        let inputs = self.hands.offers.list(self.hands.game, world).to_vec();
        let own = world.actor(self.hands.game).is_none_or(|actor| actor == self.seat);
        let mut best = if own { -2 * WIN } else { 2 * WIN };
        for input in &inputs {
            let mut after = world.clone();
            if !self.hands.send(&mut after, input) {
                continue;
            }
            let mut rest = Vec::new();
            let value = self.value(&after, depth - 1, ply + 1, alpha, beta, &mut rest)?;
            if (own && value > best) || (!own && value < best) {
                best = value;
                *line = rest;
                line.push(input.clone());
            }
            if own {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        // Nobody can move: it stands as it stands.
        Some(if best.abs() == 2 * WIN { self.opinion(world) } else { best })
    }

    fn end(&self, outcome: Outcome, ply: u32) -> i32 {
        match outcome {
            Outcome::Won(winner) if winner == self.seat => WIN - ply as i32,
            Outcome::WonByAll => WIN - ply as i32,
            Outcome::Won(_) | Outcome::Lost => ply as i32 - WIN,
            Outcome::Drawn => 0,
        }
    }

    fn opinion(&self, world: &Position<G>) -> i32 {
        let opinion = self.hands.game.appraise(world.state(), self.seat);
        opinion.map_or(0, |value| (value.clamp(0, 1000) - 500) * 1000)
    }
}
