//! How long things last: Kaplan and Meier's curve with Greenwood's bands, and the log-rank test.

use serde::{Deserialize, Serialize};

use super::normal::{Z95, phi};

/// One step of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// When.
    pub at: i64,
    /// How many were still there just before.
    pub at_risk: u64,
    /// How many fell.
    pub fell: u64,
    /// The share that lasts longer than this.
    pub share: f64,
    /// The lower end of its 95 % band.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The share that lasts longer than each time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survival {
    /// The steps, in order of time.
    pub steps: Vec<Step>,
}

impl Survival {
    /// From when each one ended, and whether it fell then (or was only watched no longer: it won).
    pub fn new(ends: &[(i64, bool)]) -> Self {
        let mut sorted = ends.to_vec();
        sorted.sort_unstable();
        let (mut share, mut sum, mut at_risk) = (1.0, 0.0, sorted.len() as u64);
        let mut steps = Vec::new();
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            let fell = same.iter().filter(|(_, fell)| *fell).count() as u64;
            if fell > 0 {
                share *= 1.0 - fell as f64 / at_risk as f64;
                sum += fell as f64 / (at_risk as f64 * (at_risk - fell) as f64);
                let (low, high) = band(share, sum);
                steps.push(Step { at: same[0].0, at_risk, fell, share, low, high });
            }
            at_risk -= same.len() as u64;
        }
        Survival { steps }
    }
}

/// The band on the scale of log(−log), which stays between 0 and 1.
fn band(share: f64, sum: f64) -> (f64, f64) {
    if share <= 0.0 {
        return (0.0, 0.0);
    }
    let width = Z95 * sum.sqrt() / share.ln().abs();
    (share.powf(width.exp()), share.powf((-width).exp()))
}

/// How likely two groups are to fall so differently if they last equally long; two-sided.
pub fn log_rank(one: &[(i64, bool)], other: &[(i64, bool)]) -> f64 {
    let mut times: Vec<i64> = one.iter().chain(other).filter(|(_, fell)| *fell).map(|(at, _)| *at).collect();
    times.sort_unstable();
    times.dedup();
    let (mut surprise, mut variance) = (0.0, 0.0);
    for at in times {
        let count = |group: &[(i64, bool)]| {
            let risk = group.iter().filter(|(end, _)| *end >= at).count() as f64;
            (risk, group.iter().filter(|end| **end == (at, true)).count() as f64)
        };
        let ((n1, d1), (n2, d2)) = (count(one), count(other));
        let (n, d) = (n1 + n2, d1 + d2);
        surprise += d1 - d * n1 / n;
        if n > 1.0 {
            variance += d * (n1 / n) * (n2 / n) * (n - d) / (n - 1.0);
        }
    }
    if variance <= 0.0 { 1.0 } else { 2.0 * phi(-(surprise / variance.sqrt()).abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_from_a_textbook() {
        // Ends 1, 2+, 3, 4+, 5: the shares are 4/5, 4/5·2/3, 0.
        let ends = [(1, true), (2, false), (3, true), (4, false), (5, true)];
        let steps = Survival::new(&ends).steps;
        let shares: Vec<f64> = steps.iter().map(|step| step.share).collect();
        assert!((shares[0] - 0.8).abs() < 1e-12 && (shares[1] - 0.8 * 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(shares[2], 0.0);
        assert!(steps[0].low > 0.2 && steps[0].high < 0.98 && steps[0].low < 0.8);
    }

    #[test]
    fn groups_that_last_differently_are_told_apart() {
        let short: Vec<(i64, bool)> = (0..60).map(|i| (i % 10, true)).collect();
        let long: Vec<(i64, bool)> = (0..60).map(|i| (i % 20, true)).collect();
        assert!(log_rank(&short, &long) < 1e-4);
        assert!((log_rank(&short, &short) - 1.0).abs() < 1e-12);
        assert_eq!(log_rank(&[], &[]), 1.0);
    }
}
