//! Everything about a world that no step ever changes, shared by all its
//! copies: sizes, rules, and what each entity's components say. Entities are
//! addressed by *slot*, their rank in ascending id order, so that walking a
//! list of slots is walking in id order. No step creates an entity.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::component::{Appearance, Axis, Hunt, Mask};
use crate::document::{Entity, WorldDocument};
use crate::error::{GridError, Result};
use crate::geometry::Bounds;
use crate::label::{Company, Label};
use crate::moves::MoveRule;
use crate::objective::Objective;
use crate::rules::awake::Wakers;

/// The largest number of cells in a grid.
pub const CELLS_MAX: i64 = 1 << 22;
/// The largest number of entities in a world.
pub const ENTITIES_MAX: usize = 1 << 22;

/// An entity by its rank among the ids of its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Option<u32>", into = "Option<u32>")]
pub struct Slot(pub u32);

impl From<Option<u32>> for Slot {
    fn from(rank: Option<u32>) -> Self {
        rank.map_or(Self::NONE, Self)
    }
}

impl From<Slot> for Option<u32> {
    fn from(slot: Slot) -> Self {
        slot.is_some().then_some(slot.0)
    }
}

impl Slot {
    /// No entity.
    pub const NONE: Slot = Slot(u32::MAX);

    /// The index, for addressing dense tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this names an entity.
    #[inline]
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// Where a value that may be absent sits in its dense table.
pub(crate) const ABSENT: u32 = u32::MAX;

/// What one entity's components say, as far as it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traits {
    /// Points to pay.
    pub cost: i32,
    /// Health taken by a hit.
    pub damage: i32,
    /// Points given.
    pub reward: i32,
    /// Moves per action.
    pub multiplier: i32,
    /// Never enforced.
    pub max_health: i32,
    /// The portal's pair as written.
    pub pair_id: i64,
    /// The portal's pair, if it exists.
    pub pair: Slot,
    /// The hunted id as written.
    pub prey_id: Option<i64>,
    /// The hunted entity, if it exists.
    pub prey: Slot,
    /// How it hunts.
    pub hunt: Hunt,
    /// A mover's line.
    pub axis: Axis,
    /// Whether a mover turns round.
    pub bounce: bool,
    /// A mover's cells per step.
    pub speed: i32,
    /// Index of the key id of a key.
    pub(crate) key: u32,
    /// Index of the key id of a lock.
    pub(crate) lock: u32,
    pub(crate) appearance: u32,
    pub(crate) health: u32,
    pub(crate) time: u32,
    pub(crate) usage: u32,
    pub(crate) motion: u32,
    pub(crate) inventory: u32,
    pub(crate) status: u32,
}

impl Traits {
    /// Whether this key opens that lock.
    pub fn opens(&self, lock: &Traits) -> bool {
        self.key != ABSENT && self.key == lock.lock
    }
}

/// The part of a world that all its copies share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// The rectangle.
    pub bounds: Bounds,
    /// How agents move.
    pub move_rule: MoveRule,
    /// What wins.
    pub objective: Objective,
    /// Seeds the wind.
    pub seed: Option<i64>,
    /// Steps allowed.
    pub turn_limit: Option<i64>,
    /// Shown to the player.
    pub message: Option<String>,
    /// What it is called.
    pub label: Label,
    /// How the agents stand to each other.
    pub company: Company,
    /// Ids by slot, ascending.
    pub ids: Vec<u32>,
    /// What each entity's components say, by slot.
    pub traits: Vec<Traits>,
    /// Which kinds occur at all.
    pub kinds: Mask,
    /// Which systems that calls for.
    pub(crate) wakers: Wakers,
    /// Slots with each of the kinds that systems walk over.
    pub agents: Vec<Slot>,
    /// Things that walk by themselves.
    pub movers: Vec<Slot>,
    /// Things that hunt.
    pub hunters: Vec<Slot>,
    /// Portals.
    pub portals: Vec<Slot>,
    /// Things with health.
    pub mortals: Vec<Slot>,
    /// Pushable things.
    pub pushables: Vec<Slot>,
    /// Bearers of effects.
    pub bearers: Vec<Slot>,
    /// Carriers of items.
    pub carriers: Vec<Slot>,
    /// Keys and locks.
    pub keyed: Vec<Slot>,
    pub(crate) looks: Vec<Appearance>,
    pub(crate) texts: Vec<String>,
}

