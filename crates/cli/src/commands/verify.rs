//! `verify`: fold and rerun match files.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use turnstone_table::protocol::commitment;
use turnstone_table::{Games, LoadError, Source, Verified, file_code as code};

use crate::Ended;
use crate::args;
use crate::fault::code_of;
use crate::files::{read_bytes, read_content};
use crate::out::{BAD, GOOD, Out, grouped, progress};
use crate::store::Store;

/// Verifies every file; one that disagrees is a failed check.
pub fn run(args: &args::Verify, store: &Store) -> Result<Ended> {
    let content = read_content(args.content.as_deref())?;
    let mut out = Out::new();
    let (mut failed, mut unreadable) = (false, None);
    for file in &args.files {
        let path = if Path::new(file).exists() { file.into() } else { store.place(file) };
        let bytes = match read_bytes(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                // One alone is told at the end.
                if args.json {
                    let text = format!("{error:#}");
                    writeln!(
                        out,
                        "{}",
                        json!({ "file": file, "ok": false, "code": code_of(&error), "text": text })
                    )?;
                } else if args.files.len() > 1 {
                    eprintln!("{error:#}");
                }
                unreadable = Some(error);
                continue;
            }
        };
        let result = verify(&bytes, &content, store.games);
        failed |= !result.as_ref().is_ok_and(|verified| verified.closed);
        let promise = args.commitment.as_deref().zip(args.salt.as_ref());
        let broken = promise.is_some_and(|(promised, salt)| !is_promised(&bytes, promised, salt));
        if broken && result.is_ok() {
            failed = true;
            tell_broken(file, args.json, &mut out)?;
        } else if args.json {
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

fn verify(file: &[u8], content: &[Source], games: Games) -> Result<Verified, LoadError> {
    let bar = progress(file.iter().filter(|&&byte| byte == b'\n').count() as u64, "lines");
    let host = games.host_of_file(file)?;
    let result = host.verify(file, content, &mut |line| bar.set_position(line as u64));
    bar.finish_and_clear();
    result
}

/// Whether the seed in the head of a file is the one that was promised.
fn is_promised(file: &[u8], promised: &str, salt: &[u8; 16]) -> bool {
    let head = file.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head: Value = serde_json::from_slice(head).unwrap_or_default();
    head["seed"].as_u64().is_some_and(|seed| commitment(seed, salt).eq_ignore_ascii_case(promised))
}

fn tell_broken(file: &str, json: bool, out: &mut Out) -> Result<()> {
    let text = "the seed of this match, with this salt, is not the one that was promised";
    if json {
        writeln!(out, "{}", json!({ "file": file, "ok": false, "code": "OTHER_SEED", "text": text }))?;
    } else {
        writeln!(out, "{} {file}: [OTHER_SEED] {text}", out.paint(BAD, "FAILED"))?;
    }
    Ok(())
}

fn print(file: &str, result: &Result<Verified, LoadError>, out: &mut Out) -> Result<()> {
    match result {
        Ok(Verified { inputs, events, closed: true, .. }) => {
            let (inputs, events) = (grouped(*inputs as u64), grouped(*events as u64));
            writeln!(out, "{} {file}: {inputs} inputs, {events} events", out.paint(GOOD, "ok"))?;
        }
        Ok(unfinished) => {
            writeln!(out, "{} {file}: {}", out.paint(BAD, "UNFINISHED"), not_closed(unfinished))?;
        }
        Err(error) => writeln!(out, "{} {file}: {error}", out.paint(BAD, "FAILED"))?,
    }
    Ok(())
}

/// What to say of a file that is sound as far as it goes.
fn not_closed(verified: &Verified) -> String {
    let torn = verified.torn.map_or(String::new(), |line| format!("; line {line} was torn off"));
    let inputs = grouped(verified.inputs as u64);
    format!(
        "[{}] sound up to input {inputs}, not closed{torn}; `turnstone resume` goes on from there",
        code::NOT_CLOSED
    )
}

fn as_json(file: &str, result: &Result<Verified, LoadError>) -> Value {
    match result {
        Ok(Verified { inputs, events, closed: true, .. }) => {
            json!({ "file": file, "ok": true, "inputs": inputs, "events": events })
        }
        Ok(unfinished @ Verified { inputs, events, torn, .. }) => json!({
            "file": file, "ok": false, "code": code::NOT_CLOSED, "text": not_closed(unfinished),
            "inputs": inputs, "events": events, "torn": torn,
        }),
        Err(error @ LoadError::Diverged { divergence, other_content }) => json!({
            "file": file, "ok": false, "code": error.code(), "text": error.to_string(),
            "divergence": divergence, "other_content": !other_content.is_empty(), "content": other_content,
        }),
        Err(error) => json!({ "file": file, "ok": false, "code": error.code(), "text": error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_the_promised_one_or_it_is_not() {
        let file = b"{\"turnstone\":2,\"seed\":18446744073709551615}\n{\"start\":{}}\n";
        let promised = commitment(u64::MAX, &[7; 16]);
        assert!(is_promised(file, &promised.to_uppercase(), &[7; 16]));
        assert!(!is_promised(file, &promised, &[8; 16]));
        assert!(!is_promised(file, &commitment(u64::MAX - 1, &[7; 16]), &[7; 16]));
        assert!(!is_promised(b"no file", &promised, &[7; 16]));
    }
}
