//! What a match starts from.

use crate::catalog::Catalog;
use crate::dice::Algorithm;
use crate::document::{Document, Violation, invariants, validate};
use crate::house::House;
use crate::rules::code;
use crate::stage::{Edge, Rules, Stage};
use crate::state::State;
use crate::{Profile, json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnstone::{Reason, Rejection};

/// What a match starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub struct Setup {
    /// The recorded profile.
    pub profile: Profile,
    /// Where the first state comes from.
    pub source: SetupSource,
    /// A rule module; absent means as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// A difficulty; absent leaves the npcs as they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<String>,
    /// The dice; absent leaves what the state says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// Initiative is rolled before the first action.
    #[serde(default)]
    pub in_combat: bool,
    /// The match's seed replaces the state's own.
    #[serde(default)]
    pub reseed: bool,
    /// The state has the difficulty's hit points already.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adjusted: bool,
    /// The rules of the house are on, as at every table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub house: bool,
}

/// Where the first state comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupSource {
    /// A state document, taken as it is.
    State(Value),
    /// A scenario of the built-in content, by id.
    Scenario(String),
    /// A chapter of the campaign, with who comes to it.
    Chapter(crate::formats::chapter::Chapter),
    /// A fresh scenario built from the match's seed.
    Built(crate::formats::builder::Plan),
}

impl Setup {
    /// A state document, taken as it is: what traces and replays start from.
    pub fn state(profile: Profile, state: Value) -> Setup {
        Setup {
            profile,
            source: SetupSource::State(state),
            module: None,
            difficulty: None,
            algorithm: None,
            in_combat: false,
            reseed: false,
            adjusted: false,
            house: false,
        }
    }

    /// A built-in scenario with the fight already on.
    pub fn scenario(id: &str, difficulty: &str) -> Setup {
        Setup {
            source: SetupSource::Scenario(id.to_string()),
            difficulty: Some(difficulty.to_string()),
            in_combat: true,
            reseed: true,
            house: true,
            ..Setup::state(Profile::Mir023, Value::Null)
        }
    }

    /// The first state.
    ///
    /// # Errors
    /// What is wrong with the document, or that a name is unknown.
    pub fn start(&self, catalog: &Catalog, seed: u64) -> Result<State, Rejection> {
        let value = self.document(catalog, seed)?;
        let mut document = open(&value, self.profile)?;
        let difficulty = self.difficulty.as_deref().map(|id| catalog.difficulty(id));
        if let Some(difficulty) = difficulty.as_ref().filter(|_| !self.adjusted) {
            difficulty.adjust(&mut document);
        }
        if self.reseed {
            document.rng.seed = Some(format!("{}-{seed}", document.map.id));
            document.rng.last_rolls.clear();
        }
        document.rng.algorithm = self.algorithm.or(document.rng.algorithm);
        let rules = self.rules(catalog, difficulty.as_ref())?;
        let state = State::new(Stage::new(document, rules.clone()));
        if !self.in_combat || state.combat.fighting || state.living.contains(&0) {
            return Ok(state);
        }
        Ok(begin_combat(state, rules))
    }

    /// The first state as a document, before difficulty and dice.
    pub(crate) fn document(&self, catalog: &Catalog, seed: u64) -> Result<Value, Rejection> {
        match &self.source {
            SetupSource::State(value) => Ok(value.clone()),
            SetupSource::Scenario(id) => match catalog.scenario(id) {
                Some(scenario) => Ok(self.fitted(scenario.initial_state.clone())),
                None => {
                    let known: Vec<&str> = catalog.scenarios.iter().map(|s| s.meta.id.as_str()).collect();
                    let text = format!("there is no scenario {id:?}; known are {}", known.join(", "));
                    Err(Rejection::new("UNKNOWN_SCENARIO", text))
                }
            },
            SetupSource::Chapter(chapter) => Ok(self.fitted(chapter.state(catalog)?)),
            SetupSource::Built(plan) => {
                let document = plan.build(catalog, seed);
                let document = document.map_err(|text| Rejection::new("BAD_PLAN", text))?;
                Ok(self.fitted(serde_json::to_value(document).unwrap_or_default()))
            }
        }
    }

