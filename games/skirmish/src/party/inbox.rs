//! What becomes of an incoming action: permission, turn, staleness, then the queue.

use super::permissions::{Role, Table, owns};
use crate::action::{Action, Verb};
use crate::state::State;

/// Event batches a client may be behind before its actions are refused.
pub const MAX_BEHIND: u64 = 2;

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its role.
    pub role: Role,
    /// The entities it plays.
    pub owns: Vec<String>,
    /// The last event batch it has seen.
    pub seen: u64,
}

/// Why an action does not get into the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The role may not send this, or the actor belongs to somebody else.
    #[error("this role may not do that")]
    Permission,
    /// It is somebody else's turn.
    #[error("it is somebody else's turn")]
    Turn,
    /// The client acts on a state that is too old.
    #[error("the client is too far behind; it needs a fresh state")]
    Stale,
}

/// Decides whether an action may be queued; `batch` is the last event batch sent.
///
/// # Errors
/// Why not.
pub fn admit(state: &State, client: &Client, action: &Action, batch: u64) -> Result<(), Refused> {
    let json = action.to_json();
    let kind = json["type"].as_str().unwrap_or_default();
    let gm = client.role == Role::Gm;
    if !Table::Ours.allows(client.role, kind) || (!gm && !owns(action, &client.owns)) {
        return Err(Refused::Permission);
    }
    if !gm && !has_turn(state, action) {
        return Err(Refused::Turn);
    }
    if batch.saturating_sub(client.seen) > MAX_BEHIND {
        return Err(Refused::Stale);
    }
    Ok(())
}

fn has_turn(state: &State, action: &Action) -> bool {
    let actor = match &action.verb {
        Verb::Move { entity, .. } | Verb::EndTurn { entity } | Verb::Defend { entity } => entity,
        Verb::Attack { attacker, .. } => attacker,
        Verb::UseAbility { caster, .. } => caster,
        Verb::RollInitiative | Verb::SetSeed { .. } | Verb::Malformed { .. } => return true,
    };
    let active = state.combat.active.filter(|_| state.combat.fighting);
    active.is_none_or(|body| actor.text() == Some(&*state.stage.figure(body).id))
}
