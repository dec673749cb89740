//! Bots for the command line: one per difficulty preset, and a random one.

use super::tactics;
use crate::action::{Action, Verb};
use crate::content::{Catalog, DifficultyDef};
use crate::game::Skirmish;
use crate::legal::canonical;
use crate::sight::{acting, seen};
use crate::state::State;
use std::collections::VecDeque;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::{Input, InputOf, Position, Viewer};
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
        let mine = self.plan.front().is_some_and(|action| action.actor() == Some(id));
        if !mine {
            self.plan = tactics::plan(state, body, &self.preset, &mut self.lots).into();
        }
        let action = self.plan.pop_front()?;
        canonical(state, &action)
    }
}

impl Bot<Skirmish> for PresetBot {
    fn choose(&mut self, _: &Skirmish, position: &Position<Skirmish>, inputs: &[InputOf<Skirmish>]) -> usize {
        let state = position.state();
        let wanted = self.next(&seen(state, Viewer::Seat(acting(state))));
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
