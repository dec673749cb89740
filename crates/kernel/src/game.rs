//! The one trait a game implements: its rules, in the order in which an effect meets them.

use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::listeners::Listeners;
use crate::notes::{Note, Notes};
use crate::pen::{Pen, Written};
use crate::proposals::Proposals;
use crate::reject::{Rejection, code};
use crate::view::Seat;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// That seat won.
    Won(Seat),
    /// Nobody won, nobody lost.
    Drawn,
    /// The game itself won: everybody lost.
    Lost,
    /// Everybody won, together: nobody won against another.
    WonByAll,
}

/// What [`Game::expand`] makes of an effect at this very moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expanded<E> {
    /// It is concrete already.
    Keep,
    /// It stands for this one effect.
    To(E),
    /// It stands for the effects proposed: they take its place in front of the queue.
    Into,
    /// It stands for nothing now, like an attack on all enemies when there is none.
    Nothing,
}

/// What a listener did to an effect that has not happened yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing; a listener that passed may act on a replacement later.
    Pass,
    /// Changed fields of the effect, never its kind. Effects proposed meanwhile ride with it: they
    /// are queued if it happens.
    Altered,
    /// The effect is gone; those proposed take its place.
    Replaced,
    /// The effect is gone, and nothing takes its place: what was proposed meanwhile is forgotten.
    Cancelled,
}

/// What becomes of an effect after everybody was heard.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled<V, Q> {
    /// This happened: numbers fixed, dice drawn.
    Event(V),
    /// It makes no sense any more and is dropped, which is not an error.
    Stale,
    /// Somebody has to choose first. The effect is held and settles again after the answer.
    Ask(Seat, Q),
}

/// How much one action may set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Effects taken from queue and agenda.
    pub effects: u32,
    /// Replacements of replacements.
    pub replacements: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { effects: 10_000, replacements: 256 }
    }
}

/// The proposals of game `G`.
pub type ProposalsOf<G> = Proposals<<G as Game>::Effect, <G as Game>::Listener, <G as Game>::Reason>;
/// The listener list of game `G`.
pub type ListenersOf<G> = Listeners<<G as Game>::Listener>;

/// The notes of game `G` on the effect under way.
pub type NotesOf<G> = Notes<<G as Game>::Reason>;
/// One note of game `G`.
pub type NoteOf<G> = Note<<G as Game>::Reason>;
/// The pen with which [`Game::express`] writes.
pub type PenOf<'a, G> = Pen<'a, <G as Game>::State, <G as Game>::Event>;

