//! The state of a match: the world, and what a step must remember until it ends.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::action::Deed;
use crate::document::WorldDocument;
use crate::effect::Deeds;
use crate::geometry::{Cell, Point};
use crate::world::{Live, Slot, World};

/// A world in play.
#[derive(Debug)]
pub struct State {
    /// The world.
    pub world: World,
    /// Who reached the objective.
    pub winner: Slot,
    /// Whose turn it is, where agents take turns.
    pub next: Slot,
    /// Whether push or walk changed something in this substep.
    pub(crate) stirred: bool,
    /// Who does what in this step, where all act together.
    pub(crate) plan: Deeds,
    /// The world before this substep, to see whether anything changed.
    pub(crate) before: Option<Arc<Live>>,
}

impl State {
    /// A world nobody has acted in yet.
    pub fn new(world: World) -> Self {
        let plan = Deeds::new();
        Self { world, winner: Slot::NONE, next: Slot::NONE, stirred: false, plan, before: None }
    }

    /// The world as its canonical document.
    pub fn document(&self) -> WorldDocument {
        self.world.to_document()
    }

    /// Whether the substep has changed anything at all.
    pub(crate) fn is_still(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.same_as(&self.world.live))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let small = |state: &State| (state.winner, state.next, state.stirred);
        let before = |state: &State| {
            state
                .before
                .as_ref()
                .map(|live| World { cast: Arc::clone(&state.world.cast), live: Live::clone(live) })
        };
        small(self) == small(other)
            && self.plan == other.plan
            && self.world == other.world
            && before(self) == before(other)
    }
}

impl Eq for State {}

impl Clone for State {
    fn clone(&self) -> Self {
        let (plan, before) = (self.plan.clone(), self.before.clone());
        Self { world: self.world.clone(), plan, before, ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.world.clone_from(&source.world);
        (self.winner, self.next, self.stirred) = (source.winner, source.next, source.stirred);
        self.plan.clone_from(&source.plan);
        self.before.clone_from(&source.before);
    }
}

/// What a state is on paper: the document, and whatever a step has under way.
#[derive(Serialize, Deserialize)]
struct Sheet {
    world: WorldDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    stirred: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    settled: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    vanished: Vec<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    plan: Vec<(u32, Deed)>,
    #[serde(default, skip_serializing_if = "is_default")]
    trail: Vec<(Point, u32)>,
    #[serde(default, skip_serializing_if = "is_default")]
    moved: Vec<(u32, Point)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<Box<Sheet>>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Sheet {
    fn of(world: &World) -> Self {
        let (cast, live) = (&world.cast, &world.live);
        let point = |cell| cast.bounds.point(cell);
        Sheet {
            world: world.to_document(),
            winner: None,
            next: None,
            stirred: false,
            settled: !live.litter,
            vanished: world.vanished(),
            plan: Vec::new(),
            trail: live.trail.iter().map(|(cell, slot)| (point(*cell), cast.id(*slot))).collect(),
            moved: live.moved.iter().map(|slot| (cast.id(*slot), point(world.prev_cell(*slot)))).collect(),
            before: None,
        }
    }

    fn into_world(self) -> Result<World, String> {
        let mut world =
            World::with_vanished(&self.world, &self.vanished).map_err(|error| error.to_string())?;
        let cast = Arc::clone(&world.cast);
        let slot = |id: u32| cast.slot(i64::from(id)).ok_or(format!("entity {id} does not exist"));
        let cell = |point: Point| cast.bounds.cell(point).ok_or("a point is outside the grid".to_string());
        for (point, id) in self.trail {
            world.mark_trail(cell(point)?, slot(id)?);
        }
        for (id, point) in self.moved {
            world.restore_move(slot(id)?, cell(point)?);
        }
        world.live.litter = !self.settled;
        Ok(world)
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cast = &self.world.cast;
        let id = |slot: Slot| slot.is_some().then(|| cast.id(slot));
        let mut sheet = Sheet::of(&self.world);
        sheet.winner = id(self.winner);
        sheet.next = id(self.next);
        sheet.stirred = self.stirred;
        sheet.plan = self.plan.iter().map(|(slot, deed)| (cast.id(*slot), *deed)).collect();
        sheet.before = self
            .before
            .as_ref()
            .map(|live| Box::new(Sheet::of(&World { cast: Arc::clone(cast), live: Live::clone(live) })));
        sheet.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut sheet = Sheet::deserialize(deserializer)?;
        let before = sheet.before.take().map(|before| before.into_world()).transpose();
        let (winner, next, stirred) = (sheet.winner, sheet.next, sheet.stirred);
        let plan = std::mem::take(&mut sheet.plan);
        let mut state = State::new(sheet.into_world().map_err(de::Error::custom)?);
        let cast = Arc::clone(&state.world.cast);
        let slot = |id: u32| {
            cast.slot(i64::from(id)).ok_or(de::Error::custom(format!("entity {id} does not exist")))
        };
        state.winner = winner.map_or(Ok(Slot::NONE), slot)?;
        state.next = next.map_or(Ok(Slot::NONE), slot)?;
        state.stirred = stirred;
        state.plan =
            plan.into_iter().map(|(id, deed)| Ok((slot(id)?, deed))).collect::<Result<_, D::Error>>()?;
        state.before = before.map_err(de::Error::custom)?.map(|world| Arc::new(world.live));
        Ok(state)
    }
}

/// A cell as people write it.
pub(crate) fn at(world: &World, cell: Cell) -> String {
    if !cell.is_some() {
        return "outside".into();
    }
    let Point { x, y } = world.cast.bounds.point(cell);
    format!("({x}, {y})")
}
