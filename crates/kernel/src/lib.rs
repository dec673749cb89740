//! Turnstone: a deterministic, event-sourced rules engine for turn-based games.
//!
//! A game implements one trait, [`Game`]; the kernel gives it everything else. Play a match, undo
//! anything, branch, and ask why:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::doc::Nim;
//! use turnstone::{Input, Match};
//!
//! let mut game: Match<Nim> = Match::new(Arc::new(Nim), 4, 0)?;
//! game.act(Input::Act(3))?;
//! let refusal = game.act(Input::Act(2)).unwrap_err();
//! assert_eq!(refusal.to_string(), "[TOO_MANY] 2 of 1 cannot be taken");
//! assert_eq!((game.log().count(), game.refused()), (1, 1)); // a refusal changes nothing
//! game.undo();
//! assert_eq!(*game.state(), 4);
//! # Ok::<(), turnstone::Rejection>(())
//! ```
//!
//! Search or train on bare positions, with the recorder off:
//!
//! ```
//! use turnstone::dice::{Draw, Lots, Stream};
//! use turnstone::doc::Nim;
//! use turnstone::{Game, Input, Off, Position, Resolver};
//!
//! let mut resolver = Resolver::default();
//! let mut lots = Lots::new(1, Stream::named("random player"));
//! let mut position = Position::<Nim>::new(100);
//! let mut legal = Vec::new();
//! while Nim.outcome(position.state()).is_none() {
//!     legal.clear();
//!     Nim.legal(position.state(), &mut legal);
//!     let action = *lots.pick(&legal).expect("a running game has a legal action");
//!     resolver.act_unchecked(&Nim, &mut position, &Input::Act(action), &mut Off)?;
//! }
//! # Ok::<(), turnstone::Rejection>(())
//! ```
//!
//! Save a match as a chained file and verify it: see [`mod@file`].
//!
//! # The vocabulary
//! An **action** is what a player declares. It opens with **effects**, proposed changes that travel
//! the queue. **Listeners** hear of an effect before it happens and may alter, replace or cancel it;
//! then it **settles** into an **event**, a fact, which [`Game::apply`] writes into the state and the
//! log keeps with its **cause**; then listeners hear of it again and may propose more. When the queue
//! is empty, the **agenda** says what comes next. `settle` may ask a **question**; the match pauses
//! until it is answered. What is refused is refused with a **code** and changes nothing.
//!
//! Start reading at [`Game`], then [`Resolver`] (the loop), then [`Match`].

mod cause;
mod data;
mod detour;
pub mod dice;
pub mod diff;
pub mod digest;
#[doc(hidden)]
pub mod doc;
pub mod explain;
mod express;
mod fact;
pub mod file;
mod flow;
mod game;
mod listeners;
mod notes;
mod pen;
mod play;
mod position;
mod proposals;
mod recorder;
mod reject;
mod resolve;
mod seen;
mod shorten;
mod sight;
mod step;
pub mod steps;
mod timeline;
mod told;
mod view;

pub use cause::{Cause, Origin};
pub use data::{Data, Never};
pub use detour::{Detour, DetourOf, Fate};
pub use explain::Explanation;
pub use fact::{Entry, EntryOf, Fact, FactOf, Input, InputOf, Pending};
pub use game::{
    Expanded, Game, Indexed, Limits, ListenersOf, NoteOf, NotesOf, Outcome, PenOf, ProposalsOf, Settled,
    Verdict,
};
pub use listeners::Listeners;
pub use notes::{Note, Notes};
pub use pen::{Pen, Written};
pub use play::{Before, How, Match, Refusal, SNAPSHOT_INTERVAL, Went};
pub use position::{Live, LiveOf, Offers, Position, fold, fold_all};
pub use proposals::{Lane, Proposals, Slot};
pub use recorder::{Keeper, Log, Mark, Off, Recorder, Trace};
pub use reject::{Code, Reason, Rejection, code};
pub use resolve::Resolver;
pub use seen::Seen;
pub use shorten::shorten;
pub use timeline::{Branch, Moment};
pub use told::Told;
pub use view::{Seat, Viewer};
