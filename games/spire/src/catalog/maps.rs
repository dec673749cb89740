//! Hand-made maps: `[map.ID]` with an entry for each of its rooms.
//!
//! A map is read like any other content. What is wrong with its ways is found here and told with a code, the
//! place in the file and, where a name is misspelt, the nearest one.

use serde_json::{Value, json};

use super::defs::{Common, Entry};
use super::load::Sources;
use super::read::Reader;
use crate::seeds::{HEIGHT, Room, WIDTH};
use turnstone_content::{Fields, Node, Place, Problem, Tree, hint};

/// A name that something else defines, and where it is written.
pub(crate) type Named = (String, Place);

/// A hand-made map.
#[derive(Clone, Debug)]
pub struct MapDef {
    /// Name, text and place.
    pub common: Common,
    /// Whose fights, events and rewards: 1 to 3.
    pub act: u8,
    /// Whether Neow waits at the bottom.
    pub neow: bool,
    /// Its rooms in the order of the file.
    pub rooms: Vec<RoomDef>,
}

impl MapDef {
    /// A sentence about it.
    pub fn about(&self) -> String {
        self.common.text.clone().unwrap_or_else(|| format!("{} rooms.", self.rooms.len()))
    }
}

/// A room of a hand-made map.
#[derive(Clone, Debug)]
pub struct RoomDef {
    /// Its name within the map.
    pub id: String,
    /// Where it is written.
    pub place: Place,
    /// Floor, 1 at the bottom.
    pub floor: u8,
    /// Column, 1 at the left.
    pub column: u8,
    /// What it is.
    pub room: Room,
    /// Who is fought here.
    pub encounter: Option<Named>,
    /// Which event it is.
    pub event: Option<Named>,
    /// What its chest holds.
    pub relic: Option<Named>,
    /// Whoever leaves this room has won.
    pub end: bool,
    /// The rooms it leads to.
    pub next: Vec<Named>,
}

/// What can be wrong with a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Fault {
    Act,
    Room,
    Place,
    Taken,
    Contents,
    Unknown,
    Next,
    Climb,
    DeadEnd,
    NoStart,
    NoEnd,
    Unreachable,
    Cycle,
}

impl Fault {
    /// The stable code.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Fault::Act => "MAP_ACT",
            Fault::Room => "MAP_ROOM",
            Fault::Place => "MAP_PLACE",
            Fault::Taken => "MAP_TAKEN",
            Fault::Contents => "MAP_CONTENTS",
            Fault::Unknown => "MAP_UNKNOWN_NAME",
            Fault::Next => "MAP_NEXT",
            Fault::Climb => "MAP_CLIMB",
            Fault::DeadEnd => "MAP_DEAD_END",
            Fault::NoStart => "MAP_NO_START",
            Fault::NoEnd => "MAP_NO_END",
            Fault::Unreachable => "MAP_UNREACHABLE",
            Fault::Cycle => "MAP_CYCLE",
        }
    }

    /// The problem, told at its place.
    pub(crate) fn at(self, place: &Place, text: impl AsRef<str>) -> Problem {
        Problem { place: place.clone(), message: format!("{}: {}", self.code(), text.as_ref()) }
    }
}

/// All maps of the content, later layers over earlier ones.
///
/// # Errors
/// Every problem found.
pub fn load(sources: &Sources) -> Result<Vec<MapDef>, Vec<Problem>> {
    super::load::load_kind(sources)
}

impl Entry for MapDef {
    const KIND: &'static str = "map";

    fn read(reader: &mut Reader, fields: &mut Fields<'_>, id: &str) -> Self {
        let common = Common::read(reader, fields, id);
        let act = reader.with(fields, "act", |reader, node| {
            let act = reader.integer(node);
            if !(1..=3).contains(&act) {
                let text = format!("there is no act {act}; a map takes its fights from act 1, 2 or 3");
                reader.problems.push(Fault::Act.at(&node.place, text));
            }
            act.clamp(1, 3) as u8
        });
        let neow = reader.with(fields, "neow", Reader::truth).unwrap_or(true);
        let before = reader.problems.len();
        let rooms = fields.get("node").map(|nodes| read_rooms(reader, nodes)).unwrap_or_default();
        let map = MapDef { common, act: act.unwrap_or(1), neow, rooms };
        // The ways are looked at once every room is sound by itself.
        if reader.problems.len() == before {
            check(&map, &mut reader.problems);
        }
        map
    }
}

