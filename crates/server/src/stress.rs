//! Load: many matches with people and spectators, each with one legal input a second, and how long everybody waits
//! for it. It only ever talks to this machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::client::{Client, open, request};
use crate::message::PROTOCOL;
use crate::refusal::Refusal;

/// Whoever is not answered for so long will not be.
const PATIENCE: Duration = Duration::from_secs(20);

/// How much load.
#[derive(Clone, Debug)]
pub struct Load {
    /// The server: `127.0.0.1:port`.
    pub place: String,
    /// Matches.
    pub matches: u32,
    /// Spectators, spread over them.
    pub spectators: u32,
    /// Sockets that only sit there.
    pub idle: u32,
    /// How long.
    pub seconds: u64,
    /// A match is left after so many inputs, and another one opened; 0 plays it to its end.
    pub inputs: u64,
    /// The games, each with the number of its seats; matches are spread over them.
    pub games: Vec<(String, usize)>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Inputs that were acknowledged.
    pub inputs: u64,
    /// Messages that were heard.
    pub heard: u64,
    /// Bytes that were heard.
    pub bytes: u64,
    /// Inputs that were refused, by code.
    pub refused: Vec<(String, u64)>,
    /// Acknowledged inputs that the server does not have in the end.
    pub lost: i64,
    /// Connections that broke.
    pub broken: u64,
    /// Microseconds from sending an input to hearing of it, for every socket that heard, in order.
    pub waits: Vec<u64>,
    /// Matches that were opened.
    pub opened: u64,
    /// Idle sockets that were there at the end.
    pub idle: u64,
}

impl Report {
    /// The wait that so many thousandths of all are within, in microseconds.
    pub fn wait(&self, thousandths: usize) -> u64 {
        let at = (self.waits.len() * thousandths / 1000).min(self.waits.len().saturating_sub(1));
        self.waits.get(at).copied().unwrap_or(0)
    }

    /// As it is printed for programs.
    pub fn json(&self) -> Value {
        json!({
            "inputs": self.inputs, "opened": self.opened, "heard": self.heard, "bytes": self.bytes,
            "refused": self.refused, "lost": self.lost, "broken": self.broken, "idle": self.idle,
            "wait_us": { "p50": self.wait(500), "p90": self.wait(900), "p99": self.wait(990), "p999": self.wait(999),
                         "max": self.wait(1000) },
        })
    }
}

/// The part of a message that the load needs.
#[derive(Deserialize)]
struct Heard {
    t: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    rev: Option<u64>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    now: Option<Now>,
}

#[derive(Deserialize)]
struct Now {
    actor: Option<u8>,
    outcome: Option<IgnoredAny>,
    #[serde(default)]
    scene: Part,
    #[serde(default)]
    delta: Part,
}

/// What a scene or a change of one says of options.
#[derive(Default, Deserialize)]
struct Part {
    #[serde(default)]
    options: Option<Vec<IgnoredAny>>,
}

struct Shared {
    load: Load,
    stop: AtomicBool,
    heard: AtomicU64,
    bytes: AtomicU64,
    broken: AtomicU64,
    opened: AtomicU64,
    report: Mutex<Report>,
    opening: Semaphore,
}

/// Puts load on a server. `tell` hears how far it is.
///
/// # Errors
/// If the server is not on this machine, or no match can be opened.
pub async fn stress(load: Load, tell: impl Fn(&str)) -> Result<Report, Refusal> {
    if !load.place.starts_with("127.0.0.1:") {
        return Err(Refusal::new("NOT_LOOPBACK", "load is put on this machine only"));
    }
    let shared = Arc::new(Shared {
        stop: AtomicBool::new(false),
        heard: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        broken: AtomicU64::new(0),
        opened: AtomicU64::new(0),
        report: Mutex::default(),
        opening: Semaphore::new(16),
        load,
    });
    tell("opening");
    let idle = idle_sockets(&shared).await?;
    let (begin, begun) = tokio::sync::watch::channel(false);
    let mut matches = Vec::new();
    let (ready, mut readies) = mpsc::unbounded_channel();
    for number in 0..shared.load.matches {
        let (shared, begun, ready) = (Arc::clone(&shared), begun.clone(), ready.clone());
        matches.push(tokio::spawn(async move { drive(shared, number, begun, ready).await }));
    }
    for _ in 0..shared.load.matches {
        readies.recv().await;
    }
    tell("playing");
    let _ = begin.send(true);
    tokio::time::sleep(Duration::from_secs(shared.load.seconds)).await;
    shared.stop.store(true, Ordering::SeqCst);
    tell("counting");
    for one in matches {
        let _ = one.await;
    }
    let mut report = shared.report.lock().await.clone();
    report.waits.sort_unstable();
    report.heard = shared.heard.load(Ordering::SeqCst);
    report.bytes = shared.bytes.load(Ordering::SeqCst);
    report.broken = shared.broken.load(Ordering::SeqCst);
    report.opened = shared.opened.load(Ordering::SeqCst);
    report.idle = idle.len() as u64;
    Ok(report)
}

