//! Which levels were solved, and how well: kept beside the saved matches, and longer than they are.
//!
//! A game whose report of a match ([`Table::tally`](turnstone_table::Table::tally)) names a `level` takes part; `won`
//! and `turns` say how it went.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::write_whole;

/// What is known of every level of every game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress(BTreeMap<String, BTreeMap<String, Best>>);

/// The best that was done in a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Best {
    /// In how many turns, if the game counts them.
    pub turns: Option<u64>,
}

impl Progress {
    /// Reads what is kept in a directory; nothing if there is nothing to be read.
    pub fn read(dir: &Path) -> Self {
        let text = fs::read_to_string(dir.join(FILE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// The best that was done in a level, if it was ever solved.
    pub fn of(&self, game: &str, level: &str) -> Option<Best> {
        self.0.get(game)?.get(level).copied()
    }

    /// Takes in how a match went. False if that is nothing new.
    fn take(&mut self, game: &str, tally: &[(String, Value)]) -> bool {
        let told = |name: &str| tally.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        let (Some(level), Some(true)) =
            (told("level").and_then(Value::as_str), told("won").and_then(Value::as_bool))
        else {
            return false;
        };
        let turns = told("turns").and_then(Value::as_u64);
        let known = self.0.entry(game.to_owned()).or_default();
        match known.get_mut(level) {
            Some(best) if best.turns <= turns => false,
            Some(best) => {
                best.turns = turns;
                true
            }
            None => known.insert(level.to_owned(), Best { turns }).is_none(),
        }
    }
}

const FILE: &str = "progress.json";

/// Writes down how a match that is over went, if it was better than any before it.
///
/// # Errors
/// If it cannot be written.
pub fn keep(dir: &Path, game: &str, tally: &[(String, Value)]) -> Result<()> {
    let mut progress = Progress::read(dir);
    match progress.take(game, tally) {
        true => write_whole(&dir.join(FILE), &serde_json::to_string_pretty(&progress)?),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_wins_count_and_only_the_best_of_them_stays() {
        let tally = |won: bool, turns: u64| {
            vec![
                ("level".to_owned(), json!("one")),
                ("won".to_owned(), json!(won)),
                ("turns".to_owned(), json!(turns)),
            ]
        };
        let mut progress = Progress::default();
        assert!(!progress.take("grid", &tally(false, 3)));
        assert_eq!(progress.of("grid", "one"), None);
        assert!(progress.take("grid", &tally(true, 9)) && !progress.take("grid", &tally(true, 12)));
        assert!(progress.take("grid", &tally(true, 8)));
        assert_eq!(progress.of("grid", "one"), Some(Best { turns: Some(8) }));
        assert!(!progress.take("chess", &[]));
    }
}
