//! Fixtures of the environment and of the drawing plan.

use serde_json::{Value, json};
use turnstone_grid::Grid;
use turnstone_grid::action::{Action, Deed};
use turnstone_grid::generate::Maze;
use turnstone_grid::observe;
use turnstone_grid::render::{CellPlan, Drawing, Plan};
use turnstone_grid::ruleset::{Profile, Ruleset};

use crate::Verdict;
use crate::diff::first_difference;
use crate::hash_order;
use crate::trace::{Player, compare};

fn at(place: impl Into<String>) -> impl FnOnce(String) -> (String, String) {
    let place = place.into();
    move |text| (place, text)
}

fn same(expected: &Value, found: &Value) -> Result<(), String> {
    first_difference(expected, found).map_or(Ok(()), Err)
}

/// An environment: index actions, reward, flags and dictionaries. Recorded under today's rules
/// and in hash order.
pub(crate) fn check_environment(record: &Value, _rules: Ruleset) -> Verdict {
    let maze: Maze =
        serde_json::from_value(record["params"].clone()).map_err(|error| at("params")(error.to_string()))?;
    let level = maze.generate().map_err(|error| at("params")(error.to_string()))?;
    compare(&record["initial"], None, &level.to_document()).map_err(at("initial"))?;
    let mut player =
        Player::new(Grid::new(Ruleset::of(Profile::HEAD)), &record["initial"]).map_err(at("initial"))?;
    player.rearrange(hash_order::rearrange);
    same(&record["obs_info"], &observe::info(&player.state().world)).map_err(at("obs_info"))?;
    let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
    for (number, step) in steps.iter().enumerate() {
        check_step(&mut player, step).map_err(at(format!("step {number}")))?;
    }
    Ok(())
}

fn check_step(player: &mut Player, step: &Value) -> Result<(), String> {
    let index = step["action_index"].as_u64().unwrap_or(u64::MAX) as usize;
    let deed = *Deed::ALL.get(index).ok_or("an action index out of range")?;
    let before = player.state().world.live.score;
    player.act(Action::step(deed))?;
    let world = &player.state().world;
    let found = json!({
        "reward": (world.live.score - before) as f64,
        "terminated": world.live.win,
        "truncated": world.live.lose,
        "state_sha256": world.to_document().sha256(),
        "obs_info": observe::info(world),
        "step_info": {},
    });
    ["reward", "terminated", "truncated", "obs_info", "step_info", "state_sha256"]
        .iter()
        .try_for_each(|field| same(&step[field], &found[field]).map_err(|text| format!("{field}: {text}")))
}

/// What is drawn where.
pub(crate) fn check_picture(record: &Value, rules: Ruleset) -> Verdict {
    let player = Player::new(Grid::new(rules), &record["state"]).map_err(at("state"))?;
    let resolution = record["plan"]["resolution"].as_u64().unwrap_or(0) as u32;
    let plan = Plan::new(&player.state().world, resolution).map_err(|error| at("plan")(error.to_string()))?;
    let cells: Vec<Value> = plan.cells.iter().map(cell).collect();
    let found = json!({
        "resolution": plan.resolution, "cell_size": plan.cell_size, "subicon_size": plan.icon_size,
        "image": [plan.image.0, plan.image.1], "cells": cells,
    });
    same(&record["plan"], &found).map_err(at("plan"))
}

fn cell(plan: &CellPlan) -> Value {
    let mut others: Vec<Value> = plan.others.iter().map(drawing).collect();
    others.sort_by_key(Value::to_string);
    json!({
        "x": plan.at.x, "y": plan.at.y,
        "background": drawing(&plan.background),
        "main": plan.main.as_ref().map(drawing),
        "icons": plan.icons.iter().map(drawing).collect::<Vec<_>>(),
        "others": others,
    })
}

fn drawing(drawing: &Drawing) -> Value {
    json!({
        "name": drawing.name, "texture": format!("imagen1/{}", drawing.texture), "group": drawing.group,
        "arrow": drawing.arrow, "arrows": drawing.arrows,
    })
}
