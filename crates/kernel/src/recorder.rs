//! Recorders take down what the kernel does: nothing, the log, the trace, every step.

use crate::cause::Cause;
use crate::detour::DetourOf;
use crate::fact::{Entry, EntryOf, Fact};
use crate::game::{Game, NoteOf, ProposalsOf};
use crate::position::LiveOf;
use crate::step::Step;

/// Takes down what the kernel does. A type parameter, so that [`Off`] costs nothing.
pub trait Recorder<G: Game> {
    /// Whether facts and the notes on them are wanted.
    const LOG: bool;
    /// Whether detours are wanted.
    const TRACE: bool;
    /// Whether every single step is wanted; see [`steps`](mod@crate::steps).
    const STEPS: bool = false;
    /// A fact, in order.
    fn entry(&mut self, entry: EntryOf<G>);
    /// The same of an event, which a recorder may write where it stays.
    #[inline]
    fn event(&mut self, event: G::Event, cause: Cause<G::Listener>) {
        self.entry(Entry { fact: Fact::Event(event), cause });
    }
    /// A note on the fact before it, in order.
    fn note(&mut self, note: NoteOf<G>);
    /// All notes on the fact before them, in order.
    fn note_all(&mut self, notes: &[NoteOf<G>]) {
        notes.iter().for_each(|note| self.note(note.clone()));
    }
    /// A detour, in order.
    fn detour(&mut self, detour: DetourOf<G>);
    /// A step of the one direction, and what waits after it.
    #[inline]
    fn step(&mut self, _step: Step<'_, G>, _waiting: &ProposalsOf<G>) {}
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
    /// Every note, in order, with the place of its fact in [`entries`](Keeper::entries).
    fn notes(&self) -> &[(usize, NoteOf<G>)];
    /// Every detour, in order.
    fn detours(&self) -> &[DetourOf<G>];
    /// Takes over facts and notes that were recorded elsewhere.
    fn take_over(&mut self, entries: Vec<EntryOf<G>>, notes: Vec<(usize, NoteOf<G>)>);
}

/// How much a recorder holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Facts.
    pub entries: usize,
    /// Notes.
    pub notes: usize,
    /// Detours.
    pub detours: usize,
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
    fn detour(&mut self, _detour: DetourOf<G>) {}
    #[inline]
    fn mark(&self) -> Mark {
        Mark::default()
    }
    #[inline]
    fn rollback(&mut self, _mark: Mark) {}
}

/// Records the facts and the notes on them.
pub struct Log<G: Game> {
    entries: Vec<EntryOf<G>>,
    notes: Vec<(usize, NoteOf<G>)>,
}

/// Records the facts, the notes on them, and what did not happen.
pub struct Trace<G: Game> {
    log: Log<G>,
    detours: Vec<DetourOf<G>>,
}

impl<G: Game> Default for Log<G> {
    fn default() -> Self {
        Log { entries: Vec::new(), notes: Vec::new() }
    }
}

impl<G: Game> Default for Trace<G> {
    fn default() -> Self {
        Trace { log: Log::default(), detours: Vec::new() }
    }
}

impl<G: Game> Clone for Log<G> {
    fn clone(&self) -> Self {
        Log { entries: self.entries.clone(), notes: self.notes.clone() }
    }
}

impl<G: Game> Clone for Trace<G> {
    fn clone(&self) -> Self {
        Trace { log: self.log.clone(), detours: self.detours.clone() }
    }
}

impl<G: Game> Log<G> {
    /// Forgets everything but keeps the memory, for the next rollout.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.notes.clear();
    }

    /// What was recorded.
    pub fn entries(&self) -> &[EntryOf<G>] {
        &self.entries
    }

    #[cold]
    #[inline(never)]
    fn first_make_room(&mut self, event: G::Event, cause: Cause<G::Listener>) {
        self.entries.push(Entry { fact: Fact::Event(event), cause });
    }
}

impl<G: Game> Recorder<G> for Log<G> {
    const LOG: bool = true;
    const TRACE: bool = false;
    #[inline]
    fn entry(&mut self, entry: EntryOf<G>) {
        self.entries.push(entry);
    }
    #[inline(always)]
    fn event(&mut self, event: G::Event, cause: Cause<G::Listener>) {
        // Made once it is known that there is room: it is then written where it stays.
        if self.entries.len() < self.entries.capacity() {
            self.entries.push(Entry { fact: Fact::Event(event), cause });
        } else {
            self.first_make_room(event, cause);
        }
    }
    fn note(&mut self, note: NoteOf<G>) {
        debug_assert!(!self.entries.is_empty(), "a note is about a fact");
        self.notes.push((self.entries.len().saturating_sub(1), note));
    }
    fn note_all(&mut self, notes: &[NoteOf<G>]) {
        let about = self.entries.len().saturating_sub(1);
        self.notes.extend(notes.iter().map(|note| (about, note.clone())));
    }
    #[inline]
    fn detour(&mut self, _detour: DetourOf<G>) {}
    fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), notes: self.notes.len(), detours: 0 }
    }
    fn rollback(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        self.notes.truncate(mark.notes);
    }
}

