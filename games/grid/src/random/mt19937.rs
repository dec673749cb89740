//! The Mersenne Twister MT19937 with the seeding, bounded draw, shuffle and
//! choice of CPython 3.11.

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// A Mersenne Twister seeded from an integer the way CPython does it.
///
/// ```
/// use turnstone_grid::random::Mt19937;
/// let mut draws = Mt19937::new(42);
/// assert_eq!(draws.unit(), 0.6394267984578837);
/// ```
#[derive(Clone)]
pub struct Mt19937 {
    words: [u32; WORDS],
    next: usize,
}

impl Mt19937 {
    /// Seeds the generator with the 32-bit digits of the absolute value.
    pub fn new(seed: i64) -> Self {
        let magnitude = seed.unsigned_abs();
        let digits = [magnitude as u32, (magnitude >> 32) as u32];
        let used = if digits[1] == 0 { 1 } else { 2 };
        Self::from_digits(&digits[..used])
    }

    fn from_digits(digits: &[u32]) -> Self {
        let mut words = Self::spread(19_650_218);
        let (mut i, mut j) = (1, 0);
        for _ in 0..WORDS.max(digits.len()) {
            let mixed = Self::mix(&words, i, 1_664_525);
            words[i] = mixed.wrapping_add(digits[j]).wrapping_add(j as u32);
            i = Self::step(&mut words, i);
            j = (j + 1) % digits.len();
        }
        for _ in 0..WORDS - 1 {
            words[i] = Self::mix(&words, i, 1_566_083_941).wrapping_sub(i as u32);
            i = Self::step(&mut words, i);
        }
        words[0] = 0x8000_0000;
        Self { words, next: WORDS }
    }

    fn spread(seed: u32) -> [u32; WORDS] {
        let mut words = [seed; WORDS];
        for i in 1..WORDS {
            let before = words[i - 1];
            words[i] = (before ^ (before >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        words
    }

    fn mix(words: &[u32; WORDS], i: usize, factor: u32) -> u32 {
        let before = words[i - 1];
        words[i] ^ (before ^ (before >> 30)).wrapping_mul(factor)
    }

    fn step(words: &mut [u32; WORDS], i: usize) -> usize {
        if i + 1 < WORDS {
            return i + 1;
        }
        words[0] = words[WORDS - 1];
        1
    }

    fn refill(&mut self) {
        for i in 0..WORDS {
            let joined = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % WORDS] & 0x7fff_ffff);
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }

    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        if self.next == WORDS {
            self.refill();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// `bits` random bits, at most 64, the low 32 drawn first.
    pub fn bits(&mut self, bits: u32) -> u64 {
        match bits {
            0 => 0,
            1..=32 => u64::from(self.word() >> (32 - bits)),
            _ => u64::from(self.word()) | (self.bits(bits.min(64) - 32) << 32),
        }
    }

    /// A uniform number in `[0, 1)` with 53 bits.
    pub fn unit(&mut self) -> f64 {
        let high = f64::from(self.word() >> 5);
        let low = f64::from(self.word() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    /// A uniform number below `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        let bits = usize::BITS - bound.leading_zeros();
        loop {
            let drawn = self.bits(bits) as usize;
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// Shuffles from the back, like the reference.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i + 1);
            items.swap(i, j);
        }
    }

    /// One of the items; an empty list draws nothing.
    pub fn choice<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_word_of_the_published_seed_array() {
        // The published test vector: init_by_array({0x123, 0x234, 0x345, 0x456}).
        let mut draws = Mt19937::from_digits(&[0x123, 0x234, 0x345, 0x456]);
        assert_eq!([draws.word(), draws.word()], [1_067_595_299, 955_945_823]);
    }

    #[test]
    fn a_negative_seed_is_its_absolute_value() {
        assert_eq!(Mt19937::new(-7).word(), Mt19937::new(7).word());
        assert_eq!(Mt19937::new(i64::MIN).word(), Mt19937::new(i64::MIN).word());
    }

    #[test]
    fn an_empty_choice_draws_nothing() {
        assert_eq!(Mt19937::new(1).choice::<u8>(&[]), None);
        assert_eq!(Mt19937::new(1).below(0), 0);
    }
}
