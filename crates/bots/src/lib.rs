//! Searchers that play any hosted game. They look at it through a [`Sight`], so they cannot peek: what
//! is hidden is sampled, never read. What they need of a game is its rules; if it also says how good a
//! state is ([`Hosted::appraise`]) or what a quick player would do ([`Hosted::reflex`]), they use it.
//!
//! | name | what it does | best at |
//! |---|---|---|
//! | `flat:N` | N playouts, halving the options in rounds | anything, quickly |
//! | `ismcts:N` | N iterations of information-set tree search, one observer | hidden things and dice |
//! | `mo-ismcts:N` | the same with a tree for each seat's eyes | moves made unseen |
//! | `alphabeta:N` | N nodes, deeper and deeper; everybody else is taken for an enemy | open games |
//! | `beam:N` | the best lines of the own turn, N nodes | long turns |
//!
//! `slips=25:NAME` is any of them, or a bot of the game, who does anything at all in 25 of 100 choices.
//!
//! Budgets are counted, and a fixed number of trees is grown from lots of their own and
//! merged in order: the same seed gives the same move on any number of threads. Who wants a clock all the same adds
//! `time=MS`, and is told apart by [`is_timed`]: his games cannot be repeated.
//!
//! ```
//! use turnstone::Position;
//! use turnstone_bots::{Method, Searcher};
//! use turnstone_host::{Sight, bot_lots};
//! use turnstone_samples::tic_tac_toe::TicTacToe;
//! # use turnstone::Game;
//!
//! let position = Position::<TicTacToe>::new(TicTacToe.start(&(), 0)?);
//! let inputs = position.inputs(&TicTacToe);
//! let sight = Sight::new(&TicTacToe, &position, 0, &inputs);
//! let why = Searcher::new(Method::AlphaBeta, 100_000).think(&sight, &mut bot_lots(1, 0, 0));
//! assert_eq!(why.options.len(), 9);
//! println!("{:?} {:?}", inputs[why.best], why.line);
//! # Ok::<(), turnstone::Rejection>(())
//! ```

mod alphabeta;
mod beam;
mod flat;
mod ismcts;
mod names;
mod playout;
mod searcher;
mod slips;

pub use names::{bot, no_such_bot};
pub use searcher::{METHODS, Method, Searcher, is_timed, named};
pub use slips::{Slips, read_slips};
pub use turnstone_host::{Weighed, Why};

#[cfg(doc)]
use turnstone_host::{Hosted, Sight};
