//! Playing a tournament: units of work in a fixed order, on any number of threads, into a file that is
//! only ever appended to.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};

use serde::{Deserialize, Serialize};
use turnstone_table::{Host, Opening, Source, Venue};

use crate::Trouble;
use crate::apart::Helper;
use crate::plan::{Kind, Measure, Plan, SprtPlan};
use crate::play::{Bounds, Entrant, Game, again, play, play_at_table};
use crate::stats::{Penta, Verdict};

/// What is played together: one seed on one set-up. With two seats two bots play it twice, with the
/// seats swapped; alone every bot plays it once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Its number, from 0.
    pub unit: u64,
    /// The set-up; empty for the game's usual one.
    pub setup: String,
    /// The seed.
    pub seed: u64,
    /// The games, in order.
    pub games: Vec<Game>,
}

/// The first line of a results file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// The version of the file.
    arena: u32,
    game: String,
    /// Of everything that decides what is played, but for how much of it.
    plan: String,
    engine: String,
    /// Those who play by the clock: with them what is played cannot be repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    timed: Vec<String>,
}

/// How far a tournament has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Units played, in all.
    pub done: u64,
    /// Units to play, unless a test ends it before.
    pub of: u64,
}

/// A tournament, ready to be played.
pub struct Tournament {
    plan: Plan,
    names: Vec<String>,
    pairings: Vec<(usize, usize)>,
    venues: Vec<(String, Box<dyn Venue>)>,
    seats: usize,
    header: Header,
}

impl Tournament {
    /// Opens every set-up once, so that what is wrong is known before anything is played. `content`
    /// overlays what is built in, `files` are texts that set-ups may name.
    ///
    /// # Errors
    /// Set-ups and bots that there are not, a file whose set-ups have one seat and several, or limits for a built-in bot:
    /// somebody must run it then.
    pub fn new(plan: Plan, host: &dyn Host, content: &[Source], files: &[Source]) -> Result<Self, Trouble> {
        Self::with_helper(plan, host, content, files, &[])
    }

    /// The same; these words start a program that does [`play_apart`](crate::play_apart), for built-in bots that are
    /// held to limits.
    ///
    /// # Errors
    /// As [`new`](Self::new), but that limits are well.
    pub fn with_helper(
        mut plan: Plan,
        host: &dyn Host,
        content: &[Source],
        files: &[Source],
        helper: &[String],
    ) -> Result<Self, Trouble> {
        let setups = if plan.setups.is_empty() { vec![String::new()] } else { plan.setups.clone() };
        let (mut venues, mut counts, mut heads) = (Vec::new(), Vec::new(), Vec::new());
        for setup in setups {
            let opening = Opening {
                ruleset: plan.ruleset.clone().map(Into::into),
                content: content.to_vec(),
                setup: Some(setup.clone()).filter(|setup| !setup.is_empty()),
                wishes: plan.options.clone().into_iter().collect(),
                files: files.to_vec(),
                seed: plan.seeds.from,
                ..Opening::default()
            };
            let venue = host.venue(&opening)?;
            let mut table = venue.open(plan.seeds.from)?;
            counts.push(table.seats().len());
            for (_, bot) in plan.bot.iter().filter(|(_, bot)| bot.command.is_none()) {
                table.seat_bot(0, bot.name.as_deref().unwrap_or_default(), 0)?;
            }
            heads.push(venue.open(plan.seeds.from)?.save()?.lines().next().unwrap_or_default().to_owned());
            venues.push((setup, venue));
        }
        if counts.iter().any(|count| (*count == 1) != (counts[0] == 1)) {
            let text = "set-ups for one and set-ups for several cannot be played in one tournament";
            return Err(Trouble::new("MIXED_SEATS", text));
        }
        let (names, pairings) = (plan.names(), plan.pairings());
        if counts[0] > 1 && names.len() < 2 {
            return Err(Trouble::new("BAD_PLAN", "this game is for several: name at least two bots"));
        }
        let header = header(host.name(), &plan, &heads);
        hold_apart(&mut plan, helper, content)?;
        Ok(Tournament { plan, names, pairings, venues, seats: counts[0], header })
    }

    /// The tournament file.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether everybody plays alone.
    pub fn solo(&self) -> bool {
        self.seats == 1
    }

    /// How many units there are.
    pub fn units(&self) -> u64 {
        self.plan.seeds.count.saturating_mul(self.per_seed())
    }

    fn per_seed(&self) -> u64 {
        let pairings = if self.solo() { 1 } else { self.pairings.len() as u64 };
        pairings * self.venues.len() as u64
    }

    /// What decides what is played, but for how much of it: who plays units of it elsewhere must come to the same.
    pub fn mark(&self) -> String {
        let Header { arena, game, plan, engine, timed: _ } = &self.header;
        format!("{arena} {game} {plan} {engine}")
    }

