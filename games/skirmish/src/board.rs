//! The grid: cells, sets of cells, and terrain as bits.

use crate::document::{CellDoc, MapDoc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A cell of the map: x grows east, y grows south. Maps are at most 200 by 200.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
}

/// A way over the map, start cell excluded.
pub type Path = SmallVec<[Cell; 8]>;

impl Cell {
    /// No cell of any map: where a position as somebody sees it keeps what he does not see.
    pub const NOWHERE: Cell = Cell::new(u8::MAX, u8::MAX);

    /// The cell at column `x`, row `y`.
    pub const fn new(x: u8, y: u8) -> Cell {
        Cell { x, y }
    }

    /// Steps between two cells when diagonals count two.
    pub fn manhattan(self, other: Cell) -> i64 {
        i64::from(self.x.abs_diff(other.x)) + i64::from(self.y.abs_diff(other.y))
    }

    /// Steps between two cells when diagonals count one.
    pub fn chebyshev(self, other: Cell) -> i64 {
        i64::from(self.x.abs_diff(other.x).max(self.y.abs_diff(other.y)))
    }

    /// The same cell as a document writes it.
    pub fn document(self) -> CellDoc {
        CellDoc { x: self.x.into(), y: self.y.into() }
    }
}

/// A set of cells, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CellSet {
    words: SmallVec<[u64; 4]>,
}

impl CellSet {
    /// The empty set over `cells` cells.
    pub fn with_cells(cells: usize) -> CellSet {
        CellSet { words: SmallVec::from_elem(0, cells.div_ceil(64)) }
    }

    /// Becomes a copy of another set, in the same memory if it fits.
    pub fn copy_from(&mut self, other: &CellSet) {
        if self.words.len() == other.words.len() {
            self.words.copy_from_slice(&other.words);
        } else {
            self.words = SmallVec::from_slice(&other.words);
        }
    }

    /// Whether a cell is in the set.
    pub fn has(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|w| w & (1 << (index % 64)) != 0)
    }

    /// Adds a cell.
    pub fn insert(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    /// Takes a cell out.
    pub fn remove(&mut self, index: usize) {
        if let Some(word) = self.words.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    /// Adds the cells of another set.
    pub fn unite(&mut self, other: &CellSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }
}

/// The map's size and terrain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Cells that nothing may enter.
    pub blocked: CellSet,
    /// Cells that nothing is seen through.
    pub opaque: CellSet,
    /// Cells that cost the pathfinder two.
    pub difficult: CellSet,
}

/// The four neighbours in the order in which searches try them: up, down, left, right.
pub const DIRECTIONS: [(i16, i16); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

impl Board {
    /// Compiles a document's map; tiles off the map are left out.
    pub fn new(map: &MapDoc) -> Board {
        let size = map.grid.size;
        let (width, height) = (size.width.clamp(1, 200) as u8, size.height.clamp(1, 200) as u8);
        let cells = usize::from(width) * usize::from(height);
        let empty = CellSet::with_cells(cells);
        let mut board =
            Board { width, height, blocked: empty.clone(), opaque: empty.clone(), difficult: empty };
        for tile in &map.terrain {
            let Some(cell) = board.cell(tile.x, tile.y) else { continue };
            let at = board.index(cell);
            if tile.blocks_movement {
                board.blocked.insert(at);
            }
            if tile.blocks_vision == Some(true) {
                board.opaque.insert(at);
            }
            if tile.kind == "difficult" && !tile.blocks_movement {
                board.difficult.insert(at);
            }
        }
        board
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// The cell at these coordinates, if it is on the map.
    pub fn cell(&self, x: i64, y: i64) -> Option<Cell> {
        let inside = (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        inside.then(|| Cell::new(x as u8, y as u8))
    }

    /// A cell's place in row-major order.
    pub fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    /// The cell at a place in row-major order.
    pub fn at(&self, index: usize) -> Cell {
        let width = usize::from(self.width);
        Cell::new((index % width) as u8, (index / width) as u8)
    }

    /// The neighbour in a direction, if it is on the map.
    pub fn step(&self, cell: Cell, (dx, dy): (i16, i16)) -> Option<Cell> {
        self.cell(i64::from(cell.x) + i64::from(dx), i64::from(cell.y) + i64::from(dy))
    }

    /// The neighbours on the map: up, down, left, right.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        DIRECTIONS.into_iter().filter_map(move |direction| self.step(cell, direction))
    }
}
