//! The keeper of one match: a task that alone touches its room. What it is asked it does in order; what changes
//! is durable before anybody hears of it.

mod coming;
mod offering;
mod people;
mod playing;
mod requests;
mod saving;
mod studying;
mod telling;
mod time;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use turnstone_table::Seat;

use crate::hall::Hall;
use crate::message::{Hello, Join, Message, Want};
use crate::metrics::wall_ms;
use crate::now::Now;
use crate::record::{Holder, Who};
use crate::refusal::{Refusal, malformed};
use crate::room::{Eyes, Room};
use crate::study;
use crate::ws::Text;
use studying::{Studies, WhatIf};
use telling::Foreseen;

/// What goes out to a socket or stream.
#[derive(Clone, Debug)]
pub enum Out {
    /// A message.
    Text(Text),
    /// The end, with a close code and its reason.
    Close(u16, &'static str),
}

/// Where an answer goes.
pub enum Reply {
    /// To a socket of that number.
    Socket(u64, mpsc::Sender<Out>),
    /// To a request over HTTP.
    Once(oneshot::Sender<Value>),
}

impl Reply {
    /// Sends it. Who does not wait any more misses nothing; a socket that reads too slowly to be told is named.
    pub fn send(self, answer: &Value) -> Option<u64> {
        match self {
            Reply::Socket(number, out) => {
                let sent = out.try_send(Out::Text(answer.to_string().into()));
                matches!(sent, Err(mpsc::error::TrySendError::Full(_))).then_some(number)
            }
            Reply::Once(once) => {
                let _ = once.send(answer.clone());
                None
            }
        }
    }
}

/// An answer to a message with that number.
pub fn answer(id: &str, done: Result<Value, Refusal>) -> Value {
    let mut told = match done {
        Ok(told) => told,
        Err(refusal) => {
            let mut told = refusal.json();
            told["t"] = "error".into();
            told
        }
    };
    told["id"] = id.into();
    told
}

/// What is asked over HTTP.
pub enum Request {
    /// What everybody may know.
    Summary,
    /// The same, and which seats are the asker's.
    Mine,
    /// What a socket would be welcomed with.
    Now,
    /// A moment.
    At(u32),
    /// The match file.
    File,
    /// A seat.
    Join(Join),
    /// The end of the match and of all that is known of it.
    Delete,
    /// One message.
    Send(Box<Message>),
}

/// What a keeper is asked.
pub enum Ask {
    /// A socket or stream wants in.
    Hello {
        /// Its number.
        socket: u64,
        /// What it says.
        hello: Box<Hello>,
        /// Where it listens.
        out: mpsc::Sender<Out>,
        /// Its measured lag, in milliseconds.
        lag: Arc<AtomicU32>,
        /// Whether it may.
        done: oneshot::Sender<Result<(), Refusal>>,
    },
    /// A socket says something.
    Heard {
        /// Which.
        socket: u64,
        /// What.
        message: Box<Message>,
        /// When it was heard.
        at: Instant,
    },
    /// A socket is gone.
    Gone {
        /// Which.
        socket: u64,
    },
    /// A socket could not be told what it waits for.
    Slow {
        /// Which.
        socket: u64,
    },
    /// A request over HTTP.
    Http {
        /// What the asker holds.
        tokens: Vec<String>,
        /// What he wants.
        request: Request,
        /// Where the answer goes.
        done: oneshot::Sender<Result<Value, Refusal>>,
    },
    /// A bot has thought.
    Thought {
        /// About which state of the match.
        serial: u64,
        /// What it chooses; none if it has failed.
        number: Option<usize>,
    },
    /// Another server may have appended.
    Changed {
        /// How many lines there are.
        length: u64,
    },
    /// Something may be due.
    Wake,
    /// The server closes.
    Stop,
}

struct Socket {
    eyes: Eyes,
    seats: Vec<Seat>,
    host: bool,
    name: String,
    out: mpsc::Sender<Out>,
    lag: Arc<AtomicU32>,
    /// The last change it was told of.
    rev: u64,
    /// It follows changes instead of seeing everything anew, and chooses by number.
    brief: bool,
    /// It has what `shown` says for its eyes.
    based: bool,
    /// So much of what was said in the seats it has heard, or was told of when it came.
    said: usize,
    /// The name under which the host has muted it: another name does not help.
    muted: Option<String>,
    /// What it has asked for and bots or what-ifs are still at.
    studies: Studies,
}

/// Who sends something.
struct Sender {
    eyes: Eyes,
    seats: Vec<Seat>,
    host: bool,
    name: String,
    lag: u64,
    muted: bool,
    studies: Studies,
}

impl Sender {
    fn seat(&self) -> Result<Seat, Refusal> {
        let text = "only who sits at the table may do this";
        self.seats.first().copied().ok_or_else(|| Refusal::new("NOT_SEATED", text))
    }

