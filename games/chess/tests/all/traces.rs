//! All recorded traces: state, legal moves, status, events and their sources.

use flate2::read::GzDecoder;
use std::io::Read as _;
use turnstone_chess::conform::conform;

fn traces() -> String {
    let mut text = String::new();
    let packed = &include_bytes!("../golden/traces.jsonl.gz")[..];
    GzDecoder::new(packed).read_to_string(&mut text).expect("the traces");
    text
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
