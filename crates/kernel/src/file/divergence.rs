//! Why a match file was not accepted.

use serde::{Deserialize, Serialize};

use crate::diff::Difference;

/// Why a match file was not accepted: the first place that disagrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Divergence {
    /// The line, counted from 1.
    pub line: usize,
    /// The serial number of the first fact that disagrees, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u32>,
    /// A stable code.
    pub code: String,
    /// What is wrong.
    pub text: String,
    /// The fields that differ.
    pub fields: Vec<Difference>,
}

impl Divergence {
    pub(super) fn new(line: usize, code: &str, text: impl Into<String>) -> Self {
        Divergence { line, event: None, code: code.to_owned(), text: text.into(), fields: Vec::new() }
    }
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: [{}] {}", self.line, self.code, self.text)?;
        if let Some(event) = self.event {
            write!(f, " (event {event})")?;
        }
        self.fields.iter().try_for_each(|field| write!(f, "\n  {field}"))
    }
}

impl std::error::Error for Divergence {}

/// The codes of [`Divergence`].
pub mod code {
    /// The line is no text: bytes of it were damaged.
    pub const NOT_TEXT: &str = "NOT_TEXT";
    /// The line is not what a match file holds there.
    pub const MALFORMED_LINE: &str = "MALFORMED_LINE";
    /// The line says what it says in another way than a match file does: unknown fields, other order or spelling.
    pub const NOT_CANONICAL: &str = "NOT_CANONICAL";
    /// A line was changed, removed or inserted after it was written.
    pub const BROKEN_CHAIN: &str = "BROKEN_CHAIN";
    /// The file was written in a format this release does not read.
    pub const UNKNOWN_FORMAT: &str = "UNKNOWN_FORMAT";
    /// The file was written in an older format: it is not played on, and can be watched as far as its game's facts have
    /// the same form today.
    pub const OLD_FORMAT: &str = "OLD_FORMAT";
    /// The set-up is refused.
    pub const BAD_SETUP: &str = "BAD_SETUP";
    /// The match starts from another state by today's rules.
    pub const OTHER_START: &str = "OTHER_START";
    /// The rules now refuse what was played.
    pub const NOW_REFUSED: &str = "NOW_REFUSED";
    /// The rules now give other facts.
    pub const OTHER_EVENTS: &str = "OTHER_EVENTS";
    /// The rules now give other reasons for the same facts.
    pub const OTHER_NOTES: &str = "OTHER_NOTES";
    /// The recorded facts lead to another state.
    pub const OTHER_STATE: &str = "OTHER_STATE";
    /// The recorded facts alone do not rebuild the state.
    pub const FOLD_DIFFERS: &str = "FOLD_DIFFERS";
    /// What was refused is accepted now, or refused for another reason.
    pub const OTHER_REFUSAL: &str = "OTHER_REFUSAL";
    /// A recorded fact names what this game does not have.
    pub const UNFIT_EVENT: &str = "UNFIT_EVENT";
    /// The file is sound as far as it goes, but it has no closing line: the match was cut off.
    pub const NOT_CLOSED: &str = "NOT_CLOSED";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_divergence_says_where_and_what_and_every_field() {
        let mut divergence = Divergence::new(4, code::OTHER_EVENTS, "other events");
        assert_eq!(divergence.to_string(), "line 4: [OTHER_EVENTS] other events");
        divergence.event = Some(7);
        let field = |path: &str| Difference { path: path.to_owned(), expected: Some(1.into()), found: None };
        divergence.fields = vec![field("hp"), field("at")];
        let told = "line 4: [OTHER_EVENTS] other events (event 7)\n  hp: expected 1, found nothing\n  \
            at: expected 1, found nothing";
        assert_eq!(divergence.to_string(), told);
    }
}
