//! Replay bundles `*.replay.json`: a first state, actions, and what they must give.

use crate::document::invariants;
use crate::formats::runner::Runner;
use crate::setup::Setup;
use crate::{Profile, normalise};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What a replay is called and where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayMeta {
    /// Its id.
    pub id: String,
    /// When it was made.
    pub created_at: String,
    /// The states' version.
    pub schema_version: String,
    /// The engine's version; it names the profile.
    pub engine_version: String,
    /// A few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Rules that differ from the profile's as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<ReplayRules>,
}

/// Rules that a table adds to a recorded profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplayRules {
    /// A rule module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// A difficulty, whose hit points the first state has already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<String>,
    /// The rules of the house.
    #[serde(default)]
    pub house: bool,
}

/// One action and what it must give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayStep {
    /// The action, verbatim.
    pub action: Value,
    /// The types of its events; further keys, `payload` among them, are compared when present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_events: Option<Vec<Map<String, Value>>>,
    /// The hash of the state after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_state_hash: Option<String>,
}

/// What the end must be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayFinal {
    /// The hash of the last state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_state_hash: Option<String>,
    /// Dotted paths into the last state, with their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_key_fields: Option<Map<String, Value>>,
}

/// A replay bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// What it is called.
    pub meta: ReplayMeta,
    /// The first state.
    pub initial_state: Value,
    /// The actions.
    pub steps: Vec<ReplayStep>,
    /// The end.
    #[serde(default, rename = "final", skip_serializing_if = "Option::is_none")]
    pub ending: Option<ReplayFinal>,
}

/// What a run showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Everything was as expected.
    pub ok: bool,
    /// How many steps ran.
    pub steps_run: usize,
    /// The step that failed, from 0.
    pub failing_step: Option<usize>,
    /// What was wrong, one sentence each.
    pub errors: Vec<String>,
    /// The hash of the last state.
    pub final_state_hash: Option<String>,
    /// The events, in the documents' form.
    pub event_log: Vec<Value>,
}

impl Replay {
    /// Reads a bundle.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str) -> Result<Replay, String> {
        serde_json::from_str(text).map_err(|e| format!("not a replay bundle: {e}"))
    }

    /// The profile the bundle's engine version names; the later one if it names none.
    pub fn profile(&self) -> Profile {
        Profile::parse(&self.meta.engine_version).unwrap_or_default()
    }

    /// Records a bundle: plays actions on a first state and writes down what they give,
    /// payloads included.
    ///
    /// # Errors
    /// The first state cannot be opened.
    pub fn record(
        meta: ReplayMeta,
        initial_state: Value,
        actions: impl IntoIterator<Item = Value>,
    ) -> Result<Replay, String> {
        let mut replay = Replay { meta, initial_state, steps: Vec::new(), ending: None };
        let mut runner = open(&replay)?;
        for action in actions {
            let (events, _) = runner.act(&action);
            replay.steps.push(ReplayStep {
                action,
                expected_events: Some(events.iter().map(type_and_payload).collect()),
                expected_state_hash: Some(runner.hash()),
            });
        }
        let hash = Some(runner.hash());
        replay.ending = Some(ReplayFinal { expected_state_hash: hash, expected_key_fields: None });
        Ok(replay)
    }

    /// Runs the bundle and stops at the first disagreement.
    pub fn run(&self) -> Report {
        let mut report = Report::default();
        let mut runner = match open(self) {
            Ok(runner) => runner,
            Err(error) => {
                report.errors.push(error);
                return report;
            }
        };
        for (index, step) in self.steps.iter().enumerate() {
            let failure = run_step(&mut runner, step, &mut report);
            report.steps_run = index + 1;
            if let Some((error, refused)) = failure {
                // A refusal stops the run before the step counts.
                report.steps_run -= usize::from(refused);
                report.failing_step = Some(index);
                report.errors.push(error);
                break;
            }
        }
        report.final_state_hash = Some(runner.hash());
        if report.failing_step.is_none() {
            report.errors.extend(self.ending_faults(&runner));
        }
        report.ok = report.errors.is_empty();
        report
    }

    fn ending_faults(&self, runner: &Runner) -> Vec<String> {
        let Some(ending) = &self.ending else { return Vec::new() };
        let mut errors = Vec::new();
        if let Some(expected) = &ending.expected_state_hash
            && *expected != runner.hash()
        {
            errors.push(format!("final state hash: expected {expected}, found {}", runner.hash()));
        }
        let document = runner.document();
        for (path, expected) in ending.expected_key_fields.iter().flatten() {
            let found = look_up(&document, path);
            if found != Some(expected) {
                let found = found.map_or("nothing".to_string(), Value::to_string);
                errors.push(format!("{path}: expected {expected}, found {found}"));
            }
        }
        errors
    }
}

fn open(replay: &Replay) -> Result<Runner, String> {
    let ReplayRules { module, difficulty, house } = replay.meta.rules.clone().unwrap_or_default();
    let state = Setup::state(replay.profile(), replay.initial_state.clone());
    let setup = Setup { module, difficulty, adjusted: true, house, ..state };
    Runner::start(&setup).map_err(|rejection| rejection.to_string())
}

fn look_up<'v>(document: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(document, |value, key| match key.parse::<usize>() {
        Ok(index) if value.is_array() => value.get(index),
        _ => value.get(key),
    })
}

pub(crate) fn type_and_payload(event: &Value) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("type".to_string(), event["type"].clone());
    map.insert("payload".to_string(), event["payload"].clone());
    map
}

/// Runs one step; gives the disagreement and whether it was a refusal.
fn run_step(runner: &mut Runner, step: &ReplayStep, report: &mut Report) -> Option<(String, bool)> {
    let (events, result) = runner.act(&step.action);
    report.event_log.extend(events.iter().cloned());
    if let Err(codes) = result
        && !refusal_expected(step)
    {
        return Some((format!("the action was refused: {}", codes.join(", ")), true));
    }
    let error = step.expected_events.as_ref().and_then(|expected| events_differ(expected, &events));
    let error = error.or_else(|| {
        let expected = step.expected_state_hash.as_ref()?;
        let found = runner.hash();
        (*expected != found).then(|| format!("state hash: expected {expected}, found {found}"))
    });
    let error = error.or_else(|| {
        let broken = invariants::violations(&runner.document());
        broken.first().map(|violation| format!("the state is broken: {violation}"))
    });
    error.map(|text| (text, false))
}

fn refusal_expected(step: &ReplayStep) -> bool {
    let listed =
        step.expected_events.iter().flatten().any(|e| e.get("type") == Some(&json!("ACTION_REJECTED")));
    listed || step.action.get("_expectReject") == Some(&Value::Bool(true))
}

fn events_differ(expected: &[Map<String, Value>], found: &[Value]) -> Option<String> {
    let types = |events: &mut dyn Iterator<Item = String>| events.collect::<Vec<_>>().join(", ");
    if expected.len() != found.len() {
        let wanted = types(&mut expected.iter().map(|e| e.get("type").map_or(String::new(), text)));
        let got = types(&mut found.iter().map(|e| text(&e["type"])));
        return Some(format!("events: expected [{wanted}], found [{got}]"));
    }
    expected.iter().zip(found).find_map(|(wanted, got)| {
        wanted.iter().find_map(|(key, value)| {
            let value = if key == "payload" { &normalise::payload(value.clone()) } else { value };
            let same = crate::json::canonical(&got[key]) == crate::json::canonical(value);
            (!same).then(|| format!("event {key}: expected {value}, found {}", got[key]))
        })
    })
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}
