//! An oracle that cannot fail is worth nothing: here is a game with planted faults, and the oracle
//! that must notice each of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};
use turnstone::dice::{Dice, Draw, Stream};
use turnstone::{
    Game, Never, NotesOf, Outcome, PenOf, ProposalsOf, Rejection, Seat, Seen, Settled, Told, Written,
};
use turnstone_testkit::{Plan, Script, ask_all};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// A write that no event carries.
    SilentWrite,
    /// Numbers from outside.
    AmbientDice,
    /// A field that is not saved.
    Unsaved,
    /// Lists what it refuses.
    ListsTooMuch,
    /// Accepts what it does not list.
    ListsTooLittle,
    /// Says nothing to a viewer.
    Blind,
    /// Leaves a state that it would not open.
    InvalidResult,
    /// A short way that is another way.
    WrongShortCut,
}

/// Count up by 1 to 4 until 30; every third count asks how to go on.
struct Counter {
    fault: Fault,
    outside: AtomicU32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    total: u32,
    rolls: u64,
    answer: Option<u32>,
    #[serde(skip)]
    unsaved: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Counted {
    by: u32,
    rolls: u64,
}

const EXTRA: Stream = Stream::named("extra");

impl Game for Counter {
    type Setup = ();
    type State = State;
    type Action = u32;
    type Effect = u32;
    type Event = Counted;
    type Listener = u8;
    type Question = u32;
    type Answer = u32;
    type Reason = Never;

    fn start(&self, _setup: &(), _seed: u64) -> Result<State, Rejection> {
        Ok(State::default())
    }
    fn validate(&self, state: &State) -> Result<(), Rejection> {
        let limit = if self.fault == Fault::InvalidResult { 20 } else { 100 };
        if state.total < limit { Ok(()) } else { Err(Rejection::new("TOO_HIGH", "too high")) }
    }
    fn check(&self, state: &State, action: &u32) -> Result<(), Rejection> {
        let most = if self.fault == Fault::ListsTooLittle { 5 } else { 4 };
        if state.total < 30 && (1..=most).contains(action) {
            return Ok(());
        }
        Err(Rejection::new("NO", "count 1 to 4"))
    }
    fn open(&self, _state: &State, action: &u32, out: &mut ProposalsOf<Self>) {
        out.last(*action);
    }
    fn express(
        &self,
        pen: PenOf<'_, Self>,
        effect: &u32,
        _out: &mut ProposalsOf<Self>,
    ) -> Option<Written<Counted>> {
        // A game that is not even a function of its state has no short way worth comparing.
        if !matches!(self.fault, Fault::None | Fault::WrongShortCut) {
            return None;
        }
        let mut notes = NotesOf::<Self>::unwanted();
        let Settled::Event(mut event) = self.settle(&pen, effect, &mut notes) else { return None };
        event.by += u32::from(self.fault == Fault::WrongShortCut && pen.total > 20);
        Some(pen.write(event, |state, event| self.apply(state, event)).1)
    }
    fn settle(&self, state: &State, effect: &u32, _: &mut NotesOf<Self>) -> Settled<Counted, u32> {
        if state.total % 3 == 2 && state.answer.is_none() {
            return Settled::Ask(0, state.total);
        }
        let mut dice = Dice::new(1, EXTRA, state.rolls);
        let mut by = effect + dice.below(2) as u32 + state.answer.unwrap_or(0);
        if self.fault == Fault::AmbientDice {
            by += self.outside.fetch_add(1, Ordering::Relaxed) % 2;
        }
        Settled::Event(Counted { by, rolls: dice.counter() })
    }
    fn apply(&self, state: &mut State, event: &Counted) {
        state.total += event.by;
        state.rolls = event.rolls;
        state.answer = None;
        match self.fault {
            Fault::Unsaved => state.unsaved += 1,
            Fault::SilentWrite => state.total += self.outside.fetch_add(1, Ordering::Relaxed) % 2,
            _ => {}
        }
    }
    fn legal(&self, state: &State, out: &mut Vec<u32>) {
        if state.total < 30 {
            out.extend(1..=if self.fault == Fault::ListsTooMuch { 5 } else { 4 });
        }
    }
    fn answers(&self, _state: &State, _question: &u32, out: &mut Vec<u32>) {
        out.extend([0, 1]);
    }
    fn apply_answer(&self, state: &mut State, _question: &u32, answer: &u32) {
        state.answer = Some(*answer);
    }
    fn actor(&self, state: &State) -> Option<Seat> {
        (state.total < 30).then_some(0)
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.total >= 30).then_some(Outcome::Won(0))
    }
}

impl Seen for Counter {
    fn view(&self, state: &State, _viewer: turnstone::Viewer) -> serde_json::Value {
        if self.fault == Fault::Blind { serde_json::Value::Null } else { state.total.into() }
    }
}

impl Told for Counter {}

/// What the oracles say of a game with that fault, on the first few scripts.
fn verdict(fault: Fault) -> Result<(), String> {
    let game = Arc::new(Counter { fault, outside: AtomicU32::new(0) });
    (0..6).try_for_each(|seed| {
        let picks = (0..20).map(|i| (i * 7 + seed * 3) as u16).collect();
        ask_all(&Script::new(Arc::clone(&game), (), seed, picks), Plan::default())
    })
}

#[test]
fn a_sound_game_passes() {
    verdict(Fault::None).expect("nothing is wrong with it");
}

#[test]
fn every_planted_fault_is_noticed_by_its_oracle() {
    let expected = [
        (Fault::SilentWrite, "the log is the state"),
        (Fault::AmbientDice, ""), // seen by whichever oracle runs it again first
        (Fault::Unsaved, "save anywhere"),
        (Fault::ListsTooMuch, "legal is accepted"),
        (Fault::ListsTooLittle, "what is not listed is refused"),
        (Fault::Blind, "views and explanations hold"),
        (Fault::InvalidResult, "save anywhere"),
        (Fault::WrongShortCut, "the log is the state: panicked: "), // debug builds compare every short way
    ];
    for (fault, oracle) in expected {
        let said = verdict(fault).expect_err(&format!("{fault:?} went unnoticed"));
        assert!(said.starts_with(oracle), "{fault:?}: expected «{oracle}», but: {said}");
    }
}
