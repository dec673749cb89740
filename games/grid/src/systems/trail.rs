//! Trail: the acting agent is recorded in its cell before anything reacts to
//! it. Walking and bumping record it already.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

#[inline]
pub(crate) fn trail(turn: &Turn, orders: &mut Orders) {
    let cell = turn.world.cell(turn.agent);
    if cell.is_some() && turn.world.live.trail.binary_search(&(cell, turn.agent)).is_err() {
        orders.propose(Effect::Track { agent: turn.agent });
    }
}
