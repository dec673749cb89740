//! The hall: which matches there are, who keeps those that are awake, and how new ones are opened.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use turnstone_table::{Games, Host, LoadError, Opening, Table, no_such_bot, read_seed};

use crate::keeper::{Ask, Keeper, Request};
use crate::message::{Control, Place, Wanted};
use crate::metrics::{Metrics, log, wall_ms};
use crate::page::File;
use crate::record::{Holder, Options, Record, Who, file_lines};
use crate::refusal::{Refusal, malformed};
use crate::room::{NAMELESS, Room, find_game, step, veil};
use crate::settings::Settings;
use crate::store::{Append, Head, Store, StoreError};
use crate::think::Pool;
use crate::token;
use crate::writer::Writer;
use crate::ws::Text;

/// So many matches may be woken at once.
const DOORS: usize = 16;

/// Asks that wait for a keeper.
const INBOX: usize = 64;

/// Lines that are read at once.
const PAGE: usize = 4096;

/// A match as lists know it: a server knows all of its store, so what is said of one is kept as text.
struct Known {
    summary: Box<str>,
    game: Box<str>,
    state: Box<str>,
    public: bool,
    touched: i64,
    /// By when lists put it in order: where it is not to be known when something was played, by when it was opened.
    listed: i64,
    length: u64,
}

/// The part of a summary by which lists look for it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Mark<'a> {
    game: &'a str,
    state: &'a str,
    public: bool,
    secret: bool,
    watch: &'a str,
    opened: i64,
    touched: i64,
    due: Option<i64>,
}

impl Known {
    /// What a summary says, as far as everybody may know; and for a clock of days when it is due.
    fn new(summary: String, length: u64, at: Option<i64>) -> (Self, Option<i64>) {
        let mark: Mark = serde_json::from_str(&summary).unwrap_or_default();
        let Mark { public, opened, due, .. } = mark;
        let touched = at.unwrap_or(mark.touched);
        let veiled = mark.state != "over" && (mark.secret || mark.watch != "open");
        let listed = if veiled { opened } else { touched };
        let (game, state) = (mark.game.into(), mark.state.into());
        let summary = if veiled { veiled_text(&summary) } else { summary };
        (Known { summary: summary.into(), game, state, public, touched, listed, length }, due)
    }

    fn summary(&self) -> Value {
        serde_json::from_str(&self.summary).unwrap_or_default()
    }
}

/// A summary without what not everybody may know while the match lasts.
fn veiled_text(summary: &str) -> String {
    let mut told = serde_json::from_str(summary).unwrap_or_default();
    veil(&mut told, false);
    told.to_string()
}

/// What is known of all matches; never more than a reflection of the store.
#[derive(Default)]
struct Lists {
    known: HashMap<String, Known>,
    /// Clocks of days: when which match is due.
    due: BTreeSet<(i64, String)>,
    due_of: HashMap<String, i64>,
}

impl Lists {
    fn note(&mut self, id: &str, known: Known, due: Option<i64>) {
        if let Some(old) = self.due_of.remove(id) {
            self.due.remove(&(old, id.to_owned()));
        }
        if let Some(due) = due {
            self.due.insert((due, id.to_owned()));
            self.due_of.insert(id.to_owned(), due);
        }
        self.known.insert(id.to_owned(), known);
    }

    fn forget(&mut self, id: &str) {
        self.known.remove(id);
        if let Some(old) = self.due_of.remove(id) {
            self.due.remove(&(old, id.to_owned()));
        }
    }
}

