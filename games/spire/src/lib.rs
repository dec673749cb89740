//! Spire: a deckbuilding climb, with every card, relic, power, potion, orb, stance and monster as data.

pub mod catalog;
pub mod run;
pub mod seeds;
