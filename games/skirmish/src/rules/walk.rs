//! MOVE: one walk along cells, each next to the one before.

use super::{Check, Spends, alive, budget, code, find, refuse, turn_order};
use crate::action::{Id, Step};
use crate::board::{Cell, Path};
use crate::effect::Effect;
use crate::event::Event;
use crate::game::Skirmish;
use crate::stage::BodyId;
use crate::state::State;
use turnstone::{Expanded, ProposalsOf};

/// What a walker finds on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footing {
    /// Nothing in the way.
    Free,
    /// A thing to step over; stopping on it is refused.
    Object,
    /// A corpse: dearer to step over, and no place to stop.
    Corpse,
    /// A wall, or somebody who does not make way.
    Closed,
}

impl Footing {
    /// What a step onto it costs, if one can be made.
    pub fn price(self) -> Option<i64> {
        match self {
            Footing::Free | Footing::Object => Some(1),
            Footing::Corpse => Some(2),
            Footing::Closed => None,
        }
    }
}

/// What `body` finds on a cell. Under the older profile everybody and everything is in the way.
pub fn footing(state: &State, body: BodyId, cell: Cell) -> Footing {
    let board = &state.stage.board;
    if board.blocked.has(board.index(cell)) {
        return Footing::Closed;
    }
    match state.occupant(cell) {
        None => Footing::Free,
        Some(other) if other == body => Footing::Free,
        Some(_) if !state.stage.is_modern() => Footing::Closed,
        Some(other) if !state.stage.creature_ids().contains(&other) => Footing::Object,
        Some(other) if state.is_dead(other) => Footing::Corpse,
        Some(_) => Footing::Closed,
    }
}

/// Checks a move: whose turn, budget, then the path cell by cell.
pub fn check(state: &State, entity: &Id, path: &[Step]) -> Check {
    turn_order(state, entity)?;
    budget(state, Spends::Movement)?;
    if path.is_empty() {
        return refuse(code::PATH_EMPTY, "a move needs at least one cell");
    }
    let body = find(state, entity)?;
    alive(state, body)?;
    let speed = state.stage.speed(body);
    let modern = state.stage.is_modern();
    if !modern && path.len() as i64 > speed {
        return too_far(path.len() as i64, speed);
    }
    let (cost, before, last) = walk_cells(state, body, path)?;
    if modern && cost > speed {
        return too_far(cost, speed);
    }
    if last == state.cell(body) && state.stage.rules.house.is_some() {
        return refuse(code::PATH_EMPTY, "the way leads back to where it began");
    }
    if may_stop(state, body, before, last) {
        return Ok(());
    }
    let text = format!(
        "[NO_SOLID_OVERLAP] something lies on {},{}; step over it, do not stop there",
        last.x, last.y
    );
    refuse(code::POST_INVARIANT_FAILED, text)
}

/// Whether one may stop on a cell, coming from the cell before it: on open ground, and by the rules
/// of the house on a corpse that can be shoved back.
pub fn may_stop(state: &State, body: BodyId, before: Cell, cell: Cell) -> bool {
    match footing(state, body, cell) {
        Footing::Free => true,
        Footing::Corpse => state.stage.rules.house.is_some() && footing(state, body, before) == Footing::Free,
        Footing::Object | Footing::Closed => false,
    }
}

/// Follows the cells; gives the price and the last two cells.
fn walk_cells(state: &State, body: BodyId, path: &[Step]) -> Check<(i64, Cell, Cell)> {
    let mut here = state.cell(body);
    let mut before = here;
    let mut cost = 0;
    for step in path {
        let next = enter(state, here, *step)?;
        let Some(price) = footing(state, body, next).price() else { return closed(state, next) };
        cost += price;
        before = std::mem::replace(&mut here, next);
    }
    Ok((cost, before, here))
}

/// One step to a neighbour on the map.
fn enter(state: &State, here: Cell, step: Step) -> Check<Cell> {
    let distance =
        (i32::from(step.x) - i32::from(here.x)).abs() + (i32::from(step.y) - i32::from(here.y)).abs();
    if distance != 1 {
        let text = format!("from {},{} one cannot step to {},{}", here.x, here.y, step.x, step.y);
        return refuse(code::DIAGONAL_MOVE, text);
    }
    match state.stage.board.cell(step.x.into(), step.y.into()) {
        Some(cell) => Ok(cell),
        None => refuse(code::OUT_OF_RANGE, format!("{},{} is off the map", step.x, step.y)),
    }
}

#[cold]
fn closed<T>(state: &State, cell: Cell) -> Check<T> {
    let board = &state.stage.board;
    if board.blocked.has(board.index(cell)) {
        return refuse(code::BLOCKED_CELL, format!("{},{} cannot be entered", cell.x, cell.y));
    }
    let who = state.occupant(cell).map_or("something", |b| &*state.stage.figure(b).called);
    refuse(code::OVERLAP, format!("{who} stands on {},{}", cell.x, cell.y))
}

