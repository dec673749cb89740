//! Movement: an agent enters a cell unless something there blocks or is
//! pushable. Phasing lets it in anywhere (see the `ghost` listener).

use crate::component::Mask;
use crate::event::Event;
use crate::geometry::Cell;
use crate::world::{Slot, World};

#[inline]
pub(crate) fn settle(world: &World, agent: Slot, to: Cell, phased: bool) -> Option<Event> {
    if !world.cell(agent).is_some() {
        return None;
    }
    let free = to.is_some() && (phased || !world.blocks(to, Mask::STOPS_WALKING));
    let spot = world.spot(to);
    Some(if free { Event::Walked { agent, to: spot } } else { Event::Bumped { agent, against: spot } })
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn walls_stop_and_hazards_do_not() {
        let trial = Trial::new("\n@#E").plays("right");
        assert_eq!(trial.here(), (0, 0));
        assert!(trial.tells("The wall is in your way"), "{:?}", trial.told);
        assert_eq!(Trial::new("\n@^E").plays("right").here(), (1, 0));
    }
}
