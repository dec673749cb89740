//! Watching an old match: folding its facts, asking no rule.

use std::sync::Arc;

use serde::Deserialize;

use crate::digest::Digest;
use crate::fact::{EntryOf, Fact, FactOf, InputOf};
use crate::game::Game;
use crate::play::{How, Match, Refusal, SNAPSHOT_INTERVAL};
use crate::position::{Position, fold};
use crate::recorder::Trace;
use crate::timeline::Moment;

use super::chain::unseal;
use super::divergence::{Divergence, code};
use super::form::exact;
use super::header::{FORMAT, Header, Terms, parse};
use super::line::{InputLineOf, Line, StartLine};
use super::reader::Lines;

/// A match as it was played.
pub struct Watched<G: Game> {
    /// Its header, by the last terms.
    pub header: Header<G::Setup>,
    /// The match with its whole timeline. Played on, it starts a branch under today's rules; not where a
    /// question waits, for what waits behind it is not in the file.
    pub game: Match<G, Trace<G>>,
    /// The first line after which folding no longer gives the state that was recorded: what is written has
    /// another meaning today from there on.
    pub strays: Option<usize>,
}

/// Opens a match file by folding its facts: no rule is asked, so that rules and content may have changed since.
/// The chain is checked, and every fact must be one that this game can write: a match of an older format or release can be
/// watched as far as the game's facts have kept their form.
///
/// # Errors
/// The first line that cannot be read.
pub fn watch<G: Game>(game: &Arc<G>, file: impl AsRef<[u8]>) -> Result<Watched<G>, Divergence> {
    let mut lines = Lines { file: file.as_ref(), number: 0, at: 0 };
    let (header, chain) = parse::<G::Setup>(lines.next().unwrap_or_default())?;
    let old = header.turnstone != FORMAT;
    let mut watcher = match old {
        true => Watcher::from_setup(game, &header, chain)?,
        false => Watcher::from_start(game, &header, chain, lines.next().unwrap_or_default())?,
    };
    while let Some(line) = lines.next() {
        let number = lines.number;
        let read = unseal(line, watcher.chain, number).and_then(|(object, link)| {
            if old {
                watcher.old_line(&object, number)?;
            } else {
                watcher.line(&object, number)?;
            }
            watcher.chain = link;
            Ok(())
        });
        match read {
            Err(_) if lines.is_cut() => break,
            read => read?,
        }
    }
    let header = match watcher.terms {
        Some(terms) => header.under(terms),
        None => header,
    };
    Ok(Watched { header, game: watcher.watched, strays: watcher.strays })
}

struct Watcher<G: Game> {
    watched: Match<G, Trace<G>>,
    chain: Digest,
    strays: Option<usize>,
    /// The last terms that were said after the header.
    terms: Option<Terms>,
    /// For files of format 1, in which refused inputs have numbers too: the moment of every number.
    moments: Vec<Moment>,
}

impl<G: Game> Watcher<G> {
    fn new(game: &Arc<G>, header: &Header<G::Setup>, chain: Digest, start: Position<G>) -> Self {
        let (setup, seed) = (header.setup.clone(), header.seed);
        let watched = Match::at(Arc::clone(game), setup, seed, start, SNAPSHOT_INTERVAL);
        Watcher { watched, chain, strays: None, terms: None, moments: vec![0] }
    }

    fn from_setup(game: &Arc<G>, header: &Header<G::Setup>, chain: Digest) -> Result<Self, Divergence> {
        let refused =
            |refusal| Divergence::new(1, code::BAD_SETUP, format!("the set-up is refused: {refusal}"));
        let state = game.start(&header.setup, header.seed).map_err(refused)?;
        let start = Position::<G>::new(state).admit(game).map_err(refused)?;
        Ok(Self::new(game, header, chain, start))
    }

    fn from_start(
        game: &Arc<G>,
        header: &Header<G::Setup>,
        chain: Digest,
        line: &[u8],
    ) -> Result<Self, Divergence> {
        let (object, link) = unseal(line, chain, 2)?;
        let line: StartLine<G::State> = exact(&object, 2)?;
        let start = Position::<G>::new(line.start).admit(game).map_err(|refusal| {
            Divergence::new(
                2,
                code::OTHER_START,
                format!("the first state is no state of this game: {refusal}"),
            )
        })?;
        Ok(Self::new(game, header, link, start))
    }

