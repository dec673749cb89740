//! Forsyth–Edwards notation, with X-FEN and Shredder castling rights, the
//! pocket of Crazyhouse and the counters of Three-check.

use crate::color::Color;
use crate::error::BadInput;
use crate::plain::{Bitboard, Position, Role, Square, Variant, back_rank};
use std::fmt::Write as _;

/// How castling rights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastlingStyle {
    /// `KQkq`, and the file's letter where that would be ambiguous.
    #[default]
    XFen,
    /// Always the file's letter.
    Shredder,
}

fn bad(code: &str, place: impl std::fmt::Display, reason: impl std::fmt::Display) -> BadInput {
    BadInput::new(code, place, reason)
}

impl Position {
    /// The position in which games of this variant start.
    pub fn start(variant: Variant) -> Position {
        // The texts are our own and a test reads each of them.
        Position::from_fen(variant.start_fen(), variant).unwrap_or(Position::empty(variant))
    }

    /// Reads a FEN; missing trailing fields take their usual values.
    ///
    /// # Errors
    /// A code beginning with `fen.` and the place of the first mistake. The
    /// position must also be possible: one king each where kings are royal,
    /// no pawn on the last ranks, the side that has moved not in check.
    ///
    /// ```
    /// use turnstone_chess::plain::{Position, Variant};
    /// let position = Position::from_fen("8/8/8/8/8/4k3/4p3/4K3 w - - 0 60", Variant::Standard).unwrap();
    /// assert_eq!(position.legal().len(), 0);
    /// assert_eq!(Position::from_fen("8/8", Variant::Standard).unwrap_err().code, "fen.ranks");
    /// ```
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Position, BadInput> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields
            .next()
            .ok_or_else(|| bad("fen.empty", "", "The FEN is empty; write at least the board."))?;
        let mut position = Position::empty(variant);
        let (squares, pocket) = split_pocket(board);
        read_board(&mut position, squares)?;
        read_pocket(&mut position, pocket)?;
        position.turn = read_turn(fields.next())?;
        read_castling(&mut position, fields.next().unwrap_or("-"))?;
        read_en_passant(&mut position, fields.next().unwrap_or("-"))?;
        read_counters(&mut position, fields.collect())?;
        position.validate()?;
        Ok(position)
    }

    /// Is the position one that this variant can be played from?
    ///
    /// # Errors
    /// `position.kings`, `position.pawns`, `position.check`, `position.empty` or `position.pieces`.
    pub fn validate(&self) -> Result<(), BadInput> {
        self.validate_kings()?;
        let last = Bitboard::rank(0) | Bitboard::rank(7);
        let mut pawns = self.role(Role::Pawn) & last;
        if self.variant == Variant::Horde {
            pawns = pawns.without(self.of(Color::White, Role::Pawn) & Bitboard::rank(0));
        }
        if let Some(square) = pawns.first() {
            return Err(bad("position.pawns", square, "A pawn cannot stand on the first or last rank."));
        }
        if self.king_attackers(!self.turn).any() {
            let reason = format!("{} is in check although {} is to move.", !self.turn, self.turn);
            return Err(bad("position.check", "", reason));
        }
        Ok(())
    }

    fn validate_kings(&self) -> Result<(), BadInput> {
        if self.occupied().is_empty() {
            return Err(bad("position.empty", "", "The board is empty; put at least one piece on it."));
        }
        for color in Color::BOTH {
            let kings = self.of(color, Role::King).count();
            let wanted = match (self.variant, color) {
                (Variant::Antichess, _) => continue,
                (Variant::Horde, Color::White) => 0,
                _ => 1,
            };
            let exploded = self.variant == Variant::Atomic && kings == 0;
            if kings != wanted && !exploded {
                let reason = format!("{color} has {kings} kings; this game needs {wanted}.");
                return Err(bad("position.kings", color, reason));
            }
            let limit = if self.variant == Variant::Horde && color == Color::White { 36 } else { 16 };
            let total = self.side(color).count();
            if total > limit && self.variant != Variant::Crazyhouse {
                return Err(bad(
                    "position.pieces",
                    color,
                    format!("{color} has {total} pieces; at most {limit} are possible."),
                ));
            }
        }
        Ok(())
    }

    /// Writes the FEN with X-FEN castling rights.
    pub fn to_fen(&self) -> String {
        self.to_fen_styled(CastlingStyle::XFen)
    }

    /// Writes the FEN.
    pub fn to_fen_styled(&self, style: CastlingStyle) -> String {
        let mut out = String::with_capacity(90);
        self.write_board(&mut out);
        if self.variant == Variant::Crazyhouse {
            self.write_pocket(&mut out);
        }
        out.push_str(self.turn.pick(" w ", " b "));
        self.write_castling(&mut out, style);
        match self.legal_en_passant() {
            Some(square) => _ = write!(out, " {square}"),
            None => out.push_str(" -"),
        }
        if self.variant == Variant::ThreeCheck {
            _ = write!(out, " {}+{}", self.checks_left[0], self.checks_left[1]);
        }
        _ = write!(out, " {} {}", self.halfmoves, self.fullmoves);
        out
    }

    fn write_board(&self, out: &mut String) {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let square = Square::new(file, rank);
                let Some((role, color)) = self.piece_at(square) else {
                    empty += 1;
                    continue;
                };
                flush_empty(out, &mut empty);
                out.push(cased(role, color));
                if self.promoted.has(square) {
                    out.push('~');
                }
            }
            flush_empty(out, &mut empty);
            if rank > 0 {
                out.push('/');
            }
        }
    }

    fn write_pocket(&self, out: &mut String) {
        out.push('[');
        for color in Color::BOTH {
            for role in Role::ALL[..5].iter().rev() {
                for _ in 0..self.in_pocket(color, *role) {
                    out.push(cased(*role, color));
                }
            }
        }
        out.push(']');
    }

    fn write_castling(&self, out: &mut String, style: CastlingStyle) {
        let before = out.len();
        for color in Color::BOTH {
            let Some(king) = self.king(color) else { continue };
            let rights = self.castling & back_rank(color);
            let mut rooks: Vec<Square> = rights.into_iter().collect();
            rooks.reverse();
            for rook in rooks {
                let file = (b'a' + rook.file()) as char;
                let letter = match (style, self.outermost_rook(color, king, rook.file() > king.file())) {
                    (CastlingStyle::XFen, Some(outer)) if outer == rook => {
                        if rook.file() > king.file() {
                            'k'
                        } else {
                            'q'
                        }
                    }
                    _ => file,
                };
                out.push(color.pick(letter.to_ascii_uppercase(), letter));
            }
        }
        if out.len() == before {
            out.push('-');
        }
    }

    fn outermost_rook(&self, color: Color, king: Square, king_side: bool) -> Option<Square> {
        let rooks = self.of(color, Role::Rook) & Bitboard::rank(king.rank());
        if king_side {
            rooks.last().filter(|rook| rook.file() > king.file())
        } else {
            rooks.first().filter(|rook| rook.file() < king.file())
        }
    }
}