/// What one address does.
#[derive(Default)]
struct Visitor {
    sockets: usize,
    opened: Vec<Instant>,
    budget: f64,
    seen: Option<Instant>,
}

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

    /// Reads the heads of all matches that were appended to since then; tells keepers of those that others have
    /// appended to.
    fn refresh(&self, since: i64) -> Result<(), StoreError> {
        let (mut since, mut after) = (since, String::new());
        loop {
            let heads = self.store.list(since, &after, 1000)?;
            let Some(last) = heads.last() else { return Ok(()) };
            (since, after) = (last.at, last.id.clone());
            for head in heads {
                self.take_up(head);
            }
        }
    }

    fn take_up(&self, head: Head) {
        let Head { id, length, at, note } = head;
        let mut lists = locked(&self.lists);
        let behind = lists.known.get(&id).is_none_or(|known| known.length < length);
        if behind {
            let (known, due) = Known::new(note, length, Some(at));
            if known.public {
                self.changes.send_modify(|changes| *changes += 1);
            }
            lists.note(&id, known, due);
        }
        drop(lists);
        let keeper = locked(&self.awake).get(&id).cloned();
        if let Some(keeper) = keeper.filter(|_| behind) {
            let _ = keeper.try_send(Ask::Changed { length });
        }
    }

    /// Looks after what is due: clocks of days, what other servers did, what is kept long enough.
    pub async fn look_after(self: Arc<Self>) {
        let mut beat = tokio::time::interval(Duration::from_secs(1));
        let mut beats = 0_u64;
        while !self.is_closing() {
            beat.tick().await;
            beats += 1;
            for id in self.due_now() {
                self.ask(&id, Ask::Wake).await;
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
            self.refresh(self.refreshed.load(Ordering::SeqCst) - 15_000)?;
            self.refreshed.store(begun, Ordering::SeqCst);
        }
        if beats % 3600 == 1 {
            self.clear_out()?;
        }
        let mut visitors = locked(&self.visitors);
        visitors.retain(|_, visitor| {
            visitor.opened.retain(|at| at.elapsed() < Duration::from_secs(60));
            visitor.sockets > 0
                || !visitor.opened.is_empty()
                || visitor.seen.is_some_and(|seen| seen.elapsed() < Duration::from_secs(60))
        });
        Ok(())
    }

    fn due_now(&self) -> Vec<String> {
        let now = wall_ms();
        let lists = locked(&self.lists);
        let due = lists.due.iter().take_while(|(due, _)| *due <= now).take(100);
        due.map(|(_, id)| id.clone()).collect()
    }

    /// Deletes what was kept long enough.
    fn clear_out(&self) -> Result<(), StoreError> {
        let days = |days: u32| i64::from(days) * 86_400_000;
        let (finished, idle) = (self.settings.keep_finished_days, self.settings.keep_idle_days);
        let now = wall_ms();
        let old: Vec<String> = locked(&self.lists)
            .known
            .iter()
            .filter(|(_, known)| {
                let over = &*known.state == "over";
                let kept = if over { finished } else { idle };
                kept > 0 && known.touched < now - days(kept)
            })
            .map(|(id, _)| id.clone())
            .collect();
        for id in old {
            if locked(&self.awake).contains_key(&id) {
                continue;
            }
            self.store.forget(&id)?;
            locked(&self.lists).forget(&id);
            log("info", "forgotten", json!({ "match": id }));
        }
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
        // Nobody is woken twice.
        let door = id.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)))
            % DOORS;
        let _one_at_a_time = self.waking[door].lock().await;
        if let Some(keeper) = awake(id) {
            return Ok(keeper);
        }
        self.may_wake()?;
        let room = self.load(id).await?;
        Ok(self.keep(room))
    }

    fn may_wake(&self) -> Result<(), Refusal> {
        if locked(&self.awake).len() >= self.settings.awake {
            return Err(Refusal::new("BUSY", "too many matches are awake").retry(5000));
        }
        Ok(())
    }

    fn keep(self: &Arc<Self>, room: Room) -> mpsc::Sender<Ask> {
        let (me, inbox) = mpsc::channel(INBOX);
        locked(&self.awake).insert(room.id.clone(), me.clone());
        tokio::spawn(Keeper::new(Arc::clone(self), room, inbox, me.downgrade()).keep());
        me
    }

    /// A keeper has gone.
    pub fn asleep(&self, id: &str) {
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

    // Lists.

    /// What lists say about a match from now on, which has so many lines.
    pub fn note(&self, id: &str, summary: String, length: u64, due: Option<i64>) {
        let (known, _) = Known::new(summary, length, None);
        let mut lists = locked(&self.lists);
        // What looks the same is no news: it would tell that something was played.
        let news = known.public && lists.known.get(id).is_none_or(|old| old.summary != known.summary);
        lists.note(id, known, due);
        drop(lists);
        if news {
            self.changes.send_modify(|changes| *changes += 1);
        }
    }

    /// Hears of changes of the lobby.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// What a socket is told of the lobby: made once for all of them after each change.
    pub fn lobby_text(&self) -> Text {
        let changes = *self.changes.borrow();
        let mut shown = locked(&self.shown);
        if shown.as_ref().is_none_or(|(made, _)| *made != changes) {
            let mut told = self.lobby("", "", "", 50);
            told["t"] = "lobby".into();
            *shown = Some((changes, told.to_string().into()));
        }
        shown.as_ref().map_or_else(|| "".into(), |(_, text)| Arc::clone(text))
    }

    /// Public matches, the newest first, after the one of that name and time.
    pub fn lobby(&self, game: &str, state: &str, after: &str, limit: usize) -> Value {
        let after: Option<(i64, String)> =
            after.split_once('.').and_then(|(at, id)| Some((at.parse().ok()?, id.to_owned())));
        let lists = locked(&self.lists);
        let mut found: Vec<(i64, &String, &Known)> = lists
            .known
            .iter()
            .filter(|(_, known)| known.public)
            .filter(|(_, known)| game.is_empty() || *known.game == *game)
            .filter(|(_, known)| state.is_empty() || *known.state == *state)
            .filter(|(id, known)| after.as_ref().is_none_or(|(at, last)| (known.listed, *id) < (*at, last)))
            .map(|(id, known)| (known.listed, id, known))
            .collect();
        found.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)));
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(at, id, _)| format!("{at}.{id}"));
        let matches: Vec<Value> = found.iter().map(|(.., known)| known.summary()).collect();
        json!({ "matches": matches, "next": next })
    }

    /// What lists say about one match.
    pub fn known(&self, id: &str) -> Option<Value> {
        locked(&self.lists).known.get(id).map(Known::summary)
    }

    /// How many matches there are.
    pub fn count(&self) -> usize {
        locked(&self.lists).known.len()
    }

    /// The games, as a page needs them; found out once.
    pub fn games_file(&self) -> &File {
        self.offered.get_or_init(|| File::new("games.json", self.find_games().to_string().into_bytes()))
    }

    fn find_games(&self) -> Value {
        let games = self.games.all().iter().map(|host| {
            let clock = host.open(&Opening::default()).is_ok_and(|table| table.time_out(0).is_some());
            json!({
                "name": host.name(), "about": host.about(), "setups": host.setups(), "rulesets": host.rulesets(),
                "bots": host.bots(), "levels": host.levels(), "options": host.options(), "clock": clock, "seats": seats_of(*host),
            })
        });
        json!({ "games": games.collect::<Vec<_>>() })
    }

    /// One sentence about a game.
    pub fn about(&self, game: &str) -> &'static str {
        self.games.find(game).map_or("", |host| host.about())
    }

    /// The limits that a page should know.
    pub fn limits(&self) -> Value {
        let s = &self.settings;
        json!({ "frame": s.frame, "text": s.text, "name": s.name, "tries": s.tries, "moments": s.moments,
                "messages_per_second": s.messages_per_second })
    }

    /// The bot that plays where nobody says which: the level in the middle.
    pub fn usual_bot(&self, game: &str) -> Option<String> {
        let levels = self.games.find(game)?.levels();
        levels.get(levels.len() / 2).map(|level| level.id.clone())
    }

    /// The bot that is asked for advice.
    pub fn best_bot(&self, game: &str) -> Option<String> {
        self.games.find(game)?.bots().last().map(|bot| bot.id.clone())
    }

    /// Whether there is such a bot, or such a level.
    ///
    /// # Errors
    /// If there is none.
    pub fn check_bot(&self, game: &str, bot: &str) -> Result<(), Refusal> {
        let host = self.games.find(game);
        let bots = host.map(|host| [host.levels(), host.bots()].concat()).unwrap_or_default();
        if bots.iter().any(|one| one.id == bot) {
            return Ok(());
        }
        let known: Vec<String> = bots.into_iter().map(|one| one.id).collect();
        Err(Refusal::new("UNKNOWN_BOT", no_such_bot(game, bot, &known)))
    }

    /// A name as it is shown.
    ///
    /// # Errors
    /// If it is too long, or not one line.
    pub fn clean_name(&self, name: &str) -> Result<String, Refusal> {
        let name = name.trim();
        if name.chars().count() > self.settings.name {
            let text = format!("a name has at most {} characters", self.settings.name);
            return Err(Refusal::new("TOO_LONG", text));
        }
        if name.chars().any(char::is_control) {
            return Err(malformed("a name is one line of text"));
        }
        Ok(if name.is_empty() { NAMELESS.to_owned() } else { name.to_owned() })
    }

    // New matches.

    /// Opens a match.
    ///
    /// # Errors
    /// What is wrong with the wish, a limit, or the store.
    pub async fn open_match(self: &Arc<Self>, wanted: Wanted) -> Result<Value, Refusal> {
        let original = original(&wanted);
        let practice_seed = wanted.seed.as_deref().map(read_seed).transpose();
        let named_seed = practice_seed.map_err(|error| malformed(error.to_string()))?;
        let host = find_game(self.games, &wanted.game)?;
        let seed = named_seed.map_or_else(token::number, Ok)?;
        let opening = Opening {
            ruleset: wanted.ruleset.clone().map(Into::into),
            setup: wanted.setup.clone(),
            wishes: wanted.wishes.clone().into_iter().collect(),
            seed,
            ..Opening::default()
        };
        let opened = tokio::task::spawn_blocking(move || host.open(&opening)).await;
        let table = opened.map_err(|_| Refusal::new("MALFORMED", "the game has failed to open this"))??;
        let name = self.clean_name(&wanted.name)?;
        let (holders, given) = self.seat_all(&wanted, &*table, &name)?;
        let others = holders.iter().any(|holder| matches!(holder.who, Who::Open | Who::Invited));
        let practice = wanted.practice.unwrap_or(!others);
        if named_seed.is_some() && !practice {
            return Err(Refusal::new("NO_PRACTICE", "a seed may be chosen in practice only"));
        }
        let options = self.options(&wanted, practice)?;
        let begun = Begun { table, options, holders, wanted: original, game: wanted.game };
        let host = token::secret('h')?;
        let id = self.begin(begun, token::hash(&host), None).await?;
        Ok(json!({ "match": id, "host": host, "seats": given }))
    }

    /// Opens a match out of a match file: practice, with all seats the importer's.
    ///
    /// # Errors
    /// If the file is not accepted, or the store fails.
    pub async fn import(self: &Arc<Self>, file: Vec<u8>) -> Result<Value, Refusal> {
        let (games, most) = (self.games, self.settings.file);
        let read = tokio::task::spawn_blocking(move || read_import(games, file, most)).await;
        let (table, file) = read.map_err(|_| malformed("the game has failed to read this"))??;
        let wanted = Wanted { game: table.game().to_owned(), practice: Some(true), ..Wanted::default() };
        let mine = Place { who: "me".to_owned(), bot: None };
        let wanted = Wanted { seats: vec![mine; table.seats().len()], ..wanted };
        let (mut holders, given) = self.seat_all(&wanted, &*table, NAMELESS)?;
        for ((holder, role), name) in
            holders.iter_mut().zip(table.seats()).zip(players(&file, &table.seats()))
        {
            let told = name.and_then(|name| self.clean_name(&name).ok());
            holder.name = told.filter(|name| name != NAMELESS).unwrap_or(role);
        }
        let options = self.options(&wanted, true)?;
        let begun = Begun { options, holders, wanted: original(&wanted), game: wanted.game, table };
        let host = token::secret('h')?;
        let id = self.begin(begun, token::hash(&host), Some(file)).await?;
        Ok(json!({ "match": id, "host": host, "seats": given }))
    }

    /// Plays a match again: the same people with the same tokens, their seats turned by one.
    ///
    /// # Errors
    /// As for a new match.
    pub async fn again(
        self: &Arc<Self>,
        original: Value,
        mut holders: Vec<Holder>,
        options: Options,
        host_hash: String,
    ) -> Result<String, Refusal> {
        let wanted: Wanted =
            serde_json::from_value(original.clone()).map_err(|error| malformed(error.to_string()))?;
        let host = find_game(self.games, &wanted.game)?;
        let opening = Opening {
            ruleset: wanted.ruleset.clone().map(Into::into),
            setup: wanted.setup.clone(),
            wishes: wanted.wishes.clone().into_iter().collect(),
            seed: token::number()?,
            ..Opening::default()
        };
        let opened = tokio::task::spawn_blocking(move || host.open(&opening)).await;
        let table = opened.map_err(|_| malformed("the game has failed to open this"))??;
        holders.rotate_right(1);
        if holders.len() != table.seats().len() {
            return Err(malformed("this match cannot be played again as it was"));
        }
        let begun = Begun { table, options, holders, wanted: original, game: wanted.game };
        self.begin(begun, host_hash, None).await
    }

    fn options(&self, wanted: &Wanted, practice: bool) -> Result<Options, Refusal> {
        let allowed = match wanted.clock {
            None => true,
            Some(Control::Minutes { minutes, increment }) => {
                (1..=1440).contains(&minutes) && increment <= 3600
            }
            Some(Control::Days { days }) => (1..=60).contains(&days),
        };
        if !allowed {
            return Err(malformed(
                "a clock has 1 to 1440 minutes with at most 3600 seconds added, or 1 to 60 days",
            ));
        }
        Ok(Options {
            public: wanted.public,
            watch: wanted.watch,
            delay: wanted.delay.min(1000),
            clock: wanted.clock,
            absent: wanted.absent,
            patience: wanted.patience.unwrap_or(120).clamp(5, 86_400),
            practice,
        })
    }

    fn seat_all(
        &self,
        wanted: &Wanted,
        table: &dyn Table,
        name: &str,
    ) -> Result<(Vec<Holder>, Vec<Value>), Refusal> {
        let count = table.seats().len();
        if count > 62 || wanted.seats.len() > count {
            return Err(Refusal::new("UNKNOWN_SEAT", format!("this game has {count} seats")));
        }
        let usual = |seat: usize| {
            let mine = seat == 0 && wanted.seats.is_empty();
            Place { who: if mine { "me" } else { "bot" }.to_owned(), bot: None }
        };
        let (mut holders, mut given) = (Vec::new(), Vec::new());
        for seat in 0..count {
            let place = wanted.seats.get(seat).cloned().unwrap_or_else(|| usual(seat));
            let mut told = json!({ "seat": seat });
            holders.push(self.seat_one(&place, table.game(), name, &mut told)?);
            given.push(told);
        }
        Ok((holders, given))
    }

    fn seat_one(&self, place: &Place, game: &str, name: &str, told: &mut Value) -> Result<Holder, Refusal> {
        match place.who.as_str() {
            "me" => {
                let secret = token::secret('s')?;
                let token = Some(token::hash(&secret));
                told["token"] = secret.into();
                Ok(Holder { who: Who::Person, name: name.to_owned(), token, ..Holder::default() })
            }
            "open" => Ok(Holder { who: Who::Open, ..Holder::default() }),
            "invited" => {
                let secret = token::secret('i')?;
                let invitation = Some(token::hash(&secret));
                told["invitation"] = secret.into();
                Ok(Holder { who: Who::Invited, invitation, ..Holder::default() })
            }
            "bot" => {
                let bot = match &place.bot {
                    Some(bot) => bot.clone(),
                    None => self
                        .usual_bot(game)
                        .ok_or_else(|| Refusal::new("UNKNOWN_BOT", "this game has no bots"))?,
                };
                self.check_bot(game, &bot)?;
                told["bot"] = bot.clone().into();
                Ok(Holder { who: Who::Bot, name: bot, ..Holder::default() })
            }
            _ => Err(malformed("a seat is for me, open, invited or bot")),
        }
    }

    async fn begin(
        self: &Arc<Self>,
        begun: Begun,
        host: String,
        file: Option<String>,
    ) -> Result<String, Refusal> {
        if self.count() >= self.settings.matches {
            return Err(Refusal::new("TOO_MANY", "the server keeps as many matches as it may"));
        }
        self.may_wake()?;
        let Begun { mut table, options, holders, wanted, game } = begun;
        let id = token::match_id()?;
        let mut salt = [0; 16];
        token::fill(&mut salt)?;
        let at = wall_ms();
        let opened = Record::Opened {
            at,
            game,
            options,
            host,
            salt: hex(&salt),
            bot_seed: token::number()?,
            roles: table.seats(),
            seats: holders,
            wanted,
        };
        let mut lines = vec![opened.line()];
        match file {
            None => lines.extend(file_lines(&table.unsaved()?)),
            Some(text) => lines.extend(imported(&text, at)),
        }
        drop(table);
        let (games, name) = (self.games, id.clone());
        let built =
            tokio::task::spawn_blocking(move || Room::load(games, &name, &lines).map(|room| (room, lines)));
        let (room, lines) = built.await.map_err(|_| malformed("the game has failed to open this"))??;
        let summary = room.summary(|_| false, &room.listed_title(), 0, at).text();
        let part = Append { id: id.clone(), expected: 0, lines, note: summary.clone(), at };
        let length = self.writer.append(part).await?;
        self.metrics.opened.add(1);
        self.note(&id, summary, length, None);
        self.keep(room);
        Ok(id)
    }

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
        let keeper = locked(&self.awake).get(id).cloned();
        if let Some(keeper) = keeper {
            let _ = keeper.send(Ask::Stop).await;
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

    // Visitors.

    /// Counts a socket of an address in.
    ///
    /// # Errors
    /// If it has enough, or all have.
    pub fn arrive(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.metrics.sockets.get() >= self.settings.sockets as i64 {
            return Err(Refusal::new("TOO_MANY", "so many are connected already").retry(10_000));
        }
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(address).or_default();
        if visitor.sockets >= self.settings.sockets_per_address {
            let text = format!("one address may have {} connections", self.settings.sockets_per_address);
            return Err(Refusal::new("TOO_MANY", text).retry(10_000));
        }
        visitor.sockets += 1;
        self.metrics.sockets.add(1);
        Ok(())
    }

    /// Counts it out.
    pub fn depart(&self, address: IpAddr) {
        if let Some(visitor) = locked(&self.visitors).get_mut(&address) {
            visitor.sockets = visitor.sockets.saturating_sub(1);
        }
        self.metrics.sockets.add(-1);
    }

    /// Counts a new match of an address.
    ///
    /// # Errors
    /// If there were too many in the last minute.
    pub fn may_open(&self, address: IpAddr) -> Result<(), Refusal> {
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(address).or_default();
        visitor.opened.retain(|at| at.elapsed() < Duration::from_secs(60));
        if visitor.opened.len() >= self.settings.matches_per_minute as usize {
            let text = format!("one address may open {} matches a minute", self.settings.matches_per_minute);
            return Err(Refusal::new("TOO_FAST", text).retry(10_000));
        }
        visitor.opened.push(Instant::now());
        Ok(())
    }

    /// Counts a request of an address.
    ///
    /// # Errors
    /// If there are too many.
    pub fn may_ask(&self, address: IpAddr) -> Result<(), Refusal> {
        let rate = f64::from(self.settings.requests_per_second);
        let mut visitors = locked(&self.visitors);
        let visitor = visitors.entry(address).or_default();
        let now = Instant::now();
        let passed = visitor.seen.map_or(10.0, |seen| now.duration_since(seen).as_secs_f64());
        visitor.budget = (visitor.budget + passed * rate).min(4.0 * rate);
        visitor.seen = Some(now);
        if visitor.budget < 1.0 {
            let text = format!("one address may ask {} times a second", self.settings.requests_per_second);
            return Err(Refusal::new("TOO_FAST", text).retry(500));
        }
        visitor.budget -= 1.0;
        Ok(())
    }

    // The end.

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

    /// Origins that are this server's own, besides that of the address it was asked at.
    pub fn set_origins(&self, origins: Vec<String>) {
        *locked(&self.own_origin) = origins;
    }

    /// Whether pages of that origin may talk to a server that was asked by that name.
    pub fn allows_origin(&self, origin: &str, host: &str) -> bool {
        let bare = origin.split_once("://").map_or(origin, |(_, rest)| rest);
        bare == host
            || self.settings.origins.iter().any(|one| one == origin)
            || locked(&self.own_origin).iter().any(|one| one == origin)
    }
}

