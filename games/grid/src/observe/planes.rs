//! The symbolic observation: for every cell 32 numbers of 8 bits, row by row
//! (`[height][width][32]`).
//!
//! | plane | meaning |
//! |---|---|
//! | 0–26 | something in the cell has this component: [`NAMES`](crate::component::NAMES) in order |
//! | 27 | the observing agent is here |
//! | 28 | the cell is seen: always 1 in full observations |
//! | 29 | a mover here heads right or down |
//! | 30 | the most health of anything here, at most 255 |
//! | 31 | which key or lock: its group, counted from 1, at most 255 |

use smallvec::SmallVec;

use crate::component::Mask;
use crate::geometry::{Bounds, Cell, Point};
use crate::world::{Slot, World};

/// Numbers per cell.
pub const PLANES: usize = 32;
const SELF: usize = 27;
const SEEN: u32 = 1 << 28;
const AHEAD: usize = 29;
const HEALTH: usize = 30;
const GROUP: usize = 31;

/// Eight bits as eight numbers.
static SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[inline]
fn spread(mask: Mask, out: &mut [u8; PLANES]) {
    let bytes = (mask.0 | SEEN).to_le_bytes();
    for (part, byte) in out.chunks_exact_mut(8).zip(bytes) {
        part.copy_from_slice(&SPREAD[byte as usize]);
    }
}

/// The length of a full observation.
pub fn full_length(bounds: Bounds) -> usize {
    bounds.area() * PLANES
}

/// Writes the full observation of `agent`; bytes past its length are left alone.
pub fn observe_full(world: &World, agent: Slot, out: &mut [u8]) {
    let cells = out.as_chunks_mut::<PLANES>().0;
    for (mask, out) in world.masks().iter().zip(cells.iter_mut()) {
        spread(*mask, out);
    }
    mark(world, agent, |cell, plane, value| {
        if let Some(out) = cells.get_mut(cell.index()) {
            out[plane] = out[plane].max(value);
        }
    });
}

/// Keeps a full observation up to date in one buffer, writing only the cells that changed.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    /// What the cells show, as long as only whole worlds are looked through; nothing else keeps it up to date.
    shown: Vec<Mask>,
    /// How often the world had changed when it was shown.
    seen: Option<u64>,
    marks: SmallVec<[Mark; 2]>,
}

/// A cell with a number that is no component: which plane, and the number.
type Mark = (Cell, u8, u8);

impl Canvas {
    /// Forgets what is in the buffer: the next update writes all of it.
    pub fn forget(&mut self) {
        self.shown.clear();
        self.seen = None;
        self.marks.clear();
    }

    /// Brings `out` up to date. It must be the buffer of the last update, as it was left, and the world that was shown
    /// then: stepped since, or another one copied over it by `clone_from`. Who shows another world [forgets](Self::forget)
    /// first.
    pub fn update(&mut self, world: &World, agent: Slot, out: &mut [u8]) {
        let cells = out.as_chunks_mut::<PLANES>().0;
        let mut marks = SmallVec::<[Mark; 8]>::new();
        mark(world, agent, |cell, plane, value| marks.push((cell, plane as u8, value)));
        // Who waits or runs against a wall changes nothing: then nothing is written, which would have to be fetched.
        let marked = marks[..] == self.marks[..];
        if !marked {
            put(cells, &self.marks, |number, _| *number = 0);
        }
        let touched = &world.live.touched;
        let changed = match self.seen.and_then(|then| touched.since(then)) {
            Some(known) => {
                // Of a thousand worlds that step in turn it would have to be fetched, to spare a few lines of `out`.
                let before = touched.count() - self.seen.unwrap_or_default();
                if before > 0 {
                    self.shown.clear();
                }
                known.for_each(|cell| draw(world, cell, cells));
                before > 0
            }
            None => self.redraw(world, cells),
        };
        self.seen = Some(touched.count());
        if !changed && marked {
            return;
        }
        put(cells, &marks, |number, value| *number = value.max(*number));
        self.marks.clear();
        self.marks.extend_from_slice(&marks);
    }

    /// Draws the cells whose components changed; whether there were any. Whole stretches of cells are compared at
    /// once: seldom has more than one or two changed.
    fn redraw(&mut self, world: &World, cells: &mut [[u8; PLANES]]) -> bool {
        if self.shown.len() != world.masks().len() {
            self.shown.clear();
            self.shown.extend(world.masks().iter().map(|mask| !*mask));
        }
        let (masks, rest) = world.masks().as_chunks::<STRETCH>();
        let (shown, shown_rest) = self.shown.as_chunks_mut::<STRETCH>();
        let mut changed = false;
        let mut from = 0;
        for (masks, shown) in masks.iter().zip(shown) {
            if differ(masks, shown) {
                redraw(masks, shown, cells.get_mut(from..).unwrap_or_default());
                changed = true;
            }
            from += STRETCH;
        }
        changed | redraw(rest, shown_rest, cells.get_mut(from..).unwrap_or_default())
    }
}

