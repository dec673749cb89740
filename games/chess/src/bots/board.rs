//! Any board under search, played through the real resolution.

use super::search::Node;
use crate::action::{Action, Play};
use crate::catalog::Goal;
use crate::color::Color;
use crate::game::Chess;
use crate::piece::Kind;
use crate::rules::legality::is_capture;
use crate::state::State;
use turnstone::{Input, Off, Position, Resolver};

/// A state on the way through a search.
pub(crate) struct Board<'a> {
    pub chess: &'a Chess,
    /// Ends the game itself, asks nothing; in the fog it does not believe in ends.
    pub rules: &'a Chess,
    pub state: State,
}

impl<'a> Board<'a> {
    pub fn new(chess: &'a Chess, state: State) -> Board<'a> {
        let rules = chess.probe.as_deref().unwrap_or(chess);
        Board { chess, rules, state }
    }

    /// Material with all layers, for one side against the other; lost kings weigh by themselves.
    pub fn value_for(chess: &Chess, state: &State, color: Color) -> i64 {
        let sign = if chess.rules().goal == Goal::LoseAll { -1 } else { 1 };
        state
            .on_board()
            .map(|(_, piece)| {
                let value = i64::from(chess.catalog().value(piece));
                sign * if piece.owner == color { value } else { -value }
            })
            .sum()
    }
}

impl Node for Board<'_> {
    type Move = Play;

    fn moves(&mut self, out: &mut Vec<Play>) {
        let mut actions = Vec::new();
        self.rules.list_plays(&self.state, &mut actions);
        out.extend(actions.into_iter().filter_map(|action| match action {
            Action::Play(play) => Some(play),
            _ => None,
        }));
    }

    fn after(&mut self, mv: Play) -> Option<Self> {
        let mut position = Position::<Chess>::new(self.state.clone());
        let action = Action::Force { play: mv, advance: true };
        Resolver::default().act_unchecked(self.rules, &mut position, &Input::Act(action), &mut Off).ok()?;
        Some(Board { chess: self.chess, rules: self.rules, state: position.state().clone() })
    }

    fn is_loud(&self, mv: Play) -> bool {
        is_capture(&self.state, &mv)
    }

    fn promise(&self, mv: Play) -> i32 {
        let value =
            |at| self.state.piece_at(at).map_or(0, |(_, piece)| self.chess.catalog().value(piece).min(1000));
        if is_capture(&self.state, &mv) { 1000 + 16 * value(mv.to) - value(mv.from) } else { 0 }
    }

    fn key(&self) -> u64 {
        self.state.key()
    }

    /// Material, and a little for standing near the middle.
    fn worth(&self) -> i32 {
        let (width, height) = (i32::from(self.state.width()), i32::from(self.state.height()));
        let mut worth = 0;
        for (_, piece) in self.state.on_board() {
            let (x, y) = (i32::from(piece.at.x), i32::from(piece.at.y));
            let off_centre = (2 * x + 1 - width).abs() + (2 * y + 1 - height).abs();
            let royal = self.chess.catalog().piece(piece.kind).royal;
            let advance = if piece.kind == Kind::PAWN { piece.owner.pick(y, height - 1 - y) * 8 } else { 0 };
            let place = if royal { off_centre } else { -off_centre + advance };
            let value = self.chess.catalog().value(piece).min(5000) * 100 + place;
            worth += if piece.owner == self.state.player { value } else { -value };
        }
        if self.chess.rules().goal == Goal::LoseAll { -worth } else { worth }
    }

    fn result(&mut self) -> Option<i32> {
        if !super::knows_all(self.chess, &self.state) {
            return None;
        }
        let end = self.chess.end_of(&self.state)?;
        Some(end.winner.map_or(0, |winner| if winner == self.state.player { 1 } else { -1 }))
    }

    fn same_side(&self, other: &Self) -> bool {
        self.state.player == other.state.player
    }
}
