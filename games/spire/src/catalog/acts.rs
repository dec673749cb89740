//! The acts: with what fights each begins, of what rooms its map is made, and how that is drawn.

use super::defs::{Common, Entry};
use super::read::Reader;
use crate::seeds::{HEIGHT, PATHS, Room};
use turnstone_content::{Fields, Node, Place, Tree, hint};

/// An act. What it does not say is as in the original.
#[derive(Clone, Debug)]
pub struct Act {
    /// Its number is its id.
    pub common: Common,
    /// With how many weak fights it begins.
    pub(crate) weak_fights: i32,
    /// Percent of its rooms: shops, campfires, elites, events.
    pub rooms: [i32; 4],
    /// How many paths are drawn.
    pub paths: u8,
    /// What is added to a run's seed for its map.
    pub(crate) map_seed: u32,
    /// Rows of one kind of room.
    pub fixed: [Option<Room>; HEIGHT],
    /// The row from which on each kind of room may stand.
    pub(crate) first_row: [u8; Room::ALL.len()],
    /// The last row in which each may stand.
    pub(crate) last_row: [u8; Room::ALL.len()],
    /// Kinds of rooms of which no two follow each other.
    pub apart: Vec<Room>,
    /// A row that does not count where shares of all rooms are taken.
    pub uncounted: Option<u8>,
    /// The rooms of the last act, from its beginning to its boss.
    pub way: Vec<Room>,
}

impl Act {
    /// The act of that number in a content that says nothing about it.
    pub fn original(number: u8) -> Act {
        let mut fixed = [None; HEIGHT];
        (fixed[0], fixed[8], fixed[14]) = (Some(Room::Monster), Some(Room::Treasure), Some(Room::Rest));
        let (mut first_row, mut last_row) = ([0; Room::ALL.len()], [HEIGHT as u8 - 1; Room::ALL.len()]);
        (first_row[Room::Rest as usize], first_row[Room::Elite as usize]) = (5, 5);
        last_row[Room::Rest as usize] = 12;
        Act {
            common: Common::default(),
            weak_fights: 2,
            rooms: [5, 12, 8, 22],
            paths: 6,
            map_seed: [1, 200, 600][usize::from(number.clamp(1, 3)) - 1],
            fixed,
            first_row,
            last_row,
            apart: vec![Room::Rest, Room::Elite, Room::Shop],
            uncounted: Some(13),
            way: vec![Room::Rest, Room::Shop, Room::Elite],
        }
    }
}

/// The last act has a way of its own, the others have maps.
const LAST: &str = "4";

impl Entry for Act {
    const KIND: &'static str = "act";

    fn read(r: &mut Reader, f: &mut Fields<'_>, id: &str) -> Self {
        if !["1", "2", "3", LAST].contains(&id) {
            r.wrong(&f.place.clone(), format!("there is no act `{id}`; they are 1, 2, 3 and 4"));
        }
        let act = Act { common: Common::read(r, f, id), ..Act::original(id.parse().unwrap_or(1)) };
        if id == LAST {
            return Act { way: r.with(f, "way", Reader::way).unwrap_or(act.way.clone()), ..act };
        }
        let floors = 1..=HEIGHT as i64;
        Act {
            weak_fights: r.within(f, "weak_fights", 0..=8).unwrap_or(act.weak_fights),
            rooms: r.with(f, "rooms", Reader::shares).unwrap_or(act.rooms),
            paths: r.within(f, "paths", 1..=PATHS as i64).map_or(act.paths, |paths| paths as u8),
            map_seed: r.within(f, "map_seed", 0..=1_000_000).map_or(act.map_seed, |seed| seed as u32),
            fixed: r.with(f, "fixed", Reader::fixed_floors).unwrap_or(act.fixed),
            first_row: r.with(f, "first_floor", |r, n| r.floors(n, 1)).unwrap_or(act.first_row),
            last_row: r.with(f, "last_floor", |r, n| r.floors(n, HEIGHT as u8)).unwrap_or(act.last_row),
            apart: r.with(f, "apart", Reader::room_list).unwrap_or(act.apart.clone()),
            uncounted: match f.get("uncounted") {
                Some(Node { value: Tree::Bool(false), .. }) => None,
                Some(node) => Some(r.integer_in(node, floors) as u8 - 1),
                None => act.uncounted,
            },
            ..act
        }
    }
}

/// Rooms that a map may have besides its boss.
fn rooms() -> impl Iterator<Item = Room> + Clone {
    Room::ALL.iter().copied().filter(|room| *room != Room::Boss)
}

impl Reader {
    fn room(&mut self, word: &str, place: &Place) -> Option<Room> {
        let found = rooms().find(|room| room.word() == word);
        if found.is_none() {
            self.wrong(place, format!("no room `{word}`{}", hint(word, rooms().map(Room::word))));
        }
        found
    }

