//! turnstone-grid

pub mod action;
mod apply;
pub mod batch;
pub mod bench;
pub mod bots;
mod cast;
pub mod catalog;
pub mod component;
pub mod conform;

pub mod document;
pub mod effect;
pub mod error;
pub mod event;
mod game;
pub mod generate;
pub mod geometry;
mod host;
pub mod level;
mod lifecycle;
pub mod listeners;
pub mod moves;
pub mod objective;
pub mod observe;
pub mod random;
pub mod render;
pub mod ruleset;
mod scene;
pub mod schedule;
pub mod solve;
pub mod state;
pub mod status;
pub mod systems;
mod tell;
pub mod world;

pub use game::{Grid, Setup};
