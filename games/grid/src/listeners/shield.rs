//! Shield: immunity or phasing takes a hit in its bearer's place and is used
//! once for it. Nothing is recorded as a hit, so the next substep asks again.

use super::Listener;
use crate::component::Mask;
use crate::effect::Effect;
use crate::rules::status;
use crate::world::{Slot, World};

pub(super) fn listens(world: &World, target: Slot) -> Option<Listener> {
    let effect = status::select(world, target, Mask::IMMUNITY | Mask::PHASING)?;
    Some(Listener { bearer: target, effect })
}

pub(super) fn takes(listener: Listener, target: Slot, damager: Slot) -> Effect {
    Effect::Negate { target, damager, effect: listener.effect }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn takes_as_many_hits_as_it_has_uses() {
        let trial = Trial::new("\n@^^^E\n\n@ = agent bears[shield usage=2]").plays("right right");
        assert!(trial.tells("spares you the hit by"), "{:?}", trial.told);
        assert_eq!(trial.world().health(trial.agent()), 5);
        let trial = trial.plays("right");
        assert_eq!(trial.world().health(trial.agent()), 2);
    }
}