fn read_rooms(reader: &mut Reader, nodes: &Node) -> Vec<RoomDef> {
    let Some(rows) = Fields::open(nodes, &mut reader.problems) else { return Vec::new() };
    let mut rooms = Vec::new();
    for (id, place, node) in rows.keys() {
        let Some(mut fields) = Fields::open(node, &mut reader.problems) else { continue };
        rooms.extend(read_room(reader, &mut fields, id, place));
        fields.finish(&format!("the room `{id}`"), &mut reader.problems);
    }
    rooms
}

fn read_room(reader: &mut Reader, fields: &mut Fields<'_>, id: &str, place: &Place) -> Option<RoomDef> {
    let floor = within(reader, fields, place, "floor", HEIGHT);
    let column = within(reader, fields, place, "column", WIDTH);
    let room = reader.must(fields, "room", read_kind);
    let mut name = |key: &'static str| {
        reader.with(fields, key, |reader, node| Some((reader.text(node)?, node.place.clone()))).flatten()
    };
    let (encounter, event, relic) = (name("encounter"), name("event"), name("relic"));
    let room = RoomDef {
        id: id.to_owned(),
        place: place.clone(),
        encounter,
        event,
        relic,
        end: reader.with(fields, "end", Reader::truth).unwrap_or(false),
        next: reader.with(fields, "next", read_next).unwrap_or_default(),
        floor: floor?,
        column: column?,
        room: room?,
    };
    check_contents(reader, &room);
    Some(room)
}

fn within(
    reader: &mut Reader,
    fields: &mut Fields<'_>,
    place: &Place,
    key: &'static str,
    most: usize,
) -> Option<u8> {
    let Some(node) = fields.get(key) else {
        reader.problems.push(Fault::Place.at(place, format!("the room needs a `{key}`, from 1 to {most}")));
        return None;
    };
    let number = reader.integer(node);
    let found = u8::try_from(number).ok().filter(|n| (1..=most).contains(&usize::from(*n)));
    if found.is_none() {
        let text = format!("`{key}` goes from 1 to {most}, not {number}");
        reader.problems.push(Fault::Place.at(&node.place, text));
    }
    found
}

fn read_kind(reader: &mut Reader, node: &Node) -> Option<Room> {
    let word = reader.text(node)?;
    let found = Room::ALL.iter().copied().find(|room| room.word() == word);
    if found.is_none() {
        let near = hint(&word, Room::ALL.iter().map(|room| room.word()));
        reader.problems.push(Fault::Room.at(&node.place, format!("no room is called `{word}`{near}")));
    }
    found
}

fn read_next(reader: &mut Reader, node: &Node) -> Vec<Named> {
    match &node.value {
        Tree::List(items) => {
            items.iter().filter_map(|item| Some((reader.text(item)?, item.place.clone()))).collect()
        }
        _ => reader.text(node).map(|name| (name, node.place.clone())).into_iter().collect(),
    }
}

/// What is put into a room must fit its kind.
fn check_contents(reader: &mut Reader, room: &RoomDef) {
    let fight = matches!(room.room, Room::Monster | Room::Elite | Room::Boss);
    let fits = [
        (&room.encounter, fight, "encounter", "a monster, elite or boss room"),
        (&room.event, room.room == Room::Event, "event", "an event room"),
        (&room.relic, room.room == Room::Treasure, "relic", "a treasure room"),
    ];
    for (named, right, key, wanted) in fits {
        if let (Some((_, place)), false) = (named, right) {
            let text = format!("`{key}` belongs into {wanted}, not a {} room", room.room.word());
            reader.problems.push(Fault::Contents.at(place, text));
        }
    }
}

