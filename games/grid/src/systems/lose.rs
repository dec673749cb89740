//! Lose: the acting agent is dead.

use crate::component::Mask;
use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

#[inline]
pub(crate) fn lose(turn: &Turn, orders: &mut Orders) {
    if !turn.world.live.lose && turn.world.has(turn.agent, Mask::DEAD) {
        orders.propose(Effect::Lose { agent: turn.agent });
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn death_loses() {
        let trial = Trial::new("\n@~E").plays("right");
        assert!(trial.world().live.lose && trial.tells("is dead, the game is lost"), "{:?}", trial.told);
    }
}
