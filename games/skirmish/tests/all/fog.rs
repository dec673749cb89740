//! What one may know is law: nothing that a seat is told depends on what it may not know.

use serde_json::{Value, json};
use turnstone::dice::{Lots, Stream};
use turnstone::{Game, Input, Match, Position, Rejection, Seat, Seen, Told, Viewer};
use turnstone_host::{Hosted, Opening, Player};
use turnstone_skirmish::action::Action;
use turnstone_skirmish::sight::{Secret, sample, unseen, vary};
use turnstone_skirmish::{Event, Skirmish, State};

fn open(setup: &str, ruleset: &str, wishes: &[(&str, &str)], seed: u64) -> Match<Skirmish> {
    let wishes = wishes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let (setup, ruleset) = (Some(setup.to_string()), Some(Value::from(ruleset)));
    let opening = Opening { setup, ruleset, wishes, seed, ..Opening::default() };
    let (game, setup) = Skirmish::open_table(&opening).unwrap();
    Match::new(game, setup, seed).unwrap()
}

/// The positions of a match between two bots.
fn positions(game: &mut Match<Skirmish>, bots: [&str; 2], seed: u64, limit: usize) -> Vec<State> {
    let mut bots = [0, 1].map(|seat| Player::<Skirmish>::named(bots[seat], seat as Seat, seed).unwrap());
    let mut seen = vec![game.state().clone()];
    while let (Some(seat), true) = (game.actor(), seen.len() < limit) {
        let inputs = game.inputs();
        let rules = game.game().clone();
        let chosen = bots[usize::from(seat)].choose(&rules, game.position(), &inputs, game.depth());
        game.act(inputs[chosen].clone()).unwrap();
        seen.push(game.state().clone());
    }
    seen
}

fn matches() -> Vec<Match<Skirmish>> {
    let mut all = Vec::new();
    for (seed, ruleset) in ["mir-0.23", "mir-1.4", "core-5e-lite"].into_iter().enumerate() {
        all.push(open("crypt-of-lanterns", ruleset, &[], seed as u64));
        all.push(open("dungeon", ruleset, &[("fog", "on")], seed as u64));
    }
    all.push(open("crypt-of-lanterns", "mir-0.23", &[("start", "exploration")], 9));
    all
}

/// What may be tried blind: everybody, and somebody who does not exist.
fn attempts(state: &State) -> Vec<Value> {
    let ids: Vec<&str> = state.stage.figures.iter().map(|f| &*f.id).chain(["npc-nobody"]).collect();
    let mut all = Vec::new();
    for id in &ids {
        all.push(json!({"type": "DEFEND", "entityId": id}));
        all.push(json!({"type": "END_TURN", "entityId": id}));
        all.push(json!({"type": "MOVE", "entityId": id, "path": [{"x": 1, "y": 1}]}));
        for other in &ids {
            all.push(json!({"type": "ATTACK", "attackerId": id, "targetId": other}));
            let ability = "firebolt";
            all.push(json!({"type": "USE_ABILITY", "casterId": id, "abilityId": ability, "targetId": other}));
        }
    }
    all
}

fn refusal(game: &Skirmish, state: &State, action: &Value) -> Option<Rejection> {
    game.check(state, &Action::from_json(action)).err()
}

/// Everything that a seat is told of a position.
fn told(game: &Skirmish, state: &State, seat: Seat) -> Vec<String> {
    let viewer = Viewer::Seat(seat);
    let mut all = vec![game.view(state, viewer).to_string()];
    let position = Position::<Skirmish>::new(state.clone());
    let own = game.actor(state) == Some(seat);
    let inputs = if own { position.inputs(game) } else { Vec::new() };
    all.push(serde_json::to_string(&inputs).unwrap());
    all.push(serde_json::to_string(&game.scene(&position, &inputs, viewer)).unwrap());
    if own {
        for action in attempts(state) {
            all.push(format!("{:?}", refusal(game, state, &action)));
            all.push(game.tell_action(state, &Action::from_json(&action)));
        }
        for text in ["attack the nearest foe", "attack the weakest enemy", "flee", "go to 9,9"] {
            all.push(format!("{:?}", game.parse_input(&position, text)));
        }
    }
    all
}

