//! Vectors that ask questions about a world, often one world for several records.

use serde_json::{Value, json};
use turnstone_host::Conformity;
use turnstone_skirmish::Profile;
use turnstone_skirmish::action::Action;
use turnstone_skirmish::catalog::Catalog;
use turnstone_skirmish::document::Document;
use turnstone_skirmish::queries::path::{Options, find_path};
use turnstone_skirmish::stage::{Rules, Stage};
use turnstone_skirmish::state::State;
use turnstone_skirmish::text::{Intent, parse, plan};

use crate::compare::same;
use crate::{Outcome, label};

/// The world of a vector. It is taken as it is: vectors may hold worlds that no match could open.
pub(crate) fn open_world(world: &Value) -> Result<State, (String, String)> {
    let document: Document =
        serde_json::from_value(world.clone()).map_err(|e| ("world".to_string(), e.to_string()))?;
    let rules = Rules::recorded(Profile::Mir023, &Catalog::built_in());
    Ok(State::new(Stage::new(document, rules)))
}

/// Paths: a record has its own world or refers to the line that has it.
pub(crate) fn paths(result: &mut Conformity, records: &[Value]) {
    for (line, record) in records.iter().enumerate() {
        let home = record["worldRef"].as_u64().map_or(line, |at| at as usize);
        let world = records.get(home).map_or(&Value::Null, |r| &r["world"]);
        let outcome = open_world(world).and_then(|state| path(&state, record));
        result.count(label(line, record), outcome);
    }
}

fn path(state: &State, record: &Value) -> Outcome {
    let coordinate = |cell: &Value, key: &str| cell[key].as_f64().map_or(-1, |n| n as i64);
    let cell =
        |key: &str| state.stage.board.cell(coordinate(&record[key], "x"), coordinate(&record[key], "y"));
    let opts = &record["opts"];
    let options = Options {
        mover: opts["entityId"].as_str().and_then(|id| state.stage.find(id)),
        max_cost: opts["maxCost"].as_f64().map(|n| n as i64),
        allow_occupied_goal: opts["allowOccupiedGoal"] == true,
    };
    let found = match (cell("start"), cell("goal")) {
        (Some(start), Some(goal)) => find_path(state, start, goal, options),
        _ => None,
    };
    let cells = found.as_ref().map(|r| r.path.iter().map(|c| c.document()).collect::<Vec<_>>());
    same("cost", &record["cost"], &json!(found.map(|r| r.cost)))?;
    same("path", &record["path"], &json!(cells))
}

/// Intents: the first line holds the world.
pub(crate) fn intents(result: &mut Conformity, records: &[Value]) {
    let mut state = None;
    for (line, record) in records.iter().enumerate() {
        if let Some(world) = record.get("world") {
            match open_world(world) {
                Ok(opened) => state = Some(opened),
                Err(error) => result.count(label(line, record), Err(error)),
            }
        }
        if record.get("intent").is_none() {
            continue;
        }
        let outcome = match &state {
            Some(state) => intent(state, record),
            None => Err(("world".to_string(), "no line before this one holds a world".to_string())),
        };
        let name = record["text"]
            .as_str()
            .map_or_else(|| label(line, record), |t| format!("line {}: {t:?}", line + 1));
        result.count(name, outcome);
    }
}

fn intent(state: &State, record: &Value) -> Outcome {
    if let Some(text) = record["text"].as_str() {
        same("intent", &record["intent"], &parse(text).to_json())?;
    }
    let read = Intent::read(&record["intent"]);
    same("valid", &record["valid"], &json!(read.is_some()))?;
    let expected = &record["plan"];
    match read {
        None => same("plan", expected, &Value::Null),
        // Where the recorded plan is known to be wrong, none was kept.
        Some(_) if expected.get("note").is_some() => Ok(()),
        Some(intent) => {
            let found = plan(state, &intent);
            let actions: Vec<Value> = found.actions.iter().map(Action::to_json).collect();
            same("plan", expected, &json!({"ok": found.ok, "actions": actions}))
        }
    }
}
