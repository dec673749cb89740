//! A blueprint: what an object of a level will be made of.

use crate::component::Hunt;
use crate::document::Entity;

/// An object of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId(pub(crate) u32);

impl ObjectId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Components, what is carried and borne, and references to other objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blueprint {
    /// The components; position and death are ignored, for the level says where it is.
    pub entity: Entity,
    /// Items carried from the start.
    pub inventory: Vec<Blueprint>,
    /// Effects active from the start.
    pub status: Vec<Blueprint>,
    /// What it hunts.
    pub target: Option<ObjectId>,
    /// How it hunts.
    pub hunt: Option<Hunt>,
    /// The portal's other end.
    pub pair: Option<ObjectId>,
}

impl Blueprint {
    /// This blueprint, hunting that object.
    pub fn hunting(mut self, target: ObjectId, hunt: Hunt) -> Self {
        (self.target, self.hunt) = (Some(target), Some(hunt));
        self
    }
}

impl From<Entity> for Blueprint {
    fn from(entity: Entity) -> Self {
        Self { entity, ..Self::default() }
    }
}
