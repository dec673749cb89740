//! How a match is listed: its seats, how far it has come, and what of it whose eyes may not see.

use serde::Serialize;
use serde_json::{Value, json};
use turnstone_table::{Outcome, Seat, Viewer};

use super::{Eyes, Room};
use crate::message::{Absent, Control, Watch};
use crate::record::{Ending, Who};

/// A seat as it is told.
#[derive(Clone, Debug, Serialize)]
pub struct Place {
    /// Its number.
    pub seat: Seat,
    /// What it is called in the game.
    pub role: String,
    /// Who sits there.
    pub who: Who,
    /// What he is called.
    pub name: String,
    /// Whether he is there.
    pub here: bool,
    /// A bot stands in for him.
    pub away: bool,
    /// He may not speak.
    pub muted: bool,
    /// How many people have sat there so far: what one saw in a seat, one takes along.
    pub hands: u32,
}

/// How far a match has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A seat is free.
    Open,
    /// It is played.
    Running,
    /// It has ended.
    Over,
}

impl State {
    /// That of a match with these seats.
    pub fn of(over: bool, seats: &[Place]) -> State {
        match (over, seats.iter().any(|place| place.who == Who::Open)) {
            (true, _) => State::Over,
            (false, true) => State::Open,
            (false, false) => State::Running,
        }
    }
}

/// What everybody may know of a match.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Its name.
    #[serde(rename = "match")]
    pub id: String,
    /// The game.
    pub game: &'static str,
    /// What its scene says on top, where everybody may know.
    pub title: String,
    /// When it was opened.
    pub opened: i64,
    /// When it was appended to last.
    pub touched: i64,
    /// The seats.
    pub seats: Vec<Place>,
    /// How far it has come.
    pub state: State,
    /// Who is to act.
    pub actor: Option<Seat>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why, if not by its rules.
    pub how: Option<Ending>,
    /// In the lobby.
    pub public: bool,
    /// Who may watch.
    pub watch: Watch,
    /// Takebacks without asking, hints, the file at any time.
    pub practice: bool,
    /// The clock.
    pub clock: Option<Control>,
    /// What becomes of the seat of who is away.
    pub absent: Absent,
    /// After so many seconds.
    pub patience: u64,
    /// How many watch.
    pub spectators: usize,
    /// The rematch.
    pub next: Option<String>,
    /// How many inputs there were.
    pub moves: usize,
    /// Seats may know different things.
    pub secret: bool,
    /// For a clock of days: until when the next turn must be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<i64>,
}

impl Summary {
    /// As it is kept and told.
    pub fn text(&self) -> String {
        // It holds nothing that JSON cannot.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Takes out of a summary what its reader may not know while the match lasts. Where seats know different things,
/// numbers and times of inputs tell of those that were played unseen; where nobody may watch, or not yet, who has
/// no seat does not learn how far it has come.
pub fn veil(told: &mut Value, seated: bool) {
    let unwatched = told["watch"] != "open" && !seated;
    if told["state"] == "over" || !unwatched && told["secret"] != true {
        return;
    }
    if let Some(fields) = told.as_object_mut() {
        for name in ["moves", "touched", "due"] {
            fields.remove(name);
        }
    }
    if unwatched {
        told["actor"] = Value::Null;
    }
}

impl Room {
    /// The seats as they are told; `here` says who has a socket.
    pub fn places(&self, here: impl Fn(Seat) -> bool) -> Vec<Place> {
        let seats = (0..).zip(self.seats.iter().zip(&self.roles));
        seats
            .map(|(seat, (holder, role)): (Seat, _)| Place {
                seat,
                role: role.clone(),
                who: holder.who,
                name: holder.name.clone(),
                here: holder.who == Who::Bot || here(seat),
                away: holder.who == Who::Bot && holder.token.is_some(),
                muted: holder.muted,
                hands: self.hands.get(usize::from(seat)).copied().unwrap_or(0),
            })
            .collect()
    }

    /// What everybody may know of the match.
    pub fn summary(
        &self,
        here: impl Fn(Seat) -> bool,
        title: &str,
        spectators: usize,
        touched: i64,
    ) -> Summary {
        let over = self.is_over();
        let seats = self.places(here);
        Summary {
            id: self.id.clone(),
            game: self.table.game(),
            title: title.to_owned(),
            opened: self.opened,
            touched,
            state: State::of(over, &seats),
            seats,
            actor: self.table.actor().filter(|_| !over),
            outcome: self.outcome(),
            how: self.ending(),
            public: self.options.public,
            watch: self.options.watch,
            practice: self.options.practice,
            clock: self.options.clock,
            absent: self.options.absent,
            patience: self.options.patience,
            spectators,
            next: self.next.clone(),
            moves: self.inputs(),
            secret: self.is_secret(),
            due: None,
        }
    }

    /// What the scene says on top, where spectators see it as it is now.
    pub fn title(&self) -> String {
        match self.options.watch {
            Watch::After | Watch::Never | Watch::Delayed if !self.is_over() => String::new(),
            Watch::Open | Watch::After | Watch::Never | Watch::Delayed => {
                self.table.scene(Viewer::Spectator).title
            }
        }
    }

    /// The same as far as lists have it: what is in no lobby is not drawn for one after every input.
    pub fn listed_title(&self) -> String {
        if self.options.public || self.is_over() { self.title() } else { String::new() }
    }

    /// Takes out of a summary what its reader may not know; who lags behind is told who was to act then.
    pub fn veil_for(&mut self, eyes: Eyes, told: &mut Value) {
        veil(told, eyes != Eyes::SPECTATOR);
        if self.lags(eyes) {
            let here = self.here(eyes);
            told["actor"] = json!(self.table.at(here).ok().and_then(|then| then.actor()));
        }
    }
}
