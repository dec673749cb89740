//! What a seed holds.

use serde_json::Value;
use turnstone::Rejection;
use turnstone_spire::seeds::{CharacterNo, RunSetup, Tables, read_seed};
use turnstone_spire_records::seeds::seed_report;

/// What a seed holds, for people and for programs.
pub struct Seed {
    /// Neow's offers, maps, fights, relics, rewards, as text.
    pub text: String,
    /// The same as data.
    pub data: Value,
}

/// Unrolls a seed.
///
/// # Errors
/// A text that is no seed, an unknown character or ruleset, an ascension above 20.
pub fn seed(text: &str, character: &str, ascension: u8, rules: &str) -> Result<Seed, Rejection> {
    let seed = read_seed(text).map_err(|error| Rejection::new("BAD_SEED", error.to_string()))?;
    if ascension > 20 {
        return Err(Rejection::new("BAD_ASCENSION", "ascension goes from 0 to 20"));
    }
    let setup = RunSetup {
        seed,
        character: character_named(character)?,
        ascension,
        rules: named("UNKNOWN_RULES", rules, "original, simulator")?,
    };
    let report = seed_report(setup);
    Ok(Seed { text: report.to_string(), data: serde_json::to_value(&report).unwrap_or_default() })
}

fn character_named(name: &str) -> Result<CharacterNo, Rejection> {
    let tables = Tables::embedded();
    tables.characters.find(&name.to_lowercase()).ok_or_else(|| {
        let known: Vec<&str> = tables.everybody.iter().map(|c| tables.characters.name(*c)).collect();
        let text = format!("there is no \"{name}\"; there are: {}", known.join(", "));
        Rejection::new("UNKNOWN_CHARACTER", text)
    })
}

fn named<T: serde::de::DeserializeOwned>(
    code: &'static str,
    name: &str,
    known: &str,
) -> Result<T, Rejection> {
    serde_json::from_value(Value::String(name.to_lowercase()))
        .map_err(|_| Rejection::new(code, format!("there is no \"{name}\"; there are: {known}")))
}
