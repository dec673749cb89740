//! What may go wrong around a server: it is killed at any moment, hears rubbish, and must tell nobody more than he
//! may know. `TURNSTONE_KILLS=200` kills so often; `TURNSTONE_FRAMES` and `TURNSTONE_PAIRS` count the others.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use turnstone_server::client::{Client, open, request};
use turnstone_server::serve::{Plan, serve};
use turnstone_server::settings::Settings;
use turnstone_server::store::Sqlite;
use turnstone_server::stress::{Load, stress};
use turnstone_table::testing::GAMES;

use crate::folder::Folder;

const STORE: &str = "TURNSTONE_TEST_STORE";

fn count(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Numbers that look like chance, the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

fn generous() -> Settings {
    Settings {
        matches_per_minute: 100_000,
        requests_per_second: 100_000,
        messages_per_second: 100_000,
        messages_at_once: 100_000,
        sockets_per_address: 100_000,
        connections_per_address: 100_000,
        sockets: 100_000,
        awake: 20_000,
        ..Settings::default()
    }
}

/// Not a test: the server in a process of its own, which the others can kill.
#[test]
fn child_server() {
    let Some(path) = std::env::var_os(STORE) else { return };
    let operate = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let plan = Plan {
        games: GAMES,
        settings: generous(),
        store: Box::new(Sqlite::open(Path::new(&path)).unwrap()),
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        operate: Some(operate),
    };
    serve(plan, |address| println!("\nAT {address} {operate}"), std::future::pending()).unwrap();
}

struct Server {
    child: Child,
    place: String,
    operate: String,
    /// Kept open: a test harness says on it that a test takes long.
    _said: BufReader<ChildStdout>,
}

impl Server {
    fn start(store: &Path) -> Server {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "faults::child_server", "--nocapture"])
            .env(STORE, store)
            .stdout(Stdio::piped())
            .stderr(if std::env::var_os("TURNSTONE_LOUD").is_some() {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let lines = said.by_ref().lines().map_while(Result::ok);
        let told = lines.filter_map(|line| line.strip_prefix("AT ").map(str::to_owned)).next();
        let told = told.expect("the server has not started");
        let (place, operate) = told.split_once(' ').unwrap();
        Server { child, place: place.to_owned(), operate: operate.to_owned(), _said: said }
    }

    /// Nothing in it has panicked so far.
    fn assert_calm(&self) {
        let mut stream = TcpStream::connect(&self.operate).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).unwrap();
        assert!(told.contains("\nturnstone_panics_total 0\n"), "{told}");
    }

    /// What it has in memory.
    fn kilobytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
    }

    /// As `kill -9` does.
    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let runs = matches!(self.child.try_wait(), Ok(None));
        if runs && !std::thread::panicking() {
            self.assert_calm();
        }
        self.kill();
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn tokens(opened: &Value) -> Vec<String> {
    let seats = opened["seats"].as_array().unwrap().iter();
    seats.filter_map(|seat| seat["token"].as_str().map(str::to_owned)).collect()
}

/// An input that the server has acknowledged: its number, and the revision it answered.
type Acked = Arc<Mutex<Vec<(String, u64)>>>;

/// Plays one match until the connection is lost; practice goes on from anywhere when it is over.
async fn play(place: String, opened: Value, acked: Acked, round: u64) {
    let id = opened["match"].as_str().unwrap().to_owned();
    let Ok((mut client, welcome)) = Client::sit(&place, &id, &tokens(&opened), None).await else { return };
    let mut chance = Chance(round ^ welcome["rev"].as_u64().unwrap_or(0));
    let mut rev = welcome["rev"].as_u64().unwrap();
    let mut now = welcome["now"].clone();
    for number in 0.. {
        let options = now["inputs"].as_array().map_or(0, Vec::len) as u64;
        let name = format!("{round}-{number}");
        let message = if options == 0 {
            json!({"t": "go", "id": name, "moment": 0})
        } else {
            json!({"t": "act", "id": name, "rev": rev, "choose": chance.below(options)})
        };
        let Ok(answer) = client.ask(message).await else { return };
        assert_eq!(answer["t"], "ok", "{answer}");
        rev = answer["rev"].as_u64().unwrap();
        if options > 0 {
            acked.lock().unwrap().push((name, rev));
        }
        let looked = client.ask(json!({"t": "timeline", "from": 4_000_000})).await;
        if looked.is_err() {
            return;
        }
        while let Ok(heard) = tokio::time::timeout(Duration::from_secs(5), client.hear_of("moved")).await {
            let Ok(moved) = heard else { return };
            if moved["rev"] == rev {
                now = moved["now"].clone();
                break;
            }
        }
    }
}

