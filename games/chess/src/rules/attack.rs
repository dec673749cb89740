//! Who attacks a square, on any board.

use super::candidates::{lists_toward, tiles_allow};
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
        let reach = lists_toward(catalog, state, id, piece, at);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chess;
    use crate::rules::candidates::lists;
    use crate::setup::Setup;
    use turnstone::Game as _;
    use turnstone::dice::{Draw, Lots, Stream};

    /// The moves of a piece are followed only toward the square in question.
    #[test]
    fn looking_only_toward_a_square_overlooks_no_attack() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        let catalog = chess.catalog();
        for board in &catalog.boards {
            let mut state = chess.start(&Setup::Board(board.id.clone()), 1).unwrap();
            let mut lots = Lots::new(3, Stream::named("attack"));
            for _ in 0..10 {
                let (at, color) =
                    (*lots.pick(&state.all_squares().collect::<Vec<_>>()).unwrap(), state.player);
                for (id, piece) in state.on_board() {
                    let leads = |candidate: &&crate::rules::candidates::Candidate| candidate.to == at;
                    let all = lists(catalog, &state, id, piece, false);
                    let some = lists_toward(catalog, &state, id, piece, at);
                    assert!(
                        all.moves.iter().filter(leads).eq(some.moves.iter().filter(leads)),
                        "{}",
                        board.id
                    );
                }
                let legal = chess.legal_plays(&state);
                let Some(play) = lots.pick(&legal).filter(|_| chess.end_of(&state).is_none()) else { break };
                state = chess.resolve_turn(&state, play).unwrap().state;
                assert_ne!(state.player, color);
            }
        }
    }
}
