//! Inputs, and journeys to other moments.

use serde_json::{Value, json};
use turnstone_table::{Moment, Seat, Viewer};

use super::{Keeper, Sender};
use crate::clock::Clock;
use crate::message::{Play, Want, What};
use crate::metrics::wall_ms;
use crate::record::{Ending, How, Record};
use crate::refusal::{Refusal, malformed};
use crate::room::Offer;

impl Keeper {
    pub(super) async fn act(
        &mut self,
        from: &Sender,
        id: &str,
        rev: u64,
        seat: Option<Seat>,
        play: &Play,
    ) -> Result<Value, Refusal> {
        let first = from.seat()?;
        let actor = self.room.table.actor().filter(|actor| from.seats.contains(actor));
        let seat = seat.filter(|seat| from.seats.contains(seat)).or(actor).unwrap_or(first);
        if let Some(rev) = from.seats.iter().find_map(|seat| self.room.resent(*seat, id, from.eyes)) {
            return Ok(json!({ "t": "ok", "rev": rev }));
        }
        let want = Want::Ping;
        self.room.goes_on(&want)?;
        if self.room.clock.as_ref().is_some_and(Clock::is_paused) {
            return Err(Refusal::new("PAUSED", "the match is paused: offer to resume"));
        }
        if rev != self.room.rev(from.eyes) {
            return Err(Refusal::new("STALE", "something happened since: look again"));
        }
        if self.room.table.moments() >= self.hall.settings.moments {
            let text = format!("a match has at most {} moments", self.hall.settings.moments);
            return Err(Refusal::new("TOO_MANY", text));
        }
        let moment = self.play(seat, play)?;
        let id = (!id.is_empty()).then(|| id.to_owned());
        self.played(moment, Some(seat), id, from.lag).await?;
        Ok(json!({ "t": "ok", "rev": self.rev_of(from) }))
    }

    /// Carries out what a seat sends; the table refuses what is not that seat's.
    pub(super) fn play(&mut self, seat: Seat, play: &Play) -> Result<Moment, Refusal> {
        let table = &mut self.room.table;
        match (&play.input, play.choose, &play.text) {
            (Some(input), None, None) => Ok(table.act_from(seat, input)?),
            (None, Some(number), None) => Ok(table.choose_from(seat, number)?),
            (None, None, Some(text)) => {
                let options = table.scene(Viewer::Seat(seat)).options;
                if let Some(number) = options.iter().position(|option| option.label == *text) {
                    return Ok(table.choose_from(seat, number)?);
                }
                let input = table.parse_from(seat, text)?;
                Ok(table.act_from(seat, &input)?)
            }
            _ => Err(malformed("say what to play in one way: input, choose or text")),
        }
    }

    /// Something was played at the table: saves it and tells everybody.
    pub(super) async fn played(
        &mut self,
        moment: Moment,
        by: Option<Seat>,
        id: Option<String>,
        lag: u64,
    ) -> Result<(), Refusal> {
        let told = self.room.told_mask(moment, by);
        let (now, over) = (self.now_ms(), self.room.table.outcome().is_some());
        let next = self.room.clock_seat();
        if let Some(clock) = &mut self.room.clock {
            clock.acted(&*self.room.table, now, lag);
            clock.run(next, now, wall_ms(), None);
        }
        let left = self.room.clock.as_ref().map(Clock::left);
        let text = if over { self.room.table.close() } else { self.room.table.unsaved() };
        let text = self.written(text).await?;
        let mut records = vec![Record::Did { at: wall_ms(), by, told, id, left }];
        // Who plays on has answered.
        let stale = |offer: &&Offer| matches!(offer.what, What::Takeback | What::Draw);
        by.into_iter().for_each(|seat| self.has_acted(seat));
        let stale: Vec<u64> = self.room.offers.iter().filter(stale).map(|offer| offer.offer).collect();
        records.extend(stale.iter().map(|offer| Record::Settled { offer: *offer, accepted: false }));
        self.title = self.room.listed_title();
        self.commit(text, records, Some((moment, How::Input))).await?;
        self.serial += 1;
        self.hall.metrics.inputs.add(1);
        self.settle_clock();
        self.catch_up();
        for offer in stale {
            self.tell_seated(&json!({ "t": "settled", "offer": offer, "accepted": false }));
        }
        if over {
            self.tell_over();
        }
        Ok(())
    }

    /// The next turn begins when the last is durable, not before.
    pub(super) fn settle_clock(&mut self) {
        let (seat, now) = (self.room.clock_seat(), self.now_ms());
        if let Some(clock) = &mut self.room.clock {
            clock.run(seat, now, wall_ms(), None);
            clock.begin(now);
        }
    }

    pub(super) async fn travelled(
        &mut self,
        moment: Moment,
        how: How,
        by: Option<Seat>,
    ) -> Result<(), Refusal> {
        let (now, next) = (self.now_ms(), self.room.clock_seat());
        if let Some(clock) = &mut self.room.clock {
            clock.acted(&*self.room.table, now, 0);
            clock.run(next, now, wall_ms(), None);
        }
        let left = self.room.clock.as_ref().map(Clock::left);
        let text = self.room.table.unsaved();
        let text = self.written(text).await?;
        let did = Record::Did { at: wall_ms(), by, told: u64::MAX, id: None, left };
        self.title = self.room.listed_title();
        self.commit(text, vec![did], Some((moment, how))).await?;
        self.serial += 1;
        self.settle_clock();
        self.catch_up();
        Ok(())
    }

    pub(super) async fn go(&mut self, moment: Moment, by: Option<Seat>) -> Result<(), Refusal> {
        let line = self.room.table.line();
        let back = line.len() >= 2 && line[line.len() - 2] == moment;
        if moment == self.room.table.here() {
            return Ok(());
        }
        self.room.leave();
        if back {
            self.room.table.undo();
            return self.travelled(moment, How::Undo, by).await;
        }
        self.room.table.jump(moment)?;
        self.travelled(moment, How::Jump, by).await
    }

    pub(super) async fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        // The game's own way, if it has one for this seat now.
        let own = self.room.table.parse("resign");
        if let Some(input) = own
            && let Ok(moment) = self.room.table.act_from(seat, &input)
        {
            return self.played(moment, Some(seat), None, 0).await;
        }
        self.forfeit(seat, Ending::Forfeit).await
    }
}
