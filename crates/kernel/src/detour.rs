//! The trace besides the log: what did not simply happen, and who saw to it.

use serde::{Deserialize, Serialize};

use crate::cause::Cause;
use crate::game::Game;

/// An effect that did not simply happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detour<E, L> {
    /// The serial number of the next fact then: the detour stands before that fact.
    pub serial: u32,
    /// The effect in question, as it was before.
    pub effect: E,
    /// Why the effect had been proposed.
    pub cause: Cause<L>,
    /// What became of it.
    pub fate: Fate<E, L>,
}

/// What became of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fate<E, L> {
    /// A listener changed it; it may still happen.
    Altered {
        /// Who.
        by: L,
        /// Into what.
        to: E,
    },
    /// A listener put others in its place.
    Replaced {
        /// Who.
        by: L,
        /// By what.
        with: Vec<E>,
    },
    /// A listener prevented it.
    Cancelled {
        /// Who.
        by: L,
    },
    /// It made no sense any more.
    Stale,
    /// It stood for nothing at that moment.
    Nothing,
    /// What it depended on did not happen.
    Unmet,
    /// It was taken off the agenda.
    Withdrawn,
}

/// [`Detour`] of game `G`.
pub type DetourOf<G> = Detour<<G as Game>::Effect, <G as Game>::Listener>;
