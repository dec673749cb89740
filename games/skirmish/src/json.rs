//! Canonical JSON, the form over which states are hashed.
//!
//! Keys are sorted by UTF-16 code units at every depth, there is no white
//! space, and numbers and strings are written the way JavaScript writes them.

use serde_json::{Number, Value};
use std::cmp::Ordering;
use std::fmt::Write;

/// Largest integer that a double holds without loss.
const SAFE_INTEGER: u64 = 1 << 53;

/// Writes a value canonically.
///
/// ```
/// use turnstone_skirmish::json::canonical;
/// let value = serde_json::json!({"b": 1.0, "a": [true, null, "\n"]});
/// assert_eq!(canonical(&value), r#"{"a":[true,null,"\n"],"b":1}"#);
/// ```
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

/// Compares two texts by their UTF-16 code units, as JavaScript's `<` does.
pub fn utf16_cmp(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() {
        return a.cmp(b);
    }
    a.encode_utf16().cmp(b.encode_utf16())
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => write_number(n, out),
        Value::String(s) => write_string(s, out),
        Value::Array(items) => write_array(items, out),
        Value::Object(map) => write_object(map, out),
    }
}

fn write_array(items: &[Value], out: &mut String) {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_value(item, out);
    }
    out.push(']');
}

fn write_object(map: &serde_json::Map<String, Value>, out: &mut String) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|a, b| utf16_cmp(a.0, b.0));
    out.push('{');
    for (i, (key, item)) in entries.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_string(key, out);
        out.push(':');
        write_value(item, out);
    }
    out.push('}');
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn write_number(n: &Number, out: &mut String) {
    match (n.as_i64(), n.as_u64()) {
        (Some(i), _) if i.unsigned_abs() <= SAFE_INTEGER => {
            let _ = write!(out, "{i}");
        }
        (_, Some(u)) if u <= SAFE_INTEGER => {
            let _ = write!(out, "{u}");
        }
        _ => out.push_str(&javascript_number(n.as_f64().unwrap_or(0.0))),
    }
}

/// Formats a double as JavaScript's `String(x)` does: the shortest digits that
/// read back the same, in plain notation from 1e-6 up to (not including) 1e21.
pub fn javascript_number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    let scientific = format!("{:e}", x.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let body = place_point(&digits, exponent);
    if x < 0.0 { format!("-{body}") } else { body }
}

/// Puts the decimal point into `digits`, whose first digit stands for 10^exponent.
fn place_point(digits: &str, exponent: i32) -> String {
    let count = digits.len() as i32;
    match exponent {
        0..=20 if count <= exponent + 1 => {
            format!("{digits}{}", "0".repeat((exponent + 1 - count) as usize))
        }
        0..=20 => {
            let (whole, fraction) = digits.split_at(exponent as usize + 1);
            format!("{whole}.{fraction}")
        }
        -6..=-1 => format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize)),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{first}{point}{rest}e{sign}{}", exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_follow_javascript() {
        let cases = [
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (123.456, "123.456"),
            (0.000001, "0.000001"),
            (0.0000001, "1e-7"),
            (1.5e-9, "1.5e-9"),
            (-0.0, "0"),
            (-2.5, "-2.5"),
        ];
        for (x, text) in cases {
            assert_eq!(javascript_number(x), text);
        }
    }

    #[test]
    fn integers_past_the_safe_range_round_like_doubles() {
        assert_eq!(canonical(&json!(9007199254740993u64)), "9007199254740992");
        assert_eq!(canonical(&json!(2.0)), "2");
    }

    #[test]
    fn keys_sort_by_utf16_units() {
        // U+10000 is a surrogate pair and sorts before U+E000.
        let value = json!({"\u{e000}": 1, "\u{10000}": 2});
        assert_eq!(canonical(&value), "{\"\u{10000}\":2,\"\u{e000}\":1}");
    }
}
