//! Solving grid worlds.

use turnstone::host::{Hosted, Opening};
use turnstone::{Game, Rejection};
use turnstone_grid::Grid;
use turnstone_grid::solve::Solution;

/// What a search for a way to win found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Way {
    /// The moves of a shortest way, if there is one.
    pub moves: Option<Vec<String>>,
    /// Whether everything was looked at: without a way, this means that there is none.
    pub certain: bool,
    /// Different moments looked at.
    pub seen: usize,
}

/// Searches a shortest way to win a level; `opening.setup` names it.
///
/// # Errors
/// If the level cannot be opened.
pub fn solve(opening: &Opening, seen_max: usize) -> Result<Way, Rejection> {
    let (game, setup) = Grid::open_table(opening)?;
    let state = game.start(&setup, opening.seed)?;
    let found = turnstone_grid::solve::solve(&game, &state.world, seen_max);
    let (moves, certain) = match found.solution {
        Solution::Won(deeds) => (Some(deeds.iter().map(|deed| deed.name().to_owned()).collect()), true),
        Solution::Impossible => (None, true),
        Solution::GaveUp => (None, false),
    };
    Ok(Way { moves, certain, seen: found.seen })
}
