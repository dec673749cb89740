//! Match files (`*.turn`): JSON Lines, each line chained to the one before.
//!
//! The first line is the header: what must be known to play the match again. Then one line for each
//! input of the whole timeline: the input, its facts, a digest of the state after it. A line that does
//! not follow the one before it names the line it follows in `on`; so undone branches are in the file
//! too. The last line says where the match stands. A reader trusts nothing: it reruns every input and
//! compares facts and digests, and names the first line that disagrees.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diff::{Difference, differences};
use crate::digest::Digest;
use crate::fact::{EntryOf, InputOf};
use crate::game::Game;
use crate::play::Match;
use crate::position::{LiveOf, Position, fold};
use crate::recorder::{Keeper, Log};
use crate::resolve::Resolver;

/// The version of the file format.
pub const FORMAT: u32 = 1;

/// The first line: what must be known to play the match again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header<S> {
    /// The version of the file format.
    pub turnstone: u32,
    /// The game's name.
    pub game: String,
    /// Which rules are on, in the game's own terms.
    pub ruleset: Value,
    /// A digest of the content the match was played with.
    pub content: Digest,
    /// What the match started from.
    pub setup: S,
    /// The seed of its dice.
    pub seed: u64,
}

impl<S> Header<S> {
    /// A header for the present format.
    pub fn new(game: impl Into<String>, ruleset: Value, content: Digest, setup: S, seed: u64) -> Self {
        Header { turnstone: FORMAT, game: game.into(), ruleset, content, setup, seed }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(bound(
    serialize = "I: Serialize, E: Serialize",
    deserialize = "I: Deserialize<'de>, E: Deserialize<'de>"
))]
struct Line<I, E> {
    n: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on: Option<u32>,
    input: I,
    entries: E,
    digest: Digest,
}

#[derive(Serialize, Deserialize)]
struct Here {
    here: u32,
}

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
    fn new(line: usize, code: &str, text: impl Into<String>) -> Self {
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
    /// The line is not what a match file holds.
    pub const MALFORMED_LINE: &str = "MALFORMED_LINE";
    /// A line was changed, removed or inserted after it was written.
    pub const BROKEN_CHAIN: &str = "BROKEN_CHAIN";
    /// The file was written in a format this release does not read.
    pub const UNKNOWN_FORMAT: &str = "UNKNOWN_FORMAT";
    /// The set-up is refused.
    pub const BAD_SETUP: &str = "BAD_SETUP";
    /// The rules now give other facts.
    pub const OTHER_EVENTS: &str = "OTHER_EVENTS";
    /// The recorded facts lead to another state.
    pub const OTHER_STATE: &str = "OTHER_STATE";
    /// The recorded facts alone do not rebuild the state.
    pub const FOLD_DIFFERS: &str = "FOLD_DIFFERS";
}

/// Writes a match file line by line, so that a running match can be saved by appending.
#[derive(Clone)]
pub struct Writer {
    chain: Digest,
    lines: u32,
}

impl Writer {
    /// Begins a file; gives the header line.
    pub fn begin<S: Serialize>(header: &Header<S>) -> (Self, String) {
        let mut writer = Writer { chain: Digest([0; 16]), lines: 0 };
        let line = writer.seal(header);
        (writer, line)
    }

    /// The line for the next moment of the match. Call it for moments 1, 2, 3 … in order.
    pub fn moment<G: Game, R: Keeper<G>>(&mut self, game: &Match<G, R>, live: &LiveOf<G>) -> Option<String> {
        let n = self.lines + 1;
        let input = game.input(n)?;
        let parent = game.parent(n)?;
        self.lines = n;
        let on = (parent + 1 != n).then_some(parent);
        Some(self.seal(&Line { n, on, input, entries: game.entries(n), digest: live.digest() }))
    }

    /// The line that says where the match stands.
    pub fn here(&mut self, moment: u32) -> String {
        self.seal(&Here { here: moment })
    }

