//! A match: game, position, log and timeline in one hand.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::detour::DetourOf;
use crate::explain::{Explanation, Record, Sighted, explain, explain_for};
use crate::fact::{EntryOf, FactOf, InputOf, Pending};
use crate::game::{Game, NoteOf, Outcome};
use crate::position::{LiveOf, Position, fold_all};
use crate::recorder::{Keeper, Trace};
use crate::reject::{Rejection, code};
use crate::resolve::Resolver;
use crate::seen::Seen;
use crate::sight::{Glimpse, glimpse, redact_fact};
use crate::steps::{Kept, Steps};
use crate::timeline::{Branch, Moment, Timeline};
use crate::told::Told;
use crate::view::{Seat, Viewer};

/// Snapshots are kept this many inputs apart, unless asked otherwise.
pub const SNAPSHOT_INTERVAL: u32 = 64;

/// How many of the last refusals a match keeps.
const REFUSALS: usize = 16;

/// An input that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal<I> {
    /// The moment at which it was sent.
    pub at: Moment,
    /// What was sent.
    pub input: I,
    /// Why it was refused.
    pub rejection: Rejection,
}

/// How a match came to another moment than the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// An input was taken back.
    Undo,
    /// What was taken back was done again.
    Redo,
    /// Straight there.
    Jump,
}

/// One step through the timeline, in the order in which they were taken: what a match file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    /// An input was played: this moment is new.
    On(Moment),
    /// To a moment that was there already.
    To(Moment, How),
}

/// A match in progress: everything that was played, and the position now.
///
/// ```
/// # use turnstone::doc::Nim;
/// use std::sync::Arc;
/// use turnstone::{Input, Match};
///
/// let mut game: Match<Nim> = Match::new(Arc::new(Nim), 5, 0)?;
/// game.act(Input::Act(2))?;
/// game.act(Input::Act(1))?;
/// assert_eq!(*game.state(), 2);
///
/// game.undo();
/// assert_eq!(*game.state(), 3);
/// game.act(Input::Act(3))?; // a new branch: the old one stays reachable
/// assert_eq!(game.branches().len(), 2);
/// # Ok::<(), turnstone::Rejection>(())
/// ```
pub struct Match<G: Game, R: Keeper<G> = Trace<G>> {
    game: Arc<G>,
    setup: G::Setup,
    seed: u64,
    position: Position<G>,
    recorder: R,
    timeline: Timeline<G>,
    journal: Vec<Went>,
    refusals: VecDeque<Refusal<InputOf<G>>>,
    refused: u64,
    resolver: Resolver<G>,
}

impl<G: Game, R: Keeper<G>> Clone for Match<G, R> {
    fn clone(&self) -> Self {
        Match {
            game: Arc::clone(&self.game),
            setup: self.setup.clone(),
            seed: self.seed,
            position: self.position.clone(),
            recorder: self.recorder.clone(),
            timeline: self.timeline.clone(),
            journal: self.journal.clone(),
            refusals: self.refusals.clone(),
            refused: self.refused,
            resolver: Resolver::default(),
        }
    }
}

impl<G: Game, R: Keeper<G>> Match<G, R> {
    /// Starts a match.
    ///
    /// # Errors
    /// A set-up that makes no valid state is refused.
    pub fn new(game: Arc<G>, setup: G::Setup, seed: u64) -> Result<Self, Rejection> {
        Self::with_interval(game, setup, seed, SNAPSHOT_INTERVAL)
    }

    /// Starts a match that keeps a snapshot every `interval` inputs.
    ///
    /// # Errors
    /// A set-up that makes no valid state is refused.
    pub fn with_interval(game: Arc<G>, setup: G::Setup, seed: u64, interval: u32) -> Result<Self, Rejection> {
        let state = game.start(&setup, seed)?;
        let position = Position::<G>::new(state).admit(&game)?;
        Ok(Self::at(game, setup, seed, position, interval))
    }

    /// A match that starts from any position: for trials, or to go on from another match. A file of it says so
    /// ([`Header::branch`](crate::file::Header::branch)).
    ///
    /// # Errors
    /// A position that the game cannot go on from is refused.
    pub fn from_position(
        game: Arc<G>,
        setup: G::Setup,
        seed: u64,
        start: Position<G>,
    ) -> Result<Self, Rejection> {
        let start = start.admit(&game)?;
        Ok(Self::at(game, setup, seed, start, SNAPSHOT_INTERVAL))
    }

