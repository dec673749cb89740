//! The mechanics, one per file.

mod better;
pub mod cost;
mod express;
pub mod hits;
pub mod hooks;
pub mod monsters;
pub mod numbers;
pub mod orbs;
pub mod piles;
pub mod play;
pub mod powers;
pub mod reasons;
pub mod select;
pub mod steps;
pub mod turn;
pub mod turn_seed;
pub mod ways;
