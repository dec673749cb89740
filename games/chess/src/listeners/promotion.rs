//! **Promotion**: a pawn that comes to its last rank, however it got there, becomes another piece.

use crate::effect::{Effect, Source, Tag};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::piece::{Kind, PieceId};
use crate::state::State;

/// The kind came with the move, or is the only one there is, or is asked.
pub(crate) fn after(chess: &Chess, id: PieceId, state: &State, event: &Event, out: &mut Out) {
    let Some(pawn) = state.piece(id) else { return };
    let (promotion, tag) = match *event {
        Event::Moved { piece, promotion, tag, .. } if piece.id == id => (promotion, tag),
        Event::Swapped { piece, other, tag, .. } if [piece.id, other.id].contains(&id) => (Kind::NONE, tag),
        _ => return,
    };
    if chess.promotes_on(state, id, pawn.at) {
        let tag = Tag::of(tag.actor).by_player().by(Source::Piece(id));
        out.last(Effect::Change { piece: id, from: pawn.kind, to: promotion, tag });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn a_pawn_keeps_its_layers() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("pawn d7 exploding").black("king h1");
        assert_eq!(board.play("d7d8"), ["move pawn d7d8 slide", "change queen d8"]);
        assert_eq!(board.value("d8"), 9 + 2);
    }

    #[test]
    fn with_a_choice_the_match_pauses() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("pawn d7").black("king h1").ruleset("standard");
        assert_eq!(board.play("d7d8"), ["move pawn d7d8 slide"]);
        assert_eq!(board.answer("knight"), ["change knight d8"]);
    }

    #[test]
    fn a_pawn_that_was_swapped_to_the_last_rank_promotes() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("knight a8").white("pawn d2 swapper").black("king h8");
        assert_eq!(board.play("d2a8"), ["charge pawn 0", "swap pawn knight", "change queen a8"]);
        assert_eq!((board.at("a8").as_str(), board.at("d2").as_str()), ("queen", "knight"));
    }

    #[test]
    fn a_move_may_bring_its_answer() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("pawn d7").black("king h1").ruleset("standard");
        assert_eq!(board.play("d7d8r"), ["move pawn d7d8 slide", "change rook d8"]);
    }
}
