//! The only writer: facts become state.

use crate::at::At;
use crate::color::Color;
use crate::effect::Manner;
use crate::event::Event;
use crate::game::Chess;
use crate::piece::{Kind, PieceId};
use crate::plain::End;
use crate::state::{Passed, State};
use crate::tile::Tile;

impl Chess {
    #[inline]
    pub(crate) fn apply_event(&self, state: &mut State, event: &Event) {
        match *event {
            Event::TurnStarted(..) => {
                state.stamp = state.stamp.wrapping_add(1);
                state.halfmoves = state.halfmoves.saturating_add(1);
            }
            Event::TurnEnded(player, _) => self.end_turn(state, player),
            Event::TurnAdvanced(player, turn) => {
                state.player = player;
                state.turn = turn;
                // An offer stands until the other side has moved.
                if state.offer == Some(player) {
                    state.offer = None;
                }
                if self.rules.draws {
                    let key = self.repetition_key(state);
                    state.keys.push(key);
                }
            }
            Event::Moved { piece, from, to, displaced, .. } => {
                self.apply_move(state, piece.id, from, to, displaced.id);
            }
            Event::Captured { attacker, target, at, .. } => {
                self.apply_capture(state, attacker.id, target.id, at);
            }
            Event::Destroyed { target, at, .. } => {
                self.progress(state);
                remember(state, target.id);
                state.lift(target.id);
                self.forget_lost(state, target.id, at);
            }
            _ => self.apply_rare(state, event),
        }
    }

    #[inline(never)]
    fn apply_rare(&self, state: &mut State, event: &Event) {
        match *event {
            Event::Castled { king, rook, king_to, rook_to } => {
                apply_castle(state, king.id, rook.id, king_to, rook_to);
            }
            Event::Placed { piece, at, tag } => self.apply_placed(state, piece.id, at, tag.manner),
            Event::Changed { piece, to, tag, .. } => {
                self.progress(state);
                remember(state, piece.id);
                state.answered = None;
                state.edit(piece.id, |piece| {
                    piece.kind = to;
                    piece.promoted |= tag.manner == Manner::Plain;
                });
            }
            Event::TileChanged { at, to, tomb, .. } => self.apply_tile(state, at, to, tomb.id),
            Event::Charged { piece, slot, charges, .. } => {
                self.progress(state);
                state.edit(piece.id, |piece| piece.layers.set_charges(slot, charges));
            }
            Event::Swapped { piece, at, other, other_at, .. } => {
                apply_swap(state, (piece.id, at), (other.id, other_at));
            }
            Event::Consulted { .. } => state.answered = None,
            Event::DrawOffered(player) => state.offer = Some(player),
            Event::CheckGiven(player, left) => state.checks_left[player as usize] = left,
            Event::Ended(winner, reason) => state.end = Some(End { winner, reason }),
            Event::Run(ref event) => self.apply_run(state, event),
            Event::TimedOut(_) | Event::GameOver(_) => {}
            Event::TurnStarted(..)
            | Event::TurnEnded(..)
            | Event::TurnAdvanced(..)
            | Event::Moved { .. }
            | Event::Captured { .. }
            | Event::Destroyed { .. } => {}
        }
    }

    fn end_turn(&self, state: &mut State, player: Color) {
        state.stamp = state.stamp.wrapping_add(1);
        // A pawn that was taken is gone, also if it lives on in a pocket.
        let stale = |passed: Passed| {
            state.piece(passed.pawn).is_none_or(|pawn| pawn.owner != player || !pawn.on_board())
        };
        if state.en_passant.is_some_and(stale) {
            state.en_passant = None;
        }
    }

    #[inline]
    fn apply_move(&self, state: &mut State, id: PieceId, from: At, to: At, displaced: PieceId) {
        if displaced.is_some() {
            self.progress(state);
            remember(state, displaced);
            state.lift(displaced);
            self.forget_lost(state, displaced, to);
        }
        remember(state, id);
        state.lift(id);
        state.put(id, to);
        let Some(piece) = state.piece_mut(id) else { return };
        piece.moves = piece.moves.saturating_add(1);
        piece.memory.moved = true;
        let (kind, owner) = (piece.kind, piece.owner);
        if kind == Kind::PAWN {
            self.progress(state);
            if self.rules.en_passant && from.x == to.x && from.y.abs_diff(to.y) == 2 {
                self.note_leap(state, id, owner, from);
            }
        }
        if !state.castling.is_empty() {
            forget_castling(state, from);
            forget_castling(state, to);
            if self.catalog.piece(kind).royal {
                forget_all_castling(state, owner);
            }
        }
    }

