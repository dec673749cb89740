//! What a game offers beyond playing it: plain values in, plain values out.

pub mod chess;
pub mod grid;
pub mod spire;
