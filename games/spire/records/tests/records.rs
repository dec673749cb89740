//! Recorded files as `conform` takes them: visits of the map, runs of the real game, and files that are damaged.

use std::io::Read;

use serde_json::{Value, json};
use turnstone_host::Conformity;

fn golden(name: &str) -> String {
    let path = format!("{}/../tests/golden/{name}.gz", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn conform(text: &str) -> Conformity {
    turnstone_spire_records::conform("records.jsonl", text, &[]).expect("readable records")
}

/// What is wrong with a single record.
fn failure(record: &Value) -> String {
    let result = conform(&record.to_string());
    assert_eq!((result.passed, result.failures.len()), (0, 1), "{record}");
    format!("{}: {}", result.failures[0].place, result.failures[0].text)
}

fn passes(record: &Value) {
    let result = conform(&record.to_string());
    assert_eq!((result.passed, &result.failures[..]), (1, &[][..]), "{record}");
}

#[test]
fn visits_of_the_map() {
    let result = conform(&golden("map.jsonl"));
    assert_eq!(result.kind, "map traces");
    assert!(result.failures.is_empty(), "{:#?}", result.failures);
    assert_eq!(result.passed, 22);
}

#[test]
fn runs_of_the_real_game() {
    let result = conform(&golden("real-game.jsonl"));
    assert_eq!(result.kind, "runs of the real game");
    assert!(result.failures.is_empty(), "{:#?}", result.failures);
    assert_eq!(result.passed, 4);
}

/// A state on the map as the recordings write it, at the first node unless changed.
fn on_the_map(relics: &[&str]) -> Value {
    let deck = ["Strike", "Strike", "Defend", "Defend", "Bash"].map(|id| json!({ "id": id, "up": false }));
    json!({
        "counters": { "girya": 0, "pen_nib": 0, "rest_energy": 0, "ruby_key": false, "winged_boots": 0 },
        "floor": 1, "node": "floor1-1", "pending_combat": false,
        "master_deck": deck,
        "player": {
            "block": 0, "energy": 3, "gold": 99, "hp": 30, "id": "IRONCLAD", "max_energy": 3, "max_hp": 80,
            "max_orbs": 3, "orbs": [], "permanent_strength": 0, "potions": [], "relics": relics,
            "stance": "NO_STANCE", "status": {},
        },
    })
}

/// The state with some fields changed, each by its path.
fn with(state: &Value, changes: &[(&str, Value)]) -> Value {
    let mut state = state.clone();
    for (path, value) in changes {
        *state.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value.clone();
    }
    state
}

fn visit(initial: &Value, steps: &[(Value, Value)]) -> Value {
    let step = |(action, expect): &(Value, Value)| json!({ "action": action, "expect": expect });
    json!({ "id": "visit", "initial": initial, "steps": steps.iter().map(step).collect::<Value>() })
}

fn going(node: &str, picks: Value) -> Value {
    json!({ "type": "move", "node": node, "accepted": true, "picks": picks })
}

fn refused(node: Value) -> Value {
    json!({ "type": "move", "node": node, "accepted": false, "picks": [] })
}

fn verb(event: &str, amount: Value) -> Value {
    json!({ "type": "map_event", "event": event, "amount": amount })
}

const FIRE: [(&str, &str); 1] = [("/node", "floor2-2")];

/// The state at the campfire, with some fields changed.
fn at_the_fire(initial: &Value, changes: &[(&str, Value)]) -> Value {
    let moved: Vec<(&str, Value)> = FIRE.iter().map(|(path, node)| (*path, json!(node))).collect();
    with(&with(initial, &moved), &[&[("/floor", json!(2))], changes].concat())
}

#[test]
fn amounts_of_verbs_are_rounded_down_and_bounded() {
    for (relics, event, amount, path, left) in [
        (&[][..], "MAP_HEAL", json!(7.9), "/player/hp", 37),
        (&[], "MAP_HEAL", json!(-5), "/player/hp", 30),
        (&[], "MAP_HEAL", json!(1e12), "/player/hp", 80),
        (&[], "MAP_RECEIVE_DAMAGE", json!(7.9), "/player/hp", 23),
        (&[], "MAP_RECEIVE_DAMAGE", json!(-7), "/player/hp", 30),
        (&[], "MAP_RECEIVE_DAMAGE", json!(500), "/player/hp", 0),
        (&["Tungsten_Rod"], "MAP_RECEIVE_DAMAGE", json!(7), "/player/hp", 24),
        (&["Tungsten_Rod"], "MAP_RECEIVE_DAMAGE", json!(1), "/player/hp", 30),
        (&[], "MAP_SPEND_GOLD", json!(40.5), "/player/gold", 59),
        (&[], "MAP_SPEND_GOLD", json!(500), "/player/gold", 0),
        (&[], "MAP_SPEND_GOLD", json!(-5), "/player/gold", 99),
    ] {
        let initial = on_the_map(relics);
        let expect = with(&initial, &[(path, json!(left))]);
        passes(&visit(&initial, &[(verb(event, amount), expect)]));
    }
    let initial = on_the_map(&[]);
    let (down, up) =
        (with(&initial, &[("/player/hp", json!(0))]), with(&initial, &[("/player/hp", json!(5))]));
    let steps = [(verb("MAP_RECEIVE_DAMAGE", json!(99)), down), (verb("MAP_HEAL", json!(5)), up)];
    passes(&visit(&initial, &steps));
    let missing = visit(&initial, &[(json!({ "type": "map_event", "event": "MAP_HEAL" }), initial.clone())]);
    assert!(failure(&missing).contains("needs an `amount`"));
}

#[test]
fn who_stands_nowhere_may_begin_anywhere_and_nothing_happens_there() {
    let initial = with(&on_the_map(&[]), &[("/node", Value::Null)]);
    let there = with(&initial, &[("/node", json!("floor3-1")), ("/floor", json!(3))]);
    passes(&visit(&initial, &[(going("floor3-1", json!([])), there)]));
    passes(&visit(&initial, &[(refused(json!("floor9-9")), initial.clone())]));
}

#[test]
fn moves_that_lead_nowhere_are_refused_and_change_nothing() {
    let initial = on_the_map(&[]);
    for node in
        [json!("floor1-1"), json!("floor3-1"), json!("floor2-7"), json!("floor0-0"), json!("attic"), json!(7)]
    {
        passes(&visit(&initial, &[(refused(node), initial.clone())]));
    }
    let taken = visit(&initial, &[(refused(json!("floor2-2")), initial.clone())]);
    assert!(failure(&taken).contains("was refused there"));
}

#[test]
fn a_pending_fight_does_not_hold_a_move_back() {
    let initial = on_the_map(&[]);
    let hall = with(
        &initial,
        &[("/node", json!("floor2-1")), ("/floor", json!(2)), ("/pending_combat", json!(true))],
    );
    let cleric = with(&initial, &[("/node", json!("floor3-2")), ("/floor", json!(3))]);
    passes(&visit(
        &initial,
        &[
            (going("floor2-1", json!([])), hall.clone()),
            (refused(json!("floor4-1")), hall),
            (going("floor3-2", json!(["LEAVE"])), cleric),
        ],
    ));
}

#[test]
fn winged_boots_pay_only_for_what_is_not_connected() {
    // Everything is connected on this map but the way from the first floor past the second.
    let booted = with(&on_the_map(&["Winged_Boots"]), &[("/counters/winged_boots", json!(1))]);
    let fire = at_the_fire(&booted, &[]);
    passes(&visit(
        &booted,
        &[(refused(json!("floor3-1")), booted.clone()), (going("floor2-2", json!(["LEAVE"])), fire)],
    ));
}

#[test]
fn campfires_offer_what_relics_allow() {
    let lifted = |times: i32, strength: i32| {
        [("/counters/girya", json!(times)), ("/player/permanent_strength", json!(strength))]
    };
    let pupil = on_the_map(&["Girya"]);
    let lift = |initial: &Value, changes: &[(&str, Value)], picks: Value| {
        passes(&visit(initial, &[(going("floor2-2", picks), at_the_fire(initial, changes))]));
    };
    lift(&with(&pupil, &lifted(2, 2)), &lifted(3, 3), json!(["LIFT"]));
    lift(&with(&pupil, &lifted(3, 3)), &[], json!(["LIFT", "LEAVE"]));
    // Lifts and strength are counted apart.
    lift(&with(&pupil, &lifted(3, 0)), &[], json!(["LIFT", "LEAVE"]));
    lift(&with(&pupil, &lifted(1, 5)), &lifted(2, 6), json!(["LIFT"]));
    let refusals = json!(["LIFT", "TOKE", "DIG", "RECALL", "LEAVE"]);
    lift(&on_the_map(&[]), &[], refusals);
    let (rested, warm) = (("/player/hp", json!(69)), ("/counters/rest_energy", json!(2)));
    lift(&on_the_map(&["Regal_Pillow", "Ancient_Tea_Set"]), &[rested, warm], json!(["REST"]));
    let both = on_the_map(&["Coffee_Dripper", "Fusion_Hammer", "Eternal_Feather"]);
    lift(&both, &[("/player/hp", json!(33))], json!(["REST", "SMITH", "LEAVE"]));
}

#[test]
fn the_only_card_is_chosen_without_a_question() {
    let alone = json!([{ "id": "Bash", "up": false }]);
    let upgraded = json!([{ "id": "Bash", "up": true }]);
    let pick = json!(["SMITH", { "card": "Bash", "index": 0 }]);
    let initial = with(&on_the_map(&["Peace_Pipe"]), &[("/master_deck", alone)]);
    passes(&visit(
        &initial,
        &[(going("floor2-2", pick), at_the_fire(&initial, &[("/master_deck", upgraded)]))],
    ));
    let pick = json!(["TOKE", { "card": "Bash", "index": 0 }]);
    passes(&visit(
        &initial,
        &[(going("floor2-2", pick), at_the_fire(&initial, &[("/master_deck", json!([]))]))],
    ));
    let far = json!(["SMITH", { "card": "Bash", "index": 70_000 }]);
    let two = on_the_map(&[]);
    assert!(
        failure(&visit(&two, &[(going("floor2-2", far), at_the_fire(&two, &[]))])).contains("no card 70000")
    );
}

#[test]
fn a_removed_card_is_the_first_of_its_name() {
    let card = |id: &str, up: bool| json!({ "id": id, "up": up });
    let deck = json!([card("Strike", true), card("Defend", false), card("Strike", false)]);
    let left = json!([card("Defend", false), card("Strike", false)]);
    let initial = with(&on_the_map(&["Peace_Pipe"]), &[("/master_deck", deck)]);
    let pick = json!(["TOKE", { "card": "Strike", "index": 2 }]);
    passes(&visit(&initial, &[(going("floor2-2", pick), at_the_fire(&initial, &[("/master_deck", left)]))]));
}

#[test]
fn what_was_dreamt_or_dug_up_is_taken_from_the_record() {
    let initial = on_the_map(&["Dream_Catcher"]);
    let mut deck = initial["master_deck"].as_array().expect("a deck").clone();
    deck.push(json!({ "id": "Bloodletting", "up": false }));
    let rested = [("/player/hp", json!(54)), ("/master_deck", deck.into())];
    passes(&visit(&initial, &[(going("floor2-2", json!(["REST"])), at_the_fire(&initial, &rested))]));
    let skipped = [("/player/hp", json!(54))];
    passes(&visit(&initial, &[(going("floor2-2", json!(["REST"])), at_the_fire(&initial, &skipped))]));
    let digger = on_the_map(&["Shovel"]);
    let found = [("/player/relics", json!(["Shovel", "Necronomicon"]))];
    passes(&visit(&digger, &[(going("floor2-2", json!(["DIG"])), at_the_fire(&digger, &found))]));
}

/// A visit of the merchant with 7 cards and 3 relics.
fn shopping(gold: i32, picks: Value, changes: &[(&str, Value)]) -> Value {
    let initial = with(
        &on_the_map(&[]),
        &[("/node", json!("floor2-1")), ("/floor", json!(2)), ("/player/gold", json!(gold))],
    );
    let mut action = going("floor3-1", picks);
    action["stock"] = json!({
        "cards": ["Void", "Bloodletting", "Feed", "DemonForm", "Bash", "RitualDagger", "Tempest"],
        "relics": ["Winged_Boots", "Champions_Belt", "Necronomicon"],
    });
    let expect = with(&with(&initial, &[("/node", json!("floor3-1")), ("/floor", json!(3))]), changes);
    visit(&initial, &[(action, expect)])
}

#[test]
fn the_merchant_sells_what_can_be_paid_and_removes_last() {
    let deck = |more: &[&str], without: usize| -> Value {
        let mut deck = on_the_map(&[])["master_deck"].as_array().expect("a deck").clone();
        deck.drain(..without);
        deck.extend(more.iter().map(|id| json!({ "id": id, "up": false })));
        deck.into()
    };
    let bought = [("/player/gold", json!(25)), ("/master_deck", deck(&["Bloodletting"], 0))];
    passes(&shopping(
        100,
        json!(["BUY_CARD_2", "BUY_CARD_2", "BUY_CARD_4", "BUY_RELIC_1", "LEAVE"]),
        &bought,
    ));
    let booted = [
        ("/player/gold", json!(0)),
        ("/player/relics", json!(["Winged_Boots"])),
        ("/counters/winged_boots", json!(3)),
    ];
    passes(&shopping(150, json!(["BUY_RELIC_1", "BUY_RELIC_1", "LEAVE"]), &booted));
    let book = [("/player/gold", json!(0)), ("/player/relics", json!(["Necronomicon"]))];
    passes(&shopping(150, json!(["BUY_RELIC_3", "LEAVE"]), &book));
    let removal = json!(["REMOVE_CARD", { "card": "Strike", "index": 0 }]);
    passes(&shopping(80, removal, &[("/player/gold", json!(5)), ("/master_deck", deck(&[], 1))]));
    passes(&shopping(74, json!(["REMOVE_CARD", "LEAVE"]), &[]));
}

#[test]
fn the_cleric_is_paid_or_does_nothing() {
    let with_gold = |gold: i32| {
        with(
            &on_the_map(&[]),
            &[("/node", json!("floor2-1")), ("/floor", json!(2)), ("/player/gold", json!(gold))],
        )
    };
    let there = |initial: &Value, changes: &[(&str, Value)]| {
        with(&with(initial, &[("/node", json!("floor3-2")), ("/floor", json!(3))]), changes)
    };
    let rich = with_gold(35);
    let healed = there(&rich, &[("/player/gold", json!(0)), ("/player/hp", json!(50))]);
    passes(&visit(&rich, &[(going("floor3-2", json!(["HEAL"])), healed)]));
    let poor = with_gold(34);
    passes(&visit(&poor, &[(going("floor3-2", json!(["HEAL", "PURIFY", "LEAVE"])), there(&poor, &[]))]));
}

#[test]
fn every_recorded_field_is_compared() {
    let initial = on_the_map(&[]);
    for (path, value) in [
        ("/player/block", json!(3)),
        ("/player/potions", json!(["Health"])),
        ("/player/relics", json!(["Girya"])),
        ("/counters/pen_nib", json!(4)),
        ("/pending_combat", json!(true)),
        ("/floor", json!(4)),
        ("/master_deck/0/up", json!(true)),
    ] {
        let changed = with(&initial, &[(path, value)]);
        let text = failure(&visit(&initial, &[(verb("MAP_HEAL", json!(0)), changed)]));
        let field = path.trim_start_matches('/').split('/').next().expect("a field");
        assert!(text.contains(field), "{path}: {text}");
    }
    let unknown = visit(&initial, &[(going("floor2-2", json!(["REZT"])), at_the_fire(&initial, &[]))]);
    assert!(failure(&unknown).contains("no option is called REZT"));
}

#[test]
fn a_file_without_records_is_an_error() {
    for text in ["", "\n \n", "[]"] {
        let refusal = turnstone_spire_records::conform("x.jsonl", text, &[]).expect_err("nothing to check");
        assert_eq!(refusal.code(), "NO_RECORDS", "{text:?}");
    }
    let refusal = turnstone_spire_records::conform("x.jsonl", "{}\n{\n", &[]).expect_err("broken");
    assert!(refusal.code() == "UNREADABLE" && refusal.to_string().contains("x.jsonl, line 2"), "{refusal}");
}

#[test]
fn other_rules_can_be_asked_for() {
    let walk = golden("seed-rewards.jsonl").lines().next().expect("a line").to_owned();
    let by = |name: &str, value: &str| {
        turnstone_spire_records::conform("x.jsonl", &walk, &[(name.to_owned(), value.to_owned())])
    };
    assert_eq!(by("rules", "lightspeed").expect("known").passed, 1);
    let original = by("rules", "original").expect("known");
    assert!(
        original.failures[0].place.ends_with("after.relic"),
        "the original counts the shuffles: {original:?}"
    );
    for (name, value) in [("rules", "house"), ("rulez", "original")] {
        assert_eq!(by(name, value).expect_err("unknown").code(), "BAD_OPTION");
    }
}

#[test]
fn every_fact_of_a_real_run_is_compared() {
    let run: Value =
        serde_json::from_str(golden("real-game.jsonl").lines().next().expect("a line")).expect("JSON");
    let screens = run["screens"].as_array().expect("screens");
    // The first screen that has such a field, and what is changed in it.
    for (field, inside, changed) in [
        ("fight", "", json!(["CULTIST", "CULTIST"])),
        ("rewards", "/0/gold", json!(999)),
        ("rewards", "/0/type", json!("RELIC")),
        ("cards", "/1/id", json!("STRIKE_RED")),
        ("cards", "/0/upgraded", json!(true)),
        ("event", "", json!("LAB")),
        ("chest", "", json!("LargeChest")),
        ("shop", "/cards/0/price", json!(1)),
        ("shop", "/relics/2/id", json!("ANCHOR")),
        ("shop", "/potions/1/price", json!(1)),
        ("boss_relics", "/0", json!("ANCHOR")),
        ("room", "", json!("ShopRoom")),
    ] {
        let on_a_floor = |screen: &&Value| {
            screen.get(field).is_some() && screen["floor"] != 0 && screen["room"] != "TreasureRoomBoss"
                || field == "boss_relics" && screen.get(field).is_some()
        };
        let at =
            screens.iter().position(|screen| on_a_floor(&screen)).unwrap_or_else(|| panic!("no {field}"));
        let path = format!("/screens/{at}/{field}{inside}");
        let text = failure(&with(&run, &[(&path, changed)]));
        assert!(text.starts_with(&format!("screens[{at}].{field}")), "{path}: {text}");
    }
    let text = failure(&with(&run, &[("/neow/2/bonus", json!("REMOVE_TWO"))]));
    assert!(text.starts_with("neow[2].bonus"), "{text}");
    let text = failure(&with(&run, &[("/maps/1/rows/5/0/room", json!("T"))]));
    assert!(text.starts_with("maps[1].rows[5][0].room"), "{text}");
}

#[test]
fn what_is_missing_or_unknown_fails_with_a_code() {
    let setup: Value =
        serde_json::from_str(golden("seed-setup.jsonl").lines().next().expect("a line")).expect("JSON");
    let walk: Value =
        serde_json::from_str(golden("seed-rewards.jsonl").lines().next().expect("a line")).expect("JSON");
    let run: Value =
        serde_json::from_str(golden("real-game.jsonl").lines().next().expect("a line")).expect("JSON");
    let numbers: Value = serde_json::from_str(&golden("rng-vectors.json")).expect("JSON");
    let without = |record: &Value, path: &str, key: &str| {
        let mut record = record.clone();
        record.pointer_mut(path).and_then(Value::as_object_mut).expect(path).remove(key).expect(key);
        record
    };
    let visit = visit(&on_the_map(&[]), &[(verb("MAP_HEAL", json!(0)), on_the_map(&[]))]);
    for (record, place) in [
        (json!(5), "(record)"),
        (json!({ "what": "is this" }), "(record)"),
        (json!({ "in": {}, "out": {}, "kind": "card_block" }), "out"),
        (with(&setup, &[("/seed", json!("99999999999999999999999"))]), "seed"),
        (without(&setup, "", "seed"), "seed"),
        (without(&setup, "", "maps"), "maps"),
        (without(&numbers[0], "", "float"), "float"),
        (with(&walk, &[("/rules", json!("house"))]), "rules"),
        (with(&walk, &[("/ascension", json!(21))]), "ascension"),
        (with(&walk, &[("/ascension", json!(-1))]), "ascension"),
        (with(&walk, &[("/character", json!("HERMIT"))]), "character"),
        (without(&walk, "/acts/0/walk/3", "after"), "acts[0].walk[3].after"),
        (without(&walk, "/acts/1", "elites"), "acts[1].elites"),
        (with(&run, &[("/screens", json!([]))]), "screens"),
        (with(&run, &[("/maps/0/act", json!(257))]), "maps[0].act"),
        (with(&run, &[("/screens/0/floor", json!(1_000))]), "screens[0].floor"),
        (with(&run, &[("/screens/0/picked", json!(9))]), "screens[0].picked"),
        (with(&visit, &[("/steps", json!([]))]), "steps"),
        (with(&visit, &[("/steps", json!(7))]), "steps"),
        (with(&visit, &[("/steps/0/expect", Value::Null)]), "step 1"),
        (with(&visit, &[("/initial", json!([]))]), "initial"),
    ] {
        let text = failure(&record);
        assert!(
            text.starts_with(place) && text.contains("[") && text.contains("_RECORD]"),
            "{place}: {text}"
        );
    }
}

#[test]
fn a_failure_names_its_line() {
    let mut lines: Vec<String> = golden("seed-setup.jsonl").lines().take(3).map(str::to_owned).collect();
    lines[1] = lines[1]
        .replace("\"act1_boss\": \"", "\"act1_boss\": \"NOT_")
        .replace("\"act1_boss\":\"", "\"act1_boss\":\"NOT_");
    let result = conform(&lines.join("\n"));
    assert_eq!((result.passed, result.failures.len()), (2, 1));
    assert_eq!(result.failures[0].place, "line 2, act1_boss");
}

/// Every field of a record, by its path.
fn paths(value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| {
            out.push(format!("{path}/{key}"));
            paths(inner, &format!("{path}/{key}"), out);
        }),
        // The first entries of a list stand for the rest.
        Value::Array(list) => list.iter().take(2).enumerate().for_each(|(i, inner)| {
            out.push(format!("{path}/{i}"));
            paths(inner, &format!("{path}/{i}"), out);
        }),
        _ => {}
    }
}

