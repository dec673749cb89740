//! Soups: random worlds in which anything may have any component, for proving
//! the engine rather than for playing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnstone::dice::{Draw, Lots};

use super::yard::lots;
use crate::component::{Appearance, Axis, Hunt, Mask, Moving, Pathfinding};
use crate::document::{Entity, WorldDocument};
use crate::error::{GridError, Result};
use crate::geometry::Point;
use crate::moves::MoveRule;
use crate::objective::Objective;
use crate::world::World;

/// What a soup is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Soup {
    /// Columns and rows at most.
    pub size: i32,
    /// Agents, 1 to 4.
    pub agents: usize,
    /// Other things.
    pub things: usize,
    /// How agents move; any way if not said.
    #[serde(rename = "move")]
    pub move_rule: Option<MoveRule>,
}

impl Default for Soup {
    fn default() -> Self {
        Self { size: 7, agents: 1, things: 24, move_rule: None }
    }
}

impl Soup {
    /// Makes the world of a seed.
    ///
    /// # Errors
    /// `BAD_VALUE` for sizes and numbers out of bounds.
    pub fn world(&self, seed: u64) -> Result<World> {
        let sane = (1..=64).contains(&self.size) && (1..=4).contains(&self.agents) && self.things <= 4_096;
        if !sane {
            return Err(GridError::new(
                "BAD_VALUE",
                "use a size of 1 to 64, 1 to 4 agents, up to 4096 things",
            ));
        }
        let mut lots = lots(seed, "grid/soup", 0);
        let mut side = || 1 + lots.below(self.size as u64) as i32;
        let mut world = WorldDocument::new(side(), side());
        let rules = MoveRule::ALL[lots.below(6) as usize];
        world.move_rule = self.move_rule.unwrap_or(rules);
        world.objective = Objective::ALL[lots.below(5) as usize].clone();
        world.seed = lots.chance(1, 2).then(|| lots.below(1_000) as i64);
        world.turn_limit = lots.chance(1, 3).then(|| 5 + lots.below(30) as i64);
        let ids = ids(&mut lots, self.agents + self.things);
        for (rank, &id) in ids.iter().enumerate() {
            let mut entity = if rank < self.agents { agent(&mut lots) } else { thing(&mut lots, &ids) };
            if rank < self.agents || lots.chance(9, 10) {
                let (width, height) = (world.width as u64, world.height as u64);
                entity.position = Some(Point::new(lots.below(width) as i32, lots.below(height) as i32));
            }
            world.entities.insert(id, entity);
        }
        fill_bags(&mut world, &mut lots, &ids);
        World::from_document(&world)
    }
}

/// Ids with gaps, in random order.
fn ids(lots: &mut Lots, count: usize) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..count as u32).map(|number| number * 3 + lots.below(3) as u32).collect();
    lots.shuffle(&mut ids);
    ids
}

fn agent(lots: &mut Lots) -> Entity {
    let mut agent = Entity {
        markers: Mask::AGENT | some(lots, 9, Mask::COLLIDABLE) | some(lots, 1, Mask::PUSHABLE),
        inventory: lots.chance(9, 10).then(Vec::new),
        status: lots.chance(9, 10).then(Vec::new),
        appearance: look("human"),
        ..Entity::default()
    };
    agent.health = lots.chance(9, 10).then(|| (3 + lots.below(6) as i32, 9));
    agent.moving = lots.chance(1, 10).then(|| moving(lots));
    agent
}

fn some(lots: &mut Lots, tenths: u64, kind: Mask) -> Mask {
    if lots.chance(tenths, 10) { kind } else { Mask::NONE }
}

fn look(name: &str) -> Option<Appearance> {
    Some(Appearance { name: name.into(), priority: 5, icon: false, background: false })
}

fn moving(lots: &mut Lots) -> Moving {
    Moving {
        axis: if lots.chance(1, 2) { Axis::Horizontal } else { Axis::Vertical },
        direction: if lots.chance(1, 2) { 1 } else { -1 },
        bounce: lots.chance(2, 3),
        speed: lots.below(4) as i32,
        prev_position: None,
    }
}

fn thing(lots: &mut Lots, ids: &[u32]) -> Entity {
    let mut markers = Mask::NONE;
    for (tenths, kind) in [
        (1, Mask::BLOCKING),
        (3, Mask::COLLECTIBLE),
        (4, Mask::COLLIDABLE),
        (1, Mask::EXIT),
        (1, Mask::LETHAL),
        (2, Mask::PUSHABLE),
        (1, Mask::REQUIRABLE),
        (1, Mask::IMMUNITY),
        (1, Mask::PHASING),
    ] {
        markers |= some(lots, tenths, kind);
    }
    let mut number = |tenths: u64, most: u64| lots.chance(tenths, 10).then(|| lots.below(most + 1) as i32);
    let mut entity = Entity {
        markers,
        cost: number(3, 4),
        damage: number(2, 3),
        rewardable: number(2, 6),
        time_limit: number(2, 6),
        usage_limit: number(2, 4),
        speed: number(1, 3),
        health: number(1, 5).map(|health| (health, 5)),
        appearance: look("thing"),
        ..Entity::default()
    };
    let name = |lots: &mut Lots| format!("k{}", lots.below(2));
    entity.key = lots.chance(1, 10).then(|| name(lots));
    entity.locked = lots.chance(1, 10).then(|| name(lots));
    entity.moving = lots.chance(2, 10).then(|| moving(lots));
    entity.portal = lots.chance(1, 10).then(|| lots.pick(ids).map_or(-1, |id| i64::from(*id)));
    entity.pathfinding = lots.chance(1, 10).then(|| Pathfinding {
        target: lots.pick(ids).map(|id| i64::from(*id)),
        hunt: if lots.chance(1, 2) { Hunt::Path } else { Hunt::StraightLine },
    });
    entity
}

/// Puts what lies nowhere into bags, and a few ids that do not exist.
fn fill_bags(world: &mut WorldDocument, lots: &mut Lots, ids: &[u32]) {
    let placed = |entity: &Entity| entity.position.is_some();
    let loose: Vec<u32> = ids.iter().copied().filter(|id| !placed(&world.entities[id])).collect();
    for entity in world.entities.values_mut() {
        for bag in [&mut entity.inventory, &mut entity.status] {
            let Some(bag) = bag.as_mut() else { continue };
            bag.extend(loose.iter().filter(|_| lots.chance(1, 2)));
            if lots.chance(1, 12) {
                bag.push(900_000 + lots.below(9) as u32);
            }
            bag.sort_unstable();
            bag.dedup();
        }
    }
}
