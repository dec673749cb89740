//! Dungeons by binary space partition.
//!
//! The generator multiplies in IEEE doubles and keeps 31 bits, as recorded; the
//! one place here where floating point decides anything.

use serde::Serialize;

/// What a cell of a dungeon is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tile {
    /// Solid rock.
    Wall,
    /// A room's floor.
    Floor,
    /// A corridor.
    Corridor,
    /// A door.
    Door,
    /// A trap.
    Trap,
    /// A treasure.
    Treasure,
    /// Stairs up.
    Up,
    /// Stairs down.
    Down,
}

impl Tile {
    /// The character that rows are written with.
    pub fn symbol(self) -> char {
        match self {
            Tile::Wall => '#',
            Tile::Floor => '.',
            Tile::Corridor => ',',
            Tile::Door => '+',
            Tile::Trap => '^',
            Tile::Treasure => '$',
            Tile::Up => '<',
            Tile::Down => '>',
        }
    }
}

/// A point of a dungeon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// Column.
    pub x: i64,
    /// Row.
    pub y: i64,
}

/// A room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Room {
    /// Left column.
    pub x: i64,
    /// Top row.
    pub y: i64,
    /// Columns.
    pub w: i64,
    /// Rows.
    pub h: i64,
}

impl Room {
    /// The cell in its middle.
    pub fn centre(&self) -> Spot {
        Spot { x: self.x + self.w / 2, y: self.y + self.h / 2 }
    }

    /// Its number of cells.
    pub fn area(&self) -> i64 {
        self.w * self.h
    }
}

/// Monsters that wait in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ambush {
    /// The dungeon's difficulty.
    pub difficulty: String,
    /// How many.
    pub monster_count: i64,
    /// Where.
    pub room_center: Spot,
    /// How large the room is.
    pub room_size: i64,
}

/// How a dungeon is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Columns.
    pub width: i64,
    /// Rows.
    pub height: i64,
    /// Smallest side of a room.
    pub min_room: i64,
    /// How often the map is split.
    pub depth: u32,
    /// `easy`, `medium` or `hard`: how likely rooms are guarded.
    pub difficulty: String,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 40, height: 30, min_room: 4, depth: 4, difficulty: "medium".to_string() }
    }
}

/// A dungeon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dungeon {
    /// Columns.
    pub width: i64,
    /// Rows.
    pub height: i64,
    /// The cells, row by row.
    pub tiles: Vec<Tile>,
    /// The rooms, in the order in which they were made.
    pub rooms: Vec<Room>,
    /// The doors.
    pub doors: Vec<Spot>,
    /// The traps.
    pub traps: Vec<Spot>,
    /// The treasures.
    pub treasures: Vec<Spot>,
    /// Stairs up and down, in a dungeon of two rooms or more.
    pub stairs: Option<(Spot, Spot)>,
    /// Guarded rooms.
    pub encounters: Vec<Ambush>,
}

/// Digs a dungeon. The same seed digs the same dungeon.
///
/// ```
/// use turnstone_skirmish::world::dungeon::{Options, dig};
/// let dungeon = dig(1, &Options { width: 30, height: 20, ..Options::default() });
/// assert_eq!(dungeon.rooms.len(), 5);
/// assert_eq!(dungeon.rows()[1], "#....................$########");
/// ```
pub fn dig(seed: i64, options: &Options) -> Dungeon {
    let (width, height) = (options.width.clamp(1, 200), options.height.clamp(1, 200));
    let mut digger = Digger {
        random: Random { state: seed as i32 },
        options,
        dungeon: Dungeon {
            width,
            height,
            tiles: vec![Tile::Wall; (width * height) as usize],
            rooms: Vec::new(),
            doors: Vec::new(),
            traps: Vec::new(),
            treasures: Vec::new(),
            stairs: None,
            encounters: Vec::new(),
        },
    };
    digger.split(Room { x: 0, y: 0, w: width, h: height }, 0);
    digger.carve();
    digger.doors();
    digger.traps();
    digger.treasures();
    digger.stairs();
    digger.encounters();
    digger.dungeon
}

struct Random {
    state: i32,
}

impl Random {
    fn next(&mut self) -> i64 {
        let product = f64::from(self.state) * 1_103_515_245.0 + 12_345.0;
        // A double is cut to 32 bits the way JavaScript's bit operators do it.
        self.state = (product as i128 as u32 & 0x7fff_ffff) as i32;
        self.state.into()
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.next().rem_euclid((high - low + 1).max(1))
    }

    fn float(&mut self) -> f64 {
        self.next() as f64 / f64::from(0x7fff_ffff)
    }

    fn heads(&mut self) -> bool {
        self.float() > 0.5
    }
}

struct Digger<'a> {
    random: Random,
    options: &'a Options,
    dungeon: Dungeon,
}

