//! From effects to facts: what no longer makes sense is stale.

use super::candidates::wall_between;
use super::castling;
use crate::action::{Answer, Asker, Question};
use crate::effect::{Effect, Manner};
use crate::event::Event;
use crate::game::Chess;
use crate::listeners;
use crate::piece::{Kind, PieceId};
use crate::reason::{self, Reason};
use crate::state::State;
use crate::tile::Tile;
use turnstone::{Notes, Seat, Settled};

type Fate = Settled<Event, Question>;

impl Chess {
    #[inline]
    pub(crate) fn settle_effect(&self, state: &State, effect: &Effect, notes: &mut Notes<Reason>) -> Fate {
        match *effect {
            Effect::TurnStart(player, turn) => Settled::Event(Event::TurnStarted(player, turn)),
            Effect::TurnEnd(player, turn) => Settled::Event(Event::TurnEnded(player, turn)),
            Effect::TurnAdvance(player, turn) => Settled::Event(Event::TurnAdvanced(player, turn)),
            Effect::Move { .. } => settle_move(state, effect),
            Effect::Capture { attacker, from, target, at, tag } => {
                let both = state.id_at(from) == attacker && state.id_at(at) == target && target.is_some();
                let (attacker, target) = (state.who(attacker), state.who(target));
                fact(both, Event::Captured { attacker, from, target, at, tag })
            }
            Effect::Destroy { target, at, tag } => {
                let stands = target.is_some() && state.id_at(at) == target;
                fact(stands, Event::Destroyed { target: state.who(target), at, tag })
            }
            Effect::Change { .. } => self.settle_change(state, effect, notes),
            _ => self.settle_rare(state, effect, notes),
        }
    }

    #[inline(never)]
    fn settle_rare(&self, state: &State, effect: &Effect, notes: &mut Notes<Reason>) -> Fate {
        match *effect {
            Effect::Place { piece, at, tag } => {
                let free = state.step(at, 0, 0).is_some() && !state.id_at(at).is_some();
                let off = state.piece(piece).is_some_and(|piece| !piece.on_board());
                fact(free && off, Event::Placed { piece: state.who(piece), at, tag })
            }
            Effect::SetTile { at, from, to, tomb, tag } => {
                let same = state.contains(at) && state.tile(at) == from;
                fact(same, Event::TileChanged { at, from, to, tomb: state.who(tomb), tag })
            }
            Effect::Charge { piece, slot, charges } => {
                let there = state.piece(piece).is_some_and(|piece| piece.layers.get(slot).is_some());
                let at = state.place(piece);
                reason::charges(self, state, (piece, slot), charges, notes);
                fact(there, Event::Charged { piece: state.who(piece), at, slot, charges })
            }
            Effect::Swap { piece, other, tag } => {
                let (other_at, at) = (state.place(piece), state.place(other));
                let (piece, other) = (state.who(piece), state.who(other));
                let both = at.is_somewhere() && other_at.is_somewhere();
                fact(both, Event::Swapped { piece, at, other, other_at, tag })
            }
            Effect::Consult { piece, slot } => self.settle_consult(state, piece, slot),
            Effect::OfferDraw(player) => fact(state.offer.is_none(), Event::DrawOffered(player)),
            Effect::Castle { king, rook } => settle_castle(state, king, rook),
            Effect::Check(player) => {
                let left = state.checks_left[player as usize];
                notes.changed(Reason::Check, left, left.saturating_sub(1));
                fact(left > 0, Event::CheckGiven(player, left.saturating_sub(1)))
            }
            Effect::TimeOut(player) => Settled::Event(Event::TimedOut(player)),
            Effect::GameOver(player) => Settled::Event(Event::GameOver(player)),
            Effect::End(winner, reason) => fact(state.end.is_none(), Event::Ended(winner, reason)),
            Effect::Run(effect) => self.settle_run(state, effect, notes),
            // Expanded, or settled above.
            Effect::Declared(_)
            | Effect::TurnStart(..)
            | Effect::TurnEnd(..)
            | Effect::TurnAdvance(..)
            | Effect::Move { .. }
            | Effect::Capture { .. }
            | Effect::Destroy { .. }
            | Effect::Change { .. } => Settled::Stale,
        }
    }

    /// A layer's owner is asked, unless there is only one answer or this is a look ahead.
    fn settle_consult(&self, state: &State, id: PieceId, slot: u8) -> Fate {
        let Some(piece) = state.piece(id) else { return Settled::Stale };
        let at = piece.at;
        let mut answers = Vec::new();
        listeners::answers(self, state, id, slot, &mut answers);
        let given = match state.answered {
            Some((asker, answer)) if asker == Asker::Layer(id, slot) => Some(answer),
            _ if answers.len() == 1 || self.probe.is_none() => answers.first().copied(),
            _ => None,
        };
        match given {
            Some(answer) => Settled::Event(Event::Consulted { piece: state.who(id), at, slot, answer }),
            None if answers.is_empty() => Settled::Stale,
            None => Settled::Ask(piece.owner as Seat, Question::Ability { piece: id, slot, at }),
        }
    }

    /// Promotion with a choice is asked unless the move brought its answer.
    fn settle_change(&self, state: &State, effect: &Effect, notes: &mut Notes<Reason>) -> Fate {
        let Effect::Change { piece: id, from, to, tag } = *effect else { return Settled::Stale };
        let Some(piece) = state.piece(id).filter(|piece| piece.on_board() && piece.kind == from) else {
            return Settled::Stale;
        };
        let to = match to {
            Kind::NONE => match (state.answered, &self.promotions[..]) {
                (Some((Asker::Pawn(asker), Answer::Kind(kind))), _) if asker == id => kind,
                (_, [only]) => *only,
                _ => {
                    let question = Question::Promotion { piece: id, at: piece.at };
                    return Settled::Ask(piece.owner as Seat, question);
                }
            },
            kind => kind,
        };
        reason::change(self, from, to, notes);
        Settled::Event(Event::Changed { piece: state.who(id), at: piece.at, to, tag })
    }
}

#[inline]
fn fact(valid: bool, event: Event) -> Fate {
    if valid { Settled::Event(event) } else { Settled::Stale }
}

/// A move onto an occupied square is stale, except onto what it displaces.
#[inline]
fn settle_move(state: &State, effect: &Effect) -> Fate {
    let Effect::Move { piece, from, to, displaces, promotion, tag } = *effect else { return Settled::Stale };
    let there = state.id_at(to);
    let fogged = there.is_some() && state.tile(to) == Tile::Fog;
    let free = !there.is_some() || (there == displaces && !fogged);
    let blocked = tag.manner == Manner::Slide && wall_between(state, from, to);
    let valid =
        piece.is_some() && state.id_at(from) == piece && free && !blocked && state.step(to, 0, 0).is_some();
    let (piece, displaced) = (state.who(piece), state.who(there));
    fact(valid, Event::Moved { piece, from, to, displaced, promotion, tag })
}

fn settle_castle(state: &State, king: PieceId, rook: PieceId) -> Fate {
    let (Some(k), Some(r)) = (state.piece(king), state.piece(rook)) else { return Settled::Stale };
    let (king_to, rook_to) = castling::targets(state, k.at, r.at);
    let free = |at| {
        let id = state.id_at(at);
        state.contains(at) && (!id.is_some() || id == king || id == rook)
    };
    let (king, rook) = (state.who(king), state.who(rook));
    fact(
        k.on_board() && r.on_board() && k.at != r.at && free(king_to) && free(rook_to),
        Event::Castled { king, rook, king_to, rook_to },
    )
}
