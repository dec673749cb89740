//! What somebody wants to know: the past, what would be if, what a bot thinks. What takes long runs on the pool.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use turnstone_table::{Seat, Table, Viewer};

use super::{Ask, Keeper, Reply, Sender, answer};
use crate::message::Play;
use crate::refusal::Refusal;
use crate::room::Eyes;
use crate::study;

/// What somebody tries: from which of his moments, what, and by which lots.
pub(super) struct WhatIf {
    pub(super) first: u32,
    pub(super) inputs: Vec<Play>,
    pub(super) world: u64,
}

/// How much a socket has under way on the pool.
#[derive(Clone, Default)]
pub(super) struct Studies(Arc<AtomicUsize>);

/// One of them, until it is let go of.
struct Studying(Studies);

impl Studies {
    /// Counts one more, if there may be so many.
    fn begin(&self, most: usize) -> Result<Studying, Refusal> {
        if self.0.fetch_add(1, Ordering::SeqCst) < most.max(1) {
            return Ok(Studying(self.clone()));
        }
        self.0.fetch_sub(1, Ordering::SeqCst);
        Err(Refusal::new("BUSY", "you have asked for so much already: wait for an answer").retry(500))
    }
}

impl Drop for Studying {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// An answer that is owed. What fails while it is found out is answered, too.
struct Owed {
    id: String,
    reply: Option<Reply>,
    studying: Option<Studying>,
    me: mpsc::WeakSender<Ask>,
}

impl Owed {
    fn answer(&mut self, done: Result<Value, Refusal>) {
        // Who is answered may ask again at once.
        self.studying = None;
        let slow = self.reply.take().and_then(|reply| reply.send(&answer(&self.id, done)));
        if let (Some(socket), Some(me)) = (slow, self.me.upgrade()) {
            let _ = me.blocking_send(Ask::Slow { socket });
        }
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        let text = "this could not be found out: a fault of the program, which its log tells of";
        self.answer(Err(Refusal::new("FAILED", text)));
    }
}

impl Keeper {
    pub(super) fn practice(&self) -> Result<(), Refusal> {
        if self.room.options.practice {
            return Ok(());
        }
        Err(Refusal::new("NO_PRACTICE", "this is for practice: a match with people is played as it is"))
    }

    pub(super) fn may_study(&self) -> Result<(), Refusal> {
        if self.room.options.practice || self.room.is_over() {
            return Ok(());
        }
        Err(Refusal::new("NO_PRACTICE", "this may be asked in practice, or when the match is over"))
    }

    /// Whether everything may be looked at.
    pub(super) fn open_book(&self) -> Result<(), Refusal> {
        if self.room.is_open_book() {
            return Ok(());
        }
        let text = "this shows everything: it may be asked when the match is over, or by who practises alone";
        Err(Refusal::new("NO_PRACTICE", text))
    }

    pub(super) fn look(&mut self, eyes: Eyes, moment: u32, seat: Option<i16>) -> Result<Value, Refusal> {
        let through = self.room.eyes_for(eyes, seat)?;
        let real = self.room.moment(eyes, moment)?;
        let mut now = self.room.now(eyes, through, real, true)?;
        now.moment = moment;
        let told = self.room.told(through, real);
        Ok(json!({ "t": "looked", "moment": moment, "now": now, "told": told }))
    }

    /// What was told of a line of play.
    pub(super) fn log(
        &mut self,
        eyes: Eyes,
        within: (u32, Option<u32>),
        tip: Option<u32>,
        seat: Option<i16>,
    ) -> Result<Value, Refusal> {
        let through = self.room.eyes_for(eyes, seat)?;
        let tip = match tip {
            Some(tip) => self.room.moment(eyes, tip)?,
            None => self.room.here(eyes),
        };
        Ok(json!({ "t": "log", "entries": self.room.log(eyes, through, tip, within) }))
    }

    pub(super) fn view(&mut self, eyes: Eyes, moment: Option<u32>) -> Result<Value, Refusal> {
        let real = match moment {
            Some(moment) => self.room.moment(eyes, moment)?,
            None => self.room.seen_here(eyes),
        };
        self.room.view_json(eyes, real)
    }

    pub(super) fn submit(
        &self,
        from: &Sender,
        reply: &mut Option<Reply>,
        id: String,
        study: impl FnOnce() -> Result<Value, Refusal> + Send + 'static,
    ) -> Result<Value, Refusal> {
        let studying = from.studies.begin(self.hall.settings.studies)?;
        let taken = reply.take();
        let waits = Mutex::new(taken);
        let waits = Arc::new(waits);
        let (job, me) = (Arc::clone(&waits), self.me.clone());
        let submitted = self.hall.pool.submit(move || {
            let reply = job.lock().unwrap_or_else(PoisonError::into_inner).take();
            let mut owed = Owed { id, reply, studying: Some(studying), me };
            let done = study();
            owed.answer(done);
        });
        if submitted {
            return Ok(Value::Null);
        }
        *reply = waits.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Refusal::new("BUSY", "too many thoughts wait already").retry(1000))
    }

