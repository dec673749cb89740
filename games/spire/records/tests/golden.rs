//! Golden combat traces of the recorded engine, under the ruleset `seed`.

use std::path::Path;
use turnstone_spire::Deed;
use turnstone_spire::{Ruleset, Spire};
use turnstone_spire_records::fights::Reader;

fn lines(name: &str) -> Vec<serde_json::Value> {
    use std::io::Read;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every record of a file agrees, and there are as many as there were.
fn check(name: &str, count: usize) {
    let spire = Spire::builtin(Ruleset::Seed).unwrap();
    let mut failures = Vec::new();
    let traces = lines(name);
    assert_eq!(traces.len(), count, "{name}");
    for trace in &traces {
        if let Err((place, text)) = Reader(&spire).run_trace(trace) {
            failures.push(format!("{} {place}: {text}", trace["id"].as_str().unwrap_or("?")));
        }
    }
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), traces.len(), failures.join("\n"));
}

#[test]
fn cards_agree() {
    check("cards.jsonl.gz", 245);
}

#[test]
fn pipelines_agree() {
    check("pipelines.jsonl.gz", 154);
}

#[test]
fn playthroughs_agree() {
    check("playthroughs.jsonl.gz", 24);
}

#[test]
fn classic_numbers_agree() {
    let spire = Spire::builtin(Ruleset::Classic).unwrap();
    let records = lines("classic-numbers.jsonl.gz");
    assert_eq!(records.len(), 400);
    let failures: Vec<String> = records
        .iter()
        .filter_map(|record| {
            let (place, text) = Reader(&spire).check_number(record).err()?;
            Some(format!("{} {place}: {text}", record["id"].as_str().unwrap_or("?")))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), records.len(), failures.join("\n"));
}

/// The command line's door to the records takes every kind.
#[test]
fn the_host_knows_the_records() {
    let number = r#"{"id":"blk-001","in":{"base":21,"dexterity":5,"frail":true,"no_block":false},"kind":"card_block","out":{"block":19}}"#;
    let result = turnstone_spire_records::conform("numbers.jsonl", number, &[]).unwrap();
    assert_eq!(
        (result.passed, result.failures.len(), result.kind.as_str()),
        (1, 0, "numbers of the original")
    );
}

/// A situation opens at the table like any other set-up.
#[test]
fn a_situation_opens_at_the_table() {
    use turnstone::{Input, Match};
    use turnstone_host::{Hosted, Opening};
    use turnstone_spire::Action;
    let setup = Some("situation:hand: bash; enemy: cultist 40/50".to_string());
    let (game, setup) = Spire::open_table(&Opening { setup, ..Opening::default() }).unwrap();
    let mut fight: Match<Spire> = Match::new(game, setup, 3).unwrap();
    fight.act(Input::Act(Deed::Fight(Action::Play { card: 0, target: Some(1) }))).unwrap();
    assert_eq!(fight.state().combat.bodies[1].hp, 32);
}

/// The places of all values within a value, as pointers.
fn places(value: &serde_json::Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(key, inner)| places(inner, &format!("{at}/{key}"), out));
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, inner)| places(inner, &format!("{at}/{index}"), out));
        }
        _ => {}
    }
}

/// A damaged record is told, never a panic: something is missing, a number is wild, a name is wrong.
#[test]
fn damaged_records_are_told() {
    use serde_json::json;
    use turnstone::dice::{Draw, Lots, Stream};
    let seed = Spire::builtin(Ruleset::Seed).unwrap();
    let classic = Spire::builtin(Ruleset::Classic).unwrap();
    let mut lots = Lots::new(1, Stream::named("damaged records"));
    let wrong = [
        json!(null),
        json!(-7),
        json!(1_000_000_000_000i64),
        json!("nothing"),
        json!([]),
        json!({}),
        json!(2.5),
    ];
    for name in ["cards.jsonl.gz", "pipelines.jsonl.gz", "classic-numbers.jsonl.gz"] {
        for record in lines(name) {
            let mut all = Vec::new();
            places(&record, "", &mut all);
            for _ in 0..6 {
                let mut damaged = record.clone();
                let place = lots.pick(&all).expect("a record").clone();
                let value = lots.pick(&wrong).expect("a value").clone();
                *damaged.pointer_mut(&place).expect("its place") = value;
                if name.starts_with("classic") {
                    let _ = Reader(&classic).check_number(&damaged);
                } else {
                    let _ = Reader(&seed).run_trace(&damaged);
                }
            }
        }
    }
}

/// A record may number its cards in any order.
#[test]
fn fight_traces_know_cards_by_their_numbers() {
    let spire = Spire::builtin(Ruleset::Seed).unwrap();
    // The first two cards change their numbers, everywhere.
    fn swap(value: &mut serde_json::Value, key: &str) {
        match value {
            serde_json::Value::Number(n) if matches!(key, "uid" | "card" | "piles" | "choices") => {
                let swapped = match n.as_u64() {
                    Some(1) => 2,
                    Some(2) => 1,
                    _ => return,
                };
                *value = swapped.into();
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| swap(item, key)),
            serde_json::Value::Object(fields) => {
                for (inner, value) in fields.iter_mut() {
                    let inner = inner.clone();
                    swap(value, if key == "piles" { key } else { &inner });
                }
            }
            _ => {}
        }
    }
    for mut trace in lines("cards.jsonl.gz").into_iter().take(40) {
        swap(&mut trace, "");
        Reader(&spire)
            .run_trace(&trace)
            .unwrap_or_else(|(place, text)| panic!("{} {place}: {text}", trace["id"]));
    }
}
