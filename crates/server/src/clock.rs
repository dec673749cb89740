//! Clocks, kept by the server alone. Nothing here reads the time: whoever calls says what time it is, in
//! milliseconds of a clock that never goes back.

use serde_json::{Value, json};
use turnstone_table::{Seat, Table};

use crate::message::Control;
use crate::record::Left;

const DAY: i64 = 86_400_000;

/// After a restart nobody is hurried: a clock of days stands for at least so long.
const GRACE_OF_DAYS: i64 = 3_600_000;

/// After a restart the one to act has so much time for nothing.
const GRACE: i64 = 10_000;

/// The clocks of a match.
#[derive(Clone, Debug)]
pub struct Clock {
    control: Control,
    left: Left,
    paused: bool,
    /// Whose time has been running since when.
    running: Option<(Seat, i64)>,
    /// When that was recorded from which on time runs, by the calendar.
    at: Option<i64>,
    /// What may still be given back for slow lines, by seat.
    quota: Vec<u64>,
}

impl Clock {
    /// Clocks that stand still.
    pub fn new(control: Control, table: &dyn Table) -> Self {
        let seats = table.seats().len();
        let mut clock = Clock {
            control,
            left: Left::default(),
            paused: false,
            running: None,
            at: None,
            quota: vec![3 * gain(control); seats],
        };
        clock.set_anew(table);
        clock
    }

    fn set_anew(&mut self, table: &dyn Table) {
        let each = match self.control {
            Control::Minutes { minutes, .. } => u64::from(minutes) * 60_000,
            Control::Days { days } => u64::from(days) * DAY as u64,
        };
        self.left = Left { seats: vec![each; table.seats().len()], round: round(table), due: None };
    }

    /// What a record of that time says.
    pub fn restore(&mut self, left: Left, paused: bool, at: i64) {
        self.left = left;
        self.paused = paused;
        self.at = Some(at);
    }

    /// Time runs from then on: somebody has sat down to whom the turn is, or the match was opened. Records of old do not
    /// say when.
    pub fn sat_down(&mut self, at: Option<i64>) {
        self.at = at;
    }

    /// Whether both stand for the same record: what runs on one of them runs on the other.
    pub fn is_of(&self, other: &Clock) -> bool {
        (self.at, self.paused, &self.left) == (other.at, other.paused, &other.left)
    }

    /// When the next turn must be taken, by the calendar.
    pub fn due(&self) -> Option<i64> {
        self.left.due
    }

    /// What is left, for a record.
    pub fn left(&self) -> Left {
        self.left.clone()
    }

    /// Whether the clocks stand by consent.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops them, or lets them go on.
    pub fn pause(&mut self, paused: bool, now: i64) {
        if let Some((seat, since)) = self.running.take() {
            self.charge(seat, now - since, 0);
        }
        self.left.due = None;
        self.paused = paused;
    }

    /// Time begins to run for who is to act, if it does not yet. `fresh` when the match was just read from the store:
    /// when the server began. Time has then run since the record that is the last; but nobody pays for a server that was
    /// away, and who was to act before it began gets some time for nothing.
    pub fn run(&mut self, seat: Option<Seat>, now: i64, wall: i64, fresh: Option<i64>) {
        let seat = seat.filter(|_| !self.paused);
        if self.running.map(|(seat, _)| seat) == seat {
            return;
        }
        let since = match (fresh, self.at) {
            (None, _) => now,
            (Some(began), Some(at)) if at >= began => now - (wall - at).max(0),
            (Some(_), _) => now + GRACE,
        };
        self.running = seat.map(|seat| (seat, since));
        if let Control::Days { days } = self.control {
            let whole = i64::from(days) * DAY;
            self.left.due = match (seat, self.left.due, fresh) {
                (None, _, _) => None,
                // Nobody pays for a server that was away, nor gains by one that wakes a match.
                (Some(_), Some(due), Some(began)) => Some(due.max(began + GRACE_OF_DAYS)),
                // The same turn goes on.
                (Some(_), Some(due), None) => Some(due),
                (Some(_), None, Some(began)) => {
                    Some((self.at.unwrap_or(wall) + whole).max(began + GRACE_OF_DAYS))
                }
                (Some(_), None, None) => Some(wall + whole),
            };
        }
    }

    /// The time that runs counts from now on.
    pub fn begin(&mut self, now: i64) {
        if let Some((_, since)) = &mut self.running {
            *since = (*since).max(now);
        }
    }

