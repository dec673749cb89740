//! Match files (`*.turn`): JSON Lines that only ever grow, each line chained to the one before.
//!
//! The first line is the header: what must be known to play the match again. The second holds the state it
//! started from. Then comes one line for each step through the timeline, in the order in which they were taken:
//! an input with its facts, the notes on them and a digest of the state after it, or an undo, a redo or a jump.
//! A match that was finished or put away ends in a closing line; one that goes on after that closes again. Where
//! rules or content have changed since, and play the match as it was played, it may go on: then a line says by what
//! ([`Terms`]).
//!
//! There is one writer ([`Writer`]) and one reader ([`open`]), used by everybody. The reader trusts nothing: it
//! reruns every input, folds every fact, compares facts, notes and digests, demands the canonical form of every
//! line, and names the first line that disagrees. [`watch`] opens what today's rules would play otherwise: it
//! folds the facts and asks no rule. The chain has no key: it shows accidents, not forgery.
//!
//! ```
//! # use turnstone::doc::Nim;
//! # use std::sync::Arc;
//! use turnstone::{Input, Match, digest::digest, file};
//! let mut game: Match<Nim> = Match::new(Arc::new(Nim), 5, 0)?;
//! game.act(Input::Act(2))?;
//! let header = file::Header::new("nim", "plain".into(), digest("nim 1"), 5, 0);
//! let text = file::write(&header, &game)?;
//! let again: Match<Nim> = file::read(&Arc::new(Nim), &text)?;
//! assert_eq!(again.state(), game.state());
//!
//! let forged = text.replace("\"act\":2", "\"act\":1");
//! let refusal = file::verify(&Arc::new(Nim), &forged).unwrap_err();
//! assert_eq!((refusal.line, refusal.code.as_str()), (3, "BROKEN_CHAIN"));
//!
//! let cut = &text[..text.trim_end().rfind('\n').unwrap() + 1];
//! assert!(!file::verify(&Arc::new(Nim), cut)?.closed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chain;
mod divergence;
mod form;
mod header;
mod line;
mod reader;
mod watch;
mod writer;

pub use divergence::{Divergence, code};
pub use header::{ContentPart, FORMAT, Header, Terms, header};
pub use line::Closing;
pub use reader::{Opened, Verified, open, open_with, read, verify};
pub use watch::{Watched, watch};
pub use writer::{Unwritable, Writer, write};
