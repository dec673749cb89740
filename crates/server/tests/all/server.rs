//! A real server on loopback, spoken to as a page or a program would.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use turnstone_server::client::{Client, open, request, request_with};
use turnstone_server::serve::{Plan, serve};
use turnstone_server::settings::Settings;
use turnstone_server::store::{Memory, Sqlite, Store};
use turnstone_table::Games;
use turnstone_table::testing::GAMES;

use crate::folder::Folder;

/// A server that is closed in order when it is dropped.
pub struct Server {
    pub place: String,
    pub operate: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start(store: Box<dyn Store>, settings: Settings) -> Server {
        Server::start_with(GAMES, store, settings)
    }

    pub fn start_with(games: Games, store: Box<dyn Store>, settings: Settings) -> Server {
        let (told, address) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let operate = free_address();
        let thread = std::thread::spawn(move || {
            let listen = SocketAddr::from(([127, 0, 0, 1], 0));
            let plan = Plan { games, settings, store, listen, operate: Some(operate) };
            let ready = move |address: SocketAddr| told.send(address).unwrap();
            serve(plan, ready, async move { _ = stopped.await }).unwrap();
        });
        let place = address.recv_timeout(Duration::from_secs(20)).unwrap().to_string();
        Server { place, operate: operate.to_string(), stop: Some(stop), thread: Some(thread) }
    }

    pub fn new() -> Server {
        Server::start(Box::new(Memory::default()), Settings { sockets_per_address: 200, ..generous() })
    }
}

pub fn generous() -> Settings {
    Settings {
        matches_per_minute: 1000,
        requests_per_second: 10_000,
        messages_per_second: 10_000,
        messages_at_once: 10_000,
        ..Settings::default()
    }
}

fn free_address() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
        let _ = self.thread.take().unwrap().join();
    }
}

/// Nothing here may take long; a test that hangs says so.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), future).await.expect("it hangs") })
}

pub fn token(opened: &Value, seat: usize) -> Vec<String> {
    vec![opened["seats"][seat]["token"].as_str().unwrap().to_owned()]
}

pub fn id(opened: &Value) -> &str {
    opened["match"].as_str().unwrap()
}

/// Two people, each with a seat.
pub async fn two(place: &str, more: Value) -> (Value, Client, Client) {
    let mut wanted = json!({ "game": "pebbles", "name": "Ada", "seats": [{"who": "me"}, {"who": "open"}] });
    wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut opened = open(place, &wanted).await.unwrap();
    let path = format!("/api/matches/{}/join", id(&opened));
    let joined = request(place, "POST", &path, &[], r#"{"name":"Bob"}"#).await.unwrap();
    assert_eq!(joined.status, 200, "{}", joined.json());
    opened["seats"][1]["token"] = joined.json()["token"].clone();
    let (ada, welcome) = Client::sit(place, id(&opened), &token(&opened, 0), None).await.unwrap();
    assert_eq!(welcome["you"]["seats"], json!([0]));
    let (bob, _) = Client::sit(place, id(&opened), &token(&opened, 1), None).await.unwrap();
    (opened, ada, bob)
}

#[track_caller]
pub fn ok(answer: &Value) {
    assert_eq!(answer["t"], "ok", "{answer}");
}

#[track_caller]
pub fn error(answer: &Value, code: &str) {
    assert_eq!((&answer["t"], &answer["code"]), (&"error".into(), &code.into()), "{answer}");
}

#[test]
fn two_people_play_and_everybody_hears_of_it() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, mut bob) = two(&server.place, json!({})).await;
        let (mut eve, welcome) = Client::sit(&server.place, id(&opened), &[], None).await.unwrap();
        assert_eq!((&welcome["you"]["seats"], &welcome["now"]["inputs"]), (&json!([]), &json!([])));
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        for client in [&mut ada, &mut bob, &mut eve] {
            let moved = client.hear_of("moved").await.unwrap();
            assert_eq!((&moved["rev"], &moved["node"]["by"]), (&1.into(), &0.into()), "{moved}");
            assert_eq!(moved["now"]["actor"], 1);
        }
        error(&ada.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap(), "MALFORMED");
        error(
            &ada.ask(json!({"t": "act", "rev": 1, "input": {"act": {"claim": 5}}})).await.unwrap(),
            "NOT_YOURS",
        );
        error(&eve.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap(), "NOT_SEATED");
        error(&bob.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap(), "STALE");
        error(
            &bob.ask(json!({"t": "act", "rev": 1, "input": {"act": {"claim": 0}}})).await.unwrap(),
            "TAKEN",
        );
        ok(&bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap());
    });
}

