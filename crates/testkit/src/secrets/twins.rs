//! Two matches that differ in one secret of a seat and are played in the same way.

use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots};
use turnstone::{Fact, Match, Moment, Seat, Trace, Viewer};
use turnstone_host::Hosted;
use turnstone_table::Table;
use turnstone_table::protocol::{Doors, Said};

use super::differences::Differences;

/// What a line has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// All that was said of both is the same, and must stay so.
    Alike,
    /// Something was revealed by rule, or only one of them went on: from now on they may differ.
    Parted,
}

/// Two matches, each at a table with a door for every seat, in practice: what is played can be taken back.
pub(super) struct Twins<G: Hosted> {
    pub game: Arc<G>,
    pub seat: Seat,
    pub doors: [Doors; 2],
    /// The same matches with their types: what was revealed is asked of them.
    pub played: [Match<G, Trace<G>>; 2],
}

/// Back to the last turn of who says it.
const UNDO: &str = r#"{"command":"undo"}"#;

impl<G: Hosted> Twins<G> {
    pub fn tables(&mut self) -> [&dyn Table; 2] {
        self.doors.each_mut().map(|doors| &*doors.table())
    }

    /// What is said to the seat at first.
    pub fn greet(&mut self) -> [String; 2] {
        let seat = self.seat;
        self.doors.each_mut().map(|doors| heard(doors.greet(), seat))
    }

    /// The same line from one seat to both: refusals are the same; what is accepted may reveal something, which is then
    /// seen.
    ///
    /// # Errors
    /// What the seat learns, and by what.
    pub fn send(&mut self, sender: Seat, line: &str) -> Result<Course, String> {
        let said = self.doors.each_mut().map(|doors| doors.hear(sender.into(), line));
        let refused = said.each_ref().map(|said| said.iter().any(|said| said.line["type"] == "error"));
        match (refused[0] == refused[1], sender == self.seat) {
            (true, _) => {}
            (false, true) => return Err(format!("by whether {line} is accepted")),
            // Another seat's secrets may decide what it may do; what follows is told by the news.
            (false, false) => return Ok(Course::Parted),
        }
        // What follows from a text is what follows from the input that it means, which is tried as such.
        if line.starts_with('"') && !refused[0] {
            return Ok(Course::Parted);
        }
        // Who goes somewhere sees more: that is a legal reveal, and from then on the two may differ.
        let seat = Viewer::Seat(self.seat);
        let [view, other] = self.tables().map(|table| table.view(seat));
        if self.play(line) || view != other {
            return Ok(Course::Parted);
        }
        self.compare(said, line.len()).map_err(|text| format!("after {line}: {text}"))?;
        Ok(Course::Alike)
    }

    /// Plays a line in the matches, too. Says whether an event or a question that followed may tell the seat more than it
    /// then sees.
    fn play(&mut self, line: &str) -> bool {
        let Ok(value) = serde_json::from_str(line) else { return false };
        let (game, seat) = (&self.game, self.seat);
        let revealed = self.played.each_mut().map(|played| lays_open(&**game, played, &value, seat));
        revealed.contains(&true)
    }

    /// What was said to the seat, and what both tables say now. One number of a scene each time tells its story: all of
    /// them take longer than everything else.
    fn compare(&mut self, said: [Vec<Said>; 2], number: usize) -> Result<(), String> {
        let (seat, mut told) = (self.seat, Differences::default());
        let [one, other] = said.map(|said| heard(said, seat));
        told.compare("answer", [&one, &other]);
        let tables = self.tables();
        told.compare_tables(tables, seat);
        let [one, other] = tables.map(|table| story(table, seat, number));
        told.compare("stories", [&one, &other]);
        told.none()
    }

    /// Something that can be sent in both now, and by whom.
    pub fn pick(&mut self, lots: &mut Lots) -> Option<(Seat, String)> {
        let seat = self.seat;
        let [one, other] = self.tables();
        let there = other.inputs(Viewer::All);
        let mut both = one.inputs(Viewer::All);
        both.retain(|input| there.contains(input));
        Some((one.actor().unwrap_or(seat), lots.pick(&both)?.to_string()))
    }

