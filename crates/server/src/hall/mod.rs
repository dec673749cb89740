//! The hall: which matches there are, who keeps those that are awake, and how new ones are opened.

mod lists;
mod opening;
mod visitors;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use turnstone_table::Games;

use crate::keeper::{Ask, Keeper, Request};
use crate::metrics::{Metrics, log, wall_ms};
use crate::page::File;
use crate::refusal::Refusal;
use crate::room::Room;
use crate::settings::Settings;
use crate::store::{Store, StoreError};
use crate::think::Pool;
use crate::token;
use crate::writer::Writer;
use crate::ws::Text;

use lists::Lists;
use visitors::Visitor;

/// So many matches may be woken at once.
const DOORS: usize = 16;

/// Asks that wait for a keeper.
const INBOX: usize = 64;

/// A match that must be woken and cannot is left alone for so many milliseconds.
const PUT_OFF: i64 = 60_000;

/// Lines that are read at once.
const PAGE: usize = 4096;

/// A server's matches.
pub struct Hall {
    /// The games that may be played.
    pub games: Games,
    /// All limits.
    pub settings: Settings,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Where everything is appended.
    pub writer: Writer,
    /// Where bots think.
    pub pool: Pool,
    store: Arc<dyn Store>,
    awake: Mutex<HashMap<String, mpsc::Sender<Ask>>>,
    waking: [tokio::sync::Mutex<()>; DOORS],
    lists: Mutex<Lists>,
    visitors: Mutex<HashMap<IpAddr, Visitor>>,
    changes: watch::Sender<u64>,
    /// When lists were last read from a store that others write, too.
    refreshed: AtomicI64,
    /// The lobby as sockets are told of it, after so many changes.
    shown: Mutex<Option<(u64, Text)>>,
    closing: AtomicBool,
    began: Instant,
    began_wall: i64,
    sockets: AtomicU64,
    own_origin: Mutex<Vec<String>>,
    offered: OnceLock<File>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sixteen bytes from hexadecimal digits; zeros for what is none.
pub fn unhex(text: &str) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (byte, at) in bytes.iter_mut().zip((0..text.len()).step_by(2)) {
        *byte = text.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok()).unwrap_or(0);
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Hall {
    /// Opens the hall: every match of the store is known when this returns.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn open(games: Games, settings: Settings, store: Arc<dyn Store>) -> Result<Arc<Hall>, StoreError> {
        let metrics = Arc::new(Metrics::default());
        let hall = Arc::new(Hall {
            writer: Writer::start(Arc::clone(&store), Arc::clone(&metrics)),
            pool: Pool::start(settings.thinkers, settings.thoughts),
            games,
            settings,
            metrics,
            store,
            awake: Mutex::default(),
            waking: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            lists: Mutex::default(),
            visitors: Mutex::default(),
            changes: watch::Sender::new(0),
            refreshed: AtomicI64::new(wall_ms()),
            shown: Mutex::new(None),
            closing: AtomicBool::new(false),
            began: Instant::now(),
            began_wall: wall_ms(),
            sockets: AtomicU64::new(0),
            own_origin: Mutex::default(),
            offered: OnceLock::new(),
        });
        hall.refresh(0)?;
        Ok(hall)
    }

    /// Looks after what is due: clocks of days, what other servers did, what is kept long enough.
    pub async fn look_after(self: Arc<Self>) {
        let mut beat = tokio::time::interval(Duration::from_secs(1));
        let mut beats = 0_u64;
        while !self.is_closing() {
            beat.tick().await;
            beats += 1;
            for id in self.due_now() {
                // What cannot be woken now is not asked again at once.
                if !self.ask(&id, Ask::Wake).await {
                    self.wake_at(&id, Some(wall_ms() + PUT_OFF));
                }
            }
            let hall = Arc::clone(&self);
            let done = tokio::task::spawn_blocking(move || hall.beat(beats)).await;
            if let Ok(Err(error)) = done {
                log("error", "store", json!({ "error": error.to_string() }));
            }
        }
    }

