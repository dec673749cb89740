//! What is drawn where: for every cell a background, a main thing, up to four
//! icons in the corners, and the rest. The drawing itself is `svg`'s.

use std::collections::BTreeSet;

use crate::component::Mask;
use crate::error::{GridError, Result};
use crate::geometry::{Cell, Point};
use crate::world::{Slot, World};

/// One thing to draw.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawing {
    /// The appearance's name.
    pub name: String,
    /// Which picture of that name, by the components that choose it.
    pub texture: &'static str,
    /// What shares its colour: keys with their locks, portals with their pair.
    pub group: Option<String>,
    /// Where it is heading, if it walks.
    pub arrow: Option<(i32, i32)>,
    /// How many arrows: its speed.
    pub arrows: i32,
    /// The entity, for colours and notes.
    pub who: Slot,
}

/// What is drawn in one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPlan {
    /// Where.
    pub at: Point,
    /// Fills the cell.
    pub background: Drawing,
    /// Stands in the middle.
    pub main: Option<Drawing>,
    /// Small, in the corners: north-west, north-east, south-west, south-east.
    pub icons: Vec<Drawing>,
    /// Under the main thing.
    pub others: Vec<Drawing>,
}

/// Sizes and cells of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Pixels across.
    pub resolution: u32,
    /// Pixels of a cell.
    pub cell_size: u32,
    /// Pixels of a corner icon.
    pub icon_size: u32,
    /// Pixels of the picture.
    pub image: (u32, u32),
    /// Cells that are not empty, column by column.
    pub cells: Vec<CellPlan>,
}

/// Pictures by appearance and component. The one that shares most with the entity, less what it
/// lacks, is taken; the first of equals.
const TEXTURES: [(&str, Mask, &str); 20] = [
    ("human", Mask::NONE, "human"),
    ("human", Mask::DEAD, "sleeping"),
    ("coin", Mask::NONE, "coin"),
    ("core", Mask::REQUIRABLE, "gem"),
    ("box", Mask::NONE, "metalbox"),
    ("box", Mask::PUSHABLE, "box"),
    ("monster", Mask::NONE, "robot"),
    ("monster", Mask::PATHFINDING, "wolf"),
    ("key", Mask::NONE, "key"),
    ("portal", Mask::NONE, "portal"),
    ("door", Mask::LOCKED, "locked"),
    ("door", Mask::NONE, "opened"),
    ("shield", Mask::IMMUNITY, "shield"),
    ("ghost", Mask::PHASING, "ghost"),
    ("boots", Mask::SPEED, "boots"),
    ("spike", Mask::NONE, "spike"),
    ("lava", Mask::NONE, "lava"),
    ("exit", Mask::NONE, "exit"),
    ("wall", Mask::NONE, "wall"),
    ("floor", Mask::NONE, "floor"),
];

pub(super) fn texture(name: &str, mask: Mask) -> &'static str {
    let score = |needs: Mask| i32::from(mask.any(needs)) - i32::from(needs != Mask::NONE && !mask.any(needs));
    let mut best: Option<(i32, &'static str)> = None;
    for (_, needs, texture) in TEXTURES.iter().filter(|entry| entry.0 == name) {
        if best.is_none_or(|(most, _)| score(*needs) > most) {
            best = Some((score(*needs), texture));
        }
    }
    best.map_or("thing", |(_, texture)| texture)
}

impl Plan {
    /// The plan of a world. Cells without a background get a floor.
    ///
    /// # Errors
    /// `BAD_RESOLUTION` if a cell would have no pixel.
    pub fn new(world: &World, resolution: u32) -> Result<Self> {
        let (width, height) = (world.cast.bounds.width as u32, world.cast.bounds.height as u32);
        let cell_size = resolution / width;
        if cell_size == 0 || resolution > 16_384 {
            let message = format!("{resolution} pixels do not fit {width} columns; use {width} to 16384");
            return Err(GridError::new("BAD_RESOLUTION", message));
        }
        let rows = u64::from(resolution) * u64::from(height) / u64::from(width);
        if rows > 65_536 {
            return Err(GridError::new("BAD_RESOLUTION", "the picture would be too high; use fewer pixels"));
        }
        let groups = Groups::of(world);
        let columns = (0..width as i32).flat_map(|x| (0..height as i32).map(move |y| Point::new(x, y)));
        let cells = columns.filter_map(|point| cell_plan(world, &groups, point)).collect();
        let image = (resolution, rows as u32);
        Ok(Self { resolution, cell_size, icon_size: cell_size * 2 / 5, image, cells })
    }
}

