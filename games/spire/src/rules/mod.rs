//! The mechanics, one per file.

mod better;
pub(crate) mod cost;
mod expand;
mod express;
mod follow;
pub(crate) mod hits;
mod legal;
pub(crate) mod monsters;
pub(crate) mod numbers;
pub(crate) mod orbs;
pub(crate) mod piles;
pub(crate) mod play;
mod potions;
pub(crate) mod powers;
pub(crate) mod reasons;
pub(crate) mod select;
mod settle;
pub(crate) mod steps;
pub(crate) mod turn;
pub(crate) mod turn_seed;
pub mod ways;
