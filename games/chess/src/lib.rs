//! Chess: the plain game on bitboards and its notations.

mod color;
mod error;
pub mod notation;
pub mod plain;

pub use color::Color;
pub use error::BadInput;
