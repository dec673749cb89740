//! The whole run, from Neow to the heart.
//!
//! [`Climb`] wraps the fights of an [`Arena`]: run and fights share one queue, one log and one player.
//! The [`tower`] is the state around the fights; [`script`] holds events, pickups and gifts as data;
//! the rules, one mechanic per file, turn effects into facts and facts into further effects.

mod apply;
pub mod effect;
mod game;
mod legal;
mod policy;
pub mod rulebook;
mod rules;
pub mod score;
pub mod script;
mod spire;
mod tell;
pub mod tower;

pub use game::{Arena, Challenge, Climb, Of, Setup};
pub use rulebook::{CardFacts, Keepsake, Kind, Rulebook};
pub use tell::title;
