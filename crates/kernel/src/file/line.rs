//! The lines after the header.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::fact::{EntryOf, InputOf};
use crate::game::{Game, NoteOf};
use crate::play::{How, Refusal};
use crate::timeline::Moment;

use super::divergence::{Divergence, code};
use super::form::exact;
use super::header::{TERMS, Terms};

/// Why a file was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closing {
    /// The match is over.
    Finished,
    /// The match can go on.
    PutAway,
}

/// The state the match started from.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartLine<S> {
    pub start: S,
    pub digest: Digest,
}

/// An input and what it led to. The number is the moment's.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputLine<I, E, N> {
    pub n: Moment,
    pub input: I,
    pub entries: E,
    /// Each with the number of its entry.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<(usize, N)>,
    pub digest: Digest,
}

/// [`InputLine`] of game `G`, as it is read.
pub(super) type InputLineOf<G> = InputLine<InputOf<G>, Vec<EntryOf<G>>, NoteOf<G>>;

/// A step to a moment that was there already.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoLine {
    pub go: Moment,
    pub how: How,
}

/// From here on the match was played by other rules or content, which play all before as it was played.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TermsLine {
    pub terms: Terms,
}

/// The end, for now.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CloseLine<R> {
    pub closed: Closing,
    pub here: Moment,
    /// How many inputs were refused.
    pub refused: u64,
    /// The last of them.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<R>,
}

/// [`CloseLine`] of game `G`, as it is read.
pub(super) type CloseLineOf<G> = CloseLine<Refusal<InputOf<G>>>;

/// Any line after the second.
pub(super) enum Line<G: Game> {
    Input(InputLineOf<G>),
    Go(GoLine),
    Terms(TermsLine),
    Close(CloseLineOf<G>),
}

impl<G: Game> Line<G> {
    pub fn parse(object: &str, number: usize) -> Result<Self, Divergence> {
        if object.starts_with("{\"n\"") {
            exact(object, number).map(Line::Input)
        } else if object.starts_with("{\"go\"") {
            exact(object, number).map(Line::Go)
        } else if object.starts_with(TERMS) {
            exact(object, number).map(Line::Terms)
        } else if object.starts_with("{\"closed\"") {
            exact(object, number).map(Line::Close)
        } else {
            let text = "this is neither an input nor a step back, nor terms, nor a closing line";
            Err(Divergence::new(number, code::MALFORMED_LINE, text))
        }
    }
}
