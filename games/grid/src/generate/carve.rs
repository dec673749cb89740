//! Carving: the parts from which generators are made. Grids of open and closed
//! cells, perfect mazes, thinning, shortest paths.

use std::collections::VecDeque;

use crate::geometry::{Bounds, Cell, Point};
use crate::random::Mt19937;

/// The order in which the reference tries directions: left, right, up, down.
pub const SIDES: [Point; 4] = [Point::new(-1, 0), Point::new(1, 0), Point::new(0, -1), Point::new(0, 1)];

/// Which cells are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The rectangle.
    pub bounds: Bounds,
    open: Vec<bool>,
}

impl Plan {
    /// Everything closed, or everything open.
    pub fn new(bounds: Bounds, open: bool) -> Self {
        Self { bounds, open: vec![open; bounds.area()] }
    }

    /// Whether a point is inside and open.
    pub fn is_open(&self, point: Point) -> bool {
        self.bounds.cell(point).is_some_and(|cell| self.open[cell.index()])
    }

    /// Opens or closes a point inside.
    pub fn set(&mut self, point: Point, open: bool) {
        if let Some(cell) = self.bounds.cell(point) {
            self.open[cell.index()] = open;
        }
    }

    /// The open, or closed, points column by column.
    pub fn by_columns(&self, open: bool) -> Vec<Point> {
        let columns = 0..self.bounds.width;
        let points = columns.flat_map(|x| (0..self.bounds.height).map(move |y| Point::new(x, y)));
        points.filter(|point| self.is_open(*point) == open).collect()
    }

    /// A perfect maze on the even coordinates, from the top left, exactly as the reference carves
    /// it but without recursion, so that size is no limit. Even sizes get their last column and
    /// row opened wherever the one before is open.
    pub fn maze(bounds: Bounds, draws: &mut Mt19937) -> Self {
        let mut plan = Self::new(bounds, false);
        let mut stack = vec![plan.enter(Point::new(0, 0), draws)];
        while let Some((here, sides, next)) = stack.last_mut() {
            let Some(side) = sides.get(*next).copied() else {
                stack.pop();
                continue;
            };
            *next += 1;
            let between = here.plus(side);
            let beyond = between.plus(side);
            if bounds.contains(beyond) && !plan.is_open(beyond) {
                plan.set(between, true);
                let frame = plan.enter(beyond, draws);
                stack.push(frame);
            }
        }
        plan.open_last_lines();
        plan
    }

    fn enter(&mut self, point: Point, draws: &mut Mt19937) -> (Point, [Point; 4], usize) {
        self.set(point, true);
        let mut sides = SIDES;
        draws.shuffle(&mut sides);
        (point, sides, 0)
    }

    fn open_last_lines(&mut self) {
        let Bounds { width, height } = self.bounds;
        for y in 0..height {
            if self.is_open(Point::new(width - 2, y)) {
                self.set(Point::new(width - 1, y), true);
            }
        }
        for x in 0..width {
            if self.is_open(Point::new(x, height - 2)) {
                self.set(Point::new(x, height - 1), true);
            }
        }
    }

    /// Opens a random part of the closed cells: `share` of them stay closed.
    pub fn thin(&mut self, share: f64, draws: &mut Mt19937) {
        let mut closed = self.by_columns(false);
        let keep = (closed.len() as f64 * share).floor().clamp(0.0, closed.len() as f64) as usize;
        draws.shuffle(&mut closed);
        for point in &closed[keep..] {
            self.set(*point, true);
        }
    }

    /// A shortest path over open cells, both ends included; empty if there is none.
    pub fn path(&self, from: Point, to: Point) -> Vec<Point> {
        let (Some(start), Some(goal)) = (self.bounds.cell(from), self.bounds.cell(to)) else {
            return Vec::new();
        };
        let mut parents = vec![Cell::NONE; self.bounds.area()];
        parents[start.index()] = start;
        let mut row = VecDeque::from([start]);
        while let Some(here) = row.pop_front() {
            if here == goal {
                return self.walk_back(&parents, start, goal);
            }
            for side in SIDES {
                let Some(next) = self.bounds.step(here, side) else { continue };
                if self.open[next.index()] && !parents[next.index()].is_some() {
                    parents[next.index()] = here;
                    row.push_back(next);
                }
            }
        }
        Vec::new()
    }

    fn walk_back(&self, parents: &[Cell], start: Cell, goal: Cell) -> Vec<Point> {
        let mut cells = vec![goal];
        while let Some(&last) = cells.last().filter(|last| **last != start) {
            cells.push(parents[last.index()]);
        }
        cells.into_iter().rev().map(|cell| self.bounds.point(cell)).collect()
    }

    /// The cells of shortest paths from stop to stop.
    pub fn tour(&self, stops: &[Point]) -> Vec<Point> {
        let mut cells: Vec<Point> = stops.windows(2).flat_map(|leg| self.path(leg[0], leg[1])).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_maze_is_a_tree() {
        let bounds = Bounds { width: 101, height: 101 };
        let plan = Plan::maze(bounds, &mut Mt19937::new(1));
        let open = plan.by_columns(true).len();
        assert_eq!(open, 51 * 51 + 51 * 51 - 1);
        assert!(!plan.path(Point::new(0, 0), Point::new(100, 100)).is_empty());
    }

    #[test]
    fn large_mazes_need_no_stack() {
        let bounds = Bounds { width: 601, height: 601 };
        let plan = Plan::maze(bounds, &mut Mt19937::new(1));
        assert_eq!(plan.by_columns(true).len(), 301 * 301 * 2 - 1);
    }

    #[test]
    fn no_path_is_empty() {
        let plan = Plan::new(Bounds { width: 3, height: 1 }, false);
        assert!(plan.path(Point::new(0, 0), Point::new(2, 0)).is_empty());
        assert!(plan.path(Point::new(0, 0), Point::new(9, 0)).is_empty());
    }
}