impl Digger<'_> {
    fn split(&mut self, part: Room, depth: u32) {
        let min = self.options.min_room;
        let least = 2 * min + 3;
        if depth >= self.options.depth || part.w < least || part.h < least {
            let room = self.room(part);
            self.dungeon.rooms.push(room);
        } else if self.random.heads() {
            let row = self.random.between(part.y + min + 1, part.y + part.h - min - 1);
            self.split(Room { h: row - part.y, ..part }, depth + 1);
            self.split(Room { y: row, h: part.y + part.h - row, ..part }, depth + 1);
        } else {
            let column = self.random.between(part.x + min + 1, part.x + part.w - min - 1);
            self.split(Room { w: column - part.x, ..part }, depth + 1);
            self.split(Room { x: column, w: part.x + part.w - column, ..part }, depth + 1);
        }
    }

    fn room(&mut self, part: Room) -> Room {
        let min = self.options.min_room;
        let w = self.random.between(min, min.max(part.w - 2));
        let h = self.random.between(min, min.max(part.h - 2));
        let x = self.random.between(part.x + 1, (part.x + 1).max(part.x + part.w - w - 1));
        let y = self.random.between(part.y + 1, (part.y + 1).max(part.y + part.h - h - 1));
        Room { x, y, w, h }
    }

    fn carve(&mut self) {
        for room in self.dungeon.rooms.clone() {
            for y in room.y..room.y + room.h {
                for x in room.x..room.x + room.w {
                    self.dungeon.set(x, y, Tile::Floor);
                }
            }
        }
        for pair in self.dungeon.rooms.clone().windows(2) {
            self.corridor(pair[0].centre(), pair[1].centre());
        }
    }

    fn corridor(&mut self, from: Spot, to: Spot) {
        let (mut x, mut y) = (from.x, from.y);
        if self.random.heads() {
            self.dig_row(&mut x, y, to.x);
            self.dig_column(x, &mut y, to.y);
        } else {
            self.dig_column(x, &mut y, to.y);
            self.dig_row(&mut x, y, to.x);
        }
        self.dungeon.set(x, y, Tile::Corridor);
    }

    fn dig_row(&mut self, x: &mut i64, y: i64, goal: i64) {
        while *x != goal {
            self.dungeon.set(*x, y, Tile::Corridor);
            *x += (goal - *x).signum();
        }
    }

    fn dig_column(&mut self, x: i64, y: &mut i64, goal: i64) {
        while *y != goal {
            self.dungeon.set(x, *y, Tile::Corridor);
            *y += (goal - *y).signum();
        }
    }

    /// One door per room, where a corridor meets its edge.
    fn doors(&mut self) {
        for room in self.dungeon.rooms.clone() {
            let candidates = self.door_candidates(&room);
            if candidates.is_empty() {
                continue;
            }
            let door = candidates[self.random.next() as usize % candidates.len()];
            self.dungeon.set(door.x, door.y, Tile::Door);
            self.dungeon.doors.push(door);
        }
    }

    fn door_candidates(&self, room: &Room) -> Vec<Spot> {
        let (bottom, right) = (room.y + room.h - 1, room.x + room.w - 1);
        let columns = (room.x..=right).flat_map(|x| [(x, room.y, x, room.y - 1), (x, bottom, x, bottom + 1)]);
        let rows = (room.y..=bottom).flat_map(|y| [(room.x, y, room.x - 1, y), (right, y, right + 1, y)]);
        columns
            .chain(rows)
            .filter(|(_, _, out_x, out_y)| self.dungeon.tile(*out_x, *out_y) == Some(Tile::Corridor))
            .map(|(x, y, _, _)| Spot { x, y })
            .collect()
    }

    fn traps(&mut self) {
        let large: Vec<Room> = self.dungeon.rooms.iter().copied().filter(|r| r.area() >= 9).collect();
        for _ in 0..3 {
            if large.is_empty() {
                return;
            }
            let room = large[self.random.next() as usize % large.len()];
            let x = self.random.between(room.x + 1, room.x + room.w - 2);
            let y = self.random.between(room.y + 1, room.y + room.h - 2);
            if self.dungeon.tile(x, y) == Some(Tile::Floor) {
                self.dungeon.set(x, y, Tile::Trap);
                self.dungeon.traps.push(Spot { x, y });
            }
        }
    }

    fn treasures(&mut self) {
        for _ in 0..3 {
            let count = self.dungeon.rooms.len();
            let room = self.dungeon.rooms[self.random.next() as usize % count];
            let x = self.random.between(room.x, room.x + room.w - 1);
            let y = self.random.between(room.y, room.y + room.h - 1);
            if self.dungeon.tile(x, y) == Some(Tile::Floor) {
                self.dungeon.set(x, y, Tile::Treasure);
                self.dungeon.treasures.push(Spot { x, y });
            }
        }
    }

    fn stairs(&mut self) {
        let mut rooms = self.dungeon.rooms.clone();
        if rooms.len() < 2 {
            return;
        }
        for i in (1..rooms.len()).rev() {
            let j = self.random.next() as usize % (i + 1);
            rooms.swap(i, j);
        }
        let (up, down) = (rooms[0].centre(), rooms[rooms.len() - 1].centre());
        self.dungeon.set(up.x, up.y, Tile::Up);
        self.dungeon.set(down.x, down.y, Tile::Down);
        self.dungeon.stairs = Some((up, down));
    }

    fn encounters(&mut self) {
        let chance = match self.options.difficulty.as_str() {
            "easy" => 0.3,
            "hard" => 0.7,
            _ => 0.5,
        };
        for room in self.dungeon.rooms.clone() {
            if self.random.float() < chance {
                let monster_count = self.random.between(1, (room.area() / 12).max(1));
                self.dungeon.encounters.push(Ambush {
                    difficulty: self.options.difficulty.clone(),
                    monster_count,
                    room_center: room.centre(),
                    room_size: room.area(),
                });
            }
        }
    }
}

impl Dungeon {
    /// The cell at these coordinates, if it is on the map.
    pub fn tile(&self, x: i64, y: i64) -> Option<Tile> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| self.tiles[(y * self.width + x) as usize])
    }

    fn set(&mut self, x: i64, y: i64, tile: Tile) {
        if self.tile(x, y).is_some() {
            self.tiles[(y * self.width + x) as usize] = tile;
        }
    }

    /// The map as text.
    pub fn rows(&self) -> Vec<String> {
        self.tiles.chunks(self.width as usize).map(|row| row.iter().map(|t| t.symbol()).collect()).collect()
    }

    /// How many cells are not rock.
    pub fn open_cells(&self) -> usize {
        self.tiles.iter().filter(|t| **t != Tile::Wall).count()
    }
}
