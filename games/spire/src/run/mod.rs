//! The whole run, from Neow to the heart.
//!
//! [`Climb`] is a run around the fights of an [`Arena`]: they share one queue, one log and one player, and
//! what travels the queue of a fight can be the run's ([`Carrier`]), so that nothing is wrapped or copied over.
//! The [`tower`] is the state around the fights; [`script`] holds events, pickups and gifts as data;
//! the rules, one mechanic per file, turn effects into facts and facts into further effects.

mod apply;
mod ascension;
mod bench;
mod bots;
mod climber;
mod consequences;
pub mod effect;
mod game;
pub mod gym;
mod habits;
mod host;
mod legal;
pub mod plan;
mod policy;
pub mod rulebook;
mod rules;
mod scene;
pub mod score;
mod screens;
pub mod script;
mod secrets;
mod spire;
mod tactics;
pub mod tastes;
mod tell;
pub mod tower;

pub use bench::{GameFacts, play_out};
pub use bots::{Heuristic, Random};
pub use climber::Climber;
pub use game::{Arena, Begin, Carrier, Challenge, Climb, Of, Setup};
pub use rulebook::{CardFacts, Lore, Rulebook};
pub use tell::title;
