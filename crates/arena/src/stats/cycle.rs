//! Players who beat each other in a circle, which no list of ratings can show.

use std::collections::VecDeque;

use serde::Serialize;

/// Each beats the next, and the last the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cycle(pub Vec<usize>);

/// One shortest cycle of every group of players in which everybody beats everybody, directly or over
/// others; `beats` says who beats whom for sure.
pub fn cycles(players: usize, beats: impl Fn(usize, usize) -> bool) -> Vec<Cycle> {
    let mut found: Vec<Cycle> = Vec::new();
    for start in 0..players {
        let Some(cycle) = shortest(players, start, &beats) else { continue };
        let least = cycle.iter().min().copied().unwrap_or(start);
        let known = found.iter().any(|Cycle(other)| other.iter().any(|player| cycle.contains(player)));
        if !known {
            let turn = cycle.iter().position(|player| *player == least).unwrap_or(0);
            let (end, begin) = cycle.split_at(turn);
            found.push(Cycle([begin, end].concat()));
        }
    }
    found
}

/// The shortest way from a player back to himself.
fn shortest(players: usize, start: usize, beats: &impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let mut from: Vec<Option<usize>> = vec![None; players];
    let mut waiting = VecDeque::from([start]);
    while let Some(player) = waiting.pop_front() {
        for next in (0..players).filter(|next| beats(player, *next)) {
            if next == start {
                let mut way = vec![player];
                while let Some(before) = from[way[way.len() - 1]] {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if from[next].is_none() {
                from[next] = Some(player);
                waiting.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stone_scissors_paper_and_a_bystander() {
        let beats = |a: usize, b: usize| [(3, 1), (1, 2), (2, 3), (1, 0)].contains(&(a, b));
        assert_eq!(cycles(4, beats), [Cycle(vec![1, 2, 3])]);
        assert!(cycles(4, |a, b| a > b).is_empty());
    }
}
