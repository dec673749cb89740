//! The original's random numbers: xorshift128+ with a public counter.

use crate::floats::Single;
use serde::{Deserialize, Serialize};

/// One independent source of numbers: two words of state and how many draws were counted.
///
/// ```
/// use turnstone_spire::seeds::Stream;
/// let mut stream = Stream::new(1);
/// let draws: Vec<i32> = (0..4).map(|_| stream.int(0, 99)).collect();
/// assert_eq!(draws, [55, 5, 88, 32]);
/// assert_eq!(stream.counter(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Stream {
    a: u64,
    b: u64,
    n: u32,
}

impl Stream {
    /// A stream at its beginning. Seed 0 is replaced by 2^63, as in the original.
    #[inline]
    pub fn new(seed: u64) -> Self {
        let a = mix(if seed == 0 { 1 << 63 } else { seed });
        Stream { a, b: mix(a), n: 0 }
    }

    /// Whether the other one stands elsewhere, without a branch.
    #[inline]
    pub(super) fn differs(&self, other: &Stream) -> bool {
        (self.a ^ other.a) | (self.b ^ other.b) | u64::from(self.n ^ other.n) != 0
    }

    /// The stream of another seed, as far along as this one. Which numbers come depends on where it stands, too, so
    /// that streams which differ here differ there.
    pub(crate) fn redrawn(&self, seed: u64) -> Self {
        Stream { n: self.n, ..Stream::new(seed ^ mix(u64::from(self.n) + 1)) }
    }

    /// The two words of state.
    pub fn words(&self) -> (u64, u64) {
        (self.a, self.b)
    }

    /// How many draws were counted so far.
    #[inline]
    pub fn counter(&self) -> u32 {
        self.n
    }

    /// The next 64 bits, not counted.
    #[inline]
    pub fn raw(&mut self) -> u64 {
        let (mut x, y) = (self.a, self.b);
        self.a = y;
        x ^= x << 23;
        self.b = x ^ y ^ (x >> 17) ^ (y >> 26);
        self.b.wrapping_add(y)
    }

    /// A number in `0..k`, not counted; `k` must not be 0.
    #[inline]
    pub fn below(&mut self, k: u64) -> u64 {
        loop {
            let u = self.raw() >> 1;
            let v = u % k;
            if (u - v + (k - 1)) >> 63 == 0 {
                return v;
            }
        }
    }

    /// One more was drawn. A forged count may be the last there is: then it begins again.
    #[inline]
    fn count(&mut self) {
        self.n = self.n.wrapping_add(1);
    }

    /// A counted number from `low` to `high`, both included.
    #[inline]
    pub fn int(&mut self, low: i32, high: i32) -> i32 {
        self.count();
        low + self.below((high - low) as u64 + 1) as i32
    }

    /// A counted index into a list of `len` entries; an empty list gives 0 and still draws.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.count();
        self.below(len.max(1) as u64) as usize
    }

    /// A counted percentage roll, 0 to 99.
    #[inline]
    pub fn percent(&mut self) -> i32 {
        self.int(0, 99)
    }

    /// The 24 bits behind a counted float: `float() == k24() * 2^-24`.
    #[inline]
    pub fn k24(&mut self) -> u32 {
        self.count();
        (self.raw() >> 40) as u32
    }

    /// A counted float in `[0, 1)`. Single precision is the rule here: prices and odds depend on it.
    #[inline]
    pub fn float(&mut self) -> Single {
        Single::drawn(self.k24())
    }

    /// A counted float in `[low, high)`.
    #[inline]
    pub(crate) fn range(&mut self, low: Single, high: Single) -> Single {
        let share = self.float();
        low.towards(high, share)
    }

    /// A counted coin.
    #[inline]
    pub fn bool(&mut self) -> bool {
        self.count();
        self.raw() & 1 == 1
    }

    /// A counted test that succeeds so often in a hundred.
    #[inline]
    pub fn chance(&mut self, percent: i32) -> bool {
        self.below_share(Single::percent(percent))
    }

    /// A counted test that succeeds with this chance.
    #[inline]
    pub(crate) fn below_share(&mut self, chance: Single) -> bool {
        self.float() < chance
    }

    /// 64 counted bits, usually the seed of a shuffle as Java does it.
    #[inline]
    pub fn long(&mut self) -> u64 {
        self.count();
        self.raw()
    }

    /// Draws coins until the counter stands at `target`.
    pub(crate) fn advance_to(&mut self, target: u32) {
        while self.n < target {
            self.bool();
        }
    }
}

fn mix(mut v: u64) -> u64 {
    v ^= v >> 33;
    v = v.wrapping_mul(0xff51_afd7_ed55_8ccd);
    v ^= v >> 33;
    v = v.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    v ^ (v >> 33)
}

/// The streams of a run. All begin at the run's seed, so at first they produce the same sequence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Streams {
    /// Neow's options, the class cards and transforms he gives.
    pub neow: Stream,
    /// Fight and elite lists, boss shuffle.
    pub monster: Stream,
    /// Pool shuffles, tiers of elite and event relics.
    pub relic: Stream,
    /// Gold of fights, chests.
    pub treasure: Stream,
    /// Potion drops and which potion.
    pub potion: Stream,
    /// Card rewards, shop cards, curses.
    pub card: Stream,
    /// Shop prices, sale slot, shop relic tiers.
    pub merchant: Stream,
    /// Unknown rooms.
    pub event: Stream,
    /// Event details and boss gold; new on every floor.
    pub misc: Stream,
    /// Deck shuffles; new on every floor.
    pub shuffle: Stream,
    /// Cards made in combat; new on every floor.
    pub(crate) card_random: Stream,
    /// What monsters do; new on every floor.
    pub ai: Stream,
    /// The HP of monsters; new on every floor.
    pub(crate) monster_hp: Stream,
}

impl Streams {
    /// The streams of a run that has not begun.
    pub fn new(seed: u64) -> Self {
        let s = Stream::new(seed);
        Streams {
            neow: s,
            monster: s,
            relic: s,
            treasure: s,
            potion: s,
            card: s,
            merchant: s,
            event: s,
            misc: s,
            shuffle: s,
            card_random: s,
            ai: s,
            monster_hp: s,
        }
    }

    /// The streams of another seed, each as far along as it is here.
    pub(crate) fn redrawn(&self, seed: u64) -> Self {
        let again = |stream: &Stream| stream.redrawn(seed);
        Streams {
            neow: again(&self.neow),
            monster: again(&self.monster),
            relic: again(&self.relic),
            treasure: again(&self.treasure),
            potion: again(&self.potion),
            card: again(&self.card),
            merchant: again(&self.merchant),
            event: again(&self.event),
            misc: again(&self.misc),
            shuffle: again(&self.shuffle),
            card_random: again(&self.card_random),
            ai: again(&self.ai),
            monster_hp: again(&self.monster_hp),
        }
    }

    /// Renews the five streams that live for one floor.
    pub fn enter_floor(&mut self, seed: u64, floor: u8) {
        let s = Stream::new(seed.wrapping_add(u64::from(floor)));
        self.misc = s;
        self.shuffle = s;
        self.card_random = s;
        self.ai = s;
        self.monster_hp = s;
    }
}
