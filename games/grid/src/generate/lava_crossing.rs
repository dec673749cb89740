//! Rivers of lava from wall to wall, each with one ford.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

use super::yard::{Yard, check_size, lots};
use crate::error::Result;
use crate::geometry::Point;
use crate::level::{Level, factory};
use crate::objective::Objective;

/// What a crossing is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LavaCrossing {
    /// Columns and rows, 5 or more.
    pub size: i32,
    /// Rivers; as many as fit.
    pub rivers: usize,
}

impl Default for LavaCrossing {
    fn default() -> Self {
        Self { size: 11, rivers: 3 }
    }
}

impl LavaCrossing {
    /// Makes the level of a seed.
    ///
    /// # Errors
    /// `BAD_SIZE`.
    pub fn generate(&self, seed: u64) -> Result<Level> {
        check_size(self.size, self.size, 5)?;
        let mut yard = Yard::new(self.size, self.size, lots(seed, "grid/lava crossing", 0));
        let last = self.size - 2;
        // Rivers run on even lines, so that there is always a bank between two of them.
        let mut lines: Vec<(bool, i32)> =
            (2..last).step_by(2).flat_map(|line| [(false, line), (true, line)]).collect();
        yard.lots.shuffle(&mut lines);
        lines.truncate(self.rivers);
        let vertical: Vec<i32> = sorted(&lines, true);
        let horizontal: Vec<i32> = sorted(&lines, false);
        let fords = fords(&mut yard, &vertical, &horizontal, last);
        for point in yard.plan.by_columns(true) {
            let wet = vertical.contains(&point.x) || horizontal.contains(&point.y);
            if wet && !fords.contains(&point) {
                yard.put(point, factory::hazard("lava", 5, true, 7));
            }
        }
        yard.put(Point::new(1, 1), factory::agent(5));
        yard.put(Point::new(last, last), factory::exit());
        let (mut level, _) = yard.build(1)?;
        level.objective = Objective::Exit;
        level.turn_limit = Some(i64::from(self.size) * 6);
        Ok(level)
    }
}

fn sorted(lines: &[(bool, i32)], vertical: bool) -> Vec<i32> {
    let mut found: Vec<i32> = lines.iter().filter(|line| line.0 == vertical).map(|line| line.1).collect();
    found.sort_unstable();
    found
}

/// Walks from the first bank to the last, crossing one river at a time where the walk stands.
fn fords(yard: &mut Yard, vertical: &[i32], horizontal: &[i32], last: i32) -> Vec<Point> {
    let mut crossings: Vec<bool> =
        vertical.iter().map(|_| true).chain(horizontal.iter().map(|_| false)).collect();
    yard.lots.shuffle(&mut crossings);
    let (mut column, mut row) = (0, 0);
    let bank = |lines: &[i32], index: usize| {
        let low = if index == 0 { 1 } else { lines[index - 1] + 1 };
        (low, lines.get(index).map_or(last, |line| line - 1))
    };
    let mut found = Vec::new();
    for across in crossings {
        let (low, high) = if across { bank(horizontal, row) } else { bank(vertical, column) };
        let along = yard.lots.between(i64::from(low), i64::from(high)) as i32;
        if across {
            found.push(Point::new(vertical[column], along));
            column += 1;
        } else {
            found.push(Point::new(along, horizontal[row]));
            row += 1;
        }
    }
    found
}
