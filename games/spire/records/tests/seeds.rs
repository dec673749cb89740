//! Recorded seeds against our rules: number sources, set-ups, whole walks, the real game.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use turnstone_spire::seeds::{Rules, RunSetup, Tables, seed_to_text};
use turnstone_spire_records::seeds::{conform_seed_record, seed_report};
use turnstone_testkit::bless;

const CHARACTERS: [&str; 4] = ["ironclad", "silent", "defect", "watcher"];

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(format!("{name}.gz"));
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

/// Every record of a file, one per line or as one JSON value.
fn records(name: &str) -> Vec<Value> {
    let text = golden(name);
    match serde_json::from_str(&text) {
        Ok(Value::Array(list)) => list,
        Ok(single) => vec![single],
        Err(_) => text.lines().map(|l| serde_json::from_str(l).expect("a JSON line")).collect(),
    }
}

fn all_agree(name: &str, count: usize) {
    let records = records(name);
    assert_eq!(records.len(), count, "{name}");
    for (i, record) in records.iter().enumerate() {
        if let Err(divergence) = conform_seed_record(record, None) {
            panic!("{name} record {i} (seed {}): {divergence}", record["seed"]);
        }
    }
}

#[test]
fn number_sources() {
    all_agree("rng-vectors.json", 10);
}

#[test]
fn set_ups() {
    all_agree("seed-setup.jsonl", 80);
}

#[test]
fn walks_by_the_simulators_rules() {
    all_agree("seed-rewards.jsonl", 160);
}

#[test]
fn walks_by_the_originals_rules() {
    all_agree("seed-rewards-corrected.jsonl", 160);
}

#[test]
fn worked_example() {
    all_agree("worked-example.json", 1);
}

#[test]
fn a_changed_record_is_noticed() {
    let mut record = records("seed-setup.jsonl").swap_remove(3);
    record["maps"][2]["rows"][5][0]["room"] = "T".into();
    let divergence = conform_seed_record(&record, None).unwrap_err();
    assert_eq!(divergence.path, "maps[2].rows[5][0].room");
}

/// The first 25 seeds as text: a change of any rule of chance shows here as a readable difference.
#[test]
fn catalog_of_the_first_seeds() {
    let mut catalog = String::new();
    for seed in 1..=25 {
        let character = CHARACTERS[seed as usize % 4];
        let ascension = if seed % 2 == 0 { 20 } else { 0 };
        let character = Tables::embedded().characters.find(character).expect("a character");
        let setup = RunSetup { seed, character, ascension, rules: Rules::Original };
        let rule = "=".repeat(100);
        catalog += &format!("{rule}\n{}", seed_report(Tables::embedded(), setup));
    }
    assert_eq!(seed_to_text(25), "Q");
    bless(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/told/first-seeds.txt"), &catalog);
}
