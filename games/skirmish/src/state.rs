//! The changing part of a match: small, dense and cheap to copy.

use crate::board::{Cell, CellSet};
use crate::dice::Source;
use crate::document::{BudgetDoc, CombatMode, Document, Kind};
use crate::event::Winner;
use crate::queries::sight::look;
use crate::stage::{AbilityId, BodyId, ConditionId, DEAD, Stage, bit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use smallvec::{Array, SmallVec};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use turnstone::digest::{Digest, digest};

/// A shared stage. Two handles on one stage compare in no time, and its digest is computed once.
#[derive(Clone, Debug)]
pub struct StageRef(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    stage: Stage,
    digest: OnceLock<Digest>,
    /// What is seen from each cell. Terrain never changes, so each is found once.
    views: Box<[OnceLock<CellSet>]>,
}

impl StageRef {
    /// Shares a stage.
    pub fn new(stage: Stage) -> StageRef {
        let views = (0..stage.board.cells()).map(|_| OnceLock::new()).collect();
        StageRef(Arc::new(Shared { stage, digest: OnceLock::new(), views }))
    }

    /// The cells seen from a cell of the map.
    pub(crate) fn seen_from(&self, cell: Cell) -> &CellSet {
        let board = &self.0.stage.board;
        self.0.views[board.index(cell)].get_or_init(|| look(board, cell))
    }
}

impl Deref for StageRef {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.0.stage
    }
}

impl PartialEq for StageRef {
    fn eq(&self, other: &StageRef) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.stage == other.0.stage
    }
}

impl Serialize for StageRef {
    /// By value, so that a saved state stands alone. The kernel's digests, which are not for
    /// reading back, take the stage's own digest instead.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return self.0.stage.serialize(to);
        }
        self.0.digest.get_or_init(|| digest(&self.0.stage)).0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for StageRef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<StageRef, D::Error> {
        Stage::deserialize(from).map(StageRef::new)
    }
}

/// What changes about one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Hit points.
    pub hp: i64,
    /// Its conditions as bits; those from 31 on share the last.
    pub mask: u32,
    /// Where it stands.
    pub cell: Cell,
    /// Its document has a map of condition durations.
    pub timed: bool,
    /// Its document has a map of cooldowns.
    pub cooling: bool,
}

/// One condition of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The bearer.
    pub body: BodyId,
    /// The condition.
    pub condition: ConditionId,
}

/// Turns left of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timer {
    /// The bearer.
    pub body: BodyId,
    /// The condition.
    pub condition: ConditionId,
    /// Turns left; 0 means for ever.
    pub left: i64,
}

/// What a cooldown is kept for: an ability of the rules, or a foreign word of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CooldownKey {
    /// An ability.
    Ability(AbilityId),
    /// A word that names no ability.
    Word(Arc<str>),
}

/// Turns until an ability may be used again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cooldown {
    /// Who waits.
    pub body: BodyId,
    /// For what.
    pub key: CooldownKey,
    /// How long.
    pub left: i64,
}

/// Whose turn it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Combat {
    /// Combat rather than exploration.
    pub fighting: bool,
    /// 0 in exploration.
    pub round: i64,
    /// Whose turn it is.
    pub active: Option<BodyId>,
    /// Best initiative first.
    pub order: SmallVec<[BodyId; 8]>,
    /// What the active entity has spent.
    pub budget: Option<BudgetDoc>,
    /// Rounds since a blow between the sides last drew blood.
    pub calm: u16,
    /// Rounds since the fight began.
    pub fought: u16,
}

/// A whole position.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What never changes.
    pub stage: StageRef,
    /// The entities: players, then npcs, then objects.
    pub bodies: SmallVec<[Body; 8]>,
    /// Everybody's conditions, each body's in the order in which they came.
    pub conditions: SmallVec<[Mark; 8]>,
    /// Everybody's timed conditions, each body's in the order in which they came.
    pub timers: SmallVec<[Timer; 2]>,
    /// Everybody's cooldowns, likewise.
    pub cooldowns: SmallVec<[Cooldown; 1]>,
    /// Cells on which anything stands.
    pub occupied: CellSet,
    /// Living players and living npcs.
    pub living: [u16; 2],
    /// Whose turn it is.
    pub combat: Combat,
    /// Actions outside combat.
    pub strolled: u16,
    /// How much was left of a limit when it was last told; 0 for nothing.
    pub told: u16,
    /// How the match ended, if a side gave up or a limit was reached.
    pub ended: Option<Winner>,
    /// The dice.
    pub dice: Source,
}

