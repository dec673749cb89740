//! What needs the consent of others.

use serde_json::{Value, json};
use turnstone_table::{Moment, Outcome, Seat};

use super::{Keeper, Sender};
use crate::clock::Clock;
use crate::message::{Want, What};
use crate::metrics::wall_ms;
use crate::record::{Ending, Record, Who};
use crate::refusal::{Refusal, malformed};
use crate::room::Offer;

impl Keeper {
    pub(super) async fn offer(
        &mut self,
        from: &Sender,
        what: What,
        moment: Option<u32>,
        seat: Option<Seat>,
    ) -> Result<Value, Refusal> {
        let by = from.seat()?;
        let after = matches!(what, What::Rematch);
        if !after {
            self.room.goes_on(&Want::Offer { what, moment, seat })?;
        }
        let moment = match what {
            What::Takeback => Some(self.back_to(from, moment)?),
            _ => None,
        };
        self.may_be_offered(what, seat)?;
        let same = |open: &&Offer| open.what == what && open.moment == moment && open.seat == seat;
        if let Some(open) = self.room.offers.iter().find(same) {
            // Two who offer the same agree.
            let number = open.offer;
            if !from.seats.contains(&open.by) {
                return self.answer_offer(from, number, true).await;
            }
            return Ok(json!({ "t": "ok", "offer": number }));
        }
        let offer = Offer { offer: self.room.next_offer(), what, by, moment, seat, yes: vec![by] };
        let number = offer.offer;
        if self.is_agreed_at_once(&offer, &from.seats)? {
            self.carry_out(&offer).await?;
            return Ok(json!({ "t": "ok", "offer": null, "rev": self.rev_of(from) }));
        }
        let record = Record::Offer { offer: number, what, by, moment, seat };
        self.commit(String::new(), vec![record], None).await?;
        self.tell_offer(&offer);
        Ok(json!({ "t": "ok", "offer": number }))
    }

    /// Whether nobody need be asked: there is nobody, or it is practice. A bot agrees to nothing, so against bots alone
    /// moves stay and no draw is made, but by the rules of the game.
    fn is_agreed_at_once(&self, offer: &Offer, own: &[Seat]) -> Result<bool, Refusal> {
        let alone = self.room.wanted_for(offer).iter().all(|seat| own.contains(seat));
        // Who plays all sides agrees with himself.
        let all_sides = own.len() > 1 && own.len() == self.room.seats.len();
        let practice = self.room.options.practice;
        match offer.what {
            What::Takeback if alone && !practice => {
                let text = "this is played as it is: moves are taken back in practice, or when people agree";
                Err(Refusal::new("NO_PRACTICE", text))
            }
            What::Draw if alone && !all_sides => {
                let text = "nobody is here who could agree; the game's own draws are among its moves";
                Err(Refusal::new("NO_PARTNER", text))
            }
            What::Takeback | What::Pause | What::Resume | What::Bot => Ok(alone || practice),
            What::Draw | What::Rematch => Ok(alone),
        }
    }

    pub(super) fn may_be_offered(&self, what: What, seat: Option<Seat>) -> Result<(), Refusal> {
        let paused = self.room.clock.as_ref().map(Clock::is_paused);
        match (what, paused) {
            (What::Pause | What::Resume, None) => {
                Err(Refusal::new("NO_CLOCK", "this match has no clock that could be stopped"))
            }
            (What::Pause, Some(true)) => Err(Refusal::new("PAUSED", "the match is paused already")),
            (What::Resume, Some(false)) => Err(Refusal::new("NOT_PAUSED", "the match is not paused")),
            (What::Bot, _) => {
                let seat = seat.ok_or_else(|| malformed("say which seat"))?;
                let held = self.room.seats.get(usize::from(seat));
                let away = held.is_some_and(|holder| holder.who == Who::Person) && !self.is_here(seat);
                if away { Ok(()) } else { Err(Refusal::new("NOT_AWAY", "nobody who sits there is away")) }
            }
            (What::Rematch, _) if !self.room.is_over() => {
                Err(Refusal::new("NOT_OVER", "the match is not over yet"))
            }
            (What::Rematch, _) if self.room.next.is_some() => {
                Err(Refusal::new("OVER", "it is being played again already: see summary.next"))
            }
            _ => Ok(()),
        }
    }

