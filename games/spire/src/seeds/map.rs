//! The map of an act: paths through a grid of 7 by 15, then rooms dealt to its nodes. How many paths, of what rooms and
//! where which may stand is content (`[act.…]`); the grid is not, since every map is an array of its size.

use crate::floats::Single;
use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::ids::{Rules, words};
use super::stream::Stream;
use crate::catalog::acts::Act;

/// Columns of a map.
pub(crate) const WIDTH: usize = 7;
/// Rows of a map, the boss not counted.
pub const HEIGHT: usize = 15;
/// The row of the boss.
pub const BOSS_ROW: u8 = 15;
/// The most paths that a map is drawn of.
pub(crate) const PATHS: usize = 8;

words! {
    /// What a node of the map holds.
    Room {
        /// A normal fight.
        Monster = "monster",
        /// A strong fight for a relic.
        Elite = "elite",
        /// A campfire.
        Rest = "rest",
        /// The merchant.
        Shop = "shop",
        /// A chest.
        Treasure = "treasure",
        /// Unknown until entered.
        Event = "event",
        /// The boss of the act.
        Boss = "boss",
    }
}

impl Room {
    /// The letter on maps.
    pub fn letter(self) -> char {
        match self {
            Room::Monster => 'M',
            Room::Elite => 'E',
            Room::Rest => 'R',
            Room::Shop => '$',
            Room::Treasure => 'T',
            Room::Event => '?',
            Room::Boss => 'B',
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What the burning elite of an act gains: its place in [`Tables::burnings`](super::Tables::burnings).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Burning(pub u8);

/// The bit of a node that leads out of the map: whoever leaves it has reached the end of a hand-made one.
pub const OUT: u8 = 1 << WIDTH;

/// One place of the grid. It belongs to the map if an edge leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    /// Columns of the next row that can be reached, one bit each; [`OUT`] if the way ends here.
    pub edges: u8,
    /// The room, once dealt.
    pub room: Option<Room>,
}

impl Node {
    /// Whether the node belongs to the map.
    #[inline]
    pub fn exists(self) -> bool {
        self.edges != 0
    }

    /// Whether the way ends here.
    #[inline]
    pub(crate) fn leads_out(self) -> bool {
        self.edges & OUT != 0
    }

    /// The columns of the next row that can be reached, from left to right.
    pub fn targets(self) -> impl Iterator<Item = u8> {
        columns(self.edges)
    }
}

/// The set bits of a column mask, from left to right.
pub fn columns(mask: u8) -> impl Iterator<Item = u8> {
    (0..WIDTH as u8).filter(move |c| mask >> c & 1 == 1)
}

/// A node's column and row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Column, 0 at the left.
    pub x: u8,
    /// Row, 0 at the bottom.
    pub y: u8,
}

/// The map of one act.
///
/// ```
/// use turnstone_spire::seeds::{Map, Rules, Tables};
/// let map = Map::generate(&Tables::embedded().map_plan(1, 0), 1, Rules::Original);
/// assert_eq!(map.burning.map(|(place, _)| (place.x, place.y)), Some((3, 13)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Map {
    /// Rows from the bottom, each from left to right.
    pub rows: [[Node; WIDTH]; HEIGHT],
    /// The burning elite and what it gains.
    pub burning: Option<(Place, Burning)>,
}

impl Map {
    /// The map of an act for a run's seed.
    pub fn generate(plan: &MapPlan, seed: u64, rules: Rules) -> Map {
        let mut stream = plan.stream(seed);
        let mut draft = Draft::default();
        draft.draw_paths(plan.paths, &mut stream);
        draft.prune_first_row();
        let (total, open) = draft.count(plan);
        let mut rooms = RoomList::new(total, open, plan.shares);
        rooms.shuffle(&mut stream);
        draft.deal(&mut rooms, plan, rules);
        draft.finish(&mut stream, plan.burnings)
    }

