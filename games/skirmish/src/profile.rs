//! Which set of rules a match is played by.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule profile, named by every match file and every trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Profile {
    /// Four actions, five events: no conditions but `dead`, no turn budget, no end of combat.
    #[serde(rename = "mir-1.4")]
    Mir14,
    /// Seven actions, eleven events: conditions, abilities, turn budget, end of combat.
    #[default]
    #[serde(rename = "mir-0.23")]
    Mir023,
}

impl Profile {
    /// Both profiles, in the order in which they are listed to people.
    pub const ALL: [Profile; 2] = [Profile::Mir14, Profile::Mir023];

    /// The name used in files.
    ///
    /// ```
    /// use turnstone_skirmish::Profile;
    /// assert_eq!(Profile::Mir023.name(), "mir-0.23");
    /// assert_eq!(Profile::parse("mir-1.4"), Some(Profile::Mir14));
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Profile::Mir14 => "mir-1.4",
            Profile::Mir023 => "mir-0.23",
        }
    }

    /// Reads a profile's name, with or without the `mir-` prefix.
    pub fn parse(name: &str) -> Option<Profile> {
        match name.strip_prefix("mir-").unwrap_or(name) {
            "1.4" | "1.4.0" => Some(Profile::Mir14),
            "0.23" | "0.23.0" => Some(Profile::Mir023),
            _ => None,
        }
    }

    /// True for the profile with conditions, abilities and a turn budget.
    pub fn is_modern(self) -> bool {
        self == Profile::Mir023
    }
}