/// Finds everything that is wrong with the ways of a map.
fn check(map: &MapDef, problems: &mut Vec<Problem>) {
    let Some(ways) = Ways::of(map, problems) else { return };
    let rooms = &map.rooms;
    let starts: Vec<usize> = (0..rooms.len()).filter(|&at| rooms[at].floor == 1).collect();
    if starts.is_empty() {
        problems.push(Fault::NoStart.at(&map.common.place, "no room lies on floor 1, where a climb begins"));
    }
    if !rooms.iter().any(|room| room.end) {
        let text = "no room says `end = true`, so that the map cannot be won";
        problems.push(Fault::NoEnd.at(&map.common.place, text));
    }
    if let Some(circle) = ways.circle() {
        let names: Vec<&str> = circle.iter().map(|&at| rooms[at].id.as_str()).collect();
        let text = format!("these rooms lead round in a circle: {}", names.join(", "));
        problems.push(Fault::Cycle.at(&rooms[circle[0]].place, text));
        return;
    }
    let (found, won) = (ways.closure(&starts, &ways.up), ways.closure(&ways.ends(map), &ways.down()));
    for (at, room) in rooms.iter().enumerate() {
        check_room(map, &ways, at, problems);
        if !found[at] && !starts.is_empty() {
            let text = format!("no way leads from floor 1 to the room `{}`", room.id);
            problems.push(Fault::Unreachable.at(&room.place, text));
        }
        if !won[at] && !ways.up[at].is_empty() {
            let text = format!("no way leads from the room `{}` to a room with `end = true`", room.id);
            problems.push(Fault::NoEnd.at(&room.place, text));
        }
    }
}

/// Every connection leads one floor up; only the end leads nowhere.
fn check_room(map: &MapDef, ways: &Ways, at: usize, problems: &mut Vec<Problem>) {
    let room = &map.rooms[at];
    match (room.end, room.next.is_empty()) {
        (false, true) => {
            let text = format!("the room `{}` leads nowhere: say `next`, or `end = true`", room.id);
            problems.push(Fault::DeadEnd.at(&room.place, text));
        }
        (true, false) => {
            let text = format!("the room `{}` is an end and leads on: keep one of the two", room.id);
            problems.push(Fault::DeadEnd.at(&room.place, text));
        }
        _ => {}
    }
    for (&to, (name, place)) in ways.up[at].iter().zip(&room.next) {
        let above = map.rooms[to].floor;
        if above != room.floor + 1 {
            let text = format!(
                "`{name}` lies on floor {above}, but a way from floor {} leads to floor {}",
                room.floor,
                room.floor + 1
            );
            problems.push(Fault::Climb.at(place, text));
        }
    }
}

/// The connections by the rooms' numbers.
struct Ways {
    up: Vec<Vec<usize>>,
}

impl Ways {
    /// `None` if a name is unknown or two rooms share a place.
    fn of(map: &MapDef, problems: &mut Vec<Problem>) -> Option<Ways> {
        let (rooms, before) = (&map.rooms, problems.len());
        let mut up = Vec::new();
        for (at, room) in rooms.iter().enumerate() {
            let same = |other: &&RoomDef| (other.floor, other.column) == (room.floor, room.column);
            if let Some(other) = rooms[..at].iter().find(same) {
                let text = format!("the room `{}` lies here already", other.id);
                problems.push(Fault::Taken.at(&room.place, text));
            }
            let mut to = Vec::new();
            for (name, place) in &room.next {
                match rooms.iter().position(|other| other.id == *name) {
                    Some(found) => to.push(found),
                    None => {
                        let near = hint(name, rooms.iter().map(|room| room.id.as_str()));
                        let text = format!("no room of this map is called `{name}`{near}");
                        problems.push(Fault::Next.at(place, text));
                    }
                }
            }
            up.push(to);
        }
        (problems.len() == before).then_some(Ways { up })
    }

    fn down(&self) -> Vec<Vec<usize>> {
        let mut down = vec![Vec::new(); self.up.len()];
        for (at, to) in self.up.iter().enumerate() {
            to.iter().for_each(|&above| down[above].push(at));
        }
        down
    }

    fn ends(&self, map: &MapDef) -> Vec<usize> {
        (0..map.rooms.len()).filter(|&at| map.rooms[at].end).collect()
    }

    /// The rooms that can be reached from some.
    fn closure(&self, from: &[usize], ways: &[Vec<usize>]) -> Vec<bool> {
        let mut seen = vec![false; ways.len()];
        let mut open = from.to_vec();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                open.extend(&ways[at]);
            }
        }
        seen
    }

    /// Rooms that lead back to themselves, if there are any: what is left when all others are taken away.
    fn circle(&self) -> Option<Vec<usize>> {
        let mut left: Vec<usize> = (0..self.up.len()).collect();
        loop {
            let count = left.len();
            let inner = left.clone();
            left.retain(|&at| self.up[at].iter().any(|to| inner.contains(to)));
            let leading = left.clone();
            left.retain(|&at| leading.iter().any(|&from| self.up[from].contains(&at)));
            if left.len() == count {
                return (!left.is_empty()).then_some(left);
            }
        }
    }
}

