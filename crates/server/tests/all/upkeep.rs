//! What a server does for those who run it and those who stay: streams, limits, imports, clocks, retention, restarts.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use turnstone_server::client::{Client, open, request, request_with};
use turnstone_server::schema::is_told;
use turnstone_server::serve::{Plan, serve};
use turnstone_server::settings::Settings;
use turnstone_server::store::{Append, Head, Memory, Sqlite, Store, StoreError};
use turnstone_table::testing::GAMES;
use turnstone_table::{
    Bench, Conformity, ContentCheck, Divergence, Games, Host, LoadError, Named, Opening, Rejection, Setting,
    Source, Table, Venue, Verified,
};

use crate::folder::Folder;
use crate::server::{Server, awake, error, generous, id, ok, token, two, wait};

/// One memory for several servers, one after the other or at the same time.
#[derive(Clone, Default)]
struct Shared {
    kept: Arc<Memory>,
    /// Lists say that everything is so many milliseconds older.
    older: Arc<AtomicI64>,
    together: bool,
}

impl Store for Shared {
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>> {
        self.kept.append(parts)
    }
    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError> {
        self.kept.read(id, from, limit)
    }
    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError> {
        let older = self.older.load(Ordering::SeqCst);
        let heads = self.kept.list(since.saturating_add(older), after, limit)?;
        Ok(heads.into_iter().map(|head| Head { at: head.at - older, ..head }).collect())
    }
    fn forget(&self, id: &str) -> Result<bool, StoreError> {
        self.kept.forget(id)
    }
    fn is_shared(&self) -> bool {
        self.together
    }
    fn name(&self) -> String {
        "shared".to_owned()
    }
}

fn strict(settings: Settings) -> Server {
    Server::start(Box::new(Memory::default()), settings)
}

fn code(answer: &turnstone_server::client::Answer) -> (u16, String) {
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

// Streams.

/// Reads a stream until it has said that.
async fn read_until(stream: &mut TcpStream, words: &str) -> String {
    let mut all = String::new();
    let mut part = [0; 4096];
    while !all.contains(words) {
        let count = stream.read(&mut part).await.unwrap();
        assert!(count > 0, "the stream has ended: {all}");
        all.push_str(&String::from_utf8_lossy(&part[..count]));
    }
    all
}

async fn stream(place: &str, path: &str, tokens: &[String]) -> TcpStream {
    let mut stream = TcpStream::connect(place).await.unwrap();
    let bearer = tokens.join(" ");
    let head = format!("GET {path} HTTP/1.1\r\nhost: {place}\r\nauthorization: Bearer {bearer}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[test]
fn a_stream_tells_what_a_socket_hears_and_is_taken_up_where_it_broke() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, mut bob) = two(&server.place, json!({})).await;
        let path = format!("/api/matches/{}/stream", id(&opened));
        let mut first = stream(&server.place, &path, &token(&opened, 1)).await;
        let said = read_until(&mut first, "\"timeline\"").await;
        assert!(said.contains("application/x-ndjson") && said.contains("\"t\":\"welcome\""), "{said}");
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        let said = read_until(&mut first, "\"t\":\"moved\"").await;
        assert!(said.contains("\"rev\":1"), "{said}");
        drop(first);
        ok(&bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap());
        ok(&ada.ask(json!({"t": "act", "rev": 2, "choose": 0})).await.unwrap());
        let mut again = stream(&server.place, &format!("{path}?from=1"), &token(&opened, 1)).await;
        let said = read_until(&mut again, "\"rev\":3,\"how\"").await;
        let welcome = said.find("\"resumed\":true").unwrap_or_else(|| panic!("{said}"));
        let second = said.find("\"rev\":2,\"how\"").unwrap_or_else(|| panic!("{said}"));
        assert!(welcome < second && !said.contains("\"rev\":1,\"how\""), "{said}");
    });
}

// Limits.

#[test]
fn every_limit_has_its_answer() {
    let server = strict(Settings {
        matches_per_minute: 3,
        spectators: 1,
        moments: 3,
        chat: 2,
        tries: 2,
        name: 5,
        ..generous()
    });
    wait(async {
        let place = &server.place;
        let (opened, mut ada, mut bob) = two(place, json!({})).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        ok(&bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap());
        error(&ada.ask(json!({"t": "act", "rev": 2, "choose": 0})).await.unwrap(), "TOO_MANY");
        for _ in 0..2 {
            ok(&ada.ask(json!({"t": "say", "text": "hm"})).await.unwrap());
        }
        error(&bob.ask(json!({"t": "say", "text": "hm"})).await.unwrap(), "TOO_MANY");
        let tries = vec![json!({"choose": 0}); 3];
        error(
            &ada.ask(json!({"t": "try", "from": 0, "inputs": tries, "world": 1})).await.unwrap(),
            "TOO_MANY",
        );
        error(&ada.ask(json!({"t": "name", "name": "Adelaide"})).await.unwrap(), "TOO_LONG");
        let (_eve, _) = Client::sit(place, id(&opened), &[], None).await.unwrap();
        assert_eq!(Client::sit(place, id(&opened), &[], None).await.err().unwrap().code, "TOO_MANY");
        for _ in 0..2 {
            open(place, &json!({"game": "pebbles"})).await.unwrap();
        }
        let refused = open(place, &json!({"game": "pebbles"})).await.err().unwrap();
        assert_eq!(refused.code, "TOO_FAST");
    });
}