    fn line(&mut self, object: &str, number: usize) -> Result<(), Divergence> {
        match Line::<G>::parse(object, number)? {
            Line::Input(InputLineOf::<G> { n, input, entries, notes, digest }) => {
                if n != self.watched.moments() {
                    return Err(Divergence::new(number, code::MALFORMED_LINE, "the inputs are out of order"));
                }
                self.check(&entries, number)?;
                self.watched.take_over(input, entries, notes);
                self.compare(digest, number);
                Ok(())
            }
            Line::Go(line) => self.go(line.go, line.how, number),
            Line::Terms(line) => {
                self.terms = Some(line.terms);
                Ok(())
            }
            Line::Close(line) => {
                self.watched.take_refusals(line.refused, line.refusals);
                Ok(())
            }
        }
    }

    fn old_line(&mut self, object: &str, number: usize) -> Result<(), Divergence> {
        let malformed =
            |error: serde_json::Error| Divergence::new(number, code::MALFORMED_LINE, error.to_string());
        if object.starts_with("{\"here\"") {
            let here: OldHere = serde_json::from_str(object).map_err(malformed)?;
            let moment = self.moments.get(here.here as usize).copied();
            return self.go(moment.unwrap_or(Moment::MAX), How::Jump, number);
        }
        let line: OldLineOf<G> = serde_json::from_str(object).map_err(malformed)?;
        let parent = line.on.unwrap_or(line.n.wrapping_sub(1));
        let parent = self.moments.get(parent as usize).copied().unwrap_or(Moment::MAX);
        if parent != self.watched.here() {
            self.go(parent, How::Jump, number)?;
        }
        if let [EntryOf::<G> { fact: Fact::ActionRejected { rejection, .. }, .. }] = &line.entries[..] {
            let rejection = (**rejection).clone();
            self.watched.refuse(Refusal { at: parent, input: line.input, rejection });
            self.moments.push(parent);
            return Ok(());
        }
        self.check(&line.entries, number)?;
        self.watched.take_over(line.input, line.entries, Vec::new());
        self.moments.push(self.watched.here());
        // Digests of that time left out fields that were skipped: they cannot be compared.
        Ok(())
    }

    /// Whether every fact can be written, one after the other.
    fn check(&self, entries: &[EntryOf<G>], number: usize) -> Result<(), Divergence> {
        let game = &**self.watched.game();
        let mut live = self.watched.position().live().clone();
        for entry in entries {
            if !fits(game, &live.state, &entry.fact) {
                let text = "an event names what this game does not have: its content is not here";
                return Err(Divergence {
                    event: Some(live.serial),
                    ..Divergence::new(number, code::UNFIT_EVENT, text)
                });
            }
            fold(game, &mut live, &entry.fact);
        }
        Ok(())
    }

    fn compare(&mut self, digest: Digest, number: usize) {
        if self.watched.position().live().digest() != digest {
            self.strays.get_or_insert(number);
        }
    }

    fn go(&mut self, moment: Moment, how: How, number: usize) -> Result<(), Divergence> {
        if moment == self.watched.here() {
            return Ok(());
        }
        self.watched
            .go(moment, how)
            .map_err(|refusal| Divergence::new(number, code::MALFORMED_LINE, refusal.to_string()))
    }
}

fn fits<G: Game>(game: &G, state: &G::State, fact: &FactOf<G>) -> bool {
    fact.event().is_none_or(|event| game.fits(state, event))
}

/// An input of format 1.
#[derive(Deserialize)]
struct OldLine<I, E> {
    n: u32,
    #[serde(default)]
    on: Option<u32>,
    input: I,
    entries: Vec<E>,
}

type OldLineOf<G> = OldLine<InputOf<G>, EntryOf<G>>;

#[derive(Deserialize)]
struct OldHere {
    here: u32,
}
