//! What wins: the objectives that have names, and those of one's own. In a
//! level or document an objective of one's own is a sentence of conditions:
//!
//! ```
//! use turnstone_grid::objective::Objective;
//! let objective = Objective::read("collect and score 20 and reach altar")?;
//! assert_eq!(objective.to_string(), "collect and score 20 and reach altar");
//! # Ok::<(), String>(())
//! ```
//!
//! In Rust it is an [`Aim`]: any function of the world and an agent.

use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::component::Mask;
use crate::world::{Slot, World};

/// An objective of the user's, in place of the world's own.
pub trait Aim: Send + Sync {
    /// What is to be done, in a few words for the screen; it also marks match files.
    fn name(&self) -> &str;
    /// Whether this agent has reached it. Asked after every cell the agent enters.
    fn reached(&self, world: &World, agent: Slot) -> bool;
}

/// The tests for having won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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
    /// All of these conditions hold.
    Own(Arc<[Condition]>),
}

/// One condition of an objective of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Everything requirable is collected.
    Collect,
    /// The agent stands on an exit.
    Exit,
    /// No lock is left.
    Unlock,
    /// Every pushable thing lies on an exit.
    Push,
    /// The agent carries more requirable things than any other, and none is left.
    Most,
    /// So many points, or more.
    Score(i64),
    /// So many turns have passed.
    Survive(i64),
    /// The agent stands where something of that look lies.
    Reach(String),
    /// On every thing of that look an agent stands or a pushable thing lies.
    Cover(String),
    /// The agent carries something of that look.
    Carry(String),
    /// Everything of that look that had health is dead.
    Slay(String),
}

/// The words conditions begin with, and what they want after it.
const WORDS: [(&str, &str); 11] = [
    ("collect", ""),
    ("exit", ""),
    ("unlock", ""),
    ("push", ""),
    ("most", ""),
    ("score", "a number"),
    ("survive", "a number"),
    ("reach", "a look"),
    ("cover", "a look"),
    ("carry", "a look"),
    ("slay", "a look"),
];

impl Objective {
    /// The objectives that have names.
    pub const ALL: [Objective; 5] = [Self::CollectExit, Self::Collect, Self::Exit, Self::Unlock, Self::Push];
    /// Their names in documents, in the same order.
    pub const NAMES: [&str; 5] = ["collect_exit", "collect", "exit", "unlock", "push"];

    /// The objective of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index].clone())
    }

    /// The objective of that name, or of one's own: conditions joined by `and`.
    ///
    /// # Errors
    /// Which word is unknown, and which there are.
    pub fn read(text: &str) -> Result<Self, String> {
        if let Some(known) = Self::named(text) {
            return Ok(known);
        }
        let conditions: Result<Arc<[Condition]>, String> = text.split(" and ").map(Condition::read).collect();
        conditions.map(Self::Own)
    }

    /// Whether the agent has reached it. An objective without anything to do is reached at once.
    #[inline(always)]
    pub fn reached(&self, world: &World, agent: Slot) -> bool {
        match self {
            Self::CollectExit => world.live.required_left == 0 && on_exit(world, agent),
            Self::Collect => world.live.required_left == 0,
            Self::Exit => on_exit(world, agent),
            Self::Unlock => world.live.locks_left == 0,
            Self::Push => is_all_pushed(world),
            Self::Own(conditions) => all_hold(conditions, world, agent),
        }
    }

    /// What is to be done, for people.
    pub fn describe(&self) -> String {
        match self {
            Self::CollectExit => "collect everything, then reach an exit".into(),
            Self::Collect => "collect everything".into(),
            Self::Exit => "reach an exit".into(),
            Self::Unlock => "open every lock".into(),
            Self::Push => "push every box onto an exit".into(),
            Self::Own(conditions) => {
                conditions.iter().map(Condition::describe).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::CollectExit => "collect_exit",
            Self::Collect => "collect",
            Self::Exit => "exit",
            Self::Unlock => "unlock",
            Self::Push => "push",
            Self::Own(conditions) => {
                let texts: Vec<String> = conditions.iter().map(Condition::to_string).collect();
                return f.write_str(&texts.join(" and "));
            }
        };
        f.write_str(name)
    }
}

