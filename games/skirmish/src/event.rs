//! Facts: each is exactly one event of the document's log.

use crate::board::{Cell, Path};
use crate::dice::Faces;
use crate::stage::{AbilityId, BodyId, ConditionId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An attack that was carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attacked {
    /// Who struck.
    pub attacker: BodyId,
    /// Whom.
    pub target: BodyId,
    /// The first roll.
    pub first: Faces,
    /// The second roll, at a disadvantage.
    pub second: Option<Faces>,
    /// Added to the lower roll.
    pub attack: i64,
    /// Added to the target's armour class.
    pub ac: i64,
    /// Whether it hit.
    pub hit: bool,
    /// The damage dice; empty when none were rolled.
    pub dice: Faces,
    /// The damage dealt.
    pub damage: i64,
    /// The target's hit points after it.
    pub hp: i64,
    /// The dice after it.
    pub chain: u32,
}

/// An ability that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbilityUsed {
    /// Who used it.
    pub caster: BodyId,
    /// On whom.
    pub target: BodyId,
    /// Which.
    pub ability: AbilityId,
    /// The roll to hit; empty for healing.
    pub attack: Faces,
    /// Whether it hit; always for healing.
    pub hit: bool,
    /// Damage or healing dice; empty on a miss.
    pub dice: Faces,
    /// The target's hit points after it.
    pub hp: i64,
    /// A condition it put on the target.
    pub applied: Option<ConditionId>,
    /// The dice after it.
    pub chain: u32,
}

/// Who won a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The heroes.
    Players,
    /// Their opponents.
    Npcs,
    /// Nobody is left.
    None,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Someone walked.
    Moved {
        /// Who.
        body: BodyId,
        /// The cells, in order; not empty.
        path: Path,
    },
    /// Someone met what he had not seen, and stopped before it.
    Halted {
        /// Who.
        body: BodyId,
        /// The cell that he did not enter.
        cell: Cell,
    },
    /// Someone struck.
    Attacked(Attacked),
    /// Someone used an ability.
    AbilityUsed(AbilityUsed),
    /// Someone defended.
    Defended {
        /// Who.
        body: BodyId,
        /// Hit points regained.
        healed: i64,
    },
    /// Combat began.
    InitiativeRolled {
        /// Everybody's roll, best first.
        order: Vec<(BodyId, u16)>,
        /// The dice after it.
        chain: u32,
    },
    /// The turn passed on.
    TurnEnded {
        /// Whose turn ended.
        from: BodyId,
        /// Whose came.
        to: BodyId,
        /// In which round.
        round: i64,
    },
    /// A condition ran out.
    ConditionExpired {
        /// Whose.
        body: BodyId,
        /// Which.
        condition: ConditionId,
    },
    /// A condition hurt.
    ConditionDamage {
        /// Whom.
        body: BodyId,
        /// Which.
        condition: ConditionId,
        /// The dice.
        dice: Faces,
        /// Hit points after it.
        hp: i64,
        /// The dice after it.
        chain: u32,
    },
    /// Combat ended.
    CombatEnded {
        /// For whom.
        winner: Winner,
    },
    /// The dice got a new seed.
    SeedSet {
        /// The seed.
        seed: Arc<str>,
    },
    /// What a viewer is told of a movement that he saw only parts of.
    Glimpsed {
        /// Who.
        body: BodyId,
        /// The cells he saw, in order.
        seen: Path,
    },
    /// What a viewer is told of a turn that passes between some he does not see.
    TurnPassed {
        /// Whose turn ended, if seen.
        from: Option<BodyId>,
        /// Whose came, if seen.
        to: Option<BodyId>,
        /// In which round.
        round: i64,
    },
}