/// Draws a cell that may have changed.
#[inline]
fn draw(world: &World, cell: Cell, cells: &mut [[u8; PLANES]]) {
    if let Some(out) = cells.get_mut(cell.index()) {
        spread(world.kinds_at(cell), out);
    }
}

/// Cells compared at once.
const STRETCH: usize = 16;

/// A fixed number of cells without a branch among them: the compiler compares four at a time.
#[inline]
fn differ(masks: &[Mask; STRETCH], shown: &[Mask; STRETCH]) -> bool {
    masks.iter().zip(shown).fold(0, |bits, (mask, shown)| bits | (mask.0 ^ shown.0)) != 0
}

#[inline]
fn redraw(masks: &[Mask], shown: &mut [Mask], cells: &mut [[u8; PLANES]]) -> bool {
    let mut changed = false;
    for ((mask, shown), out) in masks.iter().zip(shown).zip(cells) {
        if mask != shown {
            *shown = *mask;
            spread(*mask, out);
            changed = true;
        }
    }
    changed
}

#[inline]
fn put(cells: &mut [[u8; PLANES]], marks: &[Mark], write: impl Fn(&mut u8, u8)) {
    for (cell, plane, value) in marks {
        if let Some(out) = cells.get_mut(cell.index()) {
            write(&mut out[usize::from(*plane) % PLANES], *value);
        }
    }
}

/// The planes that are no components.
#[inline]
fn mark(world: &World, agent: Slot, mut put: impl FnMut(Cell, usize, u8)) {
    let cast = &world.cast;
    if world.cell(agent).is_some() {
        put(world.cell(agent), SELF, 1);
    }
    for &slot in cast.movers.iter().filter(|slot| world.has(**slot, Mask::MOVING)) {
        let ahead = world.motion(slot).is_some_and(|motion| motion.direction > 0);
        if ahead && world.cell(slot).is_some() {
            put(world.cell(slot), AHEAD, 1);
        }
    }
    for &slot in cast.mortals.iter().filter(|slot| world.cell(**slot).is_some()) {
        put(world.cell(slot), HEALTH, world.health(slot).clamp(0, 255) as u8);
    }
    for &slot in cast.keyed.iter().filter(|slot| world.cell(**slot).is_some()) {
        if let Some(group) = group(world, slot) {
            put(world.cell(slot), GROUP, group);
        }
    }
}

pub(super) fn group(world: &World, slot: Slot) -> Option<u8> {
    let traits = world.cast.of(slot);
    let number = match world.mask(slot) {
        mask if mask.any(Mask::KEY) => traits.key,
        mask if mask.any(Mask::LOCKED) => traits.lock,
        _ => return None,
    };
    Some(number.saturating_add(1).min(255) as u8)
}

/// The length of a partial observation: a square of `2 × radius + 1` cells.
pub fn partial_length(radius: i32) -> usize {
    let side = 2 * radius.clamp(0, 127) as usize + 1;
    side * side * PLANES
}

/// Writes what the agent sees within `radius` cells of it (at most 127), the agent in the middle.
/// Blocking cells are seen and hide what is behind them; unseen cells are all zeros.
pub fn observe_partial(world: &World, agent: Slot, radius: i32, out: &mut [u8]) {
    let radius = radius.clamp(0, 127);
    let side = 2 * radius + 1;
    let used = partial_length(radius).min(out.len());
    out[..used].fill(0);
    let Some(centre) = world.point(agent) else { return };
    let cells = out.as_chunks_mut::<PLANES>().0;
    let window = Bounds { width: side, height: side };
    let shift = Point::new(centre.x - radius, centre.y - radius);
    for (place, inside) in cells.iter_mut().zip(window.points()) {
        let point = inside.plus(shift);
        if let Some(cell) = world.cast.bounds.cell(point).filter(|_| is_visible(world, centre, point)) {
            spread(world.kinds_at(cell), place);
        }
    }
    mark(world, agent, |cell, plane, value| {
        let place = window.cell(world.cast.bounds.point(cell).minus(shift));
        let seen = place.and_then(|place| cells.get_mut(place.index())).filter(|out| out[28] == 1);
        if let Some(out) = seen {
            out[plane] = out[plane].max(value);
        }
    });
}

/// Whether a straight line between two points meets nothing that blocks before it arrives. The
/// line is walked in whole numbers and from both ends, so seeing is mutual.
pub fn is_visible(world: &World, from: Point, to: Point) -> bool {
    clear(world, from, to) || clear(world, to, from)
}

