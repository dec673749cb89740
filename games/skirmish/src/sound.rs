//! Whether states and events that come from outside fit together.

use crate::board::Cell;
use crate::document::Kind;
use crate::event::Event;
use crate::stage::{BodyId, bit};
use crate::state::{CooldownKey, State};
use turnstone::Rejection;

/// Whether every id and cell in an event exists in this match.
pub fn fits(state: &State, event: &Event) -> bool {
    let body = |b: &BodyId| usize::from(*b) < state.bodies.len();
    let condition = |c: &u16| usize::from(*c) < state.stage.conditions.len();
    match event {
        Event::Moved { body: b, path } | Event::Glimpsed { body: b, seen: path } => {
            body(b) && path.iter().all(|c| on_map(state, *c))
        }
        Event::Halted { body: b, cell } => body(b) && on_map(state, *cell),
        Event::Shoved { corpse, to } => body(corpse) && on_map(state, *to),
        Event::Attacked(e) => body(&e.attacker) && body(&e.target),
        Event::AbilityUsed(e) => {
            body(&e.caster)
                && body(&e.target)
                && usize::from(e.ability) < state.stage.rules.abilities.len()
                && e.applied.is_none_or(|c| condition(&c))
        }
        Event::Defended { body: b, .. } => body(b),
        Event::InitiativeRolled { order, .. } => order.iter().all(|(b, _)| body(b)),
        Event::TurnEnded { from, to, .. } => body(from) && body(to),
        Event::ConditionExpired { body: b, condition: c }
        | Event::ConditionDamage { body: b, condition: c, .. } => body(b) && condition(c),
        Event::TurnPassed { from, to, .. } => from.iter().chain(to).all(body),
        Event::CombatEnded { .. }
        | Event::Warned { .. }
        | Event::Drawn { .. }
        | Event::Surrendered { .. }
        | Event::SeedSet { .. } => true,
    }
}

fn on_map(state: &State, cell: Cell) -> bool {
    cell.x < state.stage.board.width && cell.y < state.stage.board.height
}

/// Checks a whole state: everything it names exists, and what it keeps twice agrees.
///
/// # Errors
/// `BROKEN_STATE` with what does not fit.
pub fn check(state: &State) -> Result<(), Rejection> {
    let broken = |text: &str| Err(Rejection::new("BROKEN_STATE", text));
    if !names_exist(state) {
        return broken("the state names entities, conditions or abilities that its stage does not have");
    }
    if !cells_agree(state) {
        return broken("entities share a cell, stand in a wall, or the map of taken cells is wrong");
    }
    if !counts_agree(state) {
        return broken("condition marks, hit points or the count of the living do not agree");
    }
    Ok(())
}

fn names_exist(state: &State) -> bool {
    let stage = &state.stage;
    let body = |b: BodyId| usize::from(b) < stage.figures.len();
    let condition = |c: u16| usize::from(c) < stage.conditions.len();
    let ability = |key: &CooldownKey| match key {
        CooldownKey::Ability(a) => usize::from(*a) < stage.rules.abilities.len(),
        CooldownKey::Word(_) => true,
    };
    let active = state.combat.active.is_none_or(|b| state.combat.order.contains(&b));
    state.bodies.len() == stage.figures.len()
        && stage.figures.len() < usize::from(u16::MAX)
        && state.conditions.iter().all(|m| body(m.body) && condition(m.condition))
        && state.timers.iter().all(|t| body(t.body) && condition(t.condition))
        && state.cooldowns.iter().all(|c| body(c.body) && ability(&c.key))
        && state.combat.order.iter().all(|b| body(*b))
        && active
        && state.combat.fighting == state.combat.active.is_some()
}

fn cells_agree(state: &State) -> bool {
    let board = &state.stage.board;
    let mut taken = crate::board::CellSet::with_cells(board.cells());
    for body in &state.bodies {
        let index = board.index(body.cell);
        if !on_map(state, body.cell) || taken.has(index) || board.blocked.has(index) {
            return false;
        }
        taken.insert(index);
    }
    taken == state.occupied
}

fn counts_agree(state: &State) -> bool {
    let stage = &state.stage;
    let mask = |b: BodyId| state.conditions_of(b).fold(0, |mask, c| mask | bit(c));
    let hp = |b: BodyId| (0..=stage.figure(b).hp_max).contains(&state.body(b).hp);
    let living = |kind| stage.bodies().filter(|b| stage.kind(*b) == kind && !state.is_dead(*b)).count();
    stage.bodies().all(|b| state.body(b).mask == mask(b) && hp(b))
        && usize::from(state.living[0]) == living(Kind::Player)
        && usize::from(state.living[1]) == living(Kind::Npc)
}
