//! Conditions as data.

use super::DiceDef;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// When a condition's count of turns falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tick {
    /// At the end of the bearer's turn.
    #[default]
    TurnEnd,
    /// When the bearer's turn comes.
    TurnStart,
}

/// What a condition does to its bearer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ConditionDef {
    /// Its name, which is also its id.
    pub name: Arc<str>,
    /// Added to the bearer's attack rolls.
    pub attack: i64,
    /// Added to the bearer's armour class.
    pub ac: i64,
    /// The bearer attacks with two rolls and keeps the lower.
    pub disadvantage: bool,
    /// The bearer may neither attack nor use abilities.
    pub cannot_act: bool,
    /// The bearer is out of play.
    pub out_of_play: bool,
    /// Rolled against the bearer when its turn comes.
    pub damage: Option<DiceDef>,
    /// Turns it lasts unless its source says otherwise; 0 for ever.
    pub duration: u32,
    /// When the count falls.
    pub ticks: Tick,
}

impl ConditionDef {
    /// True when it takes part in the bearer's attacks.
    pub fn alters_attack(&self) -> bool {
        self.attack != 0 || self.disadvantage
    }
}