/// Damages every field of a record of every kind in turn: never a panic.
#[test]
fn damaged_records_never_panic() {
    let junk = [
        Value::Null,
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!("?"),
        json!([]),
        json!({}),
        json!([[0]]),
    ];
    let mut tried = 0;
    for (file, records) in [
        ("map.jsonl", 22),
        ("real-game.jsonl", 1),
        ("rng-vectors.json", 1),
        ("seed-setup.jsonl", 1),
        ("worked-example.json", 1),
        ("classic-numbers.jsonl", 3),
        ("cards.jsonl", 8),
        ("pipelines.jsonl", 4),
        ("playthroughs.jsonl", 1),
        ("seed-rewards.jsonl", 1),
    ] {
        let text = golden(file);
        let whole = match serde_json::from_str(&text) {
            Ok(Value::Array(list)) => list,
            Ok(single) => vec![single],
            Err(_) => text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(),
        };
        for (number, record) in whole.iter().take(records).enumerate() {
            let mut fields = Vec::new();
            paths(record, "", &mut fields);
            let damaged = fields.iter().enumerate().map(|(i, path)| {
                let mut record = record.clone();
                *record.pointer_mut(path).expect("the path") = junk[(i + number) % junk.len()].clone();
                record.to_string()
            });
            let lines: Vec<String> = damaged.collect();
            tried += lines.len();
            let result = conform(&lines.join("\n"));
            assert_eq!(result.passed + result.failures.len(), lines.len(), "{file}");
            assert!(result.failures.len() > lines.len() / 4, "{file}: most fields matter");
        }
    }
    assert!(tried > 1_000, "{tried}");
}
