//! Recorded matches: success, codes, events, states and hashes of every step;
//! and the folded log against the live state, twice over.

use serde_json::{Value, json};
use turnstone::Rejection;
use turnstone_skirmish::Profile;
use turnstone_skirmish::formats::fold::fold_event;
use turnstone_skirmish::formats::runner::{Runner, codes, plain};
use turnstone_skirmish::hash::hash;
use turnstone_skirmish::normalise;
use turnstone_skirmish::setup::Setup;

use crate::Outcome;
use crate::compare::same;

/// Checks one trace.
pub(crate) fn check(_line: usize, record: &Value) -> Outcome {
    let name = record["profile"].as_str().unwrap_or_default();
    let Some(profile) = Profile::parse(name) else {
        return Err(("profile".to_string(), format!("{name:?} is no profile of ours")));
    };
    let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
    match Runner::start(&Setup::state(profile, record["initial"].clone())) {
        Ok(runner) => Playback::new(runner).run(record, steps),
        Err(rejection) => refused_state(record, steps, &rejection),
    }
}

/// A state that cannot be opened: every step reports the state's own errors and returns it as it is.
fn refused_state(record: &Value, steps: &[Value], rejection: &Rejection) -> Outcome {
    let codes = codes(rejection);
    let initial = normalise::document(record["initial"].clone());
    for (i, step) in steps.iter().enumerate() {
        let place = format!("step {i}: ");
        same(&format!("{place}stateError"), &step["stateError"], &json!(true))?;
        same(&format!("{place}success"), &step["success"], &json!(false))?;
        same(&format!("{place}codes"), &merged(&step["codes"]), &merged(&json!(codes)))?;
        same(&format!("{place}events"), &step["events"], &json!([]))?;
        if let Some(expected) = step.get("expect").filter(|_| record["expectKind"] == "full") {
            same(&format!("{place}state"), expected, &initial)?;
        }
        same(&format!("{place}hash"), &step["hash"], &json!(hash(&initial)))?;
    }
    Ok(())
}

/// Of schema failures only the fact counts, not their number.
fn merged(codes: &Value) -> Value {
    let mut list: Vec<Value> = codes.as_array().cloned().unwrap_or_default();
    if list.iter().all(|c| c == "[SCHEMA]") {
        list.truncate(1);
    }
    Value::Array(list)
}

struct Playback {
    runner: Runner,
    /// The first document with the exported events folded into it.
    folded: Value,
}

impl Playback {
    fn new(runner: Runner) -> Playback {
        let folded = serde_json::to_value(runner.chronicle().document()).unwrap_or_default();
        Playback { runner, folded }
    }

    fn run(mut self, record: &Value, steps: &[Value]) -> Outcome {
        let full = record["expectKind"] != "projection";
        for (i, step) in steps.iter().enumerate() {
            self.step(&format!("step {i}: "), step, full)?;
        }
        match record.get("final") {
            Some(expected) => same("final", expected, &self.runner.document()),
            None => Ok(()),
        }
    }

    fn step(&mut self, place: &str, step: &Value, full: bool) -> Outcome {
        let (exported, result) = self.runner.act_exported(&step["action"]);
        exported.iter().for_each(|event| fold_event(&mut self.folded, &event.to_json()));
        let events: Vec<Value> = exported.iter().map(plain).collect();
        let codes = result.as_ref().map_or_else(codes, |()| Vec::new());
        same(&format!("{place}stateError"), &json!(step["stateError"] == true), &json!(false))?;
        same(&format!("{place}success"), &step["success"], &json!(result.is_ok()))?;
        same(&format!("{place}codes"), &step["codes"], &json!(codes))?;
        same(&format!("{place}events"), &step["events"], &json!(events))?;
        let document = self.runner.document();
        let found = if full { &document } else { &self.runner.chronicle().projection() };
        same(&format!("{place}state"), &step["expect"], found)?;
        same(&format!("{place}hash"), &step["hash"], &json!(hash(&document)))?;
        self.folds(place)
    }

    /// The log alone rebuilds the state: by our own writer, and by folding the exported events.
    fn folds(&self, place: &str) -> Outcome {
        let chronicle = self.runner.chronicle();
        if chronicle.state() != self.runner.position().state() {
            let text = "folding the log does not give the live state".to_string();
            return Err((format!("{place}fold"), text));
        }
        let live = serde_json::to_value(chronicle.document()).unwrap_or_default();
        same(&format!("{place}fold of the exported log"), &live, &self.folded)
    }
}