/// Copied once per action: plain memory is copied as such, and shared parts are left alone.
impl Clone for State {
    fn clone(&self) -> State {
        State {
            stage: self.stage.clone(),
            bodies: SmallVec::from_slice(&self.bodies),
            conditions: SmallVec::from_slice(&self.conditions),
            timers: SmallVec::from_slice(&self.timers),
            cooldowns: self.cooldowns.clone(),
            occupied: self.occupied.clone(),
            living: self.living,
            combat: Combat { order: SmallVec::from_slice(&self.combat.order), ..self.combat },
            strolled: self.strolled,
            told: self.told,
            ended: self.ended,
            dice: self.dice.clone(),
        }
    }

    fn clone_from(&mut self, from: &State) {
        if !Arc::ptr_eq(&self.stage.0, &from.stage.0) {
            self.stage = from.stage.clone();
        }
        copy(&mut self.bodies, &from.bodies);
        copy(&mut self.conditions, &from.conditions);
        copy(&mut self.timers, &from.timers);
        self.cooldowns.clone_from(&from.cooldowns);
        self.occupied.copy_from(&from.occupied);
        self.living = from.living;
        let order = std::mem::take(&mut self.combat.order);
        self.combat = Combat { order, ..from.combat };
        copy(&mut self.combat.order, &from.combat.order);
        (self.strolled, self.told, self.ended) = (from.strolled, from.told, from.ended);
        self.dice.copy_from(&from.dice);
    }
}

fn copy<A: Array<Item: Copy>>(to: &mut SmallVec<A>, from: &[A::Item]) {
    if to.len() == from.len() {
        to.copy_from_slice(from);
    } else {
        to.clear();
        to.extend_from_slice(from);
    }
}

impl State {
    /// The position a stage begins with. The stage's document is trusted.
    pub fn new(stage: Stage) -> State {
        let document = &stage.document;
        let mut state = State {
            bodies: SmallVec::new(),
            conditions: SmallVec::new(),
            timers: SmallVec::new(),
            cooldowns: SmallVec::new(),
            occupied: CellSet::with_cells(stage.board.cells()),
            living: [0, 0],
            combat: combat(&stage, document),
            strolled: 0,
            told: 0,
            ended: None,
            dice: dice(document),
            stage: StageRef::new(stage),
        };
        let stage = state.stage.clone();
        for (body, entity) in stage.document.entities.iter().enumerate() {
            state.seat(body as u16, entity);
        }
        state.living = [state.count_living(Kind::Player), state.count_living(Kind::Npc)];
        state
    }

    fn seat(&mut self, body: BodyId, entity: &crate::document::EntityDoc) {
        let stage = self.stage.clone();
        let cell = stage.board.cell(entity.position.x, entity.position.y).unwrap_or_default();
        self.occupied.insert(stage.board.index(cell));
        self.bodies.push(Body {
            hp: entity.stats.hp_current,
            mask: 0,
            cell,
            timed: entity.condition_durations.is_some(),
            cooling: entity.ability_cooldowns.is_some(),
        });
        for condition in entity.conditions.iter().filter_map(|name| stage.condition(name)) {
            self.mark(body, condition);
        }
        for (name, turns) in entity.condition_durations.iter().flatten() {
            let Some(condition) = stage.condition(name) else { continue };
            self.timers.push(Timer { body, condition, left: whole(turns) });
        }
        for (name, turns) in entity.ability_cooldowns.iter().flatten() {
            let key = match stage.ability(name) {
                Some(ability) => CooldownKey::Ability(ability),
                None => CooldownKey::Word(name.as_str().into()),
            };
            self.cooldowns.push(Cooldown { body, key, left: whole(turns) });
        }
    }

    fn count_living(&self, kind: Kind) -> u16 {
        self.stage.bodies().filter(|b| self.stage.kind(*b) == kind && !self.is_dead(*b)).count() as u16
    }

