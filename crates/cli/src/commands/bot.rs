//! `bot`: a program at a table of a server.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use turnstone_server::client::{Client, place, refusal, request};

use crate::Ended;
use crate::args;
use crate::out::Out;

/// Wrong answers in a row after which a program is taken for lost.
const PATIENCE: u32 = 20;

/// Times that a lost connection is made anew.
const TIMES: u32 = 30;

/// Plays until the match is over.
pub fn run(args: &args::Bot) -> Result<Ended> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let over = runtime.block_on(play(args))?;
    let mut out = Out::new();
    if args.json {
        writeln!(out, "{over}")?;
    } else {
        writeln!(out, "The match is over: {}", over["outcome"])?;
    }
    out.flush()?;
    Ok(Ended::Well)
}

async fn play(args: &args::Bot) -> Result<Value> {
    let server = place(&args.connect)?;
    let token = token(args, &server).await?;
    let mut player = match &args.exec {
        Some(command) => Player::Program(Program::start(command)?),
        None => Player::Lot(0x9E37_79B9_7F4A_7C15),
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
            let view = client.ask(json!({ "t": "view" })).await?;
            let chosen = player.choose(&view, &actor)?;
            let mut act = json!({ "t": "act", "rev": rev });
            if let (Some(act), Value::Object(chosen)) = (act.as_object_mut(), chosen) {
                act.extend(chosen);
            }
            let answer = client.ask(act).await?;
            match answer["code"].as_str() {
                None => wrong = 0,
                // What came meanwhile is heard below.
                Some("STALE") => {}
                Some("TOO_FAST" | "STORAGE" | "BUSY") => {
                    let after = answer["retry_ms"].as_u64().unwrap_or(500);
                    tokio::time::sleep(std::time::Duration::from_millis(after)).await;
                    tried = None;
                }
                Some(_) => {
                    wrong += 1;
                    tried = None;
                    player.refused(&answer)?;
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
                player.moved(&heard)?;
            }
            Some("over") => {
                player.over(&heard)?;
                return Ok(heard);
            }
            _ => {}
        }
    }
}

/// Who chooses.
enum Player {
    /// Chance.
    Lot(u64),
    /// A program that speaks the line protocol.
    Program(Program),
}

impl Player {
    fn hello(&mut self, welcome: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        let names: Vec<&Value> =
            welcome["summary"]["seats"].as_array().into_iter().flatten().map(|seat| &seat["role"]).collect();
        program.tell(&json!({
            "type": "hello", "protocol": 2, "game": welcome["game"], "ruleset": welcome["ruleset"],
            "commitment": welcome["commitment"], "seats": names, "seat": welcome["you"]["seats"][0], "bots": [],
        }))
    }

    /// What to play, as fields of `act`.
    fn choose(&mut self, view: &Value, actor: &Value) -> Result<Value> {
        match self {
            Player::Lot(state) => {
                *state =
                    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let count = view["inputs"].as_array().map_or(0, Vec::len).max(1) as u64;
                Ok(json!({ "choose": (*state >> 33) % count }))
            }
            Player::Program(program) => {
                program.tell(&json!({
                    "type": "turn", "seat": actor, "moment": view["moment"], "view": view["view"],
                    "question": view["question"], "inputs": view["inputs"], "labels": view["labels"],
                }))?;
                program.hear()
            }
        }
    }

    fn moved(&mut self, moved: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        program.tell(&json!({ "type": "events", "moment": moved["node"]["moment"], "events": [], "told": moved["told"] }))
    }

    fn refused(&mut self, answer: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        program.tell(&json!({ "type": "error", "code": answer["code"], "text": answer["text"] }))
    }

    fn over(&mut self, over: &Value) -> Result<()> {
        let Player::Program(program) = self else { return Ok(()) };
        program.tell(&json!({
            "type": "over", "outcome": over["outcome"], "seed": over["reveal"]["seed"], "salt": over["reveal"]["salt"],
        }))
    }
}

struct Program {
    command: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
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
        let output = BufReader::new(child.stdout.take().context("[NO_PROGRAM] it has no output")?);
        Ok(Program { command: command.to_owned(), child, input, output })
    }

    fn tell(&mut self, line: &Value) -> Result<()> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .with_context(|| format!("[LOST_PROGRAM] \"{}\" listens no more", self.command))
    }

    /// The next line, as fields of `act`.
    fn hear(&mut self) -> Result<Value> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("[LOST_PROGRAM] \"{}\" has ended before the match", self.command);
            }
            if !line.trim().is_empty() {
                break;
            }
        }
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
