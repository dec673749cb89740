//! One door to every game: JSON in, JSON out, no type parameters. This crate knows no game: the list
//! of [`Games`] is a value that a program makes.
//!
//! ```
//! use turnstone_table::testing::GAMES;
//! use turnstone_table::{Opening, Viewer};
//!
//! for host in GAMES.all() {
//!     println!("{}: {}", host.name(), host.about());
//!     let mut table = host.open(&Opening { seed: 7, ..Opening::default() })?;
//!     let scene = table.scene(Viewer::All);
//!     assert_eq!(scene.options.len(), table.inputs(Viewer::All).len());
//!     if let Some(input) = table.inputs(Viewer::All).first() {
//!         table.act(input)?; // the same as table.choose(0)
//!         println!("{}", table.explain(table.here(), Viewer::All));
//!         assert!(table.undo());
//!     }
//!     let file = table.save()?;
//!     let again = GAMES.load(&file, &[])?;
//!     assert_eq!(again.digest(), table.digest());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The vocabulary
//! A [`Host`] is a game without its types: it opens tables, reads match files, checks golden records
//! and lists what can be asked for; [`Of`] makes one of any hosted game. [`Games`] is a list of hosts.
//! A [`Table`] is one match in progress, with bots in some of its seats. [`protocol::Door`] is a table
//! that speaks JSON lines.

mod games;
mod host;
mod packs;
pub mod protocol;
mod simulate;
mod story;
mod study;
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use games::Games;
pub use host::{Host, LoadError, Of, Offer, Venue, open_header};
pub use simulate::{Plan, Played, bot_seed, player};
pub use story::{Change, Story};
pub use study::{Crossing, Fork, Labels, Offered, Stretch, Studied};
pub use table::{BranchLine, Reasons, Table, Thinking, table_of};
pub use turnstone_bots::{is_timed, no_such_bot};
pub use turnstone_content::nearest;

pub use turnstone::digest::Digest;
pub use turnstone::explain::{Explanation, Kind, Line};
pub use turnstone::file::{Divergence, Verified, code as file_code};
pub use turnstone::{Moment, Outcome, Rejection, Seat, Viewer, code, shorten};
pub use turnstone_host::seed::read_seed;
pub use turnstone_host::{
    Answer, Bench, Conformity, ContentCheck, Failure, Graft, Named, Number, Opening, Setting, Source,
    TimeOut, scene,
};
