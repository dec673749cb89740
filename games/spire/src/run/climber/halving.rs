//! Choosing among many by trying: everybody is tried alike, the worse half is left out, and so on, so that
//! most tries go where they decide something.

/// What the tries of one candidate came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tried {
    pub sum: i64,
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
pub(super) struct Budget {
    /// Tries of all candidates together.
    pub tries: usize,
    /// Inputs of all tries together: where fights are long there are fewer of them.
    pub inputs: usize,
}

impl Budget {
    /// So many tries of fights that are not longer than they usually are.
    pub fn of(tries: usize) -> Self {
        Budget { tries, inputs: tries.saturating_mul(USUAL_INPUTS) }
    }
}

/// Inputs of a try, as a rule.
const USUAL_INPUTS: usize = 60;

/// The best of `count` candidates and what everybody's tries came to. `attempt` gets the candidate and the number of
/// its try, and gives what came of it and how many inputs it took; tries of one number are meant to have the same luck.
/// Everybody is tried once, whatever that takes.
pub(super) fn halving(
    count: usize,
    budget: Budget,
    mut attempt: impl FnMut(usize, usize) -> (i32, usize),
) -> (usize, Vec<Tried>) {
    let mut tried = vec![Tried::default(); count];
    let mut left: Vec<usize> = (0..count).collect();
    let rounds = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as usize;
    let (mut number, mut spent, mut round) = (0, 0, 0);
    while left.len() > 1 {
        let tries = (budget.tries / rounds / left.len()).max(1);
        let share = budget.inputs.saturating_sub(spent) / rounds.saturating_sub(round).max(1);
        let enough = spent + share;
        for turn in 0..tries {
            if turn > 0 && spent >= enough {
                break;
            }
            for &candidate in &left {
                let (value, inputs) = attempt(candidate, number);
                tried[candidate].sum += i64::from(value);
                tried[candidate].tries += 1;
                spent += inputs;
            }
            number += 1;
        }
        round += 1;
        left.sort_by_key(|candidate| (std::cmp::Reverse(tried[*candidate].mean()), *candidate));
        left.truncate(left.len().div_ceil(2));
    }
    (left.first().copied().unwrap_or(0), tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_found_and_tried_most() {
        let noise = |try_no: usize| (try_no * 37 % 11) as i32;
        let (best, tried) = halving(9, Budget::of(900), |candidate, number| {
            (noise(number) + [0, 3][usize::from(candidate == 6)], 60)
        });
        assert_eq!(best, 6);
        assert!(tried.iter().all(|one| one.tries > 0 && one.tries <= tried[6].tries));
        assert_eq!(halving(1, Budget::of(10), |_, _| (0, 60)).0, 0);
    }

    #[test]
    fn long_fights_are_fewer_and_everybody_is_tried() {
        let spent = |inputs: usize| {
            let (_, tried) = halving(8, Budget::of(800), |candidate, _| (candidate as i32, inputs));
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
}
