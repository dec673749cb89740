//! `balance`: what many matches say about a game.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use turnstone_arena::balance::{AFTER, Balance, Comparison, Example, Group, Study};
use turnstone_arena::parallel::in_order;
use turnstone_table::{Games, Host, Labels, Opening, Plan};

use super::arena::cores;
use crate::Ended;
use crate::args;
use crate::files::{make_writable, read_content, read_named, read_text, write_packed, write_whole};
use crate::out::{Out, progress};
use crate::play::{bot_named, check_switches, opening, refused};

/// How matches are opened, and who plays.
#[derive(Clone)]
struct Way {
    opening: Opening,
    bots: Vec<String>,
}

/// Plays, looks, and reports.
pub fn run(args: &args::Balance, games: Games) -> Result<Ended> {
    let (host, wanted) = opening(&args.opening, games)?;
    check_switches(host, &wanted, &args.opening.wishes)?;
    if wanted.seed.checked_add(args.games - 1).is_none() {
        bail!("[USAGE] --games: there are not so many seeds after {}", wanted.seed);
    }
    if let Some(dir) = &args.report {
        make_writable(dir)?;
    }
    let way = Way { opening: wanted, bots: args.bots.clone() };
    let study = study(host, &way, args)?;
    let against = against(host, &way, args)?;
    let balance = play(&study)?;
    let other = against.map(Against::played).transpose()?;
    report(&study, &balance, other.as_ref(), args)?;
    Ok(Ended::Well)
}

/// What to compare with: a saved report, or matches that are played now.
enum Against {
    Saved(Box<Balance>),
    Now(Box<Study>),
}

impl Against {
    fn played(self) -> Result<Other> {
        Ok(match self {
            Against::Saved(balance) => Other { balance: *balance, study: None },
            Against::Now(study) => Other { balance: play(&study)?, study: Some(*study) },
        })
    }
}

/// What to compare with, if that is asked for; what is wrong with it is known before anything is played.
fn against(host: &dyn Host, way: &Way, args: &args::Balance) -> Result<Option<Against>> {
    if args.compare.is_empty() {
        return Ok(None);
    }
    if let [file] = args.compare.as_slice()
        && Path::new(file).extension().is_some_and(|ending| ending == "json")
    {
        let mut saved = Balance::read(&read_text(Path::new(file))?).map_err(|trouble| anyhow!(trouble))?;
        if saved.game != host.name() {
            bail!("[OTHER_GAME] {file} is a report about {}, not about {}", saved.game, host.name());
        }
        saved.source += &format!(" ({file})");
        return Ok(Some(Against::Saved(Box::new(saved))));
    }
    let mut way = way.clone();
    for text in &args.compare {
        match text.split_once('=') {
            Some((key, value)) if !Path::new(text).is_dir() => way.set(key, value)?,
            _ => way.opening.content = read_content(Some(Path::new(text)))?,
        }
    }
    let mut study = study(host, &way, args)?;
    study.source += &format!(", {}", args.compare.join(", "));
    Ok(Some(Against::Now(Box::new(study))))
}

/// The report that is compared with, and how its matches are played if it was made now. One that was saved tells what
/// was before, one that is made now what a change would make of it.
struct Other {
    balance: Balance,
    study: Option<Study>,
}

