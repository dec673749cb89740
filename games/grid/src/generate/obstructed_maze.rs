//! Rooms with locked doors, and a box in front of each: it has to be moved
//! aside before the key is of any use. The solver makes sure it can be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rooms::{Rooms, finish};
use super::winnable;
use crate::error::Result;
use crate::level::{Level, factory};

/// What the maze is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObstructedMaze {
    /// Rooms side by side.
    pub columns: i32,
    /// Rooms one above the other.
    pub rows: i32,
    /// How many doors are obstructed.
    pub boxes: usize,
}

impl Default for ObstructedMaze {
    fn default() -> Self {
        Self { columns: 2, rows: 2, boxes: 2 }
    }
}

impl ObstructedMaze {
    /// Makes the level of a seed, with as many boxes as leave it winnable.
    ///
    /// # Errors
    /// `BAD_SIZE`.
    pub fn generate(&self, seed: u64) -> Result<Level> {
        let mut level = self.with_boxes(seed, 0)?;
        for boxes in (1..=self.boxes).rev() {
            let candidate = self.with_boxes(seed, boxes)?;
            if winnable(&candidate, 200_000) {
                level = candidate;
                break;
            }
        }
        Ok(level)
    }

    fn with_boxes(&self, seed: u64, boxes: usize) -> Result<Level> {
        let rooms = Rooms {
            columns: self.columns,
            rows: self.rows,
            room: 4,
            locked_percent: 100,
            ..Rooms::default()
        };
        let (mut yard, doors) = rooms.lay_out(seed, "grid/obstructed maze")?;
        for door in doors.iter().take(boxes) {
            yard.put(door.front, factory::crate_box(true, None));
        }
        finish(yard)
    }
}
