//! Seeds as players write them: base 35, digits and letters without O.

use thiserror::Error;

const DIGITS: &[u8; 35] = b"0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";

/// Why a seed text was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SeedTextError {
    /// Nothing was given.
    #[error("seed-empty: a seed needs at least one digit or letter, e.g. 1ABCD")]
    Empty,
    /// A character that no seed contains.
    #[error("seed-character: {0:?} cannot be part of a seed; use digits and letters only")]
    Character(char),
    /// More than 64 bits.
    #[error("seed-too-long: seeds have 64 bits, at most 13 digits or letters up to {MAX_TEXT}")]
    TooLong,
}

const MAX_TEXT: &str = "5G24A25UXKXFF";

/// The text of a seed.
///
/// ```
/// use turnstone_spire::seeds::{seed_from_text, seed_to_text};
/// assert_eq!(seed_to_text(1_218_623), "TEST");
/// assert_eq!(seed_from_text("test"), Ok(1_218_623));
/// ```
pub fn seed_to_text(mut seed: u64) -> String {
    let mut digits = Vec::with_capacity(13);
    loop {
        digits.push(DIGITS[(seed % 35) as usize]);
        seed /= 35;
        if seed == 0 {
            break;
        }
    }
    digits.iter().rev().map(|&d| char::from(d)).collect()
}

/// Reads a seed: upper or lower case, O is read as 0, spaces and dashes are skipped.
///
/// # Errors
/// An empty text, a foreign character, or more than 64 bits.
pub fn seed_from_text(text: &str) -> Result<u64, SeedTextError> {
    let mut seed: Option<u64> = None;
    for c in text.chars().filter(|c| !c.is_whitespace() && *c != '-') {
        let value = digit(c).ok_or(SeedTextError::Character(c))?;
        let so_far = seed.unwrap_or(0);
        let next = so_far.checked_mul(35).and_then(|s| s.checked_add(value));
        seed = Some(next.ok_or(SeedTextError::TooLong)?);
    }
    seed.ok_or(SeedTextError::Empty)
}

fn digit(c: char) -> Option<u64> {
    let upper = match c.to_ascii_uppercase() {
        'O' => '0',
        other => other,
    };
    DIGITS.iter().position(|&d| char::from(d) == upper).map(|i| i as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_number_are_inverse() {
        for seed in [0, 1, 34, 35, 443_465_330_393, u64::MAX, u64::MAX / 2] {
            assert_eq!(seed_from_text(&seed_to_text(seed)), Ok(seed));
        }
        assert_eq!(seed_to_text(u64::MAX), MAX_TEXT);
    }

    #[test]
    fn bad_texts_are_refused_with_a_reason() {
        assert_eq!(seed_from_text(" "), Err(SeedTextError::Empty));
        assert_eq!(seed_from_text("A!"), Err(SeedTextError::Character('!')));
        assert_eq!(seed_from_text("ZZZZZZZZZZZZZZ"), Err(SeedTextError::TooLong));
        assert_eq!(seed_from_text("O1"), seed_from_text("01"));
    }
}