fn cased(role: Role, color: Color) -> char {
    color.pick(role.letter(), role.letter().to_ascii_lowercase())
}

fn flush_empty(out: &mut String, empty: &mut u32) {
    if *empty > 0 {
        _ = write!(out, "{empty}");
        *empty = 0;
    }
}

/// `board[pocket]`, or a ninth rank that is the pocket.
fn split_pocket(field: &str) -> (&str, &str) {
    if let Some((board, pocket)) = field.split_once('[') {
        return (board, pocket.trim_end_matches(']'));
    }
    match field.rmatch_indices('/').next() {
        Some((at, _)) if field.matches('/').count() == 8 => (&field[..at], &field[at + 1..]),
        _ => (field, ""),
    }
}

fn read_board(position: &mut Position, text: &str) -> Result<(), BadInput> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        let reason = format!("The board has {} ranks; write 8, separated by '/'.", ranks.len());
        return Err(bad("fen.ranks", "board", reason));
    }
    for (i, text) in ranks.iter().enumerate() {
        read_rank(position, 7 - i as u8, text)?;
    }
    Ok(())
}

fn read_rank(position: &mut Position, rank: u8, text: &str) -> Result<(), BadInput> {
    let place = format!("rank {}", rank + 1);
    let mut file = 0u8;
    for letter in text.chars() {
        match letter {
            '1'..='8' => file += letter as u8 - b'0',
            '~' if file > 0 => position.promoted |= Square::new(file - 1, rank).into(),
            _ => {
                let role = Role::from_letter(letter).ok_or_else(|| {
                    bad("fen.piece", &place, format!("'{letter}' is no piece; use PNBRQK."))
                })?;
                if file > 7 {
                    return Err(bad("fen.rank-length", &place, "This rank has more than 8 squares."));
                }
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                position.put(Square::new(file, rank), role, color);
                file += 1;
            }
        }
        if file > 8 {
            return Err(bad("fen.rank-length", &place, "This rank has more than 8 squares."));
        }
    }
    if file != 8 {
        return Err(bad("fen.rank-length", &place, format!("This rank has {file} squares; it needs 8.")));
    }
    Ok(())
}

