//! Untrusted text of a language model: at most one action, rebuilt from scratch.

use serde_json::{Value, json};

/// Why a text gives no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAction {
    /// The model says that nothing fits.
    #[error("the model declined")]
    Declined,
    /// The text is no allowed action.
    #[error("{0}")]
    Refused(String),
}

fn refused<T>(text: impl Into<String>) -> Result<T, NoAction> {
    Err(NoAction::Refused(text.into()))
}

/// Takes the outermost `{…}` of a text as one of the four allowed actions. Every
/// field that is not part of the action is dropped.
///
/// # Errors
/// Why there is no action in it.
///
/// ```
/// use turnstone_skirmish::text::model_output::read;
/// let action = read("Sure! {\"type\":\"ROLL_INITIATIVE\",\"extra\":1}").unwrap();
/// assert_eq!(action.to_string(), r#"{"type":"ROLL_INITIATIVE"}"#);
/// ```
pub fn read(text: &str) -> Result<Value, NoAction> {
    let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else {
        return refused("there is no JSON object in the text");
    };
    let inner = text.get(start..=end).unwrap_or_default();
    let value: Value = match serde_json::from_str(inner) {
        Ok(value) => value,
        Err(e) => return refused(format!("not strict JSON: {e}")),
    };
    let Some(kind) = value["type"].as_str() else {
        return refused("the object has no `type`");
    };
    match kind {
        "MOVE" => Ok(json!({
            "type": "MOVE", "entityId": text_field(&value, "entityId")?, "path": path(&value["path"])?,
        })),
        "ATTACK" => Ok(json!({
            "type": "ATTACK", "attackerId": text_field(&value, "attackerId")?,
            "targetId": text_field(&value, "targetId")?,
        })),
        "END_TURN" => Ok(json!({"type": "END_TURN", "entityId": text_field(&value, "entityId")?})),
        "ROLL_INITIATIVE" => Ok(json!({"type": "ROLL_INITIATIVE"})),
        "INVALID" => Err(NoAction::Declined),
        other => refused(format!("the action {other} is not open to a model")),
    }
}

fn text_field(value: &Value, key: &str) -> Result<String, NoAction> {
    match value[key].as_str() {
        Some(text) if !text.is_empty() => Ok(text.to_string()),
        _ => refused(format!("the field `{key}` must be a text")),
    }
}

fn path(value: &Value) -> Result<Vec<Value>, NoAction> {
    let cells = value.as_array().filter(|cells| !cells.is_empty());
    let Some(cells) = cells else { return refused("the field `path` must be a list of cells") };
    let cell = |cell: &Value| {
        let floor = |key: &str| cell[key].as_f64().map(|n| n.floor() as i64);
        Some(json!({"x": floor("x")?, "y": floor("y")?}))
    };
    match cells.iter().map(cell).collect::<Option<Vec<Value>>>() {
        Some(cells) => Ok(cells),
        None => refused("every cell of `path` needs numbers x and y"),
    }
}
