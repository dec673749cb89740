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
//!
//! What it must remember is part of the world, and comes back with it: saved, undone, copied.
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Game, Input, Match};
//! use turnstone_grid::action::{Action, Deed};
//! use turnstone_grid::schedule::{Orders, Schedule, System, Turn};
//! use turnstone_grid::{Grid, Setup, level::LevelFile};
//!
//! /// Who walks makes the floor wet. It dries within three steps, and wet floor costs a point.
//! struct WetFloor;
//! impl System for WetFloor {
//!     fn name(&self) -> &str {
//!         "wet_floor"
//!     }
//!     fn run(&self, turn: &Turn, orders: &mut Orders) {
//!         let here = turn.world.cell(turn.agent);
//!         if turn.recall(here.0) > 0 {
//!             orders.score(turn.agent, turn.agent, -1);
//!         }
//!         turn.memories().for_each(|(cell, wet)| orders.remember(cell, wet - 1));
//!         orders.remember(here.0, 3);
//!     }
//! }
//!
//! let schedule = Schedule::standard().insert_after("tile_reward", Arc::new(WetFloor))?;
//! let level = LevelFile::from_text("floor: 0\n\n@..E")?.to_level()?;
//! let game = Arc::new(Grid { schedule, ..Grid::default() });
//! let mut played: Match<Grid> = Match::new(game, Setup::World(level.to_document()), 0)?;
//! for deed in [Deed::Right, Deed::Left, Deed::Right] {
//!     played.act(Input::Act(Action::step(deed)))?;
//! }
//! assert_eq!(played.state().world.live.score, -1, "the first cell was wet when it was entered again");
//! played.undo();
//! assert_eq!(played.state().world.live.score, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::sync::Arc;

use turnstone::Proposals;

use crate::effect::{Effect, Memo};
use crate::error::{GridError, Result};
use crate::game::Grid;
use crate::geometry::Cell;
use crate::listeners::Listener;
use crate::reason::Reason;
use crate::rules;
use crate::rules::awake::Wakers;
use crate::ruleset::Ruleset;
use crate::state::State;
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
    pub(crate) game: &'a Grid,
    /// The system that looks, if it is one of the user's.
    pub(crate) guest: Option<&'a Arc<dyn System>>,
    pub(crate) state: &'a State,
}

impl Turn<'_> {
    /// What this system remembers under a number; 0 if nothing. See [`Orders::remember`].
    pub fn recall(&self, key: u32) -> i64 {
        self.world.recall(name_of(self.guest), key)
    }

    /// All that this system remembers, by ascending number.
    pub fn memories(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        self.world.memories(name_of(self.guest))
    }

    /// Whether the agent has reached what wins.
    #[inline]
    pub(crate) fn is_reached(&self, agent: Slot) -> bool {
        match &self.game.aim {
            Some(aim) => aim.reached(self.world, agent),
            None => self.world.cast.objective.reached(self.world, agent),
        }
    }

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
    out: &'a mut Proposals<Effect, Listener, Reason>,
    system: u8,
    guest: Option<&'a Arc<dyn System>>,
    count: usize,
}

impl<'a> Orders<'a> {
    #[inline]
    pub(crate) fn new(out: &'a mut Proposals<Effect, Listener, Reason>, system: u8) -> Self {
        Self { out, system, guest: None, count: 0 }
    }

    /// Proposes any effect; those of one system happen in the order proposed.
    #[inline]
    pub fn propose(&mut self, effect: Effect) {
        self.count += 1;
        self.out.first(effect);
    }

    /// Proposes what there is to propose.
    #[inline]
    pub(crate) fn extend(&mut self, effects: impl IntoIterator<Item = Effect>) {
        effects.into_iter().for_each(|effect| self.propose(effect));
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

    /// Remembers a number until it is changed; 0 forgets it. It belongs to the world: it is saved,
    /// undone, copied and compared with it. [`Turn::recall`] reads it back.
    pub fn remember(&mut self, key: u32, value: i64) {
        let system = name_of(self.guest).to_string();
        self.propose(Effect::Remember(Box::new(Memo { system, key, value })));
    }

    /// Changes the score; `source` is what pays or costs.
    pub fn score(&mut self, agent: Slot, source: Slot, amount: i32) {
        self.propose(Effect::Score { agent, source, amount });
    }
}

/// A system that comes with the game. Its number is its place in the standard schedule, where the deed has one, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    Forget,
    SnapshotBefore,
    Moving,
    Pathfinding,
    StatusTick,
    Trail = 6,
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
    fn wakers(&self) -> Wakers {
        match self {
            Self::BuiltIn(system) => Wakers::of(*system),
            Self::Deed => Wakers::DEED,
            Self::Guest(_) => Wakers::ALWAYS,
        }
    }

    /// Whether nothing it proposes gives another system work: points and the count of turns.
    #[inline]
    pub(crate) fn wakes_nobody(&self) -> bool {
        matches!(self, Self::BuiltIn(BuiltIn::TileCost | BuiltIn::Turn))
    }

    /// Lets the system propose.
    #[inline]
    pub(crate) fn order(&self, turn: &Turn, orders: &mut Orders) {
        match self {
            Self::BuiltIn(system) => system.order(turn, orders),
            Self::Deed => {}
            Self::Guest(system) => run_guest(system, turn, orders),
        }
    }
}

