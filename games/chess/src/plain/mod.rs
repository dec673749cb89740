//! The plain game: orthodox chess and its variants on the 8×8 board, with
//! bitboards. Positions without abilities and special tiles are counted,
//! searched and checked for legality here.

pub mod attacks;
mod bitboard;
mod end;
mod generate;
mod moves;
mod perft;
mod position;
mod variant;

pub use bitboard::{Bitboard, Square, Squares};
pub use end::{End, EndReason};
pub use moves::Move;
pub use perft::{divide, perft, perft_no_bulk};
pub use position::{Position, Role};
pub use variant::Variant;

pub(crate) use position::back_rank;
