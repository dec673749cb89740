//! Garbage: an entity that lies nowhere and that no status or inventory names
//! ceases to exist. What it held goes one step later. Asked only if something
//! was dropped, used up or picked up since the last time.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

pub(crate) fn garbage(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    orders.propose(Effect::Sweep);
    for &entity in world.unplaced().iter().filter(|entity| !is_held(world, **entity)) {
        orders.propose(Effect::Erase { entity });
    }
}

fn is_held(world: &World, entity: Slot) -> bool {
    let holds = |set: &[Slot]| set.binary_search(&entity).is_ok();
    world.cast.bearers.iter().any(|bearer| holds(world.status(*bearer)))
        || world.cast.carriers.iter().any(|carrier| holds(world.inventory(*carrier)))
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn a_used_key_is_gone_and_a_carried_one_is_not() {
        let text = "\n@dE\n\n@ = agent carries[key id=a; key id=b]\nd = door id=a";
        let trial = Trial::new(text).plays("wait");
        let keys = |trial: &Trial| trial.world().unplaced().len();
        assert_eq!(keys(&trial), 2);
        let trial = trial.plays("use_key");
        assert_eq!(keys(&trial), 1);
        assert!(trial.tells("is gone"), "{:?}", trial.told);
    }
}