fn read_pocket(position: &mut Position, text: &str) -> Result<(), BadInput> {
    for letter in text.chars().filter(|letter| *letter != '-') {
        let role = Role::from_letter(letter).filter(|role| *role != Role::King);
        let role = role.ok_or_else(|| {
            bad("fen.pocket", "pocket", format!("'{letter}' cannot be in a pocket; use PNBRQ."))
        })?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let count = &mut position.pockets[color as usize][role as usize];
        *count = count.checked_add(1).filter(|count| *count <= 64).ok_or_else(|| {
            bad("fen.pocket", "pocket", "A pocket cannot hold more than 64 pieces of one kind.")
        })?;
    }
    Ok(())
}

fn read_turn(field: Option<&str>) -> Result<Color, BadInput> {
    match field {
        None | Some("w") => Ok(Color::White),
        Some("b") => Ok(Color::Black),
        Some(other) => {
            Err(bad("fen.turn", "second field", format!("'{other}' is no side; write 'w' or 'b'.")))
        }
    }
}

fn read_castling(position: &mut Position, text: &str) -> Result<(), BadInput> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = castling_rook(position, color, letter.to_ascii_lowercase()).ok_or_else(|| {
            let reason = format!("'{letter}' claims a castling right without king and rook on the back rank; write '-' if there is none.");
            bad("fen.castling", "castling rights", reason)
        })?;
        position.castling |= rook.into();
    }
    Ok(())
}

fn castling_rook(position: &Position, color: Color, letter: char) -> Option<Square> {
    let king = position.king(color).filter(|king| back_rank(color).has(*king))?;
    match letter {
        'k' => position.outermost_rook(color, king, true),
        'q' => position.outermost_rook(color, king, false),
        'a'..='h' => {
            let square = Square::new(letter as u8 - b'a', king.rank());
            position.of(color, Role::Rook).has(square).then_some(square)
        }
        _ => None,
    }
}

fn read_en_passant(position: &mut Position, text: &str) -> Result<(), BadInput> {
    if text == "-" {
        return Ok(());
    }
    let wrong = || {
        let reason =
            format!("'{text}' cannot be a square that a pawn has just passed; write '-' if there is none.");
        bad("fen.en-passant", "en passant", reason)
    };
    let square = Square::parse(text).ok_or_else(wrong)?;
    let them = !position.turn;
    let behind = square.offset(them.forward());
    let passed = position.of(them, Role::Pawn).has(behind)
        && square.rank() == them.pick(2, 5)
        && !position.occupied().has(square);
    if !passed {
        return Err(wrong());
    }
    position.en_passant = Some(square);
    Ok(())
}

