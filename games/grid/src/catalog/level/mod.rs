//! Authoring: a level is a grid of ordered lists of blueprints, easy to edit
//! and to write down; a world is what the rules run on. Levels become worlds
//! and worlds become levels.

mod blueprint;
mod convert;
pub mod factory;
mod file;
mod spec;
mod written;

pub use blueprint::{Blueprint, ObjectId};
pub use file::LevelFile;

use crate::error::{GridError, Result};
use crate::geometry::{Bounds, Cell, Point};
use crate::label::{Company, Label};
use crate::moves::MoveRule;
use crate::objective::Objective;

/// A level under construction.
///
/// ```
/// use turnstone_grid::level::{Level, factory};
/// use turnstone_grid::geometry::Point;
///
/// let mut level = Level::new(3, 1)?;
/// let agent = level.add(Point::new(0, 0), factory::agent(5))?;
/// level.add(Point::new(2, 0), factory::exit())?;
/// assert!(level.move_object(Point::new(0, 0), agent, Point::new(1, 0))?);
/// let world = level.to_world()?;
/// assert_eq!(world.point(world.first_agent().unwrap()), Some(Point::new(1, 0)));
/// # Ok::<(), turnstone_grid::error::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    bounds: Bounds,
    /// How agents move.
    pub move_rule: MoveRule,
    /// What wins.
    pub objective: Objective,
    /// Seeds the wind.
    pub seed: Option<i64>,
    /// Steps completed.
    pub turn: i64,
    /// Points so far.
    pub score: i64,
    /// Won already.
    pub win: bool,
    /// Lost already.
    pub lose: bool,
    /// Shown to the player.
    pub message: Option<String>,
    /// Steps allowed.
    pub turn_limit: Option<i64>,
    /// What it is called.
    pub label: Label,
    /// How the agents stand to each other.
    pub company: Company,
    objects: Vec<Blueprint>,
    cells: Vec<Vec<ObjectId>>,
}

impl Level {
    /// An empty level.
    ///
    /// # Errors
    /// `BAD_SIZE` or `GRID_TOO_LARGE`.
    pub fn new(width: i32, height: i32) -> Result<Self> {
        if width < 1 || height < 1 {
            let message = format!("{width} × {height} is too small; use 1 or more");
            return Err(GridError::new("BAD_SIZE", message));
        }
        if i64::from(width) * i64::from(height) > crate::world::CELLS_MAX {
            let message = format!("{width} × {height} has more than {} cells", crate::world::CELLS_MAX);
            return Err(GridError::new("GRID_TOO_LARGE", message));
        }
        let bounds = Bounds { width, height };
        Ok(Self {
            bounds,
            move_rule: MoveRule::default(),
            objective: Objective::default(),
            seed: None,
            turn: 0,
            score: 0,
            win: false,
            lose: false,
            message: None,
            turn_limit: None,
            label: Label::default(),
            company: Company::default(),
            objects: Vec::new(),
            cells: vec![Vec::new(); bounds.area()],
        })
    }