/// The rules of a game.
///
/// `&self` holds what does not change during a match: catalog and ruleset. Everything else is in the
/// state. Every method is a pure function of its arguments; only [`apply`](Game::apply) and
/// [`apply_answer`](Game::apply_answer) write. The methods stand in the order in which an action and
/// its effects meet them. The samples' `tic_tac_toe.rs` is a whole game in a hundred lines.
pub trait Game: Sized + Send + Sync + 'static {
    /// What a match starts from, besides its seed.
    type Setup: Data;
    /// Everything that changes. Keep it flat and small: it is copied once per action, by
    /// [`clone_from`](Clone::clone_from) into a buffer that is warm. `#[derive(Clone)]` makes a `clone_from` that throws
    /// the buffer away: write it by hand, field by field, if the state holds vectors and speed is felt.
    type State: Data;
    /// What a player declares.
    type Action: Data;
    /// A proposed change. Small and cheap to copy: ids, not contents.
    type Effect: Data;
    /// A fact. With the state before it, it must suffice to make the state after it.
    type Event: Data;
    /// A handle that names a listener in the state (an owner and a slot), never a closure.
    type Listener: Data + Copy + Eq;
    /// What may be asked in the middle of an effect; [`Never`](crate::Never) if nothing is.
    type Question: Data;
    /// One pick in reply to a question. Answers of several items are built one pick at a time.
    type Answer: Data;
    /// Who makes or changes a number, for the notes that explanations tell; [`Never`](crate::Never) if none
    /// are left.
    type Reason: Data;

    /// The first state of a match.
    ///
    /// # Errors
    /// A set-up that makes no valid state is refused.
    fn start(&self, setup: &Self::Setup, seed: u64) -> Result<Self::State, Rejection>;

    /// Whether a state that comes from outside is one of this game's. An invalid state cannot be opened.
    ///
    /// # Errors
    /// What is wrong with it.
    fn validate(&self, _state: &Self::State) -> Result<(), Rejection> {
        Ok(())
    }

    /// Whether a question that waits in a position from outside, and every effect that waits behind it, names only
    /// things that this state and the catalog have: a position with others cannot be opened.
    ///
    /// # Errors
    /// What is wrong with them.
    fn validate_waiting(
        &self,
        _state: &Self::State,
        _asked: (Seat, &Self::Question),
        _waiting: &[&Self::Effect],
    ) -> Result<(), Rejection> {
        Ok(())
    }

    /// Whether the action is allowed now.
    ///
    /// # Errors
    /// Why not. The state stays as it is and one rejection is logged.
    fn check(&self, state: &Self::State, action: &Self::Action) -> Result<(), Rejection>;

    /// The effects with which an allowed action opens.
    fn open(&self, state: &Self::State, action: &Self::Action, out: &mut ProposalsOf<Self>);

    /// Takes an effect the whole way at once, for speed: expand, settle, apply and follow, called here one
    /// after the other for an effect whose kind is known, so that one jump replaces many. `None`: nothing
    /// was changed or proposed, and the effect goes step by step, as every effect does that is traced.
    ///
    /// The way is the same, only shorter: an effect may go it if it stands for itself or for one other, if
    /// nobody hears of it before and if it happens, and state, event, notes and proposals must be those of the
    /// single steps. Who hears of it after is asked as ever. The pen writes only with the event in hand, and
    /// debug builds compare with the single steps.
    #[inline]
    fn express(
        &self,
        _pen: PenOf<'_, Self>,
        _effect: &Self::Effect,
        _out: &mut ProposalsOf<Self>,
    ) -> Option<Written<Self::Event>> {
        None
    }

    /// Fixes what depends on this very moment.
    #[inline]
    fn expand(
        &self,
        _state: &Self::State,
        _effect: &Self::Effect,
        _out: &mut ProposalsOf<Self>,
    ) -> Expanded<Self::Effect> {
        Expanded::Keep
    }

    /// Who wants to hear of an effect before it happens. Called for every effect: ask the effect's
    /// footprint behind a mask of what is present, do not scan the state.
    #[inline]
    fn before_listeners(&self, _state: &Self::State, _effect: &Self::Effect, _ears: &mut ListenersOf<Self>) {}

    /// Lets a listener look at an effect, alter it, replace it or cancel it.
    fn before(
        &self,
        _listener: Self::Listener,
        _state: &Self::State,
        _effect: &mut Self::Effect,
        _out: &mut ProposalsOf<Self>,
    ) -> Verdict {
        Verdict::Pass
    }

    /// Turns an effect into a fact: draws the dice, fixes the numbers, and notes who changed them.
    fn settle(
        &self,
        state: &Self::State,
        effect: &Self::Effect,
        notes: &mut NotesOf<Self>,
    ) -> Settled<Self::Event, Self::Question>;

    /// Writes a fact into the state. Draws nothing, decides nothing, cannot fail. It may look things
    /// up in the catalog and compute pure functions of event and state. It is given only events that these
    /// rules have made in this very state, or that [`fits`](Game::fits) lets pass.
    fn apply(&self, state: &mut Self::State, event: &Self::Event);

    /// Whether an event that comes from outside names only things that this state and the catalog have, so
    /// that it can be written: asked when an old match is watched, whose facts no rules have made again.
    fn fits(&self, _state: &Self::State, _event: &Self::Event) -> bool {
        true
    }

    /// The rules' own consequences of a fact.
    #[inline]
    fn follow(&self, _state: &Self::State, _event: &Self::Event, _out: &mut ProposalsOf<Self>) {}

    /// Who wants to hear of a fact. The state is the one after it; an owner that the event removed
    /// hears this one and no more, so the event or a kept record must hold what it needs.
    #[inline]
    fn after_listeners(&self, _state: &Self::State, _event: &Self::Event, _ears: &mut ListenersOf<Self>) {}

    /// Lets a listener react to a fact.
    fn after(
        &self,
        _listener: Self::Listener,
        _state: &Self::State,
        _event: &Self::Event,
        _out: &mut ProposalsOf<Self>,
    ) {
    }

    /// Whether a waiting agenda entry is meant when `like` is withdrawn
    /// ([`Proposals::withdraw`](crate::Proposals::withdraw)). By default the same effect is.
    fn withdraws(&self, like: &Self::Effect, waiting: &Self::Effect) -> bool {
        like == waiting
    }

    /// Nothing waits any more: more to do? Asked again until nothing is proposed.
    #[inline]
    fn idle(&self, _state: &Self::State, _out: &mut ProposalsOf<Self>) {}

    /// Accepts or refuses the result of an action as a whole.
    ///
    /// # Errors
    /// The action is undone and one rejection is logged.
    #[inline]
    fn finish(&self, _state: &Self::State) -> Result<(), Rejection> {
        Ok(())
    }

    /// The name of a listener, such as `Vulnerable on the Cultist`: explanations tell it, and so does the report of a
    /// cycle that would not end.
    fn tell_listener(&self, _state: &Self::State, listener: Self::Listener) -> String {
        format!("{listener:?}")
    }

    /// Every action that is allowed now, in an order that depends on the state alone. Empty when the
    /// game is over. Where infinitely many actions are allowed, one representative of each kind:
    /// see [`canonical`](Game::canonical).
    fn legal(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// The listed representative of an allowed action, or `None` for one that is never listed, such as
    /// an operator's. An action is allowed exactly if its representative is listed.
    fn canonical(&self, _state: &Self::State, action: &Self::Action) -> Option<Self::Action> {
        Some(action.clone())
    }

    /// The allowed answers, as plain data, in a fixed order. Never empty for a question that is asked.
    fn answers(&self, _state: &Self::State, _question: &Self::Question, _out: &mut Vec<Self::Answer>) {}

    /// Whether an answer is allowed.
    ///
    /// # Errors
    /// Why not.
    fn check_answer(
        &self,
        state: &Self::State,
        question: &Self::Question,
        answer: &Self::Answer,
    ) -> Result<(), Rejection> {
        let mut offered = Vec::new();
        self.answers(state, question, &mut offered);
        if offered.contains(answer) {
            return Ok(());
        }
        Err(Rejection::new(code::NOT_AN_ANSWER, "this is not among the answers offered"))
    }

    /// Writes an answer into the state, where the held effect will find it. [`apply`](Game::apply) takes it out again
    /// with the event that came of it: what stays there answers the next question of its kind, which is then never put.
    fn apply_answer(&self, _state: &mut Self::State, _question: &Self::Question, _answer: &Self::Answer) {}

    /// Whose action is awaited; `None` when the game is over or anybody may act.
    fn actor(&self, state: &Self::State) -> Option<Seat>;

    /// How the game ended, if it has.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// How much one action may set off: part of the ruleset.
    #[inline]
    fn limits(&self) -> Limits {
        Limits::default()
    }
}

