//! Recorded files of every kind: fights, maps, seeds, walks, runs of the real game.

use serde_json::Value;
use turnstone::Rejection;
use turnstone_host::Conformity;

use crate::fights::{Reader, is_dice_fight};
use crate::seeds::{SeedRecord, conform_seed_record, seed_record_kind};
use crate::{map_trace, real_game};
use turnstone_spire::seeds::Rules;
use turnstone_spire::{Ruleset, Spire};

/// Where a record diverges, and how.
type Divergence = (String, String);
/// What comparing a record gave: agreement, if only up to a certain step with the reason, or its first divergence.
type Compared = Result<Option<String>, Divergence>;

/// Checks a file of records.
///
/// # Errors
/// If the file is unreadable or holds no record at all, or an option is not understood.
pub fn conform(name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
    let mut games = Games { rules: rules_of(options)?, ..Games::default() };
    let records = read(name, text)?;
    let Some((_, first)) = records.first() else {
        return Err(Rejection::new("NO_RECORDS", format!("{name} holds no record")));
    };
    let mut result = Conformity::new(kind(first));
    for (index, (line, record)) in records.iter().enumerate() {
        let label = label(record, index);
        let compared = games.compare(record)?.map(|reason| {
            result.in_part.extend(reason.map(|reason| format!("{label}: {reason}")));
        });
        result.count(label, compared.map_err(|(place, text)| (at_line(&place, *line), text)));
    }
    Ok(result)
}

/// The rules of chance to compare by, if others are asked for than a record names.
fn rules_of(options: &[(String, String)]) -> Result<Option<Rules>, Rejection> {
    let mut rules = None;
    for (name, value) in options {
        let wrong = |text: String| Rejection::new("BAD_OPTION", text);
        if !matches!(name.as_str(), "rules" | "ruleset") {
            return Err(wrong(format!("there is no option `{name}`; known is `rules`")));
        }
        let found = Rules::named(value);
        rules = Some(
            found.ok_or_else(|| wrong(format!("no rules are called `{value}`: original or simulator")))?,
        );
    }
    Ok(rules)
}

/// A place in a record, with the line that the record stands on.
fn at_line(place: &str, line: Option<usize>) -> String {
    line.map_or(place.to_owned(), |line| format!("line {line}, {place}"))
}

/// The games that records are replayed with, each made when it is needed.
#[derive(Default)]
struct Games {
    rules: Option<Rules>,
    recorded: Option<Spire>,
    classic: Option<Spire>,
    simulator: Option<Spire>,
}

impl Games {
    fn compare(&mut self, record: &Value) -> Result<Compared, Rejection> {
        if is_dice_fight(record) {
            if self.simulator.is_none() {
                self.simulator = Some(Spire::simulator().map_err(unsound)?);
            }
            return Ok(self
                .simulator
                .as_ref()
                .map_or(Ok(None), |spire| Reader(spire).run_dice_fight(record)));
        }
        Ok(self.compare_whole(record)?.map(|()| None))
    }

    fn compare_whole(&mut self, record: &Value) -> Result<Result<(), Divergence>, Rejection> {
        let told = |d: crate::seeds::Divergence| (d.path, d.text);
        Ok(if seed_record_kind(record).is_some() {
            conform_seed_record(record, self.rules).map_err(told)
        } else if real_game::is_real_game(record) {
            real_game::conform(made(&mut self.classic, Ruleset::Classic)?, record).map_err(told)
        } else if is_number(record) {
            if record["out"].as_object().is_none_or(serde_json::Map::is_empty) {
                return Ok(Err(("out".into(), "[BAD_RECORD] the record names no result".into())));
            }
            Reader(made(&mut self.classic, Ruleset::Classic)?).check_number(record)
        } else if record.get("steps").is_some() {
            self.replay(record)?
        } else {
            Err(("(record)".into(), "[UNKNOWN_RECORD] not a record this game knows".into()))
        })
    }

    fn replay(&mut self, record: &Value) -> Result<Result<(), Divergence>, Rejection> {
        if let Err(divergence) = whole(record) {
            return Ok(Err(divergence));
        }
        let game = made(&mut self.recorded, Ruleset::Seed)?;
        Ok(match map_trace::is_map_trace(record) {
            true => map_trace::conform(game, record),
            false => Reader(game).run_trace(record),
        })
    }
}

/// Whether a trace has everything that is to be replayed: nothing left out may pass.
fn whole(record: &Value) -> Result<(), Divergence> {
    let missing = |place: String, what: &str| Err((place, format!("[BAD_RECORD] {what}")));
    if !record["initial"].is_object() {
        return missing("initial".into(), "the trace has no state to begin with");
    }
    let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
    if steps.is_empty() {
        return missing("steps".into(), "the trace has no steps");
    }
    for (index, step) in steps.iter().enumerate() {
        if !(step["action"].is_object() && step["expect"].is_object()) {
            return missing(format!("step {}", index + 1), "a step needs an action and the state after it");
        }
    }
    Ok(())
}

/// A computation of damage or block.
fn is_number(record: &Value) -> bool {
    record.get("in").is_some() && record.get("out").is_some()
}

fn unsound(problems: Vec<turnstone_spire::catalog::Problem>) -> Rejection {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Rejection::new("BAD_CONTENT", lines.join("\n"))
}

fn made(game: &mut Option<Spire>, ruleset: Ruleset) -> Result<&Spire, Rejection> {
    if game.is_none() {
        *game = Some(Spire::builtin(ruleset).map_err(unsound)?);
    }
    game.as_ref().ok_or_else(|| Rejection::new("BAD_CONTENT", "the content cannot be read"))
}

/// The records of a file, with the lines they stand on: one JSON value, a list of them, or one per line.
fn read(name: &str, text: &str) -> Result<Vec<(Option<usize>, Value)>, Rejection> {
    match serde_json::from_str(text) {
        Ok(Value::Array(list)) => return Ok(list.into_iter().map(|record| (None, record)).collect()),
        Ok(single) => return Ok(vec![(None, single)]),
        Err(_) => {}
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(number, line)| match serde_json::from_str(line) {
        Ok(record) => Ok((Some(number), record)),
        Err(error) => Err(Rejection::new("UNREADABLE", format!("{name}, line {number}: {error}"))),
    });
    parsed.collect()
}

fn label(record: &Value, index: usize) -> String {
    let text = |key: &str| record[key].as_str().map(str::to_owned);
    let seed = || {
        let ascension = record["ascension"].as_u64();
        let rest: Vec<String> =
            [text("character"), ascension.map(|a| format!("A{a}"))].into_iter().flatten().collect();
        text("seed").map(|s| format!("seed {s} {}", rest.join(" ")).trim_end().to_owned())
    };
    text("id").or_else(seed).unwrap_or_else(|| format!("record {}", index + 1))
}

fn kind(record: &Value) -> &'static str {
    match seed_record_kind(record) {
        Some(SeedRecord::Numbers) => "number sources",
        Some(SeedRecord::Setup) => "seeds: set-ups",
        Some(SeedRecord::Walk) => "seeds: walks",
        Some(SeedRecord::Example) => "seeds: worked example",
        None if real_game::is_real_game(record) => "runs of the real game",
        None if is_number(record) => "numbers of the original",
        None if is_dice_fight(record) => "fights with their dice",
        None if map_trace::is_map_trace(record) => "map traces",
        None if record.get("steps").is_some() => "fight traces",
        None => "unknown",
    }
}
