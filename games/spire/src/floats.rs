//! The one place where numbers are not whole. The original works some of them out in single precision, and its rounding
//! shows: attacks are multiplied so, prices vary so, chances are compared so. Whole numbers come in and go out; between
//! them stand single operations of IEEE 754, which give the same on every machine.

use std::fmt;

/// A number in single precision.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Single(f32);

/// One more than the largest number of 24 bits.
const BITS_24: f32 = 16_777_216.0;

impl Single {
    /// One: the factor that changes nothing.
    pub(crate) const ONE: Single = Single(1.0);

    /// A whole number.
    #[inline]
    pub fn whole(number: i32) -> Self {
        Single(number as f32)
    }

    /// So many hundredths.
    #[inline]
    pub fn percent(hundredths: i32) -> Self {
        Single(hundredths as f32 / 100.0)
    }

    /// A share of one, from the 24 bits of a draw.
    #[inline]
    pub fn drawn(bits: u32) -> Self {
        Single(bits as f32 * (1.0 / BITS_24))
    }

    /// A factor as the original computes it. Tenths (Slow) are one plus a multiple of 0.1, which differs in the last
    /// bit from a quotient.
    #[inline]
    pub fn factor(a: i32, b: i32) -> Self {
        Single(if b == 10 { 1.0 + (a - 10) as f32 * 0.1 } else { a as f32 / b.max(1) as f32 })
    }

    /// A whole number more.
    #[inline]
    pub fn plus(self, number: i32) -> Self {
        Single(self.0 + number as f32)
    }

    /// The product.
    #[inline]
    pub fn times(self, other: Single) -> Self {
        Single(self.0 * other.0)
    }

    /// That share of the way to another number, rounded after every single operation.
    #[inline]
    pub(crate) fn towards(self, high: Single, share: Single) -> Self {
        let width = high.0 - self.0;
        Single(self.0 + share.0 * width)
    }

    /// No more than this.
    #[inline]
    pub fn at_most(self, number: i32) -> Self {
        Single(self.0.min(number as f32))
    }

    /// No less than this.
    #[inline]
    pub fn at_least(self, number: i32) -> Self {
        Single(self.0.max(number as f32))
    }

    /// Rounded down: what `f32::floor` gives, which is a call on processors of the common kind.
    #[inline]
    pub fn floor(self) -> i32 {
        let whole = self.0 as i32;
        whole.saturating_sub(i32::from(whole as f32 > self.0))
    }

    /// Rounded to the nearest, halves up.
    #[inline]
    pub(crate) fn half_up(self) -> i32 {
        Single(self.0 + 0.5).floor()
    }

    /// In whole percent, the rest cut off.
    #[inline]
    pub(crate) fn in_percent(self) -> i32 {
        (self.0 * 100.0) as i32
    }
}

impl fmt::Display for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Single> for f64 {
    fn from(number: Single) -> f64 {
        number.0.into()
    }
}

/// The bounds of 24 bits below which each of several is chosen, from weights in thousandths. The original adds up the
/// shares one by one.
pub(crate) fn bounds(weights: &[u32]) -> Vec<u32> {
    let weights: Vec<f32> = weights.iter().map(|weight| *weight as f32 / 1000.0).collect();
    let total: f32 = weights.iter().sum();
    let mut sum = 0.0_f32;
    let bound = |weight: &f32| {
        sum += weight / total;
        (sum * BITS_24).ceil() as u32
    };
    weights.iter().map(bound).collect()
}

/// A chance that grows by its first value with every miss, in whole percent: rounding shows in them.
pub(crate) fn grown_chance(first: i32, misses: u8) -> i32 {
    let first = Single::percent(first).0;
    Single((0..misses).fold(first, |chance, _| chance + first)).in_percent()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written as a decimal in the original is the same number as the quotient of whole ones.
    #[test]
    fn hundredths_are_what_is_written_with_a_point() {
        let written: [(i32, f32); 9] = [
            (110, 1.1),
            (90, 0.9),
            (95, 0.95),
            (105, 1.05),
            (120, 1.2),
            (80, 0.8),
            (33, 0.33),
            (30, 0.3),
            (3, 0.03),
        ];
        assert!(written.iter().all(|(percent, number)| Single::percent(*percent).0 == *number));
    }

    #[test]
    fn rounding_is_that_of_the_library() {
        for number in (-4_000..4_000).map(|number| number as f32 / 7.0) {
            assert_eq!(Single(number).floor(), number.floor() as i32);
            assert_eq!(Single(number).half_up(), (number + 0.5).floor() as i32);
        }
        assert_eq!([0, 1, 2, 3, 9].map(|misses| grown_chance(10, misses)), [10, 20, 30, 40, 100]);
    }
}
