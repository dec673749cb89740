//! Whole games: bots at every difficulty, fog, narration, formats, the table's side.

use serde_json::{Value, json};
use std::sync::Arc;
use turnstone::{Game, Input, Match, Outcome, Position, Seen, Viewer};
use turnstone_host::scene::Pick;
use turnstone_host::{Hosted, Opening, Player};
use turnstone_skirmish::action::Action;
use turnstone_skirmish::catalog::Catalog;
use turnstone_skirmish::document::invariants::violations;
use turnstone_skirmish::export::Chronicle;
use turnstone_skirmish::formats::fold::fold_event;
use turnstone_skirmish::formats::replay::{Replay, ReplayMeta};
use turnstone_skirmish::formats::whole::{export, narrate};
use turnstone_skirmish::host::DIFFICULTIES;
use turnstone_skirmish::opponents::{basic, simulate};
use turnstone_skirmish::{Event, Profile, Setup, Skirmish};

const SCENARIOS: [&str; 3] = ["bridge-at-dusk", "crypt-of-lanterns", "toll-on-the-pass"];

fn open(setup: &str, wishes: &[(&str, &str)], seed: u64) -> Match<Skirmish> {
    let wishes = wishes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let opening = Opening { setup: Some(setup.to_string()), wishes, seed, ..Opening::default() };
    let (game, setup) = Skirmish::open_table(&opening).unwrap();
    Match::new(game, setup, seed).unwrap()
}

/// Plays a match with a bot for each side; gives the outcome and the number of inputs.
fn play(game: &mut Match<Skirmish>, heroes: &str, foes: &str, seed: u64) -> (Option<Outcome>, usize) {
    let mut bots =
        [(heroes, 0), (foes, 1)].map(|(name, seat)| Player::<Skirmish>::named(name, seat, seed).unwrap());
    let mut inputs = 0;
    while let (Some(seat), true) = (game.actor(), inputs < 3_000) {
        let offered = game.inputs();
        let rules = game.game().clone();
        let chosen = bots[usize::from(seat)].choose(&rules, game.position(), &offered, game.depth());
        game.act(offered[chosen].clone()).unwrap();
        inputs += 1;
    }
    (game.outcome(), inputs)
}

#[test]
fn every_scenario_is_fought_out_at_every_difficulty() {
    for scenario in SCENARIOS {
        let mut wins = Vec::new();
        for difficulty in DIFFICULTIES {
            let mut won = 0;
            for seed in 0..16 {
                let mut game = open(scenario, &[("difficulty", difficulty)], seed);
                let (outcome, inputs) = play(&mut game, "hard", difficulty, seed);
                assert!(outcome.is_some(), "{scenario} {difficulty} {seed}: no end after {inputs} inputs");
                won += usize::from(outcome == Some(Outcome::Won(0)));
            }
            wins.push(won);
        }
        println!("{scenario}: heroes won {wins:?} of 16 at {DIFFICULTIES:?}");
        assert!(wins[0] >= 12, "{scenario} is winnable when easy: {wins:?}");
        assert!(wins[0] > wins[3], "{scenario}: deadly is harder than easy: {wins:?}");
    }
}

#[test]
fn the_full_invariants_hold_after_every_action() {
    for (n, scenario) in SCENARIOS.into_iter().enumerate() {
        let mut game = open(scenario, &[("difficulty", "hard")], n as u64);
        play(&mut game, "normal", "deadly", 3);
        let first = game.position_at(0).unwrap();
        let mut chronicle = Chronicle::new(first.state().clone());
        for entry in game.log() {
            chronicle.fact(&entry.fact);
        }
        assert_eq!(chronicle.state(), game.state());
        let document = serde_json::to_value(chronicle.document()).unwrap();
        assert_eq!(violations(&document), []);
        assert!(turnstone_skirmish::document::validate(&document, Profile::Mir023).is_empty());
        // The document opens again and stands where the match stands.
        let again = Skirmish::default().start(&Setup::state(Profile::Mir023, document), 0).unwrap();
        assert_eq!(again.bodies, game.state().bodies);
        assert_eq!(again.dice.seed_text(), game.state().dice.seed_text());
    }
}

