//! `2d6` as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number of dice of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct DiceDef {
    /// How many dice.
    pub count: u16,
    /// Faces per die.
    pub sides: u16,
}

impl DiceDef {
    /// `count` dice of `sides` faces.
    pub const fn new(count: u16, sides: u16) -> DiceDef {
        DiceDef { count, sides }
    }
}

impl TryFrom<String> for DiceDef {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parts = text.split_once('d').and_then(|(c, s)| Some((c.parse().ok()?, s.parse().ok()?)));
        match parts {
            Some((count @ 1..=20, sides @ 1..=1000)) => Ok(DiceDef { count, sides }),
            _ => Err(format!("{text:?} is not a dice formula like 1d20 (at most 20 dice of 1000 faces)")),
        }
    }
}

impl From<DiceDef> for String {
    fn from(dice: DiceDef) -> String {
        dice.to_string()
    }
}

impl fmt::Display for DiceDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d{}", self.count, self.sides)
    }
}
