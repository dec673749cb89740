//! Collect: the agent picks up what lies in its cell. Usable effects become
//! active, other things are carried, and points are paid for either. An effect
//! that cannot be used stays on the floor unless it is worth points.

use turnstone::Notes;

use crate::component::Mask;
use crate::effect::Effect;
use crate::event::{Event, Pocket};
use crate::reason::{self, Reason};
use crate::rules::status;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

pub(crate) fn collect(turn: &Turn, orders: &mut Orders) {
    let (world, agent) = (turn.world, turn.agent);
    if !world.around(agent).any(Mask::COLLECTIBLE) {
        return;
    }
    for item in world.at(world.cell(agent)).filter(|item| world.has(*item, Mask::COLLECTIBLE)) {
        orders.propose(Effect::Collect { agent, item });
    }
}

pub(crate) fn settle(world: &World, agent: Slot, item: Slot, notes: &mut Notes<Reason>) -> Option<Event> {
    if !world.has(item, Mask::COLLECTIBLE) {
        return None;
    }
    let pocket = pocket(world, agent, item);
    let pays = world.has(item, Mask::REWARDABLE);
    if pocket == Pocket::Nowhere && !pays {
        return None;
    }
    let reward = if pays { world.cast.of(item).reward } else { 0 };
    reason::points(world, item, reward, notes);
    Some(Event::Collected { agent, item, pocket, reward })
}

fn pocket(world: &World, agent: Slot, item: Slot) -> Pocket {
    if world.has(agent, Mask::STATUS) && status::is_usable(world, item) {
        Pocket::Status
    } else if world.has(agent, Mask::INVENTORY) && !world.has(item, Mask::EFFECT) {
        Pocket::Inventory
    } else {
        Pocket::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn effects_are_borne_things_carried_and_points_paid() {
        let trial = Trial::new("\n@xE\n\nx = key id=a; shield; coin reward=4").plays("right pick_up");
        let (world, agent) = (trial.world(), trial.agent());
        assert_eq!((world.inventory(agent).len(), world.status(agent).len()), (2, 1));
        assert_eq!(world.live.score, 4);
        assert!(trial.tells("You take the") && trial.tells("You put on the shield"), "{:?}", trial.told);
    }

    #[test]
    fn a_spent_effect_stays_on_the_floor() {
        let trial = Trial::new("\n@sE\n\ns = shield usage=0").plays("right pick_up");
        assert_eq!(trial.place("shield"), (1, 0));
    }
}
