//! Reading files, compressed or not, with errors that say what to do.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;

/// The largest text that is read: a file that unpacks to more is not one of ours.
const LIMIT: u64 = 4 << 30;

/// The text of a file; `-` is standard input, and what begins like gzip is unpacked.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        bytes
    } else {
        fs::read(path).with_context(|| format!("[UNREADABLE_FILE] cannot read {}", path.display()))?
    };
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(&bytes[..])
            .take(LIMIT)
            .read_to_end(&mut unpacked)
            .with_context(|| format!("[UNREADABLE_FILE] {} is no sound gzip file", path.display()))?;
        unpacked
    } else {
        bytes
    };
    String::from_utf8(bytes).with_context(|| format!("[UNREADABLE_FILE] {} is no UTF-8 text", path.display()))
}

/// The name of a file without `.gz`, which is what readers judge its kind by.
pub fn plain_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
    name.strip_suffix(".gz").unwrap_or(&name).to_owned()
}

/// Files as given, and for a directory all records in it, in order, at any depth.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        walk(path, &mut files)?;
        if files.len() == before {
            bail!("[NO_RECORDS] {} holds no .json or .jsonl files", path.display());
        }
    }
    Ok(files)
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("cannot read {}", dir.display());
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)
        .with_context(context)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .with_context(context)?;
    entries.sort();
    for entry in entries {
        let name = plain_name(&entry);
        if entry.is_dir() {
            walk(&entry, files)?;
        } else if name.ends_with(".jsonl") || name.ends_with(".json") {
            files.push(entry);
        }
    }
    Ok(())
}

/// Writes a file so that it is there whole or not at all.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let context = || format!("cannot write {}", path.display());
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        fs::create_dir_all(dir).with_context(context)?;
    }
    let mut name = path.file_name().context("a file name is missing")?.to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    fs::write(&part, text).with_context(context)?;
    fs::rename(&part, path).with_context(context)
}
