//! Fights recorded with their dice agree step by step.

use std::io::Read;
use std::path::{Path, PathBuf};
use turnstone_spire::Spire;
use turnstone_spire_records::fights::Reader;
use turnstone_testkit::bless;

fn records(path: &Path) -> Vec<serde_json::Value> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The fights beside the tests; `SPIRE_FIGHTS` names another file.
fn fights() -> Vec<serde_json::Value> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/fights-dice.jsonl.gz");
    records(&std::env::var("SPIRE_FIGHTS").map_or(beside, PathBuf::from))
}

/// All agree; those in which the simulator departs from the game are compared up to there, and say what the game
/// does.
#[test]
fn fights_agree_with_their_dice() {
    let spire = Spire::simulator().unwrap();
    let (mut failures, mut in_part) = (Vec::new(), Vec::new());
    for record in fights() {
        let id = record["id"].as_str().unwrap_or("?");
        match Reader(&spire).run_dice_fight(&record) {
            Ok(told) => in_part.extend(told.map(|told| format!("{id}: {told}"))),
            Err((place, text)) => failures.push(format!("{id} {} {place}: {text}", record["encounter"])),
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    if std::env::var("SPIRE_FIGHTS").is_err() {
        bless(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/told/fights-in-part.txt"),
            &(in_part.join("\n") + "\n"),
        );
    }
}

/// A departure excuses what it names and nothing else: with any other difference in the same step the record fails.
#[test]
fn a_departure_excuses_nothing_else() {
    let spire = Spire::simulator().unwrap();
    let mut tried = 0;
    for record in fights() {
        let Ok(Some(told)) = Reader(&spire).run_dice_fight(&record) else { continue };
        let step: usize = told.split([' ', ':']).find_map(|part| part.parse().ok()).expect("its step");
        let mut other = record.clone();
        other["steps"][step - 1]["state"]["counters"] = serde_json::json!([99, 99, 99, 99, 99, 99]);
        assert!(Reader(&spire).run_dice_fight(&other).is_err(), "{}", record["id"]);
        tried += 1;
    }
    assert!(tried > 0, "no record departs");
}
