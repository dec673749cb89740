//! Who is told what.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Instant;

use serde_json::{Value, json};
use turnstone_table::Seat;

use super::{Keeper, Out, SEATS_AFTER};
use crate::now::{Moved, Now};
use crate::room::Eyes;
use crate::ws::Text;

/// How much a message about a change says of what is seen after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// Nothing: others follow.
    Bare,
    /// All of it.
    Whole,
    /// All of it but the inputs.
    Brief,
    /// What has changed since the last message.
    Delta,
}

/// What will be told of a change once it is durable: what everybody sees after it, and the change in his numbers.
#[derive(Default)]
pub(super) struct Foreseen {
    seen: HashMap<Eyes, Now>,
    moved: HashMap<(Eyes, u64), Moved>,
}

impl Keeper {
    pub(super) fn tell(&mut self, number: u64, text: Text) {
        let Some(socket) = self.sockets.get(&number) else { return };
        self.hall.metrics.told.add(1);
        if socket.out.try_send(Out::Text(text)).is_err() {
            // Whoever reads too slowly comes again with what he has; nobody waits for him.
            self.hall.metrics.slow.add(1);
            self.sockets.remove(&number);
            self.seats_due.get_or_insert(Instant::now() + SEATS_AFTER);
        }
    }

    pub(super) fn tell_all(&mut self, message: &Value) {
        let text: Text = message.to_string().into();
        for number in self.numbers() {
            self.tell(number, text.clone());
        }
    }

    pub(super) fn numbers(&self) -> Vec<u64> {
        self.sockets.keys().copied().collect()
    }

    /// Makes ready what [`catch_up`](Keeper::catch_up) will tell.
    pub(super) fn foresee(&mut self) {
        let mut foreseen = Foreseen::default();
        for number in self.numbers() {
            let Some(socket) = self.sockets.get(&number) else { continue };
            let (eyes, known, brief) = (socket.eyes, socket.rev, socket.brief);
            let last = self.room.rev(eyes);
            if last <= known {
                continue;
            }
            if let Entry::Vacant(place) = foreseen.moved.entry((eyes, last)) {
                self.room.moved(eyes, last).map(|moved| place.insert(moved));
            }
            if let Entry::Vacant(place) = foreseen.seen.entry(eyes)
                && brief
            {
                self.room.now_here(eyes, false).map(|now| place.insert(now)).ok();
            }
        }
        self.foreseen = foreseen;
    }

    /// Tells every socket the changes it has not heard of; each message is made once for all who see alike and have
    /// been told alike.
    pub(super) fn catch_up(&mut self) {
        let clock = self.clock_json();
        let mut made: HashMap<(Eyes, u64, Form), Text> = HashMap::new();
        let mut foreseen = std::mem::take(&mut self.foreseen);
        for number in self.numbers() {
            let Some(socket) = self.sockets.get(&number) else { continue };
            let (eyes, first, brief, based) = (socket.eyes, socket.rev + 1, socket.brief, socket.based);
            let last = self.room.rev(eyes);
            for rev in first..=last {
                let form = match (rev == last, brief) {
                    (false, _) => Form::Bare,
                    (true, false) => Form::Whole,
                    (true, true) if based && self.shown.contains_key(&eyes) => Form::Delta,
                    (true, true) => Form::Brief,
                };
                let text = match made.get(&(eyes, rev, form)) {
                    Some(text) => text.clone(),
                    None => {
                        let Some(text) = self.moved(eyes, rev, form, &clock, &mut foreseen) else { break };
                        made.entry((eyes, rev, form)).or_insert(text.into()).clone()
                    }
                };
                self.tell(number, text);
            }
            if let Some(socket) = self.sockets.get_mut(&number) {
                socket.based |= socket.brief && first <= last;
                socket.rev = last;
            }
        }
        self.shown.extend(foreseen.seen);
        self.shown.retain(|eyes, _| self.sockets.values().any(|socket| socket.brief && socket.eyes == *eyes));
    }

    /// The message about a change. What is seen after it is looked up once for all who see alike.
    fn moved(
        &mut self,
        eyes: Eyes,
        rev: u64,
        form: Form,
        clock: &Value,
        foreseen: &mut Foreseen,
    ) -> Option<String> {
        if let Entry::Vacant(place) = foreseen.moved.entry((eyes, rev)) {
            place.insert(self.room.moved(eyes, rev)?);
        }
        let moved = foreseen.moved.get(&(eyes, rev))?;
        match form {
            Form::Bare => Some(moved.bare()),
            Form::Whole => Some(moved.whole(&self.room.now_here(eyes, true).ok()?, clock)),
            Form::Brief | Form::Delta => {
                if let Entry::Vacant(place) = foreseen.seen.entry(eyes) {
                    place.insert(self.room.now_here(eyes, false).ok()?);
                }
                let now = foreseen.seen.get(&eyes)?;
                match self.shown.get(&eyes).filter(|_| form == Form::Delta) {
                    Some(before) => Some(moved.delta(before, now, clock)),
                    None => Some(moved.whole(now, clock)),
                }
            }
        }
    }

    pub(super) fn tell_over(&mut self) {
        // Who lags behind hears the rest first.
        self.catch_up();
        if let Some(over) = self.room.over() {
            self.tell_all(&over);
        }
        self.tell_clock();
    }

    pub(super) fn tell_clock(&mut self) {
        let mut clock = self.clock_json();
        if clock.is_object() {
            clock["t"] = "clock".into();
            self.tell_all(&clock);
        }
    }

    pub(super) fn seats_changed(&mut self) {
        self.seats_due.get_or_insert(Instant::now() + SEATS_AFTER);
    }

    pub(super) fn tell_seats(&mut self) {
        let seats = self.room.places(|seat| self.is_here(seat));
        let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
        self.tell_all(&json!({ "t": "seats", "seats": seats, "spectators": spectators }));
        self.hall.note(&self.room.id, self.summary().text(), self.room.length, self.room.clock_due());
    }

    /// Whether a person sits there who has a socket.
    pub(super) fn is_here(&self, seat: Seat) -> bool {
        self.sockets.values().any(|socket| socket.seats.contains(&seat))
    }
}