#[test]
fn matches_and_requests_are_counted() {
    let server = strict(Settings { matches: 1, requests_per_second: 2, ..generous() });
    wait(async {
        let place = &server.place;
        open(place, &json!({"game": "pebbles"})).await.unwrap();
        assert_eq!(open(place, &json!({"game": "pebbles"})).await.err().unwrap().code, "TOO_MANY");
        for path in ["/api/limits", "/readyz"] {
            let mut refused = None;
            for _ in 0..20 {
                let answer = request(place, "GET", path, &[], "").await.unwrap();
                refused = Some(code(&answer)).filter(|(status, _)| *status != 200);
                if refused.is_some() {
                    break;
                }
            }
            assert_eq!(refused, Some((429, "TOO_FAST".to_owned())), "{path}");
        }
        assert_eq!(request(place, "GET", "/healthz", &[], "").await.unwrap().status, 200);
    });
}

#[test]
fn who_wakes_too_many_matches_is_asked_to_wait() {
    let server = strict(Settings { awake: 1, ..generous() });
    wait(async {
        let (_, _ada, _bob) = two(&server.place, json!({})).await;
        let refused = open(&server.place, &json!({"game": "pebbles"})).await;
        let second = match refused {
            Err(refusal) => refusal.code,
            Ok(opened) => {
                Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.err().unwrap().code
            }
        };
        assert_eq!(second, "BUSY");
    });
}

#[test]
fn the_lobby_has_a_rate_and_says_what_changes() {
    let server = strict(Settings { messages_per_second: 1, messages_at_once: 5, ..generous() });
    wait(async {
        let mut client = Client::connect(&server.place).await.unwrap();
        client.send(&json!({"t": "hello", "protocol": 1, "lobby": true})).await.unwrap();
        assert_eq!(client.hear_of("lobby").await.unwrap()["matches"], json!([]));
        let mut codes = Vec::new();
        for number in 0..8 {
            let answer = client.ask(json!({"t": "ping", "id": format!("p{number}")})).await.unwrap();
            codes.push(answer["code"].as_str().unwrap_or("OK").to_owned());
        }
        assert!(codes[..4].iter().all(|code| code == "OK"), "{codes:?}");
        assert_eq!(codes[7], "TOO_FAST", "{codes:?}");
        let opened = open(&server.place, &json!({"game": "pebbles", "public": true})).await.unwrap();
        let told = client.hear_of("lobby").await.unwrap();
        assert_eq!(told["matches"][0]["match"], opened["match"]);
    });
}

