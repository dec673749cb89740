//! Compares recorded files with what our rules make of the same seeds.

use std::fmt;

use serde_json::{Value, json};

use super::record::Recorder;
use turnstone_spire::seeds::RunSetup;
use turnstone_spire::seeds::Stream;
use turnstone_spire::seeds::Tables;
use turnstone_spire::seeds::java_shuffle;
use turnstone_spire::seeds::seed_to_text;
use turnstone_spire::seeds::{CharacterNo, Rules};

/// The first field in which a record and our rules differ, or why the record cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Where in the record, e.g. `acts[0].walk[3].after.card`.
    pub path: String,
    /// What differs, with both values; what is wrong, with a code.
    pub text: String,
}

impl Divergence {
    /// Two values that should be the same; long ones are cut.
    pub fn between(path: &str, expected: &Value, found: &Value) -> Self {
        let text = format!("recorded {}, ours {}", shortened(expected), shortened(found));
        Divergence { path: path.to_owned(), text }
    }

    /// A record that cannot be read.
    pub fn unreadable(path: &str, reason: &str) -> Self {
        Divergence { path: path.to_owned(), text: format!("[BAD_RECORD] {reason}") }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

fn shortened(value: &Value) -> String {
    const ENOUGH: usize = 200;
    let text = value.to_string();
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
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
}

/// Which kind of seed record a value is; `None` if it is none.
pub fn seed_record_kind(record: &Value) -> Option<SeedRecord> {
    let has = |key: &str| record.get(key).is_some();
    match () {
        () if has("next_long") => Some(SeedRecord::Numbers),
        () if has("act1_monsters") => Some(SeedRecord::Setup),
        () if has("acts") && has("rules") => Some(SeedRecord::Walk),
        () if has("neow_ints") => Some(SeedRecord::Example),
        () => None,
    }
}

/// Compares one record with our rules: with those it names, unless others are asked for. Every field of the record is
/// compared, and none that its kind has may be missing.
///
/// # Errors
/// The first difference, or what is wrong with the record.
pub fn conform_seed_record(record: &Value, rules: Option<Rules>) -> Result<(), Divergence> {
    let kind = seed_record_kind(record)
        .ok_or_else(|| Divergence::unreadable("(record)", "this is no record about seeds"))?;
    let seed = seed_of(record)?;
    let recorder = Recorder { tables: Tables::embedded() };
    match kind {
        SeedRecord::Numbers => {
            let ours = numbers(seed);
            require_all(record, &ours)?;
            compare(record, &ours)
        }
        SeedRecord::Setup => {
            let ours = recorder.setup(seed, rules.unwrap_or(Rules::Simulator));
            require_all(record, &ours)?;
            compare(record, &ours)
        }
        SeedRecord::Walk => {
            require_walk(record)?;
            let named = walk_setup(record, seed)?;
            compare(record, &recorder.walk(RunSetup { rules: rules.unwrap_or(named.rules), ..named }))
        }
        SeedRecord::Example => super::example::conform(record, seed),
    }
}

/// The seed of a record. Seeds are written unsigned, but a signed one means the same bits.
///
/// # Errors
/// It is missing or has more than 64 bits.
pub fn seed_of(record: &Value) -> Result<u64, Divergence> {
    let text = match &record["seed"] {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let signed = || text.parse::<i64>().ok().map(|seed| seed as u64);
    let found = text.parse().ok().or_else(signed);
    found.ok_or_else(|| Divergence::unreadable("seed", "the seed is not a 64-bit number"))
}

/// The character of a record, by the numbers of `tables`.
///
/// # Errors
/// A character that is not known.
pub fn character_of(tables: &Tables, record: &Value) -> Result<CharacterNo, Divergence> {
    let name = record["character"].as_str().unwrap_or_default().to_lowercase();
    let found = tables.characters.find(&name);
    found.ok_or_else(|| Divergence::unreadable("character", "nobody is called so"))
}

/// The ascension of a record.
///
/// # Errors
/// Not a number from 0 to 20.
pub fn ascension_of(record: &Value) -> Result<u8, Divergence> {
    let level = record["ascension"].as_u64().and_then(|level| u8::try_from(level).ok());
    let found = level.filter(|level| *level <= 20);
    found.ok_or_else(|| Divergence::unreadable("ascension", "ascension goes from 0 to 20"))
}

/// The act of a map of a record.
///
/// # Errors
/// Not 1, 2 or 3.
pub fn act_of(path: &str, map: &Value) -> Result<u8, Divergence> {
    let act = map["act"].as_u64().and_then(|act| u8::try_from(act).ok());
    let found = act.filter(|act| (1..=3).contains(act));
    found.ok_or_else(|| Divergence::unreadable(&format!("{path}.act"), "acts with a map are 1, 2 and 3"))
}

fn walk_setup(record: &Value, seed: u64) -> Result<RunSetup, Divergence> {
    let rules = record["rules"].as_str().and_then(Rules::named);
    let rules =
        rules.ok_or_else(|| Divergence::unreadable("rules", "known are `corrected` and `lightspeed`"))?;
    Ok(RunSetup {
        seed,
        character: character_of(Tables::embedded(), record)?,
        ascension: ascension_of(record)?,
        rules,
    })
}

/// Whether a value has these fields.
///
/// # Errors
/// The first that is missing.
pub fn require(path: &str, value: &Value, keys: &[&str]) -> Result<(), Divergence> {
    match keys.iter().find(|key| value.get(**key).is_none()) {
        None => Ok(()),
        Some(key) => {
            let dot = if path.is_empty() { "" } else { "." };
            Err(Divergence::unreadable(&format!("{path}{dot}{key}"), "this field is missing"))
        }
    }
}

fn require_all(record: &Value, ours: &Value) -> Result<(), Divergence> {
    let keys: Vec<&str> = ours.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    require("", record, &keys)
}

fn require_walk(record: &Value) -> Result<(), Divergence> {
    const ACT: [&str; 10] = [
        "act",
        "monsters",
        "elites",
        "boss",
        "second_boss",
        "monster_counter",
        "card_counter",
        "burning_elite",
        "burning_buff",
        "walk",
    ];
    const AFTER: [&str; 11] = [
        "card",
        "event",
        "merchant",
        "misc",
        "monster",
        "potion",
        "relic",
        "treasure",
        "potion_chance",
        "rarity_offset",
        "unknown_percent",
    ];
    require("", record, &["neow", "acts"])?;
    for (a, act) in entries(&record["acts"]) {
        let path = format!("acts[{a}]");
        require(&path, act, &ACT)?;
        for (i, room) in entries(&act["walk"]) {
            let path = format!("{path}.walk[{i}]");
            require(&path, room, &["floor", "x", "y", "map", "room", "after"])?;
            require(&path, room, held_by(room["room"].as_str().unwrap_or_default()))?;
            require(&format!("{path}.after"), &room["after"], &AFTER)?;
        }
    }
    Ok(())
}

/// What a record tells of a room of that kind.
fn held_by(room: &str) -> &'static [&'static str] {
    match room {
        "MONSTER" | "ELITE" => &["encounter", "rewards"],
        "BOSS" => &["encounter"],
        "TREASURE" => &["chest", "rewards"],
        "SHOP" => &["shop"],
        "EVENT" => &["event"],
        _ => &[],
    }
}

/// The entries of a list with their places; nothing if it is none.
pub fn entries(list: &Value) -> impl Iterator<Item = (usize, &Value)> {
    list.as_array().into_iter().flatten().enumerate()
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
fn compare(record: &Value, ours: &Value) -> Result<(), Divergence> {
    let Some(fields) = record.as_object() else { return compare_at("", record, ours) };
    for (key, value) in fields.iter().filter(|(k, _)| !HEADER.contains(&k.as_str())) {
        compare_at(key, value, ours.get(key).unwrap_or(&Value::Null))?;
    }
    Ok(())
}

/// Compares a recorded value with ours: lists entry by entry, and every field that the record has.
///
/// # Errors
/// The first difference.
pub fn compare_at(path: &str, expected: &Value, found: &Value) -> Result<(), Divergence> {
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
        (Value::Array(list), Value::Array(ours)) => {
            let counts = format!("recorded {} entries, ours {}", list.len(), ours.len());
            let text = format!("{counts}: recorded {}, ours {}", shortened(expected), shortened(found));
            Err(Divergence { path: path.into(), text })
        }
        _ if same(expected, found) => Ok(()),
        _ => Err(Divergence::between(path, expected, found)),
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
