//! Proposed changes, and the handles of those who listen to them.

use crate::action::Side;
use crate::board::{Cell, Path};
use crate::rules::limits::Limit;
use crate::stage::{AbilityId, BodyId, ConditionId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An attack on its way: listeners add to its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strike {
    /// Who strikes.
    pub attacker: BodyId,
    /// Whom.
    pub target: BodyId,
    /// Added to the roll.
    pub attack: i64,
    /// Added to the target's armour class.
    pub ac: i64,
    /// Added to the damage.
    pub damage: i64,
    /// Two rolls, the lower counts.
    pub disadvantage: bool,
}

/// A proposed change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Effect {
    /// Walk along a path.
    Walk {
        /// Who.
        body: BodyId,
        /// Where.
        path: Path,
    },
    /// Stop before a cell that was not as it seemed.
    Halt {
        /// Who.
        body: BodyId,
        /// Before which cell.
        cell: Cell,
    },
    /// Push a corpse out of the way.
    Shove {
        /// Who stands where it lies.
        walker: BodyId,
        /// Which corpse.
        corpse: BodyId,
        /// Where it goes.
        to: Cell,
    },
    /// Strike a target.
    Strike(Strike),
    /// Use an ability.
    Cast {
        /// Who.
        caster: BodyId,
        /// On whom.
        target: BodyId,
        /// Which.
        ability: AbilityId,
    },
    /// Dodge and catch one's breath.
    Defend {
        /// Who.
        body: BodyId,
    },
    /// Roll everybody's initiative.
    Muster,
    /// The turn passes on.
    Pass {
        /// Whose turn ends.
        from: BodyId,
        /// Whose comes.
        to: BodyId,
        /// In which round.
        round: i64,
    },
    /// A condition runs out.
    Expire {
        /// Whose.
        body: BodyId,
        /// Which.
        condition: ConditionId,
    },
    /// A condition hurts its bearer.
    Harm {
        /// Whom.
        body: BodyId,
        /// Which.
        condition: ConditionId,
    },
    /// One side has nobody left.
    EndCombat,
    /// It is told that a limit is near.
    Warn {
        /// Which.
        limit: Limit,
        /// Rounds, or actions, left.
        left: u16,
    },
    /// A limit is reached.
    Draw {
        /// Which.
        limit: Limit,
    },
    /// A side gives up.
    Surrender {
        /// Which.
        side: Side,
    },
    /// The dice get a new seed.
    Reseed {
        /// The new seed.
        seed: Arc<str>,
    },
}

/// Who listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Listener {
    /// A condition that changes the numbers of its bearer's attacks or armour.
    Modifier {
        /// The bearer.
        body: BodyId,
        /// The condition.
        condition: ConditionId,
    },
    /// The difficulty's modifiers for the computer's side.
    Edge,
    /// Conditions that run out when their bearer's turn ends.
    RunsOut {
        /// The bearer.
        body: BodyId,
    },
    /// Conditions that run out when their bearer's turn comes.
    RunsOutFirst {
        /// The bearer.
        body: BodyId,
    },
    /// A condition that hurts its bearer when its turn comes.
    Hurts {
        /// The bearer.
        body: BodyId,
        /// The condition.
        condition: ConditionId,
    },
}
