//! Four rooms with a gap in each wall between them; the exit is somewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

use super::yard::{Yard, check_size, lots};
use crate::error::Result;
use crate::geometry::Point;
use crate::level::{Level, factory};
use crate::objective::Objective;

/// What four rooms are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FourRooms {
    /// Columns and rows, 7 or more.
    pub size: i32,
    /// Coins lying about.
    pub coins: usize,
}

impl Default for FourRooms {
    fn default() -> Self {
        Self { size: 13, coins: 3 }
    }
}

impl FourRooms {
    /// Makes the level of a seed.
    ///
    /// # Errors
    /// `BAD_SIZE`.
    pub fn generate(&self, seed: u64) -> Result<Level> {
        check_size(self.size, self.size, 7)?;
        let mut yard = Yard::new(self.size, self.size, lots(seed, "grid/four rooms", 0));
        let middle = self.size / 2;
        for along in 1..self.size - 1 {
            yard.plan.set(Point::new(middle, along), false);
            yard.plan.set(Point::new(along, middle), false);
        }
        for (low, high) in [(1, middle - 1), (middle + 1, self.size - 2)] {
            let mut gap = || yard.lots.between(i64::from(low), i64::from(high)) as i32;
            let (down, across) = (Point::new(middle, gap()), Point::new(gap(), middle));
            for point in [down, across] {
                yard.plan.set(point, true);
                yard.reserve(point);
            }
        }
        yard.scatter(factory::agent(5), |_| true);
        yard.scatter(factory::exit(), |_| true);
        for _ in 0..self.coins {
            yard.scatter(factory::coin(Some(5)), |_| true);
        }
        let (mut level, _) = yard.build(1)?;
        level.objective = Objective::Exit;
        level.turn_limit = Some(i64::from(self.size) * 8);
        Ok(level)
    }
}
