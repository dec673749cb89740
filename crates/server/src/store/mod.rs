//! Where matches are kept: lines that are only ever appended, with compare-and-set on their number.
//!
//! Several servers may use one store: whoever appends says how many lines he knows of, and is refused if there
//! are others. No leases, no leader.

mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

use std::path::Path;

pub use memory::Memory;
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// Lines to be appended to one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// Which match.
    pub id: String,
    /// How many lines it has, as far as the sender knows; 0 makes it.
    pub expected: u64,
    /// The lines, without line breaks.
    pub lines: Vec<String>,
    /// What lists say about the match from now on; a text that the store does not read.
    pub note: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// What a list says about a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Which match.
    pub id: String,
    /// How many lines it has.
    pub length: u64,
    /// When it was last appended to.
    pub at: i64,
    /// The note of the last append.
    pub note: String,
}

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The match has another number of lines.
    #[error("[CONFLICT] the match has {actual} lines by now")]
    Conflict {
        /// How many there are.
        actual: u64,
    },
    /// It cannot be reached, or cannot write. Nothing was appended.
    #[error("[STORAGE] {0}")]
    Unavailable(String),
    /// It was made by a newer program.
    #[error(
        "[NEWER_STORE] the store has version {found} and this program knows {known}: use a newer program"
    )]
    Newer {
        /// The store's version.
        found: i64,
        /// The last one that is known here.
        known: i64,
    },
}

/// Keeps matches. Every call may block.
pub trait Store: Send + Sync {
    /// Appends to several matches in one durable step; each part is done wholly or not at all, in order. Gives
    /// the new number of lines of each.
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>>;

    /// The lines of a match from a number on, at most `limit`; empty if there are none.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError>;

    /// Matches that were appended to at `since` or later and, of those at `since`, have a larger id than `after`;
    /// the oldest first, at most `limit`.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError>;

    /// Deletes a match and all that is known of it. Says whether there was one.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn forget(&self, id: &str) -> Result<bool, StoreError>;

    /// Whether other processes may append to the same matches.
    fn is_shared(&self) -> bool {
        false
    }

    /// What to call it in a message.
    fn name(&self) -> String;
}

/// Opens what `--store` names: `memory`, `postgres://…`, or a file.
///
/// # Errors
/// If it cannot be opened, or this program was built without it.
pub fn open(place: &str) -> Result<Box<dyn Store>, StoreError> {
    if place == "memory" {
        return Ok(Box::new(Memory::default()));
    }
    if place.starts_with("postgres://") || place.starts_with("postgresql://") {
        return open_postgres(place);
    }
    Ok(Box::new(Sqlite::open(Path::new(place))?))
}

#[cfg(feature = "postgres")]
fn open_postgres(place: &str) -> Result<Box<dyn Store>, StoreError> {
    Ok(Box::new(Postgres::open(place)?))
}

#[cfg(not(feature = "postgres"))]
fn open_postgres(_place: &str) -> Result<Box<dyn Store>, StoreError> {
    let text = "this program was built without PostgreSQL: build it with --features postgres";
    Err(StoreError::Unavailable(text.to_owned()))
}