    /// A map without rooms.
    pub const fn empty() -> Map {
        Map { rows: [[Node { edges: 0, room: None }; WIDTH]; HEIGHT], burning: None }
    }

    /// The map of the last act: rooms in a line.
    pub fn line(way: &[Room]) -> Map {
        let mut map = Map::empty();
        for (row, room) in map.rows.iter_mut().zip(way) {
            row[3] = Node { edges: 1 << 3, room: Some(*room) };
        }
        map
    }

    /// How many rows it has, the boss not counted.
    pub fn height(&self) -> u8 {
        let top = self.rows.iter().rposition(|row| row.iter().any(|node| node.exists()));
        top.map_or(0, |top| top as u8 + 1)
    }

    /// A node; places off the grid hold nothing.
    #[inline]
    pub fn node(&self, place: Place) -> Node {
        let row = self.rows.get(usize::from(place.y));
        row.and_then(|r| r.get(usize::from(place.x))).copied().unwrap_or_default()
    }

    /// The nodes of a row that belong to the map, from left to right.
    pub fn row(&self, y: u8) -> impl Iterator<Item = (Place, Node)> + '_ {
        let nodes = self.rows.get(usize::from(y)).into_iter().flatten();
        nodes.enumerate().filter(|(_, n)| n.exists()).map(move |(x, &n)| (Place { x: x as u8, y }, n))
    }

    /// All nodes that belong to the map, row by row upwards.
    pub fn nodes(&self) -> impl Iterator<Item = (Place, Node)> + '_ {
        (0..HEIGHT as u8).flat_map(|y| self.row(y))
    }
}

/// Draws the map with the boss on top, one character per node and the edges between.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>13}", "B")?;
        for y in (0..HEIGHT).rev() {
            writeln!(f, "   {}", self.edge_line(y))?;
            writeln!(f, "{y:>2} {}", self.room_line(y))?;
        }
        Ok(())
    }
}

impl Map {
    fn room_line(&self, y: usize) -> String {
        let mut line = String::with_capacity(WIDTH * 3);
        for (x, node) in self.rows[y].iter().enumerate() {
            let place = Place { x: x as u8, y: y as u8 };
            let burning = self.burning.is_some_and(|(p, _)| p == place);
            let letter = if node.exists() { node.room.map_or('·', Room::letter) } else { ' ' };
            line.push(' ');
            line.push(letter);
            line.push(if burning { '*' } else { ' ' });
        }
        line.trim_end().to_owned()
    }

    fn edge_line(&self, y: usize) -> String {
        let mut line = vec![' '; WIDTH * 3 + 1];
        for (x, node) in self.rows[y].iter().enumerate() {
            for target in node.targets() {
                let target = usize::from(target);
                if y + 1 == HEIGHT || target == x {
                    line[x * 3 + 1] = '|';
                } else if target > x {
                    line[x * 3 + 2] = '/';
                } else {
                    line[x * 3] = '\\';
                }
            }
        }
        line.into_iter().collect::<String>().trim_end().to_owned()
    }
}

/// What happened while the paths were drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathNotes {
    /// The columns of each path, row by row.
    pub paths: SmallVec<[[u8; HEIGHT]; PATHS]>,
    /// Numbers drawn when a path was done.
    pub draws: SmallVec<[u32; PATHS]>,
    /// How often a path was bent to keep apart.
    pub redraws: SmallVec<[u8; PATHS]>,
}

/// How a map came about, number by number; worked examples compare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapSteps {
    /// The seed of the act's own stream.
    pub stream_seed: u64,
    /// The paths.
    pub notes: PathNotes,
    /// Ways out of the first row that lead where another one leads: columns from and to.
    pub removed: SmallVec<[(u8, u8); 8]>,
    /// Rooms in all, and those whose kind is open.
    pub counts: (usize, usize),
    /// The rooms to be dealt as letters: in order, shuffled, left over.
    pub rooms: [String; 3],
    /// The elites of the finished map.
    pub elites: SmallVec<[Place; 16]>,
}

