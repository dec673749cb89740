//! `history`: the matches that were played to the end.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde_json::{Map, Value, json};
use turnstone_table::Games;

use crate::Ended;
use crate::args;
use crate::out::{FAINT, Out, TITLE};
use crate::store::{Saved, Store, ago};

/// Lists what is over, latest first.
pub fn run(args: &args::History, games: Games, store: &Store) -> Result<Ended> {
    let wanted =
        |saved: &Saved| saved.note.over && args.game.as_deref().is_none_or(|game| game == saved.note.game);
    let finished: Vec<Saved> = store.list().into_iter().filter(wanted).collect();
    let mut out = Out::new();
    if args.json {
        let all: Vec<Value> = finished.iter().map(record).collect();
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    } else {
        print(&finished, games, &mut out)?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

fn print(finished: &[Saved], games: Games, out: &mut Out) -> Result<()> {
    if finished.is_empty() {
        writeln!(out, "No match has been played to the end yet; start one with `turnstone play GAME`.")?;
    }
    for saved in finished {
        let age = out.paint(FAINT, ago(saved.age));
        let name = out.paint(TITLE, format!("{:<16}", saved.name));
        writeln!(out, "{name} {} ({age})", saved.note.title)?;
        let (game, seed) = (games.find(&saved.note.game), saved.note.seed);
        let seed = game.map_or_else(|| seed.to_string(), |game| game.tell_seed(seed));
        let seed = std::iter::once(format!("seed {seed}"));
        let tally = saved.note.tally.iter().map(|(what, value)| format!("{what} {}", words(value)));
        writeln!(out, "  {}", seed.chain(tally).collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

fn record(saved: &Saved) -> Value {
    let ended = SystemTime::now().checked_sub(saved.age).and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    json!({
        "name": saved.name,
        "file": saved.path,
        "game": saved.note.game,
        "title": saved.note.title,
        "seed": saved.note.seed,
        "ended": ended.map(|at| at.as_secs()),
        "bots": saved.note.bots,
        "tally": saved.note.tally.iter().cloned().collect::<Map<_, _>>(),
    })
}
