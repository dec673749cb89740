//! What a player declares, read from any JSON value.
//!
//! A malformed action is an action too: it keeps what the rejection must show
//! and the rules always refuse it, so that it is logged like any refusal.

use crate::board::Cell;
use crate::game::{FOES, HEROES};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;
use turnstone::Seat;

/// A name in an action. Anything truthy counts; what is not a text matches nobody.
#[derive(Clone, Debug, PartialEq)]
pub enum Id {
    /// A text.
    Text(Arc<str>),
    /// Some other JSON value.
    Other(Box<Value>),
}

impl Id {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Id::Text(text) => Some(text),
            Id::Other(_) => None,
        }
    }

    fn read(value: Option<&Value>) -> Option<Id> {
        match value? {
            value if !truthy(value) => None,
            Value::String(text) => Some(Id::Text(text.as_str().into())),
            other => Some(Id::Other(Box::new(other.clone()))),
        }
    }

    fn json(&self) -> Value {
        match self {
            Id::Text(text) => Value::String(text.to_string()),
            Id::Other(value) => (**value).clone(),
        }
    }
}

impl From<&Arc<str>> for Id {
    fn from(text: &Arc<str>) -> Id {
        Id::Text(text.clone())
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Id {
        Id::Text(text.into())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Text(text) => f.write_str(text),
            Id::Other(value) => write!(f, "{value}"),
        }
    }
}

/// A cell as declared, possibly off the map. Coordinates beyond 16 bits are
/// clamped: such a cell is next to nothing either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
}

impl From<Cell> for Step {
    fn from(cell: Cell) -> Step {
        Step { x: cell.x.into(), y: cell.y.into() }
    }
}

/// A declared way, start cell excluded.
pub type Steps = SmallVec<[Step; 6]>;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The heroes.
    Players,
    /// Their opponents.
    Npcs,
}

impl Side {
    /// The side that a seat leads.
    pub fn of(seat: Seat) -> Side {
        if seat == FOES { Side::Npcs } else { Side::Players }
    }

    /// The seat that leads it.
    pub fn seat(self) -> Seat {
        match self {
            Side::Players => HEROES,
            Side::Npcs => FOES,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Side::Players => "the heroes",
            Side::Npcs => "the foes",
        }
    }
}

/// What is declared.
#[derive(Clone, Debug, PartialEq)]
pub enum Verb {
    /// Walk along cells.
    Move {
        /// Who walks.
        entity: Id,
        /// The cells, in order.
        path: Steps,
    },
    /// Strike a target.
    Attack {
        /// Who strikes.
        attacker: Id,
        /// Whom.
        target: Id,
    },
    /// Pass the turn.
    EndTurn {
        /// Whose turn it is.
        entity: Id,
    },
    /// Begin combat.
    RollInitiative,
    /// Dodge until the next turn and catch one's breath.
    Defend {
        /// Who defends.
        entity: Id,
    },
    /// Use an ability on a target.
    UseAbility {
        /// Who uses it.
        caster: Id,
        /// Which ability.
        ability: Id,
        /// On whom.
        target: Id,
    },
    /// Give up: at any time, under the rules of the house.
    Surrender {
        /// Which side; the one whose turn it is if not said.
        side: Option<Side>,
    },
    /// Replace the dice's seed: the game master's.
    SetSeed {
        /// The new seed.
        seed: Arc<str>,
    },
    /// Not an action at all.
    Malformed {
        /// The `type` it claimed, if any.
        claimed: Option<Box<Value>>,
        /// What is wrong with it.
        why: Arc<str>,
    },
}

/// Names that an action carries without using them; a rejection repeats them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stray {
    /// `entityId`.
    pub entity: Option<Id>,
    /// `attackerId`.
    pub attacker: Option<Id>,
    /// `targetId`.
    pub target: Option<Id>,
}

/// A declared action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What is declared.
    pub verb: Verb,
    /// Unused names.
    pub stray: Option<Box<Stray>>,
}

impl From<Verb> for Action {
    fn from(verb: Verb) -> Action {
        Action { verb, stray: None }
    }
}

impl Action {
    /// Reads any JSON value.
    ///
    /// ```
    /// use serde_json::json;
    /// use turnstone_skirmish::action::{Action, Verb};
    /// let action = Action::from_json(&json!({"type": "END_TURN", "entityId": "pc-ada"}));
    /// assert!(matches!(action.verb, Verb::EndTurn { .. }));
    /// let nonsense = Action::from_json(&json!([1, 2]));
    /// assert!(matches!(nonsense.verb, Verb::Malformed { .. }));
    /// ```
    pub fn from_json(value: &Value) -> Action {
        let Some(map) = value.as_object() else {
            return malformed(None, "an action is a JSON object with a `type`").into();
        };
        let verb = read_verb(map);
        let stray = stray(map, &verb);
        Action { verb, stray }
    }

