//! What one may know is law, also where a match is more than its table: typed moves, counts, clocks, chats, offers.

use serde_json::{Value, json};
use turnstone_server::client::{Client, open, request};

use crate::server::{Server, error, id, ok, token, two, wait};

/// Everything that came so far, but who comes and goes.
async fn heard(client: &mut Client) -> Vec<Value> {
    ok(&client.ask(json!({"t": "ping", "id": "so-far"})).await.unwrap());
    client.send(&json!({"t": "ping", "id": "all"})).await.unwrap();
    let mut heard = Vec::new();
    loop {
        let message = client.hear().await.unwrap();
        if message["id"] == "all" {
            return heard;
        }
        if message["t"] != "seats" {
            heard.push(message);
        }
    }
}

async fn get(place: &str, path: &str, tokens: &[String]) -> Value {
    request(place, "GET", path, tokens, "").await.unwrap().json()
}

#[test]
fn out_of_turn_every_text_gets_one_answer() {
    let server = Server::new();
    wait(async {
        let (_, mut ada, mut bob) = two(&server.place, json!({})).await;
        for text in ["a3", "z9", "peek", "resign"] {
            let answer = bob.ask(json!({"t": "act", "rev": 0, "text": text})).await.unwrap();
            error(&answer, "NOT_YOURS");
        }
        error(&ada.ask(json!({"t": "act", "rev": 0, "text": "z9"})).await.unwrap(), "MALFORMED");
        ok(&ada.ask(json!({"t": "act", "rev": 0, "text": "a3"})).await.unwrap());
    });
}

/// All that a seat or a spectator is told when it asks, without the numbers of messages.
async fn asked(client: &mut Client) -> Vec<String> {
    let mut told = Vec::new();
    for question in [
        json!({"t": "view"}),
        json!({"t": "timeline"}),
        json!({"t": "branches"}),
        json!({"t": "log"}),
        json!({"t": "look", "moment": 0}),
        json!({"t": "look", "moment": 1}),
        json!({"t": "why", "moment": 1}),
        json!({"t": "number", "name": "gold"}),
        json!({"t": "sample", "world": 3}),
        json!({"t": "try", "from": 0, "inputs": [{"choose": 0}], "world": 5}),
        json!({"t": "forecast", "option": 0, "rev": 1}),
        json!({"t": "act", "rev": 1, "text": "a1"}),
    ] {
        let mut answer = client.ask(question.clone()).await.unwrap();
        answer["id"] = Value::Null;
        told.push(format!("{question}: {answer}"));
    }
    told
}

/// One unseen input more: the same numbers, the same bytes, and nothing is heard.
#[test]
fn an_unseen_input_makes_no_difference() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, mut bob) = two(&server.place, json!({})).await;
        let (mut eve, _) = Client::sit(&server.place, id(&opened), &[], None).await.unwrap();
        let now = format!("/api/matches/{}/now", id(&opened));
        // At the start, and where the last action is marked on the board.
        for (turn, first) in [(0, true), (1, false)] {
            let mut others = if turn == 0 { [&mut bob, &mut eve] } else { [&mut ada, &mut eve] };
            let seats = [token(&opened, 1 - turn), Vec::new()];
            let (mut before, mut scenes) = (Vec::new(), Vec::new());
            for (client, tokens) in others.iter_mut().zip(&seats) {
                heard(client).await;
                before.push(asked(client).await);
                scenes.push(get(&server.place, &now, tokens).await["now"].clone());
            }
            let actor = if turn == 0 { &mut ada } else { &mut bob };
            let rev = if first { 0 } else { 1 };
            let peek = json!({"t": "act", "rev": rev, "input": {"act": "peek"}});
            ok(&actor.ask(peek).await.unwrap());
            let mut others = if turn == 0 { [&mut bob, &mut eve] } else { [&mut ada, &mut eve] };
            for (n, client) in others.iter_mut().enumerate() {
                assert_eq!(heard(client).await, Vec::<Value>::new(), "turn {turn}, listener {n}");
                assert_eq!(asked(client).await, before[n], "turn {turn}, listener {n}");
                assert_eq!(get(&server.place, &now, &seats[n]).await["now"], scenes[n]);
            }
            let actor = if turn == 0 { &mut ada } else { &mut bob };
            let claim = json!({"t": "act", "rev": rev + 1, "input": {"act": {"claim": turn}}});
            ok(&actor.ask(claim).await.unwrap());
            if turn == 0 {
                // Who has not seen the first counts from here.
                ok(&bob.ask(json!({"t": "ping"})).await.unwrap());
            }
        }
    });
}

