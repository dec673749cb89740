//! Who is told what.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Instant;

use serde_json::{Value, json};
use turnstone_table::Seat;

use super::{Keeper, Out, SEATS_AFTER, Socket};
use crate::now::{Moved, Now};
use crate::room::{Eyes, Room};
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
            self.let_go(number);
        }
    }

    /// Whoever reads too slowly comes again with what he has; nobody waits for him.
    pub(super) fn let_go(&mut self, number: u64) {
        if self.sockets.remove(&number).is_some() {
            self.hall.metrics.slow.add(1);
            self.seats_due.get_or_insert(Instant::now() + SEATS_AFTER);
        }
    }

    pub(super) fn tell_all(&mut self, message: &Value) {
        self.tell_those(message, |_, _| true);
    }

    /// Tells everybody who is not told of the match later than others: what it says is of this moment.
    pub(super) fn tell_present(&mut self, message: &Value) {
        self.tell_those(message, |room, socket| !room.lags(socket.eyes));
    }

    /// Tells everybody who sits.
    pub(super) fn tell_seated(&mut self, message: &Value) {
        self.tell_those(message, |_, socket| !socket.seats.is_empty());
    }

    fn tell_those(&mut self, message: &Value, who: impl Fn(&Room, &Socket) -> bool) {
        let found = self.sockets.iter().filter(|(_, socket)| who(&self.room, socket));
        let found: Vec<u64> = found.map(|(number, _)| *number).collect();
        self.tell_some(&found, message);
    }

    fn tell_some(&mut self, numbers: &[u64], message: &Value) {
        let text: Text = message.to_string().into();
        for number in numbers {
            self.tell(*number, text.clone());
        }
    }

    /// Tells every socket what was said in the seats and it has not heard yet; who lags behind hears it when he has
    /// come so far.
    pub(super) fn tell_chat(&mut self) {
        for number in self.numbers() {
            while let Some(socket) = self.sockets.get_mut(&number)
                && socket.said < self.room.said()
            {
                let (eyes, n) = (socket.eyes, socket.said);
                let said = self.room.said_json(eyes, n);
                if said.is_none() {
                    break;
                }
                socket.said += 1;
                if self.room.is_said_from_a_seat(n) {
                    self.tell_said(number, said);
                }
            }
        }
    }

    /// What spectators say they say to everybody at once.
    pub(super) fn tell_said_outside(&mut self, n: usize) {
        for number in self.numbers() {
            let Some(eyes) = self.sockets.get(&number).map(|socket| socket.eyes) else { continue };
            let said = self.room.said_json(eyes, n);
            self.tell_said(number, said);
        }
    }

    fn tell_said(&mut self, number: u64, said: Option<Value>) {
        if let Some(mut said) = said {
            said["t"] = "said".into();
            self.tell(number, said.to_string().into());
        }
    }

    pub(super) fn numbers(&self) -> Vec<u64> {
        self.sockets.keys().copied().collect()
    }

    /// Makes ready what [`catch_up`](Keeper::catch_up) will tell.
    pub(super) fn foresee(&mut self) {
        let mut foreseen = Foreseen::default();
        let over = self.room.is_over();
        for number in self.numbers() {
            let Some(socket) = self.sockets.get(&number) else { continue };
            let (before, known, brief) = (socket.eyes, socket.rev, socket.brief);
            let eyes = if over { before } else { Eyes::of(&socket.seats, over) };
            let last = self.room.rev(eyes);
            if last <= known && eyes == before {
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
        // What is taken out of sight goes before anything else is told; what comes into sight follows on what was.
        let over = self.room.over();
        if over.is_none() {
            self.change_eyes();
        }
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
                        let clock = self.clock_json(eyes);
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
        self.tell_chat();
        if let Some(over) = over {
            let opened = self.change_eyes();
            self.tell_some(&opened, &over);
        }
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

    /// Nothing more will be played. Who lags behind hears the rest; that it is over, everybody with it.
    pub(super) fn tell_over(&mut self) {
        self.catch_up();
        self.tell_clock();
    }

    pub(super) fn tell_clock(&mut self) {
        let mut clock = self.clock_json(Eyes::ALL);
        if clock.is_object() {
            clock["t"] = "clock".into();
            self.tell_present(&clock);
        }
    }

    pub(super) fn seats_changed(&mut self) {
        self.seats_due.get_or_insert(Instant::now() + SEATS_AFTER);
    }

    pub(super) fn tell_seats(&mut self) {
        let seats = self.room.places(|seat| self.is_here(seat));
        let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
        self.tell_all(&json!({
            "t": "seats",
            "seats": seats,
            "spectators": spectators,
            "hushed": self.room.hushed,
            "muted": self.muted(),
        }));
        self.note();
    }

    /// The spectators who may not speak: by name as long as the match lasts, and who has none as long as he is here.
    pub(super) fn muted(&self) -> Vec<&str> {
        let nameless = self.sockets.values().filter_map(|socket| socket.muted.as_deref());
        let nameless = nameless.filter(|name| !self.room.is_muted(name));
        self.room.muted().iter().map(String::as_str).chain(nameless).collect()
    }

    /// Whether a person sits there who has a socket.
    pub(super) fn is_here(&self, seat: Seat) -> bool {
        self.sockets.values().any(|socket| socket.seats.contains(&seat))
    }
}
