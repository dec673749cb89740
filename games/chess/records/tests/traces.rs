//! All recorded traces: state, legal moves, status, events and their sources.

use std::path::Path;

use turnstone_chess_records::conform;
use turnstone_testkit::golden;

fn traces() -> String {
    golden::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/traces.jsonl.gz"))
}

fn check(level: u8) {
    let options = [("level".to_owned(), level.to_string())];
    let result = conform("traces.jsonl", &traces(), &options).expect("readable traces");
    let failures: Vec<String> =
        result.failures.iter().map(|f| format!("{} {}: {}", f.record, f.place, f.text)).collect();
    assert!(failures.is_empty(), "{} of 337 fail:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(result.passed, 337);
}

#[test]
fn states_conform() {
    check(1);
}

#[test]
fn moves_status_and_events_conform() {
    check(3);
}

#[test]
fn sources_conform() {
    check(4);
}
