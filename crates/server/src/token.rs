//! Names of matches and secrets that open seats: random bits in letters.

use crate::refusal::Refusal;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// So many letters of six random bits each, from the operating system.
///
/// # Errors
/// If it has none.
fn letters(count: usize) -> Result<String, Refusal> {
    let mut bytes = vec![0; count];
    fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 63)])).collect())
}

/// Random bytes from the operating system.
///
/// # Errors
/// If it has none.
pub fn fill(bytes: &mut [u8]) -> Result<(), Refusal> {
    getrandom::fill(bytes)
        .map_err(|error| Refusal::new("STORAGE", format!("there is no randomness: {error}")))
}

/// 64 random bits.
///
/// # Errors
/// If the operating system has none.
pub fn number() -> Result<u64, Refusal> {
    let mut bytes = [0; 8];
    fill(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// A name for a match: nearly 72 bits, so that a private one cannot be guessed. It begins with a letter or a digit,
/// so that it is not mistaken for an option on a command line.
///
/// # Errors
/// If the operating system has no randomness.
pub fn match_id() -> Result<String, Refusal> {
    loop {
        let id = letters(12)?;
        if id.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            return Ok(id);
        }
    }
}

/// A secret of 192 bits: `s` opens a seat, `h` is a host's, `i` an invitation.
///
/// # Errors
/// If the operating system has no randomness.
pub fn secret(kind: char) -> Result<String, Refusal> {
    Ok(format!("{kind}_{}", letters(32)?))
}

/// What is kept of a secret. It has too many bits to be guessed, so no slow hash is needed.
pub fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Whether this may be the name of a match; anything else reaches no store.
pub fn is_match_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| LETTERS.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_match_looks_like_an_option() {
        for _ in 0..2_000 {
            let id = match_id().unwrap();
            assert!(is_match_id(&id) && !id.starts_with(['-', '_']), "{id}");
        }
    }

    #[test]
    fn secrets_are_long_unlike_and_of_their_kind() {
        let (one, two) = (secret('s').unwrap(), secret('s').unwrap());
        assert!(one.starts_with("s_") && one.len() == 34 && one != two);
        assert!(hash(&one) != hash(&two) && !hash(&one).contains(&one));
        assert!(is_match_id(&match_id().unwrap()));
        assert!(!is_match_id("../etc/passw") && !is_match_id("short"));
    }
}
