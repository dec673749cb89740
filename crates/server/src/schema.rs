//! JSON Schemas of everything that is told, made from one table. What is heard has its own, made from its types
//! (see `message.rs`).

use serde_json::{Map, Value, json};
use turnstone_table::scene::Scene;

/// A field and what it holds. A name that ends in `?` may be missing, a kind that ends in `?` may be null, a kind in
/// brackets is a list; a kind in capitals is a part of its own, `any` is as the game says.
type Field = (&'static str, &'static str);

/// What messages are made of.
const PARTS: [(&str, &[Field]); 15] = [
    (
        "NOW",
        &[
            ("moment", "integer"),
            ("actor", "integer?"),
            ("outcome", "any"),
            ("question", "any"),
            ("seat", "integer?"),
            ("scene?", "SCENE"),
            ("delta?", "object"),
            ("inputs?", "[any]"),
        ],
    ),
    (
        "NODE",
        &[
            ("moment", "integer"),
            ("parent", "integer?"),
            ("by", "integer?"),
            ("text", "string"),
            ("at", "integer"),
        ],
    ),
    (
        "LINE",
        &[
            ("depth", "integer"),
            ("kind", "string"),
            ("text", "string"),
            ("n?", "integer"),
            ("chance?", "integer"),
            ("range?", "[integer]"),
        ],
    ),
    (
        "CLOCK",
        &[
            ("left", "[integer]"),
            ("runs", "integer?"),
            ("paused", "boolean"),
            ("increment", "integer?"),
            ("days", "integer?"),
        ],
    ),
    (
        "SAID",
        &[
            ("n", "integer"),
            ("seat", "integer?"),
            ("name", "string"),
            ("text", "string"),
            ("moment", "integer"),
            ("at", "integer"),
        ],
    ),
    (
        "OFFER",
        &[
            ("offer", "integer"),
            ("what", "string"),
            ("by", "integer"),
            ("moment", "integer?"),
            ("seat", "integer?"),
            ("yes", "[integer]"),
            ("wanted", "[integer]"),
        ],
    ),
    (
        "SEAT",
        &[
            ("seat", "integer"),
            ("role", "string"),
            ("who", "string"),
            ("name", "string"),
            ("here", "boolean"),
            ("away", "boolean"),
            ("muted", "boolean"),
            ("hands", "integer"),
        ],
    ),
    (
        "SUMMARY",
        &[
            ("match", "string"),
            ("game", "string"),
            ("title", "string"),
            ("opened", "integer"),
            ("touched?", "integer"),
            ("seats", "[SEAT]"),
            ("state", "string"),
            ("actor", "integer?"),
            ("outcome", "any"),
            ("how", "string?"),
            ("public", "boolean"),
            ("watch", "string"),
            ("practice", "boolean"),
            ("clock", "object?"),
            ("absent?", "string"),
            ("patience?", "integer"),
            ("spectators", "integer"),
            ("next", "string?"),
            ("moves?", "integer"),
            ("due?", "integer"),
            ("secret", "boolean"),
        ],
    ),
    ("YOU", &[("seats", "[integer]"), ("host", "boolean"), ("name", "string")]),
    ("TIMELINE", &[("here", "integer"), ("first", "integer"), ("nodes", "[NODE]")]),
    ("ENTRY", &[("moment", "integer"), ("by", "integer?"), ("told", "[LINE]")]),
    (
        "BRANCH",
        &[
            ("tip", "integer"),
            ("forked_at", "integer"),
            ("length", "integer"),
            ("current", "boolean"),
            ("last", "string"),
        ],
    ),
    ("CHANGE", &[("moment", "integer"), ("from", "integer?"), ("to", "integer?"), ("lines", "[LINE]")]),
    ("TRIED", &[("told?", "[LINE]"), ("error?", "object")]),
    (
        "TURN",
        &[
            ("moment", "integer"),
            ("label", "string"),
            ("better", "string"),
            ("before", "integer"),
            ("after", "integer"),
        ],
    ),
];

