//! Players that are programs.

use turnstone::dice::{Draw, Lots, Stream};
use turnstone::host::Bot;
use turnstone::{Input, InputOf, Position};

use super::game::{Climb, Of};
use super::tactics::Tastes;
use crate::game::Spire;

/// Does anything that is allowed, all equally likely.
pub struct Random {
    lots: Lots,
}

impl Random {
    /// A random player; its choices follow from the seed.
    pub fn new(seed: u64) -> Self {
        Random { lots: Lots::new(seed, Stream::named("spire/random bot")) }
    }
}

impl Bot<Climb<Spire>> for Random {
    fn choose(
        &mut self,
        _game: &Climb<Spire>,
        _position: &Position<Climb<Spire>>,
        inputs: &[InputOf<Climb<Spire>>],
    ) -> usize {
        self.lots.index(inputs.len()).unwrap_or(0)
    }
}

/// Looks at the numbers on the table, in fights and between them, and takes what is worth most.
#[derive(Default)]
pub struct Heuristic {
    /// In fights plays are tried out first.
    greedy: bool,
    tastes: Option<Tastes>,
    run_actions: Vec<super::effect::Action>,
    fight_actions: Vec<crate::effect::Action>,
    run_answers: Vec<u16>,
    fight_answers: Vec<crate::effect::Answer>,
}

impl Bot<Climb<Spire>> for Heuristic {
    fn choose(
        &mut self,
        game: &Climb<Spire>,
        position: &Position<Climb<Spire>>,
        inputs: &[InputOf<Climb<Spire>>],
    ) -> usize {
        if inputs.len() == 1 {
            return 0;
        }
        let state = position.state();
        self.sort(inputs);
        if self.run_actions.len() == inputs.len() {
            return game.rulebook.prefer(state, &self.run_actions);
        }
        if let ([super::effect::Action::GiveUp], [_]) = (&*self.run_actions, &*self.fight_actions) {
            // Nothing but waiting is left: it stands behind the end of the turn.
            return inputs.len() - 1;
        }
        if !self.fight_actions.is_empty() {
            if self.greedy {
                return game.arena.greedy_choice(&state.spire, &self.fight_actions);
            }
            let tastes = self.tastes.get_or_insert_with(|| Tastes::of(&game.arena));
            return game.arena.tactical_choice(&state.spire, tastes, &self.fight_actions);
        }
        if self.fight_answers.len() == inputs.len() {
            return match position.pending().map(|p| &p.question) {
                Some(Of::Fight(question)) if self.greedy => {
                    game.arena.greedy_answer(&state.spire, question, &self.fight_answers)
                }
                _ => game.arena.tactical_answer(&state.spire, &self.fight_answers),
            };
        }
        match position.pending().map(|p| &p.question) {
            Some(Of::Run(question)) => game.rulebook.prefer_answer(state, *question, &self.run_answers),
            _ => 0,
        }
    }
}

impl Heuristic {
    /// The same between fights; in fights every play is tried out on what the player knows.
    pub fn greedy() -> Self {
        Heuristic { greedy: true, ..Self::default() }
    }

    fn sort(&mut self, inputs: &[InputOf<Climb<Spire>>]) {
        self.run_actions.clear();
        self.fight_actions.clear();
        self.run_answers.clear();
        self.fight_answers.clear();
        for input in inputs {
            match input {
                Input::Act(Of::Run(action)) => self.run_actions.push(*action),
                Input::Act(Of::Fight(action)) => self.fight_actions.push(*action),
                Input::Choose(Of::Run(answer)) => self.run_answers.push(*answer),
                Input::Choose(Of::Fight(answer)) => self.fight_answers.push(*answer),
            }
        }
    }
}