    fn beat(&self, beats: u64) -> Result<(), StoreError> {
        if self.store.is_shared() {
            // Clocks of servers differ a little, and what could not be read for a while is made up for.
            let begun = wall_ms();
            if self.refresh(self.refreshed.load(Ordering::SeqCst) - 15_000)? {
                self.refreshed.store(begun, Ordering::SeqCst);
            }
        }
        if beats % 3600 == 1 {
            self.clear_out()?;
        }
        self.forget_visitors();
        Ok(())
    }

    /// Milliseconds of a clock that never goes back.
    pub fn now_ms(&self) -> i64 {
        self.began.elapsed().as_millis() as i64
    }

    /// When the server began, in milliseconds since 1970.
    pub fn began_ms(&self) -> i64 {
        self.began_wall
    }

    /// Whether the match is awake.
    pub fn is_awake(&self, id: &str) -> bool {
        locked(&self.awake).contains_key(id)
    }

    /// A number for a socket.
    pub fn socket_number(&self) -> u64 {
        self.sockets.fetch_add(1, Ordering::Relaxed)
    }

    // Keepers.

    /// Asks the keeper of a match, and wakes it if need be.
    pub async fn ask(self: &Arc<Self>, id: &str, mut ask: Ask) -> bool {
        for _ in 0..4 {
            let keeper = match self.keeper(id).await {
                Ok(keeper) => keeper,
                Err(refusal) => {
                    refuse(ask, refusal);
                    return false;
                }
            };
            match keeper.send(ask).await {
                Ok(()) => return true,
                // It fell asleep just then.
                Err(mpsc::error::SendError(unsent)) => ask = unsent,
            }
            tokio::task::yield_now().await;
        }
        refuse(ask, Refusal::new("BUSY", "the match cannot be woken now").retry(1000));
        false
    }

    /// The keeper of a match.
    ///
    /// # Errors
    /// If there is no such match, or it cannot be woken.
    pub async fn keeper(self: &Arc<Self>, id: &str) -> Result<mpsc::Sender<Ask>, Refusal> {
        if self.is_closing() {
            return Err(Refusal::new("CLOSING", "the server is going down").retry(2000));
        }
        let no_match = || Refusal::new("NO_MATCH", "there is no such match");
        if !token::is_match_id(id) {
            return Err(no_match());
        }
        let awake = |id: &str| locked(&self.awake).get(id).filter(|keeper| !keeper.is_closed()).cloned();
        if let Some(keeper) = awake(id) {
            return Ok(keeper);
        }
        // Nobody is woken twice, nor while it is deleted.
        let _one_at_a_time = self.door(id).lock().await;
        if let Some(keeper) = awake(id) {
            return Ok(keeper);
        }
        self.may_wake()?;
        let room = match self.load(id).await {
            Ok(room) => room,
            Err(refusal) => {
                // Another server of the same store has deleted it.
                if refusal.code == "NO_MATCH" {
                    locked(&self.lists).forget(id);
                }
                return Err(refusal);
            }
        };
        Ok(self.keep(room, false))
    }

    /// Where one must be to wake a match, or to see to it that nobody does.
    fn door(&self, id: &str) -> &tokio::sync::Mutex<()> {
        let door = id.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
        &self.waking[door % DOORS]
    }

    fn may_wake(&self) -> Result<(), Refusal> {
        if locked(&self.awake).len() >= self.settings.awake {
            return Err(Refusal::new("BUSY", "too many matches are awake").retry(5000));
        }
        Ok(())
    }

    /// Has a match kept; `visited` if somebody is about to come.
    fn keep(self: &Arc<Self>, room: Room, visited: bool) -> mpsc::Sender<Ask> {
        let (me, inbox) = mpsc::channel(INBOX);
        locked(&self.awake).insert(room.id.clone(), me.clone());
        tokio::spawn(Keeper::new(Arc::clone(self), room, inbox, me.downgrade(), visited).keep());
        me
    }

    /// A keeper has gone; who is awaited there was seen last at that time.
    pub fn asleep(&self, id: &str, seen: Option<i64>) {
        if let Some(seen) = seen {
            self.note_seen(id, seen);
        }
        locked(&self.awake).remove(id);
    }

