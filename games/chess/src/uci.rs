//! The Universal Chess Interface, so that chess programs can drive the plain
//! game and its variants, and `perft` for the command line.
//!
//! One thread reads, one searches, and the one that was called answers: `stop`,
//! `isready` and `quit` are heard while a search runs. The search itself reads no
//! clock: with `depth` or `nodes` the same commands give the same answers.

use crate::bots::{Budget, Found, Node, Task, WON, search_task};
use crate::error::BadInput;
use crate::plain::{Move, Position, Variant, divide, perft};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// What a bare `go` is worth.
const USUAL_NODES: u64 = 1_000_000;
/// Kept back from every allotted time, for writing and reading.
const OVERHEAD: u64 = 20;

/// Reads UCI commands until `quit` or the end of input. A search that is under way at the end of the
/// input is finished, unless it would never be.
///
/// ```
/// let commands = "uci\nposition startpos moves e2e4\ngo depth 2\n";
/// let mut answers = Vec::new();
/// turnstone_chess::uci::run(commands.as_bytes(), &mut answers)?;
/// let answers = String::from_utf8(answers).unwrap();
/// assert!(answers.contains("uciok") && answers.contains("bestmove "));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Only those of reading and writing; bad commands are answered with `info string`.
pub fn run(input: impl BufRead + Send, output: impl Write) -> io::Result<()> {
    thread::scope(|scope| {
        let (outbox, inbox) = channel();
        let reader = outbox.clone();
        scope.spawn(move || read(input, &reader));
        Engine::new(scope, inbox, outbox, output).serve()
    })
}

/// What the answering thread hears.
enum Message {
    Line(String),
    End(io::Result<()>),
    Found(Found<Move>),
    /// The search is over.
    Best(Option<Found<Move>>),
}

/// Sends every line, whatever its bytes, until `quit` or the end.
fn read(mut input: impl BufRead, outbox: &Sender<Message>) {
    loop {
        let mut bytes = Vec::new();
        let message = match input.read_until(b'\n', &mut bytes) {
            Ok(0) => Message::End(Ok(())),
            Ok(_) => Message::Line(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Err(error) => Message::End(Err(error)),
        };
        let last = match &message {
            Message::Line(line) => line == "quit",
            _ => true,
        };
        if outbox.send(message).is_err() || last {
            return;
        }
    }
}

/// A search under way.
struct Search {
    stop: Arc<AtomicBool>,
    since: Instant,
    /// When it has to end.
    deadline: Option<Instant>,
    /// Nothing is answered before `stop` (or, while pondering, `ponderhit`) is heard.
    endless: bool,
    /// Milliseconds that a `ponderhit` allots.
    allotted: Option<u64>,
    /// The answer, if it has to wait.
    held: Option<Option<Found<Move>>>,
}

struct Engine<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    inbox: Receiver<Message>,
    outbox: Sender<Message>,
    output: W,
    variant: Variant,
    chess960: bool,
    position: Position,
    /// Keys of the positions before, for repetitions.
    history: Vec<u64>,
    search: Option<Search>,
    /// Commands that wait for the search to end.
    waiting: VecDeque<String>,
    leaving: bool,
}

impl<'scope, 'env, W: Write> Engine<'scope, 'env, W> {
    fn new(
        scope: &'scope Scope<'scope, 'env>,
        inbox: Receiver<Message>,
        outbox: Sender<Message>,
        output: W,
    ) -> Self {
        let variant = Variant::Standard;
        Engine {
            scope,
            inbox,
            outbox,
            output,
            variant,
            chess960: false,
            position: Position::start(variant),
            history: Vec::new(),
            search: None,
            waiting: VecDeque::new(),
            leaving: false,
        }
    }

    fn serve(mut self) -> io::Result<()> {
        let mut ended = Ok(());
        while !self.leaving || self.search.is_some() {
            match self.hear() {
                Some(Message::Line(line)) => self.line(line)?,
                Some(Message::End(result)) => {
                    ended = result;
                    self.end_of_input();
                }
                Some(Message::Found(found)) => self.report(&found)?,
                Some(Message::Best(found)) => self.searched(found)?,
                None => self.stop(),
            }
            self.output.flush()?;
        }
        ended
    }

