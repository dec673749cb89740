//! Which rules are on: the six switches in which the two recorded behaviours
//! differ, and who acts when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{GridError, Result};

/// The six switches. All off is what the lifecycle document says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// D1: after a successful push the agent also walks, which costs a phasing use.
    pub walk_after_push: bool,
    /// D2: a long move goes on until a substep leaves the whole world unchanged, even past
    /// victory and death; otherwise it ends with them, or when the agent is stopped.
    pub walk_until_still: bool,
    /// D3: a mover sees where the movers before it went in this step.
    pub movers_see_movers: bool,
    /// D4: hiding from a hunter by phasing costs a use.
    pub hiding_costs: bool,
    /// D5: pushed things leave a trail.
    pub pushed_leave_trail: bool,
    /// D6: a key also opens locks in the agent's own cell, and those first.
    pub keys_open_own_cell: bool,
}

impl Profile {
    /// What the lifecycle document says.
    pub const SEED: Profile = Profile {
        walk_after_push: false,
        walk_until_still: false,
        movers_see_movers: false,
        hiding_costs: false,
        pushed_leave_trail: false,
        keys_open_own_cell: false,
    };
    /// What the reference engine does today.
    pub const HEAD: Profile = Profile {
        walk_after_push: true,
        walk_until_still: true,
        movers_see_movers: true,
        hiding_costs: true,
        pushed_leave_trail: true,
        keys_open_own_cell: true,
    };
    /// For players: moves end with the game, and the reference's later corrections.
    pub const TIDY: Profile = Profile { walk_after_push: false, walk_until_still: false, ..Self::HEAD };

    /// The profiles that have names, the default first.
    pub const NAMED: [(&str, Profile); 3] =
        [("seed", Self::SEED), ("head", Self::HEAD), ("tidy", Self::TIDY)];

    /// The profile of that name.
    ///
    /// # Errors
    /// `UNKNOWN_RULESET`, with the names that exist.
    pub fn named(name: &str) -> Result<Profile> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found.map(|(_, profile)| *profile).ok_or_else(|| {
            GridError::new("UNKNOWN_RULESET", format!("`{name}` is unknown; use seed, head or tidy"))
        })
    }
}

/// Who acts when there are several agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Each step names its agent; anybody may act.
    #[default]
    Anyone,
    /// Living agents take turns in id order; a step belongs to the one whose turn it is.
    Rotation,
    /// All living agents act in one step. The world moves first, then each agent acts in id
    /// order with all that follows from it, then costs, turn and clean-up come once.
    Together,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 3] = [Self::Anyone, Self::Rotation, Self::Together];
    /// Their names in documents, in the same order.
    pub const NAMES: [&str; 3] = ["anyone", "rotation", "together"];

    /// The order of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }
}

/// The largest number of agents that may act together: every combination of deeds is an action.
pub const TOGETHER_MAX: usize = 4;

/// The rules of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Ruleset {
    /// The six switches.
    pub profile: Profile,
    /// Who acts when.
    pub order: Order,
}

impl Ruleset {
    /// The rules of a named profile, any agent acting.
    pub const fn of(profile: Profile) -> Self {
        Self { profile, order: Order::Anyone }
    }
}
