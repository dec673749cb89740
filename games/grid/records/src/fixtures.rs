//! Fixtures: levels, generated worlds, the generator's numbers.

use serde_json::{Value, json};
use turnstone_grid::Grid;
use turnstone_grid::action::Action;
use turnstone_grid::component::{Axis, Hunt};
use turnstone_grid::document::WorldDocument;
use turnstone_grid::error::GridError;
use turnstone_grid::generate::Maze;
use turnstone_grid::geometry::{Direction, Point};
use turnstone_grid::level::factory::{self, Lasting, Patrol};
use turnstone_grid::level::{Blueprint, Level, ObjectId};
use turnstone_grid::moves::{MoveRule, gust};
use turnstone_grid::objective::Objective;
use turnstone_grid::random::{Mt19937, hash_pair};
use turnstone_grid::ruleset::{Profile, Ruleset};
use turnstone_grid::world::World;

use crate::Verdict;
use crate::diff::first_difference;
use crate::hash_order;
use crate::trace::{Player, compare, compare_draw};

fn at(place: &str) -> impl Fn(String) -> (String, String) + '_ {
    move |text| (place.to_string(), text)
}

fn words(error: GridError) -> String {
    error.to_string()
}

/// Placements to a world, actions, back to a level, and to a world again.
///
/// These were recorded from the reference as it is today, hash order included, so they are played
/// that way whatever profile is asked for.
pub(crate) fn check_level(record: &Value, _rules: Ruleset) -> Verdict {
    let rules = Ruleset::of(Profile::HEAD);
    let level = read_level(&record["level"]).map_err(at("level"))?;
    let document = level.to_document();
    compare(&record["state"], None, &document).map_err(at("state"))?;
    let mut player = Player::new(Grid::new(rules), &record["state"]).map_err(at("state"))?;
    player.rearrange(hash_order::rearrange);
    for action in record["actions"].as_array().into_iter().flatten() {
        let action = Action::read(action).map_err(at("actions"))?;
        player.act(action).map_err(at("actions"))?;
    }
    compare(&record["state_after"], None, &player.state().document()).map_err(at("state_after"))?;
    let after =
        WorldDocument::from_value(&record["state_after"]).map_err(words).map_err(at("state_after"))?;
    let world = World::from_document(&after).map_err(words).map_err(at("state_after"))?;
    let level = Level::from_world_with(&world, hash_order::set).map_err(words).map_err(at("level_cells"))?;
    let cells = first_difference(&record["level_cells"], &cells(&level));
    cells.map_or(Ok(()), Err).map_err(at("level_cells"))?;
    compare(&record["state_roundtrip"], None, &level.to_document()).map_err(at("state_roundtrip"))
}

fn cells(level: &Level) -> Value {
    let mut rows: Vec<(Point, Vec<String>)> = Vec::new();
    for (point, _, object) in level.objects() {
        let names: Vec<&str> = object.entity.mask().names().collect();
        match rows.last_mut() {
            Some((last, list)) if *last == point => list.push(names.join("+")),
            _ => rows.push((point, vec![names.join("+")])),
        }
    }
    rows.into_iter().map(|(point, list)| json!([point.x, point.y, list])).collect()
}

fn read_level(value: &Value) -> Result<Level, String> {
    let size = |name: &str| value[name].as_i64().and_then(|size| i32::try_from(size).ok()).unwrap_or(0);
    let mut level = Level::new(size("width"), size("height")).map_err(words)?;
    level.move_rule = value["move"].as_str().and_then(MoveRule::named).ok_or("an unknown move rule")?;
    level.objective = value["objective"].as_str().and_then(Objective::named).ok_or("an unknown objective")?;
    level.seed = value["seed"].as_i64();
    level.turn_limit = value["turn_limit"].as_i64();
    level.message = value["message"].as_str().map(str::to_string);
    let mut placed: Vec<ObjectId> = Vec::new();
    for placement in value["placements"].as_array().into_iter().flatten() {
        let point: Point =
            serde_json::from_value(placement["pos"].clone()).map_err(|error| error.to_string())?;
        let id = level.add(point, read_blueprint(placement, &placed)?).map_err(words)?;
        placed.push(id);
        if let Some(pair) = placement["pair"].as_u64() {
            let pair = *placed.get(pair as usize).ok_or("a pair that is not placed yet")?;
            level.pair(id, pair).map_err(words)?;
        }
    }
    Ok(level)
}

fn read_blueprint(placement: &Value, placed: &[ObjectId]) -> Result<Blueprint, String> {
    let args = &placement["args"];
    let mut made = make(placement["factory"].as_str().unwrap_or_default(), args)?;
    for (list, nested) in [("inventory_list", &mut made.inventory), ("status_list", &mut made.status)] {
        for item in placement[list].as_array().into_iter().flatten() {
            nested.push(read_blueprint(item, placed)?);
        }
    }
    if let Some(target) = placement["target"].as_u64() {
        made.target = Some(*placed.get(target as usize).ok_or("a target that is not placed yet")?);
        made.hunt = Some(match args["path_type"].as_str() {
            Some("straight_line") => Hunt::StraightLine,
            _ => Hunt::Path,
        });
    }
    Ok(made)
}

