//! Pieces: a kind, an owner, a place, and a stack of ability layers.

use crate::ability::{Layer, Stack, Verb};
use crate::at::At;
use crate::color::Color;
use serde::{Deserialize, Serialize};

/// A piece for ever: through promotion, evolution, death and resurrection. 0 is nobody.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PieceId(pub u16);

impl PieceId {
    /// Nobody.
    pub const NONE: PieceId = PieceId(0);

    /// Is it somebody?
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

impl std::fmt::Debug for PieceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The number of a kind of piece in the catalog. The six orthodox kinds come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kind(pub u8);

impl Kind {
    /// The pawn.
    pub const PAWN: Kind = Kind(0);
    /// The knight.
    pub const KNIGHT: Kind = Kind(1);
    /// The bishop.
    pub const BISHOP: Kind = Kind(2);
    /// The rook.
    pub const ROOK: Kind = Kind(3);
    /// The queen.
    pub const QUEEN: Kind = Kind(4);
    /// The king.
    pub const KING: Kind = Kind(5);
    /// No kind given yet.
    pub const NONE: Kind = Kind(u8::MAX);

    /// Is it one of the six?
    #[inline]
    pub const fn is_orthodox(self) -> bool {
        self.0 < 6
    }
}

/// Who a piece was at that moment: what became of it later changes no tale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    /// Which piece; [`PieceId::NONE`] for one that is seen but not known.
    pub id: PieceId,
    /// What it was; [`Kind::NONE`] for nobody.
    pub kind: Kind,
    /// Whose it was.
    pub owner: Color,
}

impl Who {
    /// Nobody at all.
    pub const NOBODY: Who = Who { id: PieceId::NONE, kind: Kind::NONE, owner: Color::White };

    /// Is it somebody?
    #[inline]
    pub const fn is_some(self) -> bool {
        self.kind.0 != Kind::NONE.0
    }
}

/// A piece, on the board or off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What it is now.
    pub kind: Kind,
    /// Whose it is.
    pub owner: Color,
    /// Where it stands; [`At::NOWHERE`] if it is off the board.
    pub at: At,
    /// Is it in its owner's pocket, to be dropped?
    #[serde(default)]
    pub in_pocket: bool,
    /// Was it a pawn once?
    #[serde(default)]
    pub promoted: bool,
    /// How often it has moved or been moved.
    pub moves: u16,
    /// Its abilities, outermost first.
    pub layers: Stack,
    /// What it remembers of the resolution under way.
    #[serde(default)]
    pub(crate) memory: Memory,
}

/// What a piece remembers of one resolution. Each field counts only while its
/// stamp is the state's; the stamp moves on with every turn event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// When the piece first moved or changed, and what it was before.
    pub touched: u32,
    pub moves: u16,
    pub kind: u8,
    /// Did it leave its square in that resolution?
    pub moved: bool,
    /// When and where it last captured.
    pub hunted: u32,
    pub prey: Option<At>,
    /// When it was placed on the board.
    pub placed: u32,
}

impl Piece {
    /// A new piece on a square.
    pub fn new(kind: Kind, owner: Color, at: At) -> Piece {
        Piece {
            kind,
            owner,
            at,
            in_pocket: false,
            promoted: false,
            moves: 0,
            layers: Stack::default(),
            memory: Memory::default(),
        }
    }

    /// Does it stand on the board?
    #[inline]
    pub fn on_board(&self) -> bool {
        self.at.is_somewhere()
    }

    /// Has it a layer with this verb, at any depth?
    #[inline]
    pub fn has(&self, verb: Verb) -> bool {
        self.layers.mask() & verb.bit() != 0
    }

    /// The outermost layer with this verb, and its slot.
    pub fn layer(&self, verb: Verb) -> Option<(u8, Layer)> {
        self.layers
            .iter()
            .enumerate()
            .find(|(_, layer)| layer.verb == verb)
            .map(|(slot, layer)| (slot as u8, *layer))
    }
}
