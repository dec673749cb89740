//! Whether a fact that comes from outside can be written into this state: it names only pieces, squares and entries
//! that there are, and takes and puts pieces where that can be done. And whether what waits behind a question does.

use crate::action::Question;
use crate::at::At;
use crate::effect::{Effect, Source, Tag};
use crate::event::Event;
use crate::game::{self, Chess};
use crate::piece::{Kind, PieceId};
use crate::run::RunEffect;
use crate::state::State;
use crate::tile::Tile;
use turnstone::Seat;

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

impl Chess {
    /// Whether a question is about a piece that stands where it says and belongs to who is asked.
    pub(crate) fn question_fits(&self, state: &State, seat: Seat, question: &Question) -> bool {
        let (Question::Promotion { piece, at } | Question::Ability { piece, at, .. }) = *question;
        let own = state.piece(piece).is_some_and(|piece| game::seat(piece.owner) == seat && piece.at == at);
        own && match *question {
            Question::Promotion { .. } => true,
            Question::Ability { piece, slot, .. } => has_layer(state, piece, slot),
        }
    }

    /// Whether an effect that waits names only pieces, squares and kinds that there are.
    pub(crate) fn effect_fits(&self, state: &State, effect: &Effect) -> bool {
        let one = |id: PieceId| state.piece(id).is_some();
        let maybe = |id: PieceId| !id.is_some() || one(id);
        let place = |at: At| !at.is_somewhere() || state.contains(at);
        let known = |kind: Kind| kind == Kind::NONE || usize::from(kind.0) < self.catalog.pieces.len();
        let source = |tag: &Tag| match tag.source {
            Source::None => true,
            Source::Piece(id) => maybe(id),
            Source::Layer(id, slot) => has_layer(state, id, slot),
            Source::Tile(at) => state.contains(at),
        };
        match *effect {
            Effect::Declared(play) => place(play.from) && state.contains(play.to) && known(play.kind),
            Effect::Move { piece, from, to, displaces, promotion, ref tag } => {
                one(piece)
                    && place(from)
                    && state.contains(to)
                    && maybe(displaces)
                    && known(promotion)
                    && source(tag)
            }
            Effect::Castle { king, rook } => one(king) && one(rook),
            Effect::Capture { attacker, from, target, at, ref tag } => {
                one(attacker) && place(from) && one(target) && state.contains(at) && source(tag)
            }
            Effect::Destroy { target, at, ref tag } => one(target) && place(at) && source(tag),
            Effect::Place { piece, at, ref tag } => one(piece) && state.contains(at) && source(tag),
            Effect::Change { piece, from, to, ref tag } => {
                one(piece) && known(from) && known(to) && source(tag)
            }
            Effect::SetTile { at, tomb, ref tag, .. } => state.contains(at) && maybe(tomb) && source(tag),
            Effect::Charge { piece, slot, .. } | Effect::Consult { piece, slot } => {
                has_layer(state, piece, slot)
            }
            Effect::Swap { piece, other, ref tag } => one(piece) && one(other) && source(tag),
            Effect::Run(ref effect) => state.run.is_some() && self.run_effect_fits(effect),
            Effect::TurnStart(..)
            | Effect::TurnEnd(..)
            | Effect::TurnAdvance(..)
            | Effect::OfferDraw(_)
            | Effect::Check(_)
            | Effect::TimeOut(_)
            | Effect::GameOver(_)
            | Effect::End(..) => true,
        }
    }

    fn run_effect_fits(&self, effect: &RunEffect) -> bool {
        match *effect {
            RunEffect::Do { event, deed } => {
                let event = self.catalog.run.events.get(usize::from(event.0));
                event.is_some_and(|event| usize::from(deed) < event.deeds.len())
            }
            RunEffect::Survive(relic) => usize::from(relic.0) < self.catalog.run.relics.len(),
            RunEffect::Travel(_)
            | RunEffect::Fight
            | RunEffect::Shop
            | RunEffect::Event
            | RunEffect::Take(..)
            | RunEffect::Sell(_)
            | RunEffect::Accept
            | RunEffect::Leave
            | RunEffect::NextAct
            | RunEffect::FightOver
            | RunEffect::Win
            | RunEffect::Stall
            | RunEffect::Lose
            | RunEffect::Finish => true,
        }
    }
}

fn has_layer(state: &State, id: PieceId, slot: u8) -> bool {
    state.piece(id).is_some_and(|piece| piece.layers.get(slot).is_some())
}

fn is_ground(state: &State, at: At) -> bool {
    state.contains(at) && state.tile(at) != Tile::Void
}

fn on_board(state: &State, id: PieceId) -> bool {
    state.piece(id).is_some_and(|piece| piece.on_board())
}
