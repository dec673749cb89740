//! A match file that grows while the match is played: what was played is appended and synced, action by action.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::files::sync_folder;

/// A match file that is appended to. What could not be written waits in memory and is written with what follows.
pub struct Journal {
    path: PathBuf,
    file: Option<File>,
    /// How much of the file is sound and ours.
    length: u64,
    /// How long it was when it was last seen: longer than what is sound if its end was torn off.
    seen: u64,
    waiting: String,
}

impl Journal {
    /// A file to be begun.
    pub fn new(path: &Path) -> Self {
        Self::behind(path, 0, 0)
    }

    /// A file that was read when it was `seen` bytes long and is kept up to `length`: what lies behind was torn off
    /// when it was written.
    pub fn behind(path: &Path, length: u64, seen: u64) -> Self {
        Journal { path: path.to_owned(), file: None, length, seen, waiting: String::new() }
    }

    /// Whether nothing was written yet.
    pub fn is_unbegun(&self) -> bool {
        self.file.is_none() && self.seen == 0
    }

    /// Appends lines, so that they are on the disk when this returns.
    ///
    /// # Errors
    /// If they cannot be written. The file is then as it was, and the lines wait.
    pub fn append(&mut self, lines: &str) -> Result<()> {
        self.waiting.push_str(lines);
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.write().with_context(|| {
            let path = self.path.display();
            format!(
                "[NOT_SAVED] cannot write {path}; what was played is kept and written with the next action"
            )
        })?;
        self.length += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        if self.file.is_none() {
            self.file = Some(open(&self.path)?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let length = file.metadata()?.len();
        if length != self.seen {
            bail!(
                "[CHANGED_ELSEWHERE] another program has written to it meanwhile; \
                 `save NAME` keeps this match under another name"
            );
        }
        if length > self.length {
            file.set_len(self.length)?;
        }
        file.seek(SeekFrom::Start(self.length))?;
        let written = file.write_all(self.waiting.as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            // A line that was written in part would be named as torn; there is none if this succeeds.
            let _ = file.set_len(self.length);
        }
        self.seen = file.metadata()?.len();
        Ok(written?)
    }
}

/// A plain file that nobody else writes to, made if it is not there. A link is followed; anything else is not ours to
/// write to.
fn open(path: &Path) -> Result<File> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    if let Some(dir) = dir {
        std::fs::create_dir_all(dir)?;
    }
    let is_new = !path.exists();
    if path.exists() && !path.is_file() {
        bail!("[NOT_A_FILE] {} is no plain file", path.display());
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    // Where a file system knows no locks, what another has written is seen by the length.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        bail!("[IN_USE] another program plays this match; `save NAME` keeps it under another name");
    }
    if is_new {
        sync_folder(path);
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_appended_and_a_torn_end_is_cut_off() {
        let dir = std::env::temp_dir().join(format!("turnstone-journal-{}", std::process::id()));
        let path = dir.join("a.turn");
        let _ = std::fs::remove_dir_all(&dir);
        Journal::new(&path).append("one\n").unwrap();
        std::fs::write(&path, "one\ntwo\nthr").unwrap();
        let mut journal = Journal::behind(&path, 8, 11);
        journal.append("three\n").unwrap();
        journal.append("four\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\n");
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_file_has_one_writer_and_what_another_wrote_stays() {
        let dir = std::env::temp_dir().join(format!("turnstone-writers-{}", std::process::id()));
        let path = dir.join("a.turn");
        let _ = std::fs::remove_dir_all(&dir);
        let mut first = Journal::new(&path);
        let mut second = Journal::new(&path);
        first.append("one\n").unwrap();
        let refusal = format!("{:#}", second.append("two\n").unwrap_err());
        assert!(refusal.contains("[IN_USE]"), "{refusal}");
        drop(first);
        let refusal = format!("{:#}", second.append("").unwrap_err());
        assert!(refusal.contains("[CHANGED_ELSEWHERE]"), "{refusal}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n");
        std::fs::remove_dir_all(&dir).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_and_nothing_is_lost() {
        let mut journal = Journal {
            file: Some(File::options().write(true).open("/dev/full").unwrap()),
            ..Journal::new(Path::new("full.turn"))
        };
        let refusal = journal.append("one\n").unwrap_err();
        assert!(refusal.to_string().starts_with("[NOT_SAVED]"), "{refusal}");
        assert_eq!((journal.waiting.as_str(), journal.length), ("one\n", 0));
        assert!(Journal::new(Path::new("/dev/null")).append("one\n").is_err());
    }
}
