//! The run as content writes it: its numbers, its relics, and what may be met on the map.

use super::load::{MOST, Section, Told, sound, titled};
use super::{Catalog, unknown};
use crate::at::MAX_SIDE;
use crate::error::BadInput;
use crate::piece::Kind;
use crate::tile::Tile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use turnstone_content::Node;

/// The number of a relic in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RelicId(pub u8);

/// The number of a map event in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MapEventId(pub u8);

/// How many rows a map has at most, without the boss.
pub(crate) const ROWS_MAX: usize = 6;

/// How often each kind of place is met in a row of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RowDef {
    /// Ordinary fights.
    pub fight: u32,
    /// Hard fights.
    pub elite: u32,
    /// Shops.
    pub shop: u32,
    /// Map events.
    pub event: u32,
}

/// A kind of fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FightDef {
    /// How many squares the board has on a side.
    pub side: u8,
    /// Added to what the enemy is worth.
    #[serde(default)]
    pub army: i32,
    /// Added to what the enemy may spend on abilities.
    #[serde(default)]
    pub abilities: i32,
    /// Is a relic among the rewards?
    #[serde(default)]
    pub relic: bool,
}

/// Writes a table of content of which an overlay may replace single entries.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident, $raw:ident: $($(#[$entry:meta])* $field:ident: $type:ty,)*) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$entry])* pub $field: $type,)*
        }

        $(#[$doc])*
        #[derive(Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
        pub(super) struct $raw {
            $($(#[$entry])* $field: Option<$type>,)*
        }

        impl $raw {
            /// What is written here stays unless it is written there too.
            pub(super) fn overlaid(self, over: $raw) -> $raw {
                $raw { $($field: over.$field.or(self.$field),)* }
            }

            fn complete(self) -> Result<$name, BadInput> {
                Ok($name { $($field: self.$field.ok_or_else(|| missing(stringify!($field)))?,)* })
            }
        }
    };
}

fn missing(field: &str) -> BadInput {
    let field = field.replace('_', "-");
    BadInput::new("run.missing", "run", format!("The run has no number \"{field}\"."))
}

table! {
    /// The numbers of the run.
    RunDef, RawRun:
    /// What the first roster is worth.
    army: i32,
    /// How many pieces the roster can hold.
    roster_limit: i32,
    /// Coins for a fight won, and one more for every round.
    prize: i32,
    /// Coins as a reward, and one more for every act.
    reward: i32,
    /// What a relic costs.
    relic_price: i32,
    /// What a shop pays for a piece, in percent of its worth.
    sale_percent: i32,
    /// What an enemy is worth in the first round.
    enemy_army: i32,
    /// What it is worth more in every later one.
    enemy_growth: i32,
    /// What it is worth at most.
    enemy_limit: i32,
    /// The tiles that may lie in the middle of a board.
    tiles: Vec<Tile>,
    /// How often each kind of place is met, row by row.
    map: Vec<RowDef>,
    /// Ordinary fights.
    fight: FightDef,
    /// Hard fights.
    elite: FightDef,
    /// The last fight of an act.
    boss: FightDef,
}

/// What relics add to numbers of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Alter {
    /// To how many pieces the roster can hold.
    pub roster_limit: i32,
    /// To every price; none falls below one by it.
    pub price: i32,
    /// To the coins for a fight won.
    pub prize: i32,
}

/// Where a relic lays a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// Under your king, if nothing lies there.
    King,
    /// On the whole middle row.
    Middle,
}

/// A tile that a relic lays on the board of every fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Lay {
    /// Which tile.
    pub tile: Tile,
    /// Where.
    pub on: Ground,
}

/// A switch of the rules that a relic turns on for its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// A bomb's blast also reaches the piece that took it.
    BombKillsTaker,
    /// A Cannibal grows by what it eats.
    CannibalGrows,
}

