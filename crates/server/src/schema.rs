//! JSON Schemas of everything that is told, made from one table. What is heard has its own, made from its types
//! (see `message.rs`).

use serde_json::{Map, Value, json};

/// A field and what it holds. A name that ends in `?` may be missing, a kind that ends in `?` may be null, a kind in
/// brackets is a list; a kind in capitals is a part of its own, `any` is as the game says.
type Field = (&'static str, &'static str);

/// What messages are made of.
const PARTS: [(&str, &[Field]); 13] = [
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
        "SCENE",
        &[
            ("title", "string"),
            ("board?", "object?"),
            ("panels", "[object]"),
            ("options", "[object]"),
            ("question", "string?"),
            ("counters?", "[object]"),
            ("notation?", "string"),
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
];

/// What is told, by `t`; answers have the `id` of what they answer, too.
const MESSAGES: [(&str, &[Field]); 26] = [
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
            ("now", "any"),
            ("changes", "[object]"),
            ("before", "any"),
            ("more", "boolean"),
        ],
    ),
    ("log", &[("id", "string"), ("entries", "[ENTRY]")]),
    ("timeline", &[("id", "string"), ("nodes", "[NODE]")]),
    ("branches", &[("id", "string"), ("branches", "[BRANCH]")]),
    ("tried", &[("id", "string"), ("from", "integer"), ("steps", "[object]"), ("now", "NOW")]),
    ("forecast", &[("id", "string"), ("worlds", "integer"), ("certain", "boolean"), ("lines", "[LINE]")]),
    ("steps", &[("id", "string"), ("moment", "integer"), ("steps", "[object]")]),
    ("sample", &[("id", "string"), ("rev", "integer"), ("position", "object"), ("opening", "object")]),
    ("hint", &[("id", "string"), ("option", "integer"), ("label", "string"), ("bot", "string")]),
    ("reviewed", &[("id", "string"), ("seat", "integer"), ("bot", "string"), ("turns", "[object]")]),
];

/// The schema of every message that is told.
pub fn told() -> Value {
    let parts: Map<String, Value> =
        PARTS.iter().map(|(name, fields)| ((*name).to_owned(), object(fields, None))).collect();
    let messages: Vec<Value> = MESSAGES.iter().map(|(name, fields)| object(fields, Some(name))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Told", "oneOf": messages, "$defs": parts,
    })
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
