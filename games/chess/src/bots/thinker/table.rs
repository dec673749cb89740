//! What was found out about positions, shared by all threads of a search.
//!
//! An entry is two words: the data, and the key crossed with it. A torn write by two threads gives a
//! key that fits no position, so nobody has to wait for anybody.

use super::{MATE, WON};
use crate::plain::{Move, Role, Square};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A mate here and now, as the table writes it: its numbers have sixteen bits.
const TABLE_WON: i32 = 32_000;
/// A number below is no mate.
const TABLE_MATE: i32 = TABLE_WON - 1_000;

/// How a score is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is just that.
    Exact,
    /// It is that or more.
    AtLeast,
    /// It is that or less.
    AtMost,
}

impl Bound {
    /// How the best score of a window is to be read.
    pub fn of(best: i32, alpha: i32, beta: i32) -> Bound {
        if best >= beta {
            Bound::AtLeast
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        }
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub best: u16,
    /// What the search found; mates are counted from this position.
    score: i32,
    /// What it is worth at first sight.
    pub worth: i32,
    pub depth: i32,
    pub bound: Bound,
}

impl Known {
    /// What was found at that distance from the root.
    pub fn new(best: u16, score: i32, worth: i32, (depth, ply): (i32, usize), bound: Bound) -> Known {
        let ply = ply as i32;
        let score = match score {
            score if score > MATE => score + ply - WON + TABLE_WON,
            score if score < -MATE => score - ply + WON - TABLE_WON,
            score => score.clamp(1 - TABLE_MATE, TABLE_MATE - 1),
        };
        Known { best, score, worth: worth.clamp(1 - TABLE_MATE, TABLE_MATE - 1), depth, bound }
    }

    /// The score, seen from a root so many plies above.
    pub fn score(&self, ply: usize) -> i32 {
        let ply = ply as i32;
        match self.score {
            score if score >= TABLE_MATE => score - TABLE_WON + WON - ply,
            score if score <= -TABLE_MATE => score + TABLE_WON - WON + ply,
            score => score,
        }
    }

    /// The score, if it is enough to leave a window.
    pub fn settles(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let score = self.score(ply);
        let enough = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        enough.then_some(score)
    }

    /// What the position is worth at first sight, corrected by what the search found.
    pub fn better_worth(&self, worth: i32) -> i32 {
        let closer = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.score > worth,
            Bound::AtMost => self.score < worth,
        };
        if closer && self.score.abs() < TABLE_MATE { self.score } else { worth }
    }
}

/// An entry: the key crossed with the data, and the data.
type Slot = [AtomicU64; 2];
/// Positions that share a place, in the same line of the processor's memory.
const SHARED: usize = 4;

/// The table.
pub(super) struct Table {
    slots: Vec<Slot>,
    age: AtomicU8,
}

impl Table {
    /// A table of at most that many megabytes.
    pub fn new(megabytes: usize) -> Table {
        let most = megabytes.max(1) * 1024 * 1024 / size_of::<Slot>();
        let count = 1 << most.ilog2();
        let mut slots = Vec::new();
        slots.resize_with(count, || [AtomicU64::new(0), AtomicU64::new(0)]);
        Table { slots, age: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in &self.slots {
            slot[0].store(0, Ordering::Relaxed);
            slot[1].store(0, Ordering::Relaxed);
        }
    }

    /// A new search begins; what older ones found gives way.
    pub fn grow_older(&self) {
        self.age.fetch_add(1, Ordering::Relaxed);
    }

    fn age(&self) -> u8 {
        self.age.load(Ordering::Relaxed) & AGES
    }

    fn shelf(&self, key: u64) -> &[Slot] {
        let start = key as usize & (self.slots.len() - 1) & !(SHARED - 1);
        &self.slots[start..start + SHARED]
    }

    pub fn look_up(&self, key: u64) -> Option<Known> {
        let holds = |data: u64, slot: &Slot| data != 0 && slot[0].load(Ordering::Relaxed) ^ data == key;
        self.shelf(key).iter().find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            holds(data, slot).then(|| unpack(data))
        })
    }

    /// Remembers something in place of what is worth the least: old findings, then shallow ones.
    pub fn store(&self, key: u64, known: Known) {
        let age = self.age();
        let mut chosen = None;
        for slot in self.shelf(key) {
            let data = slot[1].load(Ordering::Relaxed);
            if data != 0 && slot[0].load(Ordering::Relaxed) ^ data == key {
                let old = unpack(data);
                // A deep finding of the same position is not given up for a glance.
                if known.bound != Bound::Exact && age_of(data) == age && old.depth > known.depth + 3 {
                    return;
                }
                let best = if known.best == 0 { old.best } else { known.best };
                return write(slot, key, pack(Known { best, ..known }, age));
            }
            let years = i32::from(age.wrapping_sub(age_of(data)) & AGES);
            let use_left = if data == 0 { i32::MIN } else { unpack(data).depth - 8 * years };
            if chosen.is_none_or(|(least, _)| use_left < least) {
                chosen = Some((use_left, slot));
            }
        }
        if let Some((_, slot)) = chosen {
            write(slot, key, pack(known, age));
        }
    }

    /// How full it is with what this search found, in thousandths.
    pub fn fullness(&self) -> usize {
        let age = self.age();
        let fresh = |slot: &&Slot| {
            let data = slot[1].load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        };
        let sample = self.slots.len().min(1000);
        self.slots.iter().take(sample).filter(fresh).count() * 1000 / sample
    }
}

