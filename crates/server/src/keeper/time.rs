//! What happens by itself: clocks run out, bots think, who is away is noticed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use turnstone_table::{Outcome, Seat, Viewer};

use super::{Ask, Keeper, THINK_AFTER};
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
        self.notice_absence();
        self.let_bots_think();
    }

    pub(super) fn notice_absence(&mut self) {
        let over = self.room.is_over() || self.room.frozen.is_some();
        let awaited = self.room.table.actor().filter(|_| !over).filter(|seat| {
            let holder = self.room.seats.get(usize::from(*seat));
            holder.is_some_and(|holder| holder.who == Who::Person) && !self.is_here(*seat)
        });
        let paused = self.room.clock.as_ref().is_some_and(Clock::is_paused);
        let awaited = awaited.filter(|_| !paused && !self.sockets.is_empty());
        if self.away.map(|(seat, _)| seat) == awaited {
            return;
        }
        self.away = awaited.map(|seat| (seat, Instant::now()));
        if let Some(seat) = awaited {
            let limited = self.room.options.absent != Absent::Wait;
            let left = limited.then_some(self.room.options.patience * 1000);
            self.tell_present(&json!({ "t": "away", "seat": seat, "since": 0, "left": left }));
        }
    }

    pub(super) fn let_bots_think(&mut self) {
        if self.thinking.is_some() || self.room.is_over() || self.room.frozen.is_some() {
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
        self.think_at = None;
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
        let patience = Duration::from_secs(self.room.options.patience);
        let away = self.away.filter(|_| self.room.options.absent != Absent::Wait);
        let times = [
            flag.map(|(_, ms)| after(ms)),
            away.map(|(_, since)| since + patience),
            self.seats_due,
            self.think_at,
        ];
        let idle = self.busy.max(now) + Duration::from_secs(self.hall.settings.idle.max(1));
        times.into_iter().flatten().min().unwrap_or(idle)
    }

    pub(super) fn may_sleep(&self) -> bool {
        let idle = self.busy.elapsed() >= Duration::from_secs(self.hall.settings.idle);
        // A clock of minutes keeps its match awake; one of days has an alarm in the hall.
        let runs = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        let awaited = runs.is_some() && self.room.clock_due().is_none();
        idle && self.sockets.is_empty() && self.thinking.is_none() && !awaited
    }

    pub(super) async fn wake(&mut self) {
        if self.seats_due.is_some_and(|due| due <= Instant::now()) {
            self.seats_due = None;
            self.tell_seats();
        }
        let flag = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        if let Some((seat, 0)) = flag {
            self.flag(seat).await;
        }
        let patience = Duration::from_secs(self.room.options.patience);
        if let Some((seat, since)) = self.away
            && since.elapsed() >= patience
        {
            self.away = None;
            let done = match self.room.options.absent {
                Absent::Wait => Ok(()),
                Absent::Bot => self.stand_in(seat).await,
                Absent::Forfeit => self.forfeit(seat, Ending::Forfeit).await,
            };
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