    fn host(&self) -> Result<(), Refusal> {
        if self.host {
            Ok(())
        } else {
            Err(Refusal::new("NOT_HOST", "only the host of the match may do this"))
        }
    }
}

/// Keeps a match.
pub struct Keeper {
    hall: Arc<Hall>,
    room: Room,
    inbox: mpsc::Receiver<Ask>,
    me: mpsc::WeakSender<Ask>,
    sockets: BTreeMap<u64, Socket>,
    /// What was shown last to those who follow changes.
    shown: HashMap<Eyes, Now>,
    /// What will be told of the change that is being written.
    foreseen: Foreseen,
    /// The bot that thinks thinks about this state of the match.
    thinking: Option<u64>,
    /// Changes whenever the match does.
    serial: u64,
    /// The match was just read from the store: its clocks are not running yet.
    fresh: bool,
    /// Who is awaited and away, and since when.
    away: Option<(Seat, Instant)>,
    /// Who is here has changed and was not told yet.
    seats_due: Option<Instant>,
    /// Try again to think.
    think_at: Option<Instant>,
    /// What should have happened by itself could not be saved: nothing is tried again before this.
    rest_until: Option<Instant>,
    /// How often in a row.
    rests: u32,
    busy: Instant,
    /// Somebody has come or asked since it was woken.
    visited: bool,
    title: String,
    touched: i64,
    /// So many records beside those of changes were told of here.
    asides: usize,
    stop: bool,
}

/// Who came and went is told once for all who did so within this time.
const SEATS_AFTER: Duration = Duration::from_millis(250);
/// A pool that was full is asked again after this time.
const THINK_AFTER: Duration = Duration::from_millis(200);
/// What was woken by an alarm alone sleeps on after this time, when that is done.
const SLEEP_ON: Duration = Duration::from_secs(2);
/// The first rest after something that could not be saved; each is twice as long as the one before, up to the longest.
const REST: Duration = Duration::from_millis(500);
const LONGEST_REST: Duration = Duration::from_secs(30);

impl Keeper {
    /// A keeper for a room; `visited` if somebody is about to come, and it was not woken by an alarm alone.
    pub fn new(
        hall: Arc<Hall>,
        room: Room,
        inbox: mpsc::Receiver<Ask>,
        me: mpsc::WeakSender<Ask>,
        visited: bool,
    ) -> Keeper {
        let (title, asides) = (room.listed_title(), room.asides());
        Keeper {
            hall,
            room,
            inbox,
            me,
            sockets: BTreeMap::new(),
            shown: HashMap::new(),
            foreseen: Foreseen::default(),
            thinking: None,
            serial: 0,
            fresh: true,
            away: None,
            seats_due: None,
            think_at: None,
            rest_until: None,
            rests: 0,
            busy: Instant::now(),
            visited,
            title,
            touched: wall_ms(),
            asides,
            stop: false,
        }
    }

    /// Does what it is asked until nobody needs it.
    pub async fn keep(mut self) {
        self.hall.metrics.awake.add(1);
        self.hall.metrics.woken.add(1);
        loop {
            self.look_around();
            let due = self.due();
            let ask = tokio::select! {
                ask = self.inbox.recv() => ask,
                () = tokio::time::sleep_until(due.into()) => Some(Ask::Wake),
            };
            match ask {
                None | Some(Ask::Stop) => self.stop = true,
                Some(ask) => self.hear(ask).await,
            }
            if self.stop || self.may_sleep() {
                break;
            }
        }
        self.go_to_sleep().await;
    }