    /// Takes back what was played since the last turn of the seat, takes that back, and goes to some moment of which the
    /// seat was told.
    pub fn travel(&mut self, lots: &mut Lots) -> Result<(), String> {
        let seat = self.seat;
        let said = self.doors.each_mut().map(|doors| doors.hear(seat.into(), UNDO));
        self.arrive(said, "an undo", lots)?;
        let moved = self.doors.each_mut().map(|doors| doors.table().redo());
        if moved[0] != moved[1] {
            return Err("by whether there is something to redo".to_owned());
        }
        self.arrive(Default::default(), "a redo", lots)?;
        let told = self.tables()[0].told(Viewer::Seat(seat));
        let Some(&moment) = lots.pick(&told) else { return Ok(()) };
        let [one, other] = self.doors.each_mut().map(|doors| doors.table().jump(moment).is_ok());
        if one != other {
            return Err(format!("by whether there is a way to moment {moment}"));
        }
        self.arrive(Default::default(), "a jump", lots)
    }

    /// All is the same after a way through time, where the typed matches follow.
    fn arrive(&mut self, said: [Vec<Said>; 2], by: &str, lots: &mut Lots) -> Result<(), String> {
        let here: [Moment; 2] = self.tables().map(|table| table.here());
        for (played, here) in self.played.iter_mut().zip(here) {
            played.jump(here).map_err(|refusal| format!("after {by}: {refusal}"))?;
        }
        let number = lots.below(16) as usize;
        self.compare(said, number).map_err(|text| format!("after {by}: {text}"))
    }

    /// Why all that was played happened, explained once more. Worlds to try things in are not compared here: they keep how
    /// many there are of what is out of sight, which may have come to differ out of sight.
    pub fn look_back(&mut self) -> Result<(), String> {
        let seat = self.seat;
        let [one, other] = self.tables().map(|table| explanations(table, seat));
        let mut told = Differences::default();
        told.compare("explanations", [&one, &other]);
        told.none().map_err(|text| format!("looking back: {text}"))
    }
}

/// Plays an input. Says whether an event or a question that followed may tell a seat more than it then sees.
pub(super) fn lays_open<G: Hosted>(
    game: &G,
    played: &mut Match<G, Trace<G>>,
    input: &Value,
    seat: Seat,
) -> bool {
    let Ok(input) = game.read_input(played.position(), input) else { return false };
    let Ok(moment) = played.act(input) else { return false };
    let asked = played.pending().filter(|pending| pending.seat == seat);
    if asked.is_some_and(|pending| game.lays_open(played.state(), &pending.question)) {
        return true;
    }
    let seen = played.entries_for(moment, Viewer::Seat(seat));
    seen.iter().any(|fact| matches!(fact, Fact::Event(event) if game.reveals(event)))
}

/// What was said to one seat.
fn heard(said: Vec<Said>, seat: Seat) -> String {
    let own = said.into_iter().filter(|said| said.to == usize::from(seat));
    own.map(|said| format!("{}\n", said.line)).collect()
}

/// A world to try things in: the same lots draw the same one from the same knowledge, down to its last secret.
pub(super) fn what_ifs(table: &dyn Table, seat: Seat) -> String {
    let drawn = |viewer| table.sample(viewer, 7).map(|world| world.to_string());
    format!("{:?}\n{:?}", drawn(Viewer::Seat(seat)), drawn(Viewer::Spectator))
}

/// Why everything happened on the way to the present, as far as the seat may know.
fn explanations(table: &dyn Table, seat: Seat) -> String {
    let line = table.line().into_iter();
    line.map(|moment| table.explain(moment, Viewer::Seat(seat)).to_string()).collect()
}

/// How one of the numbers came about that the seat is shown.
fn story(table: &dyn Table, seat: Seat, nth: usize) -> String {
    let viewer = Viewer::Seat(seat);
    let numbers = table.scene(viewer).numbers();
    let number = numbers.get(nth % numbers.len().max(1));
    format!("{:?}", number.map(|number| table.story(&number.id, &table.line(), viewer)))
}
