//! A world: what never changes ([`Cast`]) and what does ([`Live`]), laid out so
//! that a copy is a few flat copies and a step touches only what it changes.
//!
//! Reading is free for everyone. Writing is for `apply` alone, so the writers
//! are private to the crate.

use std::sync::Arc;

use smallvec::SmallVec;

pub use crate::cast::{CELLS_MAX, Cast, ENTITIES_MAX, Slot, Traits};

use crate::component::{Mask, Moving, Pathfinding};
use crate::document::{Entity, HitRecord, Memory, WorldDocument};
use crate::error::{GridError, Result};
use crate::geometry::{Cell, Point, Spot};

/// One entity's changing part: components, cell, and the next entity in its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// The components it has now.
    pub mask: Mask,
    /// Where it is; `NONE` while carried or gone.
    pub cell: Cell,
    /// Where it was at the last snapshot, if it has moved since.
    prev: Cell,
    next: Slot,
}

/// The changing part of a mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// +1 right or down, −1 left or up.
    pub direction: i8,
    /// The cell it last left or was stopped in.
    pub prev: Option<Point>,
}

/// A hit of the current or latest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Who was hit.
    pub target: Slot,
    /// What hit.
    pub damager: Slot,
    /// The turn before it was counted up.
    pub turn: i64,
}

/// Ids carried or borne, ascending.
pub type SlotSet = SmallVec<[Slot; 4]>;

/// Everything a step can change. What is short in most worlds lies in place: of a thousand worlds that step in turn
/// every line that has to be fetched is felt.
#[derive(Debug, PartialEq, Eq)]
pub struct Live {
    /// Steps completed.
    pub turn: i64,
    /// Points so far.
    pub score: i64,
    /// The objective was reached.
    pub win: bool,
    /// An agent died or time ran out.
    pub lose: bool,
    /// Something may have lost its last holder since the last collection of garbage.
    pub(crate) litter: bool,
    /// Requirable things still to collect.
    pub required_left: u32,
    /// Locks still shut.
    pub locks_left: u32,
    /// Effects in all statuses together.
    pub(crate) effects_borne: u32,
    bodies: Vec<Body>,
    /// For each cell, the union of the components in it.
    masks: Vec<Mask>,
    /// For each cell, the first entity in it.
    firsts: Vec<Slot>,
    meters: SmallVec<[i32; 4]>,
    motions: Vec<Motion>,
    sets: Vec<SlotSet>,
    unplaced: Vec<Slot>,
    /// Hits of the latest step, sorted.
    pub hits: Vec<Hit>,
    /// Who was recorded in which cell during this step, sorted.
    pub trail: SmallVec<[(Cell, Slot); 2]>,
    /// Who has moved since the last snapshot, in the order of moving.
    pub moved: SmallVec<[Slot; 4]>,
    /// What systems of the user's remember; hardly any world has such, and the others copy a pointer.
    pub(crate) memory: Option<Box<Memory>>,
    /// Where components changed last.
    pub(crate) touched: Touched,
}

/// The cells whose components changed last: who keeps a picture of a world looks there first. It belongs to one world in
/// its place and is no part of what the world is: it is neither saved nor compared, a copy begins its own, and a world
/// that another is copied over has changed everywhere.
#[derive(Debug)]
pub(crate) struct Touched {
    count: u64,
    cells: [Cell; Touched::KEPT],
}

impl Touched {
    /// As many as two steps of somebody who pushes and is hunted.
    const KEPT: usize = 8;

    #[inline]
    fn note(&mut self, cell: Cell) {
        self.cells[self.count as usize % Self::KEPT] = cell;
        self.count += 1;
    }

    fn note_all(&mut self) {
        self.count += Self::KEPT as u64 + 1;
    }

    /// How often something has changed so far.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Where something has changed since then; `None` if that is not known any more.
    #[inline]
    pub fn since(&self, then: u64) -> Option<impl Iterator<Item = Cell> + '_> {
        let many = self.count.checked_sub(then).filter(|many| *many <= Self::KEPT as u64)?;
        Some((self.count - many..self.count).map(|number| self.cells[number as usize % Self::KEPT]))
    }
}

