//! The one form in which a line says what it says.

use serde::{Deserialize, Serialize};

use super::divergence::{Divergence, code};

/// Reads a line that says what it says in the one way a match file does.
pub(super) fn exact<T>(object: &str, number: usize) -> Result<T, Divergence>
where
    T: Serialize + for<'de> Deserialize<'de>,
{
    let value: T = serde_json::from_str(object)
        .map_err(|error| Divergence::new(number, code::MALFORMED_LINE, error.to_string()))?;
    canonical(&value, object, number)?;
    Ok(value)
}

/// There is one way to write a line: whatever else is in it was not written by us.
pub(super) fn canonical<T: Serialize>(value: &T, object: &str, number: usize) -> Result<(), Divergence> {
    let again = serde_json::to_string(value)
        .map_err(|error| Divergence::new(number, code::MALFORMED_LINE, error.to_string()))?;
    if again == object {
        return Ok(());
    }
    let at = again.bytes().zip(object.bytes()).take_while(|(a, b)| a == b).count();
    let near: String =
        String::from_utf8_lossy(&object.as_bytes()[at.min(object.len())..]).chars().take(40).collect();
    let text =
        format!("the line holds more than it may, or in another form, at character {}: {near}", at + 1);
    Err(Divergence::new(number, code::NOT_CANONICAL, text))
}
