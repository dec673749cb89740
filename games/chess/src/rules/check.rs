//! Refusing actions, with reasons.

use crate::action::{Action, Play, Raw};
use crate::color::Color;
use crate::effect::Effect;
use crate::game::{Chess, Out};
use crate::piece::Piece;
use crate::plain::EndReason;
use crate::state::State;
use turnstone::Rejection;

impl Chess {
    pub(crate) fn check_action(&self, state: &State, action: &Action) -> Result<(), Rejection> {
        if let Action::Run(step) = action {
            return self.check_run(state, *step);
        }
        if state.run.as_ref().is_some_and(|run| !run.is_fighting()) {
            return Err(Rejection::new("NOT_FIGHTING", "no fight is on; choose what to do next in the run"));
        }
        let referee = matches!(action, Action::Raw(_) | Action::Force { .. });
        if state.end.is_some() && !referee {
            return Err(Rejection::new("GAME_OVER", "the game is over; undo or start another"));
        }
        match action {
            Action::Play(play) => self.check_play(state, play),
            Action::ClaimDraw if self.claimable(state).is_none() => Err(Rejection::new(
                "NO_CLAIM",
                "neither fifty moves nor a third repetition can be claimed here",
            )),
            Action::OfferDraw(_) | Action::AcceptDraw(_) if state.run.is_some() => {
                Err(Rejection::new("NO_PARLEY", "the enemies of a run do not agree on draws"))
            }
            Action::OfferDraw(color) => check_offer(state, *color),
            Action::AcceptDraw(color) if state.offer != Some(!*color) => {
                Err(Rejection::new("NO_OFFER", format!("{} has not offered a draw", !*color)))
            }
            Action::Force { play, .. } | Action::Raw(Raw::Move(play)) => check_force(state, play),
            Action::Raw(Raw::Destroy { at, .. }) if !state.id_at(*at).is_some() => {
                Err(Rejection::new("EMPTY_SQUARE", format!("nobody stands on {at}")))
            }
            Action::ClaimDraw
            | Action::Resign(_)
            | Action::AcceptDraw(_)
            | Action::TimeOut(_)
            | Action::AgreeDraw
            | Action::Raw(_)
            | Action::Run(_) => Ok(()),
        }
    }

    #[inline]
    fn check_play(&self, state: &State, play: &Play) -> Result<(), Rejection> {
        if self.is_legal(state, play) {
            return Ok(());
        }
        Err(self.why_illegal(state, play))
    }

    #[cold]
    fn why_illegal(&self, state: &State, play: &Play) -> Rejection {
        let player = state.player;
        let Play { from, to, .. } = *play;
        if !state.contains(to) || (from.is_somewhere() && !state.contains(from)) {
            return Rejection::new("NO_SUCH_SQUARE", format!("{from} or {to} is not on this board"));
        }
        match state.piece_at(from) {
            // In the fog of war a refusal must not tell whether an enemy stands there.
            found if self.rules.fog_of_war && found.is_none_or(|(_, piece)| piece.owner != player) => {
                Rejection::new("NOT_YOUR_PIECE", format!("no piece of {player}'s stands on {from}"))
            }
            None if from.is_somewhere() => Rejection::new("EMPTY_SQUARE", format!("nobody stands on {from}")),
            Some((_, piece)) if piece.owner != player => Rejection::new(
                "NOT_YOUR_PIECE",
                format!("the piece on {from} is not {player}'s, who is to move"),
            ),
            _ => Rejection::new("ILLEGAL_MOVE", format!("{from}{to} is not a legal move for {player} here")),
        }
    }

    /// Time over loses, unless the other side could never win.
    pub(crate) fn follow_time_out(&self, state: &State, player: Color, out: &mut Out) {
        // A bare king cannot mate; where there are other ways to win, it may still find one.
        let royal = |piece: &Piece| self.catalog.piece(piece.kind).royal && piece.on_board();
        let mut others = state.pieces().filter(|(_, piece)| piece.owner != player);
        let bare = others.all(|(_, piece)| royal(piece) || !(piece.on_board() || piece.in_pocket));
        let only_mate = self.rules.draws && !self.rules.hill && !self.rules.race;
        let winner = if only_mate && bare { None } else { Some(!player) };
        out.last(Effect::End(winner, EndReason::TimeOut));
    }
}

fn check_offer(state: &State, color: Color) -> Result<(), Rejection> {
    match state.offer {
        None => Ok(()),
        Some(other) if other == color => {
            Err(Rejection::new("OFFER_STANDS", "your offer stands until the other side has moved"))
        }
        Some(other) => Err(Rejection::new(
            "OFFER_STANDS",
            format!("{other} has offered a draw already; accept it, or move"),
        )),
    }
}

fn check_force(state: &State, play: &Play) -> Result<(), Rejection> {
    let on_board = state.contains(play.to) && state.id_at(play.from).is_some();
    if on_board {
        return Ok(());
    }
    Err(Rejection::new("EMPTY_SQUARE", format!("no piece can be moved from {} to {}", play.from, play.to)))
}

#[cfg(test)]
mod tests {
    use crate::{At, How, Play};

    #[test]
    fn a_refusal_in_the_fog_tells_nothing() {
        let chess = crate::Chess::builtin("dark").unwrap();
        let setup = crate::Setup::Fen("k6r/8/8/8/8/8/8/K6N w - - 0 1".to_owned());
        let state = turnstone::Game::start(&chess, &setup, 0).unwrap();
        let refusal = |from| {
            let play = Play::new(At::parse(from).unwrap(), At::new(3, 3), How::Slide);
            let refusal = turnstone::Game::check(&chess, &state, &crate::Action::Play(play)).unwrap_err();
            refusal.to_string().replace(from, "")
        };
        assert_eq!(refusal("h8"), refusal("c5"), "an unseen rook and an empty square look the same");
    }
}
