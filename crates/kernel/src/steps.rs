//! Stepping inside one input: what the one direction does with every effect, step by step, for debuggers.
//!
//! ```
//! # use turnstone::doc::Nim;
//! use turnstone::steps::{Done, Steps};
//! use turnstone::{Input, Position, Resolver};
//! let mut steps = Steps::default();
//! Resolver::default().act(&Nim, &mut Position::new(5), &Input::Act(2), &mut steps)?;
//! let settled = steps.list().iter().find(|step| matches!(step.done, Done::Settled(_)));
//! assert!(settled.is_some());
//! # Ok::<(), turnstone::Rejection>(())
//! ```

use crate::cause::Cause;
use crate::detour::DetourOf;
use crate::fact::EntryOf;
use crate::game::{Expanded, Game, NoteOf, ProposalsOf, Settled, Verdict};
use crate::position::LiveOf;
use crate::recorder::{Mark, Recorder};

pub use crate::step::Step;

/// What was done in a step.
pub enum Done<G: Game> {
    /// See [`Step::Opened`].
    Opened,
    /// See [`Step::Idled`].
    Idled,
    /// See [`Step::Taken`].
    Taken(G::Effect, Cause<G::Listener>),
    /// See [`Step::Expanded`].
    Expanded(Expanded<G::Effect>),
    /// See [`Step::Before`].
    Before(G::Listener, Verdict, G::Effect),
    /// See [`Step::Settled`].
    Settled(Settled<G::Event, G::Question>),
    /// See [`Step::Applied`].
    Applied(G::Event, Box<LiveOf<G>>),
    /// See [`Step::Followed`].
    Followed(G::Event),
    /// See [`Step::After`].
    After(G::Listener, G::Event),
    /// See [`Step::Queued`].
    Queued,
}

/// A step that was kept, and what waits after it.
pub struct Kept<G: Game> {
    /// What was done.
    pub done: Done<G>,
    /// The queue in running order, without what is being proposed.
    pub queue: Vec<G::Effect>,
    /// The agenda in running order, without what is being proposed.
    pub agenda: Vec<G::Effect>,
    /// What is being proposed, not queued yet.
    pub proposed: Vec<G::Effect>,
}

/// A recorder that keeps every step of the inputs that are carried out.
pub struct Steps<G: Game> {
    list: Vec<Kept<G>>,
}

impl<G: Game> Default for Steps<G> {
    fn default() -> Self {
        Steps { list: Vec::new() }
    }
}

impl<G: Game> Steps<G> {
    /// The steps so far, those of a refused input included: who steps through it wants to see why.
    pub fn list(&self) -> &[Kept<G>] {
        &self.list
    }

    pub(crate) fn into_list(self) -> Vec<Kept<G>> {
        self.list
    }
}

impl<G: Game> From<Step<'_, G>> for Done<G> {
    fn from(step: Step<'_, G>) -> Self {
        match step {
            Step::Opened => Done::Opened,
            Step::Idled => Done::Idled,
            Step::Taken(effect, cause) => Done::Taken(effect.clone(), cause),
            Step::Expanded(expanded) => Done::Expanded(expanded.clone()),
            Step::Before(listener, verdict, effect) => Done::Before(listener, verdict, effect.clone()),
            Step::Settled(settled) => Done::Settled(settled.clone()),
            Step::Applied(event, live) => Done::Applied(event.clone(), Box::new(live.clone())),
            Step::Followed(event) => Done::Followed(event.clone()),
            Step::After(listener, event) => Done::After(listener, event.clone()),
            Step::Queued => Done::Queued,
        }
    }
}

impl<G: Game> Recorder<G> for Steps<G> {
    // Notes are left, and every effect goes the long way.
    const LOG: bool = true;
    const TRACE: bool = true;
    const STEPS: bool = true;

    fn entry(&mut self, _entry: EntryOf<G>) {}
    fn note(&mut self, _note: NoteOf<G>) {}
    fn detour(&mut self, _detour: DetourOf<G>) {}

    fn step(&mut self, step: Step<'_, G>, waiting: &ProposalsOf<G>) {
        let (queue, agenda) = waiting.in_running_order();
        let proposed = waiting.effects().map(|(_, effect)| effect.clone()).collect();
        self.list.push(Kept { done: step.into(), queue, agenda, proposed });
    }

    fn mark(&self) -> Mark {
        Mark::default()
    }
    fn rollback(&mut self, _mark: Mark) {}
}
