//! Bots for the command line: one per difficulty preset, and a random one.

use super::tactics;
use crate::action::{Action, Verb};
use crate::catalog::{Catalog, DifficultyDef};
use crate::game::Skirmish;
use crate::legal::canonical;
use crate::state::State;
use std::collections::VecDeque;
use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf};
use turnstone_host::{Bot, Hosted as _, Sight, Weighed, Why, tell_line};

/// A bot that plays a preset: it plans a turn and then carries it out.
pub struct PresetBot {
    preset: DifficultyDef,
    plan: VecDeque<Action>,
}

impl PresetBot {
    /// A bot for a preset.
    pub fn new(preset: &str) -> PresetBot {
        PresetBot { preset: Catalog::built_in().difficulty(preset), plan: VecDeque::new() }
    }

    /// The next planned action, in its listed form; plans anew when the plan does not fit.
    fn next(&mut self, state: &State, lots: &mut Lots) -> Option<Action> {
        if !state.combat.fighting {
            self.plan.clear();
            return Some(Action::roll_initiative());
        }
        let body = state.combat.active?;
        let id = &*state.stage.figure(body).id;
        let mine = self.plan.front().is_some_and(|action| action.actor() == Some(id));
        if !mine {
            self.plan = tactics::plan(state, body, &self.preset, lots).into();
        }
        let action = self.plan.pop_front()?;
        canonical(state, &action)
    }
}

impl Bot<Skirmish> for PresetBot {
    fn choose(&mut self, sight: &Sight<'_, Skirmish>, lots: &mut Lots) -> usize {
        let inputs = sight.inputs();
        let wanted = self.next(sight.seen().state(), lots);
        let found = wanted.and_then(|action| {
            let input = Input::Act(action);
            inputs.iter().position(|i| *i == input)
        });
        found.unwrap_or_else(|| {
            // The plan does not fit what is possible.
            self.plan.clear();
            let ends =
                |i: &InputOf<Skirmish>| matches!(i, Input::Act(a) if matches!(a.verb, Verb::EndTurn { .. }));
            inputs.iter().position(ends).unwrap_or(0)
        })
    }

    /// What it means to do in this turn.
    fn why(&mut self, sight: &Sight<'_, Skirmish>, lots: &mut Lots) -> Option<Why> {
        let best = self.choose(sight, lots);
        let chosen = sight.inputs().get(best)?.clone();
        let rest = self.plan.iter().cloned().map(Input::Act);
        let line: Vec<InputOf<Skirmish>> = std::iter::once(chosen).chain(rest).collect();
        let stands = sight.game().appraise(sight.seen().state(), sight.seat()).unwrap_or(500);
        let mut options = vec![Weighed::default(); sight.inputs().len()];
        options[best] = Weighed { visits: 1, value: f64::from(stands.clamp(0, 1000)) / 1000.0 };
        Some(Why { best, options, line: tell_line(sight, &line, lots) })
    }

    /// A plan is for the turn of one body.
    fn stretch(&self, sight: &Sight<'_, Skirmish>) -> Option<u64> {
        let seen = sight.seen();
        let combat = &seen.state().combat;
        let body = combat.active.filter(|_| combat.fighting)?;
        Some(combat.round.unsigned_abs() << 16 | u64::from(body))
    }

    fn mind(&self) -> Option<String> {
        (!self.plan.is_empty()).then(|| serde_json::to_string(&self.plan).ok()).flatten()
    }

    fn recall(&mut self, mind: Option<&str>) {
        self.plan = mind.and_then(|mind| serde_json::from_str(mind).ok()).unwrap_or_default();
    }
}

/// A bot that picks anything.
pub struct RandomBot;

impl Bot<Skirmish> for RandomBot {
    fn choose(&mut self, sight: &Sight<'_, Skirmish>, lots: &mut Lots) -> usize {
        lots.index(sight.inputs().len()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone::{Game as _, Off, Position, Resolver};
    use turnstone_host::{Opening, bot_lots};

    #[test]
    fn it_says_what_it_means_to_do() {
        let opening = Opening { setup: Some("arena".into()), ..Opening::default() };
        let (game, setup) = Skirmish::open_table(&opening).unwrap();
        let mut position = Position::<Skirmish>::new(game.start(&setup, 1).unwrap());
        let mut told = 0;
        for moment in 0..20 {
            let inputs = position.inputs(&*game);
            let Some(seat) = position.actor(&*game) else { break };
            let sight = Sight::new(&*game, &position, seat, &inputs);
            let why = PresetBot::new("hard").why(&sight, &mut bot_lots(1, seat, moment)).unwrap();
            let chosen = PresetBot::new("hard").choose(&sight, &mut bot_lots(1, seat, moment));
            assert_eq!(why.best, chosen);
            told += usize::from(why.line.len() > 1);
            let input = inputs[chosen].clone();
            Resolver::default().act(&*game, &mut position, &input, &mut Off).unwrap();
        }
        assert!(told > 0, "a turn has several steps");
    }
}
