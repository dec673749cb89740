//! What one may know of a game.

use crate::game::Game;
use crate::view::{Seat, Viewer};

/// What each viewer may know. By default everything is open, but for questions, which are for who must answer.
pub trait Seen: Game {
    /// Whether anything may be kept from that viewer in this match. It follows from what everybody knows, such as the
    /// rules, never from the position: where something may be hidden, a viewer hears neither what others sent nor
    /// the serial numbers of facts, whose gaps would tell how much he missed.
    fn hides(&self, _state: &Self::State, _viewer: Viewer) -> bool {
        false
    }

    /// The state as that viewer may see it. By default everything is public.
    fn view(&self, state: &Self::State, _viewer: Viewer) -> serde_json::Value {
        serde_json::to_value(state).unwrap_or_default()
    }

    /// An event as that viewer may see it: whole, with parts removed, or not at all. What is seen in part is an event
    /// too, so that one program reads both: an event with parts to hide has a form without them, such as a card of no
    /// kind.
    fn redact(
        &self,
        _before: &Self::State,
        _after: &Self::State,
        event: &Self::Event,
        _viewer: Viewer,
    ) -> Option<Self::Event> {
        Some(event.clone())
    }

    /// Whether `seen`, what [`redact`](Seen::redact) leaves of an event, lacks nothing that is ever told of it, such as
    /// the counters of the dice alone, and names nobody whom that viewer does not see. Then he is told as well how its
    /// numbers came about. An event that is left as it is needs no asking.
    fn tells_all(
        &self,
        _before: &Self::State,
        _after: &Self::State,
        _event: &Self::Event,
        _seen: &Self::Event,
        _viewer: Viewer,
    ) -> bool {
        false
    }

    /// Whether that viewer may know of an effect that was changed, replaced or prevented on its way. By default only
    /// where nothing can be hidden from him: it may name somebody whom he does not see.
    fn hears_of(&self, state: &Self::State, _effect: &Self::Effect, viewer: Viewer) -> bool {
        !self.hides(state, viewer)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;

    #[test]
    fn a_game_that_says_nothing_else_is_open_to_everybody() {
        for viewer in [Viewer::All, Viewer::Seat(1), Viewer::Spectator] {
            assert!(!Nim.hides(&5, viewer) && Nim.hears_of(&5, &2, viewer));
            assert_eq!(Nim.view(&5, viewer), 5);
            assert_eq!(Nim.redact(&5, &3, &2, viewer), Some(2));
            assert!(!Nim.tells_all(&5, &3, &2, &1, viewer), "what lacks something may lack anything");
        }
    }
}
