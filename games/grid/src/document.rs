//! The world document: the canonical JSON of a world, in and out, and its
//! SHA-256. Two worlds are the same if and only if their documents are.

use std::collections::BTreeMap;
use std::io;

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::component::{Appearance, Mask, Moving, NAMES, Pathfinding};
use crate::error::{GridError, Result};
use crate::geometry::Point;
use crate::label::{Company, Label};
use crate::moves::MoveRule;
use crate::objective::Objective;

/// One entity: the components it has, and what they say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entity {
    /// The components without a value.
    pub markers: Mask,
    /// The cell it lies in; absent while carried.
    pub position: Option<Point>,
    /// Health and maximal health.
    pub health: Option<(i32, i32)>,
    /// Points to pay at the end of a step.
    pub cost: Option<i32>,
    /// Health taken by a hit.
    pub damage: Option<i32>,
    /// Points given.
    pub rewardable: Option<i32>,
    /// Remaining steps of an effect.
    pub time_limit: Option<i32>,
    /// Remaining uses of an effect.
    pub usage_limit: Option<i32>,
    /// Moves per action.
    pub speed: Option<i32>,
    /// Which locks it opens.
    pub key: Option<String>,
    /// Which key it needs.
    pub locked: Option<String>,
    /// Ids of carried items, ascending.
    pub inventory: Option<Vec<u32>>,
    /// Ids of active effects, ascending.
    pub status: Option<Vec<u32>>,
    /// Id of the other end; may lead nowhere.
    pub portal: Option<i64>,
    /// Walks by itself.
    pub moving: Option<Moving>,
    /// Hunts.
    pub pathfinding: Option<Pathfinding>,
    /// How to draw it.
    pub appearance: Option<Appearance>,
}

/// A hit of the latest step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HitRecord {
    /// Id of who was hit.
    pub target: u32,
    /// Id of what hit.
    pub damager: u32,
    /// The turn before it was counted up.
    pub turn: i64,
}

/// What systems of the user's remember: by the name of the system, numbers by number. An entry that is
/// not there is 0.
pub type Memory = BTreeMap<String, BTreeMap<u32, i64>>;

/// A world as canonical data. The last three are written only where they say something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldDocument {
    /// Columns.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// How agents move.
    pub move_rule: MoveRule,
    /// What wins.
    pub objective: Objective,
    /// Seeds wind and nothing else.
    pub seed: Option<i64>,
    /// Steps completed.
    pub turn: i64,
    /// Points so far.
    pub score: i64,
    /// Steps allowed.
    pub turn_limit: Option<i64>,
    /// The objective was reached.
    pub win: bool,
    /// An agent died or time ran out.
    pub lose: bool,
    /// Shown to the player.
    pub message: Option<String>,
    /// Hits of the latest step, sorted.
    pub damage_hits: Vec<HitRecord>,
    /// Entities by id.
    pub entities: BTreeMap<u32, Entity>,
    /// What it is called.
    pub label: Label,
    /// How the agents stand to each other.
    pub company: Company,
    /// What systems of the user's remember.
    pub memory: Memory,
}

impl WorldDocument {
    /// An empty world of that size with the default rules.
    pub fn new(width: i32, height: i32) -> Self {
        Self {
            width,
            height,
            move_rule: MoveRule::default(),
            objective: Objective::default(),
            seed: None,
            turn: 0,
            score: 0,
            turn_limit: None,
            win: false,
            lose: false,
            message: None,
            damage_hits: Vec::new(),
            entities: BTreeMap::new(),
            label: Label::default(),
            company: Company::default(),
            memory: Memory::new(),
        }
    }