impl Cast {
    /// What the entity's components say.
    #[inline]
    pub fn of(&self, slot: Slot) -> &Traits {
        &self.traits[slot.index()]
    }

    /// The id of a slot.
    #[inline]
    pub fn id(&self, slot: Slot) -> u32 {
        self.ids[slot.index()]
    }

    /// The slot of an id, if the world knows it.
    pub fn slot(&self, id: i64) -> Option<Slot> {
        let id = u32::try_from(id).ok()?;
        self.ids.binary_search(&id).ok().map(|index| Slot(index as u32))
    }

    /// How an entity looks, if it has an appearance.
    pub fn look(&self, slot: Slot) -> Option<&Appearance> {
        self.looks.get(self.of(slot).appearance as usize)
    }

    /// Whether an entity has that look.
    pub fn looks_like(&self, slot: Slot, look: &str) -> bool {
        self.look(slot).is_some_and(|found| found.name == look)
    }

    /// A short name for people: the appearance's, or the id.
    pub fn name(&self, slot: Slot) -> String {
        let Some(&id) = self.ids.get(slot.index()) else { return "nothing".into() };
        match self.look(slot) {
            Some(look) => format!("{} {id}", look.name),
            None => format!("entity {id}"),
        }
    }

    /// The key id of a key.
    pub fn key_id(&self, slot: Slot) -> Option<&str> {
        self.texts.get(self.of(slot).key as usize).map(String::as_str)
    }

    /// The key id of a lock.
    pub fn lock_id(&self, slot: Slot) -> Option<&str> {
        self.texts.get(self.of(slot).lock as usize).map(String::as_str)
    }

    /// Shares out the unchanging part of a document. Ids in `vanished` keep their slots, though
    /// nothing is there any more.
    ///
    /// # Errors
    /// Names the entity and field that no world can have.
    pub fn from_document(document: &WorldDocument, vanished: &[u32]) -> Result<Cast> {
        check_size(document)?;
        let mut known = known_ids(document);
        known.extend(vanished);
        // Facts name entities by slot. Where the ids are not too far apart the holes get slots too, and
        // an entity's slot is its id.
        let last = known.last().map_or(0, |last| *last as usize);
        if last < 4 * known.len() + 64 {
            known.extend(0..last as u32);
        }
        let ids: Vec<u32> = known.into_iter().collect();
        let mut maker = Maker::new(&ids);
        let blank = Entity::default();
        for &id in &ids {
            let entity = document.entities.get(&id).unwrap_or(&blank);
            check_entity(document, id, entity)?;
            maker.add(entity);
        }
        let Maker { traits, looks, texts, .. } = maker;
        Ok(with_lists(
            document,
            Self {
                bounds: Bounds { width: document.width, height: document.height },
                move_rule: document.move_rule,
                objective: document.objective.clone(),
                seed: document.seed,
                turn_limit: document.turn_limit,
                message: document.message.clone(),
                label: document.label.clone(),
                company: document.company,
                traits,
                looks: looks.into_list(),
                texts: texts.into_list(),
                kinds: Mask::NONE,
                wakers: Wakers::ALWAYS,
                agents: Vec::new(),
                movers: Vec::new(),
                hunters: Vec::new(),
                portals: Vec::new(),
                mortals: Vec::new(),
                pushables: Vec::new(),
                bearers: Vec::new(),
                carriers: Vec::new(),
                keyed: Vec::new(),
                ids,
            },
        ))
    }
}

