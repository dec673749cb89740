//! USE_ABILITY: attacks with dice and conditions of their own, and healing.

use super::attack::{Rolls, draw_blood, wound};
use super::conditions::{add, has_cooldown};
use super::{Check, Spends, alive, budget, can_act, code, find, in_range, refuse, target_alive, turn_order};
use crate::action::Id;
use crate::catalog::AbilityKind;
use crate::dice::{Faces, total};
use crate::effect::Effect;
use crate::event::{AbilityUsed, Event};
use crate::reason::{self, Number, Reason, Source};
use crate::stage::{AbilityId, BodyId};
use crate::state::State;
use turnstone::Notes;

/// Checks the use of an ability.
pub fn check(state: &State, caster: &Id, ability: &Id, target: &Id) -> Check {
    turn_order(state, caster)?;
    budget(state, Spends::Action)?;
    let Some(known) = ability.text().and_then(|id| state.stage.ability(id)) else {
        return refuse(code::INVALID_ACTION, format!("there is no ability {ability}"));
    };
    let (caster, target) = (find(state, caster)?, find(state, target)?);
    allowed(state, caster, target, known)
}

/// The checks between two entities that exist.
pub fn allowed(state: &State, caster: BodyId, target: BodyId, ability: AbilityId) -> Check {
    let def = state.stage.ability_def(ability);
    alive(state, caster)?;
    target_alive(state, target)?;
    in_range(state, caster, target, def.range)?;
    let same_kind = state.stage.kind(caster) == state.stage.kind(target);
    match def.kind {
        AbilityKind::Attack if same_kind => {
            return refuse(code::INVALID_ACTION, format!("{} is not for one's own side", def.name));
        }
        AbilityKind::Heal if !same_kind => {
            return refuse(code::INVALID_ACTION, format!("{} is for one's own side", def.name));
        }
        _ => {}
    }
    if has_cooldown(state, caster, ability) {
        let left = state.cooldown(caster, ability);
        return refuse(code::INVALID_ACTION, format!("{} is ready again in {left} turns", def.name));
    }
    if !state.stage.figure(caster).abilities.contains(&ability) {
        let name = &state.stage.figure(caster).called;
        return refuse(code::INVALID_ACTION, format!("{name} does not know {}", def.name));
    }
    can_act(state, caster)
}

/// The effect of an allowed use.
pub fn open(state: &State, caster: &Id, ability: &Id, target: &Id) -> Option<Effect> {
    let ability = state.stage.ability(ability.text()?)?;
    Some(Effect::Cast { caster: find(state, caster).ok()?, target: find(state, target).ok()?, ability })
}

/// Rolls it out. Conditions on either side do not count here.
pub fn settle(
    state: &State,
    (caster, target): (BodyId, BodyId),
    ability: AbilityId,
    notes: &mut Notes<Reason>,
) -> Option<Event> {
    if state.is_dead(caster) || state.is_dead(target) {
        return None;
    }
    Some(Event::AbilityUsed(match state.stage.ability_def(ability).kind {
        AbilityKind::Attack => strike(state, (caster, target), ability, notes),
        AbilityKind::Heal => heal(state, (caster, target), ability, notes),
    }))
}

/// What the attack roll of an ability must come to. Conditions on either side do not count.
pub fn needed(state: &State, target: BodyId, ability: AbilityId) -> i64 {
    state.stage.figure(target).ac.saturating_sub(state.stage.ability_def(ability).bonus)
}

fn strike(
    state: &State,
    (caster, target): (BodyId, BodyId),
    ability: AbilityId,
    notes: &mut Notes<Reason>,
) -> AbilityUsed {
    let (stage, def) = (&state.stage, state.stage.ability_def(ability));
    let die = stage.rules.module.attack;
    let mut rolls = Rolls::new(&state.dice);
    let attack = rolls.roll(die.count, die.sides);
    notes.made(Number::ToHit.by(Source::Ability(ability)), def.bonus);
    notes.made(Number::ArmourClass.by(Source::Figure(target)), stage.figure(target).ac);
    reason::rolled(def.bonus, &attack, None, notes);
    let hit = total(&attack) >= needed(state, target, ability);
    let dice = if hit { rolls.roll(def.dice.count, def.dice.sides) } else { Faces::new() };
    let before = state.body(target).hp;
    let hp = before.saturating_sub(total(&dice)).max(0);
    if hit {
        notes.made(Number::Damage.by(Source::Dice), total(&dice));
    }
    reason::hit_points(before, hp, notes);
    let condition = def.applies.as_deref().and_then(|name| stage.condition(name));
    // A corpse takes no condition.
    let applied = condition.filter(|_| hit && hp > 0);
    AbilityUsed { caster, target, ability, attack, hit, dice, hp, applied, chain: rolls.chain() }
}

