//! Push: an agent that walks at pushable things moves them one cell on and
//! follows. Only one rank is pushed, and what else shares their cell is not
//! looked at.

use crate::component::Mask;
use crate::event::Event;
use crate::geometry::Cell;
use crate::moves::MoveRule;
use crate::ruleset::Profile;
use crate::world::{Slot, World};

/// Where the pushable things in `cell` would go, if there are any and they can.
#[inline]
pub(crate) fn can_push(world: &World, agent: Slot, cell: Cell) -> Option<Cell> {
    if !cell.is_some() || !world.blocks(cell, Mask::PUSHABLE) {
        return None;
    }
    let bounds = world.cast.bounds;
    let (from, via) = (bounds.point(world.cell(agent)), bounds.point(cell));
    let beyond = via.plus(via.minus(from));
    let to = match world.cast.move_rule {
        MoveRule::Wrap => bounds.wrap(beyond),
        _ => bounds.cell(beyond)?,
    };
    (!world.blocks(to, Mask::STOPS_THINGS)).then_some(to)
}

pub(crate) fn settle(world: &World, profile: &Profile, agent: Slot, cell: Cell) -> Option<Event> {
    let to = can_push(world, agent, cell)?;
    let things = Box::new(world.at(cell).filter(|thing| world.has(*thing, Mask::PUSHABLE)).collect());
    let (from, to) = (world.spot(cell), world.spot(to));
    Some(Event::Pushed { agent, things, from, to, trail: profile.pushed_leave_trail })
}

#[cfg(test)]
mod tests {
    use crate::ruleset::Profile;
    use crate::trial::Trial;

    #[test]
    fn one_rank_is_pushed_and_not_two() {
        let trial = Trial::new("\n@B..E").plays("right");
        assert_eq!((trial.here(), trial.place("box")), ((1, 0), (2, 0)));
        let trial = Trial::new("\n@BB.E").plays("right");
        assert_eq!((trial.here(), trial.place("box")), ((0, 0), (1, 0)));
    }

    #[test]
    fn a_pushed_thing_leaves_a_trail_under_later_rules() {
        // The box is pushed into a cell that a monster crossed in the same step.
        let text = "\n..m.\n@b..\n....\n...E\n\nb = thing look=box pushable health=5\nm = monster damage=1 moves=down pace=3";
        let health = |profile| {
            let trial = Trial::under(profile, text).plays("right");
            trial.world().health(trial.find("box"))
        };
        assert_eq!((health(Profile::SEED), health(Profile::HEAD)), (5, 4));
    }
}
