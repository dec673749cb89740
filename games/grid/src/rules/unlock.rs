//! Unlock: a key opens the locks beside the agent (left, right, up, down), one
//! lock per key. A lock opened no longer blocks; the key is used up.

use crate::component::Mask;
use crate::effect::Effect;
use crate::event::Event;
use crate::geometry::Direction;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

const SIDES: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

pub(crate) fn unlock(turn: &Turn, orders: &mut Orders) {
    let (world, agent) = (turn.world, turn.agent);
    let here = world.cell(agent);
    if !here.is_some() || world.inventory(agent).is_empty() {
        return;
    }
    let own = turn.rules.profile.keys_open_own_cell.then_some(here);
    let sides = SIDES.iter().filter_map(|side| world.cast.bounds.step(here, side.vector()));
    for cell in own.into_iter().chain(sides).filter(|cell| world.blocks(*cell, Mask::LOCKED)) {
        for lock in world.at(cell).filter(|slot| world.has(*slot, Mask::LOCKED)) {
            orders.propose(Effect::Unlock { agent, lock });
        }
    }
}

pub(crate) fn settle(world: &World, agent: Slot, lock: Slot) -> Option<Event> {
    if !world.has(lock, Mask::LOCKED) {
        return None;
    }
    let wanted = world.cast.of(lock);
    let fits = |item: &&Slot| world.has(**item, Mask::KEY) && world.cast.of(**item).opens(wanted);
    let key = *world.inventory(agent).iter().find(fits)?;
    Some(Event::Unlocked { agent, lock, key })
}

#[cfg(test)]
mod tests {
    use crate::ruleset::Profile;
    use crate::trial::Trial;

    #[test]
    fn one_key_opens_one_lock() {
        let text = "\n.d.\nd@.E\n\n@ = agent carries[key id=a; key id=b]\nd = door id=a";
        let trial = Trial::new(text).plays("use_key");
        assert_eq!((trial.world().live.locks_left, trial.world().inventory(trial.agent()).len()), (1, 1));
        assert_eq!(trial.plays("left").here(), (0, 1)); // left is served before up
    }

    #[test]
    fn the_own_cell_counts_only_under_later_rules() {
        let text = "\n@E\n\n@ = agent carries[key id=a]; door id=a blocking=no";
        assert_eq!(Trial::under(Profile::SEED, text).plays("use_key").world().live.locks_left, 1);
        assert_eq!(Trial::under(Profile::HEAD, text).plays("use_key").world().live.locks_left, 0);
    }
}
