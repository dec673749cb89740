//! Rule modules: the numbers of an attack as data.

use super::DiceDef;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which dice an attack rolls and which of a creature's numbers count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleModule {
    /// The name people read.
    pub name: String,
    /// One sentence about it.
    #[serde(default)]
    pub about: String,
    /// Rolled to hit.
    pub attack: DiceDef,
    /// Rolled for damage.
    #[serde(default = "d6")]
    pub damage: DiceDef,
    /// Damage without dice.
    #[serde(default)]
    pub flat_damage: Option<i64>,
    /// Everybody's speed.
    #[serde(default)]
    pub speed: Option<i64>,
    /// `attackBonus` counts.
    #[serde(default)]
    pub attack_bonus: bool,
    /// `damageDice` counts.
    #[serde(default)]
    pub weapon_dice: bool,
    /// The difficulty's attack, damage and AC modifiers count.
    #[serde(default)]
    pub difficulty_modifiers: bool,
}

fn d6() -> DiceDef {
    DiceDef::new(1, 6)
}

impl Default for RuleModule {
    fn default() -> Self {
        RuleModule {
            name: "As recorded".to_string(),
            about: String::new(),
            attack: DiceDef::new(1, 20),
            damage: d6(),
            flat_damage: None,
            speed: None,
            attack_bonus: false,
            weapon_dice: false,
            difficulty_modifiers: false,
        }
    }
}
