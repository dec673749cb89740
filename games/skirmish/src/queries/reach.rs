//! Where a body may walk this turn, by the rules of MOVE.

use crate::board::{Cell, Path};
use crate::rules::walk::{Footing, footing, may_stop};
use crate::stage::BodyId;
use crate::state::State;

/// One cheapest way to every cell on which a body may stop, in row-major order
/// of the goal. Its own cell is reached by a step and back, unless the rules of the house forbid it.
pub fn reach(state: &State, body: BodyId) -> Vec<(Cell, Path)> {
    let board = &state.stage.board;
    let speed = state.stage.speed(body);
    let field = Field::flood(state, body, speed);
    let way = |cell| field.to(state, body, cell, speed).map(|path| (cell, path));
    let mut out: Vec<(Cell, Path)> = field.cells(state, body).filter_map(way).collect();
    if state.stage.rules.house.is_none() {
        out.extend(field.round_trip(state, body, speed));
        out.sort_by_key(|(cell, _)| board.index(*cell));
    }
    out
}

/// The listed way to one cell, if a body may stop there.
pub fn reach_to(state: &State, body: BodyId, goal: Cell) -> Option<Path> {
    reach(state, body).into_iter().find(|(cell, _)| *cell == goal).map(|(_, path)| path)
}

/// The cheapest way, by the rules of MOVE and over several turns if need be, to a cell from which
/// `target` lies within `range`; no cells when it does already.
pub fn into_range(state: &State, body: BodyId, target: Cell, range: i64) -> Option<Path> {
    if state.cell(body).chebyshev(target) <= range {
        return Some(Path::new());
    }
    let board = &state.stage.board;
    let field = Field::flood(state, body, i64::MAX - 2);
    let way = |at: usize| {
        let cell = board.at(at);
        let near = cell.chebyshev(target) <= range && field.cost[at] < i64::MAX;
        let path = near.then(|| field.to(state, body, cell, i64::MAX)).flatten()?;
        Some((field.cost[at], path))
    };
    let ways = (0..board.cells()).filter_map(way);
    ways.min_by_key(|(cost, _)| *cost).map(|(_, path)| path)
}

/// What it costs a body to get anywhere, and how.
pub(crate) struct Field {
    cost: Vec<i64>,
    from: Vec<usize>,
}

impl Field {
    /// As far as a body gets in this turn.
    pub(crate) fn this_turn(state: &State, body: BodyId) -> Field {
        Field::flood(state, body, state.stage.speed(body))
    }

    /// The other cells that can be reached, in row-major order; on some of them one may not stop.
    pub(crate) fn cells<'a>(&'a self, state: &'a State, body: BodyId) -> impl Iterator<Item = Cell> + 'a {
        let (board, here) = (&state.stage.board, state.cell(body));
        let there = self.cost.iter().enumerate().filter(|(_, cost)| **cost < i64::MAX);
        there.map(|(at, _)| board.at(at)).filter(move |cell| *cell != here)
    }

    /// The listed way to a cell, if one may stop there in this turn.
    pub(crate) fn way(&self, state: &State, body: BodyId, goal: Cell) -> Option<Path> {
        self.to(state, body, goal, state.stage.speed(body))
    }

    /// Prices every cell within `speed`. Cells cost one or two, so two
    /// waves (this price, the next) keep the frontier sorted.
    fn flood(state: &State, body: BodyId, speed: i64) -> Field {
        let board = &state.stage.board;
        let mut field = Field { cost: vec![i64::MAX; board.cells()], from: vec![usize::MAX; board.cells()] };
        let start = board.index(state.cell(body));
        field.cost[start] = 0;
        let mut waves = [vec![start], Vec::new(), Vec::new()];
        let mut price = 0;
        while price < speed && waves.iter().any(|w| !w.is_empty()) {
            for at in std::mem::take(&mut waves[0]) {
                if field.cost[at] == price {
                    field.spread(state, body, at, &mut waves);
                }
            }
            waves.rotate_left(1);
            price += 1;
        }
        // A path longer than a map has cells cannot be cheapest, so the loop ends.
        field.cost.iter_mut().filter(|c| **c > speed).for_each(|c| *c = i64::MAX);
        field
    }

