//! The difficulty's attack, damage and armour modifiers for the computer's
//! side. Only rule modules with `difficulty_modifiers` have an edge.

use crate::document::Kind;
use crate::effect::{Listener, Strike};
use crate::reason::{self, Reason, Source};
use crate::stage::Edge;
use crate::state::State;
use turnstone::{Listeners, Notes, Verdict};

/// Listens when there is an edge and the computer's side is concerned.
pub fn list(state: &State, strike: &Strike, heard: &mut Listeners<Listener>) {
    if state.stage.rules.edge != Edge::default() && concerns(state, strike) {
        heard.push(10, Listener::Edge);
    }
}

fn concerns(state: &State, strike: &Strike) -> bool {
    [strike.attacker, strike.target].into_iter().any(|b| state.stage.kind(b) == Kind::Npc)
}

/// Adds the edge on whichever side the computer is.
pub fn before(state: &State, strike: &mut Strike, notes: &mut Notes<Reason>) -> Verdict {
    let from = *strike;
    let edge = state.stage.rules.edge;
    if state.stage.kind(strike.attacker) == Kind::Npc {
        strike.attack = strike.attack.saturating_add(edge.attack);
        strike.damage = strike.damage.saturating_add(edge.damage);
    }
    if state.stage.kind(strike.target) == Kind::Npc {
        strike.ac = strike.ac.saturating_add(edge.ac);
    }
    reason::altered(state, Source::Difficulty, &from, strike, notes);
    Verdict::Altered
}
