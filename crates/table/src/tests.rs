//! Tables and doors, tried on the little game of [`testing`](crate::testing).

use serde_json::{Value, json};
use turnstone::Viewer;
use turnstone_host::Opening;
use turnstone_host::scene::Pick;

use crate::protocol::{Door, Doors, LONGEST_LINE, Terms, commitment};
use crate::testing::PEBBLES;
use crate::{Games, Host, LoadError, Plan, Table};

const PRACTICE: Terms = Terms { salt: [7; 16], practice: true };

fn open(seed: u64) -> Box<dyn Table> {
    PEBBLES.open(&Opening { seed, ..Opening::default() }).expect("pebbles open")
}

#[test]
fn acts_undoes_branches_and_saves() {
    let mut table = open(3);
    table.act(&json!({"act": {"claim": 0}})).unwrap();
    assert_eq!(table.act(&json!({"act": {"claim": 0}})).unwrap_err().code(), "TAKEN");
    assert_eq!(table.act(&json!({"act": 7})).unwrap_err().code(), "MALFORMED");
    let first_save = table.save().unwrap();
    assert!(table.undo());
    table.choose(1).unwrap();
    assert_eq!(table.branches(Viewer::All).len(), 2);
    assert_eq!(table.choose(99).unwrap_err().code(), "MALFORMED");

    // Saving appends to what was written before, and gives what a fresh writer gives.
    let text = table.save().unwrap();
    let common = first_save.lines().count() - 1;
    assert!(first_save.lines().take(common).eq(text.lines().take(common)));
    let again = PEBBLES.load(text.as_bytes(), &[]).unwrap();
    assert_eq!(again.digest(), table.digest());
    assert_eq!((again.here(), again.moments()), (table.here(), table.moments()));
    assert_eq!(again.save().unwrap(), text);
}

#[test]
fn load_names_what_is_wrong() {
    let text = open(1).save().unwrap();
    let forged = text.replace("\"seed\":1", "\"seed\":2");
    let refusal = PEBBLES.load(forged.as_bytes(), &[]).err().unwrap();
    assert_eq!(refusal.code(), "BROKEN_CHAIN");
    let nothing = Games::new(&[]);
    assert!(matches!(nothing.load(&text, &[]).err(), Some(LoadError::UnknownGame { .. })));
    assert_eq!(nothing.load("", &[]).err().unwrap().code(), "MALFORMED_LINE");
}

#[test]
fn a_question_is_answered_like_any_input() {
    let mut table = open(1);
    let number = table.scene(Viewer::Seat(0)).options.iter().position(|o| o.picks == [Pick::Cell(1, 1)]);
    table.choose(number.unwrap()).unwrap();
    assert_eq!(table.scene(Viewer::Seat(0)).question.as_deref(), Some("Keep the middle?"));
    assert_eq!(table.question(Viewer::Seat(0)).unwrap()["text"], "Keep the middle?");
    assert_eq!(table.question(Viewer::Seat(1)), None);
    assert_eq!(table.scene(Viewer::Seat(1)).question, None);
    assert_eq!(table.inputs(Viewer::Seat(0)), [json!({"choose": true}), json!({"choose": false})]);
    let paused = PEBBLES.load(table.save().unwrap().as_bytes(), &[]).unwrap();
    assert_eq!(paused.inputs(Viewer::All), table.inputs(Viewer::All));
    table.choose(1).unwrap();
    assert!(table.explain(table.here(), Viewer::All).to_string().contains("leaves b2 to nobody"));
}

#[test]
fn secrets_stay_with_their_owner() {
    let mut table = open(5);
    table.act(&json!({"act": "peek"})).unwrap();
    let moment = table.here();
    let told = |viewer| table.explain(moment, viewer).to_string();
    assert!(told(Viewer::Seat(0)).contains("Ada has the secret"), "{}", told(Viewer::Seat(0)));
    assert_eq!(told(Viewer::Seat(1)), "");
    assert_eq!(told(Viewer::Spectator), "");
    assert_eq!(table.news(moment, Viewer::Seat(1)), Vec::<Value>::new());
    assert_eq!(table.log(Viewer::Seat(0)).len(), 1);
    assert!(table.scene(Viewer::Seat(1)).options.is_empty(), "only who is to act sees options");
    assert_eq!(table.view(Viewer::Seat(1))["secrets"], json!([null, null]));
}

