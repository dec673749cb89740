//! Whether a fact that comes from outside can be written into this state: it names only pieces, squares and entries
//! that there are, and takes and puts pieces where that can be done.

use crate::at::At;
use crate::effect::Event;
use crate::game::Chess;
use crate::piece::{Kind, PieceId};
use crate::state::State;
use crate::tile::Tile;

impl Chess {
    pub(crate) fn event_fits(&self, state: &State, event: &Event) -> bool {
        let stands = |id: PieceId, at: At| id.is_some() && state.id_at(at) == id;
        let known = |kind: Kind| usize::from(kind.0) < self.catalog.pieces.len();
        match *event {
            Event::Moved { piece, from, to, displaced, .. } => {
                let there = state.id_at(to);
                stands(piece.id, from)
                    && is_ground(state, to)
                    && (there == displaced.id
                        || there == piece.id
                        || !there.is_some() && !displaced.is_some())
            }
            Event::Castled { king, rook, king_to, rook_to } => {
                let both = [king.id, rook.id];
                let free = |at: At| {
                    is_ground(state, at) && (!state.id_at(at).is_some() || both.contains(&state.id_at(at)))
                };
                king.id != rook.id
                    && both.iter().all(|id| on_board(state, *id))
                    && king_to != rook_to
                    && free(king_to)
                    && free(rook_to)
            }
            Event::Captured { attacker, target, at, .. } => {
                stands(target.id, at) && state.piece(attacker.id).is_some()
            }
            Event::Destroyed { target, at, .. } => stands(target.id, at),
            Event::Placed { piece, at, .. } => {
                let off = state.piece(piece.id).is_some_and(|piece| !piece.on_board());
                off && is_ground(state, at) && !state.id_at(at).is_some()
            }
            Event::Changed { piece, to, .. } => state.piece(piece.id).is_some() && known(to),
            Event::TileChanged { at, to, tomb, .. } => {
                let dead = state.piece(tomb.id).is_some_and(|piece| !piece.on_board());
                let held = if to == Tile::Tomb { dead } else { !tomb.id.is_some() };
                state.contains(at) && held && (to != Tile::Void || !state.id_at(at).is_some())
            }
            Event::Charged { piece, slot, .. } => {
                state.piece(piece.id).is_some_and(|piece| piece.layers.get(slot).is_some())
            }
            Event::Consulted { piece, .. } => state.piece(piece.id).is_some(),
            Event::Swapped { piece, at, other, other_at, .. } => {
                piece.id != other.id && stands(piece.id, other_at) && stands(other.id, at)
            }
            Event::Run(ref event) => state.run.as_deref().is_some_and(|run| run.fits(&self.catalog, event)),
            Event::TurnStarted(..)
            | Event::TurnEnded(..)
            | Event::TurnAdvanced(..)
            | Event::DrawOffered(_)
            | Event::CheckGiven(..)
            | Event::TimedOut(_)
            | Event::GameOver(_)
            | Event::Ended(..) => true,
        }
    }
}

fn is_ground(state: &State, at: At) -> bool {
    state.contains(at) && state.tile(at) != Tile::Void
}

fn on_board(state: &State, id: PieceId) -> bool {
    state.piece(id).is_some_and(|piece| piece.on_board())
}
