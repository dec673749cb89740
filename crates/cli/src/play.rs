//! A match somebody plays: table, seats, saving. The screen and the line mode share it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use turnstone_table::protocol::seat_viewer;
use turnstone_table::{Games, Host, Moment, Opening, Rejection, Seat, Table, Venue, Viewer};

use crate::args::{self, Wishes};
use crate::clock::{Clock, Control};
use crate::files::{read_bytes, read_content, read_named, write_bytes, write_whole, written_on};
use crate::journal::Journal;
use crate::progress;
use crate::store::{self, Note, Store};

/// A match and the people at it.
pub struct Play {
    pub table: Box<dyn Table>,
    /// The seat whose eyes we look through; `None` if several people share the screen.
    pub seat: Option<Seat>,
    /// Where the match is saved after every action, if it is.
    pub slot: Option<PathBuf>,
    /// The clock, if the match is played by one.
    pub clock: Option<Clock>,
    content: Option<PathBuf>,
    /// Whether nobody has named the seed: it is then told to nobody before the end.
    seed_drawn: bool,
    /// What the player says it is about.
    pub about: String,
    /// The match file, as long as the match is saved where `slot` says.
    journal: Option<Journal>,
    /// Whether the match was begun here and not loaded.
    is_new: bool,
    /// Files that it was saved to by name.
    saved_as: Vec<PathBuf>,
}

impl Play {
    /// A match at that table. People sit where no bot does.
    pub fn new(table: Box<dyn Table>, slot: Option<PathBuf>, content: Option<PathBuf>) -> Self {
        let journal = slot.as_deref().map(Journal::new);
        let mut play = Play {
            table,
            seat: None,
            slot,
            clock: None,
            content,
            seed_drawn: false,
            about: String::new(),
            journal,
            is_new: true,
            saved_as: Vec::new(),
        };
        play.look_around();
        play
    }

    /// Opens a saved match with the bots its note names.
    pub fn load(path: &Path, content: Option<PathBuf>, games: Games) -> Result<Self> {
        let file = read_bytes(path)?;
        let note = store::read_note(path);
        let content = content.or_else(|| note.content.clone());
        let mut table = games
            .load(&file, &read_content(content.as_deref())?)
            .with_context(|| format!("cannot continue {}", path.display()))?;
        for (seat, name) in &note.bots {
            table.seat_bot(*seat, name, bot_seed(&*table)).map_err(|refusal| anyhow!(refusal))?;
        }
        let sound = table.loaded().map_or(0, |held| held.bytes);
        let slot = written_on(path)?;
        if slot != path {
            write_bytes(&slot, &file[..sound.min(file.len())])?;
        }
        let seen = if slot == path { file.len() } else { sound };
        let mut play = Play::new(table, Some(slot.clone()), content);
        play.journal = Some(Journal::behind(&slot, sound as u64, seen as u64));
        play.is_new = false;
        play.clock = note.clock;
        play.seed_drawn = note.seed_drawn;
        play.about = note.about;
        Ok(play)
    }

    /// Opens another saved match, and puts this one away. If the other cannot be opened, this one goes on.
    ///
    /// # Errors
    /// If the other cannot be opened, or this one not be written.
    pub fn leave_for(&mut self, path: &Path, games: Games) -> Result<Play> {
        // However it is spelled.
        let own = self.slot.as_deref().and_then(|slot| slot.canonicalize().ok());
        if own.is_some() && own == path.canonicalize().ok() {
            self.append(true)?;
            return Play::load(path, None, games);
        }
        let other = Play::load(path, None, games)?;
        self.put_away()?;
        Ok(other)
    }

    /// The seed was drawn by lot, and stays hidden until the end: whoever knows it knows every die to come.
    pub fn hide_seed(&mut self) {
        self.seed_drawn = true;
    }

    /// The seed as one would write it, if it may be told.
    pub fn shown_seed(&self) -> Option<String> {
        (!self.seed_drawn || self.table.outcome().is_some()).then(|| self.table.seed_text())
    }

