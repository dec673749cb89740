//! Spire: a deckbuilding climb, with every card, relic, power, potion, orb, stance and monster as data.

mod apply;
pub mod bench;
pub mod catalog;
pub mod dice;
pub mod effect;
pub mod eval;
mod faces;
pub mod game;
pub mod golden;
pub mod rules;
pub mod run;
pub mod seeds;
pub mod setup;
pub mod state;
mod tell;
mod view;

pub use effect::{Action, Answer, Effect, Event, Question};
pub use game::{Ruleset, Spire};
pub use setup::{Fight, Setup};
pub use state::State;
