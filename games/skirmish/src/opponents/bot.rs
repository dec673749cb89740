//! Bots for the command line: one per difficulty preset, and a random one.

use super::tactics;
use crate::action::{Action, Verb};
use crate::content::{Catalog, DifficultyDef};
use crate::game::Skirmish;
use crate::legal::canonical;
use crate::state::State;
use std::collections::VecDeque;
use turnstone::dice::{Draw, Lots};
use turnstone::{Input, InputOf};
use turnstone_host::{Bot, Sight};

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