    /// Plays the match by the clock from here on.
    ///
    /// # Errors
    /// If the game has no use for one.
    pub fn set_clock(&mut self, control: Control) -> Result<()> {
        if self.table.time_out(0).is_none() {
            bail!("[NO_CLOCK] {} is not played by the clock; leave --clock out", self.table.game());
        }
        self.clock = Some(Clock::new(control, &*self.table));
        Ok(())
    }

    /// Takes time off whoever is to act. Who has none left is reported to the game; gives what came
    /// of it.
    pub fn pass_time(&mut self, now: Instant) -> Option<Result<Moment, Rejection>> {
        if !self.clock.as_mut()?.pass(&*self.table, now) {
            return None;
        }
        let seat = self.table.actor()?;
        // What was not chosen in time was not done: a question is taken back with what asked it.
        while self.table.question(Viewer::All).is_some() && self.table.undo() {}
        let input = self.table.time_out(seat)?.input?;
        Some(self.act(|table| table.act(&input)))
    }

    /// How long whoever is to act has left, if he plays by the clock.
    pub fn time_left(&self) -> Option<Duration> {
        let faces = self.clock.as_ref()?.faces(&*self.table);
        faces.into_iter().find(|face| face.runs).map(|face| face.left())
    }

    /// Time is counted from now on, if it was not before.
    pub fn start_clock(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.start(now);
        }
    }

    /// Time is not counted until it is passed again.
    pub fn stop_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.stop();
        }
    }

    /// Does something at the table.
    ///
    /// # Errors
    /// Why the table refused it.
    pub fn act(
        &mut self,
        deed: impl FnOnce(&mut dyn Table) -> Result<Moment, Rejection>,
    ) -> Result<Moment, Rejection> {
        let before = self.table.actor();
        let moment = deed(&mut *self.table)?;
        if let Some(clock) = &mut self.clock {
            clock.acted(&*self.table, before);
        }
        Ok(moment)
    }

    /// Goes to any moment of any branch.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn jump(&mut self, moment: Moment) -> Result<(), Rejection> {
        self.table.jump(moment)?;
        self.clock_travelled();
        Ok(())
    }

    /// What whoever looks calls a moment: he counts those that he was told of.
    pub fn number_of(&self, moment: Moment) -> u32 {
        let told = self.table.told(self.viewer());
        told.partition_point(|one| *one <= moment).saturating_sub(1) as u32
    }

    /// The moment that whoever looks calls so.
    pub fn numbered(&self, number: u32) -> Option<Moment> {
        self.table.told(self.viewer()).get(number as usize).copied()
    }

    /// The moments of the present line that whoever looks was told of, the start first.
    pub fn told_line(&self) -> Vec<Moment> {
        let told = self.table.told(self.viewer());
        let mut line = self.table.line();
        line.retain(|moment| told.binary_search(moment).is_ok());
        line
    }

    fn clock_travelled(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.travelled(&*self.table);
        }
    }

    /// Sees who sits where: alone with bots, a player sees what his seat may see, all the time.
    fn look_around(&mut self) {
        let people = self.people();
        self.seat = if people.len() == 1 { people.first().copied() } else { None };
    }

    /// The seats without bots.
    pub fn people(&self) -> Vec<Seat> {
        let bots = self.table.bots();
        let seats = 0..self.table.seats().len() as Seat;
        seats.filter(|seat| bots.iter().all(|(taken, _)| taken != seat)).collect()
    }

    /// Whose eyes we look through.
    pub fn viewer(&self) -> Viewer {
        if self.people().is_empty() { Viewer::All } else { seat_viewer(&*self.table, self.seat) }
    }

    /// Whether a bot is to act now.
    pub fn bot_is_next(&self) -> bool {
        let actor = self.table.actor();
        self.table.outcome().is_none()
            && actor.is_some_and(|actor| self.table.bots().iter().any(|(seat, _)| *seat == actor))
    }

    /// Lets the bot whose turn it is act once; its thinking costs it time.
    ///
    /// # Errors
    /// If its input is refused, which is a bug in the game.
    pub fn bot_step(&mut self) -> Result<Moment, Rejection> {
        if let Some(result) = self.pass_time(Instant::now()) {
            return result;
        }
        let number = self.table.bot_choice().unwrap_or(usize::MAX);
        self.pass_time(Instant::now()).unwrap_or_else(|| self.act(|table| table.choose(number)))
    }

    /// Takes back the last action of a person, and what bots did since. Who only watches goes back one.
    pub fn undo(&mut self) -> bool {
        self.travel(Table::undo)
    }

    /// Takes back an undo.
    pub fn redo(&mut self) -> bool {
        self.travel(Table::redo)
    }

    fn travel(&mut self, step: fn(&mut (dyn Table + 'static)) -> bool) -> bool {
        let here = self.table.here();
        let watching = self.people().is_empty();
        while step(&mut *self.table) {
            if watching || !self.bot_is_next() {
                self.clock_travelled();
                return true;
            }
        }
        // Only bots acted there: stay, rather than stop where a bot would at once act again.
        let moved = self.table.here() != here;
        if moved && self.bot_is_next() {
            let _ = self.table.jump(here);
            return false;
        }
        if moved {
            self.clock_travelled();
        }
        moved
    }

    /// Writes into the head of a match that begins who sits where, and the day.
    pub fn sign(&mut self) {
        let bots = self.table.bots();
        let person = std::env::var("TURNSTONE_NAME").ok().filter(|name| !name.trim().is_empty());
        let person = person.unwrap_or_else(|| "Player".to_owned());
        let seats = self.table.seats();
        let players = (0..).zip(&seats).map(|(seat, name)| {
            let bot = bots.iter().find(|(other, _)| *other == seat).map(|(_, bot)| bot.clone());
            (name.to_lowercase(), bot.unwrap_or_else(|| person.clone()))
        });
        let mut tags: Vec<(String, String)> = players.collect();
        tags.push(("date".to_owned(), day(daily_seed())));
        self.table.tag(&tags);
    }

    /// Saves what was played since the last time, if the match is to be saved.
    ///
    /// # Errors
    /// If it cannot be written: nothing is lost, and the next time it is tried again.
    pub fn autosave(&mut self) -> Result<()> {
        let over = self.table.outcome().is_some();
        self.append(over)
    }

    /// Saves the match and closes its file: it is put away. One that was only looked at leaves nothing behind.
    ///
    /// # Errors
    /// If it cannot be written, or not be removed.
    pub fn put_away(&mut self) -> Result<()> {
        match &self.slot {
            Some(path) if self.is_new && self.table.moments() == 1 && self.about.is_empty() => {
                store::remove(path)
            }
            Some(_) | None => self.append(true),
        }
    }

    fn append(&mut self, close: bool) -> Result<()> {
        self.give_way();
        let (Some(path), Some(journal)) = (self.slot.clone(), &mut self.journal) else { return Ok(()) };
        let lines = if close { self.table.close() } else { self.table.unsaved() };
        journal.append(&lines.map_err(|refusal| anyhow!(refusal))?)?;
        if let Some(dir) = path.parent().filter(|_| self.table.outcome().is_some()) {
            progress::keep(dir, self.table.game(), &self.table.tally())?;
        }
        store::write_note(&path, &self.note())
    }

    /// Takes another name if somebody else has begun a match under this one meanwhile.
    fn give_way(&mut self) {
        let (Some(path), Some(journal)) = (&mut self.slot, &mut self.journal) else { return };
        if self.is_new && journal.is_unbegun() && path.exists() {
            *path = store::another(path);
            *journal = Journal::new(path);
        }
    }

    /// What a won match goes on with, in a few words: the next level, the next fight.
    pub fn what_follows(&self) -> Option<String> {
        let next = self.table.outcome().and_then(|_| self.table.sequel())?;
        let name = next.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
        Some(if name { next } else { "the next one".to_owned() })
    }

    /// The match that follows this one, with the same players.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub fn next(&self, store: &Store) -> Result<Play> {
        let (Some(setup), Some(host)) = (self.table.sequel(), store.games.find(self.table.game())) else {
            bail!("[NO_SEQUEL] nothing follows this match");
        };
        let opening = Opening {
            setup: Some(setup),
            ruleset: Some(self.table.ruleset()),
            content: read_content(self.content.as_deref())?,
            seed: seed_of_nobody()?,
            ..Opening::default()
        };
        let mut table = host.open(&opening).map_err(|refusal| anyhow!(refusal))?;
        let seed = bot_seed(&*table);
        for (seat, name) in self.table.bots() {
            table.seat_bot(seat, &name, seed).map_err(|refusal| anyhow!(refusal))?;
        }
        let slot = self.slot.as_ref().map(|_| store.fresh(host.name()));
        let mut play = Play::new(table, slot, self.content.clone());
        play.sign();
        play.hide_seed();
        Ok(play)
    }

    fn note(&self) -> Note {
        Note {
            game: self.table.game().to_owned(),
            title: self.table.scene(self.viewer()).title,
            about: self.about.clone(),
            bots: self.table.bots(),
            over: self.table.outcome().is_some(),
            seed: self.table.seed(),
            seed_drawn: self.seed_drawn,
            tally: self.table.tally(),
            content: self.content.clone(),
            clock: self.clock.clone(),
        }
    }

    /// Saves as the player names it. What is there already is replaced only if it is this match's own, or if the name
    /// ends in an exclamation mark.
    ///
    /// # Errors
    /// `EXISTS`, and what [`save_to`](Play::save_to) says.
    pub fn save_as(&mut self, store: &Store, name: &str) -> Result<PathBuf> {
        let (name, replace) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        let path = store.place(name);
        let own = self.slot.as_ref() == Some(&path) || self.saved_as.contains(&path);
        if path.exists() && !own && !replace {
            bail!(
                "[EXISTS] {} is there already; write {name}! to replace it, or another name",
                path.display()
            );
        }
        if self.slot.as_ref() == Some(&path) {
            // The file that it is written on in any case: another in its place would be written on no more.
            self.append(false)?;
            return Ok(path);
        }
        store.make()?;
        self.save_to(&path)?;
        self.saved_as.push(path.clone());
        Ok(path)
    }

    /// Writes the match file to any place, and beside it who plays and what it is about.
    pub fn save_to(&mut self, path: &Path) -> Result<()> {
        let text = self.table.save().map_err(|refusal| anyhow!(refusal))?;
        write_whole(path, &text)?;
        store::write_note(path, &self.note())
    }

    /// How it ended, in words, if it has.
    pub fn ending(&self) -> Option<String> {
        use turnstone_table::Outcome;
        let seats = self.table.seats();
        Some(match self.table.outcome()? {
            Outcome::Won(seat) => match seats.get(usize::from(seat)) {
                Some(_) if seats.len() == 1 || self.seat == Some(seat) => "You have won.".to_owned(),
                Some(name) if self.seat.is_some() => format!("You have lost: victory for {name}."),
                Some(name) => format!("Victory for {name}."),
                None => format!("Victory for seat {seat}."),
            },
            Outcome::WonByAll if self.seat.is_some() => "You have won together.".to_owned(),
            Outcome::WonByAll => "Victory for all.".to_owned(),
            Outcome::Drawn => "The game is drawn.".to_owned(),
            Outcome::Lost => "The game is lost.".to_owned(),
        })
    }
}

