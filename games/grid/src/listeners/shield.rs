//! Shield: immunity or phasing takes a hit in its bearer's place and is used
//! once for it. Nothing is recorded as a hit, so the next substep asks again.

use super::Listener;
use crate::component::Mask;
use crate::effect::Effect;
use crate::status;
use crate::world::{Slot, World};

pub(super) fn listens(world: &World, target: Slot) -> Option<Listener> {
    let effect = status::select(world, target, Mask::IMMUNITY | Mask::PHASING)?;
    Some(Listener { bearer: target, effect })
}

pub(super) fn takes(listener: Listener, target: Slot, damager: Slot) -> Effect {
    Effect::Negate { target, damager, effect: listener.effect }
}