impl Condition {
    fn read(text: &str) -> Result<Self, String> {
        let (word, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let rest = rest.trim();
        let number = || rest.parse::<i64>().map_err(|_| format!("`{word}` wants a whole number"));
        let look = || match rest {
            "" => Err(format!("`{word}` wants the look of a thing, such as `{word} altar`")),
            rest => Ok(rest.to_string()),
        };
        let condition = match word {
            "collect" => Self::Collect,
            "exit" => Self::Exit,
            "unlock" => Self::Unlock,
            "push" => Self::Push,
            "most" => Self::Most,
            "score" => return number().map(Self::Score),
            "survive" => return number().map(Self::Survive),
            "reach" => return look().map(Self::Reach),
            "cover" => return look().map(Self::Cover),
            "carry" => return look().map(Self::Carry),
            "slay" => return look().map(Self::Slay),
            _ => return Err(unknown(word)),
        };
        if rest.is_empty() { Ok(condition) } else { Err(format!("`{word}` stands alone, without `{rest}`")) }
    }

    fn holds(&self, world: &World, agent: Slot) -> bool {
        match self {
            Self::Collect => world.live.required_left == 0,
            Self::Exit => on_exit(world, agent),
            Self::Unlock => world.live.locks_left == 0,
            Self::Push => is_all_pushed(world),
            Self::Most => world.live.required_left == 0 && has_most(world, agent),
            Self::Score(points) => world.live.score >= *points,
            Self::Survive(turns) => world.live.turn >= *turns,
            Self::Reach(look) => world.at(world.cell(agent)).any(|slot| world.cast.looks_like(slot, look)),
            Self::Cover(look) => {
                let cover = Mask::AGENT | Mask::PUSHABLE;
                world.of_look(look).all(|slot| world.around(slot).any(cover))
            }
            Self::Carry(look) => world.inventory(agent).iter().any(|slot| world.cast.looks_like(*slot, look)),
            Self::Slay(look) => {
                world.of_look(look).all(|slot| world.has(slot, Mask::DEAD) || !world.has(slot, Mask::HEALTH))
            }
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Collect => "collect everything".into(),
            Self::Exit => "reach an exit".into(),
            Self::Unlock => "open every lock".into(),
            Self::Push => "push every box onto an exit".into(),
            Self::Most => "carry more than anybody when all is collected".into(),
            Self::Score(points) => format!("have {points} points"),
            Self::Survive(turns) => format!("live through {turns} turns"),
            Self::Reach(look) => format!("reach the {look}"),
            Self::Cover(look) => format!("cover every {look}"),
            Self::Carry(look) => format!("carry the {look}"),
            Self::Slay(look) => format!("see every {look} dead"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collect => f.write_str("collect"),
            Self::Exit => f.write_str("exit"),
            Self::Unlock => f.write_str("unlock"),
            Self::Push => f.write_str("push"),
            Self::Most => f.write_str("most"),
            Self::Score(points) => write!(f, "score {points}"),
            Self::Survive(turns) => write!(f, "survive {turns}"),
            Self::Reach(look) => write!(f, "reach {look}"),
            Self::Cover(look) => write!(f, "cover {look}"),
            Self::Carry(look) => write!(f, "carry {look}"),
            Self::Slay(look) => write!(f, "slay {look}"),
        }
    }
}

fn unknown(word: &str) -> String {
    let say = |(word, wants): &(&str, &str)| {
        if wants.is_empty() { word.to_string() } else { format!("{word} …") }
    };
    let words: Vec<String> = WORDS.iter().map(say).collect();
    let names = Objective::NAMES.join(", ");
    format!("`{word}` is unknown; use one of {names}, or conditions joined by `and`: {}", words.join(", "))
}

#[inline(never)]
fn all_hold(conditions: &[Condition], world: &World, agent: Slot) -> bool {
    conditions.iter().all(|condition| condition.holds(world, agent))
}

#[inline]
fn on_exit(world: &World, agent: Slot) -> bool {
    world.around(agent).any(Mask::EXIT)
}

#[inline(never)]
fn is_all_pushed(world: &World) -> bool {
    world.cast.pushables.iter().all(|&thing| delivered(world, thing))
}

fn delivered(world: &World, thing: Slot) -> bool {
    !world.has(thing, Mask::PUSHABLE) || world.around(thing).any(Mask::EXIT)
}

/// What an agent has gathered of what had to be collected.
pub(crate) fn gathered(world: &World, agent: Slot) -> usize {
    world.inventory(agent).iter().filter(|item| world.has(**item, Mask::REQUIRABLE)).count()
}

fn has_most(world: &World, agent: Slot) -> bool {
    let own = gathered(world, agent);
    world.agents().filter(|other| *other != agent).all(|other| gathered(world, other) < own)
}

impl Serialize for Objective {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Objective {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl JsonSchema for Objective {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Objective".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let conditions: Vec<String> = WORDS.iter().map(|(word, wants)| format!("{word} {wants}")).collect();
        json_schema!({
            "type": "string",
            "description": format!(
                "What wins: {}; or conditions joined by `and`: {}",
                Objective::NAMES.join(", "),
                conditions.iter().map(|text| text.trim()).collect::<Vec<_>>().join(", ")
            ),
            "examples": ["exit", "collect and score 20", "cover plate"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Trial;

    #[test]
    fn names_go_both_ways() {
        for (objective, name) in Objective::ALL.into_iter().zip(Objective::NAMES) {
            assert_eq!(objective.to_string(), name);
            assert_eq!(Objective::read(name), Ok(objective));
        }
        assert_eq!(Objective::named("survive"), None);
    }

    #[test]
    fn sentences_go_both_ways() {
        let text = "collect and exit and unlock and push and most and score -3 and survive 9 and reach altar \
                    and cover plate and carry wand and slay ogre";
        let objective = Objective::read(text).unwrap();
        assert_eq!(objective.to_string(), text);
        let Objective::Own(conditions) = &objective else { panic!("{objective:?}") };
        assert_eq!(conditions.len(), WORDS.len(), "every word is in the sentence");
        assert!(!objective.describe().contains("Own"));
        for (text, part) in [
            ("win", "`win` is unknown; use one of collect_exit"),
            ("score lots", "whole number"),
            ("reach", "the look of a thing"),
            ("exit now", "stands alone"),
            ("exit and", "`exit` stands alone"),
        ] {
            let told = Objective::read(text).unwrap_err();
            assert!(told.contains(part), "{text}: {told}");
        }
    }

    fn wins(text: &str, deeds: &str) -> bool {
        Trial::new(text).plays(deeds).world().live.win
    }

    #[test]
    fn each_objective_wins_when_it_is_reached() {
        assert!(!wins("objective: exit\n\n@.E", "right") && wins("objective: exit\n\n@.E", "right right"));
        let core = "objective: collect_exit\n\n@*E";
        assert!(!wins(core, "right right") && wins(core, "right pick_up right"));
        assert!(wins("objective: collect\n\n@*", "right pick_up"));
        let door = "objective: unlock\n\n@d\n\n@ = agent carries[key id=a]\nd = door id=a";
        assert!(!wins(door, "wait") && wins(door, "use_key"));
        assert!(!wins("objective: push\n\n@B.E", "right") && wins("objective: push\n\n@B.E", "right right"));
    }

    #[test]
    fn each_condition_wins_when_it_holds() {
        let things = "\n\na = thing look=altar background\nw = thing look=wand collectible\nm = monster health=3 damage=0";
        let wins = |objective: &str, map: &str, deeds: &str| {
            wins(&format!("objective: {objective}\n\n{map}{things}"), deeds)
        };
        assert!(!wins("reach altar", "@.a", "right") && wins("reach altar", "@.a", "right right"));
        assert!(!wins("cover altar", "@Ba", "wait") && wins("cover altar", "@Ba", "right"));
        assert!(!wins("carry wand", "@w", "right") && wins("carry wand", "@w", "right pick_up"));
        assert!(!wins("slay monster", "@m", "wait") && wins("slay monster", "@.", "wait"));
        assert!(!wins("survive 2", "@.", "wait wait") && wins("survive 2", "@.", "wait wait wait"));
        assert!(
            !wins("score 1 and exit", "@oE", "right right")
                && wins("score 1 and exit", "@oE", "right pick_up right")
        );
        assert!(!wins("most", "@*", "right") && wins("most", "@*", "right pick_up"));
    }

    #[test]
    fn with_nothing_to_do_the_first_step_wins() {
        for objective in ["collect", "unlock", "push"] {
            assert!(wins(&format!("objective: {objective}\n\n@.E"), "wait"), "{objective}");
        }
    }
}
