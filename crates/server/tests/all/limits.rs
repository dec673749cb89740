//! Limits of sockets and addresses, each with the answer that docs/server.md promises.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use turnstone_server::client::{Client, open, request, request_with};
use turnstone_server::refusal::Refusal;
use turnstone_server::settings::Settings;
use turnstone_server::store::Memory;

use crate::server::{Server, error, generous, id, ok, two, wait};

fn strict(settings: Settings) -> Server {
    Server::start(Box::new(Memory::default()), settings)
}

/// A frame with a text, as a client sends it; the mask changes nothing.
fn frame(load: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x81, 0x80 | load.len() as u8, 0, 0, 0, 0];
    frame.extend(load);
    frame
}

/// Opens a WebSocket without a library, sends these bytes and nothing else; gives all that comes until the line ends.
async fn bare(place: &str, bytes: &[u8]) -> Vec<u8> {
    let mut stream = upgraded(place).await;
    stream.write_all(bytes).await.unwrap();
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard).await.unwrap();
    heard
}

/// A connection that asks to become a WebSocket; nothing of the answer is read yet.
async fn upgraded(place: &str) -> TcpStream {
    let mut stream = TcpStream::connect(place).await.unwrap();
    let head = format!(
        "GET /ws HTTP/1.1\r\nhost: {place}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Whether the last thing that came is the end, with that code and reason.
#[track_caller]
fn ended(heard: &[u8], code: u16, reason: &str) {
    let mut close = vec![0x88, 2 + reason.len() as u8];
    close.extend(code.to_be_bytes());
    close.extend(reason.as_bytes());
    assert!(heard.ends_with(&close), "{code} {reason}: {}", String::from_utf8_lossy(heard));
}

#[test]
fn a_first_frame_that_cannot_be_heard_is_answered_like_any_other() {
    let server = strict(generous());
    wait(async {
        let place = &server.place;
        let mut client = Client::connect(place).await.unwrap();
        client.send_text("x".repeat(9000)).await.unwrap();
        error(&client.hear().await.unwrap(), "TOO_LONG");
        assert!(client.hear().await.is_err());
        assert_eq!(client.closed, Some((1009, "TOO_LONG".to_owned())));
        ended(&bare(place, &frame(&[0xFF, 0xFE])).await, 1007, "NOT_TEXT");
        let mut naked = frame(b"hello");
        naked[1] &= 0x7F;
        ended(&bare(place, &naked).await, 1002, "UNRULY");
        // Later ones, too.
        let (opened, mut ada, _bob) = two(place, json!({})).await;
        ada.send_text("x".repeat(9000)).await.unwrap();
        error(&ada.hear_of("error").await.unwrap(), "TOO_LONG");
        assert!(ada.hear_of("nothing").await.is_err());
        assert_eq!(ada.closed, Some((1009, "TOO_LONG".to_owned())));
        let hello = json!({"t": "hello", "protocol": 1, "match": id(&opened)}).to_string();
        let bytes = [frame(hello.as_bytes()), frame(&[0xFF])].concat();
        ended(&bare(place, &bytes).await, 1007, "NOT_TEXT");
    });
}

/// Such a socket was read for ever, and took a core with it.
#[test]
fn who_says_what_cannot_be_heard_and_leaves_at_once_is_let_go() {
    let server = strict(Settings { sockets: 1, ..generous() });
    wait(async {
        for _ in 0..5 {
            let mut stream = upgraded(&server.place).await;
            // No mask: it does not keep to the protocol.
            stream.write_all(&[0x81, 1, b'x']).await.unwrap();
            stream.shutdown().await.unwrap();
            let _ = tokio::time::timeout(Duration::from_secs(1), stream.read_to_end(&mut Vec::new())).await;
            drop(stream);
            soon_connects(&server.place).await;
        }
    });
}

/// Connects when there is room for a socket again, and leaves.
async fn soon_connects(place: &str) {
    for _ in 0..100 {
        if let Ok(client) = Client::connect(place).await {
            return client.close().await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a socket that is gone still counts");
}

#[test]
fn who_says_no_hello_or_nothing_more_is_let_go() {
    let server = strict(Settings { hello: 1, ping: 1, silence: 1, ..generous() });
    wait(async {
        let begun = Instant::now();
        ended(&bare(&server.place, &[]).await, 1001, "NO_HELLO");
        let hello = json!({"t": "hello", "protocol": 1, "lobby": true}).to_string();
        ended(&bare(&server.place, &frame(hello.as_bytes())).await, 1001, "SILENT");
        assert!(begun.elapsed() < Duration::from_secs(20));
    });
}

async fn slow_readers(server: &Server) -> u64 {
    let metrics = request(&server.operate, "GET", "/metrics", &[], "").await.unwrap();
    let text = String::from_utf8(metrics.body).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("turnstone_slow_total "));
    line.unwrap().parse().unwrap()
}

#[test]
fn who_reads_too_slowly_is_told_to_come_again() {
    let server = strict(Settings { outbox: 4, text: 6000, chat: 1_000_000, ..generous() });
    wait(async {
        let (_, mut ada, mut bob) = two(&server.place, json!({})).await;
        let say = json!({"t": "say", "text": "x".repeat(6000)});
        let mut said = 0;
        while said < 20_000 && slow_readers(&server).await == 0 {
            for _ in 0..100 {
                ok(&ada.ask(say.clone()).await.unwrap());
                ada.hear_of("said").await.unwrap();
            }
            said += 100;
        }
        assert!(bob.hear_of("nothing").await.is_err());
        assert_eq!(bob.closed, Some((4008, "SLOW".to_owned())), "{said} were said");
    });
}

#[test]
fn what_is_said_has_a_length() {
    let server = strict(Settings { text: 3, ..generous() });
    wait(async {
        let (_, mut ada, _bob) = two(&server.place, json!({})).await;
        ok(&ada.ask(json!({"t": "say", "text": "ähm"})).await.unwrap());
        error(&ada.ask(json!({"t": "say", "text": "well"})).await.unwrap(), "TOO_LONG");
    });
}

#[test]
fn sockets_are_counted_for_each_and_for_all() {
    for settings in [Settings { sockets: 2, ..generous() }, Settings { sockets_per_address: 2, ..generous() }]
    {
        let server = strict(settings);
        wait(async {
            let opened = open(&server.place, &json!({"game": "pebbles"})).await.unwrap();
            let first = Client::connect(&server.place).await.unwrap();
            let _second = Client::connect(&server.place).await.unwrap();
            assert!(Client::connect(&server.place).await.is_err(), "a third socket");
            let path = format!("/api/matches/{}/stream", id(&opened));
            let refused = request(&server.place, "GET", &path, &[], "").await.unwrap();
            assert_eq!((refused.status, &refused.json()["code"]), (429, &"TOO_MANY".into()));
            first.close().await;
            let mut again = Client::connect(&server.place).await;
            for _ in 0..50 {
                if again.is_ok() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
                again = Client::connect(&server.place).await;
            }
            assert!(again.is_ok(), "who has gone makes room");
        });
    }
}

#[test]
fn connections_of_one_address_are_counted_unless_they_are_a_proxys() {
    for behind_proxy in [false, true] {
        let server = strict(Settings { connections_per_address: 4, behind_proxy, ..generous() });
        wait(async {
            let mut held = Vec::new();
            for _ in 0..4 {
                let mut stream = TcpStream::connect(&server.place).await.unwrap();
                stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: a").await.unwrap();
                held.push(stream);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            let answer = request(&server.place, "GET", "/healthz", &[], "").await.unwrap();
            if behind_proxy {
                return assert_eq!(answer.status, 200);
            }
            let told = answer.json();
            assert_eq!(
                (answer.status, &told["code"], &told["retry_ms"]),
                (429, &"TOO_MANY".into(), &10_000.into())
            );
            held.truncate(2);
            tokio::time::sleep(Duration::from_millis(200)).await;
            assert_eq!(request(&server.place, "GET", "/healthz", &[], "").await.unwrap().status, 200);
            // A socket is no such connection any more.
            let _socket = Client::connect(&server.place).await.unwrap();
            assert_eq!(request(&server.place, "GET", "/healthz", &[], "").await.unwrap().status, 200);
        });
    }
}

/// Such a connection was written to for ever, and kept its place.
#[test]
fn who_takes_nothing_of_what_he_asked_for_is_cut_off() {
    let server = strict(Settings { taking: 3, connections: 1, ..generous() });
    wait(async {
        let mut stream = TcpStream::connect(&server.place).await.unwrap();
        let asked = "GET /style.css HTTP/1.1\r\nhost: a\r\n\r\n".repeat(2000);
        stream.write_all(asked.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(request(&server.place, "GET", "/healthz", &[], "").await.is_err(), "there is one place");
        for _ in 0..200 {
            if request(&server.place, "GET", "/healthz", &[], "").await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("who takes nothing keeps his place");
    });
}

/// Opens a match as if it came from there, through a proxy or not.
async fn opened_from(place: &str, address: &str) -> u16 {
    let lines = format!("x-forwarded-for: 9.9.9.9, {address}\r\n");
    let body = br#"{"game":"pebbles"}"#;
    request_with(place, "POST", "/api/matches", &lines, body).await.unwrap().status
}

#[test]
fn behind_a_proxy_the_last_address_that_it_names_is_counted() {
    let one = Settings { matches_per_minute: 1, ..generous() };
    for (behind_proxy, statuses) in [(true, [201, 201, 429]), (false, [201, 429, 429])] {
        let server = strict(Settings { behind_proxy, ..one.clone() });
        wait(async {
            let mut told = [0; 3];
            for (status, from) in told.iter_mut().zip(["1.1.1.1", "2.2.2.2", "1.1.1.1"]) {
                *status = opened_from(&server.place, from).await;
            }
            assert_eq!(told, statuses, "behind a proxy: {behind_proxy}");
        });
    }
}

#[test]
fn pages_of_other_sites_talk_to_a_server_that_names_them() {
    let other = "https://table.example";
    for (origins, status) in [(vec![other.to_owned()], 200), (Vec::new(), 403)] {
        let server = strict(Settings { origins, ..generous() });
        wait(async {
            let from = |origin: &str| format!("origin: {origin}\r\n");
            let own = from(&format!("http://{}", server.place));
            for (lines, wanted) in [(own, 200), (from(other), status), (from("https://evil.example"), 403)] {
                let answer = request_with(&server.place, "GET", "/api/limits", &lines, b"").await.unwrap();
                assert_eq!(answer.status, wanted, "{lines}");
                if wanted == 403 {
                    assert_eq!(answer.json()["code"], "ORIGIN");
                }
            }
        });
    }
}

// What is written down about refusals.

/// The document, if these sources stand where it does.
fn document() -> Option<String> {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/server.md")).ok()
}

/// What programs that only talk to servers say of themselves.
const OTHERS: [&str; 2] = ["client.rs", "stress.rs"];

fn sources(folder: &std::path::Path, all: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, all);
        } else if !OTHERS.iter().any(|name| path.ends_with(name)) {
            all.push(std::fs::read_to_string(&path).unwrap());
        }
    }
}

/// Every code that the server's own refusals are made with.
fn codes() -> Vec<String> {
    let mut texts = Vec::new();
    sources(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut texts);
    let made = texts.iter().flat_map(|text| text.split("Refusal::new(").skip(1));
    let quoted = made.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
    let mut codes: Vec<String> = quoted.map(str::to_owned).collect();
    codes.sort();
    codes.dedup();
    codes
}

#[test]
fn every_refusal_is_documented_with_its_status() {
    let Some(document) = document() else { return };
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    let told: Vec<(&str, u16)> = rows
        .filter_map(|row| {
            let mut columns = row.split('|').skip(1);
            let (names, status) = (columns.next()?, columns.next()?.trim().parse().ok()?);
            Some(names.split('`').skip(1).step_by(2).map(move |name| (name, status)))
        })
        .flatten()
        .collect();
    let codes = codes();
    assert!(codes.len() > 30, "{codes:?}");
    for code in codes {
        let status = Refusal::new(&code, "").status();
        assert!(told.contains(&(code.as_str(), status)), "{code} ({status}) is not in docs/server.md");
    }
}

#[test]
fn the_policy_of_pages_is_documented_as_it_is_sent() {
    let Some(document) = document() else { return };
    let server = strict(generous());
    let head = wait(request(&server.place, "GET", "/", &[], "")).unwrap().head;
    let policy = head.lines().find_map(|line| line.strip_prefix("content-security-policy: ")).unwrap();
    assert!(document.contains(&format!("`Content-Security-Policy: {policy}`")), "{policy}");
}

#[test]
fn a_question_that_makes_no_sense_where_one_is_gets_its_status() {
    let server = strict(generous());
    wait(async {
        let (opened, _ada, _bob) = two(&server.place, json!({})).await;
        let path = format!("/api/matches/{}/send", id(&opened));
        let ada = vec![opened["seats"][0]["token"].as_str().unwrap().to_owned()];
        let offer = |what: &str| json!({"t": "offer", "what": what, "seat": 1});
        let questions: [(Value, u16, &str); 5] = [
            (json!({"t": "number", "name": "silver"}), 404, "NO_SUCH_NUMBER"),
            (offer("pause"), 409, "NO_CLOCK"),
            (offer("resume"), 409, "NO_CLOCK"),
            (offer("bot"), 409, "NOT_AWAY"),
            (offer("rematch"), 409, "NOT_OVER"),
        ];
        for (question, status, code) in questions {
            let body = question.to_string();
            let answer = request(&server.place, "POST", &path, &ada, &body).await.unwrap();
            let told = answer.json();
            assert_eq!((answer.status, &told["code"]), (status, &code.into()), "{question}: {told}");
        }
    });
}
