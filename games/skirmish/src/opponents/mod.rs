//! Opponents: the basic plan, the planner that uses abilities, and the bots.

pub mod basic;
pub mod bot;
pub mod simulate;
pub mod tactics;

use crate::board::{Cell, Path};
use crate::rules::walk::{Footing, footing};
use crate::stage::BodyId;
use crate::state::State;

/// The part of a path that a move may follow: as far as the speed lasts, and
/// not ending on a corpse or a thing.
pub fn cut_to_speed(state: &State, body: BodyId, path: &[Cell]) -> Path {
    let speed = state.stage.speed(body);
    let mut cost = 0;
    let mut allowed = 0;
    for (at, cell) in path.iter().enumerate() {
        let step = footing(state, body, *cell);
        match step.price() {
            Some(price) if cost + price <= speed => cost += price,
            _ => break,
        }
        if step == Footing::Free {
            allowed = at + 1;
        }
    }
    Path::from_slice(&path[..allowed])
}
