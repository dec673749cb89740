//! What one may know of a game.

use crate::game::Game;
use crate::view::{Seat, Viewer};

/// What each viewer may know. By default everything is open, but for questions, which are for who must answer.
pub trait Seen: Game {
    /// The state as that viewer may see it. By default everything is public.
    fn view(&self, state: &Self::State, _viewer: Viewer) -> serde_json::Value {
        serde_json::to_value(state).unwrap_or_default()
    }

    /// An event as that viewer may see it: whole, with parts removed, or not at all.
    fn redact(
        &self,
        _before: &Self::State,
        _after: &Self::State,
        event: &Self::Event,
        _viewer: Viewer,
    ) -> Option<Self::Event> {
        Some(event.clone())
    }

    /// A question as that viewer may see it. By default only the one who must answer sees it whole.
    fn redact_question(
        &self,
        _state: &Self::State,
        seat: Seat,
        question: &Self::Question,
        viewer: Viewer,
    ) -> Option<Self::Question> {
        viewer.may_see(seat).then(|| question.clone())
    }
}
