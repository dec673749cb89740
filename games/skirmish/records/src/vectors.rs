//! Function-level vectors whose records stand alone.

use serde_json::{Value, json};
use turnstone_skirmish::catalog::Catalog;
use turnstone_skirmish::dice::{Source, breakdown, djb2};
use turnstone_skirmish::document::{invariants, validate};
use turnstone_skirmish::json::canonical;
use turnstone_skirmish::opponents::basic;
use turnstone_skirmish::queries::path::find_path_adjacent;
use turnstone_skirmish::queries::sight::{Faction, visible};
use turnstone_skirmish::state::State;
use turnstone_skirmish::text::model_output;
use turnstone_skirmish::world::dungeon::{self, Spot};
use turnstone_skirmish::world::encounter::{Placement, Request, encounter};
use turnstone_skirmish::{Profile, hash};

use crate::compare::same;
use crate::permissions::allows;
use crate::worlds::open_world;
use crate::{Kind, Outcome};

/// Checks one record of a kind.
pub(crate) fn check(kind: Kind, record: &Value) -> Outcome {
    match kind {
        Kind::Rng => rng(record),
        Kind::Hash => hashes(record),
        Kind::PathAdjacent => adjacent(record),
        Kind::Visibility => visibility(record),
        Kind::NpcPlan => npc_plan(record),
        Kind::Validation => validation(record),
        Kind::Schema => schema(record),
        Kind::AiText => ai_text(record),
        Kind::Difficulty => difficulty(record),
        Kind::Dungeon => dungeon(record),
        Kind::Encounter => encounters(record),
        Kind::Permissions => permissions(record),
        _ => Err(("kind".to_string(), format!("{kind:?} has no records of this kind"))),
    }
}

fn text<'r>(record: &'r Value, key: &str) -> &'r str {
    record[key].as_str().unwrap_or_default()
}

fn number(record: &Value, key: &str) -> i64 {
    record[key].as_f64().map_or(0, |n| n as i64)
}

fn rng(record: &Value) -> Outcome {
    let seed = record["seed"].as_str();
    let start = djb2(&format!("{}:0", seed.unwrap_or("default")));
    same("hash0", &record["hash0"], &json!(start))?;
    let mut dice = Source { seed: seed.map(Into::into), ..Source::seeded("") };
    for (i, expected) in record["rolls"].as_array().into_iter().flatten().enumerate() {
        let (count, sides) = (number(expected, "count") as u16, number(expected, "sides") as u16);
        let roll = dice.roll(count, sides);
        dice.advance(roll.chain, 1);
        let found = json!({
            "count": count, "sides": sides, "total": roll.total(), "breakdown": breakdown(&roll.faces),
            "seedAfter": dice.seed_text(),
        });
        same(&format!("roll {i}"), expected, &found)?;
    }
    Ok(())
}

fn hashes(record: &Value) -> Outcome {
    let found = canonical(&record["value"]);
    same("canonical", &record["canonical"], &json!(found))?;
    same("hash", &record["hash"], &json!(hash::hash_canonical(&found)))
}

fn adjacent(record: &Value) -> Outcome {
    let state = open_world(&record["world"])?;
    let body = |key: &str| state.stage.find(text(record, key));
    let found = match (body("mover"), body("target")) {
        (Some(mover), Some(target)) => find_path_adjacent(&state, mover, target),
        _ => None,
    };
    let found = found.map(|(cell, route)| {
        let cells: Vec<_> = route.path.iter().map(|c| c.document()).collect();
        json!({"cell": cell.document(), "path": cells, "cost": route.cost})
    });
    same("result", &record["result"], &json!(found))
}

fn visibility(record: &Value) -> Outcome {
    let state = open_world(&record["world"])?;
    for (key, faction) in [("players", Faction::Players), ("npcs", Faction::Npcs), ("all", Faction::All)] {
        same(key, &record[key], &seen_cells(&state, faction))?;
    }
    Ok(())
}

/// By column, then row.
fn seen_cells(state: &State, faction: Faction) -> Value {
    let board = &state.stage.board;
    let seen = visible(state, faction);
    let mut cells: Vec<_> = (0..board.cells()).filter(|at| seen.has(*at)).map(|at| board.at(at)).collect();
    cells.sort();
    cells.iter().map(|c| json!([c.x, c.y])).collect()
}

fn npc_plan(record: &Value) -> Outcome {
    let state = open_world(&record["world"])?;
    let plan = basic::plan_with(&state, text(record, "entityId"), basic::Stride::WholeWay);
    let found: Vec<Value> = plan.iter().map(|action| action.to_json()).collect();
    same("actions", &record["actions"], &json!(found))
}

