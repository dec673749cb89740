//! The rules, one mechanic per file: how an action is checked, what it opens
//! with, and how its effect becomes a fact.

pub mod ability;
pub mod attack;
pub mod combat_end;
pub mod conditions;
pub mod defend;
pub mod initiative;
pub mod limits;
pub mod seed;
pub mod surrender;
pub mod turn;
pub mod walk;

use crate::action::Id;
use crate::sight::binds;
use crate::stage::BodyId;
use crate::state::State;
use turnstone::Rejection;

/// The codes of refusals.
pub mod code {
    /// Malformed or unknown, or something its actor cannot do.
    pub const INVALID_ACTION: &str = "INVALID_ACTION";
    /// The actor is not the active entity.
    pub const NOT_YOUR_TURN: &str = "NOT_YOUR_TURN";
    /// The move or action of this turn is spent.
    pub const BUDGET_EXHAUSTED: &str = "BUDGET_EXHAUSTED";
    /// A move without cells.
    pub const PATH_EMPTY: &str = "PATH_EMPTY";
    /// No such id.
    pub const ENTITY_NOT_FOUND: &str = "ENTITY_NOT_FOUND";
    /// The actor is dead.
    pub const DEAD_ENTITY: &str = "DEAD_ENTITY";
    /// The target is dead.
    pub const TARGET_DEAD: &str = "TARGET_DEAD";
    /// Attacker and target are the same.
    pub const SELF_ATTACK: &str = "SELF_ATTACK";
    /// Too far, too long, or off the map.
    pub const OUT_OF_RANGE: &str = "OUT_OF_RANGE";
    /// A step that is not to one of the four neighbours.
    pub const DIAGONAL_MOVE: &str = "DIAGONAL_MOVE";
    /// A cell that nothing may enter.
    pub const BLOCKED_CELL: &str = "BLOCKED_CELL";
    /// A cell that is taken.
    pub const OVERLAP: &str = "OVERLAP";
    /// Initiative while fighting.
    pub const COMBAT_ALREADY_ACTIVE: &str = "COMBAT_ALREADY_ACTIVE";
    /// The end of a turn while exploring.
    pub const COMBAT_NOT_ACTIVE: &str = "COMBAT_NOT_ACTIVE";
    /// Nobody alive to roll initiative.
    pub const NO_PARTICIPANTS: &str = "NO_PARTICIPANTS";
    /// Nothing can be done any more.
    pub const MATCH_OVER: &str = "MATCH_OVER";
    /// The result would break an invariant.
    pub const POST_INVARIANT_FAILED: &str = "POST_INVARIANT_FAILED";
    /// A document that the schema refuses.
    pub const SCHEMA: &str = "SCHEMA";
    /// A document that breaks an invariant.
    pub const PRE_INVARIANT: &str = "PRE_INVARIANT";
}

/// The result of a check.
pub type Check<T = ()> = Result<T, Rejection>;

/// A refusal for one reason.
pub fn refuse<T>(code: &'static str, text: impl Into<String>) -> Check<T> {
    Err(Rejection::new(code, text))
}

/// The entity with this id, of any kind. What is out of sight is not there.
pub fn find(state: &State, id: &Id) -> Check<BodyId> {
    match known(state, id) {
        Some(body) => Ok(body),
        None => refuse(code::ENTITY_NOT_FOUND, format!("nothing here is called {id}")),
    }
}

/// The same without a word about it.
pub fn known(state: &State, id: &Id) -> Option<BodyId> {
    id.text().and_then(|text| state.stage.find(text)).filter(|body| !state.is_absent(*body))
}

/// Refuses a dead actor.
pub fn alive(state: &State, body: BodyId) -> Check {
    if state.is_dead(body) {
        return refuse(code::DEAD_ENTITY, format!("{} is dead", state.stage.figure(body).called));
    }
    Ok(())
}

/// Refuses a dead target.
pub fn target_alive(state: &State, body: BodyId) -> Check {
    if state.is_dead(body) {
        return refuse(code::TARGET_DEAD, format!("{} is already dead", state.stage.figure(body).called));
    }
    Ok(())
}

/// In combat only the active entity moves, attacks, defends and uses abilities; outside it, by the
/// rules of the house, only heroes do.
pub fn turn_order(state: &State, actor: &Id) -> Check {
    if !state.combat.fighting {
        return led(state, actor);
    }
    let active = state.combat.active.map(|body| &*state.stage.figure(body).id);
    if active.is_some() && active == actor.text() {
        return Ok(());
    }
    if binds(state) {
        // Whose turn it is may be out of the sender's sight.
        return refuse(code::NOT_YOUR_TURN, format!("it is not the turn of {actor}"));
    }
    let whose = active.unwrap_or("nobody");
    refuse(code::NOT_YOUR_TURN, format!("it is the turn of {whose}, not of {actor}"))
}

fn led(state: &State, actor: &Id) -> Check {
    let other = known(state, actor).filter(|body| !state.stage.player_ids().contains(body));
    match other.filter(|_| state.stage.rules.house.is_some()) {
        Some(_) => refuse(code::NOT_YOUR_TURN, format!("{actor} is not yours to lead")),
        None => Ok(()),
    }
}

/// What of a turn an action spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spends {
    /// The one move.
    Movement,
    /// The one action.
    Action,
}

/// In combat each turn has one move and one action.
pub fn budget(state: &State, spends: Spends) -> Check {
    let Some(budget) = state.combat.budget.filter(|_| state.combat.fighting && state.stage.is_modern())
    else {
        return Ok(());
    };
    match spends {
        Spends::Movement if budget.movement_used >= 1 => {
            refuse(code::BUDGET_EXHAUSTED, "the move of this turn is spent; act or end the turn")
        }
        Spends::Action if budget.action_used >= 1 => {
            refuse(code::BUDGET_EXHAUSTED, "the action of this turn is spent; move or end the turn")
        }
        _ => Ok(()),
    }
}

/// Refuses an attack or an ability of somebody whose conditions keep it from those. Walking and defending stay free, as
/// the records have it.
pub fn can_act(state: &State, body: BodyId) -> Check {
    let held = state.body(body).mask & state.stage.masks.cannot_act != 0;
    let holds = |c: &u16| state.stage.condition_def(*c).is_some_and(|def| def.cannot_act);
    if held && let Some(condition) = state.conditions_of(body).find(holds) {
        let (name, word) =
            (&state.stage.figure(body).called, &state.stage.conditions[usize::from(condition)]);
        let text =
            format!("{name} is {word}: it can move, defend or end the turn, but neither attack nor cast");
        return refuse(code::INVALID_ACTION, text);
    }
    Ok(())
}

/// Refuses a target beyond reach; diagonals count one.
pub fn in_range(state: &State, from: BodyId, to: BodyId, range: i64) -> Check {
    let distance = state.cell(from).chebyshev(state.cell(to));
    if distance > range {
        return refuse(
            code::OUT_OF_RANGE,
            format!("the target is {distance} cells away, the reach is {range}"),
        );
    }
    Ok(())
}
