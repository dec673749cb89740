//! A move on the 8×8 board.

use super::bitboard::Square;
use super::position::{Role, castle_targets};

/// A move, with what is needed to play it without asking the board again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Any step, slide or capture.
    Normal {
        /// Who moves.
        role: Role,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
        /// Who is taken there.
        capture: Option<Role>,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// A pawn takes one that has just passed it.
    EnPassant {
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// King and rook move together.
    Castle {
        /// Where the king stands.
        king: Square,
        /// Where the rook stands.
        rook: Square,
    },
    /// A piece from the pocket.
    Drop {
        /// What is dropped.
        role: Role,
        /// To where.
        to: Square,
    },
}

impl Move {
    /// Where the move starts; a drop starts nowhere.
    pub const fn from(&self) -> Option<Square> {
        match *self {
            Move::Normal { from, .. } | Move::EnPassant { from, .. } => Some(from),
            Move::Castle { king, .. } => Some(king),
            Move::Drop { .. } => None,
        }
    }

    /// Where the moving piece ends; for castling, the king.
    pub fn to(&self) -> Square {
        match *self {
            Move::Normal { to, .. } | Move::EnPassant { to, .. } | Move::Drop { to, .. } => to,
            Move::Castle { king, rook } => castle_targets(king, rook).0,
        }
    }

    /// Who moves.
    pub const fn role(&self) -> Role {
        match *self {
            Move::Normal { role, .. } | Move::Drop { role, .. } => role,
            Move::EnPassant { .. } => Role::Pawn,
            Move::Castle { .. } => Role::King,
        }
    }

    /// Is something taken?
    pub const fn is_capture(&self) -> bool {
        matches!(self, Move::Normal { capture: Some(_), .. } | Move::EnPassant { .. })
    }

    /// What a pawn becomes.
    pub const fn promotion(&self) -> Option<Role> {
        match *self {
            Move::Normal { promotion, .. } => promotion,
            _ => None,
        }
    }
}
