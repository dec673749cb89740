//! What players declare.

use crate::run;
use crate::state::Slot;
use serde::{Deserialize, Serialize};

/// What a player declares: something of the run, or of the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Of the run.
    Run(run::action::Action),
    /// Of the fight.
    Fight(Action),
}

/// What a player declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Begin the prepared fight.
    Begin,
    /// Play a card from the hand, at an enemy if it asks for one.
    Play {
        /// The card.
        card: Slot,
        /// The enemy's number, 1 and up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<u8>,
    },
    /// Use a potion.
    Potion {
        /// Its slot, counted from 0.
        index: u8,
        /// The enemy's number, 1 and up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<u8>,
    },
    /// Throw a potion away.
    Toss {
        /// Its slot, counted from 0.
        index: u8,
    },
    /// End the turn.
    EndTurn,
    /// Leave a finished fight, where the ruleset has that as a step of its own.
    Leave,
}