/// The opening the arguments ask for, with the texts of the files they name.
///
/// # Errors
/// If one of them cannot be read.
pub fn opening(args: &args::Opening, games: Games) -> Result<(&'static dyn Host, Opening)> {
    let host = games.find(&args.game).expect("clap has checked the name");
    let wishes = args.wishes.all();
    let values = args.setup.iter().chain(wishes.iter().map(|(_, value)| value));
    let opening = Opening {
        ruleset: args.ruleset.clone().map(Into::into),
        content: read_content(args.content.as_deref())?,
        setup: args.setup.clone(),
        files: read_named(values.map(String::as_str))?,
        wishes,
        seed: args.seed.map_or_else(seed_of_nobody, Ok)?,
        ..Opening::default()
    };
    Ok((host, opening))
}

/// Opens the table that was asked for. Whoever left the value of an option out is asked for one.
///
/// # Errors
/// What the game refuses, or which value is missing.
pub fn open(host: &dyn Host, wanted: &Opening, wishes: &Wishes) -> Result<Box<dyn Table>> {
    venue(host, wanted, wishes)?.open(wanted.seed).map_err(|refusal| refused(wishes, refusal))
}

/// Reads the rules and the set-up that were asked for, in the same way.
///
/// # Errors
/// What the game refuses, or which value is missing.
pub fn venue(host: &dyn Host, wanted: &Opening, wishes: &Wishes) -> Result<Box<dyn Venue>> {
    check_switches(host, wanted, wishes)?;
    host.venue(wanted).map_err(|refusal| refused(wishes, refusal))
}

