//! Generators: levels made from a seed. Mazes and cipher levels are the
//! reference's, number for number; the others draw from the kernel's dice.

pub mod carve;
mod cipher;
mod maze;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use cipher::Cipher;
pub use maze::{Enemy, Gait, Hazard, Maze, Power};

use crate::error::Result;
use crate::level::Level;
use crate::world::World;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recipe {
    /// A maze with everything in it.
    Maze(Maze),
    /// A maze with a riddle.
    Cipher(Cipher),
}

impl Recipe {
    /// Makes the level of a seed. A seed written into the recipe wins.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub fn level(&self, seed: u64) -> Result<Level> {
        match self {
            Self::Maze(maze) => Maze { seed: maze.seed.or(Some(seed as i64)), ..maze.clone() }.generate(),
            Self::Cipher(cipher) => {
                Cipher { seed: cipher.seed.or(Some(seed as i64)), ..cipher.clone() }.generate()
            }
        }
    }

    /// Makes the world of a seed.
    ///
    /// # Errors
    /// What is wrong with the recipe.
    pub fn world(&self, seed: u64) -> Result<World> {
        self.level(seed)?.to_world()
    }
}