    async fn go_to_sleep(mut self) {
        let closing = self.hall.is_closing();
        for socket in self.sockets.values() {
            let close = if closing { Out::Close(1012, "RESTART") } else { Out::Close(1000, "GONE") };
            let _ = socket.out.try_send(close);
        }
        self.hall.wake_at(&self.room.id, self.alarm());
        self.hall.asleep(&self.room.id, self.last_seen());
        self.inbox.close();
        while let Some(ask) = self.inbox.recv().await {
            // Who came in the last moment wakes the match again.
            let (hall, id) = (Arc::clone(&self.hall), self.room.id.clone());
            let idle = matches!(
                ask,
                Ask::Gone { .. } | Ask::Slow { .. } | Ask::Thought { .. } | Ask::Wake | Ask::Stop
            );
            if !closing && !idle {
                tokio::spawn(async move { hall.ask(&id, ask).await });
            }
        }
        self.hall.metrics.awake.add(-1);
    }

    async fn hear(&mut self, ask: Ask) {
        if !matches!(ask, Ask::Wake | Ask::Changed { .. }) {
            self.busy = Instant::now();
        }
        self.visited |= matches!(ask, Ask::Hello { .. } | Ask::Heard { .. } | Ask::Http { .. });
        match ask {
            Ask::Hello { socket, hello, out, lag, done } => {
                let welcomed = self.welcome(socket, *hello, out, lag).await;
                let _ = done.send(welcomed);
            }
            Ask::Heard { socket, message, at } => self.heard(socket, *message, at).await,
            Ask::Gone { socket } => {
                if self.sockets.remove(&socket).is_some() {
                    self.seats_changed();
                }
            }
            Ask::Slow { socket } => self.let_go(socket),
            Ask::Http { tokens, request, done } => self.serve(&tokens, request, done).await,
            Ask::Thought { serial, number } => self.thought(serial, number).await,
            Ask::Changed { length } if length > self.room.length => self.reload().await,
            Ask::Changed { .. } | Ask::Stop => {}
            Ask::Wake => self.wake().await,
        }
    }

    async fn heard(&mut self, number: u64, message: Message, at: Instant) {
        let Some(socket) = self.sockets.get(&number) else { return };
        let lag = u64::from(socket.lag.load(Ordering::Relaxed));
        let (seats, eyes) = (socket.seats.clone(), socket.eyes);
        let (name, studies) = (socket.name.clone(), socket.studies.clone());
        let (host, muted) = (socket.host, socket.muted.is_some());
        let from = Sender { eyes, seats, host, name, lag, muted, studies };
        let mut reply = Some(Reply::Socket(number, socket.out.clone()));
        let acts = matches!(message.want, Want::Act { .. });
        let id = message.id.clone();
        let done = self.obey(&from, message, &mut reply).await;
        if done.is_err() {
            self.hall.metrics.refused.add(1);
        } else if acts {
            self.hall.metrics.acts.observe(at.elapsed());
        }
        if reply.take().is_some() {
            self.tell(number, answer(&id, done).to_string().into());
        }
    }

