//! Cardinal: one cell in the direction given; outside the grid nothing happens.

use super::Path;
use crate::geometry::{Cell, Direction};
use crate::world::World;

#[inline]
pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let next = world.cast.bounds.step(here, direction.vector()).unwrap_or(Cell::NONE);
    smallvec::smallvec![next]
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn one_cell_and_not_over_the_edge() {
        let trial = Trial::new("\n@.E").plays("right left left");
        assert_eq!(trial.here(), (0, 0));
        assert!(trial.tells("You cannot leave the grid"), "{:?}", trial.told);
    }
}