    /// A leap counts only from the second rank, and only if a pawn could answer it.
    fn note_leap(&self, state: &mut State, pawn: PieceId, owner: Color, from: At) {
        let Some(at) = from.plus(0, owner.forward()) else { return };
        if from.y != owner.pick(1, state.height().saturating_sub(2)) {
            return;
        }
        let answers = |dx: i32| {
            let beside = at.plus(dx, owner.forward()).and_then(|beside| state.piece_at(beside));
            beside.is_some_and(|(_, other)| other.kind == Kind::PAWN && other.owner != owner)
        };
        if answers(-1) || answers(1) {
            state.en_passant = Some(Passed { at, pawn });
        }
    }

    fn apply_capture(&self, state: &mut State, attacker: PieceId, target: PieceId, at: At) {
        self.progress(state);
        remember(state, target);
        state.lift(target);
        self.forget_lost(state, target, at);
        let stamp = state.stamp;
        let Some(taker) = state.piece_mut(attacker) else { return };
        taker.memory.hunted = stamp;
        taker.memory.prey = Some(at);
        let owner = taker.owner;
        if self.rules.drops {
            if let Some(piece) = state.piece_mut(target) {
                piece.owner = owner;
                piece.kind = if piece.promoted { Kind::PAWN } else { piece.kind };
                piece.promoted = false;
            }
            state.set_pocket(target, true);
        }
    }

    /// Something happened that starts the count of moves without progress anew. Earlier positions are
    /// forgotten only where they cannot come back: the dead rise from tombs, walls are raised again,
    /// and what was taken is dropped.
    #[inline]
    fn progress(&self, state: &mut State) {
        state.halfmoves = 0;
        if !self.may_return(state) {
            state.keys.clear();
        }
    }

    /// Who is gone castles no more, and without its king nobody of its side does.
    #[inline]
    fn forget_lost(&self, state: &mut State, id: PieceId, at: At) {
        if state.castling.is_empty() {
            return;
        }
        forget_castling(state, at);
        let Some(piece) = state.piece(id) else { return };
        if self.catalog.piece(piece.kind).royal {
            forget_all_castling(state, piece.owner);
        }
    }

    fn apply_placed(&self, state: &mut State, id: PieceId, at: At, manner: Manner) {
        let pawn = state.piece(id).is_some_and(|piece| piece.kind == Kind::PAWN);
        match manner {
            Manner::Drop => {
                state.set_pocket(id, false);
                if pawn {
                    self.progress(state);
                }
            }
            _ => self.progress(state),
        }
        state.put(id, at);
        let stamp = state.stamp;
        if let Some(piece) = state.piece_mut(id) {
            piece.memory.placed = stamp;
        }
    }

    /// A tomb keeps its piece as it was when the resolution began.
    fn apply_tile(&self, state: &mut State, at: At, to: Tile, tomb: PieceId) {
        self.progress(state);
        let stamp = state.stamp;
        if let Some(piece) = state.piece_mut(tomb)
            && piece.memory.touched == stamp
        {
            piece.moves = piece.memory.moves;
            piece.kind = Kind(piece.memory.kind);
        }
        state.set_tile(at, to);
        state.set_tomb(at, tomb);
    }
}

/// Keeps what a piece was when the resolution began.
#[inline]
fn remember(state: &mut State, id: PieceId) {
    let stamp = state.stamp;
    if let Some(piece) = state.piece_mut(id)
        && piece.memory.touched != stamp
    {
        piece.memory.touched = stamp;
        piece.memory.moves = piece.moves;
        piece.memory.kind = piece.kind.0;
        piece.memory.moved = false;
    }
}

fn forget_castling(state: &mut State, at: At) {
    state.castling.retain(|rook| *rook != at);
}

fn forget_all_castling(state: &mut State, owner: Color) {
    let home = owner.pick(0, state.height() - 1);
    state.castling.retain(|rook| rook.y != home);
}

fn apply_castle(state: &mut State, king: PieceId, rook: PieceId, king_to: At, rook_to: At) {
    let owner = state.piece(king).map_or(Color::White, |piece| piece.owner);
    for id in [king, rook] {
        remember(state, id);
        state.lift(id);
        if let Some(piece) = state.piece_mut(id) {
            piece.moves = piece.moves.saturating_add(1);
            piece.memory.moved = true;
        }
    }
    state.put(king, king_to);
    state.put(rook, rook_to);
    forget_all_castling(state, owner);
}

fn apply_swap(state: &mut State, (a, to_a): (PieceId, At), (b, to_b): (PieceId, At)) {
    for id in [a, b] {
        remember(state, id);
        state.lift(id);
        if let Some(piece) = state.piece_mut(id) {
            piece.moves = piece.moves.saturating_add(1);
            piece.memory.moved = true;
        }
    }
    state.put(a, to_a);
    state.put(b, to_b);
    for at in [to_a, to_b] {
        forget_castling(state, at);
    }
}