fn write(slot: &Slot, key: u64, data: u64) {
    slot[0].store(key ^ data, Ordering::Relaxed);
    slot[1].store(data, Ordering::Relaxed);
}

const AGES: u8 = 31;

fn age_of(data: u64) -> u8 {
    (data >> 58) as u8 & AGES
}

// From the lowest bit: 16 bits move, 16 score, 16 worth, 8 depth, 2 bound, 5 age, one so that it is never 0.
fn pack(known: Known, age: u8) -> u64 {
    let short = |number: i32| u64::from(number as i16 as u16);
    let depth = known.depth.clamp(0, 255) as u64;
    u64::from(known.best)
        | short(known.score) << 16
        | short(known.worth) << 32
        | depth << 48
        | (known.bound as u64) << 56
        | u64::from(age) << 58
        | 1 << 63
}

fn unpack(data: u64) -> Known {
    let short = |shift: u32| i32::from((data >> shift) as u16 as i16);
    let bound = match data >> 56 & 3 {
        0 => Bound::Exact,
        1 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    Known { best: data as u16, score: short(16), worth: short(32), depth: (data >> 48 & 0xff) as i32, bound }
}

/// A move in sixteen bits; 0 is none.
pub(super) fn squeeze(mv: &Move) -> u16 {
    let square = |square: Square| square.index() as u16;
    match *mv {
        Move::Normal { from, to, promotion, .. } => {
            square(from) | square(to) << 6 | promotion.map_or(0, |role| role as u16) << 12
        }
        Move::EnPassant { from, to } => square(from) | square(to) << 6 | 6 << 12,
        Move::Castle { king, rook } => square(king) | square(rook) << 6 | 7 << 12,
        Move::Drop { role, to } => role as u16 | square(to) << 6 | 8 << 12,
    }
    .max(1)
}

/// Roles a promotion may have, none of them the pawn that stands for none above.
const _: () = assert!(Role::Pawn as u16 == 0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1);
        let known = Known::new(4711, 77 - WON, -250, (17, 7), Bound::AtMost);
        table.store(0xdead_beef, known);
        assert_eq!(table.look_up(0xdead_beef), Some(known));
        assert_eq!(table.look_up(0xdead_beef ^ 1 << 63), None);
        table.clear();
        assert_eq!(table.look_up(0xdead_beef), None);
    }

    #[test]
    fn mates_are_counted_from_where_they_are_seen() {
        let known = Known::new(1, WON - 9, 0, (4, 6), Bound::Exact);
        assert_eq!((known.score(6), known.score(2)), (WON - 9, WON - 5));
        let known = Known::new(1, 9 - WON, 0, (4, 6), Bound::Exact);
        assert_eq!((known.score(6), known.score(2)), (9 - WON, 5 - WON));
        assert_eq!(Known::new(1, 123, 0, (4, 6), Bound::Exact).score(2), 123);
    }

    #[test]
    fn shallow_and_old_findings_give_way() {
        let table = Table::new(1);
        let found = |depth| Known::new(1, 5, 5, (depth, 0), Bound::AtLeast);
        // So many positions that all have the same place.
        let key = |number: u64| 64 + (number << 40);
        for number in 0..SHARED as u64 {
            table.store(key(number), found(10 - number as i32));
        }
        table.store(key(9), found(1));
        let kept = |number| table.look_up(key(number)).is_some();
        assert_eq!([0, 1, 2, 3, 9].map(kept), [true, true, true, false, true]);
        table.grow_older();
        table.store(key(10), found(1));
        table.store(key(11), found(1));
        assert_eq!([0, 1, 9, 10, 11].map(kept), [true, true, false, true, true]);
        assert!(!kept(2), "what is old gives way before what is new");
    }

    #[test]
    fn moves_are_told_apart() {
        let position = crate::plain::Position::from_fen(
            "r3k2r/1P1p4/8/2pP4/8/8/6P1/R3K2R w KQkq c6 0 1",
            crate::plain::Variant::Standard,
        )
        .unwrap();
        let mut words: Vec<u16> = position.legal().iter().map(squeeze).collect();
        let many = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), many);
    }
}
