//! Traces: a world, actions, and the world after each of them.

use std::sync::Arc;

use serde_json::{Value, json};
use turnstone::{Game, Input, Off, Position, Resolver};
use turnstone_grid::action::Action;
use turnstone_grid::document::WorldDocument;
use turnstone_grid::moves::{Gust, MoveRule, gust};
use turnstone_grid::ruleset::{Profile, Ruleset};
use turnstone_grid::state::State;
use turnstone_grid::world::Cast;
use turnstone_grid::{Grid, Setup};

use crate::Verdict;
use crate::diff::first_difference;

/// Rules of the grid world: its own, or its own with a fault in them.
pub(crate) trait Rules: Game<Setup = Setup, State = State, Action = Action> {}
impl<G: Game<Setup = Setup, State = State, Action = Action>> Rules for G {}

/// Plays worlds without recording.
pub(crate) struct Player<G: Rules = Grid> {
    game: G,
    position: Position<G>,
    resolver: Resolver<G>,
}

impl<G: Rules> Player<G> {
    pub(crate) fn new(game: G, world: &Value) -> Result<Self, String> {
        let document = WorldDocument::from_value(world).map_err(|error| error.to_string())?;
        let state = game.start(&Setup::World(document), 0).map_err(|error| error.to_string())?;
        Ok(Self { game, position: Position::new(state), resolver: Resolver::default() })
    }

    pub(crate) fn state(&self) -> &State {
        self.position.state()
    }

    /// Changes the order in which the world is walked through.
    pub(crate) fn rearrange(&mut self, order: fn(&mut Cast)) {
        let mut state = self.position.state().clone();
        order(Arc::make_mut(&mut state.world.cast));
        self.position = Position::new(state);
    }

    /// Acts. A game that is over, or an agent off the board, stays as it is.
    pub(crate) fn act(&mut self, action: Action) -> Result<(), String> {
        let result = self.resolver.act(&self.game, &mut self.position, &Input::Act(action), &mut Off);
        match result {
            Err(error) if !matches!(error.code(), "GAME_OVER" | "NOT_ON_BOARD") => Err(error.to_string()),
            _ => Ok(()),
        }
    }
}

pub(crate) fn check(record: &Value, rules: Ruleset) -> Verdict {
    check_by(Grid::new(rules), record, rules.profile)
}

/// Compares a trace with these rules, of which the profile says what is expected of them.
pub(crate) fn check_by(game: impl Rules, record: &Value, profile: Profile) -> Verdict {
    let fail = |place: String| move |text: String| (place, text);
    let mut player = Player::new(game, &record["initial"]).map_err(fail("initial".into()))?;
    let steps = record["steps"].as_array().map_or(&[][..], Vec::as_slice);
    for (number, step) in steps.iter().enumerate() {
        let at = || fail(format!("step {number}"));
        check_draw(player.state(), step).map_err(at())?;
        let action = Action::read(&step["action"]).map_err(at())?;
        player.act(action).map_err(at())?;
        let expected = expected_world(&record["initial"], overlay(step, profile));
        compare(&expected, overlay(step, profile)["sha256"].as_str(), &player.state().document())
            .map_err(at())?;
    }
    Ok(())
}

/// What the step leads to: the seed profile has its own expectation where the two differ.
fn overlay(step: &Value, profile: Profile) -> &Value {
    let own = step.get("expect_seed_profile").filter(|_| profile == Profile::SEED);
    own.unwrap_or(&step["expect"])
}

/// The overlay laid over the initial world.
fn expected_world(initial: &Value, overlay: &Value) -> Value {
    let mut world = initial.clone();
    for field in ["turn", "score", "win", "lose", "damage_hits"] {
        world[field] = overlay[field].clone();
    }
    for (id, entity) in overlay["changed"].as_object().into_iter().flatten() {
        match (world["entities"].as_object_mut(), entity) {
            (Some(entities), Value::Null) => drop(entities.remove(id)),
            (Some(entities), entity) => drop(entities.insert(id.clone(), entity.clone())),
            _ => {}
        }
    }
    world
}

pub(crate) fn compare(expected: &Value, sha256: Option<&str>, found: &WorldDocument) -> Result<(), String> {
    if sha256.is_some_and(|hash| hash == found.sha256()) {
        return Ok(());
    }
    if let Some(text) = first_difference(expected, &found.to_value()) {
        return Err(text);
    }
    match sha256 {
        Some(hash) => Err(format!("sha256: expected {hash}, found {}", found.sha256())),
        None => Ok(()),
    }
}

/// The recorded wind must be the one our generator draws.
fn check_draw(state: &State, step: &Value) -> Result<(), String> {
    let (Some(draw), world) = (step.get("rng"), &state.world) else { return Ok(()) };
    if world.cast.move_rule != MoveRule::Windy {
        return Ok(());
    }
    compare_draw(draw, gust(world.cast.seed, world.live.turn))
}

/// Numbers may differ in the last bit, for that is how exactly the file is read.
pub(crate) fn compare_draw(draw: &Value, ours: Gust) -> Result<(), String> {
    let drift = ours.drift.map(|direction| <(i32, i32)>::from(direction.vector()));
    let close = draw["u"].as_f64().is_some_and(|u| (u - ours.draw).abs() <= f64::EPSILON);
    if close && draw["drift"] == json!(drift) {
        return Ok(());
    }
    Err(format!("wind: expected {draw}, found {}", json!({ "u": ours.draw, "drift": drift })))
}

/// Inputs on which the reference engine fails. Ours either refuses the world at the door, with a
/// code, or plays on: a hunter whose target is gone stays where it is.
pub(crate) fn check_error(record: &Value, rules: Ruleset) -> Verdict {
    let fail = |place: &str, text: String| (place.to_string(), text);
    let about = record["about"].as_str().unwrap_or_default();
    let hunts = record["error"].as_str() == Some("KeyError");
    let mut player = match Player::new(Grid::new(rules), &record["initial"]) {
        Ok(player) => player,
        Err(text) if hunts => return Err(fail("initial", format!("{about}: refused with {text}"))),
        Err(text) if text.starts_with('[') => return Ok(()),
        Err(text) => return Err(fail("initial", format!("refused without a code: {text}"))),
    };
    for action in record["actions"].as_array().into_iter().flatten() {
        let action = Action::read(action).map_err(|text| fail("actions", text))?;
        player.act(action).map_err(|text| fail("actions", text))?;
    }
    Ok(())
}