    /// Plays what the file does not hold yet, and gives everything it then holds. Whatever the number
    /// of threads, and however often it was stopped, the file has the same bytes in the end, as long as
    /// its bots give the same answers.
    ///
    /// # Errors
    /// If the file cannot be written, is damaged, or is of another tournament.
    pub fn run(
        &self,
        path: &Path,
        threads: usize,
        mut progress: impl FnMut(Progress),
    ) -> Result<Vec<Unit>, Trouble> {
        let mut results = self.results(path)?;
        let Progress { done, of } = results.progress();
        let (next, stop) = (AtomicU64::new(done), AtomicBool::new(results.over()));
        progress(results.progress());
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..threads.max(1) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= of || sender.send(self.play(number)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let heard = hear_all(&receiver, &mut results, &mut progress);
            stop.store(true, Ordering::Relaxed);
            // Who still plays is not awaited in vain: his line has nobody to hear it.
            drop(receiver);
            heard
        })?;
        results.close()
    }

    fn bounds(&self) -> Bounds {
        let Plan { max_inputs, adjudicate, reasons, .. } = self.plan;
        Bounds { max_inputs, adjudicate, reasons }
    }

    /// Plays one unit, wherever that is, and gives its line of the results.
    ///
    /// # Errors
    /// If there is no such unit, or its set-up is refused with its seed.
    pub fn play(&self, number: u64) -> Result<String, Trouble> {
        if number >= self.units() {
            return Err(Trouble::new("NO_SUCH_UNIT", format!("there are {} units", self.units())));
        }
        let (setup, seed, seatings) = self.unit(number);
        let (name, venue) = &self.venues[setup];
        let mut games = Vec::new();
        for seating in seatings {
            let seats = self.entrants(&seating);
            games.push(play(&**venue, seed, &seats, self.bounds())?);
        }
        if let Some(measure) = self.plan.measured() {
            games.iter().try_for_each(|game| measure.check(game))?;
        }
        Ok(serde_json::to_string(&Unit { unit: number, setup: name.clone(), seed, games })?)
    }

    /// The set-up, the seed, and who sits where in each game. Seeds come last, so that at any time
    /// everybody has played as much as everybody else.
    fn unit(&self, number: u64) -> (usize, u64, Vec<Vec<usize>>) {
        let (seed, rest) = (number / self.per_seed(), number % self.per_seed());
        let seed = self.plan.seeds.from.wrapping_add(seed);
        let pairings = self.pairings.len().max(1) as u64;
        if self.solo() {
            return (rest as usize, seed, (0..self.names.len()).map(|bot| vec![bot]).collect());
        }
        let (a, b) = self.pairings[(rest % pairings) as usize];
        let seats = |turn: usize| {
            (0..self.seats).map(move |seat| if (seat + turn).is_multiple_of(2) { a } else { b })
        };
        ((rest / pairings) as usize, seed, vec![seats(0).collect(), seats(1).collect()])
    }

    fn entrants(&self, seating: &[usize]) -> Vec<Entrant<'_>> {
        seating.iter().map(|bot| (self.names[*bot].as_str(), &self.plan.bot[&self.names[*bot]])).collect()
    }

    /// Whether there is such a game, played or not.
    ///
    /// # Errors
    /// If there is none.
    pub fn check_game(&self, unit: u64, game: usize) -> Result<(), Trouble> {
        let there = unit < self.units() && game < self.unit(unit).2.len();
        if there { Ok(()) } else { Err(no_game(unit, game)) }
    }

    /// The match file of a game that was played.
    ///
    /// # Errors
    /// If there is no such game, or its set-up is refused.
    pub fn match_file(&self, units: &[Unit], unit: u64, game: usize) -> Result<String, Trouble> {
        let played = units.iter().find(|one| one.unit == unit).ok_or_else(|| no_game(unit, game))?;
        let record = played.games.get(game).ok_or_else(|| no_game(unit, game))?;
        let (setup, seed, seatings) = self.unit(unit);
        let seats = self.entrants(&seatings[game]);
        Ok(again(&*self.venues[setup].1, seed, &seats, self.plan.max_inputs, record)?)
    }

    /// Plays one game that the results do not hold yet, and nothing else; gives its match file.
    ///
    /// # Errors
    /// If there is no such game, or its set-up is refused.
    pub fn play_game(&self, unit: u64, game: usize) -> Result<String, Trouble> {
        self.check_game(unit, game)?;
        let (setup, seed, seatings) = self.unit(unit);
        let seats = self.entrants(&seatings[game]);
        Ok(play_at_table(&*self.venues[setup].1, seed, &seats, self.plan.max_inputs)?.1)
    }

    /// What a results file holds, which somebody else may be writing: nothing of it is changed. A file that there is
    /// not holds nothing.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another tournament.
    pub fn read(&self, path: &Path) -> Result<Vec<Unit>, Trouble> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        Ok(self.units_of(whole_lines(&bytes), path)?.unwrap_or_default())
    }

    /// Opens a results file, new or begun, to be written on.
    ///
    /// # Errors
    /// If the file cannot be written, is damaged, or is of another tournament.
    pub fn results(&self, path: &Path) -> Result<Results, Trouble> {
        let (mut units, file) = self.resume(path)?;
        units.truncate(usize::try_from(self.units()).unwrap_or(usize::MAX));
        let mut watch = Watch::new(&self.plan, self.per_seed());
        let stopped = units.iter().position(|unit| watch.hear(unit));
        if let Some(last) = stopped {
            units.truncate(last + 1);
        }
        let (early, decided) = (BTreeMap::new(), stopped.is_some());
        Ok(Results { units, file, watch, early, of: self.units(), decided })
    }

    /// Reads what is there, drops a last line that was torn, and opens the file behind it. As long as it is open
    /// nobody else writes to it: two who played the same units would write them twice.
    fn resume(&self, path: &Path) -> Result<(Vec<Unit>, File), Trouble> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.map_err(|error| Trouble::new("FILE", format!("{}: {error}", path.display())))?;
        hold(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = whole_lines(&bytes);
        let units = self.units_of(whole, path)?;
        if whole.len() < bytes.len() {
            file.set_len(whole.len() as u64)?;
        }
        if units.is_none() {
            writeln!(file, "{}", serde_json::to_string(&self.header)?)?;
        }
        Ok((units.unwrap_or_default(), file))
    }

    /// The units in the lines of a results file; `None` if there is no line at all.
    fn units_of(&self, bytes: &[u8], path: &Path) -> Result<Option<Vec<Unit>>, Trouble> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines();
        let Some(first) = lines.next() else { return Ok(None) };
        let header: Header = serde_json::from_str(first).map_err(|error| damaged(1, &error))?;
        if header != self.header {
            let text = format!(
                "{} holds results of another tournament, of other rules or content; \
                 name another file, or remove it to begin anew",
                path.display()
            );
            return Err(Trouble::new("OTHER_TOURNAMENT", text));
        }
        let mut units: Vec<Unit> = Vec::new();
        for (index, line) in lines.enumerate() {
            let unit: Unit = serde_json::from_str(line).map_err(|error| damaged(index + 2, &error))?;
            if unit.unit != index as u64 {
                return Err(damaged(index + 2, &format!("unit {} is out of order", unit.unit)));
            }
            units.push(unit);
        }
        Ok(Some(units))
    }
}

