//! Plays raw actions on a document and keeps the document's own log.

use crate::action::Action;
use crate::export::{Chronicle, Exported, reasons};
use crate::game::Skirmish;
use crate::hash::hash;
use crate::normalise;
use crate::setup::Setup;
use serde_json::Value;
use turnstone::{Game, Input, Log, Position, Rejection, Resolver};

/// A match played from documents' actions, with its chronicle.
pub struct Runner {
    game: Skirmish,
    position: Position<Skirmish>,
    resolver: Resolver<Skirmish>,
    log: Log<Skirmish>,
    chronicle: Chronicle,
}

impl Runner {
    /// Opens a set-up with the built-in content.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn start(setup: &Setup) -> Result<Runner, Rejection> {
        let game = Skirmish::default();
        let state = game.start(setup, 0)?;
        Ok(Runner {
            game,
            position: Position::new(state.clone()),
            resolver: Resolver::default(),
            log: Log::default(),
            chronicle: Chronicle::new(state),
        })
    }

    /// Carries out an action. Gives its events, reasons cut to their codes, and
    /// the refusal's codes.
    pub fn act(&mut self, action: &Value) -> (Vec<Value>, Result<(), Vec<String>>) {
        let (exported, result) = self.act_exported(action);
        (exported.iter().map(plain).collect(), result.map_err(|rejection| codes(&rejection)))
    }

    /// Carries out an action. Gives its events with their `fx`, and the refusal.
    pub fn act_exported(&mut self, action: &Value) -> (Vec<Exported>, Result<(), Rejection>) {
        let input = Input::Act(Action::from_json(action));
        self.log.clear();
        let result = self.resolver.act(&self.game, &mut self.position, &input, &mut self.log);
        let chronicle = &mut self.chronicle;
        let exported = self.log.entries().iter().filter_map(|entry| chronicle.fact(&entry.fact));
        (exported.collect(), result)
    }

    /// The document now, reasons cut to their codes.
    pub fn document(&self) -> Value {
        normalise::document(serde_json::to_value(self.chronicle.document()).unwrap_or_default())
    }

    /// The hash of the document now.
    pub fn hash(&self) -> String {
        hash(&self.document())
    }

    /// Everything that happened, as documents have it.
    pub fn chronicle(&self) -> &Chronicle {
        &self.chronicle
    }

    /// The live position.
    pub fn position(&self) -> &Position<Skirmish> {
        &self.position
    }
}

/// An event without its `fx`, reasons cut to their codes.
pub fn plain(exported: &Exported) -> Value {
    normalise::event(serde_json::to_value(&exported.event).unwrap_or_default())
}

/// A refusal's reasons, cut to their codes.
pub fn codes(rejection: &Rejection) -> Vec<String> {
    reasons(rejection).iter().map(|text| normalise::reason(text)).collect()
}