    /// A match that starts from a position.
    pub(crate) fn at(game: Arc<G>, setup: G::Setup, seed: u64, start: Position<G>, interval: u32) -> Self {
        Match {
            game,
            setup,
            seed,
            timeline: Timeline::new(&start, interval),
            position: start,
            recorder: R::default(),
            journal: Vec::new(),
            refusals: VecDeque::new(),
            refused: 0,
            resolver: Resolver::default(),
        }
    }

    /// Carries out an input at the present moment and goes on to the next. After an undo this starts
    /// a new branch. A refused input changes nothing; the match remembers the last of them and counts all.
    ///
    /// # Errors
    /// Why the input was refused.
    pub fn act(&mut self, input: InputOf<G>) -> Result<Moment, Rejection> {
        let tried = self.try_act(&input);
        if let Err(rejection) = &tried {
            self.refuse(Refusal { at: self.here(), input, rejection: rejection.clone() });
        }
        tried
    }

    /// Like [`act`](Match::act), but a refused input leaves no trace at all: the door of a shared table
    /// answers it and that is that.
    ///
    /// # Errors
    /// Why the input was refused.
    pub fn try_act(&mut self, input: &InputOf<G>) -> Result<Moment, Rejection> {
        let from = self.recorder.mark();
        let serial = self.position.live.serial;
        self.resolver.try_act(&self.game, &mut self.position, input, &mut self.recorder)?;
        let stretch = (from, self.recorder.mark());
        self.timeline.grow(input.clone(), serial, stretch, &self.position);
        self.journal.push(Went::On(self.here()));
        Ok(self.here())
    }

    pub(crate) fn refuse(&mut self, refusal: Refusal<InputOf<G>>) {
        if self.refusals.len() == REFUSALS {
            self.refusals.pop_front();
        }
        self.refusals.push_back(refusal);
        self.refused += 1;
    }

    /// Takes over what a file says of refused inputs.
    pub(crate) fn take_refusals(&mut self, refused: u64, refusals: Vec<Refusal<InputOf<G>>>) {
        self.refusals = refusals.into();
        self.refused = refused;
    }

    /// Takes over an input with facts and notes that were recorded elsewhere: they are folded, no rule is asked.
    pub(crate) fn take_over(
        &mut self,
        input: InputOf<G>,
        entries: Vec<EntryOf<G>>,
        notes: Vec<(usize, NoteOf<G>)>,
    ) {
        let from = self.recorder.mark();
        let serial = self.position.live.serial;
        fold_all(&*self.game, &mut self.position.live, &entries);
        self.position.pause = None;
        self.recorder.take_over(entries, notes);
        let stretch = (from, self.recorder.mark());
        self.timeline.grow(input, serial, stretch, &self.position);
        self.journal.push(Went::On(self.here()));
    }

    /// The moment to which [`undo`](Match::undo) would go.
    pub fn behind(&self) -> Option<Moment> {
        self.timeline.back()
    }

    /// The moment to which [`redo`](Match::redo) would go.
    pub fn ahead(&self) -> Option<Moment> {
        self.timeline.ahead()
    }

    /// The live state at the start.
    pub(crate) fn start(&self) -> LiveOf<G> {
        self.live_after(0)
    }

    /// The live state after a moment that is there.
    pub(crate) fn live_after(&self, moment: Moment) -> LiveOf<G> {
        self.timeline.live(&self.game, &self.recorder, moment, usize::MAX)
    }

    /// The last inputs that were refused, oldest first. All were answered; only these are kept.
    pub fn refusals(&self) -> impl ExactSizeIterator<Item = &Refusal<InputOf<G>>> {
        self.refusals.iter()
    }

    /// How many inputs were refused in all.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Every step through the timeline so far, in order.
    pub fn journal(&self) -> &[Went] {
        &self.journal
    }

    /// Takes back the last input. False at the start.
    pub fn undo(&mut self) -> bool {
        self.timeline.back().is_some_and(|moment| self.go(moment, How::Undo).is_ok())
    }

    /// Takes back an undo: goes along the line that was played or visited last. False if nothing is ahead.
    pub fn redo(&mut self) -> bool {
        self.timeline.ahead().is_some_and(|moment| self.go(moment, How::Redo).is_ok())
    }

