//! END_TURN: the turn passes to the next who lives.

use super::conditions::{cool_down, tick};
use super::{Check, code, find, limits, refuse};
use crate::action::Id;
use crate::catalog::Tick;
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
    if round > state.combat.round {
        limits::count_round(state);
    }
    state.combat.active = Some(to);
    state.combat.round = round;
}

#[cfg(test)]
mod tests {
    use crate::event::Event;
    use crate::fixture::{act, modern};
    use crate::state::State;
    use serde_json::json;

    /// Ends the active entity's turn.
    fn end(state: &State) -> (State, Vec<Event>) {
        let active = state.stage.figure(state.combat.active.unwrap()).id.to_string();
        let (after, result) = act(state, json!({"type": "END_TURN", "entityId": active}));
        (after, result.unwrap())
    }

    fn fight(order: [&str; 4], change: impl FnOnce(&mut crate::Document)) -> State {
        modern(|d| {
            d.combat.mode = crate::document::CombatMode::Combat;
            d.combat.round = 3;
            d.combat.active_entity_id = Some(order[0].to_string());
            d.combat.initiative_order = order.map(str::to_string).to_vec();
            change(d);
        })
    }

    #[test]
    fn the_dead_are_skipped_and_the_round_counts_once() {
        let state = fight(["ada", "wolf", "imp", "bram"], |d| {
            d.combat.active_entity_id = Some("imp".into());
            d.entities.players[1].conditions.push("dead".into());
            d.entities.players[0].conditions.push("blessed".into());
        });
        let (after, _) = end(&state);
        assert_eq!(after.combat.active, Some(0));
        assert_eq!(after.combat.round, 4);
    }

    #[test]
    fn conditions_end_then_burning_hurts_then_the_turn_passes() {
        let state = fight(["ada", "wolf", "imp", "bram"], |d| {
            let durations = json!({"poisoned": 1, "blessed": 1, "stunned": 2});
            let ada = &mut d.entities.players[0];
            ada.conditions = ["blessed", "stunned", "poisoned"].map(str::to_string).to_vec();
            ada.condition_durations = durations.as_object().cloned();
            d.entities.npcs[0].conditions = vec!["burning".into()];
        });
        let (after, events) = end(&state);
        let word = |c: u16| state.stage.conditions[usize::from(c)].to_string();
        let told: Vec<String> = events
            .iter()
            .map(|e| match e {
                Event::ConditionExpired { condition, .. } => format!("{} ends", word(*condition)),
                Event::ConditionDamage { condition, .. } => format!("{} hurts", word(*condition)),
                Event::TurnEnded { .. } => "turn".to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(told, ["poisoned ends", "blessed ends", "burning hurts", "turn"]);
        assert_eq!(after.conditions_of(0).map(word).collect::<Vec<_>>(), ["stunned"]);
        assert_eq!(after.timers[0].left, 1);
    }

    #[test]
    fn one_may_die_of_burning_and_still_be_next() {
        let state = fight(["ada", "wolf", "imp", "bram"], |d| {
            d.entities.npcs[0].conditions = vec!["burning".into()];
            d.entities.npcs[0].stats.hp_current = 1;
        });
        let (after, _) = end(&state);
        assert!(after.is_dead(2));
        assert_eq!(after.combat.active, Some(2));
        assert_eq!(end(&after).0.combat.active, Some(3));
    }

    #[test]
    fn the_last_death_ends_the_fight_after_the_turn() {
        let state = fight(["ada", "wolf", "imp", "bram"], |d| {
            d.entities.npcs[0].conditions = vec!["burning".into()];
            d.entities.npcs[0].stats.hp_current = 1;
            d.entities.npcs[1].conditions = vec!["dead".into()];
        });
        let (after, events) = end(&state);
        assert!(matches!(events[..], [_, Event::TurnEnded { .. }, Event::CombatEnded { .. }]));
        assert!(!after.combat.fighting);
        assert!(after.combat.budget.is_some(), "the budget stays, and binds nobody");
    }
}
