//! Chess on the Turnstone kernel: a roguelike chess of abilities and tiles, and
//! orthodox chess with its variants, in one game.
//!
//! Play a match with undo, branches and explanations:
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Input, Match};
//! use turnstone_chess::{Action, Chess, Setup};
//!
//! let chess = Arc::new(Chess::builtin("last-piece-standing")?);
//! let setup = Setup::Fen("k7/8/8/3n{exploding}p3/8/8/8/K2R4 w".to_owned());
//! let mut game: Match<Chess> = Match::new(Arc::clone(&chess), setup, 0)?;
//!
//! let play = chess.parse_play(game.state(), "d1d5").expect("a legal move");
//! assert_eq!(chess.preview_text(game.state(), &play), "Black's knight on d5 dies; Black's pawn on e5 dies");
//! game.act(Input::Act(Action::Play(play)))?;
//! assert_eq!(chess.to_fen(game.state()), "k7/8/8/3R4/8/8/8/K7 b - - 0 1");
//! game.undo();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Resolve a move as a pure function:
//!
//! ```
//! use turnstone::Game as _;
//! use turnstone_chess::{Chess, Event, Setup};
//!
//! let chess = Chess::builtin("standard")?;
//! let state = chess.start(&Setup::Start, 0)?;
//! let play = chess.parse_play(&state, "Nf3").expect("a legal move");
//! let turn = chess.resolve_turn(&state, &play)?;
//! assert!(matches!(turn.events[1], Event::Moved { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Count and search plain positions on bitboards:
//!
//! ```
//! use turnstone_chess::plain::{Position, Variant, perft};
//!
//! let position = Position::start(Variant::Crazyhouse);
//! assert_eq!(perft(&position, 3), 8_902);
//! ```
//!
//! # The vocabulary
//! A **piece** has a **kind**, an owner, a place and a stack of **layers**, its
//! abilities, outermost first; it keeps its id for ever. A **tile** lies under
//! each square. A **play** is a move that is asked for; it becomes **effects**
//! (capture, move, destroy …) which abilities and tiles, the **listeners**, may
//! replace or cancel before they become **events**. A **ruleset** is a set of
//! switches, the **catalog** holds all content, a **run** is the roguelike around
//! the fights. A position is **plain** when the ruleset's own abilities are the
//! only ones, no tile is special and the board is eight by eight: then legality,
//! perft and search use bitboards and nothing is paid for abilities.
//!
//! Start reading at [`Chess`], then `rules/` (one mechanic per file) and
//! `listeners/` and `tiles/` (one ability or tile per file, its rule in the first
//! line). A new piece, board or ruleset is an entry in a content file:
//! [`catalog`].

mod ability;
mod action;
mod apply;
mod at;
mod bench;
pub mod bots;
pub mod catalog;
mod color;
mod effect;
mod engine;
mod error;
mod event;
mod game;
pub mod gym;
mod host;
mod listeners;
mod manager;
pub mod notation;
mod piece;
pub mod plain;
mod reason;
mod record;
mod rules;
pub mod run;
mod scene;
mod secrets;
mod setup;
mod state;
mod study;
mod tell;
#[cfg(test)]
mod testing;
mod tile;
mod tiles;
pub mod uci;
mod view;

pub use ability::{AbilityId, Layer, MAX_LAYERS, Stack, Verb};
pub use action::{Action, Answer, Asker, How, Play, Question, Raw};
pub use at::{At, MAX_SIDE};
pub use color::Color;
pub use effect::{Effect, Manner, Source, Tag};
pub use engine::Resolution;
pub use error::BadInput;
pub use event::Event;
pub use game::Chess;
pub use listeners::Listener;
pub use manager::{Clock, Manager};
pub use piece::{Kind, Piece, PieceId, Who};
pub use reason::Reason;
pub use record::{match_of, pgn_of};
pub use setup::{Record, Remark, Setup};
pub use state::{Passed, Saved, State};
pub use tile::{Tile, Tomb};
