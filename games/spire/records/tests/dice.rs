//! Fights recorded with their dice agree step by step.

use std::io::Read;
use std::path::{Path, PathBuf};
use turnstone_spire::Spire;
use turnstone_spire_records::fights::Reader;

fn records(path: &Path) -> Vec<serde_json::Value> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The file beside the tests; `SPIRE_FIGHTS` names another one.
#[test]
fn fights_agree_with_their_dice() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/fights-dice.jsonl.gz");
    let path = std::env::var("SPIRE_FIGHTS").map_or(beside, PathBuf::from);
    let spire = Spire::simulator().unwrap();
    let records = records(&path);
    let mut failures = Vec::new();
    for record in &records {
        if let Err((place, text)) = Reader(&spire).run_dice_fight(record) {
            failures.push(format!("{} {} {place}: {text}", record["id"], record["encounter"]));
        }
    }
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), records.len(), failures.join("\n"));
}
