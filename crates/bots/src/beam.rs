//! Turn planning: the searcher's own turn is carried on input by input, and of all positions so reached
//! only the best are kept at each length. Positions reached in two ways are kept once.

use rustc_hash::FxHashSet;
use turnstone::Position;
use turnstone::dice::Lots;
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
}

struct Search<'a, 's, G: Hosted> {
    sight: &'a Sight<'s, G>,
    hands: Hands<'s, G>,
    longest: u32,
    left: u32,
    spending: Spending,
    /// The best end of the turn for each first input.
    ends: Vec<Option<f64>>,
}

pub(crate) fn search<G: Hosted>(
    sight: &Sight<'_, G>,
    spending: Spending,
    longest: u32,
    lots: &mut Lots,
) -> Found<G> {
    let inputs = sight.inputs();
    let world = sight.sample(lots);
    let ends = vec![None; inputs.len()];
    let mut search =
        Search { sight, hands: Hands::new(sight.game()), longest, left: spending.budget, spending, ends };
    let mut front = Vec::new();
    for (first, input) in inputs.iter().enumerate() {
        search.follow(&world, first, input, lots, &mut front);
    }
    for _ in 0..LONGEST_TURN {
        front = search.carry_on(front, lots);
        if front.is_empty() {
            break;
        }
    }
    // Whoever's turn was not finished is judged by how it stands.
    front.iter().for_each(|plan| search.end(plan.first, plan.value));
    let value = |first: usize| search.ends[first].unwrap_or(0.0);
    let best = (1..inputs.len()).fold(0, |best, next| if value(next) > value(best) { next } else { best });
    let weighed = |index: usize| Weighed { visits: u64::from(index == best), value: value(index) };
    Found { options: (0..inputs.len()).map(weighed).collect(), line: vec![inputs[best].clone()] }
}

impl<G: Hosted> Search<'_, '_, G> {
    /// Tries an input; the plan goes to the front if the turn goes on.
    fn follow(
        &mut self,
        from: &Position<G>,
        first: usize,
        input: &turnstone::InputOf<G>,
        lots: &mut Lots,
        front: &mut Vec<Plan<G>>,
    ) {
        let mut world = from.clone();
        self.left = self.left.saturating_sub(1);
        if !self.hands.send(&mut world, input) {
            return;
        }
        let value = self.judge(&world, lots);
        let over = self.hands.game.outcome(world.state()).is_some();
        let own = world.actor(self.hands.game).is_none_or(|actor| actor == self.sight.seat());
        if over || !own {
            self.end(first, value);
        } else {
            front.push(Plan { world, first, value });
        }
    }

    fn carry_on(&mut self, mut front: Vec<Plan<G>>, lots: &mut Lots) -> Vec<Plan<G>> {
        front.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut known = FxHashSet::default();
        front.retain(|plan| known.insert(plan.world.live().digest()));
        front.iter().skip(WIDTH).for_each(|plan| self.end(plan.first, plan.value));
        front.truncate(WIDTH);
        let mut next = Vec::new();
        for plan in front {
            if self.left == 0 || self.spending.late() {
                self.end(plan.first, plan.value);
                continue;
            }
            let inputs = self.hands.offers.list(self.hands.game, &plan.world).to_vec();
            for input in &inputs {
                self.follow(&plan.world, plan.first, input, lots, &mut next);
            }
        }
        next
    }

    fn end(&mut self, first: usize, value: f64) {
        let best = &mut self.ends[first];
        *best = Some(best.map_or(value, |best| best.max(value)));
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
