//! Standard algebraic notation: `Nbd7`, `exd6`, `O-O`, `e8=Q+`, `N@f3#`.

use crate::error::BadInput;
use crate::plain::{Move, Position, Role};

impl Position {
    /// Writes a legal move, as short as it stays unambiguous, with `+` or `#`.
    pub fn to_san(&self, mv: &Move) -> String {
        let mut text = self.san_body(mv, &self.legal());
        let next = self.after(mv);
        // Whatever wins is marked as mate is; a drawn race is not.
        let won = |end: crate::plain::End| end.winner.is_some();
        if next.variant_end().is_some_and(won) || (!next.has_legal_move() && won(next.no_moves())) {
            text.push('#');
        } else if next.in_check() {
            text.push('+');
        }
        text
    }

    fn san_body(&self, mv: &Move, legal: &[Move]) -> String {
        match *mv {
            Move::Castle { king, rook } => (if rook > king { "O-O" } else { "O-O-O" }).to_owned(),
            Move::Drop { role: Role::Pawn, to } => format!("@{to}"),
            Move::Drop { role, to } => format!("{}@{to}", role.letter()),
            Move::EnPassant { from, to } => format!("{}x{to}", (b'a' + from.file()) as char),
            Move::Normal { role: Role::Pawn, from, to, capture, promotion } => {
                let file = (b'a' + from.file()) as char;
                let mut text = if capture.is_some() { format!("{file}x{to}") } else { to.to_string() };
                if let Some(role) = promotion {
                    text.push('=');
                    text.push(role.letter());
                }
                text
            }
            Move::Normal { role, to, capture, .. } => {
                let takes = if capture.is_some() { "x" } else { "" };
                format!("{}{}{takes}{to}", role.letter(), disambiguation(mv, legal))
            }
        }
    }

    /// Reads a legal move; checks and annotations at the end may be missing or wrong.
    ///
    /// # Errors
    /// `san.illegal` if no legal move is written so, `san.ambiguous` if several are.
    ///
    /// ```
    /// use turnstone_chess::plain::{Position, Variant};
    /// let position = Position::start(Variant::Standard);
    /// let mv = position.parse_san("Nf3").unwrap();
    /// assert_eq!(position.to_uci(&mv), "g1f3");
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, BadInput> {
        let wanted = normal(text);
        let legal = self.legal();
        if let Some(mv) = legal.iter().find(|mv| self.san_body(mv, &legal).replace('=', "") == wanted) {
            return Ok(*mv);
        }
        // Longer than needed: `Ng1f3`, `e2e4`, `e2xd3`.
        let mut fitting = legal.iter().filter(|mv| fits(mv, &wanted));
        let found = fitting.next().ok_or_else(|| {
            BadInput::new(
                "san.illegal",
                text,
                format!("{text} is not legal here; {} is to move.", self.turn()),
            )
        })?;
        match fitting.next() {
            None => Ok(*found),
            Some(_) => Err(BadInput::new(
                "san.ambiguous",
                text,
                format!("{text} could be several moves; add the square it starts from."),
            )),
        }
    }
}

/// Without annotations, with letters O for castling, without the sign of promotion.
fn normal(text: &str) -> String {
    let text = text.trim_end_matches(['+', '#', '!', '?']).replace('=', "");
    if text.starts_with('0') { text.replace('0', "O") } else { text }
}

/// The least of file, rank or both that names the mover among its like.
fn disambiguation(mv: &Move, legal: &[Move]) -> String {
    let (Some(from), role, to) = (mv.from(), mv.role(), mv.to()) else { return String::new() };
    let rivals: Vec<_> = legal
        .iter()
        .filter(|other| matches!(other, Move::Normal { .. }) && other.role() == role && other.to() == to)
        .filter_map(Move::from)
        .filter(|square| *square != from)
        .collect();
    let file = (b'a' + from.file()) as char;
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file.to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

fn fits(mv: &Move, wanted: &str) -> bool {
    let (Some(from), false) = (mv.from(), matches!(mv, Move::Castle { .. })) else { return false };
    let mut rest = wanted;
    if mv.role() != Role::Pawn {
        let Some(after) = rest.strip_prefix(mv.role().letter()) else { return false };
        rest = after;
    }
    if let Some(role) = mv.promotion() {
        let Some(before) = rest.strip_suffix(role.letter()) else { return false };
        rest = before;
    }
    let Some(origin) = rest.strip_suffix(&mv.to().to_string()) else { return false };
    let origin = if mv.is_capture() { origin.trim_end_matches('x') } else { origin };
    let name = from.to_string();
    origin.is_empty() || origin == name || origin == &name[..1] || origin == &name[1..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Variant;

    #[test]
    fn every_legal_move_is_read_back() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "4k3/8/8/Q2Q4/8/8/8/Q2QK3 w - - 0 1",
        ];
        for fen in fens {
            let position = Position::from_fen(fen, Variant::Standard).unwrap();
            for mv in position.legal() {
                assert_eq!(position.parse_san(&position.to_san(&mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn ambiguity_is_named_or_resolved() {
        let position = Position::from_fen("4k3/Q7/8/8/8/8/8/Q3K1Q1 w - - 0 1", Variant::Standard).unwrap();
        assert_eq!(position.parse_san("Qd4").unwrap_err().code, "san.ambiguous");
        assert_eq!(position.to_san(&position.parse_uci("a1d4").unwrap()), "Qa1d4");
        assert_eq!(position.parse_san("Kf9").unwrap_err().code, "san.illegal");
    }

    #[test]
    fn mate_is_marked() {
        let position = Position::from_fen(
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
            Variant::Standard,
        )
        .unwrap();
        assert_eq!(position.to_san(&position.parse_uci("d8h4").unwrap()), "Qh4#");
    }
}