/// Switches that are settings of the game want one of its answers.
pub fn check_switches(host: &dyn Host, wanted: &Opening, wishes: &Wishes) -> Result<()> {
    let usual = host.setups().first().map(|setup| setup.id.clone());
    let setup = wanted.setup.clone().or(usual).unwrap_or_default();
    for setting in host.settings(&setup) {
        let id = &setting.id;
        // `on` and `off` may be left out.
        if wishes.switches.contains(id) && !setting.allows("on") {
            bail!("[MISSING_VALUE] --{id} needs a value: write --{id} and {}", setting.allowed());
        }
    }
    Ok(())
}

/// A refusal by the game. If an option stood there without a value, that is why.
pub fn refused(wishes: &Wishes, refusal: Rejection) -> anyhow::Error {
    let told = refusal.to_string();
    // What names an option says itself what is wrong with it.
    let named = |key: &String| told.contains(&format!("`{key}`")) || told.contains(&format!("\"{key}\""));
    match wishes.switches.first().filter(|_| !wishes.switches.iter().any(named)) {
        Some(key) => anyhow!(
            "[MISSING_VALUE] --{key} needs a value: write --{key} VALUE; as a switch it was refused: {told}"
        ),
        None => anyhow!(refusal),
    }
}

/// A seed nobody has chosen, and nobody can guess: from the operating system.
pub fn seed_of_nobody() -> Result<u64> {
    getrandom::u64().map_err(|error| anyhow!("[NO_RANDOMNESS] give --seed: {error}"))
}