/// A relic as written, or compiled: `K` is how pieces are named.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", bound(deserialize = "K: Deserialize<'de>"))]
pub struct RelicDef<K = Kind> {
    /// The name as typed.
    #[serde(skip)]
    pub id: String,
    /// The name as shown; by default the entry's own.
    #[serde(default)]
    pub name: String,
    /// The rule in one sentence.
    pub about: String,
    /// Its place in the list from which one is drawn; those without one come behind, by name.
    #[serde(default = "last")]
    pub order: u16,
    /// What it adds to numbers of the run.
    #[serde(default)]
    pub alter: Alter,
    /// The tiles it lays.
    #[serde(default)]
    pub lay: Vec<Lay>,
    /// Pieces that join every fight, and go when it is over.
    #[serde(default)]
    pub recruits: Vec<K>,
    /// The rules it turns on.
    #[serde(default)]
    pub switches: Vec<Switch>,
    /// Does it break in place of the run when a fight is lost?
    #[serde(default)]
    pub saves: bool,
}

/// What is done when a map event is accepted; `K` is how pieces are named.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Deed<K = Kind> {
    /// Coins are paid.
    Pay(u16),
    /// Coins are earned.
    Gain(u16),
    /// A coin is tossed: all money is doubled or gone.
    Toss,
    /// A random piece receives a random ability.
    Bless,
    /// A random piece joins.
    Recruit,
    /// The first piece of a kind becomes one of another.
    Train {
        /// Of which kind.
        from: K,
        /// What it becomes.
        to: K,
    },
    /// The last piece becomes one of this kind.
    ReduceLast(K),
}

/// A map event as written, or compiled: `K` is how pieces are named.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MapEventDef<K = Kind> {
    /// The name as typed.
    #[serde(skip)]
    pub id: String,
    /// What is met.
    #[serde(default)]
    pub title: String,
    /// What is proposed, in a sentence.
    pub text: String,
    /// Its place in the list from which one is drawn; those without one come behind, by name.
    #[serde(default = "last")]
    pub order: u16,
    /// What is done when it is accepted.
    #[serde(rename = "do")]
    pub deeds: Vec<Deed<K>>,
}

const fn last() -> u16 {
    u16::MAX
}

/// Everything of a run that content says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunContent {
    /// Its numbers.
    pub numbers: RunDef,
    /// The relics, in the order in which they are drawn from.
    pub relics: Vec<RelicDef>,
    /// The map events, likewise.
    pub events: Vec<MapEventDef>,
}

/// Reads the names of pieces.
type Kinds<'a> = &'a dyn Fn(&str) -> Result<Kind, BadInput>;

