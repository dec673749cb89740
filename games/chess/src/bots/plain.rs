//! Plain positions under search.

use crate::color::Color;
use crate::plain::{Bitboard, Position, Role, Variant};

const VALUES: [i32; 6] = [100, 310, 330, 500, 950, 0];

/// A position as a search knows it.
pub trait Node {
    /// A hash of everything that matters.
    fn key(&self) -> u64;
    /// Worth for the side to move.
    fn worth(&self) -> i32;
}

impl Node for Position {
    fn key(&self) -> u64 {
        let mut key = 0x9e37_79b9_7f4a_7c15_u64;
        let mut add = |word: u64| key = (key.rotate_left(23) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.roles.iter().chain(&self.colors).for_each(|set| add(set.0));
        add(self.castling.0);
        add(self.promoted.0);
        add(self.en_passant.map_or(64, |square| square.index() as u64) << 8 | self.turn as u64);
        add(u64::from(self.checks_left[0]) << 8 | u64::from(self.checks_left[1]));
        for pocket in self.pockets {
            add(pocket.iter().fold(0, |word, count| word << 8 | u64::from(*count)));
        }
        key ^ (key >> 29)
    }

    fn worth(&self) -> i32 {
        let worth = side_worth(self, self.turn()) - side_worth(self, !self.turn());
        if self.variant() == Variant::Antichess { -worth } else { worth }
    }
}

/// Material, the centre, advanced pawns, and what the variant is about.
fn side_worth(position: &Position, color: Color) -> i32 {
    const CENTRE: Bitboard = Bitboard(0x3c << 16 | 0x3c << 24 | 0x3c << 32 | 0x3c << 40);
    const HEART: Bitboard = Bitboard(0x18 << 24 | 0x18 << 32);
    let mut worth = 0;
    for role in Role::ALL {
        let pieces = position.of(color, role);
        worth += VALUES[role as usize] * pieces.count() as i32;
        worth += VALUES[role as usize] * i32::from(position.in_pocket(color, role)) * 11 / 10;
        if matches!(role, Role::Pawn | Role::Knight | Role::Bishop) {
            worth += 8 * ((pieces & CENTRE).count() + (pieces & HEART).count()) as i32;
        }
    }
    for pawn in position.of(color, Role::Pawn) {
        let rank = i32::from(color.pick(pawn.rank(), 7 - pawn.rank()));
        worth += rank * rank * 2;
    }
    if let Some(king) = position.king(color) {
        let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
        worth += match position.variant() {
            Variant::KingOfTheHill => -60 * ((2 * file - 7).abs().max((2 * rank - 7).abs()) / 2),
            Variant::RacingKings => 150 * rank,
            Variant::Antichess => 150,
            _ => 10 * ((2 * rank - 7).abs() / 2),
        };
    }
    if position.variant() == Variant::ThreeCheck {
        worth += 200 * (3 - i32::from(position.checks_left(color)));
    }
    worth
}
