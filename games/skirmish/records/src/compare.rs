//! The first difference between two JSON values, with its place.

use serde_json::Value;
use turnstone_skirmish::json::canonical;

use crate::Outcome;

/// Compares what is expected with what was found. Numbers compare by value: 2.0 is 2.
pub(crate) fn same(place: &str, expected: &Value, found: &Value) -> Outcome {
    match first(expected, found, &mut String::new()) {
        None => Ok(()),
        Some((path, expected, found)) => {
            Err((format!("{place}{path}"), format!("expected {expected}, found {found}")))
        }
    }
}

fn first(expected: &Value, found: &Value, path: &mut String) -> Option<(String, String, String)> {
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|k| !a.contains_key(*k)));
            let missing = Value::String("(nothing)".to_string());
            for key in keys {
                let (x, y) = (a.get(key).unwrap_or(&missing), b.get(key).unwrap_or(&missing));
                let length = path.len();
                path.push('.');
                path.push_str(key);
                if let Some(found) = first(x, y, path) {
                    return Some(found);
                }
                path.truncate(length);
            }
            None
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (x, y)) in a.iter().zip(b).enumerate() {
                let length = path.len();
                path.push_str(&format!("[{i}]"));
                if let Some(found) = first(x, y, path) {
                    return Some(found);
                }
                path.truncate(length);
            }
            None
        }
        _ if canonical(expected) == canonical(found) => None,
        _ => Some((path.clone(), excerpt(expected), excerpt(found))),
    }
}

fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
