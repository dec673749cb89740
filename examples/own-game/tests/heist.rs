//! Heist keeps the engine's promises and its own secrets, and its program contains no other game.

use std::process::Command;
use std::sync::Arc;

use own_game::{Card, Heist};
use turnstone::{Game, Input, Match, Seen, Viewer};
use turnstone_gym::oracles::{nothing_hidden_shows_in, prove_batches};
use turnstone_gym::{Autoreset, Batch, Buffers, Gym, PlainOf};
use turnstone_host::Hosted;
use turnstone_table::{Games, Of, Opening};
use turnstone_testkit::secrets::{self, Pairs};
use turnstone_testkit::{Plan, prove};

#[test]
fn the_promises_hold() {
    prove(&Arc::new(Heist), |seed| 1 + (seed % 9) as u8, Plan { cases: 48, steps: 60, ..Plan::default() });
}

#[test]
fn its_secrets_are_kept() {
    let bots = ["random"];
    let pairs = Pairs { pairs: 300, ..Pairs::default() };
    let kept = secrets::keep(&Arc::new(Heist), |seed| 1 + (seed % 9) as u8, &bots, pairs);
    let counts = kept.unwrap_or_else(|leak| panic!("{leak}"));
    assert!(counts.iter().all(|(_, count)| *count >= 50), "{counts:?}");
}

/// Learners play it by the words of its offers: it says nothing about numbers.
#[test]
fn it_is_learned_on_its_first_day() {
    let make = |plan| {
        let (game, jewels) = Heist::open_table(&Opening::default()).expect("opens");
        Batch::plain(game, jewels, plan).expect("a batch")
    };
    for (seat, autoreset) in [(None, Autoreset::NextStep), (Some(1), Autoreset::SameStep)] {
        prove_batches(&make, &turnstone_gym::Plan { seat, autoreset, seed: 7, ..Default::default() }, 48);
    }
    nothing_hidden_shows_in(&make, &Default::default(), 200);
}

#[test]
fn its_worlds_are_stepped_by_who_does_not_know_it() {
    let plan = turnstone_gym::Plan { lanes: 20, threads: 2, opponent: "greedy".into(), ..Default::default() };
    let mut worlds = PlainOf::<Heist>::GYM.open(&Opening::default(), plan).expect("opens");
    let (mut buffers, mut actions) = (Buffers::new(20, worlds.lengths()), vec![0; 20]);
    let mut ended = 0;
    for step in 0..60 {
        worlds.sample(step, &mut actions).expect("lots");
        worlds.step(&actions, &mut buffers.frame(), None).expect("a step");
        ended += buffers.terminated.iter().filter(|over| **over).count();
    }
    assert!(ended > 20, "{ended} episodes");
}

/// A match at the first moment at which somebody is asked for a card.
fn robbed() -> (Match<Heist>, u8) {
    for seed in 0..500 {
        let mut game: Match<Heist> = Match::new(Arc::new(Heist), 4, seed).expect("a deck");
        let thief = game.actor();
        if game.act(Input::Act(Card::Thief)).is_ok() && game.position().pending().is_some() {
            return (game, thief.expect("somebody"));
        }
    }
    panic!("no thief in five hundred decks");
}

#[test]
fn the_victim_is_asked_and_gives_what_it_chooses() {
    let (mut game, thief) = robbed();
    assert_eq!(game.position().pending().expect("a question").seat, 1 - thief);
    let offered = game.inputs();
    let Input::Choose(given) = offered[0] else { panic!("{offered:?}") };
    game.act(Input::Choose(given)).expect("a card is given");
    let mut own = Vec::new();
    Heist.legal(game.state(), &mut own);
    assert_eq!(game.actor(), Some(1 - thief), "then it is the victim's turn");
}

#[test]
fn what_is_hidden_stays_hidden() {
    let (mut game, thief) = robbed();
    let input = game.inputs()[0].clone();
    game.act(input).expect("given");
    let seen = Heist.view(game.state(), Viewer::Seat(thief));
    assert!(
        seen["hands"][usize::from(1 - thief)].as_array().expect("a hand").iter().all(|card| card == "hidden")
    );
    assert!(
        seen["hands"][usize::from(thief)].as_array().expect("a hand").iter().all(|card| card != "hidden")
    );
    assert!(seen["deck"].is_number(), "how many, not which");
}

#[test]
fn bots_play_it_to_the_end_at_the_table() {
    let games = Games::new(&[&Of::<Heist>::HOST]);
    let host = games.find("heist").expect("hosted");
    for seed in 0..50 {
        let mut table = host.open(&Opening { seed, ..Opening::default() }).expect("opens");
        table.seat_bot(0, "random", seed).expect("a bot");
        table.seat_bot(1, "greedy", seed).expect("a bot");
        while let Some(choice) = table.bot_choice() {
            table.choose(choice).expect("a bot's choice is allowed");
        }
        assert!(table.outcome().is_some(), "seed {seed}");
        let again = games.load(&table.save().expect("saves"), &[]).expect("loads");
        assert_eq!(again.digest(), table.digest());
    }
}

/// Everything that goes into the program, by name.
#[test]
fn the_program_contains_no_other_game() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(tree.contains("turnstone-cli "), "{tree}");
    for game in ["chess", "grid", "skirmish", "spire", "games"] {
        assert!(!tree.contains(&format!("turnstone-{game} ")), "{game} is in\n{tree}");
    }
}

/// By its id a card is followed from one picture to the next: each has its own, and one that lies face down has none.
#[test]
fn a_card_that_may_be_known_has_an_id_of_its_own() {
    let games = Games::new(&[&Of::<Heist>::HOST]);
    let host = games.find("heist").expect("hosted");
    for seed in 0..20 {
        let mut table = host.open(&Opening { seed, ..Opening::default() }).expect("opens");
        for _ in 0..6 {
            let scene = serde_json::json!(table.scene(Viewer::Seat(0)));
            let panels = scene["panels"].as_array().expect("panels").iter();
            let items = panels.flat_map(|panel| panel["items"].as_array().expect("items"));
            let cards: Vec<_> =
                items.map(|item| &item["thing"]["card"]).filter(|card| card.is_object()).collect();
            let (hidden, known): (Vec<_>, Vec<_>) =
                cards.into_iter().partition(|card| card["hidden"] == true);
            assert!(hidden.iter().all(|card| card["id"] == ""), "seed {seed}: {hidden:?}");
            let ids: std::collections::BTreeSet<_> =
                known.iter().map(|card| card["id"].to_string()).collect();
            assert_eq!(ids.len(), known.len(), "seed {seed}: {ids:?}");
            assert!(!ids.contains("\"\""), "seed {seed}");
            if table.inputs(Viewer::All).is_empty() || table.choose(0).is_err() {
                break;
            }
        }
    }
}
