//! Every match ends: what leads nowhere is drawn, and told before it is (rules of the house).

use crate::effect::Effect;
use crate::event::{Event, Winner};
use crate::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A limit that a match may run into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// Rounds without a blow that draws blood.
    Calm,
    /// Rounds in all.
    Rounds,
    /// Actions outside combat.
    Stroll,
}

impl Limit {
    /// What is told when so much is left: first in good time, then at the last moment.
    fn tells(self, left: u16) -> bool {
        match self {
            Limit::Calm | Limit::Rounds => left == 5 || left == 1,
            Limit::Stroll => left == 20 || left == 1,
        }
    }
}

/// The limit that comes first, and how much is left until then.
pub fn nearest(state: &State) -> Option<(Limit, u16)> {
    let house = state.stage.rules.house?;
    if !state.combat.fighting {
        return Some((Limit::Stroll, house.stroll.saturating_sub(state.strolled)));
    }
    let calm = house.calm.saturating_sub(state.combat.calm);
    let rounds = house.rounds.saturating_sub(state.combat.fought);
    Some(if rounds < calm { (Limit::Rounds, rounds) } else { (Limit::Calm, calm) })
}

/// What a limit that is reached, or near, sets off.
pub fn due(state: &State) -> Option<Effect> {
    let (limit, left) = nearest(state)?;
    if left > 0 {
        let untold = limit.tells(left) && state.told != left;
        return untold.then_some(Effect::Warn { limit, left });
    }
    // Whoever strolls about too long is met; where nobody is, there is nothing to come.
    let met = limit == Limit::Stroll && !state.living.contains(&0);
    Some(if met { Effect::Muster } else { Effect::Draw { limit } })
}

/// The draw, unless the match is over already.
pub fn settle(state: &State, limit: Limit) -> Option<Event> {
    state.ended.is_none().then_some(Event::Drawn { limit })
}

/// A blow between the sides drew blood: the count begins anew.
pub fn blood(state: &mut State) {
    state.combat.calm = 0;
    state.told = 0;
}

/// Counts a new round.
pub fn count_round(state: &mut State) {
    state.combat.calm = state.combat.calm.saturating_add(1);
    state.combat.fought = state.combat.fought.saturating_add(1);
}

/// Ends the match, and the fight with it.
pub fn end(state: &mut State, winner: Winner) {
    super::combat_end::apply(state);
    state.ended = Some(winner);
}

#[cfg(test)]
mod tests {
    use crate::document::CombatMode;
    use crate::event::{Event, Winner};
    use crate::fixture::{act, refusal, table};
    use crate::rules::limits::Limit;
    use crate::state::State;
    use serde_json::json;
    use turnstone::{Game, Outcome};

    fn fight() -> State {
        table(|d| {
            d.combat.mode = CombatMode::Combat;
            d.combat.round = 1;
            d.combat.active_entity_id = Some("ada".into());
            d.combat.initiative_order = ["ada", "wolf", "imp", "bram"].map(str::to_string).to_vec();
        })
    }

    fn end_turn(state: &State) -> (State, Vec<Event>) {
        let active = state.stage.figure(state.combat.active.unwrap()).id.to_string();
        let (after, result) = act(state, json!({"type": "END_TURN", "entityId": active}));
        (after, result.unwrap())
    }

    #[test]
    fn a_fight_without_blood_is_drawn_and_told_before() {
        let (mut state, mut told) = (fight(), Vec::new());
        while state.ended.is_none() {
            let (after, events) = end_turn(&state);
            told.extend(events.into_iter().filter_map(|e| match e {
                Event::Warned { left, .. } => Some(left),
                Event::Drawn { limit } => {
                    assert_eq!(limit, Limit::Calm);
                    Some(0)
                }
                _ => None,
            }));
            state = after;
        }
        assert_eq!(told, [5, 1, 0]);
        assert_eq!(crate::Skirmish::default().outcome(&state), Some(Outcome::Drawn));
        assert_eq!(refusal(&state, json!({"type": "ROLL_INITIATIVE"})), "MATCH_OVER");
    }

    #[test]
    fn blood_between_the_sides_begins_the_count_anew() {
        let mut state = fight();
        state.combat.calm = 17;
        let mut body = state.clone();
        body.body_mut(2).cell = crate::board::Cell::new(2, 2);
        body.occupied.remove(state.stage.board.index(state.cell(2)));
        body.occupied.insert(state.stage.board.index(crate::board::Cell::new(2, 2)));
        let mut blows = 0;
        for _ in 0..40 {
            let (after, result) =
                act(&body, json!({"type": "ATTACK", "attackerId": "ada", "targetId": "wolf"}));
            let hit = matches!(&result.unwrap()[0], Event::Attacked(a) if a.damage > 0);
            assert_eq!(after.combat.calm, if hit { 0 } else { 17 });
            blows += usize::from(hit);
            let rolled = after.dice.clone();
            body.dice = rolled;
        }
        assert!((1..40).contains(&blows));
    }

    #[test]
    fn whoever_strolls_about_too_long_is_met() {
        let mut state = table(|_| {});
        for n in 0.. {
            let y = if n % 2 == 0 { 1 } else { 2 };
            let step = json!({"type": "MOVE", "entityId": "ada", "path": [{"x": 1, "y": y}]});
            state = act(&state, step).0;
            if state.combat.fighting {
                assert_eq!(n + 1, 200);
                return;
            }
        }
    }

    #[test]
    fn a_walk_with_nobody_to_meet_ends_too() {
        let mut state = table(|d| d.entities.npcs.clear());
        state.strolled = 199;
        let step = json!({"type": "MOVE", "entityId": "ada", "path": [{"x": 1, "y": 1}]});
        assert_eq!(act(&state, step).0.ended, Some(Winner::None));
    }
}
