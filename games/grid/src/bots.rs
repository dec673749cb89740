//! Players that are programs.

use std::collections::VecDeque;

use turnstone::Input;
use turnstone::dice::{Draw, Lots};
use turnstone_host::{Bot, Sight};

use crate::action::{Action, Deed};
use crate::game::Grid;
use crate::solve::{Solution, solve_from};

/// Does anything that is allowed.
pub struct Random;

impl Bot<Grid> for Random {
    fn choose(&mut self, sight: &Sight<'_, Grid>, lots: &mut Lots) -> usize {
        // Giving up is allowed, but no way to play.
        let inputs = sight.inputs();
        let steps = inputs.iter().take_while(|input| !matches!(input, Input::Act(Action::Resign { .. })));
        lots.index(steps.count()).unwrap_or(0)
    }
}

/// Looks for a shortest way to win and follows it; where there is none in sight it wanders.
pub struct Solver {
    plan: VecDeque<Deed>,
    /// The turn of the next deed of the plan: at another one something else was done meanwhile.
    next: i64,
    /// The turn at which looking again makes sense, and how much later after that.
    look_again: i64,
    pause: i64,
}

/// Moments a bot looks at before it moves: enough for every level that comes with the game.
pub(crate) const SIGHT: usize = 250_000;

impl Default for Solver {
    fn default() -> Self {
        Self { plan: VecDeque::new(), next: 0, look_again: i64::MIN, pause: 10 }
    }
}

impl Bot<Grid> for Solver {
    fn choose(&mut self, sight: &Sight<'_, Grid>, lots: &mut Lots) -> usize {
        let (game, position) = (sight.game(), sight.seen());
        let world = &position.state().world;
        if world.live.turn != self.next {
            self.plan.clear();
        }
        self.next = world.live.turn.saturating_add(1);
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
        let place = wanted.and_then(|wanted| sight.inputs().iter().position(|input| *input == wanted));
        place.unwrap_or_else(|| Random.choose(sight, lots))
    }
}
