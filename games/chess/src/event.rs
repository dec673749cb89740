//! Facts: what has happened.

use crate::action::Answer;
use crate::at::At;
use crate::color::Color;
use crate::effect::Tag;
use crate::piece::{Kind, Who};
use crate::plain::EndReason;
use crate::run::RunEvent;
use crate::tile::Tile;
use serde::{Deserialize, Serialize};

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A turn began.
    TurnStarted(Color, u32),
    /// A turn ended.
    TurnEnded(Color, u32),
    /// The turn passed.
    TurnAdvanced(Color, u32),
    /// A piece moved.
    Moved {
        /// Who.
        piece: Who,
        /// From where.
        from: At,
        /// To where.
        to: At,
        /// Who was swept away there: this names its death.
        displaced: Who,
        /// What a pawn is to become.
        promotion: Kind,
        /// In whose name and how.
        tag: Tag,
    },
    /// King and rook changed places.
    Castled {
        /// The king.
        king: Who,
        /// The rook.
        rook: Who,
        /// Where the king stands now.
        king_to: At,
        /// Where the rook stands now.
        rook_to: At,
    },
    /// A piece was taken.
    Captured {
        /// By whom.
        attacker: Who,
        /// From where.
        from: At,
        /// Who.
        target: Who,
        /// Where.
        at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A piece died.
    Destroyed {
        /// Who.
        target: Who,
        /// Where.
        at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A piece came onto the board.
    Placed {
        /// Who.
        piece: Who,
        /// Where.
        at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A piece became another kind.
    Changed {
        /// Who, as it was before.
        piece: Who,
        /// Where it stands.
        at: At,
        /// To what.
        to: Kind,
        /// In whose name and how.
        tag: Tag,
    },
    /// A tile changed.
    TileChanged {
        /// Where.
        at: At,
        /// From what.
        from: Tile,
        /// To what.
        to: Tile,
        /// Who lies in the tomb.
        tomb: Who,
        /// In whose name and how.
        tag: Tag,
    },
    /// A layer's charges changed.
    Charged {
        /// Whose.
        piece: Who,
        /// Where it stands.
        at: At,
        /// Which layer.
        slot: u8,
        /// How many are left or gathered.
        charges: u8,
    },
    /// A layer was answered by its owner.
    Consulted {
        /// Whose.
        piece: Who,
        /// Where it stands.
        at: At,
        /// Which layer.
        slot: u8,
        /// The answer.
        answer: Answer,
    },
    /// Somebody offered a draw; it stands until the other side has moved.
    DrawOffered(Color),
    /// Two friends changed places.
    Swapped {
        /// Who wanted it.
        piece: Who,
        /// Where it stands now.
        at: At,
        /// With whom.
        other: Who,
        /// Where that one stands now.
        other_at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A check that counts; so many are still to give.
    CheckGiven(Color, u8),
    /// A clock ran out.
    TimedOut(Color),
    /// A game was lost, says the referee.
    GameOver(Color),
    /// The game ended.
    Ended(Option<Color>, EndReason),
    /// Something of the run.
    Run(Box<RunEvent>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_stay_small() {
        assert!(size_of::<Event>() <= 32, "{}", size_of::<Event>());
    }
}
