//! A game without its types.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use turnstone::file::{self, ContentPart, Divergence, Header, Verified};
use turnstone::{Log, Match, Rejection, Trace};
use turnstone_host::{
    Bench, Conformity, ContentCheck, Graft, Hosted, LEVELS, Named, Numbering, Opening, Setting, Source,
};

use crate::packs::{apart, packs};
use crate::simulate::{Plan, Played, simulate};
use crate::study::{Crossing, Fork, Labels, Studied, forks, study};
use crate::table::{Session, Table};

/// Everything a game offers that needs no match: names, openings, files, checks, benchmarks.
pub trait Host: Send + Sync {
    /// The name, as typed.
    fn name(&self) -> &'static str;
    /// One sentence about the game.
    fn about(&self) -> &'static str;
    /// The rulesets one can ask for, the default first.
    fn rulesets(&self) -> Vec<Named>;
    /// The set-ups one can ask for, the default first.
    fn setups(&self) -> Vec<Named>;
    /// What else a player may choose for a set-up.
    fn settings(&self, setup: &str) -> Vec<Setting>;

    /// The same where content overlays what is built in.
    fn settings_with(&self, setup: &str, _over: &[Source]) -> Vec<Setting> {
        self.settings(setup)
    }
    /// What the match of a day is asked for besides its seed, as wishes.
    fn daily(&self, _opening: &Opening) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Every setting of any set-up, in the order of the set-ups.
    fn options(&self) -> Vec<Offer> {
        self.options_with(&[])
    }

    /// The same where content overlays what is built in.
    fn options_with(&self, over: &[Source]) -> Vec<Offer> {
        let setups = self.setups();
        let mut offers: Vec<Offer> = Vec::new();
        for setup in &setups {
            for setting in self.settings_with(&setup.id, over) {
                match offers.iter_mut().find(|offer| offer.setting.id == setting.id) {
                    Some(offer) => offer.setups.push(setup.id.clone()),
                    None => offers.push(Offer { setting, setups: vec![setup.id.clone()] }),
                }
            }
        }
        for offer in offers.iter_mut().filter(|offer| offer.setups.len() == setups.len()) {
            offer.setups.clear();
        }
        offers
    }
    /// The bots one can ask for, weakest first.
    fn bots(&self) -> Vec<Named>;
    /// A seed as players of the game write it.
    fn tell_seed(&self, seed: u64) -> String;
    /// The levels one can ask for wherever a bot is named, gentlest first, and who plays them.
    fn levels(&self) -> Vec<Named>;

    /// Reads the rules and the set-up of an opening, for matches of any seed.
    ///
    /// # Errors
    /// Unknown names, unreadable content, a bad set-up text.
    fn venue(&self, opening: &Opening) -> Result<Box<dyn Venue>, Rejection>;

    /// Starts a match.
    ///
    /// # Errors
    /// Unknown names, unreadable content, a set-up that is refused.
    fn open(&self, opening: &Opening) -> Result<Box<dyn Table>, Rejection> {
        self.venue(opening)?.open(opening.seed)
    }

    /// Reads a match file, rerunning and comparing everything.
    ///
    /// # Errors
    /// The first place that disagrees.
    fn load(&self, file: &[u8], content: &[Source]) -> Result<Box<dyn Table>, LoadError>;

    /// Opens a match file as it was played, by folding its facts: rules and content may have changed since. Gives
    /// the table and the first line after which the facts have another meaning today, if there is one.
    ///
    /// # Errors
    /// The first line that cannot be read.
    fn watch(&self, file: &[u8], content: &[Source]) -> Result<(Box<dyn Table>, Option<usize>), LoadError>;

    /// Folds and reruns a match file and compares everything, telling `progress` every line read.
    ///
    /// # Errors
    /// The first place that disagrees.
    fn verify(
        &self,
        file: &[u8],
        content: &[Source],
        progress: &mut dyn FnMut(usize),
    ) -> Result<Verified, LoadError>;

    /// Checks golden records.
    ///
    /// # Errors
    /// If the file is of no kind this game knows, or unreadable.
    fn conform(&self, name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection>;

    /// The benchmarks.
    fn benches(&self) -> Vec<Bench>;
    /// Reads the content, overlaid by these texts, and tells what is wrong with it; `None` if the game has no content files.
    fn check_content(&self, over: &[Source]) -> Option<ContentCheck>;
    /// JSON Schemas by name.
    fn schemas(&self) -> Vec<(String, Value)>;
}

/// A setting, and the set-ups that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The setting, as the first of them declares it.
    #[serde(flatten)]
    pub setting: Setting,
    /// The set-ups; empty if all have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setups: Vec<String>,
}