    /// Reads a document.
    ///
    /// # Errors
    /// Names the entity and the field that is missing, unknown or of the wrong kind.
    pub fn from_value(value: &Value) -> Result<Self> {
        let fields = Fields::of(value, None)?;
        fields.only(&WORLD_FIELDS)?;
        Ok(Self {
            width: fields.int("width")?,
            height: fields.int("height")?,
            move_rule: fields.name("move", MoveRule::named, &MoveRule::NAMES)?,
            objective: fields.objective()?,
            seed: fields.optional("seed", Fields::long)?,
            turn: fields.optional("turn", Fields::long)?.unwrap_or(0),
            score: fields.optional("score", Fields::long)?.unwrap_or(0),
            turn_limit: fields.optional("turn_limit", Fields::long)?,
            win: fields.optional("win", Fields::flag)?.unwrap_or(false),
            lose: fields.optional("lose", Fields::flag)?.unwrap_or(false),
            message: fields.optional("message", Fields::text)?,
            damage_hits: fields.optional("damage_hits", read_hits)?.unwrap_or_default(),
            entities: read_entities(&fields)?,
            label: fields.optional("label", Fields::typed)?.unwrap_or_default(),
            company: fields.name("company", Company::named, &Company::NAMES)?,
            memory: fields.optional("memory", Fields::typed)?.unwrap_or_default(),
        })
    }

    /// Writes the document, keys in canonical order.
    pub fn to_value(&self) -> Value {
        json!(self)
    }

    /// The canonical text: sorted keys, no spaces, ASCII only.
    pub fn canonical(&self) -> String {
        canonical_json(&self.to_value())
    }

    /// The SHA-256 of the canonical text, in hexadecimal.
    pub fn sha256(&self) -> String {
        let digest = Sha256::digest(self.canonical().as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Keys go in canonical order, and every number as a long one: what is written is what JSON says, whoever reads it, so
/// that a digest of the document is one of its text too.
impl Serialize for WorldDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hits: Vec<[i64; 3]> =
            self.damage_hits.iter().map(|hit| [hit.target.into(), hit.damager.into(), hit.turn]).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("damage_hits", &hits)?;
        map.serialize_entry("entities", &Entities(&self.entities))?;
        map.serialize_entry("height", &i64::from(self.height))?;
        map.serialize_entry("lose", &self.lose)?;
        map.serialize_entry("message", &json!(self.message))?;
        map.serialize_entry("move", self.move_rule.name())?;
        map.serialize_entry("objective", &json!(self.objective))?;
        map.serialize_entry("score", &self.score)?;
        map.serialize_entry("seed", &json!(self.seed))?;
        map.serialize_entry("turn", &self.turn)?;
        map.serialize_entry("turn_limit", &json!(self.turn_limit))?;
        map.serialize_entry("width", &i64::from(self.width))?;
        map.serialize_entry("win", &self.win)?;
        if self.label != Label::default() {
            map.serialize_entry("label", &json!(self.label))?;
        }
        if self.company != Company::default() {
            map.serialize_entry("company", &json!(self.company))?;
        }
        if !self.memory.is_empty() {
            map.serialize_entry("memory", &json!(self.memory))?;
        }
        map.end()
    }
}

/// Entities in the order of their ids as texts, as keys of JSON are sorted.
struct Entities<'a>(&'a BTreeMap<u32, Entity>);

impl Serialize for Entities<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entities: Vec<(String, &Entity)> =
            self.0.iter().map(|(id, entity)| (id.to_string(), entity)).collect();
        entities.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        serializer.collect_map(entities)
    }
}

impl<'de> Deserialize<'de> for WorldDocument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// JSON text without spaces and with every character outside printable ASCII
/// escaped; keys are written in the order they have.
pub fn canonical_json(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, Ascii);
    // Writing to memory cannot fail, and every value is finite.
    value.serialize(&mut writer).map_err(<serde_json::Error as ser::Error>::custom).ok();
    String::from_utf8(bytes).unwrap_or_default()
}

struct Ascii;

impl serde_json::ser::Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        for letter in text.chars() {
            if (' '..='~').contains(&letter) {
                out.write_all(&[letter as u8])?;
                continue;
            }
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

impl Entity {
    /// The set of components this entity has.
    pub fn mask(&self) -> Mask {
        let valued = [
            (self.position.is_some(), Mask::POSITION),
            (self.health.is_some(), Mask::HEALTH),
            (self.cost.is_some(), Mask::COST),
            (self.damage.is_some(), Mask::DAMAGE),
            (self.rewardable.is_some(), Mask::REWARDABLE),
            (self.time_limit.is_some(), Mask::TIME_LIMIT),
            (self.usage_limit.is_some(), Mask::USAGE_LIMIT),
            (self.speed.is_some(), Mask::SPEED),
            (self.key.is_some(), Mask::KEY),
            (self.locked.is_some(), Mask::LOCKED),
            (self.inventory.is_some(), Mask::INVENTORY),
            (self.status.is_some(), Mask::STATUS),
            (self.portal.is_some(), Mask::PORTAL),
            (self.moving.is_some(), Mask::MOVING),
            (self.pathfinding.is_some(), Mask::PATHFINDING),
            (self.appearance.is_some(), Mask::APPEARANCE),
        ];
        let base = self.markers & Mask::MARKERS;
        valued.iter().filter(|(has, _)| *has).fold(base, |mask, (_, kind)| mask | *kind)
    }

