//! `uci`: the protocol that chess programs speak.
//!
//! Thinking happens on a thread of its own, so that `stop` and `isready` are answered at once. A search
//! that was stopped may go on for a moment; what it still finds is not said any more.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Result;
use turnstone_table::tools::chess::{Line, Thought, WON, variants};

use crate::Ended;

/// Positions a search may look at for each millisecond it was given: few enough to be in time.
const NODES_PER_MILLISECOND: u64 = 300;
/// A search without any limit ends here.
const NODES_MOST: u64 = 50_000_000;

struct Engine {
    variant: String,
    line: Option<Line>,
    /// The number of the present search; one that is not the present one keeps silent.
    present: Arc<AtomicU64>,
    best: Arc<Mutex<Option<Thought>>>,
    thinker: Option<JoinHandle<()>>,
}

/// Speaks until `quit` or the end of the input.
pub fn run() -> Result<Ended> {
    let mut engine = Engine {
        variant: "chess".to_owned(),
        line: Line::read(None, "chess").ok(),
        present: Arc::default(),
        best: Arc::default(),
        thinker: None,
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim() == "quit" {
            engine.hush();
            return Ok(Ended::Well);
        }
        engine.hear(line.trim())?;
    }
    // The input has ended, not our thinking.
    if let Some(thinker) = engine.thinker.take() {
        let _ = thinker.join();
    }
    Ok(Ended::Well)
}

fn say(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

impl Engine {
    fn hear(&mut self, line: &str) -> Result<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uci", ..] => {
                say(&format!(
                    "id name Turnstone {}\nid author the Turnstone authors",
                    env!("CARGO_PKG_VERSION")
                ))?;
                let kinds: Vec<String> = variants().iter().map(|name| format!("var {name}")).collect();
                say(&format!("option name UCI_Variant type combo default chess {}", kinds.join(" ")))?;
                say("option name UCI_Chess960 type check default false\nuciok")
            }
            ["isready", ..] => say("readyok"),
            ["setoption", "name", name, "value", value, ..] => self.set(name, value),
            ["ucinewgame", ..] => {
                self.line = Line::read(None, &self.variant).ok();
                Ok(())
            }
            ["position", rest @ ..] => self.position(rest),
            ["go", limits @ ..] => self.go(limits),
            ["stop", ..] => self.stop(),
            [] => Ok(()),
            // UCI asks to pass over what one does not know.
            _ => say(&format!("info string unknown command {line}")),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let variant = match (name, value) {
            ("UCI_Variant", value) => value,
            ("UCI_Chess960", "true") => "chess960",
            ("UCI_Chess960", _) if self.variant == "chess960" => "chess",
            _ => return Ok(()),
        };
        match Line::read(None, variant) {
            Ok(line) => {
                self.variant = variant.to_owned();
                self.line = Some(line);
                Ok(())
            }
            Err(refusal) => say(&format!("info string {refusal}")),
        }
    }

    fn position(&mut self, words: &[&str]) -> Result<()> {
        let cut = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let fen = words[..cut].strip_prefix(&["fen"]).map(|fields| fields.join(" "));
        let mut read = || -> Result<Line, turnstone_table::Rejection> {
            let mut line = Line::read(fen.as_deref(), &self.variant)?;
            words.iter().skip(cut + 1).try_for_each(|mv| line.play(mv))?;
            Ok(line)
        };
        match read() {
            Ok(line) => {
                self.line = Some(line);
                Ok(())
            }
            Err(refusal) => say(&format!("info string {refusal}")),
        }
    }

    fn go(&mut self, limits: &[&str]) -> Result<()> {
        self.hush();
        let Some(line) = self.line.clone() else { return say("bestmove 0000") };
        let number = |name: &str| -> Option<u64> {
            let at = limits.iter().position(|word| *word == name)?;
            limits.get(at + 1)?.parse::<i64>().ok().map(|value| value.max(1) as u64)
        };
        // A fortieth of the shorter clock: whose turn it is does not matter then.
        let clock = [number("wtime"), number("btime")].into_iter().flatten().min().map(|time| time / 40 + 1);
        let time = number("movetime").or(clock);
        let by_time = time.map(|time| time.saturating_mul(NODES_PER_MILLISECOND));
        let open = limits.contains(&"infinite") || number("depth").is_some();
        let usual = if open { NODES_MOST } else { 400_000 };
        let nodes = number("nodes").or(by_time).unwrap_or(usual).min(NODES_MOST);
        let depth = number("depth").map_or(64, |depth| depth.min(64) as u32);
        let until = time.map(|time| Instant::now() + Duration::from_millis(time / 2));
        self.think(line, nodes, depth, until);
        Ok(())
    }

    fn think(&mut self, line: Line, nodes: u64, depth: u32, until: Option<Instant>) {
        let ticket = self.present.load(Ordering::SeqCst);
        let (present, best) = (Arc::clone(&self.present), Arc::clone(&self.best));
        let start = Instant::now();
        self.thinker = Some(std::thread::spawn(move || {
            let current = || present.load(Ordering::SeqCst) == ticket;
            let found = line.think(nodes, depth, |thought| {
                if current() {
                    let _ = say(&info(&thought, start.elapsed()));
                    *best.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(thought);
                }
                current() && until.is_none_or(|until| Instant::now() < until)
            });
            // Whoever takes the ticket back has the last word.
            if present.compare_exchange(ticket, ticket + 1, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                let _ = say(&best_move(found.as_ref()));
            }
        }));
    }

    fn stop(&mut self) -> Result<()> {
        let running = self.thinker.as_ref().is_some_and(|thinker| !thinker.is_finished());
        if !running {
            return Ok(());
        }
        let ticket = self.present.load(Ordering::SeqCst);
        let won =
            self.present.compare_exchange(ticket, ticket + 1, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        let best = self.best.lock().unwrap_or_else(|broken| broken.into_inner()).take();
        if won && best.is_some() {
            self.thinker = None;
            return say(&best_move(best.as_ref()));
        }
        if won {
            // Not even the first ply is done: give the first legal move.
            let first = self.line.as_ref().and_then(|line| line.think(200, 1, |_| false));
            self.thinker = None;
            return say(&best_move(first.as_ref()));
        }
        Ok(())
    }

    /// Ends a search without a word.
    fn hush(&mut self) {
        self.present.fetch_add(1, Ordering::SeqCst);
        *self.best.lock().unwrap_or_else(|broken| broken.into_inner()) = None;
        self.thinker = None;
    }
}

fn best_move(found: Option<&Thought>) -> String {
    format!("bestmove {}", found.map_or("0000", |thought| &thought.best))
}

fn info(thought: &Thought, spent: Duration) -> String {
    let Thought { score, depth, nodes, line, .. } = thought;
    let score = if score.abs() > WON - 1000 {
        let moves = (WON - score.abs() + 1) / 2;
        format!("mate {}", if *score > 0 { moves } else { -moves })
    } else {
        format!("cp {score}")
    };
    let time = spent.as_millis().max(1) as u64;
    let rate = nodes * 1000 / time;
    format!("info depth {depth} score {score} nodes {nodes} nps {rate} time {time} pv {}", line.join(" "))
}
