//! The lifecycle of a step as a list of named systems, in four stages:
//! *prepare* (the world moves), *act* (the deed), *substep* (after every cell
//! entered, or once for other deeds), *conclude* (once, at the end). The
//! agenda holds where the lifecycle stands; a system without work is passed
//! over in place.
//!
//! A system of your own goes before or after a named one:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone_grid::schedule::{Orders, Schedule, System, Turn};
//!
//! /// Everything on row 0 pays a point to whoever stands there.
//! struct Sunshine;
//! impl System for Sunshine {
//!     fn name(&self) -> &str {
//!         "sunshine"
//!     }
//!     fn run(&self, turn: &Turn, orders: &mut Orders) {
//!         if turn.world.point(turn.agent).is_some_and(|point| point.y == 0) {
//!             orders.score(turn.agent, turn.agent, 1);
//!         }
//!     }
//! }
//!
//! let schedule = Schedule::standard().insert_after("tile_reward", Arc::new(Sunshine))?;
//! assert!(schedule.names().any(|name| name == "sunshine"));
//! # Ok::<(), turnstone_grid::error::GridError>(())
//! ```

use std::fmt;
use std::sync::Arc;

use turnstone::Proposals;

use crate::component::Mask;
use crate::effect::Effect;
use crate::error::{GridError, Result};
use crate::geometry::Cell;
use crate::listeners::Listener;
use crate::ruleset::Ruleset;
use crate::state::State;
use crate::systems;
use crate::world::{Slot, World};

/// When in a step a system runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Before anybody acts.
    Prepare,
    /// The deed itself.
    Act,
    /// After every cell entered, or once for other deeds.
    Substep,
    /// Once, at the end.
    Conclude,
}

/// A system of the user's.
pub trait System: Send + Sync {
    /// Its name in the schedule.
    fn name(&self) -> &str;
    /// Looks at the world and proposes what is to happen. Called whenever its turn comes.
    fn run(&self, turn: &Turn, orders: &mut Orders);
}

/// What a system sees.
pub struct Turn<'a> {
    /// The world as it is now.
    pub world: &'a World,
    /// The rules in force.
    pub rules: &'a Ruleset,
    /// Who acts; `NONE` before and after everybody acts together.
    pub agent: Slot,
    /// Whether no further substep of this step can follow.
    pub is_last_substep: bool,
    pub(crate) has_guests: bool,
    pub(crate) state: &'a State,
}

impl Turn<'_> {
    /// Everybody who acts in this step, in id order.
    #[inline]
    pub fn actors(&self) -> impl Iterator<Item = Slot> + '_ {
        let one = self.agent.is_some().then_some(self.agent);
        let all = if one.is_some() { &[][..] } else { &self.state.plan[..] };
        one.into_iter().chain(all.iter().map(|(agent, _)| *agent))
    }
}

/// Collects what a system proposes.
pub struct Orders<'a> {
    out: &'a mut Proposals<Effect, Listener>,
    system: u8,
    count: usize,
}

impl<'a> Orders<'a> {
    #[inline]
    pub(crate) fn new(out: &'a mut Proposals<Effect, Listener>, system: u8) -> Self {
        Self { out, system, count: 0 }
    }

    /// Proposes any effect; those of one system happen in the order proposed.
    #[inline]
    pub fn propose(&mut self, effect: Effect) {
        self.count += 1;
        self.out.first(effect);
    }

    /// How many effects were proposed so far.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Moves an entity that is on the board to another cell, whatever is there.
    pub fn shift(&mut self, who: Slot, to: Cell) {
        let system = self.system;
        self.propose(Effect::Shift { who, to, system });
    }

    /// Lets `damager` hit `target`, with all that may prevent it.
    pub fn hurt(&mut self, target: Slot, damager: Slot) {
        self.propose(Effect::Hurt { target, damager });
    }

    /// Changes the score; `source` is what pays or costs.
    pub fn score(&mut self, agent: Slot, source: Slot, amount: i32) {
        self.propose(Effect::Score { agent, source, amount });
    }
}

/// A system that comes with the game. Dispatch is a match, so that a system with nothing to do
/// costs next to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    Forget,
    SnapshotBefore,
    Moving,
    Pathfinding,
    StatusTick,
    Trail,
    Portal,
    Damage,
    TileReward,
    Snapshot,
    Win,
    Lose,
    TileCost,
    Turn,
    StatusCleanup,
    Garbage,
}

#[derive(Clone)]
pub(crate) enum Run {
    BuiltIn(BuiltIn),
    /// The deed itself.
    Deed,
    Guest(Arc<dyn System>),
}

impl Run {
    /// Lets the system propose.
    #[inline]
    pub(crate) fn order(&self, turn: &Turn, orders: &mut Orders) {
        match self {
            Self::BuiltIn(system) => system.order(turn, orders),
            Self::Deed => {}
            Self::Guest(system) => system.run(turn, orders),
        }
    }
}

