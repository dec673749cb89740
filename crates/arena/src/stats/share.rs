//! Shares: so many of so many.

use serde::{Deserialize, Serialize};

use super::normal::{Z95, phi};

/// A share with its 95 % interval by Wilson, which has a width even at 0 and at all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// So many.
    pub count: u64,
    /// Of so many.
    pub of: u64,
    /// The share itself; 0 of nothing.
    pub share: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// `count` of `of`.
    pub fn new(count: u64, of: u64) -> Self {
        if of == 0 {
            return Share { count, of, share: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, p) = (of as f64, count as f64 / of as f64);
        let squared = Z95 * Z95;
        let scale = 1.0 + squared / n;
        let middle = (p + squared / (2.0 * n)) / scale;
        let half = Z95 / scale * (p * (1.0 - p) / n + squared / (4.0 * n * n)).sqrt();
        let low = if count == 0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if count == of { 1.0 } else { (middle + half).min(1.0) };
        Share { count, of, share: p, low, high }
    }
}

/// How likely two shares are to differ by at least so much if they are the same: two-sided, with the
/// pooled variance.
pub fn two_shares(one: (u64, u64), other: (u64, u64)) -> f64 {
    let (n, m) = (one.1 as f64, other.1 as f64);
    if n == 0.0 || m == 0.0 {
        return 1.0;
    }
    let pooled = (one.0 + other.0) as f64 / (n + m);
    let variance = pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m);
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (one.0 as f64 / n - other.0 as f64 / m) / variance.sqrt();
    2.0 * phi(-z.abs())
}

/// The p-values corrected for there being many (Benjamini and Hochberg): who takes those below 0.05 is
/// wrong in 5 % of what he takes.
pub fn benjamini_hochberg(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut corrected = vec![1.0; values.len()];
    let mut least = 1.0_f64;
    for (rank, &index) in order.iter().enumerate().rev() {
        least = least.min(values[index] * values.len() as f64 / (rank + 1) as f64);
        corrected[index] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_of_a_thousand_still_has_a_width() {
        let share = Share::new(0, 1000);
        assert_eq!(share.low, 0.0);
        assert!((share.high - 0.003_827).abs() < 1e-5, "{}", share.high);
        let half = Share::new(50, 100);
        assert!((half.low - 0.4038).abs() < 1e-4 && (half.high - 0.5962).abs() < 1e-4);
    }

    #[test]
    fn many_comparisons_are_corrected() {
        let corrected = benjamini_hochberg(&[0.01, 0.04, 0.03, 0.5]);
        let expected = [0.04, 0.16 / 3.0, 0.16 / 3.0, 0.5];
        assert!(corrected.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{corrected:?}");
        assert!(benjamini_hochberg(&[]).is_empty());
    }

    #[test]
    fn equal_shares_do_not_differ() {
        assert!((two_shares((50, 100), (500, 1000)) - 1.0).abs() < 1e-12);
        assert!(two_shares((70, 100), (500, 1000)) < 0.001);
        assert_eq!(two_shares((0, 0), (1, 2)), 1.0);
    }
}