    /// The next message, or `None` if the time of the search is over.
    fn hear(&self) -> Option<Message> {
        let search = self.search.as_ref().filter(|search| !search.stop.load(Ordering::Relaxed));
        let Some(deadline) = search.and_then(|search| search.deadline) else {
            return self.inbox.recv().ok();
        };
        self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    }

    /// Some commands are heard at any time; the others wait for a search to end.
    fn line(&mut self, line: String) -> io::Result<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("quit") => {
                self.leaving = true;
                self.waiting.clear();
                self.stop();
                self.release()
            }
            Some("stop") => {
                self.stop();
                self.release()
            }
            Some("ponderhit") => self.ponder_hit(),
            Some("isready") => writeln!(self.output, "readyok"),
            _ if self.search.is_some() => {
                self.waiting.push_back(line);
                Ok(())
            }
            _ => self.command(&words),
        }
    }

    fn end_of_input(&mut self) {
        self.leaving = true;
        if let Some(search) = self.search.as_mut().filter(|search| search.endless) {
            search.endless = false;
            self.stop();
        }
    }

    /// Ends the search under way; its answer follows.
    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.endless = false;
            search.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The opponent has played what was expected: from now on it is our own time.
    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            search.endless = false;
            search.deadline = search.allotted.map(|left| Instant::now() + Duration::from_millis(left));
        }
        self.release()
    }

    /// Gives the answer that had to wait, if there is one.
    fn release(&mut self) -> io::Result<()> {
        match self.search.as_mut().and_then(|search| search.held.take()) {
            Some(found) => self.searched(found),
            None => Ok(()),
        }
    }

    fn searched(&mut self, found: Option<Found<Move>>) -> io::Result<()> {
        if let Some(search) = self.search.as_mut().filter(|search| search.endless && !self.leaving) {
            search.held = Some(found);
            return Ok(());
        }
        self.search = None;
        match found {
            Some(found) => {
                let (best, reply) = (self.spell(&self.position, &found.best), self.reply(&found));
                writeln!(self.output, "bestmove {best}{reply}")?;
            }
            None => writeln!(self.output, "bestmove (none)")?,
        }
        while let Some(line) = self.waiting.pop_front() {
            self.line(line)?;
            if self.search.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// What we expect as an answer, for those who ponder.
    fn reply(&self, found: &Found<Move>) -> String {
        let next = self.position.after(&found.best);
        let reply = found.line.get(1).filter(|_| found.line.first() == Some(&found.best));
        reply.map_or(String::new(), |reply| format!(" ponder {}", self.spell(&next, reply)))
    }

    fn command(&mut self, words: &[&str]) -> io::Result<()> {
        let result = match words {
            ["uci", ..] => return introduce(&mut self.output),
            ["ucinewgame", ..] => {
                self.start();
                Ok(())
            }
            ["setoption", rest @ ..] => self.set_option(rest),
            ["position", rest @ ..] => self.set_position(rest),
            ["go", "perft", depth, ..] => return self.go_perft(depth),
            ["go", rest @ ..] => self.go(rest),
            ["d", ..] => return writeln!(self.output, "{}", self.position.to_fen()),
            ["debug" | "register", ..] | [] => Ok(()),
            [other, ..] => Err(BadInput::new("uci.command", other, "This command is not known.")),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => writeln!(self.output, "info string {error}"),
        }
    }

    fn variant(&self) -> Variant {
        if self.chess960 && self.variant == Variant::Standard { Variant::Chess960 } else { self.variant }
    }

    fn start(&mut self) {
        self.position = Position::start(self.variant());
        self.history.clear();
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let value = words.iter().position(|word| *word == "value").map(|at| words[at + 1..].join(" "));
        let value = value.unwrap_or_default();
        match words.get(1).map(|name| name.to_ascii_lowercase()).as_deref() {
            Some("uci_variant") => {
                let known = Variant::from_name(&value).ok_or_else(|| {
                    let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
                    let reason = format!("This variant is not known; known are {}.", names.join(", "));
                    BadInput::new("uci.variant", &value, reason)
                })?;
                self.variant = known;
            }
            Some("uci_chess960") => self.chess960 = value.eq_ignore_ascii_case("true"),
            Some("ponder") => return Ok(()),
            name => {
                let reason = "There is no such option; `uci` lists them.";
                return Err(BadInput::new("uci.option", name.unwrap_or_default(), reason));
            }
        }
        self.start();
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let mut position = match words.first() {
            Some(&"startpos") => Position::start(self.variant()),
            Some(&"fen") => {
                let fen = words.get(1..at).unwrap_or_default();
                Position::from_fen(&fen.join(" "), self.variant())?
            }
            _ => {
                let reason = "Write 'position startpos' or 'position fen …'.";
                return Err(BadInput::new("uci.position", "", reason));
            }
        };
        let mut history = Vec::new();
        for text in words.iter().skip(at + 1) {
            let mv = position.parse_uci(text)?;
            history.push(Node::key(&position));
            position.play_unchecked(&mv);
        }
        (self.position, self.history) = (position, history);
        Ok(())
    }

    fn go_perft(&mut self, depth: &str) -> io::Result<()> {
        let depth: u32 = depth.parse().unwrap_or(1).clamp(1, 20);
        write!(self.output, "{}", perft_report(&self.position, depth, true))
    }

    /// Starts a search; what it finds comes back as messages.
    fn go(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let order = Order::read(words, &self.position)?;
        let now = Instant::now();
        let endless = order.infinite || order.ponder;
        // After the end of the input nobody could stop it any more.
        let stop = Arc::new(AtomicBool::new(endless && self.leaving));
        let deadline = order.milliseconds.filter(|_| !endless).map(|ms| now + Duration::from_millis(ms));
        let allotted = order.milliseconds;
        self.search =
            Some(Search { stop: Arc::clone(&stop), since: now, deadline, endless, allotted, held: None });
        let (mut position, history) = (self.position, self.history.clone());
        let outbox = self.outbox.clone();
        self.scope.spawn(move || {
            let task = Task { budget: order.budget, history: &history, only: &order.only, stop: &stop };
            // Whoever answers may be gone already.
            let report = |found: &Found<Move>| _ = outbox.send(Message::Found(found.clone()));
            let found = search_task(&mut position, &task, report);
            let _ = outbox.send(Message::Best(found));
        });
        Ok(())
    }

    fn report(&mut self, found: &Found<Move>) -> io::Result<()> {
        let mut line = Vec::new();
        let mut here = self.position;
        for mv in &found.line {
            line.push(self.spell(&here, mv));
            here.play_unchecked(mv);
        }
        let milliseconds = self.search.as_ref().map_or(0, |search| search.since.elapsed().as_millis() as u64);
        let Found { depth, score, nodes, .. } = found;
        let rate = nodes * 1000 / milliseconds.max(1);
        let score = score_text(*score);
        let line = line.join(" ");
        writeln!(
            self.output,
            "info depth {depth} score {score} nodes {nodes} nps {rate} time {milliseconds} pv {line}"
        )
    }

    fn spell(&self, position: &Position, mv: &Move) -> String {
        if self.chess960 { position.to_uci_960(mv) } else { position.to_uci(mv) }
    }
}

/// What `go` asks for.
struct Order {
    budget: Budget,
    milliseconds: Option<u64>,
    infinite: bool,
    ponder: bool,
    only: Vec<Move>,
}

impl Order {
    /// Depth, positions, time, or a share of the time that is left.
    fn read(words: &[&str], position: &Position) -> Result<Order, BadInput> {
        let number = |name: &str| -> Option<u64> {
            let at = words.iter().position(|word| *word == name)?;
            // Some programs send times below zero when the flag is about to fall.
            words.get(at + 1)?.parse::<i64>().ok().map(|number| number.max(0).unsigned_abs())
        };
        let (time, more) = position.turn().pick(("wtime", "winc"), ("btime", "binc"));
        let share = number(time).map(|left| {
            let moves = number("movestogo").unwrap_or(40).clamp(1, 40);
            (left / moves + number(more).unwrap_or(0) / 2).min(left * 4 / 5)
        });
        let milliseconds = number("movetime").or(share).map(|ms| ms.saturating_sub(OVERHEAD).max(1));
        let infinite = words.contains(&"infinite");
        let (depth, nodes) = (number("depth").or(number("mate").map(|moves| moves * 2)), number("nodes"));
        let free = infinite || depth.is_some() || milliseconds.is_some();
        let nodes = nodes.unwrap_or(if free { u64::MAX / 4 } else { USUAL_NODES });
        let depth = depth.unwrap_or(64).clamp(1, 64) as u32;
        let budget = Budget { nodes, depth };
        let ponder = words.contains(&"ponder");
        Ok(Order { budget, milliseconds, infinite, ponder, only: only(words, position)? })
    }
}

/// The moves after `searchmoves`, up to the next word that is none.
fn only(words: &[&str], position: &Position) -> Result<Vec<Move>, BadInput> {
    let Some(at) = words.iter().position(|word| *word == "searchmoves") else { return Ok(Vec::new()) };
    let is_move = |word: &&&str| word.len() >= 4 && word.as_bytes()[1].is_ascii_digit() || word.contains('@');
    words[at + 1..].iter().take_while(is_move).map(|text| position.parse_uci(text)).collect()
}

fn introduce(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "id name Turnstone {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(output, "id author the Turnstone authors")?;
    writeln!(output, "option name Ponder type check default false")?;
    writeln!(output, "option name UCI_Chess960 type check default false")?;
    let variants: Vec<String> = Variant::ALL
        .into_iter()
        .filter(|variant| *variant != Variant::Chess960)
        .map(|variant| format!("var {}", variant.name()))
        .collect();
    writeln!(output, "option name UCI_Variant type combo default chess {}", variants.join(" "))?;
    writeln!(output, "uciok")
}

fn score_text(score: i32) -> String {
    if score.abs() < WON - 1000 {
        return format!("cp {score}");
    }
    let plies = WON - score.abs();
    format!("mate {}", score.signum() * (plies + 1) / 2)
}

/// What the command `perft` prints: each move's share if asked, then the sum.
pub fn perft_report(position: &Position, depth: u32, by_move: bool) -> String {
    if !by_move || depth == 0 {
        return format!("{}\n", perft(position, depth));
    }
    let shares = divide(position, depth);
    let sum: u64 = shares.iter().map(|(_, nodes)| nodes).sum();
    let lines: Vec<String> =
        shares.iter().map(|(mv, nodes)| format!("{}: {nodes}\n", position.to_uci(mv))).collect();
    format!("{}\nNodes searched: {sum}\n", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};
    use std::sync::Mutex;

    fn answers(commands: &str) -> String {
        let mut out = Vec::new();
        run(commands.as_bytes(), &mut out).expect("a buffer takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn it_finds_a_mate_in_one() {
        let text = answers("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\ngo depth 3\n");
        assert!(text.contains("score mate 1") && text.ends_with("bestmove a1a8\n"), "{text}");
    }

    #[test]
    fn variants_are_options() {
        let text =
            answers("setoption name UCI_Variant value racingkings\nposition startpos\nd\ngo perft 2\n");
        assert!(
            text.starts_with(Variant::RacingKings.start_fen()) && text.contains("searched: 421"),
            "{text}"
        );
    }

    #[test]
    fn castling_is_written_as_the_program_wants_it() {
        let only = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves e1g1\n";
        assert!(answers(only).ends_with("bestmove e1g1\n") || answers(only).contains("bestmove e1g1 ponder"));
        for variant in ["chess", "atomic"] {
            let text = answers(&format!(
                "setoption name UCI_Variant value {variant}\nsetoption name UCI_Chess960 value true\n{only}"
            ));
            assert!(text.contains("bestmove e1h1"), "{variant}: {text}");
        }
    }

    #[test]
    fn mistakes_are_answered_not_fatal() {
        let commands = "fly\nposition startpos moves e2e5\nposition fen 8/8 w\nposition\nposition fen\n\
            setoption\nsetoption name UCI_Variant value checkers\ngo searchmoves e2e5\nisready\n";
        let text = answers(commands);
        assert_eq!(text.matches("info string").count(), 8, "{text}");
        assert!(text.ends_with("readyok\n"));
        let mut out = Vec::new();
        run(&b"\xff\xfe\n\0\nisready\n"[..], &mut out).expect("bytes are no text and no reason to stop");
        assert!(out.ends_with(b"readyok\n"));
    }

    #[test]
    fn a_finished_game_has_no_best_move() {
        let text = answers("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1\ngo depth 2\n");
        assert_eq!(text, "bestmove (none)\n");
    }

    /// A program that sends its next line when it has read what it waits for.
    struct Script {
        steps: VecDeque<(&'static str, &'static str)>,
        heard: Arc<Mutex<Vec<u8>>>,
    }

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((awaited, line)) = self.steps.pop_front() else { return Ok(0) };
            while !String::from_utf8_lossy(&self.heard.lock().unwrap()).contains(awaited) {
                thread::yield_now();
            }
            let bytes = format!("{line}\n").into_bytes();
            buffer[..bytes.len()].copy_from_slice(&bytes);
            Ok(bytes.len())
        }
    }

    struct Ear(Arc<Mutex<Vec<u8>>>);

    impl Write for Ear {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn converse(steps: &[(&'static str, &'static str)]) -> String {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let script = Script { steps: steps.iter().copied().collect(), heard: Arc::clone(&heard) };
        run(BufReader::new(script), Ear(Arc::clone(&heard))).expect("a buffer takes everything");
        let bytes = heard.lock().unwrap().clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn an_endless_search_hears_isready_and_stop() {
        let text = converse(&[
            ("", "go infinite"),
            ("info depth 2 ", "isready"),
            ("readyok", "stop"),
            ("bestmove", "isready"),
            ("", "quit"),
        ]);
        let (before, after) = text.split_once("readyok").unwrap();
        assert!(!before.contains("bestmove") && after.contains("bestmove"), "{text}");
        assert!(text.ends_with("readyok\n"), "{text}");
    }

    #[test]
    fn a_search_that_is_done_waits_for_stop_if_it_was_endless() {
        let mate = "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
        let text = converse(&[
            ("", mate),
            ("", "go infinite"),
            ("score mate 1", "isready"),
            ("readyok", "stop"),
            ("bestmove a1a8", "quit"),
        ]);
        assert!(text.find("readyok") < text.find("bestmove"), "{text}");
    }

    #[test]
    fn quit_ends_a_search() {
        let text = converse(&[("", "go infinite"), ("info depth 1 ", "quit")]);
        assert!(text.contains("bestmove"), "{text}");
    }

    #[test]
    fn time_ends_a_search_and_commands_wait_for_it() {
        let text = converse(&[
            ("", "go movetime 60"),
            ("info", "position startpos moves e2e4"),
            ("", "d"),
            ("bestmove", "quit"),
        ]);
        let (before, after) = text.split_once("bestmove").unwrap();
        assert!(!before.contains(" b KQkq") && after.contains(" b KQkq"), "{text}");
    }

    #[test]
    fn pondering_ends_with_a_hit_or_a_stop() {
        let text = converse(&[
            ("", "go ponder wtime 1000 btime 1000"),
            ("info depth 1 ", "ponderhit"),
            ("bestmove", "go ponder"),
            ("bestmove", "stop"),
        ]);
        assert_eq!(text.matches("bestmove").count(), 2, "{text}");
    }
}
