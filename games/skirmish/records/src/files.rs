//! Replay bundles and scenarios.

use serde_json::{Value, json};
use turnstone_skirmish::formats::replay::Replay;
use turnstone_skirmish::formats::scenario;

use crate::Outcome;
use crate::compare::same;

/// A bundle runs clean; one built to fail fails at the step its `expectReport` names.
pub(crate) fn replay(_line: usize, record: &Value) -> Outcome {
    let replay = Replay::read(&record.to_string()).map_err(|e| ("bundle".to_string(), e))?;
    let report = replay.run();
    match record.get("expectReport") {
        Some(expected) => {
            let found = json!({
                "ok": report.ok, "failingStep": report.failing_step, "stepsRun": report.steps_run,
            });
            same("expectReport", expected, &found)
        }
        None if report.ok => Ok(()),
        None => {
            let place = report.failing_step.map_or("bundle".to_string(), |step| format!("step {step}"));
            Err((place, report.errors.join("; ")))
        }
    }
}

/// A scenario reads without errors and can be opened.
pub(crate) fn scenario(record: &Value) -> Outcome {
    match scenario::read("record.scenario.json", &record.to_string()) {
        Ok(_) => Ok(()),
        Err(problems) => {
            let told: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
            Err(("scenario".to_string(), told.join("; ")))
        }
    }
}
