//! Which rules and end conditions are on.

use crate::plain::Variant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What keeps a side alive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The king must not be left in check; mate wins.
    #[default]
    Mate,
    /// Kings may be taken; a side without king has lost.
    KingCapture,
    /// A side without any piece has lost.
    LastPiece,
    /// A side without any piece, or without moves, has won.
    LoseAll,
}

/// How king safety is judged when abilities or tiles are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Safety {
    /// The move is resolved with everything it sets off, then the king is looked at.
    #[default]
    Resolved,
    /// The piece is lifted and dropped on its target, abilities and tiles ignored.
    Projected,
}

/// A set of rules. Every switch can be set in a content file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Ruleset {
    /// The name as typed.
    #[serde(skip_deserializing)]
    pub id: String,
    /// The name as shown.
    pub title: String,
    /// One sentence about it.
    pub about: String,
    /// The plain game these rules amount to on a board without abilities and tiles.
    pub variant: Option<Variant>,
    /// What keeps a side alive.
    pub goal: Goal,
    /// How king safety is judged among abilities and tiles.
    pub safety: Safety,
    /// May king and rook castle?
    pub castling: bool,
    /// May pawns be taken in passing?
    pub en_passant: bool,
    /// What a pawn may become; the first alone means no choice.
    pub promotions: Vec<String>,
    /// Fifty and seventy-five moves, repetition, insufficient material.
    pub draws: bool,
    /// Turns after which a match is drawn where what was taken can come back; 0 is no limit.
    pub turn_limit: u32,
    /// A king in the centre wins.
    pub hill: bool,
    /// Checks that win the game; 0 is off.
    pub checks: u8,
    /// Captures are forced.
    pub must_capture: bool,
    /// First king on the last rank wins, checks are forbidden.
    pub race: bool,
    /// Captured pieces change sides and may be dropped.
    pub drops: bool,
    /// White's pawns may leap from the first rank too, and White needs no king.
    pub horde: bool,
    /// Abilities that every piece has from the start, outermost first.
    pub innate: Vec<String>,
    /// No legal move loses, where mate is not the goal.
    pub stuck_loses: bool,
    /// A bomb's blast also reaches the piece that took it.
    pub bomb_kills_taker: bool,
    /// A Cannibal grows by what it eats.
    pub cannibal_grows: bool,
    /// A player sees only what his pieces see.
    pub fog_of_war: bool,
    /// A clock that runs out loses the game.
    pub flag_loses: bool,
    /// The game ends by itself. Off only to follow records that play on.
    pub ends: bool,
}

impl Default for Ruleset {
    fn default() -> Ruleset {
        Ruleset {
            id: String::new(),
            title: String::new(),
            about: String::new(),
            variant: None,
            goal: Goal::Mate,
            safety: Safety::Resolved,
            castling: false,
            en_passant: false,
            promotions: vec!["queen".to_owned()],
            draws: false,
            turn_limit: 2_000,
            hill: false,
            checks: 0,
            must_capture: false,
            race: false,
            drops: false,
            horde: false,
            innate: Vec::new(),
            stuck_loses: true,
            bomb_kills_taker: false,
            cannibal_grows: true,
            fog_of_war: false,
            flag_loses: true,
            ends: true,
        }
    }
}
