//! Clocks, for any game that can be lost on time. Nothing here reads the time: whoever plays says
//! what time it is.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use turnstone_table::{Moment, Seat, Table};

/// How much time everybody has, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// From the start.
    each: u64,
    /// More for every turn taken.
    increment: u64,
}

impl FromStr for Control {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, unit: f64| {
            let number = text.trim().parse::<f64>().ok().filter(|number| (0.0..=1440.0).contains(number))?;
            Some((number * unit).round() as u64)
        };
        match (number(minutes, 60_000.0), number(seconds, 1000.0)) {
            (Some(each), Some(increment)) if each > 0 => Ok(Control { each, increment }),
            _ => Err("write minutes and the seconds added for every turn: 5+3, 10, 0.5+1".to_owned()),
        }
    }
}

/// What everybody has left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Left {
    /// What it is for; see [`turnstone_table::TimeOut`].
    round: u32,
    /// Milliseconds, by seat.
    seats: Vec<u64>,
}

/// The clock of a match. It knows what was left at every moment, so an undo gives the time back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    control: Control,
    left: Left,
    /// What was left when a moment was reached.
    reached: BTreeMap<Moment, Left>,
    /// Until when time has been taken off; `None` while nobody looks.
    #[serde(skip)]
    seen: Option<Instant>,
}

impl Clock {
    /// A clock for that table, not yet running.
    pub fn new(control: Control, table: &dyn Table) -> Self {
        let mut clock = Clock { control, left: Left::default(), reached: BTreeMap::new(), seen: None };
        clock.set_anew(table);
        clock.reached.insert(table.here(), clock.left.clone());
        clock
    }

    fn set_anew(&mut self, table: &dyn Table) {
        let round = table.time_out(0).map_or(0, |told| told.round);
        self.left = Left { round, seats: vec![self.control.each; table.seats().len()] };
    }

    /// Takes the time since the last call off whoever is to act, unless the clock stands still. Says
    /// whether that seat has run out of it.
    pub fn pass(&mut self, table: &dyn Table, now: Instant) -> bool {
        let since = self.seen.replace(now);
        let Some(seat) = running(table) else { return false };
        let Some(left) = self.left.seats.get_mut(usize::from(seat)) else { return false };
        let passed = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        let whole = passed.as_millis() as u64;
        *left = left.saturating_sub(whole);
        // What is less than a millisecond is counted next time.
        self.seen = Some(since.map_or(now, |since| since + Duration::from_millis(whole)));
        *left == 0
    }

    /// Time is counted from now on, if it was not before.
    pub fn start(&mut self, now: Instant) {
        self.seen.get_or_insert(now);
    }

    /// The time until the next call is not counted.
    pub fn stop(&mut self) {
        self.seen = None;
    }

    /// Something was done at the table, by who was to act before it.
    pub fn acted(&mut self, table: &dyn Table, before: Option<Seat>) {
        if table.time_out(0).is_some_and(|told| told.round != self.left.round) {
            self.set_anew(table);
        } else if let Some(seat) = before.filter(|_| table.actor() != before)
            && let Some(left) = self.left.seats.get_mut(usize::from(seat))
        {
            *left += self.control.increment;
        }
        self.reached.insert(table.here(), self.left.clone());
    }

    /// The table went to another moment.
    pub fn travelled(&mut self, table: &dyn Table) {
        let known = table.line().into_iter().rev().find_map(|moment| self.reached.get(&moment));
        if let Some(left) = known {
            self.left = left.clone();
        }
    }

    /// What is left for each seat, and whose time runs.
    pub fn faces(&self, table: &dyn Table) -> Vec<Face> {
        let running = running(table);
        let faces = table.seats().into_iter().zip(&self.left.seats).zip(0..);
        faces.map(|((name, &left), seat)| Face { name, left, runs: running == Some(seat) }).collect()
    }
}

/// Whose time runs, if anybody's does.
fn running(table: &dyn Table) -> Option<Seat> {
    let seat = table.actor().filter(|_| table.outcome().is_none())?;
    table.time_out(seat)?.input.map(|_| seat)
}

/// One side of a clock.
pub struct Face {
    /// Whose.
    name: String,
    /// Milliseconds.
    left: u64,
    /// Whether it runs.
    pub runs: bool,
}

impl Face {
    /// What is left.
    pub fn left(&self) -> Duration {
        Duration::from_millis(self.left)
    }

    /// Whether one should hurry.
    pub fn is_short(&self) -> bool {
        self.left < 20_000
    }
}