fn with_lists(document: &WorldDocument, mut cast: Cast) -> Cast {
    for (&id, entity) in &document.entities {
        let Some(slot) = cast.slot(i64::from(id)) else { continue };
        let mask = entity.mask();
        cast.kinds |= mask;
        let lists = [
            (Mask::AGENT, &mut cast.agents),
            (Mask::MOVING, &mut cast.movers),
            (Mask::PATHFINDING, &mut cast.hunters),
            (Mask::PORTAL, &mut cast.portals),
            (Mask::HEALTH, &mut cast.mortals),
            (Mask::PUSHABLE, &mut cast.pushables),
            (Mask::STATUS, &mut cast.bearers),
            (Mask::INVENTORY, &mut cast.carriers),
            (Mask::KEY | Mask::LOCKED, &mut cast.keyed),
        ];
        for (kind, list) in lists {
            if mask.any(kind) {
                list.push(slot);
            }
        }
    }
    cast.wakers = Wakers::of_kinds(cast.kinds);
    cast
}

fn known_ids(document: &WorldDocument) -> BTreeSet<u32> {
    let mut ids: BTreeSet<u32> = document.entities.keys().copied().collect();
    for entity in document.entities.values() {
        ids.extend(entity.inventory.iter().flatten());
        ids.extend(entity.status.iter().flatten());
    }
    ids.extend(document.damage_hits.iter().flat_map(|hit| [hit.target, hit.damager]));
    ids
}

fn check_size(document: &WorldDocument) -> Result<()> {
    for (name, size) in [("width", document.width), ("height", document.height)] {
        if size < 1 {
            return Err(GridError::new("BAD_SIZE", format!("{size} is too small; use 1 or more")).field(name));
        }
    }
    if document.width.max(document.height) >= i32::from(u16::MAX) {
        let message = format!("a side has at most {} cells", u16::MAX - 1);
        return Err(GridError::new("GRID_TOO_LARGE", message).field("width"));
    }
    let cells = i64::from(document.width) * i64::from(document.height);
    if cells > CELLS_MAX || document.entities.len() > ENTITIES_MAX {
        let message = format!("at most {CELLS_MAX} cells and {ENTITIES_MAX} entities fit into a world");
        return Err(GridError::new("GRID_TOO_LARGE", message).field("width"));
    }
    Ok(())
}

fn check_entity(document: &WorldDocument, id: u32, entity: &Entity) -> Result<()> {
    let wrong = |code, field: &str, message: String| {
        Err(GridError::new(code, message).entity(i64::from(id)).field(field))
    };
    if id == u32::MAX {
        return wrong("BAD_ID", "id", "this id is reserved; use a smaller one".into());
    }
    let bounds = Bounds { width: document.width, height: document.height };
    if let Some(point) = entity.position.filter(|point| !bounds.contains(*point)) {
        return wrong(
            "POSITION_OUTSIDE",
            "position",
            format!("({}, {}) is not in the grid", point.x, point.y),
        );
    }
    if let Some(damage) = entity.damage.filter(|damage| *damage < 0) {
        return wrong("NEGATIVE_DAMAGE", "damage", format!("{damage} would heal; use 0 or more"));
    }
    match entity.moving {
        Some(moving) if entity.position.is_some() && moving.direction.abs() != 1 => {
            wrong("BAD_DIRECTION", "moving.direction", format!("{} is neither 1 nor -1", moving.direction))
        }
        Some(moving) if moving.direction.unsigned_abs() > 127 => {
            wrong("BAD_DIRECTION", "moving.direction", format!("{} is neither 1 nor -1", moving.direction))
        }
        _ => Ok(()),
    }
}

/// Hands out one number per distinct value.
#[derive(Default)]
struct Interner<T> {
    numbers: BTreeMap<T, u32>,
    next: u32,
}

