//! The kernel's example games as a library, so that tests and benchmarks can share them.
//!
//! The games themselves are the kernel's examples: `tic_tac_toe` and `connect_four` show the least a
//! game needs, `duel` shows listeners, dice, an agenda and a question.
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

#[path = "../../kernel/examples/connect_four.rs"]
pub mod connect_four;
#[path = "../../kernel/examples/duel.rs"]
pub mod duel;
#[path = "../../kernel/examples/tic_tac_toe.rs"]
pub mod tic_tac_toe;

mod bench;

pub use bench::{Player, benches, playout, playout_checked};
