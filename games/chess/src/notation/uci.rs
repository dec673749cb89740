//! Moves as chess programs write them: `e2e4`, `e7e8q`, `P@e4`; castling as
//! the king's step, or as king takes rook in Chess960.

use crate::error::BadInput;
use crate::plain::{Move, Position, Role, Square, Variant};

impl Position {
    /// Writes a move in UCI's long algebraic notation.
    pub fn to_uci(&self, mv: &Move) -> String {
        match *mv {
            Move::Drop { role, to } => format!("{}@{to}", role.letter()),
            Move::Castle { king, rook } if self.castles_as_960(king, rook) => format!("{king}{rook}"),
            Move::Castle { king, .. } => format!("{king}{}", mv.to()),
            Move::Normal { from, to, promotion: Some(role), .. } => {
                format!("{from}{to}{}", role.letter().to_ascii_lowercase())
            }
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => format!("{from}{to}"),
        }
    }

    /// [`to_uci`](Self::to_uci), but castling is always written as king takes rook.
    pub fn to_uci_960(&self, mv: &Move) -> String {
        match mv {
            Move::Castle { king, rook } => format!("{king}{rook}"),
            _ => self.to_uci(mv),
        }
    }

    /// Does the king's own step fail to name this castling?
    fn castles_as_960(&self, king: Square, rook: Square) -> bool {
        self.variant() == Variant::Chess960 || king.file() != 4 || !matches!(rook.file(), 0 | 7)
    }

    /// Reads a legal move; both ways of writing castling are understood.
    ///
    /// # Errors
    /// `uci.syntax` for what is no move at all, `move.illegal` for one that is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, BadInput> {
        let wanted = Uci::parse(text).ok_or_else(|| {
            BadInput::new("uci.syntax", text, "This is no UCI move; write e.g. e2e4, e7e8q or N@f3.")
        })?;
        self.legal().into_iter().find(|mv| wanted.means(mv)).ok_or_else(|| {
            BadInput::new(
                "move.illegal",
                text,
                format!("{text} is not legal here; {} is to move.", self.turn()),
            )
        })
    }
}

enum Uci {
    Drop(Role, Square),
    Step(Square, Square, Option<Role>),
}

impl Uci {
    fn parse(text: &str) -> Option<Uci> {
        if let Some((role, to)) = text.split_once('@') {
            let mut letters = role.chars();
            let role = Role::from_letter(letters.next()?)?;
            return letters.next().is_none().then_some(Uci::Drop(role, Square::parse(to)?));
        }
        let from = Square::parse(text.get(0..2)?)?;
        let to = Square::parse(text.get(2..4)?)?;
        let mut rest = text.get(4..)?.chars();
        let promotion = match rest.next() {
            None => None,
            Some(letter) => Some(Role::from_letter(letter)?),
        };
        rest.next().is_none().then_some(Uci::Step(from, to, promotion))
    }

    fn means(&self, mv: &Move) -> bool {
        match (self, *mv) {
            (Uci::Drop(role, to), Move::Drop { role: dropped, to: at }) => *role == dropped && *to == at,
            (Uci::Step(from, to, None), Move::Castle { king, rook }) => {
                *from == king && (*to == rook || (*to == mv.to() && king.file().abs_diff(to.file()) >= 2))
            }
            (Uci::Step(from, to, promotion), Move::Normal { from: a, to: b, promotion: p, .. }) => {
                (*from, *to, *promotion) == (a, b, p)
            }
            (Uci::Step(from, to, None), Move::EnPassant { from: a, to: b }) => (*from, *to) == (a, b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_is_read_back() {
        let fens = [
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", Variant::Standard),
            ("nqnrbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQNRBKRB w KQkq - 0 1", Variant::Chess960),
            ("4k3/1P6/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", Variant::Crazyhouse),
        ];
        for (fen, variant) in fens {
            let position = Position::from_fen(fen, variant).unwrap();
            for mv in position.legal() {
                assert_eq!(position.parse_uci(&position.to_uci(&mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn both_ways_of_castling_are_read() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant::Standard).unwrap();
        assert_eq!(position.parse_uci("e1g1"), position.parse_uci("e1h1"));
        assert_eq!(position.parse_uci("e1e9").unwrap_err().code, "uci.syntax");
        assert_eq!(position.parse_uci("e1e3").unwrap_err().code, "move.illegal");
    }
}
