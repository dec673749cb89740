//! Questions about a position that change nothing: paths, reach, sight.

pub mod path;
pub mod reach;
pub mod sight;
