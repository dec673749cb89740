//! A fresh scenario out of a plan and a seed: map, party and encounter.

use crate::catalog::Catalog;
use crate::dice::{Algorithm, Mode};
use crate::document::{
    CombatDoc, CombatMode, Document, EntitiesDoc, EntityDoc, LogDoc, MapDoc, RngDoc, UiDoc,
};
use crate::world::dungeon::{self, Dungeon};
use crate::world::encounter::{Placement, Request, encounter};
use crate::world::templates::{self, map_from_rows};
use serde::{Deserialize, Serialize};
use turnstone::dice::{Dice, Draw, Stream};

/// What to build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// A map template's id, or `dungeon` for a dug one.
    pub map: String,
    /// The heroes' classes.
    pub party: Vec<String>,
    /// How hard the encounter is.
    pub difficulty: String,
    /// How the monsters stand.
    #[serde(default)]
    pub placement: Placement,
    /// Whether there is fog.
    #[serde(default)]
    pub fog: bool,
}

const BUILD: Stream = Stream::named("skirmish scenario builder");
const GROUND: Stream = Stream::named("skirmish dungeon");
const NAMES: [&str; 6] = ["Asta", "Borin", "Cass", "Dwyn", "Edda", "Falk"];

impl Plan {
    /// Builds the first state. The same plan and seed build the same state.
    ///
    /// # Errors
    /// An unknown map or class, or a map without room for everybody.
    pub fn build(&self, catalog: &Catalog, seed: u64) -> Result<Document, String> {
        let ground = self.ground(seed)?;
        let players = self.heroes(catalog, &ground)?;
        let npcs = self.monsters(catalog, &ground, &players, seed);
        if npcs.is_empty() {
            return Err(format!("the map {} has no room for the encounter", self.map));
        }
        Ok(document(ground.map, players, npcs, seed))
    }

    fn ground(&self, seed: u64) -> Result<Ground, String> {
        let mut ground = match self.map.as_str() {
            "dungeon" => dungeon_ground(seed),
            id => match templates::find(id) {
                Some(t) => Ground { map: t.map(), starts: t.starts('p') },
                None => {
                    let known: Vec<&str> = templates::all().iter().map(|t| t.id).collect();
                    return Err(format!("there is no map {id:?}; known are dungeon, {}", known.join(", ")));
                }
            },
        };
        ground.map.fog_of_war_enabled = self.fog;
        Ok(ground)
    }

    fn heroes(&self, catalog: &Catalog, ground: &Ground) -> Result<Vec<EntityDoc>, String> {
        if self.party.is_empty() || self.party.len() > NAMES.len().min(ground.starts.len()) {
            return Err(format!("a party has 1 to {} heroes here", NAMES.len().min(ground.starts.len())));
        }
        let mut heroes = Vec::new();
        for (n, id) in self.party.iter().enumerate() {
            let Some(class) = catalog.class(id) else {
                let known: Vec<&str> = catalog.classes.iter().map(|c| c.id.as_str()).collect();
                return Err(format!("there is no class {id:?}; known are {}", known.join(", ")));
            };
            let (x, y) = ground.starts[n];
            heroes.push(class.instance(&format!("pc-{}", n + 1), NAMES[n], x, y));
        }
        Ok(heroes)
    }

    fn monsters(
        &self,
        catalog: &Catalog,
        ground: &Ground,
        heroes: &[EntityDoc],
        seed: u64,
    ) -> Vec<EntityDoc> {
        let size = ground.map.grid.size;
        let request = Request {
            difficulty: self.difficulty.clone(),
            party: heroes.len() as i64,
            width: size.width,
            height: size.height,
            placement: self.placement,
        };
        let taken = |x: i64, y: i64| {
            heroes.iter().any(|h| (h.position.x, h.position.y) == (x, y))
                || ground.map.terrain.iter().any(|t| t.blocks_movement && (t.x, t.y) == (x, y))
        };
        let mut dice = Dice::new(seed, BUILD, 0);
        let mut draws = || dice.below(1 << 16) as u32;
        encounter(catalog, &request, taken, &mut draws).entities()
    }
}

struct Ground {
    map: MapDoc,
    starts: Vec<(i64, i64)>,
}

/// A dug dungeon; the heroes start in its first room.
fn dungeon_ground(seed: u64) -> Ground {
    let options = dungeon::Options { width: 32, height: 22, ..dungeon::Options::default() };
    // The map lies open to everybody: it must not tell the seed of the dice.
    let mut dice = Dice::new(seed, GROUND, 0);
    let dungeon: Dungeon = dungeon::dig(dice.below(1 << 31) as i64, &options);
    let rows = dungeon.rows();
    let map = map_from_rows("dungeon", "The dungeon", rows.iter().map(String::as_str));
    let starts = dungeon.rooms.first().map_or(Vec::new(), |room| {
        let cells = (room.y..room.y + room.h).flat_map(|y| (room.x..room.x + room.w).map(move |x| (x, y)));
        cells.collect()
    });
    Ground { map, starts }
}

/// A document around a map and its people, in exploration, with fresh dice.
pub fn document(map: MapDoc, players: Vec<EntityDoc>, npcs: Vec<EntityDoc>, seed: u64) -> Document {
    Document {
        schema_version: "0.1.0".to_string(),
        campaign_id: "turnstone".to_string(),
        // Sessions are shown to everybody, the seed to nobody.
        session_id: "session-1".to_string(),
        timestamp: "2026-01-01T00:00:00.000Z".to_string(),
        rng: RngDoc {
            mode: Mode::Seeded,
            seed: Some(format!("{}-{seed}", map.id)),
            last_rolls: Vec::new(),
            algorithm: Some(Algorithm::Turnstone),
        },
        map,
        entities: EntitiesDoc { players, npcs, objects: Vec::new() },
        combat: CombatDoc {
            mode: CombatMode::Exploration,
            round: 0,
            active_entity_id: None,
            initiative_order: Vec::new(),
            turn_budget: None,
        },
        log: LogDoc { events: Vec::new() },
        ui: UiDoc { selected_entity_id: None, hovered_cell: None },
    }
}
