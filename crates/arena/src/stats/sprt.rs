//! The sequential probability ratio test: play until it is clear which of two claims holds, and not a
//! pair longer. Pairs are looked at in order at fixed steps, so that when it stops does not depend on
//! who finished first.

use serde::{Deserialize, Serialize};

use super::penta::{ELO, Penta};

/// In which units the claims are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Normalized Elo: the difference in standard deviations of a game.
    #[default]
    Normalized,
    /// Elo: the difference in expected score.
    Logistic,
}

impl Model {
    /// What the units are called.
    pub fn unit(self) -> &'static str {
        match self {
            Model::Normalized => "normalized Elo",
            Model::Logistic => "Elo",
        }
    }
}

/// A test of two claims about a difference in strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The first claim.
    pub elo0: f64,
    /// The second.
    pub elo1: f64,
    /// How often the second is accepted though the first holds.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// How often the first is accepted though the second holds.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The units.
    #[serde(default)]
    pub model: Model,
}

fn five_percent() -> f64 {
    0.05
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first claim.
    First,
    /// The second.
    Second,
    /// Play on.
    Open,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct State {
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Below this the first claim is accepted.
    pub low: f64,
    /// Above this the second.
    pub high: f64,
    /// What that means.
    pub verdict: Verdict,
}

impl Sprt {
    /// What is wrong with the numbers, if something is.
    pub fn problem(&self) -> Option<String> {
        let share = |x: f64| x.is_finite() && x > 0.0 && x < 0.5;
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Some("elo0 must be less than elo1".to_owned());
        }
        let shares = share(self.alpha) && share(self.beta);
        (!shares).then(|| "alpha and beta must lie between 0 and 0.5".to_owned())
    }

    /// Where the test stands after these results.
    pub fn state(&self, penta: &Penta) -> State {
        let low = (self.beta / (1.0 - self.alpha)).ln();
        let high = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.llr(penta);
        let verdict = match llr {
            llr if llr >= high => Verdict::Second,
            llr if llr <= low => Verdict::First,
            _ => Verdict::Open,
        };
        State { llr, low, high, verdict }
    }

    /// The logarithm of how much likelier the results are under the second claim than under the first,
    /// each with the distribution that suits it best.
    pub fn llr(&self, penta: &Penta) -> f64 {
        let n = penta.total() as f64;
        if n == 0.0 {
            return 0.0;
        }
        let seen = Seen::new(penta);
        let (first, second) = (self.best(&seen, self.elo0, penta), self.best(&seen, self.elo1, penta));
        let terms = seen.shares.iter().zip(first.iter().zip(&second));
        n * terms.map(|(share, (p0, p1))| share * (p1 / p0).ln()).sum::<f64>()
    }

    fn best(&self, seen: &Seen, elo: f64, penta: &Penta) -> Vec<f64> {
        match self.model {
            Model::Logistic => seen.with_mean(1.0 / (1.0 + (-elo / ELO).exp())),
            Model::Normalized => seen.with_t(elo / (2.0 * ELO) * f64::from(penta.games).sqrt()),
        }
    }
}

/// What was seen, as shares of results.
struct Seen {
    values: Vec<f64>,
    shares: Vec<f64>,
}

impl Seen {
    /// A result never seen is taken for one that is very rare, not impossible.
    fn new(penta: &Penta) -> Self {
        let counts: Vec<f64> = penta.counts.iter().map(|count| (*count as f64).max(1e-3)).collect();
        let total: f64 = counts.iter().sum();
        let values = (0..counts.len()).map(|index| penta.value(index)).collect();
        Seen { values, shares: counts.iter().map(|count| count / total).collect() }
    }

    /// The likeliest shares whose mean is `mean`.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        let slopes: Vec<f64> = self.values.iter().map(|value| value - mean).collect();
        self.tilted(&slopes)
    }

    /// The likeliest shares whose mean lies `t` standard deviations above one half. The condition is
    /// not linear in the shares: its linear form at the last guess is solved until that stands still.
    fn with_t(&self, t: f64) -> Vec<f64> {
        let mut shares = vec![1.0 / self.values.len() as f64; self.values.len()];
        for _ in 0..40 {
            let (mean, deviation) = moments(&self.values, &shares);
            let slope = |value: &f64| {
                let distance = (value - mean) / deviation;
                value - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
            };
            let next = self.tilted(&self.values.iter().map(slope).collect::<Vec<_>>());
            let moved = next.iter().zip(&shares).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            shares = next;
            if moved < 1e-10 {
                break;
            }
        }
        shares
    }

    /// The likeliest shares p with Σ p·slope = 0: p = seen / (1 + x·slope), where x solves it.
    fn tilted(&self, slopes: &[f64]) -> Vec<f64> {
        let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
        let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least >= 0.0 || most <= 0.0 {
            return self.shares.clone();
        }
        // All shares are positive between these poles, and the sum falls from one to the other.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let sum = |x: f64| self.shares.iter().zip(slopes).map(|(p, s)| p * s / (1.0 + x * s)).sum::<f64>();
        for _ in 0..56 {
            let middle = 0.5 * (low + high);
            if sum(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let x = 0.5 * (low + high);
        self.shares.iter().zip(slopes).map(|(p, s)| p / (1.0 + x * s)).collect()
    }
}

fn moments(values: &[f64], shares: &[f64]) -> (f64, f64) {
    let mean: f64 = values.iter().zip(shares).map(|(value, share)| value * share).sum();
    let variance: f64 = values.iter().zip(shares).map(|(value, share)| (value - mean).powi(2) * share).sum();
    (mean, variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Normalized }
    }

    #[test]
    fn published_ratios_are_reproduced() {
        for (counts, elo1, llr) in [
            ([379, 10170, 21828, 10640, 343], 2.0, 2.946),
            ([177, 1629, 3083, 1780, 221], 3.0, 2.91),
            ([363, 3205, 5861, 3376, 414], 3.0, 2.90),
            ([46, 496, 1073, 640, 79], 3.0, 2.89),
        ] {
            let ours = sprt(0.0, elo1).llr(&Penta::of(counts));
            assert!((ours - llr).abs() < 0.011, "{counts:?}: {ours} is not {llr}");
        }
    }

    #[test]
    fn the_verdict_follows_the_bounds() {
        let test = sprt(0.0, 20.0);
        assert_eq!(test.state(&Penta::pairs()).verdict, Verdict::Open);
        assert_eq!(test.state(&Penta::of([0, 0, 100, 200, 200])).verdict, Verdict::Second);
        assert_eq!(test.state(&Penta::of([200, 200, 100, 0, 0])).verdict, Verdict::First);
        let state = test.state(&Penta::of([0, 0, 5, 0, 0]));
        assert!((state.high - 2.944).abs() < 1e-3 && state.llr.is_finite());
    }

    #[test]
    fn logistic_claims_work_too() {
        let test = Sprt { model: Model::Logistic, ..sprt(0.0, 5.0) };
        let better = test.llr(&Penta::of([100, 200, 400, 300, 150]));
        assert!(better > 0.0 && better < test.llr(&Penta::of([100, 200, 400, 350, 200])));
    }
}
