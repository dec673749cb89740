//! Every golden file conforms, record by record.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::Path;

fn read(path: &Path) -> String {
    let file = std::fs::File::open(path).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn every_golden_record_conforms() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 27, "golden files are missing");
    let mut problems = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().trim_end_matches(".gz").to_string();
        let result = turnstone_skirmish::conform::conform(&name, &read(&path), &[]).unwrap();
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().trim_end_matches(".gz").to_string();
        if name.starts_with("mir-") {
            continue; // large, and covered above
        }
        let text = read(&path);
        let named = turnstone_skirmish::conform::conform(&name, &text, &[]).unwrap();
        let unnamed = turnstone_skirmish::conform::conform("records", &text, &[]).unwrap();
        assert_eq!(named, unnamed, "{name}");
    }
}