#[cold]
fn too_far(cost: i64, speed: i64) -> Check {
    refuse(code::OUT_OF_RANGE, format!("the path costs {cost}, the speed is {speed}"))
}

/// The effects of an allowed move: the walk, and the shove of a corpse on which it ends.
pub fn open(state: &State, entity: &Id, path: &[Step], out: &mut ProposalsOf<Skirmish>) {
    let Ok(body) = find(state, entity) else { return };
    let cells: Path = path.iter().map(|s| Cell::new(s.x as u8, s.y as u8)).collect();
    let shove = shove(state, body, &cells);
    out.last(Effect::Walk { body, path: cells });
    if let Some(shove) = shove {
        out.last(shove);
    }
}

/// A walk that ends on a corpse shoves it to the cell before.
fn shove(state: &State, walker: BodyId, path: &[Cell]) -> Option<Effect> {
    let (last, rest) = path.split_last()?;
    let corpse = state.occupant(*last).filter(|_| footing(state, walker, *last) == Footing::Corpse)?;
    let to = rest.last().copied().unwrap_or(state.cell(walker));
    Some(Effect::Shove { walker, corpse, to })
}

/// Walks at once, for plans: the state as it will be.
pub(crate) fn stride(state: &mut State, body: BodyId, path: &Path) {
    let shove = shove(state, body, path);
    crate::apply::apply(state, &Event::Moved { body, path: path.clone() });
    if let Some(Effect::Shove { corpse, to, .. }) = shove {
        apply_shove(state, corpse, to);
    }
}

/// In fog one walks by what one sees. The truth may be otherwise: then the walk goes as far as it
/// can, and stops before the cell that is not free.
pub fn expand(state: &State, body: BodyId, path: &Path, out: &mut ProposalsOf<Skirmish>) -> Expanded<Effect> {
    let Some((way, cell)) = cut(state, body, path) else { return Expanded::Keep };
    if !way.is_empty() {
        out.first(Effect::Walk { body, path: way });
    }
    out.first(Effect::Halt { body, cell });
    Expanded::Into
}

/// The part of a path that can be walked, and the cell before which it ends; `None` for all of it.
fn cut(state: &State, body: BodyId, path: &Path) -> Option<(Path, Cell)> {
    let speed = state.stage.speed(body);
    let (mut cost, mut firm, mut before) = (0, 0, state.cell(body));
    for (at, cell) in path.iter().enumerate() {
        match footing(state, body, *cell).price() {
            Some(price) if cost + price <= speed => cost += price,
            _ => return Some((Path::from_slice(&path[..firm]), *cell)),
        }
        if may_stop(state, body, before, *cell) {
            firm = at + 1;
        }
        before = *cell;
    }
    let last = path.last().filter(|_| firm < path.len())?;
    Some((Path::from_slice(&path[..firm]), *last))
}

/// The halt, unless its walker has died meanwhile.
pub fn settle_halt(state: &State, body: BodyId, cell: Cell) -> Option<Event> {
    (!state.is_dead(body)).then_some(Event::Halted { body, cell })
}

/// The shove, if the walk came so far.
pub fn settle_shove(state: &State, walker: BodyId, corpse: BodyId, to: Cell) -> Option<Event> {
    (state.cell(walker) == state.cell(corpse)).then_some(Event::Shoved { corpse, to })
}

/// Lays the corpse down on its new cell. Somebody may stand on the old one.
pub fn apply_shove(state: &mut State, corpse: BodyId, to: Cell) {
    let from = state.cell(corpse);
    state.body_mut(corpse).cell = to;
    if !state.bodies.iter().any(|b| b.cell == from) {
        state.occupied.remove(state.stage.board.index(from));
    }
    state.occupied.insert(state.stage.board.index(to));
}

/// The fact: as proposed, unless the walker has died meanwhile.
pub fn settle(state: &State, body: BodyId, path: &Path) -> Option<Event> {
    (!state.is_dead(body) && !path.is_empty()).then(|| Event::Moved { body, path: path.clone() })
}

/// Sets the body down on the last cell.
pub fn apply(state: &mut State, body: BodyId, path: &Path) {
    let Some(goal) = path.last().copied() else { return };
    let from = state.stage.board.index(state.cell(body));
    let to = state.stage.board.index(goal);
    state.occupied.remove(from);
    state.occupied.insert(to);
    state.body_mut(body).cell = goal;
}

#[cfg(test)]
mod tests {
    use crate::Profile;
    use crate::event::Event;
    use crate::fixture::{act, modern, open, refusal, table};
    use serde_json::{Value, json};

