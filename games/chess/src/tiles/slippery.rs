//! **Slippery tile**: who arrives slides one square on, if that is free.

use crate::at::At;
use crate::effect::{Effect, Source, Tag};
use crate::event::Event;
use crate::game::Out;
use crate::piece::{Kind, PieceId};
use crate::state::State;

pub(crate) fn after(state: &State, here: At, event: &Event, out: &mut Out) {
    let Event::Moved { piece, from, to, tag, .. } = *event else { return };
    if to != here {
        return;
    }
    let (dx, dy) = from.toward(to);
    let Some(on) = state.step(to, dx, dy).filter(|on| !state.id_at(*on).is_some()) else { return };
    let slide = Tag { by_player: tag.by_player, ..Tag::of(tag.actor).by(Source::Tile(here)) };
    let (displaces, promotion) = (PieceId::NONE, Kind::NONE);
    out.last(Effect::Move { piece: piece.id, from: to, to: on, displaces, promotion, tag: slide });
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn runs_of_ice_chain() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").tile("slippery d3 d4");
        assert_eq!(board.play("d1d3"), ["move rook d1d3 slide", "move rook d3d4", "move rook d4d5"]);
    }

    #[test]
    fn an_occupied_square_stops_the_slide() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").black("pawn d4").tile("slippery d3");
        assert_eq!(board.play("d1d3"), ["move rook d1d3 slide"]);
    }
}
