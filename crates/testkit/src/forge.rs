//! Forging match files, to see whether the forgery is noticed by more than the chain.

use turnstone::digest::Digest;

const CHAIN: &str = ",\"chain\":\"";

/// The lines of a file without their seals.
pub fn unsealed(file: &str) -> Vec<String> {
    let bare =
        |line: &str| line.rsplit_once(CHAIN).map_or_else(|| line.to_owned(), |(body, _)| format!("{body}}}"));
    file.lines().map(bare).collect()
}

/// Seals lines anew, as a forger would who knows the format.
///
/// ```
/// # use turnstone::doc::Nim;
/// # use std::sync::Arc;
/// use turnstone::{Input, Match, digest::digest, file};
/// use turnstone_testkit::forge::{reseal, unsealed};
/// let mut game: Match<Nim> = Match::new(Arc::new(Nim), 5, 0)?;
/// game.act(Input::Act(2))?;
/// let text = file::write(&file::Header::new("nim", "plain".into(), digest("nim 1"), 5, 0), &game)?;
/// assert_eq!(reseal(&unsealed(&text)), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reseal(lines: &[String]) -> String {
    let mut chain = Digest([0; 16]);
    let mut file = String::new();
    for line in lines {
        let body = line.strip_suffix('}').unwrap_or(line);
        chain = chain.chain(body.as_bytes());
        file += &format!("{body}{CHAIN}{chain}\"}}\n");
    }
    file
}