/// Sockets that say hello to the lobby and then nothing.
async fn idle_sockets(shared: &Arc<Shared>) -> Result<Vec<tokio::task::JoinHandle<()>>, Refusal> {
    let mut idle = Vec::new();
    if shared.load.idle == 0 {
        return Ok(idle);
    }
    let mut places = Vec::new();
    for _ in 0..shared.load.idle.div_ceil(400) {
        places.push(open_one(shared, 0).await?["match"].as_str().unwrap_or_default().to_owned());
    }
    for number in 0..shared.load.idle {
        let id = &places[number as usize / 400];
        let (mut client, _) = Client::sit(&shared.load.place, id, &[], None).await?;
        idle.push(tokio::spawn(async move { while client.hear().await.is_ok() {} }));
    }
    Ok(idle)
}

async fn open_one(shared: &Shared, number: u32) -> Result<Value, Refusal> {
    let _turn = shared.opening.acquire().await;
    let (game, seats) = &shared.load.games[number as usize % shared.load.games.len()];
    let seats = vec![json!({ "who": "me" }); *seats];
    let opened =
        open(&shared.load.place, &json!({ "game": game, "seats": seats, "practice": false })).await?;
    shared.opened.fetch_add(1, Ordering::SeqCst);
    Ok(opened)
}

