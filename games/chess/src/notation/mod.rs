//! Reading and writing positions, moves and games of the 8×8 board.

mod board;
mod fen;
mod label;
pub(crate) mod named;
mod pgn;
mod san;
mod uci;

pub(crate) use board::{read_board, write_board};
pub use fen::CastlingStyle;
pub use pgn::{PgnGame, PgnMove, read_pgn, read_pgn_games, write_pgn};
