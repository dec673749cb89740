//! When the game is over, and who has won.

use super::attack::royals;
use crate::action::Action;
use crate::at::At;
use crate::catalog::Goal;
use crate::color::Color;
use crate::game::Chess;
use crate::piece::Kind;
use crate::plain::{End, EndReason};
use crate::state::State;

impl Chess {
    /// The end of the game in this state by the ruleset, whether or not it was declared.
    pub fn end_of(&self, state: &State) -> Option<End> {
        if let Some(end) = state.end {
            return Some(end);
        }
        if let Some(end) = self.end_by_goal(state) {
            return Some(end);
        }
        if let Some(position) = self.plain(state) {
            if let Some(end) = position.variant_end() {
                return Some(end);
            }
            if !position.has_legal_move() {
                return Some(position.no_moves());
            }
            if self.rules.draws && position.insufficient_material() {
                return Some(End::draw(EndReason::InsufficientMaterial));
            }
        } else if let Some(end) = self.end_by_variant(state).or_else(|| self.stuck_end(state)) {
            return Some(end);
        }
        self.rules.draws.then(|| self.forced_draw(state)).flatten()
    }

    /// [`end_of`](Self::end_of), but for the lack of moves: who tries them all finds that out by itself.
    pub(crate) fn end_with_moves(&self, state: &State) -> Option<End> {
        if self.plain(state).is_some() {
            return self.end_of(state);
        }
        let draw = || self.rules.draws.then(|| self.forced_draw(state)).flatten();
        state.end.or_else(|| self.end_by_goal(state)).or_else(|| self.end_by_variant(state)).or_else(draw)
    }

    /// Can a position come back although something was taken, died or was built?
    pub(crate) fn may_return(&self, state: &State) -> bool {
        self.rules.drops || !state.is_level() || state.verbs() & !self.innate != 0
    }

    /// Draws that need no claim.
    fn forced_draw(&self, state: &State) -> Option<End> {
        if state.halfmoves >= FORCED {
            return Some(End::draw(EndReason::SeventyFiveMoves));
        }
        if repetitions(state) >= 5 {
            return Some(End::draw(EndReason::FivefoldRepetition));
        }
        (self.turns_left(state) == Some(0)).then_some(End::draw(EndReason::TurnLimit))
    }

    /// Turns until the match is drawn for its length. Where what was taken can come back, neither
    /// captures nor repetition bound a game; elsewhere it has no such limit.
    fn turns_left(&self, state: &State) -> Option<usize> {
        let limit = self.rules.turn_limit as usize;
        (limit > 0 && self.may_return(state))
            .then(|| limit.saturating_sub(state.keys.len().saturating_sub(1)))
    }

    /// What both sides are told before a draw falls by itself.
    pub fn draw_notice(&self, state: &State) -> Option<String> {
        if !self.rules.draws || self.end_of(state).is_some() {
            return None;
        }
        let turns = |n: usize| if n == 1 { "one turn".to_owned() } else { format!("{n} turns") };
        let left = usize::from(FORCED.saturating_sub(state.halfmoves));
        if left <= 30 {
            let next = turns(left);
            return Some(format!("Nothing was taken and no pawn has moved for long: a draw in {next}."));
        }
        if repetitions(state) >= 4 {
            return Some("If this position comes once more, the game is drawn.".to_owned());
        }
        let left = self.turns_left(state).filter(|left| *left <= 100)?;
        Some(format!(
            "No match here lasts longer than {} turns: a draw in {}.",
            self.rules.turn_limit,
            turns(left)
        ))
    }

    /// Lost kings and lost armies.
    fn end_by_goal(&self, state: &State) -> Option<End> {
        let alive = |color| match self.rules.goal {
            Goal::KingCapture => self.has_king(state, color),
            Goal::Mate if self.rules.horde && color == Color::White => state.side(color).next().is_some(),
            Goal::Mate => !self.rules.ends || self.has_king(state, color),
            Goal::LastPiece | Goal::LoseAll => state.side(color).next().is_some(),
        };
        let reason = match self.rules.goal {
            Goal::LastPiece | Goal::LoseAll => EndReason::NoPieces,
            Goal::Mate if self.rules.horde && !alive(Color::White) => EndReason::NoPieces,
            _ => EndReason::KingLost,
        };
        let winner = match (alive(Color::White), alive(Color::Black)) {
            (true, true) => return None,
            (false, false) => return Some(End::draw(reason)),
            (true, false) => Color::White,
            (false, true) => Color::Black,
        };
        let winner = if self.rules.goal == Goal::LoseAll { !winner } else { winner };
        Some(End::win(winner, reason))
    }

    /// One AND on bitboards where they hold, a look over the board elsewhere.
    fn has_king(&self, state: &State, color: Color) -> bool {
        if state.is_orthodox() {
            return state.bits.roles[usize::from(Kind::KING.0)] & state.bits.colors[color as usize] != 0;
        }
        royals(&self.catalog, state, color).next().is_some()
    }

