//! DEFEND: dodge until the next turn and regain up to two hit points.

use super::{Check, Spends, alive, budget, code, known, refuse, turn_order};
use crate::action::Id;
use crate::effect::Effect;
use crate::event::Event;
use crate::reason::{self, Number, Reason, Source};
use crate::rules::conditions::add;
use crate::stage::BodyId;
use crate::state::State;
use turnstone::Notes;

/// The condition that defending brings.
pub const CONDITION: &str = "dodging";
/// Hit points regained at most.
pub const HEALS: i64 = 2;

/// Checks a defence. Things do not defend: they are not found.
pub fn check(state: &State, entity: &Id) -> Check {
    turn_order(state, entity)?;
    budget(state, Spends::Action)?;
    match creature(state, entity) {
        Some(body) => alive(state, body),
        None => refuse(code::ENTITY_NOT_FOUND, format!("no creature here is called {entity}")),
    }
}

fn creature(state: &State, entity: &Id) -> Option<BodyId> {
    known(state, entity).filter(|body| state.stage.creature_ids().contains(body))
}

/// The effect of an allowed defence.
pub fn open(state: &State, entity: &Id) -> Option<Effect> {
    creature(state, entity).map(|body| Effect::Defend { body })
}

/// The fact, with the hit points regained.
pub fn settle(state: &State, body: BodyId, notes: &mut Notes<Reason>) -> Option<Event> {
    let hp = state.body(body).hp;
    let missing = state.stage.figure(body).hp_max - hp;
    let healed = missing.clamp(0, HEALS);
    notes.made(Number::Healing.by(Source::Rule), HEALS);
    notes.changed(Number::Healing.by(Source::Limit), HEALS, healed);
    reason::hit_points(hp, hp.saturating_add(healed), notes);
    (!state.is_dead(body)).then_some(Event::Defended { body, healed })
}

/// How long defending lasts.
pub fn turns(state: &State) -> u32 {
    let id = state.stage.condition(CONDITION);
    id.and_then(|id| state.stage.condition_def(id)).map_or(1, |def| def.duration.max(1))
}

/// What defending adds to armour class.
pub fn ac_bonus(state: &State) -> i64 {
    let id = state.stage.condition(CONDITION);
    id.and_then(|id| state.stage.condition_def(id)).map_or(0, |def| def.ac)
}

/// Writes condition and hit points.
pub fn apply(state: &mut State, body: BodyId, healed: i64) {
    let turns = turns(state);
    if let Some(condition) = state.stage.condition(CONDITION) {
        add(state, body, condition, turns);
    }
    let hp = state.body(body).hp.saturating_add(healed);
    state.body_mut(body).hp = hp;
}
