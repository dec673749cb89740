//! Pairs of games on one set-up with the seats swapped. What happens in the two games goes together, so
//! the pair is the unit: five results, from both lost to both won.

use serde::Serialize;

use super::normal::{Z95, phi};

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

    /// How likely it is that the first is the stronger one. Where nothing varies the prior belief that
    /// either may be decides, one half a result each way.
    pub fn superiority(&self) -> f64 {
        let n = self.total() as f64;
        if n == 0.0 {
            return 0.5;
        }
        let (extra, last) = (0.5, self.counts.len() - 1);
        let mean = (self.score() * n + extra) / (n + 2.0 * extra);
        let squares = |(i, c): (usize, &u64)| {
            let weight = *c as f64 + if i == 0 || i == last { extra } else { 0.0 };
            (self.value(i) - mean).powi(2) * weight
        };
        let variance = self.counts.iter().enumerate().map(squares).sum::<f64>() / (n + 2.0 * extra);
        phi((mean - 0.5) / (variance / n).sqrt())
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

    #[test]
    fn extremes_make_no_nonsense() {
        assert_eq!(Penta::pairs().elo().0, 0.0);
        assert_eq!(Penta::pairs().superiority(), 0.5);
        let all = Penta::of([0, 0, 0, 0, 20]);
        assert_eq!(all.elo().0, f64::INFINITY);
        assert!(all.superiority() > 0.999 && all.superiority() <= 1.0);
        let none = Penta::of([0, 0, 20, 0, 0]);
        assert_eq!((none.normalized().0, none.superiority()), (0.0, 0.5));
    }
}
