//! Commands of one game: `perft`, `spire seed`.

use std::io::Write;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde_json::json;
use turnstone_table::tools::{chess, spire};

use crate::Ended;
use crate::args;
use crate::out::{FAINT, Out, grouped, spinner};

/// Counts the leaves of a chess position's move tree.
pub fn perft(args: &args::Perft) -> Result<Ended> {
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let tree = chess::Tree::read(fen.as_deref(), &args.variant).map_err(|refusal| anyhow!(refusal))?;
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
