//! An event as other programs read it: things by name, as documents and actions have them.

use crate::event::Event;
use crate::stage::Stage;
use serde_json::{Map, Value, json};

/// The event's own form with ids for bodies, conditions and abilities, `null` for none, and without
/// the dice's counter, which says nothing to anybody else.
pub fn named(stage: &Stage, event: &Event) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    for fields in value.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(map) = fields.as_object_mut() {
            map.shift_remove("chain");
            map.iter_mut().for_each(|(key, value)| name(stage, key, value));
        }
    }
    value
}

fn name(stage: &Stage, key: &str, value: &mut Value) {
    let id = |n: &Value| {
        let figure = n.as_u64().and_then(|n| stage.figures.get(n as usize));
        figure.map(|figure| json!(&*figure.id))
    };
    let named = match key {
        "body" | "attacker" | "target" | "caster" | "corpse" | "from" | "to" => id(value),
        "condition" | "applied" => {
            value.as_u64().and_then(|n| stage.conditions.get(n as usize)).map(|name| json!(&**name))
        }
        "ability" => {
            value.as_u64().and_then(|n| stage.rules.abilities.get(n as usize)).map(|a| json!(&*a.id))
        }
        "order" => value.as_array().map(|places| {
            let place = |p: &Value| json!({"entity": id(&p[0]), "roll": p[1].clone()});
            places.iter().map(place).collect()
        }),
        _ => None,
    };
    if let Some(named) = named {
        *value = named;
    }
}

/// The JSON Schema of such an event.
pub fn schema() -> Value {
    schemars::schema_for!(Event).to_value()
}
