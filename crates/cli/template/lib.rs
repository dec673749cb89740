//! A small game to begin with: a heap of counters, two players take one to three in turn, and who
//! takes the last one wins. Replace it rule by rule; the tests say when a promise breaks.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::dice::{Draw, Lots};
use turnstone::digest::{Digest, digest};
use turnstone::{
    Game, Input, InputOf, Never, NoteOf, NotesOf, Outcome, Position, ProposalsOf, Rejection, Seat, Seen,
    Settled, Told, Viewer,
};
use turnstone_host::scene::{Choice, Counter, Ink, Item, Lie, Panel, Pick, Scene};
use turnstone_host::{Bot, Hosted, Named, Opening, Secretive, Setting, Sight};

/// The rules. What does not change during a match would be its fields.
#[derive(Clone, Copy, Debug)]
pub struct MyGame;

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Counters on the heap.
    pub heap: u32,
    /// Whose turn it is.
    pub turn: Seat,
}

/// Something that may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Counters are taken.
    Take(u32),
    /// The other one is to move.
    EndTurn,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// Somebody took counters.
    Took {
        /// Who.
        who: Seat,
        /// How many.
        count: u32,
    },
    /// The other one is to move.
    TurnEnded,
}

/// The rules, in the order in which an action meets them.
impl Game for MyGame {
    /// Counters on the heap.
    type Setup = u32;
    type State = State;
    /// How many to take.
    type Action = u32;
    type Effect = Effect;
    type Event = Event;
    type Listener = Never;
    type Question = Never;
    type Answer = Never;
    type Reason = Never;

    fn start(&self, setup: &u32, _seed: u64) -> Result<State, Rejection> {
        match setup {
            1..=1000 => Ok(State { heap: *setup, turn: 0 }),
            _ => Err(Rejection::new("BAD_HEAP", "a heap has 1 to 1000 counters")),
        }
    }

    fn check(&self, state: &State, count: &u32) -> Result<(), Rejection> {
        match count {
            1..=3 if *count <= state.heap => Ok(()),
            _ => Err(Rejection::new("TOO_MANY", format!("{count} of {} cannot be taken", state.heap))),
        }
    }

    fn open(&self, _state: &State, count: &u32, out: &mut ProposalsOf<Self>) {
        out.last(Effect::Take(*count));
        out.agenda(Effect::EndTurn);
    }

    fn settle(&self, state: &State, effect: &Effect, _: &mut NotesOf<Self>) -> Settled<Event, Never> {
        Settled::Event(match *effect {
            Effect::Take(count) => Event::Took { who: state.turn, count },
            Effect::EndTurn => Event::TurnEnded,
        })
    }

    fn apply(&self, state: &mut State, event: &Event) {
        match *event {
            Event::Took { count, .. } => state.heap = state.heap.saturating_sub(count),
            Event::TurnEnded => state.turn = 1 - state.turn,
        }
    }

    fn legal(&self, state: &State, out: &mut Vec<u32>) {
        out.extend(1..=state.heap.min(3));
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        self.outcome(state).is_none().then_some(state.turn)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.heap == 0).then_some(Outcome::Won(1 - state.turn))
    }
}

/// Nothing is hidden; a game with secrets says here who may see what.
impl Seen for MyGame {}

/// A game with secrets says here how a position looks to a seat, and how to draw what it cannot see.
impl Secretive for MyGame {}

impl Told for MyGame {
    fn tell(&self, _state: &State, event: &Event, _reasons: &[&NoteOf<Self>]) -> String {
        match event {
            Event::Took { who, count } => format!("{} takes {count}", name(*who)),
            Event::TurnEnded => "the turn ends".to_owned(),
        }
    }

    fn is_quiet(&self, event: &Event) -> bool {
        *event == Event::TurnEnded
    }

    fn tell_action(&self, _state: &State, count: &u32) -> String {
        format!("take {count}")
    }
}

