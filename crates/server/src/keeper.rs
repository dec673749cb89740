//! The keeper of one match: a task that alone touches its room. What it is asked it does in order; what changes
//! is durable before anybody hears of it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use turnstone_table::{Moment, Outcome, Seat, Viewer};

use crate::clock::Clock;
use crate::hall::Hall;
use crate::message::{Absent, Hello, Join, Message, Play, Somebody, Want, What};
use crate::metrics::{log, wall_ms};
use crate::record::{Ending, Holder, How, Record, Who, file_lines};
use crate::refusal::{Refusal, malformed};
use crate::room::{Eyes, Offer, Room};
use crate::store::{Append, StoreError};
use crate::{study, token};

/// What goes out to a socket or stream.
#[derive(Clone, Debug)]
pub enum Out {
    /// A message.
    Text(Utf8Bytes),
    /// The end, with a close code and its reason.
    Close(u16, &'static str),
}

/// Where an answer goes.
pub enum Reply {
    /// To a socket.
    Socket(mpsc::Sender<Out>),
    /// To a request over HTTP.
    Once(oneshot::Sender<Value>),
}

impl Reply {
    /// Sends it. Who does not wait any more misses nothing.
    pub fn send(self, answer: &Value) {
        match self {
            Reply::Socket(out) => {
                let _ = out.try_send(Out::Text(answer.to_string().into()));
            }
            Reply::Once(once) => {
                let _ = once.send(answer.clone());
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
        /// What it chooses.
        number: usize,
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
}

/// Who sends something.
struct Sender {
    eyes: Eyes,
    seats: Vec<Seat>,
    host: bool,
    name: String,
    lag: u64,
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
    /// The bot that thinks thinks about this state of the match.
    thinking: Option<u64>,
    /// Changes whenever the match does.
    serial: u64,
    /// The clocks have not run since the match was woken.
    fresh: bool,
    /// Who is awaited and away, since when, and whether it was told.
    away: Option<(Seat, Instant)>,
    /// Who is here has changed and was not told yet.
    seats_due: Option<Instant>,
    /// Try again to think.
    think_at: Option<Instant>,
    busy: Instant,
    title: String,
    touched: i64,
    stop: bool,
}

/// Who came and went is told once for all who did so within this time.
const SEATS_AFTER: Duration = Duration::from_millis(250);
/// A pool that was full is asked again after this time.
const THINK_AFTER: Duration = Duration::from_millis(200);

impl Keeper {
    /// A keeper for a room.
    pub fn new(hall: Arc<Hall>, room: Room, inbox: mpsc::Receiver<Ask>, me: mpsc::WeakSender<Ask>) -> Keeper {
        let title = room.table.scene(Viewer::Spectator).title;
        Keeper {
            hall,
            room,
            inbox,
            me,
            sockets: BTreeMap::new(),
            thinking: None,
            serial: 0,
            fresh: true,
            away: None,
            seats_due: None,
            think_at: None,
            busy: Instant::now(),
            title,
            touched: wall_ms(),
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
        self.hall.asleep(&self.room.id);
        self.inbox.close();
        while let Some(ask) = self.inbox.recv().await {
            // Who came in the last moment wakes the match again.
            let (hall, id) = (Arc::clone(&self.hall), self.room.id.clone());
            if !closing && !matches!(ask, Ask::Gone { .. } | Ask::Thought { .. } | Ask::Wake | Ask::Stop) {
                tokio::spawn(async move { hall.ask(&id, ask).await });
            }
        }
        self.hall.metrics.awake.add(-1);
    }

    // Time.

    fn now_ms(&self) -> i64 {
        self.hall.now_ms()
    }

    fn clock_json(&self) -> Value {
        self.room.clock.as_ref().map_or(Value::Null, |clock| clock.json(self.now_ms(), wall_ms()))
    }

    /// Whether a person sits there who has a socket.
    fn is_here(&self, seat: Seat) -> bool {
        self.sockets.values().any(|socket| socket.seats.contains(&seat))
    }

    /// Lets clocks run, bots think and absence be noticed.
    fn look_around(&mut self) {
        let seat = self.room.clock_seat().filter(|_| self.room.frozen.is_none());
        let (now, fresh) = (self.now_ms(), std::mem::take(&mut self.fresh));
        if let Some(clock) = &mut self.room.clock {
            clock.run(seat, now, wall_ms(), fresh.then_some(self.hall.began_ms()));
        }
        self.notice_absence();
        self.let_bots_think();
    }

    fn notice_absence(&mut self) {
        let over = self.room.is_over() || self.room.frozen.is_some();
        let awaited = self.room.table.actor().filter(|_| !over).filter(|seat| {
            let holder = self.room.seats.get(usize::from(*seat));
            holder.is_some_and(|holder| holder.who == Who::Person) && !self.is_here(*seat)
        });
        let paused = self.room.clock.as_ref().is_some_and(Clock::is_paused);
        let awaited = awaited.filter(|_| !paused && !self.sockets.is_empty());
        if self.away.map(|(seat, _)| seat) == awaited {
            return;
        }
        self.away = awaited.map(|seat| (seat, Instant::now()));
        if let Some(seat) = awaited {
            let limited = self.room.options.absent != Absent::Wait;
            let left = limited.then_some(self.room.options.patience * 1000);
            self.tell_all(&json!({ "t": "away", "seat": seat, "since": 0, "left": left }));
        }
    }

    fn let_bots_think(&mut self) {
        if self.thinking.is_some() || self.room.is_over() || self.room.frozen.is_some() {
            return;
        }
        let actor = self.room.table.actor();
        let is_bot =
            |seat: Seat| self.room.seats.get(usize::from(seat)).is_some_and(|holder| holder.who == Who::Bot);
        if !actor.is_some_and(is_bot) || self.room.clock.as_ref().is_some_and(Clock::is_paused) {
            return;
        }
        let Some(thinking) = self.room.table.think() else { return };
        let (me, serial) = (self.me.clone(), self.serial);
        let submitted = self.hall.pool.submit(move || {
            let number = thinking();
            if let Some(me) = me.upgrade() {
                let _ = me.blocking_send(Ask::Thought { serial, number });
            }
        });
        self.think_at = None;
        if submitted {
            self.thinking = Some(serial);
        } else {
            self.think_at = Some(Instant::now() + THINK_AFTER);
        }
    }

    /// When to look again, if nobody asks.
    fn due(&self) -> Instant {
        let now = Instant::now();
        let after = |ms: i64| now + Duration::from_millis(ms.clamp(0, 3_600_000) as u64 + 1);
        let flag = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        let patience = Duration::from_secs(self.room.options.patience);
        let away = self.away.filter(|_| self.room.options.absent != Absent::Wait);
        let times = [
            flag.map(|(_, ms)| after(ms)),
            away.map(|(_, since)| since + patience),
            self.seats_due,
            self.think_at,
        ];
        let idle = self.busy.max(now) + Duration::from_secs(self.hall.settings.idle.max(1));
        times.into_iter().flatten().min().unwrap_or(idle)
    }

    fn may_sleep(&self) -> bool {
        let idle = self.busy.elapsed() >= Duration::from_secs(self.hall.settings.idle);
        // A clock of minutes keeps its match awake; one of days has an alarm in the hall.
        let runs = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        let soon = runs.is_some_and(|(_, ms)| ms < 86_400_000 / 2 && self.room.clock_due().is_none());
        idle && self.sockets.is_empty() && self.thinking.is_none() && !soon
    }

    // Asks.

    async fn hear(&mut self, ask: Ask) {
        if !matches!(ask, Ask::Wake | Ask::Changed { .. }) {
            self.busy = Instant::now();
        }
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
            Ask::Http { tokens, request, done } => self.serve(&tokens, request, done).await,
            Ask::Thought { serial, number } => self.thought(serial, number).await,
            Ask::Changed { length } if length > self.room.length => self.reload().await,
            Ask::Changed { .. } | Ask::Stop => {}
            Ask::Wake => self.wake().await,
        }
    }

    async fn wake(&mut self) {
        if self.seats_due.is_some_and(|due| due <= Instant::now()) {
            self.seats_due = None;
            self.tell_seats();
        }
        let flag = self.room.clock.as_ref().and_then(|clock| clock.until_flag(self.now_ms(), wall_ms()));
        if let Some((seat, 0)) = flag {
            self.flag(seat).await;
        }
        let patience = Duration::from_secs(self.room.options.patience);
        if let Some((seat, since)) = self.away
            && since.elapsed() >= patience
        {
            self.away = None;
            let done = match self.room.options.absent {
                Absent::Wait => Ok(()),
                Absent::Bot => self.stand_in(seat).await,
                Absent::Forfeit => self.forfeit(seat, Ending::Forfeit).await,
            };
            self.report("absence", done);
        }
    }

    fn report(&self, what: &str, done: Result<(), Refusal>) {
        if let Err(refusal) = done {
            log("error", what, json!({ "match": self.room.id, "error": refusal.to_string() }));
        }
    }

    async fn thought(&mut self, serial: u64, number: usize) {
        if self.thinking == Some(serial) {
            self.thinking = None;
        }
        if serial != self.serial || self.room.is_over() {
            return;
        }
        let by = self.room.table.actor();
        match self.room.table.choose(number) {
            Ok(moment) => {
                let done = self.played(moment, by, None, 0).await;
                self.report("bot", done);
            }
            Err(refusal) => {
                // A bot that is refused would be asked for ever.
                log("error", "bot", json!({ "match": self.room.id, "error": refusal.to_string() }));
                self.room.frozen = Some(format!("a bot chose what is not allowed: {refusal}"));
            }
        }
    }

    async fn flag(&mut self, seat: Seat) {
        let input = self.room.table.time_out(seat).and_then(|told| told.input);
        let done = match input {
            Some(_) => self.time_out(seat).await,
            None => self.forfeit(seat, Ending::Time).await,
        };
        self.report("flag", done);
    }

    /// The game's own way. What was not chosen in time was not done: a question is taken back with what asked it.
    async fn time_out(&mut self, seat: Seat) -> Result<(), Refusal> {
        while self.room.table.question(Viewer::All).is_some() && self.room.table.undo() {
            let here = self.room.table.here();
            self.travelled(here, How::Undo, None).await?;
        }
        let Some(input) = self.room.table.time_out(seat).and_then(|told| told.input) else { return Ok(()) };
        let moment = self.room.table.act(&input)?;
        self.played(moment, Some(seat), None, 0).await
    }

    /// The match is over for that seat.
    async fn forfeit(&mut self, seat: Seat, how: Ending) -> Result<(), Refusal> {
        let outcome = match self.room.seats.len() {
            1 => Outcome::Lost,
            2 => Outcome::Won(1 - seat.min(1)),
            // The others play on.
            _ => return self.stand_in(seat).await,
        };
        self.end(outcome, how).await
    }

    async fn end(&mut self, outcome: Outcome, how: Ending) -> Result<(), Refusal> {
        let text = self.room.table.close().map_err(Refusal::from)?;
        self.commit(text, vec![Record::End { at: wall_ms(), outcome, how }], None).await?;
        self.tell_over();
        Ok(())
    }

    /// A bot takes the seat until its player is back.
    async fn stand_in(&mut self, seat: Seat) -> Result<(), Refusal> {
        let bot = self.hall.usual_bot(self.room.table.game());
        let Some(bot) = bot else { return Err(Refusal::new("UNKNOWN_BOT", "this game has no bots")) };
        let held = self.room.seats.get(usize::from(seat)).cloned().unwrap_or_default();
        let stands_for = Some(held.name.clone());
        self.seat(seat, Holder { who: Who::Bot, name: bot, stands_for, ..held }).await
    }

    async fn seat(&mut self, seat: Seat, holder: Holder) -> Result<(), Refusal> {
        self.commit(String::new(), vec![Record::Seat { seat, holder }], None).await?;
        self.serial += 1;
        self.thinking = None;
        self.seats_changed();
        Ok(())
    }

    // Saving.

    /// Appends durably and takes it up. What fails leaves the match as the store has it.
    async fn commit(
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
        let note = self.note_after(&records);
        let part = Append { id: self.room.id.clone(), expected: self.room.length, lines, note, at };
        match self.hall.writer.append(part).await {
            Ok(length) => {
                self.room.length = length;
                self.touched = at;
                for record in records {
                    let step = if matches!(record, Record::Did { .. }) { taken.take() } else { None };
                    self.room.fold(record, step);
                }
                self.hall.note(&self.room.id, self.summary(), self.room.clock_due());
                Ok(())
            }
            Err(error) => {
                if !matches!(error, StoreError::Conflict { .. }) {
                    log("error", "store", json!({ "match": self.room.id, "error": error.to_string() }));
                }
                self.reload().await;
                Err(error.into())
            }
        }
    }

    fn note_after(&self, records: &[Record]) -> String {
        let mut summary = self.summary();
        for record in records {
            match record {
                Record::End { outcome, how, .. } => {
                    summary["state"] = "over".into();
                    summary["outcome"] = json!(outcome);
                    summary["how"] = json!(how);
                }
                Record::Seat { seat, holder } => {
                    let place = &mut summary["seats"][usize::from(*seat)];
                    place["who"] = json!(holder.who);
                    place["name"] = holder.name.clone().into();
                }
                Record::Next { id } => summary["next"] = id.clone().into(),
                _ => {}
            }
        }
        summary["due"] = self.room.clock_due().into();
        summary.to_string()
    }

    /// What everybody may know of the match.
    fn summary(&self) -> Value {
        let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
        self.room.summary(|seat| self.is_here(seat), &self.title, spectators, self.touched)
    }

    /// Builds the match anew from the store: what is there is what happened.
    async fn reload(&mut self) {
        match self.hall.load(&self.room.id).await {
            Ok(room) => {
                self.room = room;
                self.serial += 1;
                self.thinking = None;
                self.catch_up();
            }
            Err(refusal) => {
                log("error", "reload", json!({ "match": self.room.id, "error": refusal.to_string() }));
                self.stop = true;
            }
        }
    }

    // Playing.

    /// Something was played at the table: saves it and tells everybody.
    async fn played(
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
        let stale: Vec<u64> = self.room.offers.iter().filter(stale).map(|offer| offer.offer).collect();
        records.extend(stale.iter().map(|offer| Record::Settled { offer: *offer, accepted: false }));
        if self.room.options.public {
            self.title = self.room.table.scene(Viewer::Spectator).title;
        }
        self.commit(text, records, Some((moment, How::Input))).await?;
        self.serial += 1;
        self.hall.metrics.inputs.add(1);
        self.settle_clock();
        self.catch_up();
        for offer in stale {
            self.tell_all(&json!({ "t": "settled", "offer": offer, "accepted": false }));
        }
        if over {
            self.tell_over();
        }
        Ok(())
    }

    /// The next turn begins when the last is durable, not before.
    fn settle_clock(&mut self) {
        let (seat, now) = (self.room.clock_seat(), self.now_ms());
        if let Some(clock) = &mut self.room.clock {
            clock.run(seat, now, wall_ms(), None);
            clock.begin(now);
        }
    }

    /// A match that cannot be written is as it was.
    async fn written(&mut self, text: Result<String, turnstone_table::Rejection>) -> Result<String, Refusal> {
        match text {
            Ok(text) => Ok(text),
            Err(refusal) => {
                self.reload().await;
                Err(refusal.into())
            }
        }
    }

    async fn travelled(&mut self, moment: Moment, how: How, by: Option<Seat>) -> Result<(), Refusal> {
        let (now, next) = (self.now_ms(), self.room.clock_seat());
        if let Some(clock) = &mut self.room.clock {
            clock.acted(&*self.room.table, now, 0);
            clock.run(next, now, wall_ms(), None);
        }
        let left = self.room.clock.as_ref().map(Clock::left);
        let text = self.room.table.unsaved();
        let text = self.written(text).await?;
        let did = Record::Did { at: wall_ms(), by, told: u64::MAX, id: None, left };
        self.commit(text, vec![did], Some((moment, how))).await?;
        self.serial += 1;
        self.settle_clock();
        self.catch_up();
        Ok(())
    }

    async fn go(&mut self, moment: Moment, by: Option<Seat>) -> Result<(), Refusal> {
        let line = self.room.table.line();
        let back = line.len() >= 2 && line[line.len() - 2] == moment;
        if moment == self.room.table.here() {
            return Ok(());
        }
        if back {
            self.room.table.undo();
            return self.travelled(moment, How::Undo, by).await;
        }
        self.room.table.jump(moment)?;
        self.travelled(moment, How::Jump, by).await
    }

    /// Carries out what a seat sends; the table refuses what is not that seat's.
    fn play(&mut self, seat: Seat, play: &Play) -> Result<Moment, Refusal> {
        let table = &mut self.room.table;
        match (&play.input, play.choose, &play.text) {
            (Some(input), None, None) => Ok(table.act_from(seat, input)?),
            (None, Some(number), None) => Ok(table.choose_from(seat, number)?),
            (None, None, Some(text)) => {
                let options = table.scene(Viewer::Seat(seat)).options;
                if let Some(number) = options.iter().position(|option| option.label == *text) {
                    return Ok(table.choose_from(seat, number)?);
                }
                let Some(input) = table.parse(text) else {
                    return Err(malformed("this is neither a label nor in the game's notation"));
                };
                Ok(table.act_from(seat, &input)?)
            }
            _ => Err(malformed("say what to play in one way: input, choose or text")),
        }
    }

    async fn act(
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
        Ok(json!({ "t": "ok", "rev": self.room.rev(from.eyes) }))
    }

    // Telling.

    fn tell(&mut self, number: u64, text: Utf8Bytes) {
        let Some(socket) = self.sockets.get(&number) else { return };
        self.hall.metrics.told.add(1);
        if socket.out.try_send(Out::Text(text)).is_err() {
            // Whoever reads too slowly comes again with what he has; nobody waits for him.
            self.hall.metrics.slow.add(1);
            self.sockets.remove(&number);
            self.seats_due.get_or_insert(Instant::now() + SEATS_AFTER);
        }
    }

    fn tell_all(&mut self, message: &Value) {
        let text: Utf8Bytes = message.to_string().into();
        for number in self.numbers() {
            self.tell(number, text.clone());
        }
    }

    fn numbers(&self) -> Vec<u64> {
        self.sockets.keys().copied().collect()
    }

    /// Tells every socket the changes it has not heard of; each message is made once for all who see alike.
    fn catch_up(&mut self) {
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

    fn tell_over(&mut self) {
        // Who lags behind hears the rest first.
        self.catch_up();
        if let Some(over) = self.room.over() {
            self.tell_all(&over);
        }
        self.tell_clock();
    }

    fn tell_clock(&mut self) {
        let mut clock = self.clock_json();
        if clock.is_object() {
            clock["t"] = "clock".into();
            self.tell_all(&clock);
        }
    }

    fn seats_changed(&mut self) {
        self.seats_due.get_or_insert(Instant::now() + SEATS_AFTER);
    }

    fn tell_seats(&mut self) {
        let seats = self.room.seats_json(|seat| self.is_here(seat));
        let spectators = self.sockets.values().filter(|socket| socket.seats.is_empty()).count();
        self.tell_all(&json!({ "t": "seats", "seats": seats, "spectators": spectators }));
        self.hall.note(&self.room.id, self.summary(), self.room.clock_due());
    }

    // Coming and going.

    async fn welcome(
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
        let rev = self.room.rev(eyes);
        let missed = hello.have.and_then(|have| rev.checked_sub(have)).filter(|_| eyes != Eyes::ALL);
        let resumes = missed.is_some_and(|missed| {
            missed as usize <= self.hall.settings.missed.min(self.hall.settings.outbox / 2)
        });
        let told = self.greeting(eyes, &seats, host, &name, !resumes)?;
        let from = if resumes { hello.have.unwrap_or(rev) } else { rev };
        let socket = Socket { eyes, seats, host, name, out, lag, rev: from };
        self.sockets.insert(number, socket);
        self.tell(number, told.to_string().into());
        self.catch_up();
        if let Some(over) = self.room.over() {
            self.tell(number, over.to_string().into());
        }
        self.seats_changed();
        Ok(())
    }

    /// Bots that stood in for these seats get up.
    async fn come_back(&mut self, seats: &[Seat]) {
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

    fn greeting(
        &mut self,
        eyes: Eyes,
        seats: &[Seat],
        host: bool,
        name: &str,
        full: bool,
    ) -> Result<Value, Refusal> {
        let clock = self.clock_json();
        let mut told = self.room.welcome(eyes, full, &clock)?;
        told["you"] = json!({ "seats": seats, "host": host, "name": name });
        told["about"] = self.hall.about(self.room.table.game()).into();
        told["summary"] = self.summary();
        told["limits"] = self.hall.limits();
        Ok(told)
    }

    fn rights(&self, tokens: &[String]) -> Result<(Vec<Seat>, bool), Refusal> {
        let (seats, host) = self.room.rights(tokens);
        if !tokens.is_empty() && seats.is_empty() && !host {
            return Err(Refusal::new("BAD_TOKEN", "this token opens nothing in this match"));
        }
        Ok((seats, host))
    }

    fn name_for(&self, seats: &[Seat], wanted: Option<&str>) -> String {
        let held = seats.first().and_then(|seat| self.room.seats.get(usize::from(*seat)));
        let own = held.map(|holder| holder.name.clone()).filter(|name| !name.is_empty());
        let wanted = || wanted.and_then(|name| self.hall.clean_name(name).ok());
        own.or_else(wanted).unwrap_or_else(|| "somebody".to_owned())
    }

    // Messages.

    async fn heard(&mut self, number: u64, message: Message, at: Instant) {
        let Some(socket) = self.sockets.get(&number) else { return };
        let lag = u64::from(socket.lag.load(Ordering::Relaxed));
        let (seats, eyes) = (socket.seats.clone(), socket.eyes);
        let from = Sender { eyes, seats, host: socket.host, name: socket.name.clone(), lag };
        let mut reply = Some(Reply::Socket(socket.out.clone()));
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
            Want::Why { moment, seat } => {
                let through = self.room.eyes_for(from.eyes, seat)?;
                let real = self.room.moment(from.eyes, moment)?;
                Ok(json!({ "t": "why", "moment": moment, "lines": self.room.why(through, real) }))
            }
            Want::Log { from: first, to } => {
                Ok(json!({ "t": "log", "entries": self.room.log(from.eyes, first, to, 200) }))
            }
            Want::Timeline { from: first, to } => {
                let last = to.unwrap_or(u32::MAX).min(first.saturating_add(499));
                Ok(json!({ "t": "timeline", "nodes": self.room.nodes(from.eyes, first, last) }))
            }
            Want::Branches => Ok(json!({ "t": "branches", "branches": self.room.branches(from.eyes) })),
            Want::Try { from: first, inputs, world } => self.try_out(from, id, first, inputs, world, reply),
            Want::Forecast { option, rev } => self.forecast(from, id, option, rev, reply),
            Want::Steps { moment } => {
                self.may_study()?;
                let real = self.room.moment(from.eyes, moment)?;
                Ok(json!({ "t": "steps", "moment": moment, "steps": self.room.table.steps(real) }))
            }
            Want::Hint { bot } => self.hint(from, id, bot, reply),
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
                Ok(json!({ "t": "ok", "rev": self.room.rev(from.eyes) }))
            }
            Want::Say { text, moment } => self.say(from, &text, moment).await,
            Want::Name { name } => self.rename(from, &name).await,
            Want::Leave => self.leave(from, &id, reply).await,
            Want::Renew => self.renew(from, &id, reply).await,
            Want::Mute(somebody) => self.mute(from, &somebody, true).await,
            Want::Unmute(somebody) => self.mute(from, &somebody, false).await,
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

    fn practice(&self) -> Result<(), Refusal> {
        if self.room.options.practice {
            return Ok(());
        }
        Err(Refusal::new("NO_PRACTICE", "this is for practice: a match with people is played as it is"))
    }

    fn may_study(&self) -> Result<(), Refusal> {
        if self.room.options.practice || self.room.is_over() {
            return Ok(());
        }
        Err(Refusal::new("NO_PRACTICE", "this may be asked in practice, or when the match is over"))
    }

    fn look(&mut self, eyes: Eyes, moment: u32, seat: Option<i16>) -> Result<Value, Refusal> {
        let through = self.room.eyes_for(eyes, seat)?;
        let real = self.room.moment(eyes, moment)?;
        let mut now = self.room.now(eyes, through, real)?;
        if self.room.table.here() != real {
            now["moment"] = moment.into();
        }
        let told = self.room.told(through, real);
        Ok(json!({ "t": "looked", "moment": moment, "now": now, "told": told }))
    }

    fn view(&mut self, eyes: Eyes, moment: Option<u32>) -> Result<Value, Refusal> {
        let real = match moment {
            Some(moment) => self.room.moment(eyes, moment)?,
            None => self.room.seen_here(eyes),
        };
        self.room.view_json(eyes, real)
    }

    // Studying: on the pool, with tables of its own.

    fn submit(
        &self,
        reply: &mut Option<Reply>,
        id: String,
        study: impl FnOnce() -> Result<Value, Refusal> + Send + 'static,
    ) -> Result<Value, Refusal> {
        let taken = reply.take();
        let waits = std::sync::Mutex::new(taken);
        let waits = Arc::new(waits);
        let job = Arc::clone(&waits);
        let submitted = self.hall.pool.submit(move || {
            let done = study();
            let reply = job.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            if let Some(reply) = reply {
                reply.send(&answer(&id, done));
            }
        });
        if submitted {
            return Ok(Value::Null);
        }
        *reply = waits.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        Err(Refusal::new("BUSY", "too many thoughts wait already").retry(1000))
    }

    fn try_out(
        &mut self,
        from: &Sender,
        id: String,
        first: u32,
        inputs: Vec<Play>,
        world: u64,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        if inputs.len() > self.hall.settings.tries {
            let text = format!("a what-if has at most {} inputs", self.hall.settings.tries);
            return Err(Refusal::new("TOO_MANY", text));
        }
        let real = self.room.moment(from.eyes, first)?;
        let viewer = from.eyes.viewer(&*self.room.table);
        let table = self.room.table.imagine(real, viewer, world)?;
        let eyes = from.eyes;
        self.submit(reply, id, move || Ok(study::try_out(table, eyes, first, &inputs)))
    }

    fn forecast(
        &mut self,
        from: &Sender,
        id: String,
        option: usize,
        rev: u64,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        from.seat()?;
        if rev != self.room.rev(from.eyes) {
            return Err(Refusal::new("STALE", "something happened since: look again"));
        }
        let viewer = from.eyes.viewer(&*self.room.table);
        let Viewer::Seat(seat) = viewer else {
            return Err(Refusal::new("OVER", "the match has ended"));
        };
        let input = self.room.table.inputs(viewer).into_iter().nth(option);
        let input =
            input.ok_or_else(|| Refusal::new("UNKNOWN_OPTION", format!("there is no option {option}")))?;
        let here = self.room.table.here();
        let worlds = (0..study::WORLDS).map(|world| self.room.table.imagine(here, viewer, world));
        let worlds = worlds.collect::<Result<Vec<_>, _>>()?;
        self.submit(reply, id, move || study::forecast(worlds, seat, &input))
    }

    fn hint(
        &mut self,
        from: &Sender,
        id: String,
        bot: Option<String>,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        self.may_study()?;
        let seat = from.seat()?;
        let seat = self.room.table.actor().filter(|actor| from.seats.contains(actor)).unwrap_or(seat);
        let bot = self.bot_or_best(bot)?;
        let here = self.room.table.here();
        let mut table = self.room.table.at(here)?;
        table.seat_bot(seat, &bot, self.room.bot_seed())?;
        if table.actor() != Some(seat) {
            return Err(Refusal::new("NOT_YOURS", "it is not your turn"));
        }
        self.submit(reply, id, move || study::hint(&*table, seat, &bot))
    }

    fn bot_or_best(&self, bot: Option<String>) -> Result<String, Refusal> {
        match bot {
            Some(bot) => {
                self.hall.check_bot(self.room.table.game(), &bot)?;
                Ok(bot)
            }
            None => self
                .hall
                .best_bot(self.room.table.game())
                .ok_or_else(|| Refusal::new("UNKNOWN_BOT", "this game has no bots")),
        }
    }

    fn review(
        &mut self,
        from: &Sender,
        id: String,
        seat: Option<Seat>,
        bot: Option<String>,
        reply: &mut Option<Reply>,
    ) -> Result<Value, Refusal> {
        self.may_study()?;
        let seat = seat.or(from.seats.first().copied()).unwrap_or(0);
        if usize::from(seat) >= self.room.seats.len() {
            return Err(Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")));
        }
        let player = self.hall.usual_bot(self.room.table.game());
        let player = player.ok_or_else(|| Refusal::new("UNKNOWN_BOT", "this game has no bots"))?;
        let adviser = self.bot_or_best(bot)?;
        let turns = self.room.turns_of(seat, from.eyes, study::TURNS)?;
        let seed = self.room.bot_seed();
        self.submit(reply, id, move || Ok(study::review(turns, seat, &player, &adviser, seed)))
    }

    // Offers.

    async fn offer(
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
        if let Some(open) = self.room.offers.iter().find(|open| open.what == what && open.moment == moment) {
            // Two who offer the same agree.
            let number = open.offer;
            if !from.seats.contains(&open.by) {
                return self.answer_offer(from, number, true).await;
            }
            return Ok(json!({ "t": "ok", "offer": number }));
        }
        let offer = Offer { offer: self.room.next_offer(), what, by, moment, seat, yes: vec![by] };
        let number = offer.offer;
        let alone = self.room.wanted_for(&offer).len() <= 1;
        if alone || self.room.options.practice && what != What::Rematch {
            self.carry_out(&offer).await?;
            return Ok(json!({ "t": "ok", "offer": null, "rev": self.room.rev(from.eyes) }));
        }
        let record = Record::Offer { offer: number, what, by, moment, seat };
        self.commit(String::new(), vec![record], None).await?;
        self.tell_offer(&offer);
        Ok(json!({ "t": "ok", "offer": number }))
    }

    fn may_be_offered(&self, what: What, seat: Option<Seat>) -> Result<(), Refusal> {
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
    fn back_to(&mut self, from: &Sender, moment: Option<u32>) -> Result<Moment, Refusal> {
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

    fn tell_offer(&mut self, offer: &Offer) {
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

    async fn answer_offer(&mut self, from: &Sender, number: u64, yes: bool) -> Result<Value, Refusal> {
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

    async fn settle(&mut self, offer: u64, accepted: bool) -> Result<(), Refusal> {
        self.commit(String::new(), vec![Record::Settled { offer, accepted }], None).await?;
        self.tell_all(&json!({ "t": "settled", "offer": offer, "accepted": accepted }));
        Ok(())
    }

    async fn carry_out(&mut self, offer: &Offer) -> Result<(), Refusal> {
        match offer.what {
            What::Takeback => self.go(offer.moment.unwrap_or(0), Some(offer.by)).await,
            What::Draw => self.end(Outcome::Drawn, Ending::Agreed).await,
            What::Pause => self.pause(true).await,
            What::Resume => self.pause(false).await,
            What::Bot => self.stand_in(offer.seat.unwrap_or(0)).await,
            What::Rematch => self.rematch().await,
        }
    }

    async fn pause(&mut self, paused: bool) -> Result<(), Refusal> {
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

    async fn rematch(&mut self) -> Result<(), Refusal> {
        let (wanted, seats) = (self.room.wanted.clone(), self.room.seats.clone());
        let id = self.hall.again(wanted, seats, self.room.options.clone()).await?;
        self.commit(String::new(), vec![Record::Next { id: id.clone() }], None).await?;
        self.tell_all(&json!({ "t": "rematch", "match": id }));
        Ok(())
    }

    async fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        // The game's own way, if it has one for this seat now.
        let own = self.room.table.parse("resign");
        if let Some(input) = own
            && let Ok(moment) = self.room.table.act_from(seat, &input)
        {
            return self.played(moment, Some(seat), None, 0).await;
        }
        self.forfeit(seat, Ending::Forfeit).await
    }

    // People.

    async fn say(&mut self, from: &Sender, text: &str, moment: Option<u32>) -> Result<Value, Refusal> {
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
            None => self.room.is_muted(&from.name),
        };
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
        for number in self.numbers() {
            let Some(eyes) = self.sockets.get(&number).map(|socket| socket.eyes) else { continue };
            if let Some(mut said) = self.room.said_json(eyes, n) {
                said["t"] = "said".into();
                self.tell(number, said.to_string().into());
            }
        }
        Ok(json!({ "t": "ok", "n": n }))
    }

    async fn rename(&mut self, from: &Sender, name: &str) -> Result<Value, Refusal> {
        let name = self.hall.clean_name(name)?;
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

    async fn leave(&mut self, from: &Sender, id: &str, reply: &mut Option<Reply>) -> Result<Value, Refusal> {
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
    fn lose_seat(&mut self, seat: Seat) {
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
    async fn renew(&mut self, from: &Sender, id: &str, reply: &mut Option<Reply>) -> Result<Value, Refusal> {
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

    async fn mute(&mut self, from: &Sender, somebody: &Somebody, muted: bool) -> Result<Value, Refusal> {
        from.host()?;
        match (somebody.seat, &somebody.name) {
            (Some(seat), _) => {
                let held = self.room.seats.get(usize::from(seat)).cloned();
                let held =
                    held.ok_or_else(|| Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")))?;
                self.seat(seat, Holder { muted, ..held }).await?;
            }
            (None, Some(name)) => {
                let record = Record::Muted { name: name.clone(), muted };
                self.commit(String::new(), vec![record], None).await?;
            }
            (None, None) => return Err(malformed("say whom: seat or name")),
        }
        Ok(json!({ "t": "ok" }))
    }

    async fn remove(&mut self, from: &Sender, somebody: &Somebody) -> Result<Value, Refusal> {
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
                for number in self.numbers() {
                    let Some(socket) = self.sockets.get(&number) else { continue };
                    if socket.seats.is_empty() && socket.name == *name {
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

    fn empty_seat(&self, seat: Seat) -> Result<(), Refusal> {
        let held = self.room.seats.get(usize::from(seat));
        let held = held.ok_or_else(|| Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")))?;
        match held.who {
            Who::Open | Who::Invited => Ok(()),
            Who::Bot if held.token.is_none() => Ok(()),
            Who::Person | Who::Bot => Err(Refusal::new("SEAT_TAKEN", "somebody sits there")),
        }
    }

    async fn free(&mut self, seat: Seat) -> Result<String, Refusal> {
        self.empty_seat(seat)?;
        self.make_free(seat).await
    }

    async fn make_free(&mut self, seat: Seat) -> Result<String, Refusal> {
        if usize::from(seat) >= self.room.seats.len() {
            return Err(Refusal::new("UNKNOWN_SEAT", format!("there is no seat {seat}")));
        }
        let invitation = token::secret('i')?;
        let holder =
            Holder { who: Who::Invited, invitation: Some(token::hash(&invitation)), ..Holder::default() };
        self.seat(seat, holder).await?;
        Ok(invitation)
    }

    async fn join(&mut self, join: &Join) -> Result<Value, Refusal> {
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

    // HTTP.

    async fn serve(
        &mut self,
        tokens: &[String],
        request: Request,
        done: oneshot::Sender<Result<Value, Refusal>>,
    ) {
        let told = match request {
            Request::Send(message) => return self.send(tokens, *message, done).await,
            Request::Summary => Ok(self.summary()),
            Request::Mine => self.mine(tokens),
            Request::Now => self
                .spy(tokens)
                .and_then(|from| self.greeting(from.eyes, &from.seats, from.host, &from.name, true)),
            Request::At(moment) => self.spy(tokens).and_then(|from| self.look(from.eyes, moment, None)),
            Request::File => self.file(tokens).await,
            Request::Join(join) => self.join(&join).await,
            Request::Delete => self.delete(tokens).await,
        };
        let _ = done.send(told);
    }

    /// Who asks, with the rights of his tokens.
    fn spy(&self, tokens: &[String]) -> Result<Sender, Refusal> {
        let (seats, host) = self.rights(tokens)?;
        if seats.is_empty() && !host {
            self.room.may_watch()?;
        }
        let (eyes, name) = (self.room.eyes(&seats), self.name_for(&seats, None));
        Ok(Sender { eyes, seats, host, name, lag: 0 })
    }

    fn mine(&self, tokens: &[String]) -> Result<Value, Refusal> {
        let (seats, host) = self.rights(tokens)?;
        let actor = self.room.table.actor().filter(|_| !self.room.is_over());
        let mut told = self.summary();
        told["turn"] = actor.is_some_and(|actor| seats.contains(&actor)).into();
        told["mine"] = json!(seats);
        told["host"] = host.into();
        Ok(told)
    }

    async fn send(
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
            told["missed"] = self.missed(from.eyes, rev);
        }
        let _ = done.send(Ok(told));
    }

    fn missed(&mut self, eyes: Eyes, have: u64) -> Value {
        let (last, clock) = (self.room.rev(eyes), self.clock_json());
        let first = have.max(last.saturating_sub(self.hall.settings.missed as u64));
        (first + 1..=last).filter_map(|rev| self.room.moved(eyes, rev, rev == last, &clock)).collect()
    }

    async fn file(&mut self, tokens: &[String]) -> Result<Value, Refusal> {
        let from = self.spy(tokens)?;
        if !(self.room.is_over() || self.room.options.practice && from.host) {
            return Err(Refusal::new(
                "NO_PRACTICE",
                "the match file holds everything: it is given when the match is over",
            ));
        }
        let lines = self.hall.lines(&self.room.id).await?;
        Ok(Room::file(&lines).into())
    }

    async fn delete(&mut self, tokens: &[String]) -> Result<Value, Refusal> {
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
