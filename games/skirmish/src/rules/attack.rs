//! ATTACK: a roll against armour class, and damage.

use super::{Check, Spends, alive, budget, can_act, code, find, in_range, refuse, target_alive, turn_order};
use crate::action::Id;
use crate::catalog::DiceDef;
use crate::dice::{Faces, Source, total};
use crate::effect::{Effect, Strike};
use crate::event::{Attacked, Event};
use crate::reason::{self, Number, Reason, Source as By};
use crate::stage::{BodyId, DEAD};
use crate::state::State;
use turnstone::Notes;

/// Rolls that follow one another within one effect.
pub struct Rolls<'a> {
    source: &'a Source,
    made: u32,
    chain: Option<u32>,
}

impl<'a> Rolls<'a> {
    /// Rolls from where the state's dice stand.
    pub fn new(source: &'a Source) -> Rolls<'a> {
        Rolls { source, made: 0, chain: source.chain }
    }

    /// The next roll.
    pub fn roll(&mut self, count: u16, sides: u16) -> Faces {
        let rolled = self.source.roll_after(self.made, self.chain, count, sides);
        self.made += 1;
        self.chain = Some(rolled.chain);
        rolled.faces
    }

    /// The chain number that the event must carry.
    pub fn chain(&self) -> u32 {
        self.chain.unwrap_or(0)
    }
}

/// Checks an attack.
pub fn check(state: &State, attacker: &Id, target: &Id) -> Check {
    turn_order(state, attacker)?;
    budget(state, Spends::Action)?;
    if attacker == target {
        return refuse(code::SELF_ATTACK, "nobody attacks himself");
    }
    let (attacker, target) = (find(state, attacker)?, find(state, target)?);
    allowed(state, attacker, target)
}

/// The checks between two entities that exist.
pub fn allowed(state: &State, attacker: BodyId, target: BodyId) -> Check {
    alive(state, attacker)?;
    target_alive(state, target)?;
    if !state.stage.is_modern() {
        return Ok(());
    }
    can_act(state, attacker)?;
    in_range(state, attacker, target, state.stage.figure(attacker).reach)
}

/// The effect of an allowed attack, before anybody adds to it.
pub fn open(state: &State, attacker: &Id, target: &Id) -> Option<Effect> {
    Some(Effect::Strike(plain(state, find(state, attacker).ok()?, find(state, target).ok()?)))
}

/// A strike before anybody adds to it.
pub fn plain(state: &State, attacker: BodyId, target: BodyId) -> Strike {
    let module = &state.stage.rules.module;
    let attack = if module.attack_bonus { state.stage.figure(attacker).attack_bonus } else { 0 };
    Strike { attacker, target, attack, ac: 0, damage: 0, disadvantage: false }
}

/// What the attack roll must come to, before anything is added to it.
pub fn needed(state: &State, strike: &Strike) -> i64 {
    state.stage.figure(strike.target).ac.saturating_add(strike.ac).saturating_sub(strike.attack)
}

/// The dice that a hit of this attacker rolls; none where damage is flat.
pub fn weapon(state: &State, attacker: BodyId) -> Option<DiceDef> {
    let module = &state.stage.rules.module;
    if module.flat_damage.is_some() {
        return None;
    }
    let own = state.stage.figure(attacker).damage_dice.filter(|_| module.weapon_dice);
    Some(own.unwrap_or(module.damage))
}

/// Rolls to hit, twice at a disadvantage, and damage on a hit.
pub fn settle(state: &State, strike: &Strike, notes: &mut Notes<Reason>) -> Option<Event> {
    if state.is_dead(strike.attacker) || state.is_dead(strike.target) {
        return None;
    }
    let stage = &state.stage;
    let die = stage.rules.module.attack;
    let mut rolls = Rolls::new(&state.dice);
    let first = rolls.roll(die.count, die.sides);
    let second = strike.disadvantage.then(|| rolls.roll(die.count, die.sides));
    reason::rolled(strike.attack, &first, second.as_deref(), notes);
    let kept = second.as_deref().map_or(total(&first), |s| total(s).min(total(&first)));
    let hit = kept >= needed(state, strike);
    let die = weapon(state, strike.attacker).filter(|_| hit);
    let dice = die.map_or_else(Faces::new, |die| rolls.roll(die.count, die.sides));
    let damage = if hit { damage(state, strike, &dice, notes) } else { 0 };
    let before = state.body(strike.target).hp;
    let hp = before.saturating_sub(damage).max(0);
    reason::hit_points(before, hp, notes);
    Some(Event::Attacked(Attacked {
        attacker: strike.attacker,
        target: strike.target,
        first,
        second,
        attack: strike.attack,
        ac: strike.ac,
        hit,
        dice,
        damage,
        hp,
        chain: rolls.chain(),
    }))
}

fn damage(state: &State, strike: &Strike, dice: &[u16], notes: &mut Notes<Reason>) -> i64 {
    let flat = state.stage.rules.module.flat_damage;
    let damage = flat.unwrap_or_else(|| total(dice)).saturating_add(strike.damage);
    let by = Number::Damage.by(if flat.is_some() { By::Rule } else { By::Dice });
    match strike.damage {
        0 => notes.made(by, damage),
        added => notes.changed(by, added, damage),
    }
    notes.changed(Number::Damage.by(By::Limit), damage, damage.max(0));
    damage.max(0)
}

/// Writes the damage, the death and the dice.
pub fn apply(state: &mut State, event: &Attacked) {
    if event.hit {
        wound(state, event.target, event.hp);
        draw_blood(state, event.attacker, event.target, event.damage);
    }
    let rolls = 1 + u32::from(event.second.is_some()) + u32::from(!event.dice.is_empty());
    state.dice.advance(event.chain, rolls);
}

/// Only blows between the sides lead anywhere; both sides know of them.
pub fn draw_blood(state: &mut State, attacker: BodyId, target: BodyId, damage: i64) {
    let creatures = state.stage.creature_ids();
    let sides = state.stage.kind(attacker) != state.stage.kind(target);
    if damage > 0 && sides && creatures.contains(&attacker) && creatures.contains(&target) {
        super::limits::blood(state);
    }
}

/// Sets hit points; at 0 the bearer is dead.
pub fn wound(state: &mut State, body: BodyId, hp: i64) {
    state.body_mut(body).hp = hp;
    if hp == 0 && !state.is_dead(body) {
        state.mark(body, DEAD);
    }
}

#[cfg(test)]
mod tests {
    use crate::event::Event;
    use crate::fixture::{act, modern, refusal};
    use serde_json::{Value, json};

