//! Files around a match: scenarios, replays, campaigns, sessions, bundles.

pub mod builder;
pub mod bundle;
pub mod campaign;
pub mod fold;
pub mod replay;
pub mod runner;
pub mod scenario;
pub mod session;
