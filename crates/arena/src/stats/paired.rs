//! Two players, or two rulebooks, on the same seeds: what matters is the difference on each.

use serde::{Deserialize, Serialize};

use super::normal::{Z95, phi};

/// The mean of paired differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// How many pairs.
    pub pairs: usize,
    /// The mean difference.
    pub mean: f64,
    /// The half width of its 95 % interval; without bounds for fewer than two pairs.
    #[serde(with = "boundless")]
    pub error: f64,
    /// How likely so large a mean is if there is no difference; two-sided.
    pub p: f64,
}

impl Paired {
    /// The mean of these differences.
    pub fn new(differences: &[f64]) -> Self {
        let n = differences.len() as f64;
        if differences.len() < 2 {
            let mean = differences.first().copied().unwrap_or(0.0);
            return Paired { pairs: differences.len(), mean, error: f64::INFINITY, p: 1.0 };
        }
        let mean = differences.iter().sum::<f64>() / n;
        let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let deviation = (variance / n).sqrt();
        let p = match deviation {
            0.0 if mean == 0.0 => 1.0,
            0.0 => 0.0,
            _ => 2.0 * phi(-(mean / deviation).abs()),
        };
        Paired { pairs: differences.len(), mean, error: Z95 * deviation, p }
    }
}

/// JSON has no infinity: nothing stands for it.
mod boundless {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        Some(*value).filter(|value| value.is_finite()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(from)?.unwrap_or(f64::INFINITY))
    }
}

/// McNemar's exact test: how likely it is that of the seeds that only one of the two won the shares are
/// so uneven, if either is as good as the other; two-sided.
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    let (n, least) = (only_first + only_second, only_first.min(only_second));
    // Sums of logarithms, so that no binomial is too great.
    let mut log_choose = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = log_choose.exp();
    for k in 0..least {
        log_choose += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
        tail += log_choose.exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uneven_pairs_are_told_from_even_ones() {
        assert_eq!(mcnemar(0, 0), 1.0);
        assert!((mcnemar(10, 2) - 0.038_574).abs() < 1e-5, "{}", mcnemar(10, 2));
        assert!((mcnemar(2, 10) - mcnemar(10, 2)).abs() < 1e-15);
        assert!(mcnemar(4000, 4010) > 0.9);
    }

    #[test]
    fn differences_have_a_mean_and_an_error() {
        let paired = Paired::new(&[1.0, 2.0, 3.0]);
        assert!((paired.mean - 2.0).abs() < 1e-12 && (paired.error - 1.1316).abs() < 1e-3);
        assert_eq!(Paired::new(&[0.0, 0.0]).p, 1.0);
        assert_eq!(Paired::new(&[]).p, 1.0);
    }
}
