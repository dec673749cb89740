//! `verify`: fold and rerun match files.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use turnstone_table::{Games, LoadError, Source, Verified};

use crate::Ended;
use crate::args;
use crate::files::{read_content, read_text};
use crate::out::{BAD, GOOD, Out, grouped, progress};
use crate::store::Store;

/// Verifies every file; one that disagrees is a failed check.
pub fn run(args: &args::Verify, store: &Store) -> Result<Ended> {
    let content = read_content(args.content.as_deref())?;
    let mut out = Out::new();
    let (mut failed, mut unreadable) = (false, None);
    for file in &args.files {
        let path = if Path::new(file).exists() { file.into() } else { store.place(file) };
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(error) => {
                // One alone is told at the end.
                if args.files.len() > 1 {
                    eprintln!("{error:#}");
                }
                unreadable = Some(error);
                continue;
            }
        };
        let result = verify(&text, &content, store.games);
        failed |= result.is_err();
        if args.json {
            writeln!(out, "{}", as_json(file, &result))?;
        } else {
            print(file, &result, &mut out)?;
        }
    }
    out.flush()?;
    match unreadable {
        Some(_) if args.files.len() > 1 => anyhow::bail!("[UNREADABLE_FILE] not every file could be read"),
        Some(error) => Err(error),
        None => Ok(if failed { Ended::Failed } else { Ended::Well }),
    }
}

fn verify(text: &str, content: &[Source], games: Games) -> Result<Verified, LoadError> {
    let bar = progress(text.lines().count() as u64, "lines");
    let host = games.host_of_file(text)?;
    let result = host.verify(text, content, &mut |line| bar.set_position(line as u64));
    bar.finish_and_clear();
    result
}

fn print(file: &str, result: &Result<Verified, LoadError>, out: &mut Out) -> Result<()> {
    match result {
        Ok(Verified { inputs, events }) => {
            let (inputs, events) = (grouped(*inputs as u64), grouped(*events as u64));
            writeln!(out, "{} {file}: {inputs} inputs, {events} events", out.paint(GOOD, "ok"))?;
        }
        Err(error) => writeln!(out, "{} {file}: {error}", out.paint(BAD, "FAILED"))?,
    }
    Ok(())
}

fn as_json(file: &str, result: &Result<Verified, LoadError>) -> Value {
    match result {
        Ok(Verified { inputs, events }) => {
            json!({ "file": file, "ok": true, "inputs": inputs, "events": events })
        }
        Err(error @ LoadError::Diverged { divergence, other_content }) => json!({
            "file": file, "ok": false, "code": error.code(), "text": error.to_string(),
            "divergence": divergence, "other_content": other_content,
        }),
        Err(error) => json!({ "file": file, "ok": false, "code": error.code(), "text": error.to_string() }),
    }
}
