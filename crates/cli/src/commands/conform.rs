//! `conform`: compare with golden records.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rayon::prelude::*;
use serde_json::json;
use turnstone_table::{Conformity, Games, Host};

use crate::Ended;
use crate::args;
use crate::files::{expand, plain_name, read_text};
use crate::out::{BAD, FAINT, GOOD, Out, progress};
use crate::play::refused;

struct Checked {
    path: PathBuf,
    result: Result<Conformity>,
}

/// Checks every file, in parallel, and prints the results in the order given.
pub fn run(args: &args::Conform, games: Games) -> Result<Ended> {
    let host = games.find(&args.game).expect("clap has checked the name");
    let files = expand(&args.files)?;
    let bar = progress(files.len() as u64, "files");
    let checked: Vec<Checked> = files
        .into_par_iter()
        .map(|path| {
            let result = check(host, &path, &args.wishes);
            bar.inc(1);
            Checked { path, result }
        })
        .collect();
    bar.finish_and_clear();
    let mut out = Out::new();
    if args.json {
        print_json(&checked, &mut out)?;
    } else {
        print(&checked, &mut out)?;
    }
    out.flush()?;
    let unreadable = checked.iter().filter(|file| file.result.is_err()).count();
    if unreadable > 0 {
        bail!("[NOT_CHECKED] {unreadable} of {} files could not be checked", checked.len());
    }
    Ok(if totals(&checked).1 == 0 { Ended::Well } else { Ended::Failed })
}

fn check(host: &dyn Host, path: &Path, wishes: &args::Wishes) -> Result<Conformity> {
    let text = read_text(path)?;
    host.conform(&plain_name(path), &text, &wishes.all()).map_err(|refusal| refused(wishes, refusal))
}

fn totals(checked: &[Checked]) -> (usize, usize) {
    let results = || checked.iter().filter_map(|file| file.result.as_ref().ok());
    (results().map(|result| result.passed).sum(), results().map(|result| result.failures.len()).sum())
}

fn print(checked: &[Checked], out: &mut Out) -> Result<()> {
    for Checked { path, result } in checked {
        match result {
            Err(error) => eprintln!("{}: {error:#}", path.display()),
            Ok(result) => print_file(path, result, out)?,
        }
    }
    let (passed, failed) = totals(checked);
    let style = if failed == 0 { GOOD } else { BAD };
    writeln!(out, "{}", out.paint(style, format!("{passed} passed, {failed} failed")))?;
    Ok(())
}

fn print_file(path: &Path, result: &Conformity, out: &mut Out) -> Result<()> {
    for failure in &result.failures {
        let head = out.paint(BAD, "FAILED");
        writeln!(out, "{head} {} {}: {}", path.display(), failure.record, failure.place)?;
        for line in failure.text.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    for reason in &result.in_part {
        writeln!(out, "{} {}: {reason}", out.paint(FAINT, "in part"), path.display())?;
    }
    for reason in &result.skipped {
        writeln!(out, "{} {}: {reason}", out.paint(FAINT, "skipped"), path.display())?;
    }
    let (passed, failed) = (result.passed, result.failures.len());
    writeln!(out, "{}: {}: {passed} passed, {failed} failed", path.display(), result.kind)?;
    Ok(())
}

fn print_json(checked: &[Checked], out: &mut Out) -> Result<()> {
    let files: Vec<_> = checked
        .iter()
        .map(|Checked { path, result }| match result {
            Ok(result) => json!({ "file": path, "result": result }),
            Err(error) => json!({ "file": path, "error": format!("{error:#}") }),
        })
        .collect();
    let (passed, failed) = totals(checked);
    let all = json!({ "files": files, "passed": passed, "failed": failed });
    serde_json::to_writer_pretty(&mut *out, &all)?;
    writeln!(out)?;
    Ok(())
}
