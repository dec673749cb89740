//! Reading a match file: rerun, fold and compare.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diff::{Difference, differences};
use crate::digest::Digest;
use crate::fact::EntryOf;
use crate::game::Game;
use crate::play::{How, Match};
use crate::position::{LiveOf, Position, fold};
use crate::recorder::{Keeper, Log, Off};
use crate::resolve::Resolver;
use crate::timeline::Moment;

use super::chain::unseal;
use super::divergence::{Divergence, code};
use super::form::exact;
use super::header::{FORMAT, Header, Terms, parse};
use super::line::{CloseLineOf, GoLine, InputLineOf, Line, StartLine};
use super::writer::Writer;

/// What a sound file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// Inputs, those on branches that were left included.
    pub inputs: usize,
    /// Facts.
    pub events: usize,
    /// Whether the file ends in a closing line.
    pub closed: bool,
    /// The number of a last line that was not written to its end; it was left out.
    pub torn: Option<usize>,
    /// How many bytes are sound: what to keep of a torn file before more is appended.
    pub bytes: usize,
}

/// A match file that was read.
pub struct Opened<G: Game, R: Keeper<G>> {
    /// Its header, by the last terms.
    pub header: Header<G::Setup>,
    /// The match with its whole timeline, standing where it stood.
    pub game: Match<G, R>,
    /// Goes on behind its lines.
    pub writer: Writer,
    /// What the file holds.
    pub verified: Verified,
}

/// Reads a match file, rerunning and comparing everything, and gives the match with its whole timeline,
/// standing where it stood.
///
/// # Errors
/// The first place that disagrees.
pub fn read<G: Game, R: Keeper<G>>(game: &Arc<G>, file: impl AsRef<[u8]>) -> Result<Match<G, R>, Divergence> {
    open(game, file).map(|opened| opened.game)
}

/// Folds and reruns a match file and compares everything.
///
/// # Errors
/// The first place that disagrees.
pub fn verify<G: Game>(game: &Arc<G>, file: impl AsRef<[u8]>) -> Result<Verified, Divergence> {
    open::<G, Log<G>>(game, file).map(|opened| opened.verified)
}

/// Reads a match file, rerunning and comparing everything.
///
/// # Errors
/// The first place that disagrees.
pub fn open<G: Game, R: Keeper<G>>(
    game: &Arc<G>,
    file: impl AsRef<[u8]>,
) -> Result<Opened<G, R>, Divergence> {
    open_with(game, file, |_| {})
}

/// [`open`], telling `progress` the number of every line read.
///
/// # Errors
/// The first place that disagrees.
pub fn open_with<G: Game, R: Keeper<G>>(
    game: &Arc<G>,
    file: impl AsRef<[u8]>,
    mut progress: impl FnMut(usize),
) -> Result<Opened<G, R>, Divergence> {
    let file = file.as_ref();
    let mut lines = Lines { file, number: 0, at: 0 };
    let (header, chain) = parse::<G::Setup>(lines.next().unwrap_or_default())?;
    if header.turnstone != FORMAT {
        let text = format!(
            "the file has format {}: it is not played on, and can be watched as far as its game's facts have the same form \
             today",
            header.turnstone
        );
        return Err(Divergence::new(1, code::OLD_FORMAT, text));
    }
    let mut verified = Verified { bytes: lines.at, ..Verified::default() };
    let start = lines.next().unwrap_or_default();
    let mut reader = match Reader::begin(game, &header, chain, start) {
        // Killed while it was begun: nothing was played yet.
        Err(damage) if header.branch.is_none() && lines.is_begun() && is_damage(&damage) => {
            verified.torn = (lines.number == 2).then_some(2);
            Reader::unstarted(game, &header, chain)?
        }
        reader => {
            verified.bytes = lines.at;
            reader?
        }
    };
    while let Some(line) = lines.next() {
        match reader.line(line, lines.number) {
            Ok(()) => {}
            // Only a line that was never ended can be torn; damage to any other is told.
            Err(damage) if lines.is_cut() && is_damage(&damage) => {
                verified.torn = Some(lines.number);
                break;
            }
            Err(divergence) => return Err(divergence),
        }
        verified.bytes = lines.at;
        progress(lines.number);
    }
    let Reader { played, chain, terms, started, closed, inputs, events, .. } = reader;
    let header = header.under(terms);
    let unended = file.get(..verified.bytes).is_some_and(|sound| !sound.ends_with(b"\n"));
    let writer = Writer::behind(chain, (started, closed, unended), played.journal().len());
    verified.closed = closed && verified.torn.is_none();
    (verified.inputs, verified.events) = (inputs, events);
    Ok(Opened { header, game: played, writer, verified })
}

fn is_damage(divergence: &Divergence) -> bool {
    [code::NOT_TEXT, code::MALFORMED_LINE, code::BROKEN_CHAIN].contains(&divergence.code.as_str())
}

