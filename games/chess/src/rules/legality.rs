//! Which moves are legal: candidates, then what the ruleset asks of them.

use super::attack::{in_check, is_attacked, royals};
use super::candidates::plays_of;
use super::{castling, plain};
use crate::ability::Verb;
use crate::action::{Action, How, Play};
use crate::at::At;
use crate::catalog::{Goal, Safety};
use crate::color::Color;
use crate::game::Chess;
use crate::piece::{Kind, PieceId};
use crate::state::State;
use turnstone::{Input, Off, Position, Resolver};

impl Chess {
    /// The legal moves of the side to move, as if the game were not over.
    pub fn legal_plays(&self, state: &State) -> Vec<Play> {
        let mut actions = Vec::new();
        self.list_plays(state, &mut actions);
        actions
            .into_iter()
            .filter_map(|action| if let Action::Play(play) = action { Some(play) } else { None })
            .collect()
    }

    pub(crate) fn list_plays(&self, state: &State, out: &mut Vec<Action>) {
        if let Some(position) = self.plain(state) {
            return plain::legal_plays(&position, out);
        }
        let first = out.len();
        self.list_candidates(state, |play| out.push(Action::Play(play)));
        self.keep_lawful(state, out, first);
    }

    /// The moves that pieces and rights allow, before the ruleset is asked about them.
    pub(crate) fn list_candidates(&self, state: &State, mut found: impl FnMut(Play)) {
        for (id, piece) in state.side(state.player) {
            plays_of(&self.catalog, state, id, piece, self.rules.horde, &mut found);
        }
        self.special_plays(state, found);
    }

    /// Castling, en passant and drops on boards that are not plain.
    fn special_plays(&self, state: &State, mut found: impl FnMut(Play)) {
        if self.rules.castling && !state.castling.is_empty() {
            castling::plays(self, state, state.player, &mut found);
        }
        if self.rules.en_passant {
            self.en_passant_plays(state, &mut found);
        }
        if self.rules.drops {
            self.drop_plays(state, &mut found);
        }
    }

    fn en_passant_plays(&self, state: &State, mut found: impl FnMut(Play)) {
        let Some(passed) = state.en_passant else { return };
        let enemy =
            state.piece(passed.pawn).is_some_and(|pawn| pawn.on_board() && pawn.owner != state.player);
        if !enemy || state.id_at(passed.at).is_some() {
            return;
        }
        for dx in [-1, 1] {
            let from = passed.at.plus(dx, -state.player.forward());
            let taker = from.and_then(|from| state.piece_at(from));
            if let Some((_, taker)) = taker.filter(|(_, t)| t.kind == Kind::PAWN && t.owner == state.player) {
                found(Play::new(taker.at, passed.at, How::EnPassant));
            }
        }
    }