    /// Reads one entity of a document.
    ///
    /// # Errors
    /// Names the component that is unknown or of the wrong kind.
    pub fn from_value(id: i64, value: &Value) -> Result<Self> {
        let fields = Fields::of(value, Some(id))?;
        fields.only(&NAMES)?;
        Ok(Self {
            markers: fields.markers()?,
            position: fields.optional("position", Fields::point)?,
            health: fields.optional("health", Fields::pair)?,
            cost: fields.optional("cost", Fields::int)?,
            damage: fields.optional("damage", Fields::int)?,
            rewardable: fields.optional("rewardable", Fields::int)?,
            time_limit: fields.optional("time_limit", Fields::int)?,
            usage_limit: fields.optional("usage_limit", Fields::int)?,
            speed: fields.optional("speed", Fields::int)?,
            key: fields.optional("key", Fields::text)?,
            locked: fields.optional("locked", Fields::text)?,
            inventory: fields.optional("inventory", Fields::ids)?,
            status: fields.optional("status", Fields::ids)?,
            portal: fields.optional("portal", Fields::long)?,
            moving: fields.optional("moving", Fields::typed)?,
            pathfinding: fields.optional("pathfinding", Fields::typed)?,
            appearance: fields.optional("appearance", Fields::typed)?,
        })
    }

    /// Writes the entity, components in canonical order.
    pub fn to_value(&self) -> Value {
        json!(self)
    }

    fn component(&self, name: &str) -> Said<'_> {
        let long = |value: Option<i32>| value.map(|value| Said::Long(value.into()));
        let ids =
            |ids: &Option<Vec<u32>>| Some(Said::Ids(ids.as_ref()?.iter().copied().map(i64::from).collect()));
        let said = match name {
            "position" => self.position.map(|at| Said::Pair([at.x.into(), at.y.into()])),
            "health" => self.health.map(|(now, most)| Said::Pair([now.into(), most.into()])),
            "cost" => long(self.cost),
            "damage" => long(self.damage),
            "rewardable" => long(self.rewardable),
            "time_limit" => long(self.time_limit),
            "usage_limit" => long(self.usage_limit),
            "speed" => long(self.speed),
            "key" => self.key.as_deref().map(Said::Text),
            "locked" => self.locked.as_deref().map(Said::Text),
            "inventory" => ids(&self.inventory),
            "status" => ids(&self.status),
            "portal" => self.portal.map(Said::Long),
            "moving" => self.moving.map(|moving| {
                Said::More(
                    json!({ "axis": moving.axis, "bounce": moving.bounce, "direction": moving.direction,
                        "prev_position": moving.prev_position, "speed": moving.speed }),
                )
            }),
            "pathfinding" => self
                .pathfinding
                .map(|hunter| Said::More(json!({ "target": hunter.target, "type": hunter.hunt }))),
            "appearance" => self.appearance.as_ref().map(Said::Look),
            _ => Some(Said::Flag(true)),
        };
        said.unwrap_or(Said::Nothing)
    }
}

impl Serialize for Entity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.mask().names().map(|name| (name, self.component(name))))
    }
}

/// What a component says, as it is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Said<'a> {
    Nothing,
    Flag(bool),
    Long(i64),
    Pair([i64; 2]),
    Ids(Vec<i64>),
    Text(&'a str),
    #[serde(serialize_with = "write_look")]
    Look(&'a Appearance),
    /// What is rare is made as JSON first.
    More(Value),
}

fn write_look<S: Serializer>(look: &Appearance, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(4))?;
    map.serialize_entry("background", &look.background)?;
    map.serialize_entry("icon", &look.icon)?;
    map.serialize_entry("name", &look.name)?;
    map.serialize_entry("priority", &i64::from(look.priority))?;
    map.end()
}

