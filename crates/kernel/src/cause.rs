//! What followed from what.

use serde::{Deserialize, Serialize};

/// What an effect or event followed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The action that was declared.
    #[default]
    Action,
    /// Nothing was left to do, and [`Game::idle`](crate::Game::idle) proposed more.
    Idle,
    /// The event with this serial number.
    Event(u32),
}

/// Why something was proposed: what it followed from, and the listener that wanted it, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause<L> {
    /// The action or event it followed from.
    pub after: Origin,
    /// The listener that proposed it; `None` for the rules themselves.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub by: Option<L>,
}

fn none<T>() -> Option<T> {
    None
}

impl<L> Cause<L> {
    /// The rules themselves, after this.
    pub(crate) fn rules(after: Origin) -> Self {
        Cause { after, by: None }
    }
}

/// An effect under way, with what the kernel must remember of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item<E, L> {
    pub effect: E,
    pub cause: Cause<L>,
    /// Nonzero if something depends on this effect.
    pub ticket: u32,
    /// Nonzero if this effect depends on the one with that ticket.
    pub needs: u32,
    /// Nonzero if listeners have acted on this effect or on what it replaced: an index into the acts of the flow.
    pub lineage: u32,
}
