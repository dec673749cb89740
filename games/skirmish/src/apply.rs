//! The only writer of a state.

use crate::event::{Event, Winner};
use crate::rules::{
    ability, attack, combat_end, conditions, defend, initiative, limits, seed, surrender, turn, walk,
};
use crate::state::State;

/// Writes a fact. It draws nothing, decides nothing and cannot fail.
pub fn apply(state: &mut State, event: &Event) {
    match event {
        Event::Moved { body, path } => {
            walk::apply(state, *body, path);
            spend(state, Spent::Movement);
        }
        Event::Shoved { corpse, to } => walk::apply_shove(state, *corpse, *to),
        // A walk that was cut short has spent the move already; one that did not begin has not.
        Event::Halted { .. } if state.combat.budget.is_none_or(|b| b.movement_used == 0) => {
            spend(state, Spent::Movement);
        }
        Event::Halted { .. } => {}
        Event::Attacked(attacked) => {
            attack::apply(state, attacked);
            spend(state, Spent::Action);
        }
        Event::AbilityUsed(used) => {
            ability::apply(state, used);
            spend(state, Spent::Action);
        }
        Event::Defended { body, healed } => {
            defend::apply(state, *body, *healed);
            spend(state, Spent::Action);
        }
        Event::InitiativeRolled { order, chain } => initiative::apply(state, order, *chain),
        Event::TurnEnded { from, to, round } => turn::apply(state, *from, *to, *round),
        Event::ConditionExpired { body, condition } => conditions::remove(state, *body, *condition),
        Event::ConditionDamage { body, hp, chain, .. } => conditions::apply_harm(state, *body, *hp, *chain),
        Event::CombatEnded { .. } => combat_end::apply(state),
        Event::Warned { left, .. } => state.told = *left,
        Event::Drawn { .. } => limits::end(state, Winner::None),
        Event::Surrendered { side } => limits::end(state, surrender::winner(*side)),
        Event::SeedSet { seed } => seed::apply(state, seed),
        // What a viewer is told of hidden things is not part of the log.
        Event::Glimpsed { .. } | Event::TurnPassed { .. } => {}
    }
}

enum Spent {
    Movement,
    Action,
}

/// In combat, an accepted action opens the budget if there is none, and spends of it; outside it is
/// counted.
fn spend(state: &mut State, what: Spent) {
    if !state.combat.fighting {
        state.strolled = state.strolled.saturating_add(1);
        return;
    }
    if !state.stage.is_modern() {
        return;
    }
    let budget = state.combat.budget.get_or_insert_default();
    match what {
        Spent::Movement => budget.movement_used = budget.movement_used.saturating_add(1),
        Spent::Action => budget.action_used = budget.action_used.saturating_add(1),
    }
}