impl Default for Touched {
    fn default() -> Self {
        Touched { count: 0, cells: [Cell::NONE; Touched::KEPT] }
    }
}

impl PartialEq for Touched {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Touched {}

impl Clone for Live {
    fn clone(&self) -> Self {
        Self {
            bodies: self.bodies.clone(),
            masks: self.masks.clone(),
            firsts: self.firsts.clone(),
            meters: self.meters.clone(),
            motions: self.motions.clone(),
            sets: self.sets.clone(),
            unplaced: self.unplaced.clone(),
            hits: self.hits.clone(),
            trail: self.trail.clone(),
            moved: self.moved.clone(),
            memory: self.memory.clone(),
            touched: Touched::default(),
            ..*self
        }
    }

    /// Reuses the buffers: a backup per step costs a few flat copies.
    fn clone_from(&mut self, source: &Self) {
        let Live { turn, score, win, lose, litter, required_left, locks_left, effects_borne, .. } = *source;
        (self.turn, self.score, self.win, self.lose) = (turn, score, win, lose);
        (self.litter, self.required_left) = (litter, required_left);
        (self.locks_left, self.effects_borne) = (locks_left, effects_borne);
        self.bodies.clone_from(&source.bodies);
        self.masks.clone_from(&source.masks);
        self.firsts.clone_from(&source.firsts);
        self.meters.clone_from(&source.meters);
        self.motions.clone_from(&source.motions);
        self.sets.clone_from(&source.sets);
        self.unplaced.clone_from(&source.unplaced);
        self.hits.clone_from(&source.hits);
        self.trail.clone_from(&source.trail);
        self.moved.clone_from(&source.moved);
        if self.memory.is_some() || source.memory.is_some() {
            self.memory.clone_from(&source.memory);
        }
        self.touched.note_all();
    }
}

impl Live {
    /// Whether two moments of one world agree in every field a rule can see.
    pub(crate) fn same_as(&self, other: &Live) -> bool {
        let scalars = |live: &Live| (live.turn, live.score, live.win, live.lose);
        let body =
            |body: &Body| (body.mask, body.cell, if body.prev.is_some() { body.prev } else { body.cell });
        scalars(self) == scalars(other)
            && self.trail == other.trail
            && self.hits == other.hits
            && self.meters == other.meters
            && self.motions == other.motions
            && self.sets == other.sets
            && self.memory == other.memory
            && self.bodies.iter().map(body).eq(other.bodies.iter().map(body))
    }
}

/// A world: the shared part and the changing part.
#[derive(Debug)]
pub struct World {
    /// What never changes.
    pub cast: Arc<Cast>,
    /// What a step changes.
    pub live: Live,
}

impl PartialEq for World {
    /// Worlds are equal if they have the same slots, document and scratch; a world that was saved
    /// and loaded has forgotten what vanished things were made of, which nothing can see.
    fn eq(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.cast, &other.cast) {
            return self.live == other.live;
        }
        let scratch = |world: &World| {
            let prevs: Vec<Cell> = world.live.moved.iter().map(|slot| world.prev_cell(*slot)).collect();
            (world.live.litter, world.live.moved.clone(), prevs)
        };
        self.cast.ids == other.cast.ids
            && self.live.trail == other.live.trail
            && scratch(self) == scratch(other)
            && self.to_document() == other.to_document()
    }
}

impl Eq for World {}

impl Clone for World {
    fn clone(&self) -> Self {
        Self { cast: Arc::clone(&self.cast), live: self.live.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.cast, &source.cast) {
            self.cast = Arc::clone(&source.cast);
        }
        self.live.clone_from(&source.live);
    }
}

/// Reading a world.
impl World {
    /// The entity's changing part.
    #[inline]
    pub fn body(&self, slot: Slot) -> &Body {
        &self.live.bodies[slot.index()]
    }

    /// The components an entity has now.
    #[inline]
    pub fn mask(&self, slot: Slot) -> Mask {
        self.body(slot).mask
    }

