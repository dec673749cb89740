//! A position of orthodox chess or one of its variants, on bitboards.

use super::attacks;
use super::bitboard::{Bitboard, Square};
use super::moves::Move;
use super::variant::Variant;
use crate::color::Color;
use serde::{Deserialize, Serialize};

/// The six orthodox kinds, in the order of their worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// ♙
    Pawn,
    /// ♘
    Knight,
    /// ♗
    Bishop,
    /// ♖
    Rook,
    /// ♕
    Queen,
    /// ♔
    King,
}

impl Role {
    /// All six, pawn first.
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The letter of the kind, upper case: `P N B R Q K`.
    pub const fn letter(self) -> char {
        b"PNBRQK"[self as usize] as char
    }

    /// The kind of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.letter() == letter.to_ascii_uppercase())
    }
}

/// A position on the 8×8 board: who stands where, who moves, and the rights
/// that remain. Sixteen words, copied freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
    /// Rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// Pieces that were pawns once; they return to the pocket as pawns.
    pub(crate) promoted: Bitboard,
    /// The square a pawn has just leapt over.
    pub(crate) en_passant: Option<Square>,
    pub(crate) turn: Color,
    pub(crate) variant: Variant,
    /// Checks each side must still give, in Three-check.
    pub(crate) checks_left: [u8; 2],
    /// Captured pieces in hand (pawn to queen), in Crazyhouse.
    pub(crate) pockets: [[u8; 5]; 2],
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u32,
}

