//! What happens by itself: clocks run out, bots think, who is away is noticed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use turnstone_table::{Outcome, Seat, Viewer};

use super::{Ask, Keeper, SLEEP_ON, THINK_AFTER};
use crate::clock::Clock;
use crate::message::Absent;
use crate::metrics::{log, wall_ms};
use crate::record::{Ending, Holder, How, Record, Who};
use crate::refusal::Refusal;
use crate::room::Eyes;

/// A bot that thinks. Whatever becomes of its thought, the keeper hears of it: a bot that fails holds up no match.
struct Thinking {
    me: mpsc::WeakSender<Ask>,
    serial: u64,
    number: Option<usize>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        if let Some(me) = self.me.upgrade() {
            let _ = me.blocking_send(Ask::Thought { serial: self.serial, number: self.number });
        }
    }
}

impl Keeper {
    pub(super) fn now_ms(&self) -> i64 {
        self.hall.now_ms()
    }

    pub(super) fn clock_json(&mut self, eyes: Eyes) -> Value {
        if self.room.lags(eyes) {
            return self.room.clock_then(eyes);
        }
        self.room.clock.as_ref().map_or(Value::Null, |clock| clock.json(self.now_ms(), wall_ms()))
    }

    /// Lets clocks run, bots think and absence be noticed.
    pub(super) fn look_around(&mut self) {
        let seat = self.room.clock_seat().filter(|_| self.room.frozen.is_none());
        let (now, fresh) = (self.now_ms(), std::mem::take(&mut self.fresh));
        if let Some(clock) = &mut self.room.clock {
            clock.run(seat, now, wall_ms(), fresh.then_some(self.hall.began_ms()));
        }
        self.notice_absence(fresh);
        self.let_bots_think();
    }

    /// Who is to act and has no socket is away, whether or not anybody else is here. Where the match was just read from
    /// the store he has been since he was seen last, or since it is his turn; but nobody pays for a server that was away.
    pub(super) fn notice_absence(&mut self, fresh: bool) {
        let over = self.room.is_over() || self.room.frozen.is_some();
        let awaited = self.room.table.actor().filter(|_| !over).filter(|seat| {
            let holder = self.room.seats.get(usize::from(*seat));
            holder.is_some_and(|holder| holder.who == Who::Person) && !self.is_here(*seat)
        });
        let paused = self.room.clock.as_ref().is_some_and(Clock::is_paused);
        let awaited = awaited.filter(|_| !paused);
        let same = self.away.map(|(seat, _)| seat) == awaited;
        if same && !fresh {
            return;
        }
        if !same {
            let gone = if fresh { self.gone_for() } else { Duration::ZERO };
            let now = Instant::now();
            self.away = awaited.map(|seat| (seat, now.checked_sub(gone).unwrap_or(now)));
            if let Some(away) = self.away_json() {
                self.tell_present(&away);
            }
        }
        self.hall.wake_at(&self.room.id, self.alarm());
    }

    fn gone_for(&self) -> Duration {
        let seen = self.hall.seen(&self.room.id).unwrap_or(0);
        let since = seen.max(self.room.since()).max(self.hall.began_ms());
        Duration::from_millis((wall_ms() - since).max(0) as u64)
    }

    /// Who does something without a socket is not gone.
    pub(super) fn has_acted(&mut self, seat: Seat) {
        if let Some((away, since)) = &mut self.away
            && *away == seat
        {
            *since = Instant::now();
        }
    }

    /// Who is awaited, since when, and how long he may be, as it is told.
    pub(super) fn away_json(&self) -> Option<Value> {
        let (seat, since) = self.away?;
        let left = self.patience().map(|patience| patience.saturating_sub(since.elapsed()).as_millis());
        let left = left.map(|left| (left as u64).div_ceil(1000) * 1000);
        let since = since.elapsed().as_secs() * 1000;
        Some(json!({ "t": "away", "seat": seat, "since": since, "left": left }))
    }

    /// How long a seat waits for its player, where that has an end.
    fn patience(&self) -> Option<Duration> {
        let limited = self.room.options.absent != Absent::Wait;
        limited.then(|| Duration::from_secs(self.room.options.patience))
    }