    /// Our own scenarios are written for the later profile; the older one gets them without
    /// what it does not know.
    fn fitted(&self, mut state: Value) -> Value {
        if self.profile.is_modern() {
            return state;
        }
        remove(&mut state["rng"], &["algorithm"]);
        remove(&mut state["combat"], &["turnBudget"]);
        for list in ["players", "npcs", "objects"] {
            for entity in state["entities"][list].as_array_mut().into_iter().flatten() {
                remove(entity, &["abilities", "abilityCooldowns", "conditionDurations"]);
                remove(&mut entity["stats"], &["attackBonus", "damageDice", "attackRange"]);
            }
        }
        state
    }

    fn rules(
        &self,
        catalog: &Catalog,
        difficulty: Option<&crate::catalog::DifficultyDef>,
    ) -> Result<Rules, Rejection> {
        let mut rules = Rules::recorded(self.profile, catalog);
        if let Some(id) = &self.module {
            rules.module = catalog.module(id).cloned().ok_or_else(|| {
                let known: Vec<&str> = catalog.modules.keys().map(String::as_str).collect();
                let text = format!("there is no rule module {id:?}; known are {}", known.join(", "));
                Rejection::new("UNKNOWN_MODULE", text)
            })?;
        }
        if let Some(d) = difficulty.filter(|_| rules.module.difficulty_modifiers) {
            rules.edge = Edge { attack: d.attack, damage: d.damage, ac: d.ac };
        }
        rules.house = self.house.then(House::default);
        Ok(rules)
    }
}

fn remove(value: &mut Value, keys: &[&str]) {
    if let Some(map) = value.as_object_mut() {
        keys.iter().for_each(|key| {
            map.shift_remove(*key);
        });
    }
}

/// Rolls initiative and makes the result the first state, its log included.
fn begin_combat(state: State, rules: Rules) -> State {
    let Some(event) = crate::rules::initiative::settle(&state, &mut turnstone::Notes::unwanted()) else {
        return state;
    };
    let mut chronicle = crate::export::Chronicle::new(state);
    chronicle.event(&event);
    State::new(Stage::new(chronicle.document(), rules))
}

/// Opens a document: schema, invariants, and room for the events to come.
///
/// # Errors
/// `SCHEMA` reasons, or else `PRE_INVARIANT` reasons in the order of the invariants.
pub fn open(value: &Value, profile: Profile) -> Result<Document, Rejection> {
    let faults = validate(value, profile);
    let reason = |code: &'static str, text: String| Reason { code: code.into(), text };
    Rejection::collect(faults.iter().map(|f| reason(code::SCHEMA, f.to_string())).collect())?;
    let mut broken = invariants::violations(value);
    if broken.is_empty() {
        broken = collisions(value);
    }
    Rejection::collect(broken.iter().map(|v| reason(code::PRE_INVARIANT, v.to_string())).collect())?;
    serde_json::from_value(value.clone()).map_err(|e| Rejection::new(code::SCHEMA, e.to_string()))
}

/// Event ids that the next events would repeat, and a clock that runs backwards.
fn collisions(value: &Value) -> Vec<Violation> {
    let events = value["log"]["events"].as_array().map_or(&[][..], Vec::as_slice);
    let mut found = Vec::new();
    for id in events.iter().filter_map(|e| e["id"].as_str()) {
        let number = id.strip_prefix("evt-").and_then(|n| n.parse::<usize>().ok());
        if let Some(n) = number.filter(|n| *n > events.len() && crate::export::event_id(*n) == id) {
            let message = format!("the id {id:?} is kept for the event number {n}");
            found.push(Violation { code: "LOG_IDS_UNIQUE", message });
        }
    }
    let now = value["timestamp"].as_str().unwrap_or_default();
    if let Some(last) = events.last().and_then(|e| e["timestamp"].as_str())
        && json::utf16_cmp(now, last).is_lt()
    {
        let message = format!("the state's time {now} lies before its last event at {last}");
        found.push(Violation { code: "LOG_CHRONOLOGICAL", message });
    }
    found
}
