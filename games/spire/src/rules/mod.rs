//! The mechanics, one per file.

mod better;
pub mod cost;
mod expand;
mod express;
mod follow;
pub mod hits;
pub mod hooks;
mod legal;
pub mod monsters;
pub mod numbers;
pub mod orbs;
pub mod piles;
pub mod play;
mod potions;
pub mod powers;
pub mod reasons;
pub mod select;
mod settle;
pub mod steps;
pub mod turn;
pub mod turn_seed;
pub mod ways;