    /// Finds out something about a moment as it may be for all that the asker knows, after what he tries from there.
    pub(super) fn what_if(
        &mut self,
        from: &Sender,
        id: String,
        what: WhatIf,
        reply: &mut Option<Reply>,
        study: impl FnOnce(Box<dyn Table>, Eyes, &WhatIf) -> Result<Value, Refusal> + Send + 'static,
    ) -> Result<Value, Refusal> {
        let (table, eyes) = (self.imagined(from, &what)?, from.eyes);
        self.submit(from, reply, id, move || study(table, eyes, &what))
    }

    fn imagined(&mut self, from: &Sender, what: &WhatIf) -> Result<Box<dyn Table>, Refusal> {
        self.may_try(&what.inputs)?;
        let real = self.room.moment(from.eyes, what.first)?;
        let viewer = from.eyes.viewer(&*self.room.table);
        Ok(self.room.table.imagine(real, viewer, what.world)?)
    }

    pub(super) fn forecast(
        &mut self,
        from: &Sender,
        id: String,
        option: usize,
        rev: u64,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        from.seat()?;
        if rev != self.room.rev(from.eyes) {
            return Err(Refusal::new("STALE", "something happened since: look again"));
        }
        let viewer = from.eyes.viewer(&*self.room.table);
        let Viewer::Seat(seat) = viewer else {
            return Err(Refusal::new("OVER", "the match has ended"));
        };
        let input = self.room.table.inputs(viewer).into_iter().nth(option);
        let input =
            input.ok_or_else(|| Refusal::new("UNKNOWN_OPTION", format!("there is no option {option}")))?;
        let here = self.room.table.here();
        let worlds = (0..study::WORLDS).map(|world| self.room.table.imagine(here, viewer, world));
        let worlds = worlds.collect::<Result<Vec<_>, _>>()?;
        self.submit(from, reply, id, move || study::forecast(worlds, viewer, seat, &input))
    }

    /// What the asker's seat cannot tell from the truth, and how the match was opened.
    pub(super) fn sample(&mut self, from: &Sender, world: u64) -> Result<Value, Refusal> {
        from.seat()?;
        let viewer = from.eyes.viewer(&*self.room.table);
        // From where the asker was told that the match stands: what was played unseen since moves no lot.
        let here = self.room.seen_here(from.eyes);
        let position = match here == self.room.table.here() {
            true => self.room.table.sample(viewer, world)?,
            false => self.room.table.at(here)?.sample(viewer, world)?,
        };
        let (rev, opening) = (self.room.rev(from.eyes), &self.room.wanted);
        Ok(json!({ "t": "sample", "rev": rev, "position": position, "opening": opening }))
    }

    pub(super) fn hint(
        &mut self,
        from: &Sender,
        id: String,
        bot: Option<String>,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        self.may_study()?;
        let seat = from.seat()?;
        let seat = self.room.table.actor().filter(|actor| from.seats.contains(actor)).unwrap_or(seat);
        let bot = self.bot_or_best(bot)?;
        let here = self.room.table.here();
        let mut table = self.room.table.at(here)?;
        table.seat_bot(seat, &bot, self.room.bot_seed())?;
        if table.actor() != Some(seat) {
            return Err(Refusal::new("NOT_YOURS", "it is not your turn"));
        }
        self.submit(from, reply, id, move || study::hint(&*table, seat, &bot))
    }

    /// What a bot would do in a what-if, for whoever is to act there.
    pub(super) fn hint_there(
        &mut self,
        from: &Sender,
        id: String,
        bot: Option<String>,
        what: WhatIf,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        self.may_study()?;
        from.seat()?;
        let (bot, seed) = (self.bot_or_best(bot)?, self.room.bot_seed());
        self.what_if(from, id, what, reply, move |table, _, what| {
            study::hint_after(table, &what.inputs, &bot, seed)
        })
    }

    fn may_try(&self, inputs: &[Play]) -> Result<(), Refusal> {
        let most = self.hall.settings.tries;
        if inputs.len() > most {
            return Err(Refusal::new("TOO_MANY", format!("a what-if has at most {most} inputs")));
        }
        Ok(())
    }

    pub(super) fn bot_or_best(&self, bot: Option<String>) -> Result<String, Refusal> {
        match bot {
            Some(bot) => {
                self.hall.check_bot(self.room.table.game(), &bot)?;
                Ok(bot)
            }
            None => self
                .hall
                .best_bot(self.room.table.game())
                .ok_or_else(|| Refusal::new("UNKNOWN_BOT", "this game has no bots")),
        }
    }

    pub(super) fn review(
        &mut self,
        from: &Sender,
        id: String,
        seat: Option<Seat>,
        bot: Option<String>,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        self.may_study()?;
        let seat = seat.or(from.seats.first().copied()).unwrap_or(0);
        if !from.seats.contains(&seat) {
            self.open_book()?;
        }
        if usize::from(seat) >= self.room.seats.len() {
            return Err(Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")));
        }
        let player = self.hall.quick_bot(self.room.table.game());
        let player = player.ok_or_else(|| Refusal::new("UNKNOWN_BOT", "this game has no bots"))?;
        let adviser = self.bot_or_best(bot)?;
        let turns = self.room.turns_of(seat, from.eyes, study::TURNS)?;
        let seed = self.room.bot_seed();
        self.submit(from, reply, id, move || Ok(study::review(turns, seat, &player, &adviser, seed)))
    }
}