#[test]
fn how_far_a_match_has_come_is_for_those_who_may_watch_it() {
    let server = Server::new();
    wait(async {
        for watch in ["after", "never", "delayed"] {
            let more = json!({ "watch": watch, "delay": 1, "public": true, "clock": {"days": 2} });
            let (opened, mut ada, _bob) = two(&server.place, more).await;
            let path = format!("/api/matches/{}", id(&opened));
            ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
            let listed = get(&server.place, "/api/matches?limit=1", &[]).await["matches"][0].clone();
            for told in [get(&server.place, &path, &[]).await, listed] {
                for field in ["moves", "touched", "due"] {
                    assert!(told[field].is_null(), "{watch}: {field}: {told}");
                }
                assert_eq!((&told["title"], &told["match"]), (&"".into(), &opened["match"]));
                let actor = if watch == "delayed" && told["actor"] == 0 { json!(0) } else { Value::Null };
                assert_eq!(told["actor"], actor, "{watch}: as spectators know it: {told}");
            }
            let own = get(&server.place, &format!("{path}/now"), &token(&opened, 1)).await;
            assert_eq!((&own["summary"]["moves"], &own["summary"]["actor"]), (&1.into(), &1.into()));
            ok(&ada.ask(json!({"t": "resign"})).await.unwrap());
            assert_eq!(get(&server.place, &path, &[]).await["moves"], 1);
        }
    });
}

#[test]
fn a_title_follows_the_match_wherever_it_may_be_watched() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, _bob) = two(&server.place, json!({ "practice": true })).await;
        let path = format!("/api/matches/{}", id(&opened));
        assert_eq!(get(&server.place, &path, &[]).await["title"], "Ada to play");
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        assert_eq!(get(&server.place, &path, &[]).await["title"], "Bob to play");
        ok(&ada.ask(json!({"t": "go", "moment": 0})).await.unwrap());
        assert_eq!(get(&server.place, &path, &[]).await["title"], "Ada to play");
    });
}

