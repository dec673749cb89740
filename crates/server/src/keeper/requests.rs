//! What is asked over HTTP.

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::studying::Studies;
use super::{Keeper, Reply, Request, Sender, answer};
use crate::message::{Message, Want};
use crate::refusal::Refusal;
use crate::room::{Eyes, Room};

impl Keeper {
    pub(super) async fn serve(
        &mut self,
        tokens: &[String],
        request: Request,
        done: oneshot::Sender<Result<Value, Refusal>>,
    ) {
        let told = match request {
            Request::Send(message) => return self.send(tokens, *message, done).await,
            Request::Summary => Ok(self.summary_for(self.room.eyes(&[]))),
            Request::Mine => self.mine(tokens),
            Request::Now => self.spy(tokens).and_then(|from| {
                let now = self.room.now_here(from.eyes, true)?;
                self.greeting(from.eyes, &from.seats, from.host, &from.name, Some(&now))
            }),
            Request::At(moment) => self.spy(tokens).and_then(|from| self.look(from.eyes, moment, None)),
            Request::File => self.file(tokens).await,
            Request::Join(join) => self.join(&join).await,
            Request::Delete => self.delete(tokens).await,
        };
        let _ = done.send(told);
    }

    /// Who asks, with the rights of his tokens.
    pub(super) fn spy(&self, tokens: &[String]) -> Result<Sender, Refusal> {
        let (seats, host) = self.rights(tokens)?;
        if seats.is_empty() && !host {
            self.room.may_watch()?;
        }
        let (eyes, name) = (self.room.eyes(&seats), self.name_for(&seats, None));
        Ok(Sender { eyes, seats, host, name, lag: 0, muted: false, studies: Studies::default() })
    }

    pub(super) fn mine(&mut self, tokens: &[String]) -> Result<Value, Refusal> {
        let (seats, host) = self.rights(tokens)?;
        let actor = self.room.table.actor().filter(|_| !self.room.is_over());
        let mut told = self.summary_for(self.room.eyes(&seats));
        told["turn"] = actor.is_some_and(|actor| seats.contains(&actor)).into();
        told["mine"] = json!(seats);
        told["host"] = host.into();
        Ok(told)
    }

    pub(super) async fn send(
        &mut self,
        tokens: &[String],
        message: Message,
        done: oneshot::Sender<Result<Value, Refusal>>,
    ) {
        let from = match self.spy(tokens) {
            Ok(from) => from,
            Err(refusal) => {
                let _ = done.send(Err(refusal));
                return;
            }
        };
        let (once, later) = oneshot::channel();
        let mut reply = Some(Reply::Once(once));
        let (id, stale_from) = (
            message.id.clone(),
            match &message.want {
                Want::Act { rev, .. } => Some(*rev),
                _ => None,
            },
        );
        let told = self.obey(&from, message, &mut reply).await;
        if reply.is_none() {
            tokio::spawn(async move {
                let told = later.await.map_err(|_| Refusal::new("CLOSING", "the server is going down"));
                let _ = done.send(told);
            });
            return;
        }
        let stale = told.as_ref().err().is_some_and(|refusal| refusal.code == "STALE");
        let mut told = answer(&id, told);
        if let Some(rev) = stale_from.filter(|_| stale) {
            let eyes = self.room.eyes(&from.seats);
            told["missed"] = self.missed(eyes, rev);
        }
        let _ = done.send(Ok(told));
    }

    pub(super) fn missed(&mut self, eyes: Eyes, have: u64) -> Value {
        let (last, clock) = (self.room.rev(eyes), self.clock_json(eyes));
        let first = have.max(last.saturating_sub(self.hall.settings.missed as u64));
        let mut missed = Vec::new();
        for rev in first + 1..=last {
            let Some(moved) = self.room.moved(eyes, rev) else { continue };
            let mut told = json!(moved);
            if rev == last
                && let Ok(now) = self.room.now_here(eyes, true)
            {
                told["now"] = json!(now);
                told["clock"] = clock.clone();
            }
            missed.push(told);
        }
        missed.into()
    }

    pub(super) async fn file(&mut self, tokens: &[String]) -> Result<Value, Refusal> {
        let from = self.spy(tokens)?;
        if !(self.room.is_over() || self.room.is_open_book() && from.host) {
            return Err(Refusal::new(
                "NO_PRACTICE",
                "the match file holds everything: it is given when the match is over",
            ));
        }
        let lines = self.hall.lines(&self.room.id).await?;
        Ok(Room::file(&lines).into())
    }

    pub(super) async fn delete(&mut self, tokens: &[String]) -> Result<Value, Refusal> {
        let (_, host) = self.rights(tokens)?;
        if !host && !tokens.is_empty() {
            return Err(Refusal::new("NOT_HOST", "only the host of the match may do this"));
        }
        if tokens.is_empty() {
            return Err(Refusal::new("NO_TOKEN", "only the host of the match may do this"));
        }
        if self.room.inputs() >= 2 && !self.room.options.practice {
            let text = "a match that people have begun to play stays";
            return Err(Refusal::new("NO_PRACTICE", text));
        }
        self.hall.forget(&self.room.id).await?;
        self.stop = true;
        Ok(json!({ "match": self.room.id, "deleted": true }))
    }
}