#[test]
fn what_only_one_may_know_moves_nobody_elses_numbers() {
    let server = Server::new();
    wait(async {
        let (_, mut ada, mut bob) = two(&server.place, json!({})).await;
        let peek = ada.ask(json!({"t": "act", "rev": 0, "input": {"act": "peek"}})).await.unwrap();
        assert_eq!(peek["rev"], 1, "{peek}");
        assert_eq!(ada.hear_of("moved").await.unwrap()["rev"], 1);
        ok(&ada.ask(json!({"t": "act", "rev": 1, "input": {"act": {"claim": 0}}})).await.unwrap());
        let moved = bob.hear_of("moved").await.unwrap();
        assert_eq!((&moved["rev"], &moved["node"]["moment"]), (&1.into(), &1.into()), "{moved}");
        let branches = bob.ask(json!({"t": "branches"})).await.unwrap();
        assert_eq!(branches["branches"][0]["length"], 1, "{branches}");
        error(&bob.ask(json!({"t": "look", "moment": 2})).await.unwrap(), "NO_SUCH_MOMENT");
        error(&bob.ask(json!({"t": "look", "moment": 0, "seat": 0})).await.unwrap(), "NO_PRACTICE");
    });
}

#[test]
fn a_resend_gets_the_first_answer_also_after_a_restart() {
    let folder = Folder::new("resend");
    let path = folder.0.join("a.db");
    let act = json!({"t": "act", "id": "mine-1", "rev": 0, "choose": 0});
    let server = Server::start(Box::new(Sqlite::open(&path).unwrap()), generous());
    let opened = wait(async {
        let (opened, mut ada, _bob) = two(&server.place, json!({})).await;
        for _ in 0..3 {
            let answer = ada.ask(act.clone()).await.unwrap();
            assert_eq!((&answer["t"], &answer["rev"]), (&"ok".into(), &1.into()), "{answer}");
        }
        opened
    });
    drop(server);
    let server = Server::start(Box::new(Sqlite::open(&path).unwrap()), generous());
    wait(async {
        let (mut ada, welcome) =
            Client::sit(&server.place, id(&opened), &token(&opened, 0), Some(0)).await.unwrap();
        assert_eq!((&welcome["rev"], &welcome["resumed"]), (&1.into(), &true.into()));
        assert!(welcome["now"].is_null());
        let missed = ada.hear_of("moved").await.unwrap();
        assert_eq!((&missed["rev"], missed["now"].is_object()), (&1.into(), true));
        ok(&ada.ask(act).await.unwrap());
        let now = ada.ask(json!({"t": "timeline"})).await.unwrap();
        assert_eq!(now["nodes"].as_array().unwrap().len(), 2, "{now}");
    });
}

