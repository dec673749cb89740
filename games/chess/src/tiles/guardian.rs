//! **Guardian tile**: saves who stands on it from one capture and is spent by that.

use crate::at::At;
use crate::effect::{Effect, Source, Tag};
use crate::game::Out;
use crate::piece::PieceId;
use crate::state::State;
use crate::tile::Tile;
use turnstone::Verdict;

/// It stops captures and whatever would run into its piece, but no blast.
pub(crate) fn before(state: &State, here: At, effect: &Effect, out: &mut Out) -> Verdict {
    let actor = match *effect {
        Effect::Capture { at, target, tag, .. } if at == here && state.id_at(here) == target => tag.actor,
        Effect::Move { to, tag, .. } if to == here && state.id_at(here).is_some() => tag.actor,
        _ => return Verdict::Pass,
    };
    let tag = Tag::of(actor).by(Source::Tile(here));
    out.first(Effect::SetTile {
        at: here,
        from: Tile::Guardian,
        to: Tile::Standard,
        tomb: PieceId::NONE,
        tag,
    });
    Verdict::Replaced
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn saves_once() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").black("knight d5").tile("guardian d5");
        assert_eq!(board.play("d1d5"), ["tile d5 guardian standard"]);
        board.pass("h8g8");
        assert_eq!(board.play("d1d5"), ["capture knight d5", "move rook d1d5 slide"]);
    }

    #[test]
    fn does_not_stop_blasts() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("rook d1")
            .black("king h8")
            .black("knight d5 exploding")
            .black("pawn d6")
            .tile("guardian d6");
        assert_eq!(board.play("d1d5")[1], "destroy pawn d6 explosion");
    }
}
