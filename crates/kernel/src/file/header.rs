//! The first line of a match file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Digest;

use super::chain::{START, unseal};
use super::divergence::{Divergence, code};
use super::form::canonical;

/// The version of the file format.
pub const FORMAT: u32 = 2;

/// One part of the content a match was played with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentPart {
    /// The name: the game's own content, or a pack's.
    pub name: String,
    /// A digest of what was in it.
    pub digest: Digest,
}

/// What must be known to play the match again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header<S> {
    /// The version of the file format.
    pub turnstone: u32,
    /// The game's name.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// Which rules are on, in the game's own terms.
    pub ruleset: Value,
    /// The content the match was played with.
    pub content: Vec<ContentPart>,
    /// For every kind of thing that facts name by number, the names in the order of the numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Vec<String>>,
    /// What people want to know of the match: players, date, event.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// What the match started from.
    pub setup: S,
    /// The seed of its dice.
    pub seed: u64,
    /// What was mixed with the seed to promise it to the players before they knew it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Digest>,
    /// The moment of an older match that this one goes on from, under the rules of this one: it starts from the state
    /// that the second line holds, not from what the set-up gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<u32>,
}

impl<S> Header<S> {
    /// A header for the present format, with the game's own content as its only part.
    pub fn new(game: impl Into<String>, ruleset: Value, content: Digest, setup: S, seed: u64) -> Self {
        let game = game.into();
        let content = vec![ContentPart { name: game.clone(), digest: content }];
        Header {
            turnstone: FORMAT,
            game,
            rules: 1,
            ruleset,
            content,
            names: BTreeMap::new(),
            tags: BTreeMap::new(),
            setup,
            seed,
            salt: None,
            branch: None,
        }
    }
}

/// How a line of terms begins.
pub(super) const TERMS: &str = "{\"terms\"";

/// By what a match is played: its rules and its content, and the names of what facts name by number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The version of the game's rules.
    pub rules: u32,
    /// The content.
    pub content: Vec<ContentPart>,
    /// For every kind of thing that facts name by number, the names in the order of the numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, Vec<String>>,
}

impl<S> Header<S> {
    /// By what the match is played.
    pub fn terms(&self) -> Terms {
        Terms { rules: self.rules, content: self.content.clone(), names: self.names.clone() }
    }

    /// The same match, played by other rules or content from some line on.
    #[must_use]
    pub fn under(self, terms: Terms) -> Self {
        let Terms { rules, content, names } = terms;
        Header { rules, content, names, ..self }
    }
}

/// The header of format 1.
#[derive(Deserialize)]
struct Old<S> {
    game: String,
    ruleset: Value,
    content: Digest,
    setup: S,
    seed: u64,
}

#[derive(Deserialize)]
struct Format {
    turnstone: u32,
}

/// Reads the header without judging the rest; headers of older formats are put in today's form, and keep
/// their number: whether the facts behind them can still be read is another question. Of a match that went on by
/// other rules or content, it tells the last ones.
///
/// # Errors
/// If the first line is no header of a format this release reads.
pub fn header(file: impl AsRef<[u8]>) -> Result<Header<Value>, Divergence> {
    let mut lines = file.as_ref().split(|&byte| byte == b'\n');
    let (header, _) = parse(lines.next().unwrap_or_default())?;
    // What is damaged is named by whoever reads the whole.
    let last = lines.rev().filter(|line| line.starts_with(TERMS.as_bytes())).find_map(|line| {
        let line: AnyTerms = serde_json::from_slice(line).ok()?;
        Some(line.terms)
    });
    Ok(match last {
        Some(terms) => header.under(terms),
        None => header,
    })
}

/// A line of terms, whatever else is in it.
#[derive(Deserialize)]
struct AnyTerms {
    terms: Terms,
}

/// Reads the first line; gives the link for the next one too.
pub(super) fn parse<S>(line: &[u8]) -> Result<(Header<S>, Digest), Divergence>
where
    S: Serialize + for<'de> Deserialize<'de>,
{
    let (object, link) = unseal(line, START, 1)?;
    let malformed = |error: serde_json::Error| {
        Divergence::new(1, code::MALFORMED_LINE, format!("this is no header of a match file: {error}"))
    };
    let format: Format = serde_json::from_str(&object).map_err(malformed)?;
    match format.turnstone {
        FORMAT => {
            let header: Header<S> = serde_json::from_str(&object).map_err(malformed)?;
            canonical(&header, &object, 1)?;
            Ok((header, link))
        }
        1 => {
            let Old { game, ruleset, content, setup, seed } =
                serde_json::from_str(&object).map_err(malformed)?;
            Ok((Header { turnstone: 1, ..Header::new(game, ruleset, content, setup, seed) }, link))
        }
        other => {
            let text = format!(
                "the file has format {other}; this release reads {FORMAT}, and watches 1 as far as its game's facts have the \
                 same form today"
            );
            Err(Divergence::new(1, code::UNKNOWN_FORMAT, text))
        }
    }
}