/// A reader of golden records: it takes a file's name and text, and options such as `profile=seed`. The readers of a
/// game are no part of it, so that whoever only plays it does not compile them.
pub type Reader = fn(&str, &str, &[(String, String)]) -> Result<Conformity, Rejection>;

/// The [`Host`] of game `G`.
pub struct Of<G> {
    reader: Reader,
    game: PhantomData<fn() -> G>,
}

impl<G: Hosted> Of<G> {
    /// The host of a game without golden records.
    pub const HOST: Of<G> = Of::reading(no_records::<G>);

    /// The host of a game whose golden records this reads.
    pub const fn reading(reader: Reader) -> Of<G> {
        Of { reader, game: PhantomData }
    }
}

fn no_records<G: Hosted>(_: &str, _: &str, _: &[(String, String)]) -> Result<Conformity, Rejection> {
    Err(Rejection::new("NO_RECORDS", format!("{} has no golden records", G::NAME)))
}

impl<G: Hosted> Host for Of<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn about(&self) -> &'static str {
        G::ABOUT
    }
    fn rulesets(&self) -> Vec<Named> {
        G::rulesets()
    }
    fn setups(&self) -> Vec<Named> {
        G::setups()
    }
    fn settings(&self, setup: &str) -> Vec<Setting> {
        G::settings(setup)
    }
    fn settings_with(&self, setup: &str, over: &[Source]) -> Vec<Setting> {
        G::settings_with(setup, over)
    }
    fn daily(&self, opening: &Opening) -> Vec<(String, String)> {
        G::daily(opening)
    }
    fn bots(&self) -> Vec<Named> {
        G::bots()
    }
    fn tell_seed(&self, seed: u64) -> String {
        G::tell_seed(seed)
    }
    fn levels(&self) -> Vec<Named> {
        let level = |((id, about), who): (&(&str, &str), &str)| Named::new(*id, format!("{about} ({who})"));
        LEVELS.iter().zip(G::levels()).map(level).collect()
    }

    fn venue(&self, opening: &Opening) -> Result<Box<dyn Venue>, Rejection> {
        let (game, setup) = G::open_table(opening)?;
        Ok(Box::new(VenueOf { game, setup, packs: packs(&opening.content) }))
    }

    fn load(&self, file: &[u8], content: &[Source]) -> Result<Box<dyn Table>, LoadError> {
        let (game, other_content) = open_header::<G>(file, content)?;
        let opened =
            file::open(&game, file).map_err(|divergence| diverged::<G>(file, divergence, other_content))?;
        let packs = packs(content);
        let differs = differing(&*game, &opened.header, opened.game.state(), &packs);
        Ok(Box::new(Session::opened(opened, packs, differs)))
    }

    fn watch(&self, file: &[u8], content: &[Source]) -> Result<(Box<dyn Table>, Option<usize>), LoadError> {
        let (game, other_content) = open_header::<G>(file, content)?;
        let watched =
            file::watch(&game, file).map_err(|divergence| diverged::<G>(file, divergence, other_content))?;
        // What is missing behind all the others is no other thing under its number: a fact that names it is refused.
        let here = game.names(watched.game.state());
        let other = renumbered(&watched.header, &here).into_iter().find(|other| other.here.is_some());
        if let Some(other) = other {
            return Err(LoadError::OtherNames { name: other.to_string() });
        }
        let strays = watched.strays;
        Ok((Box::new(Session::watched(watched, packs(content))), strays))
    }

    fn verify(
        &self,
        file: &[u8],
        content: &[Source],
        progress: &mut dyn FnMut(usize),
    ) -> Result<Verified, LoadError> {
        let (game, other_content) = open_header::<G>(file, content)?;
        let opened = file::open_with::<G, Log<G>>(&game, file, progress)
            .map_err(|divergence| diverged::<G>(file, divergence, other_content))?;
        let parts = content_apart(&*game, &opened.header, opened.game.state(), &packs(content));
        if !parts.is_empty() {
            return Err(LoadError::OtherContent { parts });
        }
        if opened.header.rules != G::RULES {
            return Err(LoadError::OtherRules { there: opened.header.rules, here: G::RULES });
        }
        Ok(opened.verified)
    }

    fn conform(&self, name: &str, text: &str, options: &[(String, String)]) -> Result<Conformity, Rejection> {
        (self.reader)(name, text, options)
    }

    fn benches(&self) -> Vec<Bench> {
        G::benches()
    }
    fn check_content(&self, over: &[Source]) -> Option<ContentCheck> {
        G::check_content(over)
    }
    fn schemas(&self) -> Vec<(String, Value)> {
        G::schemas()
    }
}

