//! What planes cannot say: how the match stands for an agent, who the agents are, and what things that act have in
//! mind. Each is a table of numbers of 16 bits, with a name and a meaning for every column.

use turnstone_gym::word;

use super::is_visible;
use crate::component::{Axis, Mask};
use crate::geometry::Point;
use crate::state::State;
use crate::world::{Slot, World};

/// Groups of keys that have columns of their own.
const KEYS: usize = 8;

/// How the match stands.
pub const STATUS: [(&str, &str); 22] = [
    ("turn", "steps so far"),
    ("turns left", "steps until the turn limit, -1 where there is none"),
    ("score", "the points of the world: one number for all agents"),
    ("required left", "things that must still be collected"),
    ("locks left", "locks that are still shut"),
    ("health", "your health, -1 if you cannot be hurt"),
    ("max health", "your health at the beginning"),
    ("carried", "how many things you carry"),
    ("immune", "uses or steps left of your immunity, -1 without an end, 0 without it"),
    ("phasing", "likewise of walking through walls"),
    ("fast", "likewise of your speed"),
    ("moves per action", "1, or more while you are fast"),
    ("key 1", "1 if you carry a key of this group, which `key_group` of `cells` shows"),
    ("key 2", "likewise"),
    ("key 3", "likewise"),
    ("key 4", "likewise"),
    ("key 5", "likewise"),
    ("key 6", "likewise"),
    ("key 7", "likewise"),
    ("key 8", "likewise"),
    ("agent", "your number among the agents, from 1"),
    ("to act", "the number of the agent whose turn it is, 0 where that is not decided"),
];

/// One row for each agent, in the order of their numbers.
pub const AGENT: [(&str, &str); 6] = [
    ("there", "0 if it is gone or not seen, 1 if it is there, 2 if it is dead"),
    ("x", "its column; where one sees in part, counted from oneself"),
    ("y", "its row; likewise"),
    ("you", "1 in your own row"),
    ("acts now", "1 if it is its turn"),
    ("health", "-1 if it cannot be hurt"),
];

/// Things that have rows of their own at most; who asks for more has a large world.
pub const THINGS: usize = 32;

/// One row for each thing that walks, hunts, leads elsewhere, can be hurt, opens or is locked.
pub const THING: [(&str, &str); 13] = [
    ("what", ""),
    ("x", "its column; where one sees in part, counted from oneself"),
    ("y", "its row; likewise"),
    ("dx", "how far it walks to the right in a step, less than 0 to the left"),
    ("dy", "how far it walks down in a step, less than 0 upwards"),
    ("turns round", "1 if it turns round where it is stopped"),
    ("to x", "a portal's goal, as x; 0 where it leads nowhere or one does not see it"),
    ("to y", "a portal's goal, as y; likewise"),
    ("hunts", "the number of the agent it hunts, from 1; 0 for nobody"),
    ("health", "-1 if it cannot be hurt"),
    ("damage", "what it takes from whom it hits"),
    ("kills", "1 if it kills whom it hits"),
    ("group", "which key or lock, from 1; 0 for neither"),
];

/// What a thing is: the code of the column `what`.
pub const WHAT: [&str; 8] =
    ["nothing", "mover", "hunter", "portal", "key", "lock", "moving hunter", "something with health"];

/// How far an agent sees: everything, or so many cells.
pub type Reach = Option<i32>;

/// A place as an agent knows it: where everything is seen the place itself, else the way there, if it is seen.
fn place(world: &World, agent: Slot, reach: Reach, of: Slot) -> Option<[i16; 2]> {
    let point = world.point(of)?;
    let Some(radius) = reach else { return Some([word(point.x), word(point.y)]) };
    let centre = world.point(agent)?;
    let Point { x, y } = point.minus(centre);
    let near = x.abs() <= radius && y.abs() <= radius && is_visible(world, centre, point);
    near.then(|| [word(x), word(y)])
}

