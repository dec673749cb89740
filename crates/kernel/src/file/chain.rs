//! The seal at the end of every line: a digest of the line and of all lines before it.

use crate::digest::Digest;

use super::divergence::{Divergence, code};

const CHAIN: &str = ",\"chain\":\"";
const SEAL: usize = CHAIN.len() + 32 + 2;

/// What the first line is chained to.
pub(super) const START: Digest = Digest([0; 16]);

/// Seals a line, the text of one JSON object; gives the link for the next one.
pub(super) fn seal(object: &str, chain: Digest) -> (String, Digest) {
    let body = object.strip_suffix('}').unwrap_or(object);
    let link = chain.chain(body.as_bytes());
    (format!("{body}{CHAIN}{link}\"}}"), link)
}

/// Checks the seal of a line; gives the object as it was before it was sealed, and the link for the next one.
pub(super) fn unseal(line: &[u8], chain: Digest, number: usize) -> Result<(String, Digest), Divergence> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let text = format!("byte {} of the line is no text: the file was damaged", error.valid_up_to() + 1);
        Divergence::new(number, code::NOT_TEXT, text)
    })?;
    let malformed = || Divergence::new(number, code::MALFORMED_LINE, "the line does not end in its chain");
    let cut = text.len().checked_sub(SEAL).filter(|&cut| text.is_char_boundary(cut)).ok_or_else(malformed)?;
    let (body, seal) = text.split_at(cut);
    let hex = seal.strip_prefix(CHAIN).and_then(|rest| rest.strip_suffix("\"}")).ok_or_else(malformed)?;
    let link = chain.chain(body.as_bytes());
    if hex == link.to_string() {
        return Ok((format!("{body}}}"), link));
    }
    let text = "the line does not follow from the one before it: the file was changed after it was written";
    Err(Divergence::new(number, code::BROKEN_CHAIN, text))
}
