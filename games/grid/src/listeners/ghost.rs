//! Ghost: phasing lets its bearer walk anywhere inside the grid, and hides it
//! from hunters. It is used once per cell tried, free or not, and (D4) once
//! per hunter.

use turnstone::{Proposals, Verdict};

use super::Listener;
use crate::component::Mask;
use crate::effect::Effect;
use crate::ruleset::Profile;
use crate::status;
use crate::world::{Slot, World};

pub(super) fn listens(world: &World, bearer: Slot) -> Option<Listener> {
    if !bearer.is_some() {
        return None;
    }
    let effect = status::select(world, bearer, Mask::PHASING)?;
    Some(Listener { bearer, effect })
}

pub(super) fn walks(
    listener: Listener,
    world: &World,
    effect: &mut Effect,
    out: &mut Proposals<Effect, Listener>,
) -> Verdict {
    let Effect::Walk { agent, to, phased } = effect else { return Verdict::Pass };
    if !is_limited(listener, world) {
        *phased = true;
        return Verdict::Altered;
    }
    out.first(spend(listener));
    out.first(Effect::Walk { agent: *agent, to: *to, phased: true });
    Verdict::Replaced
}

pub(super) fn hides(
    listener: Listener,
    world: &World,
    profile: &Profile,
    out: &mut Proposals<Effect, Listener>,
) -> Verdict {
    if !profile.hiding_costs || !is_limited(listener, world) {
        return Verdict::Cancelled;
    }
    out.first(spend(listener));
    Verdict::Replaced
}

fn is_limited(listener: Listener, world: &World) -> bool {
    world.has(listener.effect, Mask::USAGE_LIMIT)
}

fn spend(listener: Listener) -> Effect {
    Effect::Spend { bearer: listener.bearer, effect: listener.effect }
}