impl MapSteps {
    /// The steps to the map of an act.
    pub fn new(plan: &MapPlan, seed: u64) -> MapSteps {
        let stream_seed = seed.wrapping_add(plan.seed.into());
        let mut stream = plan.stream(seed);
        let mut draft = Draft::default();
        let notes = draft.draw_paths(plan.paths, &mut stream);
        let removed = draft.prune_first_row();
        let counts = draft.count(plan);
        let mut rooms = RoomList::new(counts.0, counts.1, plan.shares);
        let before = rooms.letters();
        rooms.shuffle(&mut stream);
        let after = rooms.letters();
        draft.deal(&mut rooms, plan, Rules::Original);
        let elites = elites(&Map::generate(plan, seed, Rules::Original));
        MapSteps { stream_seed, notes, removed, counts, rooms: [before, after, rooms.letters()], elites }
    }
}

/// A map in the making: the nodes, and who arrived where from which column.
#[derive(Default)]
struct Draft {
    nodes: [[Node; WIDTH]; HEIGHT],
    parents: [[Parents; WIDTH]; HEIGHT],
}

/// Columns in order of arrival, with repeats: at most one per path. Four bits each, the oldest lowest.
#[derive(Clone, Copy, Default)]
struct Parents {
    packed: u32,
    mask: u8,
}

impl Parents {
    #[inline]
    fn push(&mut self, x: u8) {
        // Each entry is stored plus one, so that a zero nibble ends the list.
        let len = (32 - self.packed.leading_zeros()).div_ceil(4);
        self.packed |= u32::from(x + 1) << (4 * len);
        self.mask |= 1 << x;
    }

    #[inline]
    fn smallest(self) -> u32 {
        self.mask.trailing_zeros()
    }

    #[inline]
    fn largest(self) -> u32 {
        7 - self.mask.leading_zeros()
    }
}

impl Draft {
    fn draw_paths(&mut self, paths: u8, stream: &mut Stream) -> PathNotes {
        let mut notes = PathNotes::default();
        for path in 0..paths {
            let mut x = stream.int(0, 6) as u8;
            while path == 1 && x == notes.paths[0][0] {
                x = stream.int(0, 6) as u8;
            }
            let (mut columns, mut redraws) = ([x; HEIGHT], 0);
            for y in 0..HEIGHT - 1 {
                x = self.step(x, y, stream, &mut redraws);
                columns[y + 1] = x;
            }
            self.nodes[HEIGHT - 1][usize::from(x)].edges |= 1 << 3;
            notes.paths.push(columns);
            notes.redraws.push(redraws);
            notes.draws.push(stream.counter());
        }
        notes
    }

    /// One edge of a path, from column `x` of row `y`; returns where it leads.
    #[inline]
    fn step(&mut self, x: u8, y: usize, stream: &mut Stream, redraws: &mut u8) -> u8 {
        let from = x as i32;
        let first = match x {
            0 => from + stream.int(0, 1),
            6 => from - 1 + stream.int(0, 1),
            _ => from - 1 + stream.int(0, 2),
        };
        let apart = self.keep_apart(first, x, y, stream, redraws);
        let t = self.uncross(apart as u8, x, y);
        self.nodes[y][usize::from(x)].edges |= 1 << t;
        self.parents[y + 1][usize::from(t)].push(x);
        t
    }

    /// Redraws the target while it would join two paths that split just below.
    #[inline]
    fn keep_apart(&self, first: i32, x: u8, y: usize, stream: &mut Stream, redraws: &mut u8) -> i32 {
        let mut t = first;
        let mut rest = self.parents[y + 1][t as usize].packed;
        while rest != 0 {
            let q = (rest & 15) as u8 - 1;
            rest >>= 4;
            if q != x && self.share_a_parent(q, x, y) {
                t = redraw(t, x as i32, stream);
                *redraws += 1;
            }
        }
        t
    }

