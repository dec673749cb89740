//! The searching bot.

use super::search::{Budget, Task, WON, search};
use super::thinker::{Orders, Report, Thinker};
use super::{Board, run_score};
use crate::action::{Action, Answer, Play};
use crate::game::Chess;
use crate::piece::Kind;
use crate::plain::{Move, Position as Plain};
use crate::rules::plain::play_of;
use crate::state::State;
use std::sync::atomic::AtomicBool;
use turnstone::dice::{Draw, Lots};
use turnstone::{Game as _, Input, InputOf, Off, Outcome, Resolver, Seat};
use turnstone_host::{Bot, Sight, Weighed, Why, tell_line};

/// Turns of each side in which the bot varies its play.
const OPENING: u32 = 5;
/// What it gives up for variety, in hundredths of a pawn.
const WHIM: i32 = 12;
/// Worse than this for itself, it takes a draw.
const WORSE: i32 = -60;
/// Positions of a game so far, from which on one more can be one of them.
const RETURN: usize = 4;

/// Searches as far as its budget reaches: plain positions on bitboards, all
/// others through the real resolution. It keeps nothing from one choice to the next.
pub struct AlphaBeta {
    budget: Budget,
    thinker: Thinker,
}

/// A way to go on, and what it is worth to who is to act.
struct Way {
    line: Vec<InputOf<Chess>>,
    score: i32,
    /// Positions looked at for it.
    nodes: u64,
}

/// What was chosen, with the ways that were weighed for it.
struct Decision {
    best: usize,
    ways: Vec<Way>,
    /// Which of the ways it is.
    way: usize,
}

impl Decision {
    /// One without weighing.
    fn plain(best: usize) -> Decision {
        Decision { best, ways: Vec::new(), way: 0 }
    }
}

impl AlphaBeta {
    /// A bot with that budget.
    pub fn new(budget: Budget) -> AlphaBeta {
        // Room for as many positions as it looks at.
        let megabytes = (budget.nodes * 16 / (1 << 20)).clamp(1, 16) as usize;
        AlphaBeta { budget, thinker: Thinker::new(megabytes) }
    }