fn heal(
    state: &State,
    (caster, target): (BodyId, BodyId),
    ability: AbilityId,
    notes: &mut Notes<Reason>,
) -> AbilityUsed {
    let def = state.stage.ability_def(ability);
    let mut rolls = Rolls::new(&state.dice);
    let dice = rolls.roll(def.dice.count, def.dice.sides);
    let before = state.body(target).hp;
    let hp = before.saturating_add(total(&dice)).min(state.stage.figure(target).hp_max);
    notes.made(Number::Healing.by(Source::Dice), total(&dice));
    notes.changed(Number::Healing.by(Source::Limit), total(&dice), hp - before);
    reason::hit_points(before, hp, notes);
    let (attack, chain) = (Faces::new(), rolls.chain());
    AbilityUsed { caster, target, ability, attack, hit: true, dice, hp, applied: None, chain }
}

/// Writes hit points, condition, cooldown and dice.
pub fn apply(state: &mut State, event: &AbilityUsed) {
    let stage = state.stage.clone();
    let def = stage.ability_def(event.ability);
    match def.kind {
        AbilityKind::Attack if event.hit => {
            wound(state, event.target, event.hp);
            draw_blood(state, event.caster, event.target, total(&event.dice));
        }
        AbilityKind::Attack => {}
        AbilityKind::Heal => state.body_mut(event.target).hp = event.hp,
    }
    if let Some(condition) = event.applied {
        add(state, event.target, condition, def.turns);
    }
    if def.cooldown > 0 {
        super::conditions::set_cooldown(state, event.caster, event.ability, def.cooldown);
    }
    let rolls = u32::from(!event.attack.is_empty()) + u32::from(!event.dice.is_empty());
    state.dice.advance(event.chain, rolls);
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::event::Event;
    use crate::fixture::{act, modern, refusal};
    use serde_json::{Value, json};

    fn cast(caster: &str, ability: &str, target: &str) -> Value {
        json!({"type": "USE_ABILITY", "casterId": caster, "abilityId": ability, "targetId": target})
    }

    fn knowing(document: &mut Document, abilities: &[&str]) {
        document.entities.players[0].abilities = Some(abilities.iter().map(|a| a.to_string()).collect());
    }

    #[test]
    fn only_what_one_knows_can_be_used() {
        let state = modern(|d| knowing(d, &["healing_word"]));
        assert_eq!(refusal(&state, cast("ada", "firebolt", "wolf")), "INVALID_ACTION");
        assert!(act(&state, cast("ada", "healing_word", "ada")).1.is_ok());
        for word in ["meteor", "constructor", "toString", "__proto__"] {
            assert_eq!(refusal(&state, cast("ada", word, "wolf")), "INVALID_ACTION");
        }
    }

    #[test]
    fn the_stunned_do_not_cast_and_the_dead_are_not_healed() {
        let state = modern(|d| {
            knowing(d, &["healing_word", "firebolt"]);
            d.entities.players[1].conditions.push("dead".into());
        });
        assert_eq!(refusal(&state, cast("ada", "healing_word", "bram")), "TARGET_DEAD");
        let state = modern(|d| {
            knowing(d, &["firebolt"]);
            d.entities.players[0].conditions.push("stunned".into());
        });
        assert_eq!(refusal(&state, cast("ada", "firebolt", "wolf")), "INVALID_ACTION");
    }

    #[test]
    fn a_killing_blow_leaves_no_condition_on_the_corpse() {
        let state = modern(|d| {
            knowing(d, &["poison_strike"]);
            d.entities.npcs[0].position.x = 2;
            d.entities.npcs[0].stats.ac = 0;
            d.entities.npcs[0].stats.hp_current = 1;
        });
        let (after, result) = act(&state, cast("ada", "poison_strike", "wolf"));
        let events = result.unwrap();
        let Event::AbilityUsed(used) = &events[0] else { panic!("{events:?}") };
        assert!(used.hit && used.applied.is_none());
        assert!(after.is_dead(2));
        assert_eq!(refusal(&after, cast("ada", "poison_strike", "wolf")), "TARGET_DEAD");
    }

    #[test]
    fn a_cooldown_waits_in_exploration_for_ever() {
        let state = modern(|d| knowing(d, &["healing_word"]));
        let (after, _) = act(&state, cast("ada", "healing_word", "bram"));
        assert_eq!(refusal(&after, cast("ada", "healing_word", "bram")), "INVALID_ACTION");
    }
}
