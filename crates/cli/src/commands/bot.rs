//! `bot`: a program at a table of a server.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use turnstone_server::client::{Client, place, refusal, request};
use turnstone_table::protocol::{BoundedLines, LONGEST_LINE, is_too_long};
use turnstone_table::{Games, Opening, Seat, Table, Viewer};

use crate::Ended;
use crate::args;
use crate::out::Out;

/// Wrong answers in a row after which a program is taken for lost.
const PATIENCE: u32 = 20;

/// Times that a lost connection is made anew.
const TIMES: u32 = 30;

/// Plays until the match is over.
pub fn run(args: &args::Bot, games: Games) -> Result<Ended> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let over = runtime.block_on(play(args, games))?;
    let mut out = Out::new();
    if args.json {
        writeln!(out, "{over}")?;
    } else {
        writeln!(out, "The match is over: {}", over["outcome"])?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

async fn play(args: &args::Bot, games: Games) -> Result<Value> {
    let server = place(&args.connect)?;
    let token = token(args, &server).await?;
    let mut player = match &args.exec {
        Some(command) => Player::Program(Program::start(command)?),
        None => Player::Own(Own { games, name: args.bot.clone(), ruleset: None, table: None }),
    };
    let mut lost = 0;
    loop {
        match sit(&server, &args.id, &token, &mut player).await {
            Ok(over) => return Ok(over),
            Err(error) if lost < TIMES && is_lost(&error) => lost += 1,
            Err(error) => return Err(error),
        }
        tokio::time::sleep(std::time::Duration::from_millis(200 * u64::from(lost.min(25)))).await;
    }
}

fn is_lost(error: &anyhow::Error) -> bool {
    let told = error.to_string();
    told.starts_with("[LOST]") || told.starts_with("[CLOSING]")
}

/// The token of the seat: given, or got by joining.
async fn token(args: &args::Bot, server: &str) -> Result<String> {
    let invitation = args.token.as_ref().filter(|token| token.starts_with("i_"));
    if let Some(token) = args.token.as_ref().filter(|_| invitation.is_none()) {
        return Ok(token.clone());
    }
    let path = format!("/api/matches/{}/join", args.id);
    let body = json!({ "name": args.name, "invitation": invitation }).to_string();
    let answer = request(server, "POST", &path, &[], &body).await?;
    match answer.json()["token"].as_str() {
        Some(token) => Ok(token.to_owned()),
        None => Err(anyhow!(refusal(&answer.json()))),
    }
}

async fn sit(server: &str, id: &str, token: &str, player: &mut Player) -> Result<Value> {
    let (mut client, welcome) = Client::sit(server, id, &[token.to_owned()], None).await?;
    player.hello(&welcome)?;
    let mut rev = welcome["rev"].as_u64().unwrap_or(0);
    let seats = welcome["you"]["seats"].clone();
    let mut actor = welcome["now"]["actor"].clone();
    let (mut wrong, mut tried) = (0, None);
    loop {
        let mine = seats.as_array().is_some_and(|seats| seats.contains(&actor));
        if mine && tried != Some(rev) {
            tried = Some(rev);
            let view = asked(&mut client, &player.question(rev)).await?;
            let chosen = player.choose(&view, &actor)?;
            let mut act = json!({ "t": "act", "rev": rev });
            if let (Some(act), Value::Object(chosen)) = (act.as_object_mut(), chosen) {
                act.extend(chosen);
            }
            let answer = said(&mut client, &act).await?;
            match answer["code"].as_str() {
                None => wrong = 0,
                // What came meanwhile is heard below.
                Some("STALE") => {}
                Some(_) => {
                    wrong += 1;
                    tried = None;
                    player.refused(&answer, &actor)?;
                    if wrong == PATIENCE {
                        bail!("[LOST_PROGRAM] the program has sent {PATIENCE} wrong lines in a row");
                    }
                }
            }
            if tried.is_none() {
                continue;
            }
        }
        let heard = client.hear().await?;
        match heard["t"].as_str() {
            Some("moved") => {
                rev = heard["rev"].as_u64().unwrap_or(rev);
                if heard["now"].is_object() {
                    actor = heard["now"]["actor"].clone();
                }
                // What was taken back is no event: the next turn says where one stands.
                if player.wants_events() && heard["how"] == "input" {
                    // With the end moments are counted anew: what ends a match is what is live then.
                    let goes_on = heard["now"]["outcome"].is_null();
                    let moment = Some(&heard["node"]["moment"]).filter(|_| goes_on);
                    let then = json!({ "t": "view", "moment": moment });
                    player.moved(&asked(&mut client, &then).await?)?;
                }
            }
            // With the end of a match everybody counts anew.
            Some("welcome") => {
                rev = heard["rev"].as_u64().unwrap_or(rev);
                actor = heard["now"]["actor"].clone();
            }
            Some("over") => {
                player.over(&heard)?;
                return Ok(heard);
            }
            _ => {}
        }
    }
}

/// Whether a refusal passes by itself.
fn passes(code: &str) -> bool {
    matches!(code, "TOO_FAST" | "STORAGE" | "BUSY")
}

async fn wait_for(refused: &Value) {
    let after = refused["retry_ms"].as_u64().unwrap_or(500);
    tokio::time::sleep(std::time::Duration::from_millis(after)).await;
}

/// Asks until it is answered.
async fn asked(client: &mut Client, question: &Value) -> Result<Value> {
    let answer = said(client, question).await?;
    if answer["t"] == "error" {
        bail!(refusal(&answer));
    }
    Ok(answer)
}

/// Says the same until it is heard: who plays quickly may have to wait for that. To look again and choose again would
/// use up the very message that was waited for.
async fn said(client: &mut Client, message: &Value) -> Result<Value> {
    loop {
        let answer = client.ask(message.clone()).await?;
        match answer["code"].as_str() {
            Some(code) if passes(code) => wait_for(&answer).await,
            _ => return Ok(answer),
        }
    }
}

/// Who chooses.
enum Player {
    /// A bot of this program.
    Own(Own),
    /// A program that speaks the line protocol.
    Program(Program),
}

impl Player {
    fn hello(&mut self, welcome: &Value) -> Result<()> {
        match self {
            Player::Own(own) => own.prepare(welcome),
            Player::Program(program) => program.hello(welcome),
        }
    }

    /// What must be known to choose.
    fn question(&self, rev: u64) -> Value {
        match self {
            Player::Own(_) => json!({ "t": "sample", "world": rev }),
            Player::Program(_) => json!({ "t": "view" }),
        }
    }

    /// What to play, as fields of `act`.
    fn choose(&mut self, view: &Value, actor: &Value) -> Result<Value> {
        match self {
            Player::Own(own) => own.choose(view, actor),
            Player::Program(program) => {
                program.tell(&json!({
                    "type": "turn", "seat": actor, "moment": view["moment"], "view": view["view"],
                    "question": view["question"], "inputs": view["inputs"], "labels": view["labels"],
                }))?;
                program.hear()
            }
        }
    }

    /// Whether it hears of everything that happens.
    fn wants_events(&self) -> bool {
        matches!(self, Player::Program(_))
    }

    /// What happened at a moment, as one sees it afterwards.
    fn moved(&mut self, view: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        let seat = program.seat.clone();
        program.tell(&json!({
            "type": "events", "seat": seat, "moment": view["moment"], "events": view["events"],
        }))
    }

    fn refused(&mut self, answer: &Value, seat: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        program
            .tell(&json!({ "type": "error", "seat": seat, "code": answer["code"], "text": answer["text"] }))
    }

    fn over(&mut self, over: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        let (seat, reveal) = (program.seat.clone(), &over["reveal"]);
        program.tell(&json!({
            "type": "over", "seat": seat, "outcome": over["outcome"], "seed": reveal["seed"], "salt": reveal["salt"],
        }))
    }
}

/// A bot of this program: it thinks here, about a position that its seat cannot tell from the true one.
struct Own {
    games: Games,
    name: Option<String>,
    /// The rules of the match, as its file would name them.
    ruleset: Option<Value>,
    table: Option<Box<dyn Table>>,
}

impl Own {
    /// Finds the game and the bot, so that a wrong name is told before anything is played.
    fn prepare(&mut self, welcome: &Value) -> Result<()> {
        let name = welcome["game"].as_str().unwrap_or_default();
        let host = self.games.find(name).ok_or_else(|| {
            anyhow!("[UNKNOWN_GAME] this program has no game \"{name}\": its bots cannot play it")
        })?;
        if self.name.is_none() {
            self.name = host.bots().last().map(|bot| bot.id.clone());
        }
        self.ruleset = Some(welcome["ruleset"].clone()).filter(|ruleset| !ruleset.is_null());
        let mut table = host.open(&Opening { ruleset: self.ruleset.clone(), ..Opening::default() })?;
        table.seat_bot(0, self.name.as_deref().unwrap_or_default(), 0)?;
        Ok(())
    }

    /// The table to think at, opened as the match was.
    fn open(&self, sample: &Value) -> Result<Box<dyn Table>> {
        let opening = &sample["opening"];
        let game = opening["game"].as_str().unwrap_or_default();
        let host =
            self.games.find(game).ok_or_else(|| anyhow!("[UNKNOWN_GAME] there is no game \"{game}\""))?;
        let wishes = opening["wishes"].as_object().into_iter().flatten();
        let wishes = wishes.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        Ok(host.open(&Opening {
            ruleset: self.ruleset.clone(),
            setup: opening["setup"].as_str().map(str::to_owned),
            wishes: wishes.collect(),
            ..Opening::default()
        })?)
    }

    fn choose(&mut self, sample: &Value, actor: &Value) -> Result<Value> {
        let mut table = match self.table.take() {
            Some(table) => table,
            None => self.open(sample)?,
        };
        let seat = actor.as_u64().unwrap_or(0) as Seat;
        table.stand(&sample["position"])?;
        if !table.bots().iter().any(|(taken, _)| *taken == seat) {
            table.seat_bot(seat, self.name.as_deref().unwrap_or_default(), 0)?;
        }
        let number = table.bot_choice().context("[NO_CHOICE] the bot finds nothing to do")?;
        let input = table.inputs(Viewer::All).into_iter().nth(number);
        self.table = Some(table);
        Ok(json!({ "input": input.context("[NO_CHOICE] the bot has chosen what is not there")? }))
    }
}

struct Program {
    command: String,
    child: Child,
    input: ChildStdin,
    output: BoundedLines<BufReader<ChildStdout>>,
    /// Where it sits, as the server says.
    seat: Value,
}

impl Program {
    fn start(command: &str) -> Result<Self> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("[NO_PROGRAM] \"{command}\" cannot be started"))?;
        let input = child.stdin.take().context("[NO_PROGRAM] it has no input")?;
        let output = child.stdout.take().context("[NO_PROGRAM] it has no output")?;
        let output = BoundedLines::new(BufReader::new(output));
        Ok(Program { command: command.to_owned(), child, input, output, seat: Value::Null })
    }

    fn hello(&mut self, welcome: &Value) -> Result<()> {
        let seats = welcome["summary"]["seats"].as_array().into_iter().flatten();
        let names: Vec<&Value> = seats.map(|seat| &seat["role"]).collect();
        self.seat = welcome["you"]["seats"][0].clone();
        let seat = self.seat.clone();
        self.tell(&json!({
            "type": "hello", "protocol": 2, "game": welcome["game"], "ruleset": welcome["ruleset"],
            "commitment": welcome["commitment"], "seats": names, "seat": seat, "bots": [],
        }))
    }

    /// What went wrong is told in words: a closed pipe of the program's is not one of ours, which would be no failure.
    fn tell(&mut self, line: &Value) -> Result<()> {
        let told = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        told.map_err(|error| anyhow!("[LOST_PROGRAM] \"{}\" listens no more: {error}", self.command))
    }

    /// The next line, as fields of `act`.
    fn hear(&mut self) -> Result<Value> {
        let line = loop {
            let line = self.output.next_line();
            let line = line.map_err(|error| anyhow!("[LOST_PROGRAM] \"{}\": {error}", self.command))?;
            match line {
                None => bail!("[LOST_PROGRAM] \"{}\" has ended before the match", self.command),
                Some(line) if is_too_long(&line) => {
                    bail!(
                        "[LOST_PROGRAM] \"{}\" has sent more than {LONGEST_LINE} bytes in a line",
                        self.command
                    )
                }
                Some(line) if line.trim().is_empty() => {}
                Some(line) => break line,
            }
        };
        Ok(match serde_json::from_str(&line) {
            Ok(Value::Number(number)) => json!({ "choose": number }),
            Ok(Value::String(text)) => json!({ "text": text }),
            Ok(Value::Object(wrapped)) if wrapped.len() == 1 && wrapped.contains_key("input") => {
                json!({ "input": wrapped["input"] })
            }
            Ok(other) => json!({ "input": other }),
            Err(_) => json!({ "text": line.trim() }),
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
