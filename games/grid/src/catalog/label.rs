//! What people call a world, and how those in it stand to each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a level is called and measured by. No rule looks at it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Label {
    /// The name it is opened by, such as `04-red-door`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// What it is called, such as `The red door`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// One sentence about it: the hint.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The fewest steps that win it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub par: Option<i64>,
    /// The level to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// How the agents of a world stand to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Company {
    /// Whoever acts wins or loses for all.
    #[default]
    Strangers,
    /// All must reach the objective, and nobody may die.
    Partners,
    /// The first to reach the objective wins, and so does the last one alive. Out of time is a draw.
    Rivals,
}

impl Company {
    /// All of them.
    pub const ALL: [Company; 3] = [Self::Strangers, Self::Partners, Self::Rivals];
    /// Their names in documents, in the same order.
    pub const NAMES: [&str; 3] = ["strangers", "partners", "rivals"];

    /// The company of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(|index| Self::ALL[index])
    }

    /// The name in documents.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}
