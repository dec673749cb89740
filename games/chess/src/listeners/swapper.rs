//! **Swapper**: while it has charges, changes places with any friend on the board.

use super::{Ability, Me, hears};
use crate::ability::Layer;
use crate::action::How;
use crate::effect::{Effect, Tag};
use crate::game::{Chess, Out};
use crate::piece::{Piece, PieceId};
use crate::rules::candidates::Lists;
use crate::state::State;
use turnstone::Verdict;

/// The ability.
pub(crate) struct Swapper;

impl Ability for Swapper {
    const EXTENDS: bool = true;
    const HEARS: u8 = hears::CAPTURES;

    /// Every friend is a target.
    fn extend(state: &State, id: PieceId, piece: &Piece, layer: Layer, lists: &mut Lists) {
        if layer.charges == 0 {
            return;
        }
        for (other, friend) in state.side(piece.owner) {
            if other != id && lists.moves.iter().all(|candidate| candidate.to != friend.at) {
                lists.push(friend.at, How::Jump);
            }
        }
    }

    /// Heard first of all, it turns the capture of a friend into a change of places.
    fn before(_: &Chess, me: &Me<'_>, state: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Effect::Capture { attacker, target, tag, .. } = *effect else { return Verdict::Pass };
        let friend = state.piece(target).is_some_and(|other| other.owner == me.piece.owner);
        if attacker != me.id || !tag.by_player || !friend || me.layer.charges == 0 {
            return Verdict::Pass;
        }
        out.first(Effect::Charge { piece: me.id, slot: me.slot, charges: me.layer.charges - 1 });
        out.first(Effect::Swap {
            piece: me.id,
            other: target,
            tag: Tag::of(tag.actor).by_player().by(me.source()),
        });
        Verdict::Replaced
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn changes_places_once() {
        let mut board = Board::new(8, 8);
        board.white("king a1 swapper").white("rook h3").black("king h8");
        assert_eq!(board.play("a1h3"), ["charge king 0", "swap king rook"]);
        assert_eq!((board.at("a1").as_str(), board.at("h3").as_str()), ("rook", "king"));
        board.pass("h8g8");
        assert!(!board.can("h3a1"));
    }
}
