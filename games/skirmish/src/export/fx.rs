//! What changed besides an event's payload.

use crate::stage::BodyId;
use crate::state::{CooldownKey, State};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Everything that differs between two positions of one match and that payloads
/// do not say: seed, budget, durations, cooldowns, conditions.
pub fn difference(before: &State, after: &State) -> Map<String, Value> {
    let mut fx = Map::new();
    if before.dice.seed_text() != after.dice.seed_text() {
        fx.insert("seedAfter".to_string(), json!(after.dice.seed_text()));
    }
    if before.combat.budget != after.combat.budget {
        fx.insert("budgetAfter".to_string(), json!(after.combat.budget));
    }
    put(&mut fx, "durations", before, after, |s, b| s.body(b).timed.then(|| durations(s, b)));
    put(&mut fx, "cooldowns", before, after, |s, b| s.body(b).cooling.then(|| cooldowns(s, b)));
    conditions(&mut fx, before, after);
    fx
}

type Counts = BTreeMap<String, i64>;

fn durations(state: &State, body: BodyId) -> Counts {
    let timers = state.timers.iter().filter(|t| t.body == body);
    timers.map(|t| (state.stage.conditions[usize::from(t.condition)].to_string(), t.left)).collect()
}

fn cooldowns(state: &State, body: BodyId) -> Counts {
    let name = |key: &CooldownKey| match key {
        CooldownKey::Ability(ability) => state.stage.ability_def(*ability).id.to_string(),
        CooldownKey::Word(word) => word.to_string(),
    };
    state.cooldowns.iter().filter(|c| c.body == body).map(|c| (name(&c.key), c.left)).collect()
}

/// `{entity: {name: n}}`, with null for a name that is gone.
fn put(
    fx: &mut Map<String, Value>,
    key: &str,
    before: &State,
    after: &State,
    counts: impl Fn(&State, BodyId) -> Option<Counts>,
) {
    let mut changes = Map::new();
    for body in before.stage.bodies() {
        let (old, new) = (counts(before, body), counts(after, body));
        if old == new {
            continue;
        }
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let mut changed: Map<String, Value> = Map::new();
        for name in old.keys().filter(|n| !new.contains_key(*n)) {
            changed.insert(name.clone(), Value::Null);
        }
        for (name, left) in new.iter().filter(|(n, left)| old.get(*n) != Some(left)) {
            changed.insert(name.clone(), json!(left));
        }
        changes.insert(before.stage.figure(body).id.to_string(), Value::Object(changed));
    }
    if !changes.is_empty() {
        fx.insert(key.to_string(), Value::Object(changes));
    }
}

fn conditions(fx: &mut Map<String, Value>, before: &State, after: &State) {
    if before.conditions == after.conditions {
        return;
    }
    let (mut added, mut removed) = (Map::new(), Map::new());
    for body in before.stage.bodies() {
        let names = |state: &State| -> Vec<u16> { state.conditions_of(body).collect() };
        let (old, new) = (names(before), names(after));
        let word = |c: &u16| json!(&*before.stage.conditions[usize::from(*c)]);
        let gained: Vec<Value> = new.iter().filter(|c| !old.contains(c)).map(word).collect();
        let mut lost: Vec<u16> = old.iter().filter(|c| !new.contains(c)).copied().collect();
        lost.dedup();
        let id = before.stage.figure(body).id.to_string();
        if !gained.is_empty() {
            added.insert(id.clone(), Value::Array(gained));
        }
        if !lost.is_empty() {
            removed.insert(id, lost.iter().map(word).collect());
        }
    }
    for (key, map) in [("conditionsAdded", added), ("conditionsRemoved", removed)] {
        if !map.is_empty() {
            fx.insert(key.to_string(), Value::Object(map));
        }
    }
}
