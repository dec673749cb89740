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

/// The best of `count` candidates and what everybody's tries came to. `attempt` gets the candidate and the number of
/// its try: tries of one number are meant to have the same luck.
pub(super) fn halving(
    count: usize,
    budget: usize,
    mut attempt: impl FnMut(usize, usize) -> i32,
) -> (usize, Vec<Tried>) {
    let mut tried = vec![Tried::default(); count];
    let mut left: Vec<usize> = (0..count).collect();
    let rounds = (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as usize;
    let mut number = 0;
    while left.len() > 1 {
        let tries = (budget / rounds / left.len()).max(1);
        for _ in 0..tries {
            for &candidate in &left {
                tried[candidate].sum += i64::from(attempt(candidate, number));
                tried[candidate].tries += 1;
            }
            number += 1;
        }
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
        let (best, tried) =
            halving(9, 900, |candidate, number| noise(number) + [0, 3][usize::from(candidate == 6)]);
        assert_eq!(best, 6);
        assert!(tried.iter().all(|one| one.tries > 0 && one.tries <= tried[6].tries));
        assert_eq!(halving(1, 10, |_, _| 0).0, 0);
    }
}
