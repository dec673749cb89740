//! The whole run, from Neow to the heart.
//!
//! The [`tower`] is the state around the fights; events and gifts are entries of the [catalog](crate::catalog) like
//! cards and relics, in the same words; the rules, one mechanic per file, turn effects into facts and facts into
//! further effects. They share one queue, one log and one player with the rules of fights: their effects and facts are
//! a variant of the game's.

pub mod action;
mod apply;
mod ascension;
mod bench;
mod bots;
mod chances;
mod climber;
mod consequences;
pub mod effect;
mod entries;
pub mod event;
mod facts;
mod foreseen;
pub(crate) mod game;
pub(crate) mod gym;
mod host;
pub(crate) mod journey;
mod legal;
pub mod plan;
mod policy;
mod reasons;
pub(crate) mod rulebook;
pub(crate) mod rules;
mod scene;
pub mod score;
mod screens;
mod secrets;
mod study;
mod tactics;
pub(crate) mod tastes;
mod tell;
pub mod tower;
mod validate;

pub use bench::play_out;
pub use bots::Random;
pub use chances::{Chance, Odds};
pub use journey::Journey;
pub use rulebook::Rulebook;
pub use tell::title;

pub use crate::setup::{Begin, Setup};
