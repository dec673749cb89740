//! The engine as pure functions: a state and a move in, a state and its events out.

use crate::action::{Action, Answer, Play, Raw};
use crate::at::At;
use crate::event::Event;
use crate::game::Chess;
use crate::piece::Kind;
use crate::plain::End;
use crate::state::State;
use turnstone::{Game as _, Input, Log, Position, Rejection, Resolver};

/// What came of a resolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The state afterwards.
    pub state: State,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl Chess {
    /// Resolves a move alone, without the turn around it. It need not be legal.
    ///
    /// # Errors
    /// If no piece can move so at all, or the move sets off more than the rules allow.
    pub fn resolve_move(&self, state: &State, play: &Play) -> Result<Resolution, Rejection> {
        self.resolve(state, Action::Raw(Raw::Move(*play)), play.kind)
    }

    /// Resolves one bare event.
    ///
    /// # Errors
    /// If there is nothing for the event to happen to.
    pub fn resolve_event(&self, state: &State, raw: Raw) -> Result<Resolution, Rejection> {
        self.resolve(state, Action::Raw(raw), Kind::NONE)
    }

    /// Resolves a whole turn: it starts, the legal move is made, it ends, it passes.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn resolve_turn(&self, state: &State, play: &Play) -> Result<Resolution, Rejection> {
        self.resolve(state, Action::Play(*play), play.kind)
    }

    /// The legal moves of the piece on a square; none if it is not its turn or the game is over.
    pub fn legal_moves(&self, state: &State, at: At) -> Vec<Play> {
        if self.is_game_over(state).is_some() {
            return Vec::new();
        }
        self.legal_plays(state).into_iter().filter(|play| play.from == at).collect()
    }

    /// How the game is over, if it is.
    pub fn is_game_over(&self, state: &State) -> Option<End> {
        self.end_of(state)
    }

    /// A question is answered by what the move brought, or by the first choice.
    fn resolve(&self, state: &State, action: Action, kind: Kind) -> Result<Resolution, Rejection> {
        let mut position = Position::<Chess>::new(state.clone());
        let (mut resolver, mut log) = (Resolver::default(), Log::default());
        let mut input = Input::Act(action);
        loop {
            resolver.act(self, &mut position, &input, &mut log)?;
            let Some(pending) = position.pending() else { break };
            let mut answers = Vec::new();
            self.answers(position.state(), &pending.question, &mut answers);
            let brought = answers.iter().find(|answer| **answer == Answer::Kind(kind));
            input = Input::Choose(*brought.or(answers.first()).unwrap_or(&Answer::No));
        }
        let events = log.entries().iter().filter_map(|entry| entry.fact.event().cloned()).collect();
        Ok(Resolution { state: position.state().clone(), events })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;

    #[test]
    fn a_turn_is_a_move_with_its_turn_around_it() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        let state = chess.start(&Setup::Board("powder-keg".to_owned()), 0).unwrap();
        let before = state.clone();
        let play = chess.parse_play(&state, "c4d5").unwrap();
        let alone = chess.resolve_move(&state, &play).unwrap();
        let turn = chess.resolve_turn(&state, &play).unwrap();
        assert_eq!(state, before, "the given state is left alone");
        assert_eq!(turn.events[1..turn.events.len() - 3], alone.events[..alone.events.len() - 1]);
        assert_eq!(turn.state.end, alone.state.end, "both kings were close");
    }

    #[test]
    fn a_bare_event_is_a_resolution_of_its_own() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        let state = chess.start(&Setup::Board("powder-keg".to_owned()), 0).unwrap();
        let at = At::parse("d4").unwrap();
        let spark = Raw::Destroy { at, actor: crate::Color::White };
        let blast = chess.resolve_event(&state, spark).unwrap();
        assert!(blast.events.len() > 12, "{}", blast.events.len());
        let empty = Raw::Destroy { at: At::parse("a4").unwrap(), actor: crate::Color::White };
        assert_eq!(chess.resolve_event(&state, empty).unwrap_err().code(), "EMPTY_SQUARE");
    }
}
