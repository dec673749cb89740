//! Commands of one game: `perft`, `grid solve`, `spire seed`.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde_json::json;
use turnstone_table::Opening;
use turnstone_table::tools::{chess, grid, spire};

use crate::Ended;
use crate::args;
use crate::files::read_text;
use crate::out::{FAINT, Out, grouped, spinner};

/// Counts the leaves of a chess position's move tree.
pub fn perft(args: &args::Perft) -> Result<Ended> {
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let tree = chess::Line::read(fen.as_deref(), &args.variant).map_err(|refusal| anyhow!(refusal))?;
    let wheel = spinner("counting");
    let start = Instant::now();
    let found = tree.count(args.depth, args.divide);
    let seconds = start.elapsed().as_secs_f64();
    wheel.finish_and_clear();
    let mut out = Out::new();
    if args.json {
        writeln!(out, "{}", json!({ "depth": args.depth, "nodes": found.nodes, "moves": found.moves }))?;
    } else {
        for (mv, nodes) in &found.moves {
            writeln!(out, "{mv}: {nodes}")?;
        }
        let rate = grouped((found.nodes as f64 / seconds.max(1e-9)) as u64);
        let rate = if seconds > 0.1 {
            out.paint(FAINT, format!("  {seconds:.2} s, {rate} per second"))
        } else {
            String::new()
        };
        writeln!(out, "{}{rate}", found.nodes)?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// Prints what a seed holds.
pub fn spire(args: &args::Spire) -> Result<Ended> {
    let args::Spire::Seed { text, character, ascension, rules, json } = args;
    let found = spire::seed(text, character, *ascension, rules).map_err(|refusal| anyhow!(refusal))?;
    let mut out = Out::new();
    if *json {
        writeln!(out, "{:#}", found.data)?;
    } else {
        writeln!(out, "{}", found.text.trim_end())?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// Solves a level.
pub fn grid(args: &args::Grid) -> Result<Ended> {
    let args::Grid::Solve { level, seed, limit, json } = args;
    solve(&level_named(level, *seed)?, *limit, *json)
}

/// A level by name, or the text of a file.
fn level_named(level: &str, seed: u64) -> Result<Opening> {
    let path = std::path::Path::new(level);
    let setup = if path.is_file() { read_text(path)? } else { level.to_owned() };
    Ok(Opening { setup: Some(setup), seed, ..Opening::default() })
}

fn solve(opening: &Opening, limit: usize, json: bool) -> Result<Ended> {
    let wheel = spinner("searching");
    let found = grid::solve(opening, limit).map_err(|refusal| anyhow!(refusal));
    wheel.finish_and_clear();
    let found = found?;
    let mut out = Out::new();
    if json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        match (&found.moves, found.certain) {
            (Some(moves), _) => {
                let seen = out.paint(FAINT, format!("({} moments seen)", grouped(found.seen as u64)));
                writeln!(out, "{} moves {seen}\n{}", moves.len(), moves.join(" "))?;
            }
            (None, true) => writeln!(out, "it cannot be won ({} moments seen)", found.seen)?,
            (None, false) => writeln!(out, "nothing found in {} moments; --limit allows more", found.seen)?,
        }
    }
    out.flush()?;
    Ok(if found.moves.is_some() { Ended::Well } else { Ended::Failed })
}
