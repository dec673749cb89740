//! **Cannibal**: takes friends instead of enemies, and grows by every one it eats.

use super::Me;
use crate::action::How;
use crate::effect::{Effect, Event};
use crate::game::{Chess, Out};
use crate::piece::Piece;
use crate::rules::candidates::Lists;
use crate::state::State;

/// Friends in the way become prey, enemies are left alone.
pub(crate) fn extend(state: &State, piece: &Piece, lists: &mut Lists) {
    lists
        .moves
        .retain(|candidate| state.piece_at(candidate.to).is_none_or(|(_, other)| other.owner == piece.owner));
    for i in 0..lists.friends.len() {
        let at = lists.friends[i].at;
        lists.push(at, How::Slide);
    }
}

/// With the switch, a meal adds one to the worth of the piece.
pub(crate) fn after(chess: &Chess, me: &Me<'_>, event: &Event, out: &mut Out) {
    let Event::Captured { attacker, .. } = *event else { return };
    if chess.rules.cannibal_grows && attacker == me.id {
        out.last(Effect::Charge { piece: me.id, slot: me.slot, charges: me.layer.charges.saturating_add(1) });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    fn hungry() -> Board {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1 cannibal").white("pawn d3").black("king h8").black("pawn f1");
        board
    }

    #[test]
    fn eats_friends_and_spares_enemies() {
        let mut board = hungry();
        assert!(board.can("d1d3") && board.can("d1e1") && !board.can("d1f1"));
        let log = board.play("d1d3");
        assert_eq!(log, ["capture pawn d3", "move rook d1d3 slide", "charge rook 1"]);
        assert_eq!(board.value("d3"), 5 + 1 + 1);
    }

    #[test]
    fn without_the_switch_it_only_eats() {
        let mut board = hungry();
        board.rules(|rules| rules.cannibal_grows = false);
        assert_eq!(board.play("d1d3").len(), 2);
    }

    #[test]
    fn a_cannibal_pawn_eats_friends_too() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("pawn d2 cannibal").white("knight e3").black("king h8").black("pawn c3");
        assert!(board.can("d2e3") && !board.can("d2c3") && board.can("d2d4"));
    }
}