    #[inline]
    fn share_a_parent(&self, q: u8, x: u8, y: usize) -> bool {
        // The original compares the column with the row here; every map depends on that slip.
        let (left, right) = if usize::from(q) < y { (q, x) } else { (x, q) };
        let left = self.parents[y][usize::from(left)];
        let right = self.parents[y][usize::from(right)];
        left.mask != 0 && right.mask != 0 && left.largest() == right.smallest()
    }

    /// Moves the target so that no two edges cross.
    #[inline]
    fn uncross(&self, mut t: u8, x: u8, y: usize) -> u8 {
        let row = &self.nodes[y];
        if x > 0 && row[usize::from(x) - 1].exists() {
            t = t.max(7 - row[usize::from(x) - 1].edges.leading_zeros() as u8);
        }
        if x < 6 && row[usize::from(x) + 1].exists() {
            t = t.min(row[usize::from(x) + 1].edges.trailing_zeros() as u8);
        }
        t
    }

    /// Two nodes of the first row may not lead to the same place: the later one loses its edge.
    fn prune_first_row(&mut self) -> SmallVec<[(u8, u8); 8]> {
        let mut reached = 0;
        let mut removed = SmallVec::new();
        for x in 0..WIDTH {
            let double = self.nodes[0][x].edges & reached;
            removed.extend(columns(double).map(|t| (x as u8, t)));
            reached |= self.nodes[0][x].edges;
            self.nodes[0][x].edges &= !double;
        }
        removed
    }

    /// Nodes the shares are taken of, and nodes that wait for a room.
    fn count(&self, plan: &MapPlan) -> (usize, usize) {
        let (mut total, mut open) = (0, 0);
        for (y, row) in self.nodes.iter().enumerate() {
            let n = row.iter().filter(|n| n.exists()).count();
            total += if plan.uncounted == Some(y as u8) { 0 } else { n };
            open += if plan.fixed[y].is_some() { 0 } else { n };
        }
        (total, open)
    }

    /// Deals the shuffled rooms upwards, from left to right.
    fn deal(&mut self, rooms: &mut RoomList, plan: &MapPlan, rules: Rules) {
        for (y, room) in plan.fixed.iter().enumerate() {
            room.iter().for_each(|room| self.fill_row(y, *room));
        }
        let mut masks = rooms.masks();
        for y in (0..HEIGHT).filter(|&y| plan.fixed[y].is_none()) {
            self.deal_row(y, &mut masks, plan, rules);
        }
        rooms.keep(&masks);
    }

    fn fill_row(&mut self, y: usize, room: Room) {
        for node in self.nodes[y].iter_mut().filter(|n| n.exists()) {
            node.room = Some(room);
        }
    }

    fn deal_row(&mut self, y: usize, masks: &mut RoomMasks, plan: &MapPlan, rules: Rules) {
        // Rooms that siblings see: a fallback monster is not among them, except by the simulator's slip.
        let mut seen = [0_u8; WIDTH];
        for x in 0..WIDTH {
            if !self.nodes[y][x].exists() {
                continue;
            }
            let forbidden = plan.forbidden[y] | self.neighbours_forbid(x, y, &seen, plan.apart);
            let dealt = masks.take_first(forbidden);
            self.nodes[y][x].room = Some(dealt.unwrap_or(Room::Monster));
            let fallback_seen = !rules.original() && plan.fixed.get(y + 1).is_some_and(Option::is_some);
            seen[x] = match dealt {
                Some(room) => room.bit(),
                None if fallback_seen => Room::Monster.bit(),
                None => 0,
            };
        }
    }

