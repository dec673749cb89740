//! Observations: a world as numbers, words and dictionaries for a player that
//! is a program.

mod info;
mod text;

pub use info::info;
pub(crate) use info::phase;
pub use text::{describe, describe_entity};