fn name(seat: Seat) -> &'static str {
    if seat == 0 { "the first player" } else { "the second player" }
}

/// Plays for the win if `careful`, anything otherwise.
struct Taker {
    careful: bool,
}

impl Bot<MyGame> for Taker {
    fn choose(&mut self, sight: &Sight<'_, MyGame>, lots: &mut Lots) -> usize {
        let wanted = Input::Act(sight.seen().state().heap % 4);
        let good = sight.inputs().iter().position(|input| *input == wanted).filter(|_| self.careful);
        good.unwrap_or_else(|| lots.index(sight.inputs().len()).unwrap_or(0))
    }
}

impl Hosted for MyGame {
    const NAME: &'static str = "my-game";
    const ABOUT: &'static str = "Take one to three counters; who takes the last one wins.";

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, u32), Rejection> {
        let mut heap = match opening.setup.as_deref() {
            None | Some("heap") => 21,
            Some(other) => {
                return Err(Rejection::new(
                    "UNKNOWN_SETUP",
                    format!("no set-up \"{other}\"; there is: heap"),
                ));
            }
        };
        for (wish, value) in &opening.wishes {
            let known = Self::settings("heap").into_iter().find(|setting| setting.id == *wish);
            let setting = known.ok_or_else(|| {
                Rejection::new("UNKNOWN_WISH", format!("\"{wish}\" is unknown; there is: counters"))
            })?;
            let number = value.parse().ok().filter(|_| setting.allows(value));
            heap = number
                .ok_or_else(|| Rejection::new("BAD_WISH", format!("{wish} is {}", setting.allowed())))?;
        }
        if !matches!(&opening.ruleset, None | Some(Value::Null)) && opening.ruleset != Some("plain".into()) {
            return Err(Rejection::new("UNKNOWN_RULESET", "the only ruleset is plain"));
        }
        Ok((Arc::new(MyGame), heap))
    }

    fn rulesets() -> Vec<Named> {
        vec![Named::new("plain", "The only rules there are.")]
    }

    fn setups() -> Vec<Named> {
        vec![Named::new("heap", "One heap of counters.")]
    }

    fn settings(_setup: &str) -> Vec<Setting> {
        vec![Setting::number("counters", "how many counters?", "Counters on the heap.", 1..=1000, 21)]
    }

    fn ruleset(&self) -> Value {
        "plain".into()
    }

    fn content(&self) -> Digest {
        digest("no content")
    }

    fn seats(&self, _state: &State) -> Vec<String> {
        vec!["first".to_owned(), "second".to_owned()]
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], _viewer: Viewer) -> Scene {
        let state = position.state();
        let text = format!("{} {}", "●".repeat(state.heap.min(60) as usize), state.heap);
        let heap = Item { text, ink: Ink::Good, note: "who takes the last one wins".to_owned(), thing: None };
        let heap = heap.with(Counter::new("heap", "left", state.heap));
        let title = match self.actor(state) {
            Some(seat) => format!("{} to move", name(seat)),
            None => "over".to_owned(),
        };
        let option = |input: &InputOf<Self>| match input {
            Input::Act(count) => Choice {
                label: self.tell_action(state, count),
                picks: vec![Pick::Word(count.to_string())],
                ..Choice::default()
            },
            Input::Choose(never) => match *never {},
        };
        Scene {
            title,
            panels: vec![Panel {
                id: "heap".to_owned(),
                title: "Heap".to_owned(),
                items: vec![heap],
                lie: Lie::List,
            }],
            options: inputs.iter().map(option).collect(),
            ..Scene::default()
        }
    }

    fn bots() -> Vec<Named> {
        vec![Named::new("random", "Takes anything."), Named::new("careful", "Plays for the win.")]
    }

    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        let careful = match name {
            "random" => false,
            "careful" => true,
            _ => return None,
        };
        Some(Box::new(Taker { careful }))
    }
}
