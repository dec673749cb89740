//! Facts: the only things that are logged, each with its cause.

use serde::{Deserialize, Serialize};

use crate::cause::Cause;
use crate::game::Game;
use crate::reject::Rejection;
use crate::view::Seat;

/// What a player sends: an action, or an answer while a question waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input<A, C> {
    /// An action of the game.
    Act(A),
    /// An answer to the pending question.
    Choose(C),
}

/// A question that waits, and for whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending<Q> {
    /// Who must answer.
    pub seat: Seat,
    /// What is asked.
    pub question: Q,
}

/// A fact: the only thing that is logged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact<V, Q, A, C> {
    /// An event of the game.
    Event(V),
    /// The flow stopped for a question.
    Asked(Pending<Q>),
    /// The question was answered.
    Answered(C),
    /// An input was refused; nothing else changed.
    ActionRejected {
        /// What was refused.
        input: Input<A, C>,
        /// Why. In a box: refusals are rare and large, and every entry of a log is as large as the largest.
        rejection: Box<Rejection>,
    },
}

impl<V, Q, A, C> Fact<V, Q, A, C> {
    /// The game's event, if this is one.
    pub fn event(&self) -> Option<&V> {
        match self {
            Fact::Event(event) => Some(event),
            _ => None,
        }
    }
}

/// A fact with its cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry<V, Q, A, C, L> {
    /// What happened.
    pub fact: Fact<V, Q, A, C>,
    /// Why.
    pub cause: Cause<L>,
}

/// [`Input`] of game `G`.
pub type InputOf<G> = Input<<G as Game>::Action, <G as Game>::Answer>;
/// [`Fact`] of game `G`.
pub type FactOf<G> =
    Fact<<G as Game>::Event, <G as Game>::Question, <G as Game>::Action, <G as Game>::Answer>;
/// [`Entry`] of game `G`.
pub type EntryOf<G> = Entry<
    <G as Game>::Event,
    <G as Game>::Question,
    <G as Game>::Action,
    <G as Game>::Answer,
    <G as Game>::Listener,
>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_event_is_an_event() {
        type Plain = Fact<u8, u8, u8, u8>;
        assert_eq!(Plain::Event(4).event(), Some(&4));
        assert_eq!(Plain::Answered(4).event(), None);
        assert_eq!(Plain::Asked(Pending { seat: 0, question: 4 }).event(), None);
    }
}