struct Begun {
    table: Box<dyn Table>,
    options: Options,
    holders: Vec<Holder>,
    wanted: Value,
    game: String,
}

/// How a match was asked for, without secrets and without a seed: to play it again.
fn original(wanted: &Wanted) -> Value {
    json!({
        "game": wanted.game, "setup": wanted.setup, "ruleset": wanted.ruleset, "wishes": wanted.wishes,
    })
}

/// The table of a match file, and what of the file is to be kept: without a last line that was not written to its end.
/// What today's rules play otherwise is taken in to be watched.
fn read_import(games: Games, file: Vec<u8>, most: usize) -> Result<(Box<dyn Table>, String), Refusal> {
    let mut file = unpacked(file, most)?;
    let told = |error: &LoadError| Refusal::new(error.code(), error.to_string());
    let host = games.host_of_file(&file).map_err(|error| told(&error))?;
    let table = match host.load(&file, &[]) {
        Ok(table) => table,
        Err(error) => match host.watch(&file, &[]) {
            Ok((table, _)) => table,
            Err(_) => return Err(told(&error)),
        },
    };
    file.truncate(table.loaded().map_or(file.len(), |held| held.bytes));
    let text = String::from_utf8(file).map_err(|_| malformed("a match file is text"))?;
    Ok((table, text))
}

