//! The line protocol: one JSON value per line, for bots in any language. See `docs/protocol.md`.
//!
//! Every line that is heard is answered by one or more lines; a wrong line is answered by an error and
//! changes nothing.

use serde_json::{Value, json};
use turnstone::{Moment, Rejection, Seat, Viewer, code, shorten};

use crate::table::Table;

/// The version of the protocol.
pub const PROTOCOL: u32 = 2;

pub use turnstone_host::line::{BoundedLines, LONGEST_LINE, is_too_long};

/// So many characters of what was said are said again at most.
const QUOTED: usize = 500;

/// How a door is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// Mixed with the seed in the commitment that `hello` carries; both are told when the match is over.
    pub salt: [u8; 16],
    /// Whether moves may be taken back.
    pub practice: bool,
}

/// What binds the table to its seed before anybody knows it: BLAKE3 of the seed's eight bytes, the
/// least first, and the salt; in hexadecimal digits.
pub fn commitment(seed: u64, salt: &[u8; 16]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes()).update(salt);
    hasher.finalize().to_hex().to_string()
}

/// A table that speaks JSON lines to one program.
pub struct Door {
    doors: Doors,
}

impl Door {
    /// A door to that table, for one seat or for all seats without bots.
    ///
    /// # Errors
    /// If there is no such seat, or nobody would play another one.
    pub fn new(table: Box<dyn Table>, seat: Option<Seat>, terms: Terms) -> Result<Self, Rejection> {
        Ok(Door { doors: Doors::open(table, vec![seat], terms)? })
    }

    /// The first lines: who sits where, and the first turn.
    pub fn greet(&mut self) -> Vec<Value> {
        self.doors.greet().into_iter().map(|said| said.line).collect()
    }

    /// Whether more lines are awaited.
    pub fn is_open(&self) -> bool {
        self.doors.open
    }

    /// The table, to save the match.
    pub fn table(&mut self) -> &mut dyn Table {
        &mut *self.doors.table
    }

    /// Takes one line and gives the lines that answer it. An empty line is not answered.
    pub fn hear(&mut self, line: &str) -> Vec<Value> {
        self.doors.hear(0, line).into_iter().map(|said| said.line).collect()
    }
}

/// A line that is said to one of several programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Which of them.
    pub to: usize,
    /// What.
    pub line: Value,
}

/// A table with several programs at it, each with a seat of its own.
pub struct Doors {
    table: Box<dyn Table>,
    /// The seat of each program; `None` for every seat without a bot.
    seats: Vec<Option<Seat>>,
    /// The moments on the present line that each program has been told of: others are not to be counted by it.
    told: Vec<Vec<Moment>>,
    terms: Terms,
    open: bool,
    /// Inputs that were sent, by whomever, and how many there may be.
    sent: u64,
    most: u64,
}

impl Doors {
    /// A table at which these seats are played by programs.
    ///
    /// # Errors
    /// If there is no such seat, or nobody would play another one.
    pub fn new(table: Box<dyn Table>, seats: &[Seat], terms: Terms) -> Result<Self, Rejection> {
        Self::open(table, seats.iter().copied().map(Some).collect(), terms)
    }

    fn open(table: Box<dyn Table>, seats: Vec<Option<Seat>>, terms: Terms) -> Result<Self, Rejection> {
        let count = table.seats().len();
        if let Some(own) = seats.iter().flatten().find(|own| usize::from(**own) >= count) {
            let text = format!("there is no seat {own}: there are {count}");
            return Err(Rejection::new("UNKNOWN_SEAT", text));
        }
        let bots = table.bots();
        let taken = |seat: &Seat| seats.contains(&Some(*seat)) || bots.iter().any(|(bot, _)| bot == seat);
        let empty = (0..count as Seat).find(|seat| !seats.contains(&None) && !taken(seat));
        if let Some(empty) = empty {
            let text = format!("nobody plays seat {empty}: give it a bot");
            return Err(Rejection::new("EMPTY_SEAT", text));
        }
        let told = vec![Vec::new(); seats.len()];
        Ok(Doors { table, seats, told, terms, open: true, sent: 0, most: u64::MAX })
    }

    /// The same, given up after so many inputs: those of programs and of bots count alike.
    #[must_use]
    pub fn up_to(self, inputs: u64) -> Self {
        Doors { most: inputs, ..self }
    }