/// The lines of a file.
pub(super) struct Lines<'a> {
    pub file: &'a [u8],
    /// Of the line given last, counted from 1.
    pub number: usize,
    /// Where the next one begins.
    pub at: usize,
}

impl<'a> Lines<'a> {
    pub fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.file.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.at += (end + 1).min(rest.len());
        self.number += 1;
        Some(&rest[..end])
    }

    /// Whether the line given last is the last one and was not ended.
    pub fn is_cut(&self) -> bool {
        self.at == self.file.len() && self.file.last() != Some(&b'\n')
    }

    /// Whether there is no more than a whole first line, and perhaps the beginning of the second.
    fn is_begun(&self) -> bool {
        self.at == self.file.len() && (self.number == 1 || self.number == 2 && self.is_cut())
    }
}

struct Reader<G: Game, R: Keeper<G>> {
    played: Match<G, R>,
    /// The state that the facts alone give.
    folded: LiveOf<G>,
    chain: Digest,
    /// By what the match is played, as it was said last.
    terms: Terms,
    /// Whether the second line was read.
    started: bool,
    closed: bool,
    inputs: usize,
    events: usize,
}

impl<G: Game, R: Keeper<G>> Reader<G, R> {
    /// From the first two lines.
    fn begin(
        game: &Arc<G>,
        header: &Header<G::Setup>,
        chain: Digest,
        start: &[u8],
    ) -> Result<Self, Divergence> {
        let mut reader = match header.branch {
            None => Self::unstarted(game, header, chain)?,
            Some(_) => Self::branched(game, header, chain, start)?,
        };
        reader.start(start)?;
        Ok(reader)
    }

    /// From what the set-up gives.
    fn unstarted(game: &Arc<G>, header: &Header<G::Setup>, chain: Digest) -> Result<Self, Divergence> {
        let played = Match::new(Arc::clone(game), header.setup.clone(), header.seed).map_err(|refusal| {
            Divergence::new(1, code::BAD_SETUP, format!("the set-up is refused: {refusal}"))
        })?;
        Ok(Self::of(played, chain, header.terms()))
    }

    /// From the state that the second line holds.
    fn branched(
        game: &Arc<G>,
        header: &Header<G::Setup>,
        chain: Digest,
        line: &[u8],
    ) -> Result<Self, Divergence> {
        let (object, _) = unseal(line, chain, 2)?;
        let line: StartLine<G::State> = exact(&object, 2)?;
        let (setup, start) = (header.setup.clone(), Position::<G>::new(line.start));
        let played =
            Match::from_position(Arc::clone(game), setup, header.seed, start).map_err(|refusal| {
                let text = format!("the state that the match goes on from is refused: {refusal}");
                Divergence::new(2, code::OTHER_START, text)
            })?;
        Ok(Self::of(played, chain, header.terms()))
    }

    fn of(played: Match<G, R>, chain: Digest, terms: Terms) -> Self {
        let folded = played.position().live().clone();
        Reader { played, folded, chain, terms, started: false, closed: false, inputs: 0, events: 0 }
    }

    fn start(&mut self, line: &[u8]) -> Result<(), Divergence> {
        let (object, link) = unseal(line, self.chain, 2)?;
        let line: StartLine<G::State> = exact(&object, 2)?;
        (self.chain, self.started) = (link, true);
        let live = self.played.position().live();
        if live.state == line.start && live.digest() == line.digest {
            return Ok(());
        }
        let text = "by today's rules and content the match starts from another state";
        let mut divergence = Divergence::new(2, code::OTHER_START, text);
        let value = |state: &G::State| serde_json::to_value(state).unwrap_or_default();
        divergence.fields = differences(&value(&line.start), &value(&live.state), 16);
        Err(divergence)
    }

    fn line(&mut self, line: &[u8], number: usize) -> Result<(), Divergence> {
        let (object, link) = unseal(line, self.chain, number)?;
        match Line::<G>::parse(&object, number)? {
            Line::Input(line) => self.input(line, number)?,
            Line::Go(line) => self.go(&line, number)?,
            Line::Terms(line) => self.terms(line.terms, number)?,
            Line::Close(line) => self.close(line, number)?,
        }
        self.chain = link;
        Ok(())
    }

    fn input(&mut self, line: InputLineOf<G>, number: usize) -> Result<(), Divergence> {
        let expected = self.played.moments();
        if line.n != expected {
            let text = format!("expected input {expected}, found {}", line.n);
            return Err(Divergence::new(number, code::MALFORMED_LINE, text));
        }
        let serial = self.played.position().live().serial;
        self.played.try_act(&line.input).map_err(|refusal| {
            Divergence::new(number, code::NOW_REFUSED, format!("the rules now refuse this input: {refusal}"))
        })?;
        compare::<G>(&line.entries, self.played.entries(line.n), serial, number)?;
        if !line.notes.iter().map(|(at, note)| (*at, note)).eq(self.played.notes(line.n)) {
            return Err(self.other_notes(&line, number));
        }
        for entry in &line.entries {
            fold(&**self.played.game(), &mut self.folded, &entry.fact);
        }
        if self.folded != *self.played.position().live() {
            return Err(self.fold_differs(number));
        }
        if self.folded.digest() != line.digest {
            let text = "the same events lead to another state: the rules or the content have changed";
            return Err(Divergence::new(number, code::OTHER_STATE, text));
        }
        self.closed = false;
        self.inputs += 1;
        self.events += line.entries.len();
        Ok(())
    }

