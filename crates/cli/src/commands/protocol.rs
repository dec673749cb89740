//! `protocol`: JSON lines on standard input and output, or with programs that are started for it.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use turnstone_table::protocol::{BoundedLines, Door, Doors, Said, Terms};
use turnstone_table::{Games, Seat, Table};

use crate::Ended;
use crate::args;
use crate::files::{check_place, write_whole};
use crate::out::Out;
use crate::play::{bot_named, bot_seed, open, opening, salt, seat_named};

/// Speaks until `quit` or the end of the input.
pub fn run(args: &args::Protocol, games: Games) -> Result<Ended> {
    if let Some(path) = &args.save {
        check_place(path)?;
    }
    let (host, wanted) = opening(&args.opening, games)?;
    let mut table = open(host, &wanted, &args.opening.wishes)?;
    for text in &args.bots {
        let (at, name) = bot_named(&*table, text)?;
        let at =
            at.with_context(|| format!("[USAGE] say which seat \"{name}\" is to play: --bot SEAT={name}"))?;
        let seed = bot_seed(&*table);
        table.seat_bot(at, name, seed).map_err(|refusal| anyhow!(refusal))?;
    }
    // Programs are strangers to whoever named the seed.
    let told = args.opening.seed.is_some() && args.programs.is_empty();
    let terms = Terms { salt: salt(told)?, practice: args.practice };
    if args.programs.is_empty() {
        let seat = args.seat.as_deref().map(|text| seat_named(&*table, text)).transpose()?;
        let mut door = Door::new(table, seat, terms).map_err(|refusal| anyhow!(refusal))?;
        let spoken = converse(&mut door);
        return ended(spoken, save(args, door.table()));
    }
    let seats = args.programs.iter().map(|text| program(&*table, text)).collect::<Result<Vec<_>>>()?;
    let held: Vec<Seat> = seats.iter().map(|(seat, _)| *seat).collect();
    let mut doors = Doors::new(table, &held, terms).map_err(|refusal| anyhow!(refusal))?;
    let mut programs =
        seats.iter().map(|(_, command)| Program::start(command)).collect::<Result<Vec<_>>>()?;
    let played = referee(&mut doors, &mut programs);
    ended(played, save(args, doors.table()))
}

/// What was played is saved however it ended; then what went wrong is told, all of it.
fn ended(played: Result<()>, saved: Result<()>) -> Result<Ended> {
    match (played, saved) {
        (Err(lost), Err(unsaved)) => bail!("{lost:#}\n{unsaved:#}"),
        (played, saved) => played.and(saved).map(|()| Ended::Well),
    }
}

fn save(args: &args::Protocol, table: &mut dyn Table) -> Result<()> {
    match &args.save {
        Some(path) => write_whole(path, &table.save().map_err(|refusal| anyhow!(refusal))?),
        None => Ok(()),
    }
}

fn converse(door: &mut Door) -> Result<()> {
    let mut out = Out::new();
    send(door.greet(), &mut out)?;
    let mut input = BoundedLines::new(std::io::stdin().lock());
    while door.is_open() {
        let Some(line) = input.next_line()? else { break };
        send(door.hear(&line), &mut out)?;
    }
    Ok(())
}

fn send(lines: Vec<Value>, out: &mut Out) -> Result<()> {
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}

/// `SEAT=COMMAND`.
fn program<'a>(table: &dyn Table, text: &'a str) -> Result<(Seat, &'a str)> {
    let (seat, command) = text
        .split_once('=')
        .with_context(|| format!("[USAGE] say which seat \"{text}\" is to play: --exec SEAT=COMMAND"))?;
    Ok((seat_named(table, seat)?, command))
}

/// A program that plays a seat.
struct Program {
    command: String,
    child: Child,
    /// `None` once it listens no more.
    input: Option<ChildStdin>,
    output: BoundedLines<BufReader<ChildStdout>>,
}

impl Program {
    fn start(command: &str) -> Result<Self> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("[NO_PROGRAM] \"{command}\" cannot be started"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = BoundedLines::new(BufReader::new(output.context("[NO_PROGRAM] it has no output")?));
        Ok(Program { command: command.to_owned(), child, input, output })
    }

    /// One that has gone is noticed when it is to act.
    fn tell(&mut self, line: &Value) {
        let Some(input) = &mut self.input else { return };
        if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
            self.input = None;
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Without input it ends by itself; who does not is ended.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Wrong lines in a row after which a program is taken for lost.
const PATIENCE: u32 = 100;

/// Carries lines between the table and the programs until the match is over, and prints the last.
fn referee(doors: &mut Doors, programs: &mut [Program]) -> Result<()> {
    let mut said = doors.greet();
    let mut wrong = 0;
    loop {
        deliver(&said, programs);
        wrong = if said.iter().any(|said| said.line["type"] == "error") { wrong + 1 } else { 0 };
        let Some(awaited) = doors.awaited().filter(|_| doors.is_open()) else { break };
        let program = &mut programs[awaited];
        if wrong == PATIENCE {
            bail!("[LOST_PROGRAM] \"{}\" has sent {PATIENCE} wrong lines in a row", program.command);
        }
        let Some(line) = program.output.next_line()? else {
            bail!("[LOST_PROGRAM] \"{}\" has ended before the match", program.command);
        };
        said = doors.hear(awaited, &line);
        if !doors.is_open() && doors.table().outcome().is_none() {
            bail!("[LOST_PROGRAM] \"{}\" has left before the match was over", program.command);
        }
    }
    let mut out = Out::new();
    if let Some(last) = said.iter().find(|said| said.line["type"] == "over") {
        writeln!(out, "{}", last.line)?;
    }
    out.flush()?;
    Ok(())
}

fn deliver(said: &[Said], programs: &mut [Program]) {
    for Said { to, line } in said {
        programs[*to].tell(line);
    }
}
