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

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn slides_to_the_wall_and_past_what_only_collides() {
        assert_eq!(Trial::new("move: slippery\n\n@..#E").plays("right").here(), (2, 0));
        let trial = Trial::new("move: slippery\n\n@^.#E").plays("right");
        assert_eq!((trial.here(), trial.world().health(trial.agent())), ((2, 0), 2));
    }

    #[test]
    fn a_blocking_box_ends_the_slide_and_is_not_pushed() {
        let trial = Trial::new("move: slippery\n\n@.B.E").plays("right right");
        assert_eq!((trial.here(), trial.place("box")), ((1, 0), (2, 0)));
    }
}