/// Rules and a set-up that were read once: any number of matches are held there, also at the same time.
pub trait Venue: Send + Sync {
    /// Starts a match.
    ///
    /// # Errors
    /// If the set-up is refused with this seed.
    fn open(&self, seed: u64) -> Result<Box<dyn Table>, Rejection>;

    /// Plays a whole match between bots, with nothing recorded.
    ///
    /// # Errors
    /// If the set-up is refused with this seed, or a bot is unknown.
    fn simulate(&self, seed: u64, plan: &Plan) -> Result<Played, Rejection>;

    /// Plays a whole match between bots and looks at its choices: those that the game names, or by their labels.
    ///
    /// # Errors
    /// As [`simulate`](Venue::simulate).
    fn study(&self, seed: u64, plan: &Plan, labels: Option<&Labels>) -> Result<Studied, Rejection>;

    /// Plays a match again up to these crossings, and from each of them on both ways.
    ///
    /// # Errors
    /// As [`simulate`](Venue::simulate), and if the match does not come there.
    fn forks(&self, seed: u64, plan: &Plan, crossings: &[Crossing]) -> Result<Vec<Fork>, Rejection>;

    /// The changes of the set-up that are worth a try.
    fn grafts(&self, seed: u64) -> Vec<Graft>;

    /// What changes are not tried, and why: a line each.
    fn ungrafted(&self, seed: u64) -> Vec<String>;

    /// The venue with that change of the set-up, for this seed; `None` if it cannot be made.
    fn grafted(&self, seed: u64, graft: &Graft) -> Option<Box<dyn Venue>>;
}

/// The [`Venue`] of game `G`.
struct VenueOf<G: Hosted> {
    game: Arc<G>,
    setup: G::Setup,
    /// The files of content that it was read with.
    packs: Vec<ContentPart>,
}

impl<G: Hosted> Venue for VenueOf<G> {
    fn open(&self, seed: u64) -> Result<Box<dyn Table>, Rejection> {
        let played: Match<G, Trace<G>> = Match::new(self.game.clone(), self.setup.clone(), seed)?;
        Ok(Box::new(Session::new(played, self.packs.clone())))
    }

    fn simulate(&self, seed: u64, plan: &Plan) -> Result<Played, Rejection> {
        simulate(&*self.game, &self.setup, seed, plan)
    }

    fn study(&self, seed: u64, plan: &Plan, labels: Option<&Labels>) -> Result<Studied, Rejection> {
        study(&*self.game, &self.setup, seed, plan, labels)
    }

    fn forks(&self, seed: u64, plan: &Plan, crossings: &[Crossing]) -> Result<Vec<Fork>, Rejection> {
        forks(&*self.game, &self.setup, seed, plan, crossings)
    }

    fn grafts(&self, seed: u64) -> Vec<Graft> {
        self.game.grafts(&self.setup, seed)
    }

    fn ungrafted(&self, seed: u64) -> Vec<String> {
        self.game.ungrafted(&self.setup, seed)
    }

    fn grafted(&self, seed: u64, graft: &Graft) -> Option<Box<dyn Venue>> {
        let setup = self.game.graft(&self.setup, seed, graft)?;
        // What does not start is no match.
        self.game.start(&setup, seed).ok()?;
        Some(Box::new(VenueOf { game: self.game.clone(), setup, packs: self.packs.clone() }))
    }
}

/// The game a header asks for, and which of its content differs from what the header names.
///
/// # Errors
/// If the text is no match file, or its rules or content are refused.
pub fn open_header<G: Hosted>(
    file: impl AsRef<[u8]>,
    content: &[Source],
) -> Result<(Arc<G>, Vec<String>), LoadError> {
    let header = file::header(file)?;
    let there = header.content;
    let opening = Opening {
        ruleset: Some(header.ruleset),
        content: content.to_vec(),
        seed: header.seed,
        numbering: header.names,
        ..Opening::default()
    };
    let (game, _) = G::open_table(&opening).map_err(|refusal| refused::<G>(opening, refusal))?;
    let other = apart(G::NAME, &there, &parts_of(&*game, &packs(content)));
    Ok((game, other))
}

/// Who is at fault where a game is refused: the header, if it is refused with no content of one's own too.
fn refused<G: Hosted>(opening: Opening, refusal: Rejection) -> LoadError {
    let alone =
        opening.content.is_empty() || G::open_table(&Opening { content: Vec::new(), ..opening }).is_err();
    if alone { LoadError::Header(refusal) } else { LoadError::Refused(refusal) }
}

