//! Randomness as data: a draw is a pure function of (seed, stream, counter).
//!
//! A state keeps one counter per stream. `settle` makes a [`Dice`] from it, draws, and puts the new
//! counter into the event; `apply` writes it back. So the log alone rebuilds the dice, an undo takes
//! a roll back exactly, and a stream is not disturbed by draws from another.
//!
//! ```
//! use turnstone::dice::{Dice, Draw, Stream};
//! const SHUFFLE: Stream = Stream::named("shuffle");
//!
//! let mut dice = Dice::new(7, SHUFFLE, 0);
//! let mut deck = [1, 2, 3, 4, 5];
//! dice.shuffle(&mut deck);
//!
//! let mut again = Dice::new(7, SHUFFLE, 0);
//! let mut same = [1, 2, 3, 4, 5];
//! again.shuffle(&mut same);
//! assert_eq!(deck, same);
//! assert_eq!(dice.counter(), again.counter());
//! ```
//!
//! Bots, cosmetics and the sampling of hidden information draw [`Lots`] instead: another generator
//! with the same methods, which can never meet the game's own dice.

use serde::{Deserialize, Serialize};

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
const DICE_DOMAIN: u64 = 0x5475_726E_7374_6F6E; // "Turnston"
const LOTS_DOMAIN: u64 = 0x4C6F_7473_2061_7274; // "Lots art"

/// A 64-bit finaliser: every input bit reaches every output bit.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A named, independent sequence of draws within one seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream(u64);

impl Stream {
    /// The stream of that name; the number is computed at compile time in a `const`.
    pub const fn named(name: &str) -> Self {
        let bytes = name.as_bytes();
        let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
        let mut i = 0;
        while i < bytes.len() {
            hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01B3);
            i += 1;
        }
        Stream(hash)
    }

    /// The `index`-th of a family of streams, for example one per player.
    pub const fn nth(self, index: u64) -> Self {
        Stream(mix(self.0 ^ index.wrapping_add(1).wrapping_mul(GOLDEN)))
    }
}

/// What can be drawn. Integers only; every method is unbiased and fixed for ever: a recorded match
/// must give the same numbers after any update.
pub trait Draw {
    /// The next 64 random bits.
    fn next_u64(&mut self) -> u64;

    /// A number in `0..bound`, each equally likely; 0 if `bound` is 0.
    fn below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        // Multiply and take the high word; refuse the few low words that would favour some results. They
        // are below the bound, so that most draws need no division to know that they are none of them.
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A number in `low..=high`, each equally likely; `low` if the range is empty.
    fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let span = high.wrapping_sub(low) as u64;
        match span.checked_add(1) {
            Some(bound) => low.wrapping_add(self.below(bound) as i64),
            None => self.next_u64() as i64,
        }
    }

    /// True in `numerator` of `denominator` cases.
    fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// An index into something of that length, or `None` if it is empty. A single choice draws nothing.
    fn index(&mut self, length: usize) -> Option<usize> {
        (length > 0).then(|| self.below(length as u64) as usize)
    }

    /// One of the items, or `None` if there are none.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T>
    where
        Self: Sized,
    {
        self.index(items.len()).map(|i| &items[i])
    }

    /// An index chosen in proportion to its weight, or `None` if all weights are zero.
    fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.below(total);
        weights.iter().position(|&weight| {
            let here = left < u64::from(weight);
            left = left.saturating_sub(u64::from(weight));
            here
        })
    }

    /// Puts the items in random order, every order equally likely (Fisher–Yates from the end).
    fn shuffle<T>(&mut self, items: &mut [T])
    where
        Self: Sized,
    {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// The game's own dice: a view on one stream from one counter on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    key: u64,
    counter: u64,
}

impl Dice {
    /// The dice of that seed and stream, from that counter on.
    #[inline]
    pub const fn new(seed: u64, stream: Stream, counter: u64) -> Self {
        Dice { key: key(DICE_DOMAIN, seed, stream), counter }
    }

    /// How many draws this stream has seen: what the event must carry.
    #[inline]
    pub const fn counter(&self) -> u64 {
        self.counter
    }
}

impl Draw for Dice {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        mix(self.key.wrapping_add(self.counter.wrapping_mul(GOLDEN)))
    }
}

/// A generator for everything that is *not* the game: bots, sampling of hidden information, cosmetics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lots {
    state: u64,
}

impl Lots {
    /// Lots for one purpose; different purposes give unrelated sequences.
    pub const fn new(seed: u64, purpose: Stream) -> Self {
        Lots { state: key(LOTS_DOMAIN, seed, purpose) }
    }
}

impl Draw for Lots {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }
}

