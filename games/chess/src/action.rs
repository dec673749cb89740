//! What a player declares.

use crate::at::At;
use crate::color::Color;
use crate::piece::{Kind, PieceId};
use crate::run::RunAction;
use serde::{Deserialize, Serialize};

/// How a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// Walls in between stop it.
    Slide,
    /// Nothing in between matters.
    Jump,
    /// The piece stays and casts onto the square.
    Cast,
    /// King and rook together; `to` is the rook's square.
    Castle,
    /// From the pocket; `from` is nowhere.
    Drop,
    /// A pawn takes one that has just passed it.
    EnPassant,
}

/// A move: a request, not yet a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Play {
    /// From where.
    pub from: At,
    /// To where.
    pub to: At,
    /// In which way.
    pub how: How,
    /// What a pawn is to become, or what is dropped; [`Kind::NONE`] if it is to be asked.
    #[serde(default = "no_kind", skip_serializing_if = "is_no_kind")]
    pub kind: Kind,
}

fn no_kind() -> Kind {
    Kind::NONE
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the shape serde asks for")]
fn is_no_kind(kind: &Kind) -> bool {
    *kind == Kind::NONE
}

impl Play {
    /// A move without a promotion.
    pub const fn new(from: At, to: At, how: How) -> Play {
        Play { from, to, how, kind: Kind::NONE }
    }
}

/// What a player, or the referee, declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Make a move.
    Play(Play),
    /// Claim a draw that the rules offer.
    ClaimDraw,
    /// Give up.
    Resign(Color),
    /// Offer a draw; the other side may accept until it has moved.
    OfferDraw(Color),
    /// Accept the draw that the other side has offered.
    AcceptDraw(Color),
    /// The referee: this side's time is over.
    TimeOut(Color),
    /// The referee: both agreed on a draw.
    AgreeDraw,
    /// The referee: a move that need not be legal, with or without passing the turn.
    Force {
        /// The move.
        play: Play,
        /// Does the turn pass?
        advance: bool,
    },
    /// The referee: one bare event as a resolution of its own.
    Raw(Raw),
    /// A step of the run between fights.
    Run(RunAction),
}

/// A bare event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Raw {
    /// A move without the turn around it; it need not be legal.
    Move(Play),
    /// Remove a piece.
    Destroy {
        /// Where.
        at: At,
        /// In whose name.
        actor: Color,
    },
    /// A turn begins.
    TurnStart(Color, u32),
    /// A turn ends.
    TurnEnd(Color, u32),
    /// The turn passes.
    TurnAdvanced(Color, u32),
    /// A clock ran out.
    TimeOut(Color),
    /// A game was lost.
    GameOver(Color),
}

/// What may be asked in the middle of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// What does this pawn become?
    Promotion {
        /// Which pawn.
        piece: PieceId,
        /// Where it stands.
        at: At,
    },
    /// What an ability asks its owner.
    Ability {
        /// Whose ability.
        piece: PieceId,
        /// Which layer, counted from the outermost.
        slot: u8,
        /// Where the piece stands.
        at: At,
    },
}

/// One answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// A kind of piece.
    Kind(Kind),
    /// A square.
    Square(At),
    /// Yes.
    Yes,
    /// No.
    No,
}

/// Who has asked: an answer serves nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asker {
    /// A pawn at its goal, or whoever is promoted like one.
    Pawn(PieceId),
    /// A layer of a piece.
    Layer(PieceId, u8),
}

impl Question {
    /// Who asks.
    pub const fn asker(&self) -> Asker {
        match *self {
            Question::Promotion { piece, .. } => Asker::Pawn(piece),
            Question::Ability { piece, slot, .. } => Asker::Layer(piece, slot),
        }
    }
}
