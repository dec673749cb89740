//! Commands of one game: `perft`, `uci`, `chess`, `grid solve`, `grid render`, `skirmish
//! export`, `skirmish narrate`, `spire seed`, `spire runs`.

use std::io::{BufReader, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use turnstone_cli::files::{plain_name, read_content, read_text, write_whole};
use turnstone_cli::out::{FAINT, Out, grouped, spinner};
use turnstone_cli::store::Store;
use turnstone_cli::{Ended, Tool, ToolOf};
use turnstone_grid::render::Film;

use crate::args;
use crate::tools::{chess, grid, skirmish, spire};

/// The tools, in the order in which help lists them.
pub static TOOLS: [&dyn Tool; 6] = [
    &ToolOf::<args::Perft>(perft),
    &ToolOf::<args::Chess>(chess),
    &ToolOf::<args::Uci>(uci),
    &ToolOf::<args::Grid>(grid),
    &ToolOf::<args::Skirmish>(skirmish),
    &ToolOf::<args::Spire>(spire),
];

/// Counts the leaves of a chess position's move tree.
fn perft(args: &args::Perft, _: &Store) -> Result<Ended> {
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

/// Writes a skirmish match as documents, or tells it.
fn skirmish(args: &args::Skirmish, store: &Store) -> Result<Ended> {
    let text = |file: &args::SkirmishFile| read_text(&store.find(Some(&file.file))?);
    let content = |file: &args::SkirmishFile| read_content(file.content.as_deref());
    let mut out = Out::new();
    match args {
        args::Skirmish::Narrate(file) => {
            write!(out, "{}", skirmish::narrate(&text(file)?, &content(file)?)?)?;
        }
        args::Skirmish::Export { played, out: dir, json } => {
            let name = plain_name(Path::new(&played.file));
            let name = name.strip_suffix(".turn").unwrap_or(&name);
            let whole = skirmish::export(&text(played)?, &content(played)?, name)?;
            if *json {
                writeln!(out, "{}", serde_json::to_string(&whole)?)?;
            } else {
                let log: String = whole.log.iter().map(|event| format!("{event}\n")).collect();
                let documents = [
                    ("state.json", format!("{:#}\n", whole.state)),
                    ("events.jsonl", log),
                    ("replay.json", format!("{}\n", serde_json::to_string_pretty(&whole.replay)?)),
                ];
                std::fs::create_dir_all(dir)
                    .with_context(|| format!("[NOT_WRITTEN] cannot make {}", dir.display()))?;
                for (ending, text) in documents {
                    let path = dir.join(format!("{name}.{ending}"));
                    write_whole(&path, &text)?;
                    writeln!(out, "{}", path.display())?;
                }
                writeln!(out, "hash {}", whole.hash)?;
            }
        }
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// Prints what a seed holds, or how one's own runs went.
fn spire(args: &args::Spire, store: &Store) -> Result<Ended> {
    let (found, json) = match args {
        args::Spire::Seed { text, character, ascension, content, rules, json } => {
            let over = read_content(content.as_deref())?;
            let found = spire::seed(text, character, *ascension, rules, &over);
            (found.map_err(|refusal| anyhow!(refusal))?, json)
        }
        args::Spire::Runs { json } => (spire::runs(&store.list()), json),
    };
    let mut out = Out::new();
    if *json {
        writeln!(out, "{:#}", found.data)?;
    } else {
        writeln!(out, "{}", found.text.trim_end())?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// Speaks with a chess program.
fn uci(_: &args::Uci, _: &Store) -> Result<Ended> {
    chess::uci(BufReader::new(std::io::stdin()), std::io::stdout().lock())?;
    Ok(Ended::Well)
}

/// Turns chess matches into other notations, and back.
fn chess(args: &args::Chess, store: &Store) -> Result<Ended> {
    let mut out = Out::new();
    let text = |file: &args::ChessFile| read_text(&store.find(Some(&file.file))?);
    let content = |file: &args::ChessFile| read_content(file.content.as_deref());
    match args {
        args::Chess::Fen(file) => writeln!(out, "{}", chess::fen(&text(file)?, &content(file)?)?)?,
        args::Chess::Pgn { file, tags } => {
            let tags = tags.iter().map(|tag| read_pgn_tag(tag)).collect::<Result<Vec<_>>>()?;
            write!(out, "{}", chess::pgn(&text(file)?, &content(file)?, &tags)?)?;
        }
        args::Chess::Import { file, out: dir } => {
            let games = chess::import(&read_text(file)?);
            let stem = plain_name(file);
            std::fs::create_dir_all(dir)?;
            let stem = stem.strip_suffix(".pgn").unwrap_or(&stem);
            let mut ended = Ended::Well;
            for (number, game) in (1..).zip(&games) {
                match game {
                    Ok(text) => {
                        let path = fresh_path(dir, &format!("{stem}-{number}"));
                        write_whole(&path, text)?;
                        writeln!(out, "{}", path.display())?;
                    }
                    Err(refusal) => {
                        ended = Ended::Failed;
                        eprintln!("left out: {refusal}");
                    }
                }
            }
            out.flush()?;
            return Ok(ended);
        }
    }
    out.flush()?;
    Ok(Ended::Well)
}

/// `White=Anna` in two.
fn read_pgn_tag(text: &str) -> Result<(String, String)> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| anyhow!("write a tag as NAME=VALUE, not {text}"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A name for a match file that no file has yet.
fn fresh_path(dir: &Path, stem: &str) -> std::path::PathBuf {
    let first = dir.join(format!("{stem}.turn"));
    let others = (2..).map(|n| dir.join(format!("{stem}.{n}.turn")));
    std::iter::once(first.clone()).chain(others).find(|path| !path.exists()).unwrap_or(first)
}

/// Solves or draws a level.
fn grid(args: &args::Grid, _: &Store) -> Result<Ended> {
    match args {
        args::Grid::Solve { level, seed, limit, options, json } => {
            solve(level, *seed, *limit, &pairs(options), *json)
        }
        args::Grid::Render { level, out, seed, pixels, delay, whole_steps, options } => {
            let name = out.to_string_lossy();
            let film = Film { hundredths: *delay, substeps: !whole_steps };
            let picture = grid::Picture { out: &name, pixels: *pixels, film };
            draw(level, *seed, picture, &pairs(options))
        }
    }
}

/// The text of a file of that name, if there is one.
fn text_of(level: &str) -> Result<Option<String>> {
    let path = Path::new(level);
    if path.is_file() { read_text(path).map(Some) } else { Ok(None) }
}

fn pairs(options: &[(String, String)]) -> Vec<(&str, &str)> {
    options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

fn solve(level: &str, seed: u64, limit: usize, wishes: &[(&str, &str)], json: bool) -> Result<Ended> {
    let text = text_of(level)?;
    let wheel = spinner("searching");
    let found = grid::solve(level, text.as_deref(), seed, wishes, limit).map_err(|refusal| anyhow!(refusal));
    wheel.finish_and_clear();
    let found = found?;
    let mut out = Out::new();
    if json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else {
        writeln!(out, "{}", found.text)?;
    }
    out.flush()?;
    Ok(if found.moves.is_some() { Ended::Well } else { Ended::Failed })
}

fn draw(level: &str, seed: u64, picture: grid::Picture, wishes: &[(&str, &str)]) -> Result<Ended> {
    let bytes = grid::render(level, text_of(level)?.as_deref(), seed, wishes, picture)
        .map_err(|refusal| anyhow!(refusal))?;
    std::fs::write(picture.out, bytes).with_context(|| format!("cannot write {}", picture.out))?;
    Ok(Ended::Well)
}
