//! Attack tables of the 8×8 board: leapers by lookup, riders by magic multiplication.
//!
//! All tables are computed by the compiler, so nothing is built at start and
//! no access is synchronised.

use super::bitboard::{Bitboard, Square};
use crate::color::Color;

/// Multipliers that map the blockers of each rook ray set to its own index,
/// found by random search for the file-major numbering of squares.
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x2080002080400010, 0x00c0002001401000, 0x2100110008402002, 0x0880080081041000,
    0x0200020020041008, 0x2300040008010012, 0x0c00283004008201, 0x0180010000407a80,
    0x0168800080400020, 0x0010400040201000, 0x1001002001001048, 0x1001002408100100,
    0x0801000408010012, 0x4001000209000400, 0x08a20004c8020001, 0x2002801145002280,
    0x0080860021004200, 0x001000c009402002, 0x00b0002004002800, 0x100a808010020800,
    0x8101010008000410, 0x0244008002000480, 0x0000040010810208, 0x2000020000448534,
    0x4104400480008033, 0x0000810100204000, 0x0440430900200010, 0x4600240900100100,
    0x0060080080040080, 0x0001000300080400, 0x0004084400011002, 0x0023040200008041,
    0x0580050043002080, 0x0400804002802008, 0x0001002001004010, 0x1000200901001000,
    0x4410800801800c00, 0xa012003806001004, 0x0020100104008802, 0x0004808402000041,
    0x0010400170898000, 0x0080500020004004, 0x1040408012020020, 0x8010040008004040,
    0x2001080100110004, 0x0000020004008080, 0x0021010810040002, 0x0800008c43020024,
    0x0000800021005100, 0x0070201040008080, 0x0000d04282006a00, 0x0010014400080240,
    0x0001080110050100, 0x0012000810240600, 0x0402000801040200, 0x028100108a004100,
    0x0050800300102045, 0x8208210040120882, 0x8010600101183441, 0x020b000910006045,
    0x0241001002480005, 0x0081000400880241, 0x0000009008024124, 0x0048122980410402,
];

/// The same for bishops.
#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0848020822040013, 0x8010a40085821200, 0x0008008430840822, 0x0808048108040000,
    0x1304042100008104, 0x5001012010204023, 0x81048801b8200420, 0x200a008084012000,
    0x0040102001042084, 0x840a505042428020, 0x0000700102202920, 0x44101c0c10800002,
    0x0040040422000000, 0x0180020802090202, 0x4020020811041202, 0x000104308c042000,
    0x4140661002424400, 0x0028012008010460, 0x0188062102002a00, 0x0014004840102008,
    0x0105000290400002, 0x8001022200410400, 0x104a041918013446, 0x008a000082008238,
    0x04a0060008100430, 0x0008220008820801, 0x2508041208005010, 0x4008080200202020,
    0x2441001013004000, 0x0030008060407000, 0x4008108000420800, 0x0012021050290100,
    0x0210080482200500, 0xcc01112048100480, 0x0020402806500440, 0x00048e0080580080,
    0x0040102020020080, 0x0028010440080807, 0x4601041108008800, 0x8040810e04104200,
    0x901210110400088a, 0xa003080212081050, 0x00c1004048401004, 0x900000a014400800,
    0x0008021040405401, 0x4020008206002090, 0x0004190424030100, 0x0424008a02026250,
    0x8004088250900040, 0x1c00430088a04200, 0x0001020094040001, 0x8040210020880061,
    0x2010040450442032, 0x0800840850044001, 0x0004040802140004, 0x0004080a04222020,
    0x8088802110022000, 0x1081a10416114400, 0x0205010a24060820, 0x0000000720411080,
    0x1008000208430400, 0x580c026028810840, 0x802020441020a110, 0x12c0022401020018,
];

const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KING_STEPS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const fn on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

const fn leaper(square: usize, steps: &[(i32, i32)]) -> u64 {
    let (file, rank) = ((square / 8) as i32, (square % 8) as i32);
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        let (x, y) = (file + steps[i].0, rank + steps[i].1);
        if on_board(x, y) {
            set |= 1u64 << (x * 8 + y);
        }
        i += 1;
    }
    set
}

/// The squares a rider sees; with `inner` only those whose occupation can matter.
const fn rider(square: usize, occupied: u64, steps: &[(i32, i32)], inner: bool) -> u64 {
    let (file, rank) = ((square / 8) as i32, (square % 8) as i32);
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        let (dx, dy) = steps[i];
        let (mut x, mut y) = (file + dx, rank + dy);
        while on_board(x, y) && (!inner || on_board(x + dx, y + dy)) {
            let bit = 1u64 << (x * 8 + y);
            set |= bit;
            if occupied & bit != 0 {
                break;
            }
            x += dx;
            y += dy;
        }
        i += 1;
    }
    set
}

const fn leapers(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = leaper(square, steps);
        square += 1;
    }
    table
}

static KING: [u64; 64] = leapers(&KING_STEPS);
static KNIGHT: [u64; 64] = leapers(&KNIGHT_STEPS);
static PAWN: [[u64; 64]; 2] = [leapers(&[(-1, 1), (1, 1)]), leapers(&[(-1, -1), (1, -1)])];

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    factor: u64,
    shift: u32,
    offset: u32,
}