    /// When the match must be woken if it sleeps, by the calendar: a turn of days is up, or patience is at its end.
    pub(super) fn alarm(&self) -> Option<i64> {
        let away = self.away.zip(self.patience()).map(|((_, since), patience)| {
            wall_ms() + patience.saturating_sub(since.elapsed()).as_millis() as i64
        });
        self.room.clock_due().into_iter().chain(away).min()
    }

    /// When who is away was here last, by the calendar: for who wakes the match again.
    pub(super) fn last_seen(&self) -> Option<i64> {
        self.patience()?;
        self.away.map(|(_, since)| wall_ms() - since.elapsed().as_millis() as i64)
    }

    /// Whether nothing is to be tried by itself yet.
    fn is_resting(&mut self) -> bool {
        self.rest_until = self.rest_until.filter(|until| *until > Instant::now());
        self.rest_until.is_some()
    }

    pub(super) fn let_bots_think(&mut self) {
        self.think_at = None;
        if self.is_resting() || self.thinking.is_some() || self.room.is_over() || self.room.frozen.is_some() {
            return;
        }
        let actor = self.room.table.actor();
        let is_bot =
            |seat: Seat| self.room.seats.get(usize::from(seat)).is_some_and(|holder| holder.who == Who::Bot);
        if !actor.is_some_and(is_bot) || self.room.clock.as_ref().is_some_and(Clock::is_paused) {
            return;
        }
        let Some(thinking) = self.room.table.think() else { return };
        let (me, serial) = (self.me.clone(), self.serial);
        let submitted = self.hall.pool.submit(move || {
            let mut told = Thinking { me, serial, number: None };
            told.number = Some(thinking());
        });
        if submitted {
            self.thinking = Some(serial);
        } else {
            self.think_at = Some(Instant::now() + THINK_AFTER);
        }
    }

    /// When to look again, if nobody asks.
    pub(super) fn due(&self) -> Instant {
        let now = Instant::now();
        let after = |ms: i64| now + Duration::from_millis(ms.clamp(0, 3_600_000) as u64 + 1);
        let flag = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        let away = self.away.zip(self.patience()).map(|((_, since), patience)| since + patience);
        let own = flag.map(|(_, ms)| after(ms)).into_iter().chain(away).min();
        // What is due and could not be saved is due after the rest.
        let own = own.map(|due| self.rest_until.map_or(due, |rest| due.max(rest)));
        let idle = now + self.sleeps_after();
        let times = [own, self.seats_due, self.think_at, self.rest_until];
        times.into_iter().flatten().fold(idle, Instant::min)
    }

    /// Whoever was here may come back; what an alarm has woken sleeps on.
    fn sleeps_after(&self) -> Duration {
        let idle = Duration::from_secs(self.hall.settings.idle.max(1));
        if self.visited { idle } else { idle.min(SLEEP_ON) }
    }

    pub(super) fn may_sleep(&self) -> bool {
        let idle = self.busy.elapsed() >= self.sleeps_after();
        // A clock of minutes keeps its match awake; one of days has an alarm in the hall, and so has patience.
        let runs = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        let awaited = runs.is_some() && self.room.clock_due().is_none();
        let at_work = self.thinking.is_some() || self.rest_until.is_some();
        idle && self.sockets.is_empty() && !at_work && !awaited
    }

    pub(super) async fn wake(&mut self) {
        if self.seats_due.is_some_and(|due| due <= Instant::now()) {
            self.seats_due = None;
            self.tell_seats();
        }
        if self.is_resting() {
            return;
        }
        let flag = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        if let Some((seat, 0)) = flag {
            return self.flag(seat).await;
        }
        let late =
            self.away.zip(self.patience()).filter(|((_, since), patience)| since.elapsed() >= *patience);
        if let Some((away, _)) = late {
            let (seat, _) = away;
            self.away = None;
            let done = match self.room.options.absent {
                Absent::Wait => Ok(()),
                Absent::Bot => self.stand_in(seat).await,
                Absent::Forfeit => self.forfeit(seat, Ending::Forfeit).await,
            };
            // What could not be saved is due still.
            if done.as_ref().is_err_and(|refusal| refusal.code == "STORAGE") {
                self.away = Some(away);
            }
            self.report("absence", done);
        }
    }