    /// Whether an entity has one of these components.
    #[inline]
    pub fn has(&self, slot: Slot, kinds: Mask) -> bool {
        self.mask(slot).any(kinds)
    }

    /// Where an entity is; `NONE` while carried or gone.
    #[inline]
    pub fn cell(&self, slot: Slot) -> Cell {
        self.body(slot).cell
    }

    /// Where an entity was at the last snapshot.
    #[inline]
    pub fn prev_cell(&self, slot: Slot) -> Cell {
        let body = self.body(slot);
        if body.prev.is_some() { body.prev } else { body.cell }
    }

    /// Whether an entity is in another cell than at the last snapshot.
    #[inline]
    pub fn has_moved(&self, slot: Slot) -> bool {
        let body = self.body(slot);
        body.prev.is_some() && body.prev != body.cell
    }

    /// A cell by column and row, as facts name it.
    #[inline]
    pub fn spot(&self, cell: Cell) -> Spot {
        self.cast.bounds.spot(cell)
    }

    /// The point of an entity on the grid.
    pub fn point(&self, slot: Slot) -> Option<Point> {
        let cell = self.cell(slot);
        cell.is_some().then(|| self.cast.bounds.point(cell))
    }

    /// The union of the components in a cell.
    #[inline]
    pub fn kinds_at(&self, cell: Cell) -> Mask {
        self.live.masks[cell.index()]
    }

    /// The union of the components in an entity's cell, itself included.
    #[inline]
    pub fn around(&self, slot: Slot) -> Mask {
        let cell = self.cell(slot);
        if cell.is_some() { self.kinds_at(cell) } else { Mask::NONE }
    }

    /// Reads where the first agent is and what is there, for nothing but to have it at hand soon.
    #[inline]
    pub(crate) fn glance(&self) {
        if let Some(agent) = self.cast.agents.first() {
            let cell = self.cell(*agent).index();
            let (mask, first) = (self.live.masks.get(cell), self.live.firsts.get(cell));
            std::hint::black_box((mask.copied(), first.copied(), self.live.hits.len()));
        }
    }

    /// The union of the components in each cell, row by row.
    #[inline]
    pub fn masks(&self) -> &[Mask] {
        &self.live.masks
    }

    /// Whether something in the cell has one of these components.
    #[inline]
    pub fn blocks(&self, cell: Cell, stops: Mask) -> bool {
        self.kinds_at(cell).any(stops)
    }

