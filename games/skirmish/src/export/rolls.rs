//! The roll records that an event adds to the trail.

use crate::catalog::{AbilityKind, DiceDef};
use crate::dice::{breakdown, total};
use crate::document::RollDoc;
use crate::event::{AbilityUsed, Attacked, Event};
use crate::stage::BodyId;
use crate::state::State;

/// The records of an event's rolls, numbered on from `held`.
pub fn of(before: &State, event: &Event, held: usize) -> Vec<RollDoc> {
    let mut out = Trail { before, held, rolls: Vec::new() };
    match event {
        Event::Attacked(attacked) => attack(&mut out, attacked),
        Event::AbilityUsed(used) => ability(&mut out, used),
        Event::InitiativeRolled { order, .. } => {
            // They rolled in the order of the lists; the event holds the order of the results.
            let mut rolled = order.clone();
            rolled.sort_by_key(|(body, _)| *body);
            for (body, roll) in rolled {
                let label = format!("{} initiative", out.name(body));
                out.push(DiceDef::new(1, 20), &[roll], label);
            }
        }
        Event::ConditionDamage { body, condition, dice, .. } => {
            let word = &before.stage.conditions[usize::from(*condition)];
            let die = before.stage.condition_def(*condition).and_then(|d| d.damage);
            let label = format!("{} {word} damage", out.name(*body));
            out.push(die.unwrap_or(DiceDef::new(1, 4)), dice, label);
        }
        _ => {}
    }
    out.rolls
}

fn attack(out: &mut Trail, event: &Attacked) {
    let module = &out.before.stage.rules.module;
    let (attacker, target) = (out.name(event.attacker).to_string(), out.name(event.target).to_string());
    out.push(module.attack, &event.first, format!("{attacker} attack roll vs {target}"));
    if let Some(second) = &event.second {
        out.push(module.attack, second, format!("{attacker} disadvantage re-roll"));
    }
    if !event.dice.is_empty() {
        let own = out.before.stage.figure(event.attacker).damage_dice.filter(|_| module.weapon_dice);
        out.push(own.unwrap_or(module.damage), &event.dice, format!("{attacker} damage vs {target}"));
    }
}

fn ability(out: &mut Trail, event: &AbilityUsed) {
    let def = out.before.stage.ability_def(event.ability);
    let who = format!("{} {}", out.name(event.caster), def.name);
    let word = match def.kind {
        AbilityKind::Attack => "damage",
        AbilityKind::Heal => "heal",
    };
    if !event.attack.is_empty() {
        out.push(out.before.stage.rules.module.attack, &event.attack, format!("{who} attack roll"));
    }
    if !event.dice.is_empty() {
        out.push(def.dice, &event.dice, format!("{who} {word}"));
    }
}

struct Trail<'a> {
    before: &'a State,
    held: usize,
    rolls: Vec<RollDoc>,
}

impl<'a> Trail<'a> {
    fn name(&self, body: BodyId) -> &'a str {
        &self.before.stage.figure(body).name
    }

    fn push(&mut self, dice: DiceDef, faces: &[u16], label: String) {
        self.rolls.push(RollDoc {
            id: format!("roll-{}", self.held + self.rolls.len() + 1),
            timestamp: self.before.stage.document.timestamp.clone(),
            formula: dice.to_string(),
            result_total: total(faces),
            breakdown: Some(breakdown(faces)),
            source: Some(label),
        });
    }
}
