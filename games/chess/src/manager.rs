//! A match with its clock and its bots: history, undo, redo, jumps, branches,
//! and turns played by programs. The rules live in [`Chess`]; this keeps time.

use crate::action::{Action, Play};
use crate::color::Color;
use crate::game::Chess;
use crate::plain::End;
use crate::setup::Setup;
use crate::state::State;
use std::sync::Arc;
use turnstone::{Input, InputOf, Match, Moment, Rejection};
use turnstone_host::Player;

/// Time for both sides, in milliseconds. It does not run by itself: whoever
/// holds a real clock says how much has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What White and Black have left.
    pub left: [u64; 2],
    /// What is added after each move.
    pub increment: u64,
}

impl Clock {
    /// The same time for both.
    pub const fn new(each: u64, increment: u64) -> Clock {
        Clock { left: [each; 2], increment }
    }
}

/// A match under management.
pub struct Manager {
    game: Match<Chess>,
    clock: Option<Clock>,
    /// The clock at each moment, so that undo gives the time back.
    times: Vec<(Moment, Clock)>,
}

impl Manager {
    /// Opens a match.
    ///
    /// # Errors
    /// A set-up that makes no valid state is refused.
    pub fn new(
        chess: Arc<Chess>,
        setup: Setup,
        seed: u64,
        clock: Option<Clock>,
    ) -> Result<Manager, Rejection> {
        let game = Match::new(chess, setup, seed)?;
        let times = clock.map(|clock| (game.here(), clock)).into_iter().collect();
        Ok(Manager { game, clock, times })
    }

    /// The state now.
    pub fn state(&self) -> &State {
        self.game.state()
    }

    /// The match with its log, timeline and explanations.
    pub fn game(&self) -> &Match<Chess> {
        &self.game
    }

    /// The clock now.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Legal moves of the side to move.
    pub fn legal_moves(&self) -> Vec<Play> {
        if self.is_game_over() { Vec::new() } else { self.game.game().legal_plays(self.state()) }
    }

    /// Is the game over?
    pub fn is_game_over(&self) -> bool {
        self.end().is_some()
    }

    /// How it ended.
    pub fn end(&self) -> Option<End> {
        self.game.game().end_of(self.state())
    }

    /// Plays a move that took `spent` milliseconds. After an undo this starts a new branch.
    ///
    /// # Errors
    /// Why the move was refused; time spent on it is gone all the same.
    pub fn play(&mut self, play: Play, spent: u64) -> Result<Moment, Rejection> {
        self.act(Input::Act(Action::Play(play)), spent)
    }

    /// Sends any input. A side whose time is over has lost before its move is looked at.
    ///
    /// # Errors
    /// Why it was refused.
    pub fn act(&mut self, input: InputOf<Chess>, spent: u64) -> Result<Moment, Rejection> {
        let mover = self.state().player;
        if self.pass_time(mover, spent) {
            return self.game.act(Input::Act(Action::TimeOut(mover)));
        }
        let moment = self.game.act(input)?;
        if let Some(clock) = &mut self.clock {
            clock.left[mover as usize] += clock.increment;
            self.times.push((moment, *clock));
        }
        Ok(moment)
    }

    /// Takes time off a side; says whether it has run out.
    fn pass_time(&mut self, side: Color, spent: u64) -> bool {
        let Some(clock) = &mut self.clock else { return false };
        let left = &mut clock.left[side as usize];
        *left = left.saturating_sub(spent);
        *left == 0
    }

    /// Lets a bot play for the side to move.
    ///
    /// # Errors
    /// `NOTHING_TO_DO` if the game is over, or the refusal of its move.
    pub fn play_bot(&mut self, bot: &mut Player<Chess>, spent: u64) -> Result<Moment, Rejection> {
        let inputs = self.game.inputs();
        if inputs.is_empty() {
            return Err(Rejection::new("NOTHING_TO_DO", "the game is over; there is nothing to play"));
        }
        let index = bot.choose(self.game.game(), self.game.position(), &inputs, self.game.depth());
        self.act(inputs[index].clone(), spent)
    }

    /// Takes the last move back. False at the start.
    pub fn undo(&mut self) -> bool {
        let done = self.game.undo();
        self.restore_clock();
        done
    }

