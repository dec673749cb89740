//! The Universal Chess Interface, so that chess programs can drive the plain
//! game and its variants, and `perft` for the command line.
//!
//! One thread reads, one searches, and the one that was called answers: `stop`,
//! `isready` and `quit` are heard while a search runs. The search itself reads no
//! clock: with `depth` or `nodes` the same commands give the same answers.

use crate::bots::{Budget, News, Node, Orders, Report, Thinker, WON};
use crate::error::BadInput;
use crate::plain::{Move, Position, Variant, divide, perft};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::shorten;
use turnstone_host::line::{BoundedLines, LONGEST_LINE, is_too_long};

/// What a bare `go` is worth.
const USUAL_NODES: u64 = 1_000_000;
/// Milliseconds before the move under consideration is told: faster nobody can read.
const SLOW: u64 = 1_000;
/// So many characters of an answer to a wrong line are told at most.
const QUOTED: usize = 500;

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
    /// A line that nobody listens to, for its length.
    TooLong,
    End(io::Result<()>),
    News(News),
    /// The search is over.
    Best(Vec<Report>),
    /// A count is over.
    Counted(String),
}

/// Sends every line, whatever its bytes, until `quit` or the end.
fn read(input: impl BufRead, outbox: &Sender<Message>) {
    let mut lines = BoundedLines::new(input);
    loop {
        let message = match lines.next_line() {
            Ok(None) => Message::End(Ok(())),
            Ok(Some(line)) if is_too_long(&line) => Message::TooLong,
            Ok(Some(line)) => Message::Line(line.trim().to_owned()),
            Err(error) => Message::End(Err(error)),
        };
        let last = match &message {
            Message::Line(line) => line == "quit",
            Message::TooLong => false,
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
    held: Option<Vec<Report>>,
    /// How strong the answer may be; `None` for as strong as possible.
    elo: Option<u32>,
}

/// What a graphical program may set.
#[derive(Clone, Debug)]
struct Options {
    megabytes: usize,
    threads: usize,
    lines: usize,
    skill: u32,
    is_limited: bool,
    elo: u32,
    overhead: u64,
    analyses: bool,
    shows_chances: bool,
}

/// The weakest and the strongest that can be asked for.
const ELO: std::ops::RangeInclusive<u32> = 1_000..=2_200;
const SKILLS: u32 = 20;

impl Default for Options {
    fn default() -> Options {
        Options {
            megabytes: 16,
            threads: 1,
            lines: 1,
            skill: SKILLS,
            is_limited: false,
            elo: *ELO.end(),
            overhead: 10,
            analyses: false,
            shows_chances: false,
        }
    }
}

impl Options {
    /// How strong to play; an analysis is as strong as it can be.
    fn strength(&self) -> Option<u32> {
        match self {
            Options { analyses: true, .. } => None,
            Options { is_limited: true, elo, .. } => Some(*elo),
            Options { skill, .. } if *skill < SKILLS => Some(ELO.start() + skill * 60),
            _ => None,
        }
    }
}

/// Positions that so strong a player looks at.
fn nodes_for(elo: u32) -> u64 {
    // Twice as many for every hundred points.
    let steps = u64::from(elo.saturating_sub(*ELO.start()));
    60 * (1 << (steps / 100)) * (100 + steps % 100) / 100
}

struct Engine<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    inbox: Receiver<Message>,
    outbox: Sender<Message>,
    output: W,
    variant: Variant,
    chess960: bool,
    options: Options,
    thinker: Arc<Thinker>,
    /// How many searches there were, so that a weak player does not play one game for ever.
    searches: u64,
    /// Was the last position refused? Then there is nothing to search.
    is_lost: bool,
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
            thinker: Arc::new(Thinker::new(Options::default().megabytes)),
            options: Options::default(),
            searches: 0,
            is_lost: false,
            position: Position::start(variant),
            history: Vec::new(),
            search: None,
            waiting: VecDeque::new(),
            leaving: false,
        }
    }

    fn serve(mut self) -> io::Result<()> {
        let ended = self.attend();
        // Whoever cannot be answered any more needs no search.
        self.stop();
        ended
    }

    fn attend(&mut self) -> io::Result<()> {
        let mut ended = Ok(());
        while !self.leaving || self.search.is_some() {
            match self.hear() {
                Some(Message::Line(line)) => self.line(line)?,
                Some(Message::TooLong) => {
                    let reason = format!("A line has at most {LONGEST_LINE} bytes.");
                    self.refuse(&BadInput::new("uci.line", "", reason))?;
                }
                Some(Message::End(result)) => {
                    ended = result;
                    self.end_of_input();
                }
                Some(Message::News(news)) => self.report(&news)?,
                Some(Message::Best(found)) => self.searched(found)?,
                Some(Message::Counted(text)) => self.counted(&text)?,
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

    fn searched(&mut self, found: Vec<Report>) -> io::Result<()> {
        if let Some(search) = self.search.as_mut().filter(|search| search.endless && !self.leaving) {
            search.held = Some(found);
            return Ok(());
        }
        let elo = self.search.take().and_then(|search| search.elo);
        let chosen = match elo {
            Some(elo) => self.stumble(&found, elo),
            None => found.first(),
        };
        match chosen.and_then(|report| Some((report, report.line.first()?))) {
            Some((report, best)) => {
                let (best, reply) = (self.spell(&self.position, best), self.reply(report));
                writeln!(self.output, "bestmove {best}{reply}")?;
            }
            None => writeln!(self.output, "bestmove (none)")?,
        }
        self.go_on()
    }

    fn counted(&mut self, text: &str) -> io::Result<()> {
        self.search = None;
        write!(self.output, "{text}")?;
        self.go_on()
    }

    /// What has waited for a search to end.
    fn go_on(&mut self) -> io::Result<()> {
        while let Some(line) = self.waiting.pop_front() {
            self.line(line)?;
            if self.search.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// The choice of somebody who misjudges what he sees, the more the weaker he is.
    fn stumble<'a>(&self, found: &'a [Report], elo: u32) -> Option<&'a Report> {
        let seed = Node::key(&self.position) ^ self.searches;
        let mut lots = Lots::new(seed, Stream::named("chess/uci"));
        let blur = u64::from((ELO.end() + 100).saturating_sub(elo)) / 5;
        found.iter().max_by_key(|report| i64::from(report.score) + lots.below(blur + 1) as i64)
    }

    /// What we expect as an answer, for those who ponder.
    fn reply(&self, found: &Report) -> String {
        let [best, reply, ..] = found.line[..] else { return String::new() };
        format!(" ponder {}", self.spell(&self.position.after(&best), &reply))
    }

    fn command(&mut self, words: &[&str]) -> io::Result<()> {
        let result = match words {
            ["uci", ..] => return introduce(&mut self.output),
            ["ucinewgame", ..] => {
                self.thinker.forget();
                self.start();
                Ok(())
            }
            ["setoption", rest @ ..] => self.set_option(rest),
            ["position", rest @ ..] => {
                let result = self.set_position(rest);
                self.is_lost = result.is_err();
                result
            }
            ["go", ..] if self.is_lost => {
                let reason = "The last position was refused; there is nothing to search.";
                let error = BadInput::new("uci.position", "", reason);
                self.refuse(&error)?;
                return writeln!(self.output, "bestmove (none)");
            }
            ["go", "perft", depth, ..] => {
                self.go_perft(depth);
                Ok(())
            }
            ["go", rest @ ..] => self.go(rest),
            ["d", ..] => return writeln!(self.output, "{}", self.position.to_fen()),
            ["debug" | "register", ..] | [] => Ok(()),
            [other, ..] => Err(BadInput::new("uci.command", other, "This command is not known.")),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.refuse(&error),
        }
    }

    /// Says what is wrong, and of what was sent no more than can be read.
    fn refuse(&mut self, error: &BadInput) -> io::Result<()> {
        writeln!(self.output, "info string {}", shorten(&error.to_string(), QUOTED))
    }

    fn variant(&self) -> Variant {
        if self.chess960 && self.variant == Variant::Standard { Variant::Chess960 } else { self.variant }
    }

    fn start(&mut self) {
        self.position = Position::start(self.variant());
        self.history.clear();
        self.is_lost = false;
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let cut = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let name = words.get(1..cut).unwrap_or_default().join(" ").to_ascii_lowercase();
        let value = words.get(cut + 1..).unwrap_or_default().join(" ");
        let yes = value.eq_ignore_ascii_case("true");
        match name.as_str() {
            "uci_variant" => {
                self.variant = Variant::from_name(&value).ok_or_else(|| unknown_variant(&value))?;
                self.start();
            }
            "uci_chess960" => {
                self.chess960 = yes;
                self.start();
            }
            "hash" => {
                self.options.megabytes = number(&name, &value, 1..=4_096)? as usize;
                self.thinker = Arc::new(Thinker::new(self.options.megabytes));
            }
            "clear hash" => self.thinker.forget(),
            "threads" => self.options.threads = number(&name, &value, 1..=64)? as usize,
            "multipv" => self.options.lines = number(&name, &value, 1..=256)? as usize,
            "skill level" => self.options.skill = number(&name, &value, 0..=SKILLS)?,
            "uci_limitstrength" => self.options.is_limited = yes,
            "uci_elo" => self.options.elo = number(&name, &value, ELO)?,
            "move overhead" => self.options.overhead = number(&name, &value, 0..=5_000)?.into(),
            "uci_analysemode" => self.options.analyses = yes,
            "uci_showwdl" => self.options.shows_chances = yes,
            "ponder" => {}
            _ => {
                let reason = "There is no such option; `uci` lists them.";
                return Err(BadInput::new("uci.option", name, reason));
            }
        }
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

    /// Counts beside, so that `stop`, `isready` and `quit` are heard.
    fn go_perft(&mut self, depth: &str) {
        let depth: u32 = depth.parse().unwrap_or(1).clamp(1, 20);
        let stop = Arc::new(AtomicBool::new(false));
        self.search = Some(Search::new(Arc::clone(&stop), None));
        let (position, outbox) = (self.position, self.outbox.clone());
        self.scope.spawn(move || {
            let text = perft_until(&position, depth, &stop);
            let _ = outbox.send(Message::Counted(text));
        });
    }

    /// Starts a search; what it finds comes back as messages.
    fn go(&mut self, words: &[&str]) -> Result<(), BadInput> {
        let order = Order::read(words, &self.position, self.options.overhead)?;
        let now = Instant::now();
        let endless = order.infinite || order.ponder;
        // After the end of the input nobody could stop it any more.
        let stop = Arc::new(AtomicBool::new(endless && self.leaving));
        let elo = self.options.strength();
        self.searches += 1;
        let mut search = Search::new(Arc::clone(&stop), elo);
        search.deadline = order.milliseconds.filter(|_| !endless).map(|ms| now + Duration::from_millis(ms));
        search.allotted = order.milliseconds;
        search.endless = endless;
        self.search = Some(search);
        let budget = match elo {
            Some(elo) => Budget { nodes: order.budget.nodes.min(nodes_for(elo)), ..order.budget },
            None => order.budget,
        };
        let orders = Orders {
            budget: Some(budget),
            lines: if elo.is_some() { self.options.lines.max(4) } else { self.options.lines },
            threads: if elo.is_some() { 1 } else { self.options.threads },
            only: order.only,
            history: self.history.clone(),
        };
        let (position, outbox, thinker) = (self.position, self.outbox.clone(), Arc::clone(&self.thinker));
        self.scope.spawn(move || {
            // Whoever answers may be gone already.
            let found = thinker.think(&position, &orders, &stop, |news| _ = outbox.send(Message::News(news)));
            let _ = outbox.send(Message::Best(found));
        });
        Ok(())
    }

    fn report(&mut self, news: &News) -> io::Result<()> {
        let time = self.search.as_ref().map_or(0, |search| search.since.elapsed().as_millis() as u64);
        match news {
            News::Trying(depth, mv, number, nodes) if time >= SLOW => {
                let (name, rate) = (self.spell(&self.position, mv), nodes * 1000 / time.max(1));
                writeln!(
                    self.output,
                    "info depth {depth} currmove {name} currmovenumber {number} nodes {nodes} nps {rate} time {time}"
                )
            }
            News::Trying(..) => Ok(()),
            News::Line(report) => self.report_line(report, time),
        }
    }

    fn report_line(&mut self, report: &Report, time: u64) -> io::Result<()> {
        let mut line = Vec::new();
        let mut here = self.position;
        for mv in &report.line {
            line.push(self.spell(&here, mv));
            here.play_unchecked(mv);
        }
        let Report { rank, depth, deepest, score, nodes, fullness, .. } = report;
        let rate = nodes * 1000 / time.max(1);
        let chances = if self.options.shows_chances { chances_text(*score) } else { String::new() };
        let (score, line) = (score_text(*score), line.join(" "));
        writeln!(
            self.output,
            "info depth {depth} seldepth {deepest} multipv {rank} score {score}{chances} nodes {nodes} nps {rate} \
             hashfull {fullness} time {time} pv {line}"
        )
    }

    fn spell(&self, position: &Position, mv: &Move) -> String {
        if self.chess960 { position.to_uci_960(mv) } else { position.to_uci(mv) }
    }
}

impl Search {
    fn new(stop: Arc<AtomicBool>, elo: Option<u32>) -> Search {
        Search {
            stop,
            since: Instant::now(),
            deadline: None,
            endless: false,
            allotted: None,
            held: None,
            elo,
        }
    }
}

fn unknown_variant(value: &str) -> BadInput {
    let names: Vec<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    let reason = format!("This variant is not known; known are {}.", names.join(", "));
    BadInput::new("uci.variant", value, reason)
}

/// A number of an option, within its bounds.
fn number(name: &str, value: &str, bounds: std::ops::RangeInclusive<u32>) -> Result<u32, BadInput> {
    value.parse().ok().filter(|number| bounds.contains(number)).ok_or_else(|| {
        let reason = format!(
            "'{value}' is no value for {name}; write a number from {} to {}.",
            bounds.start(),
            bounds.end()
        );
        BadInput::new("uci.value", name, reason)
    })
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
    fn read(words: &[&str], position: &Position, overhead: u64) -> Result<Order, BadInput> {
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
        let milliseconds = number("movetime").or(share).map(|ms| ms.saturating_sub(overhead).max(1));
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
    let Options { megabytes, threads, lines, skill, elo, overhead, .. } = Options::default();
    let (weakest, strongest) = (ELO.start(), ELO.end());
    writeln!(output, "option name Hash type spin default {megabytes} min 1 max 4096")?;
    writeln!(output, "option name Clear Hash type button")?;
    writeln!(output, "option name Threads type spin default {threads} min 1 max 64")?;
    writeln!(output, "option name MultiPV type spin default {lines} min 1 max 256")?;
    writeln!(output, "option name Skill Level type spin default {skill} min 0 max {SKILLS}")?;
    writeln!(output, "option name UCI_LimitStrength type check default false")?;
    writeln!(output, "option name UCI_Elo type spin default {elo} min {weakest} max {strongest}")?;
    writeln!(output, "option name Move Overhead type spin default {overhead} min 0 max 5000")?;
    writeln!(output, "option name UCI_AnalyseMode type check default false")?;
    writeln!(output, "option name UCI_ShowWDL type check default false")?;
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

/// Chances to win, to draw and to lose in thousandths, as the score suggests.
fn chances_text(score: i32) -> String {
    let chance = |score: i32| match score {
        score if score > WON - 1000 => 1000,
        score if score < 1000 - WON => 0,
        score => (1000.0 / (1.0 + (-f64::from(score - 90) / 65.0).exp())).round() as i32,
    };
    let (win, loss) = (chance(score), chance(-score));
    format!(" wdl {win} {} {loss}", 1000 - win - loss)
}

/// [`perft_report`] move by move, as far as it comes before somebody stops it.
fn perft_until(position: &Position, depth: u32, stop: &AtomicBool) -> String {
    let (mut text, mut sum) = (String::new(), 0);
    for mv in position.legal() {
        let Some(nodes) = count_until(&position.after(&mv), depth - 1, stop) else { break };
        sum += nodes;
        text += &format!("{}: {nodes}\n", position.to_uci(&mv));
    }
    format!("{text}\nNodes searched: {sum}\n")
}

fn count_until(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth < 4 {
        return Some(perft(position, depth));
    }
    position.legal().iter().map(|mv| count_until(&position.after(mv), depth - 1, stop)).sum()
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
        assert!(answers(only).contains("bestmove e1g1"));
        for variant in ["chess", "atomic"] {
            let text = answers(&format!(
                "setoption name UCI_Variant value {variant}\nsetoption name UCI_Chess960 value true\n{only}"
            ));
            assert!(text.contains("bestmove e1h1"), "{variant}: {text}");
        }
    }

    #[test]
    fn mistakes_are_answered_not_fatal() {
        let commands = "fly\nposition startpos moves e2e5\nposition fen 8/8 w\nposition\nposition fen\ngo depth 2\n\
            setoption\nsetoption name UCI_Variant value checkers\nposition startpos\ngo searchmoves e2e5\nisready\n";
        let text = answers(commands);
        assert_eq!(text.matches("info string").count(), 9, "{text}");
        assert!(text.contains("nothing to search") && text.contains("bestmove (none)"), "{text}");
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

    #[test]
    fn a_mate_is_told_with_its_true_distance() {
        let two = "position fen r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1";
        let text = answers(&format!("{two}\ngo depth 5\n"));
        assert!(text.contains("score mate 2") && !text.contains("score mate 1 "), "{text}");
    }

    fn last_info(text: &str) -> &str {
        text.lines().rev().find(|line| line.contains(" pv ")).expect("a line")
    }

    fn field(line: &str, name: &str) -> i64 {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.nth(1).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name} in {line}"))
    }

    #[test]
    fn every_option_that_is_listed_can_be_set() {
        let listed = answers("uci\n");
        for line in listed.lines().filter_map(|line| line.strip_prefix("option name ")) {
            let (name, kind) = line.split_once(" type ").expect("a type");
            let value = match kind.split(' ').next() {
                Some("check") => " value true".to_owned(),
                Some("spin") => format!(" value {}", field(kind, "min")),
                Some("combo") => " value atomic".to_owned(),
                _ => String::new(),
            };
            let text = answers(&format!("setoption name {name}{value}\nisready\n"));
            assert_eq!(text, "readyok\n", "{name}");
        }
        let bad = answers("setoption name Hash value many\nsetoption name MultiPV value 0\n");
        assert_eq!(bad.matches("info string").count(), 2, "{bad}");
    }

    #[test]
    fn multi_pv_gives_several_lines() {
        let text = answers("setoption name MultiPV value 3\nposition startpos\ngo depth 4\n");
        let deepest: Vec<&str> = text.lines().filter(|line| line.starts_with("info depth 4 ")).collect();
        let firsts: Vec<&str> =
            deepest.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next()).collect();
        assert_eq!(deepest.len(), 3, "{text}");
        assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2], "{firsts:?}");
        assert!(deepest.iter().zip(1..).all(|(line, rank)| field(line, "multipv") == rank));
    }

    #[test]
    fn hash_is_filled_and_a_larger_one_is_less_full() {
        let full = |megabytes: u32| {
            let text = answers(&format!("setoption name Hash value {megabytes}\ngo nodes 60000\n"));
            field(last_info(&text), "hashfull")
        };
        let (small, large) = (full(1), full(64));
        assert!(small > 100 && large < small / 4, "{small} and {large} thousandths");
    }

    #[test]
    fn lines_are_whole_and_selective_depth_is_told() {
        let line = answers("go depth 7\n");
        let line = last_info(&line);
        assert!(line.split(" pv ").nth(1).expect("a line").split(' ').count() >= 5, "{line}");
        assert!(field(line, "seldepth") >= field(line, "depth"), "{line}");
    }

    #[test]
    fn chances_are_shown_if_asked_for() {
        let text = answers("setoption name UCI_ShowWDL value true\ngo depth 3\n");
        let words: Vec<i64> = last_info(&text)
            .split(" wdl ")
            .nth(1)
            .expect("chances")
            .split(' ')
            .take(3)
            .map(|w| w.parse().expect("a number"))
            .collect();
        assert_eq!(words.iter().sum::<i64>(), 1000);
        assert!(!answers("go depth 3\n").contains("wdl"));
    }

    #[test]
    fn a_weaker_player_looks_at_less_and_an_analysis_is_never_weak() {
        let nodes =
            |options: &str| field(last_info(&answers(&format!("{options}go nodes 60000\n"))), "nodes");
        let elo = |elo: u32| {
            nodes(&format!(
                "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}\n"
            ))
        };
        assert!(elo(1200) < elo(1600) && elo(1600) < nodes(""), "{} {} {}", elo(1200), elo(1600), nodes(""));
        let skill = "setoption name Skill Level value 3\n";
        assert!(nodes(skill) < nodes(""));
        let analysis = format!("{skill}setoption name UCI_AnalyseMode value true\n");
        assert_eq!(nodes(&analysis), nodes(""));
    }

    #[test]
    fn threads_count_together() {
        let nodes = |threads: u32| {
            let text = answers(&format!("setoption name Threads value {threads}\ngo depth 7\n"));
            field(last_info(&text), "nodes")
        };
        let alone = nodes(1);
        assert_eq!(nodes(1), alone, "one thread alone can be repeated");
        // A second one may come too late once or twice; what it looks at is counted, and helps or hinders the first.
        assert!((0..200).any(|_| nodes(2) != alone));
    }

    #[test]
    fn long_lines_are_bounded_and_not_sent_back() {
        let long = "x".repeat(300_000);
        for line in [
            long.clone(),
            format!("position fen {long}"),
            format!("position startpos moves {long}"),
            format!("setoption name {long} value {long}"),
            format!("setoption name Hash value {long}"),
        ] {
            let text = answers(&format!("{line}\nisready\n"));
            assert!(text.starts_with("info string ") && text.len() < 2_000, "{} bytes", text.len());
            assert!(text.contains("readyok"), "the next one is heard");
        }
        assert!(!answers(&format!("go depth {long}\nstop\n")).contains(&long[..1000]));
        let text = answers(&format!("{}\nisready\n", "x".repeat(3 * LONGEST_LINE)));
        assert_eq!(text, "info string A line has at most 1000000 bytes. [uci.line]\nreadyok\n");
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let again = |between: &str| {
            field(last_info(&answers(&format!("go depth 6\n{between}go depth 6\n"))), "nodes")
        };
        let fresh = field(last_info(&answers("go depth 6\n")), "nodes");
        assert!(again("") < fresh, "what is known need not be searched");
        assert_eq!(again("setoption name Clear Hash\n"), fresh);
        assert_eq!(again("ucinewgame\n"), fresh);
    }

    /// What a player of that strength plays here.
    fn choice(elo: u32, moves: &[String]) -> String {
        let played = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let text = answers(&format!(
            "setoption name Hash value 1\nsetoption name UCI_LimitStrength value true\n\
             setoption name UCI_Elo value {elo}\nposition startpos{played}\ngo nodes 1000000\n"
        ));
        text.rsplit("bestmove ")
            .next()
            .and_then(|rest| rest.split_whitespace().next())
            .unwrap_or("")
            .to_owned()
    }

    /// Halves of a point for White. After sixty moves whoever has more wood wins.
    fn game(white: u32, black: u32, opening: &[String]) -> i32 {
        let mut moves = opening.to_vec();
        let mut position = Position::start(Variant::Standard);
        for mv in &moves {
            position.play_unchecked(&position.parse_uci(mv).expect("a legal opening"));
        }
        while moves.len() < 120 && position.has_legal_move() && position.halfmoves() < 100 {
            let elo = position.turn().pick(white, black);
            let mv = choice(elo, &moves);
            position.play_unchecked(&position.parse_uci(&mv).expect("a legal move"));
            moves.push(mv);
        }
        let worth = Node::worth(&position) * position.turn().pick(1, -1);
        match (position.has_legal_move(), position.in_check()) {
            (false, true) => position.turn().pick(0, 2),
            (false, false) => 1,
            (true, _) => 1 + i32::from(worth > 150) - i32::from(worth < -150),
        }
    }

    /// Four plies by lot, the same for the same number.
    fn opening(number: u64) -> Vec<String> {
        let mut lots = Lots::new(number, Stream::named("chess/uci/openings"));
        let mut position = Position::start(Variant::Standard);
        let mut moves = Vec::new();
        for _ in 0..4 {
            let legal = position.legal();
            let mv = lots.pick(&legal).expect("nobody is mated so soon");
            moves.push(position.to_uci(mv));
            position.play_unchecked(mv);
        }
        moves
    }

    /// Halves of a point for the stronger, each opening with both colours.
    fn rung(stronger: u32, weaker: u32, openings: u64) -> Vec<i32> {
        use rayon::prelude::*;
        let pair = |number: u64| {
            let opening = opening(number);
            [game(stronger, weaker, &opening), 2 - game(weaker, stronger, &opening)]
        };
        (0..openings).into_par_iter().flat_map_iter(pair).collect()
    }

    #[test]
    fn who_is_asked_to_play_better_plays_better() {
        for (stronger, weaker, openings) in [(1600, 1200, 3), (2000, 1600, 1)] {
            let halves = rung(stronger, weaker, openings);
            let sum: i32 = halves.iter().sum();
            assert!(sum * 4 >= openings as i32 * 4 * 3, "{stronger} against {weaker}: {halves:?}");
        }
    }

    /// `LADDER_OPENINGS=100` plays more; the share of the points is to be three standard errors above one half.
    #[test]
    #[ignore = "takes minutes"]
    fn every_rung_of_the_ladder_is_higher() {
        let openings = std::env::var("LADDER_OPENINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(30);
        for (stronger, weaker) in [(1600, 1200), (2000, 1600)] {
            let halves = rung(stronger, weaker, openings);
            let count = halves.len() as f64;
            let share = halves.iter().sum::<i32>() as f64 / 2.0 / count;
            let spread =
                halves.iter().map(|half| (f64::from(*half) / 2.0 - share).powi(2)).sum::<f64>() / count;
            let error = (spread / count).sqrt().max(0.5 / count);
            println!("{stronger} against {weaker}: {share:.3} ± {error:.3} of {count} games");
            assert!(share - 3.0 * error > 0.5, "{stronger} against {weaker}: {share} ± {error}");
        }
    }

    #[test]
    fn overhead_is_kept_back() {
        let position = Position::start(Variant::Standard);
        let allotted = |overhead| {
            Order::read(&["movetime", "100"], &position, overhead).ok().and_then(|order| order.milliseconds)
        };
        assert_eq!((allotted(20), allotted(90), allotted(500)), (Some(80), Some(10), Some(1)));
    }

    #[test]
    fn a_count_hears_isready_and_stop() {
        let text = converse(&[("", "go perft 9"), ("", "isready"), ("readyok", "stop"), ("Nodes", "quit")]);
        assert!(text.find("readyok") < text.find("Nodes searched"), "{text}");
    }

    #[test]
    fn a_count_that_would_take_years_ends_with_quit() {
        let text = converse(&[("", "go perft 15"), ("", "isready"), ("readyok", "quit")]);
        assert!(text.starts_with("readyok\n"), "{text}");
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

    /// Takes a few lines and then nothing more.
    struct Gone(usize);

    impl Write for Gone {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn whoever_goes_away_leaves_no_search_behind() {
        for asked in ["go infinite", "go movetime 100000000"] {
            let ended = run(asked.as_bytes(), Gone(100)).map_err(|error| error.kind());
            assert_eq!(ended, Err(io::ErrorKind::BrokenPipe), "{asked}");
        }
    }
}