impl BuiltIn {
    #[inline]
    fn order(self, turn: &Turn, orders: &mut Orders) {
        match self {
            Self::Forget => systems::forget(turn, orders),
            Self::SnapshotBefore => systems::snapshot_before(turn, orders),
            Self::Moving => systems::moving(turn, orders),
            Self::Pathfinding => systems::pathfinding(turn, orders),
            Self::StatusTick => systems::status_tick(turn, orders),
            Self::Trail => systems::trail(turn, orders),
            Self::Portal => systems::portal(turn, orders),
            Self::Damage => systems::damage(turn, orders),
            Self::TileReward => systems::tile_reward(turn, orders),
            Self::Snapshot => systems::snapshot(turn, orders),
            Self::Win => systems::win(turn, orders),
            Self::Lose => systems::lose(turn, orders),
            Self::TileCost => systems::tile_cost(turn, orders),
            Self::Turn => systems::turn(turn, orders),
            Self::StatusCleanup => systems::status_cleanup(turn, orders),
            Self::Garbage => systems::garbage(turn, orders),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Entry {
    /// Kinds without which it has no work; empty for always.
    pub needs: Mask,
    /// Its effect looks at the world only when it settles, so it can be proposed together
    /// with the work of the system before it.
    pub late: bool,
    pub stage: Stage,
    pub run: Run,
    name: Arc<str>,
}

/// The systems of a step, in order.
#[derive(Clone)]
pub struct Schedule {
    pub(crate) entries: Vec<Entry>,
    /// Where the deed stands.
    pub(crate) act: u8,
    /// Where the first substep system stands.
    pub(crate) substep: u8,
    /// Where the first concluding system stands.
    pub(crate) conclude: u8,
    pub(crate) has_guests: bool,
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self::standard()
    }
}

impl Schedule {
    /// The lifecycle as documented.
    pub fn standard() -> Self {
        use Stage::{Act, Conclude, Prepare, Substep};
        let system = |name: &str, stage, needs, system| Entry {
            name: name.into(),
            stage,
            needs,
            run: Run::BuiltIn(system),
            late: system == BuiltIn::Turn,
        };
        let always = Mask::NONE;
        let deed = Entry { name: "deed".into(), stage: Act, needs: always, run: Run::Deed, late: false };
        let entries = vec![
            system("forget", Prepare, always, BuiltIn::Forget),
            system("snapshot_before", Prepare, always, BuiltIn::SnapshotBefore),
            system("moving", Prepare, Mask::MOVING, BuiltIn::Moving),
            system("pathfinding", Prepare, Mask::PATHFINDING, BuiltIn::Pathfinding),
            system("status_tick", Prepare, Mask::TIME_LIMIT, BuiltIn::StatusTick),
            deed,
            system("trail", Substep, always, BuiltIn::Trail),
            system("portal", Substep, Mask::PORTAL, BuiltIn::Portal),
            system("damage", Substep, Mask::DAMAGER, BuiltIn::Damage),
            system("tile_reward", Substep, Mask::REWARDABLE, BuiltIn::TileReward),
            system("snapshot", Substep, always, BuiltIn::Snapshot),
            system("win", Substep, always, BuiltIn::Win),
            system("lose", Substep, always, BuiltIn::Lose),
            system("tile_cost", Conclude, Mask::COST, BuiltIn::TileCost),
            system("turn", Conclude, always, BuiltIn::Turn),
            system("status_cleanup", Conclude, Mask::STATUS, BuiltIn::StatusCleanup),
            system("garbage", Conclude, always, BuiltIn::Garbage),
        ];
        Self::from_entries(entries)
    }

    fn from_entries(entries: Vec<Entry>) -> Self {
        let first = |stage| entries.iter().take_while(|entry| entry.stage < stage).count() as u8;
        let has_guests = entries.iter().any(|entry| matches!(entry.run, Run::Guest(_)));
        let (act, substep, conclude) = (first(Stage::Act), first(Stage::Substep), first(Stage::Conclude));
        Self { act, substep, conclude, has_guests, entries }
    }

    /// The names of all systems, in running order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.name)
    }

    /// The stage of a system.
    pub fn stage(&self, name: &str) -> Option<Stage> {
        self.entries.iter().find(|entry| *entry.name == *name).map(|entry| entry.stage)
    }

    /// The name of the system at a place, for narration.
    pub fn name_at(&self, index: u8) -> &str {
        self.entries.get(index as usize).map_or("a system", |entry| &entry.name)
    }

    /// This schedule with one more system, run right before the named one and in its stage.
    ///
    /// # Errors
    /// `UNKNOWN_SYSTEM` if no system has that name, `SCHEDULE_FULL` past 200 systems.
    pub fn insert_before(self, name: &str, system: Arc<dyn System>) -> Result<Self> {
        self.insert(name, 0, system)
    }

    /// This schedule with one more system, run right after the named one and in its stage.
    ///
    /// # Errors
    /// As [`Schedule::insert_before`].
    pub fn insert_after(self, name: &str, system: Arc<dyn System>) -> Result<Self> {
        self.insert(name, 1, system)
    }

    fn insert(mut self, name: &str, offset: usize, system: Arc<dyn System>) -> Result<Self> {
        let Some(place) = self.entries.iter().position(|entry| *entry.name == *name) else {
            let known: Vec<&str> = self.names().collect();
            let message = format!("no system is named `{name}`; the names are {}", known.join(", "));
            return Err(GridError::new("UNKNOWN_SYSTEM", message));
        };
        if self.entries.len() >= 200 {
            return Err(GridError::new("SCHEDULE_FULL", "a schedule holds at most 200 systems"));
        }
        let stage = match self.entries[place].stage {
            Stage::Act if offset == 0 => Stage::Prepare,
            Stage::Act => Stage::Substep,
            stage => stage,
        };
        let name = system.name().into();
        let entry = Entry { name, stage, needs: Mask::NONE, run: Run::Guest(system), late: false };
        self.entries.insert(place + offset, entry);
        Ok(Self::from_entries(self.entries))
    }
}
