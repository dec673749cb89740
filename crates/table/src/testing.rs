//! A tiny hosted game for tests of tables and front ends: two players claim the cells of a small
//! board. Each has a secret; to peek at it is an action only its owner sees. Who claims the middle is
//! asked whether to keep it.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::digest::{Digest, digest};
use turnstone::{
    Game, Input, InputOf, Never, NoteOf, NotesOf, Outcome, Position, ProposalsOf, Rejection, Seat, Seen,
    Settled, Told, Viewer,
};
use turnstone_host::scene::{Board, Cell, Choice, Figure, Ground, Ink, Item, Lie, Panel, Pick, Scene};
use turnstone_host::{Bench, Bot, Conformity, Hosted, Named, Opening, Secretive, Sight, Weighed, Why};

/// Cells in a row and rows.
pub const SIDE: u16 = 3;
const CELLS: usize = (SIDE * SIDE) as usize;
const MIDDLE: u8 = (CELLS / 2) as u8;

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Pebbles;

/// The state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    cells: [Option<Seat>; CELLS],
    turn: Seat,
    secrets: [u8; 2],
    peeked: [bool; 2],
    keep: Option<bool>,
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Claim a cell.
    Claim(u8),
    /// Look at one's own secret.
    Peek,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A cell was claimed, or left to nobody.
    Claimed(Seat, u8, bool),
    /// A secret was looked at.
    Peeked(Seat, u8),
}

impl Game for Pebbles {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Effect = Action;
    type Event = Event;
    type Listener = Never;
    type Question = String;
    type Answer = bool;
    type Reason = Never;

    fn start(&self, _setup: &(), seed: u64) -> Result<State, Rejection> {
        let mut lots = Lots::new(seed, Stream::named("secrets"));
        let secrets = [lots.below(100) as u8, lots.below(100) as u8];
        Ok(State { cells: [None; CELLS], turn: 0, secrets, peeked: [false; 2], keep: None })
    }

    fn validate(&self, state: &State) -> Result<(), Rejection> {
        if state.turn < 2 && state.cells.iter().flatten().all(|owner| *owner <= 2) {
            return Ok(());
        }
        Err(Rejection::new("BAD_BOARD", "two players claim cells, or leave them to nobody"))
    }

    fn validate_waiting(
        &self,
        state: &State,
        (asked, _): (Seat, &String),
        waiting: &[&Action],
    ) -> Result<(), Rejection> {
        if asked == state.turn && waiting == [&Action::Claim(MIDDLE)] {
            return Ok(());
        }
        Err(Rejection::new("BAD_QUESTION", "only who claims the middle is asked"))
    }

    fn check(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        let mut legal = Vec::new();
        self.legal(state, &mut legal);
        if legal.contains(action) {
            return Ok(());
        }
        Err(Rejection::new("TAKEN", "that cell is taken or does not exist"))
    }

    fn open(&self, _state: &State, action: &Action, out: &mut ProposalsOf<Self>) {
        out.last(*action);
    }

    fn settle(&self, state: &State, effect: &Action, _: &mut NotesOf<Self>) -> Settled<Event, String> {
        let seat = state.turn;
        match *effect {
            Action::Claim(MIDDLE) => match state.keep {
                None => Settled::Ask(seat, "Keep the middle?".to_owned()),
                Some(keep) => Settled::Event(Event::Claimed(seat, MIDDLE, keep)),
            },
            Action::Claim(cell) => Settled::Event(Event::Claimed(seat, cell, true)),
            Action::Peek => Settled::Event(Event::Peeked(seat, state.secrets[usize::from(seat)])),
        }
    }

    fn apply(&self, state: &mut State, event: &Event) {
        match *event {
            Event::Claimed(seat, cell, keep) => {
                state.cells[usize::from(cell)] = Some(if keep { seat } else { 2 });
                state.turn = 1 - state.turn;
                state.keep = None;
            }
            Event::Peeked(seat, _) => state.peeked[usize::from(seat)] = true,
        }
    }