/// A game whose actions can be numbered once and for all, for masks and learning agents.
pub trait Indexed: Game {
    /// How many numbers there are.
    fn action_count(&self) -> usize;
    /// The number of an action in this state.
    fn action_index(&self, state: &Self::State, action: &Self::Action) -> Option<usize>;
    /// The action with that number in this state, allowed or not.
    fn action_at(&self, state: &Self::State, index: usize) -> Option<Self::Action>;

    /// Sets `mask[i]` for every allowed action `i` and clears the rest. `scratch` is reused.
    fn mask(&self, state: &Self::State, scratch: &mut Vec<Self::Action>, mask: &mut [bool]) {
        mask.fill(false);
        scratch.clear();
        self.legal(state, scratch);
        for action in scratch.iter() {
            if let Some(slot) = self.action_index(state, action).and_then(|i| mask.get_mut(i)) {
                *slot = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Nim;

    /// The number of an action of Nim is one less than what it takes; there is none for more than three.
    impl Indexed for Nim {
        fn action_count(&self) -> usize {
            3
        }
        fn action_index(&self, _state: &u32, action: &u32) -> Option<usize> {
            (*action as usize).checked_sub(1)
        }
        fn action_at(&self, _state: &u32, index: usize) -> Option<u32> {
            (index < 3).then_some(index as u32 + 1)
        }
    }

    #[test]
    fn a_mask_says_what_is_allowed_and_nothing_of_what_was() {
        let (mut scratch, mut mask) = (vec![3, 3], [true; 3]);
        Nim.mask(&2, &mut scratch, &mut mask);
        assert_eq!(mask, [true, true, false]);
        Nim.mask(&0, &mut scratch, &mut mask);
        assert_eq!(mask, [false; 3]);
        // Who has less room is told of what fits.
        let mut short = [false; 2];
        Nim.mask(&9, &mut scratch, &mut short);
        assert_eq!(short, [true; 2]);
    }

    #[test]
    fn a_game_that_says_nothing_else_is_plain() {
        assert!(Nim.fits(&5, &2));
        assert!(Nim.withdraws(&2, &2) && !Nim.withdraws(&2, &3), "the same effect is meant and no other");
        assert_eq!(Nim.canonical(&5, &2), Some(2));
        assert_eq!((Nim.limits().effects, Nim.limits().replacements), (10_000, 256));
    }
}
