//! END_TURN: the turn passes to the next who lives.

use super::conditions::{cool_down, tick};
use super::{Check, code, find, refuse};
use crate::action::Id;
use crate::content::Tick;
use crate::document::BudgetDoc;
use crate::effect::Effect;
use crate::event::Event;
use crate::stage::BodyId;
use crate::state::State;

/// Checks that this turn may be ended.
pub fn check(state: &State, entity: &Id) -> Check {
    if !state.combat.fighting {
        return refuse(code::COMBAT_NOT_ACTIVE, "there are no turns outside combat; roll initiative first");
    }
    super::turn_order(state, entity)
}

/// The effect of an allowed end of turn.
pub fn open(state: &State, entity: &Id) -> Option<Effect> {
    let from = find(state, entity).ok()?;
    let (to, wrapped) = next(state, from);
    let round = state.combat.round.saturating_add(i64::from(wrapped));
    Some(Effect::Pass { from, to, round })
}

/// Who comes next, and whether a round is over. The later profile skips the dead.
pub fn next(state: &State, from: BodyId) -> (BodyId, bool) {
    let order = &state.combat.order;
    let Some(here) = order.iter().position(|b| *b == from) else { return (from, false) };
    let after = here + 1;
    let lives = |place: &usize| !state.is_dead(order[place % order.len()]);
    let place = if state.stage.is_modern() { (after..after + order.len()).find(lives) } else { None };
    let place = place.unwrap_or(after);
    (order[place % order.len()], place >= order.len())
}

/// The fact: as proposed, unless combat has ended meanwhile.
pub fn settle(state: &State, from: BodyId, to: BodyId, round: i64) -> Option<Event> {
    state.combat.fighting.then_some(Event::TurnEnded { from, to, round })
}

/// Counts down, empties the budget, and hands over.
pub fn apply(state: &mut State, from: BodyId, to: BodyId, round: i64) {
    if state.stage.is_modern() {
        cool_down(state, from);
        tick(state, from, Tick::TurnEnd);
        tick(state, to, Tick::TurnStart);
        state.combat.budget = Some(BudgetDoc::default());
    }
    state.combat.active = Some(to);
    state.combat.round = round;
}