impl Position {
    /// An empty board with White to move.
    pub const fn empty(variant: Variant) -> Position {
        Position {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling: Bitboard::EMPTY,
            promoted: Bitboard::EMPTY,
            en_passant: None,
            turn: Color::White,
            variant,
            checks_left: [3; 2],
            pockets: [[0; 5]; 2],
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// Who is to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Which rules are played.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Moves since the last capture or pawn move.
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// Number of the move, counted up after Black.
    pub const fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Checks that `color` must still give in Three-check.
    pub const fn checks_left(&self, color: Color) -> u8 {
        self.checks_left[color as usize]
    }

    /// How many pieces of `role` are in `color`'s pocket.
    pub fn in_pocket(&self, color: Color, role: Role) -> u8 {
        self.pockets[color as usize].get(role as usize).copied().unwrap_or(0)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Squares of one side.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// Squares of one kind, both sides.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Squares of one kind of one side.
    #[inline]
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.role(role)
    }

    /// The king that must be kept safe, if the side has one.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(color, Role::King).first()
    }

    /// The kind on a square.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        if !self.occupied().has(square) {
            return None;
        }
        Role::ALL.into_iter().find(|role| self.role(*role).has(square))
    }

    /// Kind and side on a square.
    pub fn piece_at(&self, square: Square) -> Option<(Role, Color)> {
        let role = self.role_at(square)?;
        Some((role, if self.colors[0].has(square) { Color::White } else { Color::Black }))
    }

    /// Pieces of `by` that attack `square` when `occupied` is in their way.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        let attackers = (attacks::king(square) & self.role(Role::King))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (attacks::pawn(!by, square) & self.role(Role::Pawn))
            | (attacks::rook(square, occupied) & (self.role(Role::Rook) | queens))
            | (attacks::bishop(square, occupied) & (self.role(Role::Bishop) | queens));
        attackers & self.side(by)
    }

    /// Pieces of both sides that attack `square` when `occupied` is in their way.
    #[inline]
    pub(crate) fn attackers_of_both(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        let pawns = (attacks::pawn(Color::Black, square) & self.side(Color::White))
            | (attacks::pawn(Color::White, square) & self.side(Color::Black));
        (attacks::king(square) & self.role(Role::King))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (pawns & self.role(Role::Pawn))
            | (attacks::rook(square, occupied) & (self.role(Role::Rook) | queens))
            | (attacks::bishop(square, occupied) & (self.role(Role::Bishop) | queens))
    }

    /// Pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.king_attackers(self.turn)
    }

    /// Is the side to move in check?
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Pieces that check `color`'s king. Touching kings shield each other in Atomic.
    pub(crate) fn king_attackers(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        if !self.variant.royal_king() {
            return Bitboard::EMPTY;
        }
        self.dangers(king, color, self.occupied())
    }

    /// What would check `color`'s king if it stood on `square`.
    #[inline]
    pub(crate) fn dangers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        if self.variant == Variant::Atomic && (attacks::king(square) & self.of(!color, Role::King)).any() {
            return Bitboard::EMPTY;
        }
        self.attackers(square, !color, occupied)
    }

    /// Puts a piece on a square, replacing what was there.
    pub(crate) fn put(&mut self, square: Square, role: Role, color: Color) {
        self.lift(square);
        self.roles[role as usize] |= square.into();
        self.colors[color as usize] |= square.into();
    }

    /// Empties a square.
    pub(crate) fn lift(&mut self, square: Square) {
        let keep = !Bitboard::from(square);
        self.roles.iter_mut().for_each(|set| *set &= keep);
        self.colors.iter_mut().for_each(|set| *set &= keep);
        self.promoted &= keep;
    }

    #[inline]
    fn toggle(&mut self, square: Square, role: Role, color: Color) {
        self.roles[role as usize] ^= square.into();
        self.colors[color as usize] ^= square.into();
    }

    /// Plays a legal move.
    ///
    /// Trusts the caller: a move that is not legal here leaves a position
    /// that means nothing (but never panics).
    pub fn play_unchecked(&mut self, mv: &Move) {
        let us = self.turn;
        self.en_passant = None;
        self.halfmoves = self.halfmoves.saturating_add(1);
        match *mv {
            Move::Normal { role, from, to, capture, promotion } => {
                self.play_normal(role, from, to, capture, promotion);
            }
            Move::EnPassant { from, to } => self.play_en_passant(from, to),
            Move::Castle { king, rook } => self.play_castle(king, rook),
            Move::Drop { role, to } => self.play_drop(role, to),
        }
        self.turn = !us;
        if us == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        if self.variant == Variant::ThreeCheck && self.in_check() {
            let left = &mut self.checks_left[us as usize];
            *left = left.saturating_sub(1);
        }
    }

    /// Lets the turn pass without a move, as searches do to see a threat.
    pub(crate) fn pass(&mut self) {
        self.en_passant = None;
        self.turn = !self.turn;
        self.halfmoves = self.halfmoves.saturating_add(1);
    }

    /// The position after a legal move; see [`Position::play_unchecked`].
    #[must_use]
    pub fn after(&self, mv: &Move) -> Position {
        let mut next = *self;
        next.play_unchecked(mv);
        next
    }

    #[inline]
    fn play_normal(
        &mut self,
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) {
        let us = self.turn;
        self.toggle(from, role, us);
        if let Some(taken) = capture {
            self.take(to, taken);
        }
        self.toggle(to, promotion.unwrap_or(role), us);
        match role {
            Role::Pawn => {
                self.halfmoves = 0;
                let (start, leap) = (from.rank(), from.rank().abs_diff(to.rank()));
                if leap == 2 && (start == 1 || start == 6) {
                    self.en_passant = Some(from.offset(us.forward()));
                }
            }
            Role::King => self.castling &= !back_rank(us),
            _ => self.castling &= !Bitboard::from(from),
        }
        if self.variant == Variant::Crazyhouse {
            self.follow_promoted(from, to, promotion.is_some());
        }
        if self.variant == Variant::Atomic && capture.is_some() {
            self.explode(to);
        }
    }

    #[inline]
    fn take(&mut self, square: Square, role: Role) {
        let us = self.turn;
        self.halfmoves = 0;
        self.castling &= !Bitboard::from(square);
        self.toggle(square, role, !us);
        if self.variant == Variant::Crazyhouse {
            let role = if self.promoted.has(square) { Role::Pawn } else { role };
            self.promoted &= !Bitboard::from(square);
            if let Some(count) = self.pockets[us as usize].get_mut(role as usize) {
                *count = count.saturating_add(1);
            }
        }
    }

    fn follow_promoted(&mut self, from: Square, to: Square, promotes: bool) {
        let was = self.promoted.has(from);
        self.promoted &= !Bitboard::from(from);
        if was || promotes {
            self.promoted |= to.into();
        }
    }

    fn play_en_passant(&mut self, from: Square, to: Square) {
        self.toggle(from, Role::Pawn, self.turn);
        self.take(Square::new(to.file(), from.rank()), Role::Pawn);
        self.toggle(to, Role::Pawn, self.turn);
        if self.variant == Variant::Atomic {
            self.explode(to);
        }
    }

    fn play_castle(&mut self, king: Square, rook: Square) {
        let us = self.turn;
        let (king_to, rook_to) = castle_targets(king, rook);
        self.toggle(king, Role::King, us);
        self.toggle(rook, Role::Rook, us);
        self.toggle(king_to, Role::King, us);
        self.toggle(rook_to, Role::Rook, us);
        self.castling &= !back_rank(us);
    }

    fn play_drop(&mut self, role: Role, to: Square) {
        let us = self.turn;
        self.toggle(to, role, us);
        if role == Role::Pawn {
            self.halfmoves = 0;
        }
        if let Some(count) = self.pockets[us as usize].get_mut(role as usize) {
            *count = count.saturating_sub(1);
        }
    }

    /// Atomic: the taker and everything but pawns around the square go.
    fn explode(&mut self, center: Square) {
        let around = attacks::king(center).without(self.role(Role::Pawn)) | center.into();
        for square in around & self.occupied() {
            self.lift(square);
        }
        self.castling &= !around;
        for color in Color::BOTH {
            if self.king(color).is_none() {
                self.castling &= !back_rank(color);
            }
        }
    }
}

/// The rank on which a side's pieces start.
#[inline]
pub(crate) fn back_rank(color: Color) -> Bitboard {
    Bitboard::rank(color.pick(0, 7))
}

/// Where king and rook end when they castle: on g and f, or on c and d.
#[inline]
pub(crate) fn castle_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
    (Square::new(king_file, king.rank()), Square::new(rook_file, king.rank()))
}
