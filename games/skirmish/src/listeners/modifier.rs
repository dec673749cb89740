//! Conditions add to the numbers of an attack: on the attacker to its roll, on
//! the target to its armour class. A condition listed twice counts twice.

use crate::effect::{Listener, Strike};
use crate::reason::{self, Reason, Source};
use crate::stage::{BodyId, ConditionId};
use crate::state::State;
use turnstone::{Listeners, Notes, Verdict};

const PRIORITY: i32 = 20;

/// The conditions that matter to this attack.
pub fn list(state: &State, strike: &Strike, heard: &mut Listeners<Listener>) {
    let masks = state.stage.masks;
    if state.body(strike.attacker).mask & masks.attack != 0 {
        list_one(state, strike.attacker, heard, |d| d.alters_attack());
    }
    if state.body(strike.target).mask & masks.ac != 0 {
        list_one(state, strike.target, heard, |d| d.ac != 0);
    }
}

fn list_one(
    state: &State,
    body: BodyId,
    heard: &mut Listeners<Listener>,
    matters: impl Fn(&crate::catalog::ConditionDef) -> bool,
) {
    for condition in state.conditions_of(body) {
        let listener = Listener::Modifier { body, condition };
        if state.stage.condition_def(condition).is_some_and(&matters) && heard.iter().all(|l| l != listener) {
            heard.push(PRIORITY, listener);
        }
    }
}

/// Adds the condition's numbers, once for each time it is listed.
pub fn before(
    state: &State,
    body: BodyId,
    condition: ConditionId,
    strike: &mut Strike,
    notes: &mut Notes<Reason>,
) -> Verdict {
    let Some(def) = state.stage.condition_def(condition) else { return Verdict::Pass };
    let from = *strike;
    let times = state.conditions_of(body).filter(|c| *c == condition).count() as i64;
    if body == strike.attacker {
        strike.attack = strike.attack.saturating_add(def.attack.saturating_mul(times));
        strike.disadvantage |= def.disadvantage;
    }
    if body == strike.target {
        strike.ac = strike.ac.saturating_add(def.ac.saturating_mul(times));
    }
    reason::altered(state, Source::Condition(body, condition), &from, strike, notes);
    Verdict::Altered
}
