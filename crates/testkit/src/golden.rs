//! Reading golden files: plain or gzip-compressed, one record per line.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

/// The text of a golden file, unpacked if its name ends in `.gz`.
///
/// # Panics
/// If the file cannot be read: a missing golden file is a failing test, never a skipped one.
pub fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    let result = if path.extension().is_some_and(|end| end == "gz") {
        GzDecoder::new(&bytes[..]).read_to_string(&mut text)
    } else {
        (&bytes[..]).read_to_string(&mut text)
    };
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// All files of records below a directory, in order of their names: what is written about them (`.md`) is not one.
///
/// # Panics
/// If the directory cannot be read or holds nothing.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(next) = waiting.pop() {
        let entries = std::fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_none_or(|end| end != "md") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "{} holds no golden files", directory.display());
    found.sort();
    found
}