/// The JSON Schema of a file of maps.
pub(crate) fn schema() -> Value {
    let rooms: Vec<&str> = Room::ALL.iter().map(|room| room.word()).collect();
    let number = |about: &str, most: usize| json!({ "description": about, "type": "integer", "minimum": 1, "maximum": most });
    let word = |about: &str| json!({ "description": about, "type": "string" });
    let truth = |about: &str| json!({ "description": about, "type": "boolean" });
    let node = json!({
        "type": "object",
        "properties": {
            "floor": number("Floor, 1 at the bottom", HEIGHT),
            "column": number("Column, 1 at the left", WIDTH),
            "room": { "description": "What the room is", "enum": rooms },
            "encounter": word("Who is fought in a monster, elite or boss room; drawn as in the spire unless given"),
            "event": word("Which event an event room is; unknown until entered unless given"),
            "relic": word("What the chest of a treasure room holds; drawn unless given"),
            "next": {
                "description": "The rooms of the next floor it leads to",
                "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
            },
            "end": truth("Whoever leaves this room has won"),
        },
        "required": ["floor", "column", "room"],
        "additionalProperties": false,
    });
    let map = json!({
        "type": "object",
        "properties": {
            "name": word("The name"), "text": word("A sentence about it"), "note": word("For authors, ignored"),
            "alias": { "description": "Other names", "type": "array", "items": { "type": "string" } },
            "act": number("Whose fights, events and rewards", 3),
            "neow": truth("Whether Neow waits at the bottom; true unless given"),
            "node": { "description": "The rooms by their names", "type": "object", "additionalProperties": node },
            "replace": truth("Starts the entry anew instead of changing it key by key"),
            "delete": truth("Removes the entry"),
        },
        "required": ["node"],
        "additionalProperties": false,
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hand-made maps of the spire",
        "type": "object",
        "properties": { "map": { "type": "object", "additionalProperties": map } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let sources = Sources::default().with_text("mine.toml", text);
        load(&sources).err().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    /// Rooms of a map `m`, one line each: name, floor, column, and the rest of the entry.
    fn rooms(lines: &[(&str, u8, u8, &str)]) -> String {
        let room = |(id, floor, column, rest): &(&str, u8, u8, &str)| {
            format!("[map.m.node.{id}]\nfloor = {floor}\ncolumn = {column}\nroom = \"monster\"\n{rest}\n")
        };
        lines.iter().map(room).collect()
    }

    #[test]
    fn a_sound_map_loads() {
        let text = rooms(&[
            ("a", 1, 1, "next = [\"b\", \"c\"]"),
            ("b", 2, 1, "next = \"d\""),
            ("c", 2, 7, "next = [\"d\"]"),
            ("d", 3, 4, "end = true"),
        ]);
        let maps = load(&Sources::default().with_text("mine.toml", &text)).expect("sound");
        assert_eq!((maps[0].rooms.len(), maps[0].act, maps[0].neow), (4, 1, true));
        assert_eq!(maps[0].rooms[0].next.len(), 2);
    }

    #[test]
    fn unknown_rooms_and_connections_name_the_nearest() {
        let text = "[map.m.node.a]\nfloor = 1\ncolumn = 1\nroom = \"shopp\"\nend = true\n";
        assert_eq!(
            problems(text),
            ["mine.toml:4:8: MAP_ROOM: no room is called `shopp`; did you mean `shop`?"]
        );
        let text = rooms(&[("camp", 1, 1, "next = [\"cavve\"]"), ("cave", 2, 1, "end = true")]);
        assert_eq!(
            problems(&text),
            ["mine.toml:5:9: MAP_NEXT: no room of this map is called `cavve`; did you mean `cave`?"]
        );
    }

    #[test]
    fn places_off_the_grid_missing_or_taken_are_told() {
        let text =
            "[map.m.node.a]\nfloor = 16\ncolumn = 0\nroom = \"rest\"\n[map.m.node.b]\nroom = \"rest\"\n";
        assert_eq!(
            problems(text),
            [
                "mine.toml:2:9: MAP_PLACE: `floor` goes from 1 to 15, not 16",
                "mine.toml:3:10: MAP_PLACE: `column` goes from 1 to 7, not 0",
                "mine.toml:5:13: MAP_PLACE: the room needs a `floor`, from 1 to 15",
                "mine.toml:5:13: MAP_PLACE: the room needs a `column`, from 1 to 7",
            ]
        );
        let text = rooms(&[("a", 1, 1, "end = true"), ("b", 1, 1, "end = true")]);
        assert_eq!(problems(&text), ["mine.toml:6:13: MAP_TAKEN: the room `a` lies here already"]);
    }

    #[test]
    fn a_map_needs_a_start_and_an_end() {
        let text = rooms(&[("a", 2, 1, "end = true")]);
        assert_eq!(
            problems(&text),
            ["mine.toml:1:6: MAP_NO_START: no room lies on floor 1, where a climb begins"]
        );
        let text = rooms(&[("a", 1, 1, "")]);
        let found = problems(&text);
        assert!(found[0].contains("MAP_NO_END: no room says `end = true`"), "{found:?}");
        assert!(found[1].contains("MAP_DEAD_END: the room `a` leads nowhere"), "{found:?}");
    }

    #[test]
    fn rooms_that_cannot_be_reached_or_lead_to_no_end_are_told() {
        let text =
            rooms(&[("a", 1, 1, "next = \"b\""), ("b", 2, 1, "end = true"), ("c", 2, 2, "end = true")]);
        assert_eq!(
            problems(&text),
            ["mine.toml:11:13: MAP_UNREACHABLE: no way leads from floor 1 to the room `c`"]
        );
        let text = rooms(&[("a", 1, 1, "next = \"b\""), ("b", 2, 1, ""), ("c", 1, 2, "end = true")]);
        let found = problems(&text);
        assert!(found[0].contains("MAP_NO_END: no way leads from the room `a`"), "{found:?}");
        assert!(found[1].contains("MAP_DEAD_END: the room `b`"), "{found:?}");
    }

    #[test]
    fn circles_and_ways_that_skip_a_floor_are_told() {
        let text = rooms(&[
            ("a", 1, 1, "next = [\"b\"]"),
            ("b", 2, 1, "next = [\"c\", \"d\"]"),
            ("c", 3, 1, "next = [\"b\"]"),
            ("d", 3, 2, "end = true"),
        ]);
        assert_eq!(problems(&text), ["mine.toml:6:13: MAP_CYCLE: these rooms lead round in a circle: b, c"]);
        let text = rooms(&[("a", 1, 1, "next = \"b\""), ("b", 3, 1, "end = true")]);
        let wrong = "MAP_CLIMB: `b` lies on floor 3, but a way from floor 1 leads to floor 2";
        assert_eq!(problems(&text), [format!("mine.toml:5:8: {wrong}")]);
    }

    #[test]
    fn contents_fit_their_room_and_ends_lead_nowhere() {
        let text = rooms(&[("a", 1, 1, "event = \"big_fish\"\nend = true")]);
        assert_eq!(
            problems(&text),
            ["mine.toml:5:9: MAP_CONTENTS: `event` belongs into an event room, not a monster room"]
        );
        let text = rooms(&[("a", 1, 1, "end = true\nnext = \"b\""), ("b", 2, 1, "end = true")]);
        assert!(problems(&text)[0].contains("MAP_DEAD_END: the room `a` is an end and leads on"));
    }

    #[test]
    fn names_stand_once() {
        let text = rooms(&[("a", 1, 1, "end = true"), ("a", 2, 1, "end = true")]);
        let found = problems(&text);
        assert!(found.len() == 1 && found[0].contains("duplicate key"), "{found:?}");
        let one = "[map.m.node.a]\nfloor = 1\ncolumn = 1\nroom = \"rest\"\nact = 4\n";
        assert!(problems(one)[0].contains("unknown key `act` in the room `a`"), "{:?}", problems(one));
        let act = format!("[map.m]\nact = 4\n{}", rooms(&[("a", 1, 1, "end = true")]));
        assert!(problems(&act)[0].contains("MAP_ACT: there is no act 4"), "{:?}", problems(&act));
    }

    /// What the schema lists is what the reader asks for.
    #[test]
    fn the_schema_knows_every_key() {
        let schema = schema();
        let map = &schema["properties"]["map"]["additionalProperties"]["properties"];
        let node = &map["node"]["additionalProperties"]["properties"];
        for (keys, inside) in [(map, "[map.m]\nnode = {}\n"), (node, "[map.m.node.a]\n")] {
            for key in keys.as_object().expect("keys").keys().filter(|key| *key != "node") {
                let text = format!("{inside}{key} = true\n");
                let told = problems(&text).join("\n");
                assert!(!told.contains("unknown key"), "{key}: {told}");
            }
        }
    }
}
