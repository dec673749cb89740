//! `replay`: step through a match file.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use turnstone_table::{Table, Viewer};

use crate::Ended;
use crate::args;
use crate::files::{read_bytes, read_content};
use crate::out::{Out, TITLE};
use crate::play::Play;
use crate::store::Store;
use crate::{render, screen};

/// The screen on a terminal, the explained log otherwise.
pub fn run(args: &args::Replay, store: &Store) -> Result<Ended> {
    let path = store.find(Some(&args.file))?;
    let table = open(args, &path, store).with_context(|| format!("cannot replay {}", path.display()))?;
    let mut out = Out::new();
    #[cfg(feature = "server")]
    if let Some(page) = &args.html {
        let mut table = table;
        crate::files::write_whole(page, &turnstone_server::replay::html(&mut *table)?)?;
        writeln!(out, "{}: open it in a browser", page.display())?;
        out.flush()?;
        return Ok(Ended::Well);
    }
    if args.json {
        print_json(&*table, args.states, &mut out)?;
    } else if args.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        print_lines(&*table, &mut out)?;
    } else {
        drop(out);
        screen::replay(Play::new(table, None, args.content.clone()), store)?;
        return Ok(Ended::Well);
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// The match by today's rules, or as it was played.
fn open(args: &args::Replay, path: &Path, store: &Store) -> Result<Box<dyn Table>> {
    if args.as_played {
        return watch(path, args.content.as_deref(), store);
    }
    Ok(store.games.load(&read_bytes(path)?, &read_content(args.content.as_deref())?)?)
}

/// The match as it was played; says so if that no longer means the same.
pub fn watch(path: &Path, content: Option<&Path>, store: &Store) -> Result<Box<dyn Table>> {
    let (file, content) = (read_bytes(path)?, read_content(content)?);
    let (table, strays) = store.games.host_of_file(&file)?.watch(&file, &content)?;
    if let Some(line) = strays {
        eprintln!(
            "From line {line} on the recorded events no longer give the recorded states: they mean something else today."
        );
    }
    Ok(table)
}

fn print_json(table: &dyn Table, states: bool, out: &mut Out) -> Result<()> {
    for moment in table.line().into_iter().skip(1) {
        let explained = table.explain(moment, Viewer::All);
        let text = explained.lines.first().map_or("", |line| line.text.as_str());
        let (first, _) = table.facts(moment);
        let facts = table.news(moment, Viewer::All);
        let mut told = json!({ "moment": moment, "input": text, "first": first, "facts": facts });
        if states {
            let stood = table.at(moment).map_err(|refusal| anyhow!(refusal))?;
            told["state"] = stood.view(Viewer::All);
            told["tally"] = stood.tally().into_iter().collect::<serde_json::Map<_, _>>().into();
        }
        writeln!(out, "{told}")?;
    }
    Ok(())
}

fn print_lines(table: &dyn Table, out: &mut Out) -> Result<()> {
    let head = format!("{}, seed {}, {}", table.game(), table.seed_text(), table.seats().join(" against "));
    writeln!(out, "{}", out.paint(TITLE, head))?;
    for moment in table.line().into_iter().skip(1) {
        render::moment(out, moment, &table.explain(moment, Viewer::All))?;
    }
    writeln!(out)?;
    render::scene(out, &table.scene(Viewer::All), true)
}