    /// The variants' own ends, on any board.
    fn end_by_variant(&self, state: &State) -> Option<End> {
        if self.rules.hill {
            let on_hill =
                |color: &Color| royals(&self.catalog, state, *color).any(|(_, at)| is_centre(state, at));
            if let Some(color) = Color::BOTH.into_iter().find(on_hill) {
                return Some(End::win(color, EndReason::Hill));
            }
        }
        if self.rules.checks > 0 {
            let done = |color: &Color| state.checks_left[*color as usize] == 0;
            if let Some(color) = Color::BOTH.into_iter().find(done) {
                return Some(End::win(color, EndReason::Checks));
            }
        }
        if self.rules.race
            && let Some(end) = self.race_end(state)
        {
            return Some(end);
        }
        None
    }

    fn race_end(&self, state: &State) -> Option<End> {
        let home = |state: &State, color| {
            royals(&self.catalog, state, color).any(|(_, at)| at.y + 1 == state.height())
        };
        let follows =
            |play: &crate::Play| self.preview(state, play).is_some_and(|next| home(&next, Color::Black));
        let home = |color| home(state, color);
        match (home(Color::White), home(Color::Black)) {
            (false, false) => None,
            (true, true) => Some(End::draw(EndReason::Race)),
            (false, true) => Some(End::win(Color::Black, EndReason::Race)),
            // Black has one move to follow, if there is such a move.
            (true, false) if state.player == Color::Black && self.legal_plays(state).iter().any(follows) => {
                None
            }
            (true, false) => Some(End::win(Color::White, EndReason::Race)),
        }
    }

    fn stuck_end(&self, state: &State) -> Option<End> {
        // Records that play on know no end for want of moves, except by mate.
        let hangs = !self.rules.ends && self.rules.goal != Goal::Mate;
        if hangs || self.has_play(state) {
            return None;
        }
        Some(self.end_without_moves(state))
    }

    /// How the game ends for want of moves.
    pub(crate) fn end_without_moves(&self, state: &State) -> End {
        let us = state.player;
        match self.rules.goal {
            Goal::LoseAll => End::win(us, EndReason::NoMoves),
            Goal::Mate if self.is_in_check(state, us) || !self.has_king(state, us) => {
                End::win(!us, EndReason::Checkmate)
            }
            Goal::Mate => End::draw(EndReason::Stalemate),
            _ if self.rules.stuck_loses => End::win(!us, EndReason::NoMoves),
            _ => End::draw(EndReason::NoMoves),
        }
    }

    /// Has the side to move any legal move? Where kings need no care, the first candidate will do.
    fn has_play(&self, state: &State) -> bool {
        if self.rules.goal != Goal::Mate && !self.rules.must_capture && !self.rules.drops {
            return state.side(state.player).any(|(id, piece)| {
                let mut any = false;
                super::candidates::plays_of(&self.catalog, state, id, piece, self.rules.horde, |_| {
                    any = true;
                });
                any
            });
        }
        let mut plays: Vec<Action> = Vec::new();
        self.list_plays(state, &mut plays);
        !plays.is_empty()
    }

    /// What makes positions the same (FIDE 9.2.3): a pawn that has passed counts only if it can be
    /// taken.
    pub(crate) fn repetition_key(&self, state: &State) -> u64 {
        // Rules that only look ahead end nothing; they need not look ahead themselves.
        if state.en_passant.is_none() || self.probe.is_none() {
            return state.key();
        }
        let mut plays = Vec::new();
        self.list_plays(state, &mut plays);
        let takes =
            |action: &Action| matches!(action, Action::Play(play) if play.how == crate::How::EnPassant);
        if plays.iter().any(takes) { state.key() } else { state.key_without_passing() }
    }

    /// The draw that the side to move may claim now.
    pub fn claimable(&self, state: &State) -> Option<EndReason> {
        // In the fog of war nobody can know what the other side has done, and a claim would tell.
        if !self.rules.draws || self.rules.fog_of_war || state.end.is_some() {
            return None;
        }
        if state.halfmoves >= 100 {
            return Some(EndReason::FiftyMoves);
        }
        (repetitions(state) >= 3).then_some(EndReason::ThreefoldRepetition)
    }
}

/// Turns without progress that end the game by themselves: seventy-five of each side.
const FORCED: u16 = 150;

/// How often the present position has occurred since the last step that cannot be taken back.
pub(crate) fn repetitions(state: &State) -> usize {
    match state.keys.split_last() {
        Some((last, earlier)) => 1 + earlier.iter().filter(|key| *key == last).count(),
        None => 0,
    }
}

/// One of the middle squares.
fn is_centre(state: &State, at: At) -> bool {
    let middle = |side: u8, n: u8| n == side / 2 || n == (side - 1) / 2;
    middle(state.width(), at.x) && middle(state.height(), at.y)
}
