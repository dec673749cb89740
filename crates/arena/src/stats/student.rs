//! Student's distribution: how far a mean of few values may lie from what it is a mean of.

use super::beta::beta_below;

/// How likely a value lies at least so far from 0, on either side, with that many degrees of freedom.
pub(super) fn student(t: f64, freedom: f64) -> f64 {
    beta_below(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (t, freedom, p) in
            [(12.706, 1.0, 0.05), (2.262, 9.0, 0.05), (4.781, 9.0, 0.001), (1.96, 1e6, 0.05), (0.0, 3.0, 1.0)]
        {
            assert!((student(t, freedom) - p).abs() < 1e-4, "{t} {freedom}: {}", student(t, freedom));
        }
        assert!((student(-8.0, 19.0) / 1.676e-7 - 1.0).abs() < 0.01, "{}", student(-8.0, 19.0));
    }
}
