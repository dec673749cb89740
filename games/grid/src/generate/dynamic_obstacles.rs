//! An open room in which things walk to and fro.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

use super::yard::{Yard, check_size, lots};
use crate::error::Result;
use crate::geometry::{Direction, Point};
use crate::level::Level;
use crate::level::factory::{self, Patrol};
use crate::objective::Objective;

/// What the room is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DynamicObstacles {
    /// Columns and rows, 5 or more.
    pub size: i32,
    /// How many walk about.
    pub obstacles: usize,
    /// The agent's health; each touch costs one.
    pub health: i32,
}

impl Default for DynamicObstacles {
    fn default() -> Self {
        Self { size: 11, obstacles: 8, health: 3 }
    }
}

impl DynamicObstacles {
    /// Makes the level of a seed.
    ///
    /// # Errors
    /// `BAD_SIZE`.
    pub fn generate(&self, seed: u64) -> Result<Level> {
        check_size(self.size, self.size, 5)?;
        let mut yard = Yard::new(self.size, self.size, lots(seed, "grid/dynamic obstacles", 0));
        let corner = Point::new(self.size - 2, self.size - 2);
        yard.put(Point::new(1, 1), factory::agent(self.health));
        yard.put(corner, factory::exit());
        for _ in 0..self.obstacles {
            let direction = Direction::ALL[yard.lots.below(4) as usize];
            let speed = 1 + i32::from(yard.lots.chance(1, 4));
            let walker = factory::monster(1, false, Some(Patrol { direction, bounce: true, speed }));
            // Nobody starts beside the agent.
            yard.scatter(walker, |point| point.x + point.y > 4);
        }
        let (mut level, _) = yard.build(1)?;
        level.objective = Objective::Exit;
        level.turn_limit = Some(i64::from(self.size) * 8);
        Ok(level)
    }
}
