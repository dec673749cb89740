//! From a position and its log back to the JSON document.
//!
//! The kernel's log holds one fact per document event. The exporter folds them,
//! writes each as an event with its payload as recorded, and puts beside it,
//! under `fx`, whatever else changed: so the exported log alone rebuilds every
//! state, which the payloads alone do not.

mod fx;
mod named;
mod payload;
mod rolls;

pub use fx::difference;
pub use named::{named, schema as event_schema};

use crate::action::Action;
use crate::apply::apply;
use crate::dice::Algorithm;
use crate::document::{CombatDoc, CombatMode, Document, EntityDoc, EventDoc, RngDoc, RollDoc};
use crate::event::Event;
use crate::game::Skirmish;
use crate::sound::fits;
use crate::stage::BodyId;
use crate::state::{CooldownKey, State};
use serde_json::{Map, Value, json};
use turnstone::{Fact, FactOf, Input, Rejection};

/// An exported event: the document's envelope, and what its payload leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Id, timestamp, type and payload.
    pub event: EventDoc,
    /// Everything else that changed.
    pub fx: Map<String, Value>,
}

impl Exported {
    /// Envelope and `fx` as one JSON object.
    pub fn to_json(&self) -> Value {
        let mut value = serde_json::to_value(&self.event).unwrap_or_default();
        if let Some(map) = value.as_object_mut()
            && !self.fx.is_empty()
        {
            map.insert("fx".to_string(), Value::Object(self.fx.clone()));
        }
        value
    }
}

/// A match as documents: the position now, and everything that happened.
#[derive(Clone, Debug)]
pub struct Chronicle {
    state: State,
    events: Vec<EventDoc>,
    rolls: Vec<RollDoc>,
}

impl Chronicle {
    /// Begins at a match's first state.
    pub fn new(state: State) -> Chronicle {
        let document = &state.stage.document;
        let (events, rolls) = (document.log.events.clone(), document.rng.last_rolls.clone());
        Chronicle { state, events, rolls }
    }

    /// Takes down one fact of the kernel's log.
    pub fn fact(&mut self, fact: &FactOf<Skirmish>) -> Option<Exported> {
        match fact {
            Fact::Event(event) => Some(self.event(event)),
            Fact::ActionRejected { input: Input::Act(action), rejection } => {
                Some(self.rejected(action, rejection))
            }
            _ => None,
        }
    }

    /// Takes down an event. One that names what is not in this match is written as a note.
    pub fn event(&mut self, event: &Event) -> Exported {
        if !fits(&self.state, event) {
            return self.append("FOREIGN_EVENT", json!({}), Map::new());
        }
        let before = self.state.clone();
        apply(&mut self.state, event);
        let rolled = self.take_rolls(&before, event);
        let mut fx = difference(&before, &self.state);
        if !rolled.is_empty() {
            fx.insert("rolls".to_string(), serde_json::to_value(rolled).unwrap_or_default());
        }
        let (kind, payload) = payload::of(&before, event);
        self.append(kind, payload, fx)
    }

    /// Takes down a refusal: nothing but the log changes.
    pub fn rejected(&mut self, action: &Action, rejection: &Rejection) -> Exported {
        let reasons: Vec<Value> = reasons(rejection).into_iter().map(Value::String).collect();
        let payload = json!({"action": action.summary(), "reasons": reasons});
        self.append("ACTION_REJECTED", payload, Map::new())
    }

    fn take_rolls(&mut self, before: &State, event: &Event) -> Vec<RollDoc> {
        if matches!(event, Event::SeedSet { .. }) {
            self.rolls.clear();
        }
        let rolled = rolls::of(before, event, self.rolls.len());
        self.rolls.extend(rolled.iter().cloned());
        rolled
    }

    fn append(&mut self, kind: &str, payload: Value, fx: Map<String, Value>) -> Exported {
        let payload = match payload {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        let event = EventDoc {
            id: event_id(self.events.len() + 1),
            timestamp: self.state.stage.document.timestamp.clone(),
            kind: kind.to_string(),
            payload,
        };
        self.events.push(event.clone());
        Exported { event, fx }
    }

    /// The position now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// All events, those the document began with included.
    pub fn events(&self) -> &[EventDoc] {
        &self.events
    }

    /// The whole document now.
    pub fn document(&self) -> Document {
        let mut document = skeleton(&self.state);
        document.log.events = self.events.clone();
        document.rng.last_rolls = self.rolls.clone();
        document
    }

    /// The parts of the document that recorded projections keep.
    pub fn projection(&self) -> Value {
        let document = skeleton(&self.state);
        json!({
            "entities": document.entities,
            "combat": document.combat,
            "rng": {
                "mode": document.rng.mode,
                "seed": document.rng.seed,
                "rollCount": self.rolls.len(),
            },
            "logCount": self.events.len(),
        })
    }
}

/// `evt-0001` and so on.
pub fn event_id(number: usize) -> String {
    format!("evt-{number:04}")
}

/// A refusal's reasons as documents write them: `[CODE] text`.
pub fn reasons(rejection: &Rejection) -> Vec<String> {
    rejection.reasons.iter().map(|r| format!("[{}] {}", r.code, r.text)).collect()
}

/// The document of a position, with the log and the rolls of its beginning.
pub fn skeleton(state: &State) -> Document {
    let mut document = state.stage.document.clone();
    for (body, entity) in document.entities.iter_mut().enumerate() {
        fill(state, body as u16, entity);
    }
    document.combat = combat(state);
    document.rng = RngDoc {
        mode: state.dice.mode,
        seed: state.dice.seed_text(),
        last_rolls: document.rng.last_rolls,
        algorithm: match state.dice.algorithm {
            Algorithm::Mir => document.rng.algorithm,
            other => Some(other),
        },
    };
    document
}

fn fill(state: &State, body: BodyId, entity: &mut EntityDoc) {
    let now = state.body(body);
    let stage = &state.stage;
    entity.position.x = now.cell.x.into();
    entity.position.y = now.cell.y.into();
    entity.stats.hp_current = now.hp;
    let name = |c: u16| stage.conditions[usize::from(c)].to_string();
    entity.conditions = state.conditions_of(body).map(name).collect();
    let timers = state.timers.iter().filter(|t| t.body == body);
    entity.condition_durations =
        now.timed.then(|| timers.map(|t| (name(t.condition), json!(t.left))).collect());
    let cooldowns = state.cooldowns.iter().filter(|c| c.body == body);
    let key = |key: &CooldownKey| match key {
        CooldownKey::Ability(ability) => stage.ability_def(*ability).id.to_string(),
        CooldownKey::Word(word) => word.to_string(),
    };
    entity.ability_cooldowns = now.cooling.then(|| cooldowns.map(|c| (key(&c.key), json!(c.left))).collect());
}

fn combat(state: &State) -> CombatDoc {
    let id = |body: &BodyId| state.stage.figure(*body).id.to_string();
    CombatDoc {
        mode: if state.combat.fighting { CombatMode::Combat } else { CombatMode::Exploration },
        round: state.combat.round,
        active_entity_id: state.combat.active.as_ref().map(id),
        initiative_order: state.combat.order.iter().map(id).collect(),
        turn_budget: state.combat.budget,
    }
}
