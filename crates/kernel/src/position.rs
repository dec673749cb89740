//! A position: the state, the question that waits, and what waits behind the question.

use serde::{Deserialize, Serialize};

use crate::cause::Origin;
use crate::digest::{Digest, digest};
use crate::fact::{EntryOf, Fact, FactOf, Input, InputOf, Pending};
use crate::flow::Pause;
use crate::game::Game;
use crate::reject::{Rejection, code};
use crate::view::Seat;

/// What the log alone rebuilds: the game's state, the pending question, and how many facts led here.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Live<S, Q> {
    /// The game's state.
    pub state: S,
    /// The question that waits, if any.
    pub pending: Option<Pending<Q>>,
    /// The number of facts since the start; the next fact gets this serial number.
    pub serial: u32,
}

impl<S: Clone, Q: Clone> Clone for Live<S, Q> {
    fn clone(&self) -> Self {
        Live { state: self.state.clone(), pending: self.pending.clone(), serial: self.serial }
    }

    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.pending.clone_from(&source.pending);
        self.serial = source.serial;
    }
}

impl<S, Q> Live<S, Q> {
    /// One more fact has led here.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.serial = self.serial.wrapping_add(1);
    }
}

/// [`Live`] of game `G`.
pub type LiveOf<G> = Live<<G as Game>::State, <G as Game>::Question>;

impl<S: Serialize, Q: Serialize> Live<S, Q> {
    /// A digest of state and question, the same on every machine.
    pub fn digest(&self) -> Digest {
        digest(&(&self.state, &self.pending))
    }
}

/// No match that can be taken up has more facts: far below where the count would begin again.
const LAST_SERIAL: u32 = 1 << 31;

/// Folds one fact into `live`: rules off, nothing but [`Game::apply`].
pub fn fold<G: Game>(game: &G, live: &mut LiveOf<G>, fact: &FactOf<G>) {
    match fact {
        Fact::Event(event) => game.apply(&mut live.state, event),
        Fact::Asked(pending) => live.pending = Some(pending.clone()),
        Fact::Answered(answer) => {
            if let Some(pending) = live.pending.take() {
                game.apply_answer(&mut live.state, &pending.question, answer);
            }
        }
        Fact::ActionRejected { .. } => {}
    }
    live.count();
}

/// Folds a run of entries into `live`.
pub fn fold_all<'a, G: Game>(
    game: &G,
    live: &mut LiveOf<G>,
    entries: impl IntoIterator<Item = &'a EntryOf<G>>,
) {
    for entry in entries {
        fold(game, live, &entry.fact);
    }
}

/// [`Pause`] of game `G`.
pub(crate) type PauseOf<G> = Pause<<G as Game>::Effect, <G as Game>::Listener, <G as Game>::Reason>;

/// A game in progress: live state, and what a question interrupted. Plain data: clone it, compare it, save it, search from it.
///
/// Only the kernel changes a position, through [`Resolver`](crate::Resolver) or
/// [`Match`](crate::Match).
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Position<G: Game> {
    pub(crate) live: LiveOf<G>,
    /// `None` unless a question waits.
    pub(crate) pause: Option<Box<PauseOf<G>>>,
}

impl<G: Game> Clone for Position<G> {
    fn clone(&self) -> Self {
        Position { live: self.live.clone(), pause: self.pause.clone() }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.live.clone_from(&source.live);
        self.pause.clone_from(&source.pause);
    }
}

impl<G: Game> PartialEq for Position<G> {
    fn eq(&self, other: &Self) -> bool {
        self.live == other.live && self.pause == other.pause
    }
}

impl<G: Game> std::fmt::Debug for Position<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Position").field("live", &self.live).field("pause", &self.pause).finish()
    }
}

impl<G: Game> Position<G> {
    /// A position in which nothing waits.
    pub fn new(state: G::State) -> Self {
        Position { live: Live { state, pending: None, serial: 0 }, pause: None }
    }

    /// Another position in which the same question waits, and the same behind it: for sampling what a
    /// player cannot see.
    #[must_use]
    pub fn with_state(&self, state: G::State) -> Self {
        let live = Live { state, pending: self.live.pending.clone(), serial: self.live.serial };
        Position { live, pause: self.pause.clone() }
    }

    /// Becomes the same as [`with_state`](Position::with_state) makes, whose state is that of `from` with changes. It
    /// allocates nothing where there was a position like it before.
    pub fn become_changed(&mut self, from: &Self, change: impl FnOnce(&mut G::State)) {
        self.clone_from(from);
        change(&mut self.live.state);
    }

