//! **Tomb tile**: holds a dead piece; a friend that walks onto it wakes the dead and stays where it was.

use crate::at::At;
use crate::effect::{Effect, Manner, Source, Tag};
use crate::game::Out;
use crate::piece::PieceId;
use crate::state::State;
use crate::tile::Tile;
use turnstone::Verdict;

/// A tomb dug in this resolution stays shut until the next.
pub(crate) fn before(state: &State, here: At, effect: &Effect, out: &mut Out) -> Verdict {
    let Effect::Move { piece, to, tag, .. } = *effect else { return Verdict::Pass };
    let Some(tomb) = state.tomb(here) else { return Verdict::Pass };
    let owner = |id| state.piece(id).map(|piece| piece.owner);
    let friend = owner(piece).is_some() && owner(piece) == owner(tomb.piece);
    if to != here || state.id_at(here).is_some() || !friend || tomb.dug == state.stamp {
        return Verdict::Pass;
    }
    let tag = Tag::of(tag.actor).by(Source::Tile(here));
    out.first(Effect::Place { piece: tomb.piece, at: here, tag: tag.in_manner(Manner::TombRestore) });
    let (from, to, tag) = (Tile::Tomb, Tile::Standard, tag.in_manner(Manner::TombCleared));
    out.first(Effect::SetTile { at: here, from, to, tomb: PieceId::NONE, tag });
    Verdict::Replaced
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn friends_wake_the_dead_and_enemies_walk_over() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").black("rook e5");
        board.tomb("d5", "white", "knight revenant");
        assert!(board.can("d1d5"));
        let log = board.play("d1d5");
        assert_eq!(log, ["place knight d5 tomb-restore", "tile d5 tomb standard tomb-cleared"]);
        let mut board = Board::new(8, 8);
        board.white("king a1").black("king h8").black("rook e5").black_first();
        board.tomb("d5", "white", "knight revenant");
        assert_eq!(board.play("e5d5"), ["move rook e5d5 slide"]);
    }
}
