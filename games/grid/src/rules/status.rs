//! Active effects: which one serves, and what it costs.

use crate::component::Mask;
use crate::world::{Slot, World};

/// The effect that serves `bearer` when one of `kinds` is wanted: among those
/// not spent, the lowest id without a usage limit, else the lowest id.
#[inline]
pub fn select(world: &World, bearer: Slot, kinds: Mask) -> Option<Slot> {
    let mut limited = None;
    for &effect in world.status(bearer) {
        if !world.has(effect, kinds) || world.is_spent(effect) {
            continue;
        }
        if !world.has(effect, Mask::USAGE_LIMIT) {
            return Some(effect);
        }
        limited = limited.or(Some(effect));
    }
    limited
}

/// Whether an effect can be picked up: it is one, and it is not spent.
pub fn is_usable(world: &World, item: Slot) -> bool {
    world.has(item, Mask::EFFECT) && !world.is_spent(item)
}