    /// Walk along cells of the map.
    pub fn walk(entity: &Arc<str>, path: impl IntoIterator<Item = Cell>) -> Action {
        let path = path.into_iter().map(Step::from).collect();
        Verb::Move { entity: entity.into(), path }.into()
    }

    /// Strike a target.
    pub fn attack(attacker: &Arc<str>, target: &Arc<str>) -> Action {
        Verb::Attack { attacker: attacker.into(), target: target.into() }.into()
    }

    /// Pass the turn.
    pub fn end_turn(entity: &Arc<str>) -> Action {
        Verb::EndTurn { entity: entity.into() }.into()
    }

    /// Begin combat.
    pub fn roll_initiative() -> Action {
        Verb::RollInitiative.into()
    }

    /// Defend.
    pub fn defend(entity: &Arc<str>) -> Action {
        Verb::Defend { entity: entity.into() }.into()
    }

    /// Give up.
    pub fn surrender(side: Side) -> Action {
        Verb::Surrender { side: Some(side) }.into()
    }

    /// Use an ability.
    pub fn use_ability(caster: &Arc<str>, ability: &Arc<str>, target: &Arc<str>) -> Action {
        let (caster, ability, target) = (caster.into(), ability.into(), target.into());
        Verb::UseAbility { caster, ability, target }.into()
    }

    /// The id of whoever is to act, if the action names one.
    pub fn actor(&self) -> Option<&str> {
        match &self.verb {
            Verb::Move { entity, .. } | Verb::EndTurn { entity } | Verb::Defend { entity } => entity.text(),
            Verb::Attack { attacker, .. } => attacker.text(),
            Verb::UseAbility { caster, .. } => caster.text(),
            Verb::RollInitiative | Verb::Surrender { .. } | Verb::SetSeed { .. } | Verb::Malformed { .. } => {
                None
            }
        }
    }

    /// The JSON form.
    pub fn to_json(&self) -> Value {
        let mut map = Map::new();
        self.write_verb(&mut map);
        if let Some(stray) = &self.stray {
            let names =
                [("entityId", &stray.entity), ("attackerId", &stray.attacker), ("targetId", &stray.target)];
            for (key, id) in names {
                if let Some(id) = id {
                    map.insert(key.to_string(), id.json());
                }
            }
        }
        Value::Object(map)
    }

    fn write_verb(&self, map: &mut Map<String, Value>) {
        let mut put = |key: &str, value: Value| map.insert(key.to_string(), value);
        put("type", self.claimed_type());
        match &self.verb {
            Verb::Move { entity, path } => {
                put("entityId", entity.json());
                put("path", path.iter().map(|s| json!({"x": s.x, "y": s.y})).collect());
            }
            Verb::Attack { attacker, target } => {
                put("attackerId", attacker.json());
                put("targetId", target.json());
            }
            Verb::EndTurn { entity } | Verb::Defend { entity } => {
                put("entityId", entity.json());
            }
            Verb::UseAbility { caster, ability, target } => {
                put("casterId", caster.json());
                put("abilityId", ability.json());
                put("targetId", target.json());
            }
            Verb::Surrender { side } => {
                if let Some(side) = side {
                    put("side", json!(side));
                }
            }
            Verb::SetSeed { seed } => {
                put("seed", Value::String(seed.to_string()));
            }
            Verb::RollInitiative | Verb::Malformed { .. } => {}
        }
    }

    /// What a rejection shows of the action: its type and the names in it.
    pub fn summary(&self) -> Value {
        let full = self.to_json();
        let mut map = Map::new();
        for key in ["type", "entityId", "attackerId", "targetId"] {
            if let Some(value) = full.get(key) {
                map.insert(key.to_string(), value.clone());
            }
        }
        Value::Object(map)
    }

    /// The `type` as declared; `UNKNOWN` when there was none.
    fn claimed_type(&self) -> Value {
        let word = match &self.verb {
            Verb::Malformed { claimed: Some(value), .. } => return (**value).clone(),
            Verb::Malformed { claimed: None, .. } => "UNKNOWN",
            Verb::Move { .. } => "MOVE",
            Verb::Attack { .. } => "ATTACK",
            Verb::EndTurn { .. } => "END_TURN",
            Verb::RollInitiative => "ROLL_INITIATIVE",
            Verb::Defend { .. } => "DEFEND",
            Verb::UseAbility { .. } => "USE_ABILITY",
            Verb::Surrender { .. } => "SURRENDER",
            Verb::SetSeed { .. } => "SET_SEED",
        };
        Value::String(word.to_string())
    }
}

/// JavaScript's notion of a value that counts as present.
pub fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Number(n) => n.as_f64() != Some(0.0),
        Value::String(s) => !s.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn malformed(claimed: Option<&Value>, why: &str) -> Verb {
    let claimed = claimed.filter(|v| !v.is_null()).cloned().map(Box::new);
    Verb::Malformed { claimed, why: why.into() }
}