#[test]
fn who_lags_behind_hears_clocks_and_talk_as_late_as_moves() {
    let server = Server::new();
    wait(async {
        let more = json!({ "watch": "delayed", "delay": 2, "clock": {"minutes": 5, "increment": 7} });
        let (opened, mut ada, mut bob) = two(&server.place, more).await;
        let (mut eve, welcome) = Client::sit(&server.place, id(&opened), &[], None).await.unwrap();
        let first = welcome["clock"].clone();
        assert_eq!((&first["left"], &first["runs"]), (&json!([300_000, 300_000]), &Value::Null));
        heard(&mut eve).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        ok(&bob.ask(json!({"t": "offer", "what": "draw"})).await.unwrap());
        ok(&bob.ask(json!({"t": "act", "rev": 1, "choose": 0})).await.unwrap());
        ok(&ada.ask(json!({"t": "say", "text": "two moves are made"})).await.unwrap());
        ok(&ada.ask(json!({"t": "say", "text": "and this is about the start", "moment": 0})).await.unwrap());
        for what in ["pause", "resume"] {
            ok(&ada.ask(json!({"t": "offer", "what": what})).await.unwrap());
            ok(&bob.ask(json!({"t": "offer", "what": what})).await.unwrap());
        }
        assert_eq!(heard(&mut eve).await, Vec::<Value>::new());
        let now = get(&server.place, &format!("/api/matches/{}/now", id(&opened)), &[]).await;
        assert_eq!((&now["rev"], &now["clock"], &now["chat"]), (&0.into(), &first, &json!([])));
        assert_eq!(now["summary"]["actor"], 0);
        // What spectators say they have not learnt from anybody.
        ok(&eve.ask(json!({"t": "say", "text": "who is winning?"})).await.unwrap());
        assert_eq!(eve.hear_of("said").await.unwrap()["seat"], Value::Null);
        ok(&ada.ask(json!({"t": "act", "rev": 2, "choose": 0})).await.unwrap());
        let told = heard(&mut eve).await;
        assert_eq!((told.len(), &told[0]["rev"]), (1, &1.into()), "{told:?}");
        assert!(told[0]["clock"]["left"][0].as_u64().unwrap() > 300_000, "an increment: {told:?}");
        ok(&bob.ask(json!({"t": "act", "rev": 3, "choose": 0})).await.unwrap());
        let told = heard(&mut eve).await;
        let kinds: Vec<&str> = told.iter().map(|message| message["t"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["moved", "said", "said"], "{told:?}");
        assert_eq!((&told[1]["moment"], &told[2]["moment"]), (&2.into(), &0.into()));
    });
}

#[test]
fn nobody_agrees_for_a_bot() {
    let server = Server::new();
    wait(async {
        let wanted = json!({"game": "pebbles", "practice": false});
        let opened = open(&server.place, &wanted).await.unwrap();
        let (mut ada, _) = Client::sit(&server.place, id(&opened), &token(&opened, 0), None).await.unwrap();
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        error(&ada.ask(json!({"t": "offer", "what": "draw"})).await.unwrap(), "NO_PARTNER");
        error(&ada.ask(json!({"t": "offer", "what": "takeback"})).await.unwrap(), "NO_PRACTICE");
        // In practice with people, too, a draw is for both to make; what is played is free.
        let (_, mut ada, mut bob) = two(&server.place, json!({ "practice": true })).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "choose": 0})).await.unwrap());
        let draw = ada.ask(json!({"t": "offer", "what": "draw"})).await.unwrap();
        assert!(draw["offer"].is_u64(), "{draw}");
        let back = ada.ask(json!({"t": "offer", "what": "takeback"})).await.unwrap();
        assert!(back["offer"].is_null(), "{back}");
        ok(&bob.ask(json!({"t": "answer", "offer": draw["offer"], "yes": true})).await.unwrap());
        assert_eq!(ada.hear_of("over").await.unwrap()["how"], "agreed");
        // Who plays both sides agrees with himself.
        let both = json!([{ "who": "me" }, { "who": "me" }]);
        let opened = open(&server.place, &json!({"game": "pebbles", "seats": both})).await.unwrap();
        let tokens = [token(&opened, 0), token(&opened, 1)].concat();
        let (mut both, _) = Client::sit(&server.place, id(&opened), &tokens, None).await.unwrap();
        ok(&both.ask(json!({"t": "offer", "what": "draw"})).await.unwrap());
        assert_eq!(both.hear_of("over").await.unwrap()["outcome"], "Drawn");
    });
}

#[test]
fn everybody_sees_that_a_seat_has_changed_hands() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, mut bob) = two(&server.place, json!({})).await;
        let hands = |seats: &Value| (seats[0]["hands"].clone(), seats[1]["hands"].clone());
        let path = format!("/api/matches/{}", id(&opened));
        ok(&bob.ask(json!({"t": "name", "name": "Robert"})).await.unwrap());
        assert_eq!(hands(&get(&server.place, &path, &[]).await["seats"]), (1.into(), 1.into()));
        ok(&bob.ask(json!({"t": "leave"})).await.unwrap());
        let join = r#"{"name":"Cleo"}"#;
        assert_eq!(
            request(&server.place, "POST", &format!("{path}/join"), &[], join).await.unwrap().status,
            200
        );
        let seats = loop {
            let seats = ada.hear_of("seats").await.unwrap()["seats"].clone();
            if seats[1]["name"] == "Cleo" {
                break seats;
            }
        };
        assert_eq!(hands(&seats), (1.into(), 2.into()), "{seats}");
    });
}

