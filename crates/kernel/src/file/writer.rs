//! Writing a match file by appending to it.

use serde::Serialize;

use crate::digest::Digest;
use crate::game::Game;
use crate::play::{Match, Went};
use crate::position::{LiveOf, fold};
use crate::recorder::Keeper;
use crate::timeline::Moment;

use super::chain::{START, seal};
use super::header::{Header, Terms};
use super::line::{CloseLine, Closing, GoLine, InputLine, StartLine, TermsLine};

/// A match holds something that JSON cannot: nothing of that line was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// What JSON says.
    pub text: String,
}

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[UNWRITABLE] the match cannot be written: {}", self.text)
    }
}

impl std::error::Error for Unwritable {}

/// Writes a match file line by line: a running match is saved by appending what it gives.
#[derive(Clone, Debug)]
pub struct Writer {
    chain: Digest,
    /// Whether the state that the match starts from is written.
    started: bool,
    /// How much of the match's journal is written.
    written: usize,
    closed: bool,
    /// The last line of the file that was read lacks its end.
    unended: bool,
    /// By what the match goes on, if that is to be said before anything else.
    terms: Option<Terms>,
}

impl Writer {
    /// Begins a file; gives its first lines.
    ///
    /// # Errors
    /// If set-up or state cannot be written.
    pub fn begin<G: Game, R: Keeper<G>>(
        header: &Header<G::Setup>,
        game: &Match<G, R>,
    ) -> Result<(Self, String), Unwritable> {
        let mut writer = Writer::behind(START, (false, false, false), 0);
        let mut text = writer.seal(header)?;
        text += &writer.start(game)?;
        Ok((writer, text))
    }

    /// Goes on behind the lines of a file that was read; `unended` if its last line was whole but for its end.
    pub(super) fn behind(
        chain: Digest,
        (started, closed, unended): (bool, bool, bool),
        written: usize,
    ) -> Self {
        Writer { chain, started, written, closed, unended, terms: None }
    }

    /// From the next line on the match is played by these rules and this content, which the file is to say.
    pub fn go_on_by(&mut self, terms: Terms) {
        self.terms = Some(terms);
    }

    /// The line of the state that the match starts from, if it is not written yet.
    fn start<G: Game, R: Keeper<G>>(&mut self, game: &Match<G, R>) -> Result<String, Unwritable> {
        if std::mem::replace(&mut self.started, true) {
            return Ok(String::new());
        }
        let start = game.start();
        self.seal(&StartLine { start: &start.state, digest: start.digest() })
    }

    /// The lines for what was played since the last call; empty if nothing was.
    ///
    /// # Errors
    /// If something cannot be written. The writer is then where it was.
    pub fn append<G: Game, R: Keeper<G>>(&mut self, game: &Match<G, R>) -> Result<String, Unwritable> {
        let mut ahead = self.clone();
        let mut walker = Walker::<G> { at: None };
        let mut text = ahead.start(game)?;
        if ahead.written < game.journal().len()
            && let Some(terms) = ahead.terms.take()
        {
            text += &ahead.seal(&TermsLine { terms })?;
        }
        for went in &game.journal()[self.written..] {
            text += &match *went {
                Went::On(n) => ahead.input(game, n, &mut walker)?,
                Went::To(go, how) => ahead.seal(&GoLine { go, how })?,
            };
            ahead.closed = false;
        }
        ahead.written = game.journal().len();
        *self = ahead;
        Ok(text)
    }

    /// What was played since the last call, and the closing line; empty if the file is closed already.
    ///
    /// # Errors
    /// If something cannot be written. The writer is then where it was.
    pub fn close<G: Game, R: Keeper<G>>(&mut self, game: &Match<G, R>) -> Result<String, Unwritable> {
        let mut ahead = self.clone();
        let mut text = ahead.append(game)?;
        if ahead.closed {
            return Ok(text);
        }
        let closed = if game.outcome().is_some() { Closing::Finished } else { Closing::PutAway };
        let (here, refused, refusals) = (game.here(), game.refused(), game.refusals().collect());
        text += &ahead.seal(&CloseLine { closed, here, refused, refusals })?;
        ahead.closed = true;
        *self = ahead;
        Ok(text)
    }

    fn input<G: Game, R: Keeper<G>>(
        &mut self,
        game: &Match<G, R>,
        n: Moment,
        walker: &mut Walker<G>,
    ) -> Result<String, Unwritable> {
        let digest = walker.after(game, n);
        let (input, entries) = (game.input(n), game.entries(n));
        let notes = game.notes(n).collect();
        self.seal(&InputLine { n, input, entries, notes, digest })
    }

    fn seal<T: Serialize>(&mut self, line: &T) -> Result<String, Unwritable> {
        let object = serde_json::to_string(line).map_err(|error| Unwritable { text: error.to_string() })?;
        let (mut text, link) = seal(&object, self.chain);
        self.chain = link;
        text.push('\n');
        if std::mem::take(&mut self.unended) {
            text.insert(0, '\n');
        }
        Ok(text)
    }
}

/// Folds along the timeline; most moments follow the one before them, so this seldom goes back.
struct Walker<G: Game> {
    at: Option<(Moment, LiveOf<G>)>,
}

impl<G: Game> Walker<G> {
    /// The digest of the state after a moment.
    fn after<R: Keeper<G>>(&mut self, game: &Match<G, R>, moment: Moment) -> Digest {
        let parent = game.parent(moment).unwrap_or(0);
        let live = match self.at.take() {
            Some((at, mut live)) if at == parent => {
                for entry in game.entries(moment) {
                    fold(&**game.game(), &mut live, &entry.fact);
                }
                live
            }
            _ => game.live_after(moment),
        };
        let digest = live.digest();
        self.at = Some((moment, live));
        digest
    }
}

/// The whole timeline of a match as a match file, closed.
///
/// # Errors
/// If something in it cannot be written.
pub fn write<G: Game, R: Keeper<G>>(
    header: &Header<G::Setup>,
    game: &Match<G, R>,
) -> Result<String, Unwritable> {
    let (mut writer, text) = Writer::begin(header, game)?;
    Ok(text + &writer.close(game)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_json_cannot_hold_is_said_and_leaves_the_writer_where_it_was() {
        let mut writer = Writer::behind(START, (false, false, true), 0);
        let refusal = writer.seal(&BTreeMap::from([((1, 2), 3)])).unwrap_err();
        assert_eq!(refusal.to_string(), "[UNWRITABLE] the match cannot be written: key must be a string");
        assert!(writer.chain == START && writer.unended);
    }
}