impl Way {
    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        self.opening.files.extend(read_named([value])?);
        match key {
            "setup" => self.opening.setup = Some(value.to_owned()),
            "ruleset" => self.opening.ruleset = Some(value.into()),
            "bot" => self.bots = value.split(',').map(str::to_owned).collect(),
            _ => {
                self.opening.wishes.retain(|(known, _)| known != key);
                self.opening.wishes.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }
}

/// The values of a sweep: those that were written, or all that there are.
fn values(host: &dyn Host, way: &Way, sweep: &str) -> Result<(String, Vec<String>)> {
    if let Some((key, values)) = sweep.split_once('=') {
        return Ok((key.to_owned(), values.split(';').map(str::to_owned).collect()));
    }
    let ids = |named: Vec<turnstone_table::Named>| named.into_iter().map(|one| one.id).collect::<Vec<_>>();
    let usual = host.setups().first().map(|setup| setup.id.clone());
    let setup = way.opening.setup.clone().or(usual).unwrap_or_default();
    let all = match sweep {
        "setup" => ids(host.setups()),
        "ruleset" => ids(host.rulesets()),
        "bot" => ids(host.levels()),
        key => {
            let known = host.settings(&setup);
            let setting = known.iter().find(|setting| setting.id == key).with_context(|| {
                let names: Vec<&str> = known.iter().map(|setting| setting.id.as_str()).collect();
                format!(
                    "[UNKNOWN_SWEEP] there is no option \"{key}\"; there are: setup, ruleset, bot, {}",
                    names.join(", ")
                )
            })?;
            ids(setting.choices().to_vec())
        }
    };
    if all.is_empty() {
        bail!("[MISSING_VALUE] --sweep {sweep} needs values: write --sweep '{sweep}=ONE;TWO'");
    }
    Ok((sweep.to_owned(), all))
}

/// The values that were set, by what they are values of, and the way that this makes.
type Varied = (Vec<(String, String)>, Way);

/// Every combination of the values.
fn ways(host: &dyn Host, way: &Way, sweeps: &[String]) -> Result<Vec<Varied>> {
    let mut all = vec![(Vec::new(), way.clone())];
    for sweep in sweeps {
        let (key, values) = values(host, way, sweep)?;
        let mut next = Vec::new();
        for (names, way) in all {
            for value in &values {
                let (mut names, mut way) = (names.clone(), way.clone());
                names.push((key.clone(), value.clone()));
                way.set(&key, value)?;
                next.push((names, way));
            }
        }
        all = next;
    }
    Ok(all)
}

fn study(host: &dyn Host, way: &Way, args: &args::Balance) -> Result<Study> {
    let mut groups = Vec::new();
    for (values, way) in ways(host, way, &args.sweeps)? {
        let venue = host.venue(&way.opening).map_err(|refusal| refused(&args.opening.wishes, refusal))?;
        let table = venue.open(way.opening.seed).map_err(|refusal| anyhow!(refusal))?;
        let weakest = host.bots().first().map_or(String::new(), |bot| bot.id.clone());
        let mut plan = Plan { bot: weakest, seats: Vec::new(), max_inputs: args.max_inputs };
        for text in &way.bots {
            match bot_named(&*table, text)? {
                (Some(seat), name) => plan.seats.push((seat, name.to_owned())),
                (None, name) => plan.bot = name.to_owned(),
            }
        }
        let name = values.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ");
        groups.push(Group { name, values, venue, plan });
    }
    let labels = args.choices.as_ref().map(|begins| Labels {
        begins: begins.clone(),
        until: args.until.clone(),
        against: args.against.clone(),
    });
    let study = Study {
        game: host.name().to_owned(),
        source: source(way, groups.first().map(|group| &group.plan)),
        groups,
        first: way.opening.seed,
        games: args.games,
        labels,
        measure: args.measure.clone(),
        pairs: args.pairs,
        grafts: args.grafts,
        least: args.least,
        threads: args.threads.unwrap_or_else(cores),
    };
    if args.pairs > 0 {
        study.check_repeatable("--pairs", "leave --pairs out").map_err(|refusal| anyhow!(refusal))?;
    }
    if args.report.is_some() && args.matches != Some(0) {
        let instead = "write none of its match files with --matches 0";
        study.check_repeatable("--report", instead).map_err(|refusal| anyhow!(refusal))?;
    }
    Ok(study)
}

/// How matches are opened, in words.
fn source(way: &Way, plan: Option<&Plan>) -> String {
    let Opening { setup, ruleset, content, wishes, seed, .. } = &way.opening;
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut parts: Vec<String> = setup.iter().cloned().chain(ruleset.iter().map(text)).collect();
    parts.extend(wishes.iter().map(|(key, value)| format!("{key} {value}")));
    parts.extend((!content.is_empty()).then(|| "own content".to_owned()));
    let seats =
        plan.into_iter().flat_map(|plan| &plan.seats).map(|(seat, name)| format!("{name} in seat {seat}"));
    parts.extend(plan.map(|plan| format!("played by {}", plan.bot)).into_iter().chain(seats));
    parts.push(format!("seeds from {seed}"));
    parts.join(", ")
}

fn play(study: &Study) -> Result<Balance> {
    let bar = progress(0, "games");
    let balance = study.run(&|what, done, of| {
        if bar.message() != what {
            bar.set_message(what.to_owned());
        }
        bar.set_length(of);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    balance.map_err(|refusal| anyhow!(refusal))
}

/// What can be said at once is said first: files take their time, and something may happen to them. They are written
/// also if nobody listens any more.
fn report(study: &Study, balance: &Balance, against: Option<&Other>, args: &args::Balance) -> Result<()> {
    let comparison = against.map(|other| match other.study {
        Some(_) => balance.compare(&other.balance),
        None => balance.compare_with_saved(&other.balance),
    });
    let whole =
        json!({ "balance": balance, "other": against.map(|other| &other.balance), "comparison": comparison });
    let said = if args.json { say_json(&whole) } else { say(balance, comparison.as_ref()) };
    let Some(dir) = &args.report else { return said };
    write_whole(&dir.join("report.json"), &(whole.to_string() + "\n"))?;
    write_report(study, balance, against.zip(comparison.as_ref()), args.matches, dir)?;
    said?;
    if !args.json {
        let mut out = Out::new();
        if cfg!(not(feature = "pictures")) {
            writeln!(
                out,
                "pictures are .svg; a program built with --features pictures writes each as .png, too"
            )?;
        }
        writeln!(out, "{}", dir.join("report.html").display())?;
        out.flush()?;
    }
    Ok(())
}

fn say_json(whole: &serde_json::Value) -> Result<()> {
    let mut out = Out::new();
    serde_json::to_writer_pretty(&mut out, whole)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

fn say(balance: &Balance, comparison: Option<&Comparison>) -> Result<()> {
    let mut out = Out::new();
    write!(out, "{}", balance.text())?;
    if let Some(comparison) = comparison {
        write!(out, "\n{}", comparison.text(&balance.measure))?;
    }
    Ok(out.flush()?)
}

/// Tables, match files, pictures, and the page that shows them.
fn write_report(
    study: &Study,
    balance: &Balance,
    against: Option<(&Other, &Comparison)>,
    matches: Option<usize>,
    dir: &Path,
) -> Result<()> {
    let most = matches.unwrap_or(usize::MAX);
    let mut files = write_matches(study, balance.examples(), &dir.join("matches"), most)?;
    if let Some((other, comparison)) = against {
        write_whole(&dir.join("changes.csv"), &comparison.csv())?;
        if let Some(study) = &other.study {
            let there = dir.join("matches").join(AFTER);
            let left = most.saturating_sub(files.len());
            let written = write_matches(study, comparison.examples(&other.balance), &there, left)?;
            files.extend(written.into_iter().map(|file| format!("{AFTER}/{file}")));
        }
    }
    let compared = against.map(|(other, comparison)| (&other.balance, comparison));
    write_whole(&dir.join("report.csv"), &balance.csv(&files))?;
    write_pictures(balance, compared, &files, dir)?;
    write_whole(&dir.join("report.html"), &balance.html(compared, &files))
}

/// Writes the match files of the first examples, packed; gives their names.
fn write_matches(
    study: &Study,
    mut examples: Vec<Example>,
    dir: &Path,
    most: usize,
) -> Result<BTreeSet<String>> {
    examples.truncate(most);
    if examples.is_empty() {
        return Ok(BTreeSet::new());
    }
    make_writable(dir)?;
    let bar = progress(examples.len() as u64, "match files");
    let written = in_order(examples.len() as u64, study.threads, |number| -> Result<String> {
        let example = &examples[number as usize];
        let file = study.match_file(example).map_err(|refusal| anyhow!(refusal))?;
        write_packed(&dir.join(example.file()), &file)?;
        bar.inc(1);
        Ok(example.file())
    });
    bar.finish_and_clear();
    written.into_iter().collect()
}

/// Every picture as a file of its own.
fn write_pictures(
    balance: &Balance,
    comparison: Option<(&Balance, &Comparison)>,
    files: &BTreeSet<String>,
    dir: &Path,
) -> Result<()> {
    let dir = dir.join("pictures");
    make_writable(&dir)?;
    for picture in balance.pictures(comparison, files) {
        write_whole(&dir.join(format!("{}.svg", picture.name)), &picture.svg)?;
        #[cfg(feature = "pictures")]
        {
            let drawn = turnstone_arena::png(&picture.svg).map_err(|trouble| anyhow!(trouble))?;
            std::fs::write(dir.join(format!("{}.png", picture.name)), drawn)?;
        }
    }
    Ok(())
}
