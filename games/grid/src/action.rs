//! What an agent can be told to do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use smallvec::SmallVec;

use crate::geometry::Direction;

/// One of the seven things an agent can do, in index order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Move up.
    Up,
    /// Move down.
    Down,
    /// Move left.
    Left,
    /// Move right.
    Right,
    /// Open locks beside the agent.
    UseKey,
    /// Collect what lies in the agent's cell.
    PickUp,
    /// Let time pass.
    Wait,
}

impl Deed {
    /// All seven, in index order.
    pub const ALL: [Deed; 7] =
        [Self::Up, Self::Down, Self::Left, Self::Right, Self::UseKey, Self::PickUp, Self::Wait];
    /// Their names in documents, in the same order.
    pub const NAMES: [&str; 7] = ["up", "down", "left", "right", "use_key", "pick_up", "wait"];

    /// The deed of that name.
    pub fn named(name: &str) -> Option<Deed> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }

    /// The name in documents.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The direction of a move.
    #[inline]
    pub fn direction(self) -> Option<Direction> {
        match self {
            Self::Up => Some(Direction::Up),
            Self::Down => Some(Direction::Down),
            Self::Left => Some(Direction::Left),
            Self::Right => Some(Direction::Right),
            _ => None,
        }
    }
}

/// What a player declares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// One agent acts, and the world takes one step.
    Step {
        /// What it does.
        #[serde(rename = "type")]
        deed: Deed,
        /// The agent's id; the lowest agent id if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<u32>,
    },
    /// Every living agent acts in one step: one deed per agent, in id order.
    Together {
        /// Agent ids and their deeds, in ascending id order.
        #[schemars(with = "Vec<(u32, Deed)>")]
        deeds: SmallVec<[(u32, Deed); 4]>,
    },
    /// A rival gives up.
    Resign {
        /// The agent's id; whoever's turn it is if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<u32>,
    },
}

impl Action {
    /// The lowest agent acts.
    pub fn step(deed: Deed) -> Self {
        Self::Step { deed, agent: None }
    }

    /// What is done, in one word for each agent: `right`, or `right+wait` where several act together.
    pub fn name(&self) -> String {
        match self {
            Self::Step { deed, agent: None } => deed.name().to_owned(),
            Self::Step { deed, agent: Some(id) } => format!("{id}:{}", deed.name()),
            Self::Together { deeds } => {
                let names: Vec<&str> = deeds.iter().map(|(_, deed)| deed.name()).collect();
                names.join("+")
            }
            Self::Resign { .. } => "resign".to_owned(),
        }
    }

    /// The agent with that id acts.
    pub fn by(agent: u32, deed: Deed) -> Self {
        Self::Step { deed, agent: Some(agent) }
    }

    /// Reads a step as others write it: a deed's bare name, or `type` and perhaps `agent`.
    ///
    /// # Errors
    /// What is no deed, or no id.
    pub fn read(value: &Value) -> Result<Self, String> {
        let name = value["type"].as_str().or(value.as_str()).unwrap_or_default();
        let deed = Deed::named(name).ok_or_else(|| format!("`{name}` is no action"))?;
        let agent = match value.get("agent") {
            None | Some(Value::Null) => None,
            Some(id) => Some(id.as_u64().and_then(|id| u32::try_from(id).ok()).ok_or("a bad agent id")?),
        };
        Ok(Self::Step { deed, agent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn indices_and_names_agree() {
        for (index, deed) in Deed::ALL.into_iter().enumerate() {
            assert_eq!((deed as usize, Deed::named(deed.name())), (index, Some(deed)));
        }
    }

    #[test]
    fn actions_are_short_json() {
        let text = serde_json::to_string(&Action::step(Deed::PickUp)).unwrap();
        assert_eq!(text, r#"{"step":{"type":"pick_up"}}"#);
        assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), Action::step(Deed::PickUp));
    }

    #[test]
    fn steps_are_read_with_and_without_an_agent() {
        assert_eq!(Action::read(&json!("pick_up")), Ok(Action::step(Deed::PickUp)));
        assert_eq!(Action::read(&json!({"type": "left", "agent": null})), Ok(Action::step(Deed::Left)));
        assert_eq!(Action::read(&json!({"type": "left", "agent": 3})), Ok(Action::by(3, Deed::Left)));
        assert_eq!(Action::read(&json!({"type": "dance"})), Err("`dance` is no action".to_owned()));
        assert_eq!(Action::read(&json!({"type": "left", "agent": -1})), Err("a bad agent id".to_owned()));
    }
}