#[test]
fn half_a_head_is_cut_off_and_connections_are_counted() {
    let server = strict(Settings { head: 1, connections: 8, ..generous() });
    wait(async {
        let mut waiting = Vec::new();
        for _ in 0..8 {
            let mut stream = TcpStream::connect(&server.place).await.unwrap();
            stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a").await.unwrap();
            waiting.push(stream);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let turned_away = request(&server.place, "GET", "/healthz", &[], "").await;
        assert!(turned_away.is_err(), "a ninth connection");
        let begun = Instant::now();
        for stream in &mut waiting {
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        }
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert_eq!(request(&server.place, "GET", "/healthz", &[], "").await.unwrap().status, 200);
    });
}

#[test]
fn a_socket_has_few_studies_under_way() {
    let server = strict(Settings { studies: 1, ..generous() });
    wait(async {
        let opened = open(&server.place, &json!({"game": "pebbles"})).await.unwrap();
        let (mut ada, _) = Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.unwrap();
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        for number in 0..40 {
            ada.send(&json!({"t": "review", "id": format!("r{number}")})).await.unwrap();
        }
        let (mut done, mut busy) = (0, 0);
        while done + busy < 40 {
            let heard = ada.hear().await.unwrap();
            match (heard["t"].as_str(), heard["code"].as_str()) {
                (Some("reviewed"), _) => done += 1,
                (Some("error"), Some("BUSY")) => busy += 1,
                _ => {}
            }
        }
        assert!(done > 0 && busy > 0, "{done} done, {busy} refused");
        assert_eq!(ada.ask(json!({"t": "review"})).await.unwrap()["t"], "reviewed");
    });
}

// Imports.

#[test]
fn files_are_taken_in_torn_packed_and_refused_by_line() {
    let server = Server::new();
    let mut table = GAMES.all()[0].open(&Opening::default()).unwrap();
    for _ in 0..3 {
        table.choose(0).unwrap();
    }
    let whole = table.unsaved().unwrap();
    wait(async {
        let import =
            async |file: &[u8]| request_with(&server.place, "POST", "/api/import", "", file).await.unwrap();
        let moves = async |opened: &Value| {
            let path = format!("/api/matches/{}", id(opened));
            request(&server.place, "GET", &path, &[], "").await.unwrap().json()["moves"].clone()
        };
        let torn = import(&whole.as_bytes()[..whole.len() - 9]).await;
        assert_eq!(torn.status, 201, "{}", torn.json());
        assert_eq!(moves(&torn.json()).await, 2, "what was written to its end");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(whole.as_bytes()).unwrap();
        let packed = import(&packed.finish().unwrap()).await;
        assert_eq!(packed.status, 201, "{}", packed.json());
        assert_eq!(moves(&packed.json()).await, 3);
        let mut bytes = whole.clone().into_bytes();
        let third = whole.match_indices('\n').nth(1).unwrap().0 + 5;
        bytes[third] = 0xff;
        let refused = import(&bytes).await;
        assert_eq!(refused.status, 400, "{}", refused.json());
        assert!(refused.json()["text"].as_str().unwrap().contains("line 3"), "{}", refused.json());
        let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        bomb.write_all(&vec![b'x'; 9 * 1024 * 1024]).unwrap();
        assert_eq!(code(&import(&bomb.finish().unwrap()).await), (413, "TOO_LONG".to_owned()));
    });
}

#[test]
fn who_played_is_called_as_the_file_tells_or_by_the_seat() {
    let server = Server::new();
    let mut table = GAMES.all()[0].open(&Opening::default()).unwrap();
    let roles = table.seats();
    table.tag(&[(roles[0].to_lowercase(), "Grace".to_owned()), ("date".to_owned(), "today".to_owned())]);
    table.choose(0).unwrap();
    let file = table.unsaved().unwrap();
    wait(async {
        let opened = request(&server.place, "POST", "/api/import", &[], &file).await.unwrap().json();
        let path = format!("/api/matches/{}", id(&opened));
        let summary = request(&server.place, "GET", &path, &[], "").await.unwrap().json();
        let names = (&summary["seats"][0]["name"], &summary["seats"][1]["name"]);
        assert_eq!(names, (&"Grace".into(), &roles[1].clone().into()), "{summary}");
    });
}

#[test]
fn what_is_read_is_packed_for_those_who_unpack_it() {
    let server = Server::new();
    wait(async {
        let opened = open(&server.place, &json!({"game": "pebbles"})).await.unwrap();
        let now = format!("/api/matches/{}/now", id(&opened));
        let tokens = format!("authorization: Bearer {}\r\n", token(&opened, 0)[0]);
        for path in ["/api/games", "/api/schema", &now] {
            let ask = async |more: &str| {
                let lines = format!("{tokens}{more}");
                request_with(&server.place, "GET", path, &lines, b"").await.unwrap()
            };
            let plain = ask("").await;
            assert!(!plain.head.to_lowercase().contains("content-encoding"), "{path}: {}", plain.head);
            let small = ask("accept-encoding: br, gzip\r\n").await;
            assert!(small.head.to_lowercase().contains("content-encoding: gzip"), "{path}: {}", small.head);
            assert!(small.body.len() < plain.body.len(), "{path}");
            let mut again = Vec::new();
            flate2::read::GzDecoder::new(&small.body[..]).read_to_end(&mut again).unwrap();
            let again: Value = serde_json::from_slice(&again).unwrap();
            if path != now {
                assert_eq!(again, plain.json(), "{path}");
            }
        }
        // What holds a secret is not packed.
        let body = json!({"game": "pebbles"}).to_string();
        let opened =
            request_with(&server.place, "POST", "/api/matches", "accept-encoding: gzip\r\n", body.as_bytes())
                .await;
        assert!(opened.unwrap().json()["host"].is_string());
    });
}

// Seats and clocks.

#[test]
fn seats_are_left_renewed_and_given_to_bots() {
    let server = Server::new();
    wait(async {
        let (opened, ada, mut bob) = two(&server.place, json!({})).await;
        ada.close().await;
        let renewed = bob.ask(json!({"t": "renew"})).await.unwrap();
        assert!(bob.hear_of("nothing").await.is_err(), "the old socket is out");
        assert_eq!(bob.closed.as_ref().map(|(code, _)| *code), Some(1008));
        let refused = Client::sit(&server.place, id(&opened), &token(&opened, 1), None).await.err().unwrap();
        assert_eq!(refused.code, "BAD_TOKEN");
        let new = vec![renewed["token"].as_str().unwrap().to_owned()];
        let (mut bob, _) = Client::sit(&server.place, id(&opened), &new, None).await.unwrap();
        ok(&bob.ask(json!({"t": "leave"})).await.unwrap());
        let host = [token(&opened, 0), vec![opened["host"].as_str().unwrap().to_owned()]].concat();
        let (mut host, welcome) = Client::sit(&server.place, id(&opened), &host, None).await.unwrap();
        assert_eq!(welcome["summary"]["seats"][1]["who"], "open");
        error(&host.ask(json!({"t": "seat_bot", "seat": 1, "bot": "nobody"})).await.unwrap(), "UNKNOWN_BOT");
        error(&host.ask(json!({"t": "seat_bot", "seat": 0, "bot": "random"})).await.unwrap(), "SEAT_TAKEN");
        ok(&host.ask(json!({"t": "seat_bot", "seat": 1, "bot": "random"})).await.unwrap());
        ok(&host.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        loop {
            if host.hear_of("moved").await.unwrap()["node"]["by"] == 1 {
                break;
            }
        }
    });
}

#[test]
fn clocks_are_stopped_by_consent_and_count_days() {
    let server = Server::new();
    wait(async {
        let more = json!({"clock": {"minutes": 5, "increment": 0}});
        let (_, mut ada, mut bob) = two(&server.place, more).await;
        error(&ada.ask(json!({"t": "offer", "what": "resume"})).await.unwrap(), "NOT_PAUSED");
        ok(&ada.ask(json!({"t": "offer", "what": "pause"})).await.unwrap());
        ok(&bob.ask(json!({"t": "offer", "what": "pause"})).await.unwrap());
        let clock = ada.hear_of("clock").await.unwrap();
        assert_eq!((&clock["paused"], &clock["runs"]), (&true.into(), &Value::Null));
        error(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap(), "PAUSED");
        ok(&bob.ask(json!({"t": "offer", "what": "resume"})).await.unwrap());
        ok(&ada.ask(json!({"t": "offer", "what": "resume"})).await.unwrap());
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        let (opened, mut ada, _bob) = two(&server.place, json!({"clock": {"days": 3}})).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        let clock = ada.hear_of("moved").await.unwrap()["clock"].clone();
        assert_eq!((&clock["days"], &clock["runs"]), (&3.into(), &1.into()), "{clock}");
        let path = format!("/api/matches/{}/now", id(&opened));
        let told = request(&server.place, "GET", &path, &token(&opened, 0), "").await.unwrap().json();
        let left = told["clock"]["left"][1].as_i64().unwrap();
        assert!((3 * 86_400_000 - 60_000..=3 * 86_400_000).contains(&left), "{told}");
    });
}

/// What is left to the first on the clocks of a match, as a server tells.
async fn left(place: &str, opened: &Value) -> i64 {
    let path = format!("/api/matches/{}/now", id(opened));
    let told = request(place, "GET", &path, &token(opened, 0), "").await.unwrap().json();
    told["clock"]["left"][0].as_i64().unwrap_or_else(|| panic!("{told}"))
}

#[test]
fn a_clock_runs_on_whatever_is_appended_elsewhere() {
    let store = Shared { together: true, ..Shared::default() };
    let here = Server::start(Box::new(store.clone()), generous());
    let there = Server::start(Box::new(store), generous());
    wait(async {
        let more = json!({"clock": {"minutes": 5, "increment": 0}});
        let (opened, _ada, mut bob) = two(&here.place, more).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let first = left(&here.place, &opened).await;
        assert!(first < 299_100, "the first has no time for nothing either: {first}");
        // The other server knows of the match when it is told of it.
        while request(
            &there.place,
            "GET",
            &format!("/api/matches/{}/now", id(&opened)),
            &token(&opened, 0),
            "",
        )
        .await
        .unwrap()
        .status
            != 200
        {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let second = left(&there.place, &opened).await;
        assert!(second <= first, "it has been running since the match was opened: {second} after {first}");
        let say = json!({"t": "say", "id": "x", "text": "hello"}).to_string();
        let path = format!("/api/matches/{}/send", id(&opened));
        let said = request(&there.place, "POST", &path, &token(&opened, 1), &say).await.unwrap();
        assert_eq!(said.status, 200, "{}", said.json());
        // Here one is sent away to come again, and the thinker has not got his time back.
        assert!(bob.hear_of("nothing").await.is_err());
        let third = left(&here.place, &opened).await;
        assert!(third <= second, "what is said elsewhere gives time back: {third} after {second}");
    });
    // Who was to act when the servers went down pays nothing for that.
    drop((here, there));
}

#[test]
fn a_long_clock_keeps_its_match_awake() {
    let store = Shared { together: true, ..Shared::default() };
    let here = Server::start(Box::new(store.clone()), Settings { idle: 1, ..generous() });
    let there = Server::start(Box::new(store), generous());
    wait(async {
        let (opened, ada, bob) = two(&here.place, json!({"clock": {"minutes": 1000, "increment": 0}})).await;
        ada.close().await;
        bob.close().await;
        tokio::time::sleep(Duration::from_millis(1500)).await;
        // Something is said elsewhere: whoever keeps the match looks up, and nobody has been here for long.
        let say = json!({"t": "say", "id": "x", "text": "hello"}).to_string();
        let path = format!("/api/matches/{}/send", id(&opened));
        let said = request(&there.place, "POST", &path, &token(&opened, 1), &say).await.unwrap();
        assert_eq!(said.status, 200, "{}", said.json());
        tokio::time::sleep(Duration::from_millis(3500)).await;
        assert_eq!(awake(&here).await, 1, "nothing would wake it when its time has run out");
    });
}

#[test]
fn who_has_days_for_a_turn_may_be_away_for_as_long() {
    let server = Server::new();
    wait(async {
        for (more, patience) in
            [(json!({"days": 2}), 2 * 86_400), (json!({"minutes": 5, "increment": 0}), 120)]
        {
            let (_, ada, mut bob) = two(&server.place, json!({"absent": "forfeit", "clock": more})).await;
            ada.close().await;
            assert_eq!(bob.hear_of("away").await.unwrap()["left"], patience * 1000);
        }
    });
}

#[test]
fn who_stays_away_loses_if_that_was_agreed() {
    let server = Server::new();
    wait(async {
        let (_, ada, mut bob) = two(&server.place, json!({"absent": "forfeit", "patience": 5})).await;
        ada.close().await;
        let over = bob.hear_of("over").await.unwrap();
        assert_eq!((&over["outcome"], &over["how"]), (&json!({"Won": 1}), &"forfeit".into()));
    });
}

#[test]
#[ignore = "a minute on a clock takes a minute: run by .ci/long"]
fn a_flag_falls() {
    let server = Server::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let more = json!({"clock": {"minutes": 1, "increment": 0}});
        let (_, _ada, mut bob) = two(&server.place, more).await;
        let begun = Instant::now();
        let over = bob.hear_of("over").await.unwrap();
        assert_eq!((&over["outcome"], &over["how"]), (&json!({"Won": 1}), &"time".into()));
        let took = begun.elapsed().as_secs();
        assert!((58..75).contains(&took), "after {took} s");
    });
}

// Operators.

#[test]
fn an_operator_deletes_a_match_and_sends_everybody_away() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, _bob) = two(&server.place, json!({})).await;
        let path = format!("/matches/{}", id(&opened));
        let public = request(&server.place, "DELETE", &path, &[], "").await.unwrap();
        assert_eq!(public.status, 404, "on its own address only");
        let done = request(&server.operate, "DELETE", &path, &[], "").await.unwrap();
        assert_eq!((done.status, &done.json()["deleted"]), (200, &true.into()));
        assert!(ada.hear_of("nothing").await.is_err());
        let gone = request(&server.place, "GET", &format!("/api{path}"), &[], "").await.unwrap();
        assert_eq!(code(&gone), (404, "NO_MATCH".to_owned()));
    });
}

