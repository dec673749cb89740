//! **Piercing**: runs through what it attacks and takes what stands right behind it.

use super::{Ability, Me, hears};
use crate::effect::{Effect, Manner, Tag};
use crate::game::{Chess, Out};
use crate::piece::{Kind, PieceId};
use crate::state::State;
use turnstone::Verdict;

/// The ability.
pub(crate) struct Piercing;

impl Ability for Piercing {
    const HEARS: u8 = hears::CAPTURES;

    /// Off the board or onto a friend it takes as usual.
    fn before(_: &Chess, me: &Me<'_>, state: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Effect::Capture { attacker, from, at, tag, .. } = *effect else { return Verdict::Pass };
        if attacker != me.id || !tag.by_player || tag.manner == Manner::EnPassant {
            return Verdict::Pass;
        }
        let (dx, dy) = from.toward(at);
        let Some(landing) = state.step(at, dx, dy) else { return Verdict::Pass };
        let tag = Tag::of(tag.actor).by(tag.source).in_manner(Manner::Piercing);
        if let Some((behind, other)) = state.piece_at(landing) {
            if other.owner == me.piece.owner {
                return Verdict::Pass;
            }
            out.first(Effect::Capture { attacker, from, target: behind, at: landing, tag });
        }
        let (displaces, promotion) = (PieceId::NONE, Kind::NONE);
        out.first(Effect::Move {
            piece: attacker,
            from,
            to: landing,
            displaces,
            promotion,
            tag: tag.by_player().by(me.source()),
        });
        Verdict::Replaced
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    fn lance() -> Board {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1 piercing").black("king h8").black("pawn d5");
        board
    }

    #[test]
    fn takes_what_stands_behind() {
        let mut board = lance();
        board.black("queen d6");
        assert_eq!(board.play("d1d5"), ["capture queen d6 piercing", "move rook d1d6 piercing"]);
        assert_eq!(board.at("d5"), "pawn");
    }

    #[test]
    fn runs_through_into_the_open() {
        assert_eq!(lance().play("d1d5"), ["move rook d1d6 piercing"]);
    }

    #[test]
    fn stops_where_the_second_target_is_protected() {
        let mut board = lance();
        board.black("queen d6").tile("guardian d6");
        assert_eq!(board.play("d1d5"), ["tile d6 guardian standard"]);
        assert_eq!((board.at("d1").as_str(), board.at("d6").as_str()), ("rook", "queen"));
    }
}
