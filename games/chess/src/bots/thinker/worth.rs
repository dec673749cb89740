//! What a position is worth, in hundredths of a pawn for the side to move. Every term has a value for
//! the middle of the game and one for its end; between them it is mixed by what is left on the board.
//! The values are in `weights.rs`, and were fitted to games that the searcher played with itself.

use super::weights::WEIGHTS;
use crate::color::Color;
use crate::plain::{Bitboard, Position, Role, Square, Variant, attacks};

/// A value in the middle of the game, and in the upper half one at its end: both are added up at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair(i64);

impl Pair {
    const fn new((middle, end): (i16, i16)) -> Pair {
        Pair(middle as i64 + ((end as i64) << 32))
    }

    fn middle(self) -> i32 {
        self.0 as i32
    }

    fn end(self) -> i32 {
        // A middle below zero has borrowed from the upper half.
        ((self.0 - i64::from(self.middle())) >> 32) as i32
    }
}

static PAIRS: [Pair; TERMS] = {
    let mut pairs = [Pair(0); TERMS];
    let mut term = 0;
    while term < TERMS {
        pairs[term] = Pair::new(WEIGHTS[term]);
        term += 1;
    }
    pairs
};

/// Collects how often each term occurs: for White if the count is positive.
pub(super) trait Tally {
    /// Adds occurrences of a term.
    fn add(&mut self, term: usize, count: i32);
}

impl Tally for Pair {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.0 += PAIRS[term].0 * i64::from(count);
    }
}

/// Where the terms stand in the list of weights. A kind of piece on a square: half a board each, because left and
/// right are alike.
const PLACE: usize = 0;
/// How many squares a knight, bishop, rook or queen can go to.
const MOBILITY: [usize; 4] = [192, 201, 215, 230];
/// A passed pawn by its rank, what is added if something stands before it, and how near the kings are.
const PASSED: usize = 258;
const PASSED_BLOCKED: usize = 266;
const PASSED_KINGS: [usize; 2] = [274, 275];
const ISOLATED: usize = 276;
const DOUBLED: usize = 277;
/// A pawn that is guarded by a pawn or stands beside one, by its rank.
const CONNECTED: usize = 278;
const BISHOP_PAIR: usize = 286;
const OPEN_FILE: usize = 287;
const HALF_OPEN_FILE: usize = 288;
/// A knight or bishop that a pawn guards and no pawn can drive away.
const OUTPOST: [usize; 2] = [289, 290];
/// Pawns before the king, and files around it without one's own pawns.
const SHIELD: usize = 291;
const KING_FILES: usize = 295;
/// How heavily the squares around the enemy's king are attacked.
const DANGER: usize = 299;
/// What a pawn, a knight or bishop, and a rook attack; and what is attacked and not guarded.
const PAWN_THREAT: usize = 331;
const MINOR_THREAT: usize = 335;
const ROOK_THREAT: usize = 337;
const HANGING: usize = 338;
const TEMPO: usize = 343;
/// How many terms there are.
pub(super) const TERMS: usize = 344;

/// How much each kind counts toward the middle of the game.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
pub(super) const PHASE_MAX: i32 = 24;
/// What a piece near the enemy's king adds to the attack on it.
const MENACE: [i32; 6] = [0, 2, 2, 3, 5, 0];

/// Is this value meant for the variant? The others have one of their own.
pub(super) fn is_meant_for(variant: Variant) -> bool {
    matches!(variant, Variant::Standard | Variant::Chess960 | Variant::KingOfTheHill | Variant::ThreeCheck)
}

/// What pawns are worth by themselves. They seldom move, so that most of it is known already.
pub(super) struct Pawns(Vec<Structure>);

/// Pawns of both sides, what their order is worth, and which are passed.
#[derive(Clone, Copy, Default)]
struct Structure {
    pawns: [Bitboard; 2],
    sum: Pair,
    passed: Bitboard,
}

impl Pawns {
    const PLACES: usize = 4096;

    pub fn new() -> Pawns {
        Pawns(vec![Structure::default(); Pawns::PLACES])
    }

    fn of(&mut self, position: &Position) -> Structure {
        let pawns = Color::BOTH.map(|color| position.of(color, Role::Pawn));
        let hash =
            pawns[0].0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ pawns[1].0.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let known = &mut self.0[(hash >> 40) as usize % Pawns::PLACES];
        if known.pawns != pawns {
            let mut sum = Pair::default();
            let passed = count_structure(pawns, &mut sum);
            *known = Structure { pawns, sum, passed };
        }
        *known
    }
}

/// The worth for the side to move.
pub(super) fn worth(position: &Position, pawns: &mut Pawns) -> i32 {
    let Structure { mut sum, passed, .. } = pawns.of(position);
    count_others(position, passed, &mut sum);
    let us = position.turn().pick(1, -1);
    let phase = phase(position);
    let mixed = us * (sum.middle() * phase + sum.end() * (PHASE_MAX - phase)) / PHASE_MAX;
    mixed * scale(position, mixed > 0) / 16 + special(position)
}

