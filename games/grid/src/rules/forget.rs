//! Forget: a step begins without the hits and trails of the one before.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

pub(crate) fn forget(_turn: &Turn, orders: &mut Orders) {
    orders.propose(Effect::Forget);
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn a_hit_is_remembered_for_one_step() {
        let trial = Trial::new("\n@^.E").plays("right");
        assert_eq!(trial.world().live.hits.len(), 1);
        let trial = trial.plays("right");
        assert!(trial.world().live.hits.is_empty() && trial.tells("forgotten"));
    }
}
