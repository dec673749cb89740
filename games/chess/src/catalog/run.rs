//! The run as content writes it: its numbers, its relics, and what may be met on the map.

use super::load::{Section, alone, each, titled};
use super::{Catalog, unknown};
use crate::at::MAX_SIDE;
use crate::error::BadInput;
use crate::piece::Kind;
use crate::tile::Tile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

pub(super) fn compile(
    kinds: Kinds<'_>,
    numbers: RawRun,
    relics: Section<RelicDef<String>>,
    events: Section<MapEventDef<String>>,
) -> Result<RunContent, Vec<BadInput>> {
    let numbers = numbers.complete().map_err(alone)?;
    check(&numbers, events.is_empty()).map_err(alone)?;
    if relics.len() > 200 || events.len() > 200 {
        let reason = "A run has at most 200 relics and 200 map events.";
        return Err(alone(BadInput::new("run.too-many", "", reason)));
    }
    let mut relics = each(relics, |id, raw| relic(kinds, id, raw))?;
    let mut events = each(events, |id, raw| event(kinds, id, raw))?;
    // They come by name, and stay so where the order is the same.
    relics.sort_by_key(|relic| relic.order);
    events.sort_by_key(|event| event.order);
    Ok(RunContent { numbers, relics, events })
}

/// Could a run be played with these numbers?
fn check(run: &RunDef, no_events: bool) -> Result<(), BadInput> {
    let bad = |field: &str, reason: &str| Err(BadInput::new("run.number", format!("run.{field}"), reason));
    let rows = run.map.iter();
    if run.map.is_empty() || run.map.len() > ROWS_MAX {
        return bad("map", "A map has one to six rows.");
    }
    let sum =
        |row: &RowDef| [row.fight, row.elite, row.shop, row.event].iter().map(|n| u64::from(*n)).sum::<u64>();
    if rows.clone().any(|row| !(1..=1_000_000).contains(&sum(row))) {
        return bad("map", "Every row of the map needs a kind of place that can be met.");
    }
    if no_events && rows.clone().any(|row| row.event > 0) {
        return bad("map", "The map has events, and there is none to be met.");
    }
    if [run.fight, run.elite, run.boss].iter().any(|fight| !(4..=MAX_SIDE).contains(&fight.side)) {
        return bad("fight", "The board of a fight has 4 to 24 squares on a side.");
    }
    if run.tiles.is_empty() || run.tiles.iter().any(|tile| matches!(tile, Tile::Tomb | Tile::Void)) {
        return bad("tiles", "Tiles of a fight are neither tombs nor voids, and there is at least one.");
    }
    let small = [run.army, run.enemy_army, run.enemy_growth, run.enemy_limit, run.prize, run.reward];
    let fine = small.iter().all(|number| (0..=1_000).contains(number))
        && (0..=1_000).contains(&run.relic_price)
        && (0..=100).contains(&run.sale_percent)
        && (1..=64).contains(&run.roster_limit);
    if fine { Ok(()) } else { bad("army", "A number of the run is too small or too large to play with.") }
}

fn relic(kinds: Kinds<'_>, id: String, raw: RelicDef<String>) -> Result<RelicDef, BadInput> {
    let place = |mut error: BadInput| {
        error.place = format!("relic.{id}");
        error
    };
    let alters = [raw.alter.roster_limit, raw.alter.price, raw.alter.prize];
    if alters.iter().any(|number| !(-1_000..=1_000).contains(number)) || raw.recruits.len() > 16 {
        let reason = "A relic adds at most 1,000 to a number, and 16 pieces to a fight.";
        return Err(place(BadInput::new("relic.number", "", reason)));
    }
    if raw.lay.iter().any(|lay| matches!(lay.tile, Tile::Tomb | Tile::Void)) {
        return Err(place(BadInput::new("relic.tile", "", "A relic lays neither tombs nor voids.")));
    }
    let recruits = raw.recruits.iter().map(|name| kinds(name)).collect::<Result<_, _>>().map_err(place)?;
    Ok(RelicDef {
        name: if raw.name.is_empty() { titled(&id) } else { raw.name },
        about: raw.about,
        order: raw.order,
        alter: raw.alter,
        lay: raw.lay,
        recruits,
        switches: raw.switches,
        saves: raw.saves,
        id,
    })
}

fn event(kinds: Kinds<'_>, id: String, raw: MapEventDef<String>) -> Result<MapEventDef, BadInput> {
    let place = |mut error: BadInput| {
        error.place = format!("event.{id}");
        error
    };
    if raw.deeds.is_empty() || raw.deeds.len() > 16 {
        return Err(place(BadInput::new("event.deeds", "", "A map event does 1 to 16 things.")));
    }
    let deeds =
        raw.deeds.into_iter().map(|deed| deed.named(kinds)).collect::<Result<_, _>>().map_err(place)?;
    let title = if raw.title.is_empty() { titled(&id) } else { raw.title };
    Ok(MapEventDef { title, text: raw.text, order: raw.order, deeds, id })
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
