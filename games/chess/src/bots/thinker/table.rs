//! What was found out about positions, shared by all threads of a search.
//!
//! An entry is two words: the data, and the key crossed with it. A torn write by two threads gives a
//! key that fits no position, so nobody has to wait for anybody.

use crate::plain::{Move, Role, Square};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub best: u16,
    pub score: i32,
    pub depth: i32,
    pub bound: Bound,
}

/// The table.
pub(super) struct Table {
    slots: Vec<[AtomicU64; 2]>,
    age: AtomicU8,
}

const SLOT_BYTES: usize = 16;

impl Table {
    /// A table of about that many megabytes.
    pub fn new(megabytes: usize) -> Table {
        let count = (megabytes.max(1) * 1024 * 1024 / SLOT_BYTES).next_power_of_two() / 2;
        let mut slots = Vec::new();
        slots.resize_with(count.max(1024), || [AtomicU64::new(0), AtomicU64::new(0)]);
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

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    pub fn look_up(&self, key: u64) -> Option<Known> {
        let slot = self.slot(key);
        let data = slot[1].load(Ordering::Relaxed);
        (data != 0 && slot[0].load(Ordering::Relaxed) ^ data == key).then(|| unpack(data))
    }

    pub fn store(&self, key: u64, known: Known) {
        let slot = self.slot(key);
        let age = self.age.load(Ordering::Relaxed) & 63;
        let old = slot[1].load(Ordering::Relaxed);
        let same = slot[0].load(Ordering::Relaxed) ^ old == key;
        // Deep findings of this search are kept, unless there is news of the same position.
        let (old_depth, old_age) = ((old >> 36 & 0xff) as i32, (old >> 46 & 63) as u8);
        if old != 0 && !same && old_age == age && old_depth > known.depth + 2 {
            return;
        }
        let best = if known.best == 0 && same { unpack(old).best } else { known.best };
        let data = pack(Known { best, ..known }, age);
        slot[0].store(key ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }

    /// How full it is with what this search found, in thousandths.
    pub fn fullness(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed) & 63;
        let fresh = |slot: &&[AtomicU64; 2]| {
            let data = slot[1].load(Ordering::Relaxed);
            data != 0 && (data >> 46 & 63) as u8 == age
        };
        let sample = self.slots.len().min(1000);
        self.slots.iter().take(sample).filter(fresh).count() * 1000 / sample
    }
}

// 16 bits move, 20 bits score, 8 bits depth, 2 bits bound, 6 bits age, one bit so that it is never 0.
fn pack(known: Known, age: u8) -> u64 {
    let score = (known.score + (1 << 19)) as u64 & 0xf_ffff;
    let depth = known.depth.clamp(0, 255) as u64;
    u64::from(known.best)
        | score << 16
        | depth << 36
        | (known.bound as u64) << 44
        | u64::from(age) << 46
        | 1 << 63
}

fn unpack(data: u64) -> Known {
    let bound = match data >> 44 & 3 {
        0 => Bound::Exact,
        1 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    Known {
        best: data as u16,
        score: (data >> 16 & 0xf_ffff) as i32 - (1 << 19),
        depth: (data >> 36 & 0xff) as i32,
        bound,
    }
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
        let known = Known { best: 4711, score: -499_990, depth: 17, bound: Bound::AtMost };
        table.store(0xdead_beef, known);
        assert_eq!(table.look_up(0xdead_beef), Some(known));
        assert_eq!(table.look_up(0xdead_beef ^ 1 << 63), None);
        table.clear();
        assert_eq!(table.look_up(0xdead_beef), None);
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
