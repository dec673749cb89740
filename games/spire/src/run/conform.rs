//! Recorded files of every kind: fights, maps, seeds, walks, runs of the real game.

use serde_json::Value;
use turnstone::Rejection;
use turnstone::host::Conformity;

use super::game::Climb;
use super::map_trace;
use crate::catalog::Sources;
use crate::game::{Ruleset, Spire};
use crate::seeds::{SeedRecord, conform_seed_record, seed_record_kind};

/// Checks a file of records.
///
/// # Errors
/// If the file is of no kind this game knows, or unreadable.
pub fn conform(name: &str, text: &str, _options: &[(String, String)]) -> Result<Conformity, Rejection> {
    let records = read(name, text)?;
    let mut result = Conformity::new(records.first().map_or("empty", kind));
    let mut seed_rules = None;
    let mut classic = None;
    for (index, record) in records.iter().enumerate() {
        let label = label(record, index);
        if seed_record_kind(record).is_some() {
            let compared = conform_seed_record(record);
            result.count(label, compared.map_err(|d| (d.path.clone(), d.to_string())));
        } else if is_number(record) {
            if classic.is_none() {
                classic = Some(Spire::builtin(Ruleset::Classic).map_err(unsound)?);
            }
            if let Some(spire) = &classic {
                result.count(label, spire.check_number(record));
            }
        } else if record.get("steps").is_some() {
            let game = fights(&mut seed_rules)?;
            let compared = match map_trace::is_map_trace(record) {
                true => map_trace::conform(game, record),
                false => game.arena.run_trace(record),
            };
            result.count(label, compared);
        } else {
            let reason = "not a record this game knows";
            result.count(label, Err(("(record)".into(), reason.into())));
        }
    }
    Ok(result)
}

/// A computation of damage or block.
fn is_number(record: &Value) -> bool {
    record.get("in").is_some() && record.get("out").is_some()
}

fn unsound(problems: Vec<crate::catalog::Problem>) -> Rejection {
    let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Rejection::new("BAD_CONTENT", text.join("\n"))
}

fn fights(game: &mut Option<Climb<Spire>>) -> Result<&Climb<Spire>, Rejection> {
    if game.is_none() {
        let made = Spire::builtin(Ruleset::Seed).map_err(unsound)?;
        *game = Some(Climb::around(made, &Sources::builtin(Ruleset::Seed.name()))?);
    }
    game.as_ref().ok_or_else(|| Rejection::new("BAD_CONTENT", "no fights"))
}

/// One JSON value, a list of them, or one per line.
fn read(name: &str, text: &str) -> Result<Vec<Value>, Rejection> {
    match serde_json::from_str(text) {
        Ok(Value::Array(list)) => return Ok(list),
        Ok(single) => return Ok(vec![single]),
        Err(_) => {}
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                Rejection::new("UNREADABLE", format!("{name}, line {}: {error}", number + 1))
            })
        })
        .collect()
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
        Some(SeedRecord::RealGame) => "runs of the real game",
        None if is_number(record) => "numbers of the original",
        None if map_trace::is_map_trace(record) => "map traces",
        None if record.get("steps").is_some() => "fight traces",
        None => "unknown",
    }
}
