//! Programs that play: started for one game, held to limits of time and memory, ended with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone_table::protocol::{BoundedLines, is_too_long};
use turnstone_table::{Seat, Table, Viewer};

use crate::apart::{Helper, Task, sent};
use crate::course::Course;
use crate::memory;
use crate::plan::{BotPlan, Kind};
use crate::running;

/// Why a bot lost a game that the rules had not ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Which seat.
    pub seat: u8,
    /// `UNSTARTED`, `CRASHED`, `STALLED`, `OUT_OF_MEMORY`, `ILLEGAL`, `QUIT`, `PANICKED` or `UNSUITED`.
    pub code: String,
    /// In words.
    pub text: String,
}

/// A code and its words, before it is known whose fault it is.
pub(crate) type Failed = (&'static str, String);

/// A program in a seat.
pub(crate) struct Rival {
    program: Program,
    kind: Kind,
    go: String,
    options: Vec<(String, String)>,
    greeted: bool,
    /// A built-in bot, and who runs it.
    own: Option<(String, Helper)>,
    /// So much of the match's file a built-in bot knows, in bytes.
    known: usize,
    /// What a chess program is told of the game, and how many moments of it those are.
    course: Course,
    moments: usize,
}

impl Rival {
    pub fn start(plan: &BotPlan) -> Result<Self, Failed> {
        let options = plan.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let own = plan.name.clone().zip(plan.helper.clone());
        let (kind, go, program) = (plan.kind, plan.go.clone(), Program::start(plan)?);
        let course = Course::default();
        Ok(Rival { program, kind, go, options, greeted: false, own, known: 0, course, moments: 0 })
    }

    /// Passes a line of the protocol on.
    pub fn tell(&mut self, line: &Value) {
        if self.kind == Kind::Protocol {
            self.program.say(line.to_string());
        }
    }

    /// Whether it must be told the match itself, as its file tells it.
    pub fn follows(&self) -> bool {
        self.own.is_some()
    }

    /// Takes in what was played since it was to act last, as far as that seat sees it.
    pub fn follow_course(&mut self, table: &dyn Table, seat: Seat) {
        if self.kind != Kind::Uci {
            return;
        }
        let line = table.line();
        for there in line.iter().skip(self.moments).filter_map(|moment| table.at(*moment).ok()) {
            // Between a move and the answer to its question there is no position.
            if there.question(Viewer::All).is_none()
                && let Some(fen) = there.view(Viewer::Seat(seat))["fen"].as_str()
            {
                self.course.reach(fen);
            }
        }
        self.moments = line.len();
    }

    /// The line that answers a `turn`, or that comes after a line that was refused, and why; `file` is the match so far,
    /// for whom must be told it.
    pub fn answer(&mut self, turn: Result<&Value, &str>, file: &str) -> Result<String, Failed> {
        self.program.begin();
        match (self.kind, turn) {
            (Kind::Uci, Ok(turn)) => self.best_move(turn),
            (Kind::Builtin, Ok(_)) => self.choice(file),
            (Kind::Uci | Kind::Builtin, Err(why)) => {
                Err(("ILLEGAL", self.last_words(format!("its move was refused: {why}"))))
            }
            (Kind::Protocol, _) => self.program.line(),
        }
    }

    /// What a built-in bot chooses.
    fn choice(&mut self, file: &str) -> Result<String, Failed> {
        let news = Value::from(sent(&file[self.known..])).to_string();
        match self.own.as_ref().filter(|_| self.known == 0) {
            Some((bot, helper)) => {
                let (bot, content, file) = (bot.clone(), helper.content.clone(), file.to_owned());
                let task = Task { bot, content, file };
                self.program.say(serde_json::to_string(&task).unwrap_or_default());
                // That it is ready.
                self.program.line()?;
            }
            None => self.program.say(news),
        }
        self.known = file.len();
        self.program.line()
    }

    /// Ends it; the text, with what it said last.
    pub fn last_words(&mut self, text: String) -> String {
        self.program.last_words(text)
    }

    fn best_move(&mut self, turn: &Value) -> Result<String, Failed> {
        let Some(fen) = turn["view"]["fen"].as_str() else {
            let text = "a UCI program plays only where a position has a FEN".to_owned();
            return Err(("UNSUITED", text));
        };
        if !self.greeted {
            self.greet()?;
        }
        self.course.reach(fen);
        self.program.say(format!("{}\ngo {}", self.course.told(), self.go));
        let answer = self.await_word("bestmove")?;
        let best = answer.split_whitespace().nth(1).unwrap_or_default();
        Ok(Value::from(best).to_string())
    }

    fn greet(&mut self) -> Result<(), Failed> {
        self.program.say("uci".to_owned());
        self.await_word("uciok")?;
        for (name, value) in &self.options {
            self.program.say(format!("setoption name {name} value {value}"));
        }
        self.program.say("ucinewgame\nisready".to_owned());
        self.await_word("readyok")?;
        self.greeted = true;
        Ok(())
    }

    fn await_word(&mut self, word: &str) -> Result<String, Failed> {
        loop {
            let line = self.program.line()?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }
}

/// A child process. One thread writes to it and one reads from it, so that a program that neither
/// reads nor writes holds nobody up.
struct Program {
    child: Child,
    input: Sender<String>,
    output: Receiver<String>,
    /// The beginning of a line that it has not ended yet.
    unfinished: Arc<Mutex<String>>,
    /// The last line that it wrote to its standard error.
    complaint: Arc<Mutex<String>>,
    /// Told when there is no more of it.
    heard_all: Receiver<()>,
    /// Whether it has written anything.
    spoke: bool,
    /// Whether it was ended: that is done once.
    ended: bool,
    /// What is left of the time to start: until it first says something it takes none of the other times.
    start_left: Duration,
    move_limit: Duration,
    game_left: Duration,
    deadline: Instant,
    /// Who looks how much memory it holds.
    watch: Option<memory::Watch>,
}

impl Program {
    fn start(plan: &BotPlan) -> Result<Self, Failed> {
        let helper = plan.helper.as_ref().map(|helper| &*helper.command);
        let command = helper.or(plan.command.as_deref()).unwrap_or_default();
        let unstarted = |error: std::io::Error| ("UNSTARTED", format!("\"{command}\": {error}"));
        let limit = plan.memory_limit();
        let mut shell = shell(command, limit.filter(|_| !memory::is_told()));
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = running::start(&mut shell).map_err(unstarted)?;
        let watch = limit.filter(|_| memory::is_told()).map(|limit| memory::Watch::start(child.id(), limit));
        let complaint = Arc::new(Mutex::new(String::new()));
        let (said_all, heard_all) = channel();
        if let Some(stderr) = child.stderr.take() {
            let complaint = Arc::clone(&complaint);
            std::thread::spawn(move || {
                keep_last_line(stderr, &complaint);
                let _ = said_all.send(());
            });
        }
        let (input, lines) = channel();
        let (heard, output) = sync_channel(64);
        if let Some(stdin) = child.stdin.take() {
            std::thread::spawn(move || write_lines(stdin, &lines));
        }
        let unfinished = Arc::new(Mutex::new(String::new()));
        if let Some(stdout) = child.stdout.take() {
            let unfinished = Arc::clone(&unfinished);
            std::thread::spawn(move || read_lines(stdout, &heard, &unfinished));
        }
        Ok(Program {
            child,
            input,
            output,
            unfinished,
            complaint,
            heard_all,
            spoke: false,
            ended: false,
            start_left: plan.start_limit(),
            move_limit: plan.move_limit(),
            game_left: plan.game_limit(),
            deadline: Instant::now(),
            watch,
        })
    }

    /// One that has gone is noticed when it is to act.
    fn say(&mut self, line: String) {
        let _ = self.input.send(line);
    }

    /// Its time for one answer begins.
    fn begin(&mut self) {
        self.deadline = Instant::now() + self.start_left + self.move_limit.min(self.game_left);
    }

    fn line(&mut self) -> Result<String, Failed> {
        let start = Instant::now();
        let heard = self.output.recv_timeout(self.deadline.saturating_duration_since(start));
        self.charge(start.elapsed());
        if let Some(held) = self.watch.as_ref().and_then(memory::Watch::exceeded) {
            let text = format!("it held {} megabytes, with all that it had started", held / 1024);
            return Err(("OUT_OF_MEMORY", self.complained(text)));
        }
        match heard {
            Ok(line) => {
                self.spoke = true;
                // What it did not need to start is not there for its answers.
                self.deadline -= std::mem::take(&mut self.start_left);
                Ok(line)
            }
            Err(RecvTimeoutError::Timeout) => Err(("STALLED", self.complained(self.silence()))),
            Err(RecvTimeoutError::Disconnected) => Err(self.end_in_words()),
        }
    }

    /// Takes that much from its time to start, and what is more than that from its time for the game.
    fn charge(&mut self, taken: Duration) {
        let starting = taken.min(self.start_left);
        self.start_left -= starting;
        self.game_left = self.game_left.saturating_sub(taken - starting);
    }

    /// That it did not answer; with what it said of a line that it did not end.
    fn silence(&self) -> String {
        let begun = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.is_empty() {
            return "no answer in time".to_owned();
        }
        format!("no answer in time: its line has no end yet: {begun}")
    }

    /// How it ended; an exit status may come a little after the end of its output.
    fn end_in_words(&mut self) -> Failed {
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                // Its last words may come a little after its end, too.
                let _ = self.heard_all.recv_timeout(Duration::from_millis(500));
                // So a shell says that there is no such command, or that it is no program.
                let unstarted = !self.spoke && matches!(status.code(), Some(126 | 127));
                let (code, what) = match unstarted {
                    true => ("UNSTARTED", "it could not be started"),
                    false => ("CRASHED", "it ended before the game"),
                };
                return (code, self.complained(format!("{what}: {status}")));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        ("CRASHED", self.complained("it closed its output".to_owned()))
    }

    /// Ends it and waits a little until all that it said is heard.
    fn last_words(&mut self, text: String) -> String {
        self.end();
        let _ = self.heard_all.recv_timeout(Duration::from_millis(500));
        self.complained(text)
    }

    /// Ends it with everything that it has started.
    fn end(&mut self) {
        self.watch = None;
        if !std::mem::replace(&mut self.ended, true) {
            running::end(&mut self.child);
        }
    }

    /// With what it said last, if it said anything: that is mostly why.
    fn complained(&self, text: String) -> String {
        let said = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        if said.is_empty() { text } else { format!("{text}; it said: {said}") }
    }
}

/// A shell that becomes the command. Where nobody can look how much memory it holds, each of its processes is first
/// limited to so many kilobytes.
fn shell(command: &str, each: Option<u64>) -> Command {
    let limit = if each.is_some() { "ulimit -v \"$1\" && " } else { "" };
    let script = format!("{limit}exec sh -c \"$0\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, command, &each.unwrap_or_default().to_string()]);
    shell
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
        let _ = self.child.wait();
    }
}

/// So much of a line that is no answer is told, in characters or, where it has no end, bytes.
pub(crate) const QUOTED: usize = 80;

/// The longest complaint that is kept, in bytes.
const COMPLAINT: u64 = 400;

/// Keeps the last line that is not empty, and the beginning of one that is long.
fn keep_last_line(stderr: impl Read, last: &Mutex<String>) {
    let mut input = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(COMPLAINT).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let whole = line.ends_with(b"\n");
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if !text.is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
        if !whole && input.skip_until(b'\n').is_err() {
            break;
        }
    }
}

fn write_lines(mut stdin: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
}

/// Of a line that is too long only the beginning is kept: it is refused for its length.
fn read_lines(stdout: impl Read, heard: &SyncSender<String>, unfinished: &Mutex<String>) {
    let mut input = BoundedLines::new(BufReader::new(stdout));
    while let Some(line) = read_line(&mut input, unfinished) {
        if heard.send(line).is_err() {
            break;
        }
    }
}

/// The next line, or what there is of it when the program ends; what has come of one is shown meanwhile.
fn read_line(input: &mut BoundedLines<impl BufRead>, unfinished: &Mutex<String>) -> Option<String> {
    let show = |text: String| *unfinished.lock().unwrap_or_else(PoisonError::into_inner) = text;
    let line = input
        .next_showing(|come| show(String::from_utf8_lossy(&come[..come.len().min(QUOTED)]).into_owned()));
    let line = line.ok().flatten();
    // What ended without its end stays to be seen.
    if line.as_ref().is_some_and(|line| line.ends_with('\n') || is_too_long(line)) {
        show(String::new());
    }
    line
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// On a busy machine programs lost games while they were still being loaded.
    #[test]
    fn the_start_of_a_program_takes_none_of_its_time_for_the_game() {
        let (start_seconds, game_seconds) = (Some(5.0), Some(10.0));
        let plan = BotPlan { start_seconds, game_seconds, ..BotPlan::program("cat") };
        let mut program = Program::start(&plan).unwrap();
        let left = |program: &Program| (program.start_left.as_secs(), program.game_left.as_secs());
        program.charge(Duration::from_secs(3));
        assert_eq!(left(&program), (2, 10));
        program.charge(Duration::from_secs(4));
        assert_eq!(left(&program), (0, 8));
        program.charge(Duration::from_secs(4));
        assert_eq!(left(&program), (0, 4));
        let mut quick = Program::start(&BotPlan { start_seconds: Some(500.0), ..plan }).unwrap();
        quick.say("hello".to_owned());
        quick.begin();
        assert_eq!(quick.line().unwrap(), "hello\n");
        assert_eq!(left(&quick).0, 0, "what it did not need to start is not there for its answers");
    }

    #[test]
    fn lines_are_read_one_by_one_and_one_without_end_is_shown() {
        let unfinished = Mutex::new(String::new());
        let mut input = BoundedLines::new(BufReader::with_capacity(4, &b"one\ntwo, and more"[..]));
        assert_eq!(read_line(&mut input, &unfinished).as_deref(), Some("one\n"));
        assert_eq!(*unfinished.lock().unwrap(), "");
        assert_eq!(read_line(&mut input, &unfinished).as_deref(), Some("two, and more"));
        assert_eq!(*unfinished.lock().unwrap(), "two, and more");
        assert_eq!(read_line(&mut input, &unfinished), None);
        let mut long = BoundedLines::new(BufReader::new(std::io::repeat(b'x')));
        assert!(is_too_long(&read_line(&mut long, &unfinished).unwrap()));
    }
}
