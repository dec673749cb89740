//! Who is told what.

use std::collections::HashMap;
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use serde_json::{Value, json};
use turnstone_table::Seat;

use super::{Keeper, Out, SEATS_AFTER};
use crate::room::Eyes;

impl Keeper {
    pub(super) fn tell(&mut self, number: u64, text: Utf8Bytes) {
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
        let text: Utf8Bytes = message.to_string().into();
        for number in self.numbers() {
            self.tell(number, text.clone());
        }
    }

    pub(super) fn numbers(&self) -> Vec<u64> {
        self.sockets.keys().copied().collect()
    }

    /// Tells every socket the changes it has not heard of; each message is made once for all who see alike.
    pub(super) fn catch_up(&mut self) {
        let clock = self.clock_json();
        let mut made: HashMap<(Eyes, u64), Utf8Bytes> = HashMap::new();
        for number in self.numbers() {
            let Some(socket) = self.sockets.get(&number) else { continue };
            let (eyes, rev) = (socket.eyes, socket.rev);
            let last = self.room.rev(eyes);
            for rev in rev + 1..=last {
                let text = match made.get(&(eyes, rev)) {
                    Some(text) => text.clone(),
                    None => {
                        let Some(moved) = self.room.moved(eyes, rev, rev == last, &clock) else { break };
                        let text: Utf8Bytes = moved.to_string().into();
                        made.insert((eyes, rev), text.clone());
                        text
                    }
                };
                self.tell(number, text);
            }
            if let Some(socket) = self.sockets.get_mut(&number) {
                socket.rev = last;
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
        let seats = self.room.seats_json(|seat| self.is_here(seat));
        let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
        self.tell_all(&json!({ "t": "seats", "seats": seats, "spectators": spectators }));
        self.hall.note(&self.room.id, self.summary(), self.room.clock_due());
    }

    /// Whether a person sits there who has a socket.
    pub(super) fn is_here(&self, seat: Seat) -> bool {
        self.sockets.values().any(|socket| socket.seats.contains(&seat))
    }
}
