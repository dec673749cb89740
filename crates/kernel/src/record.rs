//! The log: facts in order, each with its cause; and the trace: what did not happen, and who saw to it.

use serde::{Deserialize, Serialize};

use crate::flow::Cause;
use crate::game::{Game, Seat};
use crate::position::LiveOf;
use crate::reject::Rejection;

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
        /// Why.
        rejection: Rejection,
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

/// Something that did not simply happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note<E, L> {
    /// The serial number of the next fact when this was noted: the note stands before that fact.
    pub serial: u32,
    /// The effect in question, as it was before.
    pub effect: E,
    /// Why the effect had been proposed.
    pub cause: Cause<L>,
    /// What became of it.
    pub fate: Fate<E, L>,
}

/// What became of an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fate<E, L> {
    /// A listener changed it; it may still happen.
    Altered {
        /// Who.
        by: L,
        /// Into what.
        to: E,
    },
    /// A listener put others in its place.
    Replaced {
        /// Who.
        by: L,
        /// By what.
        with: Vec<E>,
    },
    /// A listener prevented it.
    Cancelled {
        /// Who.
        by: L,
    },
    /// It made no sense any more.
    Stale,
    /// It stood for nothing at that moment.
    Nothing,
    /// What it depended on did not happen.
    Unmet,
    /// It was taken off the agenda.
    Withdrawn,
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
/// [`Note`] of game `G`.
pub type NoteOf<G> = Note<<G as Game>::Effect, <G as Game>::Listener>;

/// Takes down what the kernel does. A type parameter, so that [`Off`] costs nothing.
pub trait Recorder<G: Game> {
    /// Whether facts are wanted.
    const LOG: bool;
    /// Whether notes are wanted.
    const TRACE: bool;
    /// A fact, in order.
    fn entry(&mut self, entry: EntryOf<G>);
    /// A note, in order.
    fn note(&mut self, note: NoteOf<G>);
    /// The live state right after a fact. Most recorders do not care; tests compare it with the fold.
    #[inline]
    fn witness(&mut self, _live: &LiveOf<G>) {}
    /// How much is held now.
    fn mark(&self) -> Mark;
    /// Forgets what was staged since `mark`: the action failed as a whole.
    fn rollback(&mut self, mark: Mark);
}

/// A [`Recorder`] that keeps what it takes down.
pub trait Keeper<G: Game>: Recorder<G> + Default + Clone + Send + Sync {
    /// Everything taken down, in order.
    fn entries(&self) -> &[EntryOf<G>];
    /// Every note, in order.
    fn notes(&self) -> &[NoteOf<G>];
}

/// How much a recorder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Facts.
    pub entries: usize,
    /// Notes.
    pub notes: usize,
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl<G: Game> Recorder<G> for Off {
    const LOG: bool = false;
    const TRACE: bool = false;
    #[inline]
    fn entry(&mut self, _entry: EntryOf<G>) {}
    #[inline]
    fn note(&mut self, _note: NoteOf<G>) {}
    #[inline]
    fn mark(&self) -> Mark {
        Mark::default()
    }
    #[inline]
    fn rollback(&mut self, _mark: Mark) {}
}

/// Records the facts.
pub struct Log<G: Game> {
    entries: Vec<EntryOf<G>>,
}

/// Records the facts and what did not happen.
pub struct Trace<G: Game> {
    entries: Vec<EntryOf<G>>,
    notes: Vec<NoteOf<G>>,
}

impl<G: Game> Default for Log<G> {
    fn default() -> Self {
        Log { entries: Vec::new() }
    }
}

impl<G: Game> Default for Trace<G> {
    fn default() -> Self {
        Trace { entries: Vec::new(), notes: Vec::new() }
    }
}

impl<G: Game> Clone for Log<G> {
    fn clone(&self) -> Self {
        Log { entries: self.entries.clone() }
    }
}

impl<G: Game> Clone for Trace<G> {
    fn clone(&self) -> Self {
        Trace { entries: self.entries.clone(), notes: self.notes.clone() }
    }
}

impl<G: Game> Log<G> {
    /// Forgets everything but keeps the memory, for the next rollout.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// What was recorded.
    pub fn entries(&self) -> &[EntryOf<G>] {
        &self.entries
    }
}

impl<G: Game> Recorder<G> for Log<G> {
    const LOG: bool = true;
    const TRACE: bool = false;
    #[inline]
    fn entry(&mut self, entry: EntryOf<G>) {
        self.entries.push(entry);
    }
    #[inline]
    fn note(&mut self, _note: NoteOf<G>) {}
    fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), notes: 0 }
    }
    fn rollback(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
    }
}

impl<G: Game> Recorder<G> for Trace<G> {
    const LOG: bool = true;
    const TRACE: bool = true;
    #[inline]
    fn entry(&mut self, entry: EntryOf<G>) {
        self.entries.push(entry);
    }
    fn note(&mut self, note: NoteOf<G>) {
        self.notes.push(note);
    }
    fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), notes: self.notes.len() }
    }
    fn rollback(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        self.notes.truncate(mark.notes);
    }
}

impl<G: Game> Keeper<G> for Log<G> {
    fn entries(&self) -> &[EntryOf<G>] {
        &self.entries
    }
    fn notes(&self) -> &[NoteOf<G>] {
        &[]
    }
}

impl<G: Game> Keeper<G> for Trace<G> {
    fn entries(&self) -> &[EntryOf<G>] {
        &self.entries
    }
    fn notes(&self) -> &[NoteOf<G>] {
        &self.notes
    }
}
