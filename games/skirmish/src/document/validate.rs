//! Checks a JSON value against the generated schema and says what was wrong where.
//!
//! This reads the part of JSON Schema that our types produce. A test holds it
//! against an independent validator.

use super::schema::schema;
use super::timestamp::is_date_time;
use crate::Profile;
use serde_json::{Map, Value};
use std::fmt;

/// One thing wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, e.g. `entities.players[0].stats.hpMax`; empty for the whole value.
    pub path: String,
    /// What was expected there and what was found.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the document" } else { &self.path };
        write!(f, "{path}: {}", self.message)
    }
}

/// Everything in `value` that the profile's schema forbids; empty when it conforms.
///
/// ```
/// use turnstone_skirmish::{Profile, document::validate};
/// let faults = validate(&serde_json::json!({"log": {"events": 3}}), Profile::Mir14);
/// assert!(faults.iter().any(|f| f.to_string() == "log.events: expected an array, found 3"));
/// ```
pub fn validate(value: &Value, profile: Profile) -> Vec<Fault> {
    check_with(schema(profile), value)
}

/// Checks a value against any schema generated from our types.
pub fn check_with(root: &Value, value: &Value) -> Vec<Fault> {
    let mut walk = Walk { root, faults: Vec::new() };
    walk.check(root, value, &mut String::new());
    walk.faults
}

struct Walk<'a> {
    root: &'a Value,
    faults: Vec<Fault>,
}

impl<'a> Walk<'a> {
    fn fault(&mut self, path: &str, message: String) {
        self.faults.push(Fault { path: path.to_string(), message });
    }

    fn check(&mut self, schema: &'a Value, value: &Value, path: &mut String) {
        if let Some(target) = schema["$ref"].as_str() {
            let name = target.rsplit('/').next().unwrap_or_default();
            return self.check(&self.root["$defs"][name], value, path);
        }
        if let Some(options) = schema["anyOf"].as_array() {
            return self.check_any(options, value, path);
        }
        if !self.check_type(schema, value, path) {
            return;
        }
        self.check_choice(schema, value, path);
        match value {
            Value::String(text) => self.check_text(schema, text, path),
            Value::Number(_) => self.check_number(schema, value, path),
            Value::Array(items) => self.check_items(schema, items, path),
            Value::Object(map) => self.check_fields(schema, map, path),
            _ => {}
        }
    }

    /// One option has to fit; the complaint comes from the one that is not null.
    fn check_any(&mut self, options: &'a [Value], value: &Value, path: &mut String) {
        let mut complaint = Vec::new();
        for option in options {
            let mut walk = Walk { root: self.root, faults: Vec::new() };
            walk.check(option, value, path);
            if walk.faults.is_empty() {
                return;
            }
            if option["type"] != "null" {
                complaint = walk.faults;
            }
        }
        self.faults.append(&mut complaint);
    }

    fn check_type(&mut self, schema: &Value, value: &Value, path: &str) -> bool {
        let fits = match &schema["type"] {
            Value::String(name) => is_type(name, value),
            Value::Array(names) => names.iter().filter_map(Value::as_str).any(|n| is_type(n, value)),
            _ => true,
        };
        if !fits {
            self.fault(path, format!("expected {}, found {}", type_words(&schema["type"]), excerpt(value)));
        }
        fits
    }

    fn check_choice(&mut self, schema: &Value, value: &Value, path: &str) {
        if let Some(options) = schema["enum"].as_array()
            && !options.contains(value)
        {
            let words: Vec<String> = options.iter().map(Value::to_string).collect();
            self.fault(path, format!("expected one of {}, found {}", words.join(", "), excerpt(value)));
        }
        if let Some(only) = schema.get("const")
            && only != value
        {
            self.fault(path, format!("expected {only}, found {}", excerpt(value)));
        }
        if let Some(options) = schema["oneOf"].as_array()
            && !options.iter().any(|o| o["const"] == *value || list_has(&o["enum"], value))
        {
            let words: Vec<String> = options.iter().map(|o| o["const"].to_string()).collect();
            self.fault(path, format!("expected one of {}, found {}", words.join(", "), excerpt(value)));
        }
    }

    fn check_text(&mut self, schema: &Value, text: &str, path: &str) {
        if let Some(min) = schema["minLength"].as_u64()
            && (text.chars().count() as u64) < min
        {
            self.fault(path, "expected a text that is not empty".to_string());
        }
        if schema.get("pattern").is_some() && !is_version(text) {
            self.fault(path, format!("expected a version like 0.1.0, found {text:?}"));
        }
        if schema["format"] == "date-time" && !is_date_time(text) {
            let expected = "a date and time with zone like 2026-01-01T00:00:00Z";
            self.fault(path, format!("expected {expected}, found {text:?}"));
        }
    }

    fn check_number(&mut self, schema: &Value, value: &Value, path: &str) {
        let Some(x) = value.as_f64() else { return };
        if let Some(min) = schema["minimum"].as_f64()
            && x < min
        {
            self.fault(path, format!("expected at least {min}, found {value}"));
        }
        if let Some(max) = schema["maximum"].as_f64()
            && x > max
        {
            self.fault(path, format!("expected at most {max}, found {value}"));
        }
    }

    fn check_items(&mut self, schema: &'a Value, items: &[Value], path: &mut String) {
        let count = items.len() as u64;
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
        if count < least || count > most {
            self.fault(path, format!("expected {least} entries, found {count}"));
        }
        for (i, item) in items.iter().enumerate() {
            let length = path.len();
            path.push_str(&format!("[{i}]"));
            self.check(&schema["items"], item, path);
            path.truncate(length);
        }
    }

    fn check_fields(&mut self, schema: &'a Value, map: &Map<String, Value>, path: &mut String) {
        let Some(known) = schema["properties"].as_object() else {
            if let Some(inner) = schema.get("additionalProperties") {
                map.iter().for_each(|(key, item)| self.check_field(inner, key, item, path));
            }
            return;
        };
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !map.contains_key(name) {
                self.fault(path, format!("the field `{name}` is missing"));
            }
        }
        for (key, item) in map {
            match known.get(key) {
                Some(inner) => self.check_field(inner, key, item, path),
                None => {
                    let near = nearest(key, known.keys().map(String::as_str));
                    self.fault(path, format!("the field `{key}` is unknown here{near}"));
                }
            }
        }
    }

    fn check_field(&mut self, schema: &'a Value, key: &str, item: &Value, path: &mut String) {
        let length = path.len();
        if length > 0 {
            path.push('.');
        }
        path.push_str(key);
        self.check(schema, item, path);
        path.truncate(length);
    }
}

fn list_has(list: &Value, value: &Value) -> bool {
    list.as_array().is_some_and(|items| items.contains(value))
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => matches!(value, Value::Number(n) if super::integer(n).is_some()),
        _ => true,
    }
}

fn type_words(kind: &Value) -> String {
    let word = |name: &str| match name {
        "integer" => "a whole number",
        "string" => "a text",
        "array" => "an array",
        "object" => "an object",
        "boolean" => "true or false",
        "null" => "null",
        _ => "a number",
    };
    match kind {
        Value::Array(names) => {
            let words: Vec<&str> = names.iter().filter_map(Value::as_str).map(word).collect();
            words.join(" or ")
        }
        other => word(other.as_str().unwrap_or_default()).to_string(),
    }
}

fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// `^\d+\.\d+\.\d+$`, the only pattern in the schema.
fn is_version(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 3 && parts.iter().all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
}

/// ` (did you mean …?)` when a known name is near enough.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    turnstone_content::nearest(name, known)
        .map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}
