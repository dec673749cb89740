//! Chess.

mod ability;
mod action;
mod at;
mod bench;
pub mod bots;
pub mod catalog;
mod color;
pub mod conform;
mod effect;
mod error;
mod game;
mod host;
mod listeners;
mod manager;
pub mod notation;
mod piece;
pub mod plain;
mod rules;
pub mod run;
mod setup;
mod state;
mod tell;
#[cfg(test)]
mod testing;
mod tile;
mod tiles;
pub mod uci;
mod view;

pub use ability::{AbilityId, Layer, MAX_LAYERS, Stack, Verb};
pub use action::{Action, How, Play, Question, Raw};
pub use at::{At, MAX_SIDE};
pub use color::Color;
pub use effect::{Effect, Event, Manner, Source, Tag};
pub use error::BadInput;
pub use game::Chess;
pub use listeners::Listener;
pub use manager::{Clock, Manager};
pub use piece::{Kind, Piece, PieceId};
pub use setup::Setup;
pub use state::{Passed, Saved, State};
pub use tile::{Tile, Tomb};
