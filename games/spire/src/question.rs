//! What players are asked, and what they answer.

use crate::catalog::compile::Program;
use crate::effect::Ctx;
use crate::run;
use crate::state::Slot;
use serde::{Deserialize, Serialize};

/// What the player is asked: about the run, or about the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// About the run.
    Run(run::action::Question),
    /// About the fight.
    Fight(Question),
}

/// What the player answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The number of a card, an offer or a cell.
    Run(u16),
    /// One pick in the fight.
    Fight(Answer),
}

/// What the player is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Pick cards for a step.
    Cards {
        /// Which step.
        program: Program,
        /// Which step of it.
        pc: u8,
        /// Its memory.
        ctx: Ctx,
        /// At least so many.
        min: u8,
        /// At most so many.
        max: u8,
    },
    /// Take one of the cards on offer.
    Offer {
        /// Or none.
        skippable: bool,
    },
    /// Take one of several lists of steps.
    Option {
        /// How many.
        count: u8,
        /// Which step.
        program: Program,
        /// Which step of it.
        pc: u8,
    },
}

/// One pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// This card.
    Pick(Slot),
    /// No more.
    Done,
    /// The option with this number.
    Option(u8),
}