    /// All lines of a match.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn lines(&self, id: &str) -> Result<Vec<String>, Refusal> {
        let (store, id) = (Arc::clone(&self.store), id.to_owned());
        let read = tokio::task::spawn_blocking(move || {
            let mut lines: Vec<String> = Vec::new();
            loop {
                let more = store.read(&id, lines.len() as u64, PAGE)?;
                let last = more.len() < PAGE;
                lines.extend(more);
                if last {
                    return Ok::<_, StoreError>(lines);
                }
            }
        });
        Ok(read.await.map_err(|_| Refusal::new("CLOSING", "the server is going down"))??)
    }

    /// A match as the store has it.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub async fn load(&self, id: &str) -> Result<Room, Refusal> {
        let lines = self.lines(id).await?;
        let (games, id) = (self.games, id.to_owned());
        let loaded = tokio::task::spawn_blocking(move || Room::load(games, &id, &lines)).await;
        loaded.map_err(|_| Refusal::new("STORAGE", "the match cannot be read: its game has failed"))?
    }

    /// Asks over HTTP.
    ///
    /// # Errors
    /// As the keeper says.
    pub async fn request(
        self: &Arc<Self>,
        id: &str,
        tokens: Vec<String>,
        request: Request,
    ) -> Result<Value, Refusal> {
        let (done, answer) = oneshot::channel();
        self.ask(id, Ask::Http { tokens, request, done }).await;
        answer.await.unwrap_or_else(|_| Err(Refusal::new("CLOSING", "the server is going down").retry(2000)))
    }

    // The end.

    /// Deletes a match.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn forget(&self, id: &str) -> Result<bool, Refusal> {
        let (store, name) = (Arc::clone(&self.store), id.to_owned());
        let done = tokio::task::spawn_blocking(move || store.forget(&name)).await;
        let gone = done.map_err(|_| Refusal::new("CLOSING", "the server is going down"))??;
        locked(&self.lists).forget(id);
        self.changes.send_modify(|changes| *changes += 1);
        log("info", "deleted", json!({ "match": id }));
        Ok(gone)
    }

    /// The operator deletes a match: whoever sits there is sent away.
    ///
    /// # Errors
    /// If there is none, or the store cannot.
    pub async fn delete(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        // Whoever asks in between would wake it, and what he is told of would stand in lists for ever.
        let _nobody_wakes_it = self.door(id).lock().await;
        let keeper = locked(&self.awake).get(id).cloned();
        if let Some(keeper) = keeper {
            let _ = keeper.send(Ask::Stop).await;
            keeper.closed().await;
        }
        if !self.forget(id).await? {
            return Err(Refusal::new("NO_MATCH", "there is no such match"));
        }
        Ok(())
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// Why it does not.
    pub async fn ready(&self) -> Result<(), Refusal> {
        let store = Arc::clone(&self.store);
        let read = tokio::task::spawn_blocking(move || store.list(i64::MAX, "", 1)).await;
        read.map_err(|_| Refusal::new("CLOSING", "the server is going down"))??;
        if self.is_closing() {
            return Err(Refusal::new("CLOSING", "the server is going down"));
        }
        Ok(())
    }

    /// Whether the server is going down.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// Lets every keeper finish what it does, and sends everybody away to come again.
    pub async fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.changes.send_modify(|changes| *changes += 1);
        self.pool.close();
        let keepers: Vec<mpsc::Sender<Ask>> = locked(&self.awake).values().cloned().collect();
        for keeper in keepers {
            let _ = keeper.send(Ask::Stop).await;
        }
        for _ in 0..200 {
            if locked(&self.awake).is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        // Everybody should hear that he may come again, before the lines are cut.
        for _ in 0..120 {
            if locked(&self.visitors).values().all(|visitor| visitor.sockets == 0) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }
}

/// Tells whoever asked that nothing came of it.
fn refuse(ask: Ask, refusal: Refusal) {
    match ask {
        Ask::Hello { done, .. } => {
            let _ = done.send(Err(refusal));
        }
        Ask::Http { done, .. } => {
            let _ = done.send(Err(refusal));
        }
        Ask::Heard { .. } | Ask::Gone { .. } | Ask::Slow { .. } | Ask::Thought { .. } => {}
        Ask::Changed { .. } | Ask::Wake | Ask::Stop => {}
    }
}
