//! Abilities as data.

use super::DiceDef;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an ability does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AbilityKind {
    /// Rolls to hit a creature of another kind and deals damage.
    Attack,
    /// Heals a creature of the same kind, oneself included.
    Heal,
}

/// An ability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbilityDef {
    /// The id actions name.
    #[serde(default)]
    pub id: Arc<str>,
    /// The name people read.
    pub name: Arc<str>,
    /// What it does.
    pub kind: AbilityKind,
    /// Reach in cells, diagonals counting one.
    pub range: i64,
    /// Damage or healing.
    pub dice: DiceDef,
    /// Added to the attack roll.
    #[serde(default)]
    pub bonus: i64,
    /// Turns until it may be used again, this one included.
    #[serde(default)]
    pub cooldown: u32,
    /// A condition put on a target that is hit and survives.
    #[serde(default)]
    pub applies: Option<Arc<str>>,
    /// How long that condition lasts.
    #[serde(default)]
    pub turns: u32,
}
