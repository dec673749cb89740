//! Proposed changes, and in whose name and how they are made.

use crate::action::Play;
use crate::at::At;
use crate::color::Color;
use crate::piece::{Kind, PieceId};
use crate::plain::EndReason;
use crate::run::RunEffect;
use crate::tile::Tile;
use serde::{Deserialize, Serialize};

/// Who or what caused an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Nobody in particular.
    #[default]
    None,
    /// A bare piece.
    Piece(PieceId),
    /// A layer of a piece, counted from the outermost.
    Layer(PieceId, u8),
    /// The tile there.
    Tile(At),
}

/// What kind of move, capture, death or change it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// Nothing special.
    #[default]
    Plain,
    /// A player's slide.
    Slide,
    /// A player's jump.
    Jump,
    /// Through the first target.
    Piercing,
    /// From afar.
    Marksman,
    /// In a blast.
    Explosion,
    /// In place of another.
    Scapegoat,
    /// A wall was run into.
    WallConsumed,
    /// A wall was cast.
    WallPlacement,
    /// A Revenant fell.
    RevenantTomb,
    /// A tomb opened.
    TombCleared,
    /// A dead piece rose.
    TombRestore,
    /// A Predator grew.
    PredatorEvolve,
    /// A Cannibal grew.
    CannibalGrowth,
    /// From the pocket.
    Drop,
    /// In passing.
    EnPassant,
}

/// The common part of effects and events: in whose name, by whom, in what manner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// In whose name.
    pub actor: Color,
    /// Is it the player's own action, or a consequence?
    pub by_player: bool,
    /// In what manner.
    pub manner: Manner,
    /// By whom.
    pub source: Source,
}

impl Tag {
    /// A consequence in someone's name.
    pub const fn of(actor: Color) -> Tag {
        Tag { actor, by_player: false, manner: Manner::Plain, source: Source::None }
    }

    /// The same by another source.
    #[must_use]
    pub const fn by(mut self, source: Source) -> Tag {
        self.source = source;
        self
    }

    /// The same in another manner.
    #[must_use]
    pub const fn in_manner(mut self, manner: Manner) -> Tag {
        self.manner = manner;
        self
    }

    /// The same as the player's own action.
    #[must_use]
    pub const fn by_player(mut self) -> Tag {
        self.by_player = true;
        self
    }
}

/// A proposed change travelling the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// A turn begins.
    TurnStart(Color, u32),
    /// The declared move, once the turn has begun; stands for its captures and moves.
    Declared(Play),
    /// A turn ends.
    TurnEnd(Color, u32),
    /// The turn passes.
    TurnAdvance(Color, u32),
    /// A piece moves.
    Move {
        /// Who.
        piece: PieceId,
        /// From where.
        from: At,
        /// To where.
        to: At,
        /// Who may be swept away there.
        displaces: PieceId,
        /// What a pawn is to become.
        promotion: Kind,
        /// In whose name and how.
        tag: Tag,
    },
    /// King and rook change places.
    Castle {
        /// The king.
        king: PieceId,
        /// The rook.
        rook: PieceId,
    },
    /// A piece takes another; a move follows.
    Capture {
        /// Who takes.
        attacker: PieceId,
        /// From where.
        from: At,
        /// Who is taken.
        target: PieceId,
        /// Where.
        at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A piece dies.
    Destroy {
        /// Who.
        target: PieceId,
        /// Where.
        at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A piece comes onto the board.
    Place {
        /// Who.
        piece: PieceId,
        /// Where.
        at: At,
        /// In whose name and how.
        tag: Tag,
    },
    /// A piece becomes another kind.
    Change {
        /// Who.
        piece: PieceId,
        /// From what.
        from: Kind,
        /// To what; [`Kind::NONE`] if it is to be asked.
        to: Kind,
        /// In whose name and how.
        tag: Tag,
    },
    /// A tile changes.
    SetTile {
        /// Where.
        at: At,
        /// From what.
        from: Tile,
        /// To what.
        to: Tile,
        /// Who lies in the tomb.
        tomb: PieceId,
        /// In whose name and how.
        tag: Tag,
    },
    /// A layer's charges change.
    Charge {
        /// Whose.
        piece: PieceId,
        /// Which layer.
        slot: u8,
        /// How many are left or gathered.
        charges: u8,
    },
    /// A layer asks its owner.
    Consult {
        /// Whose.
        piece: PieceId,
        /// Which layer.
        slot: u8,
    },
    /// Somebody offers a draw.
    OfferDraw(Color),
    /// Two friends change places.
    Swap {
        /// Who wants it.
        piece: PieceId,
        /// With whom.
        other: PieceId,
        /// In whose name and how.
        tag: Tag,
    },
    /// A check was given that counts.
    Check(Color),
    /// A clock ran out.
    TimeOut(Color),
    /// A game was lost.
    GameOver(Color),
    /// The game ends.
    End(Option<Color>, EndReason),
    /// Something of the run.
    Run(RunEffect),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_stay_small() {
        assert!(size_of::<Effect>() <= 32, "{}", size_of::<Effect>());
    }
}
