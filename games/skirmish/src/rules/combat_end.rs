//! Combat ends when a side has nobody left (later profile only).

use crate::event::{Event, Winner};
use crate::state::{Combat, State};

/// Whether combat is to end now.
pub fn due(state: &State) -> bool {
    state.combat.fighting && state.stage.is_modern() && state.living.contains(&0)
}

/// Who has won, if a side has nobody left.
pub fn winner(state: &State) -> Option<Winner> {
    match state.living {
        [0, 0] => Some(Winner::None),
        [_, 0] => Some(Winner::Players),
        [0, _] => Some(Winner::Npcs),
        _ => None,
    }
}

/// The fact, unless somebody came back.
pub fn settle(state: &State) -> Option<Event> {
    let winner = winner(state).filter(|_| state.combat.fighting)?;
    Some(Event::CombatEnded { winner })
}

/// Back to exploration. The budget stays as it is; it binds nobody there.
pub fn apply(state: &mut State) {
    let budget = state.combat.budget;
    state.combat = Combat { budget, ..Combat::default() };
    state.told = 0;
}
