//! Means: how much, of how many, and how sure.

use serde::{Deserialize, Serialize};

use super::normal::{Z95, phi};

/// A mean with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// Of how many.
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

impl Mean {
    /// Of these values.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Sum::default();
        values.into_iter().for_each(|value| sum.add(value));
        sum.mean()
    }

    /// How likely two means differ by at least so much if what they are means of is the same; two-sided.
    pub fn differs(&self, other: &Mean) -> f64 {
        if self.of < 2 || other.of < 2 {
            return 1.0;
        }
        let deviation = self.error.hypot(other.error) / Z95;
        match other.mean - self.mean {
            0.0 => 1.0,
            _ if deviation == 0.0 => 0.0,
            gap => 2.0 * phi(-(gap / deviation).abs()),
        }
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
        assert!(mean.differs(&Mean::new([101.0, 102.0, 103.0])) < 1e-6);
        assert_eq!(Mean::new([4.0]).differs(&mean), 1.0);
    }
}