fn rank(world: &World, agent: Slot) -> i16 {
    world.cast.agents.iter().position(|other| *other == agent).map_or(0, |rank| word(rank as i64 + 1))
}

fn health(world: &World, slot: Slot) -> i16 {
    if world.has(slot, Mask::HEALTH) { word(world.health(slot)) } else { -1 }
}

/// What is left of an effect: uses or steps, -1 for ever.
fn left(world: &World, effect: Slot) -> i16 {
    world.uses_left(effect).or(world.time_left(effect)).map_or(-1, word)
}

/// Writes how the match stands for an agent; `next` is whose turn it is.
pub fn write_status(world: &World, agent: Slot, next: Slot, out: &mut [i16]) {
    let (cast, live) = (&world.cast, &world.live);
    let mut row = [0; STATUS.len()];
    row[0] = word(live.turn);
    row[1] = cast.turn_limit.map_or(-1, |limit| word(limit.saturating_sub(live.turn)));
    row[2] = word(live.score);
    row[3] = word(live.required_left);
    row[4] = word(live.locks_left);
    row[11] = 1;
    if agent.is_some() {
        row[5] = health(world, agent);
        row[6] = word(cast.of(agent).max_health);
        row[7] = word(world.inventory(agent).len() as i64);
        for &effect in world.status(agent) {
            for (kind, column) in [(Mask::IMMUNITY, 8), (Mask::PHASING, 9), (Mask::SPEED, 10)] {
                if world.has(effect, kind) {
                    row[column] = left(world, effect);
                }
            }
            if world.has(effect, Mask::SPEED) {
                row[11] = word(cast.of(effect).multiplier);
            }
        }
        for &item in world.inventory(agent).iter().filter(|item| world.has(**item, Mask::KEY)) {
            let group = cast.of(item).key as usize;
            if group < KEYS {
                row[12 + group] = 1;
            }
        }
        row[20] = rank(world, agent);
    }
    row[21] = if next.is_some() { rank(world, next) } else { 0 };
    out.copy_from_slice(&row);
}

/// Writes a row for each agent, as `agent` sees them.
pub fn write_agents(state: &State, agent: Slot, next: Slot, reach: Reach, out: &mut [i16]) {
    out.fill(0);
    let world = &state.world;
    for (&other, row) in world.cast.agents.iter().zip(out.as_chunks_mut::<{ AGENT.len() }>().0) {
        let Some([x, y]) = place(world, agent, reach, other) else {
            row[3] = (other == agent).into();
            continue;
        };
        let there = if world.has(other, Mask::DEAD) { 2 } else { 1 };
        *row = [there, x, y, (other == agent).into(), (other == next).into(), health(world, other)];
    }
}

