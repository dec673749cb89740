//! **Bouncer**: throws what it attacks to the mirror image of its own square, crushing who stands there.

use super::{Ability, Me, hears};
use crate::effect::{Effect, Manner, Tag};
use crate::game::{Chess, Out};
use crate::piece::{Kind, PieceId};
use crate::state::State;
use turnstone::Verdict;

/// The ability.
pub(crate) struct Bouncer;

impl Ability for Bouncer {
    const HEARS: u8 = hears::CAPTURES;

    /// Off the board or onto a friend it takes as usual.
    fn before(_: &Chess, me: &Me<'_>, state: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Effect::Capture { attacker, from, target, at, tag } = *effect else { return Verdict::Pass };
        if attacker != me.id || !tag.by_player || tag.manner == Manner::EnPassant {
            return Verdict::Pass;
        }
        let (dx, dy) = from.to(at);
        let Some(landing) = state.step(at, dx, dy) else { return Verdict::Pass };
        let tag = Tag::of(tag.actor).by(me.source());
        if let Some((crushed, other)) = state.piece_at(landing) {
            if other.owner == me.piece.owner {
                return Verdict::Pass;
            }
            out.first(Effect::Destroy { target: crushed, at: landing, tag });
        }
        let (displaces, promotion) = (PieceId::NONE, Kind::NONE);
        out.first(Effect::Move { piece: target, from: at, to: landing, displaces, promotion, tag });
        out.first(Effect::Move { piece: attacker, from, to: at, displaces, promotion, tag: tag.by_player() });
        Verdict::Replaced
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    fn thrower() -> Board {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1 bouncer").black("king h8").black("knight d4");
        board
    }

    #[test]
    fn throws_its_target_to_the_mirror_square() {
        assert_eq!(thrower().play("d1d4"), ["move knight d4d7", "move rook d1d4"]);
    }

    #[test]
    fn crushes_who_stands_there() {
        let mut board = thrower();
        board.black("queen d7");
        assert_eq!(board.play("d1d4"), ["destroy queen d7", "move knight d4d7", "move rook d1d4"]);
    }

    #[test]
    fn takes_at_the_edge() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1 bouncer").black("king h8").black("knight d6");
        assert_eq!(board.play("d1d6"), ["capture knight d6", "move rook d1d6 slide"]);
    }

    #[test]
    fn a_wall_behind_the_target_stops_the_throw() {
        let mut board = thrower();
        board.tile("wall d7");
        assert_eq!(board.play("d1d4"), ["tile d7 wall standard wall-consumed"]);
        assert_eq!((board.at("d1").as_str(), board.at("d4").as_str()), ("rook", "knight"));
    }
}
