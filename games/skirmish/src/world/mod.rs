//! Worlds out of seeds: dungeons, encounters and map templates.

pub mod dungeon;
pub mod encounter;
pub mod templates;