    /// The entities in a cell, in id order.
    #[inline]
    pub fn at(&self, cell: Cell) -> impl Iterator<Item = Slot> + '_ {
        let first = self.live.firsts.get(cell.index()).copied().unwrap_or(Slot::NONE);
        let some = |slot: Slot| slot.is_some().then_some(slot);
        std::iter::successors(some(first), move |slot| some(self.body(*slot).next))
    }

    /// All entities that exist, in id order.
    pub fn entities(&self) -> impl Iterator<Item = Slot> + '_ {
        let all = (0..self.live.bodies.len() as u32).map(Slot);
        all.filter(|slot| self.mask(*slot) != Mask::NONE)
    }

    /// The entities of that look that exist, in id order.
    pub fn of_look<'a>(&'a self, look: &'a str) -> impl Iterator<Item = Slot> + 'a {
        self.entities().filter(move |slot| self.cast.looks_like(*slot, look))
    }

    /// What a system of the user's remembers under a number; 0 if nothing.
    pub fn recall(&self, system: &str, key: u32) -> i64 {
        let entries = self.live.memory.as_ref().and_then(|memory| memory.get(system));
        entries.and_then(|entries| entries.get(&key)).copied().unwrap_or(0)
    }

    /// All that a system of the user's remembers, by ascending number.
    pub fn memories<'a>(&'a self, system: &str) -> impl Iterator<Item = (u32, i64)> + use<'a> {
        let entries = self.live.memory.as_ref().and_then(|memory| memory.get(system));
        entries.into_iter().flatten().map(|(key, value)| (*key, *value))
    }

    /// Existing entities without a cell, in id order.
    pub(crate) fn unplaced(&self) -> &[Slot] {
        &self.live.unplaced
    }

    /// The health of an entity, or 0.
    #[inline]
    pub fn health(&self, slot: Slot) -> i32 {
        self.meter(self.cast.of(slot).health).unwrap_or(0)
    }

    /// The remaining steps of an effect, if it has a time limit.
    pub fn time_left(&self, slot: Slot) -> Option<i32> {
        self.meter(self.cast.of(slot).time).filter(|_| self.has(slot, Mask::TIME_LIMIT))
    }

    /// The remaining uses of an effect, if it has a usage limit.
    pub fn uses_left(&self, slot: Slot) -> Option<i32> {
        self.meter(self.cast.of(slot).usage).filter(|_| self.has(slot, Mask::USAGE_LIMIT))
    }

    #[inline]
    fn meter(&self, index: u32) -> Option<i32> {
        self.live.meters.get(index as usize).copied()
    }

    /// How many slots there are, those of vanished entities included.
    #[inline]
    pub(crate) fn slot_count(&self) -> u32 {
        self.live.bodies.len() as u32
    }

    /// Whether an effect's time or uses have run out.
    pub(crate) fn is_spent(&self, effect: Slot) -> bool {
        self.time_left(effect).is_some_and(|left| left <= 0)
            || self.uses_left(effect).is_some_and(|left| left <= 0)
    }

    /// A mover's direction and last cell.
    #[inline]
    pub fn motion(&self, slot: Slot) -> Option<Motion> {
        self.live.motions.get(self.cast.of(slot).motion as usize).copied()
    }

    /// The items an entity carries, in id order; empty without an inventory.
    #[inline]
    pub fn inventory(&self, slot: Slot) -> &[Slot] {
        self.set(self.cast.of(slot).inventory)
    }

    /// The effects an entity bears, in id order; empty without a status.
    #[inline]
    pub fn status(&self, slot: Slot) -> &[Slot] {
        self.set(self.cast.of(slot).status)
    }

    #[inline]
    fn set(&self, index: u32) -> &[Slot] {
        self.live.sets.get(index as usize).map_or(&[], |set| set.as_slice())
    }

    /// The acting agent when none is named: the lowest id.
    #[inline]
    pub fn first_agent(&self) -> Option<Slot> {
        self.agents().next()
    }

    /// The agents that exist, in id order.
    #[inline]
    pub fn agents(&self) -> impl Iterator<Item = Slot> + '_ {
        self.cast.agents.iter().copied().filter(|slot| self.has(*slot, Mask::AGENT))
    }

    /// Whether the agent is on the board and alive.
    #[inline]
    pub fn is_active(&self, agent: Slot) -> bool {
        self.cell(agent).is_some() && !self.has(agent, Mask::DEAD)
    }

    /// Won or lost.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.live.win || self.live.lose
    }

    /// Whether no turn is left.
    #[inline]
    pub fn is_out_of_time(&self) -> bool {
        self.cast.turn_limit.is_some_and(|limit| self.live.turn >= limit)
    }

    /// The cells in whose trail an entity appears.
    pub fn trail_of(&self, slot: Slot) -> impl Iterator<Item = Cell> + '_ {
        self.live.trail.iter().filter(move |(_, who)| *who == slot).map(|(cell, _)| *cell)
    }

    /// The trail of one cell, in id order.
    pub fn trail_at(&self, cell: Cell) -> &[(Cell, Slot)] {
        let from = self.live.trail.partition_point(|entry| entry.0 < cell);
        let many = self.live.trail[from..].partition_point(|entry| entry.0 == cell);
        &self.live.trail[from..from + many]
    }
}

/// Writing a world, for `apply`.
impl World {
    fn body_mut(&mut self, slot: Slot) -> &mut Body {
        &mut self.live.bodies[slot.index()]
    }