#[test]
fn of_many_inputs_at_one_revision_exactly_one_wins() {
    let server = Server::new();
    wait(async {
        let (opened, _ada, _bob) = two(&server.place, json!({})).await;
        let tokens = token(&opened, 0);
        let mut racers = Vec::new();
        for number in 0..32 {
            let (place, id, tokens) = (server.place.clone(), id(&opened).to_owned(), tokens.clone());
            racers.push(tokio::spawn(async move {
                let (mut client, _) = Client::sit(&place, &id, &tokens, None).await.unwrap();
                client.ask(json!({"t": "act", "rev": 0, "choose": number % 9})).await.unwrap()
            }));
        }
        let (mut won, mut stale) = (0, 0);
        for racer in racers {
            let answer = racer.await.unwrap();
            match answer["code"].as_str() {
                None => won += 1,
                Some("STALE") => stale += 1,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((won, stale), (1, 31));
    });
}

#[test]
fn bots_play_and_what_is_stored_is_a_match_file() {
    let server = Server::new();
    wait(async {
        let wanted = json!({"game": "pebbles", "name": "Ada", "practice": false});
        let opened = open(&server.place, &wanted).await.unwrap();
        let (mut ada, welcome) =
            Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.unwrap();
        let path = format!("/api/matches/{}/file", id(&opened));
        let host = vec![opened["host"].as_str().unwrap().to_owned()];
        assert_eq!(request(&server.place, "GET", &path, &host, "").await.unwrap().status, 403);
        let mut now = welcome["now"].clone();
        let mut rev = 0;
        let over = loop {
            if now["actor"] == 0 {
                ok(&ada.ask(json!({"t": "act", "rev": rev, "choose": 0})).await.unwrap());
            }
            let heard = ada.hear().await.unwrap();
            match heard["t"].as_str().unwrap() {
                "moved" => (rev, now) = (heard["rev"].as_u64().unwrap(), heard["now"].clone()),
                "over" => break heard,
                _ => {}
            }
        };
        let file = request(&server.place, "GET", &path, &[], "").await.unwrap();
        let text = String::from_utf8(file.body).unwrap();
        let verified = GAMES.all()[0].verify(text.as_bytes(), &[], &mut |_| ()).unwrap();
        assert!(verified.closed, "the file is closed");
        let seed: u64 = over["reveal"]["seed"].as_str().unwrap().parse().unwrap();
        let salt = turnstone_server::hall::unhex(over["reveal"]["salt"].as_str().unwrap());
        assert_eq!(welcome["commitment"], turnstone_table::protocol::commitment(seed, &salt));
        let again = request(&server.place, "POST", "/api/import", &[], &text).await.unwrap();
        assert_eq!(again.status, 201, "{}", again.json());
        let copy =
            request(&server.place, "GET", &format!("/api/matches/{}/file", id(&again.json())), &[], "").await;
        assert_eq!(String::from_utf8(copy.unwrap().body).unwrap(), text);
    });
}

#[test]
fn takebacks_and_draws_need_everybody() {
    let server = Server::new();
    wait(async {
        let (_, mut ada, mut bob) = two(&server.place, json!({})).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        error(&ada.ask(json!({"t": "go", "moment": 0})).await.unwrap(), "NO_PRACTICE");
        let offered = ada.ask(json!({"t": "offer", "what": "takeback"})).await.unwrap();
        let offer = bob.hear_of("offer").await.unwrap();
        assert_eq!((&offer["offer"], &offer["wanted"]), (&offered["offer"], &json!([0, 1])), "{offer}");
        error(&bob.ask(json!({"t": "answer", "offer": 99, "yes": true})).await.unwrap(), "NO_SUCH_OFFER");
        ok(&bob.ask(json!({"t": "answer", "offer": offer["offer"], "yes": true})).await.unwrap());
        ada.hear_of("moved").await.unwrap();
        let back = ada.hear_of("moved").await.unwrap();
        assert_eq!((&back["how"], &back["now"]["moment"]), (&"undo".into(), &0.into()), "{back}");
        ok(&ada.ask(json!({"t": "offer", "what": "draw"})).await.unwrap());
        let offer = bob.hear_of("offer").await.unwrap()["offer"].clone();
        ok(&bob.ask(json!({"t": "answer", "offer": offer, "yes": false})).await.unwrap());
        ok(&bob.ask(json!({"t": "offer", "what": "draw"})).await.unwrap());
        // To offer what is offered is to agree.
        ok(&ada.ask(json!({"t": "offer", "what": "draw"})).await.unwrap());
        let over = bob.hear_of("over").await.unwrap();
        assert_eq!((&over["outcome"], &over["how"]), (&"Drawn".into(), &"agreed".into()));
        error(&ada.ask(json!({"t": "act", "rev": 2, "choose": 0})).await.unwrap(), "OVER");
        ok(&ada.ask(json!({"t": "offer", "what": "rematch"})).await.unwrap());
        ok(&bob.ask(json!({"t": "offer", "what": "rematch"})).await.unwrap());
        assert!(ada.hear_of("rematch").await.unwrap()["match"].is_string());
    });
}

#[test]
fn what_if_past_and_reasons_do_not_touch_the_match() {
    let server = Server::new();
    wait(async {
        let opened =
            open(&server.place, &json!({"game": "pebbles", "seats": [{"who": "me"}, {"who": "me"}]}))
                .await
                .unwrap();
        let tokens = [token(&opened, 0), token(&opened, 1)].concat();
        let (mut both, welcome) = Client::sit(&server.place, id(&opened), &tokens, None).await.unwrap();
        assert_eq!(welcome["you"]["seats"], json!([0, 1]));
        for rev in 0..3 {
            ok(&both.ask(json!({"t": "act", "rev": rev, "choose": 0})).await.unwrap());
        }
        let past = both.ask(json!({"t": "look", "moment": 1})).await.unwrap();
        assert_eq!((&past["now"]["moment"], &past["now"]["actor"]), (&1.into(), &1.into()), "{past}");
        assert!(past["now"]["scene"]["board"]["cells"].is_array());
        let tried = both
            .ask(json!({"t": "try", "from": 1, "inputs": [{"choose": 0}, {"choose": 0}, {"choose": 99}]}))
            .await
            .unwrap();
        assert_eq!(tried["steps"].as_array().unwrap().len(), 3, "{tried}");
        assert_eq!(tried["steps"][2]["error"]["code"], "MALFORMED");
        let why = both.ask(json!({"t": "why", "moment": 1})).await.unwrap();
        assert!(!why["lines"].as_array().unwrap().is_empty());
        let forecast = both.ask(json!({"t": "forecast", "rev": 3, "option": 0})).await.unwrap();
        assert_eq!((&forecast["t"], &forecast["certain"]), (&"forecast".into(), &true.into()), "{forecast}");
        let steps = both.ask(json!({"t": "steps", "moment": 1})).await.unwrap();
        let applied = steps["steps"].as_array().unwrap().iter().find(|step| step["step"] == "applied");
        assert!(applied.unwrap()["fields"].as_array().unwrap().len() > 1, "{steps}");
        let hint = both.ask(json!({"t": "hint"})).await.unwrap();
        assert!(hint["label"].is_string(), "{hint}");
        // In a what-if it is for whoever is to act there: one of what can be done there.
        let there = |t: &str| json!({"t": t, "from": 0, "inputs": [{"choose": 0}], "world": 1});
        let tried = both.ask(there("try")).await.unwrap();
        let hint = both.ask(there("hint")).await.unwrap();
        let meant = &tried["now"]["scene"]["options"][hint["option"].as_u64().unwrap() as usize];
        assert_eq!((&tried["now"]["actor"], &meant["label"]), (&1.into(), &hint["label"]), "{hint}");
        // What an option there would lead to is what it leads to, and the reasons are those of the last input.
        let foretold =
            json!({"t": "forecast", "option": 0, "from": 0, "inputs": [{"choose": 0}], "world": 1});
        let foretold = both.ask(foretold).await.unwrap();
        assert_eq!((&foretold["certain"], &foretold["worlds"]), (&true.into(), &12.into()), "{foretold}");
        let further = json!([{"choose": 0}, {"choose": 0}]);
        let then = both.ask(json!({"t": "try", "from": 0, "inputs": further, "world": 1})).await.unwrap();
        let texts = |lines: &Value| -> Vec<Value> {
            lines.as_array().unwrap().iter().map(|line| line["text"].clone()).collect()
        };
        assert_eq!(texts(&foretold["lines"]), texts(&then["steps"][1]["told"]), "{foretold}");
        let why = json!({"t": "why", "moment": 0, "inputs": further, "world": 1});
        let why = texts(&both.ask(why).await.unwrap()["lines"]);
        assert!(texts(&then["steps"][1]["told"]).iter().all(|text| why.contains(text)), "{why:?}");
        let wrong = json!({"t": "forecast", "option": 9999, "from": 0, "inputs": [{"choose": 0}]});
        error(&both.ask(wrong).await.unwrap(), "UNKNOWN_OPTION");
        let wrong = json!({"t": "hint", "from": 0, "inputs": [{"choose": 9999}]});
        assert_eq!(both.ask(wrong).await.unwrap()["t"], "error");
        let review = both.ask(json!({"t": "review", "seat": 0})).await.unwrap();
        assert!(review["turns"].is_array(), "{review}");
        ok(&both.ask(json!({"t": "go", "moment": 1})).await.unwrap());
        ok(&both.ask(json!({"t": "act", "rev": 4, "choose": 3})).await.unwrap());
        let branches = both.ask(json!({"t": "branches"})).await.unwrap();
        assert_eq!(branches["branches"].as_array().unwrap().len(), 2, "{branches}");
        let log = both.ask(json!({"t": "log"})).await.unwrap();
        assert_eq!(log["entries"].as_array().unwrap().len(), 2, "{log}");
        // The line that was left is told as well.
        let log = both.ask(json!({"t": "log", "tip": 3, "from": 2, "to": 3})).await.unwrap();
        let told: Vec<&Value> = log["entries"].as_array().unwrap().iter().map(|one| &one["moment"]).collect();
        assert_eq!(told, [2, 3], "{log}");
        error(&both.ask(json!({"t": "log", "tip": 99})).await.unwrap(), "NO_SUCH_MOMENT");
    });
}

#[test]
fn people_talk_are_muted_removed_and_invited() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, mut bob) = two(&server.place, json!({})).await;
        ok(&bob.ask(json!({"t": "say", "text": "hello"})).await.unwrap());
        let said = ada.hear_of("said").await.unwrap();
        assert_eq!(
            (&said["name"], &said["text"], &said["seat"]),
            (&"Bob".into(), &"hello".into(), &1.into())
        );
        error(&ada.ask(json!({"t": "mute", "seat": 1})).await.unwrap(), "NOT_HOST");
        let host = [token(&opened, 0), vec![opened["host"].as_str().unwrap().to_owned()]].concat();
        let (mut host, _) = Client::sit(&server.place, id(&opened), &host, None).await.unwrap();
        ok(&host.ask(json!({"t": "mute", "seat": 1})).await.unwrap());
        error(&bob.ask(json!({"t": "say", "text": "hello?"})).await.unwrap(), "MUTED");
        error(&ada.ask(json!({"t": "say", "text": "x".repeat(501)})).await.unwrap(), "TOO_LONG");
        let removed = host.ask(json!({"t": "remove", "seat": 1})).await.unwrap();
        let invitation = removed["invitation"].as_str().unwrap();
        assert!(Client::sit(&server.place, id(&opened), &token(&opened, 1), None).await.is_err());
        let path = format!("/api/matches/{}/join", id(&opened));
        let join = json!({"invitation": invitation, "name": "Cleo"}).to_string();
        let joined = request(&server.place, "POST", &path, &[], &join).await.unwrap();
        assert_eq!((joined.status, &joined.json()["seat"]), (200, &1.into()));
        let again = request(&server.place, "POST", &path, &[], &join).await.unwrap();
        assert_eq!((again.status, &again.json()["code"]), (409, &"USED_INVITATION".into()));
    });
}

