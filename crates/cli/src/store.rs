//! Saved matches: a directory of match files, each with a small note about who sits where.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use turnstone_table::{Games, Seat};

use crate::clock::Clock;
use crate::files::write_whole;

/// The directory of saved matches, and the games they may be of.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    /// The games of this program.
    pub games: Games,
}

/// What a saved match needs beside its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The game.
    pub game: String,
    /// One line about where the match stands.
    pub title: String,
    /// What the player says it is about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The seats with bots.
    pub bots: Vec<(Seat, String)>,
    /// Whether it is over.
    pub over: bool,
    /// The seed of its dice.
    #[serde(default)]
    pub seed: u64,
    /// Whether nobody has named it.
    #[serde(default)]
    pub seed_drawn: bool,
    /// What the game has to say about it in a report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tally: Vec<(String, serde_json::Value)>,
    /// The content it is played with, if it is not what is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<PathBuf>,
    /// The clock, if it is played by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// A saved match in the list.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Its name, as typed.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What is known about it.
    pub note: Note,
    /// How long ago it was saved.
    pub age: Duration,
    /// Whether the file does not even begin as a match file does: there is nothing to go on with.
    pub damaged: bool,
}

/// The first numbered name in a directory that is not taken.
fn numbered(dir: &Path, name: &str) -> PathBuf {
    let place = |number: u32| dir.join(format!("{name}-{number}.turn"));
    (1..).map(place).find(|path| !path.exists()).unwrap_or_else(|| place(0))
}

/// A name like this one that is not taken.
pub fn another(path: &Path) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end_matches('-');
    numbered(path.parent().unwrap_or(Path::new("")), plain)
}

impl Store {
    /// The directory given, or the environment's, or the user's.
    pub fn new(given: Option<PathBuf>, games: Games) -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let dir = given.or_else(|| variable("TURNSTONE_DATA")).unwrap_or_else(|| {
            let data = variable("XDG_DATA_HOME")
                .or_else(|| variable("HOME").map(|home| home.join(".local/share")))
                .unwrap_or_else(|| PathBuf::from("."));
            data.join("turnstone")
        });
        Store { dir: dir.join("matches"), games }
    }

    /// Where a file would be that a player names: a path as it is, a bare name in this directory.
    pub fn place(&self, name: &str) -> PathBuf {
        let path = Path::new(name);
        if name.contains('/') || path.exists() {
            return path.to_owned();
        }
        let file = if name.ends_with(".turn") { name.to_owned() } else { format!("{name}.turn") };
        self.dir.join(file)
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Makes the directory, so that something can be written into it.
    pub fn make(&self) -> Result<()> {
        Ok(fs::create_dir_all(&self.dir)?)
    }

    /// A name that is not taken yet.
    pub fn fresh(&self, game: &str) -> PathBuf {
        numbered(&self.dir, game)
    }

    /// The saved matches, latest first; what cannot be one comes last.
    pub fn list(&self) -> Vec<Saved> {
        let Ok(entries) = fs::read_dir(&self.dir) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut saved: Vec<Saved> = paths
            .filter(|path| path.extension().is_some_and(|end| end == "turn") && path.is_file())
            .filter_map(describe)
            .collect();
        saved.sort_by(|a, b| (a.damaged, a.age, &a.name).cmp(&(b.damaged, b.age, &b.name)));
        saved
    }

    /// Gives a saved match another name in this directory. Nothing is replaced.
    ///
    /// # Errors
    /// If that is no name, or is taken.
    pub fn rename(&self, path: &Path, name: &str) -> Result<()> {
        let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
        if !plain {
            bail!(
                "[BAD_NAME] \"{name}\" is no name for a match: leave out slashes, and a dot at the beginning"
            );
        }
        let name = name.strip_suffix(".turn").unwrap_or(name);
        let target = self.dir.join(format!("{name}.turn"));
        if target == path {
            return Ok(());
        }
        if target.exists() {
            bail!("[NAME_TAKEN] there is already a match called \"{name}\"");
        }
        let failed = || format!("[UNWRITABLE_FILE] {} cannot be renamed", path.display());
        fs::rename(path, &target).with_context(failed)?;
        if note_of(path).exists() {
            fs::rename(note_of(path), note_of(&target)).with_context(failed)?;
        }
        Ok(())
    }

    /// Says what a saved match is about.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn describe(&self, path: &Path, about: &str) -> Result<()> {
        write_note(path, &Note { about: about.to_owned(), ..read_note(path) })
    }

    /// The file of that name, or the match saved last.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, name: Option<&str>) -> Result<PathBuf> {
        let Some(name) = name else {
            let Some(latest) = self.list().into_iter().find(|saved| !saved.damaged) else {
                bail!(
                    "[NO_SUCH_FILE] there is no saved match in {}; start one with `turnstone play GAME`",
                    self.dir.display()
                );
            };
            return Ok(latest.path);
        };
        let path = self.place(name);
        if !path.exists() {
            bail!(
                "[NO_SUCH_FILE] there is no match file {}; `turnstone` lists the saved ones",
                path.display()
            );
        }
        Ok(path)
    }
}