#[test]
fn bots_play_their_seats_only() {
    let mut table = open(2);
    assert_eq!(table.seat_bot(7, "random", 0).unwrap_err().code(), "UNKNOWN_SEAT");
    assert_eq!(table.seat_bot(1, "clever", 0).unwrap_err().code(), "UNKNOWN_BOT");
    table.seat_bot(1, "random", 0).unwrap();
    assert_eq!(table.bot_choice(), None);
    table.choose(0).unwrap();
    assert!(table.bot_choice().is_some());
}

#[test]
fn a_bot_thinks_elsewhere_while_the_table_is_used() {
    let mut table = open(2);
    table.seat_bot(1, "random", 0).unwrap();
    table.choose(0).unwrap();
    let thinking = table.think().unwrap();
    let elsewhere = std::thread::spawn(thinking);
    assert!(table.undo() && table.redo());
    assert!(elsewhere.join().unwrap() < table.inputs(Viewer::All).len());
}

#[test]
fn simulations_end_and_are_the_same_again() {
    let plan = Plan { bot: "random".to_owned(), seats: Vec::new(), max_inputs: 100 };
    let venue = PEBBLES.venue(&Opening::default()).unwrap();
    let played = venue.simulate(9, &plan).unwrap();
    assert!(played.outcome.is_some() && played.stuck.is_none());
    assert_eq!(venue.simulate(9, &plan).unwrap(), played);
    let short = Plan { max_inputs: 3, ..plan.clone() };
    assert!(venue.simulate(9, &short).unwrap().stuck.is_some());
    let nobody = Plan { bot: "nobody".to_owned(), ..plan };
    assert_eq!(venue.simulate(9, &nobody).unwrap_err().code(), "UNKNOWN_BOT");
}

