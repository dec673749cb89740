//! Every golden record, in both profiles.

use std::path::Path;

use turnstone_grid_records::conform;
use turnstone_testkit::golden::read;

fn golden(name: &str) -> String {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(format!("{name}.jsonl.gz")))
}

#[track_caller]
fn check(name: &str, records: usize) {
    for profile in ["seed", "head"] {
        let options = [("profile".to_string(), profile.to_string())];
        let result = conform(name, &golden(name), &options).unwrap();
        let first: Vec<_> = result.failures.iter().take(5).collect();
        assert!(first.is_empty(), "{name}, {profile}: {} failures, {first:#?}", result.failures.len());
        assert_eq!((result.passed, result.skipped.len()), (records, 0), "{name}, {profile}");
    }
}

#[test]
fn micro() {
    check("micro", 260);
}

#[test]
fn level() {
    check("level", 28);
}

#[test]
fn maze() {
    check("maze", 38);
}

#[test]
fn soup() {
    check("soup", 55);
}

#[test]
fn cipher() {
    check("cipher", 4);
}

#[test]
fn order_sensitive() {
    check("order_sensitive", 8);
}

#[test]
fn origin_errors() {
    check("origin_errors", 5);
}

#[test]
fn fixture_levels() {
    check("fixture_levels", 30);
}

#[test]
fn fixture_generated() {
    check("fixture_generated", 20);
}

#[test]
fn fixture_wind() {
    check("fixture_wind", golden("fixture_wind").lines().count());
}

#[test]
fn fixture_mt19937() {
    check("fixture_mt19937", 5);
}

#[test]
fn fixture_gym() {
    check("fixture_gym", 14);
}

#[test]
fn fixture_render() {
    check("fixture_render", 14);
}
