//! Cardinal: one cell in the direction given; outside the grid nothing happens.

use super::Path;
use crate::geometry::{Cell, Direction};
use crate::world::World;

#[inline]
pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let next = world.cast.bounds.step(here, direction.vector()).unwrap_or(Cell::NONE);
    smallvec::smallvec![next]
}
