//! What a position is worth, in hundredths of a pawn for the side to move. Every term has a value for
//! the middle of the game and one for its end; between them it is mixed by what is left on the board.

use crate::color::Color;
use crate::plain::{Bitboard, Position, Role, Square, Variant, attacks};

/// A value in the middle of the game and one at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair(i32, i32);

impl std::ops::AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

impl std::ops::Mul<i32> for Pair {
    type Output = Pair;
    fn mul(self, times: i32) -> Pair {
        Pair(self.0 * times, self.1 * times)
    }
}

/// Pawn to king.
const MATERIAL: [Pair; 6] =
    [Pair(92, 112), Pair(335, 305), Pair(348, 322), Pair(488, 545), Pair(1000, 980), Pair(0, 0)];
/// How much each kind counts toward the middle of the game.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const PHASE_MAX: i32 = 24;

const BISHOP_PAIR: Pair = Pair(28, 48);
const OPEN_FILE: Pair = Pair(26, 12);
const HALF_OPEN_FILE: Pair = Pair(12, 6);
const SEVENTH: Pair = Pair(12, 22);
const ISOLATED: Pair = Pair(-13, -12);
const DOUBLED: Pair = Pair(-8, -18);
const PROTECTED: Pair = Pair(9, 7);
const PASSED: [Pair; 8] = [
    Pair(0, 0),
    Pair(2, 8),
    Pair(4, 14),
    Pair(10, 30),
    Pair(28, 55),
    Pair(60, 100),
    Pair(100, 165),
    Pair(0, 0),
];
const SHIELD: Pair = Pair(11, 0);
const TEMPO: i32 = 14;
/// What a piece near the enemy's king adds to the attack on it.
const MENACE: [i32; 6] = [0, 18, 18, 26, 44, 0];

/// Is this value meant for the variant? The others have one of their own.
pub(super) fn is_meant_for(variant: Variant) -> bool {
    matches!(variant, Variant::Standard | Variant::Chess960 | Variant::KingOfTheHill | Variant::ThreeCheck)
}

/// The worth for the side to move.
pub(super) fn worth(position: &Position) -> i32 {
    let us = position.turn();
    let mut sum = Pair::default();
    let mut phase = 0;
    for color in Color::BOTH {
        let side = side(position, color);
        let sign = if color == us { 1 } else { -1 };
        sum += side * sign;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            phase += PHASE[role as usize] * position.of(color, role).count() as i32;
        }
    }
    let phase = phase.min(PHASE_MAX);
    let mixed = (sum.0 * phase + sum.1 * (PHASE_MAX - phase)) / PHASE_MAX;
    let mixed = mixed * scale(position, mixed > 0) / 16;
    mixed + TEMPO + special(position)
}

/// Without pawns a small advantage wins nothing.
fn scale(position: &Position, ours: bool) -> i32 {
    let strong = if ours { position.turn() } else { !position.turn() };
    if position.of(strong, Role::Pawn).any() {
        return 16;
    }
    let heavy = |color| {
        let count = |role| position.of(color, role).count() as i32;
        3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
    };
    if heavy(strong) - heavy(!strong) < 4 { 4 } else { 16 }
}

/// What the variant is about.
fn special(position: &Position) -> i32 {
    let value = |color: Color| match position.variant() {
        Variant::KingOfTheHill => position.king(color).map_or(0, |king| {
            let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
            -60 * ((2 * file - 7).abs().max((2 * rank - 7).abs()) / 2)
        }),
        Variant::ThreeCheck => {
            let given = 3 - i32::from(position.checks_left(color));
            120 * given * given
        }
        _ => 0,
    };
    value(position.turn()) - value(!position.turn())
}

fn side(position: &Position, us: Color) -> Pair {
    let them = !us;
    let (pawns, enemy_pawns) = (position.of(us, Role::Pawn), position.of(them, Role::Pawn));
    let barred = pawn_attacks(them, enemy_pawns);
    let mut sum = pawn_worth(position, us, pawns, enemy_pawns);
    let king_zone = position.king(them).map_or(Bitboard::EMPTY, |king| attacks::king(king) | king.into());
    let (mut menace, mut attackers) = (0, 0);
    let occupied = position.occupied();
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let pieces = position.of(us, role);
        sum += MATERIAL[role as usize] * pieces.count() as i32;
        for from in pieces {
            sum += place(role, us, from);
            let reach = match role {
                Role::Knight => attacks::knight(from),
                Role::Bishop => attacks::bishop(from, occupied),
                Role::Rook => attacks::rook(from, occupied),
                _ => attacks::rook(from, occupied) | attacks::bishop(from, occupied),
            };
            let free = reach.without(position.side(us)).without(barred).count() as i32;
            sum += mobility(role, free);
            let near = (reach & king_zone).count() as i32;
            if near > 0 {
                attackers += 1;
                menace += MENACE[role as usize] + 6 * near;
            }
            if role == Role::Rook {
                sum += rook_file(from, us, pawns, enemy_pawns);
            }
        }
        if role == Role::Bishop && pieces.several() {
            sum += BISHOP_PAIR;
        }
    }
    // One attacker is no attack.
    if attackers > 1 {
        let force = menace * attackers.min(5) / 4;
        sum += Pair(force, force / 8);
    }
    if let Some(king) = position.king(us) {
        sum += king_worth(us, king, pawns);
    }
    sum
}

