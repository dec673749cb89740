//! Who sits where, and who is looking.

use serde::{Deserialize, Serialize};

/// A place at the table, counted from 0.
pub type Seat = u8;

/// Somebody who looks at a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Viewer {
    /// Sees everything: the referee, a replay of a finished game.
    All,
    /// A player.
    Seat(Seat),
    /// Somebody with no seat: sees only what is open to everybody.
    Spectator,
}

impl Viewer {
    /// Whether what belongs to `seat` alone is open to this viewer.
    pub fn may_see(self, seat: Seat) -> bool {
        match self {
            Viewer::All => true,
            Viewer::Seat(own) => own == seat,
            Viewer::Spectator => false,
        }
    }
}