    /// Puts an entity that is on the board into another cell.
    pub(crate) fn relocate(&mut self, slot: Slot, to: Cell) {
        let from = self.cell(slot);
        if from == to || !from.is_some() || to.index() >= self.live.masks.len() {
            return;
        }
        self.unlink(slot);
        let body = self.body_mut(slot);
        if !body.prev.is_some() {
            body.prev = from;
            self.live.moved.push(slot);
        }
        self.link(slot, to);
    }

    /// Takes an entity off the board.
    pub(crate) fn lift(&mut self, slot: Slot) {
        if !self.cell(slot).is_some() {
            return;
        }
        self.unlink(slot);
        let body = self.body_mut(slot);
        body.cell = Cell::NONE;
        body.mask = body.mask.without(Mask::POSITION);
        insert_sorted(&mut self.live.unplaced, slot);
        self.live.litter = true;
    }

    #[inline]
    fn set_kinds(&mut self, cell: Cell, kinds: Mask) {
        let place = &mut self.live.masks[cell.index()];
        if *place != kinds {
            *place = kinds;
            self.live.touched.note(cell);
        }
    }

    fn link(&mut self, slot: Slot, cell: Cell) {
        let kinds = self.kinds_at(cell) | self.mask(slot);
        self.set_kinds(cell, kinds);
        let first = self.live.firsts[cell.index()];
        if !first.is_some() || slot < first {
            self.live.firsts[cell.index()] = slot;
            let body = self.body_mut(slot);
            (body.cell, body.next) = (cell, first);
            return;
        }
        let mut before = first;
        while self.body(before).next < slot {
            before = self.body(before).next;
        }
        let after = std::mem::replace(&mut self.body_mut(before).next, slot);
        let body = self.body_mut(slot);
        (body.cell, body.next) = (cell, after);
    }

    fn unlink(&mut self, slot: Slot) {
        let Body { cell, next, .. } = *self.body(slot);
        if self.live.firsts[cell.index()] == slot {
            self.live.firsts[cell.index()] = next;
        } else {
            let mut before = self.live.firsts[cell.index()];
            while self.body(before).next != slot {
                before = self.body(before).next;
            }
            self.body_mut(before).next = next;
        }
        self.body_mut(slot).next = Slot::NONE;
        self.refresh(cell);
    }

    fn refresh(&mut self, cell: Cell) {
        let mut mask = Mask::NONE;
        let mut slot = self.live.firsts[cell.index()];
        while slot.is_some() {
            let body = self.body(slot);
            mask |= body.mask;
            slot = body.next;
        }
        self.set_kinds(cell, mask);
    }

    /// Takes components away from an entity.
    pub(crate) fn strip(&mut self, slot: Slot, kinds: Mask) {
        let before = self.mask(slot);
        let after = before.without(kinds);
        self.body_mut(slot).mask = after;
        self.recount(before, after);
        let cell = self.cell(slot);
        if cell.is_some() {
            self.refresh(cell);
        }
    }

    /// Marks an entity as dead.
    pub(crate) fn kill(&mut self, slot: Slot) {
        self.body_mut(slot).mask |= Mask::DEAD;
        let cell = self.cell(slot);
        if cell.is_some() {
            let kinds = self.kinds_at(cell) | Mask::DEAD;
            self.set_kinds(cell, kinds);
        }
    }

    fn recount(&mut self, before: Mask, after: Mask) {
        let wanted = Mask::REQUIRABLE | Mask::COLLECTIBLE;
        self.live.required_left -= u32::from(before.all(wanted) && !after.all(wanted));
        self.live.locks_left -= u32::from(before.any(Mask::LOCKED) && !after.any(Mask::LOCKED));
    }

    /// Deletes an entity with all it has.
    pub(crate) fn erase(&mut self, slot: Slot) {
        self.lift(slot);
        self.strip(slot, Mask(u32::MAX));
        self.live.unplaced.retain(|other| *other != slot);
        let Traits { inventory, status, .. } = *self.cast.of(slot);
        if let Some(set) = self.live.sets.get_mut(inventory as usize) {
            set.clear();
        }
        if let Some(set) = self.live.sets.get_mut(status as usize) {
            self.live.effects_borne -= set.len() as u32;
            set.clear();
        }
        // What it held may have lost its last holder: that goes one step later.
        self.live.litter = true;
    }

