//! The match server, for any games: a lobby, seats held by tokens, clocks, and matches that survive whatever
//! happens to the process. What it says and hears is described in `docs/server.md`.
//!
//! # The vocabulary
//! A [`store::Store`] keeps the lines of matches and appends with compare-and-set. A [`room::Room`] is one match,
//! folded from its lines; a [`keeper::Keeper`] is the task that alone touches it. The [`hall::Hall`] knows all
//! matches and wakes their keepers.

pub mod client;
pub mod clock;
pub mod door;
pub mod hall;
pub mod http;
pub mod keeper;
pub mod message;
pub mod metrics;
pub mod now;
pub mod page;
pub mod patient;
pub mod record;
pub mod refusal;
pub mod replay;
pub mod room;
pub mod schema;
pub mod serve;
pub mod settings;
pub mod socket;
pub mod store;
pub mod stress;
pub mod study;
pub mod think;
pub mod token;
pub mod writer;
pub mod ws;