#[test]
fn spectators_come_as_the_match_says() {
    let server = Server::new();
    wait(async {
        for watch in ["after", "never"] {
            let (opened, ..) = two(&server.place, json!({ "watch": watch })).await;
            let refusal = Client::sit(&server.place, id(&opened), &[], None).await.err().unwrap();
            assert_eq!(refusal.code, "NO_WATCHING");
        }
        let (opened, mut ada, mut bob) = two(&server.place, json!({"watch": "delayed", "delay": 1})).await;
        let (mut eve, _) = Client::sit(&server.place, id(&opened), &[], None).await.unwrap();
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        ok(&bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap());
        let moved = eve.hear_of("moved").await.unwrap();
        assert_eq!(
            (&moved["rev"], &moved["now"]["moment"], &moved["now"]["actor"]),
            (&1.into(), &1.into(), &1.into())
        );
        error(&eve.ask(json!({"t": "look", "moment": 2})).await.unwrap(), "NO_SUCH_MOMENT");
        ok(&ada.ask(json!({"t": "resign"})).await.unwrap());
        assert_eq!(eve.hear_of("moved").await.unwrap()["rev"], 2);
        let over = eve.hear_of("over").await.unwrap();
        assert_eq!((&over["outcome"], &over["how"]), (&json!({"Won": 1}), &"forfeit".into()));
    });
}

