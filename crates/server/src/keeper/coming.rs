//! Who comes, with which rights.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use turnstone_table::Seat;

use super::studying::Studies;
use super::{Keeper, Out, Sender, Socket};
use crate::message::Hello;
use crate::now::Now;
use crate::record::{Holder, Who};
use crate::refusal::Refusal;
use crate::room::{Eyes, NAMELESS, nameless};

impl Keeper {
    pub(super) async fn welcome(
        &mut self,
        number: u64,
        hello: Hello,
        out: mpsc::Sender<Out>,
        lag: Arc<AtomicU32>,
    ) -> Result<(), Refusal> {
        let (seats, host) = self.rights(&hello.tokens)?;
        if seats.is_empty() {
            if !host {
                self.room.may_watch()?;
            }
            let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
            if spectators >= self.hall.settings.spectators {
                return Err(Refusal::new("TOO_MANY", "so many watch already").retry(60_000));
            }
        }
        self.come_back(&seats).await;
        let eyes = self.room.eyes(&seats);
        let name = self.name_for(&seats, hello.name.as_deref());
        if seats.is_empty() && !host && nameless(&name).is_none() && self.room.is_removed(&name) {
            return Err(Refusal::new("REMOVED", "the host has sent you away"));
        }
        let rev = self.room.rev(eyes);
        // What was heard while it was over was counted otherwise.
        let counts_alike = eyes != Eyes::ALL && !self.room.was_over();
        let missed = hello.have.and_then(|have| rev.checked_sub(have)).filter(|_| counts_alike);
        let resumes = missed.is_some_and(|missed| {
            missed as usize <= self.hall.settings.missed.min(self.hall.settings.outbox / 2)
        });
        let brief = hello.brief;
        let now = if resumes { None } else { Some(self.room.now_here(eyes, !brief)?) };
        let told = self.greeting(eyes, &seats, host, &name, now.as_ref())?;
        let from = if resumes { hello.have.unwrap_or(rev) } else { rev };
        let based = brief && now.is_some();
        if let Some(now) = now.filter(|_| brief) {
            self.base(eyes, now);
        }
        let said = self.room.said_up_to(eyes);
        let studies = Studies::default();
        let socket =
            Socket { eyes, seats, host, name, out, lag, rev: from, brief, based, said, muted: None, studies };
        self.sockets.insert(number, socket);
        self.tell(number, told.to_string().into());
        self.catch_up();
        if let Some(over) = self.room.over() {
            self.tell(number, over.to_string().into());
        }
        self.tell_who_is_away(number);
        self.seats_changed();
        Ok(())
    }

    /// Somebody has been awaited for a while, who is not the one that comes.
    fn tell_who_is_away(&mut self, number: u64) {
        let Some(socket) = self.sockets.get(&number) else { return };
        let another = self.away.is_some_and(|(seat, _)| !socket.seats.contains(&seat));
        if let Some(away) = self.away_json().filter(|_| another && !self.room.lags(socket.eyes)) {
            self.tell(number, away.to_string().into());
        }
    }

    /// With the end everybody sees everything and counts it, and where the end is taken back everybody what is his again:
    /// whoever sees with other eyes now is welcomed anew. Gives who that is.
    pub(super) fn change_eyes(&mut self) -> Vec<u64> {
        let over = self.room.is_over();
        let other = |(_, socket): &(&u64, &Socket)| Eyes::of(&socket.seats, over) != socket.eyes;
        let numbers: Vec<u64> = self.sockets.iter().filter(other).map(|(number, _)| *number).collect();
        let mut made = HashMap::new();
        for number in &numbers {
            // Who may not watch any more is told so when he comes again.
            if self.welcome_anew(*number, &mut made).is_err()
                && let Some(socket) = self.sockets.remove(number)
            {
                let _ = socket.out.try_send(Out::Close(1012, "CHANGED"));
                self.seats_changed();
            }
        }
        numbers
    }

