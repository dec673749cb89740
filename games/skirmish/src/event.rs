//! Facts: each is exactly one event of the document's log. The schema is that of the form in which
//! they leave the process, with names for numbers ([`export::named`](crate::export::named)).

use crate::action::Side;
use crate::board::{Cell, Path};
use crate::dice::Faces;
use crate::rules::limits::Limit;
use crate::stage::{AbilityId, BodyId, ConditionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An attack that was carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attacked {
    /// Who struck.
    #[schemars(with = "String")]
    pub attacker: BodyId,
    /// Whom.
    #[schemars(with = "String")]
    pub target: BodyId,
    /// The first roll.
    #[schemars(with = "Vec<u16>")]
    pub first: Faces,
    /// The second roll, at a disadvantage.
    #[schemars(with = "Option<Vec<u16>>")]
    pub second: Option<Faces>,
    /// Added to the lower roll.
    pub attack: i64,
    /// Added to the target's armour class.
    pub ac: i64,
    /// Whether it hit.
    pub hit: bool,
    /// The damage dice; empty when none were rolled.
    #[schemars(with = "Vec<u16>")]
    pub dice: Faces,
    /// The damage dealt.
    pub damage: i64,
    /// The target's hit points after it.
    pub hp: i64,
    /// The dice after it.
    #[schemars(skip)]
    pub chain: u32,
}

/// An ability that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AbilityUsed {
    /// Who used it.
    #[schemars(with = "String")]
    pub caster: BodyId,
    /// On whom.
    #[schemars(with = "String")]
    pub target: BodyId,
    /// Which.
    #[schemars(with = "String")]
    pub ability: AbilityId,
    /// The roll to hit; empty for healing.
    #[schemars(with = "Vec<u16>")]
    pub attack: Faces,
    /// Whether it hit; always for healing.
    pub hit: bool,
    /// Damage or healing dice; empty on a miss.
    #[schemars(with = "Vec<u16>")]
    pub dice: Faces,
    /// The target's hit points after it.
    pub hp: i64,
    /// A condition it put on the target.
    #[schemars(with = "Option<String>")]
    pub applied: Option<ConditionId>,
    /// The dice after it.
    #[schemars(skip)]
    pub chain: u32,
}

/// A place in the order of initiative, as other programs read it.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Place {
    /// Whose.
    entity: String,
    /// What was rolled.
    roll: u16,
}

/// Who won a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Event {
    /// Someone walked.
    Moved {
        /// Who.
        #[schemars(with = "String")]
        body: BodyId,
        /// The cells, in order; not empty.
        #[schemars(with = "Vec<Cell>")]
        path: Path,
    },
    /// Someone met what he had not seen, and stopped before it.
    Halted {
        /// Who.
        #[schemars(with = "String")]
        body: BodyId,
        /// The cell that he did not enter.
        cell: Cell,
    },
    /// A corpse was pushed out of the way.
    Shoved {
        /// Which.
        #[schemars(with = "String")]
        corpse: BodyId,
        /// Where it lies now.
        to: Cell,
    },
    /// Someone struck.
    Attacked(Attacked),
    /// Someone used an ability.
    AbilityUsed(AbilityUsed),
    /// Someone defended.
    Defended {
        /// Who.
        #[schemars(with = "String")]
        body: BodyId,
        /// Hit points regained.
        healed: i64,
    },
    /// Combat began.
    InitiativeRolled {
        /// Everybody's roll, best first.
        #[schemars(with = "Vec<Place>")]
        order: Vec<(BodyId, u16)>,
        /// The dice after it.
        #[schemars(skip)]
        chain: u32,
    },
    /// The turn passed on.
    TurnEnded {
        /// Whose turn ended.
        #[schemars(with = "String")]
        from: BodyId,
        /// Whose came.
        #[schemars(with = "String")]
        to: BodyId,
        /// In which round.
        round: i64,
    },
    /// A condition ran out.
    ConditionExpired {
        /// Whose.
        #[schemars(with = "String")]
        body: BodyId,
        /// Which.
        #[schemars(with = "String")]
        condition: ConditionId,
    },
    /// A condition hurt.
    ConditionDamage {
        /// Whom.
        #[schemars(with = "String")]
        body: BodyId,
        /// Which.
        #[schemars(with = "String")]
        condition: ConditionId,
        /// The dice.
        #[schemars(with = "Vec<u16>")]
        dice: Faces,
        /// Hit points after it.
        hp: i64,
        /// The dice after it.
        #[schemars(skip)]
        chain: u32,
    },
    /// Combat ended.
    CombatEnded {
        /// For whom.
        winner: Winner,
    },
    /// It was told that a limit is near.
    Warned {
        /// Which.
        limit: Limit,
        /// Rounds, or actions, left.
        left: u16,
    },
    /// Nobody won.
    Drawn {
        /// Which limit was reached.
        limit: Limit,
    },
    /// A side gave up.
    Surrendered {
        /// Which.
        side: Side,
    },
    /// The dice got a new seed.
    SeedSet {
        /// The seed.
        seed: Arc<str>,
    },
    /// What a viewer is told of a movement that he saw only parts of.
    Glimpsed {
        /// Who.
        #[schemars(with = "String")]
        body: BodyId,
        /// The cells he saw, in order.
        #[schemars(with = "Vec<Cell>")]
        seen: Path,
    },
    /// What a viewer is told of a turn that passes from or to somebody he does not see, or of a round that begins
    /// among such.
    TurnPassed {
        /// Whose turn ended, if seen.
        #[schemars(with = "Option<String>")]
        from: Option<BodyId>,
        /// Whose came, if seen.
        #[schemars(with = "Option<String>")]
        to: Option<BodyId>,
        /// In which round.
        round: i64,
    },
}
