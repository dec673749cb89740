//! `stress`: a server of its own under load, and how it bears it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use turnstone_server::store::{Append, Sqlite, Store};
use turnstone_server::stress::{Load, stress};
use turnstone_table::{Games, Opening};

use crate::args;
use crate::out::Out;
use crate::{Ended, Program};

/// Limits that a generator of load would run into first.
const SETTINGS: &str = "sockets_per_address = 100000\nsockets = 100000\nconnections_per_address = 100000\n\
                        matches_per_minute = 1000000\n\
                        requests_per_second = 1000000\nmessages_per_second = 1000\nawake = 20000\nidle = 60\n";

/// How often memory and a bare commit are measured beside the load.
const EVERY: Duration = Duration::from_millis(250);

/// Starts a server, puts load on it, tells how it was, and ends it.
pub fn run(args: &args::Stress, program: &Program) -> Result<Ended> {
    let games = shares(program.games, args.game.as_deref())?;
    let folder = Folder::new()?;
    let bare = bare_commits(&folder.0.join("bare.db"), |done| done < 200)?;
    let mut server = Server::start(args, program, &folder.0)?;
    let before = server.usage();
    let load = Load {
        place: server.place.clone(),
        matches: args.matches,
        spectators: args.spectators,
        idle: args.idle,
        seconds: args.seconds,
        inputs: args.inputs,
        games,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let beside = Beside::default();
    let report = std::thread::scope(|scope| {
        let watched = scope.spawn(|| beside.watch(&server, &folder.0));
        let told = |what: &str| {
            eprintln!("{what} …");
            beside.hear(what, &server);
        };
        let report = runtime.block_on(stress(load, told));
        beside.over.store(true, Ordering::SeqCst);
        let commits = watched.join().unwrap_or_else(|_| Ok(Vec::new()));
        report.map_err(|refusal| anyhow!(refusal)).and_then(|report| Ok((report, commits?)))
    });
    let (report, commits) = report?;
    let mut told = report.json();
    told["bare_commit_us"] = middle(bare).into();
    told["bare_commit_beside_us"] = middle(commits).into();
    tell_usage(&mut told, &beside, before, server.usage(), report.idle);
    server.stop();
    print(args, &told)?;
    let missed = missed(args, &told);
    missed.iter().for_each(|missed| eprintln!("missed: {missed}"));
    Ok(if report.lost > 0 || !missed.is_empty() { Ended::Failed } else { Ended::Well })
}

/// What was asked for and not reached.
fn missed(args: &args::Stress, told: &Value) -> Vec<String> {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let (p50, p99) = (number(&told["wait_us"]["p50"]) / 1000.0, number(&told["wait_us"]["p99"]) / 1000.0);
    let commit = number(&told["bare_commit_beside_us"]) / 1000.0;
    let memory = told["server_mb_over_time"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let memory = memory.chain(told["server_mb"].as_u64()).max().unwrap_or(0);
    let late = args.p99.filter(|most| p99 > *most);
    let slow = args.times_commit.filter(|times| p50 > times * commit);
    let large = args.memory.filter(|most| memory > *most);
    let late = late.map(|most| format!("p99 {p99:.1} ms, and at most {most} were asked for"));
    let slow =
        slow.map(|times| format!("p50 {p50:.1} ms is more than {times} bare commits of {commit:.1} ms"));
    let large = large.map(|most| format!("{memory} MB, and at most {most} were asked for"));
    [late, slow, large].into_iter().flatten().collect()
}

/// What is measured while the load is on.
#[derive(Default)]
struct Beside {
    playing: AtomicBool,
    over: AtomicBool,
    marks: Mutex<Vec<(Instant, Usage)>>,
    megabytes: Mutex<Vec<u64>>,
}

impl Beside {
    /// The load has come to its next part.
    fn hear(&self, what: &str, server: &Server) {
        let plays = what == "playing";
        if plays || what == "counting" {
            self.marks.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), server.usage()));
        }
        self.playing.store(plays, Ordering::SeqCst);
    }

    /// Measures now and then until it is over: a bare commit on the same disk, and the server's memory.
    fn watch(&self, server: &Server, folder: &Path) -> Result<Vec<u64>> {
        bare_commits(&folder.join("beside.db"), |_| {
            loop {
                std::thread::sleep(EVERY);
                if self.over.load(Ordering::SeqCst) {
                    return false;
                }
                if self.playing.load(Ordering::SeqCst) {
                    let now = server.usage().kilobytes / 1024;
                    self.megabytes.lock().unwrap_or_else(PoisonError::into_inner).push(now);
                    return true;
                }
            }
        })
    }
}

