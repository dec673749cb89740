//! What lies under the pieces.

use crate::at::At;
use crate::piece::PieceId;
use serde::{Deserialize, Serialize};

/// A kind of tile.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tile {
    /// Nothing special.
    #[default]
    Standard,
    /// Saves its piece from one capture.
    Guardian,
    /// Who stands in it cannot be taken.
    Fog,
    /// Who arrives slides one square on.
    Slippery,
    /// Stops slides; breaks when run into.
    Wall,
    /// Holds a dead piece that rises when a friend comes.
    Tomb,
    /// No square at all: nobody enters or slides through.
    Void,
}

impl Tile {
    /// All kinds.
    pub const ALL: [Tile; 7] =
        [Tile::Standard, Tile::Guardian, Tile::Fog, Tile::Slippery, Tile::Wall, Tile::Tomb, Tile::Void];

    /// Its bit in masks of tiles.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A tomb and who lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tomb {
    /// Where.
    pub at: At,
    /// Who.
    pub piece: PieceId,
    /// The resolution in which it was dug; it listens from the next one on.
    pub(crate) dug: u32,
}

impl Tomb {
    /// A tomb that is there from the start.
    pub const fn new(at: At, piece: PieceId) -> Tomb {
        Tomb { at, piece, dug: 0 }
    }
}
