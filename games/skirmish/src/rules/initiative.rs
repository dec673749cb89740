//! ROLL_INITIATIVE: everybody alive rolls, and combat begins.

use super::attack::Rolls;
use super::{Check, code, refuse};
use crate::dice::total;
use crate::document::BudgetDoc;
use crate::event::Event;
use crate::reason::{Number, Reason, Source};
use crate::stage::BodyId;
use crate::state::State;
use turnstone::Notes;

/// Checks that combat can begin.
pub fn check(state: &State) -> Check {
    if state.combat.fighting {
        return refuse(code::COMBAT_ALREADY_ACTIVE, "the fight is on already");
    }
    if state.living == [0, 0] {
        return refuse(code::NO_PARTICIPANTS, "nobody is alive to roll initiative");
    }
    Ok(())
}

/// One d20 for each living player, then each living npc; best first, ties by id.
pub fn settle(state: &State, notes: &mut Notes<Reason>) -> Option<Event> {
    if state.combat.fighting {
        return None;
    }
    let mut rolls = Rolls::new(&state.dice);
    let living = state.stage.creature_ids().filter(|b| !state.is_dead(*b));
    let mut order: Vec<(BodyId, u16)> = living.map(|body| (body, total(&rolls.roll(1, 20)) as u16)).collect();
    order.sort_by_key(|(body, roll)| (std::cmp::Reverse(*roll), state.stage.figure(*body).rank));
    for (body, roll) in &order {
        notes.made(Number::Initiative.by(Source::Figure(*body)), *roll);
    }
    Some(Event::InitiativeRolled { order, chain: rolls.chain() })
}

/// Writes the order.
pub fn apply(state: &mut State, order: &[(BodyId, u16)], chain: u32) {
    (state.combat.calm, state.combat.fought) = (0, 0);
    (state.strolled, state.told) = (0, 0);
    state.combat.fighting = true;
    state.combat.round = 1;
    state.combat.active = order.first().map(|(body, _)| *body);
    state.combat.order = order.iter().map(|(body, _)| *body).collect();
    if state.stage.is_modern() {
        state.combat.budget = Some(BudgetDoc::default());
    }
    state.dice.advance(chain, order.len() as u32);
}
