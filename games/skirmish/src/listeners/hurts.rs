//! Burning and its kind: before the turn comes to the bearer, it takes damage.

use super::runs_out::Passing;
use crate::effect::{Effect, Listener};
use crate::reason::Reason;
use crate::stage::{BodyId, ConditionId};
use crate::state::State;
use turnstone::{Listeners, Proposals, Verdict};

/// Listens for the one whose turn comes.
pub fn list(state: &State, to: BodyId, heard: &mut Listeners<Listener>) {
    if state.body(to).mask & state.stage.masks.damage == 0 || state.is_dead(to) {
        return;
    }
    for condition in state.conditions_of(to) {
        let listener = Listener::Hurts { body: to, condition };
        let hurts = state.stage.condition_def(condition).is_some_and(|d| d.damage.is_some());
        if hurts && heard.iter().all(|l| l != listener) {
            heard.push(30, listener);
        }
    }
}

/// First the damage, then the turn passes, even to one who has just died of it.
pub fn before(
    body: BodyId,
    condition: ConditionId,
    (from, to, round): Passing,
    out: &mut Proposals<Effect, Listener, Reason>,
) -> Verdict {
    out.first(Effect::Harm { body, condition });
    out.first(Effect::Pass { from, to, round });
    Verdict::Replaced
}
