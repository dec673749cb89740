//! Ratings of many players from all their games together: the likeliest strengths under Davidson's
//! form of the Bradley–Terry model, in which draws and the advantage of the first seat have a
//! parameter each.

use serde::Serialize;

use super::normal::{Z95, phi};
use super::penta::ELO;

/// One game between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameScore {
    /// Games of one unit (a pair) go together: what happens in one says something about the other.
    pub unit: u64,
    /// Who sat first.
    pub first: usize,
    /// Who sat second.
    pub second: usize,
    /// Halves of a point for the first: 0, 1 or 2.
    pub halves: u8,
}

/// Ratings with what one needs to compare them.
#[derive(Clone, Debug)]
pub struct Ratings {
    players: usize,
    /// Strengths, the advantage of the first seat, and the logarithm of how common draws are.
    values: Vec<f64>,
    /// Their covariance if every game stands alone, and if games of a unit go together.
    covariances: [Vec<Vec<f64>>; 2],
}

/// A value in Elo and the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rated {
    /// In Elo.
    pub elo: f64,
    /// The half width.
    pub error: f64,
}

/// What is believed beforehand, so that who wins everything is not infinitely strong: standard
/// deviations of a strength, the advantage and the draws, in natural logarithms of odds.
const BELIEF: [f64; 3] = [12.0, 3.0, 4.0];

impl Ratings {
    /// The likeliest ratings of so many players.
    pub fn new(players: usize, games: &[GameScore]) -> Self {
        let size = players + 2;
        let mut values = vec![0.0; size];
        values[players + 1] = -1.0;
        for _ in 0..200 {
            let (slope, bend) = Self::likelihood(players, &values, games);
            let step = solve(&bend, &slope);
            // Far from the top a whole step may jump over it.
            let longest = step.iter().fold(0.0_f64, |longest, s| longest.max(s.abs()));
            let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            values.iter_mut().zip(&step).for_each(|(value, step)| *value += scale * step);
            if longest < 1e-11 {
                break;
            }
        }
        let (_, bend) = Self::likelihood(players, &values, games);
        let alone = inverse(&bend);
        let together = sandwich(&alone, &Self::spread(players, &values, games));
        Ratings { players, values, covariances: [alone, together] }
    }

    /// A player's rating if `anchor` has 0, or, without one, if the mean of all is 0.
    pub fn rating(&self, player: usize, anchor: Option<usize>) -> Rated {
        let mut weights = vec![0.0; self.values.len()];
        match anchor {
            Some(anchor) => weights[anchor] = -1.0,
            None => weights[..self.players].fill(-1.0 / self.players as f64),
        }
        weights[player] += 1.0;
        self.rated(&weights)
    }

    /// What the first seat is worth.
    pub fn advantage(&self) -> Rated {
        let mut weights = vec![0.0; self.values.len()];
        weights[self.players] = 1.0;
        self.rated(&weights)
    }

    /// How likely a draw is between equals without any advantage.
    pub fn draws(&self) -> f64 {
        let nu = self.values[self.players + 1].exp();
        nu / (2.0 + nu)
    }

    /// How likely it is that one is stronger than the other.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        if one == other {
            return 0.5;
        }
        let mut weights = vec![0.0; self.values.len()];
        (weights[one], weights[other]) = (1.0, -1.0);
        let Rated { elo, error } = self.rated(&weights);
        phi(elo / error * Z95)
    }

    /// Of the two covariances the one that is less sure: pairs may go together, and who won everything
    /// seems sure only because nothing varied.
    fn rated(&self, weights: &[f64]) -> Rated {
        let value: f64 = weights.iter().zip(&self.values).map(|(w, v)| w * v).sum();
        let variance = self.covariances.iter().map(|v| quadratic(v, weights)).fold(0.0, f64::max);
        Rated { elo: ELO * value, error: ELO * Z95 * variance.sqrt() }
    }

    /// The slope of the logarithm of the likelihood, and how it bends.
    fn likelihood(players: usize, values: &[f64], games: &[GameScore]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = values.len();
        let belief = |index: usize| BELIEF[index.saturating_sub(players - 1).min(2)].powi(-2);
        let mut slope: Vec<f64> = (0..size).map(|i| -values[i] * belief(i)).collect();
        let mut bend = vec![vec![0.0; size]; size];
        (0..size).for_each(|i| bend[i][i] = belief(i));
        for game in games {
            let expected = Expected::new(players, values, game);
            let (score, draw) = expected.surprise(game);
            for (at, sign) in touched(players, game) {
                slope[at] += sign * score;
                for (other, other_sign) in touched(players, game) {
                    bend[at][other] += sign * other_sign * expected.score_variance();
                }
                bend[at][size - 1] += sign * expected.covariance();
                bend[size - 1][at] += sign * expected.covariance();
            }
            slope[size - 1] += draw;
            bend[size - 1][size - 1] += expected.draw * (1.0 - expected.draw);
        }
        (slope, bend)
    }

    /// Σ over units of the unit's slope times itself.
    fn spread(players: usize, values: &[f64], games: &[GameScore]) -> Vec<Vec<f64>> {
        let size = values.len();
        let mut spread = vec![vec![0.0; size]; size];
        for unit in games.chunk_by(|a, b| a.unit == b.unit) {
            let mut slope = vec![0.0; size];
            for game in unit {
                let (score, draw) = Expected::new(players, values, game).surprise(game);
                touched(players, game).iter().for_each(|(at, sign)| slope[*at] += sign * score);
                slope[size - 1] += draw;
            }
            for i in 0..size {
                for j in 0..size {
                    spread[i][j] += slope[i] * slope[j];
                }
            }
        }
        spread
    }
}