fn validation(record: &Value) -> Outcome {
    let state = &record["state"];
    let profile = Profile::parse(text(record, "profile")).unwrap_or_default();
    same("schemaOk", &record["schemaOk"], &json!(validate(state, profile).is_empty()))?;
    let codes: Vec<String> = invariants::violations(state).iter().map(|v| format!("[{}]", v.code)).collect();
    same("invariantCodes", &record["invariantCodes"], &json!(codes))
}

fn schema(record: &Value) -> Outcome {
    for profile in Profile::ALL {
        let key = format!("schemaOk_{}", profile.name());
        let faults = validate(&record["state"], profile);
        same(&key, &record[&key], &json!(faults.is_empty()))?;
    }
    Ok(())
}

fn ai_text(record: &Value) -> Outcome {
    let result = model_output::read(text(record, "text"));
    same("ok", &record["ok"], &json!(result.is_ok()))?;
    same("action", &record["action"], &result.unwrap_or_default())
}

fn difficulty(record: &Value) -> Outcome {
    let preset = Catalog::built_in().difficulty(text(record, "difficulty"));
    same("outMax", &record["outMax"], &json!(preset.scale(number(record, "hpMax"))))?;
    same("outCurrent", &record["outCurrent"], &json!(preset.scale(number(record, "hpCurrent"))))
}

fn dungeon(record: &Value) -> Outcome {
    let options = dungeon::Options {
        width: number(record, "width"),
        height: number(record, "height"),
        ..dungeon::Options::default()
    };
    let dug = dungeon::dig(number(record, "seed"), &options);
    let stairs = dug.stairs.map(|(up, down): (Spot, Spot)| json!({"up": up, "down": down}));
    let found = [
        ("rooms", json!(dug.rooms)),
        ("rows", json!(dug.rows())),
        ("doors", json!(dug.doors)),
        ("traps", json!(dug.traps)),
        ("treasures", json!(dug.treasures)),
        ("stairs", json!(stairs)),
        ("encounters", json!(dug.encounters)),
        (
            "stats",
            json!({
                "roomCount": dug.rooms.len(), "doorCount": dug.doors.len(), "trapCount": dug.traps.len(),
                "treasureCount": dug.treasures.len(), "encounterCount": dug.encounters.len(),
                "floorTiles": dug.open_cells(),
            }),
        ),
    ];
    found.iter().try_for_each(|(key, value)| same(key, &record[*key], value))
}

fn encounters(record: &Value) -> Outcome {
    let catalog = Catalog::built_in();
    let placement: Placement = serde_json::from_value(record["placement"].clone()).unwrap_or_default();
    let request = Request {
        difficulty: text(record, "difficulty").to_string(),
        party: number(record, "partySize"),
        width: number(&record["grid"], "width"),
        height: number(&record["grid"], "height"),
        placement,
    };
    let occupied = record["occupied"].as_array().cloned().unwrap_or_default();
    let taken = |x: i64, y: i64| occupied.iter().any(|c| number(c, "x") == x && number(c, "y") == y);
    let draws: Vec<u32> = record["rng"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|d| (d.as_f64().unwrap_or(0.0) * 65_536.0) as u32)
        .collect();
    let mut used = 0;
    let mut draw = || {
        used += 1;
        draws.get(used - 1).copied().unwrap_or(0)
    };
    let found = encounter(&catalog, &request, taken, &mut draw);
    same("budget", &record["budget"], &json!(found.budget))?;
    same("template", &record["template"], &json!(found.template))?;
    let slots: Vec<Value> = found
        .slots
        .iter()
        .map(|s| {
            let xp = catalog.encounters.xp.get(&s.monster.tier);
            json!({"templateId": s.monster.id, "cr": s.monster.tier, "xp": xp})
        })
        .collect();
    same("slots", &record["slots"], &json!(slots))?;
    // The recorded instances have only these fields; ours keep attack and abilities too.
    let entities: Vec<Value> = found
        .entities()
        .iter()
        .map(|e| {
            json!({
                "id": e.id, "name": e.name, "position": {"x": e.position.x, "y": e.position.y}, "size": e.size,
                "stats": {
                    "hpCurrent": e.stats.hp_current, "hpMax": e.stats.hp_max, "ac": e.stats.ac,
                    "movementSpeed": e.stats.movement_speed,
                },
            })
        })
        .collect();
    same("entities", &record["entities"], &json!(entities))?;
    same("draws used", &json!(draws.len()), &json!(used))
}

fn permissions(record: &Value) -> Outcome {
    let allowed = allows(text(record, "role"), text(record, "action"));
    same("allowed", &record["allowed"], &json!(allowed))
}