    fn decide(&self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> Decision {
        let inputs = sight.inputs();
        if inputs.len() < 2 {
            return Decision::plain(0);
        }
        match &inputs[0] {
            Input::Choose(_) => self.answer(sight),
            Input::Act(Action::Run(_)) => {
                let position = sight.seen();
                let score = |input: &InputOf<Chess>| match input {
                    Input::Act(Action::Run(step)) => run_score(position.state(), *step),
                    _ => 0,
                };
                let scores: Vec<i64> = inputs.iter().map(score).collect();
                Decision::plain(super::pick_best(&scores, lots))
            }
            Input::Act(_) => self.play(sight, lots),
        }
    }

    /// A move, or the draw that is to be had.
    fn play(&self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> Decision {
        let (chess, inputs, position) = (sight.game(), sight.inputs(), sight.seen());
        let state = position.state();
        let (ways, way) = match chess.plain(state) {
            Some(plain) => self.plain_ways(chess, state, &plain, lots),
            None => (self.way_through_rules(chess, state, lots).into_iter().collect(), 0),
        };
        let Some(chosen) = ways.get(way) else { return Decision::plain(0) };
        let draws =
            |input: &InputOf<Chess>| matches!(input, Input::Act(Action::AcceptDraw(_) | Action::ClaimDraw));
        let draw = inputs.iter().position(draws).filter(|_| chosen.score < WORSE);
        let best = draw.or_else(|| inputs.iter().position(|input| chosen.line.first() == Some(input)));
        Decision { best: best.unwrap_or(0), ways, way }
    }

    /// The best lines of a plain position, and which of them is taken.
    fn plain_ways(&self, chess: &Chess, state: &State, plain: &Plain, lots: &mut Lots) -> (Vec<Way>, usize) {
        let lines = if plain.fullmoves() <= OPENING { 3 } else { 1 };
        let found = self.think(plain, self.budget, lines, before(chess, state, plain));
        let taken = among_the_best(&found, lots);
        let shared = found.len().max(1) as u64;
        let way = |report: &Report| Way {
            line: report.line.iter().flat_map(inputs_of).collect(),
            score: report.score,
            nodes: report.nodes / shared,
        };
        (found.iter().map(way).collect(), taken)
    }

    fn think(&self, plain: &Plain, budget: Budget, lines: usize, history: Vec<u64>) -> Vec<Report> {
        // What it knew of another position would make its play depend on that.
        self.thinker.forget();
        let orders = Orders { budget: Some(budget), lines, history, ..Orders::default() };
        self.thinker.think(plain, &orders, &AtomicBool::new(false), |_| {})
    }

    fn way_through_rules(&self, chess: &Chess, state: &State, lots: &mut Lots) -> Option<Way> {
        // Resolving a move takes some thirty times as long as on bitboards.
        let budget = Budget { nodes: self.budget.nodes / 10, ..self.budget };
        let mut only: Vec<Play> = chess.legal_plays(state);
        lots.shuffle(&mut only);
        let stop = AtomicBool::new(false);
        let task = Task { budget, only: &only, stop: &stop };
        let found = search(chess, state, &task, |_| {})?;
        let line = if found.line.is_empty() { vec![found.best] } else { found.line };
        let line = line.into_iter().map(|play| Input::Act(Action::Play(play))).collect();
        Some(Way { line, score: found.score, nodes: found.nodes })
    }

    /// What a pawn becomes on a plain board is tried; all else is answered as the search took for granted: a queen, or
    /// what comes first.
    fn answer(&self, sight: &Sight<'_, Chess>) -> Decision {
        let inputs = sight.inputs();
        let budget = Budget { nodes: (self.budget.nodes / inputs.len() as u64).max(1), ..self.budget };
        let ways: Option<Vec<Way>> = inputs.iter().map(|input| self.promoted(sight, input, budget)).collect();
        let Some(ways) = ways else {
            let queen = Input::Choose(Answer::Kind(Kind::QUEEN));
            return Decision::plain(inputs.iter().position(|input| *input == queen).unwrap_or(0));
        };
        let better = |best: usize, next: usize| if ways[next].score > ways[best].score { next } else { best };
        let best = (1..ways.len()).fold(0, better);
        Decision { best, ways, way: best }
    }

    /// What a promotion leads to; `None` if it is none, or not on a plain board.
    fn promoted(&self, sight: &Sight<'_, Chess>, input: &InputOf<Chess>, budget: Budget) -> Option<Way> {
        let Input::Choose(Answer::Kind(_)) = input else { return None };
        let (chess, mut position) = (sight.game(), sight.seen().into_owned());
        Resolver::default().act_unchecked(chess, &mut position, input, &mut Off).ok()?;
        let plain = chess.plain(position.state())?;
        let mut way = Way { line: vec![input.clone()], score: 0, nodes: 1 };
        match chess.outcome(position.state()) {
            Some(Outcome::Won(winner)) => way.score = if winner == sight.seat() { WON } else { -WON },
            Some(Outcome::Drawn | Outcome::Lost | Outcome::WonByAll) => {}
            None => {
                let found = self.think(&plain, budget, 1, before(chess, position.state(), &plain));
                let best = found.first()?;
                let own = position.state().player as Seat == sight.seat();
                way.score = if own { best.score } else { -best.score };
                way.nodes = best.nodes;
                way.line.extend(best.line.iter().flat_map(inputs_of));
            }
        }
        Some(way)
    }
}

/// Keys of the plain positions after a move from here that were there before: who is ahead does not want them again. A
/// state remembers its past by keys of its own, so each move is tried.
fn before(chess: &Chess, state: &State, plain: &Plain) -> Vec<u64> {
    if state.keys.len() < RETURN {
        return Vec::new();
    }
    let mut board = Board::new(chess, state.clone());
    let mut returns = |mv: &Move| {
        let made = board.make(play_of(mv));
        let key = made.then(|| chess.repetition_key(board.state()))?;
        board.take_back();
        state.keys.contains(&key).then(|| super::Node::key(&plain.after(mv)))
    };
    plain.legal().iter().filter_map(&mut returns).collect()
}

/// A plain move as it is sent: what a pawn becomes is asked.
fn inputs_of(mv: &Move) -> Vec<InputOf<Chess>> {
    let mut play = play_of(mv);
    if mv.promotion().is_none() {
        return vec![Input::Act(Action::Play(play))];
    }
    let kind = std::mem::replace(&mut play.kind, Kind::NONE);
    vec![Input::Act(Action::Play(play)), Input::Choose(Answer::Kind(kind))]
}

/// One of those that are nearly as good as the best, by lot.
fn among_the_best(found: &[Report], lots: &mut Lots) -> usize {
    let Some(best) = found.first() else { return 0 };
    let near: Vec<usize> =
        (0..found.len()).filter(|place| found[*place].score >= best.score - WHIM).collect();
    near[lots.below(near.len() as u64) as usize]
}

/// What a score is worth, from 0 (lost) to 1 (won): a pawn ahead is two wins to one.
fn value(score: i32) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-f64::from(score) / 400.0))
}

