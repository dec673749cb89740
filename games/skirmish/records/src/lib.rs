//! Records of skirmish, read and compared with its rules: matches, replays, scenarios, and the answers of single
//! functions.
//!
//! A file's kind is told by its name, and by its first record when the name
//! does not tell. Every record is checked on its own; a failing one reports its
//! first divergence with both values.
//!
//! [`conform`] takes a file of any of these kinds; a program hands it to the table beside the game.
//!
//! ```
//! let record = r#"{"role": "player", "action": "END_TURN", "allowed": true}"#;
//! let result = turnstone_skirmish_records::conform("permissions.jsonl", record, &[])?;
//! assert_eq!((result.kind.as_str(), result.passed, result.failures.len()), ("permissions", 1, 0));
//! # Ok::<(), turnstone::Rejection>(())
//! ```

mod compare;
mod files;
mod permissions;
mod trace;
mod vectors;
mod worlds;

use serde_json::Value;
use turnstone::{Rejection, code};
use turnstone_host::Conformity;

/// The result of one record: nothing, or the place and what differs there.
pub(crate) type Outcome = Result<(), (String, String)>;

/// A kind of golden file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Recorded matches.
    Traces,
    /// Dice.
    Rng,
    /// Hashes.
    Hash,
    /// Pathfinding.
    Path,
    /// Paths to neighbours.
    PathAdjacent,
    /// Lines of sight.
    Visibility,
    /// Basic opponents' plans.
    NpcPlan,
    /// Invariants.
    Validation,
    /// Schemas of both profiles.
    Schema,
    /// Sentences.
    Intents,
    /// Intents without sentences.
    IntentPlans,
    /// Untrusted model output.
    AiText,
    /// Difficulty presets.
    Difficulty,
    /// Dungeons.
    Dungeon,
    /// Encounters.
    Encounter,
    /// Roles.
    Permissions,
    /// A replay bundle.
    Replay,
    /// A scenario.
    Scenario,
}

const BY_NAME: [(&str, Kind); 16] = [
    ("path_adjacent", Kind::PathAdjacent),
    ("path", Kind::Path),
    ("rng", Kind::Rng),
    ("hash", Kind::Hash),
    ("visibility", Kind::Visibility),
    ("npc_plan", Kind::NpcPlan),
    ("validation", Kind::Validation),
    ("schema", Kind::Schema),
    ("intent_plans", Kind::IntentPlans),
    ("intents", Kind::Intents),
    ("ai_text", Kind::AiText),
    ("difficulty", Kind::Difficulty),
    ("dungeon", Kind::Dungeon),
    ("encounter", Kind::Encounter),
    ("permissions", Kind::Permissions),
    ("mir-", Kind::Traces),
];

/// Keys that give a kind away, asked of a record in this order.
const BY_KEYS: [(&[&str], Kind); 18] = [
    (&["initial", "steps"], Kind::Traces),
    (&["meta", "initialState", "steps"], Kind::Replay),
    (&["meta", "initialState"], Kind::Scenario),
    (&["hash0", "rolls"], Kind::Rng),
    (&["canonical", "hash"], Kind::Hash),
    (&["start", "goal", "path"], Kind::Path),
    (&["mover", "target", "result"], Kind::PathAdjacent),
    (&["all", "npcs", "players", "world"], Kind::Visibility),
    (&["actions", "entityId", "world"], Kind::NpcPlan),
    (&["invariantCodes", "state"], Kind::Validation),
    (&["schemaOk_mir-1.4", "state"], Kind::Schema),
    (&["text", "intent", "plan"], Kind::Intents),
    (&["intent", "plan"], Kind::IntentPlans),
    (&["text", "ok", "action"], Kind::AiText),
    (&["outMax", "outCurrent"], Kind::Difficulty),
    (&["rows", "rooms", "seed"], Kind::Dungeon),
    (&["placement", "partySize", "slots"], Kind::Encounter),
    (&["role", "action", "allowed"], Kind::Permissions),
];

impl Kind {
    fn by_name(name: &str) -> Option<Kind> {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if file.ends_with(".replay.json") {
            return Some(Kind::Replay);
        }
        if file.ends_with(".scenario.json") {
            return Some(Kind::Scenario);
        }
        BY_NAME.iter().find(|(stem, _)| file.starts_with(stem)).map(|(_, kind)| *kind)
    }

    fn by_content(records: &[Value]) -> Option<Kind> {
        // The first line of some files holds the world alone.
        records.iter().take(2).rev().find_map(|record| {
            let has = |keys: &[&str]| keys.iter().all(|key| record.get(*key).is_some());
            BY_KEYS.iter().find(|(keys, _)| has(keys)).map(|(_, kind)| *kind)
        })
    }
}

/// Checks one file of golden records.
///
/// # Errors
/// The text is not JSON, or of no kind that is known.
pub fn conform(name: &str, text: &str, _options: &[(String, String)]) -> Result<Conformity, Rejection> {
    let records = records(text)?;
    let by_content = Kind::by_content(&records);
    let kind = Kind::by_name(name).filter(|k| by_content.is_none_or(|c| c == *k)).or(by_content);
    let Some(kind) = kind else {
        let text = format!("{name}: no kind of skirmish record is recognised by this name or its contents");
        return Err(Rejection::new(code::MALFORMED, text));
    };
    let mut result = Conformity::new(format!("{kind:?}").to_lowercase());
    match kind {
        Kind::Traces => each(&mut result, &records, trace::check),
        Kind::Replay => each(&mut result, &records, files::replay),
        Kind::Scenario => each(&mut result, &records, |_, record| files::scenario(record)),
        Kind::Intents | Kind::IntentPlans => worlds::intents(&mut result, &records),
        Kind::Path => worlds::paths(&mut result, &records),
        _ => each(&mut result, &records, |_, record| vectors::check(kind, record)),
    }
    Ok(result)
}

fn each(result: &mut Conformity, records: &[Value], check: impl Fn(usize, &Value) -> Outcome) {
    for (line, record) in records.iter().enumerate() {
        result.count(label(line, record), check(line, record));
    }
}

/// A record's id or name, else its line.
fn label(line: usize, record: &Value) -> String {
    let named = record["id"].as_str().or(record["name"].as_str()).or(record["meta"]["id"].as_str());
    named.map_or_else(|| format!("line {}", line + 1), str::to_string)
}

/// One JSON value, or one per line.
fn records(text: &str) -> Result<Vec<Value>, Rejection> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(records)) => return Ok(records),
        Ok(value) => return Ok(vec![value]),
        Err(_) => {}
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(n, line)| {
            serde_json::from_str(line)
                .map_err(|e| Rejection::new(code::MALFORMED, format!("line {}: not JSON: {e}", n + 1)))
        })
        .collect()
}