    fn seal<T: Serialize>(&mut self, line: &T) -> String {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.pop(); // the closing brace comes back after the chain
        self.chain = self.chain.chain(text.as_bytes());
        text.push_str(CHAIN);
        text.push_str(&self.chain.to_string());
        text.push_str("\"}");
        text
    }
}

const CHAIN: &str = ",\"chain\":\"";
const SEAL: usize = CHAIN.len() + 32 + 2;

/// The whole timeline of a match as a match file.
///
/// ```
/// # use turnstone::doc::Nim;
/// # use std::sync::Arc;
/// use turnstone::{Input, Match, digest::digest, file};
/// let mut game: Match<Nim> = Match::new(Arc::new(Nim), 5, 0)?;
/// game.act(Input::Act(2))?;
/// let header = file::Header::new("nim", "plain".into(), digest("nim 1"), 5, 0);
/// let text = file::write(&header, &game);
/// let again: Match<Nim> = file::read(&Arc::new(Nim), &text)?;
/// assert_eq!(again.state(), game.state());
///
/// let forged = text.replace("\"act\":2", "\"act\":1");
/// let refusal = file::verify(&Nim, &forged).unwrap_err();
/// assert_eq!((refusal.line, refusal.code.as_str()), (2, "BROKEN_CHAIN"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<G: Game, R: Keeper<G>>(header: &Header<G::Setup>, game: &Match<G, R>) -> String {
    let (mut writer, mut text) = Writer::begin(header);
    let push = |line: String, text: &mut String| {
        text.push('\n');
        text.push_str(&line);
    };
    let mut walker = Walker::new(game.position_at(0).ok());
    for moment in 1..game.moments() {
        let parent = game.parent(moment).unwrap_or(0);
        let Some(live) = walker.advance(game, moment, parent) else { break };
        if let Some(line) = writer.moment(game, live) {
            push(line, &mut text);
        }
    }
    push(writer.here(game.here()), &mut text);
    text.push('\n');
    text
}

/// Folds along the timeline; most moments follow the one before them, so this seldom goes back.
struct Walker<G: Game> {
    at: u32,
    live: Option<LiveOf<G>>,
}

impl<G: Game> Walker<G> {
    fn new(start: Option<Position<G>>) -> Self {
        Walker { at: 0, live: start.map(|position| position.live) }
    }

    fn advance<R: Keeper<G>>(&mut self, game: &Match<G, R>, moment: u32, parent: u32) -> Option<&LiveOf<G>> {
        if parent != self.at {
            self.live = game.position_at(parent).ok().map(|position| position.live);
        }
        let live = self.live.as_mut()?;
        for entry in game.entries(moment) {
            fold(&**game.game(), live, &entry.fact);
        }
        self.at = moment;
        Some(live)
    }
}

/// Reads the header without judging the rest.
///
/// # Errors
/// If the first line is no header of a format this release reads.
pub fn header(text: &str) -> Result<Header<Value>, Divergence> {
    header_as(text).map(|(header, _)| header)
}

fn header_as<S: for<'de> Deserialize<'de>>(text: &str) -> Result<(Header<S>, Digest), Divergence> {
    let first = text.lines().next().unwrap_or_default();
    let (body, chain) = unseal(first, Digest([0; 16]), 1)?;
    #[derive(Deserialize)]
    struct Format {
        turnstone: u32,
    }
    let malformed = |error: serde_json::Error| {
        Divergence::new(1, code::MALFORMED_LINE, format!("this is no header of a match file: {error}"))
    };
    let format: Format = serde_json::from_str(body).map_err(malformed)?;
    if format.turnstone != FORMAT {
        let text = format!("the file has format {}, this release reads {FORMAT}", format.turnstone);
        return Err(Divergence::new(1, code::UNKNOWN_FORMAT, text));
    }
    Ok((serde_json::from_str(body).map_err(malformed)?, chain))
}

/// Checks the chain of one line and gives back the line, which is its own body: a reader ignores
/// the chain field.
fn unseal(line: &str, chain: Digest, number: usize) -> Result<(&str, Digest), Divergence> {
    let malformed = || Divergence::new(number, code::MALFORMED_LINE, "the line does not end in its chain");
    let cut = line.len().checked_sub(SEAL).filter(|&cut| line.is_char_boundary(cut)).ok_or_else(malformed)?;
    let (body, seal) = line.split_at(cut);
    let hex = seal.strip_prefix(CHAIN).and_then(|rest| rest.strip_suffix("\"}")).ok_or_else(malformed)?;
    let link = chain.chain(body.as_bytes());
    if Digest::parse(hex) == Some(link) {
        return Ok((line, link));
    }
    let text = "the line does not follow from the one before it: the file was changed after it was written";
    Err(Divergence::new(number, code::BROKEN_CHAIN, text))
}

