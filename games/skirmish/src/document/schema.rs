//! The JSON Schema of a document, generated from the Rust types.

use super::Document;
use crate::Profile;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// Fields that only the later profile knows: definition, then property.
const MODERN_FIELDS: [(&str, &str); 8] = [
    ("StatsDoc", "attackBonus"),
    ("StatsDoc", "damageDice"),
    ("StatsDoc", "attackRange"),
    ("EntityDoc", "abilities"),
    ("EntityDoc", "abilityCooldowns"),
    ("EntityDoc", "conditionDurations"),
    ("CombatDoc", "turnBudget"),
    ("RngDoc", "algorithm"),
];

/// The schema of a profile's documents (JSON Schema 2020-12).
///
/// ```
/// use turnstone_skirmish::{Profile, document::schema::schema};
/// assert_eq!(schema(Profile::Mir14)["type"], "object");
/// ```
pub fn schema(profile: Profile) -> &'static Value {
    static OLD: OnceLock<Value> = OnceLock::new();
    static NEW: OnceLock<Value> = OnceLock::new();
    match profile {
        Profile::Mir14 => OLD.get_or_init(|| generate(profile)),
        Profile::Mir023 => NEW.get_or_init(|| generate(profile)),
    }
}

fn generate(profile: Profile) -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut value = generator.into_root_schema_for::<Document>().to_value();
    if let Some(root) = value.as_object_mut() {
        root.insert("title".into(), format!("Skirmish state, profile {}", profile.name()).into());
    }
    drop_integer_formats(&mut value);
    if !profile.is_modern() {
        drop_modern_fields(&mut value);
    }
    value
}

/// `format: int64` says nothing in JSON, where every number is a double.
fn drop_integer_formats(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("format").and_then(Value::as_str).is_some_and(|f| f.starts_with("int")) {
                map.remove("format");
            }
            map.values_mut().for_each(drop_integer_formats);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_integer_formats),
        _ => {}
    }
}

fn drop_modern_fields(value: &mut Value) {
    for (definition, field) in MODERN_FIELDS {
        let properties: Option<&mut Map<String, Value>> =
            value["$defs"][definition]["properties"].as_object_mut();
        if let Some(properties) = properties {
            properties.shift_remove(field);
        }
    }
}
