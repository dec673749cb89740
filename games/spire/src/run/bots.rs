//! Players that are programs.

use smallvec::SmallVec;
use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf, Position};
use turnstone_host::{Bot, Sight};

use crate::action::Action;
use crate::action::Deed;
use crate::game::Spire;
use crate::question::Answer;
use crate::question::{Asked, Reply};
use crate::state::State;

/// Does anything that is allowed, all equally likely.
pub struct Random;

impl Bot<Spire> for Random {
    fn choose(&mut self, sight: &Sight<'_, Spire>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}

/// A player who looks at what he may know, and keeps the place where he does.
pub(crate) struct Onlooker {
    mind: Heuristic,
    place: Option<Position<Spire>>,
}

impl Onlooker {
    pub(crate) fn new(mind: Heuristic) -> Self {
        Onlooker { mind, place: None }
    }
}

impl Bot<Spire> for Onlooker {
    fn choose(&mut self, sight: &Sight<'_, Spire>, _lots: &mut Lots) -> usize {
        match sight.inputs() {
            [_] => 0,
            inputs => self.mind.pick(sight.game(), sight.seen_in(&mut self.place), inputs),
        }
    }
}

/// Looks at the numbers on the table, in fights and between them, and takes what is worth most.
#[derive(Clone, Copy, Default)]
pub(crate) struct Heuristic {
    /// In fights plays are tried out first.
    greedy: bool,
}

type Inputs<'i> = &'i [InputOf<Spire>];

impl Heuristic {
    /// The number of the input it takes in a position that it may know as it is.
    pub(super) fn pick(&self, game: &Spire, position: &Position<Spire>, inputs: Inputs<'_>) -> usize {
        let state = position.state();
        match (position.pending().map(|pending| &pending.question), inputs) {
            (_, [] | [_]) => 0,
            (Some(Asked::Run(question)), _) => {
                game.journey().prefer_answer(state, *question, inputs.iter().filter_map(run_answer))
            }
            (Some(Asked::Fight(question)), _) => {
                let answers: SmallVec<[Answer; 16]> = inputs.iter().filter_map(fight_answer).collect();
                match self.greedy {
                    true => game.greedy_answer(state, question, &answers),
                    false => game.tactical_answer(&answers),
                }
            }
            // Nothing but waiting is left: the way out stands behind the end of the turn.
            (None, [Input::Act(Deed::Fight(_)), Input::Act(Deed::Run(_))]) => 1,
            (None, [Input::Act(Deed::Fight(_)), ..]) => self.choose_in_fight(game, state, inputs),
            (None, _) => game.journey().prefer(state, inputs.iter().filter_map(run_action)),
        }
    }

    /// The same between fights; in fights every play is tried out on what the player knows.
    pub(crate) fn greedy() -> Self {
        Heuristic { greedy: true }
    }

    fn choose_in_fight(&self, game: &Spire, fight: &State, inputs: Inputs<'_>) -> usize {
        let actions = inputs.iter().filter_map(fight_action);
        if self.greedy {
            let actions: SmallVec<[Action; 32]> = actions.collect();
            return game.greedy_choice(fight, &actions);
        }
        game.tactical_choice(fight, &game.rulebook.tastes, actions)
    }
}

fn run_action(input: &InputOf<Spire>) -> Option<super::action::Action> {
    match input {
        Input::Act(Deed::Run(action)) => Some(*action),
        _ => None,
    }
}

pub(super) fn fight_action(input: &InputOf<Spire>) -> Option<Action> {
    match input {
        Input::Act(Deed::Fight(action)) => Some(*action),
        _ => None,
    }
}

fn run_answer(input: &InputOf<Spire>) -> Option<u16> {
    match input {
        Input::Choose(Reply::Run(answer)) => Some(*answer),
        _ => None,
    }
}

pub(super) fn fight_answer(input: &InputOf<Spire>) -> Option<Answer> {
    match input {
        Input::Choose(Reply::Fight(answer)) => Some(*answer),
        _ => None,
    }
}
