//! `run`: bots play many games, and the report.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use turnstone_arena::stats;
use turnstone_arena::{BotPlan, Fault, Game, clock_told, play_at_table};
use turnstone_table::{Games, Host, Outcome, Plan, Played, Table, Venue, is_timed};

use crate::Ended;
use crate::args;
use crate::files::{make_writable, write_whole};
use crate::out::{BAD, FAINT, Out, TITLE, grouped, progress};
use crate::play::{bot_named, opening, venue};

/// Plays and reports. A game that cannot go on although it is not over is a failed check.
pub fn run(args: &args::Run, games: Games) -> Result<Ended> {
    let (host, first) = opening(&args.opening, games)?;
    let venue = venue(host, &first, &args.opening.wishes)?;
    let table = venue.open(first.seed).map_err(|refusal| anyhow!(refusal))?;
    let plan = plan(host, &*table, args)?;
    let played = play_all(host, &*venue, first.seed, &plan, args)?;
    let (played, faults): (Vec<Played>, Vec<Option<Fault>>) = played.into_iter().unzip();
    let mut report = Report::new(host, &*table, &plan, first.seed, &played);
    report.faults = told_faults(&played, &faults);
    report.timed = timed(&plan);
    let mut out = Out::new();
    if args.json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.print(&mut out)?;
    }
    out.flush()?;
    Ok(if report.broken.is_empty() { Ended::Well } else { Ended::Failed })
}

fn plan(host: &dyn Host, table: &dyn Table, args: &args::Run) -> Result<Plan> {
    let weakest = host.bots().first().map(|bot| bot.id.clone()).context("this game has no bots")?;
    let mut plan = Plan { bot: weakest, seats: Vec::new(), max_inputs: args.max_inputs };
    for text in &args.bots {
        match bot_named(table, text)? {
            (Some(seat), name) => plan.seats.push((seat, name.to_owned())),
            (None, name) => plan.bot = name.to_owned(),
        }
    }
    Ok(plan)
}

/// Every game by itself, on all threads; the order of the results is that of the seeds.
fn play_all(
    host: &dyn Host,
    venue: &dyn Venue,
    first: u64,
    plan: &Plan,
    args: &args::Run,
) -> Result<Vec<(Played, Option<Fault>)>> {
    let bar = progress(args.games, "games");
    // More threads than games or cores would only wait for each other.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = cores.min(usize::try_from(args.games).unwrap_or(usize::MAX)).max(1);
    let threads = args.threads.filter(|&threads| threads > 0).unwrap_or(most).min(most);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    if let Some(dir) = &args.save {
        make_writable(dir)?;
    }
    let one = |index: u64| -> Result<(Played, Option<Fault>)> {
        let seed = first.wrapping_add(index);
        let played = match &args.save {
            None if has_programs(plan) => record(venue, seed, plan)?.0,
            None => (venue.simulate(seed, plan).map_err(|refusal| anyhow!(refusal))?, None),
            Some(dir) => {
                let (played, file) = record(venue, seed, plan)?;
                write_whole(&dir.join(format!("{}-{seed}.turn", host.name())), &file)?;
                played
            }
        };
        bar.inc(1);
        Ok(played)
    };
    let played = pool.install(|| (0..args.games).into_par_iter().map(one).collect());
    bar.finish_and_clear();
    played
}

/// Plays one game at a table, so that there is a match file, or that programs can play it. A program that cannot be
/// started is none.
fn record(venue: &dyn Venue, seed: u64, plan: &Plan) -> Result<((Played, Option<Fault>), String)> {
    let seats = venue.open(seed).map_err(|refusal| anyhow!(refusal))?.seats().len();
    let name = |seat: usize| {
        let named = plan.seats.iter().find(|(taken, _)| usize::from(*taken) == seat);
        named.map_or(plan.bot.as_str(), |(_, name)| name)
    };
    let entrant = |name| if is_program(name) { BotPlan::program(name) } else { BotPlan::builtin(name) };
    let bots: Vec<(&str, BotPlan)> = (0..seats).map(|seat| (name(seat), entrant(name(seat)))).collect();
    let bots: Vec<(&str, &BotPlan)> = bots.iter().map(|(name, bot)| (*name, bot)).collect();
    let (game, file) =
        play_at_table(venue, seed, &bots, plan.max_inputs).map_err(|refusal| anyhow!(refusal))?;
    let fault = game.fault.clone();
    if let Some(Fault { seat, text, .. }) = fault.as_ref().filter(|fault| fault.code == "UNSTARTED") {
        bail!("[UNSTARTED] the program of seat {seat}, {}: {text}", name(usize::from(*seat)));
    }
    Ok(((played(game, seed, plan.max_inputs), fault), file))
}

/// Those who play by the clock, each once.
fn timed(plan: &Plan) -> Vec<String> {
    let names = plan.seats.iter().map(|(_, name)| name).chain([&plan.bot]);
    let timed: BTreeSet<&String> = names.filter(|name| is_timed(name)).collect();
    timed.into_iter().cloned().collect()
}