    /// Rooms a node may not get because of its parents or of siblings that already have one.
    #[inline]
    fn neighbours_forbid(&self, x: usize, y: usize, seen: &[u8; WIDTH], apart: u8) -> u8 {
        let (mut parents, mut siblings) = (0, 0);
        for node in y.checked_sub(1).map_or(&[][..], |below| &self.nodes[below]) {
            if node.edges >> x & 1 == 1 {
                siblings |= node.edges;
                parents |= node.room.map_or(0, Room::bit);
            }
        }
        let mut forbidden = parents & apart;
        for (column, room) in seen.iter().enumerate().take(x) {
            if siblings >> column & 1 == 1 {
                forbidden |= room;
            }
        }
        forbidden
    }

    fn finish(self, stream: &mut Stream, burnings: u8) -> Map {
        let mut map = Map { rows: self.nodes, burning: None };
        map.burning = choose_burning(&elites(&map), burnings, stream);
        map
    }
}

#[inline]
fn redraw(t: i32, x: i32, stream: &mut Stream) -> i32 {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match t.cmp(&x) {
        Greater => {
            let t = x - 1 + stream.int(0, 1);
            if t < 0 { x } else { t }
        }
        Equal => match x - 1 + stream.int(0, 2) {
            t if t > 6 => x - 1,
            t if t < 0 => x + 1,
            t => t,
        },
        Less => {
            let t = x + stream.int(0, 1);
            if t > 6 { x } else { t }
        }
    }
}

/// The elite nodes row by row upwards, from left to right.
fn elites(map: &Map) -> SmallVec<[Place; 16]> {
    let mut found = SmallVec::new();
    for (y, row) in map.rows.iter().enumerate() {
        for (x, node) in row.iter().enumerate() {
            if node.room == Some(Room::Elite) {
                found.push(Place { x: x as u8, y: y as u8 });
            }
        }
    }
    found
}

fn choose_burning(elites: &[Place], burnings: u8, stream: &mut Stream) -> Option<(Place, Burning)> {
    if elites.is_empty() {
        return None;
    }
    let place = elites[stream.index(elites.len())];
    Some((place, Burning(stream.index(burnings.into()) as u8)))
}

/// How the map of an act is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPlan {
    /// Of what rooms.
    pub(crate) shares: Shares,
    /// How many paths are drawn.
    paths: u8,
    /// What is added to a run's seed.
    seed: u32,
    /// Rows of one kind of room.
    fixed: [Option<Room>; HEIGHT],
    /// What may not stand in each row, a bit for each kind.
    forbidden: [u8; HEIGHT],
    /// Of which no two follow each other, a bit for each kind.
    apart: u8,
    /// The row that does not count in shares.
    uncounted: Option<u8>,
    /// How many things there are that a burning elite may gain.
    burnings: u8,
}

impl MapPlan {
    pub(super) fn new(act: &Act, shares: Shares, burnings: u8) -> MapPlan {
        let barred = |y: u8, room: &Room| {
            let kind = *room as usize;
            y < act.first_row[kind] || y > act.last_row[kind]
        };
        let bits = |rooms: &mut dyn Iterator<Item = Room>| rooms.fold(0, |all, room| all | room.bit());
        let forbids = |y: u8| bits(&mut Room::ALL.iter().copied().filter(|room| barred(y, room)));
        MapPlan {
            shares,
            paths: act.paths,
            seed: act.map_seed,
            fixed: act.fixed,
            forbidden: std::array::from_fn(|y| forbids(y as u8)),
            apart: bits(&mut act.apart.iter().copied()),
            uncounted: act.uncounted,
            burnings,
        }
    }

    fn stream(&self, seed: u64) -> Stream {
        Stream::new(seed.wrapping_add(self.seed.into()))
    }
}

/// Of what rooms a map is made, as shares of all; the rest are ordinary fights. Single precision, as in the original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shares {
    /// Shops.
    pub shop: Single,
    /// Campfires.
    pub rest: Single,
    /// Elites.
    pub elite: Single,
    /// Unknown rooms.
    pub event: Single,
}

/// The rooms still to be dealt, in order.
#[derive(Clone, Debug)]
struct RoomList {
    rooms: [Room; 96],
    len: usize,
}

