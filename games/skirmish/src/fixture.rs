//! A small world for unit tests: Ada and Bram against Wolf and Imp, with a crate.
//!
//! ```text
//!   012345678
//! 0 .........
//! 1 ...#.....
//! 2 .A.#W....
//! 3 ...#.:...
//! 4 .B..I....
//! 5 ..C......
//! 6 .........
//! ```

use crate::action::Action;
use crate::catalog::Catalog;
use crate::catalog::blank;
use crate::document::{EntityDoc, Kind};
use crate::event::Event;
use crate::formats::builder::document;
use crate::game::Skirmish;
use crate::world::templates::map_from_rows;
use crate::{Document, Profile, Setup, State};
use serde_json::Value;
use turnstone::{Game, Input, Log, Position, Rejection, Resolver};

fn creature(id: &str, name: &str, kind: Kind, x: i64, y: i64) -> EntityDoc {
    let mut entity = blank(id, name, kind, x, y);
    entity.stats.hp_current = 20;
    entity.stats.hp_max = 20;
    entity.stats.ac = 12;
    entity.stats.movement_speed = 6;
    entity
}

/// The world's document.
pub fn world() -> Document {
    let rows = [".........", "...#.....", "...#.....", "...#.:...", ".........", ".........", "........."];
    let map = map_from_rows("yard", "The yard", rows.into_iter());
    let players =
        vec![creature("ada", "Ada", Kind::Player, 1, 2), creature("bram", "Bram", Kind::Player, 1, 4)];
    let npcs = vec![creature("wolf", "Wolf", Kind::Npc, 4, 2), creature("imp", "Imp", Kind::Npc, 4, 4)];
    let mut document = document(map, players, npcs, 1);
    document.rng.algorithm = None;
    document.entities.objects.push(blank("crate", "Crate", Kind::Object, 2, 5));
    document
}

/// The world after a change to its document, opened under a profile.
pub fn open(profile: Profile, change: impl FnOnce(&mut Document)) -> State {
    let mut document = world();
    change(&mut document);
    let value = serde_json::to_value(document).unwrap();
    Setup::state(profile, value).start(&Catalog::built_in(), 0).unwrap()
}

/// The world under the later profile.
pub fn modern(change: impl FnOnce(&mut Document)) -> State {
    open(Profile::Mir023, change)
}

/// The world at a table: the later profile with the rules of the house.
pub fn table(change: impl FnOnce(&mut Document)) -> State {
    let mut document = world();
    change(&mut document);
    let value = serde_json::to_value(document).unwrap();
    let setup = Setup { house: true, ..Setup::state(Profile::Mir023, value) };
    setup.start(&Catalog::built_in(), 0).unwrap()
}

/// Carries out an action given as JSON.
pub fn act(state: &State, action: Value) -> (State, Result<Vec<Event>, Rejection>) {
    let game = Skirmish::default();
    let mut position = Position::new(state.clone());
    let mut log = Log::default();
    let input = Input::Act(Action::from_json(&action));
    let result = Resolver::default().act(&game, &mut position, &input, &mut log);
    assert!(game.validate(position.state()).is_ok());
    let events = log.entries().iter().filter_map(|e| e.fact.event().cloned()).collect();
    (position.state().clone(), result.map(|()| events))
}

/// The code with which an action is refused.
pub fn refusal(state: &State, action: Value) -> String {
    let (after, result) = act(state, action);
    assert_eq!(after, *state, "a refused action changes nothing");
    result.expect_err("the action is refused").code().to_string()
}