/// A name with a space or a slash in it is a command.
fn is_program(name: &str) -> bool {
    name.contains([' ', '/'])
}

fn has_programs(plan: &Plan) -> bool {
    is_program(&plan.bot) || plan.seats.iter().any(|(_, name)| is_program(name))
}

/// Who crashes, stalls or breaks the rules has lost; that is told among the words of the report.
fn played(game: Game, seed: u64, max_inputs: u64) -> Played {
    let mut tally: Vec<(String, Value)> = game.tally.into_iter().collect();
    let outcome = match &game.fault {
        Some(fault) if game.seats.len() == 2 => Some(Outcome::Won(1 - fault.seat.min(1))),
        Some(_) => Some(Outcome::Lost),
        None => game.outcome,
    };
    if let Some(fault) = game.fault {
        tally.push(("fault".to_owned(), format!("seat {}: {}", fault.seat, fault.code).into()));
    }
    let stuck = match outcome {
        Some(_) => None,
        None if game.inputs >= max_inputs => Some(format!("not over after {} inputs", game.inputs)),
        None => Some("nobody can move and the game is not over".to_owned()),
    };
    Played { seed, outcome, inputs: game.inputs, stuck, tally, standing: None }
}

/// For each seat and each reason how many games were lost without the rules, and what was said of the first of them.
fn told_faults(played: &[Played], faults: &[Option<Fault>]) -> Vec<String> {
    let mut all: BTreeMap<(u8, &str), (usize, u64, &str)> = BTreeMap::new();
    for (game, fault) in played.iter().zip(faults) {
        let Some(Fault { seat, code, text }) = fault else { continue };
        all.entry((*seat, code)).or_insert((0, game.seed, text)).0 += 1;
    }
    let line = |((seat, code), (games, seed, text)): (&(u8, &str), &(usize, u64, &str))| {
        format!("fault of seat {seat}: {games} {code}, first with seed {seed}: {text}")
    };
    all.iter().map(line).collect()
}

/// What many games say together.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    bots: Vec<String>,
    seed: u64,
    games: usize,
    outcomes: Vec<Share>,
    inputs: Mean,
    /// Numbers that the game tells about a finished match.
    numbers: BTreeMap<String, Mean>,
    /// Words that the game tells, and how often each occurs.
    words: BTreeMap<String, Vec<Share>>,
    /// Games lost without the rules: how many, by whom, why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
    /// Games that could not go on.
    broken: Vec<String>,
    /// Those who play by the clock: what is said here cannot be repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timed: Vec<String>,
}

/// A count and its share, with its 95 % interval by Wilson: one game of one proves little.
#[derive(Debug, PartialEq, Serialize)]
struct Share {
    what: String,
    count: usize,
    percent: f64,
    low: f64,
    high: f64,
}

impl Share {
    fn new(what: String, count: usize, all: usize) -> Self {
        let share = stats::Share::new(count as u64, all as u64);
        Share { what, count, percent: 100.0 * share.share, low: 100.0 * share.low, high: 100.0 * share.high }
    }

    fn line(&self, width: usize) -> String {
        let Share { what, count, percent, low, high } = self;
        let bar = "█".repeat((percent / 4.0).round() as usize);
        format!("  {what:<width$} {count:>7}  {percent:5.1} %  ({low:.1} to {high:.1})  {bar}")
    }
}

/// A mean with the half width of a 95 % interval.
#[derive(Debug, PartialEq, Serialize)]
struct Mean {
    of: usize,
    mean: f64,
    error: f64,
    min: f64,
    max: f64,
    /// How often each value occurs, if there are few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    histogram: Vec<(i64, usize)>,
}

impl Mean {
    fn new(values: &[f64]) -> Self {
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
        values.iter().for_each(|value| *counts.entry(*value as i64).or_default() += 1);
        let whole = values.iter().all(|value| value.fract() == 0.0);
        let histogram = if whole && counts.len() <= 64 { counts.into_iter().collect() } else { Vec::new() };
        Mean { of: values.len(), mean, error: 1.96 * (variance / n).sqrt(), min, max, histogram }
    }

    fn line(&self) -> String {
        // One alone says nothing about how far others lie.
        match self.of {
            1 => format!("{:.2}", self.mean),
            _ => format!("{:.2} ± {:.2} (from {} to {})", self.mean, self.error, self.min, self.max),
        }
    }
}

impl Report {
    fn new(host: &dyn Host, table: &dyn Table, plan: &Plan, seed: u64, played: &[Played]) -> Self {
        let seats = table.seats();
        let bot = |seat: usize| {
            let named = plan.seats.iter().find(|(taken, _)| usize::from(*taken) == seat);
            named.map_or(&plan.bot, |(_, name)| name).clone()
        };
        let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
        for game in played {
            *outcomes.entry(outcome_words(game, &seats)).or_default() += 1;
        }
        let (numbers, words) = tally(played);
        Report {
            game: host.name().to_owned(),
            bots: (0..seats.len()).map(|seat| format!("{}: {}", seats[seat], bot(seat))).collect(),
            seed,
            games: played.len(),
            outcomes: shares(outcomes, played.len()),
            inputs: Mean::new(&played.iter().map(|game| game.inputs as f64).collect::<Vec<_>>()),
            numbers,
            words,
            faults: Vec::new(),
            broken: played.iter().filter_map(broken).collect(),
            timed: Vec::new(),
        }
    }