    /// The turn of who was to act has ended: takes off what it took, gives back what the line took, adds what a
    /// turn adds.
    pub fn acted(&mut self, table: &dyn Table, now: i64, lag: u64) {
        let Some((seat, since)) = self.running.take() else { return };
        self.charge(seat, now - since, lag);
        if round(table) != self.left.round {
            self.set_anew(table);
        } else if table.actor() != Some(seat)
            && let Control::Minutes { increment, .. } = self.control
            && let Some(left) = self.left.seats.get_mut(usize::from(seat))
        {
            *left += u64::from(increment) * 1000;
        }
        // Days are for a turn, whatever it consists of: others are not told how much of it was played. Who plays alone
        // has no turns, and days for each input.
        if table.actor() != Some(seat) || self.left.seats.len() == 1 {
            self.left.due = None;
        }
    }

    fn charge(&mut self, seat: Seat, took: i64, lag: u64) {
        if matches!(self.control, Control::Days { .. }) {
            return;
        }
        let took = took.max(0) as u64;
        let (gain, at) = (gain(self.control), usize::from(seat));
        let Some(quota) = self.quota.get_mut(at) else { return };
        let given = lag.min(*quota).min(took);
        *quota = (*quota - given + gain).min(7 * gain);
        if let Some(left) = self.left.seats.get_mut(at) {
            *left = left.saturating_sub(took - given);
        }
    }

    /// Milliseconds until the time of who is to act has run out, a little more for what his line may take.
    pub fn until_flag(&self, now: i64, wall: i64) -> Option<(Seat, i64)> {
        let (seat, since) = self.running?;
        if let Some(due) = self.left.due {
            return Some((seat, (due - wall).max(0)));
        }
        let at = usize::from(seat);
        let (left, quota) = (*self.left.seats.get(at)?, *self.quota.get(at)?);
        Some((seat, (since + left as i64 + quota.min(1000) as i64 - now).max(0)))
    }

    /// As it is told.
    pub fn json(&self, now: i64, wall: i64) -> Value {
        let mut seats = self.left.seats.clone();
        if let Some((seat, since)) = self.running
            && let Some(left) = seats.get_mut(usize::from(seat))
        {
            *left = match self.left.due {
                Some(due) => (due - wall).max(0) as u64,
                None => left.saturating_sub((now - since).max(0) as u64),
            };
        }
        self.told(&seats, self.running.map(|(seat, _)| seat), self.paused)
    }

    /// As it is told of another time, when so much was left: nothing runs.
    pub fn json_of(&self, left: &Left) -> Value {
        self.told(&left.seats, None, false)
    }

    fn told(&self, left: &[u64], runs: Option<Seat>, paused: bool) -> Value {
        let (increment, days) = match self.control {
            Control::Minutes { increment, .. } => (Some(increment), None),
            Control::Days { days } => (None, Some(days)),
        };
        json!({ "left": left, "runs": runs, "paused": paused, "increment": increment, "days": days })
    }
}

/// What a turn adds to the quota: a second at most, less in short games.
fn gain(control: Control) -> u64 {
    match control {
        Control::Minutes { minutes, increment } => {
            let estimate = u64::from(minutes) * 60_000 + 40 * u64::from(increment) * 1000;
            (estimate / 250 + 150).min(1000)
        }
        Control::Days { .. } => 1000,
    }
}

fn round(table: &dyn Table) -> u32 {
    table.time_out(0).map_or(0, |told| told.round)
}

