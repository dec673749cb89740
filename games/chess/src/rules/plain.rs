//! States that are plain positions: no abilities but the ruleset's own, no
//! special tiles, eight by eight squares. They are judged on bitboards.

use crate::action::{Action, How, Play};
use crate::at::At;
use crate::color::Color;
use crate::game::Chess;
use crate::piece::Kind;
use crate::plain::{Bitboard, Move, Position, Role, Square, Variant};
use crate::state::State;

/// The square of a bitboard: both count file by file.
pub(crate) fn square(at: At) -> Square {
    Square::new(at.x, at.y)
}

/// The same back.
pub(crate) fn at(square: Square) -> At {
    At::new(square.file(), square.rank())
}

impl Chess {
    /// The plain position that this state is, if it is one under these rules.
    pub fn plain(&self, state: &State) -> Option<Position> {
        let variant = self.rules.variant?;
        if !state.is_orthodox() || !state.is_level() || state.verbs() & !self.innate != 0 {
            return None;
        }
        let mut position = Position::empty(variant);
        position.roles = state.bits.roles.map(Bitboard);
        position.colors = state.bits.colors.map(Bitboard);
        if !is_playable(&position) {
            return None;
        }
        for rook in &state.castling {
            position.castling |= square(*rook).into();
        }
        position.en_passant = state.en_passant.map(|passed| square(passed.at));
        position.turn = state.player;
        position.checks_left = state.checks_left;
        position.halfmoves = state.halfmoves;
        position.fullmoves = state.turn.div_ceil(2);
        if self.rules.drops {
            count_pockets(state, &mut position);
        }
        Some(position)
    }
}

/// Kings where they are needed, and no pawn where it could not move.
fn is_playable(position: &Position) -> bool {
    let kings = |color| position.of(color, Role::King).count();
    let wanted = match position.variant {
        Variant::Antichess => true,
        Variant::Horde => kings(Color::White) == 0 && kings(Color::Black) == 1,
        _ => kings(Color::White) == 1 && kings(Color::Black) == 1,
    };
    let mut edge = position.role(Role::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
    if position.variant == Variant::Horde {
        edge = edge.without(Bitboard::rank(0) & position.side(Color::White));
    }
    wanted && edge.is_empty()
}

fn count_pockets(state: &State, position: &mut Position) {
    for (_, piece) in state.pieces() {
        if piece.in_pocket {
            if let Some(count) = position.pockets[piece.owner as usize].get_mut(usize::from(piece.kind.0)) {
                *count = count.saturating_add(1);
            }
        } else if piece.promoted && piece.on_board() {
            position.promoted |= square(piece.at).into();
        }
    }
}

/// A plain move as a play; promotions carry their kind.
pub(crate) fn play_of(mv: &Move) -> Play {
    let kind_of = |role: Role| Kind(role as u8);
    match *mv {
        Move::Normal { role, from, to, promotion, .. } => {
            let rides = !matches!(role, Role::Knight | Role::King);
            let how = if rides { How::Slide } else { How::Jump };
            Play { from: at(from), to: at(to), how, kind: promotion.map_or(Kind::NONE, kind_of) }
        }
        Move::EnPassant { from, to } => Play::new(at(from), at(to), How::EnPassant),
        Move::Castle { king, rook } => Play::new(at(king), at(rook), How::Castle),
        Move::Drop { role, to } => {
            Play { from: At::NOWHERE, to: at(to), how: How::Drop, kind: kind_of(role) }
        }
    }
}

/// The legal plays of a plain position. A promotion is listed once: what the pawn becomes is asked.
pub(crate) fn legal_plays(position: &Position, out: &mut Vec<Action>) {
    let mut moves = Vec::with_capacity(64);
    position.legal_into(&mut moves);
    out.reserve(moves.len());
    for mv in &moves {
        let mut play = play_of(mv);
        if let Some(role) = mv.promotion() {
            if role != Role::Queen {
                continue;
            }
            play.kind = Kind::NONE;
        }
        out.push(Action::Play(play));
    }
}
