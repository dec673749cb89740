//! Scenario files `*.scenario.json`: a first state and a few words about it.

use crate::{Profile, setup};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone_content::{Place, Problem, json_place};

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
/// Everything that is wrong, each with its place.
pub fn read(file_name: &str, text: &str) -> Result<Scenario, Vec<Problem>> {
    let place = |line: usize, column: usize| Place {
        file: file_name.to_owned(),
        line: line.max(1) as u32,
        column: column.max(1) as u32,
    };
    let mut problems = Vec::new();
    if !file_name.ends_with(".scenario.json") {
        problems.push(Problem::new(&place(1, 1), "a scenario file's name ends in .scenario.json"));
    }
    let at = |what: &str, e: &serde_json::Error| {
        Problem::new(&place(e.line(), e.column()), format!("{what}: {e}"))
    };
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(e) => {
            problems.push(at("not JSON", &e));
            return Err(problems);
        }
    };
    problems.extend(faults(file_name, text, &value));
    match serde_json::from_str(text) {
        Ok(scenario) if problems.is_empty() => Ok(scenario),
        Err(e) if problems.is_empty() => Err(vec![at("not a scenario", &e)]),
        _ => Err(problems),
    }
}

fn faults(file: &str, text: &str, value: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    for field in META_FIELDS.iter().filter(|f| value["meta"][**f].is_null()) {
        problems.push(Problem::lack(&json_place(file, text, "meta"), &format!("meta.{field}")));
    }
    for reason in profile(&value["initialState"]).err().unwrap_or_default() {
        // A reason that is about one value begins with its code and path.
        let told = reason.strip_prefix("[SCHEMA] ").unwrap_or(&reason);
        let path = told.split_once(": ").map_or("", |(path, _)| path);
        let path = if path.contains(' ') { "" } else { path };
        let place = json_place(file, text, &format!("initialState.{path}"));
        problems.push(Problem::new(&place, told));
    }
    problems
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