    fn legal(&self, state: &State, out: &mut Vec<Action>) {
        let free = (0..CELLS as u8).filter(|&cell| state.cells[usize::from(cell)].is_none());
        out.extend(free.map(Action::Claim));
        if !out.is_empty() && !state.peeked[usize::from(state.turn)] {
            out.push(Action::Peek);
        }
    }

    fn answers(&self, _state: &State, _question: &String, out: &mut Vec<bool>) {
        out.extend([true, false]);
    }

    fn apply_answer(&self, state: &mut State, _question: &String, answer: &bool) {
        state.keep = Some(*answer);
    }

    fn actor(&self, state: &State) -> Option<Seat> {
        self.outcome(state).is_none().then_some(state.turn)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let count = |seat| state.cells.iter().filter(|&&owner| owner == Some(seat)).count();
        if state.cells.iter().any(Option::is_none) {
            return None;
        }
        Some(match count(0).cmp(&count(1)) {
            std::cmp::Ordering::Less => Outcome::Won(1),
            std::cmp::Ordering::Equal => Outcome::Drawn,
            std::cmp::Ordering::Greater => Outcome::Won(0),
        })
    }
}

impl Seen for Pebbles {
    fn view(&self, state: &State, viewer: Viewer) -> Value {
        let mut seen = serde_json::to_value(state).unwrap_or_default();
        for seat in [0, 1] {
            if !viewer.may_see(seat) || !state.peeked[usize::from(seat)] {
                seen["secrets"][usize::from(seat)] = Value::Null;
            }
        }
        seen
    }

    fn redact(&self, _before: &State, _after: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        match event {
            Event::Peeked(seat, _) if !viewer.may_see(*seat) => None,
            other => Some(*other),
        }
    }
}

impl Told for Pebbles {
    fn tell(&self, _state: &State, event: &Event, _: &[&NoteOf<Self>]) -> String {
        match event {
            Event::Claimed(seat, cell, true) => format!("{} claims {}", name(*seat), square(*cell)),
            Event::Claimed(seat, cell, false) => {
                format!("{} leaves {} to nobody", name(*seat), square(*cell))
            }
            Event::Peeked(seat, secret) => format!("{} has the secret {secret}", name(*seat)),
        }
    }

    fn tell_action(&self, _state: &State, action: &Action) -> String {
        match action {
            Action::Claim(cell) => format!("claim {}", square(*cell)),
            Action::Peek => "peek".to_owned(),
        }
    }

    fn tell_answer(&self, _state: &State, _question: &String, answer: &bool) -> String {
        if *answer { "keep it".to_owned() } else { "leave it".to_owned() }
    }

    fn tell_question(&self, _state: &State, question: &String) -> String {
        question.clone()
    }
}

fn name(seat: Seat) -> &'static str {
    ["Ada", "Bob"].get(usize::from(seat)).copied().unwrap_or("nobody")
}

fn square(cell: u8) -> String {
    let (x, y) = (cell % SIDE as u8, cell / SIDE as u8);
    format!("{}{}", char::from(b'a' + x), SIDE as u8 - y)
}

struct Random;

impl Bot<Pebbles> for Random {
    fn choose(&mut self, sight: &Sight<'_, Pebbles>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}

/// Claims the cells in an order that it made up when it began.
#[derive(Default)]
struct Stubborn {
    order: Vec<u8>,
}

impl Bot<Pebbles> for Stubborn {
    fn choose(&mut self, sight: &Sight<'_, Pebbles>, lots: &mut Lots) -> usize {
        if self.order.is_empty() {
            self.order.extend(0..CELLS as u8);
            lots.shuffle(&mut self.order);
        }
        let place =
            |cell: &u8| sight.inputs().iter().position(|one| *one == Input::Act(Action::Claim(*cell)));
        self.order.iter().find_map(place).unwrap_or(0)
    }

    fn why(&mut self, sight: &Sight<'_, Pebbles>, lots: &mut Lots) -> Option<Why> {
        let best = self.choose(sight, lots);
        Some(Why { best, options: vec![Weighed::default(); sight.inputs().len()], line: Vec::new() })
    }

    fn stretch(&self, _sight: &Sight<'_, Pebbles>) -> Option<u64> {
        Some(0)
    }

    fn mind(&self) -> Option<String> {
        serde_json::to_string(&self.order).ok()
    }

    fn recall(&mut self, mind: Option<&str>) {
        self.order = mind.and_then(|mind| serde_json::from_str(mind).ok()).unwrap_or_default();
    }
}

/// Fails whenever it is to choose. It is listed nowhere.
struct Stumbling;

impl Bot<Pebbles> for Stumbling {
    fn choose(&mut self, _sight: &Sight<'_, Pebbles>, _lots: &mut Lots) -> usize {
        panic!("a bot that stumbles, on purpose")
    }
}

impl Secretive for Pebbles {
    fn seen<'p>(&self, position: &'p Position<Self>, seat: Seat) -> Cow<'p, Position<Self>> {
        let mut state = position.state().clone();
        for other in [0, 1].into_iter().filter(|other| *other != seat || !state.peeked[usize::from(seat)]) {
            state.secrets[usize::from(other)] = 0;
        }
        state.peeked[usize::from(1 - seat.min(1))] = false;
        Cow::Owned(position.with_state(state))
    }

