//! Where two values differ, as paths for people.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::shorten::shorten;

/// One place where two values differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The way to it, such as `units[2].hp`.
    pub path: String,
    /// What was expected or recorded; `None` if it is absent there.
    pub expected: Option<Value>,
    /// What was found; `None` if it is absent here.
    pub found: Option<Value>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let show = |value: &Option<Value>| match value {
            Some(value) => shorten(&value.to_string(), 160),
            None => "nothing".to_owned(),
        };
        let path = if self.path.is_empty() { "the whole" } else { &self.path };
        write!(f, "{path}: expected {}, found {}", show(&self.expected), show(&self.found))
    }
}

/// The differences between two values, at most `limit` of them.
///
/// ```
/// use serde_json::json;
/// let found = turnstone::diff::differences(&json!({"hp": 3, "at": [1, 2]}), &json!({"hp": 4, "at": [1]}), 8);
/// let paths: Vec<&str> = found.iter().map(|d| d.path.as_str()).collect();
/// assert_eq!(paths, ["hp", "at[1]"]);
/// ```
pub fn differences(expected: &Value, found: &Value, limit: usize) -> Vec<Difference> {
    let mut out = Vec::new();
    walk(expected, found, &mut String::new(), limit, &mut out);
    out
}

fn walk(expected: &Value, found: &Value, path: &mut String, limit: usize, out: &mut Vec<Difference>) {
    if out.len() >= limit || expected == found {
        return;
    }
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => {
            let extra = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(extra) {
                let step = if path.is_empty() { key.clone() } else { format!(".{key}") };
                descend(a.get(key), b.get(key), &step, path, limit, out);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for i in 0..a.len().max(b.len()) {
                descend(a.get(i), b.get(i), &format!("[{i}]"), path, limit, out);
            }
        }
        _ => push(Some(expected), Some(found), path, limit, out),
    }
}

fn descend(
    expected: Option<&Value>,
    found: Option<&Value>,
    step: &str,
    path: &mut String,
    limit: usize,
    out: &mut Vec<Difference>,
) {
    let length = path.len();
    path.push_str(step);
    match (expected, found) {
        (Some(expected), Some(found)) => walk(expected, found, path, limit, out),
        _ => push(expected, found, path, limit, out),
    }
    path.truncate(length);
}

fn push(
    expected: Option<&Value>,
    found: Option<&Value>,
    path: &str,
    limit: usize,
    out: &mut Vec<Difference>,
) {
    if out.len() < limit {
        out.push(Difference { path: path.to_owned(), expected: expected.cloned(), found: found.cloned() });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(expected: &Value, found: &Value, limit: usize) -> Vec<String> {
        differences(expected, found, limit).iter().map(Difference::to_string).collect()
    }

    #[test]
    fn every_place_that_differs_is_named_with_both_values_and_no_other() {
        let expected = json!({"at": {"row": [1, 2, 3]}, "gone": true, "hp": 3, "same": 1});
        let found = json!({"at": {"row": [1, 5]}, "hp": 4, "new": null, "same": 1});
        let wanted = [
            "at.row[1]: expected 2, found 5",
            "at.row[2]: expected 3, found nothing",
            "gone: expected true, found nothing",
            "hp: expected 3, found 4",
            "new: expected nothing, found null",
        ];
        assert_eq!(told(&expected, &found, 16), wanted);
        assert!(told(&expected, &expected, 16).is_empty());
    }

    #[test]
    fn values_of_different_kinds_differ_as_a_whole() {
        assert_eq!(told(&json!([1]), &json!({"a": 1}), 4), [r#"the whole: expected [1], found {"a":1}"#]);
    }

    #[test]
    fn no_more_are_given_than_were_asked_for() {
        let (expected, found) = (json!({"a": 1, "b": 2}), json!({"c": 3, "d": 4}));
        assert_eq!(told(&expected, &found, 3).len(), 3);
        assert!(told(&json!([1]), &json!([2]), 0).is_empty());
        assert!(told(&json!({}), &json!({"a": 1}), 0).is_empty());
    }

    #[test]
    fn a_long_value_is_cut_and_a_short_one_is_whole() {
        // With its two quotation marks the first is just as long as is shown.
        let text = |length: usize| "é".repeat(length);
        let [told] = &told(&json!(text(158)), &json!(text(159)), 1)[..] else { panic!("one difference") };
        assert_eq!(*told, format!("the whole: expected \"{}\", found \"{}…", text(158), text(159)));
    }
}