#[test]
fn nothing_told_depends_on_what_is_secret() {
    let mut varied = [0; Secret::ALL.len()];
    for mut played in matches() {
        let game = played.game().clone();
        let mut lots = Lots::new(4, Stream::named("secrets"));
        for state in positions(&mut played, ["normal", "hard"], 3, 60).iter().step_by(3) {
            for seat in [0, 1] {
                let true_words = told(&game, state, seat);
                for (n, secret) in Secret::ALL.into_iter().enumerate() {
                    let Some(other) = vary(state, seat, secret, &mut lots) else { continue };
                    game.validate(&other).unwrap_or_else(|e| panic!("{secret:?}: {e}"));
                    varied[n] += 1;
                    for (a, b) in true_words.iter().zip(told(&game, &other, seat)) {
                        assert_eq!(*a, b, "seat {seat} can tell {secret:?}");
                    }
                }
            }
        }
    }
    for (secret, count) in Secret::ALL.into_iter().zip(varied) {
        assert!(count >= 10, "{secret:?} was changed {count} times only");
    }
}

#[test]
fn samples_are_possible_and_do_vary() {
    let mut played = open("crypt-of-lanterns", "mir-0.23", &[], 1);
    let game = played.game().clone();
    let states = positions(&mut played, ["normal", "normal"], 2, 12);
    let mut lots = Lots::new(1, Stream::named("samples"));
    for (state, seat) in states.iter().zip([0, 1].into_iter().cycle()) {
        let samples: Vec<State> = (0..3).map(|_| sample(state, seat, &mut lots)).collect();
        assert!(samples.iter().all(|s| game.validate(s).is_ok()));
        assert!(samples.iter().all(|s| told(&game, s, seat) == told(&game, state, seat)));
        assert!(samples[0] != samples[1] && samples[1] != samples[2]);
        assert_eq!(unseen(&samples[0], Viewer::Seat(seat)), unseen(state, Viewer::Seat(seat)));
        // How many dice were rolled out of sight is drawn, too.
        let rolled = |rolls| {
            let mut other = state.clone();
            other.dice.rolls = rolls;
            sample(&other, seat, &mut Lots::new(2, Stream::named("samples"))).dice.rolls
        };
        assert!(state.dice.chain.is_none() || rolled(3) == rolled(4));
    }
    assert!(states.iter().any(|state| state.dice.chain.is_some()));
}

#[test]
fn the_unseen_are_refused_as_the_unknown_are() {
    let played = open("crypt-of-lanterns", "mir-0.23", &[("start", "exploration")], 1);
    let (game, state) = (played.game(), played.state());
    let hidden = unseen(state, Viewer::Seat(0));
    assert!(!hidden.is_empty());
    for body in hidden {
        let id = state.stage.figure(body).id.to_string();
        for kind in ["ATTACK", "USE_ABILITY"] {
            let action = |target: &str| {
                json!({"type": kind, "attackerId": "pc-wren", "casterId": "pc-wren",
                       "abilityId": "sneak_attack", "targetId": target})
            };
            let blind = refusal(game, state, &action(&id)).unwrap();
            let unknown = refusal(game, state, &action("npc-nobody")).unwrap();
            assert_eq!(blind.code(), "ENTITY_NOT_FOUND");
            assert_eq!(blind.to_string(), unknown.to_string().replace("npc-nobody", &id));
        }
    }
}