#[test]
fn a_host_rules_who_of_those_that_watch_may_speak() {
    let server = Server::new();
    wait(async {
        let (opened, mut ada, _bob) = two(&server.place, json!({})).await;
        let place = &server.place;
        let watch = async |name: &str| {
            let mut client = Client::connect(place).await.unwrap();
            let hello = json!({"t": "hello", "protocol": 1, "match": id(&opened), "name": name});
            client.send(&hello).await.unwrap();
            let welcome = client.hear().await.unwrap();
            (client, welcome)
        };
        let (mut eve, welcome) = watch("Eve").await;
        assert_eq!(welcome["you"]["name"], "Eve");
        let (_, passing) = watch(" ada").await;
        assert_eq!(passing["you"]["name"], "ada (watching)", "nobody passes for who plays");
        error(&eve.ask(json!({"t": "name", "name": "Bob"})).await.unwrap(), "NAME_TAKEN");
        let host = vec![opened["host"].as_str().unwrap().to_owned()];
        let (mut host, _) = Client::sit(place, id(&opened), &host, None).await.unwrap();
        error(&eve.ask(json!({"t": "mute", "name": "Bob"})).await.unwrap(), "NOT_HOST");
        ok(&host.ask(json!({"t": "mute", "name": "eve"})).await.unwrap());
        while host.hear_of("seats").await.unwrap()["muted"] != json!(["eve"]) {}
        assert_eq!(watch("Pat").await.1["muted"], json!(["eve"]), "who comes later is told the same");
        ok(&eve.ask(json!({"t": "name", "name": "Yves"})).await.unwrap());
        error(&eve.ask(json!({"t": "say", "text": "and now?"})).await.unwrap(), "MUTED");
        ok(&host.ask(json!({"t": "unmute", "name": "Eve"})).await.unwrap());
        ok(&eve.ask(json!({"t": "say", "text": "thank you"})).await.unwrap());
        ok(&host.ask(json!({"t": "hush", "hushed": true})).await.unwrap());
        error(&eve.ask(json!({"t": "say", "text": "oh"})).await.unwrap(), "MUTED");
        ok(&ada.ask(json!({"t": "say", "text": "at last"})).await.unwrap());
        ok(&host.ask(json!({"t": "hush", "hushed": false})).await.unwrap());
        ok(&host.ask(json!({"t": "remove", "name": "Yves"})).await.unwrap());
        assert!(eve.hear_of("nothing").await.is_err());
        assert_eq!(watch("Yves").await.1["code"], "REMOVED");
        // Who gives no name is one of several: what is done about one is not done to the others, nor to the next.
        let (mut first, one) = watch("").await;
        let (mut second, two) = watch("somebody").await;
        assert_eq!((&one["you"]["name"], &two["you"]["name"]), (&"somebody 2".into(), &"somebody 3".into()));
        ok(&host.ask(json!({"t": "mute", "name": "somebody 3"})).await.unwrap());
        error(&second.ask(json!({"t": "say", "text": "why?"})).await.unwrap(), "MUTED");
        ok(&first.ask(json!({"t": "say", "text": "I may"})).await.unwrap());
        ok(&host.ask(json!({"t": "remove", "name": "somebody 3"})).await.unwrap());
        assert!(second.hear_of("nothing").await.is_err());
        ok(&first.ask(json!({"t": "say", "text": "I am still here"})).await.unwrap());
        let (mut third, three) = watch("").await;
        assert_eq!(three["you"]["name"], "somebody 3", "{three}");
        ok(&third.ask(json!({"t": "say", "text": "new here"})).await.unwrap());
    });
}

// The end, and what comes after it.

/// Plays whatever can be played until it is over; gives what the first seat is told then.
async fn play_to_the_end(place: &str, opened: &Value) -> Value {
    let path = format!("/api/matches/{}", id(opened));
    for number in 0.. {
        let now = get(place, &format!("{path}/now"), &token(opened, 0)).await;
        if !now["now"]["outcome"].is_null() {
            return now;
        }
        let actor = token(opened, now["now"]["actor"].as_u64().unwrap() as usize);
        let rev = get(place, &format!("{path}/now"), &actor).await["rev"].clone();
        let act = json!({"t": "act", "id": format!("end-{number}"), "rev": rev, "choose": 0}).to_string();
        let sent = request(place, "POST", &format!("{path}/send"), &actor, &act).await.unwrap();
        assert_eq!(sent.status, 200, "{}", sent.json());
    }
    unreachable!("every match ends")
}

