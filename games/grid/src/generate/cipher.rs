//! Cipher levels: a bare maze, twenty steps, and a text that says what to do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::maze::Maze;
use crate::error::{GridError, Result};
use crate::level::Level;
use crate::objective::Objective;
use crate::random::Mt19937;

/// What a cipher level is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cipher {
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// Cores that must be collected.
    pub num_required_items: usize,
    /// Texts with the objectives they stand for; invalid pairs are passed over.
    pub pairs: Vec<(String, String)>,
    /// Makes the maze and draws the pair.
    pub seed: Option<i64>,
}

impl Default for Cipher {
    fn default() -> Self {
        let pair = |text: &str, name: &str| (text.to_string(), name.to_string());
        Self {
            width: 9,
            height: 9,
            num_required_items: 1,
            pairs: vec![
                pair("Find the way out.", "exit"),
                pair("Leave nothing behind, and then leave.", "collect_exit"),
                pair("Take what shines.", "collect"),
            ],
            seed: None,
        }
    }
}

impl Cipher {
    /// Generates the level.
    ///
    /// # Errors
    /// `NO_PAIR` if no pair has a text and a known objective.
    pub fn generate(&self) -> Result<Level> {
        let known = |(text, name): &(String, String)| {
            let objective = Objective::named(name)?;
            (!text.is_empty()).then(|| (text.clone(), objective))
        };
        let valid: Vec<(String, Objective)> = self.pairs.iter().filter_map(known).collect();
        let mut draws = Mt19937::new(self.seed.unwrap_or(0));
        let places: Vec<usize> = (0..valid.len()).collect();
        let Some(drawn) = draws.choice(&places) else {
            let message = format!("no pair has a text and one of {}", Objective::NAMES.join(", "));
            return Err(GridError::new("NO_PAIR", message).field("pairs"));
        };
        let (text, objective) = valid[drawn].clone();
        let mut level = self.maze().generate()?;
        level.message = Some(text);
        level.objective = objective;
        Ok(level)
    }

    fn maze(&self) -> Maze {
        Maze {
            num_required_items: self.num_required_items,
            movement_cost: 3,
            required_item_reward: 0,
            rewardable_item_reward: 0,
            turn_limit: Some(20),
            seed: self.seed,
            ..Maze::bare(self.width, self.height, 0)
        }
    }
}
