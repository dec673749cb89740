//! Reading and writing positions, moves and games of the 8×8 board.

mod fen;
mod pgn;
mod san;
mod uci;

pub use fen::CastlingStyle;
pub use pgn::{PgnGame, read_pgn, write_pgn};