/// What is shown of the first player's secret.
fn secret(told: &Value) -> String {
    told["now"]["scene"]["panels"][0]["items"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// Whoever looked on after the end went on to see everything when the match was taken back, and who was there when it
/// ended saw nothing more until he came again.
#[test]
fn everybody_sees_with_the_eyes_that_he_has_when_a_match_ends_and_when_it_goes_on() {
    let server = Server::new();
    wait(async {
        let place = &server.place;
        let (opened, mut ada, mut bob) = two(place, json!({ "practice": true })).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "input": {"act": "peek"}})).await.unwrap());
        let over = play_to_the_end(place, &opened).await;
        assert_ne!(secret(&over), "Ada: null");
        // Who has been there all the time sees and counts everything now: the peek, too.
        let welcome = bob.hear_of("welcome").await.unwrap();
        assert_eq!(secret(&welcome), secret(&over));
        let nodes = |told: &Value| told["timeline"]["nodes"].as_array().unwrap().len();
        assert_eq!(nodes(&welcome), nodes(&over), "{welcome}");
        assert_eq!((&welcome["rev"], &welcome["now"]["moment"]), (&over["rev"], &over["now"]["moment"]));
        assert!(bob.hear_of("over").await.unwrap()["reveal"]["salt"].is_string());
        // Others come only now.
        let (mut late, _) = Client::sit(place, id(&opened), &token(&opened, 1), None).await.unwrap();
        let (mut eve, _) = Client::sit(place, id(&opened), &[], None).await.unwrap();
        ok(&ada.ask(json!({"t": "offer", "what": "takeback"})).await.unwrap());
        for (client, mine) in [(&mut bob, false), (&mut late, false), (&mut eve, false), (&mut ada, true)] {
            let welcome = loop {
                let welcome = client.hear_of("welcome").await.unwrap();
                if welcome["summary"]["state"] != "over" {
                    break welcome;
                }
            };
            assert_eq!(secret(&welcome) == "Ada: null", !mine, "{welcome}");
            assert_eq!(nodes(&welcome) == nodes(&over), mine, "{welcome}");
            let moved = client.hear_of("moved").await.unwrap();
            assert_eq!(moved["rev"].as_u64(), welcome["rev"].as_u64().map(|rev| rev + 1), "{moved}");
            assert_eq!(secret(&moved) == "Ada: null", !mine, "{moved}");
            if !mine {
                let view = client.ask(json!({"t": "view"})).await.unwrap();
                assert_eq!(view["view"]["secrets"], json!([null, null]), "{view}");
            }
        }
    });
}

/// A number of changes that was counted with all eyes is no place to go on from.
#[test]
fn who_comes_back_to_a_match_that_was_over_is_told_everything_anew() {
    let server = Server::new();
    wait(async {
        let place = &server.place;
        let (opened, mut ada, _bob) = two(place, json!({ "practice": true })).await;
        ok(&ada.ask(json!({"t": "act", "rev": 0, "input": {"act": "peek"}})).await.unwrap());
        play_to_the_end(place, &opened).await;
        ok(&ada.ask(json!({"t": "go", "moment": 0})).await.unwrap());
        for have in [1, 10, 11] {
            let (_, welcome) = Client::sit(place, id(&opened), &token(&opened, 1), Some(have)).await.unwrap();
            assert_eq!(welcome["resumed"], false, "{have}: {welcome}");
        }
    });
}

#[test]
fn who_may_watch_after_the_end_alone_has_to_go_when_it_is_taken_back() {
    let server = Server::new();
    wait(async {
        let place = &server.place;
        let (opened, mut ada, _bob) = two(place, json!({ "practice": true, "watch": "after" })).await;
        play_to_the_end(place, &opened).await;
        let (mut eve, _) = Client::sit(place, id(&opened), &[], None).await.unwrap();
        ok(&ada.ask(json!({"t": "offer", "what": "takeback"})).await.unwrap());
        assert!(eve.hear_of("moved").await.is_err());
        assert_eq!(eve.closed, Some((1012, "CHANGED".to_owned())));
        let refused = Client::sit(place, id(&opened), &[], None).await.err().unwrap();
        assert_eq!(refused.code, "NO_WATCHING");
    });
}