    fn spread(&mut self, state: &State, body: BodyId, at: usize, waves: &mut [Vec<usize>; 3]) {
        let board = &state.stage.board;
        for next in board.neighbours(board.at(at)) {
            let to = board.index(next);
            // No step is cheaper than one: most neighbours need not be looked at.
            if self.cost[to] <= self.cost[at] + 1 {
                continue;
            }
            let Some(step) = footing(state, body, next).price() else { continue };
            let total = self.cost[at] + step;
            if total < self.cost[to] {
                self.cost[to] = total;
                self.from[to] = at;
                waves[step as usize].push(to);
            }
        }
    }

    /// A cheapest way that may end on this cell.
    fn to(&self, state: &State, body: BodyId, goal: Cell, speed: i64) -> Option<Path> {
        match footing(state, body, goal) {
            Footing::Free => Some(self.path(state, body, goal)),
            Footing::Corpse => self.onto(state, body, goal, speed),
            Footing::Object | Footing::Closed => None,
        }
    }

    /// The same for a corpse's cell, which is entered from where the corpse can go.
    fn onto(&self, state: &State, body: BodyId, goal: Cell, speed: i64) -> Option<Path> {
        let board = &state.stage.board;
        let cost = |cell: &Cell| self.cost[board.index(*cell)];
        let last = speed - Footing::Corpse.price()?;
        let beside = board.neighbours(goal).filter(|c| cost(c) <= last && may_stop(state, body, *c, goal));
        let before = beside.min_by_key(cost)?;
        let mut path = self.path(state, body, before);
        path.push(goal);
        Some(path)
    }

    fn path(&self, state: &State, body: BodyId, goal: Cell) -> Path {
        let board = &state.stage.board;
        let start = board.index(state.cell(body));
        let mut at = board.index(goal);
        let mut path = Path::new();
        while at != start {
            path.push(board.at(at));
            at = self.from[at];
        }
        path.reverse();
        path
    }

    /// A step aside and back: legal, and the only way to stop where one stands.
    fn round_trip(&self, state: &State, body: BodyId, speed: i64) -> Option<(Cell, Path)> {
        let board = &state.stage.board;
        let home = state.cell(body);
        let cost = |cell: &Cell| self.cost[board.index(*cell)];
        let beside = board.neighbours(home).filter(|c| cost(c) < speed);
        let aside = beside.min_by_key(|c| cost(c))?;
        Some((home, Path::from_slice(&[aside, home])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::modern;

    #[test]
    fn every_listed_way_is_a_cheapest_one_and_allowed() {
        let state = modern(|d| d.entities.players[1].conditions.push("dead".into()));
        for (goal, path) in reach(&state, 0) {
            let steps: Vec<_> = path.iter().map(|c| crate::action::Step::from(*c)).collect();
            let id = crate::action::Id::from("ada");
            assert!(crate::rules::walk::check(&state, &id, &steps).is_ok(), "{goal:?} {path:?}");
            assert_eq!(path.last(), Some(&goal));
        }
        let cells: Vec<Cell> = reach(&state, 0).into_iter().map(|(cell, _)| cell).collect();
        assert!(cells.contains(&state.cell(0)), "a step and back");
        assert!(!cells.contains(&state.cell(1)), "no stopping on a corpse");
        assert!(!cells.contains(&state.cell(4)), "no stopping on a crate");
    }

    #[test]
    fn into_range_finds_a_place_to_strike_from() {
        let state = modern(|_| {});
        let path = into_range(&state, 0, state.cell(2), 1).unwrap();
        assert!(path.last().unwrap().chebyshev(state.cell(2)) == 1);
        assert_eq!(into_range(&state, 0, state.cell(2), 3).unwrap().len(), 0);
    }
}