    /// A position that comes from outside, if it is one the game can go on from.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn admit(self, game: &G) -> Result<Self, Rejection> {
        game.validate(&self.live.state)?;
        let fits = self.live.pending.is_some() == self.pause.is_some();
        if !fits || self.pause.as_ref().is_some_and(|pause| !pause.is_sound()) {
            let text = "the stored queue, agenda and question do not fit";
            return Err(Rejection::new(code::BROKEN_POSITION, text));
        }
        if let (Some(asked), Some(pause)) = (&self.live.pending, &self.pause) {
            let waiting: Vec<&G::Effect> = pause.effects().collect();
            game.validate_waiting(&self.live.state, (asked.seat, &asked.question), &waiting)?;
        }
        if self.live.serial > LAST_SERIAL {
            let text = format!("no match has {} facts", self.live.serial);
            return Err(Rejection::new(code::BROKEN_POSITION, text));
        }
        Ok(self)
    }

    /// The game's state.
    #[inline]
    pub fn state(&self) -> &G::State {
        &self.live.state
    }

    /// State, question and serial number.
    pub fn live(&self) -> &LiveOf<G> {
        &self.live
    }

    /// The question that waits, if any.
    #[inline]
    pub fn pending(&self) -> Option<&Pending<G::Question>> {
        self.live.pending.as_ref()
    }

    /// Everything a player may send now: answers while a question waits, actions otherwise.
    pub fn inputs(&self, game: &G) -> Vec<InputOf<G>> {
        let mut offers = Offers::default();
        offers.list(game, self);
        offers.inputs
    }

    /// Who must send something now.
    pub fn actor(&self, game: &G) -> Option<Seat> {
        match self.pending() {
            Some(pending) => Some(pending.seat),
            None => game.actor(self.state()),
        }
    }

    /// Effects that wait in queue and agenda, in running order, for those who want to look.
    pub fn waiting(&self) -> impl Iterator<Item = (&G::Effect, Origin)> {
        self.pause.iter().flat_map(|pause| pause.items()).map(|item| (&item.effect, item.cause.after))
    }
}

/// Lists the inputs of one position after the other in buffers that stay: for rollouts, like
/// [`Resolver`](crate::Resolver).
///
/// ```
/// # use turnstone::doc::Nim;
/// use turnstone::{Input, Offers, Position};
/// let mut offers = Offers::default();
/// assert_eq!(offers.list(&Nim, &Position::new(2)), [Input::Act(1), Input::Act(2)]);
/// ```
pub struct Offers<G: Game> {
    inputs: Vec<InputOf<G>>,
    actions: Vec<G::Action>,
    answers: Vec<G::Answer>,
}

impl<G: Game> Default for Offers<G> {
    fn default() -> Self {
        Offers { inputs: Vec::new(), actions: Vec::new(), answers: Vec::new() }
    }
}

impl<G: Game> Offers<G> {
    /// Everything a player may send now: answers while a question waits, actions otherwise.
    pub fn list(&mut self, game: &G, position: &Position<G>) -> &[InputOf<G>] {
        let mut inputs = std::mem::take(&mut self.inputs);
        self.list_into(game, position, &mut inputs);
        self.inputs = inputs;
        &self.inputs
    }

    /// The same into a list of the caller's, in place of what was in it.
    pub fn list_into(&mut self, game: &G, position: &Position<G>, out: &mut Vec<InputOf<G>>) {
        out.clear();
        match position.pending() {
            Some(pending) => {
                game.answers(position.state(), &pending.question, &mut self.answers);
                out.extend(self.answers.drain(..).map(Input::Choose));
            }
            None => {
                game.legal(position.state(), &mut self.actions);
                out.extend(self.actions.drain(..).map(Input::Act));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;

    #[test]
    fn a_position_shows_its_state() {
        let shown = format!("{:?}", Position::<Nim>::new(5));
        assert!(shown.contains("state: 5") && shown.contains("serial: 0"), "{shown}");
    }

    #[test]
    fn a_position_may_have_as_many_facts_as_are_ever_counted_and_no_more() {
        let with_facts = |serial| {
            let mut position = Position::<Nim>::new(5);
            position.live.serial = serial;
            position.admit(&Nim).map(|position| position.live.serial)
        };
        assert_eq!(with_facts(LAST_SERIAL), Ok(LAST_SERIAL));
        assert_eq!(with_facts(LAST_SERIAL + 1).unwrap_err().code(), code::BROKEN_POSITION);
    }
}
