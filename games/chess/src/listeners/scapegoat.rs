//! **Scapegoat**: dies in place of a friend beside it, from whatever would kill that friend.

use super::{Ability, Me, hears};
use crate::effect::{Effect, Manner, Tag};
use crate::game::{Chess, Out};
use crate::state::State;
use turnstone::Verdict;

/// The ability.
pub(crate) struct Scapegoat;

impl Ability for Scapegoat {
    const HEARS: u8 = hears::BESIDE;

    /// A scapegoat that has moved in this resolution does not act, nor does one
    /// answer another's sacrifice.
    fn before(_: &Chess, me: &Me<'_>, state: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let (target, at, tag) = match *effect {
            Effect::Capture { target, at, tag, .. } | Effect::Destroy { target, at, tag } => {
                (target, at, tag)
            }
            _ => return Verdict::Pass,
        };
        let friend =
            target != me.id && state.piece(target).is_some_and(|other| other.owner == me.piece.owner);
        let here = me.piece.on_board() && !(me.piece.memory.touched == state.stamp && me.piece.memory.moved);
        let stands = state.id_at(at) == target;
        let answers = tag.source != me.source() && tag.manner != Manner::Scapegoat;
        if !friend || !here || !stands || !answers || !me.piece.at.touches(at) {
            return Verdict::Pass;
        }
        let tag = Tag::of(tag.actor).by(me.source()).in_manner(Manner::Scapegoat);
        out.first(Effect::Destroy { target: me.id, at: me.piece.at, tag });
        Verdict::Replaced
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn dies_for_a_neighbour_and_the_taker_stays() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king d8").black("pawn c8 scapegoat");
        assert_eq!(board.play("d1d8"), ["destroy pawn c8 scapegoat"]);
        assert_eq!((board.at("d1").as_str(), board.at("d8").as_str()), ("rook", "king"));
    }

    #[test]
    fn two_scapegoats_do_not_ping_pong() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8");
        board.black("pawn d5 scapegoat").black("pawn d6 scapegoat");
        assert_eq!(board.play("d1d5"), ["destroy pawn d6 scapegoat"]);
        assert_eq!(board.at("d5"), "pawn");
    }

    #[test]
    fn works_at_any_depth() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king d8").black("knight c8 phantom scapegoat");
        assert_eq!(board.play("d1d8"), ["destroy knight c8 scapegoat"]);
    }
}