/// Whose time runs at that table, if anybody's does: the clock of some games stands between their rounds.
pub fn awaited(table: &dyn Table) -> Option<Seat> {
    let seat = table.actor().filter(|_| table.outcome().is_none())?;
    table.time_out(seat).is_none_or(|told| told.input.is_some()).then_some(seat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_table::Opening;
    use turnstone_table::testing::GAMES;

    fn table() -> Box<dyn Table> {
        GAMES.all()[0].open(&Opening::default()).unwrap()
    }

    fn left(clock: &Clock) -> Vec<u64> {
        clock.left().seats
    }

    #[test]
    fn turns_cost_time_and_slow_lines_are_made_up_for_within_a_quota() {
        let mut table = table();
        let mut clock = Clock::new(Control::Minutes { minutes: 1, increment: 2 }, &*table);
        clock.run(Some(0), 1000, 0, None);
        table.choose(0).unwrap();
        clock.acted(&*table, 11_000, 300);
        assert_eq!(left(&clock), [60_000 - 10_000 + 300 + 2000, 60_000]);
        clock.run(Some(1), 11_000, 0, None);
        clock.acted(&*table, 21_000, 1_000_000);
        // Three times 710 ms is what a game of a minute and two seconds starts with.
        assert_eq!(left(&clock)[1], 60_000 - 10_000 + 2130);
    }

    #[test]
    fn a_flag_falls_once_time_and_quota_are_used_up() {
        let table = table();
        let mut clock = Clock::new(Control::Minutes { minutes: 1, increment: 0 }, &*table);
        assert_eq!(clock.until_flag(0, 0), None);
        clock.run(Some(0), 0, 0, None);
        assert_eq!(clock.until_flag(10_000, 0), Some((0, 51_000)));
        assert_eq!(clock.until_flag(99_000, 0), Some((0, 0)));
        clock.pause(true, 10_000);
        clock.run(Some(0), 50_000, 0, None);
        assert_eq!((clock.until_flag(90_000, 0), left(&clock)[0]), (None, 50_000));
        clock.pause(false, 90_000);
        clock.run(Some(0), 90_000, 0, Some(0));
        assert_eq!(clock.until_flag(90_000, 0), Some((0, 61_000)), "ten seconds for nothing");
    }

    #[test]
    fn what_is_read_from_the_store_has_been_running_since_the_last_record() {
        let table = table();
        let mut clock = Clock::new(Control::Minutes { minutes: 1, increment: 0 }, &*table);
        let left = clock.left();
        clock.restore(left.clone(), false, 5000);
        // The server has been there since 4000, and reads it at 25 000: twenty seconds are gone.
        clock.run(Some(0), 700, 25_000, Some(4000));
        assert_eq!(clock.until_flag(700, 25_000), Some((0, 41_000)));
        // It was away at the time: nobody pays for that.
        let mut late = Clock::new(Control::Minutes { minutes: 1, increment: 0 }, &*table);
        late.restore(left, false, 5000);
        assert!(late.is_of(&clock));
        late.run(Some(0), 700, 25_000, Some(6000));
        assert_eq!(late.until_flag(700, 25_000), Some((0, 71_000)));
        // A match of days that nobody has moved in yet is not anew each time that it is woken.
        let mut days = Clock::new(Control::Days { days: 2 }, &*table);
        days.sat_down(Some(1000));
        days.run(Some(0), 700, DAY, Some(500));
        assert_eq!(days.due(), Some(1000 + 2 * DAY));
    }

    #[test]
    fn days_are_for_a_turn_and_not_for_what_it_consists_of() {
        let mut table = table();
        let mut clock = Clock::new(Control::Days { days: 2 }, &*table);
        clock.run(Some(0), 0, 1000, None);
        table.act(&json!({"act": "peek"})).unwrap();
        clock.acted(&*table, 5, 0);
        clock.run(Some(0), 5, DAY, None);
        assert_eq!(
            clock.due(),
            Some(1000 + 2 * DAY),
            "whoever looks at the clock does not see that one peeked"
        );
        table.choose(0).unwrap();
        clock.acted(&*table, 9, 0);
        clock.run(Some(1), 9, DAY, None);
        assert_eq!(clock.due(), Some(3 * DAY));
        clock.pause(true, 10);
        clock.run(Some(1), 10, DAY, None);
        clock.pause(false, 11);
        clock.run(Some(1), 11, 4 * DAY, None);
        assert_eq!(clock.due(), Some(6 * DAY), "nobody pays for a pause");
    }

    #[test]
    fn days_are_counted_by_the_calendar_and_nobody_is_hurried_after_a_restart() {
        let table = table();
        let mut clock = Clock::new(Control::Days { days: 2 }, &*table);
        clock.run(Some(1), 0, 1000, None);
        assert_eq!(clock.until_flag(0, 1000), Some((1, 2 * DAY)));
        let mut again = Clock::new(Control::Days { days: 2 }, &*table);
        again.restore(clock.left(), false, 0);
        again.run(Some(1), 5, 5 * DAY, Some(5 * DAY));
        assert_eq!(again.until_flag(5, 5 * DAY), Some((1, GRACE_OF_DAYS)));
        assert_eq!(again.json(5, 5 * DAY)["left"][1], GRACE_OF_DAYS);
        again.restore(clock.left(), false, 0);
        again.run(None, 5, 5 * DAY, None);
        again.restore(clock.left(), false, 0);
        again.run(Some(1), 5, 3 * DAY, Some(0));
        assert_eq!(again.until_flag(5, 3 * DAY), Some((1, 0)), "to be woken late gains nothing");
    }
}