/// The things that have rows of their own, in the order of their ids.
fn things(world: &World) -> Vec<Slot> {
    let cast = &world.cast;
    let mortals = cast.mortals.iter().filter(|slot| !cast.agents.contains(slot));
    let lists = [&cast.movers, &cast.hunters, &cast.portals, &cast.keyed].into_iter().flatten();
    let mut all: Vec<Slot> = lists.chain(mortals).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether anything in the world has a row of its own.
pub fn has_things(world: &World) -> bool {
    !things(world).is_empty()
}

/// Writes a row for each thing that has more to it than its components, as `agent` sees them. Behind the last one
/// everything is 0. `written` rows held something before.
pub fn write_things(world: &World, agent: Slot, reach: Reach, written: &mut Option<usize>, out: &mut [i16]) {
    let held = written.map_or(out.len(), |rows| out.len().min(rows * THING.len()));
    out[..held].fill(0);
    let mut rows = out.as_chunks_mut::<{ THING.len() }>().0.iter_mut();
    let mut count = 0;
    for thing in things(world) {
        let Some([x, y]) = place(world, agent, reach, thing) else { continue };
        let Some(row) = rows.next() else { break };
        *row = describe(world, agent, reach, thing, [x, y]);
        count += 1;
    }
    *written = Some(count);
}

fn describe(world: &World, agent: Slot, reach: Reach, thing: Slot, at: [i16; 2]) -> [i16; THING.len()] {
    let (mask, traits) = (world.mask(thing), world.cast.of(thing));
    let what = match mask {
        mask if mask.all(Mask::PATHFINDING | Mask::MOVING) => 6,
        mask if mask.any(Mask::MOVING) => 1,
        mask if mask.any(Mask::PATHFINDING) => 2,
        mask if mask.any(Mask::PORTAL) => 3,
        mask if mask.any(Mask::KEY) => 4,
        mask if mask.any(Mask::LOCKED) => 5,
        _ => 7,
    };
    let walk = world.motion(thing).filter(|_| mask.any(Mask::MOVING));
    let walk = walk.map_or(0, |motion| i64::from(motion.direction) * i64::from(traits.speed));
    let [dx, dy] = match traits.axis {
        Axis::Horizontal => [walk, 0],
        Axis::Vertical => [0, walk],
    };
    let goal = Some(traits.pair).filter(|pair| mask.any(Mask::PORTAL) && pair.is_some());
    let [to_x, to_y] = goal.and_then(|pair| place(world, agent, reach, pair)).unwrap_or([0, 0]);
    let hunts =
        if mask.any(Mask::PATHFINDING) && traits.prey.is_some() { rank(world, traits.prey) } else { 0 };
    let group = super::planes::group(world, thing).unwrap_or(0);
    let damage = if mask.any(Mask::DAMAGE) { word(traits.damage) } else { 0 };
    let round = i16::from(mask.any(Mask::MOVING) && traits.bounce);
    let kills = i16::from(mask.any(Mask::LETHAL));
    let [x, y] = at;
    [
        what,
        x,
        y,
        word(dx),
        word(dy),
        round,
        to_x,
        to_y,
        hunts,
        health(world, thing),
        damage,
        kills,
        group.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LevelFile;

    fn state(text: &str) -> State {
        State::new(LevelFile::from_text(text).unwrap().to_level().unwrap().to_world().unwrap())
    }

    fn column(table: &[(&str, &str)], name: &str) -> usize {
        table.iter().position(|(known, _)| *known == name).unwrap()
    }

    /// The same planes with 2 or with 39 steps left were once the whole observation.
    #[test]
    fn how_many_turns_are_left_is_seen() {
        let seen = |limit: &str| {
            let state = state(&format!("objective: exit\n{limit}\n@.E"));
            let agent = state.world.first_agent().unwrap();
            let mut out = [0; STATUS.len()];
            write_status(&state.world, agent, Slot::NONE, &mut out);
            [
                out[column(&STATUS, "turns left")],
                out[column(&STATUS, "agent")],
                out[column(&STATUS, "to act")],
            ]
        };
        assert_eq!([seen("turn_limit: 2\n"), seen("turn_limit: 39\n")], [[2, 1, 0], [39, 1, 0]]);
        assert_eq!(seen(""), [-1, 1, 0]);
    }

    /// Which of two agents one is was once no part of an observation.
    #[test]
    fn who_stands_where_is_seen() {
        let rows = |reach, who: usize| {
            let state = state("name: x\n\n@..a\n\na = agent\n");
            let (me, next) = (state.world.cast.agents[who], state.world.cast.agents[1]);
            let mut out = [0; 2 * AGENT.len()];
            write_agents(&state, me, next, reach, &mut out);
            out
        };
        assert_eq!(rows(None, 0), [1, 0, 0, 1, 0, 5, 1, 3, 0, 0, 1, 5]);
        assert_eq!(rows(None, 1), [1, 0, 0, 0, 0, 5, 1, 3, 0, 1, 1, 5]);
        assert_eq!(rows(Some(2), 0), [1, 0, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0], "too far to be seen");
    }
}