type Limit = (&'static str, RangeInclusive<i64>);

/// What the numbers of a run can be.
pub(super) const NUMBERS: [Limit; 12] = [
    ("army", COINS),
    ("enemy-army", COINS),
    ("enemy-growth", COINS),
    ("enemy-limit", COINS),
    ("prize", COINS),
    ("reward", COINS),
    ("relic-price", COINS),
    ("sale-percent", 0..=100),
    ("roster-limit", 1..=64),
    ("fight.side", SIDES),
    ("elite.side", SIDES),
    ("boss.side", SIDES),
];
const COINS: RangeInclusive<i64> = 0..=1_000;
const SIDES: RangeInclusive<i64> = 4..=MAX_SIDE as i64;

/// What a relic can add.
pub(super) const RELIC: [Limit; 4] =
    [("alter.roster-limit", ADDED), ("alter.price", ADDED), ("alter.prize", ADDED), ("order", 0..=65_535)];
const ADDED: RangeInclusive<i64> = -1_000..=1_000;

pub(super) fn compile(
    kinds: Kinds<'_>,
    numbers: RawRun,
    written: &[Node],
    relics: Section<RelicDef<String>>,
    events: Section<MapEventDef<String>>,
    told: &mut Told,
) -> Option<RunContent> {
    if relics.len() > MOST || events.len() > MOST {
        let reason = format!("A run has at most {MOST} relics and {MOST} map events.");
        told.alone(BadInput::new("run.too-many", "", reason));
    }
    let no_events = events.is_empty();
    let mut relics = told.each(relics, |id, raw, wrong| relic(kinds, id, raw, wrong));
    let mut events = told.each(events, |id, raw, wrong| event(kinds, id, raw, wrong));
    // They come by name, and stay so where the order is the same.
    relics.sort_by_key(|relic| relic.order);
    events.sort_by_key(|event| event.order);
    let numbers = numbers.complete().map_err(|error| told.alone(error)).ok()?;
    for error in check(&numbers, no_events) {
        // Later files lie above earlier ones.
        match written.iter().rev().find_map(|run| run.get(&error.place)) {
            Some(node) => told.at(&node.place.clone(), error),
            None => told.alone(error),
        }
    }
    Some(RunContent { numbers, relics, events })
}

/// What is wrong with the map and the tiles of a run; its numbers are read with what they can be.
fn check(run: &RunDef, no_events: bool) -> Vec<BadInput> {
    let mut wrong = Vec::new();
    let mut bad = |field: &str, reason: &str| wrong.push(BadInput::new("run.number", field, reason));
    let rows = run.map.iter();
    if run.map.is_empty() || run.map.len() > ROWS_MAX {
        bad("map", "A map has one to six rows.");
    }
    let sum =
        |row: &RowDef| [row.fight, row.elite, row.shop, row.event].iter().map(|n| u64::from(*n)).sum::<u64>();
    if rows.clone().any(|row| !(1..=1_000_000).contains(&sum(row))) {
        bad("map", "Every row of the map needs a kind of place that can be met.");
    }
    if no_events && rows.clone().any(|row| row.event > 0) {
        bad("map", "The map has events, and there is none to be met.");
    }
    if run.tiles.is_empty() || run.tiles.iter().any(|tile| matches!(tile, Tile::Tomb | Tile::Void)) {
        bad("tiles", "Tiles of a fight are neither tombs nor voids, and there is at least one.");
    }
    wrong
}

fn relic(kinds: Kinds<'_>, id: String, raw: RelicDef<String>, wrong: &mut Vec<BadInput>) -> RelicDef {
    if raw.recruits.len() > 16 {
        wrong.push(BadInput::new("relic.number", "recruits", "A relic adds at most 16 pieces to a fight."));
    }
    if raw.lay.iter().any(|lay| matches!(lay.tile, Tile::Tomb | Tile::Void)) {
        wrong.push(BadInput::new("relic.tile", "lay", "A relic lays neither tombs nor voids."));
    }
    let recruits = raw.recruits.iter().filter_map(|name| sound(kinds(name), wrong)).collect();
    RelicDef {
        name: if raw.name.is_empty() { titled(&id) } else { raw.name },
        about: raw.about,
        order: raw.order,
        alter: raw.alter,
        lay: raw.lay,
        recruits,
        switches: raw.switches,
        saves: raw.saves,
        id,
    }
}

fn event(kinds: Kinds<'_>, id: String, raw: MapEventDef<String>, wrong: &mut Vec<BadInput>) -> MapEventDef {
    if raw.deeds.is_empty() || raw.deeds.len() > 16 {
        wrong.push(BadInput::new("event.deeds", "do", "A map event does 1 to 16 things."));
    }
    let deeds = raw.deeds.into_iter().filter_map(|deed| sound(deed.named(kinds), wrong)).collect();
    let title = if raw.title.is_empty() { titled(&id) } else { raw.title };
    MapEventDef { title, text: raw.text, order: raw.order, deeds, id }
}

impl Deed<String> {
    fn named(self, kinds: Kinds<'_>) -> Result<Deed, BadInput> {
        Ok(match self {
            Deed::Pay(coins) => Deed::Pay(coins),
            Deed::Gain(coins) => Deed::Gain(coins),
            Deed::Toss => Deed::Toss,
            Deed::Bless => Deed::Bless,
            Deed::Recruit => Deed::Recruit,
            Deed::Train { from, to } => Deed::Train { from: kinds(&from)?, to: kinds(&to)? },
            Deed::ReduceLast(kind) => Deed::ReduceLast(kinds(&kind)?),
        })
    }
}

impl Catalog {
    /// The definition of a relic; a stray number reads as the first.
    pub fn relic(&self, relic: RelicId) -> Option<&RelicDef> {
        self.run.relics.get(usize::from(relic.0))
    }

    /// The definition of a map event.
    pub fn map_event(&self, event: MapEventId) -> Option<&MapEventDef> {
        self.run.events.get(usize::from(event.0))
    }

    /// The relic with this name.
    ///
    /// # Errors
    /// `relic.unknown`, with the nearest name.
    pub fn relic_named(&self, name: &str) -> Result<RelicId, BadInput> {
        let found = self.run.relics.iter().position(|def| def.id == name);
        let relics = self.run.relics.iter().map(|def| def.id.as_str());
        found.map(|index| RelicId(index as u8)).ok_or_else(|| unknown("relic", name, relics))
    }
}
