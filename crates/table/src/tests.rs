//! Tables and doors, tried on the little game of [`testing`](crate::testing).

use serde_json::{Value, json};
use turnstone::Viewer;
use turnstone_host::Opening;
use turnstone_host::scene::Pick;

use crate::protocol::{Door, Doors, LONGEST_LINE, Terms, commitment};
use crate::testing::{GAMES, PEBBLES};
use crate::{Games, Graft, Host, Labels, LoadError, Plan, Table, bot_seed};

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
fn who_takes_back_goes_back_to_a_turn_of_his_own() {
    let mut doors = Doors::new(open(7), &[0, 1], PRACTICE).unwrap();
    doors.greet();
    let mut turns = Vec::new();
    for _ in 0..3 {
        let awaited = doors.awaited().expect("somebody is to act");
        turns.push((awaited, doors.table().here()));
        doors.hear(awaited, "0");
    }
    let last = |seat: usize| turns.iter().rev().find(|(whose, _)| *whose == seat).map(|(_, at)| *at);
    let asks = doors.awaited().expect("somebody is to act");
    let said = doors.hear(asks, r#"{"command":"undo"}"#);
    assert_eq!((doors.awaited(), Some(doors.table().here())), (Some(asks), last(asks)), "{said:?}");
}

#[test]
fn what_is_taken_back_is_counted_as_it_was_told() {
    let mut unseen = 0;
    for seed in 0..8 {
        let mut table = open(seed);
        table.seat_bot(1, "random", seed).unwrap();
        let mut door = Door::new(table, None, PRACTICE).unwrap();
        let (mut said, mut turns) = (door.greet(), Vec::new());
        while let Some(turn) = said.pop().filter(|line| line["type"] == "turn") {
            turns.push((door.table().here(), turn["moment"].clone()));
            said = door.hear("0");
        }
        unseen += turns.iter().filter(|(here, told)| told.as_u64() < Some(u64::from(*here))).count();
        while let Some((here, told)) = turns.pop() {
            let said = door.hear(r#"{"command":"undo"}"#);
            assert_eq!(door.table().here(), here, "seed {seed}");
            assert_eq!(said.last().unwrap()["moment"], told, "seed {seed}: {said:?}");
        }
    }
    assert!(unseen > 0, "the bot has looked at its secret, and nobody was told");
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

#[test]
fn lines_are_given_out_once_and_make_a_whole_file() {
    let mut table = open(3);
    assert_eq!(table.loaded(), None);
    let mut text = table.unsaved().unwrap();
    assert_eq!(text.lines().count(), 2, "a header and the first state");
    assert_eq!(table.unsaved().unwrap(), "");
    table.choose(0).unwrap();
    table.undo();
    text += &table.unsaved().unwrap();
    assert_eq!(text.lines().count(), 4);
    table.choose(1).unwrap();
    text += &table.close().unwrap();
    assert_eq!(text.lines().count(), 6, "an input and the closing line");
    assert_eq!(table.close().unwrap(), "");
    assert_eq!(text, table.save().unwrap());

    let mut again = PEBBLES.load(text.as_bytes(), &[]).unwrap();
    let held = again.loaded().unwrap();
    assert_eq!((held.inputs, held.events, held.closed, held.bytes), (2, 2, true, text.len()));
    assert_eq!(again.unsaved().unwrap(), "", "what was read is written already");
    again.choose(0).unwrap();
    assert_eq!(again.unsaved().unwrap().lines().count(), 1);
}

#[test]
fn what_people_want_to_know_is_in_the_head_of_the_file_if_it_comes_in_time() {
    let tag = |name: &str| [("red".to_owned(), name.to_owned())];
    let mut table = open(3);
    table.tag(&tag("Ada"));
    table.tag(&[("day".to_owned(), "monday".to_owned())]);
    let text = table.unsaved().unwrap();
    assert!(text.contains("Ada") && text.contains("monday"), "{text}");
    table.tag(&tag("Eve"));
    assert!(!table.save().unwrap().contains("Eve"));
}

#[test]
fn a_table_says_where_it_stands() {
    let mut table = open(3);
    assert_eq!((table.game(), table.seed(), table.ruleset()), ("pebbles", 3, json!("plain")));
    assert_eq!(table.seats(), ["Ada", "Bob"]);
    assert_eq!((table.actor(), table.outcome()), (Some(0), None));
    assert!(!table.undo() && !table.redo());
    table.choose(4).unwrap();
    table.choose(0).unwrap();
    table.choose(0).unwrap();
    assert_eq!((table.here(), table.moments(), table.line()), (3, 4, vec![0, 1, 2, 3]));
    assert_eq!((table.facts(1), table.facts(2), table.facts(3)), ((0, 1), (1, 2), (3, 1)));
    assert!(table.undo() && table.redo());
    table.jump(1).unwrap();
    assert_eq!((table.here(), table.line()), (1, vec![0, 1]));
    assert!(table.question(Viewer::Seat(0)).is_some());
    assert_eq!(table.jump(9).unwrap_err().code(), "NO_SUCH_MOMENT");
    assert_eq!(table.parse("a3"), Some(json!({"act": {"claim": 0}})));
    assert_eq!(table.parse("z9"), None);
    assert_eq!(table.tally()[0].0, "first secret");
    assert_eq!((table.appraise(0), table.sequel(), table.time_out(0).is_none()), (None, None, true));
}

/// Which texts are moves of who is to act is not for others to find out by typing.
#[test]
fn out_of_turn_every_text_gets_the_same_answer() {
    let mut doors = Doors::new(open(5), &[0, 1], PRACTICE).unwrap();
    doors.greet();
    let first = doors.hear(1, "\"a3\"");
    assert_eq!(first[0].line["code"], "NOT_YOURS", "{first:?}");
    for text in ["\"z9\"", "\"claim a1\"", "\"peek\"", "\"\"", "\"resign\""] {
        assert_eq!(doors.hear(1, text), first, "{text}");
    }
    assert_eq!(doors.hear(0, "\"z9\"")[0].line["code"], "MALFORMED");
    assert_eq!(doors.hear(0, "\"a3\"")[0].line["type"], "events");
}

/// Facts are counted whoever sees them, and a position counts them.
#[test]
fn a_sample_does_not_tell_how_many_facts_there_were() {
    let (mut one, mut other) = (open(5), open(5));
    one.act(&json!({"act": "peek"})).unwrap();
    for table in [&mut one, &mut other] {
        table.act(&json!({"act": {"claim": 0}})).unwrap();
    }
    let seen = Viewer::Seat(1);
    assert_eq!(one.sample(seen, 3).unwrap(), other.sample(seen, 3).unwrap());
    assert_eq!(one.sample(Viewer::All, 3).unwrap()["live"]["serial"], 2);
}

#[test]
fn a_copy_goes_its_own_way_and_has_no_bots() {
    let mut table = open(3);
    table.seat_bot(1, "random", 0).unwrap();
    assert_eq!(table.bots(), [(1, "random".to_owned())]);
    table.seat_bot(1, "random", 7).unwrap();
    assert_eq!(table.bots().len(), 1, "the new one takes the seat of the old");
    table.choose(0).unwrap();
    let mut copy = table.fork();
    assert!(copy.bots().is_empty() && copy.bot_choice().is_none());
    assert_eq!((copy.here(), copy.digest()), (table.here(), table.digest()));
    copy.choose(0).unwrap();
    assert_ne!(copy.digest(), table.digest());
}

/// A match between two bots that keep a plan, and what they chose.
fn stubborn() -> (Box<dyn Table>, Vec<usize>) {
    let mut table = open(3);
    let seed = bot_seed(table.seed());
    (0..2).for_each(|seat| table.seat_bot(seat, "stubborn", seed).unwrap());
    let mut chosen = Vec::new();
    while let Some(number) = table.bot_choice() {
        table.choose(number).unwrap();
        chosen.push(number);
    }
    assert!(chosen.len() > 6, "{chosen:?}");
    (table, chosen)
}

#[test]
fn a_bot_that_plans_chooses_the_same_wherever_one_goes_and_gives_the_reasons_it_had() {
    let (mut table, chosen) = stubborn();
    for at in [6, 2, 3, 0, 5, 1, 1, 4] {
        table.jump(at as u32).unwrap();
        let abandoned = table.think();
        assert_eq!(table.bot_choice(), Some(chosen[at]), "at {at}");
        assert_eq!(abandoned.unwrap()(), chosen[at], "two may think at once");
        let reasons = table.why(at as u32 + 1, "stubborn").unwrap();
        assert_eq!(reasons.chosen, reasons.played, "at {at}");
    }
}

#[test]
fn a_match_that_is_taken_up_again_goes_on_as_its_bots_planned() {
    let (mut table, chosen) = stubborn();
    let seed = bot_seed(table.seed());
    for cut in 0..chosen.len() {
        table.jump(cut as u32).unwrap();
        let mut again = GAMES.load(table.save().unwrap(), &[]).unwrap();
        (0..2).for_each(|seat| again.seat_bot(seat, "stubborn", seed).unwrap());
        for number in &chosen[cut..] {
            assert_eq!(again.bot_choice(), Some(*number), "cut after {cut}");
            again.choose(*number).unwrap();
        }
    }
}

#[test]
fn a_bot_that_is_shown_one_position_after_the_other_keeps_its_plan() {
    let (mut table, chosen) = stubborn();
    let mut elsewhere = open(9);
    // Its lots are those of the first moment, at which the plan is made.
    elsewhere.seat_bot(0, "stubborn", bot_seed(3)).unwrap();
    for (at, number) in chosen.iter().enumerate() {
        table.jump(at as u32).unwrap();
        if table.actor() == Some(0) {
            elsewhere.stand(&table.sample(Viewer::All, 0).unwrap()).unwrap();
            assert_eq!(elsewhere.bot_choice(), Some(*number), "at {at}");
        }
    }
}

#[test]
fn a_moment_can_be_looked_at_from_a_table_of_its_own() {
    let mut table = open(3);
    for number in [0, 3, 0, 0] {
        table.choose(number).unwrap();
    }
    for moment in 0..=table.here() {
        let mut then = table.fork();
        then.jump(moment).unwrap();
        let at = table.at(moment).unwrap();
        assert_eq!((at.digest(), at.actor()), (then.digest(), then.actor()));
        assert_eq!(at.here(), u32::from(moment != 0), "it remembers what led there and no more");
        assert_eq!(at.news(at.here(), Viewer::All), then.news(moment, Viewer::All));
    }
    assert_eq!(table.at(9).err().unwrap().code(), "NO_SUCH_MOMENT");
}

#[test]
fn what_if_is_tried_in_a_world_that_looks_the_same() {
    let mut table = open(5);
    table.act(&json!({"act": "peek"})).unwrap();
    let secrets = |viewer, world| {
        let imagined = table.imagine(1, viewer, world).unwrap();
        imagined.view(Viewer::All)["secrets"].clone()
    };
    let own = table.view(Viewer::Seat(0))["secrets"][0].clone();
    assert_eq!(secrets(Viewer::All, 1)[0], own);
    let worlds: Vec<Value> =
        (0..9).map(|world| table.imagine(1, Viewer::Seat(0), world).unwrap().tally()[0].1.clone()).collect();
    assert!(worlds.iter().all(|secret| *secret == own), "what it knows stays");
    let others: Vec<Value> =
        (0..9).map(|world| table.imagine(1, Viewer::Seat(1), world).unwrap().tally()[0].1.clone()).collect();
    assert!(others.iter().any(|secret| *secret != own), "what it does not know is drawn anew");
    let nobody: Vec<Value> = (0..9)
        .map(|world| table.imagine(1, Viewer::Spectator, world).unwrap().tally()[0].1.clone())
        .collect();
    assert!(nobody.iter().any(|secret| *secret != own));
    assert_eq!(table.imagine(9, Viewer::All, 0).err().unwrap().code(), "NO_SUCH_MOMENT");
}

#[test]
fn every_step_of_a_moment_is_told_with_the_fields_it_changed() {
    let mut table = open(3);
    table.choose(0).unwrap();
    assert!(table.steps(0).is_empty() && table.steps(7).is_empty());
    let steps = table.steps(1);
    let names: Vec<&str> = steps.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(names, ["opened", "queued", "taken", "expanded", "settled", "applied", "followed"]);
    assert_eq!(steps[1]["queue"], json!(["Claim(0)"]));
    assert_eq!(steps[0]["proposed"], json!(["Claim(0)"]));
    assert_eq!((&steps[2]["effect"], &steps[2]["by"]), (&json!("Claim(0)"), &json!(null)));
    assert_eq!(steps[5]["event"], "Claimed(0, 0, true)");
    let fields = steps[5]["fields"].as_array().unwrap();
    assert!(fields.contains(&json!({"field": "cells[0]", "before": null, "after": 0})), "{fields:?}");
    assert!(fields.contains(&json!({"field": "turn", "before": 0, "after": 1})), "{fields:?}");
}

#[test]
fn a_searcher_says_why_and_others_say_that_they_do_not() {
    let mut table = open(3);
    table.choose(0).unwrap();
    table.choose(2).unwrap();
    assert_eq!(table.why(0, "flat:20").unwrap_err().code(), "NO_SUCH_MOMENT");
    assert_eq!(table.why(1, "nobody").unwrap_err().code(), "UNKNOWN_BOT");
    assert_eq!(table.why(1, "random").unwrap_err().code(), "NO_REASONS");
    let why = table.why(2, "flat:20").unwrap();
    assert_eq!((why.bot.as_str(), why.seat, why.played.as_str()), ("flat:20", 1, "claim a2"));
    assert_eq!(why.options.len(), 9, "eight cells and a peek");
    assert_eq!(why.options[0].0, why.chosen);
    assert!(why.options[1..].windows(2).all(|pair| pair[0].1 >= pair[1].1), "{:?}", why.options);
    assert_eq!(table.why(2, "flat:20").unwrap(), why, "asked again it says the same");
}

#[test]
fn a_match_as_it_was_played_is_watched_and_not_written() {
    let mut table = open(3);
    table.choose(0).unwrap();
    let text = table.save().unwrap();
    let (mut watched, strays) = PEBBLES.watch(text.as_bytes(), &[]).unwrap();
    assert_eq!((watched.digest(), strays), (table.digest(), None));
    for refused in [watched.save(), watched.unsaved(), watched.close()] {
        assert_eq!(refused.unwrap_err().code(), "ONLY_WATCHED");
    }
    assert_eq!(PEBBLES.watch(b"nothing", &[]).err().unwrap().code(), "MALFORMED_LINE");
}

#[test]
fn a_match_goes_on_from_another_by_todays_rules_and_says_so() {
    let mut table = open(3);
    table.choose(0).unwrap();
    table.choose(0).unwrap();
    let text = table.save().unwrap();
    let (mut watched, _) = PEBBLES.watch(text.as_bytes(), &[]).unwrap();
    watched.jump(1).unwrap();
    let mut branch = watched.branch().unwrap();
    assert_eq!((branch.digest(), branch.here()), (watched.digest(), 0));
    branch.choose(1).unwrap();
    let file = branch.save().unwrap();
    assert!(file.lines().next().unwrap().contains("\"branch\":1"), "{file}");
    let verified = PEBBLES.verify(file.as_bytes(), &[], &mut |_| {}).unwrap();
    assert_eq!((verified.inputs, verified.torn), (1, None));
    let again = PEBBLES.load(file.as_bytes(), &[]).unwrap();
    assert_eq!(again.digest(), branch.digest());
    assert_eq!(PEBBLES.watch(file.as_bytes(), &[]).unwrap().0.digest(), branch.digest());
    // Without the word it would have to start from its set-up.
    let told = PEBBLES.load(file.replace(",\"branch\":1", "").as_bytes(), &[]).err().unwrap();
    assert_eq!(told.code(), "BROKEN_CHAIN");
}

/// A match file with a chain that fits it.
fn sealed_anew(text: &str) -> String {
    let mut chain = turnstone::digest::Digest([0; 16]);
    let mut file = String::new();
    for line in text.lines() {
        let (body, _) = line.rsplit_once(",\"chain\":").unwrap();
        chain = chain.chain(body.as_bytes());
        file += &format!("{body},\"chain\":\"{chain}\"}}\n");
    }
    file
}

#[test]
fn everything_that_a_header_says_is_compared() {
    let mut table = open(3);
    table.choose(0).unwrap();
    let text = table.save().unwrap();
    let told = |file: &str| PEBBLES.verify(file.as_bytes(), &[], &mut |_| {}).unwrap_err().to_string();
    let rules = sealed_anew(&text.replacen("\"rules\":1", "\"rules\":9", 1));
    assert!(told(&rules).starts_with("[OTHER_RULES]"), "{}", told(&rules));
    assert!(told(&rules).contains("version 9 of the rules") && !told(&rules).contains("--content"));
    let game = sealed_anew(&text.replacen("\"game\":\"pebbles\"", "\"game\":\"marbles\"", 1));
    let refusal = GAMES.load(&game, &[]).err().unwrap().to_string();
    assert!(refusal.starts_with("[UNKNOWN_GAME] line 1: ") && refusal.contains("marbles"), "{refusal}");
    let ruleset = sealed_anew(&text.replacen("\"ruleset\":\"plain\"", "\"ruleset\":\"odd\"", 1));
    let refusal = GAMES.load(&ruleset, &[]).err().unwrap();
    assert_eq!(refusal.code(), "UNKNOWN_RULESET");
    assert!(refusal.to_string().starts_with("line 1: "), "{refusal}");
    let part = format!("{{\"name\":\"pack\",\"digest\":\"{}\"}}", "0".repeat(32));
    let own = turnstone::digest::digest("pebbles").to_string();
    let pack = text.replacen("\"content\":[", &format!("\"content\":[{part},"), 1);
    let pack = sealed_anew(&pack.replacen(&own, &"1".repeat(own.len()), 1));
    assert!(told(&pack).contains("other content: pack"), "{}", told(&pack));
    let (before, behind) = text.split_once("\"setup\":").unwrap();
    let names = sealed_anew(&format!("{before}\"names\":{{\"card\":[\"zap\"]}},\"setup\":{behind}"));
    assert!(told(&names).contains("card 0 is \"zap\" there and nothing here"), "{}", told(&names));
    assert!(PEBBLES.watch(names.as_bytes(), &[]).is_ok(), "what nothing stands for is no other thing");
    assert!(PEBBLES.watch(pack.as_bytes(), &[]).is_ok());
}

#[test]
fn verify_counts_and_names_other_content() {
    let mut table = open(3);
    table.choose(0).unwrap();
    let text = table.save().unwrap();
    let mut lines = Vec::new();
    let verified = PEBBLES.verify(text.as_bytes(), &[], &mut |line| lines.push(line)).unwrap();
    assert_eq!((verified.inputs, verified.closed, lines), (1, true, vec![3, 4]));

    // The same match, played with content that is not here.
    let own = turnstone::digest::digest("pebbles").to_string();
    let other = sealed_anew(&text.replace(&own, &"0".repeat(own.len())));
    let refusal = PEBBLES.verify(other.as_bytes(), &[], &mut |_| {}).unwrap_err();
    assert_eq!(refusal.code(), "OTHER_CONTENT");
    assert!(refusal.to_string().contains("pebbles"), "{refusal}");
    let looked = PEBBLES.load(other.as_bytes(), &[]).unwrap();
    assert_eq!(looked.differs(), ["pebbles"], "it can be looked at all the same");
    let torn = other.replace("\"n\":1", "\"n\":9");
    let refusal = PEBBLES.load(torn.as_bytes(), &[]).err().unwrap().to_string();
    assert!(refusal.contains("other content than is loaded now"), "{refusal}");
}

#[test]
fn facts_of_an_older_release_are_no_damage() {
    let mut table = open(3);
    table.choose(0).unwrap();
    let text = table.save().unwrap();
    let refused = |file: &str| PEBBLES.watch(file.as_bytes(), &[]).err().unwrap();
    let old = text.replacen("\"claimed\":[0,", "\"claimed\":[[0],", 1);
    assert_ne!(old, text);
    assert!(refused(&sealed_anew(&old)).to_string().contains("the file was damaged"), "by these very rules");
    let older = sealed_anew(&old.replacen("\"rules\":1", "\"rules\":0", 1));
    let told = refused(&older).to_string();
    assert_eq!(refused(&older).code(), "OLD_FACTS");
    assert!(told.starts_with("[OLD_FACTS] line 3: ") && told.contains("version 0 of the rules"), "{told}");
    assert!(!told.contains("damaged"), "{told}");
    let cut = older.replacen("}\n", "\n", 3);
    assert_eq!(refused(&cut).code(), "MALFORMED_LINE", "damage to an old file is damage");
}

/// Its lines from before are by the old content, its new ones by today's: without a word it would never be sound again.
#[test]
fn a_match_that_goes_on_by_other_content_stays_sound() {
    let mut table = open(3);
    table.choose(0).unwrap();
    let text = table.unsaved().unwrap();
    let own = turnstone::digest::digest("pebbles").to_string();
    let other = sealed_anew(&text.replace(&own, &"0".repeat(own.len())));
    let mut goes_on = PEBBLES.load(other.as_bytes(), &[]).unwrap();
    assert_eq!(goes_on.unsaved().unwrap(), "", "nothing was played by it");
    goes_on.choose(0).unwrap();
    let whole = other + &goes_on.unsaved().unwrap() + &goes_on.close().unwrap();
    let verified = PEBBLES.verify(whole.as_bytes(), &[], &mut |_| {}).unwrap();
    assert_eq!((verified.inputs, verified.closed), (2, true));
    assert!(PEBBLES.load(whole.as_bytes(), &[]).unwrap().differs().is_empty());
    // Written anew it is a match by today's content from its first line on.
    let anew = goes_on.save().unwrap();
    assert!(PEBBLES.verify(anew.as_bytes(), &[], &mut |_| {}).is_ok() && !anew.contains("\"terms\""));
}

#[test]
fn refusals_of_files_say_what_to_do() {
    let text = open(1).save().unwrap();
    let told = |text: &str| PEBBLES.load(text.as_bytes(), &[]).err().unwrap().to_string();
    assert!(told("nothing").contains("take another copy"));
    let old = PEBBLES.load(text.replace("\"turnstone\":2", "\"turnstone\":1").as_bytes(), &[]).err().unwrap();
    assert!(["BROKEN_CHAIN", "OLD_FORMAT"].contains(&old.code()), "{old}");
    let nothing = Games::new(&[]).load(&text, &[]).err().unwrap();
    assert_eq!(nothing.code(), "UNKNOWN_GAME");
    assert!(PEBBLES.venue(&Opening { setup: Some("full".to_owned()), ..Opening::default() }).is_err());
}

#[test]
fn the_list_of_games_is_a_value() {
    use crate::testing::GAMES;
    assert_eq!(GAMES.names().collect::<Vec<_>>(), ["pebbles"]);
    assert_eq!(format!("{GAMES:?}"), "[\"pebbles\"]");
    assert!(GAMES.find("pebbles").is_some() && GAMES.find("chess").is_none());
    assert_eq!((GAMES.all().len(), GAMES.benches().len()), (1, 1));
    let host = GAMES.all()[0];
    assert!(host.about().contains("Claim cells"));
    assert_eq!((host.rulesets()[0].id.as_str(), host.setups()[0].id.as_str()), ("plain", "empty"));
    assert_eq!(host.bots()[0].id, "random");
    assert!(host.settings("empty").is_empty() && host.options().is_empty() && host.schemas().is_empty());
    assert!(host.check_content(&[]).is_none());
    assert_eq!(host.conform("pebbles.txt", "a1\nq9", &[]).unwrap().passed, 1);
    assert_eq!(host.conform("other.txt", "", &[]).unwrap_err().code(), "UNKNOWN_KIND");
    let plain = crate::Of::<crate::testing::Pebbles>::HOST;
    assert_eq!(plain.conform("pebbles.txt", "a1", &[]).unwrap_err().code(), "NO_RECORDS");
}

#[test]
fn the_promise_of_a_seed_is_blake3_of_its_bytes_and_the_salt() {
    let mut bytes = 258u64.to_le_bytes().to_vec();
    bytes.extend([7; 16]);
    assert_eq!(commitment(258, &[7; 16]), blake3::hash(&bytes).to_hex().to_string());
}

#[test]
fn everybody_looks_through_his_own_eyes() {
    use crate::protocol::seat_viewer;
    let mut table = open(2);
    assert_eq!(seat_viewer(&*table, Some(1)), Viewer::Seat(1));
    assert_eq!(seat_viewer(&*table, None), Viewer::Seat(0));
    table.choose(0).unwrap();
    assert_eq!(seat_viewer(&*table, None), Viewer::Seat(1), "who is to act, where several share a screen");
    while table.outcome().is_none() {
        table.choose(0).unwrap();
    }
    assert_eq!(seat_viewer(&*table, None), Viewer::All);
}

#[test]
fn bots_of_their_own_sit_in_named_seats() {
    let venue = PEBBLES.venue(&Opening::default()).unwrap();
    let plan = Plan { bot: "random".to_owned(), seats: vec![(1, "flat:30".to_owned())], max_inputs: 100 };
    let won = |plan: &Plan| {
        (0..20)
            .filter(|&seed| venue.simulate(seed, plan).unwrap().outcome == Some(turnstone::Outcome::Won(1)))
            .count()
    };
    let fair = Plan { seats: Vec::new(), ..plan.clone() };
    assert_ne!(
        (0..20).map(|seed| venue.simulate(seed, &plan).unwrap().inputs).collect::<Vec<_>>(),
        (0..20).map(|seed| venue.simulate(seed, &fair).unwrap().inputs).collect::<Vec<_>>(),
        "{} and {}",
        won(&plan),
        won(&fair)
    );
    let nobody = Plan { seats: vec![(0, "nobody".to_owned())], ..plan };
    let refusal = venue.simulate(1, &nobody).unwrap_err();
    assert!(refusal.to_string().contains("random") && refusal.to_string().contains("flat:N"), "{refusal}");
}

/// Who keeps a plan had forgotten it where the way parted.
#[test]
fn a_decision_is_played_both_ways_and_the_way_that_was_taken_is_the_match_itself() {
    let venue = PEBBLES.venue(&Opening::default()).unwrap();
    let labels = Labels { begins: "claim ".to_owned(), ..Labels::default() };
    for bot in ["random", "stubborn"] {
        let plan = Plan { bot: bot.to_owned(), seats: Vec::new(), max_inputs: 100 };
        let studied = venue.study(5, &plan, Some(&labels)).unwrap();
        assert_eq!(studied.played, venue.simulate(5, &plan).unwrap(), "looking changes nothing");
        assert!(studied.branching > 1.0 && studied.offered.iter().all(|offered| offered.kind == "claim"));
        let taken = studied.offered.iter().filter(|offered| offered.taken);
        let crossings: Vec<crate::Crossing> = taken.filter_map(|offered| offered.fork).collect();
        let forks = venue.forks(5, &plan, &crossings).unwrap();
        assert!(forks.len() > 2 && forks.iter().all(|fork| fork.with == studied.played), "{bot}: {forks:#?}");
        let crossing = crossings[0];
        assert_eq!(venue.forks(5, &plan, &[crossing, crossing]).unwrap(), vec![forks[0].clone(); 2]);
        assert_ne!(crossing.with, crossing.without);
        let lost = crate::Crossing { moment: 5000, ..crossing };
        assert_eq!(venue.forks(5, &plan, &[lost]).unwrap_err().code(), "NO_SUCH_MOMENT");
    }
    assert!(venue.grafts(5).is_empty() && venue.grafted(5, &Graft::adding(0, "x", "y")).is_none());
}

#[test]
fn an_offer_that_stays_is_one_offer() {
    let venue = PEBBLES.venue(&Opening::default()).unwrap();
    let plan = Plan { bot: "random".to_owned(), seats: Vec::new(), max_inputs: 100 };
    let labels = Labels { begins: "peek".to_owned(), against: Some("claim a1".to_owned()), until: None };
    let studied = venue.study(7, &plan, Some(&labels)).unwrap();
    let peeks = studied.offered.iter().filter(|offered| offered.seat == 0).count() as u64;
    assert!(peeks < studied.played.inputs, "{:?}", studied.offered);
}

/// What was taken in one of several ways lay there once more in another way, and had been left.
#[test]
fn what_can_be_taken_in_several_ways_is_one_offer() {
    let venue = PEBBLES.venue(&Opening::default()).unwrap();
    let plan = Plan { bot: "random".to_owned(), seats: Vec::new(), max_inputs: 100 };
    let labels =
        Labels { begins: "cl".to_owned(), against: Some("peek".to_owned()), until: Some(" ".to_owned()) };
    for seed in 1..=8 {
        let studied = venue.study(seed, &plan, Some(&labels)).unwrap();
        let forks = studied.offered.iter().filter_map(|offered| offered.fork);
        let mut moments: Vec<u64> = forks.map(|crossing| crossing.moment).collect();
        assert!(moments.len() > 3, "{:?}", studied.offered);
        moments.dedup();
        assert_eq!(moments.len(), studied.offered.iter().filter(|offered| offered.fork.is_some()).count());
    }
}

#[test]
fn levels_can_be_asked_for_wherever_a_bot_is_named() {
    let levels: Vec<String> = PEBBLES.levels().into_iter().map(|level| level.id).collect();
    assert_eq!(levels, ["gentle", "mild", "fair", "stern", "merciless"]);
    for name in levels.iter().map(String::as_str).chain(["slips=10:random", "slips=100:flat:2"]) {
        assert!(open(1).seat_bot(0, name, 3).is_ok(), "{name}");
    }
    let refusal = open(1).seat_bot(0, "slips=10:nobody", 3).unwrap_err();
    assert!(refusal.code() == "UNKNOWN_BOT" && refusal.to_string().contains("merciless"), "{refusal}");
}

#[test]
fn whoever_mistypes_a_bot_is_told_which_was_meant() {
    for (name, meant) in [("randon", "random"), ("slips=10:randm", "random"), ("ismtcs:N", "ismcts:N")] {
        let told = open(1).seat_bot(0, name, 3).unwrap_err().to_string();
        assert!(told.contains(&format!("did you mean \"{meant}\"?")), "{name}: {told}");
    }
    let told = open(1).seat_bot(0, "gandalf", 3).unwrap_err().to_string();
    assert!(!told.contains("did you mean") && told.contains("there are: "), "{told}");
}
