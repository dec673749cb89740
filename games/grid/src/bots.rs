//! Players that are programs.

use std::collections::VecDeque;

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Input, InputOf, Position};
use turnstone_host::Bot;

use crate::action::{Action, Deed};
use crate::game::Grid;
use crate::solve::{Solution, solve_from};

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
        // Giving up is allowed, but no way to play.
        let steps = inputs.iter().take_while(|input| !matches!(input, Input::Act(Action::Resign { .. })));
        self.lots.index(steps.count()).unwrap_or(0)
    }
}

/// Looks for a shortest way to win and follows it; where there is none in sight it wanders.
pub struct Solver {
    plan: VecDeque<Deed>,
    /// The turn at which looking again makes sense, and how much later after that.
    look_again: i64,
    pause: i64,
    wanderer: Random,
}

/// Moments a bot looks at before it moves: enough for every level that comes with the game.
pub(crate) const SIGHT: usize = 250_000;

impl Solver {
    /// A solver; where it wanders, its choices follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self { plan: VecDeque::new(), look_again: i64::MIN, pause: 10, wanderer: Random::new(seed) }
    }
}

impl Bot<Grid> for Solver {
    fn choose(&mut self, game: &Grid, position: &Position<Grid>, inputs: &[InputOf<Grid>]) -> usize {
        let world = &position.state().world;
        if self.plan.is_empty() && world.live.turn >= self.look_again {
            match solve_from(game, position.state(), SIGHT).solution {
                Solution::Won(deeds) => self.plan = deeds.into(),
                Solution::Impossible | Solution::GaveUp => {
                    self.look_again = world.live.turn.saturating_add(self.pause);
                    self.pause = self.pause.saturating_mul(2);
                }
            }
        }
        let wanted = self.plan.pop_front().map(|deed| Input::Act(Action::step(deed)));
        let place = wanted.and_then(|wanted| inputs.iter().position(|input| *input == wanted));
        place.unwrap_or_else(|| self.wanderer.choose(game, position, inputs))
    }
}
