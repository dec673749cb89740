//! Wrap: one cell, coming back on the other side of the grid.

use super::Path;
use crate::geometry::{Cell, Direction};
use crate::world::World;

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let bounds = world.cast.bounds;
    smallvec::smallvec![bounds.wrap(bounds.point(here).plus(direction.vector()))]
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn round_the_edges_and_boxes_too() {
        assert_eq!(Trial::new("move: wrap\n\n@.E.").plays("left").here(), (3, 0));
        let pushed = Trial::new("move: wrap\n\n.E@B").plays("right");
        assert_eq!((pushed.here(), pushed.place("box")), ((3, 0), (0, 0)));
    }
}
