//! How a game on the 8×8 board ends.

use super::attacks;
use super::bitboard::Bitboard;
use super::position::{Position, Role};
use super::variant::Variant;
use crate::color::Color;
use serde::{Deserialize, Serialize};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move.
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// A player claimed fifty moves without capture or pawn move.
    FiftyMoves,
    /// Seventy-five such moves end the game by themselves.
    SeventyFiveMoves,
    /// A player claimed the third occurrence of a position.
    ThreefoldRepetition,
    /// The fifth occurrence ends the game by itself.
    FivefoldRepetition,
    /// A king was taken or blown up.
    KingLost,
    /// The match has lasted as long as a match may.
    TurnLimit,
    /// A side has no piece left.
    NoPieces,
    /// A side has no legal move where that loses or wins.
    NoMoves,
    /// A king stands in the centre.
    Hill,
    /// The last check was given.
    Checks,
    /// A king reached the last rank.
    Race,
    /// A player's time ran out.
    TimeOut,
    /// A player gave up.
    Resignation,
    /// Both agreed.
    Agreement,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct End {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: EndReason,
}

impl End {
    /// A draw for a reason.
    pub const fn draw(reason: EndReason) -> End {
        End { winner: None, reason }
    }

    /// A win for a reason.
    pub const fn win(winner: Color, reason: EndReason) -> End {
        End { winner: Some(winner), reason }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn score(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// d4, d5, e4, e5.
const HILL: Bitboard = Bitboard(0x18 << 24 | 0x18 << 32);
const GOAL: Bitboard = Bitboard::rank(7);
const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

impl Position {
    /// The end by the variant's own rule, whatever moves there would be.
    #[inline]
    pub fn variant_end(&self) -> Option<End> {
        match self.variant {
            Variant::Standard | Variant::Chess960 | Variant::Crazyhouse => None,
            _ => self.special_end(),
        }
    }

    fn special_end(&self) -> Option<End> {
        let (us, them) = (self.turn, !self.turn);
        match self.variant {
            Variant::KingOfTheHill => Color::BOTH
                .into_iter()
                .find(|color| (self.of(*color, Role::King) & HILL).any())
                .map(|color| End::win(color, EndReason::Hill)),
            Variant::ThreeCheck => Color::BOTH
                .into_iter()
                .find(|color| self.checks_left(*color) == 0)
                .map(|color| End::win(color, EndReason::Checks)),
            Variant::Atomic => self.king(us).is_none().then_some(End::win(them, EndReason::KingLost)),
            Variant::Antichess => self.side(us).is_empty().then_some(End::win(us, EndReason::NoPieces)),
            Variant::Horde => {
                let horde = self.side(Color::White);
                horde.is_empty().then_some(End::win(Color::Black, EndReason::NoPieces))
            }
            Variant::RacingKings => self.race_end(),
            _ => None,
        }
    }

    /// White in goal: Black has one move to follow.
    fn race_end(&self) -> Option<End> {
        let white = (self.of(Color::White, Role::King) & GOAL).any();
        let black = (self.of(Color::Black, Role::King) & GOAL).any();
        match (white, black) {
            (false, false) => None,
            (true, true) => Some(End::draw(EndReason::Race)),
            (false, true) => Some(End::win(Color::Black, EndReason::Race)),
            (true, false) if self.turn == Color::Black && self.black_can_follow() => None,
            (true, false) => Some(End::win(Color::White, EndReason::Race)),
        }
    }

    fn black_can_follow(&self) -> bool {
        let Some(king) = self.king(Color::Black) else { return false };
        let free = (attacks::king(king) & GOAL).without(self.side(Color::Black));
        let occupied = self.occupied() ^ king.into();
        free.into_iter()
            .any(|to| self.attackers(to, Color::White, occupied | to.into()).without(to.into()).is_empty())
    }

    /// The end of the game here, apart from claims, repetition and clocks.
    pub fn end(&self) -> Option<End> {
        if let Some(end) = self.variant_end() {
            return Some(end);
        }
        if !self.has_legal_move() {
            return Some(self.no_moves());
        }
        if self.insufficient_material() {
            return Some(End::draw(EndReason::InsufficientMaterial));
        }
        (self.halfmoves >= 150).then_some(End::draw(EndReason::SeventyFiveMoves))
    }

    /// The verdict when the side to move has none.
    pub(crate) fn no_moves(&self) -> End {
        if self.variant == Variant::Antichess {
            return End::win(self.turn, EndReason::NoMoves);
        }
        if self.in_check() {
            return End::win(!self.turn, EndReason::Checkmate);
        }
        End::draw(EndReason::Stalemate)
    }

    /// Can neither side ever win by the variant's means?
    pub fn insufficient_material(&self) -> bool {
        match self.variant {
            Variant::Standard | Variant::Chess960 => self.only_minor(),
            Variant::ThreeCheck => self.occupied() == self.role(Role::King),
            Variant::Atomic => self.no_spark(),
            // Whoever is dropped again may stand on squares of the other colour.
            Variant::Crazyhouse => {
                let men = self.occupied().count() + self.in_pockets();
                men <= 3 && self.promoted.is_empty() && self.only_minor() && !self.majors_in_pocket()
            }
            Variant::Antichess => {
                self.occupied() == self.role(Role::Bishop) && self.bishops_that_never_meet()
            }
            Variant::KingOfTheHill | Variant::Horde | Variant::RacingKings => false,
        }
    }

    /// Bare kings with one knight, or with bishops of one square colour only.
    fn only_minor(&self) -> bool {
        let majors = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if majors.any() {
            return false;
        }
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        if knights.any() {
            return !(knights | bishops).several();
        }
        (bishops & LIGHT).is_empty() || bishops.without(LIGHT).is_empty()
    }

    fn in_pockets(&self) -> u32 {
        self.pockets.iter().flatten().map(|count| u32::from(*count)).sum()
    }

    fn majors_in_pocket(&self) -> bool {
        let majors = [Role::Pawn, Role::Rook, Role::Queen];
        Color::BOTH.into_iter().any(|color| majors.iter().any(|role| self.in_pocket(color, *role) > 0))
    }

    /// Atomic: nothing can be blown up beside a king any more, and too little is left to mate a bare one.
    fn no_spark(&self) -> bool {
        let men = self.occupied().without(self.role(Role::King));
        if Color::BOTH.into_iter().all(|color| (self.side(color) & men).any()) {
            return men == self.role(Role::Bishop) && self.bishops_that_never_meet();
        }
        let strong = self.role(Role::Queen) | self.role(Role::Pawn);
        strong.is_empty() && (men.count() <= 1 || (men == self.role(Role::Knight) && men.count() == 2))
    }

    /// Each side's bishops are on its own colour of squares.
    fn bishops_that_never_meet(&self) -> bool {
        let bishops = self.role(Role::Bishop);
        let colors_of = |color| {
            let side = self.side(color) & bishops;
            ((side & LIGHT).any(), side.without(LIGHT).any())
        };
        matches!(
            (colors_of(Color::White), colors_of(Color::Black)),
            ((true, false), (false, true)) | ((false, true), (true, false))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(variant: Variant, fen: &str) -> Option<End> {
        Position::from_fen(fen, variant).expect("a good FEN").end()
    }

    #[test]
    fn mate_and_stalemate() {
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(end_of(Variant::Standard, mate), Some(End::win(Color::Black, EndReason::Checkmate)));
        let stalemate = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(end_of(Variant::Standard, stalemate), Some(End::draw(EndReason::Stalemate)));
    }

    #[test]
    fn material() {
        let insufficient = Some(End::draw(EndReason::InsufficientMaterial));
        assert_eq!(end_of(Variant::Standard, "8/8/4k3/8/8/3KB3/8/8 w - - 0 1"), insufficient);
        assert_eq!(end_of(Variant::Standard, "8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1"), None);
        assert_eq!(end_of(Variant::Standard, "8/8/3bk3/8/8/3KB3/8/8 w - - 0 1"), insufficient);
        assert_eq!(end_of(Variant::KingOfTheHill, "8/8/2k5/8/8/6K1/8/8 w - - 0 1"), None);
    }

    #[test]
    fn material_of_the_variants() {
        let dead =
            |variant, fen| Position::from_fen(fen, variant).expect("a good FEN").insufficient_material();
        for (fen, expected) in [
            ("8/8/4k3/8/8/3K1R2/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3KNB2/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1", false),
            ("8/8/4k1n1/8/8/3KN3/8/8 w - - 0 1", false),
            ("8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1", true),
            ("8/8/3bk3/8/8/3KB3/8/8 w - - 0 1", false),
        ] {
            assert_eq!(dead(Variant::Atomic, fen), expected, "{fen}");
        }
        assert!(dead(Variant::Crazyhouse, "8/8/4k3/8/8/3KB3/8/8[] w - - 0 1"));
        assert!(!dead(Variant::Crazyhouse, "8/8/4k3/8/8/3K4/8/8[P] w - - 0 1"));
        assert!(!dead(Variant::Crazyhouse, "8/8/4k1b1/8/8/3KB3/8/8[] w - - 0 1"));
    }

    #[test]
    fn the_hill_the_race_and_the_herd() {
        let hill = "rnbqkbnr/pppppp1p/8/8/4K3/8/PPPP1PPP/RNBQ1BNR b kq - 0 1";
        assert_eq!(end_of(Variant::KingOfTheHill, hill).map(|end| end.reason), Some(EndReason::Hill));
        let race = "7K/8/k7/8/8/8/8/8 b - - 0 1";
        assert_eq!(end_of(Variant::RacingKings, race), Some(End::win(Color::White, EndReason::Race)));
        let follow = "7K/k7/8/8/8/8/8/8 b - - 0 1";
        assert_eq!(end_of(Variant::RacingKings, follow), None);
        let herd = "rnbqkbnr/pppppppp/8/8/8/8/8/8 w kq - 0 1";
        assert_eq!(end_of(Variant::Horde, herd), Some(End::win(Color::Black, EndReason::NoPieces)));
    }
}
