//! Proposed changes, as they travel the queue and wait on the agenda.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::action::Deed;
use crate::geometry::{Cell, Direction};
use crate::world::Slot;

/// A few entities that share a fate.
pub type Group = SmallVec<[Slot; 4]>;

/// Agents and what they do, in id order.
pub type Deeds = SmallVec<[(Slot, Deed); 4]>;

/// Where the lifecycle of a step stands: the systems from `at` up to `end` are still to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Who acts; nobody in particular while everybody acts together.
    pub agent: Slot,
    /// What it does.
    pub deed: Deed,
    /// The next system of the schedule.
    pub at: u8,
    /// The system to stop before.
    pub end: u8,
}

/// What a system of the user's is to remember, or has remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Memo {
    /// The system, by name.
    pub system: String,
    /// Under which number: often a cell's or an entity's.
    pub key: u32,
    /// What; 0 is as if it had never been.
    pub value: i64,
}

/// A proposed change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Agenda: run the systems of the schedule from here.
    Run(Cursor),
    /// Agenda: one of the moves of a move action, evaluated on the world as it then is.
    Submove {
        /// Who moves.
        agent: Slot,
        /// Where to.
        direction: Direction,
        /// Moves left, this one included.
        left: i32,
    },
    /// Agenda: one cell of a move, and the systems after it.
    Attempt {
        /// Who moves.
        agent: Slot,
        /// The cell to enter.
        cell: Cell,
    },
    /// Remember how things stand before one cell of a longer move.
    BeginSubstep,
    /// Forget the hits and trails of the step before.
    Forget,
    /// Take a snapshot of all positions.
    NotePositions,
    /// A mover takes its steps; without a plan it looks when its turn comes.
    Patrol {
        /// Who walks.
        mover: Slot,
        /// Steps, and whether it is then stopped, if that was fixed before.
        plan: Option<(u32, bool)>,
    },
    /// A hunter takes its step.
    Hunt {
        /// Who hunts.
        hunter: Slot,
    },
    /// An effect's time runs.
    Tick {
        /// Who bears it.
        bearer: Slot,
        /// The effect.
        effect: Slot,
    },
    /// An effect is used once.
    Spend {
        /// Who bears it.
        bearer: Slot,
        /// The effect.
        effect: Slot,
    },
    /// The wind blows.
    Blow {
        /// Where to.
        drift: Direction,
    },
    /// An agent pushes what lies in a cell, and follows.
    Push {
        /// Who pushes.
        agent: Slot,
        /// The cell of the things.
        cell: Cell,
    },
    /// An agent walks into a cell.
    Walk {
        /// Who walks.
        agent: Slot,
        /// The cell, `NONE` for one outside the grid.
        to: Cell,
        /// Through anything.
        phased: bool,
    },
    /// Open a lock with a fitting key.
    Unlock {
        /// Who has the key.
        agent: Slot,
        /// The locked entity.
        lock: Slot,
    },
    /// Pick something up.
    Collect {
        /// Who picks up.
        agent: Slot,
        /// The thing.
        item: Slot,
    },
    /// Record an agent in the trail of its cell.
    Track {
        /// Who is recorded.
        agent: Slot,
    },
    /// Send what entered a portal to its pair.
    Teleport {
        /// The portal.
        portal: Slot,
        /// Those who may have entered, in id order.
        entrants: Box<Group>,
    },
    /// A damager meets a target.
    Hurt {
        /// Who is hit.
        target: Slot,
        /// What hits.
        damager: Slot,
    },
    /// An effect takes a hit in its bearer's place.
    Negate {
        /// Who would have been hit.
        target: Slot,
        /// What would have hit.
        damager: Slot,
        /// What took it.
        effect: Slot,
    },
    /// Points change hands.
    Score {
        /// Who stands there.
        agent: Slot,
        /// What pays or costs.
        source: Slot,
        /// The change of the score.
        amount: i32,
    },
    /// A system of the user's moves an entity.
    Shift {
        /// What moves.
        who: Slot,
        /// Where to.
        to: Cell,
        /// The system, by its place in the schedule.
        system: u8,
    },
    /// The objective is reached.
    Win {
        /// By whom.
        agent: Slot,
    },
    /// An acting agent is dead.
    Lose {
        /// Who.
        agent: Slot,
    },
    /// Count the turn.
    EndTurn,
    /// An effect leaves a status.
    Shed {
        /// Who bore it.
        bearer: Slot,
        /// The effect.
        effect: Slot,
    },
    /// Look through what lies nowhere.
    Sweep,
    /// An entity nobody holds and no cell has.
    Erase {
        /// Which.
        entity: Slot,
    },
    /// A rival gives up.
    Resign {
        /// Who.
        agent: Slot,
    },
    /// A system of the user's remembers a number.
    Remember(Box<Memo>),
    /// Everybody says what he does.
    Declare {
        /// Agents and deeds, in id order.
        deeds: Box<Deeds>,
    },
}

// Effects travel by value; rare lists are boxed so that the common ones stay small.
const _: () = assert!(size_of::<Effect>() <= 16);
