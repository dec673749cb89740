//! Rooms behind locked doors. The key of every door lies in a room that can be
//! reached before it, so that there is always a way; where boxes obstruct the
//! doors, the solver makes sure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone::dice::Draw;

use super::yard::{Yard, lots};
use crate::error::{GridError, Result};
use crate::geometry::Point;
use crate::level::{Level, factory};
use crate::objective::Objective;

/// What the rooms are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rooms {
    /// Rooms side by side.
    pub columns: i32,
    /// Rooms one above the other.
    pub rows: i32,
    /// Cells in a room, across and down, 3 or more.
    pub room: i32,
    /// How many of the doors, in percent, are locked.
    pub locked_percent: u64,
    /// A core in every room behind a door.
    pub cores: bool,
}

impl Default for Rooms {
    fn default() -> Self {
        Self { columns: 3, rows: 2, room: 4, locked_percent: 60, cores: false }
    }
}

/// A door between two rooms, in the order in which the rooms were joined.
pub(super) struct Door {
    pub at: Point,
    /// The cell from which one comes to it.
    pub front: Point,
    /// Whether it is locked.
    pub locked: bool,
}

impl Rooms {
    /// Makes the level of a seed.
    ///
    /// # Errors
    /// `BAD_SIZE`.
    pub fn generate(&self, seed: u64) -> Result<Level> {
        let (yard, _) = self.lay_out(seed, "grid/rooms")?;
        finish(yard)
    }

    /// Walls, doors, keys, agent and exit.
    pub(super) fn lay_out(&self, seed: u64, purpose: &str) -> Result<(Yard, Vec<Door>)> {
        let fits = |number: i32| (1..=12).contains(&number);
        if !fits(self.columns) || !fits(self.rows) || !(3..=16).contains(&self.room) {
            let message = "use 1 to 12 columns and rows, and rooms of 3 to 16 cells";
            return Err(GridError::new("BAD_SIZE", message));
        }
        let pitch = self.room + 1;
        let (width, height) = (self.columns * pitch + 1, self.rows * pitch + 1);
        let mut yard = Yard::new(width, height, lots(seed, purpose, 0));
        for point in yard.plan.bounds.points() {
            if point.x % pitch == 0 || point.y % pitch == 0 {
                yard.plan.set(point, false);
            }
        }
        let (doors, last) = self.join(&mut yard);
        yard.scatter(factory::agent(5), |point| self.room_of(point) == 0);
        yard.scatter(factory::exit(), |point| self.room_of(point) == last);
        self.hide_keys(&mut yard, &doors);
        Ok((yard, doors))
    }

    fn room_of(&self, point: Point) -> usize {
        let pitch = self.room + 1;
        ((point.y / pitch) * self.columns + point.x / pitch) as usize
    }

    /// Joins every room to those before it by one door; gives the doors and the last room joined.
    fn join(&self, yard: &mut Yard) -> (Vec<Door>, usize) {
        let count = (self.columns * self.rows) as usize;
        let (mut joined, mut doors) = (vec![0_usize], Vec::new());
        while joined.len() < count {
            let Some(&from) = yard.lots.pick(&joined) else { break };
            let neighbours: Vec<(usize, Point)> = self.neighbours(from);
            let fresh: Vec<&(usize, Point)> =
                neighbours.iter().filter(|(to, _)| !joined.contains(to)).collect();
            let Some(&&(to, side)) = yard.lots.pick(&fresh) else { continue };
            let (at, front) = self.door_cell(yard, from, side);
            let locked = yard.lots.chance(self.locked_percent, 100);
            yard.plan.set(at, true);
            for point in [at, front, at.plus(side)] {
                yard.reserve(point);
            }
            doors.push(Door { at, front, locked });
            joined.push(to);
        }
        (doors, joined.last().copied().unwrap_or(0))
    }

    fn neighbours(&self, room: usize) -> Vec<(usize, Point)> {
        let (x, y) = (room as i32 % self.columns, room as i32 / self.columns);
        let inside = |point: &Point| {
            (0..self.columns).contains(&(x + point.x)) && (0..self.rows).contains(&(y + point.y))
        };
        let sides = super::carve::SIDES.into_iter().filter(inside);
        sides.map(|side| (((y + side.y) * self.columns + x + side.x) as usize, side)).collect()
    }

    fn door_cell(&self, yard: &mut Yard, room: usize, side: Point) -> (Point, Point) {
        let pitch = self.room + 1;
        let (x, y) = ((room as i32 % self.columns) * pitch, (room as i32 / self.columns) * pitch);
        let along = 1 + yard.lots.below(self.room as u64) as i32;
        let across = |side: i32| if side > 0 { pitch } else { 0 };
        let at = match side.x {
            0 => Point::new(x + along, y + across(side.y)),
            _ => Point::new(x + across(side.x), y + along),
        };
        (at, at.minus(side))
    }

    /// Hides the key of each door in a room joined before it.
    fn hide_keys(&self, yard: &mut Yard, doors: &[Door]) {
        let mut open_rooms = vec![0_usize];
        for (number, door) in doors.iter().enumerate() {
            if door.locked {
                let key_id = format!("door {number}");
                yard.put(door.at, factory::door(&key_id));
                let Some(&room) = yard.lots.pick(&open_rooms) else { continue };
                let hidden = yard.scatter(factory::key(&key_id), |point| self.room_of(point) == room);
                if hidden.is_none() {
                    yard.scatter(factory::key(&key_id), |point| self.room_of(point) == 0);
                }
            }
            let beyond = door.at.plus(door.at.minus(door.front));
            open_rooms.push(self.room_of(beyond));
            if self.cores {
                yard.scatter(factory::core(Some(5), true), |point| {
                    self.room_of(point) == self.room_of(beyond)
                });
            }
        }
    }
}

pub(super) fn finish(yard: Yard) -> Result<Level> {
    let cells = yard.plan.bounds.area() as i64;
    let (mut level, _) = yard.build(1)?;
    level.objective = Objective::CollectExit;
    level.turn_limit = Some(cells * 2);
    Ok(level)
}
