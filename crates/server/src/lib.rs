//! The match server, for any games: a lobby, seats held by tokens, clocks, and matches that survive whatever
//! happens to the process. What it says and hears is described in `docs/server.md`.
//!
//! # The vocabulary
//! A [`store::Store`] keeps the lines of matches and appends with compare-and-set.

pub mod store;
