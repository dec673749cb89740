//! A small game with faults that can be planted.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, ThreadId};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use turnstone::dice::{Dice, Draw, Stream};
use turnstone::{
    Expanded, Game, Limits, Never, NotesOf, Outcome, PenOf, ProposalsOf, Rejection, Seat, Seen, Settled,
    Told, Viewer, Written,
};

/// What is wrong with the game. The last three are unusual and not wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    None,
    /// A write that no event carries.
    SilentWrite,
    /// Numbers from outside: they differ the second time.
    AmbientDice,
    /// Numbers that depend on the thread.
    ThreadDice,
    /// A field that is not saved.
    Unsaved,
    /// A field that is written and not read back.
    Unread,
    /// A field that nobody saves or compares, and that decides.
    Moody,
    /// Lists a neighbour of what it accepts, and refuses it.
    ListsTooMuch,
    /// Lists something far out, and refuses it.
    ListsFarOut,
    /// Accepts what it does not list.
    ListsTooLittle,
    /// Waits for somebody who cannot do anything.
    Stuck,
    /// Says nothing to that viewer.
    Blind(Viewer),
    /// Keeps an answer, which then answers every question.
    KeepsAnswer,
    /// Leaves a state that it would not open.
    InvalidResult,
    /// A short way that is another way.
    WrongShortCut,
    /// Opens otherwise if it was not asked before whether it may.
    Unchecked,
    /// Lists what sets off more than it may.
    Runaway,
    /// Accepts what only an operator sends.
    Operator,
    /// Accepts several spellings of what it lists.
    Spellings,
}

/// Count up by 1 to 4 until 40; every third count asks how to go on.
pub struct Counter {
    pub fault: Fault,
    home: ThreadId,
}

