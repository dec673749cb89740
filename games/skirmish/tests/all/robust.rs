//! Nothing from outside makes the game panic: documents, actions, states and events bent at random.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnstone::{Game, Input, Log, Position, Resolver, Seen, Told, Viewer};
use turnstone_skirmish::action::Action;
use turnstone_skirmish::catalog::Catalog;
use turnstone_skirmish::export::Chronicle;
use turnstone_skirmish::text::{model_output, parse, plan};
use turnstone_skirmish::{Event, Profile, Setup, Skirmish, State};

fn odd_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(-1)),
        Just(json!(0)),
        Just(json!(0.5)),
        Just(json!(1e18)),
        Just(json!(-9007199254740992i64)),
        Just(json!(255)),
        Just(json!("")),
        Just(json!("pc-hild")),
        Just(json!("npc-wolf")),
        Just(json!([])),
        Just(json!([{"x": 6, "y": 4}])),
        Just(json!({})),
        Just(json!(true)),
    ]
}

/// Replaces the value at the `at`-th place of a tree, counted depth first.
fn bend(value: &mut Value, at: &mut usize, with: &Value) {
    if *at == 0 {
        *value = with.clone();
        *at = usize::MAX;
        return;
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().for_each(|v| {
            if *at != usize::MAX {
                bend(v, at, with);
            }
        }),
        Value::Object(map) => map.values_mut().for_each(|v| {
            if *at != usize::MAX {
                bend(v, at, with);
            }
        }),
        _ => {}
    }
}

fn document() -> Value {
    Catalog::built_in().scenario("bridge-at-dusk").unwrap().initial_state.clone()
}

fn fight() -> State {
    Skirmish::default().start(&Setup::scenario("crypt-of-lanterns", "hard"), 3).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bent_documents_are_opened_or_refused(at in 0usize..900, with in odd_value(), modern: bool) {
        let mut state = document();
        bend(&mut state, &mut at.clone(), &with);
        let profile = if modern { Profile::Mir023 } else { Profile::Mir14 };
        if let Ok(state) = Skirmish::default().start(&Setup::state(profile, state), 0) {
            prop_assert!(Skirmish::default().validate(&state).is_ok());
            let mut legal = Vec::new();
            Skirmish::default().legal(&state, &mut legal);
        }
    }

    #[test]
    fn bent_actions_are_carried_out_or_refused(at in 0usize..12, with in odd_value(), which in 0usize..6) {
        let mut action = [
            json!({"type": "MOVE", "entityId": "pc-hild", "path": [{"x": 6, "y": 4}]}),
            json!({"type": "ATTACK", "attackerId": "pc-hild", "targetId": "npc-wolf"}),
            json!({"type": "USE_ABILITY", "casterId": "pc-oswin", "abilityId": "healing_word", "targetId": "pc-hild"}),
            json!({"type": "END_TURN", "entityId": "pc-hild"}),
            json!({"type": "SET_SEED", "seed": "x"}),
            json!({"type": "DEFEND", "entityId": "pc-hild"}),
        ][which].clone();
        bend(&mut action, &mut at.clone(), &with);
        let game = Skirmish::default();
        let state = game.start(&Setup::state(Profile::Mir023, document()), 0).unwrap();
        let mut position = Position::new(state.clone());
        let mut log = Log::default();
        let input = Input::Act(Action::from_json(&action));
        let result = Resolver::default().act(&game, &mut position, &input, &mut log);
        prop_assert!(!log.entries().is_empty());
        if result.is_err() {
            prop_assert_eq!(log.entries().len(), 1);
            prop_assert_eq!(position.state(), &state);
        }
        prop_assert!(game.validate(position.state()).is_ok());
    }

    #[test]
    fn bent_states_are_refused_or_playable(at in 0usize..1500, with in odd_value()) {
        let mut value = serde_json::to_value(fight()).unwrap();
        bend(&mut value, &mut at.clone(), &with);
        let Ok(state) = serde_json::from_value::<State>(value) else { return Ok(()) };
        let game = Skirmish::default();
        if game.validate(&state).is_err() {
            return Ok(());
        }
        let mut position = Position::new(state);
        let mut resolver = Resolver::default();
        for _ in 0..3 {
            let mut legal = Vec::new();
            game.legal(position.state(), &mut legal);
            let Some(action) = legal.pop() else { break };
            let _ = resolver.act(&game, &mut position, &Input::Act(action), &mut turnstone::Off);
            game.view(position.state(), Viewer::Seat(0));
        }
    }

    #[test]
    fn foreign_events_are_folded_without_harm(body: u16, other: u16, x: u8, y: u8, hp: i64) {
        let game = Skirmish::default();
        let state = fight();
        let cell = json!([{"x": x, "y": y}]);
        for value in [
            json!({"Moved": {"body": body, "path": cell}}),
            json!({"TurnEnded": {"from": body, "to": other, "round": hp}}),
            json!({"Defended": {"body": body, "healed": hp}}),
            json!({"ConditionExpired": {"body": body, "condition": other}}),
            json!({"InitiativeRolled": {"order": [[body, 3]], "chain": 1}}),
        ] {
            let Ok(event) = serde_json::from_value::<Event>(value) else { continue };
            let mut after = state.clone();
            let named = usize::from(body) < state.bodies.len();
            assert!(named || !game.fits(&state, &event), "{event:?} names somebody who is not here");
            if game.fits(&state, &event) {
                game.apply(&mut after, &event);
            }
            game.tell(&after, &event, &[]);
            game.redact(&state, &after, &event, Viewer::Seat(1));
            Chronicle::new(state.clone()).event(&event);
        }
    }

    #[test]
    fn any_sentence_is_understood_or_not(text in ".{0,40}", words in "((go|attack|cast|heal|the|wolf|2|,|north|and|then|it|flee|from) ?){0,8}") {
        let state = fight();
        for sentence in [text, words] {
            plan(&state, &parse(&sentence));
            let _ = model_output::read(&sentence);
        }
    }
}