    /// The first lines for each program.
    pub fn greet(&mut self) -> Vec<Said> {
        let bots: Vec<Value> =
            self.table.bots().iter().map(|(seat, name)| json!({ "seat": seat, "bot": name })).collect();
        let mut lines = Vec::new();
        for (to, seat) in self.seats.iter().enumerate() {
            let line = json!({
                "type": "hello",
                "protocol": PROTOCOL,
                "game": self.table.game(),
                "ruleset": self.table.ruleset(),
                "commitment": commitment(self.table.seed(), &self.terms.salt),
                "seats": self.table.seats(),
                "seat": seat,
                "bots": bots,
            });
            lines.push(Said { to, line });
        }
        self.go_on(&mut lines);
        lines
    }

    /// Whether more lines are awaited.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The table, to save the match.
    pub fn table(&mut self) -> &mut dyn Table {
        &mut *self.table
    }

    /// The program that is to send something; `None` when the match is over or given up. Where anybody may act it
    /// is the first.
    pub fn awaited(&self) -> Option<usize> {
        if self.table.outcome().is_some() || self.sent >= self.most {
            return None;
        }
        let actor = self.table.actor();
        Some(self.seats.iter().position(|seat| seat.is_none() || *seat == actor).unwrap_or(0))
    }

    /// Takes one line from one program and gives the lines that answer it, to whom they are for.
    pub fn hear(&mut self, from: usize, line: &str) -> Vec<Said> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let value = if is_too_long(line) {
            let text = format!("a line has at most {LONGEST_LINE} bytes");
            Err(Rejection::new(code::MALFORMED, text))
        } else {
            serde_json::from_str::<Value>(line)
                .map_err(|error| Rejection::new(code::MALFORMED, format!("not a line of JSON: {error}")))
        };
        match value.and_then(|value| self.obey(from, &value, &mut lines)) {
            Ok(()) => lines,
            Err(refusal) => {
                let (code, text) = (refusal.code(), shorten(&refusal.to_string(), QUOTED));
                let seat = self.eyes(from);
                vec![Said {
                    to: from,
                    line: json!({ "type": "error", "seat": seat, "code": code, "text": text }),
                }]
            }
        }
    }

    fn obey(&mut self, from: usize, value: &Value, lines: &mut Vec<Said>) -> Result<(), Rejection> {
        if let Some(command) = value.get("command") {
            return self.command(from, command, lines);
        }
        if self.table.outcome().is_some() {
            return Err(Rejection::new("GAME_OVER", "the game is over: quit, or undo if this is practice"));
        }
        let sender = self.eyes(from);
        let moment = match value {
            Value::Number(number) => match number.as_u64().and_then(|number| usize::try_from(number).ok()) {
                Some(number) => self.choose(from, number)?,
                None => {
                    let text = format!("{number} is no number of an input: these are whole, counted from 0");
                    return Err(Rejection::new(code::MALFORMED, text));
                }
            },
            Value::String(text) => self.say(from, text)?,
            Value::Object(wrapped) if wrapped.len() == 1 && wrapped.contains_key("input") => {
                self.send(from, &wrapped["input"])?
            }
            other => self.send(from, other)?,
        };
        self.sent += 1;
        self.tell(moment, Some(sender), lines);
        self.go_on(lines);
        Ok(())
    }

    fn say(&mut self, from: usize, text: &str) -> Result<Moment, Rejection> {
        let options = self.table.scene(Viewer::Seat(self.eyes(from))).options;
        if let Some(number) = options.iter().position(|option| option.label == text) {
            return self.choose(from, number);
        }
        // Who holds every seat writes for whoever is to act.
        let seat = self.seats[from].or(self.table.actor()).unwrap_or_else(|| self.eyes(from));
        let input = self.table.parse_from(seat, text)?;
        self.send(from, &input)
    }

    fn choose(&mut self, from: usize, number: usize) -> Result<Moment, Rejection> {
        match self.seats[from] {
            Some(seat) => self.table.choose_from(seat, number),
            None => self.table.choose(number),
        }
    }

    /// Who holds one seat may not send what belongs to another, or to a referee.
    fn send(&mut self, from: usize, input: &Value) -> Result<Moment, Rejection> {
        match self.seats[from] {
            Some(seat) => self.table.act_from(seat, input),
            None => self.table.act(input),
        }
    }

    fn command(&mut self, from: usize, command: &Value, lines: &mut Vec<Said>) -> Result<(), Rejection> {
        let seat = self.eyes(from);
        match command.as_str() {
            Some("log") => {
                let events = self.table.log(Viewer::Seat(seat));
                lines.push(Said { to: from, line: json!({ "type": "log", "seat": seat, "events": events }) });
            }
            Some("undo") if self.terms.practice => self.undo(from, lines)?,
            Some("undo") => {
                let text = "what is played is played; moves are taken back in practice only (--practice)";
                return Err(Rejection::new("NO_PRACTICE", text));
            }
            Some("quit") => {
                self.open = false;
                lines.push(Said { to: from, line: json!({ "type": "bye", "seat": seat }) });
            }
            _ => {
                let command = shorten(&command.to_string(), QUOTED);
                let text = format!("unknown command {command}; there are: log, undo, quit");
                return Err(Rejection::new("UNKNOWN_COMMAND", text));
            }
        }
        Ok(())
    }

    /// Back to the last turn of who asks for it.
    fn undo(&mut self, from: usize, lines: &mut Vec<Said>) -> Result<(), Rejection> {
        let here = self.table.here();
        let is_his = |doors: &Self| match doors.seats[from] {
            Some(seat) => doors.table.actor() == Some(seat),
            None => !doors.bot_is_next(),
        };
        loop {
            if !self.table.undo() {
                self.table.jump(here)?;
                return Err(Rejection::new(code::NO_SUCH_MOMENT, "there is nothing to undo"));
            }
            if is_his(self) {
                break;
            }
        }
        // What was told is counted as it was told then, through whose eyes that was: numbers would jump otherwise.
        let here = self.table.here();
        for told in &mut self.told {
            told.retain(|moment| *moment <= here);
        }
        self.go_on(lines);
        Ok(())
    }

    fn bot_is_next(&self) -> bool {
        let actor = self.table.actor();
        actor.is_some_and(|actor| self.table.bots().iter().any(|(seat, _)| *seat == actor))
    }

    /// Lets bots play until a program is to send something, or it is over.
    fn go_on(&mut self, lines: &mut Vec<Said>) {
        while self.table.outcome().is_none() && self.sent < self.most && self.bot_is_next() {
            let Some(number) = self.table.bot_choice() else { break };
            let Ok(moment) = self.table.choose(number) else { break };
            self.sent += 1;
            self.tell(moment, None, lines);
        }
        let Some(outcome) = self.table.outcome() else {
            let to = self.awaited().unwrap_or(0);
            lines.push(Said { to, line: self.turn(to) });
            return;
        };
        let (seed, salt) = (self.table.seed(), hexadecimal(&self.terms.salt));
        for to in 0..self.seats.len() {
            let seat = self.eyes(to);
            let line =
                json!({ "type": "over", "seat": seat, "outcome": outcome, "seed": seed, "salt": salt });
            lines.push(Said { to, line });
        }
    }

    /// Tells every program what happened, as far as it may know: through the eyes of its seat, or, if
    /// it holds several, of the one that acted.
    fn tell(&mut self, moment: Moment, actor: Option<Seat>, lines: &mut Vec<Said>) {
        for to in 0..self.seats.len() {
            let seat = self.seats[to].or(actor).unwrap_or_else(|| self.eyes(to));
            let events = self.table.news(moment, Viewer::Seat(seat));
            if events.is_empty() && actor != Some(seat) {
                continue;
            }
            self.told[to].push(moment);
            let count = self.told[to].len();
            let line = json!({ "type": "events", "seat": seat, "moment": count, "events": events });
            lines.push(Said { to, line });
        }
    }

    fn turn(&self, to: usize) -> Value {
        let seat = self.eyes(to);
        let viewer = Viewer::Seat(seat);
        let scene = self.table.scene(viewer);
        let labels: Vec<&str> = scene.options.iter().map(|option| option.label.as_str()).collect();
        json!({
            "type": "turn",
            "moment": self.told[to].len(),
            "seat": seat,
            "view": self.table.view(viewer),
            "question": self.table.question(viewer),
            "inputs": self.table.inputs(viewer),
            "labels": labels,
        })
    }

    /// The seat through whose eyes a program looks: its own, or that of who is to act, or the first
    /// that is not a bot's.
    fn eyes(&self, to: usize) -> Seat {
        let bots = self.table.bots();
        let is_bot = |seat: &Seat| bots.iter().any(|(taken, _)| taken == seat);
        let actor = self.table.actor().filter(|actor| !is_bot(actor));
        let first = (0..self.table.seats().len() as Seat).find(|seat| !is_bot(seat));
        self.seats[to].or(actor).or(first).unwrap_or(0)
    }
}

/// Through whose eyes a table is seen: one seat's, or, where several share a screen, those of who is
/// to act.
pub fn seat_viewer(table: &dyn Table, seat: Option<Seat>) -> Viewer {
    match seat.or(table.actor()) {
        Some(seat) => Viewer::Seat(seat),
        None if table.outcome().is_some() => Viewer::All,
        None => Viewer::Seat(0),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
