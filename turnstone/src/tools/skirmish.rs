//! Skirmish matches as documents, and as a tale.

use turnstone_skirmish::Skirmish;
use turnstone_skirmish::formats::whole::{self, Whole};
use turnstone_table::{LoadError, Source};

use super::read;

/// The line of play on which a match stands, as documents. What is written down is dated by the
/// match's own clock.
///
/// # Errors
/// If the file is no skirmish match that follows from its own set-up.
pub fn export(text: &str, content: &[Source], id: &str) -> Result<Whole, LoadError> {
    let game = read::<Skirmish>(text, content)?;
    let now = game.state().stage.document.timestamp.clone();
    Ok(whole::export(&game, id, &now)?)
}

/// The same as a tale.
///
/// # Errors
/// As [`export`].
pub fn narrate(text: &str, content: &[Source]) -> Result<String, LoadError> {
    Ok(whole::narrate(&read::<Skirmish>(text, content)?)?)
}
