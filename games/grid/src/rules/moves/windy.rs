//! Windy: one cell, and in three turns of ten a gust carries the agent one
//! cell further in a random direction. The gust is a function of seed and turn
//! alone, so it is the same for every move and every agent of one turn.

use super::Path;
use crate::geometry::{Cell, Direction, Point};
use crate::random::{Mt19937, hash_pair};
use crate::world::World;

/// What the wind does in one turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gust {
    /// The number drawn; a gust blows below 0.3.
    pub draw: f64,
    /// Where it blows.
    pub drift: Option<Direction>,
}

/// The wind of a turn.
///
/// ```
/// use turnstone_grid::geometry::Direction;
/// assert_eq!(turnstone_grid::moves::gust(None, 5).drift, Some(Direction::Down));
/// ```
pub fn gust(seed: Option<i64>, turn: i64) -> Gust {
    let mut draws = Mt19937::new(hash_pair(seed.unwrap_or(0), turn));
    let draw = draws.unit();
    let drift = if draw < 0.3 { draws.choice(&Direction::ALL) } else { None };
    Gust { draw, drift }
}

pub(super) fn path(world: &World, here: Cell, direction: Direction) -> Path {
    let bounds = world.cast.bounds;
    let Some(first) = bounds.step(here, direction.vector()) else { return smallvec::smallvec![here] };
    let blown = gust(world.cast.seed, world.live.turn).drift.map(Direction::vector);
    let second = blown.and_then(|drift: Point| bounds.step(first, drift));
    std::iter::once(first).chain(second).collect()
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn a_gust_carries_one_cell_further() {
        // Without a seed the wind blows down in turn 5 and not before.
        let trial = Trial::new("move: windy\n\n@..\n..E").plays("wait wait wait wait wait right");
        assert_eq!(trial.here(), (1, 1));
        assert!(trial.tells("A gust blows down"), "{:?}", trial.told);
        assert_eq!(Trial::new("move: windy\n\n@..\n..E").plays("right").here(), (1, 0));
    }
}