#[test]
fn a_door_plays_a_whole_game_by_numbers() {
    let mut table = open(4);
    table.seat_bot(1, "random", 0).unwrap();
    let mut door = Door::new(table, Some(0), PRACTICE).unwrap();
    let mut lines = door.greet();
    assert_eq!(lines[0]["type"], "hello");
    for _ in 0..40 {
        let last = lines.last().unwrap().clone();
        match last["type"].as_str() {
            Some("turn") => assert!(!last["inputs"].as_array().unwrap().is_empty()),
            Some("over") => break,
            other => panic!("unexpected {other:?}"),
        }
        lines = door.hear("0");
    }
    assert_eq!(lines.last().unwrap()["type"], "over");
    assert_eq!(door.hear("0")[0]["code"], "GAME_OVER");
    assert_eq!(door.hear(r#"{"command":"undo"}"#).last().unwrap()["type"], "turn");
    assert_eq!(door.hear(r#"{"command":"quit"}"#), [json!({"type": "bye", "seat": 0})]);
    assert!(!door.is_open());
}

#[test]
fn a_wrong_line_gets_an_error_and_changes_nothing() {
    let mut door = Door::new(open(4), None, PRACTICE).unwrap();
    door.greet();
    let before = door.table().digest();
    for wrong in [
        "{",
        "null",
        "[]",
        "-1",
        "99",
        "1.5",
        "\"z9\"",
        "{\"act\":{}}",
        "{\"command\":\"dance\"}",
        "{\"command\":\"undo\"}",
        "{\"input\":{\"act\":{\"claim\":77}}}",
    ] {
        let lines = door.hear(wrong);
        assert_eq!(lines.len(), 1, "{wrong}");
        assert_eq!(lines[0]["type"], "error", "{wrong}");
        assert_eq!(door.table().digest(), before, "{wrong}");
    }
    assert_eq!(door.hear("\"a3\"").last().unwrap()["seat"], 1);
    assert!(door.hear("  ").is_empty());
}

#[test]
fn a_door_needs_somebody_in_every_seat() {
    assert_eq!(Door::new(open(1), Some(0), PRACTICE).err().unwrap().code(), "EMPTY_SEAT");
    assert_eq!(Door::new(open(1), Some(9), PRACTICE).err().unwrap().code(), "UNKNOWN_SEAT");
}

#[test]
fn a_seed_is_promised_at_first_and_told_at_the_end() {
    let mut table = open(4);
    table.seat_bot(1, "random", 0).unwrap();
    let mut door = Door::new(table, Some(0), PRACTICE).unwrap();
    let mut said = door.greet();
    let promised = said[0]["commitment"].as_str().unwrap().to_owned();
    while said.last().unwrap()["type"] != "over" {
        assert!(said.iter().all(|line| line.get("seed").is_none() && line["seat"] == 0), "{said:?}");
        said = door.hear("0");
    }
    let over = said.last().unwrap();
    assert_eq!((over["seed"].as_u64(), over["salt"].as_str()), (Some(4), Some("07".repeat(16).as_str())));
    assert_eq!(promised, commitment(4, &[7; 16]));
}

#[test]
fn moves_are_taken_back_in_practice_only() {
    let mut table = open(4);
    table.seat_bot(1, "random", 0).unwrap();
    let mut door = Door::new(table, Some(0), Terms::default()).unwrap();
    door.greet();
    door.hear("0");
    assert_eq!(door.hear(r#"{"command":"undo"}"#)[0]["code"], "NO_PRACTICE");
}

#[test]
fn what_others_do_unseen_is_not_even_counted() {
    let mut doors = Doors::new(open(5), &[0, 1], PRACTICE).unwrap();
    doors.greet();
    let said = doors.hear(0, r#"{"act":"peek"}"#);
    assert!(said.iter().all(|said| said.to == 0), "{said:?}");
    let said = doors.hear(0, "0");
    let told = said.iter().find(|said| said.to == 1).unwrap();
    assert_eq!((&told.line["type"], &told.line["moment"]), (&json!("events"), &json!(1)));
}

#[test]
fn two_programs_play_each_other_each_in_its_own_turn() {
    let mut doors = Doors::new(open(5), &[0, 1], PRACTICE).unwrap();
    let mut said = doors.greet();
    assert_eq!(doors.hear(1, "0")[0].line["code"], "MALFORMED", "it is not its turn");
    assert_eq!(doors.hear(1, r#"{"act":{"claim":0}}"#)[0].line["code"], "NOT_YOURS");
    while let Some(awaited) = doors.awaited() {
        let turn = said.last().unwrap();
        assert_eq!((turn.to, &turn.line["type"]), (awaited, &json!("turn")));
        assert_eq!(turn.line["seat"], awaited);
        said = doors.hear(awaited, "0");
    }
    assert_eq!(said.iter().filter(|said| said.line["type"] == "over").count(), 2);
}

#[test]
fn a_long_line_is_refused_and_no_line_is_echoed_whole() {
    let mut door = Door::new(open(4), None, PRACTICE).unwrap();
    door.greet();
    let long = format!("\"{}\"", "x".repeat(LONGEST_LINE / 2));
    assert!(door.hear(&long)[0].to_string().len() < 2_000);
    let command = format!("{{\"command\":{long}}}");
    assert!(door.hear(&command)[0].to_string().len() < 2_000);
    let too_long = format!("\"{}\"", "x".repeat(LONGEST_LINE));
    assert_eq!(door.hear(&too_long)[0]["code"], "MALFORMED");
}

#[test]
fn a_seat_sends_only_what_is_its_own_now_and_spectators_nothing() {
    let mut table = open(3);
    let claim = json!({"act": {"claim": 0}});
    assert_eq!(table.act_from(1, &claim).unwrap_err().code(), "NOT_YOURS");
    assert!(table.inputs(Viewer::Spectator).is_empty() && table.inputs(Viewer::Seat(1)).is_empty());
    assert_eq!(table.choose_from(1, 0).unwrap_err().code(), "MALFORMED");
    table.act_from(0, &claim).unwrap();
    table.choose_from(1, 0).unwrap();
}

#[test]
fn branches_tell_no_secrets() {
    let mut table = open(5);
    table.act(&json!({"act": "peek"})).unwrap();
    assert_eq!(table.branches(Viewer::Seat(0))[0].last, "peek");
    assert_eq!(table.branches(Viewer::Seat(1))[0].last, "");
    assert_eq!(table.branches(Viewer::Spectator)[0].last, "");
}
