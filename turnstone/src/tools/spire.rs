//! What a seed holds, and how one's own runs went.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};

use serde_json::{Value, json};
use turnstone::Rejection;
use turnstone_cli::store::Saved;
use turnstone_host::{Hosted, Opening, Source};
use turnstone_spire::Spire;
use turnstone_spire::seeds::{CharacterNo, RunSetup, Tables, read_seed};
use turnstone_spire_records::seeds::seed_report;

/// What was found out, for people and for programs.
pub struct Found {
    /// As text.
    pub text: String,
    /// The same as data.
    pub data: Value,
}

/// Unrolls a seed.
///
/// # Errors
/// A text that is no seed, an unknown character or ruleset, an ascension that there is not.
pub fn seed(
    text: &str,
    character: &str,
    ascension: u8,
    rules: &str,
    over: &[Source],
) -> Result<Found, Rejection> {
    let seed = read_seed(text).map_err(|error| Rejection::new("BAD_SEED", error.to_string()))?;
    let opening = Opening { content: over.to_vec(), ..Opening::default() };
    let (game, _) = Spire::open_table(&opening)?;
    let tables = &game.rulebook.tables;
    tables.check_ascension(ascension)?;
    let setup = RunSetup {
        seed,
        character: character_named(tables, character)?,
        ascension,
        rules: named("UNKNOWN_RULES", rules, "original, simulator")?,
    };
    let report = seed_report(tables, setup);
    Ok(Found { text: report.to_string(), data: serde_json::to_value(&report).unwrap_or_default() })
}

fn character_named(tables: &Tables, name: &str) -> Result<CharacterNo, Rejection> {
    tables.characters.find(&name.to_lowercase()).ok_or_else(|| {
        let known: Vec<&str> = tables.everybody.iter().map(|c| tables.characters.name(*c)).collect();
        let text = format!("there is no \"{name}\"; there are: {}", known.join(", "));
        Rejection::new("UNKNOWN_CHARACTER", text)
    })
}

fn named<T: serde::de::DeserializeOwned>(
    code: &'static str,
    name: &str,
    known: &str,
) -> Result<T, Rejection> {
    serde_json::from_value(Value::String(name.to_lowercase()))
        .map_err(|_| Rejection::new(code, format!("there is no \"{name}\"; there are: {known}")))
}

/// The last level of ascension.
const TOP: u8 = 20;

/// A run that was played to the end.
struct Run {
    character: String,
    ascension: u8,
    won: bool,
    floor: u64,
    score: i64,
    killer: Option<String>,
}

/// What a character's runs add up to.
#[derive(Default)]
struct Record {
    runs: u32,
    won: u32,
    floors: u64,
    best_floor: u64,
    best_score: i64,
    /// The highest level that was won.
    highest: Option<u8>,
    killers: BTreeMap<String, u32>,
}

impl Record {
    fn add(&mut self, run: &Run) {
        self.runs += 1;
        self.floors += run.floor;
        self.best_floor = self.best_floor.max(run.floor);
        self.best_score = self.best_score.max(run.score);
        if run.won {
            self.won += 1;
            self.highest = self.highest.max(Some(run.ascension));
        }
        if let Some(killer) = &run.killer {
            *self.killers.entry(killer.clone()).or_default() += 1;
        }
    }

    /// The level to try next: the one above the highest that was won.
    fn next(&self) -> u8 {
        self.highest.map_or(0, |level| (level + 1).min(TOP))
    }

    /// Who ended most runs, the first by name of equals.
    fn nemesis(&self) -> Option<(&String, u32)> {
        let most = self.killers.values().max()?;
        self.killers.iter().find(|(_, count)| *count == most).map(|(name, count)| (name, *count))
    }

    fn data(&self) -> Value {
        json!({
            "runs": self.runs, "won": self.won, "mean_floor": self.floors as f64 / f64::from(self.runs.max(1)),
            "best_floor": self.best_floor, "best_score": self.best_score, "highest_won": self.highest,
            "next_ascension": self.next(), "killed_by": self.killers,
        })
    }