    fn terms(&mut self, terms: Terms, number: usize) -> Result<(), Divergence> {
        if terms == self.terms {
            let text = "these terms are in force already: nobody had a reason to say them again";
            return Err(Divergence::new(number, code::MALFORMED_LINE, text));
        }
        (self.terms, self.closed) = (terms, false);
        Ok(())
    }

    fn go(&mut self, line: &GoLine, number: usize) -> Result<(), Divergence> {
        let there = match line.how {
            How::Undo => self.played.behind(),
            How::Redo => self.played.ahead(),
            How::Jump => Some(line.go),
        };
        if there != Some(line.go) {
            return Err(no_way(line.go, number));
        }
        self.played.go(line.go, line.how).map_err(|_| no_way(line.go, number))?;
        self.folded = self.played.position().live().clone();
        self.closed = false;
        Ok(())
    }

    fn close(&mut self, line: CloseLineOf<G>, number: usize) -> Result<(), Divergence> {
        if self.closed {
            let text = "the file is closed already, and nothing was played since";
            return Err(Divergence::new(number, code::MALFORMED_LINE, text));
        }
        let counted = line.refused >= line.refusals.len() as u64;
        if line.here != self.played.here() || !counted {
            let text = "the closing line does not fit the lines before it";
            return Err(Divergence::new(number, code::MALFORMED_LINE, text));
        }
        for refusal in &line.refusals {
            let other =
                || Divergence::new(number, code::OTHER_REFUSAL, "what was refused is refused otherwise now");
            let mut position = self.played.position_at(refusal.at).map_err(|_| no_way(refusal.at, number))?;
            let tried =
                Resolver::default().try_act(&**self.played.game(), &mut position, &refusal.input, &mut Off);
            let codes = |rejection: &crate::Rejection| -> Vec<crate::Code> {
                rejection.reasons.iter().map(|reason| reason.code.clone()).collect()
            };
            // Codes are law, wording is not.
            if tried.err().map(|now| codes(&now)) != Some(codes(&refusal.rejection)) {
                return Err(other());
            }
        }
        self.played.take_refusals(line.refused, line.refusals);
        self.closed = true;
        Ok(())
    }

    fn other_notes(&self, line: &InputLineOf<G>, number: usize) -> Divergence {
        let mut divergence =
            Divergence::new(number, code::OTHER_NOTES, "the rules give other reasons than recorded");
        let now: Vec<_> = self.played.notes(line.n).collect();
        let value = |notes| serde_json::to_value(notes).unwrap_or_default();
        divergence.fields =
            differences(&serde_json::to_value(&line.notes).unwrap_or_default(), &value(now), 16);
        divergence
    }

    fn fold_differs(&self, number: usize) -> Divergence {
        let text = "folding the events does not give the state of the rules";
        let mut divergence = Divergence::new(number, code::FOLD_DIFFERS, text);
        let value = |live: &LiveOf<G>| serde_json::to_value(live).unwrap_or_default();
        divergence.fields = differences(&value(self.played.position().live()), &value(&self.folded), 16);
        divergence
    }
}

fn no_way(moment: Moment, number: usize) -> Divergence {
    Divergence::new(number, code::MALFORMED_LINE, format!("there is no way to moment {moment} from here"))
}

/// Compares recorded facts with those the rules give now.
fn compare<G: Game>(
    recorded: &[EntryOf<G>],
    now: &[EntryOf<G>],
    serial: u32,
    number: usize,
) -> Result<(), Divergence> {
    if recorded == now {
        return Ok(());
    }
    let length = recorded.len().max(now.len());
    let at = (0..length).find(|&i| recorded.get(i) != now.get(i)).unwrap_or(0);
    let value = |entry: Option<&EntryOf<G>>| entry.and_then(|entry| serde_json::to_value(entry).ok());
    let (expected, found) = (value(recorded.get(at)), value(now.get(at)));
    let fields = match (&expected, &found) {
        (Some(expected), Some(found)) => differences(expected, found, 16),
        _ => vec![Difference { path: format!("entries[{at}]"), expected, found }],
    };
    let text = "the rules give other events than recorded".to_owned();
    let event = Some(serial + at as u32);
    Err(Divergence { line: number, event, code: code::OTHER_EVENTS.to_owned(), text, fields })
}
