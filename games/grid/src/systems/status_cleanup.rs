//! Status cleanup: what is spent, or is no effect, leaves every status.

use crate::component::Mask;
use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

pub(crate) fn status_cleanup(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    for &bearer in &world.cast.bearers {
        for &effect in world.status(bearer) {
            if !world.has(effect, Mask::EFFECT) || world.is_spent(effect) {
                orders.propose(Effect::Shed { bearer, effect });
            }
        }
    }
}
