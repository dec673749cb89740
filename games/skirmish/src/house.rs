//! The rules of the house: what a table adds to recorded play.
//!
//! Recorded play lets anybody act on what he cannot see, never ends a fight in which nobody can
//! reach anybody, and knows no surrender. Those records stay as they are: a [`Setup`] made from a
//! bare state has no house rules. Every set-up that a table opens has them:
//!
//! - **Fog binds.** For whoever acts, what is out of sight does not exist: it cannot be named, and it
//!   stands in nobody's way until somebody walks into it. Such a walk stops before it.
//! - **One leads one's own.** Outside combat the heroes' seat moves heroes only.
//! - **A walk leads somewhere**, not back to the cell where it began.
//! - **Corpses make way.** One may stop on a corpse's cell if the cell before it is free: the corpse
//!   is shoved back there. So no wall of corpses keeps two sides apart for ever.
//! - **Every match ends**: after [`calm`](House::calm) rounds in which no blow between the sides drew
//!   blood, or after [`rounds`](House::rounds) rounds, the fight is drawn, which is announced before
//!   it falls; after [`stroll`](House::stroll) actions outside combat initiative is rolled.
//! - **Either side may surrender** at any time.
//! - **What is over is over**: nothing can be done any more.
//!
//! [`Setup`]: crate::Setup

use serde::{Deserialize, Serialize};

/// How long a match may go on without getting anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct House {
    /// Rounds without a blow that draws blood, after which a fight is drawn.
    pub calm: u16,
    /// Rounds after which a fight is drawn in any case.
    pub rounds: u16,
    /// Actions outside combat, after which initiative is rolled.
    pub stroll: u16,
}

impl Default for House {
    fn default() -> House {
        House { calm: 20, rounds: 200, stroll: 200 }
    }
}
