//! Session records: a game saved under a name, with the actions that led to it.

use crate::Profile;
use crate::formats::replay::{Replay, ReplayMeta};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A saved session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionRecord {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// When it was saved; the caller's clock.
    pub saved_at: String,
    /// The state now.
    pub game_state: Value,
    /// The actions so far.
    pub actions: Vec<Value>,
}

impl SessionRecord {
    /// Reads a record, and checks that its state can be opened.
    ///
    /// # Errors
    /// What is wrong with the record or its state.
    pub fn read(text: &str) -> Result<SessionRecord, String> {
        let record: SessionRecord = serde_json::from_str(text).map_err(|e| format!("not a session: {e}"))?;
        match crate::setup::open(&record.game_state, Profile::Mir023) {
            Ok(_) => Ok(record),
            Err(rejection) => Err(rejection.to_string()),
        }
    }

    /// Turns the record into a replay bundle, given the state it began with.
    ///
    /// # Errors
    /// The first state cannot be opened.
    pub fn to_replay(&self, first: Value) -> Result<Replay, String> {
        let meta = ReplayMeta {
            id: format!("replay-{}", self.id),
            created_at: self.saved_at.clone(),
            schema_version: first["schemaVersion"].as_str().unwrap_or("0.1.0").to_string(),
            engine_version: Profile::Mir023.name().to_string(),
            notes: Some(self.name.clone()),
        };
        Replay::record(meta, first, self.actions.iter().cloned())
    }
}