/// Wren alone in the dark, with a rat round the corner.
fn corner() -> (std::sync::Arc<Skirmish>, State) {
    let mut value = Skirmish::default().catalog.scenario("crypt-of-lanterns").unwrap().initial_state.clone();
    value["map"]["terrain"] = json!([]);
    let wall =
        |x: i64| json!({"x": x, "y": 1, "type": "blocked", "blocksMovement": true, "blocksVision": true});
    value["map"]["terrain"] = (0..5).map(wall).collect();
    let (hero, rat) = (value["entities"]["players"][0].clone(), value["entities"]["npcs"][0].clone());
    value["entities"] = json!({"players": [hero], "npcs": [rat], "objects": []});
    value["entities"]["players"][0]["position"] = json!({"x": 4, "y": 0});
    value["entities"]["npcs"][0]["position"] = json!({"x": 3, "y": 2});
    value["map"]["fogOfWarEnabled"] = json!(true);
    let opening = Opening { setup: Some(value.to_string()), ..Opening::default() };
    let (game, setup) = Skirmish::open_table(&opening).unwrap();
    let state = game.start(&setup, 1).unwrap();
    (game, state)
}

#[test]
fn a_walk_stops_before_what_it_did_not_see() {
    let (game, state) = corner();
    let mut played = Position::<Skirmish>::new(state.clone());
    assert_eq!(unseen(&state, Viewer::Seat(0)), [1], "the rat is round the corner");
    let id = state.stage.figures[0].id.to_string();
    let path: Vec<Value> =
        [(5, 0), (5, 1), (5, 2), (4, 2), (3, 2)].map(|(x, y)| json!({"x": x, "y": y})).into();
    let walk = json!({"type": "MOVE", "entityId": id, "path": path});
    assert_eq!(refusal(&game, &state, &walk), None, "as far as one sees, the way is free");
    let mut log = turnstone::Log::default();
    let input = Input::Act(Action::from_json(&walk));
    turnstone::Resolver::default().act(&*game, &mut played, &input, &mut log).unwrap();
    let events: Vec<&Event> = log.entries().iter().filter_map(|e| e.fact.event()).collect();
    assert!(
        matches!(events[..], [Event::Moved { .. }, Event::Halted { body: 0, cell }] if (cell.x, cell.y) == (3, 2))
    );
    assert_eq!((played.state().cell(0).x, played.state().cell(0).y), (4, 2));
    assert!(unseen(played.state(), Viewer::Seat(0)).is_empty(), "and now it is seen");
}

#[test]
fn listed_ways_lead_through_the_unseen() {
    let (game, state) = corner();
    let mut legal = Vec::new();
    game.legal(&state, &mut legal);
    let goal = json!({"x": 3, "y": 2});
    let there = |a: &Action| a.to_json()["path"].as_array().is_some_and(|p| p.last() == Some(&goal));
    assert!(legal.iter().any(there), "a hole in the list would tell who stands there");
}

#[test]
fn views_hold_no_seed() {
    let played = open("dungeon", "mir-0.23", &[("fog", "on")], 987_654_321);
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Spectator] {
        let text = played.game().view(played.state(), viewer).to_string();
        assert!(!text.contains("987654321"), "{text}");
    }
}

/// One line for each of them told how many are out of sight, and where they come in the order.
#[test]
fn a_turn_between_two_unseen_in_the_same_round_makes_no_line() {
    let (mut kept, mut told) = (0, 0);
    for seed in 0..6 {
        let mut played = open("dungeon", "mir-0.23", &[("fog", "on")], seed);
        positions(&mut played, ["normal", "normal"], seed, 120);
        let mut before = played.position_at(0).unwrap().state().clone();
        for entry in played.log() {
            let Some(event) = entry.fact.event() else { continue };
            let mut after = before.clone();
            played.game().apply(&mut after, event);
            for seat in [0, 1] {
                let seen = played.game().redact(&before, &after, event, Viewer::Seat(seat));
                match (event, seen) {
                    (Event::TurnEnded { .. }, None) => kept += 1,
                    (Event::TurnEnded { .. }, Some(Event::TurnPassed { from: None, to: None, round })) => {
                        assert!(round > before.combat.round, "seed {seed}: nothing has happened");
                        told += 1;
                    }
                    _ => {}
                }
            }
            before = after;
        }
    }
    assert!(kept > 20, "{kept} turns were kept from somebody, {told} rounds told");
}
