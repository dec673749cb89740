//! What reports over many fights tell: who fought, which abilities were used, and what a creature or an ability is
//! worth, found by leaving it out.

use crate::action::{Id, Verb};
use crate::game::Skirmish;
use crate::setup::{Setup, SetupSource};
use crate::state::State;
use serde_json::Value;
use std::collections::BTreeSet;
use turnstone::{Input, InputOf, Position, Seat};
use turnstone_host::{Graft, Topic};

/// Abilities that could be used, compared with a plain attack, or with the end of the turn where nobody is in reach.
pub(crate) fn topics(position: &Position<Skirmish>, inputs: &[InputOf<Skirmish>]) -> Vec<(usize, Topic)> {
    let state = position.state();
    let ability = |input: &InputOf<Skirmish>| match input {
        Input::Act(action) => match &action.verb {
            Verb::UseAbility { ability: Id::Text(id), .. } => Some(id.clone()),
            _ => None,
        },
        Input::Choose(never) => match *never {},
    };
    let plain = |wanted: fn(&Verb) -> bool| {
        inputs.iter().position(|input| matches!(input, Input::Act(action) if wanted(&action.verb)))
    };
    let attack = plain(|verb| matches!(verb, Verb::Attack { .. }));
    let against = attack.or_else(|| plain(|verb| matches!(verb, Verb::EndTurn { .. })));
    let mut topics = Vec::new();
    for (number, id) in
        inputs.iter().enumerate().filter_map(|(number, input)| Some((number, ability(input)?)))
    {
        let known = state.stage.rules.abilities.iter().find(|known| known.id == id);
        let name = known.map_or_else(|| id.to_string(), |known| known.name.to_string());
        topics.push((
            number,
            match against {
                Some(against) => Topic::declined_by("ability", name, against),
                None => Topic::counted("ability", name),
            },
        ));
    }
    topics
}

/// Who fights on a side, and what they can do.
pub(crate) fn holdings(state: &State, seat: Seat) -> Vec<(&'static str, String)> {
    let bodies = if seat == crate::game::HEROES { state.stage.player_ids() } else { state.stage.npc_ids() };
    let mut all = Vec::new();
    for body in bodies {
        let figure = state.stage.figure(body);
        all.push(("creature", kind_of(&figure.name)));
        let abilities =
            figure.abilities.iter().filter_map(|at| state.stage.rules.abilities.get(usize::from(*at)));
        all.extend(abilities.map(|ability| ("ability", ability.name.to_string())));
    }
    all
}

/// A creature's kind: its name without a number behind it.
fn kind_of(name: &str) -> String {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit()).trim_end().to_string()
}

/// How many fight on each side.
pub(crate) fn survey(state: &State) -> Vec<(String, Value)> {
    let health =
        |bodies: std::ops::Range<u16>| bodies.map(|body| state.stage.figure(body).hp_max).sum::<i64>();
    let (heroes, foes) = (state.stage.player_ids(), state.stage.npc_ids());
    vec![
        ("heroes".to_string(), heroes.len().into()),
        ("foes".to_string(), foes.len().into()),
        ("foes' hit points".to_string(), health(foes).into()),
        ("heroes' hit points".to_string(), health(heroes).into()),
    ]
}

const SIDES: [&str; 2] = ["players", "npcs"];

fn entities(document: &Value, side: usize) -> impl Iterator<Item = &Value> {
    document["entities"][SIDES[side]].as_array().into_iter().flatten()
}

/// For each side: every kind of creature less one of it, where that leaves somebody, and every ability less.
pub(crate) fn grafts(game: &Skirmish, setup: &Setup, seed: u64) -> Vec<Graft> {
    let Ok(document) = setup.document(&game.catalog, seed) else { return Vec::new() };
    let mut all = BTreeSet::new();
    for side in 0..SIDES.len() {
        let several = entities(&document, side).count() > 1;
        for entity in entities(&document, side) {
            if let Some(name) = entity["name"].as_str().filter(|_| several) {
                all.insert(Graft::removing(side as Seat, "creature", kind_of(name)));
            }
            for ability in entity["abilities"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                all.insert(Graft::removing(side as Seat, "ability", ability));
            }
        }
    }
    all.into_iter().collect()
}

/// The fight without it. The last creature of the kind goes.
pub(crate) fn graft(game: &Skirmish, setup: &Setup, seed: u64, graft: &Graft) -> Option<Setup> {
    let mut document = setup.document(&game.catalog, seed).ok()?;
    let side = SIDES.get(usize::from(graft.seat))?;
    let entities = document["entities"][side].as_array_mut()?;
    match graft.kind.as_str() {
        "creature" => {
            let same =
                |entity: &Value| entity["name"].as_str().is_some_and(|name| kind_of(name) == graft.name);
            let place = entities.iter().rposition(same).filter(|_| entities.len() > 1)?;
            entities.remove(place);
        }
        "ability" => {
            for entity in entities.iter_mut() {
                if let Some(abilities) = entity["abilities"].as_array_mut() {
                    abilities.retain(|ability| ability.as_str() != Some(&graft.name));
                }
            }
        }
        _ => return None,
    }
    Some(Setup { source: SetupSource::State(document), ..setup.clone() })
}
