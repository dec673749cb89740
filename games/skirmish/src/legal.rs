//! Every action that is allowed now, and the listed form of any allowed one.

use crate::action::{Action, Verb};
use crate::board::Cell;
use crate::queries::reach::{reach, reach_to};
use crate::rules::{Spends, ability, attack, budget, initiative, known};
use crate::stage::BodyId;
use crate::state::State;

/// Lists the allowed actions: for each who may act one way to every cell in
/// reach, every target, every ability; then the end of the turn.
pub fn list(state: &State, out: &mut Vec<Action>) {
    match state.combat.active.filter(|_| state.combat.fighting) {
        Some(body) => {
            list_body(state, body, out);
            out.push(Action::end_turn(&state.stage.figure(body).id));
        }
        None => {
            let led = match state.stage.rules.house {
                Some(_) => state.stage.player_ids(),
                None => state.stage.bodies(),
            };
            led.for_each(|body| list_body(state, body, out));
            if initiative::check(state).is_ok() {
                out.push(Action::roll_initiative());
            }
        }
    }
}

fn list_body(state: &State, body: BodyId, out: &mut Vec<Action>) {
    if state.is_dead(body) {
        return;
    }
    if budget(state, Spends::Movement).is_ok() {
        let id = &state.stage.figure(body).id;
        out.extend(reach(state, body).into_iter().map(|(_, path)| Action::walk(id, path)));
    }
    if budget(state, Spends::Action).is_ok() {
        list_attacks(state, body, out);
        list_abilities(state, body, out);
        if state.stage.is_modern() && state.stage.creature_ids().contains(&body) {
            out.push(Action::defend(&state.stage.figure(body).id));
        }
    }
}

fn list_attacks(state: &State, body: BodyId, out: &mut Vec<Action>) {
    let id = &state.stage.figure(body).id;
    let targets = state.stage.bodies().filter(|t| *t != body && attack::allowed(state, body, *t).is_ok());
    out.extend(targets.map(|t| Action::attack(id, &state.stage.figure(t).id)));
}

fn list_abilities(state: &State, body: BodyId, out: &mut Vec<Action>) {
    if !state.stage.is_modern() {
        return;
    }
    let figure = state.stage.figure(body);
    let mut known = figure.abilities.clone();
    known.sort_unstable();
    known.dedup();
    for ability in known {
        let targets = state.stage.bodies().filter(|t| ability::allowed(state, body, *t, ability).is_ok());
        let id = &state.stage.ability_def(ability).id;
        out.extend(targets.map(|t| Action::use_ability(&figure.id, id, &state.stage.figure(t).id)));
    }
}

/// The listed form: stray names dropped, a path replaced by the listed one to the same cell.
/// SET_SEED is the game master's and is never listed.
pub fn canonical(state: &State, action: &Action) -> Option<Action> {
    match &action.verb {
        Verb::SetSeed { .. } | Verb::Malformed { .. } => None,
        Verb::Move { entity, path } => {
            let body = known(state, entity)?;
            let last = path.last()?;
            let goal = Cell::new(u8::try_from(last.x).ok()?, u8::try_from(last.y).ok()?);
            let listed = reach_to(state, body, goal)?;
            Some(Action::walk(&state.stage.figure(body).id, listed))
        }
        verb => Some(verb.clone().into()),
    }
}
