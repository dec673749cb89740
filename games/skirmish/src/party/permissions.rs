//! Who may send what.

use crate::action::{Action, Verb};
use serde::{Deserialize, Serialize};

/// A role at the table. An unknown role may do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The game master: may send anything.
    Gm,
    /// Plays the entities it owns.
    Player,
    /// Looks on.
    Spectator,
    /// Anything else.
    #[serde(other)]
    Unknown,
}

impl Role {
    /// Reads a role's name.
    pub fn read(name: &str) -> Role {
        match name {
            "gm" => Role::Gm,
            "player" => Role::Player,
            "spectator" => Role::Spectator,
            _ => Role::Unknown,
        }
    }
}

/// Which actions players may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// As recorded: players may not defend.
    Recorded,
    /// Ours: they may.
    Ours,
}

const PLAYER_ACTIONS: [&str; 5] = ["MOVE", "ATTACK", "ROLL_INITIATIVE", "END_TURN", "USE_ABILITY"];

impl Table {
    /// Whether a role may send an action of this type at all.
    pub fn allows(self, role: Role, action: &str) -> bool {
        match role {
            Role::Gm => true,
            Role::Player => PLAYER_ACTIONS.contains(&action) || (self == Table::Ours && action == "DEFEND"),
            Role::Spectator | Role::Unknown => false,
        }
    }
}

/// Whether a player owns the actor of an action. Actions without an actor belong to everybody.
pub fn owns(action: &Action, owned: &[String]) -> bool {
    let actor = match &action.verb {
        Verb::Move { entity, .. } | Verb::EndTurn { entity } | Verb::Defend { entity } => Some(entity),
        Verb::Attack { attacker, .. } => Some(attacker),
        Verb::UseAbility { caster, .. } => Some(caster),
        Verb::RollInitiative | Verb::SetSeed { .. } | Verb::Malformed { .. } => None,
    };
    actor.is_none_or(|id| id.text().is_some_and(|id| owned.iter().any(|o| o == id)))
}