/// Where a piece stands well, from its distance to the middle and how far it has come.
fn place(role: Role, us: Color, at: Square) -> Pair {
    let (file, rank) = (i32::from(at.file()), i32::from(us.pick(at.rank(), 7 - at.rank())));
    let off = ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2;
    match role {
        Role::Knight => Pair(18 - 7 * off + 3 * rank.min(5), 12 - 6 * off),
        Role::Bishop => Pair(10 - 3 * off + if rank == 0 { -10 } else { 0 }, 6 - 3 * off),
        Role::Rook => {
            let seventh = if rank == 6 { SEVENTH } else { Pair(0, 0) };
            Pair(8 - 3 * (2 * file - 7).abs() / 2 + seventh.0, seventh.1)
        }
        Role::Queen => Pair(if rank > 1 { -4 } else { 2 } - off, 12 - 4 * off),
        Role::Pawn | Role::King => Pair(0, 0),
    }
}

fn mobility(role: Role, free: i32) -> Pair {
    match role {
        Role::Knight => Pair(5, 5) * (free - 4),
        Role::Bishop => Pair(5, 6) * (free - 6),
        Role::Rook => Pair(3, 6) * (free - 7),
        Role::Queen => Pair(2, 4) * (free - 13),
        Role::Pawn | Role::King => Pair(0, 0),
    }
}

fn rook_file(from: Square, us: Color, pawns: Bitboard, enemy_pawns: Bitboard) -> Pair {
    let _ = us;
    let file = Bitboard::file(from.file());
    match ((pawns & file).is_empty(), (enemy_pawns & file).is_empty()) {
        (true, true) => OPEN_FILE,
        (true, false) => HALF_OPEN_FILE,
        (false, _) => Pair(0, 0),
    }
}

fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = color.forward();
    pawns.shift(8 + forward) | pawns.shift(-8 + forward)
}

fn pawn_worth(position: &Position, us: Color, pawns: Bitboard, enemy_pawns: Bitboard) -> Pair {
    let mut sum = MATERIAL[0] * pawns.count() as i32;
    let guarded = pawn_attacks(us, pawns);
    for from in pawns {
        let (file, rank) = (from.file(), us.pick(from.rank(), 7 - from.rank()));
        let beside = beside(file);
        let centre = 7 - (2 * i32::from(file) - 7).abs();
        sum += Pair(centre * i32::from(rank) / 4 - if rank == 1 && centre > 5 { 12 } else { 0 }, 0);
        if (pawns & beside).is_empty() {
            sum += ISOLATED;
        }
        if (pawns & Bitboard::file(file)).several() {
            sum += DOUBLED;
        }
        if guarded.has(from) {
            sum += PROTECTED;
        }
        let ahead = ahead(us, from) & (beside | Bitboard::file(file));
        if (enemy_pawns & ahead).is_empty() {
            sum += passed_worth(position, us, from, rank);
        }
    }
    sum
}

fn passed_worth(position: &Position, us: Color, from: Square, rank: u8) -> Pair {
    let mut worth = PASSED[usize::from(rank)];
    let ahead = ahead(us, from) & Bitboard::file(from.file());
    if (ahead & position.side(!us)).any() {
        worth = Pair(worth.0 / 2, worth.1 * 2 / 3);
    }
    // Kings run with pawns.
    let goal = Square::new(from.file(), us.pick(7, 0));
    let far = |color: Color| position.king(color).map_or(0, |king| distance(king, goal));
    let run = i32::from(rank.max(2) - 2);
    worth += Pair(0, run * 5 * (far(!us) - far(us)));
    worth
}

fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

fn beside(file: u8) -> Bitboard {
    let left = if file > 0 { Bitboard::file(file - 1) } else { Bitboard::EMPTY };
    let right = if file < 7 { Bitboard::file(file + 1) } else { Bitboard::EMPTY };
    left | right
}

/// All ranks before a square, seen by a side.
fn ahead(us: Color, from: Square) -> Bitboard {
    let ranks = match us {
        Color::White => from.rank() + 1..8,
        Color::Black => 0..from.rank(),
    };
    ranks.fold(Bitboard::EMPTY, |set, rank| set | Bitboard::rank(rank))
}

/// Behind its pawns in the middle of the game, in the middle of the board at its end.
fn king_worth(us: Color, king: Square, pawns: Bitboard) -> Pair {
    let (file, rank) = (i32::from(king.file()), i32::from(us.pick(king.rank(), 7 - king.rank())));
    let off = ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2;
    let mut sum = Pair(-18 * rank.min(4) + 6 * ((2 * file - 7).abs() / 2) - 9, 28 - 8 * off);
    let near = (beside(king.file()) | Bitboard::file(king.file())) & ahead(us, king);
    let close = near & (attacks::king(king) | attacks::king(king).shift(us.forward()));
    sum += SHIELD * (pawns & close).count().min(3) as i32;
    let open = (pawns & Bitboard::file(king.file())).is_empty();
    sum += Pair(if open { -22 } else { 0 }, 0);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> i32 {
        worth(&Position::from_fen(fen, Variant::Standard).expect("a good FEN"))
    }

    #[test]
    fn both_sides_are_judged_alike() {
        let pairs = [
            (
                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
                "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3",
            ),
            ("8/5k2/8/3P4/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/3p4/8/5K2/8 b - - 0 1"),
        ];
        for (white, black) in pairs {
            assert_eq!(of(white), of(black));
        }
        assert_eq!(of(Variant::Standard.start_fen()), TEMPO);
    }

    #[test]
    fn more_is_better() {
        assert!(of("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1") > 700);
        assert!(of("4k3/8/8/8/8/8/P7/4K3 w - - 0 1") > 60);
        assert!(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1") > of("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
    }
}