/// A store that takes its time to forget.
struct Hesitant(Memory);

impl Store for Hesitant {
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>> {
        self.0.append(parts)
    }
    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError> {
        self.0.read(id, from, limit)
    }
    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError> {
        self.0.list(since, after, limit)
    }
    fn forget(&self, id: &str) -> Result<bool, StoreError> {
        std::thread::sleep(Duration::from_millis(500));
        self.0.forget(id)
    }
    fn name(&self) -> String {
        "hesitant".to_owned()
    }
}

/// Who asked for it meanwhile woke it, and what he was told of put it back into the lists.
#[test]
fn a_match_that_is_deleted_is_woken_by_nobody() {
    let server = Server::start(Box::new(Hesitant(Memory::default())), generous());
    wait(async {
        let (opened, _ada, _bob) = two(&server.place, json!({"public": true})).await;
        let (path, operate) = (format!("/matches/{}", id(&opened)), server.operate.clone());
        let deleted = tokio::spawn({
            let path = path.clone();
            async move { request(&operate, "DELETE", &path, &[], "").await.unwrap().status }
        });
        tokio::time::sleep(Duration::from_millis(150)).await;
        let woken = Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await;
        assert_eq!(deleted.await.unwrap(), 200);
        tokio::time::sleep(Duration::from_millis(600)).await;
        let listed = request(&server.place, "GET", "/api/matches", &[], "").await.unwrap().json();
        assert_eq!(listed["matches"], json!([]));
        assert_eq!(woken.err().unwrap().code, "NO_MATCH");
    });
}