impl<G: Game> Recorder<G> for Trace<G> {
    const LOG: bool = true;
    const TRACE: bool = true;
    #[inline]
    fn entry(&mut self, entry: EntryOf<G>) {
        self.log.entry(entry);
    }
    fn note(&mut self, note: NoteOf<G>) {
        self.log.note(note);
    }
    fn detour(&mut self, detour: DetourOf<G>) {
        self.detours.push(detour);
    }
    fn mark(&self) -> Mark {
        Mark { detours: self.detours.len(), ..self.log.mark() }
    }
    fn rollback(&mut self, mark: Mark) {
        self.log.rollback(mark);
        self.detours.truncate(mark.detours);
    }
}

impl<G: Game> Keeper<G> for Log<G> {
    fn entries(&self) -> &[EntryOf<G>] {
        &self.entries
    }
    fn notes(&self) -> &[(usize, NoteOf<G>)] {
        &self.notes
    }
    fn detours(&self) -> &[DetourOf<G>] {
        &[]
    }
    fn take_over(&mut self, entries: Vec<EntryOf<G>>, notes: Vec<(usize, NoteOf<G>)>) {
        let first = self.entries.len();
        self.entries.extend(entries);
        self.notes.extend(notes.into_iter().map(|(at, note)| (first + at, note)));
    }
}

impl<G: Game> Keeper<G> for Trace<G> {
    fn entries(&self) -> &[EntryOf<G>] {
        self.log.entries()
    }
    fn notes(&self) -> &[(usize, NoteOf<G>)] {
        self.log.notes()
    }
    fn detours(&self) -> &[DetourOf<G>] {
        &self.detours
    }
    fn take_over(&mut self, entries: Vec<EntryOf<G>>, notes: Vec<(usize, NoteOf<G>)>) {
        self.log.take_over(entries, notes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cause::Origin;
    use crate::detour::{Detour, Fate};
    use crate::doc::Nim;

    const CAUSE: Cause<crate::Never> = Cause { after: Origin::Action, by: None };

    fn entry(event: u32) -> EntryOf<Nim> {
        Entry { fact: Fact::Event(event), cause: CAUSE }
    }

    fn detour(effect: u32) -> DetourOf<Nim> {
        Detour { serial: 0, effect, cause: CAUSE, fate: Fate::Stale }
    }

    /// Two facts and, where it is kept, what did not happen.
    fn taken_down<R: Keeper<Nim>>() -> R {
        let mut recorder = R::default();
        recorder.event(1, CAUSE);
        recorder.detour(detour(7));
        recorder.entry(entry(2));
        recorder
    }

    #[test]
    fn a_copy_of_a_record_holds_what_the_record_held() {
        let mut log: Log<Nim> = taken_down();
        let copy = log.clone();
        log.clear();
        assert_eq!(Keeper::entries(&copy), [entry(1), entry(2)]);
        let mut trace: Trace<Nim> = taken_down();
        let copy = trace.clone();
        trace.rollback(Mark::default());
        assert_eq!((copy.entries(), copy.detours()), (&[entry(1), entry(2)][..], &[detour(7)][..]));
        assert_eq!(trace.mark(), Mark::default());
    }

    #[test]
    fn a_log_keeps_facts_and_no_detours_and_forgets_them_on_demand() {
        let mut log: Log<Nim> = taken_down();
        assert_eq!(log.mark(), Mark { entries: 2, notes: 0, detours: 0 });
        assert!(Keeper::detours(&log).is_empty());
        log.clear();
        assert_eq!((log.mark(), log.entries().len()), (Mark::default(), 0));
    }

    #[test]
    fn what_was_staged_since_a_mark_is_taken_back_and_the_rest_stays() {
        let mut trace: Trace<Nim> = taken_down();
        let mark = trace.mark();
        assert_eq!(mark, Mark { entries: 2, notes: 0, detours: 1 });
        trace.event(3, CAUSE);
        trace.detour(detour(8));
        trace.rollback(mark);
        assert_eq!((trace.mark(), trace.detours()), (mark, &[detour(7)][..]));
    }
}