/// Who sat where, as far as the head of a match file tells.
fn players(file: &str, seats: &[String]) -> Vec<Option<String>> {
    let head: Value =
        file.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    seats.iter().map(|seat| head["tags"][seat.to_lowercase()].as_str().map(str::to_owned)).collect()
}

/// A file as it is, or unpacked if it is packed with gzip.
fn unpacked(file: Vec<u8>, most: usize) -> Result<Vec<u8>, Refusal> {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return Ok(file);
    }
    let (mut plain, packed) = (Vec::new(), flate2::read::MultiGzDecoder::new(&file[..]));
    let read = packed.take(most as u64 + 1).read_to_end(&mut plain);
    read.map_err(|error| malformed(format!("this cannot be unpacked: {error}")))?;
    if plain.len() > most {
        return Err(Refusal::new("TOO_LONG", format!("a match file has at most {most} bytes")));
    }
    Ok(plain)
}

/// The lines of a file that was played elsewhere: nothing in it is a secret of anybody.
fn imported(text: &str, at: i64) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.extend(file_lines(line));
        if step(line).is_some() {
            lines.push(Record::Did { at, by: None, told: u64::MAX, id: None, left: None }.line());
        }
    }
    lines
}

fn seats_of(host: &dyn Host) -> Vec<String> {
    host.open(&Opening::default()).map(|table| table.seats()).unwrap_or_default()
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
        Ask::Heard { .. } | Ask::Gone { .. } | Ask::Thought { .. } => {}
        Ask::Changed { .. } | Ask::Wake | Ask::Stop => {}
    }
}
