//! SET_SEED: the game master gives the dice a new seed and empties the trail.

use crate::state::State;
use std::sync::Arc;

/// Writes the seed. In combat an accepted action also opens the budget.
pub fn apply(state: &mut State, seed: &Arc<str>) {
    state.dice.reseed(seed);
    if state.combat.fighting && state.stage.is_modern() {
        state.combat.budget.get_or_insert_default();
    }
}
