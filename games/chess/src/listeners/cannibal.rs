//! **Cannibal**: takes friends instead of enemies; for two it has eaten its owner may let it evolve.

use super::{Ability, Me, hears};
use crate::ability::Layer;
use crate::action::{Answer, How};
use crate::catalog::{AbilityDef, Switch};
use crate::effect::{Effect, Manner, Tag};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::piece::{Kind, Piece, PieceId};
use crate::rules::candidates::Lists;
use crate::state::State;

/// The ability.
pub(crate) struct Cannibal;

impl Ability for Cannibal {
    const EXTENDS: bool = true;
    const HEARS: u8 = hears::DEEDS | hears::ITSELF;

    /// Friends in the way become prey, enemies are left alone.
    fn extend(state: &State, _: PieceId, piece: &Piece, _: Layer, lists: &mut Lists) {
        lists.moves.retain(|candidate| {
            state.piece_at(candidate.to).is_none_or(|(_, other)| other.owner == piece.owner)
        });
        for i in 0..lists.friends.len() {
            let at = lists.friends[i].at;
            lists.push(at, How::Slide);
        }
    }

    /// With the switch, a meal adds one to the worth of the piece, and two can be spent.
    fn after(chess: &Chess, me: &Me<'_>, state: &State, event: &Event, out: &mut Out) {
        let Me { id: piece, slot, .. } = *me;
        match *event {
            Event::Captured { attacker, .. }
                if attacker.id == me.id && chess.is_on(state, Switch::CannibalGrows) =>
            {
                out.last(Effect::Charge { piece, slot, charges: me.layer.charges.saturating_add(1) });
            }
            Event::Charged { charges, .. }
                if me.is_told_of(event) && charges >= MEALS && next(chess, me) != Kind::NONE =>
            {
                out.last(Effect::Consult { piece, slot });
            }
            Event::Consulted { answer: Answer::Yes, .. } if me.is_told_of(event) => {
                let tag = Tag::of(me.piece.owner).by(me.source()).in_manner(Manner::CannibalGrowth);
                out.last(Effect::Charge { piece, slot, charges: me.layer.charges.saturating_sub(MEALS) });
                out.last(Effect::Change { piece, from: me.piece.kind, to: next(chess, me), tag });
            }
            _ => {}
        }
    }

    fn answers(chess: &Chess, me: &Me<'_>, _: &State, out: &mut Vec<Answer>) {
        if me.layer.charges >= MEALS && next(chess, me) != Kind::NONE {
            out.extend([Answer::Yes, Answer::No]);
        }
    }

    fn question(chess: &Chess, me: &Me<'_>) -> String {
        let name = |kind| chess.catalog.piece(kind).name.to_lowercase();
        let (from, to) = (name(me.piece.kind), name(next(chess, me)));
        let (eaten, at) = (me.layer.charges, me.piece.at);
        format!("The {from} on {at} has eaten {eaten}. Shall it become a {to} for {MEALS} of them?")
    }

    fn count(_: &AbilityDef, charges: u8) -> Option<String> {
        (charges > 0).then(|| format!("{charges} eaten"))
    }
}

/// How many meals a step of evolution costs.
const MEALS: u8 = 2;

/// What it may become; pawns at their goal promote instead, and kings stay kings.
fn next(chess: &Chess, me: &Me<'_>) -> Kind {
    let def = chess.catalog.piece(me.piece.kind);
    if def.royal || !me.piece.on_board() { Kind::NONE } else { def.evolves }
}

#[cfg(test)]
mod tests {
    use crate::Answer;
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

    fn well_fed() -> Board {
        let mut board = hungry();
        board.white("pawn d4");
        board.pass("d1d3");
        board.pass("h8h7");
        board
    }

    #[test]
    fn two_meals_are_spent_for_a_step() {
        let mut board = well_fed();
        assert_eq!(board.play("d3d4"), ["capture pawn d4", "move rook d3d4 slide", "charge rook 2"]);
        assert_eq!(board.asked(), "The rook on d4 has eaten 2. Shall it become a queen for 2 of them?");
        assert_eq!(board.reply(Answer::Yes), ["charge rook 0", "change queen d4 cannibal-growth"]);
        assert_eq!(board.value("d4"), 9 + 1);
    }

    #[test]
    fn the_owner_may_keep_them() {
        let mut board = well_fed();
        board.pass("d3d4");
        assert_eq!(board.reply(Answer::No), Vec::<String>::new());
        assert_eq!((board.at("d4").as_str(), board.value("d4")), ("rook", 5 + 1 + 2));
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