/// What is mixed with a seed in the protocol's commitment. A seed that the player has named is no
/// secret, and the same lines are to be said for it every time.
pub fn salt(named: bool) -> Result<[u8; 16]> {
    let mut salt = [0; 16];
    if !named {
        getrandom::fill(&mut salt).map_err(|error| anyhow!("[NO_RANDOMNESS] give --seed: {error}"))?;
    }
    Ok(salt)
}

/// The seed of today, in universal time: the number of days since 1970.
pub fn daily_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400
}

/// A day as `2026.11.17`, from the number of days since 1970. Years begin in March here, so that a leap day is the
/// last one of a year.
fn day(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + u64::from(month <= 2))
}

/// The seed of the bots at a table.
pub fn bot_seed(table: &dyn Table) -> u64 {
    turnstone_table::bot_seed(table.seed())
}

/// The seat that a number or a name means.
pub fn seat_named(table: &dyn Table, text: &str) -> Result<Seat> {
    let seats = table.seats();
    let wanted = text.to_lowercase();
    let named = |name: &String| name.to_lowercase() == wanted;
    let begins = |name: &String| name.to_lowercase().starts_with(&wanted);
    let number = text.parse::<usize>().ok().filter(|&number| number < seats.len());
    let found = number.or_else(|| seats.iter().position(named)).or_else(|| seats.iter().position(begins));
    match found {
        Some(index) => Ok(index as Seat),
        None => {
            let known: Vec<String> =
                seats.iter().enumerate().map(|(i, name)| format!("{i} {name}")).collect();
            bail!("[UNKNOWN_SEAT] there is no seat \"{text}\"; there are: {}", known.join(", "))
        }
    }
}

