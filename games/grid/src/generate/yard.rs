//! What the generators share: a walled yard to build in, and free places.

use turnstone::dice::{Draw, Lots, Stream};

use super::carve::Plan;
use crate::error::{GridError, Result};
use crate::geometry::{Bounds, Point};
use crate::level::{Blueprint, Level, ObjectId, factory};

/// A level in the making: which cells are open, and which of those are taken.
pub(super) struct Yard {
    pub plan: Plan,
    pub lots: Lots,
    taken: Vec<Point>,
    things: Vec<(Point, Blueprint)>,
}

/// Sizes below or above these make no sensible level.
pub(super) fn check_size(width: i32, height: i32, least: i32) -> Result<()> {
    if width < least || height < least || width > 255 || height > 255 {
        let message = format!("{width} × {height} does not work; use {least} to 255 for both");
        return Err(GridError::new("BAD_SIZE", message));
    }
    Ok(())
}

impl Yard {
    /// An open room with a wall round it.
    pub fn new(width: i32, height: i32, lots: Lots) -> Self {
        let bounds = Bounds { width, height };
        let mut plan = Plan::new(bounds, false);
        for point in bounds.points() {
            plan.set(point, point.x > 0 && point.y > 0 && point.x < width - 1 && point.y < height - 1);
        }
        Self { plan, lots, taken: Vec::new(), things: Vec::new() }
    }

    pub fn is_free(&self, point: Point) -> bool {
        self.plan.is_open(point) && !self.taken.contains(&point)
    }

    /// Keeps a cell free of random things.
    pub fn reserve(&mut self, point: Point) {
        self.taken.push(point);
    }

    /// A free cell among those that fit.
    pub fn spot(&mut self, fits: impl Fn(Point) -> bool) -> Option<Point> {
        let free: Vec<Point> = self
            .plan
            .by_columns(true)
            .into_iter()
            .filter(|point| self.is_free(*point) && fits(*point))
            .collect();
        self.lots.pick(&free).copied()
    }

    /// Puts a thing somewhere.
    pub fn put(&mut self, at: Point, thing: Blueprint) {
        self.taken.push(at);
        self.things.push((at, thing));
    }

    /// Puts a thing on a free cell that fits; where.
    pub fn scatter(&mut self, thing: Blueprint, fits: impl Fn(Point) -> bool) -> Option<Point> {
        let at = self.spot(fits)?;
        self.put(at, thing);
        Some(at)
    }

    /// Lays floors and walls and sets the things down, in the order they were put.
    pub fn build(self, floor: i32) -> Result<(Level, Vec<ObjectId>)> {
        let bounds = self.plan.bounds;
        let mut level = Level::new(bounds.width, bounds.height)?;
        for point in bounds.points() {
            level
                .add(point, if self.plan.is_open(point) { factory::floor(floor) } else { factory::wall() })?;
        }
        let placed: Result<Vec<ObjectId>> =
            self.things.into_iter().map(|(point, thing)| level.add(point, thing)).collect();
        Ok((level, placed?))
    }
}

/// The lots of one attempt at a level.
pub(super) fn lots(seed: u64, purpose: &str, attempt: u64) -> Lots {
    Lots::new(seed, Stream::named(purpose).nth(attempt))
}
