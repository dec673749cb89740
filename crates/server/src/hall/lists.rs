//! What is known of every match without waking it, and what the lobby says.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::{Hall, locked};
use crate::keeper::Ask;
use crate::metrics::{log, wall_ms};
use crate::room::veil;
use crate::store::{Head, StoreError};
use crate::ws::Text;

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
    absent: &'a str,
    patience: i64,
    actor: Option<usize>,
    #[serde(borrow)]
    seats: Vec<Sits<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Sits<'a> {
    who: &'a str,
}

/// What is to be done about a match that sleeps, as its lines say.
struct Due {
    /// A turn of days is up, by the calendar.
    turn: Option<i64>,
    /// Who is awaited may be away for so many milliseconds.
    patience: Option<i64>,
}

impl Mark<'_> {
    fn due(&self) -> Due {
        let sits =
            self.actor.and_then(|actor| self.seats.get(actor)).is_some_and(|seat| seat.who == "person");
        let limited = sits && self.state != "over" && matches!(self.absent, "bot" | "forfeit");
        Due { turn: self.due, patience: limited.then(|| self.patience.saturating_mul(1000)) }
    }
}

impl Known {
    /// What a summary says, as far as everybody may know; and what is due.
    fn new(summary: String, length: u64, at: Option<i64>) -> (Self, Due) {
        let mark: Mark = serde_json::from_str(&summary).unwrap_or_default();
        let Mark { public, opened, .. } = mark;
        let due = mark.due();
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
pub(super) struct Lists {
    known: HashMap<String, Known>,
    /// When which match must be woken if it sleeps.
    due: BTreeSet<(i64, String)>,
    due_of: HashMap<String, i64>,
    /// When who is awaited was seen last in matches that sleep.
    seen: HashMap<String, i64>,
}

impl Lists {
    fn note(&mut self, id: &str, known: Known, due: Option<i64>) {
        self.wake_at(id, due);
        self.known.insert(id.to_owned(), known);
    }

    fn wake_at(&mut self, id: &str, due: Option<i64>) {
        if let Some(old) = self.due_of.remove(id) {
            self.due.remove(&(old, id.to_owned()));
        }
        if let Some(due) = due {
            self.due.insert((due, id.to_owned()));
            self.due_of.insert(id.to_owned(), due);
        }
    }

    pub(super) fn forget(&mut self, id: &str) {
        self.known.remove(id);
        self.seen.remove(id);
        self.wake_at(id, None);
    }
}

impl Hall {
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

    /// The match must be woken then, if it sleeps.
    pub fn wake_at(&self, id: &str, due: Option<i64>) {
        let mut lists = locked(&self.lists);
        // Of one that was deleted nothing is known.
        if lists.known.contains_key(id) {
            lists.wake_at(id, due);
        }
    }

    /// When who is awaited there was seen last, if that was noted when the match fell asleep.
    pub fn seen(&self, id: &str) -> Option<i64> {
        locked(&self.lists).seen.remove(id)
    }

    /// Notes that for when the match is woken again.
    pub(super) fn note_seen(&self, id: &str, seen: i64) {
        let mut lists = locked(&self.lists);
        if lists.known.contains_key(id) {
            lists.seen.insert(id.to_owned(), seen);
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

    /// Reads the heads of all matches that were appended to since then; tells keepers of those that others have
    /// appended to. Whether all of these could hear it: who is too busy is told the next time.
    pub(super) fn refresh(&self, since: i64) -> Result<bool, StoreError> {
        let (mut since, mut after, mut told) = (since, String::new(), true);
        loop {
            let heads = self.store.list(since, &after, 1000)?;
            let Some(last) = heads.last() else { return Ok(told) };
            (since, after) = (last.at, last.id.clone());
            for head in heads {
                told &= self.take_up(head);
            }
        }
    }

    fn take_up(&self, head: Head) -> bool {
        let Head { id, length, at, note } = head;
        let is_news = |lists: &Lists| lists.known.get(&id).is_none_or(|known| known.length < length);
        if !is_news(&locked(&self.lists)) {
            return true;
        }
        let keeper = locked(&self.awake).get(&id).cloned();
        let told = keeper.map(|keeper| keeper.try_send(Ask::Changed { length }));
        if matches!(told, Some(Err(mpsc::error::TrySendError::Full(_)))) {
            return false;
        }
        let (known, due) = Known::new(note, length, Some(at));
        // Whoever is awaited may be at another server of a store that is shared: each looks after who was here.
        let patience = due.patience.filter(|_| !self.store.is_shared());
        let late = patience.map(|patience| at.max(self.began_wall) + patience);
        let due = due.turn.into_iter().chain(late).min();
        let mut lists = locked(&self.lists);
        // Its keeper may have appended meanwhile.
        if is_news(&lists) {
            if known.public {
                self.changes.send_modify(|changes| *changes += 1);
            }
            lists.note(&id, known, due);
        }
        true
    }

    pub(super) fn due_now(&self) -> Vec<String> {
        let now = wall_ms();
        let lists = locked(&self.lists);
        let due = lists.due.iter().take_while(|(due, _)| *due <= now).take(100);
        due.map(|(_, id)| id.clone()).collect()
    }

    /// Deletes what was kept long enough.
    pub(super) fn clear_out(&self) -> Result<(), StoreError> {
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
            let _nobody_wakes_it = self.door(&id).blocking_lock();
            if locked(&self.awake).contains_key(&id) {
                continue;
            }
            self.store.forget(&id)?;
            locked(&self.lists).forget(&id);
            log("info", "forgotten", json!({ "match": id }));
        }
        Ok(())
    }
}