impl<T: Ord + Clone> Interner<T> {
    fn number(&mut self, value: Option<&T>) -> u32 {
        let Some(value) = value else { return ABSENT };
        if let Some(&number) = self.numbers.get(value) {
            return number;
        }
        self.numbers.insert(value.clone(), self.next);
        self.next += 1;
        self.next - 1
    }

    fn into_list(self) -> Vec<T> {
        let mut pairs: Vec<(u32, T)> =
            self.numbers.into_iter().map(|(value, number)| (number, value)).collect();
        pairs.sort_by_key(|(number, _)| *number);
        pairs.into_iter().map(|(_, value)| value).collect()
    }
}

struct Maker<'a> {
    ids: &'a [u32],
    traits: Vec<Traits>,
    looks: Looks,
    texts: Interner<String>,
    meters: u32,
    motions: u32,
    sets: u32,
}

#[derive(Default)]
struct Looks(Interner<(String, i32, bool, bool)>);

impl Looks {
    fn number(&mut self, look: Option<&Appearance>) -> u32 {
        let key = look.map(|look| (look.name.clone(), look.priority, look.icon, look.background));
        self.0.number(key.as_ref())
    }

    fn into_list(self) -> Vec<Appearance> {
        let rows = self.0.into_list().into_iter();
        rows.map(|(name, priority, icon, background)| Appearance { name, priority, icon, background })
            .collect()
    }
}

impl<'a> Maker<'a> {
    fn new(ids: &'a [u32]) -> Self {
        let (looks, texts) = (Looks::default(), Interner { numbers: BTreeMap::new(), next: 0 });
        Self { ids, traits: Vec::with_capacity(ids.len()), looks, texts, meters: 0, motions: 0, sets: 0 }
    }

    fn slot(&self, id: i64) -> Slot {
        let found = u32::try_from(id).ok().and_then(|id| self.ids.binary_search(&id).ok());
        found.map_or(Slot::NONE, |index| Slot(index as u32))
    }

    fn add(&mut self, entity: &Entity) {
        let (meters, motions, sets) = (&mut self.meters, &mut self.motions, &mut self.sets);
        let health = next_if(entity.health.is_some(), meters);
        let time = next_if(entity.time_limit.is_some(), meters);
        let usage = next_if(entity.usage_limit.is_some(), meters);
        let motion = next_if(entity.moving.is_some(), motions);
        let inventory = next_if(entity.inventory.is_some(), sets);
        let status = next_if(entity.status.is_some(), sets);
        let prey_id = entity.pathfinding.and_then(|hunter| hunter.target);
        let traits = Traits {
            cost: entity.cost.unwrap_or(0),
            damage: entity.damage.unwrap_or(0),
            reward: entity.rewardable.unwrap_or(0),
            multiplier: entity.speed.unwrap_or(1),
            max_health: entity.health.map_or(0, |(_, most)| most),
            pair_id: entity.portal.unwrap_or(-1),
            pair: entity.portal.map_or(Slot::NONE, |id| self.slot(id)),
            prey_id,
            prey: prey_id.map_or(Slot::NONE, |id| self.slot(id)),
            hunt: entity.pathfinding.map_or(Hunt::Path, |hunter| hunter.hunt),
            axis: entity.moving.map_or(Axis::Horizontal, |moving| moving.axis),
            bounce: entity.moving.is_some_and(|moving| moving.bounce),
            speed: entity.moving.map_or(0, |moving| moving.speed),
            key: self.texts.number(entity.key.as_ref()),
            lock: self.texts.number(entity.locked.as_ref()),
            appearance: self.looks.number(entity.appearance.as_ref()),
            health,
            time,
            usage,
            motion,
            inventory,
            status,
        };
        self.traits.push(traits);
    }
}

fn next_if(present: bool, counter: &mut u32) -> u32 {
    if !present {
        return ABSENT;
    }
    *counter += 1;
    *counter - 1
}
