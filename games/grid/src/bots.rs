//! Players that are programs.

use std::collections::VecDeque;

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Input, InputOf, Position};
use turnstone_host::Bot;

use crate::action::{Action, Deed};
use crate::game::Grid;
use crate::solve::{Solution, solve};

/// Does anything that is allowed.
pub struct Random {
    lots: Lots,
}

impl Random {
    /// A random player; its choices follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self { lots: Lots::new(seed, Stream::named("grid/random bot")) }
    }
}

impl Bot<Grid> for Random {
    fn choose(&mut self, _game: &Grid, _position: &Position<Grid>, inputs: &[InputOf<Grid>]) -> usize {
        self.lots.index(inputs.len()).unwrap_or(0)
    }
}

/// Looks for a shortest way to win and follows it; where there is none in sight it wanders.
pub struct Solver {
    plan: VecDeque<Deed>,
    /// The turn at which looking again makes sense.
    look_again: i64,
    wanderer: Random,
}

/// Moments a bot looks at before it moves.
const SIGHT: usize = 60_000;

impl Solver {
    /// A solver; where it wanders, its choices follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self { plan: VecDeque::new(), look_again: i64::MIN, wanderer: Random::new(seed) }
    }
}

impl Bot<Grid> for Solver {
    fn choose(&mut self, game: &Grid, position: &Position<Grid>, inputs: &[InputOf<Grid>]) -> usize {
        let world = &position.state().world;
        if self.plan.is_empty() && world.live.turn >= self.look_again {
            match solve(game, world, SIGHT).solution {
                Solution::Won(deeds) => self.plan = deeds.into(),
                _ => self.look_again = world.live.turn.saturating_add(10),
            }
        }
        let wanted = self.plan.pop_front().map(|deed| Input::Act(Action::step(deed)));
        let place = wanted.and_then(|wanted| inputs.iter().position(|input| *input == wanted));
        place.unwrap_or_else(|| self.wanderer.choose(game, position, inputs))
    }
}