    fn walk(entity: &str, cells: &[(i64, i64)]) -> Value {
        let path: Vec<Value> = cells.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        json!({"type": "MOVE", "entityId": entity, "path": path})
    }

    #[test]
    fn checks_come_in_their_order() {
        let state = modern(|_| {});
        assert_eq!(refusal(&state, walk("nobody", &[])), "PATH_EMPTY");
        assert_eq!(refusal(&state, walk("nobody", &[(1, 1)])), "ENTITY_NOT_FOUND");
        assert_eq!(refusal(&state, walk("ada", &[(2, 3)])), "DIAGONAL_MOVE");
        assert_eq!(refusal(&state, walk("ada", &[(1, 1), (1, 0), (1, -1)])), "OUT_OF_RANGE");
        assert_eq!(refusal(&state, walk("ada", &[(2, 2), (3, 2)])), "BLOCKED_CELL");
        assert_eq!(refusal(&state, walk("ada", &[(1, 3), (1, 4)])), "OVERLAP");
        let far: Vec<(i64, i64)> = (0..7).map(|i| (1, [1, 0][i % 2])).collect();
        assert_eq!(refusal(&state, walk("ada", &far)), "OUT_OF_RANGE");
    }

    #[test]
    fn corpses_and_things_are_stepped_over_but_no_place_to_stop() {
        let state = modern(|d| {
            d.entities.players[1].conditions.push("dead".into());
            d.entities.players[0].stats.movement_speed = 4;
        });
        assert_eq!(refusal(&state, walk("ada", &[(1, 3), (1, 4)])), "POST_INVARIANT_FAILED");
        // One step, a corpse at two, one step: four.
        let (after, result) = act(&state, walk("ada", &[(1, 3), (1, 4), (1, 5)]));
        assert!(result.is_ok());
        assert_eq!((after.cell(0).x, after.cell(0).y), (1, 5));
        assert_eq!(refusal(&state, walk("ada", &[(1, 3), (1, 4), (1, 5), (1, 6)])), "OUT_OF_RANGE");
        assert_eq!(refusal(&after, walk("ada", &[(2, 5)])), "POST_INVARIANT_FAILED");
    }

    #[test]
    fn at_a_table_a_corpse_is_shoved_back() {
        let state = table(|d| {
            d.entities.players[1].conditions.push("dead".into());
            d.entities.players[1].position.y = 3;
        });
        let (after, result) = act(&state, walk("ada", &[(1, 3)]));
        assert!(matches!(result.unwrap()[..], [Event::Moved { .. }, Event::Shoved { corpse: 1, .. }]));
        assert_eq!((after.cell(0), after.cell(1)), (state.cell(1), state.cell(0)));
        // A thing stays where it is, and one does not walk in a circle.
        assert_eq!(refusal(&after, walk("ada", &[(2, 3), (2, 4), (2, 5)])), "POST_INVARIANT_FAILED");
        assert_eq!(refusal(&after, walk("ada", &[(2, 3), (1, 3)])), "PATH_EMPTY");
    }

    #[test]
    fn a_corridor_full_of_corpses_can_be_crossed() {
        let mut state = table(|d| {
            let row = |y: i64| (0..9).map(move |x| (x, y));
            d.map.terrain.clear();
            for (x, y) in row(1).chain(row(3)) {
                let tile = json!({"x": x, "y": y, "type": "blocked", "blocksMovement": true});
                d.map.terrain.push(serde_json::from_value(tile).unwrap());
            }
            d.entities.players[0].position.x = 0;
            d.entities.npcs[0].position.x = 8;
            for x in 1..8 {
                let mut corpse = d.entities.npcs[0].clone();
                (corpse.id, corpse.position.x) = (format!("corpse-{x}"), x);
                corpse.conditions.push("dead".into());
                d.entities.npcs.push(corpse);
            }
            d.entities.players.truncate(1);
            d.entities.npcs.remove(1);
        });
        for x in 1..8 {
            let (after, result) = act(&state, walk("ada", &[(x, 2)]));
            assert!(result.is_ok(), "{x}: {result:?}");
            state = after;
        }
        assert_eq!(state.cell(0).x, 7);
    }

    #[test]
    fn in_the_older_profile_everything_is_in_the_way() {
        let state = open(Profile::Mir14, |d| d.entities.players[1].conditions.push("dead".into()));
        assert_eq!(refusal(&state, walk("ada", &[(1, 3), (1, 4)])), "OVERLAP");
        // There the length is checked before the cells.
        let far: Vec<(i64, i64)> = (0..7).map(|_| (5, 5)).collect();
        assert_eq!(refusal(&state, walk("ada", &far)), "OUT_OF_RANGE");
    }
}
