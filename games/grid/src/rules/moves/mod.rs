//! How an agent's move action turns into cells: the move rules. A rule looks
//! at the world as it is when the move begins and answers with the cells to
//! try, in order; nothing here changes anything.

mod cardinal;
mod gravity;
mod mirror;
mod slippery;
mod windy;
mod wrap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::geometry::{Cell, Direction};
use crate::world::{Slot, World};

pub use windy::{Gust, gust};

/// The cells to try, in order; [`Cell::NONE`] stands for a cell outside the grid.
pub type Path = SmallVec<[Cell; 8]>;

/// A move rule of your own: any function of world, agent and direction.
pub trait MoveFunction: Send + Sync {
    /// The cells to try, in order. An empty answer means the agent's own cell.
    fn path(&self, world: &World, agent: Slot, direction: Direction) -> Path;
}

/// The built-in move rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MoveRule {
    /// One cell in the direction given.
    #[default]
    Cardinal,
    /// One cell, and round the edges.
    Wrap,
    /// Left is right and right is left.
    Mirror,
    /// On and on until something blocks.
    Slippery,
    /// One cell, and now and then a gust carries the agent one further.
    Windy,
    /// One cell, then down as far as it goes.
    Gravity,
}

impl MoveRule {
    /// All rules.
    pub const ALL: [MoveRule; 6] =
        [Self::Cardinal, Self::Wrap, Self::Mirror, Self::Slippery, Self::Windy, Self::Gravity];
    /// Their names in documents, in the same order.
    pub const NAMES: [&str; 6] = ["cardinal", "wrap", "mirror", "slippery", "windy", "gravity"];

    /// The rule of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }

    /// The name in documents.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The cells to try when `agent`, who is on the board, moves in `direction`.
    #[inline]
    pub fn path(self, world: &World, agent: Slot, direction: Direction) -> Path {
        let here = world.cell(agent);
        match self {
            Self::Cardinal => cardinal::path(world, here, direction),
            Self::Wrap => wrap::path(world, here, direction),
            Self::Mirror => mirror::path(world, here, direction),
            Self::Slippery => slippery::path(world, here, direction),
            Self::Windy => windy::path(world, here, direction),
            Self::Gravity => gravity::path(world, here, direction),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for rule in MoveRule::ALL {
            assert_eq!(MoveRule::named(rule.name()), Some(rule));
        }
        assert_eq!(MoveRule::named("hop"), None);
    }
}
