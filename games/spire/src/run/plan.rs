//! Hand-made maps ready to be climbed: rooms at their places, and what is put into them.

use serde::{Deserialize, Serialize};
use turnstone::Rejection;

use super::rulebook::Rulebook;
use crate::catalog::Sources;
use crate::catalog::maps::{self, Fault, MapDef, Named, RoomDef};
use crate::seeds::{EventNo, Fate, FightNo, Map, Names, Node, OUT, Place, RelicNo, Room, Shared, Tables};
use crate::state::State;
use turnstone_content::{Problem, hint};

/// Which hand-made map a run is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MapChoice {
    /// A map of the content, by its name.
    Name(String),
    /// A map of one's own, as it was written: so a match file holds all that a replay needs.
    Text(String),
}

/// What is put into a room beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contents {
    /// Who is fought there.
    Fight(FightNo),
    /// Which event it is.
    Event(EventNo),
    /// What the chest holds.
    Relic(RelicNo),
}

/// What a run remembers of the hand-made map it is on, besides the map itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandMade {
    /// Its name, for players.
    pub name: String,
    /// What is put into its rooms.
    pub contents: Vec<(Place, Contents)>,
}

/// A hand-made map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its id.
    pub id: String,
    /// A sentence about it.
    pub about: String,
    /// Whose fights, events and rewards: 1 to 3.
    pub act: u8,
    /// Whether Neow waits at the bottom.
    pub neow: bool,
    /// The rooms and ways.
    pub map: Map,
    /// What the run remembers of it.
    pub hand_made: Shared<HandMade>,
}

impl Plan {
    /// Hand-made maps, by the numbers of `tables`.
    ///
    /// # Errors
    /// Every problem found.
    pub fn load(maps: &[MapDef], tables: &Tables) -> Result<Vec<Plan>, Vec<Problem>> {
        let plans = maps.iter().map(|map| Plan::new(map, tables));
        let (mut sound, mut problems) = (Vec::new(), Vec::new());
        for plan in plans {
            match plan {
                Ok(plan) => sound.push(plan),
                Err(wrong) => problems.extend(wrong),
            }
        }
        if problems.is_empty() { Ok(sound) } else { Err(problems) }
    }

    fn new(def: &MapDef, tables: &Tables) -> Result<Plan, Vec<Problem>> {
        let (mut map, mut contents, mut problems) = (Map::empty(), Vec::new(), Vec::new());
        for room in &def.rooms {
            let place = place_of(room);
            map.rows[usize::from(place.y)][usize::from(place.x)] =
                Node { edges: edges(def, room), room: Some(room.room) };
            match contents_of(room, tables) {
                Ok(found) => contents.extend(found.map(|found| (place, found))),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Plan {
            id: def.common.id.clone(),
            about: def.about(),
            act: def.act,
            neow: def.neow,
            map,
            hand_made: Shared::new(HandMade { name: def.common.name.clone(), contents }),
        })
    }

    /// Lays the map over what the seed decides.
    pub fn lay(&self, tables: &Tables, fate: &mut Fate) {
        while fate.act < self.act {
            fate.next_act(tables);
        }
        *fate.map = self.map;
        let boss = self.map.nodes().find(|(_, node)| node.room == Some(Room::Boss));
        if let Some(Contents::Fight(fight)) = boss.and_then(|(place, _)| self.hand_made.at(place)) {
            fate.fights.bosses[0] = fight;
        }
    }
}

impl HandMade {
    /// What was put into a room.
    pub fn at(&self, place: Place) -> Option<Contents> {
        self.contents.iter().find(|(room, _)| *room == place).map(|(_, contents)| *contents)
    }
}

fn place_of(room: &RoomDef) -> Place {
    Place { x: room.column - 1, y: room.floor - 1 }
}

fn edges(def: &MapDef, room: &RoomDef) -> u8 {
    let column = |name: &str| def.rooms.iter().find(|room| room.id == name).map(|room| room.column - 1);
    let next = room.next.iter().filter_map(|(name, _)| column(name));
    next.fold(if room.end { OUT } else { 0 }, |edges, x| edges | 1 << x)
}

fn contents_of(room: &RoomDef, tables: &Tables) -> Result<Option<Contents>, Problem> {
    Ok(if let Some(name) = &room.encounter {
        Some(Contents::Fight(number(name, "encounter", &tables.fights)?))
    } else if let Some(name) = &room.event {
        Some(Contents::Event(number(name, "event", &tables.events)?))
    } else if let Some(name) = &room.relic {
        Some(Contents::Relic(number(name, "relic", &tables.relics)?))
    } else {
        None
    })
}

fn number<T: From<u16>>((name, place): &Named, kind: &str, names: &Names) -> Result<T, Problem> {
    names.find(name).ok_or_else(|| {
        let near = hint(name, names.iter());
        Fault::Unknown.at(place, format!("no {kind} is called `{name}`{near}"))
    })
}

impl Rulebook {
    /// The map that was chosen.
    ///
    /// # Errors
    /// A name that no map has; a text that holds no sound map.
    pub fn plan(&self, choice: &MapChoice) -> Result<Plan, Rejection> {
        match choice {
            MapChoice::Name(name) => {
                self.plans.iter().find(|plan| plan.id == *name).cloned().ok_or_else(|| {
                    let near = hint(name, self.plans.iter().map(|plan| plan.id.as_str()));
                    Rejection::new("UNKNOWN_MAP", format!("no map is called `{name}`{near}"))
                })
            }
            MapChoice::Text(text) => self.plan_of(text),
        }
    }

    fn plan_of(&self, text: &str) -> Result<Plan, Rejection> {
        let sources = Sources::default().with_text("map", text);
        let maps = maps::load(&sources).and_then(|maps| Plan::load(&maps, &self.tables));
        let mut plans = maps.map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Rejection::new("BAD_MAP", lines.join("\n"))
        })?;
        match plans.pop() {
            Some(plan) if plans.is_empty() => Ok(plan),
            Some(_) => Err(Rejection::new(
                "BAD_MAP",
                "the file holds several maps; overlay them with --content and name one with --map",
            )),
            None => {
                Err(Rejection::new("BAD_MAP", "the file holds no map: write [map.NAME.node.ROOM] entries"))
            }
        }
    }

    /// What the map puts into the room the player is in.
    pub(super) fn contents_here(&self, s: &State) -> Option<Contents> {
        s.tower.hand_made.as_ref()?.at(s.tower.place?)
    }
}