impl Bot<Chess> for AlphaBeta {
    fn choose(&mut self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> usize {
        self.decide(sight, lots).best
    }

    /// The lines it found, with what they are worth; a move that no line begins with was found worse.
    fn why(&mut self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> Option<Why> {
        let Decision { best, ways, way } = self.decide(sight, lots);
        let mut options = vec![Weighed::default(); sight.inputs().len()];
        for way in &ways {
            let place = sight.inputs().iter().position(|input| way.line.first() == Some(input));
            if let Some(option) = place.and_then(|place| options.get_mut(place)) {
                *option = Weighed { visits: way.nodes.max(1), value: value(way.score) };
            }
        }
        let expected = ways.get(way).filter(|way| way.line.first() == sight.inputs().get(best));
        let line = expected.map_or(Vec::new(), |way| tell_line(sight, &way.line, lots));
        Some(Why { best, options, line })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Node;
    use super::*;
    use crate::setup::Setup;
    use turnstone::Position;
    use turnstone_host::bot_lots;

    fn position(chess: &Chess, fen: &str) -> Position<Chess> {
        Position::new(chess.start(&Setup::Fen(fen.to_owned()), 0).unwrap())
    }

    fn ask(bot: &mut AlphaBeta, chess: &Chess, position: &Position<Chess>) -> (InputOf<Chess>, Why) {
        let inputs = position.inputs(chess);
        let seat = position.actor(chess).unwrap();
        let sight = Sight::new(chess, position, seat, &inputs);
        let chosen = bot.choose(&sight, &mut bot_lots(1, seat, 0));
        let why = bot.why(&sight, &mut bot_lots(1, seat, 0)).unwrap();
        assert_eq!(why.best, chosen, "it says why it does what it does");
        (inputs[chosen].clone(), why)
    }

    fn bot() -> AlphaBeta {
        AlphaBeta::new(Budget { nodes: 2_000, depth: 8 })
    }

    #[test]
    fn it_says_why() {
        let chess = Chess::builtin("standard").unwrap();
        let mate = position(&chess, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 40");
        let (_, why) = ask(&mut bot(), &chess, &mate);
        assert_eq!(why.line, ["Rd8#"]);
        assert!(why.options[why.best].value > 0.99 && why.options[why.best].visits > 0, "{why:?}");
    }

    #[test]
    fn it_says_why_on_boards_with_abilities() {
        let chess = Chess::builtin("last-piece-standing").unwrap();
        let take = position(&chess, "k2q4/8/8/8/8/8/8/K2R4 w - - 0 9");
        let (_, why) = ask(&mut bot(), &chess, &take);
        assert!(!why.line.is_empty() && why.options[why.best].value > 0.5, "{why:?}");
    }

    #[test]
    fn a_pawn_becomes_what_is_best() {
        let chess = Chess::builtin("standard").unwrap();
        // A queen would leave Black without a move, and a knight takes part in nothing.
        let mut board = position(&chess, "8/5P1k/8/5K2/8/8/8/8 w - - 0 60");
        let up = |input: &InputOf<Chess>| matches!(input, Input::Act(Action::Play(play)) if play.to.y == 7);
        let input = board.inputs(&chess).into_iter().find(up).unwrap();
        Resolver::default().act(&chess, &mut board, &input, &mut Off).unwrap();
        let (answer, why) = ask(&mut bot(), &chess, &board);
        assert!(matches!(answer, Input::Choose(Answer::Kind(Kind::QUEEN | Kind::ROOK))), "{answer:?}");
        assert!(why.options.iter().all(|option| option.visits > 0), "{why:?}");
    }

    /// It once remembered positions itself, over matches and worlds; they are in the state.
    #[test]
    fn what_was_on_the_board_before_is_known_from_the_state() {
        let chess = Chess::builtin("standard").unwrap();
        let mut here = position(&chess, "7k/8/8/8/8/8/R7/K7 w - - 0 60");
        let mut resolver = Resolver::default();
        let mut walk = |position: &mut Position<Chess>, from: &str, to: &str| {
            let play = |input: &InputOf<Chess>| match input {
                Input::Act(Action::Play(play)) => play.from.to_string() == from && play.to.to_string() == to,
                _ => false,
            };
            let input = position.inputs(&chess).into_iter().find(play).unwrap();
            resolver.act(&chess, position, &input, &mut Off).unwrap();
        };
        for (from, to) in [("a2", "b2"), ("h8", "g8"), ("b2", "a2"), ("g8", "h8")] {
            walk(&mut here, from, to);
        }
        let plain = chess.plain(here.state()).unwrap();
        let known = before(&chess, here.state(), &plain);
        let again = plain.legal().into_iter().filter(|mv| known.contains(&Node::key(&plain.after(mv))));
        let again: Vec<String> = again.map(|mv| play_of(&mv).to.to_string()).collect();
        assert_eq!(again, ["b2"]);
    }
}
