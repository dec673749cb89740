//! Cells, directions and the rectangle they live in. `x` grows right and `y`
//! grows **down**; cell (0, 0) is the top left corner.

use serde::{Deserialize, Serialize};

/// A cell by its row-major index in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u32);

impl Cell {
    /// No cell at all: carried, used up or never placed.
    pub const NONE: Cell = Cell(u32::MAX);

    /// The index, for addressing dense tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is a cell of the grid.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// A point or a vector; points may lie outside the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(i32, i32)", into = "(i32, i32)")]
pub struct Point {
    /// Columns from the left.
    pub x: i32,
    /// Rows from the top.
    pub y: i32,
}

impl Point {
    /// A point from its coordinates.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// This point moved by a vector.
    #[inline]
    pub const fn plus(self, by: Point) -> Self {
        Self { x: self.x.saturating_add(by.x), y: self.y.saturating_add(by.y) }
    }

    /// The vector from `other` to this point.
    #[inline]
    pub const fn minus(self, other: Point) -> Self {
        Self { x: self.x.saturating_sub(other.x), y: self.y.saturating_sub(other.y) }
    }

    /// The Manhattan length of this vector.
    #[inline]
    pub const fn length(self) -> u32 {
        self.x.unsigned_abs().saturating_add(self.y.unsigned_abs())
    }
}

impl From<(i32, i32)> for Point {
    fn from((x, y): (i32, i32)) -> Self {
        Self { x, y }
    }
}

impl From<Point> for (i32, i32) {
    fn from(point: Point) -> Self {
        (point.x, point.y)
    }
}

/// The four directions, in the order of the actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Towards row 0.
    Up,
    /// Towards the last row.
    Down,
    /// Towards column 0.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All four, in the order of the actions.
    pub const ALL: [Direction; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The unit vector.
    #[inline]
    pub const fn vector(self) -> Point {
        match self {
            Self::Up => Point::new(0, -1),
            Self::Down => Point::new(0, 1),
            Self::Left => Point::new(-1, 0),
            Self::Right => Point::new(1, 0),
        }
    }

    /// Left for right and right for left; up and down stay.
    #[inline]
    pub const fn mirrored(self) -> Direction {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            other => other,
        }
    }
}

/// The rectangle of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Number of columns, at least 1.
    pub width: i32,
    /// Number of rows, at least 1.
    pub height: i32,
}

impl Bounds {
    /// How many cells there are.
    #[inline]
    pub fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the point is inside.
    #[inline]
    pub fn contains(self, point: Point) -> bool {
        (point.x as u32) < self.width as u32 && (point.y as u32) < self.height as u32
    }

    /// The cell at a point, or `None` outside.
    #[inline]
    pub fn cell(self, point: Point) -> Option<Cell> {
        self.contains(point).then(|| Cell((point.y * self.width + point.x) as u32))
    }

    /// The point of a cell.
    #[inline]
    pub fn point(self, cell: Cell) -> Point {
        let width = self.width as u32;
        Point::new((cell.0 % width) as i32, (cell.0 / width) as i32)
    }

    /// The cell one step on, or `None` at the edge.
    #[inline]
    pub fn step(self, from: Cell, by: Point) -> Option<Cell> {
        self.cell(self.point(from).plus(by))
    }

    /// The point brought back inside by wrapping round the edges.
    pub fn wrap(self, point: Point) -> Cell {
        let x = point.x.rem_euclid(self.width);
        let y = point.y.rem_euclid(self.height);
        Cell((y * self.width + x) as u32)
    }

    /// All points, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::new(x, y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_points_agree() {
        let bounds = Bounds { width: 4, height: 3 };
        for (index, point) in bounds.points().enumerate() {
            let cell = Cell(index as u32);
            assert_eq!((bounds.cell(point), bounds.point(cell)), (Some(cell), point));
        }
    }

    #[test]
    fn wrapping_comes_back_on_the_other_side() {
        let bounds = Bounds { width: 4, height: 3 };
        assert_eq!(bounds.point(bounds.wrap(Point::new(-1, 3))), Point::new(3, 0));
        assert_eq!(bounds.step(Cell(3), Direction::Right.vector()), None);
    }
}
