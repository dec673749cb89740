//! A game in words.

use crate::game::{Game, NoteOf};

/// How a game is told to people. Everything has a default that shows the data as it is.
pub trait Told: Game {
    /// One sentence about an event; `state` is the one after it, `reasons` are the notes that were left with it.
    fn tell(&self, _state: &Self::State, event: &Self::Event, _reasons: &[&NoteOf<Self>]) -> String {
        format!("{event:?}")
    }

    /// Whether an event only keeps the books. The log that players read leaves it out; explanations
    /// keep it.
    fn is_quiet(&self, _event: &Self::Event) -> bool {
        false
    }

    /// Whether players would miss an effect that has become impossible, so that the log they read says so. Mostly
    /// that there was nothing left to do is no news.
    fn is_missed(&self, _effect: &Self::Effect) -> bool {
        false
    }

    /// A few words about an effect that is on its way, was altered, or did not happen.
    fn tell_effect(&self, _state: &Self::State, effect: &Self::Effect) -> String {
        format!("{effect:?}")
    }

    /// What a listener did to an effect, such as `×1.5 Vulnerable`. Used by `explain`.
    fn tell_alteration(
        &self,
        state: &Self::State,
        listener: Self::Listener,
        before: &Self::Effect,
        after: &Self::Effect,
    ) -> String {
        let (from, to) = (self.tell_effect(state, before), self.tell_effect(state, after));
        format!("{}: {from} → {to}", self.tell_listener(state, listener))
    }

    /// An action in words a player would use.
    fn tell_action(&self, _state: &Self::State, action: &Self::Action) -> String {
        format!("{action:?}")
    }

    /// A question in words.
    fn tell_question(&self, _state: &Self::State, question: &Self::Question) -> String {
        format!("{question:?}")
    }

    /// An answer in words.
    fn tell_answer(&self, _state: &Self::State, _question: &Self::Question, answer: &Self::Answer) -> String {
        format!("{answer:?}")
    }

    /// Who made or changed a number, and how: `Strength: 6 → 8`.
    fn tell_note(&self, _state: &Self::State, note: &NoteOf<Self>) -> String {
        match note.from {
            Some(from) => format!("{:?}: {from} → {}", note.who, note.to),
            None => format!("{:?}: {}", note.who, note.to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;

    #[test]
    fn a_game_without_words_shows_its_data_and_keeps_nothing_quiet() {
        assert_eq!((Nim.tell(&3, &2, &[]), Nim.tell_effect(&5, &2)), ("2".to_owned(), "2".to_owned()));
        assert_eq!(Nim.tell_action(&5, &2), "2");
        assert!(!Nim.is_quiet(&2) && !Nim.is_missed(&2));
    }
}