#[test]
fn an_absent_player_is_awaited_stood_in_for_or_loses() {
    let server = Server::new();
    wait(async {
        let (opened, ada, mut bob) = two(&server.place, json!({"absent": "bot", "patience": 5})).await;
        ada.close().await;
        let away = bob.hear_of("away").await.unwrap();
        assert_eq!((&away["seat"], &away["left"]), (&0.into(), &5000.into()));
        let moved = bob.hear_of("moved").await.unwrap();
        assert_eq!(moved["node"]["by"], 0, "the bot plays: {moved}");
        let (_ada, welcome) =
            Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.unwrap();
        assert_eq!(welcome["summary"]["seats"][0]["who"], "person", "he is back: {welcome}");
        assert_eq!(welcome["summary"]["seats"][0]["name"], "Ada");
    });
}

#[test]
fn streams_and_requests_are_enough_for_a_program() {
    let server = Server::new();
    wait(async {
        let opened = open(&server.place, &json!({"game": "pebbles"})).await.unwrap();
        let (tokens, base) = (token(&opened, 0), format!("/api/matches/{}", id(&opened)));
        let act = json!({"t": "act", "id": "a", "rev": 0, "choose": 0}).to_string();
        let sent = request(&server.place, "POST", &format!("{base}/send"), &tokens, &act).await.unwrap();
        assert_eq!((sent.status, &sent.json()["t"]), (200, &"ok".into()), "{}", sent.json());
        let stale = json!({"t": "act", "id": "b", "rev": 0, "choose": 0}).to_string();
        let sent = request(&server.place, "POST", &format!("{base}/send"), &tokens, &stale).await.unwrap();
        assert_eq!((sent.status, &sent.json()["code"]), (409, &"STALE".into()));
        assert_eq!(sent.json()["missed"][0]["rev"], 1);
        let now = request(&server.place, "GET", &format!("{base}/now"), &tokens, "").await.unwrap();
        assert_eq!(now.json()["t"], "welcome");
        let at = request(&server.place, "GET", &format!("{base}/at/0"), &tokens, "").await.unwrap();
        assert_eq!(at.json()["now"]["moment"], 0);
        let mine = json!({"matches": [{"match": id(&opened), "tokens": tokens}, {"match": "nothingthere"}]});
        let mine = request(&server.place, "POST", "/api/mine", &[], &mine.to_string()).await.unwrap().json();
        assert_eq!(mine["matches"].as_array().unwrap().len(), 1, "{mine}");
        assert_eq!(mine["matches"][0]["mine"], json!([0]));
    });
}