impl RoomList {
    fn new(total: usize, open: usize, shares: Shares) -> Self {
        let mut list = RoomList { rooms: [Room::Monster; 96], len: open.min(96) };
        let Shares { shop, rest, elite, event } = shares;
        let shares = [(Room::Shop, shop), (Room::Rest, rest), (Room::Elite, elite), (Room::Event, event)];
        let mut at = 0;
        for (room, share) in shares {
            let n = Single::whole(total as i32).times(share).half_up().max(0) as usize;
            let end = (at + n).min(list.len);
            list.rooms[at..end].fill(room);
            at = end;
        }
        list
    }

    fn shuffle(&mut self, stream: &mut Stream) {
        for i in (2..=self.len).rev() {
            self.rooms.swap(i - 1, stream.below(i as u64) as usize);
        }
    }

    /// Letters in order, for comparison with worked examples.
    fn letters(&self) -> String {
        self.rooms[..self.len].iter().map(|r| r.letter()).collect()
    }

    fn masks(&self) -> RoomMasks {
        let mut masks = RoomMasks { rooms: self.rooms, left: [0; 6] };
        for (i, room) in self.rooms[..self.len].iter().enumerate() {
            masks.left[*room as usize] |= 1 << i;
        }
        masks
    }

    fn keep(&mut self, masks: &RoomMasks) {
        let left = masks.left.iter().fold(0, |all, m| all | m);
        let mut len = 0;
        for i in 0..self.len {
            if left >> i & 1 == 1 {
                self.rooms[len] = self.rooms[i];
                len += 1;
            }
        }
        self.len = len;
    }
}

/// The same list with one mask of positions per room: the first allowed entry is one bit scan away.
struct RoomMasks {
    rooms: [Room; 96],
    left: [u128; 6],
}

