//! Portal: collidable things that entered a portal's cell since the last
//! snapshot go to its pair, all together, unless something solid is there.
//! Who counts as being in a cell is fixed before the first portal acts.

use crate::component::Mask;
use crate::effect::{Effect, Group};
use crate::event::Event;
use crate::geometry::Cell;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

pub(crate) fn portal(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    let enters = |slot: &Slot| world.has(*slot, Mask::COLLIDABLE) && world.around(*slot).any(Mask::PORTAL);
    if !world.live.moved.iter().any(enters) {
        return;
    }
    for &portal in &world.cast.portals {
        let Some((here, _)) = ends(world, portal) else { continue };
        let entrants = candidates(world, here);
        if !entrants.is_empty() {
            orders.propose(Effect::Teleport { portal, entrants: Box::new(entrants) });
        }
    }
}

/// The cells of a portal and of its pair, if both lie on the board.
fn ends(world: &World, portal: Slot) -> Option<(Cell, Cell)> {
    let pair = world.cast.of(portal).pair;
    if !world.has(portal, Mask::PORTAL) || !pair.is_some() {
        return None;
    }
    let (here, there) = (world.cell(portal), world.cell(pair));
    (here.is_some() && there.is_some()).then_some((here, there))
}

/// Those in the cell, and those whose trail is there: another portal may yet bring them back.
fn candidates(world: &World, here: Cell) -> Group {
    let passed = world.trail_at(here).iter().map(|(_, slot)| *slot);
    let mut found: Group =
        world.at(here).chain(passed).filter(|slot| world.has(*slot, Mask::COLLIDABLE)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

pub(crate) fn settle(world: &World, portal: Slot, entrants: &Group) -> Option<Event> {
    let (here, to) = ends(world, portal)?;
    if world.blocks(to, Mask::STOPS_THINGS) {
        return None;
    }
    let entered = |slot: &Slot| world.cell(*slot) == here && world.has_moved(*slot);
    let who: Group = entrants.iter().copied().filter(entered).collect();
    (!who.is_empty()).then(|| Event::Teleported { portal, who: Box::new(who), to: world.spot(to) })
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn who_enters_comes_out_and_who_stands_stays() {
        let trial = Trial::new("\n@a..aE\n\na = portal").plays("right");
        assert_eq!(trial.here(), (4, 0));
        assert_eq!(trial.plays("wait").here(), (4, 0));
    }

    #[test]
    fn an_occupied_exit_shuts_the_portal() {
        let trial = Trial::new("\n@a..bE\n\na = portal pair=b\nb = portal pair=a; spike").plays("right");
        assert_eq!(trial.here(), (1, 0));
    }
}