/// What a verified file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// Inputs, refused ones included.
    pub inputs: usize,
    /// Facts.
    pub events: usize,
}

/// Folds and reruns a match file and compares everything.
///
/// # Errors
/// The first place that disagrees.
pub fn verify<G: Game>(game: &G, text: &str) -> Result<Verified, Divergence> {
    verify_with(game, text, |_| {})
}

/// [`verify`], telling `progress` the number of every line read.
///
/// # Errors
/// The first place that disagrees.
pub fn verify_with<G: Game>(
    game: &G,
    text: &str,
    mut progress: impl FnMut(usize),
) -> Result<Verified, Divergence> {
    let (header, chain) = header_as::<G::Setup>(text)?;
    let mut check = Check::new(game, &header, chain)?;
    let mut verified = Verified::default();
    for (index, line) in text.lines().enumerate().skip(1) {
        if let Some(events) = check.line(line, index + 1)? {
            verified.inputs += 1;
            verified.events += events;
        }
        progress(index + 1);
    }
    Ok(verified)
}

/// Reads a match file, rerunning and comparing everything, and gives the match with its whole
/// timeline, standing where it stood.
///
/// # Errors
/// The first place that disagrees.
pub fn read<G: Game, R: Keeper<G>>(game: &Arc<G>, text: &str) -> Result<Match<G, R>, Divergence> {
    let (header, mut chain) = header_as::<G::Setup>(text)?;
    let refused =
        |rejection| Divergence::new(1, code::BAD_SETUP, format!("the set-up is refused: {rejection}"));
    let mut played: Match<G, R> = Match::new(Arc::clone(game), header.setup, header.seed).map_err(refused)?;
    let mut here = None;
    for (index, line) in text.lines().enumerate().skip(1) {
        let number = index + 1;
        let (body, link) = unseal(line, chain, number)?;
        chain = link;
        if let Some(moment) = here_line(body, number)? {
            here = Some(moment);
            continue;
        }
        replay_line(&mut played, body, number)?;
    }
    let here = here.unwrap_or(played.here());
    played
        .jump(here)
        .map_err(|r| Divergence::new(text.lines().count(), code::MALFORMED_LINE, r.to_string()))?;
    Ok(played)
}

/// The moment named by a `here` line, or `None` for a line of another kind.
fn here_line(line: &str, number: usize) -> Result<Option<u32>, Divergence> {
    if !line.starts_with("{\"here\"") {
        return Ok(None);
    }
    let malformed =
        |error: serde_json::Error| Divergence::new(number, code::MALFORMED_LINE, error.to_string());
    serde_json::from_str(line).map(|here: Here| Some(here.here)).map_err(malformed)
}

fn replay_line<G: Game, R: Keeper<G>>(
    played: &mut Match<G, R>,
    body: &str,
    number: usize,
) -> Result<(), Divergence> {
    let line = parse_line::<G>(body, played.moments(), number)?;
    let parent = line.on.unwrap_or(line.n - 1);
    if parent != played.here() {
        played.jump(parent).map_err(|r| Divergence::new(number, code::MALFORMED_LINE, r.to_string()))?;
    }
    let serial = played.position().live.serial;
    played
        .act(line.input)
        .map_err(|refusal| Divergence::new(number, code::OTHER_EVENTS, refusal.to_string()))?;
    compare::<G>(&line.entries, played.entries(line.n), serial, number)?;
    if played.position().live.digest() != line.digest {
        return Err(other_state(number));
    }
    Ok(())
}

type ParsedLine<G> = Line<InputOf<G>, Vec<EntryOf<G>>>;

fn parse_line<G: Game>(body: &str, expected: u32, number: usize) -> Result<ParsedLine<G>, Divergence> {
    let line: ParsedLine<G> = serde_json::from_str(body)
        .map_err(|error| Divergence::new(number, code::MALFORMED_LINE, error.to_string()))?;
    let known = line.on.is_none_or(|on| on < line.n);
    if line.n != expected || line.n == 0 || !known {
        let text = format!("expected input {expected}, found {} on {:?}", line.n, line.on);
        return Err(Divergence::new(number, code::MALFORMED_LINE, text));
    }
    Ok(line)
}

