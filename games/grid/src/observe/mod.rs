//! Observations: a world as numbers, words and dictionaries for a player that
//! is a program.

mod info;

pub use info::info;
