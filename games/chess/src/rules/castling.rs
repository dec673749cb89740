//! Castling on any board: the king ends next to the edge's rook square, two
//! columns from the left edge or one from the right, the rook beside it.

use crate::action::{How, Play};
use crate::at::At;
use crate::color::Color;
use crate::game::Chess;
use crate::piece::{Kind, PieceId};
use crate::state::State;

/// Where king and rook end.
pub(crate) fn targets(state: &State, king: At, rook: At) -> (At, At) {
    if rook.x > king.x {
        let x = state.width().saturating_sub(2);
        (At::new(x, king.y), At::new(x.saturating_sub(1), king.y))
    } else {
        (At::new(2, king.y), At::new(3, king.y))
    }
}

/// The castling moves of a king.
pub(crate) fn plays(chess: &Chess, state: &State, color: Color, mut found: impl FnMut(Play)) {
    let king = state.side(color).find(|(_, piece)| piece.kind == Kind::KING);
    let Some((king_id, king)) = king else { return };
    for rook in &state.castling {
        let ours = state.piece_at(*rook).is_some_and(|(_, piece)| piece.owner == color);
        if ours && rook.y == king.at.y && is_free(chess, state, king_id, king.at, *rook) {
            found(Play::new(king.at, *rook, How::Castle));
        }
    }
}

fn is_free(chess: &Chess, state: &State, king_id: PieceId, king: At, rook: At) -> bool {
    let (king_to, rook_to) = targets(state, king, rook);
    let rook_id = state.id_at(rook);
    let empty = |x: u8| {
        let id = state.id_at(At::new(x, king.y));
        (!id.is_some() || id == king_id || id == rook_id) && state.step(At::new(x, king.y), 0, 0).is_some()
    };
    let row = |a: At, b: At| a.x.min(b.x)..=a.x.max(b.x);
    let them = !state.piece(king_id).map_or(Color::White, |piece| piece.owner);
    // The squares on the king's way are judged with the king gone, so that it shields none of them.
    let mut gone = state.clone();
    gone.lift(king_id);
    let safe = |x: u8| !is_attacked_here(chess, &gone, At::new(x, king.y), them, king_id);
    row(king, king_to).all(empty) && row(rook, rook_to).all(empty) && row(king, king_to).all(safe)
}

/// Attackers need something to take: the king is put on the square first.
fn is_attacked_here(chess: &Chess, gone: &State, at: At, by: Color, king: PieceId) -> bool {
    let mut there = gone.clone();
    if let Some((other, _)) = there.piece_at(at) {
        there.lift(other);
    }
    there.put(king, at);
    chess.is_exposed(&there, at, by)
}