#[test]
fn fog_leaks_nothing() {
    let mut game = open("crypt-of-lanterns", &[], 5);
    play(&mut game, "normal", "normal", 5);
    for (seat, other) in [(0u8, "npc-"), (1u8, "pc-")] {
        let viewer = Viewer::Seat(seat);
        let mut before = game.position_at(0).unwrap().state().clone();
        for entry in game.log() {
            let Some(event) = entry.fact.event() else { continue };
            let mut after = before.clone();
            game.game().apply(&mut after, event);
            let seen = game.game().redact(&before, &after, event, viewer);
            let (old, new) = (game.game().view(&before, viewer), game.game().view(&after, viewer));
            check_leak(&before, event, seen.as_ref(), [&old, &new], other);
            assert_eq!(old["rng"]["seed"], Value::Null);
            before = after;
        }
    }
}

/// Whoever an event shown to a side names was in that side's view before or after it.
fn check_leak(
    state: &turnstone_skirmish::State,
    event: &Event,
    seen: Option<&Event>,
    views: [&Value; 2],
    other: &str,
) {
    let Some(seen) = seen else { return };
    let named: Vec<u16> = match seen {
        Event::InitiativeRolled { order, .. } => order.iter().map(|(b, _)| *b).collect(),
        Event::TurnEnded { from, to, .. } => vec![*from, *to],
        Event::TurnPassed { from, to, .. } => from.iter().chain(to).copied().collect(),
        Event::Defended { body, .. }
        | Event::ConditionExpired { body, .. }
        | Event::ConditionDamage { body, .. } => vec![*body],
        Event::Moved { .. } | Event::Glimpsed { .. } => {
            let Event::Moved { path, .. } = event else { panic!("only moves are glimpsed") };
            let shown = match seen {
                Event::Moved { path, .. } => path,
                Event::Glimpsed { seen, .. } => seen,
                _ => unreachable!(),
            };
            assert!(shown.iter().all(|c| path.contains(c)));
            return;
        }
        // One party in sight shows the blow.
        _ => return,
    };
    for body in named {
        let id = state.stage.figure(body).id.to_string();
        if !id.starts_with(other) {
            continue;
        }
        let text = |v: &Value| v["entities"].to_string().contains(&format!("\"{id}\""));
        assert!(views.iter().any(|v| text(v)), "{id} leaked by {seen:?}");
    }
}