    /// Goes to any moment of any branch.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn jump(&mut self, moment: Moment) -> Result<(), Rejection> {
        if moment == self.here() {
            return Ok(());
        }
        self.go(moment, How::Jump)
    }

    pub(crate) fn go(&mut self, moment: Moment, how: How) -> Result<(), Rejection> {
        if self.timeline.node(moment).is_none() {
            return Err(no_such_moment(moment));
        }
        self.position = self.timeline.restore(&self.game, &self.recorder, moment);
        self.timeline.go(moment);
        self.journal.push(Went::To(moment, how));
        Ok(())
    }

    /// The live state after the fact with that serial number, on the present line. Looking does not
    /// move the match: play resumes at the ends of actions and in pauses only.
    ///
    /// # Errors
    /// If the present line has no such fact.
    pub fn live_at(&self, serial: u32) -> Result<LiveOf<G>, Rejection> {
        let line = self.line();
        let found = line.iter().rev().find(|&&moment| {
            let node = &self.timeline.nodes[moment as usize];
            moment != 0 && node.serial <= serial && (serial - node.serial) < node.entries.len() as u32
        });
        let Some(&moment) = found else {
            return Err(Rejection::new(code::NO_SUCH_MOMENT, format!("no event {serial} on this branch")));
        };
        let facts = (serial - self.timeline.nodes[moment as usize].serial) as usize + 1;
        Ok(self.timeline.live(&self.game, &self.recorder, moment, facts))
    }

    /// The position at any moment of any branch, without going there.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn position_at(&self, moment: Moment) -> Result<Position<G>, Rejection> {
        self.timeline.node(moment).ok_or_else(|| no_such_moment(moment))?;
        Ok(self.timeline.restore(&self.game, &self.recorder, moment))
    }

    /// The rules being played.
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// What the match started from.
    pub fn setup(&self) -> &G::Setup {
        &self.setup
    }

    /// The seed of its dice.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The game's state now.
    pub fn state(&self) -> &G::State {
        self.position.state()
    }

    /// The position now.
    pub fn position(&self) -> &Position<G> {
        &self.position
    }

    /// The question that waits, if any.
    pub fn pending(&self) -> Option<&Pending<G::Question>> {
        self.position.pending()
    }

    /// Everything a player may send now.
    pub fn inputs(&self) -> Vec<InputOf<G>> {
        self.position.inputs(&self.game)
    }

    /// Who must send something now.
    pub fn actor(&self) -> Option<Seat> {
        self.position.actor(&self.game)
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(self.state())
    }

    /// The present moment.
    pub fn here(&self) -> Moment {
        self.timeline.here
    }

    /// How many moments there are on all branches, the start included.
    pub fn moments(&self) -> u32 {
        self.timeline.nodes.len() as u32
    }

    /// The moments from the start to the present.
    pub fn line(&self) -> Vec<Moment> {
        self.timeline.line(self.here())
    }

    /// Inputs from the start to the present.
    pub fn depth(&self) -> u32 {
        self.timeline.nodes[self.here() as usize].depth
    }

    /// The ends of all lines of play, oldest first.
    pub fn branches(&self) -> Vec<Branch> {
        self.timeline.branches()
    }

    /// The input that led to a moment; `None` for the start or if there is no such moment.
    pub fn input(&self, moment: Moment) -> Option<&InputOf<G>> {
        self.timeline.node(moment)?.input.as_ref()
    }

    /// The moment before a moment.
    pub fn parent(&self, moment: Moment) -> Option<Moment> {
        let node = self.timeline.node(moment)?;
        node.input.is_some().then_some(node.parent)
    }

    /// The facts of one moment.
    pub fn entries(&self, moment: Moment) -> &[EntryOf<G>] {
        self.timeline.node(moment).map_or(&[], |node| &self.recorder.entries()[node.entries.clone()])
    }

    /// The notes on the facts of one moment, each with the number of its fact there.
    pub fn notes(&self, moment: Moment) -> impl Iterator<Item = (usize, &NoteOf<G>)> {
        let node = self.timeline.node(moment);
        let first = node.map_or(0, |node| node.entries.start);
        let notes = node.map_or(&[][..], |node| &self.recorder.notes()[node.notes.clone()]);
        notes.iter().map(move |(at, note)| (at - first, note))
    }

    /// What did not simply happen at one moment.
    pub fn detours(&self, moment: Moment) -> &[DetourOf<G>] {
        self.timeline.node(moment).map_or(&[], |node| &self.recorder.detours()[node.detours.clone()])
    }

    /// Every single step of what the input of a moment set off, for debuggers: it is carried out once more.
    /// Empty for the start, or if there is no such moment.
    pub fn steps(&self, moment: Moment) -> Vec<Kept<G>> {
        let Some(node) = self.timeline.node(moment) else { return Vec::new() };
        let Some(input) = &node.input else { return Vec::new() };
        let mut position = self.timeline.restore(&self.game, &self.recorder, node.parent);
        let mut steps = Steps::default();
        // What was accepted once is accepted again; a watched match may hold what today's rules refuse.
        let _ = Resolver::default().try_act(&*self.game, &mut position, input, &mut steps);
        steps.into_list()
    }

    /// What was just before a moment, for whoever asks several times what was seen and told of it. What is known of
    /// an earlier one shortens the way. None if there is no such moment.
    pub fn before(&self, moment: Moment, known: Option<Before<G>>) -> Option<Before<G>> {
        let parent = self.timeline.node(moment)?.parent;
        let known =
            known.map(|known| (self.timeline.node(known.moment).map_or(0, |node| node.parent), known.live));
        let live = self.timeline.live_from(&self.game, &self.recorder, known, parent, usize::MAX);
        Some(Before { moment, live })
    }

    /// The serial number of the first fact of a moment.
    pub fn serial(&self, moment: Moment) -> u32 {
        self.timeline.node(moment).map_or(0, |node| node.serial)
    }

    /// The log of the present line: all facts from the start to now, in order.
    pub fn log(&self) -> impl Iterator<Item = &EntryOf<G>> {
        self.line().into_iter().flat_map(|moment| self.entries(moment))
    }
}

