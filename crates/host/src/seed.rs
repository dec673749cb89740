//! Seeds as people write them: a whole number, also a negative one, or digits and letters as in `1ABCD`.
//!
//! ```
//! use turnstone_host::seed::{read_seed, seed_to_text};
//! assert_eq!(read_seed("42"), Ok(42));
//! assert_eq!(read_seed("-5"), Ok(u64::MAX - 4));
//! assert_eq!(read_seed("test"), Ok(1_218_623));
//! assert_eq!(seed_to_text(1_218_623), "TEST");
//! ```

use std::fmt;

const DIGITS: &[u8; 35] = b"0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";
const MAX_TEXT: &str = "5G24A25UXKXFF";

/// Why a seed was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeedTextError {
    /// Nothing was given.
    Empty,
    /// A character that no seed contains.
    Character(char),
    /// More than 64 bits.
    TooLong,
}

impl fmt::Display for SeedTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeedTextError::Empty => {
                write!(f, "seed-empty: a seed needs at least one digit or letter, e.g. 1ABCD")
            }
            SeedTextError::Character(c) => {
                write!(f, "seed-character: {c:?} cannot be part of a seed; use digits and letters only")
            }
            SeedTextError::TooLong => {
                write!(f, "seed-too-long: seeds have 64 bits, at most 13 digits or letters up to {MAX_TEXT}")
            }
        }
    }
}

impl std::error::Error for SeedTextError {}

/// Reads a seed, with one meaning wherever one is asked for: digits alone, with or without a sign, are a number;
/// anything else is a text in base 35. Who means a text of digits alone writes an O in front, which is a 0.
///
/// # Errors
/// An empty text, a foreign character, or more than 64 bits.
pub fn read_seed(text: &str) -> Result<u64, SeedTextError> {
    let text = text.trim();
    let number = text.parse::<u64>().ok();
    let signed = || text.parse::<i64>().ok().map(i64::cast_unsigned);
    match number.or_else(signed) {
        Some(number) => Ok(number),
        None => seed_from_text(text),
    }
}

/// The text of a seed.
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

/// A seed as those write it who know seeds as texts: with letters if there are any, since digits alone would be
/// read as a number.
pub fn seed_as_written(seed: u64) -> String {
    let text = seed_to_text(seed);
    if text.chars().all(|c| c.is_ascii_digit()) { seed.to_string() } else { text }
}

/// Reads a text in base 35: upper or lower case, O is read as 0, spaces and dashes are skipped.
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
    fn a_seed_as_it_is_written_means_that_seed() {
        for seed in [0, 7, 42, 350, 1_943_283, 443_465_330_393, u64::MAX] {
            assert_eq!(read_seed(&seed_as_written(seed)), Ok(seed));
        }
        assert_eq!(seed_as_written(1_943_283), "1ABCD");
        assert_eq!(seed_as_written(42), "42", "as a text it would be 17, which is read as a number");
    }

    #[test]
    fn bad_texts_are_refused_with_a_reason() {
        assert_eq!(seed_from_text(" "), Err(SeedTextError::Empty));
        assert_eq!(seed_from_text("A!"), Err(SeedTextError::Character('!')));
        assert_eq!(seed_from_text("ZZZZZZZZZZZZZZ"), Err(SeedTextError::TooLong));
        assert_eq!(seed_from_text("O1"), seed_from_text("01"));
    }

    #[test]
    fn digits_alone_are_a_number_and_signs_are_those_of_run_files() {
        assert_eq!(read_seed("42"), Ok(42));
        assert_eq!(read_seed(" -8223372036854775808 "), Ok((-8_223_372_036_854_775_808i64) as u64));
        assert_eq!(read_seed("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(read_seed("O42"), seed_from_text("42"));
        assert_eq!(read_seed("99999999999999999999"), Err(SeedTextError::TooLong));
    }
}