    /// Where a takeback goes: the moment named, or that before one's own last input.
    pub(super) fn back_to(&mut self, from: &Sender, moment: Option<u32>) -> Result<Moment, Refusal> {
        if let Some(moment) = moment {
            let real = self.room.moment(from.eyes, moment)?;
            if !self.room.table.line().contains(&real) || real == self.room.table.here() {
                let text = "one goes back to an earlier moment of the live match";
                return Err(Refusal::new("NO_SUCH_MOMENT", text));
            }
            return Ok(real);
        }
        let line = self.room.table.line();
        let own = |moment: Moment| self.room.by(moment).is_some_and(|seat| from.seats.contains(&seat));
        let last = line.windows(2).rev().find(|pair| own(pair[1]));
        last.map(|pair| pair[0])
            .ok_or_else(|| Refusal::new("NO_SUCH_MOMENT", "you have done nothing that could be taken back"))
    }

    pub(super) fn tell_offer(&mut self, offer: &Offer) {
        for number in self.numbers() {
            let Some(eyes) =
                self.sockets.get(&number).filter(|socket| !socket.seats.is_empty()).map(|s| s.eyes)
            else {
                continue;
            };
            let mut told = self.room.offer_json(eyes, offer);
            told["t"] = "offer".into();
            self.tell(number, told.to_string().into());
        }
    }

    pub(super) async fn answer_offer(
        &mut self,
        from: &Sender,
        number: u64,
        yes: bool,
    ) -> Result<Value, Refusal> {
        from.seat()?;
        let offer = self.room.offers.iter().find(|one| one.offer == number).cloned();
        let offer =
            offer.ok_or_else(|| Refusal::new("NO_SUCH_OFFER", format!("there is no offer {number}")))?;
        let wanted = self.room.wanted_for(&offer);
        let own: Vec<Seat> = wanted.iter().copied().filter(|seat| from.seats.contains(seat)).collect();
        if own.is_empty() {
            return Err(Refusal::new("NOT_YOURS", "this offer is not made to you"));
        }
        if !yes {
            self.settle(number, false).await?;
            return Ok(json!({ "t": "ok" }));
        }
        let new: Vec<Record> = own
            .iter()
            .filter(|seat| !offer.yes.contains(seat))
            .map(|seat| Record::Agreed { offer: number, seat: *seat })
            .collect();
        self.commit(String::new(), new, None).await?;
        let Some(offer) = self.room.offers.iter().find(|one| one.offer == number).cloned() else {
            return Ok(json!({ "t": "ok" }));
        };
        if wanted.iter().all(|seat| offer.yes.contains(seat)) {
            self.settle(number, true).await?;
            self.carry_out(&offer).await?;
        } else {
            self.tell_offer(&offer);
        }
        Ok(json!({ "t": "ok" }))
    }

    pub(super) async fn settle(&mut self, offer: u64, accepted: bool) -> Result<(), Refusal> {
        self.commit(String::new(), vec![Record::Settled { offer, accepted }], None).await?;
        self.tell_seated(&json!({ "t": "settled", "offer": offer, "accepted": accepted }));
        Ok(())
    }

    pub(super) async fn carry_out(&mut self, offer: &Offer) -> Result<(), Refusal> {
        match offer.what {
            What::Takeback => self.go(offer.moment.unwrap_or(0), Some(offer.by)).await,
            What::Draw => self.end(Outcome::Drawn, Ending::Agreed).await,
            What::Pause => self.pause(true).await,
            What::Resume => self.pause(false).await,
            What::Bot => self.stand_in(offer.seat.unwrap_or(0)).await,
            What::Rematch => self.rematch().await,
        }
    }

    pub(super) async fn pause(&mut self, paused: bool) -> Result<(), Refusal> {
        let now = self.now_ms();
        let Some(clock) = &mut self.room.clock else { return Ok(()) };
        clock.pause(paused, now);
        let left = Some(clock.left());
        self.commit(String::new(), vec![Record::Clock { at: wall_ms(), paused, left }], None).await?;
        self.serial += 1;
        self.thinking = None;
        self.settle_clock();
        self.tell_clock();
        Ok(())
    }

    pub(super) async fn rematch(&mut self) -> Result<(), Refusal> {
        let (wanted, seats) = (self.room.wanted.clone(), self.room.seats.clone());
        let host = self.room.host_hash().to_owned();
        let id = self.hall.again(wanted, seats, self.room.options.clone(), host).await?;
        self.commit(String::new(), vec![Record::Next { id: id.clone() }], None).await?;
        self.tell_all(&json!({ "t": "rematch", "match": id }));
        Ok(())
    }
}
