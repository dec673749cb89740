//! **Veteran**: when its owner has ended as many turns as it has charges, it is promoted.

use super::{Ability, Me, hears};
use crate::catalog::AbilityDef;
use crate::effect::{Effect, Source, Tag};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::piece::Kind;
use crate::state::State;

/// The ability.
pub(crate) struct Veteran;

impl Ability for Veteran {
    const HEARS: u8 = hears::TURNS | hears::ITSELF;

    /// What it becomes is asked as of a pawn. Kings serve for ever.
    fn after(chess: &Chess, me: &Me<'_>, _: &State, event: &Event, out: &mut Out) {
        if !me.piece.on_board() || chess.catalog.piece(me.piece.kind).royal {
            return;
        }
        match *event {
            Event::TurnEnded(player, _) if player == me.piece.owner && me.layer.charges > 0 => {
                out.last(Effect::Charge { piece: me.id, slot: me.slot, charges: me.layer.charges - 1 });
            }
            Event::Charged { charges: 0, .. } if me.is_told_of(event) => {
                let tag = Tag::of(me.piece.owner).by(Source::Piece(me.id));
                out.last(Effect::Change { piece: me.id, from: me.piece.kind, to: Kind::NONE, tag });
            }
            _ => {}
        }
    }

    fn count(_: &AbilityDef, charges: u8) -> Option<String> {
        Some(match charges {
            0 => "has served its time".to_owned(),
            1 => "1 turn left".to_owned(),
            many => format!("{many} turns left"),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    fn old_soldier() -> Board {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("pawn d4 veteran").black("king h8").black("pawn h5");
        board
    }

    #[test]
    fn is_promoted_after_three_turns_of_its_owner() {
        let mut board = old_soldier();
        assert_eq!(board.play("a1b1"), ["move king a1b1 jump", "charge pawn 2"]);
        assert_eq!(board.play("h8g8"), ["move king h8g8 jump"]);
        board.pass("b1a1");
        board.pass("g8h8");
        assert_eq!(board.play("a1b1"), ["move king a1b1 jump", "charge pawn 0", "change queen d4"]);
        board.pass("h8g8");
        assert_eq!(board.play("b1a1"), ["move king b1a1 jump"], "once");
    }

    #[test]
    fn its_owner_is_asked_what_it_becomes() {
        let mut board = old_soldier();
        board.rules(|rules| rules.promotions = vec!["queen".to_owned(), "knight".to_owned()]);
        for text in ["a1b1", "h8g8", "b1a1", "g8h8"] {
            board.pass(text);
        }
        assert_eq!(board.play("d4d5"), ["move pawn d4d5 slide", "charge pawn 0"]);
        assert_eq!(board.asked(), "What does White's pawn on d5 become?");
        assert_eq!(board.answer("knight"), ["change knight d5"]);
    }

    #[test]
    fn the_dead_serve_no_longer() {
        let mut board = old_soldier();
        board.black("rook d8");
        board.pass("a1b1");
        assert_eq!(board.play("d8d4"), ["capture pawn d4", "move rook d8d4 slide"]);
        assert_eq!(board.play("b1a1"), ["move king b1a1 jump"]);
    }
}