#[test]
fn explanations_name_conditions_and_numbers() {
    let mut document = Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone();
    document["entities"]["players"][0]["conditions"] = json!(["blessed", "poisoned"]);
    document["entities"]["npcs"][0]["conditions"] = json!(["stunned"]);
    document["entities"]["npcs"][0]["position"] = json!({"x": 6, "y": 4});
    let setup = Setup::state(Profile::Mir023, document);
    let mut game: Match<Skirmish> = Match::new(Arc::new(Skirmish::default()), setup, 0).unwrap();
    let attack = json!({"type": "ATTACK", "attackerId": "pc-hild", "targetId": "npc-gob-1"});
    game.act(Input::Act(Action::from_json(&attack))).unwrap();
    let text = game.explain(game.here()).to_string();
    for part in ["+2 on the roll: blessed on Hild", "disadvantage", "-2 on armour class: stunned on Snag"] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

#[test]
fn burning_and_dodging_follow_the_turns() {
    let mut document = Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone();
    for npc in document["entities"]["npcs"].as_array_mut().unwrap() {
        npc["conditions"] = json!(["burning"]);
        npc["conditionDurations"] = json!({"burning": 1});
    }
    let setup = Setup { in_combat: true, ..Setup::state(Profile::Mir023, document) };
    let mut game: Match<Skirmish> = Match::new(Arc::new(Skirmish::default()), setup, 0).unwrap();
    let mut dodged_until_own_turn = 0;
    for _ in 0..18 {
        let state = game.state();
        let Some(active) = state.combat.active else { break };
        let id = state.stage.figure(active).id.clone();
        let dodging = state.stage.condition("dodging").unwrap();
        assert!(!state.has(active, dodging), "dodging ends when the turn comes");
        game.act(Input::Act(Action::defend(&id))).unwrap();
        game.act(Input::Act(Action::end_turn(&id))).unwrap();
        dodged_until_own_turn += usize::from(game.state().has(active, dodging));
    }
    assert!(dodged_until_own_turn > 10, "dodging outlasts the turn it began in");
    let kinds: Vec<&Event> = game.log().filter_map(|e| e.fact.event()).collect();
    assert!(kinds.iter().any(|e| matches!(e, Event::ConditionDamage { .. })));
    assert!(kinds.iter().any(|e| matches!(e, Event::ConditionExpired { .. })));
}

#[test]
fn replays_are_written_and_read_back() {
    let document = Catalog::built_in().scenario("toll-on-the-pass").unwrap().initial_state.clone();
    let meta = ReplayMeta {
        id: "r".into(),
        created_at: "2026-01-01T00:00:00Z".into(),
        schema_version: "0.1.0".into(),
        engine_version: "0.23".into(),
        notes: None,
        rules: None,
    };
    let actions = vec![
        json!({"type": "ROLL_INITIATIVE"}),
        json!({"type": "ROLL_INITIATIVE"}),
        json!({"type": "MOVE", "entityId": "pc-marek", "path": [{"x": 2, "y": 4}]}),
        json!(null),
    ];
    let replay = Replay::record(meta, document, actions).unwrap();
    let text = serde_json::to_string(&replay).unwrap();
    let mut again = Replay::read(&text).unwrap();
    assert!(again.run().ok, "{:?}", again.run().errors);
    again.steps[0].expected_events.as_mut().unwrap()[0].insert("payload".into(), json!({"order": []}));
    let report = again.run();
    assert_eq!((report.ok, report.failing_step, report.steps_run), (false, Some(0), 1));
}

#[test]
fn simulations_end() {
    let setup = Setup { in_combat: false, ..Setup::scenario("bridge-at-dusk", "normal") };
    let state = Skirmish::default().start(&setup, 11).unwrap();
    let mut fight = simulate::Simulation::new(state);
    let ending = fight.run(60, basic::plan);
    assert_eq!(ending, simulate::Ending::Fought);
    let refused = fight.log().iter().filter(|e| e.fact.event().is_none()).count();
    assert_eq!(refused, 0, "the mended plan is never refused");
}

#[test]
fn the_table_side_is_whole() {
    for named in Skirmish::setups() {
        let game = open(&named.id, &[], 4);
        let inputs = game.inputs();
        let scene = game.game().scene(game.position(), &inputs, Viewer::Seat(0));
        assert_eq!(scene.options.len(), inputs.len());
        let board = scene.board.unwrap();
        assert_eq!(board.cells.len(), usize::from(board.width) * usize::from(board.height));
        // Pointing at things tells all inputs apart.
        for (i, option) in scene.options.iter().enumerate() {
            let same = scene.options.iter().filter(|o| o.picks == option.picks).count();
            assert_eq!(same, 1, "{}: option {i} {:?}", named.id, option);
        }
    }
    let check = Skirmish::check_content(&[]).unwrap();
    assert_eq!(check.problems, Vec::<String>::new());
    assert_eq!(Skirmish::schemas().len(), 5);
}

#[test]
fn sentences_and_bare_json_are_inputs() {
    let game = open("bridge-at-dusk", &[("start", "exploration")], 1);
    let position: &Position<Skirmish> = game.position();
    let Some(Input::Act(action)) = game.game().parse_input(position, "have tamsin move south") else {
        panic!("understood")
    };
    assert_eq!(action.to_json()["entityId"], "pc-tamsin");
    let input = game.game().read_input(position, &json!({"type": "ROLL_INITIATIVE"})).unwrap();
    assert_eq!(input, Input::Act(Action::roll_initiative()));
    let wrapped = game.game().read_input(position, &json!({"act": {"type": "ROLL_INITIATIVE"}})).unwrap();
    assert_eq!(input, wrapped);
}

#[test]
fn unknown_names_are_refused_with_help() {
    let opening = Opening { setup: Some("bridge-at-dask".into()), ..Opening::default() };
    let error = Skirmish::open_table(&opening).unwrap_err();
    assert!(error.to_string().contains("did you mean `bridge-at-dusk`?"), "{error}");
    let opening = Opening { wishes: vec![("difficulty".into(), "mild".into())], ..Opening::default() };
    let error = Skirmish::open_table(&opening).unwrap_err();
    assert!(error.to_string().contains("easy, normal, hard, deadly"), "{error}");
}

#[test]
fn states_with_colliding_ids_or_clocks_are_refused() {
    let mut document = Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone();
    let event = |id: &str, time: &str| json!({"id": id, "timestamp": time, "type": "note", "payload": {}});
    document["log"]["events"] = json!([event("evt-0002", "2026-01-01T00:00:00.000Z")]);
    let refusal = Skirmish::default().start(&Setup::state(Profile::Mir023, document.clone()), 0).unwrap_err();
    assert!(refusal.to_string().starts_with("[PRE_INVARIANT] [LOG_IDS_UNIQUE]"), "{refusal}");
    document["log"]["events"] = json!([event("evt-0001", "2027-01-01T00:00:00.000Z")]);
    let refusal = Skirmish::default().start(&Setup::state(Profile::Mir023, document), 0).unwrap_err();
    assert!(refusal.to_string().starts_with("[PRE_INVARIANT] [LOG_CHRONOLOGICAL]"), "{refusal}");
}

#[test]
fn a_match_is_exported_as_documents_that_prove_themselves() {
    for (seed, setup) in ["crypt-of-lanterns", "toll-on-the-pass", "arena"].into_iter().enumerate() {
        let opening = Opening {
            setup: Some(setup.to_string()),
            ruleset: Some(["mir-0.23", "mir-1.4", "core-5e-lite"][seed].into()),
            wishes: vec![("difficulty".into(), "hard".into())],
            ..Opening::default()
        };
        let (game, first) = Skirmish::open_table(&opening).unwrap();
        let mut game: Match<Skirmish> = Match::new(game, first, seed as u64).unwrap();
        play(&mut game, "normal", "hard", 5);
        let whole = export(&game, "m", "2026-01-01T00:00:00Z").unwrap();
        // The bundle runs clean, and the log alone rebuilds the state.
        let text = serde_json::to_string(&whole.replay).unwrap();
        let report = Replay::read(&text).unwrap().run();
        assert!(report.ok, "{setup}: {:?}", report.errors);
        assert_eq!(report.final_state_hash.as_ref(), Some(&whole.hash));
        let mut folded = whole.replay.initial_state.clone();
        whole.log.iter().for_each(|event| fold_event(&mut folded, event));
        assert_eq!(folded, whole.state, "{setup}");
        assert_eq!(whole.log[0]["id"], "evt-0002", "the roll of initiative was the first");
        let tale = narrate(&game).unwrap();
        assert!(tale.contains("Round 2\n") && tale.contains("damage"), "{tale}");
    }
}

#[test]
fn events_speak_ids_and_keep_to_their_schema() {
    let schemas = Skirmish::schemas();
    let schema = |name: &str| &schemas.iter().find(|(known, _)| known == name).unwrap().1;
    let events = jsonschema::validator_for(schema("event")).unwrap();
    let views = jsonschema::validator_for(schema("view")).unwrap();
    let mut game = open("crypt-of-lanterns", &[], 3);
    play(&mut game, "normal", "deadly", 3);
    for viewer in [Viewer::All, Viewer::Seat(0), Viewer::Seat(1)] {
        let view = game.game().view(game.state(), viewer);
        assert!(views.is_valid(&view), "{:?}", views.iter_errors(&view).map(|e| e.to_string()).next());
        for fact in game.log_for(viewer) {
            let Some(event) = fact.event() else { continue };
            let written = game.game().write_event(game.state(), event);
            let faults: Vec<String> = events.iter_errors(&written).map(|e| e.to_string()).collect();
            assert!(faults.is_empty(), "{written}: {faults:?}");
            assert!(!written.to_string().contains("chain"), "{written}");
        }
    }
    let blow = game.log().filter_map(|e| e.fact.event()).find(|e| matches!(e, Event::Attacked(_))).unwrap();
    let written = game.game().write_event(game.state(), blow);
    let id = written["Attacked"]["target"].as_str().unwrap();
    assert!(id.starts_with("pc-") || id.starts_with("npc-"), "{written}");
}

#[test]
fn figures_of_one_kind_are_told_apart() {
    for seed in 0..8 {
        let game = open("tavern", &[("difficulty", "hard")], seed);
        let inputs = game.inputs();
        let scene = game.game().scene(game.position(), &inputs, Viewer::Seat(0));
        let labels: Vec<&String> = scene.options.iter().map(|o| &o.label).collect();
        for (at, label) in labels.iter().enumerate() {
            assert!(!labels[..at].contains(label), "{label:?} twice");
        }
        let mut called: Vec<&str> = game.state().stage.figures.iter().map(|f| &*f.called).collect();
        called.sort_unstable();
        called.dedup();
        assert_eq!(called.len(), game.state().stage.figures.len());
        // The panels carry the letters of the board.
        let board = scene.board.unwrap();
        for item in scene.panels[..2].iter().flat_map(|p| &p.items) {
            let letters = item.text.split_whitespace().next().unwrap();
            assert!(board.cells.iter().any(|c| c.text == letters), "{letters} is not on the board");
        }
    }
}

#[test]
fn foes_come_first_and_friends_last() {
    let mut document = Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone();
    document["entities"]["npcs"][0]["position"] = json!({"x": 6, "y": 4});
    let opening = Opening { setup: Some(document.to_string()), ..Opening::default() };
    let (game, setup) = Skirmish::open_table(&opening).unwrap();
    let game: Match<Skirmish> = Match::new(game, setup, 0).unwrap();
    let inputs = game.inputs();
    let scene = game.game().scene(game.position(), &inputs, Viewer::Seat(0));
    let place = |part: &str| scene.options.iter().position(|o| o.label.contains(part)).unwrap();
    assert!(place("attacks Snag") < place("walks"));
    assert!(place("walks") < place("attacks a friend"));
    // Pointing at a friend is not enough to strike him.
    let friend = &scene.options[place("attacks a friend")];
    assert!(matches!(&friend.picks[1], Pick::Word(word) if word == "strike a friend"), "{friend:?}");
}

#[test]
fn previews_ask_the_rules() {
    let mut document = Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone();
    document["entities"]["npcs"][0]["position"] = json!({"x": 6, "y": 4});
    document["entities"]["players"][0]["stats"]["attackBonus"] = json!(6);
    document["entities"]["npcs"][0]["stats"]["ac"] = json!(16);
    document["entities"]["npcs"][0]["conditions"] = json!(["dodging"]);
    let (setup, ruleset) = (Some(document.to_string()), Some("core-5e-lite".into()));
    let opening = Opening { setup, ruleset, ..Opening::default() };
    let (game, setup) = Skirmish::open_table(&opening).unwrap();
    let game: Match<Skirmish> = Match::new(game, setup, 0).unwrap();
    let scene = game.game().scene(game.position(), &game.inputs(), Viewer::Seat(0));
    let blow = scene.options.iter().find(|o| o.label == "Hild attacks Snag").unwrap();
    assert!(blow.preview.starts_with("hits on 12+"), "{}", blow.preview);
    let guard = scene.options.iter().find(|o| o.label == "Hild defends").unwrap();
    assert_eq!(guard.preview, "AC +2 until your next turn, regain up to 2");
}