fn clear(world: &World, from: Point, to: Point) -> bool {
    let way = to.minus(from);
    let steps = way.x.abs().max(way.y.abs());
    (1..steps).all(|step| {
        let along = |length: i32| (2 * length * step + steps * length.signum()) / (2 * steps);
        let cell = world.cast.bounds.cell(from.plus(Point::new(along(way.x), along(way.y))));
        cell.is_none_or(|cell| !world.blocks(cell, Mask::BLOCKING))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LevelFile;

    fn world(map: &str) -> World {
        let text = format!("name: x\n\n{map}\n\nk = key id=a\nd = door id=a\nm = monster moves=right\n");
        LevelFile::from_text(&text).unwrap().to_level().unwrap().to_world().unwrap()
    }

    fn plane(observation: &[u8], plane: usize) -> Vec<u8> {
        observation.chunks(PLANES).map(|cell| cell[plane]).collect()
    }

    #[test]
    fn planes_are_components() {
        let world = world("@kd#m");
        let mut out = vec![9; full_length(world.cast.bounds)];
        observe_full(&world, world.first_agent().unwrap(), &mut out);
        assert_eq!(plane(&out, 0), [1, 0, 0, 0, 0]);
        assert_eq!(plane(&out, 2), [0, 0, 1, 1, 0]);
        assert_eq!(plane(&out, SELF), [1, 0, 0, 0, 0]);
        assert_eq!(plane(&out, 28), [1; 5]);
        assert_eq!(plane(&out, AHEAD), [0, 0, 0, 0, 1]);
        assert_eq!(plane(&out, HEALTH), [5, 0, 0, 0, 0]);
        assert_eq!(plane(&out, GROUP), [0, 1, 1, 0, 0]);
    }

    #[test]
    fn a_canvas_shows_what_a_full_observation_shows() {
        use crate::generate::Recipe;
        use turnstone::{Game, Input, Off, Position, Resolver};
        let game = crate::Grid::default();
        for seed in 0..8 {
            let setup = crate::Setup::Generated(Recipe::named("maze").unwrap());
            let mut position = Position::<crate::Grid>::new(game.start(&setup, seed).unwrap());
            let (mut canvas, mut resolver) = (Canvas::default(), Resolver::default());
            let length = full_length(position.state().world.cast.bounds);
            let (mut kept, mut fresh) = (vec![7; length], vec![9; length]);
            for number in 0..60 {
                let world = &position.state().world;
                let agent = world.first_agent().unwrap();
                canvas.update(world, agent, &mut kept);
                observe_full(world, agent, &mut fresh);
                assert_eq!(kept, fresh, "seed {seed}, step {number}");
                let deed = crate::action::Deed::ALL[(number * 5 + seed as usize) % 7];
                let input = Input::Act(crate::action::Action::step(deed));
                resolver.act(&game, &mut position, &input, &mut Off).ok();
            }
        }
    }

    /// A world that was stepped is looked at only where it changed; one that was copied over it has changed everywhere.
    #[test]
    fn a_canvas_follows_a_world_that_another_is_copied_over() {
        let mut shown = world("@.k..m");
        let agent = shown.first_agent().unwrap();
        let mut other = shown.clone();
        let cell = |x| shown.cast.bounds.cell(Point::new(x, 0)).unwrap();
        let (there, back) = (cell(1), cell(0));
        let (mut canvas, length) = (Canvas::default(), full_length(shown.cast.bounds));
        let (mut kept, mut fresh) = (vec![7; length], vec![9; length]);
        // As often changed as the world that is shown, and elsewhere.
        other.relocate(agent, cell(4));
        for number in 0..12 {
            match number % 4 {
                0 => shown.relocate(agent, there),
                1 => shown.clone_from(&other),
                2 => (0..10).for_each(|time| shown.relocate(agent, [there, back][time % 2])),
                _ => {}
            }
            canvas.update(&shown, agent, &mut kept);
            observe_full(&shown, agent, &mut fresh);
            assert_eq!(kept, fresh, "{number}");
        }
    }

    #[test]
    fn walls_hide_what_is_behind() {
        let world = world("@.#o");
        let mut out = vec![9; partial_length(3)];
        observe_partial(&world, world.first_agent().unwrap(), 3, &mut out);
        let middle_row: Vec<u8> = plane(&out, 28)[21..28].to_vec();
        assert_eq!(middle_row, [0, 0, 0, 1, 1, 1, 0]);
        assert_eq!(plane(&out, SELF)[24], 1);
    }

    #[test]
    fn seeing_is_mutual() {
        let world = world("@...\n.#..\n..#.\n....");
        let points: Vec<Point> = world.cast.bounds.points().collect();
        for &one in &points {
            for &two in &points {
                assert_eq!(is_visible(&world, one, two), is_visible(&world, two, one));
            }
        }
    }
}
