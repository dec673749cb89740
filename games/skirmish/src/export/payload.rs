//! An event's type and payload, exactly as recorded.

use crate::board::Cell;
use crate::catalog::AbilityKind;
use crate::dice::total;
use crate::event::{AbilityUsed, Attacked, Event, Winner};
use crate::rules::defend;
use crate::stage::{BodyId, ConditionId};
use crate::state::State;
use serde_json::{Value, json};

/// The type and payload of an event; `before` is the state it happened in.
pub fn of(before: &State, event: &Event) -> (&'static str, Value) {
    let id = |body: BodyId| &*before.stage.figure(body).id;
    let word = |c: ConditionId| &*before.stage.conditions[usize::from(c)];
    match event {
        Event::Moved { body, path } => ("MOVE_APPLIED", moved(id(*body), path)),
        Event::Glimpsed { body, seen } => {
            ("MOVE_GLIMPSED", json!({"entityId": id(*body), "path": cells(seen)}))
        }
        Event::Halted { body, cell } => {
            ("MOVE_HALTED", json!({"entityId": id(*body), "before": {"x": cell.x, "y": cell.y}}))
        }
        Event::Shoved { corpse, to } => {
            ("CORPSE_SHOVED", json!({"entityId": id(*corpse), "finalPosition": {"x": to.x, "y": to.y}}))
        }
        Event::Attacked(attacked) => ("ATTACK_RESOLVED", self::attacked(before, attacked)),
        Event::AbilityUsed(used) => ("ABILITY_USED", ability(before, used)),
        Event::Defended { body, healed } => ("DEFEND_APPLIED", defended(before, *body, *healed)),
        Event::InitiativeRolled { order, .. } => {
            let places = order.iter().map(|(b, roll)| json!({"entityId": id(*b), "roll": roll}));
            ("INITIATIVE_ROLLED", json!({"order": places.collect::<Vec<_>>()}))
        }
        Event::TurnEnded { from, to, round } => {
            ("TURN_ENDED", json!({"entityId": id(*from), "nextEntityId": id(*to), "round": round}))
        }
        Event::TurnPassed { from, to, round } => {
            ("TURN_PASSED", json!({"entityId": from.map(id), "nextEntityId": to.map(id), "round": round}))
        }
        Event::ConditionExpired { body, condition } => {
            ("CONDITION_EXPIRED", json!({"entityId": id(*body), "condition": word(*condition)}))
        }
        Event::ConditionDamage { body, condition, dice, hp, .. } => (
            "CONDITION_DAMAGE",
            json!({
                "entityId": id(*body), "condition": word(*condition), "damage": total(dice), "hpAfter": hp,
            }),
        ),
        Event::CombatEnded { winner } => ("COMBAT_ENDED", ended(before, *winner)),
        Event::Warned { limit, left } => ("LIMIT_ANNOUNCED", json!({"limit": limit, "left": left})),
        Event::Drawn { limit } => ("MATCH_DRAWN", json!({"limit": limit, "finalRound": before.combat.round})),
        Event::Surrendered { side } => {
            ("SIDE_SURRENDERED", json!({"side": side, "finalRound": before.combat.round}))
        }
        Event::SeedSet { seed } => (
            "RNG_SEED_SET",
            json!({
                "previousSeed": before.dice.seed_text(), "previousMode": before.dice.mode,
                "nextSeed": &**seed, "mode": "seeded",
            }),
        ),
    }
}

fn cells(path: &[Cell]) -> Vec<Value> {
    path.iter().map(|c| json!({"x": c.x, "y": c.y})).collect()
}

fn moved(id: &str, path: &[Cell]) -> Value {
    let last = path.last().copied().unwrap_or_default();
    json!({"entityId": id, "path": cells(path), "finalPosition": {"x": last.x, "y": last.y}})
}

fn attacked(before: &State, event: &Attacked) -> Value {
    let stage = &before.stage;
    let (attacker, target) = (&*stage.figure(event.attacker).id, &*stage.figure(event.target).id);
    let ac = stage.figure(event.target).ac;
    let first = total(&event.first);
    let raw = event.second.as_deref().map_or(first, |s| first.min(total(s)));
    if !stage.is_modern() {
        return json!({
            "attackerId": attacker, "targetId": target, "attackRoll": raw.saturating_add(event.attack), "targetAc": ac.saturating_add(event.ac),
            "hit": event.hit, "damage": event.damage, "targetHpAfter": event.hp,
        });
    }
    json!({
        "attackerId": attacker, "targetId": target, "rawRoll": raw, "attackModifier": event.attack,
        "attackRoll": raw.saturating_add(event.attack), "targetBaseAc": ac, "acModifier": event.ac,
        "effectiveAc": ac.saturating_add(event.ac), "disadvantage": event.second.is_some(), "hit": event.hit,
        "damage": event.damage, "targetHpAfter": event.hp,
    })
}

fn ability(before: &State, event: &AbilityUsed) -> Value {
    let stage = &before.stage;
    let def = stage.ability_def(event.ability);
    let (caster, target) = (&*stage.figure(event.caster).id, &*stage.figure(event.target).id);
    match def.kind {
        AbilityKind::Attack => json!({
            "casterId": caster, "targetId": target, "abilityId": &*def.id, "abilityName": &*def.name,
            "abilityType": "attack", "attackRoll": total(&event.attack).saturating_add(def.bonus),
            "targetAc": stage.figure(event.target).ac, "hit": event.hit, "damage": total(&event.dice),
            "targetHpAfter": event.hp,
            "conditionApplied": event.applied.map(|c| &*stage.conditions[usize::from(c)]),
        }),
        AbilityKind::Heal => json!({
            "casterId": caster, "targetId": target, "abilityId": &*def.id, "abilityName": &*def.name,
            "abilityType": "heal", "healRoll": total(&event.dice),
            "actualHeal": event.hp - before.body(event.target).hp, "targetHpAfter": event.hp,
        }),
    }
}

fn defended(before: &State, body: BodyId, healed: i64) -> Value {
    let figure = before.stage.figure(body);
    let bonus = defend::ac_bonus(before);
    json!({
        "entityId": &*figure.id, "condition": defend::CONDITION, "acBonus": bonus,
        "duration": defend::turns(before), "effectiveAc": figure.ac.saturating_add(bonus), "hpHealed": healed,
        "hpAfter": before.body(body).hp.saturating_add(healed),
    })
}

fn ended(before: &State, winner: Winner) -> Value {
    let living = |mut bodies: std::ops::Range<BodyId>| {
        let ids = bodies.by_ref().filter(|b| !before.is_dead(*b));
        ids.map(|b| before.stage.figure(b).id.to_string()).collect::<Vec<_>>()
    };
    json!({
        "winner": winner, "finalRound": before.combat.round,
        "livingPlayers": living(before.stage.player_ids()), "livingNpcs": living(before.stage.npc_ids()),
    })
}
