//! **Marksman**: while it has charges, this piece shoots what it would take and stays where it is.

use super::{Ability, Me, hears};
use crate::ability::Layer;
use crate::action::How;
use crate::effect::{Effect, Manner, Source, Tag};
use crate::game::{Chess, Out};
use crate::piece::{Piece, PieceId};
use crate::rules::candidates::Lists;
use crate::state::State;
use turnstone::Verdict;

/// The ability.
pub(crate) struct Marksman;

impl Ability for Marksman {
    const EXTENDS: bool = true;
    const HEARS: u8 = hears::CAPTURES;

    /// Every capture of an enemy is also a shot along a line.
    fn extend(state: &State, _: PieceId, piece: &Piece, layer: Layer, lists: &mut Lists) {
        if layer.charges == 0 {
            return;
        }
        for i in 0..lists.moves.len() {
            let to = lists.moves[i].to;
            if state.piece_at(to).is_some_and(|(_, other)| other.owner != piece.owner) {
                lists.push(to, How::Slide);
            }
        }
    }

    /// The charge is spent even if the shot is then prevented.
    fn before(_: &Chess, me: &Me<'_>, _: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Effect::Capture { attacker, target, at, tag, .. } = *effect else { return Verdict::Pass };
        if attacker != me.id || !tag.by_player || me.layer.charges == 0 {
            return Verdict::Pass;
        }
        out.first(Effect::Charge { piece: me.id, slot: me.slot, charges: me.layer.charges - 1 });
        let tag = Tag::of(tag.actor).by(Source::Piece(me.id)).in_manner(Manner::Marksman);
        out.first(Effect::Destroy { target, at, tag });
        Verdict::Replaced
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn shoots_and_stays_until_the_charges_are_gone() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("rook d1 marksman:1")
            .black("king a8")
            .black("knight d5")
            .black("pawn d7");
        assert_eq!(board.play("d1d5"), ["charge rook 0", "destroy knight d5 marksman"]);
        assert_eq!(board.at("d1"), "rook");
        board.pass("a8b8");
        assert_eq!(board.play("d1d7"), ["capture pawn d7", "move rook d1d7 slide"]);
    }

    #[test]
    fn a_guardian_keeps_the_charge() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("rook d1 marksman")
            .black("king a8")
            .black("knight d5")
            .tile("guardian d5");
        assert_eq!(board.play("d1d5"), ["tile d5 guardian standard"]);
        assert_eq!(board.charges("d1"), 1);
    }

    #[test]
    fn works_under_another_layer() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1 phantom marksman").black("king a8").black("knight d5");
        assert_eq!(board.play("d1d5"), ["charge rook 0", "destroy knight d5 marksman"]);
    }
}