const fn magics(factors: &[u64; 64], steps: &[(i32, i32); 4]) -> [Magic; 64] {
    let mut table = [Magic { mask: 0, factor: 0, shift: 0, offset: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = rider(square, 0, steps, true);
        let bits = mask.count_ones();
        table[square] = Magic { mask, factor: factors[square], shift: 64 - bits, offset };
        offset += 1 << bits;
        square += 1;
    }
    table
}

static ROOK: [Magic; 64] = magics(&ROOK_MAGICS, &ROOK_STEPS);
static BISHOP: [Magic; 64] = magics(&BISHOP_MAGICS, &BISHOP_STEPS);

const fn index(magic: &Magic, occupied: u64) -> usize {
    magic.offset as usize + ((occupied & magic.mask).wrapping_mul(magic.factor) >> magic.shift) as usize
}

/// What is seen along two rays of a rider, for every way in which they can be blocked.
struct Rays {
    ways: usize,
    /// The blockers times the magic factor: products of the two halves add up to that of both.
    products: [u64; 64],
    seen: [u64; 64],
}

const fn rays(square: usize, factor: u64, steps: &[(i32, i32)]) -> Rays {
    let mask = rider(square, 0, steps, true);
    let mut rays = Rays { ways: 0, products: [0; 64], seen: [0; 64] };
    let mut blockers = 0u64;
    loop {
        rays.products[rays.ways] = blockers.wrapping_mul(factor);
        rays.seen[rays.ways] = rider(square, blockers, steps, false);
        rays.ways += 1;
        // The next subset of the mask; zero again after the last one.
        blockers = blockers.wrapping_sub(mask) & mask;
        if blockers == 0 {
            return rays;
        }
    }
}

/// Walks two rays at a time and joins what they see: the compiler interprets this, and walking all four for each of
/// their blockers together would take it ten times as long.
const fn fill<const N: usize>(factors: &[u64; 64], steps: &[(i32, i32); 4]) -> [u64; N] {
    let table = magics(factors, steps);
    let (near, far) = steps.split_at(2);
    let mut seen = [0; N];
    let mut square = 0;
    while square < 64 {
        let (one, other) = (rays(square, factors[square], near), rays(square, factors[square], far));
        let (shift, offset) = (table[square].shift, table[square].offset as usize);
        let mut i = 0;
        while i < one.ways {
            let mut j = 0;
            while j < other.ways {
                let place = offset + (one.products[i].wrapping_add(other.products[j]) >> shift) as usize;
                seen[place] = one.seen[i] | other.seen[j];
                j += 1;
            }
            i += 1;
        }
        square += 1;
    }
    seen
}

static ROOK_SEEN: [u64; 102_400] = fill(&ROOK_MAGICS, &ROOK_STEPS);
static BISHOP_SEEN: [u64; 5_248] = fill(&BISHOP_MAGICS, &BISHOP_STEPS);

/// For each pair of squares on a common line, the squares between them, or with `through` the whole line.
const fn line_table(through: bool) -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut way = 0;
        while way < 8 {
            table[a] = with_ray(table[a], a, KING_STEPS[way], through);
            way += 1;
        }
        a += 1;
    }
    table
}

const fn with_ray(mut row: [u64; 64], a: usize, (dx, dy): (i32, i32), through: bool) -> [u64; 64] {
    let line = rider(a, 0, &[(dx, dy), (-dx, -dy)], false) | (1 << a);
    let (mut x, mut y) = ((a / 8) as i32 + dx, (a % 8) as i32 + dy);
    let mut between = 0;
    while on_board(x, y) {
        let b = (x * 8 + y) as usize;
        row[b] = if through { line } else { between };
        between |= 1 << b;
        x += dx;
        y += dy;
    }
    row
}

static BETWEEN: [[u64; 64]; 64] = line_table(false);
static LINE: [[u64; 64]; 64] = line_table(true);

/// Squares a king on `square` attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Squares a knight on `square` attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Squares a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color as usize][square.index()])
}

/// Squares a rook on `square` attacks when `occupied` is in its way.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(ROOK_SEEN[index(&ROOK[square.index()], occupied.0)])
}

/// Squares a bishop on `square` attacks when `occupied` is in its way.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(BISHOP_SEEN[index(&BISHOP[square.index()], occupied.0)])
}

/// Squares strictly between two squares on one line, else none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The whole line through two squares, edge to edge, else none.
#[inline]
pub fn line_through(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn riders_agree_with_walking_the_rays() {
        let mut noise = 0x2545_f491_4f6c_dd1d_u64;
        for square in Square::all() {
            for _ in 0..200 {
                noise ^= noise << 13;
                noise ^= noise >> 7;
                noise ^= noise << 17;
                let occupied = noise & noise.rotate_left(21);
                let i = square.index();
                assert_eq!(rook(square, Bitboard(occupied)).0, rider(i, occupied, &ROOK_STEPS, false));
                assert_eq!(bishop(square, Bitboard(occupied)).0, rider(i, occupied, &BISHOP_STEPS, false));
            }
        }
    }

    #[test]
    fn lines_reach_from_edge_to_edge() {
        let (a1, c3) = (Square::new(0, 0), Square::new(2, 2));
        assert_eq!(between(a1, c3), Bitboard::from(Square::new(1, 1)));
        assert_eq!(line_through(a1, c3).count(), 8);
        assert_eq!(line_through(a1, Square::new(1, 2)).count(), 0);
    }
}