fn describe(path: PathBuf) -> Option<Saved> {
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let modified = fs::metadata(&path).and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let age = SystemTime::now().duration_since(modified).unwrap_or_default();
    Some(Saved { name, note: read_note(&path), damaged: !begins_well(&path), path, age })
}

/// Whether a file begins with the head of a match file. What lies behind is looked at when it is opened.
fn begins_well(path: &Path) -> bool {
    let mut start = [0; HEAD.len()];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *HEAD
}

/// How every match file begins.
const HEAD: &[u8; 13] = b"{\"turnstone\":";

/// Removes a match file and its note; what is not there need not be removed.
///
/// # Errors
/// If it cannot be removed.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error)
                .with_context(|| format!("[UNWRITABLE_FILE] {} cannot be removed", path.display()));
        }
        Ok(()) | Err(_) => {}
    }
    // One without a note is gone as well.
    let _ = fs::remove_file(note_of(path));
    Ok(())
}

/// Where the note of a match file is.
fn note_of(path: &Path) -> PathBuf {
    path.with_extension("note.json")
}

/// The note beside a match file; an empty one if there is none.
pub fn read_note(path: &Path) -> Note {
    let text = fs::read_to_string(note_of(path)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Writes the note beside a match file. What has not changed keeps its date: to look at a finished match is not to
/// play it again.
pub fn write_note(path: &Path, note: &Note) -> Result<()> {
    let (path, text) = (note_of(path), serde_json::to_string(note)?);
    match fs::read_to_string(&path) {
        Ok(old) if old == text => Ok(()),
        _ => write_whole(&path, &text),
    }
}

impl Saved {
    /// Whether one can go on with it.
    pub fn is_unfinished(&self) -> bool {
        !self.damaged && !self.note.over
    }

    /// What it is, in a line: what its player says, and where it stands.
    pub fn line(&self) -> String {
        let over = match (self.damaged, self.note.over) {
            (true, _) => ", damaged: no match file",
            (false, true) => ", over",
            (false, false) => "",
        };
        let about = match (self.note.about.as_str(), self.note.title.as_str()) {
            ("", "") => "nothing is known about it".to_owned(),
            ("", title) => title.to_owned(),
            (about, "") => about.to_owned(),
            (about, title) => format!("{about} · {title}"),
        };
        format!("{about} ({}{over})", ago(self.age))
    }
}

/// How long ago, in words.
pub fn ago(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..1440 => format!("{} h ago", minutes / 60),
        _ => format!("{} d ago", minutes / 1440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_match_file_is_named_and_not_gone_on_with() {
        let dir = std::env::temp_dir().join(format!("turnstone-store-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        let store = Store::new(Some(dir.clone()), turnstone_games::games());
        store.make().unwrap();
        assert!(store.find(None).is_err());
        fs::write(store.place("sound"), "{\"turnstone\":2}\n").unwrap();
        fs::write(store.place("rubbish"), "x").unwrap();
        fs::create_dir_all(store.place("grid-9")).unwrap();
        let names: Vec<(String, bool)> =
            store.list().into_iter().map(|saved| (saved.name, saved.damaged)).collect();
        assert_eq!(names, [("sound".to_owned(), false), ("rubbish".to_owned(), true)]);
        assert_eq!(store.find(None).unwrap(), store.place("sound"));
        assert!(store.list()[1].line().contains("damaged"));
        fs::remove_dir_all(dir).unwrap();
    }
}
