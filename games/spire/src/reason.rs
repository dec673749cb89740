//! Why a number is what it is: the notes beside events and proposals.

use crate::effect::Source;
use crate::rules::numbers::Acting;
use crate::state::Slot;
use serde::{Deserialize, Serialize};

/// Who made or changed a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// What it began with, before anybody changed it.
    Base {
        /// Whose it is.
        by: u8,
        /// The card, if it is one's.
        card: Slot,
    },
    /// The cost that is printed on a card.
    Cost {
        /// The card.
        card: Slot,
    },
    /// The energy of every turn.
    Energy,
    /// Of the block of the turn before, none.
    Left,
    /// A power, relic, stance, card or monster.
    Changed {
        /// Whose.
        owner: u8,
        /// What.
        source: Source,
    },
    /// What several of them did when it was set off, and would not do alike any more.
    Earlier,
    /// Whoever stands behind the player hits harder.
    Behind,
    /// Block took it.
    Block,
    /// There is no more, or no less.
    Limit,
    /// The level of ascension.
    Ascension,
    /// Something that lasts as long as the fight.
    Fight,
    /// Something that lasts as long as the turn.
    Turn,
    /// The thing's own rule.
    Own,
}

impl Reason {
    /// Somebody who acts.
    pub fn of(acting: &Acting<'_>) -> Self {
        Reason::Changed { owner: acting.ctx.owner, source: acting.ctx.source }
    }
}
