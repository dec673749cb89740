//! Squares of the 8×8 board and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A square of the 8×8 board, numbered file by file (a1 = 0, a2 = 1, b1 = 8),
/// the scan order of the whole game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on `file` and `rank`, both counted from 0 and taken modulo 8.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        Square((file & 7) << 3 | (rank & 7))
    }

    /// The square with this number, taken modulo 64.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The number of the square, below 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// File from 0 (a) to 7 (h).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 >> 3
    }

    /// Rank from 0 (first) to 7 (eighth).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 & 7
    }

    /// All 64 squares in scan order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The square that `step` numbers away names; wraps, so the caller knows it exists.
    #[inline]
    pub(crate) const fn offset(self, step: i32) -> Square {
        Square((self.0 as i32 + step) as u8 & 63)
    }

    /// Reads `e4`.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(Square::new(file - b'a', rank - b'1')),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);

    /// The eight squares of a rank.
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << rank)
    }

    /// The eight squares of a file.
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(0xff << (8 * file))
    }

    /// How many squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Is no square in it?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is any square in it?
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Are there at least two squares?
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Is `square` in it?
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The first square in scan order.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The last square in scan order.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(63 - self.0.leading_zeros() as u8)) }
    }

    /// This set without the squares of the other.
    #[inline]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Moves every square by `step` numbers; the caller masks what would wrap.
    #[inline]
    pub(crate) const fn shift(self, step: i32) -> Bitboard {
        if step >= 0 { Bitboard(self.0 << step) } else { Bitboard(self.0 >> -step) }
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a set in scan order.
#[derive(Clone, Copy, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = Bitboard(self.0 $op other.0);
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_file_by_file() {
        assert_eq!(Square::parse("a2").unwrap().index(), 1);
        assert_eq!(Square::parse("b1").unwrap().index(), 8);
        assert_eq!(Square::parse("h8").unwrap().to_string(), "h8");
        assert_eq!(Square::parse("i1"), None);
    }

    #[test]
    fn sets_iterate_in_scan_order() {
        let set: Bitboard = ["c3", "a1", "h8"].iter().filter_map(|s| Square::parse(s)).collect();
        let names: Vec<String> = set.into_iter().map(|s| s.to_string()).collect();
        assert_eq!(names, ["a1", "c3", "h8"]);
    }
}
