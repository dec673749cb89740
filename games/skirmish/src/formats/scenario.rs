//! Scenario files `*.scenario.json`: a first state and a few words about it.

use crate::{Profile, setup};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a scenario is called and for whom it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioMeta {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub description: String,
    /// For how many players.
    pub recommended_players: Value,
    /// How hard it is as written.
    pub difficulty: String,
    /// Free words.
    pub tags: Vec<String>,
}

/// A scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scenario {
    /// What it is called.
    pub meta: ScenarioMeta,
    /// The first state.
    pub initial_state: Value,
    /// Replays that fit it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_replays: Option<Value>,
}

const META_FIELDS: [&str; 6] = ["id", "name", "description", "recommendedPlayers", "difficulty", "tags"];

/// Reads a scenario file. All errors are collected.
///
/// # Errors
/// One sentence for everything that is wrong.
pub fn read(file_name: &str, text: &str) -> Result<Scenario, Vec<String>> {
    let mut errors = Vec::new();
    if !file_name.ends_with(".scenario.json") {
        errors.push(format!("{file_name}: a scenario file's name ends in .scenario.json"));
    }
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(e) => {
            errors.push(format!("{file_name}: not JSON: {e}"));
            return Err(errors);
        }
    };
    errors.extend(faults(&value));
    match serde_json::from_value(value) {
        Ok(scenario) if errors.is_empty() => Ok(scenario),
        Ok(_) => Err(errors),
        Err(e) => {
            errors.push(format!("not a scenario: {e}"));
            Err(errors)
        }
    }
}

fn faults(value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    for field in META_FIELDS.iter().filter(|f| value["meta"][**f].is_null()) {
        errors.push(format!("meta.{field} is missing"));
    }
    match profile(&value["initialState"]) {
        Ok(_) => {}
        Err(reasons) => errors.extend(reasons),
    }
    errors
}

/// The profile a state can be played with: the later one, unless only the older takes it.
///
/// # Errors
/// What the later profile says against it.
pub fn profile(state: &Value) -> Result<Profile, Vec<String>> {
    match setup::open(state, Profile::Mir023) {
        Ok(_) => Ok(Profile::Mir023),
        Err(rejection) => Err(crate::export::reasons(&rejection)),
    }
}
