//! Where two documents differ first.

use serde_json::Value;

/// The first difference, with both values; `None` if they are equal.
pub(crate) fn first_difference(expected: &Value, found: &Value) -> Option<String> {
    walk("", expected, found)
}

fn walk(path: &str, expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        (Value::Object(left), Value::Object(right)) => {
            let missing = right.keys().filter(|key| !left.contains_key(*key));
            left.keys().chain(missing).find_map(|key| {
                let place = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => walk(&place, left, right),
                    (left, right) => Some(differ(&place, left, right)),
                }
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let pairs = left.iter().zip(right).enumerate();
            pairs
                .into_iter()
                .find_map(|(index, (left, right))| walk(&format!("{path}[{index}]"), left, right))
        }
        _ if expected == found => None,
        _ => Some(differ(path, Some(expected), Some(found))),
    }
}

fn differ(path: &str, expected: Option<&Value>, found: Option<&Value>) -> String {
    let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
    format!("{path}: expected {}, found {}", show(expected), show(found))
}
