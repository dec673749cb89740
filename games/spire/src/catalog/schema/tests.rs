//! A small judge of JSON Schemas, and what it says of the shipped content.

use super::*;
use std::path::Path;

/// Whether a pattern of the schema fits; the few there are are classes of characters, repeated.
fn fits(pattern: &str, text: &str) -> bool {
    let class: &dyn Fn(char) -> bool = match pattern {
        "^[0-9]+$" => &|c: char| c.is_ascii_digit(),
        "^[a-z0-9_]+$" => &|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_',
        _ => &|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_+*/()<>=!, -".contains(c),
    };
    !text.is_empty() && text.chars().all(class)
}

fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64(),
        _ => value.is_number(),
    }
}

/// The first thing a schema has against a value.
fn complaint(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}"));
        return complaint(root, target, value, at);
    }
    let no = |what: &str| Some(format!("{at}: {what}: {value}"));
    if schema["type"].as_str().is_some_and(|name| !is_type(value, name)) {
        return no(&format!("is not of type {}", schema["type"]));
    }
    if schema.get("const").is_some_and(|wanted| wanted != value)
        || schema["enum"].as_array().is_some_and(|list| !list.contains(value))
    {
        return no("is another word");
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !fits(pattern, text)
    {
        return no("does not fit");
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(list) = schema[key].as_array()
            && !list.iter().any(|one| complaint(root, one, value, at).is_none())
        {
            return no(key);
        }
    }
    match value {
        Value::Object(fields) => object_complaint(root, schema, fields, at),
        Value::Array(items) => {
            let count = items.len() as u64;
            let few = schema["minItems"].as_u64().is_some_and(|least| count < least);
            if few || schema["maxItems"].as_u64().is_some_and(|most| count > most) {
                return no("has another length");
            }
            let item = schema.get("items")?;
            items
                .iter()
                .enumerate()
                .find_map(|(index, it)| complaint(root, item, it, &format!("{at}[{index}]")))
        }
        _ => None,
    }
}

fn object_complaint(root: &Value, schema: &Value, fields: &Map<String, Value>, at: &str) -> Option<String> {
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap_or_default()) {
            return Some(format!("{at}: lacks {name}"));
        }
    }
    fields.iter().find_map(|(key, value)| {
        let inside = format!("{at}.{key}");
        if let Some(pattern) = schema["propertyNames"]["pattern"].as_str()
            && !fits(pattern, key)
        {
            return Some(format!("{inside}: no such name"));
        }
        if let Some(known) = schema["properties"].get(key) {
            return complaint(root, known, value, &inside);
        }
        let patterns = schema["patternProperties"].as_object().into_iter().flatten();
        if let Some((_, known)) = patterns.into_iter().find(|(pattern, _)| fits(pattern, key)) {
            return complaint(root, known, value, &inside);
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => Some(format!("{inside}: unknown key")),
            Some(rest @ Value::Object(_)) => complaint(root, rest, value, &inside),
            _ => None,
        }
    })
}

fn read(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).expect("TOML")).expect("a value")
}

fn files(directory: &Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|end| end == "toml") {
            out.push(path);
        }
    }
}

#[test]
fn every_shipped_file_fits() {
    let (content, maps) = (content_schema(), crate::catalog::maps::schema());
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("content"), &mut all);
    let below = |path: &Path, folder: &str| path.components().any(|part| part.as_os_str() == folder);
    assert!(all.len() > 30, "the content is found");
    for path in all {
        let schema = if below(&path, "maps") { &maps } else { &content };
        let text = std::fs::read_to_string(&path).expect("a file");
        if let Some(wrong) = complaint(schema, schema, &read(&text), "") {
            panic!("{}: {wrong}", path.display());
        }
    }
}

#[test]
fn mistakes_do_not_fit() {
    let schema = content_schema();
    let right = "[card.a]\ntype = \"attack\"\ncost = [2, 1]\ndo = [{ attack = [5, \"x + 1\"], times = 2 }]\n";
    assert_eq!(complaint(&schema, &schema, &read(right), ""), None);
    for wrong in [
        "[crad.a]\n",
        "[card.A]\n",
        "[card.a]\ntype = \"atack\"\n",
        "[card.a]\ncosts = 1\n",
        "[card.a]\ncost = \"y\"\n",
        "[card.a]\ndo = [{ atack = 5 }]\n",
        "[card.a]\ndo = [{ attack = 5, time = 2 }]\n",
        "[card.a]\ndo = [{ attack = 5, to = \"everybody\" }]\n",
        "[card.a]\ndo = [{ attack = true }]\n",
        "[card.a]\ndo = [{ attack = \"x ^ 2\" }]\n",
        "[card.a]\ndo = [{ create = \"shiv\", to = \"enemies\" }]\n",
        "[power.a]\non.turn_strat = [{ block = 1 }]\n",
        "[power.a]\non.turn_start = { queue = \"front\", do = [] }\n",
        "[power.a]\nalter.attack_dealt = { add = 1, wehn = \"n\" }\n",
        "[power.a]\nprevent.everything = true\n",
        "[power.a]\nflags = [\"flying\"]\n",
        "[relic.a]\ncounter = { begin = 2 }\n",
        "[monster.a]\nhp = [1, 2, 3]\n",
        "[monster.a]\nhp = { a = 3 }\n",
        "[monster.a]\nmove.b = { do = [] }\n",
        "[monster.a]\nai = [{ mvoe = \"b\" }]\n",
        "[encounter.a]\nmonsters = [{ count = 2 }]\n",
        "[event.a]\npool = \"act4\"\n",
        "[event.a.node.start]\ntext = \"x\"\noptions = [{ id = \"a\", text = \"b\", do = [\"random_relic\"] }]\n",
    ] {
        assert!(complaint(&schema, &schema, &read(wrong), "").is_some(), "should not fit:\n{wrong}");
    }
}

#[test]
fn every_verb_shows_an_example_that_fits() {
    let schema = content_schema();
    for spec in verbs() {
        let text = format!("[card.a]\ndo = [{}]\n", spec.example);
        assert_eq!(complaint(&schema, &schema, &read(&text), ""), None, "{}", spec.name);
    }
}

#[test]
fn every_key_of_the_schema_is_one_the_reader_knows() {
    let reader = include_str!("../defs.rs").to_owned()
        + include_str!("../acts.rs")
        + include_str!("../events.rs")
        + include_str!("../gifts.rs")
        + include_str!("../../run/score.rs");
    for (kind, _, _, keys) in KINDS {
        for (key, ..) in keys.iter() {
            assert!(reader.contains(&format!("\"{key}\"")), "{kind}.{key}");
        }
    }
}