/// Whether a line of a file ends in its chain: then it is as somebody wrote it.
fn is_sealed(file: &[u8], number: usize) -> bool {
    const SEAL: usize = 44;
    let line = file.split(|byte| *byte == b'\n').nth(number.saturating_sub(1)).unwrap_or_default();
    line.len() > SEAL && line[line.len() - SEAL..].starts_with(b",\"chain\":\"")
}

/// What a divergence means in a file of this game: facts that cannot be read may be those of an older release.
fn diverged<G: Hosted>(file: &[u8], divergence: Divergence, other_content: Vec<String>) -> LoadError {
    let unread = [file::code::MALFORMED_LINE, file::code::NOT_CANONICAL].contains(&divergence.code.as_str());
    let old = file::header(file).ok().filter(|_| unread && is_sealed(file, divergence.line));
    let release = old.and_then(|header| match (header.turnstone < file::FORMAT, header.rules < G::RULES) {
        (true, _) => Some(format!("an older release (format {} of match files)", header.turnstone)),
        (_, true) => Some(format!("an older release (version {} of the rules)", header.rules)),
        (false, false) => None,
    });
    match release {
        Some(release) => LoadError::OldFacts { release, divergence },
        None => LoadError::diverged(divergence, other_content),
    }
}

/// The content of a game, as the header of a match file lists it.
fn parts_of<G: Hosted>(game: &G, packs: &[ContentPart]) -> Vec<ContentPart> {
    let whole = ContentPart { name: G::NAME.to_owned(), digest: game.content() };
    std::iter::once(whole).chain(packs.iter().cloned()).collect()
}

/// In what a match, as far as its header tells, was played by other rules or content than are here. That it plays the
/// same with these is another question.
fn differing<G: Hosted>(
    game: &G,
    header: &Header<G::Setup>,
    state: &G::State,
    packs: &[ContentPart],
) -> Vec<String> {
    let rules = (header.rules != G::RULES)
        .then(|| format!("version {} of the rules (this program plays {})", header.rules, G::RULES));
    content_apart(game, header, state, packs).into_iter().chain(rules).collect()
}

/// The content of a match that is not here, and what is here and was not there.
fn content_apart<G: Hosted>(
    game: &G,
    header: &Header<G::Setup>,
    state: &G::State,
    packs: &[ContentPart],
) -> Vec<String> {
    let parts = apart(G::NAME, &header.content, &parts_of(game, packs));
    match parts.is_empty() {
        true => renumbered(header, &game.names(state)).iter().map(Renumbered::to_string).collect(),
        false => parts,
    }
}

/// What stands for something else in a file than here.
struct Renumbered<'a> {
    kind: &'a str,
    number: usize,
    there: &'a str,
    /// Nothing, where there are fewer.
    here: Option<&'a str>,
}

impl std::fmt::Display for Renumbered<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Renumbered { kind, number, there, here } = self;
        let here = here.map_or("nothing".to_owned(), |name| format!("\"{name}\""));
        write!(f, "{kind} {number} is \"{there}\" there and {here} here")
    }
}

/// The first of each kind whose number is another's here, or nobody's.
fn renumbered<'a, S>(header: &'a Header<S>, here: &'a Numbering) -> Vec<Renumbered<'a>> {
    let other = header.names.iter().filter_map(|(kind, names)| {
        let known = here.get(kind).map(Vec::as_slice).unwrap_or_default();
        let number = (0..names.len()).find(|at| known.get(*at) != Some(&names[*at]))?;
        let here = known.get(number).map(String::as_str);
        Some(Renumbered { kind, number, there: &names[number], here })
    });
    other.collect()
}