const WORLD_FIELDS: [&str; 16] = [
    "company",
    "damage_hits",
    "entities",
    "height",
    "label",
    "lose",
    "memory",
    "message",
    "move",
    "objective",
    "score",
    "seed",
    "turn",
    "turn_limit",
    "width",
    "win",
];

fn read_entities(fields: &Fields) -> Result<BTreeMap<u32, Entity>> {
    let table = Fields::of(fields.required("entities")?, None)?;
    let mut entities = BTreeMap::new();
    for (key, value) in table.map {
        let id: u32 = key.parse().map_err(|_| {
            GridError::new("BAD_ID", format!("`{key}` is not an id; use a number from 0 to {}", u32::MAX - 1))
                .field("entities")
        })?;
        entities.insert(id, Entity::from_value(i64::from(id), value)?);
    }
    Ok(entities)
}

fn read_hits(fields: &Fields, name: &str) -> Result<Vec<HitRecord>> {
    let rows: Vec<(u32, u32, i64)> = fields.typed(name)?;
    let mut hits: Vec<HitRecord> =
        rows.into_iter().map(|(target, damager, turn)| HitRecord { target, damager, turn }).collect();
    hits.sort();
    hits.dedup();
    Ok(hits)
}

/// Reads the fields of one JSON object and knows whom to blame.
struct Fields<'a> {
    map: &'a Map<String, Value>,
    entity: Option<i64>,
}

impl<'a> Fields<'a> {
    fn of(value: &'a Value, entity: Option<i64>) -> Result<Self> {
        match value.as_object() {
            Some(map) => Ok(Self { map, entity }),
            None => Err(blame(entity, "NOT_AN_OBJECT", "expected a JSON object here")),
        }
    }

    fn error(&self, code: &'static str, field: &str, message: impl Into<String>) -> GridError {
        blame(self.entity, code, message).field(field)
    }

    fn only(&self, known: &[&str]) -> Result<()> {
        match self.map.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let code = if self.entity.is_some() { "UNKNOWN_COMPONENT" } else { "UNKNOWN_FIELD" };
                Err(self.error(code, key, format!("unknown; the known names are {}", known.join(", "))))
            }
        }
    }

    fn required(&self, name: &str) -> Result<&'a Value> {
        self.map.get(name).ok_or_else(|| self.error("MISSING_FIELD", name, "this field is required"))
    }

    fn optional<T>(&self, name: &str, read: fn(&Self, &str) -> Result<T>) -> Result<Option<T>> {
        match self.map.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => read(self, name).map(Some),
        }
    }

    fn markers(&self) -> Result<Mask> {
        let mut mask = Mask::NONE;
        for name in Mask::MARKERS.names() {
            match self.map.get(name) {
                None | Some(Value::Bool(false) | Value::Null) => {}
                Some(Value::Bool(true)) => mask |= Mask::named(name).unwrap_or_default(),
                Some(_) => return Err(self.error("BAD_VALUE", name, "a marker is either true or absent")),
            }
        }
        Ok(mask)
    }

    fn long(&self, name: &str) -> Result<i64> {
        let value = self.required(name)?;
        value
            .as_i64()
            .ok_or_else(|| self.error("BAD_VALUE", name, format!("{value} is not a 64-bit integer")))
    }

    fn int(&self, name: &str) -> Result<i32> {
        let long = self.long(name)?;
        i32::try_from(long)
            .map_err(|_| self.error("BAD_VALUE", name, format!("{long} does not fit into 32 bits")))
    }

    fn flag(&self, name: &str) -> Result<bool> {
        let value = self.required(name)?;
        value.as_bool().ok_or_else(|| self.error("BAD_VALUE", name, "expected true or false"))
    }

    fn text(&self, name: &str) -> Result<String> {
        let value = self.required(name)?;
        let text = value.as_str().map(str::to_string);
        text.ok_or_else(|| self.error("BAD_VALUE", name, "expected a text"))
    }

    fn point(&self, name: &str) -> Result<Point> {
        self.pair(name).map(Point::from)
    }

    fn pair(&self, name: &str) -> Result<(i32, i32)> {
        self.typed(name)
    }

    fn ids(&self, name: &str) -> Result<Vec<u32>> {
        let mut ids: Vec<u32> = self.typed(name)?;
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }

    fn typed<T: de::DeserializeOwned>(&self, name: &str) -> Result<T> {
        T::deserialize(self.required(name)?).map_err(|error| self.error("BAD_VALUE", name, error.to_string()))
    }

    fn objective(&self) -> Result<Objective> {
        let Some(text) = self.optional("objective", Self::text)? else { return Ok(Objective::default()) };
        Objective::read(&text).map_err(|message| self.error("UNKNOWN_NAME", "objective", message))
    }

    fn name<T: Default>(&self, name: &str, read: fn(&str) -> Option<T>, known: &[&str]) -> Result<T> {
        let Some(text) = self.optional(name, Self::text)? else { return Ok(T::default()) };
        read(&text).ok_or_else(|| {
            self.error("UNKNOWN_NAME", name, format!("`{text}` is unknown; use one of {}", known.join(", ")))
        })
    }
}

