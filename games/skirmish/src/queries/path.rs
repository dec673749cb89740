//! Pathfinding: A* over four neighbours.
//!
//! The pathfinder prices difficult terrain and corpses at two. Ties are broken
//! exactly as recorded: among equal estimates the newest candidate goes first.

use crate::board::{Cell, Path};
use crate::stage::BodyId;
use crate::state::State;

/// What a search may do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The mover, which does not stand in its own way.
    pub mover: Option<BodyId>,
    /// Give up beyond this cost.
    pub max_cost: Option<i64>,
    /// The goal may be occupied.
    pub allow_occupied_goal: bool,
}

/// A way and its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The cells, start excluded.
    pub path: Path,
    /// Its price.
    pub cost: i64,
}

struct Candidate {
    estimate: i64,
    cost: i64,
    at: usize,
}

/// The cheapest way from `start` to `goal`, or `None`.
pub fn find_path(state: &State, start: Cell, goal: Cell, options: Options) -> Option<Route> {
    let board = &state.stage.board;
    let walk = Walk { state, goal, options };
    if !walk.can_enter(goal) {
        return None;
    }
    if start == goal {
        return Some(Route { path: Path::new(), cost: 0 });
    }
    let mut best = vec![i64::MAX; board.cells()];
    let mut from = vec![usize::MAX; board.cells()];
    let mut closed = vec![false; board.cells()];
    best[board.index(start)] = 0;
    // Sorted by falling estimate, so that the next candidate is the last entry.
    let mut open = vec![Candidate { estimate: start.manhattan(goal), cost: 0, at: board.index(start) }];
    while let Some(Candidate { cost, at, .. }) = open.pop() {
        if std::mem::replace(&mut closed[at], true) {
            continue;
        }
        let cell = board.at(at);
        if cell == goal {
            return Some(Route { path: unwind(state, &from, start, goal), cost });
        }
        if options.max_cost.is_some_and(|max| cost >= max) {
            continue;
        }
        for next in board.neighbours(cell) {
            let to = board.index(next);
            if closed[to] || !walk.can_enter(next) {
                continue;
            }
            let total = cost + walk.price(next);
            if options.max_cost.is_some_and(|max| total > max) || total >= best[to] {
                continue;
            }
            best[to] = total;
            from[to] = at;
            let estimate = total + next.manhattan(goal);
            let place = open.partition_point(|c| c.estimate > estimate);
            let place = place + open[place..].partition_point(|c| c.estimate == estimate);
            open.insert(place, Candidate { estimate, cost: total, at: to });
        }
    }
    None
}

/// The cheapest way to a cell next to `target`; no cells when already there.
/// The first of the cheapest neighbours wins: up, down, left, right.
pub fn find_path_adjacent(state: &State, mover: BodyId, target: BodyId) -> Option<(Cell, Route)> {
    path_beside(state, mover, state.cell(mover), state.cell(target))
}

/// The same from a cell to a cell.
pub fn path_beside(state: &State, mover: BodyId, start: Cell, target: Cell) -> Option<(Cell, Route)> {
    if start.manhattan(target) == 1 {
        return Some((start, Route { path: Path::new(), cost: 0 }));
    }
    let options = Options { mover: Some(mover), ..Options::default() };
    let mut best: Option<(Cell, Route)> = None;
    for cell in state.stage.board.neighbours(target) {
        if let Some(route) = find_path(state, start, cell, options)
            && best.as_ref().is_none_or(|(_, known)| route.cost < known.cost)
        {
            best = Some((cell, route));
        }
    }
    best
}

struct Walk<'a> {
    state: &'a State,
    goal: Cell,
    options: Options,
}

impl Walk<'_> {
    /// Open ground, or ground held by nothing that lives.
    fn can_enter(&self, cell: Cell) -> bool {
        let stage = &self.state.stage;
        if stage.board.blocked.has(stage.board.index(cell)) {
            return false;
        }
        if cell == self.goal && self.options.allow_occupied_goal {
            return true;
        }
        match self.other_creature(cell) {
            Some(body) => self.state.is_dead(body),
            None => true,
        }
    }

    /// A player or npc other than the mover.
    fn other_creature(&self, cell: Cell) -> Option<BodyId> {
        let body = self.state.occupant(cell)?;
        let creature = self.state.stage.creature_ids().contains(&body);
        (creature && self.options.mover != Some(body)).then_some(body)
    }

    fn price(&self, cell: Cell) -> i64 {
        let board = &self.state.stage.board;
        let corpse = self.other_creature(cell).is_some_and(|body| self.state.is_dead(body));
        if corpse || board.difficult.has(board.index(cell)) { 2 } else { 1 }
    }
}

fn unwind(state: &State, from: &[usize], start: Cell, goal: Cell) -> Path {
    let board = &state.stage.board;
    let (mut at, start) = (board.index(goal), board.index(start));
    let mut path = Path::new();
    while at != start {
        path.push(board.at(at));
        at = from[at];
    }
    path.reverse();
    path
}