fn other_state(number: usize) -> Divergence {
    let text = "the same events lead to another state: the rules or the content have changed";
    Divergence::new(number, code::OTHER_STATE, text)
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
    Err(Divergence {
        line: number,
        event: Some(serial + at as u32),
        code: code::OTHER_EVENTS.to_owned(),
        text: "the rules give other events than recorded".to_owned(),
        fields,
    })
}

/// The state of a verification: positions are kept only where a later line can return to.
struct Check<'g, G: Game> {
    game: &'g G,
    chain: Digest,
    resolver: Resolver<G>,
    recorder: Log<G>,
    position: Position<G>,
    folded: LiveOf<G>,
    /// One position for every [`KEPT`] inputs, and the inputs since, to return to any moment.
    kept: Vec<(u32, Position<G>)>,
    parents: Vec<u32>,
    inputs: Vec<InputOf<G>>,
    here: u32,
}

/// How many inputs lie between two positions that a verification keeps.
const KEPT: u32 = 256;

impl<'g, G: Game> Check<'g, G> {
    fn new(game: &'g G, header: &Header<G::Setup>, chain: Digest) -> Result<Self, Divergence> {
        let refused =
            |rejection| Divergence::new(1, code::BAD_SETUP, format!("the set-up is refused: {rejection}"));
        let state = game.start(&header.setup, header.seed).map_err(refused)?;
        let position = Position::new(state).admit(game).map_err(refused)?;
        Ok(Check {
            game,
            chain,
            resolver: Resolver::default(),
            recorder: Log::default(),
            folded: position.live.clone(),
            kept: vec![(0, position.clone())],
            position,
            parents: vec![0],
            inputs: Vec::new(),
            here: 0,
        })
    }

    /// Checks one line; gives the number of its facts if it is an input.
    fn line(&mut self, line: &str, number: usize) -> Result<Option<usize>, Divergence> {
        let (body, link) = unseal(line, self.chain, number)?;
        self.chain = link;
        if let Some(moment) = here_line(line, number)? {
            let known = (moment as usize) < self.parents.len();
            let text = format!("the file stands at moment {moment}, which it does not have");
            return if known { Ok(None) } else { Err(Divergence::new(number, code::MALFORMED_LINE, text)) };
        }
        let line = parse_line::<G>(body, self.parents.len() as u32, number)?;
        let parent = line.on.unwrap_or(line.n - 1);
        if parent != self.here {
            self.return_to(parent);
        }
        let serial = self.position.live.serial;
        self.recorder.clear();
        let _ = self.resolver.act(self.game, &mut self.position, &line.input, &mut self.recorder);
        compare::<G>(&line.entries, self.recorder.entries(), serial, number)?;
        for entry in &line.entries {
            fold(self.game, &mut self.folded, &entry.fact);
        }
        if self.folded != self.position.live {
            return Err(self.fold_differs(number));
        }
        if self.position.live.digest() != line.digest {
            return Err(other_state(number));
        }
        self.parents.push(parent);
        self.inputs.push(line.input);
        self.here = line.n;
        if line.n % KEPT == 0 {
            self.kept.push((line.n, self.position.clone()));
        }
        Ok(Some(line.entries.len()))
    }

    /// Goes back to an earlier moment by running the inputs from the nearest position kept.
    fn return_to(&mut self, moment: u32) {
        let mut path = Vec::new();
        let mut at = moment;
        let start = loop {
            if let Ok(index) = self.kept.binary_search_by_key(&at, |(n, _)| *n) {
                break &self.kept[index].1;
            }
            path.push(at);
            at = self.parents[at as usize];
        };
        self.position = start.clone();
        for at in path.into_iter().rev() {
            let input = &self.inputs[at as usize - 1];
            let _ = self.resolver.act(self.game, &mut self.position, input, &mut self.recorder);
        }
        self.folded = self.position.live.clone();
        self.here = moment;
    }

    fn fold_differs(&self, number: usize) -> Divergence {
        let mut divergence = Divergence::new(
            number,
            code::FOLD_DIFFERS,
            "folding the events does not give the state of the rules",
        );
        let value = |live: &LiveOf<G>| serde_json::to_value(live).unwrap_or_default();
        divergence.fields = differences(&value(&self.position.live), &value(&self.folded), 16);
        divergence
    }
}