fn blame(entity: Option<i64>, code: &'static str, message: impl Into<String>) -> GridError {
    let error = GridError::new(code, message);
    match entity {
        Some(id) => error.entity(id),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_as_text_and_letters_escaped() {
        let mut world = WorldDocument::new(1, 1);
        world.message = Some("é\n\u{7f}😀\"".into());
        for id in [2, 10] {
            world.entities.insert(id, Entity { markers: Mask::EXIT, ..Entity::default() });
        }
        let text = world.canonical();
        assert!(text.contains(r#""entities":{"10":{"exit":true},"2":{"exit":true}}"#), "{text}");
        assert!(text.contains(r#""\u00e9\n\u007f\ud83d\ude00\"""#), "{text}");
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(WorldDocument::from_value(&back).unwrap(), world);
    }

    #[test]
    fn a_digest_of_a_world_is_one_of_its_json() {
        let mut world = WorldDocument::new(3, 2);
        world.seed = Some(-4);
        world.score = -1;
        world.message = Some("well".into());
        world.damage_hits.push(HitRecord { target: 2, damager: 10, turn: 7 });
        world.memory.insert("rain".into(), BTreeMap::from([(1, -2)]));
        let look = Appearance { name: "box".into(), priority: -3, icon: true, background: false };
        let moving = json!({ "axis": "vertical", "direction": -1, "prev_position": [0, 1] });
        let full = Entity {
            markers: Mask::EXIT | Mask::AGENT,
            position: Some(Point::new(-1, 2)),
            health: Some((3, 5)),
            cost: Some(-2),
            damage: Some(1),
            rewardable: Some(10),
            time_limit: Some(4),
            usage_limit: Some(0),
            speed: Some(2),
            key: Some("red".into()),
            locked: Some("blue".into()),
            inventory: Some(vec![4, 9]),
            status: Some(vec![]),
            portal: Some(-1),
            moving: serde_json::from_value(moving).ok(),
            pathfinding: Some(Pathfinding { target: None, hunt: Default::default() }),
            appearance: Some(look),
        };
        world.entities.insert(10, full);
        world.entities.insert(2, Entity::default());
        let value = world.to_value();
        assert_eq!(value["entities"]["10"].as_object().map(Map::len), Some(18));
        assert_eq!(turnstone::digest::digest(&world), turnstone::digest::digest(&value));
        assert_eq!(WorldDocument::from_value(&value).unwrap(), world);
        assert!(value["entities"].as_object().unwrap().keys().eq(["10", "2"]));
    }

    #[test]
    fn errors_name_entity_and_field() {
        let read = |entity: Value| {
            let world = json!({ "width": 1, "height": 1, "entities": { "7": entity } });
            WorldDocument::from_value(&world).unwrap_err().to_string()
        };
        assert!(read(json!({ "helth": [1, 1] })).starts_with("[UNKNOWN_COMPONENT] entity 7, helth: "));
        assert!(read(json!({ "cost": "much" })).starts_with("[BAD_VALUE] entity 7, cost: "));
        assert!(read(json!({ "agent": 1 })).starts_with("[BAD_VALUE] entity 7, agent: "));
        assert!(read(json!({ "cost": 3_000_000_000_i64 })).contains("32 bits"));
    }
}