/// The colour groups in use: a kind with only one group on the board is not coloured.
struct Groups {
    keys: bool,
    portals: bool,
}

impl Groups {
    fn of(world: &World) -> Self {
        let several = |group: fn(&World, Slot) -> Option<String>| {
            let found: BTreeSet<String> = world.entities().filter_map(|slot| group(world, slot)).collect();
            found.len() > 1
        };
        Self { keys: several(key_group), portals: several(portal_group) }
    }

    fn of_slot(&self, world: &World, slot: Slot) -> Option<String> {
        let key = if self.keys { key_group(world, slot) } else { None };
        key.or_else(|| if self.portals { portal_group(world, slot) } else { None })
    }
}

fn key_group(world: &World, slot: Slot) -> Option<String> {
    let key = world.cast.key_id(slot).filter(|_| world.has(slot, Mask::KEY));
    let lock = world.cast.lock_id(slot).filter(|_| world.has(slot, Mask::LOCKED));
    key.or(lock).map(|id| format!("key:{id}"))
}

fn portal_group(world: &World, slot: Slot) -> Option<String> {
    if !world.has(slot, Mask::PORTAL) {
        return None;
    }
    let (own, pair) = (i64::from(world.cast.id(slot)), world.cast.of(slot).pair_id);
    Some(format!("portal:{}-{}", own.min(pair), own.max(pair)))
}

fn drawing(world: &World, groups: &Groups, who: Slot) -> Drawing {
    let name = world.cast.look(who).map_or("thing", |look| &look.name);
    let motion = world.motion(who).filter(|_| world.has(who, Mask::MOVING));
    let traits = world.cast.of(who);
    Drawing {
        name: name.to_string(),
        texture: texture(name, world.mask(who)),
        group: groups.of_slot(world, who),
        arrow: motion.map(|motion| traits.axis.vector(i32::from(motion.direction)).into()),
        arrows: if motion.is_some() { traits.speed } else { 0 },
        who,
    }
}

fn cell_plan(world: &World, groups: &Groups, at: Point) -> Option<CellPlan> {
    let cell: Cell = world.cast.bounds.cell(at)?;
    let mut things: Vec<(i32, bool, bool, Slot)> = world
        .at(cell)
        .filter_map(|slot| {
            let look = world.cast.look(slot).filter(|_| world.has(slot, Mask::APPEARANCE))?;
            Some((look.priority, look.background, look.icon, slot))
        })
        .collect();
    if things.is_empty() {
        return None;
    }
    things.sort_by_key(|thing| (thing.0, thing.3));
    let draw = |slot: Slot| drawing(world, groups, slot);
    let deepest = things.iter().filter(|thing| thing.1).map(|thing| thing.0).max();
    let ground = things.iter().position(|thing| thing.1 && Some(thing.0) == deepest);
    let background = ground.map(|place| draw(things.remove(place).3)).unwrap_or_else(bare_floor);
    let main = things.iter().position(|thing| !thing.1).map(|place| draw(things.remove(place).3));
    let (icons, others): (Vec<_>, Vec<_>) = things.into_iter().partition(|thing| thing.2);
    let (icons, spilled) = icons.split_at(icons.len().min(4));
    let others = others.iter().chain(spilled).map(|thing| draw(thing.3));
    Some(CellPlan {
        at,
        background,
        main,
        icons: merged(icons.iter().map(|thing| draw(thing.3)).collect()),
        others: merged(others.collect()),
    })
}

fn bare_floor() -> Drawing {
    Drawing { name: "floor".into(), texture: "floor", group: None, arrow: None, arrows: 0, who: Slot::NONE }
}

/// Drawings that look the same are drawn once.
fn merged(drawings: Vec<Drawing>) -> Vec<Drawing> {
    let mut kept: Vec<Drawing> = Vec::new();
    for drawing in drawings {
        if !kept.iter().any(|other| Drawing { who: drawing.who, ..other.clone() } == drawing) {
            kept.push(drawing);
        }
    }
    kept
}
