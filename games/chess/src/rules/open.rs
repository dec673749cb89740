//! From an action to its first effects.

use crate::ability::Verb;
use crate::action::{Action, How, Play, Raw};
use crate::effect::{Effect, Manner, Source, Tag};
use crate::game::{Chess, Out};
use crate::piece::{Piece, PieceId};
use crate::plain::EndReason;
use crate::state::State;
use crate::tile::Tile;

impl Chess {
    pub(crate) fn open_action(&self, state: &State, action: &Action, out: &mut Out) {
        match *action {
            Action::Play(play) => self.open_turn(state, play, true, out),
            Action::Force { play, advance } => self.open_turn(state, play, advance, out),
            Action::ClaimDraw => {
                let reason = self.claimable(state).unwrap_or(EndReason::Agreement);
                out.last(Effect::End(None, reason));
            }
            Action::Resign(color) => _ = out.last(Effect::End(Some(!color), EndReason::Resignation)),
            Action::OfferDraw(color) => _ = out.last(Effect::OfferDraw(color)),
            Action::AcceptDraw(_) | Action::AgreeDraw => {
                _ = out.last(Effect::End(None, EndReason::Agreement));
            }
            Action::TimeOut(color) => _ = out.last(Effect::TimeOut(color)),
            Action::Raw(raw) => open_raw(state, raw, out),
            Action::Run(step) => self.open_run(state, step, out),
        }
    }

    /// A turn is four resolutions: it starts, the move, it ends, it passes.
    fn open_turn(&self, state: &State, play: Play, advance: bool, out: &mut Out) {
        let (player, turn) = (state.player, state.turn);
        out.agenda(Effect::TurnStart(player, turn));
        out.agenda(Effect::Declared(play));
        out.agenda(Effect::TurnEnd(player, turn));
        if advance {
            out.agenda(Effect::TurnAdvance(!player, turn.saturating_add(1)));
        }
    }

    /// What a declared move stands for, at the moment it is made.
    pub(crate) fn expand_declared(&self, state: &State, play: &Play, out: &mut Out) {
        if play.how == How::Drop {
            return self.expand_drop(state, play, out);
        }
        let Some((id, piece)) = state.piece_at(play.from) else { return };
        let tag = Tag::of(piece.owner).by_player().by(top(id, piece));
        match play.how {
            How::Cast => expand_cast(state, play, piece, tag, out),
            How::Castle => {
                out.first(Effect::Castle { king: id, rook: state.id_at(play.to) });
            }
            How::EnPassant => {
                let Some(passed) = state.en_passant else { return };
                let at = state.piece(passed.pawn).map_or(play.to, |pawn| pawn.at);
                let tag = tag.in_manner(Manner::EnPassant);
                expand_capture(play, id, passed.pawn, at, tag, out);
            }
            How::Slide | How::Jump => expand_step(state, play, id, tag, out),
            How::Drop => {}
        }
    }

    fn expand_drop(&self, state: &State, play: &Play, out: &mut Out) {
        let dropped = state
            .pieces()
            .find(|(_, piece)| piece.in_pocket && piece.owner == state.player && piece.kind == play.kind);
        if let Some((id, _)) = dropped {
            let tag = Tag::of(state.player).by_player().in_manner(Manner::Drop);
            out.first(Effect::Place { piece: id, at: play.to, tag });
        }
    }
}

/// The outermost layer of a piece, or the piece itself.
pub(crate) fn top(id: PieceId, piece: &Piece) -> Source {
    if piece.layers.is_empty() { Source::Piece(id) } else { Source::Layer(id, 0) }
}

fn expand_cast(state: &State, play: &Play, piece: &Piece, tag: Tag, out: &mut Out) {
    if piece.has(Verb::WallPlacement) {
        let tag = Tag::of(tag.actor).by(Source::Tile(play.to)).in_manner(Manner::WallPlacement);
        let from = state.tile(play.to);
        out.first(Effect::SetTile { at: play.to, from, to: Tile::Wall, tomb: PieceId::NONE, tag });
    }
}

fn expand_step(state: &State, play: &Play, id: PieceId, tag: Tag, out: &mut Out) {
    let target = state.id_at(play.to);
    if target.is_some() {
        return expand_capture(play, id, target, play.to, tag, out);
    }
    out.first(move_effect(play, id, tag));
}

/// The move hangs on its capture: if that is prevented, it is dropped.
fn expand_capture(play: &Play, id: PieceId, target: PieceId, at: crate::At, tag: Tag, out: &mut Out) {
    let capture = Effect::Capture {
        attacker: id,
        from: play.from,
        target,
        at,
        tag: Tag { manner: capture_manner(tag), ..tag },
    };
    let slot = out.first(capture);
    out.first_if(slot, move_effect(play, id, tag));
}

fn capture_manner(tag: Tag) -> Manner {
    if tag.manner == Manner::EnPassant { Manner::EnPassant } else { Manner::Plain }
}

fn move_effect(play: &Play, piece: PieceId, tag: Tag) -> Effect {
    let manner = if play.how == How::Jump { Manner::Jump } else { Manner::Slide };
    Effect::Move {
        piece,
        from: play.from,
        to: play.to,
        displaces: PieceId::NONE,
        promotion: play.kind,
        tag: tag.in_manner(manner),
    }
}

fn open_raw(state: &State, raw: Raw, out: &mut Out) {
    let effect = match raw {
        Raw::Move(play) => Effect::Declared(play),
        Raw::Destroy { at, actor } => Effect::Destroy { target: state.id_at(at), at, tag: Tag::of(actor) },
        Raw::TurnStart(player, turn) => Effect::TurnStart(player, turn),
        Raw::TurnEnd(player, turn) => Effect::TurnEnd(player, turn),
        Raw::TurnAdvanced(player, turn) => Effect::TurnAdvance(player, turn),
        Raw::TimeOut(player) => Effect::TimeOut(player),
        Raw::GameOver(player) => Effect::GameOver(player),
    };
    out.last(effect);
}
