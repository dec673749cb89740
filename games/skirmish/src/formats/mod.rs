//! Files around a match: scenarios, replays, campaigns.

pub mod builder;
pub mod campaign;
pub mod chapter;
pub mod fold;
pub mod replay;
pub mod runner;
pub mod scenario;
pub mod whole;
