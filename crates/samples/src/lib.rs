//! Small games that show how, as a library, so that tests and benchmarks can share them.
//!
//! `tic_tac_toe` and `connect_four` show the least a game needs, `duel` shows listeners, dice, an agenda and a
//! question, `couriers` hidden hands, questions to the other seat, and what hangs on what while they wait.
//!
//! ```
//! use std::sync::Arc;
//! use turnstone::{Input, Match};
//! use turnstone_samples::tic_tac_toe::TicTacToe;
//!
//! let mut game: Match<TicTacToe> = Match::new(Arc::new(TicTacToe), (), 0)?;
//! game.act(Input::Act(4))?;
//! assert_eq!(game.inputs().len(), 8);
//! # Ok::<(), turnstone::Rejection>(())
//! ```

pub mod connect_four;
pub mod couriers;
pub mod duel;
pub mod tic_tac_toe;

mod bench;
mod hosted;

pub use bench::{Player, benches, playout, playout_checked};