impl<G: Seen, R: Keeper<G>> Match<G, R> {
    /// The log of the present line as that viewer may see it. Serial numbers and causes are left out:
    /// gaps in them would tell that something was hidden.
    pub fn log_for(&self, viewer: Viewer) -> Vec<FactOf<G>> {
        let mut live = self.timeline.live(&self.game, &self.recorder, 0, 0);
        let mut seen = Vec::new();
        for entry in self.log() {
            seen.extend(redact_fact(&*self.game, &mut live, &entry.fact, viewer));
        }
        seen
    }

    /// The facts of one moment as that viewer may see them.
    pub fn entries_for(&self, moment: Moment, viewer: Viewer) -> Vec<FactOf<G>> {
        self.before(moment, None).map_or_else(Vec::new, |before| self.entries_seen(&before, viewer))
    }

    /// [`entries_for`](Match::entries_for) the moment that this was before.
    pub fn entries_seen(&self, before: &Before<G>, viewer: Viewer) -> Vec<FactOf<G>> {
        let mut live = before.live.clone();
        let facts = self.entries(before.moment).iter();
        facts.filter_map(|entry| redact_fact(&*self.game, &mut live, &entry.fact, viewer)).collect()
    }
}

impl<G: Told, R: Keeper<G>> Match<G, R> {
    /// Why things happened at one moment: causes, alterations, and what was prevented.
    pub fn explain(&self, moment: Moment) -> Explanation {
        let Some(node) = self.timeline.node(moment).filter(|node| node.input.is_some()) else {
            return Explanation::default();
        };
        let before = self.timeline.live(&self.game, &self.recorder, node.parent, usize::MAX);
        let input = node.input.as_ref().map(|input| (input, node.serial));
        explain(&*self.game, before, input, self.record(moment))
    }

    /// What was recorded of one moment.
    fn record(&self, moment: Moment) -> Record<'_, G> {
        Record {
            entries: self.entries(moment),
            notes: self.notes(moment).collect(),
            detours: self.detours(moment),
        }
    }
}

impl<G: Seen + Told, R: Keeper<G>> Match<G, R> {
    /// [`explain`](Match::explain) as far as that viewer may know: facts as [`Seen::redact`] leaves
    /// them, the input only if it was the viewer's own or nothing can be hidden from him.
    pub fn explain_for(&self, moment: Moment, viewer: Viewer) -> Explanation {
        let before = self.before(moment, None);
        before.map_or_else(Explanation::default, |before| self.explain_seen(&before, viewer))
    }

    /// [`explain_for`](Match::explain_for) the moment that this was before.
    pub fn explain_seen(&self, before: &Before<G>, viewer: Viewer) -> Explanation {
        let moment = before.moment;
        let Some(node) = self.timeline.node(moment) else { return Explanation::default() };
        let Some(input) = node.input.as_ref().filter(|_| viewer != Viewer::All) else {
            return self.explain(moment);
        };
        let before = before.live.clone();
        let actor =
            before.pending.as_ref().map(|asked| asked.seat).or_else(|| self.game.actor(&before.state));
        let own = actor.is_some_and(|seat| viewer.may_see(seat));
        let mut live = before.clone();
        let entries = self.entries(moment);
        let glimpses: Vec<Glimpse> =
            entries.iter().map(|entry| glimpse(&*self.game, &mut live, &entry.fact, viewer)).collect();
        let hears_of = |state: &G::State, effect: &G::Effect| self.game.hears_of(state, effect, viewer);
        let hides = self.game.hides(&before.state, viewer);
        let sight = Sighted::<G> { own, hides, glimpses: &glimpses, hears_of: &hears_of };
        explain_for(&*self.game, before, (input, node.serial), self.record(moment), &sight)
    }
}

