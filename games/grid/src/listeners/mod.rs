//! Active effects that act before something happens: each in its own file.

mod ghost;
mod shield;

use serde::{Deserialize, Serialize};
use turnstone::{Proposals, Verdict};

use crate::effect::Effect;
use crate::reason::Reason;
use crate::ruleset::Profile;
use crate::world::{Slot, World};

/// An active effect and who bears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    /// Who bears the effect.
    pub bearer: Slot,
    /// The effect.
    pub effect: Slot,
}

/// The active effect that wants to hear of this before it happens, if any.
#[inline]
pub(crate) fn heard_before(world: &World, effect: &Effect) -> Option<Listener> {
    if world.live.effects_borne == 0 {
        return None;
    }
    match *effect {
        Effect::Hurt { target, .. } => shield::listens(world, target),
        Effect::Walk { agent, to, phased: false } if to.is_some() => ghost::listens(world, agent),
        Effect::Hunt { hunter } => ghost::listens(world, world.cast.of(hunter).prey),
        _ => None,
    }
}

/// What an active effect does to what is about to happen.
pub(crate) fn before(
    listener: Listener,
    world: &World,
    profile: &Profile,
    effect: &mut Effect,
    out: &mut Proposals<Effect, Listener, Reason>,
) -> Verdict {
    match effect {
        Effect::Hurt { target, damager } => {
            out.first(shield::takes(listener, *target, *damager));
            Verdict::Replaced
        }
        Effect::Walk { .. } => ghost::walks(listener, world, effect, out),
        Effect::Hunt { .. } => ghost::hides(listener, world, profile, out),
        _ => Verdict::Pass,
    }
}