/// The parameters that a game's score depends on, and with which sign.
fn touched(players: usize, game: &GameScore) -> [(usize, f64); 3] {
    [(game.first, 1.0), (game.second, -1.0), (players, 1.0)]
}

/// How a game is expected to end.
struct Expected {
    win: f64,
    draw: f64,
}

impl Expected {
    fn new(players: usize, values: &[f64], game: &GameScore) -> Self {
        let ahead = values[game.first] - values[game.second] + values[players];
        let (win, loss, draw) = ((ahead / 2.0).exp(), (-ahead / 2.0).exp(), values[players + 1].exp());
        let all = win + loss + draw;
        Expected { win: win / all, draw: draw / all }
    }

    fn score(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// How much more came than was expected: of points, and of draws.
    fn surprise(&self, game: &GameScore) -> (f64, f64) {
        let drawn = if game.halves == 1 { 1.0 } else { 0.0 };
        (f64::from(game.halves) / 2.0 - self.score(), drawn - self.draw)
    }

    fn score_variance(&self) -> f64 {
        self.win + self.draw / 4.0 - self.score().powi(2)
    }

    fn covariance(&self) -> f64 {
        self.draw / 2.0 - self.draw * self.score()
    }
}

fn quadratic(matrix: &[Vec<f64>], weights: &[f64]) -> f64 {
    let rows = matrix.iter().zip(weights);
    rows.map(|(row, w)| w * row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>()).sum()
}

fn sandwich(bread: &[Vec<f64>], filling: &[Vec<f64>]) -> Vec<Vec<f64>> {
    multiply(&multiply(bread, filling), bread)
}

fn multiply(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let cell = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..b.len()).map(|j| cell(row, j)).collect()).collect()
}

fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let unit = |j: usize| (0..matrix.len()).map(|i| if i == j { 1.0 } else { 0.0 }).collect::<Vec<_>>();
    // Symmetric: columns are rows.
    (0..matrix.len()).map(|j| solve(matrix, &unit(j))).collect()
}

/// Solves a positive definite system by elimination.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    let mut x = right.to_vec();
    for pivot in 0..n {
        for below in pivot + 1..n {
            let factor = rows[below][pivot] / rows[pivot][pivot];
            let (above, rest) = rows.split_at_mut(below);
            let pairs = rest[0].iter_mut().zip(&above[pivot]).skip(pivot);
            pairs.for_each(|(cell, over)| *cell -= factor * over);
            x[below] -= factor * x[pivot];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| rows[row][column] * x[column]).sum();
        x[row] = (x[row] - known) / rows[row][row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(first: usize, second: usize, wins: usize, draws: usize, losses: usize) -> Vec<GameScore> {
        let counts = [(2, wins), (1, draws), (0, losses)];
        let all = counts.into_iter().flat_map(|(halves, count)| std::iter::repeat_n(halves, count));
        all.enumerate().map(|(unit, halves)| GameScore { unit: unit as u64, first, second, halves }).collect()
    }

    #[test]
    fn two_players_in_both_seats_have_the_textbook_difference() {
        let mut all = games(0, 1, 75, 0, 25);
        all.extend(games(1, 0, 25, 0, 75));
        let ratings = Ratings::new(2, &all);
        let Rated { elo, error } = ratings.rating(0, Some(1));
        assert!((elo - 190.85).abs() < 1.0, "{elo}");
        // 1.96 · ELO / √(200 · ¾ · ¼)
        assert!((error - 55.6).abs() < 1.5, "{error}");
        assert!(ratings.advantage().elo.abs() < 0.1);
        assert!(ratings.superiority(0, 1) > 0.9999);
        assert_eq!(ratings.rating(1, Some(1)).elo, 0.0);
    }

    #[test]
    fn the_first_seat_is_worth_what_it_wins() {
        let mut all = games(0, 1, 60, 20, 20);
        all.extend(games(1, 0, 60, 20, 20));
        let ratings = Ratings::new(2, &all);
        assert!(ratings.rating(0, None).elo.abs() < 1e-6);
        // Wins to losses are e^ahead in Davidson's model.
        assert!((ratings.advantage().elo - ELO * 3.0_f64.ln()).abs() < 2.0, "{:?}", ratings.advantage());
    }

    #[test]
    fn who_wins_everything_is_not_infinitely_strong_and_not_sure() {
        let mut all = games(0, 1, 20, 0, 0);
        all.extend(games(1, 0, 0, 0, 20));
        let Rated { elo, error } = Ratings::new(2, &all).rating(0, Some(1));
        assert!(elo > 500.0 && elo < 2500.0 && error > 300.0, "{elo} ± {error}");
        assert!(Ratings::new(3, &[]).rating(2, Some(0)).error > 1000.0);
    }
}