fn middle(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

fn print(args: &args::Stress, told: &Value) -> Result<()> {
    let mut out = Out::new();
    if args.json {
        writeln!(out, "{told}")?;
    } else {
        let ms = |value: &Value| value.as_f64().unwrap_or(0.0) / 1000.0;
        let wait = &told["wait_us"];
        writeln!(out, "inputs acknowledged   {}", told["inputs"])?;
        writeln!(out, "lost                  {}", told["lost"])?;
        writeln!(out, "refused               {}", told["refused"])?;
        writeln!(
            out,
            "input to broadcast    p50 {:.1} ms, p99 {:.1} ms, worst {:.1} ms",
            ms(&wait["p50"]),
            ms(&wait["p99"]),
            ms(&wait["max"])
        )?;
        writeln!(
            out,
            "a bare commit         p50 {:.1} ms before, {:.1} ms beside the load",
            ms(&told["bare_commit_us"]),
            ms(&told["bare_commit_beside_us"])
        )?;
        writeln!(
            out,
            "server                {} MB, {} s of CPU in {} s",
            told["server_mb"], told["server_cpu_s"], told["seconds"]
        )?;
        writeln!(out, "its memory, in MB     {}", told["server_mb_over_time"])?;
        if told["idle"] != 0 {
            writeln!(
                out,
                "idle sockets          {}, {} bytes each",
                told["idle"], told["bytes_per_idle_socket"]
            )?;
        }
    }
    out.flush()?;
    Ok(())
}

/// What the server has used: while the load was on, and for each socket that sits idle.
fn tell_usage(told: &mut Value, beside: &Beside, before: Usage, after: Usage, idle: u64) {
    told["server_mb"] = (after.kilobytes / 1024).into();
    let marks = beside.marks.lock().unwrap_or_else(PoisonError::into_inner);
    if let [(began, first), (ended, last), ..] = marks.as_slice() {
        told["server_cpu_s"] = json!(((last.cpu - first.cpu) * 100.0).round() / 100.0);
        told["seconds"] = json!(ended.duration_since(*began).as_secs());
    }
    let megabytes = beside.megabytes.lock().unwrap_or_else(PoisonError::into_inner);
    // Twenty of them show whether it grows.
    let step = megabytes.len().div_ceil(20).max(1);
    told["server_mb_over_time"] = megabytes.iter().step_by(step).copied().collect();
    if let Some(each) = ((after.kilobytes.saturating_sub(before.kilobytes)) * 1024).checked_div(idle) {
        told["bytes_per_idle_socket"] = each.into();
    }
}

/// The games, each with its seats.
fn shares(games: Games, only: Option<&str>) -> Result<Vec<(String, usize)>> {
    let wanted = games.all().iter().filter(|host| only.is_none_or(|only| only == host.name()));
    let shares: Vec<(String, usize)> = wanted
        .filter_map(|host| Some((host.name().to_owned(), host.open(&Opening::default()).ok()?.seats().len())))
        .collect();
    if shares.is_empty() {
        bail!("[UNKNOWN_GAME] there is no game \"{}\"", only.unwrap_or_default());
    }
    Ok(shares)
}

/// Times of durable appends with nothing around them, in microseconds, as long as more are wanted.
fn bare_commits(place: &Path, wants_more: impl Fn(u64) -> bool) -> Result<Vec<u64>> {
    let store = Sqlite::open(place).map_err(|error| anyhow!(error))?;
    let mut times = Vec::new();
    let mut expected = 0;
    while wants_more(expected) {
        let part = Append {
            id: "bare".to_owned(),
            expected,
            lines: vec!["x".repeat(400)],
            note: "x".repeat(400),
            at: 0,
        };
        let began = Instant::now();
        expected = store.append(&[part]).remove(0).map_err(|error| anyhow!(error))?;
        times.push(began.elapsed().as_micros() as u64);
    }
    Ok(times)
}

#[derive(Clone, Copy, Default)]
struct Usage {
    kilobytes: u64,
    cpu: f64,
}

struct Server {
    child: Child,
    place: String,
}

impl Server {
    fn start(args: &args::Stress, program: &Program, folder: &Path) -> Result<Self> {
        let settings = folder.join("settings.toml");
        std::fs::write(&settings, SETTINGS)?;
        let store = args.store.clone().unwrap_or_else(|| folder.join("matches.db").display().to_string());
        let again = program.again()?;
        let mut child = std::process::Command::new(&again[0])
            .args(&again[1..])
            .args(["serve", "--port", "0", "--store", &store, "--settings"])
            .arg(&settings)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("[NO_SERVER] a server cannot be started")?;
        let output = child.stdout.take().context("[NO_SERVER] it says nothing")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let place = line.trim().rsplit("http://").next().unwrap_or_default().to_owned();
        if !place.contains(':') {
            let _ = child.kill();
            bail!("[NO_SERVER] the server has not started: {line}");
        }
        Ok(Server { child, place })
    }

    /// What it has used so far, as far as the system tells.
    fn usage(&self) -> Usage {
        let read = |name: &str| {
            std::fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).unwrap_or_default()
        };
        let status = read("status");
        let field = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kilobytes = field.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0);
        let stat = read("stat");
        let times: Vec<f64> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|word| word.parse().ok())
            .collect();
        Usage { kilobytes, cpu: times.iter().sum::<f64>() / 100.0 }
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A folder of our own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("turnstone-stress-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        stress: args::Stress,
    }

    #[test]
    fn what_was_asked_for_is_reached_or_named() {
        let told = json!({
            "wait_us": { "p50": 2000, "p99": 60_000 }, "bare_commit_beside_us": 500, "server_mb": 300,
            "server_mb_over_time": [100, 700, 300],
        });
        let missed = |line: &str| {
            let line = Line::parse_from(["stress"].into_iter().chain(line.split_whitespace()));
            missed(&line.stress, &told).len()
        };
        assert_eq!(missed(""), 0, "nothing was asked for");
        assert_eq!(missed("--p99 60 --times-commit 4 --memory 700"), 0);
        assert_eq!(missed("--p99 59 --times-commit 3.9 --memory 699"), 3);
    }
}
