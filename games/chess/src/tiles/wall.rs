//! **Wall tile**: stops slides across it; who runs into it stays, and the wall breaks.

use crate::at::At;
use crate::effect::{Effect, Manner, Source, Tag};
use crate::game::Out;
use crate::piece::PieceId;
use crate::tile::Tile;
use turnstone::Verdict;

pub(crate) fn before(here: At, effect: &Effect, out: &mut Out) -> Verdict {
    let Effect::Move { to, tag, .. } = *effect else { return Verdict::Pass };
    if to != here {
        return Verdict::Pass;
    }
    let tag = Tag::of(tag.actor).by(Source::Tile(here)).in_manner(Manner::WallConsumed);
    out.first(Effect::SetTile { at: here, from: Tile::Wall, to: Tile::Standard, tomb: PieceId::NONE, tag });
    Verdict::Replaced
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn breaks_under_the_first_blow() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").tile("wall d4");
        assert!(board.can("d1d4") && !board.can("d1d5"));
        assert_eq!(board.play("d1d4"), ["tile d4 wall standard wall-consumed"]);
        assert_eq!(board.at("d1"), "rook");
    }

    #[test]
    fn who_stands_on_it_dies_but_is_not_replaced() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").black("knight d4").tile("wall d4");
        assert_eq!(board.play("d1d4"), ["capture knight d4", "tile d4 wall standard wall-consumed"]);
        assert_eq!((board.at("d1").as_str(), board.at("d4").as_str()), ("rook", ""));
    }
}
