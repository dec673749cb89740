//! Gravity: one clear cell, then straight down while the cells are clear. An
//! agent cannot push, since the first cell must be clear.

use super::Path;
use crate::component::Mask;
use crate::geometry::{Cell, Direction};
use crate::world::World;

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let clear = |from: Cell, towards: Direction| {
        let next = world.cast.bounds.step(from, towards.vector())?;
        (!world.blocks(next, Mask::STOPS_THINGS)).then_some(next)
    };
    let Some(first) = clear(here, direction) else { return smallvec::smallvec![here] };
    let mut cells: Path = smallvec::smallvec![first];
    let mut at = first;
    while let Some(next) = clear(at, Direction::Down) {
        cells.push(next);
        at = next;
    }
    cells
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn falls_until_something_is_below() {
        assert_eq!(Trial::new("move: gravity\n\n@.\n#.\nE^").plays("right").here(), (1, 1));
    }

    #[test]
    fn pushes_nothing() {
        let trial = Trial::new("move: gravity\n\n@B.E").plays("right");
        assert_eq!((trial.here(), trial.place("box")), ((0, 0), (1, 0)));
    }
}
