//! What hangs on what while a question waits, and who may know it, on the couriers.

use std::sync::Arc;

use serde_json::{Value, json};
use turnstone::digest::Digest;
use turnstone::file::{self, Header};
use turnstone::{Input, Match, Position, Seen, Viewer};
use turnstone_samples::couriers::{Action, Answer, Couriers, Post, Question};
use turnstone_testkit::secrets::{self, Pairs};

type Played = Match<Couriers>;

/// Red holds a 4 and a 1 and is to send; blue holds a 4, a 6 and a 2.
fn table(red: &[Post], blue: &[Post]) -> Played {
    let house = |letters: &[u8], posts: &[Post]| json!({ "letters": letters, "posts": posts, "coins": 10 });
    let state = json!({
        "houses": [house(&[4, 1], red), house(&[4, 6, 2], blue)],
        "turn": 0, "sent": null, "ambush": null, "lit": false, "answer": null,
    });
    let start = Position::new(serde_json::from_value(state).expect("a state"));
    Match::from_position(Arc::new(Couriers), (), 0, start).expect("a sound state")
}

/// Red sends its 4, and blue answers.
fn sent(mut game: Played, answers: &[Answer]) -> Played {
    game.act(Input::Act(Action::Send(4))).expect("red holds a 4");
    for answer in answers {
        assert_eq!(game.actor(), Some(1), "the other house is asked");
        game.act(Input::Choose(*answer)).expect("an answer");
    }
    game
}

fn coins(game: &Played) -> [i64; 2] {
    let state = serde_json::to_value(game.state()).expect("a state");
    [0, 1].map(|seat| state["houses"][seat]["coins"].as_i64().expect("coins"))
}

fn told(game: &Played) -> String {
    game.line().into_iter().map(|moment| game.explain(moment).to_string()).collect()
}

#[test]
fn a_letter_that_crosses_is_paid_and_the_day_ends_with_a_feast() {
    let game = sent(table(&[], &[]), &[Answer::LetPass]);
    assert_eq!(coins(&game), [15, 10]);
    assert_eq!(game.actor(), Some(1));
    let lower = sent(table(&[], &[]), &[Answer::Lay(2)]);
    assert_eq!(coins(&lower), [15, 10], "a lower letter robs nobody");
}

#[test]
fn who_is_robbed_is_not_paid() {
    let game = sent(table(&[], &[]), &[Answer::Lay(6)]);
    assert_eq!(coins(&game), [11, 10], "only the feast is");
    assert!(told(&game).contains("Deliver { who: 0 }: dropped, what it depends on did not happen"));
    let even = sent(table(&[], &[]), &[Answer::Lay(4)]);
    assert_eq!(coins(&even), [15, 10], "equal letters rob only in the light");
}

#[test]
fn what_the_toll_replaced_is_not_paid_after_its_question() {
    for (answer, expected) in [(Answer::Coins, [8, 13]), (Answer::Goods, [11, 14])] {
        let mut game = sent(table(&[], &[Post::Toll]), &[Answer::Lay(6)]);
        let asked = game.pending().expect("the toll asks");
        assert_eq!((asked.seat, asked.question), (1, Question::TakeToll));
        // The crossing is gone already; its payment still waits, also in a copy that was saved.
        let text = serde_json::to_string(game.position()).expect("saves");
        let loaded: Position<Couriers> = serde_json::from_str(&text).expect("loads");
        let loaded = loaded.admit(&Couriers).expect("is sound");
        let mut again = Played::from_position(Arc::new(Couriers), (), 0, loaded).expect("goes on");
        for game in [&mut game, &mut again] {
            game.act(Input::Choose(answer)).expect("an answer");
            assert_eq!(coins(game), expected, "{answer:?}: the toll, and the feast");
            assert!(told(game).contains("dropped, what it depends on did not happen"));
        }
    }
}

#[test]
fn a_beacon_ends_the_feast_and_burns_down_once_its_question_is_answered() {
    let asked = sent(table(&[], &[Post::Beacon]), &[]);
    let view = Couriers.view(asked.state(), Viewer::All);
    assert_eq!(view["houses"][1]["posts"], json!(["beacon"]), "nothing happens while the question waits");
    let game = sent(table(&[], &[Post::Beacon]), &[Answer::LetPass]);
    assert_eq!(coins(&game), [14, 10], "no feast");
    assert_eq!(Couriers.view(game.state(), Viewer::All)["houses"][1]["posts"], json!([]));
    assert!(told(&game).contains("Feast { who: 0 }: withdrawn"));
    let even = sent(table(&[], &[Post::Beacon]), &[Answer::Lay(4)]);
    assert_eq!(coins(&even), [10, 10], "in the light equal letters rob");
}

#[test]
fn reasons_stand_with_the_payments_they_were_given_for() {
    let paid = told(&sent(table(&[Post::Inn], &[]), &[Answer::LetPass]));
    for reason in ["Letter: 4", "Inn: 4 → 5", "Feast: 1", "Inn: 1 → 2"] {
        assert!(paid.contains(&format!("· {reason}\n")), "{reason} in\n{paid}");
    }
    let robbed = sent(table(&[Post::Inn], &[]), &[Answer::Lay(6)]);
    assert_eq!(coins(&robbed), [14, 10], "an inn consoles, and adds to that too");
    assert!(told(&robbed).contains("· Consolation: 1\n"));
}

