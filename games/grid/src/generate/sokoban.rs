//! Pushing rooms. Boxes start on their places and are pulled away at random,
//! so there is a way back; the solver checks it by the real rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

use super::carve::SIDES;
use super::winnable;
use super::yard::{Yard, check_size, lots};
use crate::error::{GridError, Result};
use crate::geometry::Point;
use crate::level::{Level, factory};
use crate::objective::Objective;

/// What the room is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Sokoban {
    /// Columns, 6 or more.
    pub width: i32,
    /// Rows, 6 or more.
    pub height: i32,
    /// Boxes, 1 to 4.
    pub boxes: usize,
    /// Random pulls.
    pub pulls: usize,
}

impl Default for Sokoban {
    fn default() -> Self {
        Self { width: 8, height: 8, boxes: 2, pulls: 60 }
    }
}

const ATTEMPTS: u64 = 64;

impl Sokoban {
    /// Makes the level of a seed.
    ///
    /// # Errors
    /// `BAD_SIZE`, `BAD_VALUE`, and `NO_LEVEL_FOUND` if nothing came of many attempts.
    pub fn generate(&self, seed: u64) -> Result<Level> {
        check_size(self.width, self.height, 6)?;
        if !(1..=4).contains(&self.boxes) {
            return Err(GridError::new("BAD_VALUE", "use 1 to 4 boxes").field("boxes"));
        }
        for attempt in 0..ATTEMPTS {
            if let Some(level) = self.attempt(seed, attempt)?.filter(|level| winnable(level, 100_000)) {
                return Ok(level);
            }
        }
        Err(GridError::new("NO_LEVEL_FOUND", format!("nothing in {ATTEMPTS} attempts; try other sizes")))
    }

    fn attempt(&self, seed: u64, attempt: u64) -> Result<Option<Level>> {
        let mut yard = Yard::new(self.width, self.height, lots(seed, "grid/sokoban", attempt));
        for _ in 0..(self.width * self.height / 12) {
            if let Some(point) = yard.spot(|_| true) {
                yard.plan.set(point, false);
            }
        }
        let mut goals = Vec::new();
        for _ in 0..self.boxes {
            goals.extend(yard.scatter(factory::exit(), |_| true));
        }
        let (mut boxes, start) = (goals.clone(), yard.spot(|_| true));
        let Some(mut agent) = start.filter(|_| goals.len() == self.boxes) else { return Ok(None) };
        self.pull(&mut yard, &mut boxes, &mut agent);
        if boxes.iter().any(|at| goals.contains(at)) {
            return Ok(None);
        }
        yard.put(agent, factory::agent(5));
        for at in boxes {
            yard.put(at, factory::crate_box(true, None));
        }
        let (mut level, _) = yard.build(1)?;
        level.objective = Objective::Push;
        level.turn_limit = Some(400);
        Ok(Some(level))
    }

    /// Walks about and pulls boxes along: every pull is a push backwards.
    fn pull(&self, yard: &mut Yard, boxes: &mut [Point], agent: &mut Point) {
        for _ in 0..self.pulls {
            let mut moves = Vec::new();
            for (number, at) in boxes.iter().enumerate() {
                for side in SIDES {
                    let (stand, back) = (at.plus(side), at.plus(side).plus(side));
                    let free = |point: Point| yard.plan.is_open(point) && !boxes.contains(&point);
                    if free(stand) && free(back) && self.reaches(yard, boxes, *agent, stand) {
                        moves.push((number, stand, back));
                    }
                }
            }
            let Some(&(number, stand, back)) = yard.lots.pick(&moves) else { return };
            boxes[number] = stand;
            *agent = back;
        }
    }

    fn reaches(&self, yard: &Yard, boxes: &[Point], from: Point, to: Point) -> bool {
        let mut plan = yard.plan.clone();
        for at in boxes {
            plan.set(*at, false);
        }
        !plan.path(from, to).is_empty()
    }
}
