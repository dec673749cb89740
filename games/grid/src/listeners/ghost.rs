//! Ghost: phasing lets its bearer walk anywhere inside the grid, and hides it
//! from hunters. It is used once per cell tried, free or not, and (D4) once
//! per hunter.

use turnstone::{Proposals, Verdict};

use super::Listener;
use crate::component::Mask;
use crate::effect::Effect;
use crate::reason::Reason;
use crate::rules::status;
use crate::ruleset::Profile;
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
    out: &mut Proposals<Effect, Listener, Reason>,
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
    out: &mut Proposals<Effect, Listener, Reason>,
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

#[cfg(test)]
mod tests {
    use crate::ruleset::Profile;
    use crate::trial::Trial;

    #[test]
    fn walks_through_walls_as_long_as_it_lasts() {
        let trial = Trial::new("\n@#.#E\n\n@ = agent bears[ghost usage=2]").plays("right right right");
        assert_eq!(trial.here(), (2, 0)); // the third step meets a wall again
    }

    #[test]
    fn hides_and_pays_for_it_under_later_rules() {
        let text = "\n@..m.E\n\n@ = agent bears[ghost usage=2]\nm = monster hunts=path";
        for (profile, left) in [(Profile::SEED, 2), (Profile::HEAD, 1)] {
            let trial = Trial::under(profile, text).plays("wait");
            assert_eq!(trial.place("monster"), (3, 0));
            assert_eq!(trial.world().uses_left(trial.find("ghost")), Some(left));
        }
    }
}