    fn room_list(&mut self, node: &Node) -> Vec<Room> {
        match &node.value {
            Tree::List(items) => items
                .iter()
                .filter_map(|item| self.text(item).and_then(|word| self.room(&word, &item.place)))
                .collect(),
            other => {
                self.wrong(&node.place, format!("expected a list of rooms, found {}", other.kind()));
                Vec::new()
            }
        }
    }

    fn way(&mut self, node: &Node) -> Vec<Room> {
        let way = self.room_list(node);
        if way.is_empty() || way.len() > HEIGHT {
            self.wrong(&node.place, format!("a way has 1 to {HEIGHT} rooms, not {}", way.len()));
        }
        way.into_iter().take(HEIGHT).collect()
    }

    /// `{ 1 = "monster", 9 = "treasure" }`.
    fn fixed_floors(&mut self, node: &Node) -> [Option<Room>; HEIGHT] {
        let mut fixed = [None; HEIGHT];
        let Some(fields) = Fields::open(node, &mut self.problems) else { return fixed };
        for (floor, place, node) in fields.keys() {
            let row = floor.parse::<usize>().ok().and_then(|floor| floor.checked_sub(1));
            let room = self.text(node).and_then(|word| self.room(&word, &node.place));
            match row.and_then(|row| fixed.get_mut(row)) {
                Some(row) => *row = room,
                None => self.wrong(place, format!("`{floor}` is no floor of a map; they are 1 to {HEIGHT}")),
            }
        }
        fixed
    }

    /// `{ rest = 6 }` as rows, for the others the floor that stands for no bound.
    fn floors(&mut self, node: &Node, otherwise: u8) -> [u8; Room::ALL.len()] {
        let mut rows = [otherwise - 1; Room::ALL.len()];
        let Some(fields) = Fields::open(node, &mut self.problems) else { return rows };
        for (word, place, node) in fields.keys() {
            let floor = self.integer_in(node, 1..=HEIGHT as i64);
            if let Some(room) = self.room(word, place) {
                rows[room as usize] = floor as u8 - 1;
            }
        }
        rows
    }

    fn shares(&mut self, node: &Node) -> [i32; 4] {
        let Some(mut fields) = Fields::open(node, &mut self.problems) else { return [0; 4] };
        let shares =
            ["shop", "rest", "elite", "event"].map(|key| self.within(&mut fields, key, 0..=100).unwrap_or(0));
        fields.finish("`rooms`", &mut self.problems);
        if shares.iter().sum::<i32>() > 100 {
            self.wrong(&node.place, "rooms cannot be more than 100 percent together".into());
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Content, Sources};

    fn load(text: &str) -> Result<Content, Vec<String>> {
        let sources = Sources::builtin("classic").with_text("x.toml", text);
        Content::load(&sources).map_err(|found| found.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn mistakes_in_acts_are_told_all_at_once_with_place_and_nearest_name() {
        let told = load(
            "[act.1]\npaths = 9\nmap_seed = -1\nfixed = { 16 = \"rest\", 3 = \"trezure\" }\n\
             first_floor = { elte = 4, rest = 0 }\napart = [\"shp\"]\nuncounted = 20\n\
             rooms = { shop = 60, rest = 60 }\nway = [\"rest\"]\n\n\
             [act.4]\nway = []\npaths = 3\n\n[act.5]\n",
        );
        assert_eq!(
            told.err().unwrap_or_default(),
            [
                "x.toml:2:9: expected a number from 1 to 8, found 9",
                "x.toml:3:12: expected a number from 0 to 1000000, found -1",
                "x.toml:4:11: `16` is no floor of a map; they are 1 to 15",
                "x.toml:4:28: no room `trezure`; did you mean `treasure`?",
                "x.toml:5:17: no room `elte`; did you mean `elite`?",
                "x.toml:5:34: expected a number from 1 to 15, found 0",
                "x.toml:6:10: no room `shp`; did you mean `shop`?",
                "x.toml:7:13: expected a number from 1 to 15, found 20",
                "x.toml:8:9: rooms cannot be more than 100 percent together",
                "x.toml:9:1: unknown key `way` in the act `1`; expected one of alias, apart, first_floor, fixed, \
                 last_floor, map_seed, name, note, paths, rooms, text, uncounted, weak_fights",
                "x.toml:12:7: a way has 1 to 15 rooms, not 0",
                "x.toml:13:1: unknown key `paths` in the act `4`; expected one of alias, name, note, text, way",
                "x.toml:15:6: there is no act `5`; they are 1, 2, 3 and 4",
            ]
        );
    }

    /// What the files say is what holds without them.
    #[test]
    fn the_acts_of_the_files_are_the_original_ones() {
        let content = load("").expect("sound");
        for act in &content.acts {
            let number: u8 = act.common.id.parse().expect("a number");
            let plain = super::Act {
                common: act.common.clone(),
                weak_fights: act.weak_fights,
                ..super::Act::original(number)
            };
            assert_eq!(format!("{act:?}"), format!("{plain:?}"));
        }
    }
}
