//! Numbers that stand for names, and the few closed lists of words every table uses.

use serde::{Deserialize, Serialize};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u16);

        impl From<u16> for $name {
            fn from(number: u16) -> Self {
                $name(number)
            }
        }

        impl From<$name> for usize {
            fn from(number: $name) -> usize {
                usize::from(number.0)
            }
        }
    )*};
}

numbers! {
    /// A card, as numbered by [`super::Tables`].
    CardNo,
    /// A relic, as numbered by [`super::Tables`].
    RelicNo,
    /// A potion, as numbered by [`super::Tables`].
    PotionNo,
    /// A fight (a group of monsters), as numbered by [`super::Tables`].
    FightNo,
    /// A map event, as numbered by [`super::Tables`].
    EventNo,
    /// A character, as numbered by [`super::Tables`].
    CharacterNo,
    /// A gift of Neow's or its cost, as numbered by [`super::Tables`].
    GiftNo,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant),* }

        impl $name {
            /// Every word of the list, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The word in files and reports.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }
    };
}
pub(crate) use words;

words! {
    /// How rare a card or potion is.
    Rarity {
        /// The usual find.
        Common = "common",
        /// Less usual.
        Uncommon = "uncommon",
        /// Seldom.
        Rare = "rare",
    }
}

words! {
    /// Relic pools, in the order in which they are shuffled.
    Tier {
        /// The usual find.
        Common = "common",
        /// Less usual.
        Uncommon = "uncommon",
        /// Seldom.
        Rare = "rare",
        /// Sold only.
        Shop = "shop",
        /// From boss chests only.
        Boss = "boss",
    }
}

/// Whose reading of the rules a seed is resolved by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// The original game.
    #[default]
    Original,
    /// The simulator behind most of the recorded files, with its known slips.
    Simulator,
}

impl Rules {
    /// The rules by their name here or in the records.
    pub fn named(name: &str) -> Option<Rules> {
        match name {
            "original" | "corrected" => Some(Rules::Original),
            "simulator" | "lightspeed" => Some(Rules::Simulator),
            _ => None,
        }
    }

    /// Whether these are the original's rules.
    pub fn original(self) -> bool {
        self == Rules::Original
    }
}