/// One match: its sockets, and one input a second; a new one when it is over.
async fn drive(
    shared: Arc<Shared>,
    number: u32,
    mut begun: tokio::sync::watch::Receiver<bool>,
    ready: mpsc::UnboundedSender<()>,
) {
    let mut chance = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut first = true;
    while !shared.stop.load(Ordering::SeqCst) {
        let sat = sit_down(&shared, number).await;
        if std::mem::take(&mut first) {
            let _ = ready.send(());
            let _ = begun.wait_for(|begun| *begun).await;
            // Not all in the same moment.
            tokio::time::sleep(Duration::from_millis(u64::from(number) * 997 % 1000)).await;
        }
        match sat {
            Ok(mut table) => table.play(&shared, &mut chance).await,
            Err(_) => {
                shared.broken.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }
}

struct Table {
    id: String,
    /// Those who play first, then those who watch.
    clients: Vec<Client>,
    tokens: Vec<String>,
    /// The seats of each socket that plays.
    seats: Vec<u8>,
    players: usize,
    revs: Vec<u64>,
    actor: Option<u8>,
    options: Vec<usize>,
    over: bool,
    acked: u64,
}

async fn sit_down(shared: &Arc<Shared>, number: u32) -> Result<Table, Refusal> {
    let opened = open_one(shared, number).await?;
    let id = opened["match"].as_str().unwrap_or_default().to_owned();
    let tokens: Vec<String> = opened["seats"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|seat| seat["token"].as_str().map(str::to_owned))
        .collect();
    let matches = shared.load.matches.max(1);
    let extra = u32::from(number < shared.load.spectators % matches);
    let spectators = (shared.load.spectators / matches + extra) as usize;
    let mut table = Table {
        id,
        clients: Vec::new(),
        tokens: tokens.clone(),
        seats: Vec::new(),
        players: 2,
        revs: Vec::new(),
        actor: None,
        options: Vec::new(),
        over: false,
        acked: 0,
    };
    for socket in 0..2 + spectators {
        let seat = socket.min(tokens.len().saturating_sub(1));
        let held = if socket < 2 { vec![tokens[seat].clone()] } else { Vec::new() };
        let mut client = Client::connect(&shared.load.place).await?;
        client
            .send(&json!({ "t": "hello", "protocol": PROTOCOL, "match": table.id, "tokens": held, "brief": true }))
            .await?;
        let welcome = client.hear().await?;
        if welcome["t"] != "welcome" {
            return Err(crate::client::refusal(&welcome));
        }
        table.seats.push(seat as u8);
        table.revs.push(welcome["rev"].as_u64().unwrap_or(0));
        table.options.push(welcome["now"]["scene"]["options"].as_array().map_or(0, Vec::len));
        table.actor = welcome["now"]["actor"].as_u64().map(|actor| actor as u8);
        table.clients.push(client);
    }
    Ok(table)
}

impl Table {
    async fn play(&mut self, shared: &Shared, chance: &mut u64) {
        let mut beat = Instant::now();
        let mut numbers = 0_u64;
        let (mut waits, mut refused) = (Vec::new(), Vec::new());
        let most = if shared.load.inputs == 0 { u64::MAX } else { shared.load.inputs };
        while !shared.stop.load(Ordering::SeqCst) && !self.over && numbers < most {
            tokio::time::sleep_until(beat.into()).await;
            beat += Duration::from_secs(1);
            let Some(socket) = self.acting() else { break };
            *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let choose = (*chance >> 33) as usize % self.options[socket].max(1);
            numbers += 1;
            let id = numbers.to_string();
            let act = json!({ "t": "act", "id": id, "rev": self.revs[socket], "choose": choose });
            let sent = Instant::now();
            let said = self.clients[socket].send(&act).await;
            let answered = match said {
                Ok(()) => self.listen(shared, &id, sent, beat, &mut waits).await,
                Err(refusal) => Err(refusal),
            };
            match answered {
                Ok(Some(code)) => refused.push(code),
                Ok(None) => self.acked += 1,
                Err(_) => {
                    shared.broken.fetch_add(1, Ordering::SeqCst);
                    break;
                }
            }
        }
        self.count(shared, waits, refused).await;
    }

    /// The socket that is to act; none if nobody can.
    fn acting(&self) -> Option<usize> {
        let actor = self.actor;
        let can = |socket: &usize| {
            self.options[*socket] > 0 && actor.is_none_or(|actor| self.seats[*socket] == actor)
        };
        (0..self.players.min(self.seats.len())).find(can)
    }

    /// The next message that any of the sockets hears: its number, and the text.
    async fn hear(&mut self) -> Result<(usize, Utf8Bytes), Refusal> {
        std::future::poll_fn(|context| {
            for (socket, client) in self.clients.iter_mut().enumerate() {
                if let Poll::Ready(heard) = client.poll_text(context) {
                    return Poll::Ready(heard.map(|text| (socket, text)));
                }
            }
            Poll::Pending
        })
        .await
    }

    /// Hears what there is until the input is answered and the next one is due. Gives the code of a refusal.
    async fn listen(
        &mut self,
        shared: &Shared,
        id: &str,
        sent: Instant,
        beat: Instant,
        waits: &mut Vec<u64>,
    ) -> Result<Option<String>, Refusal> {
        let mut late = sent + PATIENCE;
        let mut answered = Err(Refusal::new("LOST", "an input was not answered"));
        while let Ok(heard) = tokio::time::timeout_at(late.into(), self.hear()).await {
            let (socket, text) = heard?;
            let took = sent.elapsed();
            shared.heard.fetch_add(1, Ordering::Relaxed);
            shared.bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
            let Ok(heard) = serde_json::from_str::<Heard>(&text) else { continue };
            if heard.t == "moved" {
                waits.push(took.as_micros() as u64);
                self.revs[socket] = heard.rev.unwrap_or(self.revs[socket]);
            }
            self.over |= heard.t == "over";
            if let Some(now) = heard.now {
                self.actor = now.actor;
                if let Some(options) = now.scene.options.or(now.delta.options) {
                    self.options[socket] = options.len();
                }
                self.over |= now.outcome.is_some();
            }
            if heard.id.as_deref() == Some(id) {
                answered = Ok(heard.code);
                late = beat;
            }
        }
        answered
    }

    async fn count(&mut self, shared: &Shared, waits: Vec<u64>, refused: Vec<String>) {
        for client in self.clients.drain(..) {
            client.close().await;
        }
        // Who holds all seats is told of everything that was played.
        let path = format!("/api/matches/{}/now", self.id);
        let now = request(&shared.load.place, "GET", &path, &self.tokens, "").await;
        let there = now.ok().and_then(|answer| answer.json()["rev"].as_i64());
        let mut report = shared.report.lock().await;
        report.inputs += self.acked;
        report.waits.extend(waits);
        // What was sent last may have been done without our hearing of it; nothing else may.
        let missing = there.map_or(self.acked as i64, |there| self.acked as i64 - there);
        report.lost += missing.max(0);
        for code in refused {
            match report.refused.iter_mut().find(|(one, _)| *one == code) {
                Some((_, count)) => *count += 1,
                None => report.refused.push((code, 1)),
            }
        }
    }
}
