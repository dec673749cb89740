//! Records of the grid world, read and compared with its rules: steps of the recorded engine, levels, generated worlds,
//! what learners see of them, pictures, and the numbers behind wind and generators.
//!
//! [`conform`] takes a file of them, whose kinds are told by their fields and may be mixed; a program hands it to the
//! table beside the game.
//!
//! ```
//! let record = r#"{"drift": null, "hash": "-8458139203682520985", "seed": null, "turn": 0, "u": 0.4455350812364425}"#;
//! let result = turnstone_grid_records::conform("wind.jsonl", record, &[])?;
//! assert_eq!((result.kind.as_str(), result.passed, result.failures.len()), ("wind", 1, 0));
//! # Ok::<(), turnstone::Rejection>(())
//! ```

mod diff;
#[cfg(test)]
mod faults;
mod fixtures;
mod hash_order;
mod pictures;
mod trace;

use serde_json::Value;
use turnstone::Rejection;
use turnstone_grid::ruleset::{Profile, Ruleset};
use turnstone_host::Conformity;

pub(crate) type Verdict = Result<(), (String, String)>;
type Check = fn(&Value, Ruleset) -> Verdict;

/// The kinds of records, with the field that tells them and the check.
const KINDS: [(&str, &[&str], Check); 8] = [
    ("trace", &["initial", "steps", "id"], trace::check),
    ("origin error", &["initial", "actions", "error"], trace::check_error),
    ("level", &["level", "state_after"], fixtures::check_level),
    ("generated world", &["generator", "params"], fixtures::check_generated),
    ("environment", &["params", "obs_info", "initial"], pictures::check_environment),
    ("picture", &["plan", "state"], pictures::check_picture),
    ("wind", &["hash", "u"], fixtures::check_wind),
    ("numbers", &["shuffle10"], fixtures::check_numbers),
];

/// Checks the records of one file.
///
/// # Errors
/// If a line is no JSON or no record of a known kind, or an option is unknown.
pub fn conform(name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
    let rules = read_options(options)?;
    let mut result = Conformity::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{name}, line {}", number + 1);
        let record: Value = serde_json::from_str(line)
            .map_err(|error| Rejection::new("NOT_JSON", format!("{}: {error}", place())))?;
        let known =
            KINDS.iter().find(|(_, fields, _)| fields.iter().all(|field| record.get(field).is_some()));
        let Some((kind, _, check)) = known else {
            return Err(Rejection::new("UNKNOWN_RECORD", format!("{}: no kind of golden record", place())));
        };
        result.kind = kind.to_string();
        let id = record["id"].as_str().map_or_else(place, str::to_string);
        result.count(id, check(&record, rules));
    }
    if result.kind.is_empty() {
        return Err(Rejection::new("NO_RECORDS", format!("{name}: there is no record in it")));
    }
    Ok(result)
}

fn read_options(options: &[(String, String)]) -> Result<Ruleset, Rejection> {
    let mut rules = Ruleset::default();
    for (key, value) in options {
        match key.as_str() {
            "profile" => rules.profile = Profile::named(value)?,
            _ => {
                let text = format!("`{key}` is unknown; the option is profile=seed or profile=head");
                return Err(Rejection::new("UNKNOWN_OPTION", text));
            }
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_records_is_an_error() {
        for text in ["", "\n \n"] {
            assert_eq!(conform("empty.jsonl", text, &[]).unwrap_err().code(), "NO_RECORDS");
        }
    }
}
