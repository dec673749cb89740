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

impl Default for Share {
    fn default() -> Self {
        Share::new(0, 0)
    }
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

/// Where less than this is to be expected somewhere, the normal approximation says too much.
const ENOUGH: f64 = 5.0;

/// How likely two shares are to differ by at least so much if they are the same: two-sided, with the
/// pooled variance where counts are great, and exactly (Fisher) where they are small.
pub fn two_shares(one: (u64, u64), other: (u64, u64)) -> f64 {
    let (n, m) = (one.1 as f64, other.1 as f64);
    if n == 0.0 || m == 0.0 {
        return 1.0;
    }
    let pooled = (one.0 + other.0) as f64 / (n + m);
    if n.min(m) * pooled.min(1.0 - pooled) < ENOUGH {
        return fisher(one, other);
    }
    let variance = pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m);
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (one.0 as f64 / n - other.0 as f64 / m) / variance.sqrt();
    2.0 * phi(-z.abs())
}

/// Fisher's exact test: of all ways to deal the same sum out to the two, those that are no likelier than what
/// was seen. Only quotients of neighbours are needed, so nothing is too great and no logarithm is taken.
fn fisher(one: (u64, u64), other: (u64, u64)) -> f64 {
    let (n, m, sum) = (one.1, other.1, one.0 + other.0);
    let (least, most) = (sum.saturating_sub(m), sum.min(n));
    // How much likelier it is that the first has one more than `x`.
    let next = |x: u64| ((sum - x) * (n - x)) as f64 / ((x + 1) * (m + x + 1 - sum)) as f64;
    let likeliest = (((n + 1) as f64 * (sum + 1) as f64 / (n + m + 2) as f64) as u64).clamp(least, most);
    let mut weights = vec![1.0; (most - least + 1) as usize];
    for x in likeliest..most {
        weights[(x + 1 - least) as usize] = weights[(x - least) as usize] * next(x);
    }
    for x in (least..likeliest).rev() {
        weights[(x - least) as usize] = weights[(x + 1 - least) as usize] / next(x);
    }
    let seen = weights[(one.0.clamp(least, most) - least) as usize];
    // Two that are equally likely differ in their last digits.
    let extreme: f64 = weights.iter().filter(|weight| **weight <= seen * (1.0 + 1e-9)).sum();
    extreme / weights.iter().sum::<f64>()
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
    fn a_single_victory_is_judged_exactly() {
        let close = |p: f64, expected: f64| assert!((p - expected).abs() < 1e-6, "{p} is not {expected}");
        close(two_shares((1, 3), (0, 297)), 0.01);
        close(two_shares((0, 297), (1, 3)), 0.01);
        close(two_shares((3, 4), (1, 4)), 34.0 / 70.0);
        close(two_shares((0, 10), (0, 20)), 1.0);
        close(two_shares((10, 10), (20, 20)), 1.0);
        close(two_shares((4, 4), (0, 4)), 2.0 / 70.0);
        let corrected = benjamini_hochberg(&[two_shares((1, 3), (0, 297)); 269]);
        assert!(corrected.iter().all(|p| *p < 0.05), "all at once are one event");
        let mut others = vec![1.0; 253];
        others.extend([two_shares((1, 3), (0, 297)); 16]);
        assert!(
            benjamini_hochberg(&others).iter().all(|p| *p > 0.05),
            "of 269 relics one winner had sixteen"
        );
    }

    #[test]
    fn the_exact_test_and_the_other_meet_where_counts_are_great() {
        for (one, other) in [((60, 400), (90, 400)), ((500, 1000), (520, 1000)), ((5, 1000), (15, 1000))] {
            let (exact, told) = (fisher(one, other), two_shares(one, other));
            assert!(exact >= told && exact - told < 0.05, "{one:?} {other:?}: {exact} {told}");
        }
        assert!(fisher((40, 100_000), (3, 100_000)) < 1e-6, "great tables are no trouble");
    }

    #[test]
    fn equal_shares_do_not_differ() {
        assert!((two_shares((50, 100), (500, 1000)) - 1.0).abs() < 1e-12);
        assert!(two_shares((70, 100), (500, 1000)) < 0.001);
        assert_eq!(two_shares((0, 0), (1, 2)), 1.0);
    }
}