/// What is told, by `t`; answers have the `id` of what they answer, too.
const MESSAGES: [(&str, &[Field]); 27] = [
    (
        "welcome",
        &[
            ("protocol", "integer"),
            ("match", "string"),
            ("rev", "integer"),
            ("you", "YOU"),
            ("game", "string"),
            ("about", "string"),
            ("ruleset", "any"),
            ("options", "object"),
            ("summary", "SUMMARY"),
            ("commitment", "string"),
            ("now?", "NOW"),
            ("timeline?", "TIMELINE"),
            ("chat", "[SAID]"),
            ("offers", "[OFFER]"),
            ("clock", "CLOCK?"),
            ("frozen", "string?"),
            ("hushed", "boolean"),
            ("muted", "[string]"),
            ("limits", "object"),
            ("resumed", "boolean"),
        ],
    ),
    (
        "moved",
        &[
            ("rev", "integer"),
            ("how", "string"),
            ("node", "NODE"),
            ("told", "[LINE]"),
            ("now?", "NOW"),
            ("clock?", "CLOCK?"),
        ],
    ),
    (
        "said",
        &[
            ("n", "integer"),
            ("seat", "integer?"),
            ("name", "string"),
            ("text", "string"),
            ("moment", "integer"),
            ("at", "integer"),
        ],
    ),
    (
        "offer",
        &[
            ("offer", "integer"),
            ("what", "string"),
            ("by", "integer"),
            ("moment", "integer?"),
            ("seat", "integer?"),
            ("yes", "[integer]"),
            ("wanted", "[integer]"),
        ],
    ),
    ("settled", &[("offer", "integer"), ("accepted", "boolean")]),
    (
        "clock",
        &[
            ("left", "[integer]"),
            ("runs", "integer?"),
            ("paused", "boolean"),
            ("increment", "integer?"),
            ("days", "integer?"),
        ],
    ),
    (
        "seats",
        &[("seats", "[SEAT]"), ("spectators", "integer"), ("hushed", "boolean"), ("muted", "[string]")],
    ),
    ("away", &[("seat", "integer"), ("since", "integer"), ("left", "integer?")]),
    ("note", &[("code", "string"), ("text", "string")]),
    ("rematch", &[("match", "string")]),
    ("over", &[("outcome", "any"), ("how", "string?"), ("reveal", "object")]),
    ("lobby", &[("matches", "[SUMMARY]"), ("next", "string?")]),
    (
        "ok",
        &[
            ("id", "string"),
            ("rev?", "integer"),
            ("offer?", "integer?"),
            ("n?", "integer"),
            ("name?", "string"),
            ("token?", "string"),
            ("seat?", "integer"),
            ("invitation?", "string"),
        ],
    ),
    ("error", &[("id?", "string"), ("code", "string"), ("text", "string"), ("retry_ms?", "integer")]),
    ("looked", &[("id", "string"), ("moment", "integer"), ("now", "NOW"), ("told", "[LINE]")]),
    (
        "view",
        &[
            ("id", "string"),
            ("moment", "integer"),
            ("view", "any"),
            ("events", "[any]"),
            ("question", "any"),
            ("inputs", "[any]"),
            ("labels", "[string]"),
        ],
    ),
    ("why", &[("id", "string"), ("moment", "integer"), ("lines", "[LINE]")]),
    (
        "number",
        &[
            ("id", "string"),
            ("name", "string"),
            ("now", "integer"),
            ("changes", "[CHANGE]"),
            ("before", "integer?"),
            ("more", "boolean"),
        ],
    ),
    ("log", &[("id", "string"), ("entries", "[ENTRY]")]),
    ("timeline", &[("id", "string"), ("nodes", "[NODE]")]),
    ("branches", &[("id", "string"), ("branches", "[BRANCH]")]),
    ("tried", &[("id", "string"), ("from", "integer"), ("steps", "[TRIED]"), ("now", "NOW")]),
    ("forecast", &[("id", "string"), ("worlds", "integer"), ("certain", "boolean"), ("lines", "[LINE]")]),
    ("steps", &[("id", "string"), ("moment", "integer"), ("steps", "[object]")]),
    ("sample", &[("id", "string"), ("rev", "integer"), ("position", "object"), ("opening", "object")]),
    ("hint", &[("id", "string"), ("option", "integer"), ("label", "string"), ("bot", "string")]),
    (
        "reviewed",
        &[
            ("id", "string"),
            ("seat", "integer"),
            ("bot", "string"),
            ("worlds", "integer"),
            ("turns", "[TURN]"),
        ],
    ),
];

