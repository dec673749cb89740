//! Bots for the command line: one per difficulty preset, and a random one.

use super::tactics;
use crate::action::{Action, Verb};
use crate::content::{Catalog, DifficultyDef};
use crate::game::Skirmish;
use crate::legal::canonical;
use crate::state::State;
use std::collections::VecDeque;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Input, InputOf, Position};
use turnstone_host::Bot;

/// A bot that plays a preset: it plans a turn and then carries it out.
pub struct PresetBot {
    preset: DifficultyDef,
    lots: Lots,
    plan: VecDeque<Action>,
}

impl PresetBot {
    /// A bot for a preset; its chances come from `seed` alone.
    pub fn new(preset: &str, seed: u64) -> PresetBot {
        PresetBot {
            preset: Catalog::built_in().difficulty(preset),
            lots: Lots::new(seed, Stream::named("skirmish bot")),
            plan: VecDeque::new(),
        }
    }

    /// The next planned action, in its listed form; plans anew when the plan does not fit.
    fn next(&mut self, state: &State) -> Option<Action> {
        if !state.combat.fighting {
            self.plan.clear();
            return Some(Action::roll_initiative());
        }
        let body = state.combat.active?;
        let id = &*state.stage.figure(body).id;
        let mine = self.plan.front().is_some_and(|action| actor(action) == Some(id));
        if !mine {
            self.plan = tactics::plan(state, body, &self.preset, &mut self.lots).into();
        }
        let action = self.plan.pop_front()?;
        canonical(state, &action)
    }
}

fn actor(action: &Action) -> Option<&str> {
    match &action.verb {
        Verb::Move { entity, .. } | Verb::EndTurn { entity } | Verb::Defend { entity } => entity.text(),
        Verb::Attack { attacker, .. } => attacker.text(),
        Verb::UseAbility { caster, .. } => caster.text(),
        _ => None,
    }
}

impl Bot<Skirmish> for PresetBot {
    fn choose(&mut self, _: &Skirmish, position: &Position<Skirmish>, inputs: &[InputOf<Skirmish>]) -> usize {
        let wanted = self.next(position.state());
        let found = wanted.and_then(|action| {
            let input = Input::Act(action);
            inputs.iter().position(|i| *i == input)
        });
        found.unwrap_or_else(|| {
            // The plan does not fit what is possible: end the turn, the last of the list.
            self.plan.clear();
            inputs.len().saturating_sub(1)
        })
    }
}

/// A bot that picks anything.
pub struct RandomBot {
    lots: Lots,
}

impl RandomBot {
    /// A random bot.
    pub fn new(seed: u64) -> RandomBot {
        RandomBot { lots: Lots::new(seed, Stream::named("skirmish random bot")) }
    }
}

impl Bot<Skirmish> for RandomBot {
    fn choose(&mut self, _: &Skirmish, _: &Position<Skirmish>, inputs: &[InputOf<Skirmish>]) -> usize {
        self.lots.index(inputs.len()).unwrap_or(0)
    }
}
