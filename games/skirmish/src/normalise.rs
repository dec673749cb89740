//! Human-readable reasons are not part of any contract: before documents are
//! compared or hashed, each reason is cut to its leading bracketed codes.

use serde_json::Value;

/// Cuts a reason: `[A] [B] some text` becomes `[A] [B]`.
///
/// ```
/// use turnstone_skirmish::normalise::reason;
/// assert_eq!(reason("[POST_INVARIANT_FAILED] [NO_SOLID_OVERLAP] a crate"), "[POST_INVARIANT_FAILED] [NO_SOLID_OVERLAP]");
/// ```
pub fn reason(text: &str) -> String {
    let mut end = 0;
    while let Some(length) = code_length(&text[end..]) {
        end += length;
        end += text[end..].len() - text[end..].trim_start().len();
    }
    text[..end].trim_end().to_string()
}

fn code_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let close = inner.find(']')?;
    let code = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    (close > 0 && inner[..close].bytes().all(code)).then_some(close + 2)
}

/// Cuts the reasons in an event's payload.
pub fn payload(mut payload: Value) -> Value {
    for entry in payload.get_mut("reasons").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(text) = entry.as_str() {
            *entry = Value::String(reason(text));
        }
    }
    payload
}

/// Cuts the reasons of an event, if it is a refusal.
pub fn event(mut event: Value) -> Value {
    if event["type"] == "ACTION_REJECTED"
        && let Some(inner) = event.get_mut("payload")
    {
        *inner = payload(inner.take());
    }
    event
}

/// Cuts the reasons of all refusals in a document's log.
pub fn document(mut document: Value) -> Value {
    let events = document.get_mut("log").and_then(|log| log.get_mut("events")).and_then(Value::as_array_mut);
    for entry in events.into_iter().flatten() {
        *entry = event(entry.take());
    }
    document
}