/// Whatever was acknowledged is there once: sent again, it gets the first answer and changes nothing.
async fn everything_is_there(place: &str, opened: &Value, acked: &[(String, u64)]) {
    let id = opened["match"].as_str().unwrap();
    let (mut client, welcome) = Client::sit(place, id, &tokens(opened), None).await.unwrap();
    let rev = welcome["rev"].as_u64().unwrap();
    let last = acked.iter().map(|(_, rev)| *rev).max().unwrap_or(0);
    assert!(rev >= last, "{id}: {last} changes were acknowledged, and there are {rev}");
    for (name, rev) in acked.iter().rev().take(20) {
        let answer = client.ask(json!({"t": "act", "id": name, "rev": 0, "choose": 0})).await.unwrap();
        assert_eq!((&answer["t"], &answer["rev"]), (&"ok".into(), &(*rev).into()), "{name}: {answer}");
    }
    let path = format!("/api/matches/{id}/file");
    let host = vec![opened["host"].as_str().unwrap().to_owned()];
    let file = request(place, "GET", &path, &host, "").await.unwrap();
    let verified = GAMES.all()[0].verify(&file.body, &[], &mut |_| ());
    verified.unwrap_or_else(|error| panic!("{id}: {error}"));
}

#[test]
fn whatever_was_acknowledged_survives_a_kill_at_any_moment() {
    const MATCHES: usize = 6;
    let folder = Folder::new("kills");
    let store = folder.0.join("matches.db");
    let (runtime, mut chance) = (runtime(), Chance(7));
    let mut server = Server::start(&store);
    let matches: Vec<(Value, Acked)> = runtime.block_on(async {
        let mut matches = Vec::new();
        for _ in 0..MATCHES {
            let wanted = json!({"game": "pebbles", "seats": [{"who": "me"}, {"who": "me"}]});
            matches.push((open(&server.place, &wanted).await.unwrap(), Acked::default()));
        }
        matches
    });
    let kills = count("TURNSTONE_KILLS", 6);
    for round in 0..kills {
        let players: Vec<_> = matches
            .iter()
            .map(|(opened, acked)| {
                runtime.spawn(play(server.place.clone(), opened.clone(), Arc::clone(acked), round))
            })
            .collect();
        std::thread::sleep(Duration::from_micros(50_000 + chance.below(400_000)));
        server.assert_calm();
        server.kill();
        runtime.block_on(async {
            for player in players {
                player.await.unwrap();
            }
        });
        server = Server::start(&store);
        runtime.block_on(async {
            for (opened, acked) in &matches {
                let acked = acked.lock().unwrap().clone();
                everything_is_there(&server.place, opened, &acked).await;
            }
        });
    }
    let sum: usize = matches.iter().map(|(_, acked)| acked.lock().unwrap().len()).sum();
    println!("{kills} kills, {sum} acknowledged inputs, none lost");
    assert!(sum as u64 > kills * 10, "there was hardly any load: {sum}");
}

/// A match that rubbish is sent to, by somebody in both seats, who is sometimes its host.
struct Target {
    id: String,
    host: String,
    held: Vec<String>,
}

impl Target {
    async fn open(place: &str, chance: &mut Chance) -> Target {
        let practice = chance.below(2) == 0;
        let seats = [json!({"who": "me"}), json!({"who": "me"})];
        let wanted = json!({"game": "pebbles", "seats": seats, "practice": practice});
        let opened = open(place, &wanted).await.unwrap();
        let (id, host) = (opened["match"].as_str().unwrap(), opened["host"].as_str().unwrap().to_owned());
        let mut held = tokens(&opened);
        if chance.below(2) == 0 {
            held.push(host.clone());
        }
        Target { id: id.to_owned(), host, held }
    }

    /// What is played is what rules allow, whatever was sent.
    async fn verify(&self, place: &str) {
        let path = format!("/api/matches/{}/file", self.id);
        let file = request(place, "GET", &path, std::slice::from_ref(&self.host), "").await.unwrap();
        // While it lasts the file is for practice alone.
        if file.status == 403 {
            assert_eq!(file.json()["code"], "NO_PRACTICE");
            return;
        }
        GAMES.all()[0].verify(&file.body, &[], &mut |_| ()).unwrap();
    }
}

