//! Refused input: a stable code, where, and what to do about it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why some text or data was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadInput {
    /// A stable code, e.g. `fen.castling`.
    pub code: String,
    /// A sentence that says what is wrong and what would be right.
    pub reason: String,
    /// Where: a field, a square, a file and line.
    pub place: String,
}

impl BadInput {
    /// A refusal with its place.
    pub fn new(code: &str, place: impl fmt::Display, reason: impl fmt::Display) -> BadInput {
        BadInput { code: code.to_owned(), reason: reason.to_string(), place: place.to_string() }
    }

    /// As mistakes in content files are told: the place first.
    pub fn at_its_place(&self) -> String {
        format!("{}: {}", self.place, self.reason)
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}", self.reason, self.code)?;
        if !self.place.is_empty() {
            write!(f, " at {}", self.place)?;
        }
        f.write_str("]")
    }
}

impl std::error::Error for BadInput {}
