//! Which of the known games is played on the 8×8 board.

use super::position::Role;
use serde::{Deserialize, Serialize};

/// Orthodox chess and its variants.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Orthodox chess.
    #[default]
    Standard,
    /// Orthodox rules from one of 960 back ranks.
    Chess960,
    /// A king in the centre wins.
    KingOfTheHill,
    /// The third check wins.
    ThreeCheck,
    /// Every capture explodes.
    Atomic,
    /// Captures are forced; whoever runs out of moves or pieces wins.
    Antichess,
    /// Thirty-six pawns against an army.
    Horde,
    /// First king on the last rank, and no checks at all.
    RacingKings,
    /// Captured pieces change sides and come back.
    Crazyhouse,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 9] = [
        Variant::Standard,
        Variant::Chess960,
        Variant::KingOfTheHill,
        Variant::ThreeCheck,
        Variant::Atomic,
        Variant::Antichess,
        Variant::Horde,
        Variant::RacingKings,
        Variant::Crazyhouse,
    ];

    /// The name used by UCI's `UCI_Variant`, by perft files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "chess",
            Variant::Chess960 => "chess960",
            Variant::KingOfTheHill => "kingofthehill",
            Variant::ThreeCheck => "3check",
            Variant::Atomic => "atomic",
            Variant::Antichess => "antichess",
            Variant::Horde => "horde",
            Variant::RacingKings => "racingkings",
            Variant::Crazyhouse => "crazyhouse",
        }
    }

    /// The variant of a name; case, hyphens and underscores do not matter.
    pub fn from_name(name: &str) -> Option<Variant> {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        Some(match plain.as_str() {
            "standard" | "standardchess" | "orthodox" | "fromposition" => Variant::Standard,
            "fischerandom" | "fischerrandom" => Variant::Chess960,
            "koth" => Variant::KingOfTheHill,
            "threecheck" => Variant::ThreeCheck,
            "giveaway" => Variant::Antichess,
            other => Variant::ALL.into_iter().find(|variant| variant.name() == other)?,
        })
    }

    /// Is there a king that must not be left in check?
    pub const fn royal_king(self) -> bool {
        !matches!(self, Variant::Antichess)
    }

    /// What a pawn may become.
    pub const fn promotions(self) -> &'static [Role] {
        const FOUR: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        const FIVE: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King];
        match self {
            Variant::Antichess => &FIVE,
            _ => &FOUR,
        }
    }

    /// The FEN of the position in which a game starts.
    pub const fn start_fen(self) -> &'static str {
        match self {
            Variant::Standard | Variant::Chess960 | Variant::KingOfTheHill | Variant::Atomic => {
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            }
            Variant::ThreeCheck => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
            Variant::Antichess => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            Variant::Horde => "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
            Variant::RacingKings => "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
            Variant::Crazyhouse => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for variant in Variant::ALL {
            assert_eq!(Variant::from_name(variant.name()), Some(variant));
        }
        assert_eq!(Variant::from_name("King-of-the-Hill"), Some(Variant::KingOfTheHill));
        assert_eq!(Variant::from_name("checkers"), None);
    }
}
