//! **Wall placement**: instead of moving, raises a wall on an empty square up to two steps away.

use super::Ability;
use crate::ability::Layer;
use crate::action::How;
use crate::piece::{Piece, PieceId};
use crate::rules::candidates::Lists;
use crate::state::State;

/// The ability.
pub(crate) struct WallPlacement;

impl Ability for WallPlacement {
    const EXTENDS: bool = true;

    /// Squares it could move to are not cast upon.
    fn extend(state: &State, _: PieceId, piece: &Piece, _: Layer, lists: &mut Lists) {
        for dx in -2..=2 {
            for dy in -2..=2 {
                let Some(to) = state.step(piece.at, dx, dy) else { continue };
                if !state.id_at(to).is_some() && lists.moves.iter().all(|candidate| candidate.to != to) {
                    lists.push(to, How::Cast);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn casting_uses_the_turn_and_moves_nobody() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("knight d4 wall-placement").black("king h8").black("rook d8");
        assert_eq!(board.play("d4*d6"), ["tile d6 standard wall wall-placement"]);
        assert_eq!(board.at("d4"), "knight");
        assert!(!board.can("d8d5"), "the wall is in the way");
    }
}