    /// The rectangle.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn cell(&self, at: Point) -> Result<Cell> {
        self.bounds.cell(at).ok_or_else(|| {
            let (width, height) = (self.bounds.width, self.bounds.height);
            let message = format!("({}, {}) is not in the {width} × {height} grid", at.x, at.y);
            GridError::new("POSITION_OUTSIDE", message)
        })
    }

    /// Puts an object on top of a cell.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`.
    pub fn add(&mut self, at: Point, blueprint: Blueprint) -> Result<ObjectId> {
        let cell = self.cell(at)?;
        let id = ObjectId(self.objects.len() as u32);
        self.objects.push(blueprint);
        self.cells[cell.index()].push(id);
        Ok(id)
    }

    /// Puts several objects into one cell, in order.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`.
    pub fn add_many(
        &mut self,
        at: Point,
        blueprints: impl IntoIterator<Item = Blueprint>,
    ) -> Result<Vec<ObjectId>> {
        blueprints.into_iter().map(|blueprint| self.add(at, blueprint)).collect()
    }

    /// Takes that object out of a cell; whether it was there.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`.
    pub fn remove(&mut self, at: Point, object: ObjectId) -> Result<bool> {
        let cell = self.cell(at)?;
        let list = &mut self.cells[cell.index()];
        let found = list.iter().position(|other| *other == object);
        found.map(|place| list.remove(place));
        Ok(found.is_some())
    }

    /// Takes every matching object out of a cell; how many there were.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`.
    pub fn remove_if(&mut self, at: Point, matches: impl Fn(&Blueprint) -> bool) -> Result<usize> {
        let cell = self.cell(at)?;
        let (list, objects) = (&mut self.cells[cell.index()], &self.objects);
        let before = list.len();
        list.retain(|id| !matches(&objects[id.index()]));
        Ok(before - list.len())
    }

    /// Moves an object from one cell on top of another; whether it was there.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`, and then nothing has changed.
    pub fn move_object(&mut self, from: Point, object: ObjectId, to: Point) -> Result<bool> {
        let target = self.cell(to)?;
        let found = self.remove(from, object)?;
        if found {
            self.cells[target.index()].push(object);
        }
        Ok(found)
    }

    /// Empties a cell; how many objects there were.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`.
    pub fn clear_cell(&mut self, at: Point) -> Result<usize> {
        self.remove_if(at, |_| true)
    }

    /// The objects in a cell, in order.
    ///
    /// # Errors
    /// `POSITION_OUTSIDE`.
    pub fn objects_at(&self, at: Point) -> Result<Vec<ObjectId>> {
        Ok(self.cells[self.cell(at)?.index()].clone())
    }

    /// An object.
    ///
    /// # Errors
    /// `UNKNOWN_OBJECT` for a handle of another level.
    pub fn object(&self, id: ObjectId) -> Result<&Blueprint> {
        self.objects.get(id.index()).ok_or_else(unknown_object)
    }

    /// An object, to be changed in place.
    ///
    /// # Errors
    /// `UNKNOWN_OBJECT` for a handle of another level.
    pub fn object_mut(&mut self, id: ObjectId) -> Result<&mut Blueprint> {
        self.objects.get_mut(id.index()).ok_or_else(unknown_object)
    }

    /// Makes two portals lead to each other; the second keeps a partner it already has.
    ///
    /// # Errors
    /// `UNKNOWN_OBJECT`.
    pub fn pair(&mut self, portal: ObjectId, other: ObjectId) -> Result<()> {
        self.object_mut(portal)?.pair = Some(other);
        let back = self.object_mut(other)?;
        back.pair = back.pair.or(Some(portal));
        Ok(())
    }

    /// All objects with their points: row by row, in list order.
    pub fn objects(&self) -> impl Iterator<Item = (Point, ObjectId, &Blueprint)> {
        let cells = self.bounds.points().zip(&self.cells);
        cells
            .flat_map(move |(point, list)| list.iter().map(move |id| (point, *id, &self.objects[id.index()])))
    }
}

fn unknown_object() -> GridError {
    GridError::new("UNKNOWN_OBJECT", "this handle belongs to another level")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editing_keeps_order_and_counts() {
        let mut level = Level::new(2, 2).unwrap();
        let here = Point::new(1, 1);
        let ids =
            level.add_many(here, [factory::floor(1), factory::coin(None), factory::coin(Some(2))]).unwrap();
        assert_eq!(level.objects_at(here).unwrap(), ids);
        assert!(level.remove(here, ids[1]).unwrap());
        assert!(!level.remove(here, ids[1]).unwrap());
        assert_eq!(level.remove_if(here, |object| object.entity.cost.is_some()).unwrap(), 1);
        assert!(level.move_object(here, ids[2], Point::new(0, 0)).unwrap());
        assert_eq!((level.clear_cell(here).unwrap(), level.clear_cell(Point::new(0, 0)).unwrap()), (0, 1));
        assert_eq!(level.add(Point::new(2, 0), factory::wall()).unwrap_err().code, "POSITION_OUTSIDE");
        assert_eq!(Level::new(0, 4).unwrap_err().code, "BAD_SIZE");
        assert_eq!(Level::new(40_000, 40_000).unwrap_err().code, "GRID_TOO_LARGE");
    }
}