    /// Does what is wanted. Who takes the reply answers later.
    async fn obey(
        &mut self,
        from: &Sender,
        message: Message,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        let Message { id, want } = message;
        if id.len() > 64 {
            return Err(malformed("an id has at most 64 characters"));
        }
        let ok = || Ok(json!({ "t": "ok" }));
        match want {
            Want::Act { rev, seat, play } => self.act(from, &id, rev, seat, &play).await,
            Want::Look { moment, seat } => self.look(from.eyes, moment, seat),
            Want::View { moment } => self.view(from.eyes, moment),
            Want::Why { moment: first, inputs, world, .. } if !inputs.is_empty() => {
                let what = WhatIf { first, inputs, world };
                self.what_if(from, id, what, reply, |table, eyes, what| {
                    study::why_after(table, eyes, what.first, &what.inputs)
                })
            }
            Want::Why { moment, seat, .. } => {
                let through = self.room.eyes_for(from.eyes, seat)?;
                let real = self.room.moment(from.eyes, moment)?;
                Ok(json!({ "t": "why", "moment": moment, "lines": self.room.why(through, real) }))
            }
            Want::Number { name, moment, seat } => {
                let through = self.room.eyes_for(from.eyes, seat)?;
                self.room.story(from.eyes, through, &name, moment)
            }
            Want::Log { from: first, to, tip, seat } => self.log(from.eyes, (first, to), tip, seat),
            Want::Timeline { from: first, to } => {
                let last = to.unwrap_or(u32::MAX).min(first.saturating_add(499));
                Ok(json!({ "t": "timeline", "nodes": self.room.nodes(from.eyes, first, last) }))
            }
            Want::Branches => Ok(json!({ "t": "branches", "branches": self.room.branches(from.eyes) })),
            Want::Try { from: first, inputs, world } => {
                let what = WhatIf { first, inputs, world };
                self.what_if(from, id, what, reply, |table, eyes, what| {
                    Ok(study::try_out(table, eyes, what.first, &what.inputs))
                })
            }
            Want::Forecast { option, from: Some(first), inputs, world, .. } => {
                let what = WhatIf { first, inputs, world };
                self.what_if(from, id, what, reply, move |table, eyes, what| {
                    study::forecast_after(table, eyes, &what.inputs, option)
                })
            }
            Want::Forecast { option, rev, .. } => self.forecast(from, id, option, rev, reply),
            Want::Steps { moment } => {
                self.open_book()?;
                let real = self.room.moment(from.eyes, moment)?;
                Ok(json!({ "t": "steps", "moment": moment, "steps": self.room.table.steps(real) }))
            }
            Want::Sample { world } => self.sample(from, world),
            Want::Hint { bot, from: Some(first), inputs, world } => {
                self.hint_there(from, id, bot, WhatIf { first, inputs, world }, reply)
            }
            Want::Hint { bot, .. } => self.hint(from, id, bot, reply),
            Want::Review { seat, bot } => self.review(from, id, seat, bot, reply),
            Want::Offer { what, moment, seat } => self.offer(from, what, moment, seat).await,
            Want::Answer { offer, yes } => self.answer_offer(from, offer, yes).await,
            Want::Withdraw { offer } => {
                from.seat()?;
                let own =
                    self.room.offers.iter().any(|one| one.offer == offer && from.seats.contains(&one.by));
                if !own {
                    return Err(Refusal::new("NO_SUCH_OFFER", format!("you have made no offer {offer}")));
                }
                self.settle(offer, false).await?;
                ok()
            }
            Want::Resign => {
                let seat = from.seat()?;
                self.room.goes_on(&Want::Resign)?;
                self.resign(seat).await?;
                ok()
            }
            Want::Go { moment } => {
                from.seat()?;
                self.room.goes_on(&Want::Go { moment })?;
                self.practice()?;
                let real = self.room.moment(from.eyes, moment)?;
                self.go(real, from.seats.first().copied()).await?;
                Ok(json!({ "t": "ok", "rev": self.rev_of(from) }))
            }
            Want::Say { text, moment } => self.say(from, &text, moment).await,
            Want::Name { name } => self.rename(from, &name).await,
            Want::Leave => self.leave(from, &id, reply).await,
            Want::Renew => self.renew(from, &id, reply).await,
            Want::Mute(somebody) => self.mute(from, &somebody, true).await,
            Want::Unmute(somebody) => self.mute(from, &somebody, false).await,
            Want::Hush { hushed } => self.hush(from, hushed).await,
            Want::Remove(somebody) => self.remove(from, &somebody).await,
            Want::Invite { seat } => {
                from.host()?;
                let invitation = self.free(seat).await?;
                Ok(json!({ "t": "ok", "seat": seat, "invitation": invitation }))
            }
            Want::SeatBot { seat, bot } => {
                from.host()?;
                self.empty_seat(seat)?;
                self.hall.check_bot(self.room.table.game(), &bot)?;
                self.seat(seat, Holder { who: Who::Bot, name: bot, ..Holder::default() }).await?;
                ok()
            }
            Want::Ping => ok(),
        }
    }
}