    fn sample(&self, position: &Position<Self>, seat: Seat, lots: &mut Lots) -> Position<Self> {
        let mut state = self.seen(position, seat).state().clone();
        for other in [0, 1].into_iter().filter(|other| *other != seat || !state.peeked[usize::from(seat)]) {
            state.secrets[usize::from(other)] = lots.below(100) as u8;
        }
        position.with_state(state)
    }

    fn secrets() -> Vec<&'static str> {
        vec!["secret"]
    }

    fn vary(
        &self,
        position: &Position<Self>,
        seat: Seat,
        _: usize,
        lots: &mut Lots,
    ) -> Option<Position<Self>> {
        let mut state = position.state().clone();
        state.secrets[usize::from(1 - seat.min(1))] = lots.below(100) as u8;
        (state != *position.state()).then(|| position.with_state(state))
    }
}

impl Hosted for Pebbles {
    const NAME: &'static str = "pebbles";
    const ABOUT: &'static str = "Claim cells, keep your secret. For tests.";

    fn open_table(opening: &Opening) -> Result<(Arc<Self>, ()), Rejection> {
        if opening.ruleset.as_ref().is_some_and(|ruleset| ruleset != "plain") {
            return Err(Rejection::new("UNKNOWN_RULESET", "the only ruleset is plain"));
        }
        match opening.setup.as_deref() {
            None | Some("empty") => Ok((Arc::new(Pebbles), ())),
            Some(other) => {
                Err(Rejection::new("UNKNOWN_SETUP", format!("no set-up \"{other}\"; there is: empty")))
            }
        }
    }
    fn rulesets() -> Vec<Named> {
        vec![Named::new("plain", "The only rules there are.")]
    }
    fn setups() -> Vec<Named> {
        vec![Named::new("empty", "An empty board.")]
    }
    fn ruleset(&self) -> Value {
        "plain".into()
    }
    fn content(&self) -> Digest {
        digest("pebbles")
    }
    fn seats(&self, _state: &State) -> Vec<String> {
        vec!["Ada".to_owned(), "Bob".to_owned()]
    }

    fn scene(&self, position: &Position<Self>, inputs: &[InputOf<Self>], viewer: Viewer) -> Scene {
        let state = position.state();
        let cell = |owner: &Option<Seat>| Cell {
            text: owner.map_or(".", |seat| ["A", "B", "x"][usize::from(seat)]).to_owned(),
            ink: owner.map_or(Ink::Faint, |seat| [Ink::Ours, Ink::Theirs, Ink::Faint][usize::from(seat)]),
            ground: Ground::Plain,
            note: owner.map_or("free", |_| "taken").to_owned(),
            figures: owner.filter(|seat| *seat < 2).map(stone).into_iter().collect(),
            ..Cell::default()
        };
        let board = Board {
            width: SIDE,
            height: SIDE,
            cells: state.cells.iter().map(cell).collect(),
            columns: (0..SIDE as u8).map(|x| char::from(b'a' + x).to_string()).collect(),
            rows: (1..=SIDE).rev().map(|y| y.to_string()).collect(),
            ..Board::default()
        };
        let secrets = self.view(state, viewer)["secrets"].clone();
        let secret = |seat: usize| Item {
            text: format!("{}: {}", name(seat as Seat), secrets[seat]),
            ink: Ink::Special,
            note: "only its owner may know it".to_owned(),
            thing: None,
        };
        let panel = Panel {
            id: "secrets".to_owned(),
            title: "Secrets".to_owned(),
            items: vec![secret(0), secret(1)],
            lie: Lie::List,
        };
        let turn = self.actor(state).map_or("Over".to_owned(), |seat| format!("{} to play", name(seat)));
        Scene {
            title: turn,
            board: Some(board),
            panels: vec![panel],
            options: inputs.iter().map(|input| option(self, state, input)).collect(),
            question: position.pending().map(|pending| pending.question.clone()),
            ..Scene::default()
        }
    }

