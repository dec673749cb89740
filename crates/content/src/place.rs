//! Where a value stands, and what is wrong there.

use std::fmt;
use std::ops::RangeInclusive;

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file's name as the author knows it.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl Place {
    /// So many columns to the right.
    #[must_use]
    pub fn right(&self, columns: usize) -> Place {
        Place { column: self.column + columns as u32, ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A mistake in a content file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// What is wrong and what to write instead.
    pub message: String,
}

const LACKS: &str = " is missing";

impl Problem {
    /// A mistake at a place.
    pub fn new(place: &Place, message: impl Into<String>) -> Self {
        Problem { place: place.clone(), message: message.into() }
    }

    /// A key that must be there is not.
    pub fn lack(place: &Place, key: &str) -> Self {
        Problem::new(place, format!("the key `{key}`{LACKS}"))
    }

    /// A number is none of those that are possible.
    pub fn beyond(place: &Place, range: &RangeInclusive<i64>, found: i64) -> Self {
        let (least, most) = (range.start(), range.end());
        Problem::new(place, format!("expected a number from {least} to {most}, found {found}"))
    }

    /// Whether it is that a key is not there.
    pub fn is_lack(&self) -> bool {
        self.message.ends_with(LACKS)
    }
}

/// Puts mistakes in the order of files and lines, each once.
pub fn in_order(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| {
        (&a.place.file, a.place.line, a.place.column).cmp(&(&b.place.file, b.place.line, b.place.column))
    });
    problems.dedup();
}

/// Turns byte offsets of one file into places.
pub(crate) struct Lines<'a> {
    file: &'a str,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { file, text, starts }
    }

    pub fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts[line - 1];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        Place { file: self.file.to_string(), line: line as u32, column: column as u32 + 1 }
    }
}