    fn print(&self, out: &mut Out) -> Result<()> {
        let games = if self.games == 1 { "game" } else { "games" };
        let title = format!("{}, {} {games} from seed {}", self.game, grouped(self.games as u64), self.seed);
        writeln!(out, "{}  {}", out.paint(TITLE, title), out.paint(FAINT, self.bots.join(", ")))?;
        if let Some(told) = clock_told(&self.timed) {
            writeln!(out, "{told}")?;
        }
        print_shares(out, &self.outcomes)?;
        writeln!(out, "inputs per game {}", self.inputs.line())?;
        for (name, mean) in &self.numbers {
            writeln!(out, "{name} {}", mean.line())?;
            // Where nearly every game has a value of its own, bars say nothing.
            if (2..=self.games / 2).contains(&mean.histogram.len()) {
                let whole = self.games;
                let bars: Vec<Share> = mean
                    .histogram
                    .iter()
                    .map(|(value, n)| Share::new(value.to_string(), *n, whole))
                    .collect();
                print_shares(out, &bars)?;
            }
        }
        for (name, shares) in &self.words {
            writeln!(out, "{name}")?;
            print_shares(out, &shares[..shares.len().min(20)])?;
        }
        for line in self.faults.iter().chain(self.broken.iter().take(10)) {
            let line = out.paint(BAD, line);
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

fn print_shares(out: &mut Out, shares: &[Share]) -> Result<()> {
    let width = shares.iter().map(|share| share.what.chars().count()).max().unwrap_or(0);
    for share in shares {
        writeln!(out, "{}", share.line(width))?;
    }
    Ok(())
}

/// Most frequent first.
fn shares(counts: BTreeMap<String, usize>, all: usize) -> Vec<Share> {
    let mut shares: Vec<Share> =
        counts.into_iter().map(|(what, count)| Share::new(what, count, all)).collect();
    shares.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.what.cmp(&b.what)));
    shares
}

fn outcome_words(game: &Played, seats: &[String]) -> String {
    match game.outcome {
        Some(Outcome::Won(_)) if seats.len() == 1 => "won".to_owned(),
        Some(Outcome::Won(seat)) => {
            let name = seats.get(usize::from(seat)).map_or_else(|| format!("seat {seat}"), Clone::clone);
            format!("{name} won")
        }
        Some(Outcome::WonByAll) => "won together".to_owned(),
        Some(Outcome::Drawn) => "drawn".to_owned(),
        Some(Outcome::Lost) => "lost".to_owned(),
        None => "not over".to_owned(),
    }
}

/// A game given up for its length is no fault; one that cannot go on is.
fn broken(game: &Played) -> Option<String> {
    let why = game.stuck.as_ref().filter(|why| !why.starts_with("not over"))?;
    Some(format!("seed {}: {why}", game.seed))
}

type Tally = (BTreeMap<String, Mean>, BTreeMap<String, Vec<Share>>);

fn tally(played: &[Played]) -> Tally {
    let mut numbers: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut words: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (name, value) in played.iter().flat_map(|game| &game.tally) {
        match value {
            Value::Number(number) => {
                numbers.entry(name.clone()).or_default().push(number.as_f64().unwrap_or_default());
            }
            Value::Null => {}
            other => {
                let word = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                *words.entry(name.clone()).or_default().entry(word).or_default() += 1;
            }
        }
    }
    let numbers = numbers.into_iter().map(|(name, values)| (name, Mean::new(&values))).collect();
    let words = words.into_iter().map(|(name, counts)| {
        let all = counts.values().sum();
        (name, shares(counts, all))
    });
    (numbers, words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_shares_have_error_bars() {
        let mean = Mean::new(&[1.0, 2.0, 3.0]);
        assert_eq!((mean.mean, mean.min, mean.max), (2.0, 1.0, 3.0));
        assert!((mean.error - 1.1316).abs() < 1e-3);
        assert_eq!((mean.line().contains('±'), Mean::new(&[4.0]).line()), (true, "4.00".to_owned()));
        assert_eq!(mean.histogram, [(1, 1), (2, 1), (3, 1)]);
        let share = Share::new("x".to_owned(), 50, 100);
        assert!(
            (share.percent - 50.0).abs() < 1e-9
                && (share.low - 40.38).abs() < 0.01
                && (share.high - 59.62).abs() < 0.01
        );
        let one = Share::new("x".to_owned(), 1, 1);
        assert!(
            one.percent == 100.0 && one.high == 100.0 && one.low < 21.0,
            "one game proves little: {one:?}"
        );
    }

    #[test]
    fn no_games_make_no_nonsense() {
        assert_eq!(Share::new("x".to_owned(), 0, 0).percent, 0.0);
        assert_eq!(Mean::new(&[]).mean, 0.0);
    }
}