const fn key(domain: u64, seed: u64, stream: Stream) -> u64 {
    mix(mix(seed.wrapping_add(GOLDEN) ^ domain) ^ mix(stream.0.wrapping_add(GOLDEN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Stream = Stream::named("test");

    #[test]
    fn a_range_has_both_its_ends() {
        let mut dice = Dice::new(42, TEST, 0);
        let drawn: std::collections::BTreeSet<i64> = (0..200).map(|_| dice.between(-1, 2)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-1, 0, 1, 2]);
    }

    #[test]
    fn known_answers_never_change() {
        let mut dice = Dice::new(42, TEST, 0);
        let draws: Vec<u64> = (0..6).map(|_| dice.below(1000)).collect();
        assert_eq!(draws, [241, 11, 344, 264, 204, 368]);
        let mut cards: Vec<u8> = (0..8).collect();
        Dice::new(42, TEST, 6).shuffle(&mut cards);
        assert_eq!(cards, [7, 0, 5, 6, 3, 2, 1, 4]);
    }

    #[test]
    fn known_streams_and_lots_never_change() {
        let drawn = |mut lots: Lots| -> Vec<u64> { (0..3).map(|_| lots.next_u64() % 1000).collect() };
        assert_eq!(drawn(Lots::new(42, TEST)), [968, 869, 817]);
        assert_eq!(drawn(Lots::new(42, TEST.nth(0))), [147, 800, 974]);
        assert_eq!(drawn(Lots::new(42, TEST.nth(1))), [29, 740, 965]);
    }

    #[test]
    fn the_counter_says_how_many_words_were_drawn() {
        let mut dice = Dice::new(42, TEST, 7);
        assert_eq!(dice.counter(), 7);
        (0..3).for_each(|_| _ = dice.next_u64());
        assert_eq!((dice.counter(), dice), (10, Dice::new(42, TEST, 10)));
    }

    #[test]
    fn a_draw_depends_only_on_seed_stream_and_counter() {
        let mut long = Dice::new(1, TEST, 0);
        for _ in 0..10 {
            long.next_u64();
        }
        let resumed = Dice::new(1, TEST, 10).next_u64();
        assert_eq!(long.next_u64(), resumed);
        assert_ne!(Dice::new(1, TEST, 10).next_u64(), Dice::new(1, TEST.nth(0), 10).next_u64());
        assert_ne!(Dice::new(1, TEST, 10).next_u64(), Dice::new(2, TEST, 10).next_u64());
    }

    #[test]
    fn lots_never_meet_the_dice() {
        let mut lots = Lots::new(5, TEST);
        let mut dice = Dice::new(5, TEST, 0);
        assert!((0..100).all(|_| lots.next_u64() != dice.next_u64()));
    }

    #[test]
    fn neighbouring_seeds_are_even_and_unrelated() {
        let mut faces = [0u32; 20];
        let mut runs_up = 0;
        let mut previous = 0;
        for seed in 0..20_000 {
            let face = Dice::new(seed, TEST, 0).below(20) as usize;
            faces[face] += 1;
            runs_up += u32::from(face > previous);
            previous = face;
        }
        assert!(faces.iter().all(|&n| (850..1150).contains(&n)), "{faces:?}");
        assert!((9_000..10_000).contains(&runs_up), "{runs_up}");
    }

    #[test]
    fn weights_are_honoured_and_edges_are_safe() {
        let mut dice = Dice::new(3, TEST, 0);
        let mut counts = [0; 3];
        for _ in 0..3000 {
            counts[dice.weighted(&[1, 0, 2]).unwrap()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((850..1150).contains(&counts[0]), "{counts:?}");
        assert_eq!(dice.weighted(&[0, 0]), None);
        assert_eq!(dice.weighted(&[]), None);
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.between(3, 2), 3);
        dice.between(i64::MIN, i64::MAX);
        assert!((0..100).all(|_| (-2..=2).contains(&dice.between(-2, 2))));
        assert_eq!(dice.pick::<u8>(&[]), None);
    }

    /// Words that were written down before.
    struct Written(Vec<u64>);

    impl Draw for Written {
        fn next_u64(&mut self) -> u64 {
            self.0.remove(0)
        }
    }

    #[test]
    fn only_the_words_that_would_favour_a_number_are_drawn_again() {
        // 2^64 is three times a number and 1: of the words whose low part is below 3, only 0 has none to spare.
        let (zero, low_2, low_1) = (0, 0x5555_5555_5555_5556, 0xAAAA_AAAA_AAAA_AAAB);
        let mut words = Written(vec![zero, low_1, low_2, 7]);
        assert_eq!(words.below(3), 2);
        assert_eq!(words.below(3), 1);
        assert_eq!(words.0, [7]);
    }

    #[test]
    fn chances_and_indices_reach_all_they_may_and_nothing_else() {
        let mut dice = Dice::new(9, TEST, 0);
        assert!((0..100).all(|_| dice.chance(5, 5) && !dice.chance(0, 5)));
        let met = (0..4_000).filter(|_| dice.chance(1, 4)).count();
        assert!((850..1150).contains(&met), "{met}");
        let mut seen = [false; 3];
        (0..100).filter_map(|_| dice.index(3)).for_each(|index| seen[index] = true);
        assert_eq!(seen, [true; 3]);
        let drawn = dice.counter();
        assert_eq!((dice.index(0), dice.index(1), dice.counter()), (None, Some(0), drawn));
        assert_eq!(dice.pick(&[8]), Some(&8));
    }
}
