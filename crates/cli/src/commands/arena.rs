//! `arena`: tournaments of bots, from a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use turnstone_arena::{Plan, Report, Tournament, Unit};
use turnstone_table::Games;

use crate::args;
use crate::files::{make_writable, read_content, read_named, read_text, write_whole};
use crate::out::{Out, progress};
use crate::{Ended, Program};

/// Plays what is left to play, and reports. A game that could not go on is a failed check.
pub fn run(args: &args::Arena, program: &Program) -> Result<Ended> {
    let games = program.games;
    let plan = Plan::read(&read_text(&args.file)?).map_err(|trouble| anyhow!(trouble))?;
    let host = games.find(&plan.game).with_context(|| {
        let known: Vec<&str> = games.names().collect();
        format!("[UNKNOWN_GAME] there is no game \"{}\"; there are: {}", plan.game, known.join(", "))
    })?;
    let files = read_named(plan.setups.iter().chain(plan.options.values()).map(String::as_str))?;
    let content = read_content(args.content.as_deref())?;
    let mut helper = program.again()?;
    helper.push("play-apart".to_owned());
    let tournament = Tournament::with_helper(plan, host, &content, &files, &helper);
    let tournament = tournament.map_err(|trouble| anyhow!(trouble))?;
    let results = args.results.clone().unwrap_or_else(|| args.file.with_extension("jsonl"));
    if let Some(game) = &args.unit {
        return write_match(&tournament, &results, game, args.output.as_deref());
    }
    if let Some(dir) = &args.report {
        make_writable(dir)?;
    }
    let units = play(&tournament, &results, args)?;
    let report = Report::new(tournament.plan(), &units);
    let said = say(&report, args.json);
    // Also if nobody listens any more.
    if let Some(dir) = &args.report {
        write_report(&report, dir)?;
    }
    said?;
    Ok(if report.broken.is_empty() { Ended::Well } else { Ended::Failed })
}

/// Plays a seat of a tournament, for the process that plays the tournament.
pub fn play_apart(games: Games) -> Result<Ended> {
    let (lines, answers) = (std::io::stdin().lock(), std::io::stdout().lock());
    turnstone_arena::play_apart(games, lines, answers).map_err(|trouble| anyhow!(trouble))?;
    Ok(Ended::Well)
}

fn say(report: &Report, json: bool) -> Result<()> {
    let mut out = Out::new();
    if json {
        serde_json::to_writer_pretty(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report.text())?;
    }
    Ok(out.flush()?)
}

fn play(tournament: &Tournament, results: &Path, args: &args::Arena) -> Result<Vec<Unit>> {
    let bar = progress(tournament.units(), "units");
    let threads = args.threads.unwrap_or_else(cores);
    let mut begun = false;
    let units = tournament.run(results, threads, |progress| {
        bar.set_position(progress.done);
        // What was there before took no time: the time left follows from what is played now.
        if !std::mem::replace(&mut begun, true) {
            bar.reset_eta();
        }
    });
    bar.finish_and_clear();
    units.map_err(|trouble| anyhow!(trouble))
}

/// One thread per core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// `UNIT.GAME`, from the results as far as they have come; a game that they do not hold is played alone. Nothing else
/// is played and nothing written there: a tournament may be under way.
fn write_match(tournament: &Tournament, results: &Path, game: &str, path: Option<&Path>) -> Result<Ended> {
    let numbers =
        game.split_once('.').and_then(|(unit, game)| Some((unit.parse().ok()?, game.parse().ok()?)));
    let (unit, index) = numbers.with_context(|| {
        format!("[USAGE] \"{game}\" is no game: write UNIT.GAME as in the results, such as 17.0")
    })?;
    let units = tournament.read(results).map_err(|trouble| anyhow!(trouble))?;
    let file = if units.iter().any(|played| played.unit == unit) {
        tournament.match_file(&units, unit, index)
    } else {
        tournament.check_game(unit, index).map_err(|trouble| anyhow!(trouble))?;
        eprintln!("game {unit}.{index} is not in {} yet: it is played now", results.display());
        tournament.play_game(unit, index)
    };
    let file = file.map_err(|trouble| anyhow!(trouble))?;
    let path = path.map_or_else(|| PathBuf::from(format!("{unit}.{index}.turn")), Path::to_path_buf);
    write_whole(&path, &file)?;
    let mut out = Out::new();
    writeln!(out, "{}", path.display())?;
    out.flush()?;
    Ok(Ended::Well)
}

fn write_report(report: &Report, dir: &Path) -> Result<()> {
    for (name, text) in report.files().map_err(|trouble| anyhow!(trouble))? {
        write_whole(&dir.join(name), &text)?;
    }
    Ok(())
}
