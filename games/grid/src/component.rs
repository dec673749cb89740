//! What an entity can be made of. An entity is nothing but an id with some
//! components; which ones it has is a bit set, what they say sits beside it.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Direction, Point};

/// A set of component kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask(pub u32);

impl Mask {
    /// The empty set.
    pub const NONE: Mask = Mask(0);

    /// Whether the two sets share a kind.
    #[inline]
    pub const fn any(self, other: Mask) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every kind of `other` is in this set.
    #[inline]
    pub const fn all(self, other: Mask) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[inline]
    pub const fn with(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }

    /// This set less the other.
    #[inline]
    pub const fn without(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }

    /// The names of the kinds in this set, in alphabetical order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().enumerate().filter(move |(bit, _)| self.0 & (1 << bit) != 0).map(|(_, name)| *name)
    }
}

impl BitOr for Mask {
    type Output = Mask;
    #[inline]
    fn bitor(self, other: Mask) -> Mask {
        self.with(other)
    }
}

impl BitAnd for Mask {
    type Output = Mask;
    #[inline]
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

impl BitOrAssign for Mask {
    #[inline]
    fn bitor_assign(&mut self, other: Mask) {
        self.0 |= other.0;
    }
}

impl Not for Mask {
    type Output = Mask;
    #[inline]
    fn not(self) -> Mask {
        Mask(!self.0)
    }
}

macro_rules! kinds {
    ($($bit:literal $constant:ident $name:literal $about:literal)*) => {
        impl Mask {
            $(#[doc = $about] pub const $constant: Mask = Mask(1 << $bit);)*
        }
        /// The component names of the world document, by bit, in alphabetical order.
        pub const NAMES: [&str; 27] = [$($name),*];
        /// What each of them says, in the same order.
        pub const ABOUT: [&str; 27] = [$($about),*];
    };
}

kinds! {
    0 AGENT "agent" "Can be told to act."
    1 APPEARANCE "appearance" "How to draw it."
    2 BLOCKING "blocking" "Stops everything that walks."
    3 COLLECTIBLE "collectible" "Can be picked up."
    4 COLLIDABLE "collidable" "Bumps into things and uses portals; never stops an agent."
    5 COST "cost" "Costs points to stand on at the end of a step."
    6 DAMAGE "damage" "Hurts what meets it."
    7 DEAD "dead" "Has died."
    8 EXIT "exit" "A way out."
    9 HEALTH "health" "Can be hurt."
    10 IMMUNITY "immunity" "Effect: negates a hit."
    11 INVENTORY "inventory" "Carries items."
    12 KEY "key" "Opens locks of the same key id."
    13 LETHAL "lethal_damage" "Kills what it hits."
    14 LOCKED "locked" "Needs a key."
    15 MOVING "moving" "Walks to and fro by itself."
    16 PATHFINDING "pathfinding" "Hunts a target."
    17 PHASING "phasing" "Effect: walks through anything, unseen by hunters, untouched by hits."
    18 PORTAL "portal" "Sends what enters to its pair."
    19 POSITION "position" "Lies in a cell."
    20 PUSHABLE "pushable" "Can be pushed by an agent, stops everything else."
    21 REQUIRABLE "requirable" "Must be collected for the collect objectives."
    22 REWARDABLE "rewardable" "Pays points."
    23 SPEED "speed" "Effect: several moves in one action."
    24 STATUS "status" "Bears effects."
    25 TIME_LIMIT "time_limit" "An effect's remaining steps."
    26 USAGE_LIMIT "usage_limit" "An effect's remaining uses."
}

impl Mask {
    /// The kinds that make an entity an effect.
    pub const EFFECT: Mask = Mask(Self::IMMUNITY.0 | Self::PHASING.0 | Self::SPEED.0);
    /// What stops a walking agent, a hunter and a mover that does not block.
    pub const STOPS_WALKING: Mask = Mask(Self::BLOCKING.0 | Self::PUSHABLE.0);
    /// What stops a pushed thing, an arrival by portal, a fall and a mover that blocks.
    pub const STOPS_THINGS: Mask = Mask(Self::BLOCKING.0 | Self::PUSHABLE.0 | Self::COLLIDABLE.0);
    /// What can hurt.
    pub const DAMAGER: Mask = Mask(Self::DAMAGE.0 | Self::LETHAL.0);
    /// The kinds that carry no value.
    pub const MARKERS: Mask = Mask(
        Self::AGENT.0
            | Self::BLOCKING.0
            | Self::COLLECTIBLE.0
            | Self::COLLIDABLE.0
            | Self::DEAD.0
            | Self::EXIT.0
            | Self::IMMUNITY.0
            | Self::LETHAL.0
            | Self::PHASING.0
            | Self::PUSHABLE.0
            | Self::REQUIRABLE.0,
    );

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Mask> {
        NAMES.binary_search(&name).ok().map(|bit| Mask(1 << bit))
    }
}

/// How to draw an entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Appearance {
    /// Which shape.
    pub name: String,
    /// Lower numbers are drawn over higher ones; among backgrounds the highest wins.
    #[serde(default)]
    pub priority: i32,
    /// Drawn small, in a corner, when something else has the cell.
    #[serde(default)]
    pub icon: bool,
    /// Fills the cell behind everything.
    #[serde(default)]
    pub background: bool,
}

/// Along which axis a mover goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Left and right.
    Horizontal,
    /// Up and down.
    Vertical,
}

impl Axis {
    /// The unit vector of a mover: +1 is right or down.
    #[inline]
    pub const fn vector(self, direction: i32) -> Point {
        match self {
            Axis::Horizontal => Point::new(direction, 0),
            Axis::Vertical => Point::new(0, direction),
        }
    }

    /// The axis and sign of a direction.
    pub const fn of(direction: Direction) -> (Axis, i32) {
        match direction {
            Direction::Up => (Axis::Vertical, -1),
            Direction::Down => (Axis::Vertical, 1),
            Direction::Left => (Axis::Horizontal, -1),
            Direction::Right => (Axis::Horizontal, 1),
        }
    }
}

/// How a hunter looks for its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hunt {
    /// A shortest path round obstacles.
    #[default]
    Path,
    /// Straight at it, along the longer axis.
    StraightLine,
}

/// A mover as the world document writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moving {
    /// The line it walks on.
    pub axis: Axis,
    /// +1 right or down, −1 left or up.
    pub direction: i32,
    /// Whether it turns round at an obstacle.
    #[serde(default = "yes")]
    pub bounce: bool,
    /// Cells per step.
    #[serde(default = "one")]
    pub speed: i32,
    /// The cell it last left, or where it last was stopped.
    #[serde(default)]
    #[schemars(with = "Option<(i32, i32)>")]
    pub prev_position: Option<Point>,
}

fn yes() -> bool {
    true
}

fn one() -> i32 {
    1
}

/// A hunter as the world document writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pathfinding {
    /// The id of what it hunts; it may be missing from the world.
    pub target: Option<i64>,
    /// How it hunts.
    #[serde(rename = "type", default)]
    pub hunt: Hunt,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_so_that_look_ups_work() {
        assert!(NAMES.is_sorted());
        assert_eq!(Mask::named("lethal_damage"), Some(Mask::LETHAL));
        assert_eq!(Mask::named("lethal"), None);
        assert_eq!((Mask::KEY | Mask::AGENT).names().collect::<Vec<_>>(), ["agent", "key"]);
    }
}
