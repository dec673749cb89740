//! **Predator**: evolves one step with a kill: pawn, knight, bishop, rook, queen.

use super::{Ability, Me, hears};
use crate::effect::{Effect, Manner, Source, Tag};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::piece::Kind;
use crate::state::State;

/// The ability.
pub(crate) struct Predator;

impl Ability for Predator {
    const HEARS: u8 = hears::DEEDS;

    /// After the move that ends on the square of its capture, or after its shot.
    /// Kings do not evolve, and a pawn on the last rank promotes instead.
    fn after(chess: &Chess, me: &Me<'_>, state: &State, event: &Event, out: &mut Out) {
        if !me.piece.on_board() || !killed(me, state, event) {
            return;
        }
        if chess.promotes_on(state, me.id, me.piece.at) || chess.catalog.piece(me.piece.kind).royal {
            return;
        }
        let touched = me.piece.memory.touched == state.stamp;
        let from = if touched { Kind(me.piece.memory.kind) } else { me.piece.kind };
        let to = chess.catalog.piece(from).evolves;
        if to != Kind::NONE {
            let moved = matches!(event, Event::Moved { tag, .. } if tag.by_player);
            let tag = Tag::of(me.piece.owner).by(me.source()).in_manner(Manner::PredatorEvolve);
            let tag = Tag { by_player: moved, ..tag };
            out.last(Effect::Change { piece: me.id, from, to, tag });
        }
    }
}

fn killed(me: &Me<'_>, state: &State, event: &Event) -> bool {
    match *event {
        Event::Moved { piece, to, .. } => {
            piece.id == me.id && me.piece.memory.hunted == state.stamp && me.piece.memory.prey == Some(to)
        }
        Event::Destroyed { tag, .. } => tag.source == Source::Piece(me.id),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn grows_by_taking() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("pawn d4 predator").black("king h8").black("pawn e5");
        let log = board.play("d4e5");
        assert_eq!(log, ["capture pawn e5", "move pawn d4e5 slide", "change knight e5 predator-evolve"]);
    }

    #[test]
    fn grows_by_shooting() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1 marksman predator").black("king h8").black("pawn d5");
        let log = board.play("d1d5");
        assert_eq!(log, ["charge rook 0", "destroy pawn d5 marksman", "change queen d1 predator-evolve"]);
    }

    #[test]
    fn follows_the_piece_over_ice() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("knight b1 predator")
            .black("king h8")
            .black("pawn c3")
            .tile("slippery c3");
        let log = board.play("b1c3");
        assert_eq!(log[2..], ["move knight c3d4", "change bishop d4 predator-evolve"]);
    }

    #[test]
    fn kings_stay_kings_and_pawns_promote() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1 predator")
            .white("pawn g7 predator")
            .black("king a8")
            .black("pawn a2")
            .black("rook h8");
        assert_eq!(board.play("a1a2"), ["capture pawn a2", "move king a1a2 jump"]);
        board.pass("a8b8");
        assert_eq!(board.play("g7h8"), ["capture rook h8", "move pawn g7h8 slide", "change queen h8"]);
    }
}