    fn attack(attacker: &str, target: &str) -> Value {
        json!({"type": "ATTACK", "attackerId": attacker, "targetId": target})
    }

    #[test]
    fn checks_come_in_their_order() {
        let state = modern(|d| d.entities.npcs[0].conditions.push("dead".into()));
        assert_eq!(refusal(&state, attack("nobody", "nobody")), "SELF_ATTACK");
        assert_eq!(refusal(&state, attack("nobody", "wolf")), "ENTITY_NOT_FOUND");
        assert_eq!(refusal(&state, attack("wolf", "wolf ")), "ENTITY_NOT_FOUND");
        assert_eq!(refusal(&state, attack("wolf", "ada")), "DEAD_ENTITY");
        assert_eq!(refusal(&state, attack("ada", "wolf")), "TARGET_DEAD");
        assert_eq!(refusal(&state, attack("ada", "imp")), "OUT_OF_RANGE");
    }

    #[test]
    fn conditions_add_up_and_count_each_time_they_are_listed() {
        let state = modern(|d| {
            d.entities.players[0].conditions = vec!["blessed".into(), "blessed".into(), "poisoned".into()];
            d.entities.npcs[0].conditions = vec!["stunned".into(), "dodging".into(), "stunned".into()];
            d.entities.npcs[0].position.x = 2;
        });
        let (_, result) = act(&state, attack("ada", "wolf"));
        let events = result.unwrap();
        let Event::Attacked(blow) = &events[0] else { panic!("{events:?}") };
        assert_eq!((blow.attack, blow.ac), (4, -2));
        assert!(blow.second.is_some(), "poisoned means two rolls");
    }

    #[test]
    fn a_stunned_creature_cannot_attack() {
        let state = modern(|d| d.entities.players[0].conditions.push("stunned".into()));
        assert_eq!(refusal(&state, attack("ada", "imp")), "INVALID_ACTION");
    }
}
