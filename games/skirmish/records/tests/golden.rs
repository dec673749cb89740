//! Every golden file conforms, record by record.

use std::path::{Path, PathBuf};

use turnstone_skirmish_records::conform;
use turnstone_testkit::golden;

fn files() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let name = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.trim_end_matches(".gz").to_string()
    };
    golden::files(&folder).into_iter().map(|path| (name(&path), path)).collect()
}

#[test]
fn every_golden_record_conforms() {
    let files = files();
    assert!(files.len() >= 27, "golden files are missing");
    let mut problems = Vec::new();
    for (name, path) in files {
        let result = conform(&name, &golden::read(&path), &[]).unwrap();
        assert!(result.passed + result.failures.len() > 0, "{name} holds no records");
        println!("{name}: {} passed, {} failed", result.passed, result.failures.len());
        for failure in result.failures.iter().take(3) {
            problems.push(format!("{name} {}: {}: {}", failure.record, failure.place, failure.text));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The same records are recognised when the file's name says nothing.
#[test]
fn kinds_are_recognised_by_content() {
    // The traces are large, and covered above.
    for (name, path) in files().into_iter().filter(|(name, _)| !name.starts_with("mir-")) {
        let text = golden::read(&path);
        let named = conform(&name, &text, &[]).unwrap();
        let unnamed = conform("records", &text, &[]).unwrap();
        assert_eq!(named, unnamed, "{name}");
    }
}

/// A record that was tampered with fails, and names the place and both values.
#[test]
fn divergences_are_named() {
    let (_, path) = files().into_iter().find(|(name, _)| name == "mir-1.4.jsonl").unwrap();
    let text = golden::read(&path);
    let line = text.lines().find(|line| line.contains("\"ATTACK_RESOLVED\"")).unwrap();
    let bent = line.replacen("\"attackRoll\":", "\"attackRoll\":100", 1);
    let result = conform("records", &bent, &[]).unwrap();
    assert_eq!(result.passed, 0);
    let failure = &result.failures[0];
    assert!(failure.place.ends_with(".payload.attackRoll"), "{failure:?}");
    assert!(failure.text.starts_with("expected 100"), "{failure:?}");
}