    fn text(&self, character: &str) -> String {
        let runs = if self.runs == 1 { "1 run".to_owned() } else { format!("{} runs", self.runs) };
        let mean = self.floors as f64 / f64::from(self.runs.max(1));
        let mut text = format!(
            "{character}: {runs}, {} won, floor {mean:.1} on average, {} at best, best score {}\n",
            self.won, self.best_floor, self.best_score
        );
        if let Some((killer, count)) = self.nemesis() {
            let _ = writeln!(text, "  most often killed by {killer} ({count} of {})", self.runs - self.won);
        }
        let steps: String = (0..=TOP).map(|level| if level < self.next() { '#' } else { '.' }).collect();
        let steps = if self.highest == Some(TOP) { "#".repeat(usize::from(TOP) + 1) } else { steps };
        let _ = write!(text, "  ascension {steps} ");
        let _ = match self.highest {
            Some(TOP) => writeln!(text, "the top is reached"),
            _ => writeln!(
                text,
                "next: turnstone play spire --character {} --ascension {}",
                character.to_lowercase(),
                self.next()
            ),
        };
        text
    }
}

/// How one's own runs went, by character.
pub fn runs(saved: &[Saved]) -> Found {
    let mut records: BTreeMap<String, Record> = BTreeMap::new();
    for run in saved.iter().filter_map(finished) {
        records.entry(run.character.clone()).or_default().add(&run);
    }
    let data: BTreeMap<&String, Value> = records.iter().map(|(name, record)| (name, record.data())).collect();
    let mut text: String = records.iter().map(|(name, record)| record.text(&title(name))).collect();
    if records.is_empty() {
        text = "No run of your own has come to its end yet; start one with `turnstone play spire`.\n".into();
    }
    Found { text, data: json!(data) }
}

fn title(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A run that counts: over, by nobody's help, from its beginning and by the rules as they are.
fn finished(saved: &Saved) -> Option<Run> {
    let note = &saved.note;
    if note.game != "spire" || !note.over || !note.bots.is_empty() || note.content.is_some() {
        return None;
    }
    let mut first = String::new();
    BufReader::new(std::fs::File::open(&saved.path).ok()?).read_line(&mut first).ok()?;
    let setup = serde_json::from_str::<Value>(&first).ok()?["setup"].take();
    let own = ["fight", "state", "begin", "map", "modifiers"].iter().any(|key| !setup[*key].is_null());
    if own {
        return None;
    }
    let told = |name: &str| note.tally.iter().find(|(what, _)| what == name).map(|(_, value)| value);
    Some(Run {
        character: setup["character"]
            .as_str()
            .filter(|name| !name.is_empty())
            .unwrap_or("ironclad")
            .to_owned(),
        ascension: setup["ascension"].as_u64().and_then(|level| u8::try_from(level).ok()).unwrap_or(0),
        won: told("won").and_then(Value::as_bool).unwrap_or(false),
        floor: told("floor").and_then(Value::as_u64).unwrap_or(0),
        score: told("score").and_then(Value::as_i64).unwrap_or(0),
        killer: told("killed by").and_then(Value::as_str).map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(character: &str, ascension: u8, won: bool, floor: u64, killer: Option<&str>) -> Run {
        let (character, killer) = (character.to_owned(), killer.map(str::to_owned));
        Run { character, ascension, won, floor, score: floor as i64 * 5, killer }
    }

    #[test]
    fn a_record_adds_up_and_the_ladder_rises_with_every_win() {
        let mut record = Record::default();
        assert_eq!(record.next(), 0);
        record.add(&run("silent", 0, false, 11, Some("Gremlin Nob")));
        assert_eq!(
            (record.next(), record.nemesis().map(|(name, _)| name.as_str())),
            (0, Some("Gremlin Nob"))
        );
        record.add(&run("silent", 3, true, 51, None));
        record.add(&run("silent", 4, false, 20, Some("Hexaghost")));
        record.add(&run("silent", 4, false, 16, Some("Hexaghost")));
        assert_eq!((record.runs, record.won, record.best_floor, record.best_score), (4, 1, 51, 255));
        assert_eq!((record.highest, record.next()), (Some(3), 4));
        let text = record.text("Silent");
        assert!(text.contains("4 runs, 1 won, floor 24.5 on average, 51 at best, best score 255"), "{text}");
        assert!(text.contains("most often killed by Hexaghost (2 of 3)"), "{text}");
        assert!(text.contains("ascension ####................. next: "), "{text}");
        record.add(&run("silent", 20, true, 55, None));
        assert!(record.text("Silent").contains("the top is reached"));
    }
}
