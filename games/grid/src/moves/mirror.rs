//! Mirror: cardinal with left and right exchanged.

use super::{Path, cardinal};
use crate::geometry::{Cell, Direction};
use crate::world::World;

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    cardinal::path(world, here, direction.mirrored())
}