impl RoomMasks {
    #[inline]
    fn take_first(&mut self, forbidden: u8) -> Option<Room> {
        let allowed = |room: usize| if forbidden >> room & 1 == 0 { self.left[room] } else { 0 };
        let open = (0..6).fold(0, |all, room| all | allowed(room));
        let room = *self.rooms.get(open.trailing_zeros() as usize)?;
        // The first of all that are allowed is also the first of its kind.
        self.left[room as usize] &= self.left[room as usize] - 1;
        Some(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(act: u8, ascension: u8) -> MapPlan {
        crate::seeds::Tables::embedded().map_plan(act, ascension)
    }

    fn shares(ascension: u8) -> Shares {
        plan(1, ascension).shares
    }

    /// Whatever an act says, the map is one that can be climbed, and keeps to it.
    #[test]
    fn a_map_of_other_rules_keeps_to_them() {
        let mut act = Act::original(1);
        (act.paths, act.fixed, act.uncounted) = (8, [None; HEIGHT], None);
        (act.fixed[3], act.fixed[4]) = (Some(Room::Treasure), Some(Room::Shop));
        act.first_row = [0; Room::ALL.len()];
        act.last_row[Room::Elite as usize] = 6;
        act.apart = vec![Room::Event];
        for (paths, seed) in (1..=PATHS as u8).flat_map(|paths| (0..200).map(move |seed| (paths, seed))) {
            let mut plan = MapPlan::new(&act, shares(1), 4);
            plan.paths = paths;
            let map = Map::generate(&plan, seed, Rules::Original);
            for (place, node) in map.nodes() {
                let room = node.room.expect("every node has a room");
                assert!(plan.fixed[usize::from(place.y)].is_none_or(|fixed| fixed == room));
                assert!(room != Room::Elite || place.y <= 6, "seed {seed}");
                for x in node.targets().filter(|_| usize::from(place.y) + 1 < HEIGHT) {
                    let above = map.node(Place { x, y: place.y + 1 });
                    assert!(above.exists() && (room != Room::Event || above.room != Some(room)));
                }
            }
            assert!(map.row(0).count() > 0 && map.height() == HEIGHT as u8);
        }
    }

    #[test]
    fn a_map_keeps_its_constraints() {
        for seed in 0..2000 {
            let map = Map::generate(&plan((seed % 3) as u8 + 1, (seed % 21) as u8), seed, Rules::Original);
            for (place, node) in map.nodes() {
                let room = node.room.expect("every node has a room");
                assert!(place.y > 4 || !matches!(room, Room::Elite | Room::Rest));
                assert!(place.y != 13 || room != Room::Rest);
                for t in node.targets() {
                    assert!(place.y == 14 || place.x.abs_diff(t) <= 1);
                    let above = map.node(Place { x: t, y: place.y + 1 });
                    let same = above.room == Some(room);
                    assert!(!same || !matches!(room, Room::Elite | Room::Rest | Room::Shop), "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn ways_never_cross_and_siblings_differ() {
        for seed in 0..1000 {
            let map = Map::generate(&plan((seed % 3) as u8 + 1, (seed % 21) as u8), seed, Rules::Original);
            for y in 0..HEIGHT as u8 - 1 {
                let nodes: Vec<(Place, Node)> = map.row(y).collect();
                for pair in nodes.windows(2) {
                    let (left, right) = (pair[0].1.targets().max(), pair[1].1.targets().min());
                    assert!(left <= right && (y > 0 || left < right), "seed {seed}, row {y}");
                }
                for (_, node) in nodes.iter().filter(|_| !matches!(y, 7 | 13)) {
                    let rooms: Vec<Room> =
                        node.targets().filter_map(|x| map.node(Place { x, y: y + 1 }).room).collect();
                    // Only a monster that was left for want of anything else may be there twice.
                    let twice = |room: &Room| rooms.iter().filter(|other| *other == room).count() > 1;
                    assert!(rooms.iter().all(|r| *r == Room::Monster || !twice(r)), "seed {seed}, row {y}");
                }
            }
            for (y, room) in [(0, Room::Monster), (8, Room::Treasure), (14, Room::Rest)] {
                assert!(map.row(y).all(|(_, node)| node.room == Some(room)), "seed {seed}, row {y}");
            }
            let others = map.nodes().filter(|(place, _)| !matches!(place.y, 8));
            assert!(others.into_iter().all(|(_, node)| node.room != Some(Room::Treasure)));
            let elite = |(place, _): (Place, _)| map.node(place).room == Some(Room::Elite);
            assert_eq!(map.burning.is_some_and(elite), !elites(&map).is_empty(), "seed {seed}");
        }
    }

    #[test]
    fn shares_are_taken_of_all_rooms_and_elites_grow_at_level_1() {
        let count = |total, ascension| {
            let letters = RoomList::new(total, 90, shares(ascension)).letters();
            ['$', 'R', 'E', '?'].map(|letter| letters.matches(letter).count())
        };
        assert_eq!(count(60, 0), [3, 7, 5, 13]);
        assert_eq!(count(60, 1), [3, 7, 8, 13]);
        assert_eq!(count(60, 20), [3, 7, 8, 13]);
        assert_eq!(RoomList::new(60, 40, shares(0)).letters().matches('M').count(), 40 - 28);
    }

    /// The one recorded map in which the simulator and the original part ways.
    #[test]
    fn a_fallback_monster_is_seen_by_siblings_only_in_the_simulator() {
        let room =
            |rules| Map::generate(&plan(2, 20), 443_465_330_393, rules).node(Place { x: 4, y: 13 }).room;
        assert_eq!(room(Rules::Simulator), Some(Room::Elite));
        assert_eq!(room(Rules::Original), Some(Room::Monster));
    }

    #[test]
    fn only_shop_shares_meet_halves() {
        for (total, shops) in [(50, 3), (70, 4)] {
            let list = RoomList::new(total, 90, shares(0));
            assert_eq!(list.letters().matches('$').count(), shops);
        }
    }
}
