//! SURRENDER: a side gives up, at any time (rules of the house).

use super::{Check, code, refuse};
use crate::action::Side;
use crate::event::{Event, Winner};
use crate::state::State;

/// Checks that there is anybody to surrender to.
pub fn check(state: &State) -> Check {
    if state.stage.rules.house.is_none() {
        return refuse(code::INVALID_ACTION, "recorded play knows no surrender");
    }
    if state.stage.players == 0 || state.stage.npcs == 0 {
        return refuse(code::INVALID_ACTION, "there is nobody to surrender to");
    }
    Ok(())
}

/// The fact, unless the match is over already.
pub fn settle(state: &State, side: Side) -> Option<Event> {
    state.ended.is_none().then_some(Event::Surrendered { side })
}

/// Who has won when a side has given up.
pub fn winner(side: Side) -> Winner {
    match side {
        Side::Players => Winner::Npcs,
        Side::Npcs => Winner::Players,
    }
}

#[cfg(test)]
mod tests {
    use crate::event::{Event, Winner};
    use crate::fixture::{act, modern, refusal, table};
    use serde_json::json;

    #[test]
    fn a_side_gives_up_and_the_other_has_won() {
        let state = table(|_| {});
        let (after, result) = act(&state, json!({"type": "SURRENDER", "side": "npcs"}));
        assert!(matches!(result.unwrap()[..], [Event::Surrendered { .. }]));
        assert_eq!(after.ended, Some(Winner::Players));
        // Without a side it is the side whose turn it is.
        let (after, _) = act(&state, json!({"type": "SURRENDER"}));
        assert_eq!(after.ended, Some(Winner::Npcs));
        assert_eq!(refusal(&after, json!({"type": "SURRENDER"})), "MATCH_OVER");
    }

    #[test]
    fn there_is_no_surrender_to_nobody_nor_in_recorded_play() {
        assert_eq!(refusal(&modern(|_| {}), json!({"type": "SURRENDER"})), "INVALID_ACTION");
        let alone = table(|d| d.entities.npcs.clear());
        assert_eq!(refusal(&alone, json!({"type": "SURRENDER"})), "INVALID_ACTION");
        assert_eq!(refusal(&table(|_| {}), json!({"type": "SURRENDER", "side": "cats"})), "INVALID_ACTION");
    }
}