fn read_verb(map: &Map<String, Value>) -> Verb {
    let kind = map.get("type");
    let read = match kind.and_then(Value::as_str) {
        Some("MOVE") => read_move(map),
        Some("ATTACK") => read_attack(map),
        Some("END_TURN") => need(map, "entityId").map(|entity| Verb::EndTurn { entity }),
        Some("ROLL_INITIATIVE") => Ok(Verb::RollInitiative),
        Some("DEFEND") => need(map, "entityId").map(|entity| Verb::Defend { entity }),
        Some("USE_ABILITY") => read_ability(map),
        Some("SURRENDER") => read_surrender(map),
        Some("SET_SEED") => read_seed(map),
        Some(other) => Err(format!("the action type {other:?} is unknown")),
        None => Err("an action needs a `type`".to_string()),
    };
    read.unwrap_or_else(|why| malformed(kind, &why))
}

fn need(map: &Map<String, Value>, key: &str) -> Result<Id, String> {
    Id::read(map.get(key)).ok_or_else(|| format!("the field `{key}` is missing"))
}

fn read_move(map: &Map<String, Value>) -> Result<Verb, String> {
    let entity = need(map, "entityId")?;
    let cells =
        map.get("path").and_then(Value::as_array).ok_or("the field `path` must be an array of cells")?;
    let path = cells.iter().map(read_step).collect::<Option<Steps>>();
    let path = path.ok_or("every cell of `path` must be an object with whole numbers x and y")?;
    Ok(Verb::Move { entity, path })
}

fn read_step(value: &Value) -> Option<Step> {
    let number = |key: &str| match value.get(key)? {
        Value::Number(n) => crate::document::integer(n),
        _ => None,
    };
    let clamp = |n: i64| n.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    Some(Step { x: clamp(number("x")?), y: clamp(number("y")?) })
}

fn read_attack(map: &Map<String, Value>) -> Result<Verb, String> {
    Ok(Verb::Attack { attacker: need(map, "attackerId")?, target: need(map, "targetId")? })
}

fn read_ability(map: &Map<String, Value>) -> Result<Verb, String> {
    let (caster, ability) = (need(map, "casterId")?, need(map, "abilityId")?);
    Ok(Verb::UseAbility { caster, ability, target: need(map, "targetId")? })
}

fn read_surrender(map: &Map<String, Value>) -> Result<Verb, String> {
    let side = match map.get("side") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let side = serde_json::from_value(value.clone());
            Some(side.map_err(|_| "the field `side` is players or npcs".to_string())?)
        }
    };
    Ok(Verb::Surrender { side })
}

fn read_seed(map: &Map<String, Value>) -> Result<Verb, String> {
    match map.get("seed").and_then(Value::as_str) {
        Some(seed) if !seed.is_empty() => Ok(Verb::SetSeed { seed: seed.into() }),
        _ => Err("the field `seed` must be a text that is not empty".to_string()),
    }
}

/// The names that the verb itself does not hold.
fn stray(map: &Map<String, Value>, verb: &Verb) -> Option<Box<Stray>> {
    let (entity, attacker, target) = match verb {
        Verb::Move { .. } | Verb::EndTurn { .. } | Verb::Defend { .. } => (false, true, true),
        Verb::Attack { .. } => (true, false, false),
        Verb::UseAbility { .. } => (true, true, false),
        Verb::RollInitiative | Verb::Surrender { .. } | Verb::SetSeed { .. } | Verb::Malformed { .. } => {
            (true, true, true)
        }
    };
    let read = |wanted: bool, key: &str| wanted.then(|| Id::read(map.get(key))).flatten();
    let stray = Stray {
        entity: read(entity, "entityId"),
        attacker: read(attacker, "attackerId"),
        target: read(target, "targetId"),
    };
    (stray != Stray::default()).then(|| Box::new(stray))
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Action, D::Error> {
        Ok(Action::from_json(&Value::deserialize(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_survives_its_json() {
        let values = [
            json!({"type": "MOVE", "entityId": "a", "path": [{"x": -1, "y": 2}], "targetId": "b"}),
            json!({"type": "MOVE", "entityId": "a", "path": [null]}),
            json!({"type": "MOVE", "entityId": "a", "path": [{"x": 0.5, "y": 0.5}]}),
            json!({"type": "ATTACK", "attackerId": 5, "targetId": "b"}),
            json!({"type": "USE_ABILITY", "casterId": "a", "abilityId": "b", "targetId": "c"}),
            json!({"type": "SET_SEED", "seed": 7}),
            json!({"type": "SURRENDER", "side": "npcs", "entityId": "a"}),
            json!({"type": "SURRENDER"}),
            json!({"type": "DANCE", "entityId": "a", "attackerId": "b", "targetId": "c"}),
            json!({"type": 5}),
            json!([]),
            json!(null),
            json!("MOVE"),
        ];
        for value in values {
            let action = Action::from_json(&value);
            let again = Action::from_json(&action.to_json());
            assert_eq!(again.to_json(), action.to_json(), "{value}");
            assert_eq!(again.summary(), action.summary(), "{value}");
        }
    }
}
