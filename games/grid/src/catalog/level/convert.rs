//! Level to world and back.

use std::collections::BTreeMap;

use super::{Blueprint, Level, ObjectId};
use crate::component::{Mask, Pathfinding};
use crate::document::{Entity, WorldDocument};
use crate::error::Result;
use crate::geometry::Point;
use crate::world::{Slot, World};

impl Level {
    /// The world of this level. Ids count up row by row, in list order; right after an object come
    /// the items it carries and the effects it bears.
    ///
    /// # Errors
    /// Whatever no world can have, such as negative damage.
    pub fn to_world(&self) -> Result<World> {
        World::from_document(&self.to_document())
    }

    /// The document of this level's world.
    pub fn to_document(&self) -> WorldDocument {
        let mut document = WorldDocument::new(self.bounds.width, self.bounds.height);
        document.move_rule = self.move_rule;
        document.objective = self.objective.clone();
        document.seed = self.seed;
        document.turn = self.turn;
        document.score = self.score;
        document.win = self.win;
        document.lose = self.lose;
        document.message = self.message.clone();
        document.turn_limit = self.turn_limit;
        document.label = self.label.clone();
        document.company = self.company;
        let mut ids = BTreeMap::new();
        for (point, object, blueprint) in self.objects() {
            ids.insert(object, place(&mut document, blueprint, point));
        }
        for (_, object, blueprint) in self.objects() {
            refer(&mut document, &ids, ids[&object], blueprint);
        }
        document
    }

    /// The level of a world: what lies on the board, with what it carries, bears and refers to.
    ///
    /// # Errors
    /// None for a world that exists; the size is checked all the same.
    pub fn from_world(world: &World) -> Result<Self> {
        Self::from_world_with(world, |_, set| set.to_vec())
    }

    /// As [`Level::from_world`], what is carried and borne listed in an order of the caller's.
    pub fn from_world_with(world: &World, arrange: fn(&World, &[Slot]) -> Vec<Slot>) -> Result<Self> {
        let (cast, live) = (&world.cast, &world.live);
        let mut level = Level::new(cast.bounds.width, cast.bounds.height)?;
        level.move_rule = cast.move_rule;
        level.objective = cast.objective.clone();
        level.seed = cast.seed;
        (level.turn, level.score, level.win, level.lose) = (live.turn, live.score, live.win, live.lose);
        level.message = cast.message.clone();
        level.turn_limit = cast.turn_limit;
        level.label = cast.label.clone();
        level.company = cast.company;
        let mut placed = BTreeMap::new();
        for slot in world.entities() {
            if let Some(point) = world.point(slot) {
                placed.insert(slot, level.add(point, unplace(world, slot, arrange))?);
            }
        }
        for (&slot, &object) in &placed {
            let traits = cast.of(slot);
            let blueprint = level.object_mut(object)?;
            if world.has(slot, Mask::PORTAL) {
                blueprint.pair = placed.get(&traits.pair).copied();
            }
            if world.has(slot, Mask::PATHFINDING) {
                blueprint.target = placed.get(&traits.prey).copied();
                blueprint.hunt = blueprint.target.map(|_| traits.hunt);
            }
        }
        Ok(level)
    }
}

fn next_id(document: &WorldDocument) -> u32 {
    document.entities.last_key_value().map_or(0, |(id, _)| id + 1)
}

fn plain(blueprint: &Blueprint) -> Entity {
    let mut entity = blueprint.entity.clone();
    entity.position = None;
    entity.markers = entity.markers.without(Mask::DEAD);
    entity
}

fn place(document: &mut WorldDocument, blueprint: &Blueprint, point: Point) -> u32 {
    let id = next_id(document);
    let mut entity = plain(blueprint);
    entity.position = Some(point);
    document.entities.insert(id, entity);
    let carried = stow(document, &blueprint.inventory);
    let borne = stow(document, &blueprint.status);
    if let Some(entity) = document.entities.get_mut(&id) {
        join(&mut entity.inventory, carried);
        join(&mut entity.status, borne);
    }
    id
}

fn stow(document: &mut WorldDocument, nested: &[Blueprint]) -> Vec<u32> {
    let stow_one = |blueprint: &Blueprint| {
        let id = next_id(document);
        document.entities.insert(id, plain(blueprint));
        id
    };
    nested.iter().map(stow_one).collect()
}

fn join(set: &mut Option<Vec<u32>>, more: Vec<u32>) {
    if !more.is_empty() {
        set.get_or_insert_with(Vec::new).extend(more);
    }
}

fn refer(document: &mut WorldDocument, ids: &BTreeMap<ObjectId, u32>, id: u32, blueprint: &Blueprint) {
    let target = blueprint.target.and_then(|object| ids.get(&object)).copied().map(i64::from);
    if let (Some(target), Some(entity)) = (target, document.entities.get_mut(&id)) {
        let hunt = blueprint.hunt.unwrap_or_default();
        let hunter = entity.pathfinding.get_or_insert(Pathfinding { target: None, hunt });
        hunter.target = hunter.target.or(Some(target));
    }
    if let Some(pair) = blueprint.pair.and_then(|object| ids.get(&object)).copied() {
        for (end, other) in [(id, pair), (pair, id)] {
            if let Some(entity) = document.entities.get_mut(&end) {
                entity.portal = Some(i64::from(other));
            }
        }
    }
}

fn unplace(world: &World, slot: Slot, arrange: fn(&World, &[Slot]) -> Vec<Slot>) -> Blueprint {
    let nested = |set: &[Slot]| -> Vec<Blueprint> {
        let existing = arrange(world, set).into_iter().filter(|slot| world.mask(*slot) != Mask::NONE);
        existing.map(|slot| Blueprint::from(unpack(lifeless(world, slot)))).collect()
    };
    let mut entity = unpack(lifeless(world, slot));
    entity.portal = entity.portal.map(|_| -1);
    entity.pathfinding = entity.pathfinding.filter(|hunter| hunter.target.is_none());
    Blueprint {
        inventory: nested(world.inventory(slot)),
        status: nested(world.status(slot)),
        ..entity.into()
    }
}

/// Holders keep their bags; what was in them is listed beside.
fn unpack(mut entity: Entity) -> Entity {
    entity.inventory = entity.inventory.map(|_| Vec::new());
    entity.status = entity.status.map(|_| Vec::new());
    entity
}

fn lifeless(world: &World, slot: Slot) -> Entity {
    let mut entity = world.entity(slot);
    entity.position = None;
    entity.markers = entity.markers.without(Mask::DEAD);
    entity
}