#[test]
fn strangers_are_told_clearly_and_change_nothing() {
    let server = Server::start(
        Box::new(Memory::default()),
        Settings { sockets_per_address: 4, messages_per_second: 1, messages_at_once: 3, ..generous() },
    );
    let place = &server.place;
    wait(async {
        for (method, path, body, status, code) in [
            ("GET", "/api/nothing", "", 404, "NOT_FOUND"),
            ("POST", "/api/matches", "{", 400, "MALFORMED"),
            ("POST", "/api/matches", r#"{"game":"poker"}"#, 400, "UNKNOWN_GAME"),
            (
                "POST",
                "/api/matches",
                r#"{"game":"pebbles","seats":[{"who":"bot","bot":"x"}]}"#,
                400,
                "UNKNOWN_BOT",
            ),
            ("POST", "/api/matches", r#"{"game":"pebbles","colour":1}"#, 400, "MALFORMED"),
            ("POST", "/api/matches", r#"{"game":"pebbles","practice":false,"seed":"1"}"#, 403, "NO_PRACTICE"),
            ("GET", "/api/matches/../../etc/passwd", "", 404, "NOT_FOUND"),
            ("GET", "/api/matches/AAAAAAAAAAAA", "", 404, "NO_MATCH"),
            ("DELETE", "/api/matches/AAAAAAAAAAAA", "", 404, "NO_MATCH"),
            ("POST", "/api/import", "no match file", 400, "MALFORMED_LINE"),
        ] {
            let answer = request(place, method, path, &[], body).await.unwrap();
            let told = answer.json();
            assert_eq!(
                (answer.status, told["code"].as_str()),
                (status, Some(code)),
                "{method} {path}: {told}"
            );
        }
        let long = vec![b'x'; 70_000];
        let answer = request_with(place, "POST", "/api/matches", "", &long).await.unwrap();
        assert_eq!((answer.status, answer.json()["code"].as_str()), (413, Some("TOO_LONG")));
        let foreign = "origin: https://evil.example\r\n";
        let answer = request_with(place, "POST", "/api/matches", foreign, b"{}").await.unwrap();
        assert_eq!((answer.status, answer.json()["code"].as_str()), (403, Some("ORIGIN")));
        let page = request(place, "GET", "/m/anything", &[], "").await.unwrap();
        assert!(
            page.status == 200
                && page.head.to_lowercase().contains("content-security-policy: default-src 'self'")
        );
        let astray = request_with(place, "GET", "/nonsense", "accept: text/html\r\n", b"").await.unwrap();
        assert!(astray.status == 404 && astray.head.to_lowercase().contains("content-type: text/html"));
        let program = request(place, "GET", "/nonsense", &[], "").await.unwrap();
        assert_eq!((program.status, program.json()["code"].as_str()), (404, Some("NOT_FOUND")));
        let opened = open(place, &json!({"game": "pebbles"})).await.unwrap();
        assert_eq!(
            Client::sit(place, id(&opened), &["s_wrong".to_owned()], None).await.err().unwrap().code,
            "BAD_TOKEN"
        );
        let (mut ada, _) = Client::sit(place, id(&opened), &token(&opened, 0), None).await.unwrap();
        error(&ada.ask(json!({"t": "dance"})).await.unwrap(), "UNKNOWN_MESSAGE");
        for _ in 0..3 {
            ada.send(&json!({"t": "ping", "id": "p"})).await.unwrap();
        }
        let slow_down = ada.hear_of("error").await.unwrap();
        error(&slow_down, "TOO_FAST");
        assert!(slow_down["retry_ms"].as_u64().unwrap() > 0);
        ada.send_text("x".repeat(9000)).await.unwrap();
        while ada.hear().await.is_ok() {}
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(Client::connect(place).await);
        }
        assert!(Client::connect(place).await.is_err() || held.iter().any(Result::is_err), "a fifth socket");
        let metrics = request(&server.operate, "GET", "/metrics", &[], "").await.unwrap();
        let metrics = String::from_utf8(metrics.body).unwrap();
        assert!(metrics.contains("turnstone_matches_opened_total 1"), "{metrics}");
        assert_eq!(request(place, "GET", "/metrics", &[], "").await.unwrap().status, 404);
    });
}

/// How many matches are in memory, as the operator is told.
pub async fn awake(server: &Server) -> i64 {
    let told = request(&server.operate, "GET", "/metrics", &[], "").await.unwrap();
    let text = String::from_utf8_lossy(&told.body).into_owned();
    let line = text
        .lines()
        .find(|line| line.starts_with("turnstone_matches_awake "))
        .unwrap_or_else(|| panic!("{text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn a_match_without_anybody_sleeps_and_wakes_as_it_was() {
    let folder = Folder::new("sleep");
    let store = Box::new(Sqlite::open(&folder.0.join("matches.db")).unwrap());
    let server = Server::start(store, Settings { idle: 1, ..generous() });
    wait(async {
        let (opened, mut ada, bob) = two(&server.place, json!({})).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        let seen = ada.ask(json!({"t": "view"})).await.unwrap();
        assert_eq!(awake(&server).await, 1);
        ada.close().await;
        bob.close().await;
        while awake(&server).await > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Nobody is woken to be looked at.
        let path = format!("/api/matches/{}", id(&opened));
        let summary = request(&server.place, "GET", &path, &[], "").await.unwrap().json();
        assert_eq!((&summary["moves"], awake(&server).await), (&1.into(), 0));
        let mine = json!({"matches": [{"match": id(&opened), "tokens": token(&opened, 1)}], "asleep": true});
        let mine = request(&server.place, "POST", "/api/mine", &[], &mine.to_string()).await.unwrap().json();
        assert_eq!((&mine["matches"][0]["actor"], awake(&server).await), (&1.into(), 0), "{mine}");
        let (mut ada, welcome) =
            Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.unwrap();
        assert_eq!(welcome["rev"], 1);
        assert_eq!(awake(&server).await, 1);
        let again = ada.ask(json!({"t": "view"})).await.unwrap();
        assert_eq!((&again["view"], &again["inputs"]), (&seen["view"], &seen["inputs"]));
    });
}