    /// Takes an undo back. False if there is nothing ahead.
    pub fn redo(&mut self) -> bool {
        let done = self.game.redo();
        self.restore_clock();
        done
    }

    /// Goes to any moment of any branch.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn jump(&mut self, moment: Moment) -> Result<(), Rejection> {
        self.game.jump(moment)?;
        self.restore_clock();
        Ok(())
    }

    fn restore_clock(&mut self) {
        let here = self.game.here();
        if let Some((_, clock)) = self.times.iter().rev().find(|(moment, _)| *moment == here) {
            self.clock = Some(*clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::EndReason;

    fn manager(clock: Option<Clock>) -> Manager {
        let chess = Arc::new(Chess::builtin("standard").unwrap());
        Manager::new(chess, Setup::Start, 0, clock).unwrap()
    }

    fn play(manager: &mut Manager, text: &str, spent: u64) -> Moment {
        let play = manager.game().game().parse_play(manager.state(), text).unwrap();
        manager.play(play, spent).unwrap()
    }

    #[test]
    fn undo_gives_the_time_back_and_a_new_move_branches() {
        let mut manager = manager(Some(Clock::new(60_000, 1_000)));
        play(&mut manager, "e2e4", 5_000);
        assert_eq!(manager.clock().unwrap().left, [56_000, 60_000]);
        assert!(manager.undo());
        assert_eq!(manager.clock().unwrap().left, [60_000, 60_000]);
        play(&mut manager, "d2d4", 1_000);
        assert_eq!(manager.game().branches().len(), 2);
    }

    #[test]
    fn time_over_loses_through_the_rules() {
        let mut manager = manager(Some(Clock::new(1_000, 0)));
        play(&mut manager, "e2e4", 2_000);
        assert_eq!(manager.end(), Some(End::win(Color::Black, EndReason::TimeOut)));
        assert!(manager.legal_moves().is_empty());
    }

    #[test]
    fn fools_mate_ends_the_game() {
        let mut manager = manager(None);
        for text in ["f3", "e5", "g4", "Qh4#"] {
            play(&mut manager, text, 0);
        }
        assert_eq!(manager.end(), Some(End::win(Color::Black, EndReason::Checkmate)));
        let pgn = crate::pgn_of(manager.game()).map(|game| crate::notation::write_pgn(&game)).unwrap();
        assert!(pgn.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"), "{pgn}");
    }

    fn at(ruleset: &str, fen: &str) -> Manager {
        let chess = Arc::new(Chess::builtin(ruleset).unwrap());
        Manager::new(chess, Setup::Fen(fen.to_owned()), 0, Some(Clock::new(1_000, 0))).unwrap()
    }

    #[test]
    fn a_pawn_that_cannot_be_taken_in_passing_makes_no_other_position() {
        let mut manager = at("standard", "8/8/8/8/k2p3R/8/4P3/7K w - - 0 1");
        play(&mut manager, "e4", 0); // d4xe3 would leave the king in check from h4
        for round in 0..2 {
            assert!(manager.game().game().claimable(manager.state()).is_none(), "{round}");
            for text in ["Ka5", "Kg1", "Ka4", "Kh1"] {
                play(&mut manager, text, 0);
            }
        }
        let reason = manager.game().game().claimable(manager.state());
        assert_eq!(reason, Some(EndReason::ThreefoldRepetition));
    }

    #[test]
    fn a_bare_king_wins_on_time_only_where_it_could_win_at_all() {
        let fen = "8/8/2k5/8/8/6K1/6P1/8 w - - 0 1";
        for (ruleset, winner) in [("standard", None), ("king-of-the-hill", Some(Color::Black))] {
            let mut manager = at(ruleset, fen);
            play(&mut manager, "g3f4", 2_000);
            assert_eq!(manager.end(), Some(End { winner, reason: EndReason::TimeOut }), "{ruleset}");
        }
    }

    #[test]
    fn repetition_is_claimed_at_three_and_forced_at_five() {
        let mut manager = manager(None);
        for round in 0..4 {
            assert_eq!(manager.game().game().claimable(manager.state()).is_some(), round >= 2);
            for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
                play(&mut manager, text, 0);
            }
        }
        assert_eq!(manager.end(), Some(End::draw(EndReason::FivefoldRepetition)));
    }
}
