//! Counting the leaves of the move tree.

use super::moves::Move;
use super::position::Position;

/// Leaves at `depth`, the last ply counted without playing it.
pub fn perft(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![Vec::with_capacity(64); depth as usize];
    bulk(position, &mut lists)
}

/// Leaves at `depth`, every one of them played.
pub fn perft_no_bulk(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![Vec::with_capacity(64); depth as usize];
    played(position, &mut lists)
}

/// Leaves below each legal move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = depth.saturating_sub(1);
    position.legal().into_iter().map(|mv| (mv, perft(&position.after(&mv), below))).collect()
}

fn bulk(position: &Position, lists: &mut [Vec<Move>]) -> u64 {
    match lists {
        [] => 1,
        [_] => position.legal_count(),
        [moves, rest @ ..] => {
            moves.clear();
            position.legal_into(moves);
            moves.iter().map(|mv| bulk(&position.after(mv), rest)).sum()
        }
    }
}

fn played(position: &Position, lists: &mut [Vec<Move>]) -> u64 {
    match lists {
        [] => 1,
        [moves, rest @ ..] => {
            moves.clear();
            position.legal_into(moves);
            moves.iter().map(|mv| played(&position.after(mv), rest)).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Variant;

    #[test]
    fn the_first_plies() {
        let start = Position::start(Variant::Standard);
        assert_eq!(perft(&start, 0), 1);
        assert_eq!(perft(&start, 4), 197_281);
        assert_eq!(perft_no_bulk(&start, 4), 197_281);
        assert_eq!(divide(&start, 3).iter().map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
    }
}