    pub(crate) fn set_health(&mut self, slot: Slot, health: i32) {
        let index = self.cast.of(slot).health as usize;
        set_at(&mut self.live.meters, index, health);
    }

    pub(crate) fn set_time(&mut self, slot: Slot, left: i32) {
        let index = self.cast.of(slot).time as usize;
        set_at(&mut self.live.meters, index, left);
    }

    pub(crate) fn set_uses(&mut self, slot: Slot, left: i32) {
        let index = self.cast.of(slot).usage as usize;
        set_at(&mut self.live.meters, index, left);
    }

    pub(crate) fn set_motion(&mut self, slot: Slot, motion: Motion) {
        let index = self.cast.of(slot).motion as usize;
        set_at(&mut self.live.motions, index, motion);
    }

    pub(crate) fn carry(&mut self, holder: Slot, item: Slot) {
        let index = self.cast.of(holder).inventory as usize;
        if let Some(set) = self.live.sets.get_mut(index) {
            insert_into(set, item);
        }
    }

    pub(crate) fn drop_item(&mut self, holder: Slot, item: Slot) {
        let index = self.cast.of(holder).inventory as usize;
        if let Some(set) = self.live.sets.get_mut(index) {
            set.retain(|other| *other != item);
        }
        self.live.litter = true;
    }

    pub(crate) fn bear(&mut self, holder: Slot, effect: Slot) {
        let index = self.cast.of(holder).status as usize;
        let added = self.live.sets.get_mut(index).is_some_and(|set| insert_into(set, effect));
        self.live.effects_borne += u32::from(added);
    }

    pub(crate) fn shed(&mut self, holder: Slot, effect: Slot) {
        let index = self.cast.of(holder).status as usize;
        if let Some(set) = self.live.sets.get_mut(index) {
            let before = set.len();
            set.retain(|other| *other != effect);
            self.live.effects_borne -= (before - set.len()) as u32;
        }
        self.live.litter = true;
    }

    /// Records an entity in the trail of a cell.
    pub(crate) fn mark_trail(&mut self, cell: Cell, slot: Slot) {
        let inside = cell.index() < self.live.masks.len();
        let trail = &mut self.live.trail;
        if !inside {
            return;
        }
        if trail.is_empty() {
            trail.push((cell, slot));
        } else if let Err(place) = trail.binary_search(&(cell, slot)) {
            trail.insert(place, (cell, slot));
        }
    }

    /// Remembers a number for a system of the user's; 0 forgets it.
    pub(crate) fn remember(&mut self, system: &str, key: u32, value: i64) {
        let memory = self.live.memory.get_or_insert_default();
        if value != 0 {
            memory.entry(system.to_string()).or_default().insert(key, value);
            return;
        }
        if let Some(entries) = memory.get_mut(system) {
            entries.remove(&key);
        }
        memory.retain(|_, entries| !entries.is_empty());
        // Worlds that remember nothing are the same, whatever they once remembered.
        if memory.is_empty() {
            self.live.memory = None;
        }
    }

    /// Takes a snapshot of all positions.
    pub(crate) fn note_positions(&mut self) {
        for index in 0..self.live.moved.len() {
            let slot = self.live.moved[index];
            self.body_mut(slot).prev = Cell::NONE;
        }
        self.live.moved.clear();
    }

    /// Remembers, for a state read from a file, that an entity came from elsewhere.
    pub(crate) fn restore_move(&mut self, slot: Slot, from: Cell) {
        let body = self.body_mut(slot);
        if !body.prev.is_some() {
            body.prev = from;
            self.live.moved.push(slot);
        }
    }

    pub(crate) fn record_hit(&mut self, hit: Hit) {
        if let Err(place) = self.live.hits.binary_search(&hit) {
            self.live.hits.insert(place, hit);
        }
    }
}

