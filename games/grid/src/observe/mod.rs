//! Observations: a world as numbers, words and dictionaries for a player that
//! is a program.

mod features;
mod info;
mod planes;
mod rows;
mod text;

pub use features::features;
pub(crate) use info::phase;
pub use info::{info, info_redacted};
pub use planes::{Canvas, PLANES, full_length, is_visible, observe_full, observe_partial, partial_length};
pub use rows::{AGENT, STATUS, THING, THINGS, WHAT, has_things, write_agents, write_status, write_things};
pub use text::{describe, describe_entity};
