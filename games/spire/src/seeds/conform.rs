//! Compares recorded files with what our rules make of the same seeds.

use std::fmt;

use serde_json::{Value, json};

use super::fate::RunSetup;
use super::ids::{Character, Rules};
use super::java::java_shuffle;
use super::record::Recorder;
use super::stream::Stream;
use super::tables::Tables;
use super::text::seed_to_text;

/// The first field in which a record and our rules differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Where in the record, e.g. `acts[0].walk[3].after.card`.
    pub path: String,
    /// What the record says, as JSON.
    pub expected: String,
    /// What our rules say, as JSON.
    pub found: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: recorded {}, ours {}", self.path, self.expected, self.found)
    }
}

/// The kinds of record about seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedRecord {
    /// Number sources (one entry of rng-vectors).
    Numbers,
    /// A seed's set-up.
    Setup,
    /// A walk through a run.
    Walk,
    /// The worked example.
    Example,
    /// Facts of a run of the real game.
    RealGame,
}

/// Which kind of seed record a value is; `None` if it is none.
pub fn seed_record_kind(record: &Value) -> Option<SeedRecord> {
    let has = |key: &str| record.get(key).is_some();
    match () {
        () if has("next_long") => Some(SeedRecord::Numbers),
        () if has("act1_monsters") => Some(SeedRecord::Setup),
        () if has("acts") && has("rules") => Some(SeedRecord::Walk),
        () if has("neow_ints") => Some(SeedRecord::Example),
        () if has("screens") && has("bosses") => Some(SeedRecord::RealGame),
        () => None,
    }
}

/// Compares one record with our rules.
///
/// # Errors
/// The first difference; a record that cannot be read differs at its root.
pub fn conform_seed_record(record: &Value) -> Result<(), Divergence> {
    let kind = seed_record_kind(record).ok_or_else(|| unreadable(record, "not a record about seeds"))?;
    match kind {
        SeedRecord::Numbers => compare(record, &numbers(seed_of(record)?)),
        SeedRecord::Setup => {
            compare(record, &Recorder { tables: Tables::embedded() }.setup(seed_of(record)?))
        }
        SeedRecord::Walk => conform_walk(record),
        SeedRecord::Example => super::example::conform(record),
        SeedRecord::RealGame => super::real_game::conform(record),
    }
}

pub(super) fn unreadable(record: &Value, reason: &str) -> Divergence {
    let start: String = record.to_string().chars().take(80).collect();
    Divergence { path: "(record)".into(), expected: start, found: reason.into() }
}

pub(super) fn seed_of(record: &Value) -> Result<u64, Divergence> {
    let text = record["seed"].as_str().unwrap_or_default();
    // Seeds are written unsigned, but a signed one means the same bits.
    let signed = || text.parse::<i64>().ok().map(|s| s as u64);
    text.parse().ok().or_else(signed).ok_or_else(|| unreadable(record, "the seed is not a 64-bit number"))
}

pub(super) fn character_of(record: &Value) -> Result<Character, Divergence> {
    let name = record["character"].as_str().unwrap_or_default().to_lowercase();
    let found = Character::ALL.iter().find(|c| c.word() == name);
    found.copied().ok_or_else(|| unreadable(record, "the character is none of the four"))
}

fn conform_walk(record: &Value) -> Result<(), Divergence> {
    let rules = match record["rules"].as_str() {
        Some("lightspeed") => Rules::Simulator,
        _ => Rules::Original,
    };
    let setup = RunSetup {
        seed: seed_of(record)?,
        character: character_of(record)?,
        ascension: record["ascension"].as_u64().unwrap_or(0).min(20) as u8,
        rules,
    };
    compare(record, &Recorder { tables: Tables::embedded() }.walk(setup))
}

/// Everything an entry of rng-vectors holds about a seed.
fn numbers(seed: u64) -> Value {
    let fresh = || Stream::new(seed);
    let (a, b) = fresh().words();
    let mut list: Vec<u8> = (0..10).collect();
    java_shuffle(&mut list, seed);
    let (mut longs, mut ints, mut floats, mut bools) = (fresh(), fresh(), fresh(), fresh());
    json!({
        "state0": a.to_string(), "state1": b.to_string(),
        "next_long": (0..8).map(|_| longs.long().to_string()).collect::<Vec<_>>(),
        "random_0_99": (0..16).map(|_| ints.percent()).collect::<Vec<_>>(),
        "float": (0..6).map(|_| f64::from(floats.float())).collect::<Vec<_>>(),
        "bool": (0..16).map(|_| u8::from(bools.bool())).collect::<Vec<_>>(),
        "java_shuffle_0_9": list,
        "seed_string": seed_to_text(seed),
    })
}

/// Fields that name the record and hold nothing to compare.
const HEADER: [&str; 4] = ["seed", "rules", "character", "ascension"];

/// Compares every field of a record with ours; fields only we have are skipped.
///
/// # Errors
/// The first difference.
pub(super) fn compare(record: &Value, ours: &Value) -> Result<(), Divergence> {
    let Some(fields) = record.as_object() else { return compare_at("", record, ours) };
    for (key, value) in fields.iter().filter(|(k, _)| !HEADER.contains(&k.as_str())) {
        compare_at(key, value, ours.get(key).unwrap_or(&Value::Null))?;
    }
    Ok(())
}

pub(super) fn compare_at(path: &str, expected: &Value, found: &Value) -> Result<(), Divergence> {
    match (expected, found) {
        (Value::Object(fields), Value::Object(ours)) => {
            let adventurer = fields.get("event").is_some_and(|e| e == "DEAD_ADVENTURER");
            for (key, value) in fields {
                let mine = ours.get(key).unwrap_or(&Value::Null);
                if adventurer && key == "detail" {
                    compare_adventurer(path, value, mine)?;
                } else {
                    compare_at(&format!("{path}.{key}"), value, mine)?;
                }
            }
            Ok(())
        }
        (Value::Array(list), Value::Array(ours)) if list.len() == ours.len() => {
            for (i, (value, mine)) in list.iter().zip(ours).enumerate() {
                compare_at(&format!("{path}[{i}]"), value, mine)?;
            }
            Ok(())
        }
        _ if same(expected, found) => Ok(()),
        _ => Err(Divergence { path: path.into(), expected: expected.to_string(), found: found.to_string() }),
    }
}

/// The adventurer's detail is compared by shape: the list is the order, the name is the guardian.
fn compare_adventurer(path: &str, expected: &Value, found: &Value) -> Result<(), Divergence> {
    let Some(fields) = expected.as_object() else {
        return compare_at(path, expected, &found["order"]);
    };
    for (key, value) in fields {
        let path = format!("{path}.detail.{key}");
        match value {
            Value::Array(_) => compare_at(&path, value, &found["order"])?,
            Value::String(_) => compare_at(&path, value, &found["encounter"])?,
            _ => {}
        }
    }
    Ok(())
}

/// Numbers are equal if they agree to the nine digits the records keep.
fn same(expected: &Value, found: &Value) -> bool {
    match (expected.as_f64(), found.as_f64()) {
        (Some(a), Some(b)) => a == b || (a - b).abs() <= 1e-8 * a.abs().max(b.abs()),
        _ => expected == found,
    }
}
