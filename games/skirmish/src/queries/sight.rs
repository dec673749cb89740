//! Line of sight and what a side can see.

use crate::board::{Board, Cell, CellSet};
use crate::stage::BodyId;
use crate::state::State;

/// How far anyone sees, diagonals counting one.
pub const RANGE: i64 = 8;

/// Whose eyes are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faction {
    /// The heroes.
    Players,
    /// Their opponents.
    Npcs,
    /// Everybody.
    All,
}

/// Whether a straight line from one cell to another meets nothing opaque.
/// The end cells never block.
pub fn sees(board: &Board, from: Cell, to: Cell) -> bool {
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    let (goal_x, goal_y) = (i32::from(to.x), i32::from(to.y));
    let (dx, dy) = ((goal_x - x).abs(), (goal_y - y).abs());
    let (step_x, step_y) = ((goal_x - x).signum(), (goal_y - y).signum());
    let mut error = dx - dy;
    while (x, y) != (goal_x, goal_y) {
        let twice = 2 * error;
        if twice > -dy {
            error -= dy;
            x += step_x;
        }
        if twice < dx {
            error += dx;
            y += step_y;
        }
        if (x, y) == (goal_x, goal_y) {
            return true;
        }
        if board.opaque.has(board.index(Cell::new(x as u8, y as u8))) {
            return false;
        }
    }
    true
}

/// The cells that a side sees. Without fog everything is seen.
pub fn visible(state: &State, faction: Faction) -> CellSet {
    let board = &state.stage.board;
    let mut seen = CellSet::with_cells(board.cells());
    if !state.stage.document.map.fog_of_war_enabled {
        (0..board.cells()).for_each(|at| seen.insert(at));
        return seen;
    }
    for body in members(state, faction).filter(|b| !state.is_dead(*b)) {
        seen.unite(state.stage.seen_from(state.cell(body)));
    }
    seen
}

fn members(state: &State, faction: Faction) -> std::ops::Range<BodyId> {
    match faction {
        Faction::Players => state.stage.player_ids(),
        Faction::Npcs => state.stage.npc_ids(),
        Faction::All => state.stage.creature_ids(),
    }
}

/// The cells in sight of one cell.
pub(crate) fn look(board: &Board, from: Cell) -> CellSet {
    let mut seen = CellSet::with_cells(board.cells());
    let (x, y) = (i64::from(from.x), i64::from(from.y));
    for to_y in y - RANGE..=y + RANGE {
        for to_x in x - RANGE..=x + RANGE {
            if let Some(cell) = board.cell(to_x, to_y)
                && sees(board, from, cell)
            {
                seen.insert(board.index(cell));
            }
        }
    }
    seen
}