    /// Welcomes a socket once more, in the numbers that it counts in from now on. What has just been done and not been
    /// told is told after this, in those numbers.
    fn welcome_anew(
        &mut self,
        number: u64,
        made: &mut HashMap<(Eyes, bool), (Now, Value)>,
    ) -> Result<(), Refusal> {
        let Some(socket) = self.sockets.get(&number) else { return Ok(()) };
        let (seats, host, name, brief) =
            (socket.seats.clone(), socket.host, socket.name.clone(), socket.brief);
        let (before, known) = (socket.eyes, socket.rev);
        if seats.is_empty() && !host {
            self.room.may_watch()?;
        }
        let eyes = self.room.eyes(&seats);
        let untold = self.room.rev(before) > known && !self.room.lags(eyes);
        let rev = self.room.rev(eyes).saturating_sub(u64::from(untold));
        let (now, welcome) = match made.entry((eyes, brief)) {
            Entry::Occupied(made) => made.into_mut(),
            Entry::Vacant(place) => {
                let now = self.room.now_here(eyes, !brief)?;
                let told = self.greeting(eyes, &seats, host, &name, Some(&now))?;
                place.insert((now, told))
            }
        };
        let (now, mut welcome) = (now.clone(), welcome.clone());
        welcome["rev"] = rev.into();
        welcome["you"] = json!({ "seats": seats, "host": host, "name": name });
        if brief {
            self.base(eyes, now);
        }
        let said = self.room.said_up_to(eyes);
        if let Some(socket) = self.sockets.get_mut(&number) {
            (socket.eyes, socket.rev, socket.said, socket.based) = (eyes, rev, said, brief);
        }
        self.tell(number, welcome.to_string().into());
        Ok(())
    }

    /// The last change that somebody knows of by now; he may count otherwise than when he asked.
    pub(super) fn rev_of(&mut self, from: &Sender) -> u64 {
        let eyes = self.room.eyes(&from.seats);
        self.room.rev(eyes)
    }

    /// Notes what somebody was shown; who sees alike and was shown something else is told everything the next time.
    fn base(&mut self, eyes: Eyes, now: Now) {
        if self.shown.get(&eyes).is_some_and(|shown| *shown != now) {
            let alike = self.sockets.values_mut().filter(|socket| socket.eyes == eyes);
            alike.for_each(|socket| socket.based = false);
        }
        self.shown.insert(eyes, now);
    }

    /// Bots that stood in for these seats get up.
    pub(super) async fn come_back(&mut self, seats: &[Seat]) {
        for seat in seats {
            let held = self.room.seats.get(usize::from(*seat)).cloned().unwrap_or_default();
            if held.who == Who::Bot && !self.room.is_over() {
                let name = held.stands_for.clone().unwrap_or_default();
                let back = Holder { who: Who::Person, name, stands_for: None, ..held };
                let done = self.seat(*seat, back).await;
                self.report("return", done);
            }
        }
    }

    pub(super) fn greeting(
        &mut self,
        eyes: Eyes,
        seats: &[Seat],
        host: bool,
        name: &str,
        now: Option<&Now>,
    ) -> Result<Value, Refusal> {
        let clock = self.clock_json(eyes);
        let mut told = self.room.welcome(eyes, now, &clock)?;
        told["you"] = json!({ "seats": seats, "host": host, "name": name });
        told["about"] = self.hall.about(self.room.table.game()).into();
        told["summary"] = self.summary_for(eyes);
        told["limits"] = self.hall.limits();
        told["muted"] = json!(self.muted());
        Ok(told)
    }

    pub(super) fn rights(&self, tokens: &[String]) -> Result<(Vec<Seat>, bool), Refusal> {
        let (seats, host) = self.room.rights(tokens);
        if !tokens.is_empty() && seats.is_empty() && !host {
            return Err(Refusal::new("BAD_TOKEN", "this token opens nothing in this match"));
        }
        Ok((seats, host))
    }

    pub(super) fn name_for(&self, seats: &[Seat], wanted: Option<&str>) -> String {
        let held = seats.first().and_then(|seat| self.room.seats.get(usize::from(*seat)));
        let own = held.map(|holder| holder.name.clone()).filter(|name| !name.is_empty());
        let wanted = || {
            let name = wanted.and_then(|name| self.hall.clean_name(name).ok());
            let name = name.filter(|name| nameless(name).is_none())?;
            // Two may be called alike; who watches does not pass for who plays.
            let passes = seats.is_empty() && self.room.is_seated(&name);
            Some(if passes { format!("{name} (watching)") } else { name })
        };
        own.or_else(wanted).unwrap_or_else(|| self.nameless_name())
    }

    /// What one more without a name is called: nobody else here is called so.
    pub(super) fn nameless_name(&self) -> String {
        let taken: BTreeSet<u32> =
            self.sockets.values().filter_map(|socket| nameless(&socket.name)).collect();
        match (1..).find(|number| !taken.contains(number)) {
            None | Some(1) => NAMELESS.to_owned(),
            Some(number) => format!("{NAMELESS} {number}"),
        }
    }
}
