//! Who writes facts rolls no dice: what chance decided stands in the fact.

use std::fs;
use std::path::{Path, PathBuf};

/// Words of whoever draws.
const DRAWING: [&str; 5] = ["Roller", "Lots", "Dice::new", "Streams::new", ".drawing("];

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match entry.is_dir() {
            true => files(&entry, out),
            false => out.push(entry),
        }
    }
}

/// The functions of a text: name and lines. A function ends where a brace closes it at its own indentation.
fn functions(text: &str) -> Vec<(&str, Vec<&str>)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |at: usize| {
        let (before, rest) = lines[at].split_once("fn ")?;
        let name = rest.split(['(', '<']).next()?;
        let keywords = before.trim_start();
        (keywords.is_empty() || keywords.starts_with("pub")).then_some((before, name))
    };
    let found = (0..lines.len()).filter_map(|at| {
        let (before, name) = begins(at)?;
        let indent = &before[..before.len() - before.trim_start().len()];
        let closed = |line: &&str| line.strip_prefix(indent) == Some("}");
        let length = lines[at..].iter().position(closed).map_or(1, |length| length + 1);
        Some((name, lines[at..at + length].to_vec()))
    });
    found.collect()
}

/// Writers are called so.
fn writes(name: &str) -> bool {
    ["write", "apply_", "take_the_field"].iter().any(|word| name.starts_with(word)) || name == "apply"
}

#[test]
fn no_writer_draws() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let (mut writers, mut drawers) = (0, 0);
    for file in all {
        let text = fs::read_to_string(&file).expect("a text");
        let whole = file.ends_with("apply.rs");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (name, lines) in functions(text) {
            let draws = DRAWING.iter().find(|word| lines.iter().any(|line| line.contains(**word)));
            drawers += usize::from(draws.is_some());
            if whole || writes(name) {
                writers += 1;
                assert_eq!(draws, None, "{name} in {} draws", file.display());
            }
        }
    }
    assert!(writers > 60 && drawers > 20, "{writers} writers and {drawers} who draw");
}
