//! Turn planning: the searcher's own turn is carried on input by input, and of all positions so reached
//! only the best are kept at each length. Positions reached in two ways are kept once.

use rustc_hash::FxHashSet;
use turnstone::dice::Lots;
use turnstone::{InputOf, Position};
use turnstone_host::{Hosted, Sight, Weighed};

use crate::playout::Hands;
use crate::searcher::{Found, Spending};

/// How many positions of one length are kept.
const WIDTH: usize = 24;
/// How often a position is played on where the game has no opinion.
const PLAYOUTS: u32 = 8;
/// The longest turn.
const LONGEST_TURN: usize = 64;

/// A position of the own turn, or just after it.
struct Plan<G: Hosted> {
    world: Position<G>,
    first: usize,
    value: f64,
    /// What leads there.
    line: Vec<InputOf<G>>,
}

struct Search<'a, 's, G: Hosted> {
    sight: &'a Sight<'s, G>,
    hands: Hands<'s, G>,
    longest: u32,
    left: u32,
    spending: Spending,
    /// How many positions lie behind each first input.
    looked: Vec<u64>,
    /// The best end of the turn for each first input, and what leads there.
    ends: Vec<Option<(f64, Vec<InputOf<G>>)>>,
}

pub(crate) fn search<G: Hosted>(
    sight: &Sight<'_, G>,
    spending: Spending,
    longest: u32,
    lots: &mut Lots,
) -> Found<G> {
    let inputs = sight.inputs();
    let world = sight.sample(lots);
    let (looked, ends) = (vec![0; inputs.len()], vec![None; inputs.len()]);
    let (hands, left) = (Hands::new(sight.game()), spending.budget);
    let mut search = Search { sight, hands, longest, left, spending, looked, ends };
    let mut front = Vec::new();
    for (first, input) in inputs.iter().enumerate() {
        let start = Plan { world: world.clone(), first, value: 0.0, line: Vec::new() };
        search.follow(&start, input, lots, &mut front);
    }
    for _ in 0..LONGEST_TURN {
        front = search.carry_on(front, lots);
        if front.is_empty() {
            break;
        }
    }
    // Whoever's turn was not finished is judged by how it stands.
    front.iter().for_each(|plan| search.end(plan));
    let value = |first: usize| search.ends[first].as_ref().map_or(0.0, |(value, _)| *value);
    let best = (1..inputs.len()).fold(0, |best, next| if value(next) > value(best) { next } else { best });
    let weighed = |index: usize| Weighed { visits: search.looked[index], value: value(index) };
    let options = (0..inputs.len()).map(weighed).collect();
    let line = search.ends[best].take().map_or_else(|| vec![inputs[best].clone()], |(_, line)| line);
    Found { options, best, line }
}

impl<G: Hosted> Search<'_, '_, G> {
    /// Tries an input, if there is budget for it; the plan goes to the front if the turn goes on.
    fn follow(&mut self, from: &Plan<G>, input: &InputOf<G>, lots: &mut Lots, front: &mut Vec<Plan<G>>) {
        let Some(left) = self.left.checked_sub(1) else { return };
        let (mut world, first) = (from.world.clone(), from.first);
        self.left = left;
        self.looked[first] += 1;
        if !self.hands.send(&mut world, input) {
            return;
        }
        let value = self.judge(&world, lots);
        let mut line = from.line.clone();
        line.push(input.clone());
        let plan = Plan { world, first, value, line };
        let over = self.hands.game.outcome(plan.world.state()).is_some();
        let own = plan.world.actor(self.hands.game).is_none_or(|actor| actor == self.sight.seat());
        if over || !own {
            self.end(&plan);
        } else {
            front.push(plan);
        }
    }

    fn carry_on(&mut self, mut front: Vec<Plan<G>>, lots: &mut Lots) -> Vec<Plan<G>> {
        front.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut known = FxHashSet::default();
        front.retain(|plan| known.insert(plan.world.live().digest()));
        front.iter().skip(WIDTH).for_each(|plan| self.end(plan));
        front.truncate(WIDTH);
        let mut next = Vec::new();
        for plan in front {
            if self.left == 0 || self.spending.late() {
                self.end(&plan);
                continue;
            }
            let inputs = self.hands.offers.list(self.hands.game, &plan.world).to_vec();
            // What cannot be carried on in every way is judged by how it stands, too.
            if inputs.len() > self.left as usize {
                self.end(&plan);
            }
            for input in &inputs {
                self.follow(&plan, input, lots, &mut next);
            }
        }
        next
    }

    fn end(&mut self, plan: &Plan<G>) {
        let best = &mut self.ends[plan.first];
        if best.as_ref().is_none_or(|(best, _)| plan.value > *best) {
            *best = Some((plan.value, plan.line.clone()));
        }
    }

    /// The game's opinion, or, if it has none, what a few playouts come to, which is never as good as a
    /// win at hand and never as bad as a loss.
    fn judge(&mut self, world: &Position<G>, lots: &mut Lots) -> f64 {
        let seat = self.sight.seat();
        let over = self.hands.game.outcome(world.state()).is_some();
        if over || self.hands.game.appraise(world.state(), seat).is_some() {
            return self.hands.value(world, seat);
        }
        let mut sum = 0.0;
        for _ in 0..PLAYOUTS {
            let mut tried = world.clone();
            let whole = self.hands.play_on(&mut tried, self.longest, lots);
            sum += if whole { self.hands.value(&tried, seat) } else { 0.5 };
        }
        (sum + 0.5) / f64::from(PLAYOUTS + 1)
    }
}
