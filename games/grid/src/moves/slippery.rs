//! Slippery: slide until the edge or a blocking cell. Pushable and collidable
//! things do not stop the slide.

use super::Path;
use crate::component::Mask;
use crate::geometry::{Cell, Direction};
use crate::world::World;

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let mut cells = Path::new();
    let mut at = here;
    while let Some(next) = world.cast.bounds.step(at, direction.vector()) {
        if world.blocks(next, Mask::BLOCKING) {
            break;
        }
        cells.push(next);
        at = next;
    }
    if cells.is_empty() {
        cells.push(here);
    }
    cells
}