    fn drop_plays(&self, state: &State, mut found: impl FnMut(Play)) {
        let mut kinds: Vec<Kind> = state
            .pieces()
            .filter(|(_, piece)| piece.in_pocket && piece.owner == state.player)
            .map(|(_, piece)| piece.kind)
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let pawn = self.catalog.piece(kind).pawn;
            for to in state.all_squares() {
                let edge = to.y == 0 || to.y + 1 == state.height();
                let barred = (pawn && edge) || state.id_at(to).is_some();
                if !barred && state.step(to, 0, 0).is_some() {
                    found(Play { from: At::NOWHERE, to, how: How::Drop, kind });
                }
            }
        }
    }

    fn keep_lawful(&self, state: &State, out: &mut Vec<Action>, first: usize) {
        let mut kept = first;
        for i in first..out.len() {
            if let Action::Play(play) = out[i]
                && self.is_safe(state, &play)
            {
                out.swap(kept, i);
                kept += 1;
            }
        }
        out.truncate(kept);
        if self.rules.must_capture {
            let takes = |action: &Action| matches!(action, Action::Play(play) if is_capture(state, play));
            if out[first..].iter().any(takes) {
                let captures: Vec<Action> = out.drain(first..).filter(takes).collect();
                out.extend(captures);
            }
        }
    }

    /// Does the move leave our king safe, if that is asked?
    fn is_safe(&self, state: &State, play: &Play) -> bool {
        match (self.rules.goal, self.rules.safety) {
            (Goal::Mate, Safety::Projected) => self.is_safe_projected(state, play),
            (Goal::Mate, Safety::Resolved) => self.is_safe_resolved(state, play),
            _ => true,
        }
    }

    fn is_safe_projected(&self, state: &State, play: &Play) -> bool {
        let mut next = state.clone();
        let mover = next.id_at(play.from);
        let target = next.id_at(play.to);
        if target.is_some() {
            next.lift(target);
        }
        next.lift(mover);
        next.put(mover, play.to);
        let kings = royals(&self.catalog, &next, state.player).count();
        kings > 0 && !in_check(&self.catalog, &next, state.player, false)
    }

    fn is_safe_resolved(&self, state: &State, play: &Play) -> bool {
        self.preview(state, play).is_some_and(|next| self.is_lawful_after(state, &next))
    }

    /// Was the move lawful that led from one state to the other? The turn has not passed yet.
    pub(crate) fn is_lawful_after(&self, state: &State, next: &State) -> bool {
        let us = state.player;
        let had = royals(&self.catalog, state, us).next().is_some();
        let has = royals(&self.catalog, next, us).next().is_some();
        if had && !has {
            return false;
        }
        let enemy_had = royals(&self.catalog, state, !us).next().is_some();
        let enemy_has = royals(&self.catalog, next, !us).next().is_some();
        if enemy_had && !enemy_has {
            return true;
        }
        let checks = self.rules.race && self.is_threatened(next, !us);
        !checks && !self.is_threatened(next, us)
    }

    /// Could a royal piece of this side be taken next?
    fn is_threatened(&self, state: &State, color: Color) -> bool {
        royals(&self.catalog, state, color).any(|(_, at)| self.is_exposed(state, at, !color))
    }

    /// Could `by` take on `at`? Who would blow up its own last king with it does not threaten.
    pub(crate) fn is_exposed(&self, state: &State, at: At, by: Color) -> bool {
        if !is_attacked(&self.catalog, state, at, by, true) {
            return false;
        }
        if state.verbs() & Verb::Exploding.bit() == 0 || royals(&self.catalog, state, by).next().is_none() {
            return true;
        }
        let survives = |play: &Play| {
            let next = self.preview(state, play);
            next.is_some_and(|next| royals(&self.catalog, &next, by).next().is_some())
        };
        let mut takes = Vec::new();
        for (id, piece) in state.side(by) {
            plays_of(&self.catalog, state, id, piece, self.rules.horde, |play| {
                if play.to == at && play.how != How::Cast {
                    takes.push(play);
                }
            });
        }
        takes.iter().any(survives)
    }

    /// The state after a move with everything it sets off, before the turn passes.
    pub fn preview(&self, state: &State, play: &Play) -> Option<State> {
        let probe = self.probe.as_deref().unwrap_or(self);
        let mut position = Position::<Chess>::new(state.clone());
        let action = Action::Force { play: *play, advance: false };
        let mut resolver = Resolver::default();
        resolver.act_unchecked(probe, &mut position, &Input::Act(action), &mut Off).ok()?;
        Some(position.state().clone())
    }

    /// Is this very move legal now?
    pub fn is_legal(&self, state: &State, play: &Play) -> bool {
        let asked = Play { kind: if play.how == How::Drop { play.kind } else { Kind::NONE }, ..*play };
        if !self.kind_fits(state, play) {
            return false;
        }
        if self.rules.goal == Goal::KingCapture
            && !self.rules.must_capture
            && play.how as u8 <= How::Cast as u8
        {
            return self.is_candidate(state, &asked);
        }
        let mut legal = Vec::new();
        self.list_plays(state, &mut legal);
        legal.contains(&Action::Play(asked))
    }

    /// Only the piece on `from` needs to be looked at where kings need no care.
    fn is_candidate(&self, state: &State, play: &Play) -> bool {
        let Some((id, piece)) = state.piece_at(play.from) else { return false };
        let mut found = false;
        if piece.owner == state.player {
            plays_of(&self.catalog, state, id, piece, self.rules.horde, |other| found |= other == *play);
        }
        found
    }

    /// A kind carried by a move must be one that the pawn may become.
    fn kind_fits(&self, state: &State, play: &Play) -> bool {
        if play.kind == Kind::NONE || play.how == How::Drop {
            return true;
        }
        let promotes = state.piece_at(play.from).is_some_and(|(id, _)| self.promotes_on(state, id, play.to));
        promotes && self.promotions.contains(&play.kind)
    }

    /// Would this piece promote on that square?
    pub(crate) fn promotes_on(&self, state: &State, id: PieceId, at: At) -> bool {
        state.piece(id).is_some_and(|piece| {
            let last = piece.owner.pick(state.height() - 1, 0);
            self.catalog.piece(piece.kind).pawn && at.y == last
        })
    }

    /// Is a king of this side under attack? Touching kings shield each other where blasts rule.
    pub fn is_in_check(&self, state: &State, color: Color) -> bool {
        match self.plain(state) {
            Some(position) => position.king_attackers(color).any(),
            None if self.rules.safety == Safety::Resolved => self.is_threatened(state, color),
            None => in_check(&self.catalog, state, color, false),
        }
    }
}

/// Does this move take something?
pub(crate) fn is_capture(state: &State, play: &Play) -> bool {
    match play.how {
        How::EnPassant => true,
        How::Cast | How::Castle | How::Drop => false,
        How::Slide | How::Jump => state.id_at(play.to).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use turnstone::Game as _;

    /// Whether a king is in check is found out by taking it, which counted the checks given on the way, and so
    /// without end.
    #[test]
    fn checks_among_exploding_pieces_are_counted_once() {
        let chess = Chess::builtin("three-check").unwrap();
        let start = |fen: &str| chess.start(&Setup::Fen(fen.to_owned()), 0).unwrap();
        let state = start("10/4k5/10/1r{piercing}8/10/10/10/10/5P{exploding}4/5K4 w - - 3+3 3 70");
        let plays = chess.legal_plays(&state);
        assert!(!plays.is_empty() && plays.iter().all(|play| chess.resolve_turn(&state, play).is_ok()));
        let state = start("4k3/8/8/8/8/8/P{exploding}7/3RK3 w - - 3+3 0 1");
        let play = chess.parse_play(&state, "d1d8").unwrap();
        assert_eq!(chess.resolve_turn(&state, &play).unwrap().state.checks_left, [2, 3]);
    }
}
