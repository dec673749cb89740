//! The statistics on simulated leagues whose truth is known: how often a test errs, and how often an
//! interval holds it.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone_arena::stats::{ELO, GameScore, Model, Penta, Ratings, Share, Sprt, Verdict};

fn lots(seed: u64) -> Lots {
    Lots::new(seed, Stream::named("leagues"))
}

fn uniform(lots: &mut Lots) -> f64 {
    (lots.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// So many tests, how many err, within three standard deviations of what is allowed.
#[track_caller]
fn near(count: u64, of: u64, share: f64) {
    let (mean, spread) = (share * of as f64, (share * (1.0 - share) * of as f64).sqrt());
    assert!((count as f64 - mean).abs() <= 3.0 * spread, "{count} of {of} is not about {share}");
}

/// A result of a pair of games between players who differ by nothing.
fn pair(lots: &mut Lots, shares: &[f64; 5]) -> usize {
    let mut left = uniform(lots);
    for (index, share) in shares.iter().enumerate() {
        if left < *share {
            return index;
        }
        left -= share;
    }
    4
}

/// Plays one test to its end.
fn verdict(test: &Sprt, shares: &[f64; 5], lots: &mut Lots) -> Verdict {
    let mut penta = Penta::pairs();
    loop {
        (0..8).for_each(|_| penta.add(pair(lots, shares)));
        let state = test.state(&penta);
        if state.verdict != Verdict::Open {
            return state.verdict;
        }
    }
}

/// Shares of pairs with that normalized difference: a symmetric start, tilted.
fn shares(normalized: f64) -> [f64; 5] {
    let base = [0.08_f64, 0.24, 0.36, 0.24, 0.08];
    let tilted = |x: f64| {
        let weights: Vec<f64> = base.iter().enumerate().map(|(i, p)| p * (x * i as f64).exp()).collect();
        let all: f64 = weights.iter().sum();
        [0, 1, 2, 3, 4].map(|i| weights[i] / all)
    };
    let t = |shares: &[f64; 5]| {
        let mean: f64 = shares.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
        let variance: f64 = shares.iter().enumerate().map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2)).sum();
        (mean - 0.5) / (2.0 * variance).sqrt() * 2.0 * ELO
    };
    let (mut low, mut high) = (-3.0, 3.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if t(&tilted(middle)) < normalized { low = middle } else { high = middle }
    }
    tilted(low)
}

#[test]
fn a_sequential_test_errs_as_often_as_it_may() {
    let test = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let mut lots = lots(1);
    let count = |truth: f64, wrong: Verdict, lots: &mut Lots| {
        let shares = shares(truth);
        (0..2000).filter(|_| verdict(&test, &shares, lots) == wrong).count() as u64
    };
    near(count(0.0, Verdict::Second, &mut lots), 2000, 0.05);
    near(count(40.0, Verdict::First, &mut lots), 2000, 0.05);
}

#[test]
fn intervals_of_ratings_hold_the_truth_as_often_as_they_say() {
    let truth = [0.0, 60.0, -80.0, 150.0];
    let (advantage, nu) = (30.0 / ELO, 0.6);
    let mut lots = lots(2);
    let (mut held, mut all) = (0, 0);
    for _ in 0..500 {
        let mut games = Vec::new();
        let mut unit = 0;
        for _ in 0..25 {
            for a in 0..4 {
                for b in a + 1..4 {
                    // The luck of a pair's set-up goes with both games.
                    let luck = 0.8 * (uniform(&mut lots) - 0.5);
                    for (first, second, luck) in [(a, b, luck), (b, a, -luck)] {
                        let x = (truth[first] - truth[second]) / ELO + advantage + luck;
                        let (win, loss) = ((x / 2.0).exp(), (-x / 2.0).exp());
                        let drawn = uniform(&mut lots) * (win + loss + nu);
                        let halves = if drawn < win {
                            2
                        } else if drawn < win + nu {
                            1
                        } else {
                            0
                        };
                        games.push(GameScore { unit, first, second, halves });
                    }
                    unit += 1;
                }
            }
        }
        let ratings = Ratings::new(4, &games);
        for (player, truth) in truth.iter().enumerate().skip(1) {
            let rated = ratings.rating(player, Some(0));
            all += 1;
            held += u64::from((rated.elo - truth).abs() <= rated.error);
        }
    }
    near(held, all, 0.95);
}

#[test]
fn intervals_of_shares_hold_the_truth() {
    let mut lots = lots(3);
    for truth in [0.005, 0.1, 0.5] {
        let mut held = 0;
        for _ in 0..2000 {
            let count = (0..400).filter(|_| uniform(&mut lots) < truth).count() as u64;
            let share = Share::new(count, 400);
            held += u64::from(share.low <= truth && truth <= share.high);
        }
        // Counts are whole, so the share that is held follows from the truth, and is only near 95 %.
        let exact = coverage(400, truth);
        assert!((exact - 0.95).abs() < 0.03, "{truth}: {exact}");
        near(held, 2000, exact);
    }
}

/// How often the interval of a share of so many holds the truth: the sum over all counts that it may be.
fn coverage(of: u64, truth: f64) -> f64 {
    let mut likely = (1.0 - truth).powi(of as i32);
    let mut held = 0.0;
    for count in 0..=of {
        let share = Share::new(count, of);
        if share.low <= truth && truth <= share.high {
            held += likely;
        }
        likely *= (of - count) as f64 / (count + 1) as f64 * truth / (1.0 - truth);
    }
    held
}