/// Why a match file was not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// The file is of a game that is not hosted here.
    #[error(
        "[UNKNOWN_GAME] line 1: the match was played in \"{game}\", which is not hosted here; known games: {}",
        known.join(", ")
    )]
    UnknownGame {
        /// The game named in the header.
        game: String,
        /// Those that are hosted.
        known: Vec<String>,
    },
    /// The header's ruleset or content is refused.
    #[error(transparent)]
    Refused(#[from] Rejection),
    /// Everything agrees, but the content is not the one that the header names.
    #[error(
        "[OTHER_CONTENT] the match agrees with itself, but was played with other content: {}; \
         give its directory with --content",
        parts.join(", ")
    )]
    OtherContent {
        /// The parts that differ.
        parts: Vec<String>,
    },
    /// Everything agrees, but the header names another version of the rules.
    #[error(
        "[OTHER_RULES] the match agrees with itself and is played the same today, but its header names version {there} \
         of the rules, and this program plays version {here}; `turnstone resume` goes on from it by these and says so"
    )]
    OtherRules {
        /// In the header.
        there: u32,
        /// Here.
        here: u32,
    },
    /// The ruleset of the header is refused.
    #[error("line 1: {0}")]
    Header(Rejection),
    /// The facts have a form of an older release.
    #[error(
        "[OLD_FACTS] line {}: the match was played with {release}, whose facts this one cannot read: {}",
        divergence.line,
        divergence.text
    )]
    OldFacts {
        /// Which.
        release: String,
        /// What could not be read.
        divergence: Divergence,
    },
    /// What the facts name by number is not here, so that they would tell of other things.
    #[error(
        "[OTHER_NAMES] the match was played with other content, of which something is not here: {name}; \
         give its directory with --content"
    )]
    OtherNames {
        /// The first of them.
        name: String,
    },
    /// The first place that disagrees.
    #[error("{divergence}{}", hint(divergence, other_content))]
    Diverged {
        /// Where, and what differs.
        divergence: Divergence,
        /// The content that the match was played with and that is not what is loaded now, by name.
        other_content: Vec<String>,
    },
}

impl LoadError {
    /// A match file disagrees with itself or with today's rules.
    pub fn diverged(divergence: Divergence, other_content: Vec<String>) -> Self {
        LoadError::Diverged { divergence, other_content }
    }

    /// A stable code.
    pub fn code(&self) -> &str {
        match self {
            LoadError::UnknownGame { .. } => "UNKNOWN_GAME",
            LoadError::OtherContent { .. } => "OTHER_CONTENT",
            LoadError::OtherRules { .. } => "OTHER_RULES",
            LoadError::Header(rejection) => rejection.code(),
            LoadError::OldFacts { .. } => "OLD_FACTS",
            LoadError::OtherNames { .. } => "OTHER_NAMES",
            LoadError::Refused(rejection) => rejection.code(),
            LoadError::Diverged { divergence, .. } => &divergence.code,
        }
    }
}

impl From<Divergence> for LoadError {
    fn from(divergence: Divergence) -> Self {
        LoadError::diverged(divergence, Vec::new())
    }
}

/// The codes of a match that today's rules would play otherwise.
const OTHER_RULES: [&str; 6] = [
    file::code::OTHER_START,
    file::code::NOW_REFUSED,
    file::code::OTHER_EVENTS,
    file::code::OTHER_NOTES,
    file::code::OTHER_STATE,
    file::code::OTHER_REFUSAL,
];

/// What to do about it.
fn hint(divergence: &Divergence, other_content: &[String]) -> String {
    if !other_content.is_empty() {
        let parts = other_content.join(", ");
        format!(
            "\n  the match was played with other content than is loaded now ({parts}); give its directory with --content"
        )
    } else if [file::code::MALFORMED_LINE, file::code::NOT_TEXT].contains(&divergence.code.as_str()) {
        "\n  the file was damaged or edited, or is no match file: take another copy of it".to_owned()
    } else if divergence.code == file::code::OLD_FORMAT {
        "\n  `turnstone replay --as-played` shows the match, if the facts of its game have the same form today"
            .to_owned()
    } else if OTHER_RULES.contains(&divergence.code.as_str()) {
        "\n  rules have changed since; `turnstone replay --as-played` still shows the match, and\n  `turnstone resume --as-played` goes on from it by today's rules".to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_behind_all_others_is_told_from_what_has_become_another() {
        let names = |kinds: &[(&str, &[&str])]| -> Numbering {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            kinds.iter().map(|(kind, names)| ((*kind).to_owned(), owned(names))).collect()
        };
        let here = names(&[("card", &["bash", "zap"]), ("relic", &["vajra"])]);
        let told = |there: &[(&str, &[&str])]| -> Vec<(String, bool)> {
            let header = Header {
                names: names(there),
                ..Header::new("", Value::Null, turnstone::digest::digest(&0), (), 0)
            };
            renumbered(&header, &here).iter().map(|other| (other.to_string(), other.here.is_some())).collect()
        };
        assert_eq!(told(&[("card", &["bash"]), ("relic", &["vajra"])]), []);
        assert_eq!(
            told(&[("card", &["bash", "zap", "own"]), ("orb", &["frost"])]),
            [
                ("card 2 is \"own\" there and nothing here".to_owned(), false),
                ("orb 0 is \"frost\" there and nothing here".to_owned(), false),
            ]
        );
        let gap = told(&[("card", &["own", "bash", "zap"])]);
        assert_eq!(gap, [("card 0 is \"own\" there and \"bash\" here".to_owned(), true)]);
    }
}
