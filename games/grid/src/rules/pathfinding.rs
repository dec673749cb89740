//! Pathfinding: hunters take one step towards their target, straight at it or
//! along a shortest path. A target without a place on the board is not hunted.
//! Hunters leave no trail.

use std::collections::VecDeque;

use crate::component::{Hunt, Mask};
use crate::effect::Effect;
use crate::event::Event;
use crate::geometry::{Cell, Point};
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

/// The order in which neighbours are tried: down, up, right, left.
const NEIGHBOURS: [Point; 4] = [Point::new(0, 1), Point::new(0, -1), Point::new(1, 0), Point::new(-1, 0)];

pub(crate) fn pathfinding(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    for &hunter in &world.cast.hunters {
        if is_hunting(world, hunter) {
            orders.propose(Effect::Hunt { hunter });
        }
    }
}

fn is_hunting(world: &World, hunter: Slot) -> bool {
    let prey = world.cast.of(hunter).prey;
    world.has(hunter, Mask::PATHFINDING)
        && world.cell(hunter).is_some()
        && prey.is_some()
        && world.cell(prey).is_some()
}

pub(crate) fn settle(world: &World, hunter: Slot) -> Option<Event> {
    if !is_hunting(world, hunter) {
        return None;
    }
    let here = world.cell(hunter);
    let to = next_cell(world, hunter)?;
    (to != here && !world.blocks(to, Mask::STOPS_WALKING))
        .then(|| Event::Hunted { hunter, to: world.spot(to) })
}

/// The cell a hunter on the board would like to enter, blocked or not; `None` outside the grid.
pub(crate) fn next_cell(world: &World, hunter: Slot) -> Option<Cell> {
    let (here, goal) = (world.cell(hunter), world.cell(world.cast.of(hunter).prey));
    match world.cast.of(hunter).hunt {
        Hunt::StraightLine => straight(world, here, goal),
        Hunt::Path => Some(if here == goal { here } else { first_step(world, here, goal).unwrap_or(here) }),
    }
}

/// The neighbour whose direction agrees most with the way to the goal; the first of equals.
fn straight(world: &World, here: Cell, goal: Cell) -> Option<Cell> {
    let bounds = world.cast.bounds;
    let way = bounds.point(goal).minus(bounds.point(here));
    let score = |vector: Point| i64::from(vector.x * way.x) + i64::from(vector.y * way.y);
    let mut best = NEIGHBOURS[0];
    for &vector in &NEIGHBOURS[1..] {
        if score(vector) > score(best) {
            best = vector;
        }
    }
    bounds.step(here, best)
}

/// The first cell of a shortest path.
///
/// This is A* with unit costs and the Manhattan distance, ties by order of insertion. That
/// distance changes by one per step, so an entry's estimate is the current one or two more: two
/// first-in-first-out rows give the exact order of a priority queue with insertion numbers.
fn first_step(world: &World, start: Cell, goal: Cell) -> Option<Cell> {
    let bounds = world.cast.bounds;
    let target = bounds.point(goal);
    if world.blocks(goal, Mask::STOPS_WALKING) {
        return None;
    }
    let mut reached = vec![(u32::MAX, Cell::NONE); bounds.area()];
    reached[start.index()] = (0, Cell::NONE);
    let (mut row, mut next_row) = (VecDeque::from([start]), VecDeque::new());
    loop {
        let Some(here) = row.pop_front() else {
            if next_row.is_empty() {
                break;
            }
            std::mem::swap(&mut row, &mut next_row);
            continue;
        };
        if here == goal {
            break;
        }
        let (point, steps) = (bounds.point(here), reached[here.index()].0 + 1);
        for vector in NEIGHBOURS {
            let Some(next) = bounds.cell(point.plus(vector)) else { continue };
            if steps >= reached[next.index()].0 || world.blocks(next, Mask::STOPS_WALKING) {
                continue;
            }
            reached[next.index()] = (steps, here);
            let nearer = target.minus(point.plus(vector)).length() < target.minus(point).length();
            if nearer { row.push_back(next) } else { next_row.push_back(next) }
        }
    }
    walk_back(&reached, start, goal)
}

fn walk_back(reached: &[(u32, Cell)], start: Cell, goal: Cell) -> Option<Cell> {
    let mut at = goal;
    loop {
        let (_, parent) = reached[at.index()];
        if parent == start || !parent.is_some() {
            return parent.is_some().then_some(at);
        }
        at = parent;
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn a_path_goes_round_and_a_straight_line_does_not() {
        let map = "\n...\nm#@\n...E\n\nm = monster damage=0 hunts=";
        assert_eq!(Trial::new(&format!("{map}path")).plays("wait").place("monster"), (0, 2));
        assert_eq!(Trial::new(&format!("{map}straight")).plays("wait").place("monster"), (0, 1));
    }

    #[test]
    fn equal_distances_prefer_the_vertical() {
        let trial = Trial::new("\nm..\n...\n..@E\n\nm = monster hunts=straight").plays("wait");
        assert_eq!(trial.place("monster"), (0, 1));
    }
}
