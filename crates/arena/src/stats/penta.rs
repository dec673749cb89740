//! Pairs of games on one set-up with the seats swapped. What happens in the two games goes together, so
//! the pair is the unit: five results, from both lost to both won.

use serde::Serialize;

use super::beta::beta_below;
use super::normal::Z95;

/// Elo per unit of natural logarithm of odds.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Counts of equally spaced results, from lost (0) to won (1): five for pairs of games, three for
/// seeds that two players of a one-seat game have both played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Penta {
    /// How often each result occurred, the worst first.
    pub counts: Vec<u64>,
    /// Games in one result: two for pairs.
    pub games: u32,
}

impl Penta {
    /// Nothing yet, of pairs of games.
    pub fn pairs() -> Self {
        Penta { counts: vec![0; 5], games: 2 }
    }

    /// Nothing yet, of seeds both have played: worse, the same, better.
    pub fn seeds() -> Self {
        Penta { counts: vec![0; 3], games: 1 }
    }

    /// These pairs.
    pub fn of(counts: [u64; 5]) -> Self {
        Penta { counts: counts.to_vec(), games: 2 }
    }

    /// Counts one more result of so many halves of a point.
    pub fn add(&mut self, halves: usize) {
        let last = self.counts.len() - 1;
        self.counts[halves.min(last)] += 1;
    }

    /// How many results.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The value of a result.
    pub(super) fn value(&self, index: usize) -> f64 {
        index as f64 / (self.counts.len() - 1) as f64
    }

    /// The mean score; one half if there is nothing.
    pub fn score(&self) -> f64 {
        let n = self.total();
        if n == 0 {
            return 0.5;
        }
        let sum: f64 = self.counts.iter().enumerate().map(|(i, c)| self.value(i) * *c as f64).sum();
        sum / n as f64
    }

    /// The variance of one result.
    pub fn variance(&self) -> f64 {
        let (n, mean) = (self.total(), self.score());
        if n == 0 {
            return 0.0;
        }
        let squares = |(i, c): (usize, &u64)| (self.value(i) - mean).powi(2) * *c as f64;
        self.counts.iter().enumerate().map(squares).sum::<f64>() / n as f64
    }

    /// The difference in strength in Elo and the half width of its 95 % interval; infinite if one won
    /// everything.
    pub fn elo(&self) -> (f64, f64) {
        let (score, half) = (self.score(), Z95 * self.deviation());
        let error = (elo_of(score + half) - elo_of(score - half)) / 2.0;
        (elo_of(score), error)
    }

    /// The same in normalized Elo, which counts in standard deviations of a game and so says how many
    /// games are needed to see it.
    pub fn normalized(&self) -> (f64, f64) {
        let scale = (f64::from(self.games) * self.variance()).sqrt();
        if scale == 0.0 {
            return (
                if self.score() == 0.5 { 0.0 } else { f64::INFINITY.copysign(self.score() - 0.5) },
                f64::INFINITY,
            );
        }
        ((self.score() - 0.5) / scale * 2.0 * ELO, Z95 * self.deviation() / scale * 2.0 * ELO)
    }

    /// How likely it is that the first is the stronger one, if beforehand every share of results was as likely as any
    /// other. Shares of results are then to each other as gamma variables, one for each result, whose shape is its count
    /// and one more. Those of one side, each times what it is worth, are taken as one such variable with their mean and
    /// variance: with three results there is nothing to take together, and it is exact.
    pub fn superiority(&self) -> f64 {
        let side = |sign: f64| {
            let (mut mean, mut variance) = (0.0, 0.0);
            for (index, count) in self.counts.iter().enumerate() {
                let worth = (sign * (2.0 * self.value(index) - 1.0)).max(0.0);
                mean += worth * (*count as f64 + 1.0);
                variance += worth * worth * (*count as f64 + 1.0);
            }
            (mean * mean / variance, variance / mean)
        };
        let ((good, good_scale), (bad, bad_scale)) = (side(1.0), side(-1.0));
        beta_below(good_scale / (good_scale + bad_scale), bad, good)
    }

    fn deviation(&self) -> f64 {
        (self.variance() / (self.total().max(1) as f64)).sqrt()
    }
}

/// The difference in Elo at which that score is expected.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if score >= 1.0 {
        return f64::INFINITY;
    }
    ELO * (score / (1.0 - score)).ln()
}

#[cfg(test)]
mod tests {
    use super::super::normal::phi;
    use super::*;

    /// Counts, Elo and normalized Elo, each with its error, as published with the records.
    #[test]
    fn published_records_are_reproduced() {
        for (counts, elo, normalized) in [
            ([177, 1629, 3083, 1780, 221], (6.03, 3.49), (10.01, 5.80)),
            ([363, 3205, 5861, 3376, 414], (3.59, 2.53), (5.93, 4.19)),
        ] {
            let penta = Penta::of(counts);
            for (ours, theirs) in [(penta.elo(), elo), (penta.normalized(), normalized)] {
                assert!((ours.0 - theirs.0).abs() < 0.006, "{counts:?}: {ours:?} is not {theirs:?}");
                assert!((ours.1 - theirs.1).abs() < 0.006, "{counts:?}: {ours:?} is not {theirs:?}");
            }
        }
        let (elo, error) = Penta::of([379, 10170, 21828, 10640, 343]).normalized();
        assert!((elo - 3.05).abs() < 0.006 && (error - 2.31).abs() < 0.006, "{elo} ± {error}");
    }

    /// Five of five were once told as 100.0 %.
    #[test]
    fn few_results_prove_little() {
        for (won, sure) in [(1, 0.75), (3, 0.9375), (4, 0.968_75), (5, 0.984_375)] {
            let alone = Penta { counts: vec![0, 0, won], games: 1 };
            assert!((alone.superiority() - sure).abs() < 1e-9, "{won}: {}", alone.superiority());
            let pairs = Penta::of([0, 0, 0, 0, won]).superiority();
            // By the four gamma variables themselves it is 0.979 for five.
            assert!(pairs < sure && pairs > sure - 0.05, "{won}: {pairs}");
            let lost = Penta::of([won, 0, 0, 0, 0]).superiority();
            assert!((pairs + lost - 1.0).abs() < 1e-9, "{pairs} {lost}");
        }
        let five = Penta::of([0, 0, 0, 0, 5]).superiority();
        assert!((five - 0.979).abs() < 0.004, "{five}");
        // Many say what the normal distribution says: 6.03 ± 3.49 Elo.
        let many = Penta::of([177, 1629, 3083, 1780, 221]).superiority();
        assert!((many - phi(6.03 / 3.49 * Z95)).abs() < 1e-4, "{many}");
    }

    #[test]
    fn extremes_make_no_nonsense() {
        assert_eq!(Penta::pairs().elo().0, 0.0);
        assert!((Penta::pairs().superiority() - 0.5).abs() < 1e-12);
        let all = Penta::of([0, 0, 0, 0, 20]);
        assert_eq!(all.elo().0, f64::INFINITY);
        assert!(all.superiority() > 0.999 && all.superiority() <= 1.0);
        let none = Penta::of([0, 0, 20, 0, 0]);
        assert_eq!(none.normalized().0, 0.0);
        assert!((none.superiority() - 0.5).abs() < 1e-12);
    }
}