/// What was just before a moment of a match: see [`Match::before`].
#[derive(Clone, Debug)]
pub struct Before<G: Game> {
    moment: Moment,
    live: LiveOf<G>,
}

impl<G: Game> Before<G> {
    /// The moment that it was before.
    pub fn moment(&self) -> Moment {
        self.moment
    }
}

fn no_such_moment(moment: Moment) -> Rejection {
    Rejection::new(code::NO_SUCH_MOMENT, format!("there is no moment {moment} in this match"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;
    use crate::fact::{Fact, Input};

    /// Ten matches: two and three are taken, then, after an undo, one and one again.
    fn branched() -> Match<Nim> {
        let mut game = Match::with_interval(Arc::new(Nim), 10, 77, 2).expect("ten will do");
        for taken in [2, 3] {
            game.act(Input::Act(taken)).expect("there are enough");
        }
        game.undo();
        for taken in [1, 1] {
            game.act(Input::Act(taken)).expect("there are enough");
        }
        game
    }

    #[test]
    fn a_match_knows_where_it_stands_and_how_it_came_there() {
        let mut game = branched();
        assert_eq!((game.seed(), *game.setup(), game.moments()), (77, 10, 5));
        assert_eq!((game.here(), game.depth(), game.line()), (4, 3, vec![0, 1, 3, 4]));
        assert_eq!((game.behind(), game.ahead()), (Some(3), None));
        game.jump(1).expect("it is there");
        assert_eq!((game.depth(), game.behind(), game.ahead()), (1, Some(0), Some(3)));
        game.undo();
        assert_eq!((game.depth(), game.behind(), game.ahead()), (0, None, Some(1)));
        let went = [
            Went::On(1),
            Went::On(2),
            Went::To(1, How::Undo),
            Went::On(3),
            Went::On(4),
            Went::To(1, How::Jump),
            Went::To(0, How::Undo),
        ];
        assert_eq!(game.journal(), went);
    }

    #[test]
    fn every_moment_has_its_input_its_parent_and_its_first_fact() {
        let game = branched();
        let known = |moment| (game.input(moment).cloned(), game.parent(moment), game.serial(moment));
        assert_eq!(known(0), (None, None, 0));
        assert_eq!(known(2), (Some(Input::Act(3)), Some(1), 1));
        assert_eq!(known(3), (Some(Input::Act(1)), Some(1), 1));
        assert_eq!(known(4), (Some(Input::Act(1)), Some(3), 2));
        assert_eq!(known(5), (None, None, 0), "there is no such moment");
    }

    #[test]
    fn a_match_says_when_it_is_over() {
        let mut game: Match<Nim> = Match::new(Arc::new(Nim), 3, 0).expect("three will do");
        assert_eq!((game.outcome(), game.actor()), (None, Some(0)));
        game.act(Input::Act(3)).expect("there are enough");
        assert_eq!((game.outcome(), game.actor()), (Some(Outcome::Won(0)), None));
    }

    #[test]
    fn what_was_before_a_moment_is_the_same_from_wherever_one_comes() {
        let game = branched();
        for (moment, left) in [(0, 10), (1, 10), (2, 8), (3, 8), (4, 7)] {
            let starts = (0..5).map(|earlier| game.before(earlier, None)).chain([None]);
            for known in starts {
                let before = game.before(moment, known).expect("it is there");
                assert_eq!((before.moment(), before.live.state), (moment, left));
            }
        }
        assert!(game.before(5, None).is_none());
    }

    #[test]
    fn whom_nothing_is_hidden_from_sees_and_hears_everything() {
        let game = branched();
        for viewer in [Viewer::All, Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
            let line = [2, 1, 1].map(Fact::Event);
            assert_eq!(game.log_for(viewer), line);
            assert_eq!(game.entries_for(2, viewer), [Fact::Event(3)]);
            assert_eq!(game.explain_for(2, viewer), game.explain(2));
            assert!(game.entries_for(5, viewer).is_empty() && game.explain_for(5, viewer).lines.is_empty());
        }
        assert_eq!(game.explain(2).to_string(), "3\n  #1 3\n");
        assert!(game.explain(0).lines.is_empty() && game.explain_for(0, Viewer::All).lines.is_empty());
    }

    #[test]
    fn a_copy_of_a_match_goes_on_by_itself() {
        let mut game = branched();
        let copy = game.clone();
        game.act(Input::Act(3)).expect("there are enough");
        assert_eq!((copy.log().count(), *copy.state(), copy.moments()), (3, 6, 5));
        assert_eq!(copy.explain(4), game.explain(4));
    }
}
