//! Difficulty presets for the computer's side.

use crate::document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whom an opponent attacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetChoice {
    /// Anyone, by a draw.
    Random,
    /// Fewest hit points, the earlier wins ties.
    #[default]
    Weakest,
    /// Fewest hit points, the later wins ties.
    LowestHp,
}

/// How an opponent approaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Movement {
    /// Straight at the nearest foe.
    Nearest,
    /// By the cheapest path to the chosen target.
    #[default]
    Optimal,
    /// To the side of the target opposite to a comrade, if it can be reached.
    Flank,
}

/// A preset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DifficultyDef {
    /// Chance in percent that an opponent in reach attacks at all.
    pub attack_percent: u32,
    /// Chance in percent that it uses an ability where it could.
    pub ability_percent: u32,
    /// Whom it attacks.
    pub targets: TargetChoice,
    /// How it approaches.
    pub movement: Movement,
    /// Added to its attack rolls under rule modules that say so.
    pub attack: i64,
    /// Added to its damage under rule modules that say so.
    pub damage: i64,
    /// Added to its armour class under rule modules that say so.
    pub ac: i64,
    /// Hit points in percent of the scenario's.
    pub health_percent: i64,
}

impl Default for DifficultyDef {
    fn default() -> Self {
        DifficultyDef {
            attack_percent: 100,
            ability_percent: 50,
            targets: TargetChoice::Weakest,
            movement: Movement::Optimal,
            attack: 0,
            damage: 0,
            ac: 0,
            health_percent: 100,
        }
    }
}

impl DifficultyDef {
    /// Scales hit points, rounding half up, to at least 1; the dead stay at 0.
    ///
    /// ```
    /// let deadly = turnstone_skirmish::catalog::Catalog::built_in().difficulty("deadly");
    /// assert_eq!(deadly.scale(7), 11);
    /// assert_eq!(deadly.scale(0), 0);
    /// ```
    pub fn scale(&self, hp: i64) -> i64 {
        if hp <= 0 || self.health_percent == 100 {
            return hp;
        }
        let scaled = hp.saturating_mul(self.health_percent).saturating_add(50).div_euclid(100);
        scaled.max(1)
    }

    /// How a bot with this preset plays, in a sentence.
    pub fn manner(&self) -> String {
        let targets = match self.targets {
            TargetChoice::Random => "anybody",
            TargetChoice::Weakest | TargetChoice::LowestHp => "the weakest in reach",
        };
        let flanks = if self.movement == Movement::Flank { ", flanks" } else { "" };
        let (blows, abilities) = (self.attack_percent, self.ability_percent);
        format!("Attacks {targets} {blows} % of the time, uses abilities {abilities} %{flanks}.")
    }

    /// Adjusts a scenario's opponents.
    pub fn adjust(&self, document: &mut Document) {
        for npc in &mut document.entities.npcs {
            npc.stats.hp_max = self.scale(npc.stats.hp_max);
            npc.stats.hp_current = self.scale(npc.stats.hp_current).min(npc.stats.hp_max);
        }
    }
}
