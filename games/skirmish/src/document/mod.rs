//! The JSON document of a skirmish: what is read, exported, hashed and compared.
//!
//! The types mirror the format field by field; the JSON Schema is generated
//! from them ([`schema`]) and input is checked against that very schema
//! ([`validate()`]), so the two cannot drift apart.

pub mod invariants;
pub mod schema;
pub mod timestamp;
pub mod validate;

use crate::dice::{Algorithm, Mode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use invariants::Violation;
pub use validate::{Fault, validate};

/// A whole game: map, entities, combat, dice and the log so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Document {
    /// Three dot-separated groups of digits.
    #[schemars(regex(pattern = r"^\d+\.\d+\.\d+$"))]
    pub schema_version: String,
    /// The campaign this game belongs to.
    #[schemars(length(min = 1))]
    pub campaign_id: String,
    /// The session within the campaign.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// RFC 3339 with zone; the engine never changes it and every event copies it.
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// The dice.
    pub rng: RngDoc,
    /// The map.
    pub map: MapDoc,
    /// Everything that stands on the map.
    pub entities: EntitiesDoc,
    /// Whose turn it is.
    pub combat: CombatDoc,
    /// What happened so far.
    pub log: LogDoc,
    /// What the interface has selected.
    pub ui: UiDoc,
}

/// The dice: mode, seed and the trail of rolls, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RngDoc {
    /// Manual or seeded.
    pub mode: Mode,
    /// The seed; required by an invariant when seeded.
    pub seed: Option<String>,
    /// Every roll since the seed was set.
    pub last_rolls: Vec<RollDoc>,
    /// Which generator; absent means the recorded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Algorithm")]
    pub algorithm: Option<Algorithm>,
}

/// One roll of the dice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RollDoc {
    /// `roll-N`, N the 1-based place in the trail.
    #[schemars(length(min = 1))]
    pub id: String,
    /// Copied from the state.
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// `1d20`, `2d6`.
    #[schemars(length(min = 1))]
    pub formula: String,
    /// The total.
    #[serde(with = "integral")]
    #[schemars(with = "i64")]
    pub result_total: i64,
    /// `[2+5]=7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub breakdown: Option<String>,
    /// Who rolled and what for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub source: Option<String>,
}

/// The map: a square grid with sparse terrain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MapDoc {
    /// The map's id.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The map's name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Shape and size.
    pub grid: GridDoc,
    /// The cells that are not open.
    pub terrain: Vec<TileDoc>,
    /// Whether sides see only what their members see.
    pub fog_of_war_enabled: bool,
}

/// Shape and size of the grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GridDoc {
    /// Always `square`.
    #[serde(rename = "type")]
    pub kind: GridKind,
    /// Width and height in cells.
    pub size: SizeDoc,
    /// Feet per cell; decoration.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 1))]
    pub cell_size: i64,
}

/// The only grid there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GridKind {
    /// Four neighbours, square cells.
    Square,
}

/// Width and height in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeDoc {
    /// Columns.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 1, max = 200))]
    pub width: i64,
    /// Rows.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 1, max = 200))]
    pub height: i64,
}

/// One cell of terrain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TileDoc {
    /// Column, growing east.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub x: i64,
    /// Row, growing south.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub y: i64,
    /// `open`, `blocked`, `difficult`, `water`, `pit`, or any other word.
    #[serde(rename = "type")]
    #[schemars(length(min = 1))]
    pub kind: String,
    /// Nothing may enter.
    pub blocks_movement: bool,
    /// Nothing is seen through it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub blocks_vision: Option<bool>,
}

/// Everything that stands on the map, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntitiesDoc {
    /// The heroes.
    pub players: Vec<EntityDoc>,
    /// Their opponents.
    pub npcs: Vec<EntityDoc>,
    /// Crates, doors, barrels.
    pub objects: Vec<EntityDoc>,
}

impl EntitiesDoc {
    /// Players, then npcs, then objects: the order in which everything visits them.
    pub fn iter(&self) -> impl Iterator<Item = &EntityDoc> {
        self.players.iter().chain(&self.npcs).chain(&self.objects)
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut EntityDoc> {
        self.players.iter_mut().chain(&mut self.npcs).chain(&mut self.objects)
    }
}

/// Which of the three lists an entity belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A hero.
    Player,
    /// An opponent.
    Npc,
    /// A thing.
    Object,
}

/// Someone or something on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntityDoc {
    /// Unique over all three lists.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The name that roll labels and sentences use.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Which list it stands in.
    pub kind: Kind,
    /// Where it stands.
    pub position: PositionDoc,
    /// Small, medium or large; every token takes one cell.
    pub size: Size,
    /// Its numbers.
    pub stats: StatsDoc,
    /// Its conditions, in the order in which they came.
    #[schemars(inner(length(min = 1)))]
    pub conditions: Vec<String>,
    /// What it carries.
    pub inventory: Vec<ItemDoc>,
    /// How it is drawn.
    pub token: TokenDoc,
    /// Who decides for it.
    pub controller: ControllerDoc,
    /// The abilities it may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub abilities: Option<Vec<String>>,
    /// Turns until an ability may be used again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Counters")]
    pub ability_cooldowns: Option<Map<String, Value>>,
    /// Turns until a condition ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Counters")]
    pub condition_durations: Option<Map<String, Value>>,
}

/// A map from a name to a count of turns; used for the schema only.
#[derive(JsonSchema)]
#[schemars(transparent)]
#[allow(dead_code)]
struct Counters(std::collections::BTreeMap<String, Turns>);

