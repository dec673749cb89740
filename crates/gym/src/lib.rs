//! Games as environments for learners: any hosted game as numbers, many worlds at once.
//!
//! A [`Batch`] steps N worlds in blocks over threads and writes observations, masks, rewards and ends into buffers
//! of the caller's. Results depend on the seed and the actions alone. [`Coder`] is what a game says about its
//! numbers; a game that says nothing is played by [`Plain`] ones, so that every hosted game can be learned on its
//! first day.
//!
//! ```
//! use turnstone_gym::{Batch, Buffers, Plan, Which};
//! use turnstone_table::testing::Pebbles;
//!
//! let mut batch = Batch::plain(Pebbles.into(), (), Plan { lanes: 2, record: 1, ..Plan::default() })?;
//! let (mut buffers, shown) = (Buffers::new(2, batch.lengths()), batch.buffer());
//! batch.observe(&mut buffers.frame(), Some(shown))?;
//! assert_eq!(buffers.offered, [10, 10]); // nine cells to claim, and a secret to look at
//! batch.step(&[2, 0], &mut buffers.frame(), Some(shown))?;
//! let saved = batch.save()?;
//! batch.copy_lanes(&[0], &[1])?; // the second world is now the first
//! let lines = |lane| batch.match_file(lane, Which::Present).map(|file| file.lines().count());
//! assert_eq!(lines(0)?, lines(1)?);
//! batch.restore(&saved)?;
//! # Ok::<(), turnstone::Rejection>(())
//! ```
//!
//! # The vocabulary
//! A **lane** is one world of a batch. Its **offers** are what may be sent now, actions and answers alike; each has a
//! **number**, either its place among the offers or one that the game keeps for ever. An **observation** has named
//! **parts** of small ([`Sort::U8`]) or larger ([`Sort::I16`]) numbers. *Terminated* and *truncated* mean what
//! Gymnasium means by them: victory, defeat and a draw are ends by rule, after which nothing is to be expected; a
//! limit of steps cuts short what could have gone on.

mod batch;
mod coder;
mod frame;
mod lane;
mod lanes;
mod opponent;
pub mod oracles;
mod part;
mod past;
mod plan;
mod threads;
mod words;

pub use batch::{Batch, Buffer, OFFERS};
pub use coder::{Asked, Coder, Ending, Learned, Taste, result, word};
pub use frame::{Buffers, Finals, Frame, Lengths};
pub use lane::{Episode, mix};
pub use lanes::{Gym, Lanes, Of, PlainOf};
pub use part::{Desk, Layout, Part, Sheet, Sort};
pub use plan::{Actions, Autoreset, Illegal, Plan, Which};
pub use words::{FEATURES, Plain, VIEW, describe, tell};