    /// One entity's changing part.
    pub fn body(&self, body: BodyId) -> &Body {
        &self.bodies[usize::from(body)]
    }

    /// The same, to be changed by `apply` alone.
    pub(crate) fn body_mut(&mut self, body: BodyId) -> &mut Body {
        &mut self.bodies[usize::from(body)]
    }

    /// Where an entity stands.
    pub fn cell(&self, body: BodyId) -> Cell {
        self.body(body).cell
    }

    /// Whether an entity is out of sight in a position as somebody sees it; never in a true one.
    pub fn is_absent(&self, body: BodyId) -> bool {
        self.cell(body) == Cell::NOWHERE
    }

    /// Whether an entity carries `dead`.
    pub fn is_dead(&self, body: BodyId) -> bool {
        self.body(body).mask & bit(DEAD) != 0
    }

    /// Whether an entity has a condition.
    pub fn has(&self, body: BodyId, condition: ConditionId) -> bool {
        self.body(body).mask & bit(condition) != 0
            && (condition < 31 || self.conditions_of(body).any(|c| c == condition))
    }

    /// An entity's conditions, in order.
    pub fn conditions_of(&self, body: BodyId) -> impl Iterator<Item = ConditionId> + '_ {
        self.conditions.iter().filter(move |m| m.body == body).map(|m| m.condition)
    }

    /// Whoever stands on a cell: the mask of taken cells answers for empty ones.
    pub fn occupant(&self, cell: Cell) -> Option<BodyId> {
        if !self.occupied.has(self.stage.board.index(cell)) {
            return None;
        }
        self.bodies.iter().position(|b| b.cell == cell).map(|at| at as u16)
    }

    /// Turns until a body may use an ability again.
    pub fn cooldown(&self, body: BodyId, ability: AbilityId) -> i64 {
        let wanted = |c: &&Cooldown| c.body == body && c.key == CooldownKey::Ability(ability);
        self.cooldowns.iter().find(wanted).map_or(0, |c| c.left)
    }

    /// The living of the side that opposes a body, in order. Objects oppose nobody.
    pub fn hostiles(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let foes = match self.stage.kind(body) {
            Kind::Player => self.stage.npc_ids(),
            Kind::Npc => self.stage.player_ids(),
            Kind::Object => 0..0,
        };
        foes.filter(|b| !self.is_dead(*b))
    }

    /// The living of a body's own side, itself excluded, in order.
    pub fn allies(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let own = match self.stage.kind(body) {
            Kind::Player => self.stage.player_ids(),
            Kind::Npc => self.stage.npc_ids(),
            Kind::Object => 0..0,
        };
        own.filter(move |b| *b != body && !self.is_dead(*b))
    }

    /// Appends a condition, and counts the dead.
    pub(crate) fn mark(&mut self, body: BodyId, condition: ConditionId) {
        let died = condition == DEAD && !self.is_dead(body);
        self.conditions.push(Mark { body, condition });
        self.body_mut(body).mask |= bit(condition);
        if died && let Some(side) = self.side(body) {
            self.living[side] = self.living[side].saturating_sub(1);
        }
    }

    /// 0 for players, 1 for npcs.
    fn side(&self, body: BodyId) -> Option<usize> {
        match self.stage.kind(body) {
            Kind::Player => Some(0),
            Kind::Npc => Some(1),
            Kind::Object => None,
        }
    }
}

fn whole(value: &Value) -> i64 {
    value.as_f64().map_or(0, |x| x as i64)
}

fn combat(stage: &Stage, document: &Document) -> Combat {
    let combat = &document.combat;
    Combat {
        fighting: combat.mode == CombatMode::Combat,
        round: combat.round,
        active: combat.active_entity_id.as_deref().and_then(|id| stage.find(id)),
        order: combat.initiative_order.iter().filter_map(|id| stage.find(id)).collect(),
        budget: combat.turn_budget,
        calm: 0,
        fought: 0,
    }
}

fn dice(document: &Document) -> Source {
    let rng = &document.rng;
    let rolls = rng.last_rolls.len() as u32;
    Source::from_document(rng.algorithm.unwrap_or_default(), rng.mode, rng.seed.as_deref(), rolls)
}
