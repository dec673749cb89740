//! Recorded matches: success, codes, events, states and hashes of every step;
//! and the folded log against the live state, twice over.

use super::Outcome;
use super::compare::same;
use crate::Profile;
use crate::action::Action;
use crate::export::{Chronicle, Exported, reasons};
use crate::formats::fold::fold_event;
use crate::game::Skirmish;
use crate::hash::hash;
use crate::normalise;
use crate::setup::Setup;
use serde_json::{Value, json};
use turnstone::{Fact, Game, Input, Log, Position, Rejection, Resolver};

/// Checks one trace.
pub fn check(_line: usize, record: &Value) -> Outcome {
    let name = record["profile"].as_str().unwrap_or_default();
    let Some(profile) = Profile::parse(name) else {
        return Err(("profile".to_string(), format!("{name:?} is no profile of ours")));
    };
    let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
    let game = Skirmish::default();
    match game.start(&Setup::state(profile, record["initial"].clone()), 0) {
        Ok(state) => Playback::new(game, state).run(record, steps),
        Err(rejection) => refused_state(record, steps, &rejection),
    }
}

/// A state that cannot be opened: every step reports the state's own errors and returns it as it is.
fn refused_state(record: &Value, steps: &[Value], rejection: &Rejection) -> Outcome {
    let codes: Vec<String> = reasons(rejection).iter().map(|r| normalise::reason(r)).collect();
    for (i, step) in steps.iter().enumerate() {
        let place = format!("step {i}: ");
        same(&format!("{place}stateError"), &step["stateError"], &json!(true))?;
        same(&format!("{place}success"), &step["success"], &json!(false))?;
        same(&format!("{place}codes"), &merged(&step["codes"]), &merged(&json!(codes)))?;
        same(&format!("{place}events"), &step["events"], &json!([]))?;
        let initial = normalise::document(record["initial"].clone());
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
    game: Skirmish,
    position: Position<Skirmish>,
    resolver: Resolver<Skirmish>,
    log: Log<Skirmish>,
    chronicle: Chronicle,
    folded: Value,
}

impl Playback {
    fn new(game: Skirmish, state: crate::State) -> Playback {
        let chronicle = Chronicle::new(state.clone());
        let folded = serde_json::to_value(chronicle.document()).unwrap_or_default();
        Playback {
            game,
            position: Position::new(state),
            resolver: Resolver::default(),
            log: Log::default(),
            chronicle,
            folded,
        }
    }

    fn run(mut self, record: &Value, steps: &[Value]) -> Outcome {
        let full = record["expectKind"] != "projection";
        for (i, step) in steps.iter().enumerate() {
            self.step(&format!("step {i}: "), step, full)?;
        }
        match record.get("final") {
            Some(expected) => same("final", expected, &self.document()),
            None => Ok(()),
        }
    }

    fn step(&mut self, place: &str, step: &Value, full: bool) -> Outcome {
        let input = Input::Act(Action::from_json(&step["action"]));
        self.log.clear();
        let result = self.resolver.act(&self.game, &mut self.position, &input, &mut self.log);
        let events = self.take_down();
        let codes = match &result {
            Ok(()) => Vec::new(),
            Err(rejection) => reasons(rejection).iter().map(|r| normalise::reason(r)).collect(),
        };
        same(&format!("{place}stateError"), &json!(step["stateError"] == true), &json!(false))?;
        same(&format!("{place}success"), &step["success"], &json!(result.is_ok()))?;
        same(&format!("{place}codes"), &step["codes"], &json!(codes))?;
        same(&format!("{place}events"), &step["events"], &json!(events))?;
        let document = self.document();
        let found = if full { &document } else { &self.chronicle.projection() };
        same(&format!("{place}state"), &step["expect"], found)?;
        same(&format!("{place}hash"), &step["hash"], &json!(hash(&document)))?;
        self.folds(place)
    }

    /// Exports the step's facts, and folds each into the folded document.
    fn take_down(&mut self) -> Vec<Value> {
        let mut events = Vec::new();
        for entry in self.log.entries() {
            let exported: Option<Exported> = self.chronicle.fact(&entry.fact);
            if let Some(exported) = exported {
                fold_event(&mut self.folded, &exported.to_json());
                events.push(normalise::event(serde_json::to_value(&exported.event).unwrap_or_default()));
            }
            debug_assert!(!matches!(entry.fact, Fact::Asked(_)));
        }
        events
    }

    /// The log alone rebuilds the state: by our own writer, and by folding the exported events.
    fn folds(&self, place: &str) -> Outcome {
        if self.chronicle.state() != self.position.state() {
            let text = "folding the log does not give the live state".to_string();
            return Err((format!("{place}fold"), text));
        }
        let live = serde_json::to_value(self.chronicle.document()).unwrap_or_default();
        same(&format!("{place}fold of the exported log"), &live, &self.folded)
    }

    fn document(&self) -> Value {
        normalise::document(serde_json::to_value(self.chronicle.document()).unwrap_or_default())
    }
}
