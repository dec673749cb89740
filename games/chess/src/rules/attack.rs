//! Who attacks a square, on any board.

use super::candidates::{lists, tiles_allow};
use crate::action::How;
use crate::at::At;
use crate::catalog::Catalog;
use crate::color::Color;
use crate::piece::PieceId;
use crate::state::State;

/// Could a piece of `by` capture on `at` next? With `tiles`, fog and walls count.
pub(crate) fn is_attacked(catalog: &Catalog, state: &State, at: At, by: Color, tiles: bool) -> bool {
    state.side(by).any(|(id, piece)| {
        let def = catalog.piece(piece.kind);
        if def.pawn {
            return def.steps.iter().any(|step| {
                let dy = i32::from(step.dy) * by.forward();
                step.captures && piece.at.plus(i32::from(step.dx), dy) == Some(at)
            });
        }
        let reach = lists(catalog, state, id, piece, false);
        reach.moves.iter().any(|candidate| {
            candidate.to == at
                && candidate.how != How::Cast
                && (!tiles || tiles_allow(state, piece.at, candidate))
        })
    })
}

/// The royal pieces of a side that are on the board.
pub(crate) fn royals<'a>(
    catalog: &'a Catalog,
    state: &'a State,
    color: Color,
) -> impl Iterator<Item = (PieceId, At)> + 'a {
    state.side(color).filter(|(_, piece)| catalog.piece(piece.kind).royal).map(|(id, piece)| (id, piece.at))
}

/// Is a royal piece of this side attacked? A side without one is not in check.
pub(crate) fn in_check(catalog: &Catalog, state: &State, color: Color, tiles: bool) -> bool {
    royals(catalog, state, color).any(|(_, at)| is_attacked(catalog, state, at, !color, tiles))
}
