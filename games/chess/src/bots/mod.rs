//! Players that are programs: random, greedy, and alpha-beta. They see only
//! what a fair player sees: in the fog of war they think on their own view.

mod alpha_beta;
mod board;
mod memory;
mod plain;
mod search;
mod thinker;

pub use plain::Node;
pub use search::{Budget, Found, Task, WON, search};
pub use thinker::{News, Orders, Report, Thinker};

use crate::action::{Action, Answer};
use crate::game::Chess;
use crate::run::RunAction;
use crate::state::State;
use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf};
use turnstone_host::{Bot, Named, Sight};

pub use alpha_beta::AlphaBeta;
pub(crate) use board::Board;

/// The bots, weakest first.
pub(crate) fn names() -> Vec<Named> {
    vec![
        Named::new("random", "Plays any legal move."),
        Named::new("greedy", "Looks one move ahead and takes what it can."),
        Named::new(
            "alpha-beta",
            "Searches as far as 20,000 positions reach; where abilities act, as far as 2,000.",
        ),
        Named::new(
            "strong",
            "Searches as far as 400,000 positions reach; where abilities act, as far as 40,000.",
        ),
    ]
}

/// A bot by name.
pub(crate) fn create(name: &str) -> Option<Box<dyn Bot<Chess>>> {
    Some(match name {
        "random" => Box::new(Random),
        "greedy" => Box::new(Greedy),
        "alpha-beta" => Box::new(AlphaBeta::new(Budget { nodes: 20_000, depth: 12 })),
        "strong" => Box::new(AlphaBeta::new(Budget { nodes: 400_000, depth: 30 })),
        _ => Box::new(AlphaBeta::new(budget(name)?)),
    })
}

/// `alpha-beta:N`: as far as N positions reach, or a tenth of them where moves are really resolved.
fn budget(name: &str) -> Option<Budget> {
    let nodes = name.strip_prefix("alpha-beta:")?.parse().ok().filter(|nodes| *nodes > 0)?;
    Some(Budget { nodes, depth: 30 })
}

/// Plays anything.
struct Random;

impl Bot<Chess> for Random {
    fn choose(&mut self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}

/// Takes what looks best right after the move.
struct Greedy;

impl Bot<Chess> for Greedy {
    fn choose(&mut self, sight: &Sight<'_, Chess>, lots: &mut Lots) -> usize {
        let position = sight.seen();
        let score = |input| greedy_score(sight.game(), position.state(), input);
        let scores: Vec<i64> = sight.inputs().iter().map(score).collect();
        pick_best(&scores, lots)
    }
}

fn greedy_score(chess: &Chess, state: &State, input: &InputOf<Chess>) -> i64 {
    match input {
        Input::Choose(Answer::Kind(kind)) => i64::from(chess.catalog().piece(*kind).value),
        Input::Choose(answer) => i64::from(*answer == Answer::Yes),
        Input::Act(Action::AcceptDraw(_)) => -1,
        Input::Act(Action::Play(play)) => {
            let after = chess.preview(state, play).map(|next| Board::value_for(chess, &next, state.player));
            after.unwrap_or(i64::MIN / 2)
        }
        Input::Act(Action::Run(step)) => run_score(state, *step),
        Input::Act(_) => i64::MIN / 4,
    }
}

/// On the run: take what is offered, keep what one has, prefer events and shops a little.
pub(crate) fn run_score(state: &State, step: RunAction) -> i64 {
    match step {
        RunAction::Take(_) => 5,
        RunAction::Give { member, .. } => 4 + i64::from(member != 0),
        RunAction::Accept => 2,
        RunAction::Leave => 0,
        RunAction::Sell(_) => -5,
        RunAction::Travel(node) => {
            let kind =
                state.run.as_ref().and_then(|run| run.map.get(usize::from(node)).map(|node| node.kind));
            i64::from(!matches!(kind, Some(crate::run::NodeKind::Elite)))
        }
    }
}

/// Material with all layers, for one side against the other, in pawns.
pub(crate) fn material(chess: &Chess, state: &State, color: crate::color::Color) -> i64 {
    Board::value_for(chess, state, color)
}

/// One of the best, by lot.
pub(crate) fn pick_best(scores: &[i64], lots: &mut Lots) -> usize {
    let best = scores.iter().max().copied().unwrap_or_default();
    let equal: Vec<usize> = (0..scores.len()).filter(|i| scores[*i] == best).collect();
    equal.get(lots.below(equal.len() as u64) as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::setup::Setup;
    use std::sync::Arc;
    use turnstone::{Match, Outcome, Position};
    use turnstone_host::{Player, Secretive as _};

    fn duel(ruleset: &str, white: &str, black: &str, seed: u64) -> Option<Outcome> {
        let chess = Arc::new(Chess::builtin(ruleset).unwrap());
        let mut game: Match<Chess> = Match::new(Arc::clone(&chess), Setup::Start, seed).unwrap();
        let mut bots: [Player<Chess>; 2] =
            [Player::named(white, 0, seed).unwrap(), Player::named(black, 1, seed).unwrap()];
        for _ in 0..400 {
            let (Some(seat), None) = (game.actor(), game.outcome()) else { break };
            let inputs = game.inputs();
            let index = bots[usize::from(seat)].choose(&chess, game.position(), &inputs, game.depth());
            game.act(inputs[index].clone()).unwrap();
        }
        game.outcome()
    }

    #[test]
    fn search_beats_greed_and_greed_beats_chance() {
        let wins = |a: &str, b: &str| {
            (0..4).filter(|seed| duel("last-piece-standing", a, b, *seed) == Some(Outcome::Won(0))).count()
        };
        assert!(wins("greedy", "random") >= 3);
        assert!(wins("alpha-beta", "greedy") >= 3);
    }

    #[test]
    fn search_mates_a_random_player() {
        assert_eq!(duel("standard", "alpha-beta", "random", 3), Some(Outcome::Won(0)));
    }

    #[test]
    fn in_the_fog_hidden_pieces_are_unknown() {
        let chess = Chess::builtin("dark").unwrap();
        let setup = Setup::Fen("k6r/8/8/8/8/8/8/K6N w - - 0 1".to_owned());
        let state = turnstone::Game::start(&chess, &setup, 0).unwrap();
        assert_eq!(chess.seen(&Position::new(state), 0).state().side(Color::Black).count(), 0);
    }
}
