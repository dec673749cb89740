//! Every match ends by rule: every set-up, ruleset and bot.

use serde_json::{Value, json};
use turnstone::{Input, Match, Outcome, Seat};
use turnstone_host::{Hosted, Opening, Player};
use turnstone_skirmish::action::Action;
use turnstone_skirmish::{Event, Skirmish};

fn open(setup: &str, ruleset: &str, wishes: &[(&str, &str)], seed: u64) -> Match<Skirmish> {
    let wishes = wishes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let (setup, ruleset) = (Some(setup.to_string()), Some(Value::from(ruleset)));
    let opening = Opening { setup, ruleset, wishes, seed, ..Opening::default() };
    let (game, setup) = Skirmish::open_table(&opening).unwrap();
    Match::new(game, setup, seed).unwrap()
}

fn play(game: &mut Match<Skirmish>, bots: [&str; 2], seed: u64) -> Option<Outcome> {
    let mut bots = [0, 1].map(|seat| Player::<Skirmish>::named(bots[seat], seat as Seat, seed).unwrap());
    for moment in 0..30_000 {
        let Some(seat) = game.actor() else { return game.outcome() };
        let inputs = game.inputs();
        let rules = game.game().clone();
        let chosen = bots[usize::from(seat)].choose(&rules, game.position(), &inputs, moment);
        game.act(inputs[chosen].clone()).unwrap();
    }
    None
}

#[test]
fn every_set_up_ruleset_and_bot_comes_to_an_end() {
    // Who looks ahead need not look far to come to an end.
    let quick = |id: String| if id == "tactician" { "tactician:6".to_string() } else { id };
    let bots: Vec<String> = Skirmish::bots().into_iter().map(|b| quick(b.id)).collect();
    let rulesets: Vec<String> = Skirmish::rulesets().into_iter().map(|r| r.id).collect();
    let mut seed = 0;
    for setup in Skirmish::setups() {
        for ruleset in &rulesets {
            let bot = &bots[seed % bots.len()];
            let other = &bots[(seed / bots.len() + seed) % bots.len()];
            seed += 1;
            let mut game = open(&setup.id, ruleset, &[], seed as u64);
            let outcome = play(&mut game, [bot, other], seed as u64);
            assert!(outcome.is_some(), "{} under {ruleset}, {bot} against {other}, seed {seed}", setup.id);
        }
    }
}

#[test]
fn dungeons_that_never_ended_do_end() {
    for seed in [2, 15, 30] {
        let mut game = open("dungeon", "mir-0.23", &[], seed);
        assert!(play(&mut game, ["normal", "normal"], seed).is_some());
    }
}

#[test]
fn a_draw_is_told_before_it_falls() {
    let mut game = open("bridge-at-dusk", "mir-0.23", &[], 1);
    while let Some(active) = game.state().combat.active {
        let id = game.state().stage.figure(active).id.clone();
        game.act(Input::Act(Action::end_turn(&id))).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Drawn));
    let told = |e: &Event| matches!(e, Event::Warned { .. } | Event::Drawn { .. });
    let events: Vec<&Event> = game.log().filter_map(|e| e.fact.event()).filter(|e| told(e)).collect();
    assert!(matches!(events[..], [Event::Warned { .. }, Event::Warned { .. }, Event::Drawn { .. }]));
}

#[test]
fn either_side_may_surrender_for_itself_alone() {
    let game = open("bridge-at-dusk", "mir-0.23", &[], 1);
    let rules = game.game();
    let surrender = |side: &str| {
        let value = json!({"type": "SURRENDER", "side": side});
        rules.read_input(game.position(), &value).unwrap()
    };
    for (seat, side) in [(0, "players"), (1, "npcs")] {
        assert!(rules.may_send(game.position(), seat, &surrender(side)));
        assert!(!rules.may_send(game.position(), 1 - seat, &surrender(side)));
        let mut other = game.clone();
        other.act(surrender(side)).unwrap();
        assert_eq!(other.outcome(), Some(Outcome::Won(1 - seat)));
        assert!(other.inputs().is_empty());
    }
    assert_eq!(rules.parse_input(game.position(), "I surrender"), {
        let seat = game.actor().unwrap();
        Some(surrender(["players", "npcs"][usize::from(seat)]))
    });
}