/// How much of the middle of the game is left.
pub(super) fn phase(position: &Position) -> i32 {
    let of = |role: Role| PHASE[role as usize] * position.role(role).count() as i32;
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(of).iter().sum::<i32>().min(PHASE_MAX)
}

/// Without pawns a small advantage wins nothing.
pub(super) fn scale(position: &Position, ours: bool) -> i32 {
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

/// What one side has and attacks.
struct Force {
    pawns: Bitboard,
    by_pawns: Bitboard,
    by_minors: Bitboard,
    by_rooks: Bitboard,
    all: Bitboard,
}

impl Force {
    fn new(position: &Position, us: Color) -> Force {
        let pawns = position.of(us, Role::Pawn);
        let by_pawns = pawn_attacks(us, pawns);
        let by_king = position.king(us).map_or(Bitboard::EMPTY, attacks::king);
        let none = Bitboard::EMPTY;
        Force { pawns, by_pawns, by_minors: none, by_rooks: none, all: by_pawns | by_king }
    }
}

/// Counts every term of a position.
#[cfg(test)]
pub(super) fn count(position: &Position, tally: &mut impl Tally) {
    let passed = count_structure(Color::BOTH.map(|color| position.of(color, Role::Pawn)), tally);
    count_others(position, passed, tally);
}

/// Counts everything but the order of the pawns.
fn count_others(position: &Position, passed: Bitboard, tally: &mut impl Tally) {
    let mut forces = Color::BOTH.map(|color| Force::new(position, color));
    for us in Color::BOTH {
        count_pieces(position, us, &mut forces, tally);
        for from in passed & position.side(us) {
            count_passed(position, us, from, tally);
        }
        count_king(position, us, &forces, tally);
    }
    for us in Color::BOTH {
        count_threats(position, us, &forces, tally);
    }
    tally.add(TEMPO, position.turn().pick(1, -1));
}

/// Half a board, seen by a side: ranks of four squares, the edge first.
fn half(us: Color, at: Square) -> usize {
    let rank = us.pick(at.rank(), 7 - at.rank());
    usize::from(rank) * 4 + usize::from(at.file().min(7 - at.file()))
}

fn count_pieces(position: &Position, us: Color, forces: &mut [Force; 2], tally: &mut impl Tally) {
    let (sign, them) = (us.pick(1, -1), !us);
    let (barred, enemy_pawns) = (forces[them as usize].by_pawns, forces[them as usize].pawns);
    let force = &mut forces[us as usize];
    let zone = position.king(them).map_or(Bitboard::EMPTY, |king| attacks::king(king) | king.into());
    let occupied = position.occupied();
    let (mut menace, mut attackers) = (0, 0);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in position.of(us, role) {
            tally.add(PLACE + role as usize * 32 + half(us, from), sign);
            let reach = reach(role, from, occupied);
            force.all |= reach;
            let free = reach.without(position.side(us)).without(barred).count() as usize;
            tally.add(MOBILITY[role as usize - 1] + free, sign);
            let near = (reach & zone).count() as i32;
            attackers += i32::from(near > 0);
            menace += if near > 0 { MENACE[role as usize] + near } else { 0 };
            match role {
                Role::Knight | Role::Bishop => {
                    force.by_minors |= reach;
                    let kept = (enemy_pawns & ahead(us, from) & beside(from.file())).is_empty();
                    if kept && force.by_pawns.has(from) && rank_of(us, from) > 2 {
                        tally.add(OUTPOST[usize::from(role == Role::Bishop)], sign);
                    }
                }
                Role::Rook => {
                    force.by_rooks |= reach;
                    count_file(from, force.pawns, enemy_pawns, sign, tally);
                }
                Role::Pawn | Role::Queen | Role::King => {}
            }
        }
    }
    if position.of(us, Role::Bishop).several() {
        tally.add(BISHOP_PAIR, sign);
    }
    // One attacker is no attack.
    if attackers > 1 {
        tally.add(DANGER + (menace as usize).min(31), sign);
    }
}

fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop(from, occupied),
        Role::Rook => attacks::rook(from, occupied),
        Role::Queen => attacks::rook(from, occupied) | attacks::bishop(from, occupied),
        Role::Pawn | Role::King => Bitboard::EMPTY,
    }
}

fn count_file(from: Square, pawns: Bitboard, enemy_pawns: Bitboard, sign: i32, tally: &mut impl Tally) {
    let file = Bitboard::file(from.file());
    match ((pawns & file).is_empty(), (enemy_pawns & file).is_empty()) {
        (true, true) => tally.add(OPEN_FILE, sign),
        (true, false) => tally.add(HALF_OPEN_FILE, sign),
        (false, _) => {}
    }
}

fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = color.forward();
    pawns.shift(8 + forward) | pawns.shift(-8 + forward)
}

/// Counts the order of the pawns; gives those that are passed.
fn count_structure(both: [Bitboard; 2], tally: &mut impl Tally) -> Bitboard {
    let mut passed = Bitboard::EMPTY;
    for us in Color::BOTH {
        let sign = us.pick(1, -1);
        let (pawns, enemy_pawns) = (both[us as usize], both[!us as usize]);
        let connected = pawn_attacks(us, pawns) | pawns.shift(8) | pawns.shift(-8);
        for from in pawns {
            let (file, ahead) = (Bitboard::file(from.file()), ahead(us, from));
            let beside = beside(from.file());
            tally.add(PLACE + half(us, from), sign);
            if (pawns & beside).is_empty() {
                tally.add(ISOLATED, sign);
            }
            if (pawns & ahead & file).any() {
                tally.add(DOUBLED, sign);
            }
            if connected.has(from) {
                tally.add(CONNECTED + rank_of(us, from), sign);
            }
            if (enemy_pawns & ahead & (beside | file)).is_empty() {
                tally.add(PASSED + rank_of(us, from), sign);
                passed |= from.into();
            }
        }
    }
    passed
}

/// The rank of a square, seen by a side.
fn rank_of(us: Color, square: Square) -> usize {
    usize::from(us.pick(square.rank(), 7 - square.rank()))
}

/// What stands in a passed pawn's way, and how near the kings are.
fn count_passed(position: &Position, us: Color, from: Square, tally: &mut impl Tally) {
    let (sign, rank) = (us.pick(1, -1), rank_of(us, from));
    let way = ahead(us, from) & Bitboard::file(from.file());
    if (way & position.side(!us)).any() {
        tally.add(PASSED_BLOCKED + rank, sign);
    }
    // Kings run with pawns.
    let goal = Square::new(from.file(), us.pick(7, 0));
    let run = rank.saturating_sub(2) as i32;
    for (term, color) in PASSED_KINGS.into_iter().zip([us, !us]) {
        let far = position.king(color).map_or(0, |king| distance(king, goal));
        tally.add(term, sign * run * far);
    }
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
        Color::White => 0xff_u8.checked_shl(u32::from(from.rank()) + 1).unwrap_or(0),
        Color::Black => (1 << from.rank()) - 1,
    };
    Bitboard(u64::from(ranks) * 0x0101_0101_0101_0101)
}

fn count_king(position: &Position, us: Color, forces: &[Force; 2], tally: &mut impl Tally) {
    let Some(king) = position.king(us) else { return };
    let (sign, pawns) = (us.pick(1, -1), forces[us as usize].pawns);
    tally.add(PLACE + Role::King as usize * 32 + half(us, king), sign);
    let files = beside(king.file()) | Bitboard::file(king.file());
    let close = attacks::king(king) | attacks::king(king).shift(us.forward());
    let shield = (pawns & files & ahead(us, king) & close).count() as usize;
    tally.add(SHIELD + shield.min(3), sign);
    let near = king.file().saturating_sub(1)..=(king.file() + 1).min(7);
    let open = near.filter(|file| (pawns & Bitboard::file(*file)).is_empty()).count();
    tally.add(KING_FILES + open, sign);
}

fn count_threats(position: &Position, us: Color, forces: &[Force; 2], tally: &mut impl Tally) {
    let (sign, them) = (us.pick(1, -1), !us);
    let (ours, theirs) = (&forces[us as usize], &forces[them as usize]);
    let hanging = ours.all.without(theirs.all);
    let mut add = |term: usize, role: Role, attacked: Bitboard| {
        let targets = position.of(them, role) & attacked;
        // Most threats are none.
        if targets.any() {
            tally.add(term, sign * targets.count() as i32);
        }
    };
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        add(HANGING + role as usize, role, hanging);
        if role != Role::Pawn {
            add(PAWN_THREAT + role as usize - 1, role, ours.by_pawns);
        }
    }
    add(MINOR_THREAT, Role::Rook, ours.by_minors);
    add(MINOR_THREAT + 1, Role::Queen, ours.by_minors);
    add(ROOK_THREAT, Role::Queen, ours.by_rooks);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> i32 {
        worth(&Position::from_fen(fen, Variant::Standard).expect("a good FEN"), &mut Pawns::new())
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
        assert_eq!(of(Variant::Standard.start_fen()), i32::from(WEIGHTS[TEMPO].0));
    }

    #[test]
    fn more_is_better() {
        assert!(of("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1") > 700);
        assert!(of("4k3/8/8/8/8/8/P7/4K3 w - - 0 1") > 60);
        assert!(of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1") > of("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
    }
}
