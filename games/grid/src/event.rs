//! Facts: what happened in a step, each with what is needed to write it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::Deed;
use crate::effect::{Deeds, Group, Memo};
use crate::geometry::{Direction, Spot};
use crate::world::Slot;

/// Where a collected item went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pocket {
    /// Among the active effects.
    Status,
    /// Among the carried items.
    Inventory,
    /// Nowhere: it was only worth points.
    Nowhere,
}

/// A fact. Cells are named by column and row, entities by slot: that is the id in all worlds but those
/// whose ids lie far apart, where it is the rank among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
        #[schemars(with = "Vec<(Slot, Deed)>")]
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
        to: Spot,
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
        #[schemars(with = "Vec<Slot>")]
        things: Box<Group>,
        /// The cell they lay in, where the agent is now.
        from: Spot,
        /// The cell they lie in now.
        to: Spot,
        /// Whether they left a trail.
        trail: bool,
    },
    /// An agent walked.
    Walked {
        /// Who walked.
        agent: Slot,
        /// The cell it entered.
        to: Spot,
    },
    /// An agent tried to move and stayed.
    Bumped {
        /// Who tried.
        agent: Slot,
        /// The cell it did not enter, none for one outside the grid.
        against: Spot,
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
        #[schemars(with = "Vec<Slot>")]
        who: Box<Group>,
        /// The cell of the other end.
        to: Spot,
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
        to: Spot,
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
    /// A rival gave up.
    Resigned {
        /// Who.
        agent: Slot,
        /// Whose turn is next, where agents take turns.
        next: Slot,
    },
    /// A system of the user's remembered a number.
    Remembered(Box<Memo>),
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
            Self::Resigned { agent, next } if next.is_some() => agent.0.max(next.0),
            Self::Resigned { agent, .. } => agent.0,
            Self::TurnEnded { next, .. } if next.is_some() => next.0,
            Self::TurnEnded { .. }
            | Self::Remembered(_)
            | Self::Forgotten
            | Self::PositionsNoted
            | Self::SubstepBegan { .. }
            | Self::Blew { .. }
            | Self::Swept => 0,
        }
    }
}

const _: () = assert!(size_of::<Event>() <= 32);
