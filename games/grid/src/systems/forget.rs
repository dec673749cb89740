//! Forget: a step begins without the hits and trails of the one before.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

pub(crate) fn forget(turn: &Turn, orders: &mut Orders) {
    let live = &turn.world.live;
    if !live.hits.is_empty() || !live.trail.is_empty() {
        orders.propose(Effect::Forget);
    }
}
