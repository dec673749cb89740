//! Choosing among many by trying: everybody is tried alike, the worse half is left out, and so on, so that
//! most tries go where they decide something. For bots that look ahead.

/// What the tries of one candidate came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// What they came to together.
    pub sum: i64,
    /// How many there were.
    pub tries: i64,
}

impl Tried {
    /// The mean, in thousandths.
    pub fn mean(&self) -> i64 {
        if self.tries == 0 { i64::MIN } else { self.sum * 1000 / self.tries }
    }
}

/// What may be spent on a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tries of all candidates together.
    pub tries: usize,
    /// Inputs of all tries together: where fights are long there are fewer of them.
    pub inputs: usize,
    /// Who may be better by so little at most is not looked for any longer.
    pub slack: i32,
}

impl Budget {
    /// So many tries of fights that are not longer than they usually are.
    pub fn of(tries: usize, slack: i32) -> Self {
        Budget { tries, inputs: tries.saturating_mul(USUAL_INPUTS), slack }
    }
}

/// Inputs of a try, as a rule.
const USUAL_INPUTS: usize = 60;
/// Tries with the same luck before two candidates are told apart for good.
const FEWEST: usize = 8;
/// How many standard errors are sure enough.
const SURE: f64 = 2.5;

/// The best of `count` candidates and what everybody's tries came to. `attempt` gets the candidate and the number of
/// its try, and gives what came of it and how many inputs it took; tries of one number are meant to have the same luck.
/// Everybody is tried once, whatever that takes; nobody is once it is clear who is best.
pub fn halving(
    count: usize,
    budget: Budget,
    mut attempt: impl FnMut(usize, usize) -> (i32, usize),
) -> (usize, Vec<Tried>) {
    let mut race = Race { values: vec![Vec::new(); count], left: (0..count).collect(), spent: 0 };
    let rounds = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as usize;
    for round in 0..rounds {
        let share = budget.inputs.saturating_sub(race.spent) / (rounds - round);
        let enough = race.spent + share;
        for turn in 0..(budget.tries / rounds / race.left.len().max(1)).max(1) {
            if race.left.len() < 2 || turn > 0 && race.spent >= enough || race.is_decided(budget.slack) {
                break;
            }
            race.go_round(&mut attempt);
        }
        race.drop_half();
    }
    (race.left.first().copied().unwrap_or(0), race.values.iter().map(|values| tried(values)).collect())
}

/// Candidates who are tried in turn, with the same luck.
struct Race {
    /// What the tries of each came to; all who are left were tried equally often.
    values: Vec<Vec<i32>>,
    left: Vec<usize>,
    /// Inputs so far.
    spent: usize,
}

fn tried(values: &[i32]) -> Tried {
    Tried { sum: values.iter().map(|value| i64::from(*value)).sum(), tries: values.len() as i64 }
}

impl Race {
    /// Everybody who is left is tried once more.
    fn go_round(&mut self, attempt: &mut impl FnMut(usize, usize) -> (i32, usize)) {
        for &candidate in &self.left {
            let (value, inputs) = attempt(candidate, self.values[candidate].len());
            self.values[candidate].push(value);
            self.spent += inputs;
        }
    }

    fn rank(&self, candidate: usize) -> (std::cmp::Reverse<i64>, usize) {
        (std::cmp::Reverse(tried(&self.values[candidate]).mean()), candidate)
    }

    fn drop_half(&mut self) {
        let mut left = std::mem::take(&mut self.left);
        left.sort_by_key(|candidate| self.rank(*candidate));
        left.truncate(left.len().div_ceil(2));
        self.left = left;
    }

    /// Whether nobody else is likely to be better than the best by more than that.
    fn is_decided(&self, slack: i32) -> bool {
        let Some(best) = self.left.iter().copied().min_by_key(|candidate| self.rank(*candidate)) else {
            return true;
        };
        let best = &self.values[best];
        best.len() >= FEWEST
            && self.left.iter().all(|other| is_surely_no_worse(best, &self.values[*other], slack))
    }
}

/// Whether tries with the same luck show that one is not worse than another by more than the slack.
fn is_surely_no_worse(one: &[i32], other: &[i32], slack: i32) -> bool {
    let (count, ahead) = (one.len() as f64, one.iter().zip(other).map(|(one, other)| f64::from(one - other)));
    let mean = ahead.clone().sum::<f64>() / count;
    let spread = ahead.map(|ahead| (ahead - mean) * (ahead - mean)).sum::<f64>() / (count - 1.0).max(1.0);
    mean + f64::from(slack) >= SURE * (spread / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What chance adds to a candidate's try.
    type Luck = fn(usize, usize) -> i32;

    fn noise(number: usize) -> i32 {
        (number * 37 % 11) as i32
    }

    #[test]
    fn the_best_is_found_and_tried_most() {
        // Luck of his own for everybody, so that it takes a while to tell them apart.
        let (best, tried) = halving(9, Budget::of(900, 0), |candidate, number| {
            (noise(number + 5 * candidate) + [0, 3][usize::from(candidate == 6)], 60)
        });
        assert_eq!(best, 6);
        assert!(tried.iter().all(|one| one.tries > 0 && one.tries <= tried[6].tries));
        assert_eq!(halving(1, Budget::of(10, 0), |_, _| (0, 60)).0, 0);
    }

    #[test]
    fn long_fights_are_fewer_and_everybody_is_tried() {
        let spent = |inputs: usize| {
            let (_, tried) =
                halving(8, Budget::of(800, 0), |candidate, number| (noise(number + 3 * candidate), inputs));
            assert!(tried.iter().all(|one| one.tries > 0));
            tried.iter().map(|one| one.tries as usize).sum::<usize>() * inputs
        };
        let usual = spent(USUAL_INPUTS);
        assert!(
            (spent(20 * USUAL_INPUTS) as f64) < 1.5 * usual as f64,
            "{} {usual}",
            spent(20 * USUAL_INPUTS)
        );
    }

    #[test]
    fn what_is_clear_is_not_tried_any_longer() {
        let tries = |slack: i32, ahead: i32, luck: Luck| {
            let attempt = |candidate: usize, number: usize| {
                (luck(candidate, number) + if candidate == 1 { ahead } else { 0 }, 60)
            };
            let (best, tried) = halving(2, Budget::of(400, slack), attempt);
            (best, tried[best].tries)
        };
        let alike: Luck = |_, number| noise(number);
        let own: Luck = |candidate, number| noise(number + 4 * candidate);
        assert_eq!(tries(0, 1, alike), (1, FEWEST as i64), "the same luck, and better every time");
        assert_eq!(tries(0, 0, alike), (0, FEWEST as i64), "it does not matter which");
        assert_eq!(tries(0, 0, own).1, 200, "nobody is better, and that is never sure");
        assert!(tries(2, 0, own).1 < 100, "but soon that it matters little");
        assert_eq!(tries(0, 4, own).0, 1);
    }
}
