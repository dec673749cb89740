//! Two players, or two rulebooks, on the same seeds: what matters is the difference on each.

use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use super::normal::Z95;
use super::student::student;

/// The mean of paired differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// How many pairs.
    pub pairs: usize,
    /// In how many bundles of what belongs together; 0 where a report does not say.
    #[serde(default)]
    pub bundles: usize,
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
        Self::bundled(differences.iter().copied().zip(0..).map(|(difference, at)| (at, difference)))
    }

    /// The mean of these differences, of which those with the same number belong together, as decisions of the same
    /// match do: they may be alike, and what is sure is counted by bundles.
    pub fn bundled(differences: impl IntoIterator<Item = (u64, f64)>) -> Self {
        let mut bundles: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        let mut pairs = 0;
        for (bundle, difference) in differences {
            let (count, sum) = bundles.entry(bundle).or_default();
            *count += 1.0;
            *sum += difference;
            pairs += 1;
        }
        let mean = bundles.values().map(|(_, sum)| sum).sum::<f64>() / f64::from(pairs.max(1));
        let (n, pairs) = (bundles.len() as f64, pairs as usize);
        let told = Paired { pairs, bundles: bundles.len(), mean, error: f64::INFINITY, p: 1.0 };
        if bundles.len() < 2 {
            return told;
        }
        let apart = bundles.values().map(|(count, sum)| (sum - mean * count).powi(2)).sum::<f64>();
        let deviation = (apart * n / (n - 1.0)).sqrt() / pairs as f64;
        let p = match deviation {
            0.0 if mean == 0.0 => 1.0,
            // All the same: as likely as that all have the same sign.
            0.0 => 2.0_f64.powf(1.0 - n),
            _ => student(mean / deviation, n - 1.0),
        };
        Paired { error: Z95 * deviation, p, ..told }
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
        assert!((paired.p - 0.074_18).abs() < 1e-4, "with two degrees of freedom: {}", paired.p);
        assert_eq!(Paired::new(&[1.0; 3]).p, 0.25, "three of the same sign");
    }

    /// A deck with five Strikes offers five ways to improve one: five decisions that all say the same.
    #[test]
    fn what_belongs_together_is_one_witness() {
        let values = [1.0, -2.0, 4.0, 3.0];
        let five_times = values.into_iter().zip(0..).flat_map(|(value, at)| [(at, value); 5]);
        let (plain, bundled) = (Paired::new(&values), Paired::bundled(five_times));
        assert_eq!((bundled.pairs, bundled.bundles, bundled.mean), (20, 4, plain.mean));
        assert!((bundled.error - plain.error).abs() < 1e-12 && (bundled.p - plain.p).abs() < 1e-12);
    }
}
