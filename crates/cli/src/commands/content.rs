//! `content check` and `content schema`.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use serde_json::json;
use turnstone_table::scene::Scene;
use turnstone_table::{ContentCheck, Games, Host};

use crate::Ended;
use crate::args;
use crate::files::{read_content_in_part, write_whole};
use crate::out::{BAD, GOOD, Out};

/// Checks content, or prints schemas.
pub fn run(args: &args::Content, games: Games) -> Result<Ended> {
    match args {
        args::Content::Check { dir, game, json } => check(dir.as_deref(), game.as_deref(), *json, games),
        args::Content::Schema { game, kind, out } => schema(game, kind.as_deref(), out.as_deref(), games),
    }
}

fn check(dir: Option<&Path>, game: Option<&str>, json: bool, games: Games) -> Result<Ended> {
    let (over, unreadable) = read_content_in_part(dir)?;
    let hosts = chosen(dir, game, games)?;
    let mut checked: Vec<(&str, ContentCheck)> =
        hosts.iter().filter_map(|host| Some((host.name(), host.check_content(&over)?))).collect();
    for (_, result) in &mut checked {
        result.problems.extend(unreadable.iter().cloned());
    }
    if checked.is_empty() {
        bail!("[NO_CONTENT] {} has no content files", game.unwrap_or("no game"));
    }
    let mut out = Out::new();
    for (name, result) in &checked {
        if json {
            let (entries, problems) = (&result.entries, &result.problems);
            writeln!(out, "{}", json!({ "game": name, "entries": entries, "problems": problems }))?;
        } else {
            print(name, result, &mut out)?;
        }
    }
    out.flush()?;
    let sound = checked.iter().all(|(_, result)| result.problems.is_empty());
    Ok(if sound { Ended::Well } else { Ended::Failed })
}

/// The game that was named, or the one the directory is named after, or all for the built-in content.
fn chosen(dir: Option<&Path>, game: Option<&str>, games: Games) -> Result<Vec<&'static dyn Host>> {
    if let Some(host) = game.and_then(|name| games.find(name)) {
        return Ok(vec![host]);
    }
    let Some(dir) = dir else { return Ok(games.all().to_vec()) };
    let full = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let named =
        full.ancestors().filter_map(|part| part.file_name()?.to_str()).find_map(|part| games.find(part));
    match named {
        Some(host) => Ok(vec![host]),
        None => bail!("[WHICH_GAME] say which game {} is for: --game NAME", dir.display()),
    }
}

fn print(name: &str, result: &ContentCheck, out: &mut Out) -> Result<()> {
    for problem in &result.problems {
        writeln!(out, "{} {problem}", out.paint(BAD, "error"))?;
    }
    let entries: Vec<String> = result.entries.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let verdict = match result.problems.len() {
        0 => out.paint(GOOD, "all sound"),
        count => out.paint(BAD, format!("{count} wrong")),
    };
    let read = if entries.is_empty() { String::new() } else { format!(" {}:", entries.join(", ")) };
    writeln!(out, "{name}:{read} {verdict}")?;
    Ok(())
}

fn schema(game: &str, kind: Option<&str>, dir: Option<&Path>, games: Games) -> Result<Ended> {
    let host = games.find(game).expect("clap has checked the name");
    let mut schemas = host.schemas();
    // What is shown has one form in every game.
    schemas.push(("scene".to_owned(), Scene::schema()));
    let known: Vec<&str> = schemas.iter().map(|(name, _)| name.as_str()).collect();
    let mut out = Out::new();
    if let Some(dir) = dir {
        std::fs::create_dir_all(dir)?;
        for (name, schema) in &schemas {
            let path = dir.join(format!("{name}.schema.json"));
            write_whole(&path, &format!("{schema:#}\n"))?;
            writeln!(out, "{}", path.display())?;
        }
    } else if let Some(kind) = kind {
        let Some((_, schema)) = schemas.iter().find(|(name, _)| name == kind) else {
            bail!("[UNKNOWN_SCHEMA] {game} has no schema \"{kind}\"; there are: {}", known.join(", "));
        };
        writeln!(out, "{schema:#}")?;
    } else {
        writeln!(out, "{}", known.join("\n"))?;
    }
    out.flush()?;
    Ok(Ended::Well)
}
