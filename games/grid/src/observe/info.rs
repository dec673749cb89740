//! The dictionary of the agent, its status and the configuration, as the
//! reference's environment gives it.

use serde_json::{Value, json};

use crate::component::Mask;
use crate::moves::MoveRule;
use crate::objective::Objective;
use crate::world::{Slot, World};

/// Agent, status, configuration and message. Absent numbers are −1, absent texts empty.
pub fn info(world: &World) -> Value {
    let agent = world.first_agent();
    json!({
        "agent": agent_info(world, agent),
        "status": {
            "score": world.live.score,
            "phase": phase(world),
            "turn": world.live.turn,
        },
        "config": {
            "move_fn": move_name(world.cast.move_rule),
            "objective_fn": objective_name(&world.cast.objective),
            "seed": world.cast.seed.unwrap_or(-1),
            "width": world.cast.bounds.width,
            "height": world.cast.bounds.height,
            "turn_limit": world.cast.turn_limit.unwrap_or(-1),
        },
        "message": world.cast.message.as_deref().unwrap_or(""),
    })
}

/// As [`info`], with the name of the objective blacked out: for cipher levels, whose message is the
/// only hint.
pub fn info_redacted(world: &World) -> Value {
    let mut info = info(world);
    info["config"]["objective_fn"] = "<REDACTED>".into();
    info
}

/// `win`, `lose` or `ongoing`.
pub(crate) fn phase(world: &World) -> &'static str {
    match (world.live.win, world.live.lose) {
        (true, _) => "win",
        (false, true) => "lose",
        _ => "ongoing",
    }
}

fn agent_info(world: &World, agent: Option<Slot>) -> Value {
    let mortal = agent.filter(|agent| world.has(*agent, Mask::HEALTH));
    let health = mortal.map_or((-1, -1), |agent| (world.health(agent), world.cast.of(agent).max_health));
    let list = |slots: &[Slot], show: fn(&World, Slot) -> Value| -> Vec<Value> {
        slots.iter().map(|slot| show(world, *slot)).collect()
    };
    json!({
        "health": { "health": health.0, "max_health": health.1 },
        "effects": agent.map_or(Vec::new(), |agent| list(world.status(agent), effect_info)),
        "inventory": agent.map_or(Vec::new(), |agent| list(world.inventory(agent), item_info)),
    })
}

fn effect_info(world: &World, effect: Slot) -> Value {
    let kinds = [(Mask::IMMUNITY, "IMMUNITY"), (Mask::PHASING, "PHASING"), (Mask::SPEED, "SPEED")];
    let kind = kinds.iter().find(|(kind, _)| world.has(effect, *kind)).map_or("", |(_, name)| *name);
    let (limit, amount) = match (world.uses_left(effect), world.time_left(effect)) {
        (Some(uses), _) => ("USAGE", uses),
        (None, Some(time)) => ("TIME", time),
        (None, None) => ("", -1),
    };
    json!({
        "id": world.cast.id(effect),
        "type": kind,
        "limit_type": limit,
        "limit_amount": amount,
        "multiplier": if kind == "SPEED" { world.cast.of(effect).multiplier } else { -1 },
    })
}

fn item_info(world: &World, item: Slot) -> Value {
    let kind = match world.mask(item) {
        mask if mask.any(Mask::KEY) => "key",
        mask if mask.all(Mask::COLLECTIBLE | Mask::REQUIRABLE) => "core",
        mask if mask.any(Mask::COLLECTIBLE) => "coin",
        _ => "item",
    };
    let key = world.cast.key_id(item).filter(|_| world.has(item, Mask::KEY));
    json!({
        "id": world.cast.id(item),
        "type": kind,
        "key_id": key.unwrap_or(""),
        "appearance_name": world.cast.look(item).map_or("", |look| look.name.as_str()),
    })
}

fn move_name(rule: MoveRule) -> &'static str {
    match rule {
        MoveRule::Cardinal => "cardinal_move_fn",
        MoveRule::Wrap => "wrap_around_move_fn",
        MoveRule::Mirror => "mirror_move_fn",
        MoveRule::Slippery => "slippery_move_fn",
        MoveRule::Windy => "windy_move_fn",
        MoveRule::Gravity => "gravity_move_fn",
    }
}

/// The reference's name of an objective; one of the level's own is told as it is written.
fn objective_name(objective: &Objective) -> String {
    match objective {
        Objective::Exit => "exit_objective_fn".into(),
        Objective::Collect => "collect_objective_fn".into(),
        Objective::CollectExit => "collect_and_exit_objective_fn".into(),
        Objective::Unlock => "all_unlocked_objective_fn".into(),
        Objective::Push => "all_pushable_at_exit_objective_fn".into(),
        Objective::Own(_) => objective.to_string(),
    }
}