fn read_counters(position: &mut Position, fields: Vec<&str>) -> Result<(), BadInput> {
    let mut numbers = Vec::new();
    for field in fields {
        if field.contains('+') {
            position.checks_left = read_checks(field)?;
            continue;
        }
        let number: u32 = field.parse().map_err(|_| {
            bad("fen.counter", "counters", format!("'{field}' is no move counter; write a number."))
        })?;
        numbers.push(number);
    }
    position.halfmoves = numbers.first().copied().unwrap_or(0).min(u32::from(u16::MAX)) as u16;
    position.fullmoves = numbers.get(1).copied().unwrap_or(1).max(1);
    Ok(())
}

/// `3+2` are checks still to give, `+0+1` checks given.
fn read_checks(field: &str) -> Result<[u8; 2], BadInput> {
    let given = field.starts_with('+');
    let parts: Vec<Option<u8>> =
        field.trim_start_matches('+').split('+').map(|n| n.parse().ok().filter(|n| *n <= 3)).collect();
    match parts[..] {
        [Some(white), Some(black)] if given => Ok([3 - white, 3 - black]),
        [Some(white), Some(black)] => Ok([white, black]),
        _ => Err(bad("fen.checks", "checks", format!("'{field}' is no check counter; write e.g. 3+2."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_survive_a_round_trip() {
        for variant in Variant::ALL {
            let position = Position::from_fen(variant.start_fen(), variant).expect("our own start");
            assert_eq!(position.to_fen(), variant.start_fen());
            assert_eq!(position, Position::start(variant));
        }
    }

    #[test]
    fn castling_rights_in_three_styles() {
        let text = "2r1kr2/8/8/8/8/8/8/1R2K1RR w GBfc - 0 1";
        let position = Position::from_fen(text, Variant::Chess960).unwrap();
        assert_eq!(position.to_fen_styled(CastlingStyle::Shredder), text);
        assert_eq!(position.to_fen(), "2r1kr2/8/8/8/8/8/8/1R2K1RR w GQkq - 0 1");
        let again = Position::from_fen(&position.to_fen(), Variant::Chess960).unwrap();
        assert_eq!(again, position);
    }

    #[test]
    fn refusals_carry_codes() {
        let code = |fen| Position::from_fen(fen, Variant::Standard).unwrap_err().code;
        assert_eq!(code(""), "fen.empty");
        assert_eq!(code("8/8/8/8/8/8/8/8 w - - 0 1"), "position.empty");
        assert_eq!(code("kk6/8/8/8/8/8/8/K7 w - - 0 1"), "position.kings");
        assert_eq!(code("k7/8/8/8/8/8/8/K6P w - - 0 1"), "position.pawns");
        assert_eq!(code("k7/8/8/8/8/8/8/K6X w - - 0 1"), "fen.piece");
        assert_eq!(code("k7/8/8/8/8/8/8/K7 x - - 0 1"), "fen.turn");
        assert_eq!(code("k7/8/8/8/8/8/8/K7 w K - 0 1"), "fen.castling");
        assert_eq!(code("k7/8/8/8/8/8/8/K7 w - e3 0 1"), "fen.en-passant");
        assert_eq!(code("k7/8/8/8/8/8/8/K7 w - - x 1"), "fen.counter");
        assert_eq!(code("k7/9/8/8/8/8/8/K7 w - - 0 1"), "fen.piece");
        assert_eq!(code("k6R/8/8/8/8/8/8/K7 w - - 0 1"), "position.check");
    }

    #[test]
    fn an_en_passant_square_is_written_only_if_it_matters() {
        let position = Position::from_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", Variant::Standard).unwrap();
        assert!(position.to_fen().ends_with("b - - 0 1"));
    }
}