/// Writes into a table, where the place exists: facts from a forged file may name any.
#[inline]
fn set_at<T>(table: &mut [T], index: usize, value: T) {
    if let Some(place) = table.get_mut(index) {
        *place = value;
    }
}

fn insert_sorted(list: &mut Vec<Slot>, slot: Slot) {
    if let Err(place) = list.binary_search(&slot) {
        list.insert(place, slot);
    }
}

fn insert_into(set: &mut SlotSet, slot: Slot) -> bool {
    let place = set.binary_search(&slot);
    if let Err(place) = place {
        set.insert(place, slot);
    }
    place.is_err()
}

/// Between worlds and documents.
impl World {
    /// Builds a world from its document.
    ///
    /// # Errors
    /// Names the entity and field that no world can have.
    pub fn from_document(document: &WorldDocument) -> Result<World> {
        Self::with_vanished(document, &[])
    }

    /// Builds a world in which the ids in `vanished` keep their slots, so that the slots of a world
    /// loaded in mid-game are those it was saved with.
    ///
    /// # Errors
    /// As [`World::from_document`].
    pub(crate) fn with_vanished(document: &WorldDocument, vanished: &[u32]) -> Result<World> {
        let cast = Arc::new(Cast::from_document(document, vanished)?);
        let body = Body { mask: Mask::NONE, cell: Cell::NONE, prev: Cell::NONE, next: Slot::NONE };
        let live = Live {
            turn: document.turn,
            score: document.score,
            win: document.win,
            lose: document.lose,
            litter: false,
            required_left: 0,
            locks_left: 0,
            effects_borne: 0,
            bodies: vec![body; cast.ids.len()],
            masks: vec![Mask::NONE; cast.bounds.area()],
            touched: Touched::default(),
            firsts: vec![Slot::NONE; cast.bounds.area()],
            meters: SmallVec::new(),
            motions: Vec::new(),
            sets: Vec::new(),
            unplaced: Vec::new(),
            hits: Vec::new(),
            trail: SmallVec::new(),
            moved: SmallVec::new(),
            memory: (!document.memory.is_empty()).then(|| Box::new(document.memory.clone())),
        };
        let mut world = World { cast, live };
        for (&id, entity) in document.entities.iter().rev() {
            world.settle_in(i64::from(id), entity);
        }
        world.fill_tables(document);
        world.live.litter = !world.live.unplaced.is_empty();
        Ok(world)
    }

    /// Places one entity; called in descending order, so that each goes first in its cell.
    fn settle_in(&mut self, id: i64, entity: &Entity) {
        let Some(slot) = self.cast.slot(id) else { return };
        let mask = entity.mask();
        self.body_mut(slot).mask = mask;
        self.live.required_left += u32::from(mask.all(Mask::REQUIRABLE | Mask::COLLECTIBLE));
        self.live.locks_left += u32::from(mask.any(Mask::LOCKED));
        match entity.position.and_then(|point| self.cast.bounds.cell(point)) {
            Some(cell) => self.link(slot, cell),
            None if mask != Mask::NONE => insert_sorted(&mut self.live.unplaced, slot),
            None => {}
        }
    }

    fn fill_tables(&mut self, document: &WorldDocument) {
        let cast = Arc::clone(&self.cast);
        let slots =
            |ids: &[u32]| -> SlotSet { ids.iter().filter_map(|id| cast.slot(i64::from(*id))).collect() };
        let live = &mut self.live;
        for entity in document.entities.values() {
            let meters = [entity.health.map(|(now, _)| now), entity.time_limit, entity.usage_limit];
            live.meters.extend(meters.into_iter().flatten());
            live.motions.extend(
                entity
                    .moving
                    .map(|moving| Motion { direction: moving.direction as i8, prev: moving.prev_position }),
            );
            live.sets.extend(entity.inventory.as_ref().map(|ids| slots(ids)));
            live.sets.extend(entity.status.as_ref().map(|ids| slots(ids)));
            live.effects_borne += entity.status.as_ref().map_or(0, |ids| ids.len() as u32);
        }
        live.hits = document
            .damage_hits
            .iter()
            .filter_map(|hit| {
                let (target, damager) = (cast.slot(hit.target.into())?, cast.slot(hit.damager.into())?);
                Some(Hit { target, damager, turn: hit.turn })
            })
            .collect();
    }