#[test]
fn rubbish_is_answered_and_harms_nobody() {
    let folder = Folder::new("frames");
    let server = Server::start(&folder.0.join("matches.db"));
    let (frames, mut chance) = (count("TURNSTONE_FRAMES", 1000), Chance(11));
    runtime().block_on(async {
        let place = &server.place;
        let mut target = Target::open(place, &mut chance).await;
        let (mut client, _) = Client::sit(place, &target.id, &target.held, None).await.unwrap();
        let (before, mut opened, mut returned) = (server.kilobytes(), 1, 0);
        for number in 0..frames {
            let frame = rubbish(&mut chance, number);
            let lost =
                client.send_text(frame).await.is_err() || client.ask(json!({"t": "ping"})).await.is_err();
            if !lost && chance.below(40) != 0 {
                continue;
            }
            // Whoever comes back may say that he has heard anything; some say goodbye.
            if !lost && chance.below(2) == 0 {
                client.close().await;
            }
            let have = [None, Some(chance.below(50)), Some(u64::MAX)][chance.below(3) as usize];
            let again = match chance.below(4) {
                0 => None,
                _ => Client::sit(place, &target.id, &target.held, have).await.ok(),
            };
            returned += u64::from(again.is_some());
            // What was left, renewed or taken away opens nothing any more.
            client = match again {
                Some((client, _)) => client,
                None => {
                    target.verify(place).await;
                    target = Target::open(place, &mut chance).await;
                    opened += 1;
                    Client::sit(place, &target.id, &target.held, None).await.unwrap().0
                }
            };
        }
        target.verify(place).await;
        let after = server.kilobytes();
        println!(
            "{before} kB before, {after} kB after {frames} frames, {opened} matches, {returned} returns"
        );
        let most = before + 64 * 1024 + 40 * opened;
        assert!(after < most, "rubbish is kept: {before} kB before, {after} kB after");
        assert!(returned > 0 && opened > 1, "nobody ever came back");
    });
    server.assert_calm();
}

/// Not even the lines are well-formed: heads and frames with bytes that are others, cut anywhere, in parts that do not
/// fit together, and closed in the middle. Nobody else notices.
#[test]
fn lines_of_rubbish_harm_nobody() {
    let folder = Folder::new("lines");
    let server = Server::start(&folder.0.join("matches.db"));
    let (lines, mut chance) = (count("TURNSTONE_FRAMES", 1000), Chance(23));
    let runtime = runtime();
    let target = runtime.block_on(Target::open(&server.place, &mut chance));
    let hello = json!({"t": "hello", "protocol": 1, "match": target.id, "tokens": target.held}).to_string();
    let (before, mut answered) = (server.kilobytes(), 0);
    for number in 0..lines {
        let mut line = TcpStream::connect(&server.place).unwrap();
        line.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
        let _ = line.write_all(&stray(&mut chance, &server.place, &hello, number));
        if chance.below(6) == 0 {
            line.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
            answered += usize::from(line.read(&mut [0; 512]).is_ok_and(|count| count > 0));
        }
        drop(line);
        if number % 100 == 99 {
            let health = async {
                let asked = request(&server.place, "GET", "/healthz", &[], "");
                tokio::time::timeout(Duration::from_secs(1), asked).await
            };
            let health = runtime.block_on(health).expect("healthy within a second").unwrap();
            assert_eq!(health.status, 200);
        }
    }
    runtime.block_on(target.verify(&server.place));
    let after = server.kilobytes();
    println!("{before} kB before, {after} kB after {lines} lines, {answered} answers were waited for");
    assert!(after < before + 64 * 1024, "rubbish is kept: {before} kB before, {after} kB after");
    assert!(answered > 0, "nobody was ever answered");
    server.assert_calm();
}

