//! Mirror: cardinal with left and right exchanged.

use super::{Path, cardinal};
use crate::geometry::{Cell, Direction};
use crate::world::World;

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    cardinal::path(world, here, direction.mirrored())
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn left_is_right_and_up_is_up() {
        assert_eq!(Trial::new("move: mirror\n\n.@.\n..E").plays("left").here(), (2, 0));
        assert_eq!(Trial::new("move: mirror\n\n.@.\n..E").plays("down").here(), (1, 1));
    }
}