/// The schema of every message that is told.
pub fn told() -> Value {
    let mut parts: Map<String, Value> =
        PARTS.iter().map(|(name, fields)| ((*name).to_owned(), object(fields, None))).collect();
    parts.extend(scene_parts());
    let messages: Vec<Value> = MESSAGES.iter().map(|(name, fields)| object(fields, Some(name))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Told", "oneOf": messages, "$defs": parts,
    })
}

/// A scene, and what it is made of, as the types say that games show things with.
fn scene_parts() -> Map<String, Value> {
    let Value::Object(mut scene) = Scene::schema() else { return Map::new() };
    let mut parts = match scene.remove("$defs") {
        Some(Value::Object(parts)) => parts,
        Some(_) | None => Map::new(),
    };
    scene.remove("$schema");
    parts.insert("SCENE".to_owned(), Value::Object(scene));
    parts
}

fn object(fields: &[Field], t: Option<&str>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    if let Some(t) = t {
        properties.insert("t".to_owned(), json!({ "const": t }));
        required.push("t");
    }
    for (name, kind) in fields {
        let bare = name.trim_end_matches('?');
        properties.insert(bare.to_owned(), schema(kind));
        if bare == *name {
            required.push(bare);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

fn schema(kind: &str) -> Value {
    if let Some(kind) = kind.strip_suffix('?') {
        return json!({ "anyOf": [schema(kind), { "type": "null" }] });
    }
    if let Some(item) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        return json!({ "type": "array", "items": schema(item) });
    }
    match kind {
        "any" => json!({}),
        part if part.chars().all(char::is_uppercase) => json!({ "$ref": format!("#/$defs/{part}") }),
        plain => json!({ "type": plain }),
    }
}

/// Whether a value is what a schema describes, and nothing more; for those words of the language that are used here.
///
/// # Errors
/// What is otherwise.
pub fn fits(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let wrong = || Err(format!("{value} is not {schema}"));
    if let Some(place) = schema["$ref"].as_str() {
        let meant = root.pointer(place.trim_start_matches('#'));
        return fits(root, meant.ok_or_else(|| format!("there is no {place}"))?, value);
    }
    if let Some(ways) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return if ways.iter().any(|way| fits(root, way, value).is_ok()) { Ok(()) } else { wrong() };
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        return wrong();
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return wrong();
    }
    let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    if !kinds.iter().any(|kind| is_kind(value, kind)) {
        return wrong();
    }
    for item in value.as_array().filter(|_| schema["items"].is_object()).into_iter().flatten() {
        fits(root, &schema["items"], item)?;
    }
    fields_fit(root, schema, value)
}

fn is_kind(value: &Value, kind: &Value) -> bool {
    match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(_) => false,
        None => true,
    }
}

/// All that must be there is there, all is as it must be, and nothing is told that is not described.
fn fields_fit(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(name) = required.into_iter().find(|name| value.get(*name).is_none()) {
        return Err(format!("{value} has no {name}"));
    }
    let Some(known) = schema["properties"].as_object() else { return Ok(()) };
    for (name, field) in value.as_object().into_iter().flatten() {
        let part = known.get(name).ok_or_else(|| format!("{name} of {value} is not described"))?;
        fits(root, part, field)?;
    }
    Ok(())
}

/// Whether a message is as the schemas of what is told say; news have no `id`, answers of the same name have one.
///
/// # Errors
/// What is otherwise.
pub fn is_told(told: &Value, message: &Value) -> Result<(), String> {
    let kinds = told["oneOf"].as_array().into_iter().flatten();
    let own = kinds.into_iter().find(|one| one["properties"]["t"]["const"] == message["t"]);
    let mut own = own.ok_or_else(|| format!("{} is not described", message["t"]))?.clone();
    if let Some(required) = own["required"].as_array_mut() {
        required.retain(|name| name != "id");
    }
    let mut message = message.clone();
    if let Some(message) = message.as_object_mut() {
        message.remove("id");
    }
    fits(told, &own, &message)
}