#[test]
fn what_was_kept_long_enough_is_forgotten() {
    let store = Shared::default();
    let server = Server::start(Box::new(store.clone()), generous());
    let (idle, over) = wait(async {
        let (idle, ..) = two(&server.place, json!({})).await;
        let (over, mut ada, _bob) = two(&server.place, json!({})).await;
        ok(&ada.ask(json!({"t": "resign"})).await.unwrap());
        (id(&idle).to_owned(), id(&over).to_owned())
    });
    drop(server);
    store.older.store(10 * 86_400_000, Ordering::SeqCst);
    let settings = Settings { keep_idle_days: 5, keep_finished_days: 20, ..generous() };
    let server = Server::start(Box::new(store.clone()), settings);
    wait(async {
        let path = format!("/api/matches/{idle}");
        while request(&server.place, "GET", &path, &[], "").await.unwrap().status != 404 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let kept = request(&server.place, "GET", &format!("/api/matches/{over}"), &[], "").await.unwrap();
        assert_eq!(kept.status, 200, "what is over is kept longer");
    });
    drop(server);
    let settings = Settings { keep_finished_days: 5, ..generous() };
    let server = Server::start(Box::new(store.clone()), settings);
    wait(async {
        let path = format!("/api/matches/{over}");
        while request(&server.place, "GET", &path, &[], "").await.unwrap().status != 404 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    assert!(store.read(&over, 0, 1).unwrap().is_empty(), "not a line of it is left");
}

#[test]
fn an_operator_asks_from_this_machine_and_by_its_own_names() {
    let server = Server::new();
    wait(async {
        for (host, status) in
            [("127.0.0.1:1", 200), ("[::1]", 200), ("LocalHost:80", 200), ("table.example", 403), ("", 403)]
        {
            let mut stream = TcpStream::connect(&server.operate).await.unwrap();
            let head = format!("GET /metrics HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut told = String::new();
            stream.read_to_string(&mut told).await.unwrap();
            assert!(told.starts_with(&format!("HTTP/1.1 {status} ")), "{host:?}: {told}");
        }
    });
    let plan = Plan {
        games: GAMES,
        settings: generous(),
        store: Box::new(Memory::default()),
        listen: "127.0.0.1:0".parse().unwrap(),
        operate: Some("0.0.0.0:0".parse().unwrap()),
    };
    let refused = serve(plan, |_| (), std::future::ready(())).unwrap_err();
    assert!(refused.to_string().starts_with("[NOT_LOOPBACK]"), "{refused}");
}

#[test]
fn who_is_there_when_the_server_goes_down_is_told_to_come_again() {
    let server = Server::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (mut ada, mut lobby) = runtime.block_on(async {
        let (_, ada, _bob) = two(&server.place, json!({})).await;
        let mut lobby = Client::connect(&server.place).await.unwrap();
        lobby.send(&json!({"t": "hello", "protocol": 1, "lobby": true})).await.unwrap();
        lobby.hear_of("lobby").await.unwrap();
        (ada, lobby)
    });
    let stopping = std::thread::spawn(move || drop(server));
    runtime.block_on(async {
        for client in [&mut ada, &mut lobby] {
            let closed = tokio::time::timeout(Duration::from_secs(10), client.hear_of("nothing")).await;
            assert!(closed.expect("nobody says goodbye").is_err());
            assert_eq!(client.closed, Some((1012, "RESTART".to_owned())));
        }
    });
    stopping.join().unwrap();
}

// Rules that have changed.

/// The sample game, whose rules may have changed since.
struct Changed(&'static dyn Host, &'static AtomicBool);

static RULES_CHANGED: AtomicBool = AtomicBool::new(false);
static NEVER: AtomicBool = AtomicBool::new(false);

impl Host for Changed {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn about(&self) -> &'static str {
        self.0.about()
    }
    fn rulesets(&self) -> Vec<Named> {
        self.0.rulesets()
    }
    fn setups(&self) -> Vec<Named> {
        self.0.setups()
    }
    fn settings(&self, setup: &str) -> Vec<Setting> {
        self.0.settings(setup)
    }
    fn bots(&self) -> Vec<Named> {
        let stumbling = Named::new("stumbling", "It fails whenever it is to choose.");
        self.0.bots().into_iter().chain([stumbling]).collect()
    }
    fn tell_seed(&self, seed: u64) -> String {
        self.0.tell_seed(seed)
    }
    fn levels(&self) -> Vec<Named> {
        self.0.levels()
    }
    fn venue(&self, opening: &Opening) -> Result<Box<dyn Venue>, Rejection> {
        self.0.venue(opening)
    }
    fn load(&self, file: &[u8], content: &[Source]) -> Result<Box<dyn Table>, LoadError> {
        if !self.1.load(Ordering::SeqCst) {
            return self.0.load(file, content);
        }
        let text = "expected the secret 42, found 7".to_owned();
        let divergence =
            Divergence { line: 3, event: None, code: "OTHER_FACT".to_owned(), text, fields: Vec::new() };
        Err(LoadError::diverged(divergence, Vec::new()))
    }
    fn watch(&self, file: &[u8], content: &[Source]) -> Result<(Box<dyn Table>, Option<usize>), LoadError> {
        self.0.watch(file, content)
    }
    fn verify(
        &self,
        file: &[u8],
        content: &[Source],
        progress: &mut dyn FnMut(usize),
    ) -> Result<Verified, LoadError> {
        self.0.verify(file, content, progress)
    }
    fn conform(&self, name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
        self.0.conform(name, text, options)
    }
    fn benches(&self) -> Vec<Bench> {
        self.0.benches()
    }
    fn check_content(&self, over: &[Source]) -> Option<ContentCheck> {
        self.0.check_content(over)
    }
    fn schemas(&self) -> Vec<(String, Value)> {
        self.0.schemas()
    }
}

static CHANGED: [&dyn Host; 1] = [&Changed(&turnstone_table::testing::PEBBLES, &RULES_CHANGED)];
static STUMBLING: [&dyn Host; 1] = [&Changed(&turnstone_table::testing::PEBBLES, &NEVER)];

#[test]
fn what_todays_rules_play_otherwise_is_watched_and_quotes_no_facts() {
    let folder = Folder::new("frozen");
    let path = folder.0.join("a.db");
    let start = || {
        let store = Box::new(Sqlite::open(&path).unwrap());
        Server::start_with(Games::new(&CHANGED), store, generous())
    };
    let server = start();
    let opened = wait(async {
        let (opened, mut ada, _bob) = two(&server.place, json!({})).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        opened
    });
    drop(server);
    RULES_CHANGED.store(true, Ordering::SeqCst);
    let server = start();
    wait(async {
        let (mut bob, welcome) =
            Client::sit(&server.place, id(&opened), &token(&opened, 1), None).await.unwrap();
        let why = welcome["frozen"].as_str().unwrap();
        assert!(why.contains("line 3") && why.contains("OTHER_FACT") && !why.contains("42"), "{why}");
        let refused = bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap();
        error(&refused, "FROZEN");
        // The number of the message is drawn by lot, and may have these digits.
        assert!(!refused["text"].as_str().unwrap().contains("42"), "{refused}");
        assert_eq!(bob.ask(json!({"t": "look", "moment": 1})).await.unwrap()["t"], "looked");
    });
}

// Faults of a game.

/// Such a match waited for its bot for ever, and whoever had asked it for advice for an answer.
#[test]
fn a_bot_that_fails_holds_up_nobody() {
    let server = Server::start_with(Games::new(&STUMBLING), Box::new(Memory::default()), generous());
    wait(async {
        let wanted = json!({"game": "pebbles", "seats": [{"who": "me"}, {"who": "bot", "bot": "stumbling"}]});
        let opened = open(&server.place, &wanted).await.unwrap();
        let tokens = token(&opened, 0);
        let (mut ada, _) = Client::sit(&server.place, id(&opened), &tokens, None).await.unwrap();
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        let note = ada.hear_of("note").await.unwrap();
        assert_eq!(note["code"], "FAILED", "{note}");
        while ada.hear_of("moved").await.unwrap()["now"]["actor"] != 0 {}
        for _ in 0..5 {
            error(&ada.ask(json!({"t": "hint", "bot": "stumbling"})).await.unwrap(), "FAILED");
        }
        let path = format!("/api/matches/{}/send", id(&opened));
        let hint = json!({"t": "hint", "id": "x", "bot": "stumbling"}).to_string();
        let answer = request(&server.place, "POST", &path, &tokens, &hint).await.unwrap();
        assert_eq!(code(&answer), (500, "FAILED".to_owned()));
    });
}

// A store that refuses.

/// A store that can be told to refuse what has some word in it, and counts how often it was asked to take that.
#[derive(Clone, Default)]
struct Full {
    kept: Arc<Memory>,
    refuses: Arc<AtomicBool>,
    word: &'static str,
    tries: Arc<AtomicU64>,
    /// Whoever reads finds that no time is left on any clock.
    late: Arc<AtomicBool>,
}

impl Store for Full {
    fn append(&self, parts: &[Append]) -> Vec<Result<u64, StoreError>> {
        let take = |part: &Append| {
            if self.refuses.load(Ordering::SeqCst) && part.lines.iter().any(|line| line.contains(self.word)) {
                self.tries.fetch_add(1, Ordering::SeqCst);
                return Err(StoreError::Unavailable("the disk is full".to_owned()));
            }
            self.kept.append(std::slice::from_ref(part)).remove(0)
        };
        parts.iter().map(take).collect()
    }
    fn read(&self, id: &str, from: u64, limit: usize) -> Result<Vec<String>, StoreError> {
        let lines = self.kept.read(id, from, limit)?;
        let late = self.late.load(Ordering::SeqCst);
        Ok(lines.into_iter().map(|line| if late { without_time(line) } else { line }).collect())
    }
    fn list(&self, since: i64, after: &str, limit: usize) -> Result<Vec<Head>, StoreError> {
        self.kept.list(since, after, limit)
    }
    fn forget(&self, id: &str) -> Result<bool, StoreError> {
        self.kept.forget(id)
    }
    fn name(&self) -> String {
        "full".to_owned()
    }
}

fn without_time(line: String) -> String {
    let record = line.strip_prefix('r').and_then(|text| serde_json::from_str::<Value>(text).ok());
    match record {
        Some(mut record) if record["left"].is_object() => {
            record["left"]["seats"] = json!([1, 1]);
            format!("r{record}")
        }
        _ => line,
    }
}

/// It was tried again without a pause, each time with a whole rerun of the match and two lines in the log.
#[test]
fn a_bot_whose_move_cannot_be_saved_rests_before_it_tries_again() {
    let store = Full { word: "\"by\":1", ..Full::default() };
    let server = Server::start(Box::new(store.clone()), generous());
    wait(async {
        let opened = open(&server.place, &json!({"game": "pebbles"})).await.unwrap();
        let (mut ada, _) = Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.unwrap();
        store.refuses.store(true, Ordering::SeqCst);
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        tokio::time::sleep(Duration::from_secs(3)).await;
        let tries = store.tries.load(Ordering::SeqCst);
        assert!((2..=5).contains(&tries), "tried {tries} times in three seconds");
        store.refuses.store(false, Ordering::SeqCst);
        while ada.hear_of("moved").await.unwrap()["node"]["by"] != 1 {}
    });
}

#[test]
fn a_flag_that_cannot_be_saved_rests_before_it_falls_again() {
    let store = Full::default();
    let server = Server::start(Box::new(store.clone()), generous());
    wait(async {
        let more = json!({"clock": {"minutes": 1, "increment": 0}});
        let (_, mut ada, mut bob) = two(&server.place, more).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        store.late.store(true, Ordering::SeqCst);
        store.refuses.store(true, Ordering::SeqCst);
        error(&bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap(), "STORAGE");
        tokio::time::sleep(Duration::from_secs(4)).await;
        let tries = store.tries.load(Ordering::SeqCst);
        assert!((2..=6).contains(&tries), "tried {tries} times in four seconds");
        store.refuses.store(false, Ordering::SeqCst);
        assert_eq!(bob.hear_of("over").await.unwrap()["how"], "time");
    });
}

// Who is away.

/// Waits until a match is over that nobody looks at, and gives its summary.
async fn over_by_itself(server: &Server, opened: &Value) -> Value {
    let path = format!("/api/matches/{}", id(opened));
    for _ in 0..300 {
        let summary = request(&server.place, "GET", &path, &[], "").await.unwrap().json();
        if summary["state"] == "over" {
            return summary;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it waits for ever")
}

/// Patience ran only as long as somebody else was there, and a match that all had left waited for ever.
#[test]
fn patience_runs_where_nobody_is_there() {
    let server = Server::start(Box::new(Memory::default()), Settings { idle: 1, ..generous() });
    wait(async {
        let (opened, ada, bob) = two(&server.place, json!({"absent": "forfeit", "patience": 9})).await;
        ada.close().await;
        bob.close().await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(awake(&server).await, 0, "it sleeps meanwhile");
        // Who comes by is told for how long it goes on, and changes nothing about it.
        let (mut eve, _) = Client::sit(&server.place, id(&opened), &[], None).await.unwrap();
        let away = eve.hear_of("away").await.unwrap();
        let left = away["left"].as_u64().unwrap();
        assert!(away["seat"] == 0 && (1000..=7000).contains(&left), "{away}");
        eve.close().await;
        let summary = over_by_itself(&server, &opened).await;
        assert_eq!((&summary["how"], &summary["outcome"]), (&"forfeit".into(), &json!({"Won": 1})));
    });
}

#[test]
fn patience_begins_anew_with_the_server_and_runs_where_nobody_looks() {
    let store = Shared::default();
    let server = Server::start(Box::new(store.clone()), generous());
    let opened = wait(async { two(&server.place, json!({"absent": "forfeit", "patience": 5})).await.0 });
    drop(server);
    let server = Server::start(Box::new(store), Settings { idle: 1, ..generous() });
    wait(async {
        assert_eq!(awake(&server).await, 0);
        assert_eq!(over_by_itself(&server, &opened).await["how"], "forfeit");
        while awake(&server).await > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
}

// Two servers.

#[test]
fn two_servers_on_one_store_tell_each_other_everything() {
    let store = Shared { together: true, ..Shared::default() };
    let here = Server::start(Box::new(store.clone()), generous());
    let there = Server::start(Box::new(store), generous());
    tell_each_other_everything(&here, &there);
}

/// Two people at two servers of one store.
pub fn tell_each_other_everything(here: &Server, there: &Server) {
    wait(async {
        let (opened, mut ada, bob) = two(&here.place, json!({})).await;
        bob.close().await;
        let mut sits = Client::sit(&there.place, id(&opened), &token(&opened, 1), None).await;
        while sits.is_err() {
            tokio::time::sleep(Duration::from_millis(100)).await;
            sits = Client::sit(&there.place, id(&opened), &token(&opened, 1), None).await;
        }
        let (mut bob, _) = sits.unwrap();
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        assert_eq!(bob.hear_of("moved").await.unwrap()["rev"], 1, "moves are told");
        // What is no move sends everybody there away to come again.
        ok(&bob.ask(json!({"t": "say", "text": "well played"})).await.unwrap());
        assert!(ada.hear_of("nothing").await.is_err());
        assert_eq!(ada.closed.as_ref().map(|(code, _)| *code), Some(1012));
        let (mut ada, welcome) =
            Client::sit(&here.place, id(&opened), &token(&opened, 0), Some(1)).await.unwrap();
        assert_eq!(welcome["chat"][0]["text"], "well played", "{welcome}");
        // So does a seat that is taken away.
        let host = vec![opened["host"].as_str().unwrap().to_owned()];
        let remove = json!({"t": "remove", "id": "x", "seat": 0}).to_string();
        let path = format!("/api/matches/{}/send", id(&opened));
        let removed = request(&there.place, "POST", &path, &host, &remove).await.unwrap();
        assert_eq!(removed.status, 200, "{}", removed.json());
        assert!(ada.hear_of("nothing").await.is_err());
        let refused = Client::sit(&here.place, id(&opened), &token(&opened, 0), None).await.err().unwrap();
        assert_eq!(refused.code, "BAD_TOKEN");
    });
}

// What the schemas say.

#[test]
fn everything_that_is_told_is_as_the_schemas_say() {
    let server = Server::new();
    wait(async {
        let schemas = request(&server.place, "GET", "/api/schema", &[], "").await.unwrap().json();
        let told = &schemas["told"];
        let more = json!({"clock": {"minutes": 5, "increment": 3}, "public": true, "practice": true});
        let (opened, mut ada, mut bob) = two(&server.place, more).await;
        let (mut eve, welcome) = Client::sit(&server.place, id(&opened), &[], None).await.unwrap();
        let mut lobby = Client::connect(&server.place).await.unwrap();
        lobby.send(&json!({"t": "hello", "protocol": 1, "lobby": true})).await.unwrap();
        let mut heard = vec![welcome, lobby.hear_of("lobby").await.unwrap()];
        for question in [
            json!({"t": "act", "rev": 0, "choose": 0}),
            json!({"t": "act", "rev": 0, "choose": 0}),
            json!({"t": "look", "moment": 0}),
            json!({"t": "view"}),
            json!({"t": "why", "moment": 1}),
            json!({"t": "log"}),
            json!({"t": "timeline"}),
            json!({"t": "branches"}),
            json!({"t": "try", "from": 0, "inputs": [{"choose": 0}, {"choose": 99}]}),
            json!({"t": "steps", "moment": 1}),
            json!({"t": "sample"}),
            json!({"t": "review"}),
            json!({"t": "offer", "what": "draw"}),
            json!({"t": "say", "text": "well"}),
            json!({"t": "name", "name": "Adele"}),
            json!({"t": "offer", "what": "pause"}),
            json!({"t": "offer", "what": "resume"}),
        ] {
            heard.push(ada.ask(question).await.unwrap());
        }
        for question in [
            json!({"t": "hint"}),
            json!({"t": "forecast", "rev": 1, "option": 0}),
            json!({"t": "offer", "what": "draw"}),
            json!({"t": "offer", "what": "rematch"}),
        ] {
            heard.push(bob.ask(question).await.unwrap());
        }
        heard.push(ada.ask(json!({"t": "offer", "what": "rematch"})).await.unwrap());
        for client in [&mut ada, &mut bob, &mut eve] {
            client.send(&json!({"t": "ping", "id": "last"})).await.unwrap();
            loop {
                let message = client.hear().await.unwrap();
                if message["id"] == "last" {
                    break;
                }
                heard.push(message);
            }
        }
        let kinds: std::collections::BTreeSet<&str> =
            heard.iter().map(|message| message["t"].as_str().unwrap()).collect();
        for message in &heard {
            is_told(told, message).unwrap_or_else(|text| panic!("{}: {text}", message["t"]));
        }
        let other =
            json!({"t": "clock", "left": ["soon"], "runs": 0, "paused": false, "increment": 3, "days": null});
        assert!(is_told(told, &other).is_err(), "what is otherwise is told");
        for kind in ["moved", "said", "offer", "settled", "clock", "over", "rematch", "error", "ok", "hint"] {
            assert!(kinds.contains(kind), "{kind} was not heard: {kinds:?}");
        }
    });
}
