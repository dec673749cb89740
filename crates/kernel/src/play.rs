//! A match: game, position, log and timeline in one hand.

use std::sync::Arc;

use crate::explain::{Explanation, Sight, explain, explain_for};
use crate::game::{Game, Outcome, Seat};
use crate::position::{LiveOf, Position, fold};
use crate::record::{EntryOf, Fact, FactOf, InputOf, Keeper, NoteOf, Pending, Trace};
use crate::reject::{Rejection, code};
use crate::resolve::Resolver;
use crate::timeline::{Branch, Moment, Timeline};
use crate::view::Viewer;

/// Snapshots are kept this many inputs apart, unless asked otherwise.
pub const SNAPSHOT_INTERVAL: u32 = 64;

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
        let timeline = Timeline::new(&position, interval);
        let (recorder, resolver) = (R::default(), Resolver::default());
        Ok(Match { game, setup, seed, position, recorder, timeline, resolver })
    }

    /// Carries out an input at the present moment and goes on to the next. After an undo this starts
    /// a new branch. A refused input is a moment too: its one fact is the refusal.
    ///
    /// # Errors
    /// Why the input was refused.
    pub fn act(&mut self, input: InputOf<G>) -> Result<Moment, Rejection> {
        let from = self.recorder.mark();
        let serial = self.position.live.serial;
        let result = self.resolver.act(&self.game, &mut self.position, &input, &mut self.recorder);
        let stretch = (from, self.recorder.mark());
        self.timeline.grow(input, result.is_ok(), serial, stretch, &self.position);
        result.map(|()| self.timeline.here)
    }

    /// Takes back the last accepted input. False at the start.
    pub fn undo(&mut self) -> bool {
        self.timeline.back().is_some_and(|moment| self.jump(moment).is_ok())
    }

    /// Takes back an undo. False if there is nothing ahead.
    pub fn redo(&mut self) -> bool {
        self.timeline.ahead().is_some_and(|moment| self.jump(moment).is_ok())
    }

    /// Goes to any moment of any branch.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn jump(&mut self, moment: Moment) -> Result<(), Rejection> {
        if self.timeline.node(moment).is_none() {
            return Err(no_such_moment(moment));
        }
        self.position = self.timeline.restore(&self.game, &self.recorder, moment);
        self.timeline.go(moment);
        Ok(())
    }

    /// An independent copy, to try things out in.
    pub fn fork(&self) -> Self {
        self.clone()
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

    /// Whether the input that led to a moment was accepted.
    pub fn accepted(&self, moment: Moment) -> bool {
        self.timeline.node(moment).is_some_and(|node| node.accepted)
    }

    /// The facts of one moment.
    pub fn entries(&self, moment: Moment) -> &[EntryOf<G>] {
        self.timeline.node(moment).map_or(&[], |node| &self.recorder.entries()[node.entries.clone()])
    }

    /// What did not happen at one moment.
    pub fn notes(&self, moment: Moment) -> &[NoteOf<G>] {
        self.timeline.node(moment).map_or(&[], |node| &self.recorder.notes()[node.notes.clone()])
    }

    /// The serial number of the first fact of a moment.
    pub fn serial(&self, moment: Moment) -> u32 {
        self.timeline.node(moment).map_or(0, |node| node.serial)
    }

    /// The log of the present line: all facts from the start to now, in order.
    pub fn log(&self) -> impl Iterator<Item = &EntryOf<G>> {
        self.line().into_iter().flat_map(|moment| self.entries(moment))
    }

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
        let Some(node) = self.timeline.node(moment) else { return Vec::new() };
        let mut live = self.timeline.live(&self.game, &self.recorder, node.parent, usize::MAX);
        let facts = self.entries(moment).iter();
        facts.filter_map(|entry| redact_fact(&*self.game, &mut live, &entry.fact, viewer)).collect()
    }

    /// Why things happened at one moment: causes, alterations, and what was prevented.
    pub fn explain(&self, moment: Moment) -> Explanation {
        let Some(node) = self.timeline.node(moment).filter(|node| node.input.is_some()) else {
            return Explanation::default();
        };
        let before = self.timeline.live(&self.game, &self.recorder, node.parent, usize::MAX);
        let input = node.input.as_ref().map(|input| (input, node.serial));
        explain(&*self.game, before, input, self.entries(moment), self.notes(moment))
    }

    /// [`explain`](Match::explain) as far as that viewer may know: facts as [`Game::redact`] leaves
    /// them, the input only if it was the viewer's own or everything that followed from it is open.
    pub fn explain_for(&self, moment: Moment, viewer: Viewer) -> Explanation {
        let Some(node) = self.timeline.node(moment) else { return Explanation::default() };
        let Some(input) = node.input.as_ref().filter(|_| viewer != Viewer::All) else {
            return self.explain(moment);
        };
        let before = self.timeline.live(&self.game, &self.recorder, node.parent, usize::MAX);
        let actor =
            before.pending.as_ref().map(|asked| asked.seat).or_else(|| self.game.actor(&before.state));
        let own = actor.is_some_and(|seat| viewer.may_see(seat));
        let mut live = before.clone();
        let entries = self.entries(moment);
        let sights: Vec<Sight> =
            entries.iter().map(|entry| sight(&*self.game, &mut live, &entry.fact, own, viewer)).collect();
        explain_for(&*self.game, before, (input, node.serial, own), entries, self.notes(moment), &sights)
    }
}

/// Folds a fact and says how much of it the viewer may know. One's own refusals are no secret.
fn sight<G: Game>(game: &G, live: &mut LiveOf<G>, fact: &FactOf<G>, own: bool, viewer: Viewer) -> Sight {
    let seen = redact_fact(game, live, fact, viewer);
    match seen {
        Some(seen) if seen == *fact => Sight::Whole,
        Some(Fact::Event(event)) => Sight::Part(game.tell(&live.state, &event)),
        Some(Fact::Asked(asked)) => {
            Sight::Part(format!("asked: {}", game.tell_question(&live.state, &asked.question)))
        }
        Some(_) | None if own && matches!(fact, Fact::ActionRejected { .. }) => Sight::Whole,
        _ => Sight::Hidden,
    }
}

fn no_such_moment(moment: Moment) -> Rejection {
    Rejection::new(code::NO_SUCH_MOMENT, format!("there is no moment {moment} in this match"))
}

/// Folds a fact and gives back what the viewer may see of it.
fn redact_fact<G: Game>(
    game: &G,
    live: &mut LiveOf<G>,
    fact: &FactOf<G>,
    viewer: Viewer,
) -> Option<FactOf<G>> {
    let asked = live.pending.as_ref().map(|pending| pending.seat);
    let before = live.state.clone();
    fold(game, live, fact);
    match fact {
        Fact::Event(event) => game.redact(&before, &live.state, event, viewer).map(Fact::Event),
        Fact::Asked(pending) => {
            let question = game.redact_question(&before, pending.seat, &pending.question, viewer)?;
            Some(Fact::Asked(Pending { seat: pending.seat, question }))
        }
        Fact::Answered(_) => asked.is_none_or(|seat| viewer.may_see(seat)).then(|| fact.clone()),
        Fact::ActionRejected { .. } => (viewer == Viewer::All).then(|| fact.clone()),
    }
}