/// Splits `SEAT=NAME`. In the names of some bots there is such a sign, too: `slips=25:greedy`, `ismcts:400,trees=2`.
pub fn bot_named<'a>(table: &dyn Table, text: &'a str) -> Result<(Option<Seat>, &'a str)> {
    let Some((word, name)) = text.split_once('=') else { return Ok((None, text)) };
    let is_part_of_a_name = word == "slips" || word.contains([':', ' ', '/']);
    match seat_named(table, word) {
        Err(_) if is_part_of_a_name => Ok((None, text)),
        seat => Ok((Some(seat?), name)),
    }
}

/// Seats the bots that were asked for; the others get the level in the middle, unless people
/// are to sit there.
pub fn seat_bots(host: &dyn Host, table: &mut dyn Table, args: &args::Play) -> Result<()> {
    let seats = table.seats().len() as Seat;
    let mut wanted: Vec<Option<String>> = vec![None; usize::from(seats)];
    let mut general = None;
    for text in &args.bots {
        match bot_named(table, text)? {
            (Some(seat), name) => wanted[usize::from(seat)] = Some(name.to_owned()),
            (None, name) => general = Some(name.to_owned()),
        }
    }
    if !args.hotseat {
        let own = match &args.seat {
            Some(text) => Some(seat_named(table, text)?),
            // Who names a bot for every seat wants to watch; so does who names one in a game for one.
            None if general.is_some() && seats == 1 => None,
            None => (0..seats).find(|&seat| wanted[usize::from(seat)].is_none()),
        };
        let levels = host.levels();
        let middle = levels.get(levels.len() / 2).map(|level| level.id.clone());
        for seat in (0..seats).filter(|&seat| Some(seat) != own) {
            let name = &mut wanted[usize::from(seat)];
            *name = name.take().or_else(|| general.clone()).or_else(|| middle.clone());
        }
    }
    let seed = bot_seed(table);
    for (seat, name) in (0..).zip(wanted) {
        if let Some(name) = name {
            table.seat_bot(seat, &name, seed).map_err(|refusal| anyhow!(refusal))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_table::Opening;

    #[test]
    fn a_sign_in_the_name_of_a_bot_names_no_seat() {
        let host = turnstone_table::testing::GAMES.all()[0];
        let table = host.open(&Opening::default()).unwrap();
        let first = format!("{}=flat:8", table.seats()[0].to_lowercase());
        let named = |text| bot_named(&*table, text).map_err(|error| error.to_string());
        assert_eq!(named("0=random"), Ok((Some(0), "random")));
        assert_eq!(named("1=slips=25:random"), Ok((Some(1), "slips=25:random")));
        assert_eq!(named(&first), Ok((Some(0), "flat:8")));
        for bot in ["slips=25:random", "ismcts:400,trees=2", "python3 bot.py --depth=3", "./bot --depth=3"] {
            assert_eq!(named(bot), Ok((None, bot)));
        }
        assert!(named("7=random").is_err_and(|error| error.contains("UNKNOWN_SEAT")));
    }

    #[test]
    fn days_have_dates() {
        for (days, date) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (19_782, "2024.02.29"),
            (20_819, "2027.01.01"),
        ] {
            assert_eq!(day(days), date);
        }
    }
}
