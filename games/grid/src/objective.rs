//! What wins: the objectives.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::component::Mask;
use crate::world::{Slot, World};

/// The tests for having won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// Everything requirable is collected, and the agent stands on an exit.
    #[default]
    CollectExit,
    /// Everything requirable is collected.
    Collect,
    /// The agent stands on an exit.
    Exit,
    /// No lock is left.
    Unlock,
    /// Every pushable thing lies on an exit.
    Push,
}

impl Objective {
    /// All objectives.
    pub const ALL: [Objective; 5] = [Self::CollectExit, Self::Collect, Self::Exit, Self::Unlock, Self::Push];
    /// Their names in documents, in the same order.
    pub const NAMES: [&str; 5] = ["collect_exit", "collect", "exit", "unlock", "push"];

    /// The objective of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }

    /// The name in documents.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether the agent has reached it. An objective without anything to do is reached at once.
    #[inline]
    pub fn reached(self, world: &World, agent: Slot) -> bool {
        match self {
            Self::CollectExit => world.live.required_left == 0 && on_exit(world, agent),
            Self::Collect => world.live.required_left == 0,
            Self::Exit => on_exit(world, agent),
            Self::Unlock => world.live.locks_left == 0,
            Self::Push => world.cast.pushables.iter().all(|&thing| delivered(world, thing)),
        }
    }
}

#[inline]
fn on_exit(world: &World, agent: Slot) -> bool {
    world.around(agent).any(Mask::EXIT)
}

fn delivered(world: &World, thing: Slot) -> bool {
    !world.has(thing, Mask::PUSHABLE) || world.around(thing).any(Mask::EXIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for objective in Objective::ALL {
            assert_eq!(Objective::named(objective.name()), Some(objective));
        }
        assert_eq!(Objective::named("escape"), None);
    }

    fn wins(text: &str, deeds: &str) -> bool {
        crate::trial::Trial::new(text).plays(deeds).world().live.win
    }

    #[test]
    fn each_is_reached_by_its_own_deeds_and_no_others() {
        assert!(wins("objective: exit\n\n@*E", "right right"));
        assert!(!wins("objective: collect_exit\n\n@*E", "right right"));
        assert!(wins("objective: collect_exit\n\n@*E", "right pick_up right"));
        assert!(!wins("objective: collect\n\n@*.E", "right right"));
        assert!(wins("objective: collect\n\n@*.E", "right pick_up"));
        let door = "objective: unlock\n\n@d.E\n\n@ = agent carries[key id=a]\nd = door id=a";
        assert!(!wins(door, "wait") && wins(door, "use_key"));
        assert!(!wins("objective: push\n\n@B.E", "right") && wins("objective: push\n\n@B.E", "right right"));
    }

    #[test]
    fn with_nothing_to_do_the_first_step_wins() {
        for objective in ["collect", "unlock", "push"] {
            assert!(wins(&format!("objective: {objective}\n\n@.E"), "wait"), "{objective}");
        }
    }
}