fn make(factory: &str, args: &Value) -> Result<Blueprint, String> {
    let int = |name: &str| args[name].as_i64().and_then(|value| i32::try_from(value).ok());
    let flag = |name: &str, fallback: bool| args[name].as_bool().unwrap_or(fallback);
    let text = |name: &str| args[name].as_str().unwrap_or_default();
    let lasting = Lasting { time: int("time"), usage: int("usage") };
    Ok(match factory {
        "create_agent" => factory::agent(int("health").unwrap_or(5)),
        "create_floor" => factory::floor(int("cost_amount").unwrap_or(1)),
        "create_wall" => factory::wall(),
        "create_exit" => factory::exit(),
        "create_coin" => factory::coin(int("reward")),
        "create_core" => factory::core(int("reward"), flag("required", true)),
        "create_key" => factory::key(text("key_id")),
        "create_door" => factory::door(text("key_id")),
        "create_portal" => factory::portal(),
        "create_box" => factory::crate_box(flag("pushable", true), patrol(args)),
        "create_monster" => factory::monster(int("damage").unwrap_or(3), flag("lethal", false), patrol(args)),
        "create_hazard" => factory::hazard(
            text("appearance"),
            int("damage").unwrap_or(0),
            flag("lethal", false),
            int("priority").unwrap_or(7),
        ),
        "create_speed_effect" => factory::boots(int("multiplier").unwrap_or(1), lasting),
        "create_immunity_effect" => factory::shield(lasting),
        "create_phasing_effect" => factory::ghost(lasting),
        _ => return Err(format!("`{factory}` is no factory")),
    })
}

fn patrol(args: &Value) -> Option<Patrol> {
    let axis: Axis = serde_json::from_value(args["moving_axis"].clone()).ok()?;
    let direction = match (axis, args["moving_direction"].as_i64()?) {
        (Axis::Horizontal, -1) => Direction::Left,
        (Axis::Horizontal, _) => Direction::Right,
        (Axis::Vertical, -1) => Direction::Up,
        (Axis::Vertical, _) => Direction::Down,
    };
    let bounce = args["moving_bounce"].as_bool().unwrap_or(true);
    let speed = args["moving_speed"].as_i64().and_then(|speed| i32::try_from(speed).ok()).unwrap_or(1);
    Some(Patrol { direction, bounce, speed })
}

/// Parameters to a generated world.
pub(crate) fn check_generated(record: &Value, _rules: Ruleset) -> Verdict {
    let maze: Maze =
        serde_json::from_value(record["params"].clone()).map_err(|error| at("params")(error.to_string()))?;
    let level = maze.generate().map_err(words).map_err(at("params"))?;
    compare(&record["state"], None, &level.to_document()).map_err(at("state"))
}

/// Seed and turn to a gust.
pub(crate) fn check_wind(record: &Value, _rules: Ruleset) -> Verdict {
    let (seed, turn) = (record["seed"].as_i64(), record["turn"].as_i64().unwrap_or(0));
    let hash = hash_pair(seed.unwrap_or(0), turn).to_string();
    if record["hash"].as_str() != Some(&hash) {
        return Err(at("hash")(format!("expected {}, found {hash}", record["hash"])));
    }
    compare_draw(record, gust(seed, turn)).map_err(at("draw"))
}

/// A seed to numbers.
pub(crate) fn check_numbers(record: &Value, _rules: Ruleset) -> Verdict {
    let seed = record["seed"].as_i64().unwrap_or(0);
    let fresh = || Mt19937::new(seed);
    let mut order: Vec<usize> = (0..10).collect();
    fresh().shuffle(&mut order);
    let mut draws = fresh();
    let choices: Vec<usize> = (0..8).map(|_| draws.below(4)).collect();
    let mut draws = fresh();
    let bits: Vec<u64> = [1, 3, 32, 40].into_iter().map(|count| draws.bits(count)).collect();
    let found =
        [("shuffle10", json!(order)), ("choice4", json!(choices)), ("getrandbits_1_3_32_40", json!(bits))];
    for (field, value) in found {
        first_difference(&record[field], &value).map_or(Ok(()), Err).map_err(at(field))?;
    }
    let mut draws = fresh();
    for expected in record["random"].as_array().into_iter().flatten() {
        let found = draws.unit();
        if expected.as_f64().is_none_or(|expected| (expected - found).abs() > f64::EPSILON) {
            return Err(at("random")(format!("expected {expected}, found {found}")));
        }
    }
    Ok(())
}
