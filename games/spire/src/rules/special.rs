//! Rules that are no data, by name.

use crate::effect::{Effect, Origin};
use crate::eval::Env;
use crate::game::Out;
use crate::state::{PLAYER, State};
use turnstone::Expanded;

/// Orange Pellets: an attack, a skill and a power in one turn remove all debuffs; the three marks are bits of
/// the relic's counter.
pub fn orange_pellets(s: &State, env: &Env<'_>, out: &mut Out) -> Expanded<Effect> {
    let Origin::Relic(relic) = env.ctx.source.origin() else { return Expanded::Nothing };
    let Some(owned) = s.run.relics.get(relic as usize) else { return Expanded::Nothing };
    let bit = match s.combat.counts.current {
        kind @ 0..=2 => 1 << kind,
        _ => 0,
    };
    let marks = owned.counter | bit;
    if marks == 7 {
        out.first(Effect::Counter { relic, amount: 0 });
        out.last(Effect::Cleanse { to: PLAYER });
    } else {
        out.first(Effect::Counter { relic, amount: marks });
    }
    Expanded::Into
}
