//! Adding, ending and counting down conditions and cooldowns.

use crate::catalog::Tick;
use crate::dice::total;
use crate::event::Event;
use crate::reason::{self, Number, Reason, Source};
use crate::rules::attack::{Rolls, wound};
use crate::stage::{AbilityId, BodyId, ConditionId, bit};
use crate::state::{Cooldown, CooldownKey, State, Timer};
use turnstone::Notes;

/// Adds a condition, or resets the turns of one that is there already.
pub fn add(state: &mut State, body: BodyId, condition: ConditionId, turns: u32) {
    if !state.has(body, condition) {
        state.mark(body, condition);
    }
    if turns == 0 {
        return;
    }
    state.body_mut(body).timed = true;
    let left = i64::from(turns);
    match state.timers.iter_mut().find(|t| t.body == body && t.condition == condition) {
        Some(timer) => timer.left = left,
        None => state.timers.push(Timer { body, condition, left }),
    }
}

/// Removes a condition and its count of turns.
pub fn remove(state: &mut State, body: BodyId, condition: ConditionId) {
    state.conditions.retain(|m| m.body != body || m.condition != condition);
    state.timers.retain(|t| t.body != body || t.condition != condition);
    let mask = state.conditions_of(body).fold(0, |mask, c| mask | bit(c));
    state.body_mut(body).mask = mask;
}

/// The conditions of a body that run out at this tick, in the order in which they came.
pub fn running_out(state: &State, body: BodyId, tick: Tick) -> impl Iterator<Item = ConditionId> + '_ {
    let due = move |t: &&Timer| t.body == body && t.left == 1 && state.stage.tick(t.condition) == tick;
    state.timers.iter().filter(due).map(|t| t.condition)
}

/// Counts a body's timed conditions down by one. Those that run out have ended before.
pub fn tick(state: &mut State, body: BodyId, tick: Tick) {
    let stage = state.stage.clone();
    for timer in state.timers.iter_mut().filter(|t| t.body == body && t.left > 0) {
        if stage.tick(timer.condition) == tick {
            timer.left -= 1;
        }
    }
}

/// Whether a body must wait for an ability.
pub fn has_cooldown(state: &State, body: BodyId, ability: AbilityId) -> bool {
    state.cooldown(body, ability) > 0
}

/// Makes a body wait for an ability.
pub fn set_cooldown(state: &mut State, body: BodyId, ability: AbilityId, turns: u32) {
    state.body_mut(body).cooling = true;
    let key = CooldownKey::Ability(ability);
    let left = i64::from(turns);
    match state.cooldowns.iter_mut().find(|c| c.body == body && c.key == key) {
        Some(cooldown) => cooldown.left = left,
        None => state.cooldowns.push(Cooldown { body, key, left }),
    }
}

/// Counts a body's cooldowns down by one and forgets those that end.
pub fn cool_down(state: &mut State, body: BodyId) {
    state.cooldowns.iter_mut().filter(|c| c.body == body).for_each(|c| c.left = c.left.saturating_sub(1));
    state.cooldowns.retain(|c| c.body != body || c.left > 0);
}

/// The end of a condition, unless it has ended meanwhile.
pub fn settle_expire(state: &State, body: BodyId, condition: ConditionId) -> Option<Event> {
    let timed = state.timers.iter().any(|t| t.body == body && t.condition == condition);
    timed.then_some(Event::ConditionExpired { body, condition })
}

/// The damage of a condition, unless its bearer is dead or rid of it.
pub fn settle_harm(
    state: &State,
    body: BodyId,
    condition: ConditionId,
    notes: &mut Notes<Reason>,
) -> Option<Event> {
    let die = state.stage.condition_def(condition)?.damage?;
    if state.is_dead(body) || !state.has(body, condition) {
        return None;
    }
    let mut rolls = Rolls::new(&state.dice);
    let dice = rolls.roll(die.count, die.sides);
    let before = state.body(body).hp;
    let hp = before.saturating_sub(total(&dice)).max(0);
    notes.made(Number::Damage.by(Source::Condition(body, condition)), total(&dice));
    reason::hit_points(before, hp, notes);
    Some(Event::ConditionDamage { body, condition, dice, hp, chain: rolls.chain() })
}

/// Writes the damage of a condition.
pub fn apply_harm(state: &mut State, body: BodyId, hp: i64, chain: u32) {
    wound(state, body, hp);
    state.dice.advance(chain, 1);
}
