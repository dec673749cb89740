//! People: what they say, where they sit, and what the host may do about it.

use serde_json::{Value, json};
use turnstone_table::Seat;

use super::{Keeper, Out, Reply, Sender, answer};
use crate::message::{Absent, Join, Somebody};
use crate::metrics::wall_ms;
use crate::record::{Holder, Record, Who};
use crate::refusal::{Refusal, malformed};
use crate::room::{alike, nameless};
use crate::token;

impl Keeper {
    pub(super) async fn say(
        &mut self,
        from: &Sender,
        text: &str,
        moment: Option<u32>,
    ) -> Result<Value, Refusal> {
        let text = text.trim();
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err(malformed("say something, in one line"));
        }
        if text.chars().count() > self.hall.settings.text {
            let most = self.hall.settings.text;
            return Err(Refusal::new("TOO_LONG", format!("at most {most} characters are said at once")));
        }
        if self.room.said() >= self.hall.settings.chat {
            return Err(Refusal::new("TOO_MANY", "enough was said in this match"));
        }
        let seat = from.seats.first().copied();
        let muted = match seat {
            Some(seat) => self.room.seats.get(usize::from(seat)).is_some_and(|holder| holder.muted),
            None => from.muted || self.room.is_muted(&from.name),
        };
        if seat.is_none() && self.room.hushed && !from.host {
            return Err(Refusal::new(
                "MUTED",
                "only who sits at the table speaks here: the host wants it so",
            ));
        }
        if muted {
            return Err(Refusal::new("MUTED", "the host has muted you"));
        }
        let moment = match moment {
            Some(moment) => self.room.moment(from.eyes, moment)?,
            None => self.room.seen_here(from.eyes),
        };
        let (name, text) = (from.name.clone(), text.to_owned());
        let record = Record::Say { seat, name, text, moment, at: wall_ms() };
        self.commit(String::new(), vec![record], None).await?;
        let n = self.room.said() - 1;
        if seat.is_none() {
            self.tell_said_outside(n);
        }
        self.tell_chat();
        Ok(json!({ "t": "ok", "n": n }))
    }

    pub(super) async fn rename(&mut self, from: &Sender, name: &str) -> Result<Value, Refusal> {
        let mut name = self.hall.clean_name(name)?;
        if from.seats.is_empty() && nameless(&name).is_some() {
            name = self.nameless_name();
        }
        if from.seats.is_empty() && self.room.is_seated(&name) {
            return Err(Refusal::new("NAME_TAKEN", "somebody who plays here is called so"));
        }
        for seat in &from.seats {
            let held = self.room.seats.get(usize::from(*seat)).cloned().unwrap_or_default();
            self.seat(*seat, Holder { name: name.clone(), ..held }).await?;
        }
        for socket in self.sockets.values_mut() {
            if socket.seats == from.seats && socket.name == from.name {
                socket.name.clone_from(&name);
            }
        }
        Ok(json!({ "t": "ok", "name": name }))
    }

    pub(super) async fn leave(
        &mut self,
        from: &Sender,
        id: &str,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        from.seat()?;
        for seat in from.seats.clone() {
            let holder = if self.room.options.absent == Absent::Bot && !self.room.is_over() {
                let bot = self.hall.usual_bot(self.room.table.game()).unwrap_or_default();
                Holder { who: Who::Bot, name: bot, ..Holder::default() }
            } else {
                Holder { who: Who::Open, ..Holder::default() }
            };
            self.seat(seat, holder).await?;
        }
        if let Some(reply) = reply.take() {
            reply.send(&answer(id, Ok(json!({ "t": "ok" }))));
        }
        for seat in from.seats.clone() {
            self.lose_seat(seat);
        }
        Ok(Value::Null)
    }

    /// Whoever sat there watches from now on, if he may.
    pub(super) fn lose_seat(&mut self, seat: Seat) {
        for number in self.numbers() {
            let Some(socket) = self.sockets.get(&number) else { continue };
            if socket.seats.contains(&seat) {
                let _ = socket.out.try_send(Out::Close(1008, "NOT_SEATED"));
                self.sockets.remove(&number);
            }
        }
        self.seats_changed();
    }

    /// A new token; every socket of the seat is out, the asker's too: he comes again with what he is given.
    pub(super) async fn renew(
        &mut self,
        from: &Sender,
        id: &str,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        from.seat()?;
        let token = token::secret('s')?;
        for seat in from.seats.clone() {
            let held = self.room.seats.get(usize::from(seat)).cloned().unwrap_or_default();
            self.seat(seat, Holder { token: Some(token::hash(&token)), ..held }).await?;
        }
        if let Some(reply) = reply.take() {
            reply.send(&answer(id, Ok(json!({ "t": "ok", "token": token }))));
        }
        for seat in from.seats.clone() {
            self.lose_seat(seat);
        }
        Ok(Value::Null)
    }

    pub(super) async fn mute(
        &mut self,
        from: &Sender,
        somebody: &Somebody,
        muted: bool,
    ) -> Result<Value, Refusal> {
        from.host()?;
        match (somebody.seat, &somebody.name) {
            (Some(seat), _) => {
                let held = self.room.seats.get(usize::from(seat)).cloned();
                let held =
                    held.ok_or_else(|| Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")))?;
                self.seat(seat, Holder { muted, ..held }).await?;
            }
            (None, Some(name)) => {
                // Who has no name is meant as long as he is here: the next without one is somebody else.
                if nameless(name).is_none() {
                    let record = Record::Muted { name: name.clone(), muted };
                    self.commit(String::new(), vec![record], None).await?;
                }
                for socket in self.sockets.values_mut().filter(|socket| socket.seats.is_empty()) {
                    let meant = socket.muted.as_ref().unwrap_or(&socket.name);
                    if alike(meant, name) || alike(&socket.name, name) {
                        socket.muted = muted.then(|| name.clone());
                    }
                }
                self.seats_changed();
            }
            (None, None) => return Err(malformed("say whom: seat or name")),
        }
        Ok(json!({ "t": "ok" }))
    }

    pub(super) async fn hush(&mut self, from: &Sender, hushed: bool) -> Result<Value, Refusal> {
        from.host()?;
        self.commit(String::new(), vec![Record::Hushed { hushed }], None).await?;
        self.seats_changed();
        Ok(json!({ "t": "ok" }))
    }

    pub(super) async fn remove(&mut self, from: &Sender, somebody: &Somebody) -> Result<Value, Refusal> {
        from.host()?;
        match (somebody.seat, &somebody.name) {
            (Some(seat), _) => {
                if from.seats.contains(&seat) {
                    return Err(malformed("to get up yourself, leave"));
                }
                let invitation = self.make_free(seat).await?;
                self.lose_seat(seat);
                Ok(json!({ "t": "ok", "seat": seat, "invitation": invitation }))
            }
            (None, Some(name)) => {
                if nameless(name).is_none() {
                    let record = Record::Removed { name: name.clone() };
                    self.commit(String::new(), vec![record], None).await?;
                }
                for number in self.numbers() {
                    let Some(socket) = self.sockets.get(&number) else { continue };
                    if socket.seats.is_empty() && !socket.host && alike(&socket.name, name) {
                        let _ = socket.out.try_send(Out::Close(1008, "REMOVED"));
                        self.sockets.remove(&number);
                    }
                }
                self.seats_changed();
                Ok(json!({ "t": "ok" }))
            }
            (None, None) => Err(malformed("say whom: seat or name")),
        }
    }

    pub(super) fn empty_seat(&self, seat: Seat) -> Result<(), Refusal> {
        let held = self.room.seats.get(usize::from(seat));
        let held = held.ok_or_else(|| Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")))?;
        match held.who {
            Who::Open | Who::Invited => Ok(()),
            Who::Bot if held.token.is_none() => Ok(()),
            Who::Person | Who::Bot => Err(Refusal::new("SEAT_TAKEN", "somebody sits there")),
        }
    }

    pub(super) async fn free(&mut self, seat: Seat) -> Result<String, Refusal> {
        self.empty_seat(seat)?;
        self.make_free(seat).await
    }

    pub(super) async fn make_free(&mut self, seat: Seat) -> Result<String, Refusal> {
        let held = self.room.seats.get(usize::from(seat));
        let held = held.ok_or_else(|| Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")))?;
        if held.who == Who::Bot && self.room.is_secret() && self.room.inputs() > 0 && !self.room.is_over() {
            // Who sits down there would see what the bot holds, and could get up again.
            let text = "something is hidden in this match, and it has begun: a bot keeps its seat";
            return Err(Refusal::new("SEAT_TAKEN", text));
        }
        let invitation = token::secret('i')?;
        let holder =
            Holder { who: Who::Invited, invitation: Some(token::hash(&invitation)), ..Holder::default() };
        self.seat(seat, holder).await?;
        Ok(invitation)
    }

    pub(super) async fn join(&mut self, join: &Join) -> Result<Value, Refusal> {
        let name = self.hall.clean_name(&join.name)?;
        let seat = match &join.invitation {
            Some(invitation) => {
                let hash = token::hash(invitation);
                let invited = |(_, holder): &(Seat, &Holder)| holder.invitation.as_deref() == Some(&hash);
                let found = (0..).zip(&self.room.seats).find(invited).map(|(seat, _)| seat);
                found.ok_or_else(|| {
                    Refusal::new("USED_INVITATION", "this invitation was used, or taken back")
                })?
            }
            None => {
                let open = |(_, holder): &(Seat, &Holder)| holder.who == Who::Open;
                let wanted = |(seat, _): &(Seat, &Holder)| join.seat.is_none_or(|wanted| wanted == *seat);
                let found = (0..).zip(&self.room.seats).filter(wanted).find(open).map(|(seat, _)| seat);
                found.ok_or_else(|| Refusal::new("SEAT_TAKEN", "that seat is not free"))?
            }
        };
        if self.room.is_over() {
            return Err(Refusal::new("OVER", "the match has ended"));
        }
        let token = token::secret('s')?;
        let holder = Holder { who: Who::Person, name, token: Some(token::hash(&token)), ..Holder::default() };
        self.seat(seat, holder).await?;
        Ok(json!({ "match": self.room.id, "seat": seat, "token": token }))
    }
}