    pub(super) async fn thought(&mut self, serial: u64, number: Option<usize>) {
        if self.thinking == Some(serial) {
            self.thinking = None;
        }
        if serial != self.serial || self.room.is_over() {
            return;
        }
        let by = self.room.table.actor();
        let number = number.unwrap_or_else(|| self.drawn_for(by));
        match self.room.table.choose(number) {
            Ok(moment) => {
                let done = self.played(moment, by, None, 0).await;
                self.report("bot", done);
            }
            Err(refusal) => {
                // A bot that is refused would be asked for ever.
                log("error", "bot", json!({ "match": self.room.id, "error": refusal.to_string() }));
                self.room.frozen = Some(format!("a bot chose what is not allowed ({})", refusal.code()));
            }
        }
    }

    /// What is played for a bot that has failed is drawn by lot, so that the match goes on; everybody is told.
    fn drawn_for(&mut self, seat: Option<Seat>) -> usize {
        log(
            "error",
            "bot",
            json!({ "match": self.room.id, "seat": seat, "error": "its thought has failed" }),
        );
        let text = "a bot has failed (a fault of the program): what it plays was drawn by lot";
        self.tell_present(&json!({ "t": "note", "code": "FAILED", "text": text }));
        let viewer = seat.map_or(Viewer::All, Viewer::Seat);
        let options = self.room.table.scene(viewer).options;
        // Nobody gives up by lot.
        let open: Vec<usize> = (0..options.len()).filter(|number| !options[*number].grave).collect();
        let lot = blake3::hash(format!("{} {}", self.room.bot_seed(), self.room.inputs()).as_bytes());
        let lot = lot
            .as_bytes()
            .iter()
            .fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()));
        lot.checked_rem(open.len()).map_or(0, |at| open[at])
    }

    pub(super) async fn flag(&mut self, seat: Seat) {
        let input = self.room.table.time_out(seat).and_then(|told| told.input);
        let done = match input {
            Some(_) => self.time_out(seat).await,
            None => self.forfeit(seat, Ending::Time).await,
        };
        self.report("flag", done);
    }

    /// The game's own way. What was not chosen in time was not done: a question is taken back with what asked it.
    pub(super) async fn time_out(&mut self, seat: Seat) -> Result<(), Refusal> {
        while self.room.table.question(Viewer::All).is_some() && self.room.table.undo() {
            let here = self.room.table.here();
            self.travelled(here, How::Undo, None).await?;
        }
        let Some(input) = self.room.table.time_out(seat).and_then(|told| told.input) else { return Ok(()) };
        let moment = self.room.table.act(&input)?;
        self.played(moment, Some(seat), None, 0).await
    }

    /// The match is over for that seat.
    pub(super) async fn forfeit(&mut self, seat: Seat, how: Ending) -> Result<(), Refusal> {
        let outcome = match self.room.seats.len() {
            1 => Outcome::Lost,
            2 => Outcome::Won(1 - seat.min(1)),
            // The others play on.
            _ => return self.stand_in(seat).await,
        };
        self.end(outcome, how).await
    }

    pub(super) async fn end(&mut self, outcome: Outcome, how: Ending) -> Result<(), Refusal> {
        let text = self.room.table.close().map_err(Refusal::from)?;
        self.commit(text, vec![Record::End { at: wall_ms(), outcome, how }], None).await?;
        self.tell_over();
        Ok(())
    }

    /// A bot takes the seat until its player is back.
    pub(super) async fn stand_in(&mut self, seat: Seat) -> Result<(), Refusal> {
        let bot = self.hall.usual_bot(self.room.table.game());
        let Some(bot) = bot else { return Err(Refusal::new("UNKNOWN_BOT", "this game has no bots")) };
        let held = self.room.seats.get(usize::from(seat)).cloned().unwrap_or_default();
        let stands_for = Some(held.name.clone());
        self.seat(seat, Holder { who: Who::Bot, name: bot, stands_for, ..held }).await
    }
}
