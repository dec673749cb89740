//! The searching bot.

use super::search::{Budget, Task, search_task};
use super::thinker::{Orders, Report, Thinker};
use super::{Board, run_score};
use crate::action::{Action, Answer, Play};
use crate::game::Chess;
use crate::piece::Kind;
use crate::plain::Position as Plain;
use crate::rules::plain::play_of;
use crate::state::State;
use std::sync::atomic::AtomicBool;
use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf};
use turnstone_host::{Bot, Sight};

/// Turns of each side in which the bot varies its play.
const OPENING: u32 = 5;
/// What it gives up for variety, in hundredths of a pawn.
const WHIM: i32 = 12;
/// Worse than this for itself, it takes a draw.
const WORSE: i32 = -60;

/// Searches as far as its budget reaches: plain positions on bitboards, all
/// others through the real resolution.
pub struct AlphaBeta {
    budget: Budget,
    thinker: Thinker,
    /// What the pawn of the move just made is to become.
    promotion: Kind,
    /// Plain positions it has brought about, which it does not want again when it is ahead.
    seen: Vec<u64>,
}

impl AlphaBeta {
    /// A bot with that budget.
    pub fn new(budget: Budget) -> AlphaBeta {
        // Room for as many positions as it looks at.
        let megabytes = (budget.nodes * 16 / (1 << 20)).clamp(1, 16) as usize;
        let thinker = Thinker::new(megabytes);
        AlphaBeta { budget, thinker, promotion: Kind::QUEEN, seen: Vec::new() }
    }

    /// The best move and what it is worth.
    fn choose_play(&mut self, chess: &Chess, state: State, lots: &mut Lots) -> Option<(Action, i32)> {
        if let Some(plain) = chess.plain(&state) {
            return self.choose_plain(&plain, lots);
        }
        self.choose_through_rules(chess, state, lots)
    }

    fn choose_plain(&mut self, plain: &Plain, lots: &mut Lots) -> Option<(Action, i32)> {
        // What it knew of another match would make its play depend on that.
        self.thinker.forget();
        let opening = plain.fullmoves() <= OPENING;
        let orders = Orders {
            budget: Some(self.budget),
            lines: if opening { 3 } else { 1 },
            history: self.seen.clone(),
            ..Orders::default()
        };
        let found = self.thinker.think(plain, &orders, &AtomicBool::new(false), |_| {});
        let chosen = among_the_best(&found, lots)?;
        let mv = *chosen.line.first()?;
        self.seen.push(super::Node::key(&plain.after(&mv)));
        let mut play = play_of(&mv);
        if mv.promotion().is_some() {
            self.promotion = std::mem::replace(&mut play.kind, Kind::NONE);
        }
        Some((Action::Play(play), chosen.score))
    }

    fn choose_through_rules(
        &mut self,
        chess: &Chess,
        state: State,
        lots: &mut Lots,
    ) -> Option<(Action, i32)> {
        // Resolving a move takes some thirty times as long as on bitboards.
        let budget = Budget { nodes: self.budget.nodes / 10, ..self.budget };
        let keys = state.keys.clone();
        let mut only: Vec<Play> = chess.legal_plays(&state);
        lots.shuffle(&mut only);
        let stop = AtomicBool::new(false);
        let task = Task { budget, history: &keys, only: &only, stop: &stop };
        let found = search_task(&mut Board::new(chess, state), &task, |_| {})?;
        self.promotion = Kind::QUEEN;
        Some((Action::Play(found.best), found.score))
    }
}

/// One of those that are nearly as good as the best, by lot.
fn among_the_best<'a>(found: &'a [Report], lots: &mut Lots) -> Option<&'a Report> {
    let best = found.first()?;
    let near: Vec<&Report> = found.iter().filter(|report| report.score >= best.score - WHIM).collect();
    near.get(lots.below(near.len() as u64) as usize).copied()
}

impl Bot<Chess> for AlphaBeta {
    fn choose(&mut self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> usize {
        let inputs = sight.inputs();
        if inputs.len() < 2 {
            return 0;
        }
        match &inputs[0] {
            Input::Choose(_) => {
                // Otherwise the first answer, which is the one that the search took for granted.
                let wanted = Input::Choose(Answer::Kind(self.promotion));
                inputs.iter().position(|input| *input == wanted).unwrap_or(0)
            }
            Input::Act(Action::Run(_)) => {
                let position = sight.seen();
                let score = |input: &InputOf<Chess>| match input {
                    Input::Act(Action::Run(step)) => run_score(position.state(), *step),
                    _ => 0,
                };
                let scores: Vec<i64> = inputs.iter().map(score).collect();
                super::pick_best(&scores, lots)
            }
            Input::Act(_) => {
                let state = sight.seen().state().clone();
                let Some((action, score)) = self.choose_play(sight.game(), state, lots) else { return 0 };
                let draws = |input: &InputOf<Chess>| {
                    matches!(input, Input::Act(Action::AcceptDraw(_) | Action::ClaimDraw))
                };
                let draw = inputs.iter().position(draws).filter(|_| score < WORSE);
                let chosen = inputs.iter().position(|input| *input == Input::Act(action));
                draw.or(chosen).unwrap_or(0)
            }
        }
    }
}