/// A count of turns; used for the schema only.
#[derive(JsonSchema)]
#[schemars(transparent)]
#[allow(dead_code)]
struct Turns(#[schemars(range(min = 0))] i64);

/// A cell and, if known, where its occupant looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionDoc {
    /// Column.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub x: i64,
    /// Row.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub y: i64,
    /// Absent, null, or a direction: the three are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schemars(with = "Option<Facing>")]
    pub facing: Option<Option<Facing>>,
}

/// A direction in which a token looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Facing {
    /// North.
    N,
    /// East.
    E,
    /// South.
    S,
    /// West.
    W,
}

/// The size of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Size {
    /// Small.
    S,
    /// Medium.
    M,
    /// Large.
    L,
}

/// An entity's numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatsDoc {
    /// Hit points now.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub hp_current: i64,
    /// Hit points at most.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 1))]
    pub hp_max: i64,
    /// Armour class.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub ac: i64,
    /// Cells per move.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub movement_speed: i64,
    /// Carried by content; the recorded rules ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "maybe_integral")]
    #[schemars(with = "i64")]
    pub attack_bonus: Option<i64>,
    /// Count and sides; the recorded rules ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[DieNumber; 2]")]
    pub damage_dice: Option<Vec<Value>>,
    /// Reach of ATTACK in cells; absent means 1.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "maybe_integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub attack_range: Option<i64>,
}

/// A count or a number of sides; used for the schema only.
#[derive(JsonSchema)]
#[schemars(transparent)]
#[allow(dead_code)]
struct DieNumber(#[schemars(range(min = 1))] i64);

/// Something carried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemDoc {
    /// Unique within one inventory.
    #[schemars(length(min = 1))]
    pub id: String,
    /// The item's name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// How many.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 1))]
    pub qty: i64,
    /// Free words.
    #[schemars(inner(length(min = 1)))]
    pub tags: Vec<String>,
}

/// How an entity is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenDoc {
    /// The figure's style.
    pub style: TokenStyle,
    /// A sprite's key.
    pub sprite_key: Option<String>,
}

/// The style of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenStyle {
    /// A card in a stand.
    Standee,
    /// A miniature.
    Mini,
    /// A pawn.
    Pawn,
}

/// Who decides for an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ControllerDoc {
    /// A person or the computer.
    #[serde(rename = "type")]
    pub kind: ControllerKind,
    /// Which person.
    pub player_id: Option<String>,
}

/// A person or the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ControllerKind {
    /// A person.
    Human,
    /// The computer.
    Ai,
}

/// Whose turn it is, and what is left of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CombatDoc {
    /// Exploration or combat.
    pub mode: CombatMode,
    /// 0 in exploration, from 1 in combat.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub round: i64,
    /// Whose turn it is.
    pub active_entity_id: Option<String>,
    /// Best initiative first.
    #[schemars(inner(length(min = 1)))]
    pub initiative_order: Vec<String>,
    /// What the active entity has spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BudgetDoc")]
    pub turn_budget: Option<BudgetDoc>,
}

/// Exploration or combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CombatMode {
    /// No turns.
    Exploration,
    /// Turns in initiative order.
    Combat,
}

/// What has been spent of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetDoc {
    /// Moves made.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub movement_used: i64,
    /// Attacks, defences and abilities.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub action_used: i64,
    /// Never spent by the engine.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub bonus_action_used: i64,
}

/// What happened so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogDoc {
    /// Oldest first.
    pub events: Vec<EventDoc>,
}

/// One event in its envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventDoc {
    /// `evt-0001` and so on.
    #[schemars(length(min = 1))]
    pub id: String,
    /// Copied from the state.
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// What happened.
    #[serde(rename = "type")]
    #[schemars(length(min = 1))]
    pub kind: String,
    /// The particulars.
    pub payload: Map<String, Value>,
}

/// What the interface has selected; the engine never touches it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UiDoc {
    /// The selected entity.
    pub selected_entity_id: Option<String>,
    /// The cell under the pointer.
    pub hovered_cell: Option<CellDoc>,
}

/// A cell of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellDoc {
    /// Column.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub x: i64,
    /// Row.
    #[serde(with = "integral")]
    #[schemars(with = "i64", range(min = 0))]
    pub y: i64,
}

/// Reads a field that is present, null included, as `Some`.
fn present<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(from).map(Some)
}

/// Integers as JSON has them: `2.0` counts as 2.
mod integral {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use serde_json::Number;

    pub fn serialize<S: Serializer>(n: &i64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(*n)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
        let n = Number::deserialize(from)?;
        super::integer(&n).ok_or_else(|| D::Error::custom(format!("{n} is not a whole number")))
    }
}

/// The same for a field that may be missing.
mod maybe_integral {
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(n: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(n.unwrap_or_default())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
        super::integral::deserialize(from).map(Some)
    }
}

/// The value of a JSON number that is whole and within ±2^53.
pub fn integer(n: &serde_json::Number) -> Option<i64> {
    const LIMIT: i64 = 1 << 53;
    let whole = match n.as_i64() {
        Some(i) => i,
        None => {
            let f = n.as_f64()?;
            if f.fract() != 0.0 || f.abs() > LIMIT as f64 {
                return None;
            }
            f as i64
        }
    };
    (-LIMIT..=LIMIT).contains(&whole).then_some(whole)
}
