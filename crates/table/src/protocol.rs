//! The line protocol: one JSON value per line, for bots in any language. See `docs/protocol.md`.
//!
//! Every line that is heard is answered by one or more lines; a wrong line is answered by an error and
//! changes nothing.

use serde_json::{Value, json};
use turnstone::{Moment, Rejection, Seat, Viewer, code};

use crate::table::Table;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// A table that speaks JSON lines.
pub struct Door {
    table: Box<dyn Table>,
    /// The seat that is played through this door; `None` for every seat without a bot.
    seat: Option<Seat>,
    open: bool,
}

impl Door {
    /// A door to that table, for one seat or for all seats without bots.
    ///
    /// # Errors
    /// If there is no such seat, or nobody would play another one.
    pub fn new(table: Box<dyn Table>, seat: Option<Seat>) -> Result<Self, Rejection> {
        if let Some(own) = seat {
            let seats = table.seats();
            let bots = table.bots();
            let empty = |seat: &Seat| *seat != own && bots.iter().all(|(taken, _)| taken != seat);
            if usize::from(own) >= seats.len() {
                let text = format!("there is no seat {own}: there are {}", seats.len());
                return Err(Rejection::new("UNKNOWN_SEAT", text));
            }
            if let Some(empty) = (0..seats.len() as Seat).find(empty) {
                let text = format!("nobody plays seat {empty}: give it a bot");
                return Err(Rejection::new("EMPTY_SEAT", text));
            }
        }
        Ok(Door { table, seat, open: true })
    }

    /// The first lines: who sits where, and the first turn.
    pub fn greet(&mut self) -> Vec<Value> {
        let bots: Vec<Value> =
            self.table.bots().iter().map(|(seat, name)| json!({ "seat": seat, "bot": name })).collect();
        let hello = json!({
            "type": "hello",
            "protocol": PROTOCOL,
            "game": self.table.game(),
            "ruleset": self.table.ruleset(),
            "seed": self.table.seed(),
            "seats": self.table.seats(),
            "seat": self.seat,
            "bots": bots,
        });
        let mut lines = vec![hello];
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

    /// Takes one line and gives the lines that answer it. An empty line is not answered.
    pub fn hear(&mut self, line: &str) -> Vec<Value> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let value = serde_json::from_str::<Value>(line)
            .map_err(|error| Rejection::new(code::MALFORMED, format!("not a line of JSON: {error}")));
        match value.and_then(|value| self.obey(&value, &mut lines)) {
            Ok(()) => lines,
            Err(refusal) => vec![error(&refusal)],
        }
    }

    fn obey(&mut self, value: &Value, lines: &mut Vec<Value>) -> Result<(), Rejection> {
        if let Some(command) = value.get("command") {
            return self.command(command, lines);
        }
        if self.table.outcome().is_some() {
            return Err(Rejection::new("GAME_OVER", "the game is over: undo or quit"));
        }
        let moment = match value {
            Value::Number(number) => {
                let number = number.as_u64().and_then(|number| usize::try_from(number).ok());
                self.table.choose(number.unwrap_or(usize::MAX))?
            }
            Value::String(text) => self.say(text)?,
            Value::Object(wrapped) if wrapped.len() == 1 && wrapped.contains_key("input") => {
                self.send(&wrapped["input"])?
            }
            other => self.send(other)?,
        };
        self.tell(moment, lines);
        self.go_on(lines);
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<Moment, Rejection> {
        let options = self.table.scene(self.viewer()).options;
        if let Some(number) = options.iter().position(|option| option.label == text) {
            return self.table.choose(number);
        }
        let Some(input) = self.table.parse(text) else {
            let text = format!("\"{text}\" is neither a label nor a move in the game's notation");
            return Err(Rejection::new(code::MALFORMED, text));
        };
        self.send(&input)
    }

    /// Who holds one seat may not send what belongs to another, or to a referee.
    fn send(&mut self, input: &Value) -> Result<Moment, Rejection> {
        match self.seat {
            Some(seat) => self.table.act_from(seat, input),
            None => self.table.act(input),
        }
    }

    fn command(&mut self, command: &Value, lines: &mut Vec<Value>) -> Result<(), Rejection> {
        match command.as_str() {
            Some("log") => lines.push(json!({ "type": "log", "events": self.table.log(self.viewer()) })),
            Some("undo") => self.undo(lines)?,
            Some("quit") => {
                self.open = false;
                lines.push(json!({ "type": "bye" }));
            }
            _ => {
                let text = format!("unknown command {command}; there are: log, undo, quit");
                return Err(Rejection::new("UNKNOWN_COMMAND", text));
            }
        }
        Ok(())
    }

    /// Back to the last turn of this door's own.
    fn undo(&mut self, lines: &mut Vec<Value>) -> Result<(), Rejection> {
        let here = self.table.here();
        loop {
            if !self.table.undo() {
                self.table.jump(here)?;
                return Err(Rejection::new(code::NO_SUCH_MOMENT, "there is nothing to undo"));
            }
            if !self.bot_is_next() {
                break;
            }
        }
        self.go_on(lines);
        Ok(())
    }

    fn bot_is_next(&self) -> bool {
        let actor = self.table.actor();
        actor.is_some_and(|actor| self.table.bots().iter().any(|(seat, _)| *seat == actor))
    }

    /// Lets bots play until it is this door's turn, or over.
    fn go_on(&mut self, lines: &mut Vec<Value>) {
        while self.table.outcome().is_none() && self.bot_is_next() {
            let Some(number) = self.table.bot_choice() else { break };
            let Ok(moment) = self.table.choose(number) else { break };
            self.tell(moment, lines);
        }
        match self.table.outcome() {
            Some(outcome) => lines.push(json!({ "type": "over", "outcome": outcome })),
            None => lines.push(self.turn()),
        }
    }

    fn tell(&self, moment: Moment, lines: &mut Vec<Value>) {
        let events = self.table.news(moment, self.viewer());
        lines.push(json!({ "type": "events", "moment": moment, "events": events }));
    }

    fn turn(&self) -> Value {
        let viewer = self.viewer();
        let scene = self.table.scene(viewer);
        let labels: Vec<&str> = scene.options.iter().map(|option| option.label.as_str()).collect();
        json!({
            "type": "turn",
            "moment": self.table.here(),
            "seat": self.table.actor(),
            "view": self.table.view(viewer),
            "question": self.table.question(viewer),
            "inputs": self.table.inputs(viewer),
            "labels": labels,
        })
    }

    fn viewer(&self) -> Viewer {
        seat_viewer(&*self.table, self.seat)
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

fn error(refusal: &Rejection) -> Value {
    json!({ "type": "error", "code": refusal.code(), "text": refusal.to_string() })
}
