//! The state hash: two FNV-1a sums over the canonical form's UTF-16 code units.

use crate::json::canonical;
use serde_json::Value;

const OFFSET: u32 = 2_166_136_261;
const PRIME: u32 = 16_777_619;

/// Hashes a value: 16 hex digits, the sum of the canonical text and the sum of
/// the same text with `mir:` in front. It detects accidents, not attackers.
///
/// ```
/// use turnstone_skirmish::hash::hash;
/// assert_eq!(hash(&serde_json::json!(null)), "77074ba4cab6b47e");
/// ```
pub fn hash(value: &Value) -> String {
    hash_canonical(&canonical(value))
}

/// Hashes a text that is already canonical.
pub fn hash_canonical(text: &str) -> String {
    let plain = fnv(OFFSET, text);
    let marked = fnv(fnv(OFFSET, "mir:"), text);
    format!("{plain:08x}{marked:08x}")
}

fn fnv(start: u32, text: &str) -> u32 {
    text.encode_utf16().fold(start, |sum, unit| (sum ^ u32::from(unit)).wrapping_mul(PRIME))
}