#[inline(never)]
fn run_guest(system: &Arc<dyn System>, turn: &Turn, orders: &mut Orders) {
    let guest = Some(system);
    let turn = Turn { guest, ..*turn };
    let mut named = Orders { out: &mut *orders.out, guest, ..*orders };
    system.run(&turn, &mut named);
    orders.count = named.count;
}

fn name_of(guest: Option<&Arc<dyn System>>) -> &str {
    guest.map_or("", |system| system.name())
}

impl BuiltIn {
    #[inline]
    fn order(self, turn: &Turn, orders: &mut Orders) {
        match self {
            Self::Forget => rules::forget(turn, orders),
            Self::SnapshotBefore => rules::snapshot_before(turn, orders),
            Self::Moving => rules::moving(turn, orders),
            Self::Pathfinding => rules::pathfinding(turn, orders),
            Self::StatusTick => rules::status_tick(turn, orders),
            Self::Trail => rules::trail(turn, orders),
            Self::Portal => rules::portal(turn, orders),
            Self::Damage => rules::damage(turn, orders),
            Self::TileReward => rules::tile_reward(turn, orders),
            Self::Snapshot => rules::snapshot(turn, orders),
            Self::Win => rules::win(turn, orders),
            Self::Lose => rules::lose(turn, orders),
            Self::TileCost => rules::tile_cost(turn, orders),
            Self::Turn => rules::turn(turn, orders),
            Self::StatusCleanup => rules::status_cleanup(turn, orders),
            Self::Garbage => rules::garbage(turn, orders),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Entry {
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
    /// For each entry, when it has to be asked: kept apart, so that passing over is a quick walk.
    wakers: Vec<Wakers>,
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
        let entry = |name: &str, stage, run| Entry { name: name.into(), stage, run, late: false };
        let system = |name: &str, stage, system| entry(name, stage, Run::BuiltIn(system));
        let late = |entry| Entry { late: true, ..entry };
        Self::from_entries(vec![
            system("forget", Prepare, BuiltIn::Forget),
            system("snapshot_before", Prepare, BuiltIn::SnapshotBefore),
            system("moving", Prepare, BuiltIn::Moving),
            system("pathfinding", Prepare, BuiltIn::Pathfinding),
            system("status_tick", Prepare, BuiltIn::StatusTick),
            entry("deed", Act, Run::Deed),
            system("trail", Substep, BuiltIn::Trail),
            system("portal", Substep, BuiltIn::Portal),
            system("damage", Substep, BuiltIn::Damage),
            system("tile_reward", Substep, BuiltIn::TileReward),
            system("snapshot", Substep, BuiltIn::Snapshot),
            system("win", Substep, BuiltIn::Win),
            system("lose", Substep, BuiltIn::Lose),
            system("tile_cost", Conclude, BuiltIn::TileCost),
            late(system("turn", Conclude, BuiltIn::Turn)),
            system("status_cleanup", Conclude, BuiltIn::StatusCleanup),
            system("garbage", Conclude, BuiltIn::Garbage),
        ])
    }

    fn from_entries(entries: Vec<Entry>) -> Self {
        let first = |stage| entries.iter().take_while(|entry| entry.stage < stage).count() as u8;
        let has_guests = entries.iter().any(|entry| matches!(entry.run, Run::Guest(_)));
        let (act, substep, conclude) = (first(Stage::Act), first(Stage::Substep), first(Stage::Conclude));
        let wakers = entries.iter().map(|entry| entry.run.wakers()).collect();
        Self { act, substep, conclude, has_guests, entries, wakers }
    }

    /// The place of the first system from `at` on, and before `end`, that has to be asked.
    #[inline]
    pub(crate) fn next_awake(&self, at: u8, end: u8, awake: Wakers) -> Option<u8> {
        if self.has_guests {
            return self.next_among_guests(at, end, awake);
        }
        awake.first_place(at, end)
    }

    /// With guests among them systems have other places than their numbers.
    #[inline(never)]
    fn next_among_guests(&self, at: u8, end: u8, awake: Wakers) -> Option<u8> {
        let end = usize::from(end).min(self.wakers.len());
        let ahead = self.wakers.get(usize::from(at)..end)?;
        let passed = ahead.iter().position(|wakers| wakers.any(awake))?;
        Some(at + passed as u8)
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
    pub(crate) fn name_at(&self, index: u8) -> &str {
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
        let entry = Entry { name, stage, run: Run::Guest(system), late: false };
        self.entries.insert(place + offset, entry);
        Ok(Self::from_entries(self.entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is awake is found by places, which are the numbers of the systems only as long as there are no guests.
    #[test]
    fn places_are_the_numbers_of_systems() {
        let schedule = Schedule::standard();
        for (place, wakers) in schedule.wakers.iter().enumerate() {
            let place = place as u8;
            assert_eq!(wakers.first_place(0, 17), Some(place), "{}", schedule.name_at(place));
        }
        let all = Wakers::of_kinds(crate::component::Mask(u32::MAX));
        for at in 0..=20 {
            for end in 0..=20 {
                let known = schedule.next_awake(at, end, all);
                assert_eq!(known, schedule.next_among_guests(at, end, all), "from {at} to {end}");
            }
        }
    }
}
