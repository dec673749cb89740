//! A world in words.

use crate::component::Mask;
use crate::geometry::Point;
use crate::world::{Slot, World};

/// An entity in a few words: its name and what matters about it.
pub fn describe_entity(world: &World, slot: Slot) -> String {
    let mask = world.mask(slot);
    let traits = world.cast.of(slot);
    let mut words = Vec::new();
    if mask.any(Mask::HEALTH) {
        words.push(format!("health {}", world.health(slot)));
    }
    if mask.any(Mask::DAMAGE) {
        words.push(format!("damage {}", traits.damage));
    }
    if mask.any(Mask::COST) {
        words.push(format!("costs {}", traits.cost));
    }
    if mask.any(Mask::REWARDABLE) {
        words.push(format!("pays {}", traits.reward));
    }
    if mask.any(Mask::SPEED) {
        words.push(format!("speed ×{}", traits.multiplier));
    }
    words.extend(world.time_left(slot).map(|left| format!("{left} steps left")));
    words.extend(world.uses_left(slot).map(|left| format!("{left} uses left")));
    let marks = [
        (Mask::LOCKED, "locked"),
        (Mask::LETHAL, "lethal"),
        (Mask::REQUIRABLE, "required"),
        (Mask::PUSHABLE, "pushable"),
        (Mask::DEAD, "dead"),
    ];
    words.extend(marks.iter().filter(|(kind, _)| mask.any(*kind)).map(|(_, word)| word.to_string()));
    let name = crate::tell::kind(world, slot);
    if words.is_empty() { name } else { format!("{name} ({})", words.join(", ")) }
}

/// The world in sentences: what the agent has, and everything that is not mere ground, by distance.
pub fn describe(world: &World, agent: Slot) -> String {
    let live = &world.live;
    let mut lines = vec![format!(
        "Turn {}, {} points, {}. Objective: {}. Moves: {}.",
        live.turn,
        live.score,
        super::phase(world),
        world.cast.objective,
        world.cast.move_rule.name()
    )];
    let Some(here) = world.point(agent) else {
        lines.push("You are not on the board.".into());
        return lines.join("\n");
    };
    lines.push(format!("You are at ({}, {}): {}.", here.x, here.y, describe_entity(world, agent)));
    for (label, set) in [("Active", world.status(agent)), ("Carried", world.inventory(agent))] {
        if !set.is_empty() {
            let things: Vec<String> = set.iter().map(|slot| describe_entity(world, *slot)).collect();
            lines.push(format!("{label}: {}.", things.join("; ")));
        }
    }
    lines.extend(sights(world, agent, here));
    lines.join("\n")
}

fn sights(world: &World, agent: Slot, here: Point) -> Vec<String> {
    let ground = |slot: Slot| world.cast.look(slot).is_some_and(|look| look.background);
    let mut seen: Vec<(u32, Slot, Point)> = world
        .entities()
        .filter(|slot| *slot != agent && !ground(*slot))
        .filter_map(|slot| world.point(slot).map(|point| (point.minus(here).length(), slot, point)))
        .collect();
    seen.sort_by_key(|sight| (sight.0, sight.1));
    let tell = |(_, slot, point): &(u32, Slot, Point)| {
        format!("{} at ({}, {})", describe_entity(world, *slot), point.x, point.y)
    };
    seen.iter().map(tell).collect()
}
