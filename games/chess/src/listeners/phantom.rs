//! **Phantom**: a piece that rides passes through friends.

use super::Ability;
use crate::ability::Layer;
use crate::action::How;
use crate::piece::{Piece, PieceId};
use crate::rules::candidates::Lists;
use crate::state::State;

/// The ability.
pub(crate) struct Phantom;

impl Ability for Phantom {
    const EXTENDS: bool = true;

    /// Beyond each friend the ray goes on: free squares, further friends, the first enemy.
    fn extend(state: &State, _: PieceId, piece: &Piece, _: Layer, lists: &mut Lists) {
        for i in 0..lists.friends.len() {
            let friend = lists.friends[i];
            if !friend.rides {
                continue;
            }
            let mut at = friend.at;
            while let Some(to) = state.step(at, friend.step.0, friend.step.1) {
                at = to;
                match state.piece_at(to) {
                    Some((_, other)) if other.owner == piece.owner => {}
                    Some(_) => {
                        lists.push(to, How::Slide);
                        break;
                    }
                    None => lists.push(to, How::Slide),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn passes_friends_and_stops_at_enemies() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("rook d1 phantom")
            .white("pawn d2")
            .white("pawn d3")
            .black("king h8")
            .black("pawn d6");
        assert!(board.can("d1d4") && board.can("d1d6") && !board.can("d1d7") && !board.can("d1d2"));
        assert_eq!(board.play("d1d6"), ["capture pawn d6", "move rook d1d6 slide"]);
    }

    #[test]
    fn kings_and_knights_gain_nothing() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1 phantom")
            .white("pawn a2")
            .white("knight d4 phantom")
            .white("pawn e6")
            .black("king h8");
        assert!(!board.can("a1a3") && !board.can("d4f8"));
    }
}
