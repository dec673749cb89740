//! Squares of boards of any size.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The greatest width and height of a board.
pub const MAX_SIDE: u8 = 24;

/// A square by column and row, both from 0; (0, 0) is bottom left. Written like
/// `e4`: columns are letters up to `x`, rows are numbers from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
}

impl At {
    /// No square at all: where pieces are that left the board.
    pub const NOWHERE: At = At { x: u8::MAX, y: u8::MAX };

    /// The square in that column and row.
    pub const fn new(x: u8, y: u8) -> At {
        At { x, y }
    }

    /// Is it a square?
    #[inline]
    pub const fn is_somewhere(self) -> bool {
        self.x != u8::MAX
    }

    /// The square `dx` columns and `dy` rows away, if the numbers stay in range at all.
    #[inline]
    pub fn plus(self, dx: i32, dy: i32) -> Option<At> {
        let (x, y) = (i32::from(self.x) + dx, i32::from(self.y) + dy);
        let range = 0..i32::from(MAX_SIDE);
        (range.contains(&x) && range.contains(&y)).then_some(At { x: x as u8, y: y as u8 })
    }

    /// Columns and rows from here to there.
    #[inline]
    pub fn to(self, other: At) -> (i32, i32) {
        (i32::from(other.x) - i32::from(self.x), i32::from(other.y) - i32::from(self.y))
    }

    /// The direction from here to there: the signs of both differences.
    #[inline]
    pub fn toward(self, other: At) -> (i32, i32) {
        let (dx, dy) = self.to(other);
        (dx.signum(), dy.signum())
    }

    /// Is the other square one king's step away?
    #[inline]
    pub fn touches(self, other: At) -> bool {
        let (dx, dy) = self.to(other);
        dx.abs().max(dy.abs()) == 1
    }

    /// Reads `e4` or `x24`.
    pub fn parse(text: &str) -> Option<At> {
        let (column, row) = text.split_at_checked(1)?;
        let x = column.bytes().next()?.checked_sub(b'a')?;
        let y: u8 = row.parse().ok().filter(|_| !row.starts_with(['+', '0']))?;
        (x < MAX_SIDE && (1..=MAX_SIDE).contains(&y)).then(|| At { x, y: y - 1 })
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_somewhere() {
            return f.write_str("-");
        }
        write!(f, "{}{}", (b'a' + self.x.min(25)) as char, u16::from(self.y) + 1)
    }
}

impl fmt::Debug for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<At, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        if text == "-" {
            return Ok(At::NOWHERE);
        }
        At::parse(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("'{text}' is no square; write e.g. e4")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for x in 0..MAX_SIDE {
            for y in 0..MAX_SIDE {
                let at = At::new(x, y);
                assert_eq!(At::parse(&at.to_string()), Some(at));
            }
        }
        for wrong in ["", "e", "4", "y1", "a0", "a25", "a+1", "é1"] {
            assert_eq!(At::parse(wrong), None, "{wrong}");
        }
    }
}
