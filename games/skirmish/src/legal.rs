//! Every action that is allowed now, and the listed form of any allowed one.

use crate::action::{Action, Verb};
use crate::board::Cell;
use crate::queries::reach::{reach, reach_to};
use crate::rules::{Spends, ability, attack, budget, initiative, known};
use crate::stage::BodyId;
use crate::state::State;

/// Lists the allowed actions: what is done to foes and for friends first, then the end of the turn,
/// one way to every cell in reach, and last of all blows at things and at one's own side.
pub fn list(state: &State, out: &mut Vec<Action>) {
    match state.combat.active.filter(|_| state.combat.fighting) {
        Some(body) => {
            list_acts(state, body, out);
            out.push(Action::end_turn(&state.stage.figure(body).id));
            list_walks(state, body, out);
            list_odd(state, body, out);
        }
        None => {
            if initiative::check(state).is_ok() {
                out.push(Action::roll_initiative());
            }
            let led = match state.stage.rules.house {
                Some(_) => state.stage.player_ids(),
                None => state.stage.bodies(),
            };
            led.clone().for_each(|body| list_acts(state, body, out));
            led.clone().for_each(|body| list_walks(state, body, out));
            led.for_each(|body| list_odd(state, body, out));
        }
    }
}

/// What the living do with the action of their turn.
fn may_act(state: &State, body: BodyId) -> bool {
    !state.is_dead(body) && budget(state, Spends::Action).is_ok()
}

fn list_acts(state: &State, body: BodyId, out: &mut Vec<Action>) {
    if !may_act(state, body) {
        return;
    }
    list_attacks(state, body, true, out);
    list_abilities(state, body, true, out);
    if state.stage.is_modern() && state.stage.creature_ids().contains(&body) {
        out.push(Action::defend(&state.stage.figure(body).id));
    }
}

fn list_walks(state: &State, body: BodyId, out: &mut Vec<Action>) {
    if state.is_dead(body) || budget(state, Spends::Movement).is_err() {
        return;
    }
    let id = &state.stage.figure(body).id;
    out.extend(reach(state, body).into_iter().map(|(_, path)| Action::walk(id, path)));
}

/// Allowed, and seldom meant.
fn list_odd(state: &State, body: BodyId, out: &mut Vec<Action>) {
    if may_act(state, body) {
        list_abilities(state, body, false, out);
        list_attacks(state, body, false, out);
    }
}

/// Whether a blow at this target is what one would expect.
fn is_foe(state: &State, body: BodyId, target: BodyId) -> bool {
    state.stage.kind(body) != state.stage.kind(target) && state.stage.creature_ids().contains(&target)
}

fn list_attacks(state: &State, body: BodyId, foes: bool, out: &mut Vec<Action>) {
    let id = &state.stage.figure(body).id;
    let wanted = |t: &BodyId| *t != body && is_foe(state, body, *t) == foes;
    let targets = state.stage.bodies().filter(wanted).filter(|t| attack::allowed(state, body, *t).is_ok());
    out.extend(targets.map(|t| Action::attack(id, &state.stage.figure(t).id)));
}

/// Abilities on creatures, or those on things.
fn list_abilities(state: &State, body: BodyId, creatures: bool, out: &mut Vec<Action>) {
    if !state.stage.is_modern() {
        return;
    }
    let figure = state.stage.figure(body);
    let mut known = figure.abilities.clone();
    known.sort_unstable();
    known.dedup();
    for ability in known {
        let wanted = |t: &BodyId| state.stage.creature_ids().contains(t) == creatures;
        let targets = state.stage.bodies().filter(wanted);
        let targets = targets.filter(|t| ability::allowed(state, body, *t, ability).is_ok());
        let id = &state.stage.ability_def(ability).id;
        out.extend(targets.map(|t| Action::use_ability(&figure.id, id, &state.stage.figure(t).id)));
    }
}

/// The listed form: stray names dropped, a path replaced by the listed one to the same cell.
/// SET_SEED is the game master's and is never listed, nor is SURRENDER, which may be sent at any time.
pub fn canonical(state: &State, action: &Action) -> Option<Action> {
    match &action.verb {
        Verb::Surrender { .. } | Verb::SetSeed { .. } | Verb::Malformed { .. } => None,
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