    /// Ids that have a slot but name nothing any more.
    pub fn vanished(&self) -> Vec<u32> {
        let gone = (0..self.live.bodies.len() as u32).map(Slot).filter(|slot| self.mask(*slot) == Mask::NONE);
        gone.map(|slot| self.cast.id(slot)).collect()
    }

    /// Writes the world as its document.
    pub fn to_document(&self) -> WorldDocument {
        let (cast, live) = (&*self.cast, &self.live);
        let hits = live.hits.iter().map(|hit| HitRecord {
            target: cast.id(hit.target),
            damager: cast.id(hit.damager),
            turn: hit.turn,
        });
        WorldDocument {
            width: cast.bounds.width,
            height: cast.bounds.height,
            move_rule: cast.move_rule,
            objective: cast.objective.clone(),
            seed: cast.seed,
            turn: live.turn,
            score: live.score,
            turn_limit: cast.turn_limit,
            win: live.win,
            lose: live.lose,
            message: cast.message.clone(),
            damage_hits: hits.collect(),
            entities: self.entities().map(|slot| (cast.id(slot), self.entity(slot))).collect(),
            label: cast.label.clone(),
            company: cast.company,
            memory: live.memory.as_deref().cloned().unwrap_or_default(),
        }
    }

    /// One entity as the document writes it.
    pub fn entity(&self, slot: Slot) -> Entity {
        let (mask, traits) = (self.mask(slot), self.cast.of(slot));
        let amount = |kind, value: i32| mask.any(kind).then_some(value);
        let ids =
            |kind, set: &[Slot]| mask.any(kind).then(|| set.iter().map(|slot| self.cast.id(*slot)).collect());
        let text = |kind, text: Option<&str>| if mask.any(kind) { text.map(str::to_string) } else { None };
        Entity {
            markers: mask & Mask::MARKERS,
            position: self.point(slot),
            health: mask.any(Mask::HEALTH).then(|| (self.health(slot), traits.max_health)),
            cost: amount(Mask::COST, traits.cost),
            damage: amount(Mask::DAMAGE, traits.damage),
            rewardable: amount(Mask::REWARDABLE, traits.reward),
            time_limit: self.time_left(slot),
            usage_limit: self.uses_left(slot),
            speed: amount(Mask::SPEED, traits.multiplier),
            key: text(Mask::KEY, self.cast.key_id(slot)),
            locked: text(Mask::LOCKED, self.cast.lock_id(slot)),
            inventory: ids(Mask::INVENTORY, self.inventory(slot)),
            status: ids(Mask::STATUS, self.status(slot)),
            portal: mask.any(Mask::PORTAL).then_some(traits.pair_id),
            moving: self.moving(slot),
            pathfinding: mask
                .any(Mask::PATHFINDING)
                .then_some(Pathfinding { target: traits.prey_id, hunt: traits.hunt }),
            appearance: self.cast.look(slot).filter(|_| mask.any(Mask::APPEARANCE)).cloned(),
        }
    }

    fn moving(&self, slot: Slot) -> Option<Moving> {
        let motion = self.motion(slot).filter(|_| self.has(slot, Mask::MOVING))?;
        let Traits { axis, bounce, speed, .. } = *self.cast.of(slot);
        let direction = i32::from(motion.direction);
        Some(Moving { axis, direction, bounce, speed, prev_position: motion.prev })
    }

    /// Refuses a world in which nobody can act.
    ///
    /// # Errors
    /// `NO_AGENT` if no entity has the agent component.
    pub fn check_playable(&self) -> Result<()> {
        if self.first_agent().is_some() {
            return Ok(());
        }
        Err(GridError::new("NO_AGENT", "no entity is an agent; give one the `agent` component")
            .field("entities"))
    }
}
