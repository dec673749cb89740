//! **Revenant**: leaves a tomb where it dies, and rises when a friend comes to it.

use super::{Ability, Me, hears};
use crate::effect::{Effect, Manner, Source, Tag};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::state::State;
use crate::tile::Tile;

/// The ability.
pub(crate) struct Revenant;

impl Ability for Revenant {
    const HEARS: u8 = hears::DEEDS;

    fn after(_: &Chess, me: &Me<'_>, state: &State, event: &Event, out: &mut Out) {
        let (dead, at, tag) = match *event {
            Event::Captured { target, at, tag, .. } | Event::Destroyed { target, at, tag } => {
                (target.id, at, tag)
            }
            Event::Moved { displaced, to, tag, .. } => (displaced.id, to, tag),
            _ => return,
        };
        // In a game with drops a captured piece lives on in a pocket.
        if dead != me.id || tag.source == me.source() || me.piece.in_pocket || me.piece.on_board() {
            return;
        }
        let tag = Tag::of(tag.actor).by(Source::Tile(at)).in_manner(Manner::RevenantTomb);
        out.last(Effect::SetTile { at, from: state.tile(at), to: Tile::Tomb, tomb: me.id, tag });
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    #[test]
    fn a_tomb_is_left_and_a_friend_wakes_the_dead() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").black("knight d5 revenant").black("rook h5");
        let log = board.play("d1d5");
        assert_eq!(log, ["capture knight d5", "move rook d1d5 slide", "tile d5 standard tomb revenant-tomb"]);
        let log = board.play("h5d5");
        assert_eq!(
            log,
            ["capture rook d5", "place knight d5 tomb-restore", "tile d5 tomb standard tomb-cleared"]
        );
        assert_eq!((board.at("d5").as_str(), board.at("h5").as_str()), ("knight", "rook"));
    }

    #[test]
    fn a_bomb_that_was_swept_away_rises_too() {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8").black("knight d5 exploding revenant");
        let log = board.play("d1d5");
        assert_eq!(log, ["move rook d1d5 over knight", "tile d5 standard tomb revenant-tomb"]);
    }
}
