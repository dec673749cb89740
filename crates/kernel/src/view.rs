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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_seat_is_open_to_that_seat_and_to_the_referee() {
        let open = |viewer: Viewer| [0, 1].map(|seat| viewer.may_see(seat));
        assert_eq!(open(Viewer::All), [true, true]);
        assert_eq!(open(Viewer::Seat(1)), [false, true]);
        assert_eq!(open(Viewer::Spectator), [false, false]);
    }
}
