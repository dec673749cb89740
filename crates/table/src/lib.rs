//! One door to every game: JSON in, JSON out, no type parameters.
//!
//! ```
//! use turnstone_table::{Opening, Viewer, games};
//!
//! for host in games() {
//!     println!("{}: {}", host.name(), host.about());
//!     let mut table = host.open(&Opening { seed: 7, ..Opening::default() })?;
//!     let scene = table.scene(Viewer::All);
//!     assert_eq!(scene.options.len(), table.inputs().len());
//!     if let Some(input) = table.inputs().first() {
//!         table.act(input)?; // the same as table.choose(0)
//!         println!("{}", table.explain(table.here(), Viewer::All));
//!         assert!(table.undo());
//!     }
//!     let file = table.save();
//!     let again = turnstone_table::load(&file, None)?;
//!     assert_eq!(again.digest(), table.digest());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The vocabulary
//! A [`Host`] is a game without its types: it opens tables, reads match files, checks golden records
//! and lists what can be asked for. A [`Table`] is one match in progress, with bots in some of its
//! seats. [`protocol::Door`] is a table that speaks JSON lines. [`games`] is the list of all hosts:
//! adding a game is one line there.

mod host;
pub mod protocol;
mod registry;
mod simulate;
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod tools;

pub use host::{Host, LoadError, Of, Venue};
pub use registry::{benches, find, games, host_of_file, load};
pub use simulate::{Plan, Played};
pub use table::{BranchLine, Table, Thinking};

pub use turnstone::digest::Digest;
pub use turnstone::explain::{Explanation, Kind, Line};
pub use turnstone::file::{Divergence, Verified};
pub use turnstone::host::{Bench, Conformity, ContentCheck, Failure, Named, Opening, Setting, TimeOut};
pub use turnstone::{Moment, Outcome, Rejection, Seat, Viewer, code, scene};

/// The code on the first page of the documents is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
