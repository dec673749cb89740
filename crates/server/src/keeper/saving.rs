//! What changes is durable first and taken up then.

use std::time::Instant;

use serde_json::{Value, json};
use turnstone_table::{Moment, Rejection, Seat};

use super::telling::Foreseen;
use super::{Keeper, LONGEST_REST, Out, REST};
use crate::metrics::{log, wall_ms};
use crate::record::{Holder, How, Record, file_lines};
use crate::refusal::Refusal;
use crate::room::{Eyes, State, Summary};
use crate::store::{Append, StoreError};

impl Keeper {
    /// Appends durably and takes it up. What fails leaves the match as the store has it. While the disk is busy, what
    /// will be told of it is made ready; nobody hears of it before it is durable.
    pub(super) async fn commit(
        &mut self,
        file: String,
        records: Vec<Record>,
        mut taken: Option<(Moment, How)>,
    ) -> Result<(), Refusal> {
        let lines: Vec<String> = file_lines(&file).chain(records.iter().map(Record::line)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let at = wall_ms();
        // What lists say is what will be true: only the lines before it are.
        let summary = self.summary_after(&records, taken);
        let plain = records.iter().all(|record| matches!(record, Record::Did { .. }));
        let note = summary.text();
        let known = plain.then(|| note.clone());
        let part = Append { id: self.room.id.clone(), expected: self.room.length, lines, note, at };
        let writing = self.hall.writer.begin(part).await;
        let moves = taken.is_some();
        for record in records {
            let step = if matches!(record, Record::Did { .. }) { taken.take() } else { None };
            self.room.fold(record, step);
        }
        if moves {
            self.foresee();
        }
        let done = match writing {
            Ok(writing) => writing.done().await,
            Err(error) => Err(error),
        };
        match done {
            Ok(length) => {
                (self.rest_until, self.rests) = (None, 0);
                self.room.length = length;
                self.asides = self.room.asides();
                self.touched = at;
                match known {
                    Some(known) => self.hall.note(&self.room.id, known, length, self.alarm()),
                    None => self.note(),
                }
                Ok(())
            }
            Err(error) => {
                if !matches!(error, StoreError::Conflict { .. }) {
                    log("error", "store", json!({ "match": self.room.id, "error": error.to_string() }));
                }
                self.foreseen = Foreseen::default();
                self.reload().await;
                Err(error.into())
            }
        }
    }

    /// What everybody may know once these are written.
    fn summary_after(&self, records: &[Record], taken: Option<(Moment, How)>) -> Summary {
        let mut summary = Summary { touched: wall_ms(), due: self.room.clock_due(), ..self.summary() };
        if taken.is_some_and(|(_, how)| how == How::Input) {
            summary.moves += 1;
        }
        for record in records {
            match record {
                Record::End { outcome, how, .. } => {
                    summary.state = State::Over;
                    (summary.outcome, summary.how) = (Some(*outcome), Some(*how));
                }
                Record::Seat { seat, holder, .. } => {
                    if let Some(place) = summary.seats.get_mut(usize::from(*seat)) {
                        (place.who, place.name) = (holder.who, holder.name.clone());
                    }
                    summary.state = State::of(summary.state == State::Over, &summary.seats);
                }
                Record::Next { id } => summary.next = Some(id.clone()),
                _ => {}
            }
        }
        summary
    }

    /// What everybody may know of the match.
    pub(super) fn summary(&self) -> Summary {
        let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
        self.room.summary(|seat| self.is_here(seat), &self.title, spectators, self.touched)
    }

    /// What somebody may know of the match.
    pub(super) fn summary_for(&mut self, eyes: Eyes) -> Value {
        let mut told = json!(self.summary());
        told["title"] = self.room.title().into();
        self.room.veil_for(eyes, &mut told);
        told
    }

    /// What lists say of the match.
    pub(super) fn note(&self) {
        let summary = Summary { due: self.room.clock_due(), ..self.summary() };
        self.hall.note(&self.room.id, summary.text(), self.room.length, self.alarm());
    }

    /// Builds the match anew from the store: what is there is what happened.
    pub(super) async fn reload(&mut self) {
        match self.hall.load(&self.room.id).await {
            Ok(mut room) => {
                match (self.room.clock.take(), &mut room.clock) {
                    // Nothing was played: the time that runs goes on running.
                    (Some(runs), Some(clock)) if runs.is_of(clock) => *clock = runs,
                    _ => self.fresh = true,
                }
                self.room = room;
                self.title = self.room.listed_title();
                self.serial += 1;
                self.thinking = None;
                if self.room.asides() == self.asides {
                    return self.catch_up();
                }
                // Through another server something was said or agreed, or a seat changed hands: who is told
                // everything anew misses none of it, and who lost his seat does not keep it here.
                self.asides = self.room.asides();
                for (_, socket) in std::mem::take(&mut self.sockets) {
                    let _ = socket.out.try_send(Out::Close(1012, "CHANGED"));
                }
                self.shown.clear();
            }
            Err(refusal) => {
                log("error", "reload", json!({ "match": self.room.id, "error": refusal.to_string() }));
                self.stop = true;
            }
        }
    }

    /// A match that cannot be written is as it was.
    pub(super) async fn written(&mut self, text: Result<String, Rejection>) -> Result<String, Refusal> {
        match text {
            Ok(text) => Ok(text),
            Err(refusal) => {
                self.reload().await;
                Err(refusal.into())
            }
        }
    }

    pub(super) async fn seat(&mut self, seat: Seat, holder: Holder) -> Result<(), Refusal> {
        self.commit(String::new(), vec![Record::Seat { seat, holder, at: Some(wall_ms()) }], None).await?;
        self.serial += 1;
        self.thinking = None;
        self.seats_changed();
        Ok(())
    }

    /// What has happened by itself may have failed: then it is tried again after a rest, since whatever made it due
    /// still does. A store that refuses has been told of already, and another server that was quicker is no failure.
    pub(super) fn report(&mut self, what: &str, done: Result<(), Refusal>) {
        let Err(refusal) = done else { return };
        if refusal.code == "STALE" {
            return;
        }
        if refusal.code != "STORAGE" {
            log("error", what, json!({ "match": self.room.id, "error": refusal.to_string() }));
        }
        let rest = REST.saturating_mul(1 << self.rests.min(16)).min(LONGEST_REST);
        self.rests += 1;
        self.rest_until = Some(Instant::now() + rest);
    }
}
