//! Wrap: one cell, coming back on the other side of the grid.

use super::Path;
use crate::geometry::{Cell, Direction};
use crate::world::World;

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let bounds = world.cast.bounds;
    smallvec::smallvec![bounds.wrap(bounds.point(here).plus(direction.vector()))]
}
