//! The second generator of the original: the 48-bit one of its platform, used to shuffle lists.

/// A linear congruential generator over 48 bits.
#[derive(Clone, Debug)]
pub struct Java(u64);

const MASK: u64 = (1 << 48) - 1;

impl Java {
    /// A generator from any 64-bit seed.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Java((seed ^ 0x5_DEEC_E66D) & MASK)
    }

    #[inline]
    fn bits31(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & MASK;
        (self.0 >> 17) as u32
    }

    /// A number in `0..k`; `k` must not be 0.
    #[inline]
    pub fn below(&mut self, k: u32) -> u32 {
        if k.is_power_of_two() {
            return ((u64::from(k) * u64::from(self.bits31())) >> 31) as u32;
        }
        loop {
            let r = self.bits31();
            let v = r % k;
            if r - v + (k - 1) < 1 << 31 {
                return v;
            }
        }
    }
}

/// Shuffles a list as the original does, from a 64-bit seed.
///
/// ```
/// use turnstone_spire::seeds::java_shuffle;
/// let mut list: Vec<u8> = (0..10).collect();
/// java_shuffle(&mut list, 1);
/// assert_eq!(list, [6, 9, 7, 8, 4, 2, 0, 3, 1, 5]);
/// ```
#[inline]
pub fn java_shuffle<T>(list: &mut [T], seed: u64) {
    let mut java = Java::new(seed);
    for i in (2..=list.len()).rev() {
        list.swap(i - 1, java.below(i as u32) as usize);
    }
}
