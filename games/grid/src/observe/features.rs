//! A few numbers that say much: for simple learners and for people.

use std::collections::BTreeMap;

use crate::component::Mask;
use crate::world::{Slot, World};

/// What is counted, and how far away the nearest of it is.
const SIGHTS: [(&str, Mask); 8] = [
    ("collectible", Mask::COLLECTIBLE),
    ("core", Mask(Mask::COLLECTIBLE.0 | Mask::REQUIRABLE.0)),
    ("danger", Mask::DAMAGE),
    ("exit", Mask::EXIT),
    ("hunter", Mask::PATHFINDING),
    ("key", Mask(Mask::COLLECTIBLE.0 | Mask::KEY.0)),
    ("lock", Mask::LOCKED),
    ("pushable", Mask::PUSHABLE),
];

/// Named numbers about the world as `agent` has it: place, health, counts of what lies about,
/// and for each the way to the nearest (`dx`, `dy`). What does not exist has no entry.
pub fn features(world: &World, agent: Slot) -> BTreeMap<String, i64> {
    let live = &world.live;
    let mut out = BTreeMap::from([
        ("turn".to_string(), live.turn),
        ("score".to_string(), live.score),
        ("won".to_string(), i64::from(live.win)),
        ("lost".to_string(), i64::from(live.lose)),
        ("required_left".to_string(), i64::from(live.required_left)),
        ("locks_left".to_string(), i64::from(live.locks_left)),
        ("carried".to_string(), world.inventory(agent).len() as i64),
        ("effects".to_string(), world.status(agent).len() as i64),
    ]);
    if let Some(limit) = world.cast.turn_limit {
        out.insert("turns_left".into(), limit - live.turn);
    }
    if world.has(agent, Mask::HEALTH) {
        out.insert("health".into(), i64::from(world.health(agent)));
    }
    for &effect in world.status(agent) {
        for (kind, name) in [(Mask::IMMUNITY, "immune"), (Mask::PHASING, "phasing"), (Mask::SPEED, "fast")] {
            if world.has(effect, kind) {
                out.insert(name.into(), 1);
            }
        }
    }
    look_about(world, agent, &mut out);
    out
}

fn look_about(world: &World, agent: Slot, out: &mut BTreeMap<String, i64>) {
    let Some(here) = world.point(agent) else { return };
    out.insert("x".into(), i64::from(here.x));
    out.insert("y".into(), i64::from(here.y));
    for (name, kinds) in SIGHTS {
        let all = world.entities().filter(|slot| *slot != agent && world.mask(*slot).all(kinds));
        let ways: Vec<_> = all.filter_map(|slot| world.point(slot)).map(|point| point.minus(here)).collect();
        out.insert(format!("{name}_count"), ways.len() as i64);
        if let Some(nearest) = ways.iter().min_by_key(|way| way.length()) {
            out.insert(format!("{name}_dx"), i64::from(nearest.x));
            out.insert(format!("{name}_dy"), i64::from(nearest.y));
        }
    }
}