/// Says who runs the built-in bots that are held to limits.
fn hold_apart(plan: &mut Plan, words: &[String], content: &[Source]) -> Result<(), Trouble> {
    for (name, bot) in plan.bot.iter_mut().filter(|(_, bot)| bot.kind == Kind::Builtin) {
        let Some(limit) = bot.limit() else { continue };
        if words.is_empty() {
            let text =
                format!("[bot.{name}]: {limit}: nobody here can run a built-in bot in a process of its own");
            return Err(Trouble::new("BAD_PLAN", text));
        }
        bot.helper = Some(Helper::new(words, content));
    }
    Ok(())
}

/// Takes a file for oneself, until it is closed.
fn hold(file: &File, path: &Path) -> Result<(), Trouble> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let text = format!(
                "{} is being written by another tournament that is under way; \
                 wait for it, or name another file with --results",
                path.display()
            );
            Err(Trouble::new("IN_USE", text))
        }
        // Where files cannot be held at all one goes on as before.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Without a last line that was torn.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)]
}

fn no_game(unit: u64, game: usize) -> Trouble {
    Trouble::new("NO_SUCH_GAME", format!("the tournament has no game {unit}.{game}"))
}

/// A results file that is being written: units in their order, whoever finished first, until all are there or the
/// test has ended.
pub struct Results {
    units: Vec<Unit>,
    file: File,
    watch: Watch,
    /// Lines that came before those that stand before them.
    early: BTreeMap<u64, (Unit, String)>,
    of: u64,
    decided: bool,
}

impl Results {
    /// How far it has come.
    pub fn progress(&self) -> Progress {
        Progress { done: self.units.len() as u64, of: self.of }
    }

    /// Whether nothing is left to play.
    pub fn over(&self) -> bool {
        self.decided || self.units.len() as u64 >= self.of
    }