impl Counter {
    pub fn new(fault: Fault) -> Self {
        Counter { fault, home: thread::current().id() }
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub total: u32,
    pub rolls: u64,
    pub answer: Option<u32>,
    #[serde(skip)]
    pub unsaved: u32,
    #[serde(skip_deserializing)]
    pub unread: Aside,
    #[serde(skip)]
    pub mood: Aside,
    pub tally: Tally,
}

/// A number that does not count when states are compared.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Aside(u32);

impl PartialEq for Aside {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// How many facts were written; a number that two states can share if somebody is careless.
#[derive(Debug, Default)]
pub struct Tally(Arc<AtomicU32>);

impl Tally {
    fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn shared(&self) -> Self {
        Tally(Arc::clone(&self.0))
    }
}

impl Clone for Tally {
    fn clone(&self) -> Self {
        Tally(Arc::new(AtomicU32::new(self.get())))
    }
}

impl PartialEq for Tally {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tally {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(|count| Tally(Arc::new(AtomicU32::new(count))))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    pub by: u32,
    pub rolls: u64,
}

pub const END: u32 = 40;
const EXTRA: Stream = Stream::named("extra");
const FAR_OUT: u32 = 77;
const ENDLESS: u32 = 9;
const OPERATORS: u32 = 255;

thread_local! {
    /// Draws from outside, in this thread.
    static DRAWS: Cell<u32> = const { Cell::new(0) };
    /// Whether an action was checked and has not opened yet.
    static CHECKED: Cell<bool> = const { Cell::new(false) };
}

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
        let limit = if self.is(Fault::InvalidResult) { 20 } else { 100 };
        if state.total < limit { Ok(()) } else { Err(Rejection::new("TOO_HIGH", "too high")) }
    }
    fn check(&self, state: &State, action: &u32) -> Result<(), Rejection> {
        CHECKED.set(true);
        let allowed = match self.fault {
            Fault::ListsTooLittle => (1..=5).contains(action),
            Fault::Runaway => (1..=4).contains(action) || *action == ENDLESS,
            Fault::Operator => (1..=4).contains(action) || *action == OPERATORS,
            Fault::Spellings => (1..=4).contains(&(action % 8)) && *action < 16,
            _ => (1..=4).contains(action),
        };
        if !self.is_over(state) && !self.is_stuck(state) && allowed {
            return Ok(());
        }
        Err(Rejection::new("NO", "count 1 to 4"))
    }
    fn open(&self, _state: &State, action: &u32, out: &mut ProposalsOf<Self>) {
        let unchecked = self.is(Fault::Unchecked) && !CHECKED.take();
        let by = if self.is(Fault::Spellings) { action % 8 } else { *action };
        out.last(by + u32::from(unchecked));
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
        event.by += u32::from(self.is(Fault::WrongShortCut) && pen.total > 20);
        Some(pen.write(event, |state, event| self.apply(state, event)).1)
    }
    fn expand(&self, _state: &State, effect: &u32, out: &mut ProposalsOf<Self>) -> Expanded<u32> {
        if self.is(Fault::Runaway) && *effect == ENDLESS {
            out.first(ENDLESS);
            return Expanded::Into;
        }
        Expanded::Keep
    }
    fn settle(&self, state: &State, effect: &u32, _: &mut NotesOf<Self>) -> Settled<Counted, u32> {
        if state.total % 3 == 2 && state.answer.is_none() {
            return Settled::Ask(0, state.total);
        }
        let mut dice = Dice::new(1, EXTRA, state.rolls);
        let mut by = effect + dice.below(2) as u32 + state.answer.unwrap_or(0);
        match self.fault {
            Fault::AmbientDice => by += u32::from(DRAWS.replace(DRAWS.get() + 1) > 5),
            Fault::ThreadDice => by += u32::from(thread::current().id() != self.home),
            Fault::Moody => by += u32::from(state.mood.0 > 2),
            Fault::SilentWrite => state.tally.count(),
            _ => {}
        }
        Settled::Event(Counted { by, rolls: dice.counter() })
    }
    fn apply(&self, state: &mut State, event: &Counted) {
        state.total += event.by;
        state.rolls = event.rolls;
        state.answer = state.answer.filter(|_| self.is(Fault::KeepsAnswer));
        state.tally.count();
        match self.fault {
            Fault::Unsaved => state.unsaved += 1,
            Fault::Unread => state.unread.0 += 1,
            Fault::Moody => state.mood.0 += 1,
            _ => {}
        }
    }
    fn legal(&self, state: &State, out: &mut Vec<u32>) {
        if self.is_over(state) || self.is_stuck(state) {
            return;
        }
        out.extend(1..=if self.is(Fault::ListsTooMuch) { 5 } else { 4 });
        match self.fault {
            Fault::ListsFarOut => out.push(FAR_OUT),
            Fault::Runaway => out.push(ENDLESS),
            _ => {}
        }
    }
    fn canonical(&self, _state: &State, action: &u32) -> Option<u32> {
        match self.fault {
            Fault::Operator if *action == OPERATORS => None,
            Fault::Spellings => Some(action % 8),
            _ => Some(*action),
        }
    }
    fn answers(&self, _state: &State, _question: &u32, out: &mut Vec<u32>) {
        out.extend([0, 1]);
    }
    fn apply_answer(&self, state: &mut State, _question: &u32, answer: &u32) {
        state.answer = Some(*answer);
    }
    fn actor(&self, state: &State) -> Option<Seat> {
        (!self.is_over(state)).then_some(0)
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state).then_some(Outcome::Won(0))
    }
    fn limits(&self) -> Limits {
        Limits { effects: 50, ..Limits::default() }
    }
}

impl Counter {
    fn is_over(&self, state: &State) -> bool {
        state.total >= END
    }

    fn is_stuck(&self, state: &State) -> bool {
        self.is(Fault::Stuck) && state.total > 20
    }
}

impl Seen for Counter {
    fn view(&self, state: &State, viewer: Viewer) -> serde_json::Value {
        if self.is(Fault::Blind(viewer)) { serde_json::Value::Null } else { state.total.into() }
    }
}

impl Told for Counter {}
