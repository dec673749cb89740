//! New matches: wished for, out of a file, or once more.

use std::io::Read;
use std::sync::Arc;

use serde_json::{Value, json};
use turnstone_table::{Games, Host, LoadError, Opening, Table, bot_seed, no_such_bot, read_seed};

use super::{Hall, hex};
use crate::message::{Control, Place, Wanted};
use crate::metrics::wall_ms;
use crate::page::File;
use crate::record::{Holder, Options, Record, Who, file_lines};
use crate::refusal::{Refusal, malformed};
use crate::room::{NAMELESS, Room, find_game, step};
use crate::store::Append;
use crate::token;

impl Hall {
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

    /// The bot that plays many games to their ends: one that knows what to do, and does not think for long.
    pub fn quick_bot(&self, game: &str) -> Option<String> {
        let levels = self.games.find(game)?.levels();
        levels.get(1.min(levels.len() / 2)).map(|level| level.id.clone())
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
        // Who names the seed can play the same once more: the bots' lots follow from it then, too.
        let bot_seed = named_seed.map_or_else(token::number, |seed| Ok(bot_seed(seed)))?;
        let begun = Begun { table, options, holders, wanted: original, game: wanted.game, bot_seed };
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
        let bot_seed = token::number()?;
        let begun = Begun { options, holders, wanted: original(&wanted), game: wanted.game, table, bot_seed };
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
        let bot_seed = token::number()?;
        let begun = Begun { table, options, holders, wanted: original, game: wanted.game, bot_seed };
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
            // Who has days for a turn may be away for as long.
            patience: match (wanted.patience, wanted.clock) {
                (Some(patience), _) => patience.clamp(5, 86_400),
                (None, Some(Control::Days { days })) => u64::from(days) * 86_400,
                (None, _) => 120,
            },
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
        let Begun { mut table, options, holders, wanted, game, bot_seed } = begun;
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
            bot_seed,
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
        self.keep(room, true);
        Ok(id)
    }
}

struct Begun {
    table: Box<dyn Table>,
    options: Options,
    holders: Vec<Holder>,
    wanted: Value,
    game: String,
    bot_seed: u64,
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
