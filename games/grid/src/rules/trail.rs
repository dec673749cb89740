//! Trail: the acting agent is recorded in its cell before anything reacts to
//! it. Walking and bumping record it already.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

#[inline]
pub(crate) fn trail(turn: &Turn, orders: &mut Orders) {
    let cell = turn.world.cell(turn.agent);
    if cell.is_some() && turn.world.live.trail.binary_search(&(cell, turn.agent)).is_err() {
        orders.propose(Effect::Track { agent: turn.agent });
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn who_waits_is_recorded_and_meets_what_passes() {
        let trial = Trial::new("\n#@..m#E\n\nm = monster damage=1 moves=left pace=3").plays("wait");
        assert!(trial.tells("You are at (1, 0)"), "{:?}", trial.told);
        assert_eq!(trial.world().health(trial.agent()), 4);
    }
}
