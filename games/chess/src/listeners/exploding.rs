//! **Exploding**: when this piece dies, everything beside it dies too.

use super::{Ability, Me, hears};
use crate::at::At;
use crate::catalog::Switch;
use crate::effect::{Effect, Manner, Tag};
use crate::event::Event;
use crate::game::{Chess, Out};
use crate::piece::Kind;
use crate::state::State;
use turnstone::Verdict;

/// Neighbours in the order in which a blast reaches them.
const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The ability.
pub(crate) struct Exploding;

impl Ability for Exploding {
    const HEARS: u8 = hears::CAPTURES | hears::DEEDS;

    /// Taken by a player's piece, the bomb is swept away by the arriving taker and
    /// blows up around it; taken otherwise, it just blows up.
    fn before(chess: &Chess, me: &Me<'_>, state: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Effect::Capture { attacker, from, target, at, tag } = *effect else { return Verdict::Pass };
        if target != me.id || tag.source == me.source() || state.id_at(at) != me.id {
            return Verdict::Pass;
        }
        let blast = Tag::of(tag.actor).by(me.source()).in_manner(Manner::Explosion);
        if !tag.by_player {
            blow_up(chess, me, state, at, blast, out);
            return Verdict::Replaced;
        }
        let passed = state.en_passant.filter(|_| tag.manner == Manner::EnPassant);
        let arrives = passed.map_or(at, |passed| passed.at);
        let tag = Tag::of(tag.actor).by_player().by(me.source());
        let promotion = Kind::NONE;
        out.first(Effect::Move { piece: attacker, from, to: arrives, displaces: me.id, promotion, tag });
        blow_up(chess, me, state, arrives, blast, out);
        if me.def.kills_taker || chess.is_on(state, Switch::BombKillsTaker) {
            out.first(Effect::Destroy { target: attacker, at: arrives, tag: blast });
        }
        Verdict::Replaced
    }

    fn after(chess: &Chess, me: &Me<'_>, state: &State, event: &Event, out: &mut Out) {
        let Event::Destroyed { target, at, tag } = *event else { return };
        let chained = tag.manner == Manner::Explosion && !me.def.chain;
        if target.id != me.id || tag.source == me.source() || chained {
            return;
        }
        let blast = Tag::of(tag.actor).by(me.source()).in_manner(Manner::Explosion);
        for effect in victims(chess, me, state, at, blast) {
            out.last(effect);
        }
    }
}

/// The bomb itself, if it still stands, and everybody around the centre.
fn blow_up(chess: &Chess, me: &Me<'_>, state: &State, centre: At, tag: Tag, out: &mut Out) {
    if me.piece.on_board() {
        out.first(Effect::Destroy { target: me.id, at: me.piece.at, tag });
    }
    for effect in victims(chess, me, state, centre, tag) {
        out.first(effect);
    }
}

fn victims<'a>(
    chess: &'a Chess,
    me: &'a Me<'_>,
    state: &'a State,
    centre: At,
    tag: Tag,
) -> impl Iterator<Item = Effect> + 'a {
    AROUND.into_iter().filter_map(move |(dx, dy)| {
        let at = centre.plus(dx, dy)?;
        let (target, piece) = state.piece_at(at)?;
        let spared = me.def.spares_pawns && chess.catalog.piece(piece.kind).pawn;
        (!spared && target != me.id).then_some(Effect::Destroy { target, at, tag })
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::Board;

    fn bomb() -> Board {
        let mut board = Board::new(8, 8);
        board.white("king a1").white("rook d1").black("king h8");
        board.black("pawn d5 exploding").black("knight e5").black("bishop c6");
        board
    }

    #[test]
    fn the_taker_sweeps_the_bomb_away_and_lives() {
        let mut board = bomb();
        let log = board.play("d1d5");
        assert_eq!(
            log,
            ["move rook d1d5 over pawn", "destroy knight e5 explosion", "destroy bishop c6 explosion"]
        );
        assert_eq!(board.at("d5"), "rook");
    }

    #[test]
    fn a_switch_kills_the_taker() {
        let mut board = bomb();
        board.rules(|rules| rules.bomb_kills_taker = true);
        let log = board.play("d1d5");
        assert_eq!(log.last().map(String::as_str), Some("destroy rook d5 explosion"));
        assert_eq!(board.at("d5"), "");
    }

    #[test]
    fn blasts_chain_in_linear_time() {
        let mut board = Board::new(24, 3);
        board.white("king a1").white("rook c3").black("king a3");
        for x in 'd'..='w' {
            board.black(&format!("pawn {x}3 exploding"));
        }
        let log = board.play("c3d3");
        assert_eq!(log.len(), 21, "the move, nineteen bombs, and the taker in the second blast: {log:?}");
        assert!(board.stale() <= 3, "{}", board.stale());
    }

    #[test]
    fn works_at_any_depth() {
        let mut board = Board::new(8, 8);
        board
            .white("king a1")
            .white("rook d1")
            .black("king h8")
            .black("pawn d5 phantom exploding")
            .black("pawn d6");
        assert_eq!(board.play("d1d5"), ["move rook d1d5 over pawn", "destroy pawn d6 explosion"]);
    }
}
