//! Cells, directions and the rectangle they live in. `x` grows right and `y`
//! grows **down**; cell (0, 0) is the top left corner.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A cell by its row-major index in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Option<u32>", into = "Option<u32>")]
pub struct Cell(pub u32);

impl From<Option<u32>> for Cell {
    fn from(index: Option<u32>) -> Self {
        index.map_or(Self::NONE, Self)
    }
}

impl From<Cell> for Option<u32> {
    fn from(cell: Cell) -> Self {
        cell.is_some().then_some(cell.0)
    }
}

/// A cell by column and row, as facts name it: `[x, y]`, and null for none. It is as small as an index,
/// and whoever reads it need not know how wide the grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Option<(u16, u16)>", into = "Option<(u16, u16)>")]
pub struct Spot {
    x: u16,
    y: u16,
}

impl Spot {
    /// No cell at all. No grid is so large that it would have this one.
    pub const NONE: Spot = Spot { x: u16::MAX, y: u16::MAX };

    /// Whether this is a cell.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }

    /// The point.
    #[inline]
    pub fn point(self) -> Point {
        Point::new(i32::from(self.x), i32::from(self.y))
    }
}

impl From<Option<(u16, u16)>> for Spot {
    fn from(place: Option<(u16, u16)>) -> Self {
        place.map_or(Self::NONE, |(x, y)| Self { x, y })
    }
}

impl From<Spot> for Option<(u16, u16)> {
    fn from(spot: Spot) -> Self {
        spot.is_some().then_some((spot.x, spot.y))
    }
}

impl JsonSchema for Spot {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Spot".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A cell: column from the left and row from the top, or null for none.",
            "oneOf": [
                { "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2 },
                { "type": "null" },
            ],
        })
    }
}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
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

    /// The spot of a cell; none for none.
    #[inline]
    pub fn spot(self, cell: Cell) -> Spot {
        if !cell.is_some() {
            return Spot::NONE;
        }
        let Point { x, y } = self.point(cell);
        Spot { x: x as u16, y: y as u16 }
    }

    /// The cell of a spot; none for none and for what is outside.
    #[inline]
    pub fn at(self, spot: Spot) -> Cell {
        self.cell(spot.point()).unwrap_or(Cell::NONE)
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
    fn spots_are_read_without_knowing_the_grid() {
        let bounds = Bounds { width: 4, height: 3 };
        let spot = bounds.spot(Cell(6));
        assert_eq!(serde_json::to_string(&(spot, Spot::NONE)).unwrap(), "[[2,1],null]");
        assert_eq!(serde_json::from_str::<(Spot, Spot)>("[[2,1],null]").unwrap(), (spot, Spot::NONE));
        assert_eq!((bounds.at(spot), bounds.at(Spot::NONE)), (Cell(6), Cell::NONE));
        assert_eq!(bounds.at(Spot { x: 4, y: 0 }), Cell::NONE);
        assert_eq!(serde_json::to_string(&Cell::NONE).unwrap(), "null");
    }

    #[test]
    fn wrapping_comes_back_on_the_other_side() {
        let bounds = Bounds { width: 4, height: 3 };
        assert_eq!(bounds.point(bounds.wrap(Point::new(-1, 3))), Point::new(3, 0));
        assert_eq!(bounds.step(Cell(3), Direction::Right.vector()), None);
    }
}
