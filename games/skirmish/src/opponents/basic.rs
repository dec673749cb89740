//! The basic plan of an npc: attack a neighbour, or walk up to the nearest foe
//! that can be reached and attack it.

use super::cut_to_speed;
use crate::action::Action;
use crate::board::Path;
use crate::queries::path::find_path_adjacent;
use crate::queries::reach::into_range;
use crate::rules::attack::allowed;
use crate::stage::BodyId;
use crate::state::State;
use std::sync::Arc;

/// How far a planned walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// As far as this turn's speed lasts, never stopping on a corpse or a thing.
    ThisTurn,
    /// The whole way, as recorded, although a move that long is refused.
    WholeWay,
}

/// The plan of whoever has this id; an unknown, dead or unopposed one ends its turn.
pub fn plan(state: &State, entity: &str) -> Vec<Action> {
    plan_with(state, entity, Stride::ThisTurn)
}

/// The same with a choice of stride.
pub fn plan_with(state: &State, entity: &str, stride: Stride) -> Vec<Action> {
    let mut actions = Vec::new();
    if let Some(body) = state.stage.find(entity).filter(|b| !state.is_dead(*b)) {
        actions = fight(state, body, stride);
    }
    actions.push(Action::end_turn(&Arc::from(entity)));
    actions
}

fn fight(state: &State, body: BodyId, stride: Stride) -> Vec<Action> {
    let here = state.cell(body);
    let mut foes: Vec<BodyId> = state.hostiles(body).collect();
    foes.sort_by_key(|f| here.manhattan(state.cell(*f)));
    let id = &state.stage.figure(body).id;
    let attack = |foe: BodyId| Action::attack(id, &state.stage.figure(foe).id);
    if let Some(foe) = foes.iter().find(|f| here.manhattan(state.cell(**f)) == 1) {
        return vec![attack(*foe)];
    }
    for foe in foes.iter().copied() {
        let Some(path) = approach(state, body, foe, stride) else { continue };
        let last = path.last().copied().unwrap_or(here);
        let mut actions = vec![Action::walk(id, path)];
        if last.manhattan(state.cell(foe)) == 1 {
            actions.push(attack(foe));
        }
        return actions;
    }
    // Nowhere to go, but perhaps somebody across a corner.
    let reachable = foes.into_iter().find(|f| allowed(state, body, *f).is_ok());
    reachable.filter(|_| stride == Stride::ThisTurn).map(attack).into_iter().collect()
}

fn approach(state: &State, body: BodyId, foe: BodyId, stride: Stride) -> Option<Path> {
    let whole = || find_path_adjacent(state, body, foe).map(|(_, route)| route.path);
    let path = match stride {
        Stride::WholeWay => whole()?,
        Stride::ThisTurn => {
            let way = whole().map(|path| cut_to_speed(state, body, &path)).filter(|path| !path.is_empty());
            // The nearest cell beside the foe may be no place to stop.
            way.or_else(|| Some(cut_to_speed(state, body, &into_range(state, body, state.cell(foe), 1)?)))?
        }
    };
    (!path.is_empty()).then_some(path)
}
