//! Status cleanup: what is spent, or is no effect, leaves every status.

use crate::component::Mask;
use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

pub(crate) fn status_cleanup(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    for &bearer in &world.cast.bearers {
        for &effect in world.status(bearer) {
            if !world.has(effect, Mask::EFFECT) || world.is_spent(effect) {
                orders.propose(Effect::Shed { bearer, effect });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn what_is_used_up_leaves() {
        let trial = Trial::new("\n@....E\n\n@ = agent bears[boots usage=1]").plays("right");
        assert_eq!((trial.here(), trial.world().status(trial.agent()).len()), ((2, 0), 0));
        assert!(trial.tells("has worn off"), "{:?}", trial.told);
        assert_eq!(trial.plays("right").here(), (3, 0));
    }
}