impl std::fmt::Display for Face {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (tenths, seconds) = (self.left / 100, self.left / 1000);
        write!(f, "{} ", self.name)?;
        match seconds {
            0..10 => write!(f, "0:{:02}.{}", seconds, tenths % 10),
            10..3600 => write!(f, "{}:{:02}", seconds / 60, seconds % 60),
            _ => write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Play;
    use turnstone_games::games;
    use turnstone_table::{Opening, Outcome};

    const SECOND: Duration = Duration::from_secs(1);

    fn play(setup: Option<&str>, control: &str) -> Play {
        let opening = Opening { setup: setup.map(str::to_owned), seed: 1, ..Opening::default() };
        let table = games().find("chess").unwrap().open(&opening).unwrap();
        let mut play = Play::new(table, None, None);
        play.set_clock(control.parse().unwrap()).unwrap();
        play
    }

    fn faces(play: &Play) -> Vec<String> {
        play.clock.as_ref().unwrap().faces(&*play.table).iter().map(Face::to_string).collect()
    }

    fn say(play: &mut Play, text: &str) {
        let input = play.table.parse(text).unwrap();
        play.act(|table| table.act(&input)).unwrap();
    }

    #[test]
    fn controls_are_minutes_and_seconds() {
        assert_eq!("5+3".parse(), Ok(Control { each: 300_000, increment: 3000 }));
        assert_eq!("0.5".parse(), Ok(Control { each: 30_000, increment: 0 }));
        for bad in ["", "0", "+3", "five", "5+", "-1", "5+3+1", "1e9", "nan"] {
            assert!(bad.parse::<Control>().is_err(), "{bad}");
        }
    }

    #[test]
    fn time_runs_for_who_is_to_move_and_a_move_adds_some() {
        let (mut play, start) = (play(None, "5+3"), Instant::now());
        assert!(play.pass_time(start).is_none());
        assert!(play.pass_time(start + 10 * SECOND).is_none());
        assert_eq!(faces(&play), ["white 4:50", "black 5:00"]);
        say(&mut play, "e2e4");
        assert!(play.pass_time(start + 12 * SECOND).is_none());
        assert_eq!(faces(&play), ["white 4:53", "black 4:58"]);
        assert!(play.undo());
        assert_eq!(faces(&play), ["white 5:00", "black 5:00"], "undo gives the time back");
    }

    #[test]
    fn no_time_is_lost_between_calls_or_counted_while_it_stands() {
        let (mut play, start) = (play(None, "1"), Instant::now());
        for step in 0..=2000 {
            play.pass_time(start + step * Duration::from_micros(1500));
        }
        assert_eq!(faces(&play)[0], "white 0:57");
        assert!(!play.undo() && faces(&play)[0] == "white 0:57", "there is nothing to give back");
        play.stop_clock();
        play.pass_time(start + 60 * SECOND);
        assert_eq!(faces(&play)[0], "white 0:57");
    }

    #[test]
    fn the_flag_is_an_input_that_a_match_file_keeps() {
        let (mut play, start) = (play(None, "1"), Instant::now());
        play.pass_time(start);
        play.pass_time(start + 60 * SECOND).unwrap().unwrap();
        assert_eq!(play.table.outcome(), Some(Outcome::Won(1)));
        assert!(play.pass_time(start + 90 * SECOND).is_none(), "it falls once");
        let again = games().load(play.table.save().unwrap(), &[]).unwrap();
        assert_eq!(again.outcome(), Some(Outcome::Won(1)));
        assert!(play.undo() && play.table.outcome().is_none());
    }

    #[test]
    fn a_promotion_that_was_not_chosen_in_time_was_not_made() {
        let (mut play, start) = (play(Some("7k/P7/8/8/8/8/8/K7 w - - 0 1"), "1"), Instant::now());
        play.pass_time(start);
        say(&mut play, "a7a8");
        assert!(play.table.scene(play.viewer()).question.is_some());
        play.pass_time(start + 60 * SECOND).unwrap().unwrap();
        assert_eq!(play.table.outcome(), Some(Outcome::Drawn), "a bare king wins nothing");
        assert_eq!((play.table.line().len(), play.table.moments()), (2, 3));
    }

    #[test]
    fn the_clock_stands_on_the_map_and_is_set_anew_for_a_fight() {
        let (mut play, start) = (play(Some("run"), "1"), Instant::now());
        play.pass_time(start);
        play.pass_time(start + 40 * SECOND);
        assert_eq!(faces(&play)[0], "you 1:00");
        play.act(|table| table.choose(0)).unwrap();
        play.pass_time(start + 60 * SECOND);
        assert_eq!(faces(&play)[0], "you 0:40");
    }

    #[test]
    fn a_game_without_clocks_says_so() {
        let table = games().find("skirmish").unwrap().open(&Opening::default()).unwrap();
        let refusal = Play::new(table, None, None).set_clock("5".parse().unwrap()).unwrap_err();
        assert!(refusal.to_string().contains("not played by the clock"), "{refusal}");
    }

    #[test]
    fn hours_minutes_and_tenths_are_readable() {
        let text = |left| Face { name: "x".to_owned(), left, runs: false }.to_string();
        assert_eq!([text(9_949), text(61_000), text(3_723_000)], ["x 0:09.9", "x 1:01", "x 1:02:03"]);
    }
}
