//! Opponents: the basic plan, the planner that uses abilities, and the bots.

pub mod basic;
pub mod bot;
pub mod simulate;
pub mod tactician;
pub mod tactics;

use crate::board::{Cell, Path};
use crate::rules::walk::{footing, may_stop};
use crate::stage::BodyId;
use crate::state::State;

/// The part of a path that a move may follow: as far as the speed lasts, and
/// not ending where one may not stop.
pub fn cut_to_speed(state: &State, body: BodyId, path: &[Cell]) -> Path {
    let speed = state.stage.speed(body);
    let (mut cost, mut allowed, mut before) = (0, 0, state.cell(body));
    for (at, cell) in path.iter().enumerate() {
        match footing(state, body, *cell).price() {
            Some(price) if cost + price <= speed => cost += price,
            _ => break,
        }
        if may_stop(state, body, before, *cell) {
            allowed = at + 1;
        }
        before = *cell;
    }
    Path::from_slice(&path[..allowed])
}