    /// Takes the line of any unit; one that is there already, or that nobody needs any more, changes nothing.
    ///
    /// # Errors
    /// If it is no unit, or the file cannot be written.
    pub fn hear(&mut self, line: &str) -> Result<(), Trouble> {
        // What is known of a unit is what its line says, so that it is the same when the file is read again.
        let unit = read_unit(line)?;
        if unit.unit < self.of && unit.unit >= self.units.len() as u64 {
            self.early.insert(unit.unit, (unit, line.to_owned()));
        }
        while !self.over() {
            let Some((unit, line)) = self.early.remove(&(self.units.len() as u64)) else { break };
            self.write(unit, &line)?;
        }
        Ok(())
    }

    fn write(&mut self, unit: Unit, line: &str) -> Result<(), Trouble> {
        writeln!(self.file, "{line}")?;
        if unit.unit % 64 == 63 {
            self.file.sync_data()?;
        }
        self.decided = self.watch.hear(&unit);
        self.units.push(unit);
        Ok(())
    }

    /// What it holds.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Ends writing, and gives what it holds.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn close(self) -> Result<Vec<Unit>, Trouble> {
        self.file.sync_all()?;
        // A program that is just being started somewhere has our files for a moment, and with them what is held.
        let _ = self.file.unlock();
        Ok(self.units)
    }
}

fn read_unit(line: &str) -> Result<Unit, Trouble> {
    let wrong = |what: String| Trouble::new("BAD_UNIT", format!("this is no line of the results: {what}"));
    if line.contains('\n') {
        return Err(wrong("it is several".to_owned()));
    }
    serde_json::from_str(line).map_err(|error| wrong(error.to_string()))
}

/// Hears everybody until nothing is left to play.
fn hear_all(
    receiver: &Receiver<Result<String, Trouble>>,
    results: &mut Results,
    progress: &mut impl FnMut(Progress),
) -> Result<(), Trouble> {
    while !results.over() {
        let Ok(line) = receiver.recv() else { break };
        results.hear(&line?)?;
        progress(results.progress());
    }
    Ok(())
}

fn damaged(line: usize, what: &dyn std::fmt::Display) -> Trouble {
    Trouble::new("DAMAGED_RESULTS", format!("line {line} of the results: {what}"))
}

/// What must be the same for two runs to go into one file. How many seeds are played may change: a
/// tournament can be made longer.
fn header(game: &str, plan: &Plan, heads: &[String]) -> Header {
    let mut deciding = plan.clone();
    deciding.seeds.count = 0;
    deciding.anchor = None;
    let text = serde_json::json!([deciding, heads]).to_string();
    Header {
        arena: 1,
        game: game.to_owned(),
        plan: blake3::hash(text.as_bytes()).to_hex().to_string(),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        timed: plan.timed(),
    }
}

/// A sequential test in progress: it looks at the unbroken row of units at fixed steps.
pub(crate) struct Watch {
    sprt: Option<SprtPlan>,
    measure: Option<Measure>,
    per_seed: u64,
    pub penta: Option<Penta>,
    /// After how many results the ratio was what.
    pub history: Vec<(u64, f64)>,
}

impl Watch {
    pub fn new(plan: &Plan, per_seed: u64) -> Self {
        let (sprt, measure) = (plan.sprt.clone(), plan.measured());
        Watch { sprt, measure, per_seed, penta: None, history: Vec::new() }
    }

    /// Whether the test ends with this unit.
    pub fn hear(&mut self, unit: &Unit) -> bool {
        let Some(sprt) = &self.sprt else { return false };
        let solo = unit.games.first().is_some_and(|game| game.seats.len() == 1);
        let penta = self.penta.get_or_insert_with(|| if solo { Penta::seeds() } else { Penta::pairs() });
        penta.add(unit_halves(unit, &sprt.a, &sprt.b, self.measure.as_ref()));
        let step = sprt.step * self.per_seed;
        if !(unit.unit + 1).is_multiple_of(step) {
            return false;
        }
        let state = sprt.test().state(penta);
        self.history.push((penta.total(), state.llr));
        state.verdict != Verdict::Open
    }
}

/// Halves of a point for `a` in a unit: of a pair of games 0 to 4; alone 0, 1 or 2, as he did worse,
/// the same or better than `b`.
pub(crate) fn unit_halves(unit: &Unit, a: &str, b: &str, measure: Option<&Measure>) -> usize {
    let alone = |name: &str| unit.games.iter().find(|game| game.seats == [name]);
    let (Some(one), Some(other)) = (alone(a), alone(b)) else {
        return unit.games.iter().map(|game| usize::from(game.halves(a))).sum();
    };
    // Who wins has done better than who does not, however far that one came.
    let achieved = |game: &Game, name: &str| {
        (game.halves(name), measure.map_or(0.0, |measure| measure.merit(measure.of(game))))
    };
    let (one, other) = (achieved(one, a), achieved(other, b));
    match one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}