#[test]
fn who_must_answer_does_not_know_what_is_sent_nor_the_sender_what_lies_in_ambush() {
    let game = sent(table(&[], &[Post::Toll]), &[Answer::Lay(6)]);
    let see = |seat| Couriers.view(game.state(), Viewer::Seat(seat));
    assert_eq!((&see(0)["sent"], &see(0)["ambush"]), (&json!(4), &json!(0)));
    assert_eq!((&see(1)["sent"], &see(1)["ambush"]), (&json!(0), &json!(6)));
    let news = |seat| -> Vec<Value> {
        let facts = game.log_for(Viewer::Seat(seat));
        facts.iter().map(|fact| serde_json::to_value(fact).expect("a fact")).collect()
    };
    let letters = |seat| news(seat).iter().map(Value::to_string).collect::<String>();
    assert!(letters(0).contains("\"letter\":4") && !letters(0).contains("\"ambush\":6"));
    assert!(!letters(1).contains("\"letter\":4") && letters(1).contains("\"ambush\":6"));
}

#[test]
fn secrets_are_kept_across_questions() {
    let bots = ["random", "flat:20", "ismcts:20"];
    let pairs = Pairs { pairs: 900, ..Pairs::default() };
    let kept = secrets::keep(&Arc::new(Couriers), |_| (), &bots, pairs);
    let counts = kept.unwrap_or_else(|leak| panic!("{leak}"));
    assert!(counts.iter().all(|(_, count)| *count >= 20), "{counts:?}");
}

/// Plays the `n`-th input, counted round, until it is over; calls `look` before each.
fn play(seed: u64, mut look: impl FnMut(&Played)) -> Played {
    let mut game = Played::new(Arc::new(Couriers), (), seed).expect("deals");
    for n in 0.. {
        look(&game);
        let inputs = game.inputs();
        let Some(input) = inputs.get((n * 7 + seed as usize) % inputs.len().max(1)) else { break };
        game.act(input.clone()).expect("what is listed is accepted");
    }
    game
}

fn written(game: &Played) -> String {
    let header = Header::new("couriers", json!("usual"), Digest([0; 16]), (), game.seed());
    file::write(&header, game).expect("writes")
}

#[test]
fn a_file_written_while_a_question_waits_goes_on_as_the_match_does() {
    let mut asked = 0;
    for seed in 0..20 {
        let whole = play(seed, |game| {
            if game.pending().is_none() {
                return;
            }
            asked += 1;
            let text = written(game);
            assert_eq!(file::verify(&Arc::new(Couriers), &text).map(|found| found.closed), Ok(true));
            let mut read: Played = file::read(&Arc::new(Couriers), &text).expect("reads");
            let mut game = game.clone();
            for input in game.inputs() {
                let moment = game.act(input.clone()).expect("an answer");
                read.act(input).expect("the same answer");
                assert_eq!(read.entries(moment), game.entries(moment));
                assert!(read.notes(moment).eq(game.notes(moment)));
                assert!(game.undo() && read.undo());
            }
            assert_eq!(written(&read), written(&game));
        });
        assert!(whole.outcome().is_some());
        let watched = file::watch(&Arc::new(Couriers), written(&whole)).expect("folds");
        assert_eq!((watched.game.position().live(), watched.strays), (whole.position().live(), None));
    }
    assert!(asked > 50, "{asked} questions");
}

#[test]
fn a_question_about_another_courier_is_not_admitted() {
    let asked = sent(table(&[], &[Post::Beacon]), &[]);
    let value = serde_json::to_value(asked.position()).expect("saves");
    let bent = |bend: &dyn Fn(&mut Value)| {
        let mut value = value.clone();
        bend(&mut value);
        let position: Position<Couriers> = serde_json::from_value(value).expect("a position");
        position.admit(&Couriers).map(|_| ()).map_err(|refusal| refusal.code().to_owned())
    };
    assert_eq!(bent(&|_| {}), Ok(()));
    let bends: [&dyn Fn(&mut Value); 7] = [
        &|value| value["live"]["pending"]["seat"] = json!(0),
        &|value| value["live"]["state"]["sent"] = json!(null),
        &|value| value["pause"]["held"]["effect"] = json!({ "watch": { "who": 200, "lit": false } }),
        &|value| value["pause"]["queue"][0]["effect"] = json!({ "pay": { "who": 0, "coins": i32::MAX } }),
        &|value| value["pause"]["agenda"][0]["effect"] = json!({ "feast": { "who": 1 } }),
        &|value| value["pause"]["riding"]["items"][0][1]["effect"] = json!({ "dim": { "owner": 0 } }),
        &|value| value["pause"]["riding"]["withdrawals"][0] = json!({ "Like": { "feast": { "who": 9 } } }),
    ];
    for (at, bend) in bends.iter().enumerate() {
        assert_eq!(bent(bend), Err("BAD_QUESTION".to_owned()), "bend {at}");
    }
}
