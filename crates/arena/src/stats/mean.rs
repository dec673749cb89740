//! Means: how much, of how many, and how sure.

use serde::{Deserialize, Serialize};

use super::normal::Z95;
use super::share::two_shares;
use super::student::student;

/// A mean with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// Of how many; where values come in bundles, of how many bundles.
    pub of: u64,
    /// The mean; 0 of nothing.
    pub mean: f64,
    /// The half width; 0 of fewer than two.
    pub error: f64,
}

/// What a mean is made of, added up one by one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    pub(crate) fn mean(&self) -> Mean {
        let n = self.count as f64;
        if self.count == 0 {
            return Mean::default();
        }
        let mean = self.sum / n;
        let variance = ((self.squares - self.sum * mean) / (n - 1.0).max(1.0)).max(0.0);
        Mean { of: self.count, mean, error: Z95 * (variance / n).sqrt() }
    }
}

/// A mean of values that come in bundles, each with as many as there happened to be: all fights with the same foe in a
/// match. Values of a bundle may be as alike as they like; what is sure is counted by bundles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bundles {
    bundles: u64,
    values: f64,
    sum: f64,
    values_squared: f64,
    crossed: f64,
    squares: f64,
}

impl Bundles {
    /// So many values with that sum.
    pub(crate) fn add(&mut self, values: u64, sum: f64) {
        let values = values as f64;
        self.bundles += 1;
        self.values += values;
        self.sum += sum;
        self.values_squared += values * values;
        self.crossed += values * sum;
        self.squares += sum * sum;
    }

    /// The mean of all values; its error is that of a quotient of two sums over bundles.
    pub(crate) fn mean(&self) -> Mean {
        if self.values == 0.0 {
            return Mean::default();
        }
        let (mean, n) = (self.sum / self.values, self.bundles as f64);
        let apart = self.squares - 2.0 * mean * self.crossed + mean * mean * self.values_squared;
        let variance = apart.max(0.0) * n / (n - 1.0).max(1.0);
        let error = if self.bundles < 2 { 0.0 } else { Z95 * variance.sqrt() / self.values };
        Mean { of: self.bundles, mean, error }
    }
}

/// Of fewer values than this in either of two groups nothing is said to differ: how far they lie apart by themselves is
/// not known well enough.
const FEW: u64 = 10;

impl Mean {
    /// Of these values.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Sum::default();
        values.into_iter().for_each(|value| sum.add(value));
        sum.mean()
    }

    /// How likely two means differ by at least so much if what they are means of is the same; two-sided.
    ///
    /// The more cautious of Welch's test and Student's. Welch's believes a small group that happens to hold only zeros,
    /// Student's one that is small and spread far.
    pub fn differs(&self, other: &Mean) -> f64 {
        let gap = other.mean - self.mean;
        if self.of.min(other.of) < FEW || gap == 0.0 {
            return 1.0;
        }
        let (n, m) = (self.of as f64, other.of as f64);
        let [one, two] = [self, other].map(|mean| (mean.error / Z95).powi(2));
        if one + two == 0.0 {
            // Each always the same: as when all of one kind fall to one group and all of the other to the other.
            return two_shares((self.of, self.of), (0, other.of));
        }
        let freedom = (one + two).powi(2) / (one * one / (n - 1.0) + two * two / (m - 1.0));
        let welch = student(gap / (one + two).sqrt(), freedom);
        let pooled = (one * n * (n - 1.0) + two * m * (m - 1.0)) / (n + m - 2.0);
        welch.max(student(gap / (pooled * (1.0 / n + 1.0 / m)).sqrt(), n + m - 2.0))
    }

    /// The same mean of so many times fewer values, where that many were one and the same draw.
    pub(crate) fn of_groups(&self, groups: u64) -> Mean {
        let groups = groups.max(1);
        Mean { of: self.of / groups, mean: self.mean, error: self.error * (groups as f64).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_an_error_and_differs_or_not() {
        let mean = Mean::new([1.0, 2.0, 3.0]);
        assert!((mean.mean - 2.0).abs() < 1e-12 && (mean.error - 1.1316).abs() < 1e-3, "{mean:?}");
        assert_eq!((Mean::new([]).of, Mean::new([4.0]).error), (0, 0.0));
        assert_eq!(mean.differs(&mean), 1.0);
        assert_eq!(mean.differs(&Mean::new([101.0, 102.0, 103.0])), 1.0, "of three nothing is said");
        let of = |from: u32, count: u32| Mean::new((from..from + count).map(f64::from));
        assert!(of(0, 20).differs(&of(100, 20)) < 1e-6);
        // t is 2.2156 with 18 degrees of freedom.
        assert!((of(0, 10).differs(&of(3, 10)) - 0.039_85).abs() < 1e-4, "{}", of(0, 10).differs(&of(3, 10)));
    }

    /// Twelve fights that cost nothing once differed for sure from two thousand of which one in ten costs ten.
    #[test]
    fn what_never_varies_in_a_few_is_no_proof() {
        let of = |count: u32, every: u32| {
            Mean::new((1..=count).map(|at| if at % every == 0 { 10.0 } else { 0.0 }))
        };
        let (few, many) = (of(12, 100), of(2000, 10));
        assert_eq!(few.error, 0.0);
        assert!(few.differs(&many) > 0.2 && many.differs(&few) > 0.2, "{}", few.differs(&many));
        let [ones, twos] = [1.0, 2.0].map(|value| Mean::new([value; 10]));
        assert!((1e-6..1e-4).contains(&ones.differs(&twos)), "{}", ones.differs(&twos));
    }

    #[test]
    fn values_in_bundles_are_as_sure_as_bundles_are() {
        let (mut single, mut double) = (Bundles::default(), Bundles::default());
        let values = [3.0, 5.0, 4.0, 9.0, 1.0];
        for value in values {
            single.add(1, value);
            double.add(2, 2.0 * value);
        }
        let plain = Mean::new(values);
        for mean in [single.mean(), double.mean()] {
            assert_eq!((mean.of, mean.mean), (plain.of, plain.mean));
            assert!((mean.error - plain.error).abs() < 1e-12, "{mean:?} {plain:?}");
        }
        // Those who live long meet more: two of ten and one of one, over and over.
        let mut uneven = Bundles::default();
        (0..50).for_each(|_| {
            uneven.add(10, 0.0);
            uneven.add(1, 1.0);
        });
        let (mean, binomial) = (uneven.mean(), Z95 * (1.0 / 11.0 * 10.0 / 11.0 / 550.0_f64).sqrt());
        assert!((mean.mean - 1.0 / 11.0).abs() < 1e-12 && mean.error > 1.3 * binomial, "{mean:?} {binomial}");
    }
}
