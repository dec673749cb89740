//! What was chosen in the menus last time, so that one more Enter chooses it again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::files::write_whole;
use crate::store::Store;

/// The choices of earlier visits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The game played last.
    pub game: String,
    /// What was chosen for each game.
    pub choices: BTreeMap<String, Choices>,
}

/// What was chosen for a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    pub setup: String,
    pub ruleset: String,
    /// The settings that were changed.
    pub wishes: Vec<(String, String)>,
    pub opponent: String,
    pub clock: String,
}

impl Memory {
    /// Reads it. Whatever cannot be read is forgotten: nothing but a few keys is lost.
    pub fn read(store: &Store) -> Self {
        let text = std::fs::read_to_string(place(store)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// The choices for a game.
    pub fn of(&self, game: &str) -> Choices {
        self.choices.get(game).cloned().unwrap_or_default()
    }

    /// Remembers the choices for a game. If that cannot be written, the next visit begins as the first one did.
    pub fn keep(&mut self, store: &Store, game: &str, choices: Choices) {
        self.game = game.to_owned();
        self.choices.insert(game.to_owned(), choices);
        if let Ok(text) = serde_json::to_string_pretty(self)
            && store.make().is_ok()
        {
            let _ = write_whole(&place(store), &text);
        }
    }
}

fn place(store: &Store) -> PathBuf {
    store.dir().join("menu.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_remembered_and_rubbish_is_forgotten() {
        let dir = std::env::temp_dir().join(format!("turnstone-memory-{}", std::process::id()));
        let store = Store::new(Some(dir.clone()), turnstone_games::games());
        assert_eq!(Memory::read(&store), Memory::default());
        let choices = Choices { setup: "run".into(), opponent: "greedy".into(), ..Choices::default() };
        Memory::read(&store).keep(&store, "chess", choices.clone());
        let read = Memory::read(&store);
        assert_eq!((read.game.as_str(), read.of("chess")), ("chess", choices));
        assert_eq!(read.of("grid"), Choices::default());
        std::fs::write(place(&store), "{rubbish").unwrap();
        assert_eq!(Memory::read(&store), Memory::default());
        std::fs::remove_dir_all(dir).unwrap();
    }
}