/// The bytes of one such line.
fn stray(chance: &mut Chance, place: &str, hello: &str, number: u64) -> Vec<u8> {
    let mut head = format!(
        "GET /ws HTTP/1.1\r\nhost: {place}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .into_bytes();
    if chance.below(3) == 0 {
        spoil(chance, &mut head);
        return head;
    }
    let mut frames = Vec::new();
    if chance.below(4) != 0 {
        frames.extend(framed(0x81, hello.as_bytes()));
    }
    for _ in 0..chance.below(5) {
        let load = rubbish(chance, number).into_bytes();
        let cut = chance.below(load.len() as u64 + 1) as usize;
        match chance.below(4) {
            // In parts, the second of which may be anything.
            0 => {
                frames.extend(framed(0x01, &load[..cut]));
                frames.extend(framed(chance.below(256) as u8, &load[cut..]));
            }
            1 => frames.extend(framed(chance.below(256) as u8, &load[..cut.min(125)])),
            _ => frames.extend(framed(0x81, &load)),
        }
    }
    if chance.below(2) == 0 {
        spoil(chance, &mut frames);
    }
    head.extend(frames);
    head
}

/// A frame with that first byte; the mask changes nothing.
fn framed(first: u8, load: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match u16::try_from(load.len()) {
        Ok(short) if short < 126 => frame.push(0x80 | short as u8),
        Ok(long) => {
            frame.push(0x80 | 126);
            frame.extend(long.to_be_bytes());
        }
        Err(_) => {
            frame.push(0x80 | 127);
            frame.extend((load.len() as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(load);
    frame
}

/// Some bytes are others, and the end may be missing.
fn spoil(chance: &mut Chance, bytes: &mut Vec<u8>) {
    for _ in 0..chance.below(6) {
        let at = chance.below(bytes.len() as u64) as usize;
        if let Some(byte) = bytes.get_mut(at) {
            *byte = chance.below(256) as u8;
        }
    }
    if chance.below(2) == 0 {
        bytes.truncate(chance.below(bytes.len() as u64 + 1) as usize);
    }
}

/// A message with something wrong in it, or nothing right.
fn rubbish(chance: &mut Chance, number: u64) -> String {
    const KINDS: [&str; 31] = [
        "act", "look", "why", "number", "log", "timeline", "branches", "try", "forecast", "steps", "hint",
        "offer", "answer", "withdraw", "go", "say", "name", "view", "mute", "unmute", "invite", "seat_bot",
        "ping", "review", "sample", "resign", "leave", "renew", "hush", "remove", "dance",
    ];
    const VALUES: [&str; 14] = [
        "0",
        "1",
        "-1",
        "4294967296",
        "1e9",
        "null",
        "true",
        "\"x\"",
        "[]",
        "{}",
        "[{\"choose\":0}]",
        "\"takeback\"",
        "\"random\"",
        "false",
    ];
    const FIELDS: [&str; 18] = [
        "rev", "moment", "seat", "choose", "text", "input", "from", "to", "inputs", "world", "option",
        "offer", "what", "name", "hushed", "yes", "bot", "tip",
    ];
    let kind = KINDS[chance.below(KINDS.len() as u64) as usize];
    let mut text = format!("{{\"t\":\"{kind}\",\"id\":\"r{number}\"");
    for _ in 0..chance.below(5) {
        let field = FIELDS[chance.below(FIELDS.len() as u64) as usize];
        let value = VALUES[chance.below(VALUES.len() as u64) as usize];
        text += &format!(",\"{field}\":{value}");
    }
    text.push('}');
    match chance.below(8) {
        0 => text.truncate(chance.below(text.len() as u64) as usize),
        1 => text = "[".repeat(chance.below(4000) as usize),
        2 => text = text.replace('"', "'"),
        _ => {}
    }
    text
}

/// What a viewer has heard, without what differs between any two matches: names, what binds to seeds, times. Each by
/// its place in the message: `id` and `at` of scenes and views are what the game says.
fn normal(mut message: Value, id: &str) -> String {
    for place in ["/id", "/match", "/commitment", "/node/at"] {
        still(message.pointer_mut(place));
    }
    for field in ["match", "opened", "touched"] {
        still(message.pointer_mut(&format!("/summary/{field}")));
    }
    for list in ["/timeline/nodes", "/nodes", "/chat"] {
        let entries = message.pointer_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
        entries.for_each(|entry| still(entry.get_mut("at")));
    }
    message.to_string().replace(id, "ID")
}

fn still(value: Option<&mut Value>) {
    if let Some(value) = value {
        *value = Value::Null;
    }
}

/// Plays a script; gives everything that the first player and a spectator heard.
async fn overheard(place: &str, script: &[(usize, Value)]) -> Vec<String> {
    let wanted = json!({"game": "pebbles", "name": "Ada", "seats": [{"who": "me"}, {"who": "open"}]});
    let opened = open(place, &wanted).await.unwrap();
    let id = opened["match"].as_str().unwrap();
    let joined =
        request(place, "POST", &format!("/api/matches/{id}/join"), &[], r#"{"name":"Bob"}"#).await.unwrap();
    let bobs = vec![joined.json()["token"].as_str().unwrap().to_owned()];
    let (mut ada, hello) = Client::sit(place, id, &tokens(&opened), None).await.unwrap();
    let (mut bob, _) = Client::sit(place, id, &bobs, None).await.unwrap();
    let (mut eve, seen) = Client::sit(place, id, &[], None).await.unwrap();
    let mut heard = vec![normal(hello, id), normal(seen, id)];
    let mut bobs_rev = 0;
    let mut adas_rev = 0;
    for (who, input) in script {
        let (client, rev) = if *who == 0 { (&mut ada, &mut adas_rev) } else { (&mut bob, &mut bobs_rev) };
        let answer = client.ask(json!({"t": "act", "rev": *rev, "input": input})).await.unwrap();
        if *who == 0 {
            heard.push(normal(answer.clone(), id));
        }
        // Whoever hears of a change has its number.
        for (client, rev) in [(&mut ada, &mut adas_rev), (&mut bob, &mut bobs_rev)] {
            let nodes = client.ask(json!({"t": "ping"})).await.unwrap();
            assert_eq!(nodes["t"], "ok");
            let told = client.ask(json!({"t": "view"})).await.unwrap();
            *rev = told["moment"].as_u64().unwrap();
        }
    }
    for client in [&mut ada, &mut eve] {
        for question in [
            json!({"t": "timeline"}),
            json!({"t": "branches"}),
            json!({"t": "log"}),
            json!({"t": "view"}),
            json!({"t": "look", "moment": 1}),
            json!({"t": "why", "moment": 1}),
            json!({"t": "number", "name": "gold", "moment": 1}),
            json!({"t": "look", "moment": 9}),
            json!({"t": "look", "moment": 0, "seat": 1}),
            json!({"t": "steps", "moment": 1}),
            json!({"t": "hint"}),
            json!({"t": "try", "from": 1, "inputs": [{"choose": 0}], "world": 5}),
        ] {
            heard.push(normal(client.ask(question).await.unwrap(), id));
        }
        client.send(&json!({"t": "ping", "id": "last"})).await.unwrap();
        loop {
            let message = client.hear().await.unwrap();
            if message["id"] == "last" {
                break;
            }
            // Who comes when is a matter of the moment.
            if !matches!(message["t"].as_str(), Some("seats" | "away")) {
                heard.push(normal(message, id));
            }
        }
    }
    heard
}

/// The secrets of two matches differ; what is not to be known must make no difference in a single byte.
#[test]
fn two_matches_with_other_secrets_sound_the_same_to_who_may_not_know_them() {
    let folder = Folder::new("leaks");
    let server = Server::start(&folder.0.join("matches.db"));
    let peek = json!({"act": "peek"});
    let claim = |cell: u64| json!({"act": {"claim": cell}});
    let mut chance = Chance(3);
    runtime().block_on(async {
        for _ in 0..count("TURNSTONE_PAIRS", 10) {
            let first = chance.below(4);
            let mut script = vec![(0, claim(first)), (1, peek.clone()), (1, claim(5 + chance.below(4)))];
            if chance.below(2) == 0 {
                script.swap(1, 2);
                script.truncate(2);
            }
            let (one, other) =
                (overheard(&server.place, &script).await, overheard(&server.place, &script).await);
            for (one, other) in one.iter().zip(&other) {
                assert_eq!(one, other);
            }
            assert_eq!(one.len(), other.len());
        }
    });
}

/// A little load in every test run; `TURNSTONE_LOAD=1000 TURNSTONE_SECONDS=60` is more, and prints what it took.
#[test]
fn load_is_borne_and_nothing_is_lost() {
    let folder = Folder::new("load");
    let server = Server::start(&folder.0.join("matches.db"));
    let matches = count("TURNSTONE_LOAD", 20) as u32;
    let load = Load {
        place: server.place.clone(),
        matches,
        spectators: matches,
        idle: count("TURNSTONE_IDLE", 0) as u32,
        seconds: count("TURNSTONE_SECONDS", 3),
        inputs: 0,
        games: vec![("pebbles".to_owned(), 2)],
    };
    let before = server.kilobytes();
    let report = runtime().block_on(stress(load, |_| ())).unwrap();
    let after = server.kilobytes();
    println!("{} kB before, {after} kB after; {}", before, report.json());
    assert_eq!((report.lost, report.broken), (0, 0), "{}", report.json());
    assert!(report.inputs >= u64::from(matches), "{}", report.json());
    assert!(report.refused.is_empty(), "{}", report.json());
}
