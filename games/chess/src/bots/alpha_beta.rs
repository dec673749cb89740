//! The searching bot.

use super::search::{Budget, Node as _, search};
use super::{Board, fair, run_score};
use crate::action::Action;
use crate::game::Chess;
use crate::piece::Kind;
use crate::rules::plain::play_of;
use turnstone::dice::Lots;
use turnstone::{Input, InputOf, Position};
use turnstone_host::Bot;

/// Searches as far as its budget reaches: plain positions on bitboards, all
/// others through the real resolution.
pub struct AlphaBeta {
    lots: Lots,
    budget: Budget,
    /// What the pawn of the move just made is to become.
    promotion: Kind,
    /// Plain positions it has brought about, which it does not want again when it is ahead.
    seen: Vec<u64>,
}

impl AlphaBeta {
    /// A bot with that budget.
    pub fn new(lots: Lots, budget: Budget) -> AlphaBeta {
        AlphaBeta { lots, budget, promotion: Kind::QUEEN, seen: Vec::new() }
    }

    fn choose_play(&mut self, chess: &Chess, position: &Position<Chess>) -> Option<Action> {
        let state = fair(chess, position.state());
        if let Some(mut plain) = chess.plain(&state) {
            let found = search(&mut plain, self.budget, &self.seen)?;
            self.seen.push(plain.after(&found.best).key());
            let mut play = play_of(&found.best);
            if found.best.promotion().is_some() {
                self.promotion = std::mem::replace(&mut play.kind, Kind::NONE);
            }
            return Some(Action::Play(play));
        }
        // Resolving a move takes some thirty times as long as on bitboards.
        let budget = Budget { nodes: self.budget.nodes / 10, ..self.budget };
        let keys = state.keys.clone();
        let found = search(&mut Board::new(chess, state), budget, &keys)?;
        self.promotion = Kind::QUEEN;
        Some(Action::Play(found.best))
    }
}

impl Bot<Chess> for AlphaBeta {
    fn choose(&mut self, chess: &Chess, position: &Position<Chess>, inputs: &[InputOf<Chess>]) -> usize {
        if inputs.len() < 2 {
            return 0;
        }
        match &inputs[0] {
            Input::Choose(_) => {
                inputs.iter().position(|input| *input == Input::Choose(self.promotion)).unwrap_or(0)
            }
            Input::Act(Action::Run(_)) => {
                let score = |input: &InputOf<Chess>| match input {
                    Input::Act(Action::Run(step)) => run_score(position.state(), *step),
                    _ => 0,
                };
                let scores: Vec<i64> = inputs.iter().map(score).collect();
                super::pick_best(&scores, &mut self.lots)
            }
            Input::Act(_) => {
                let chosen = self.choose_play(chess, position).map(Input::Act);
                chosen.and_then(|chosen| inputs.iter().position(|input| *input == chosen)).unwrap_or(0)
            }
        }
    }
}
