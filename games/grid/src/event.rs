//! Facts: what happened in a step, each with what is needed to write it.

use serde::{Deserialize, Serialize};

use crate::effect::{Deeds, Group};
use crate::geometry::{Cell, Direction};
use crate::world::Slot;

/// Where a collected item went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pocket {
    /// Among the active effects.
    Status,
    /// Among the carried items.
    Inventory,
    /// Nowhere: it was only worth points.
    Nowhere,
}

/// A fact. Entities are named by slot, their rank among the ids of the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The hits and trails of the step before were forgotten.
    Forgotten,
    /// A snapshot of all positions was taken.
    PositionsNoted,
    /// One cell of a longer move began.
    SubstepBegan {
        /// Whether the whole world was remembered, to see whether anything changes.
        remembered: bool,
    },
    /// Everybody said what he does.
    Declared {
        /// Agents and deeds, in id order.
        deeds: Box<Deeds>,
    },
    /// A mover walked and perhaps was stopped.
    Patrolled {
        /// Who walked.
        mover: Slot,
        /// Cells walked.
        steps: u32,
        /// Whether something stopped it then.
        stopped: bool,
    },
    /// A hunter took a step.
    Hunted {
        /// Who hunts.
        hunter: Slot,
        /// The cell it entered.
        to: Cell,
    },
    /// An effect's time ran.
    Ticked {
        /// Who bears it.
        bearer: Slot,
        /// The effect.
        effect: Slot,
        /// Steps left.
        left: i32,
    },
    /// An effect was used once.
    Spent {
        /// Who bears it.
        bearer: Slot,
        /// The effect.
        effect: Slot,
        /// Uses left.
        left: i32,
    },
    /// The wind blew.
    Blew {
        /// Where to.
        drift: Direction,
    },
    /// An agent pushed things and followed them.
    Pushed {
        /// Who pushed.
        agent: Slot,
        /// What was pushed, in id order.
        things: Box<Group>,
        /// The cell they lay in, where the agent is now.
        from: Cell,
        /// The cell they lie in now.
        to: Cell,
        /// Whether they left a trail.
        trail: bool,
    },
    /// An agent walked.
    Walked {
        /// Who walked.
        agent: Slot,
        /// The cell it entered.
        to: Cell,
    },
    /// An agent tried to move and stayed.
    Bumped {
        /// Who tried.
        agent: Slot,
        /// The cell it did not enter, `NONE` for one outside the grid.
        against: Cell,
    },
    /// A lock was opened; the key is used up.
    Unlocked {
        /// Who opened it.
        agent: Slot,
        /// What was locked.
        lock: Slot,
        /// The key.
        key: Slot,
    },
    /// Something was picked up.
    Collected {
        /// Who picked it up.
        agent: Slot,
        /// The thing.
        item: Slot,
        /// Where it went.
        pocket: Pocket,
        /// Points for it.
        reward: i32,
    },
    /// An agent that did not move was recorded in the trail of its cell.
    Tracked {
        /// Who.
        agent: Slot,
    },
    /// Things went through a portal.
    Teleported {
        /// The portal.
        portal: Slot,
        /// What went through, in id order.
        who: Box<Group>,
        /// The cell of the other end.
        to: Cell,
    },
    /// A target was hit.
    Hurt {
        /// Who was hit.
        target: Slot,
        /// What hit.
        damager: Slot,
        /// Health left.
        health: i32,
        /// Whether it died of it.
        died: bool,
    },
    /// An effect took a hit in its bearer's place.
    Negated {
        /// Who was spared.
        target: Slot,
        /// What would have hit.
        damager: Slot,
        /// What took it.
        effect: Slot,
        /// Uses left, if they are limited.
        left: Option<i32>,
    },
    /// Points were given or taken.
    Scored {
        /// Who stands there.
        agent: Slot,
        /// What paid or cost.
        source: Slot,
        /// The change of the score.
        amount: i32,
    },
    /// A system of the user's moved an entity.
    Shifted {
        /// What moved.
        who: Slot,
        /// Where to.
        to: Cell,
        /// The system, by its place in the schedule.
        system: u8,
    },
    /// The objective was reached.
    Won {
        /// By whom.
        agent: Slot,
    },
    /// An acting agent is dead.
    Lost {
        /// Who.
        agent: Slot,
    },
    /// The step is over.
    TurnEnded {
        /// Whether time ran out, or nobody is left to act.
        lost: bool,
        /// Whose turn is next, where agents take turns.
        next: Slot,
    },
    /// An effect ended.
    Expired {
        /// Who bore it.
        bearer: Slot,
        /// The effect.
        effect: Slot,
    },
    /// What lies nowhere was looked through.
    Swept,
    /// An entity that nobody held ceased to exist.
    Vanished {
        /// Which.
        entity: Slot,
    },
}

impl Event {
    /// The highest slot the fact names, for a look whether it can be about this world at all.
    #[inline]
    pub(crate) fn highest_slot(&self) -> u32 {
        match *self {
            Self::Walked { agent: one, .. }
            | Self::Bumped { agent: one, .. }
            | Self::Tracked { agent: one }
            | Self::Patrolled { mover: one, .. }
            | Self::Hunted { hunter: one, .. }
            | Self::Shifted { who: one, .. }
            | Self::Won { agent: one }
            | Self::Lost { agent: one }
            | Self::Vanished { entity: one } => one.0,
            Self::Scored { agent: one, source: two, .. }
            | Self::Ticked { bearer: one, effect: two, .. }
            | Self::Spent { bearer: one, effect: two, .. }
            | Self::Hurt { target: one, damager: two, .. }
            | Self::Collected { agent: one, item: two, .. }
            | Self::Expired { bearer: one, effect: two } => one.0.max(two.0),
            Self::Unlocked { agent: one, lock: two, key: three }
            | Self::Negated { target: one, damager: two, effect: three, .. } => one.0.max(two.0).max(three.0),
            Self::Pushed { agent: one, things: ref group, .. }
            | Self::Teleported { portal: one, who: ref group, .. } => {
                group.iter().fold(one.0, |highest, slot| highest.max(slot.0))
            }
            Self::Declared { ref deeds } => deeds.iter().fold(0, |highest, (slot, _)| highest.max(slot.0)),
            Self::TurnEnded { next, .. } if next.is_some() => next.0,
            Self::TurnEnded { .. }
            | Self::Forgotten
            | Self::PositionsNoted
            | Self::SubstepBegan { .. }
            | Self::Blew { .. }
            | Self::Swept => 0,
        }
    }
}

const _: () = assert!(size_of::<Event>() <= 32);
