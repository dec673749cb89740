//! Folding exported events into a document: JSON to JSON, no rules.
//!
//! Payload and `fx` together are enough. This is what a consumer of the log in
//! any language has to do.

use serde_json::{Map, Value, json};

/// Folds one exported event (envelope with `fx`) into a document.
/// Total: an event that does not fit changes what it can.
pub fn fold_event(document: &mut Value, event: &Value) {
    let payload = &event["payload"];
    match event["type"].as_str().unwrap_or_default() {
        "MOVE_APPLIED" | "CORPSE_SHOVED" => moved(document, payload),
        "ATTACK_RESOLVED" if payload["hit"] == true => {
            set_hp(document, &payload["targetId"], &payload["targetHpAfter"]);
        }
        "ABILITY_USED" => set_hp(document, &payload["targetId"], &payload["targetHpAfter"]),
        "DEFEND_APPLIED" | "CONDITION_DAMAGE" => set_hp(document, &payload["entityId"], &payload["hpAfter"]),
        "INITIATIVE_ROLLED" => initiative(document, payload),
        "TURN_ENDED" => {
            document["combat"]["activeEntityId"] = payload["nextEntityId"].clone();
            document["combat"]["round"] = payload["round"].clone();
        }
        "COMBAT_ENDED" | "MATCH_DRAWN" | "SIDE_SURRENDERED" => {
            set_combat(document, "exploration", json!(0), Value::Null, json!([]));
        }
        "RNG_SEED_SET" => {
            document["rng"]["mode"] = payload["mode"].clone();
            document["rng"]["seed"] = payload["nextSeed"].clone();
            document["rng"]["lastRolls"] = json!([]);
        }
        _ => {}
    }
    fold_fx(document, &event["fx"]);
    append(document, event);
}

fn append(document: &mut Value, event: &Value) {
    let mut envelope = event.clone();
    if let Some(map) = envelope.as_object_mut() {
        map.shift_remove("fx");
    }
    if let Some(events) = document["log"]["events"].as_array_mut() {
        events.push(envelope);
    }
}

fn entity<'d>(document: &'d mut Value, id: &Value) -> Option<&'d mut Value> {
    let lists = document.get_mut("entities")?.as_object_mut()?;
    let mut all = lists.values_mut().filter_map(Value::as_array_mut).flatten();
    all.find(|e| e["id"] == *id)
}

fn moved(document: &mut Value, payload: &Value) {
    if let Some(entity) = entity(document, &payload["entityId"]) {
        entity["position"]["x"] = payload["finalPosition"]["x"].clone();
        entity["position"]["y"] = payload["finalPosition"]["y"].clone();
    }
}

fn set_hp(document: &mut Value, id: &Value, hp: &Value) {
    if let Some(entity) = entity(document, id) {
        entity["stats"]["hpCurrent"] = hp.clone();
    }
}

fn initiative(document: &mut Value, payload: &Value) {
    let order: Vec<Value> =
        payload["order"].as_array().into_iter().flatten().map(|place| place["entityId"].clone()).collect();
    let first = order.first().cloned().unwrap_or_default();
    set_combat(document, "combat", json!(1), first, Value::Array(order));
}

fn set_combat(document: &mut Value, mode: &str, round: Value, active: Value, order: Value) {
    let combat = &mut document["combat"];
    combat["mode"] = json!(mode);
    combat["round"] = round;
    combat["activeEntityId"] = active;
    combat["initiativeOrder"] = order;
}

fn fold_fx(document: &mut Value, fx: &Value) {
    if let Some(rolls) = fx["rolls"].as_array()
        && let Some(trail) = document["rng"]["lastRolls"].as_array_mut()
    {
        trail.extend(rolls.iter().cloned());
    }
    if let Some(seed) = fx.get("seedAfter") {
        document["rng"]["seed"] = seed.clone();
    }
    if let Some(budget) = fx.get("budgetAfter") {
        document["combat"]["turnBudget"] = budget.clone();
    }
    counts(document, &fx["durations"], "conditionDurations");
    counts(document, &fx["cooldowns"], "abilityCooldowns");
    conditions(document, &fx["conditionsRemoved"], |list, name| list.retain(|c| c != name));
    conditions(document, &fx["conditionsAdded"], |list, name| list.push(name.clone()));
}

/// `{entity: {name: n or null}}` into the entity's map, which is made if need be.
fn counts(document: &mut Value, changes: &Value, key: &str) {
    for (id, changed) in changes.as_object().into_iter().flatten() {
        let Some(entity) = entity(document, &json!(id)) else { continue };
        if !entity[key].is_object() {
            entity[key] = Value::Object(Map::new());
        }
        for (name, left) in changed.as_object().into_iter().flatten() {
            let Some(map) = entity[key].as_object_mut() else { continue };
            if left.is_null() {
                map.shift_remove(name);
            } else {
                map.insert(name.clone(), left.clone());
            }
        }
    }
}

fn conditions(document: &mut Value, changes: &Value, change: impl Fn(&mut Vec<Value>, &Value)) {
    for (id, names) in changes.as_object().into_iter().flatten() {
        let Some(entity) = entity(document, &json!(id)) else { continue };
        let Some(list) = entity["conditions"].as_array_mut() else { continue };
        names.as_array().into_iter().flatten().for_each(|name| change(list, name));
    }
}
