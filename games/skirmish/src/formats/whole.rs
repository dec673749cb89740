//! A whole match as documents: the state, the log with everything that changed, a replay bundle and
//! the hash; and the same as a tale.

use crate::event::Event;
use crate::export::Chronicle;
use crate::formats::replay::{Replay, ReplayFinal, ReplayMeta, ReplayRules, ReplayStep, type_and_payload};
use crate::formats::runner::plain;
use crate::hash::hash;
use crate::setup::Setup;
use crate::{Skirmish, State, apply, normalise, tell};
use serde::Serialize;
use serde_json::Value;
use turnstone::{Input, Match, Rejection};

/// A match as documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Whole {
    /// The state document where the match stands, its log and rolls included.
    pub state: Value,
    /// What happened since the first state: events as documents have them, each with its `fx`.
    pub log: Vec<Value>,
    /// First state, actions, and what each must give.
    pub replay: Replay,
    /// The hash of the state.
    pub hash: String,
}

/// Writes the line of play on which a match stands. `created_at` is the caller's clock.
///
/// # Errors
/// If the first position cannot be restored.
pub fn export(game: &Match<Skirmish>, id: &str, created_at: &str) -> Result<Whole, Rejection> {
    let mut chronicle = Chronicle::new(first(game)?);
    let initial_state = document(&chronicle);
    let (mut log, mut steps) = (Vec::new(), Vec::new());
    for moment in game.line() {
        let Some(Input::Act(action)) = game.input(moment) else { continue };
        let facts = game.entries(moment).iter();
        let events: Vec<_> = facts.filter_map(|entry| chronicle.fact(&entry.fact)).collect();
        log.extend(events.iter().map(|event| event.to_json()));
        steps.push(ReplayStep {
            action: action.to_json(),
            expected_events: Some(events.iter().map(|event| type_and_payload(&plain(event))).collect()),
            expected_state_hash: None,
        });
    }
    let state = document(&chronicle);
    let hash = hash(&state);
    let ending = ReplayFinal { expected_state_hash: Some(hash.clone()), expected_key_fields: None };
    let meta = meta(game.setup(), &initial_state, id, created_at);
    let replay = Replay { meta, initial_state, steps, ending: Some(ending) };
    Ok(Whole { state, log, replay, hash })
}

fn first(game: &Match<Skirmish>) -> Result<State, Rejection> {
    Ok(game.position_at(0)?.state().clone())
}

fn document(chronicle: &Chronicle) -> Value {
    normalise::document(serde_json::to_value(chronicle.document()).unwrap_or_default())
}

fn meta(setup: &Setup, first: &Value, id: &str, created_at: &str) -> ReplayMeta {
    let rules = ReplayRules {
        module: setup.module.clone(),
        difficulty: setup.difficulty.clone(),
        house: setup.house,
    };
    ReplayMeta {
        id: id.to_string(),
        created_at: created_at.to_string(),
        schema_version: first["schemaVersion"].as_str().unwrap_or_default().to_string(),
        engine_version: setup.profile.name().trim_start_matches("mir-").to_string(),
        notes: None,
        rules: (rules != ReplayRules::default()).then_some(rules),
    }
}

/// The tale of the line of play on which a match stands: one sentence for every fact, round by round.
///
/// # Errors
/// If the first position cannot be restored.
pub fn narrate(game: &Match<Skirmish>) -> Result<String, Rejection> {
    let mut state = first(game)?;
    let mut tale = format!("{}\n", state.stage.document.map.name);
    for event in game.log().filter_map(|entry| entry.fact.event()) {
        let round = state.combat.round;
        apply::apply(&mut state, event);
        match event {
            // Whose turn it is shows in what is done; that a round begins is a new paragraph.
            Event::TurnEnded { .. } if state.combat.round == round => {}
            Event::TurnEnded { .. } => tale.push_str(&format!("\nRound {}\n", state.combat.round)),
            event => tale.push_str(&format!("{}\n", tell::event(&state, event))),
        }
    }
    Ok(tale)
}