    fn bots() -> Vec<Named> {
        vec![Named::new("random", "Anything goes.")]
    }
    fn bot(name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        match name {
            "random" => Some(Box::new(Random)),
            "stubborn" => Some(Box::new(Stubborn::default())),
            "stumbling" => Some(Box::new(Stumbling)),
            _ => None,
        }
    }

    fn parse_input(&self, _position: &Position<Self>, text: &str) -> Option<InputOf<Self>> {
        let cell = (0..CELLS as u8).find(|&cell| square(cell) == text)?;
        Some(Input::Act(Action::Claim(cell)))
    }

    fn benches() -> Vec<Bench> {
        vec![Bench {
            name: "pebbles/start".to_owned(),
            unit: "states",
            about: "start a match".to_owned(),
            parts: None,
            prepare: || {
                Box::new(|| (0..1000u64).filter(|&seed| Pebbles.start(&(), seed).is_ok()).count() as u64)
            },
            facts: None,
        }]
    }

    fn tally(&self, state: &State) -> Vec<(String, Value)> {
        let cells: String = state.cells.iter().map(|owner| owner.map_or("nobody", name)).collect();
        vec![("first secret".to_owned(), state.secrets[0].into()), ("cells".to_owned(), cells.into())]
    }
}

/// A pebble of that seat.
fn stone(seat: Seat) -> Figure {
    Figure {
        name: format!("{}'s pebble", name(seat)),
        icon: "stone".to_owned(),
        owner: Some(seat),
        ..Figure::default()
    }
}

fn option(game: &Pebbles, state: &State, input: &InputOf<Pebbles>) -> Choice {
    match input {
        Input::Act(action) => {
            let pick = match action {
                Action::Claim(cell) => Pick::Cell(u16::from(*cell) % SIDE, u16::from(*cell) / SIDE),
                Action::Peek => Pick::Word("peek".to_owned()),
            };
            let label = game.tell_action(state, action);
            Choice { label, picks: vec![pick], preview: "it will be yours".to_owned(), ..Choice::default() }
        }
        Input::Choose(keep) => {
            let word = if *keep { "keep" } else { "leave" };
            let label = game.tell_answer(state, &String::new(), keep);
            Choice { label, picks: vec![Pick::Word(word.to_owned())], ..Choice::default() }
        }
    }
}

/// The host of this game, with records of its own.
pub static PEBBLES: crate::Of<Pebbles> = crate::Of::reading(conform);

/// A record is a line with a cell in it.
fn conform(name: &str, text: &str, _options: &[(String, String)]) -> Result<Conformity, Rejection> {
    if !name.contains("pebbles") {
        return Err(Rejection::new("UNKNOWN_KIND", "give a file of pebbles records"));
    }
    let mut result = Conformity::new("claims");
    for (index, line) in text.lines().enumerate() {
        let wrong = || ("line".to_owned(), format!("expected a cell, found {line}"));
        let known = (0..CELLS as u8).any(|cell| square(cell) == line);
        result.count(format!("record {}", index + 1), if known { Ok(()) } else { Err(wrong()) });
    }
    Ok(result)
}

/// A list of games with this one alone.
pub static GAMES: crate::Games = crate::Games::new(&[&PEBBLES]);
