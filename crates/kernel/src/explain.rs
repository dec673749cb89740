//! `explain`: why this number, who changed it, what was prevented.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cause::Origin;
use crate::detour::{DetourOf, Fate};
use crate::fact::{EntryOf, Fact, Input, InputOf};
use crate::game::{Game, NoteOf};
use crate::position::{LiveOf, fold};
use crate::sight::Glimpse;
use crate::told::Told;

/// One line of an explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// How deep in the tree of causes. A fact at depth 1 with a cause came when other things had happened since.
    pub depth: usize,
    /// The serial number of the fact, if this line is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<u32>,
    /// The serial number of the fact that it followed from, if that is told here too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<u32>,
    /// What kind of line this is.
    pub kind: Kind,
    /// The words.
    pub text: String,
    /// Only keeps the books: a log for players leaves it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quiet: bool,
}

impl Line {
    /// A line that says nothing of causes yet.
    pub fn new(kind: Kind, serial: Option<u32>, text: String) -> Self {
        Line { depth: 0, serial, cause: None, kind, text, quiet: false }
    }

    /// What it followed from, if it does not stand right below that.
    pub fn late(&self) -> Option<u32> {
        self.cause.filter(|_| self.depth == 1)
    }

    /// Whether it tells how the line above it came about.
    fn is_beside(&self) -> bool {
        matches!(self.kind, Kind::Alteration | Kind::Reason)
    }
}

/// The kinds of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What a player sent.
    Input,
    /// A fact.
    Fact,
    /// A change of an effect on its way to the fact above.
    Alteration,
    /// Who made or changed a number of the fact above.
    Reason,
    /// Something that did not happen.
    Prevented,
}

/// A tree of causes, printed as an indented list in the order in which things happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The lines: what happened first comes first, and so parents before children.
    pub lines: Vec<Line>,
}

impl Explanation {
    /// Without what only keeps the books, and without the reasons of numbers: those are for who asks. What followed
    /// from what is left out hangs where it would have hung.
    pub fn brief(&self) -> Explanation {
        let mut lifted: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        let mut lines: Vec<Line> = Vec::new();
        // An alteration tells how the line above it came about, and goes with it.
        let mut is_told = true;
        for line in &self.lines {
            let cause = line.cause.and_then(|serial| lifted.get(&serial).copied().unwrap_or(Some(serial)));
            is_told = if line.is_beside() { is_told } else { !line.quiet };
            if is_told && line.kind != Kind::Reason {
                lines.push(Line { cause, ..line.clone() });
            } else if let Some(serial) = line.serial {
                lifted.insert(serial, cause);
            }
        }
        indent(&mut lines);
        Explanation { lines }
    }
}

/// Each below what it followed from. What comes when something else has begun since would stand below that: it begins
/// at the margin, and says what it followed from.
fn indent(lines: &mut [Line]) {
    let mut open: Vec<u32> = Vec::new();
    let mut above = 0;
    for line in lines {
        if line.is_beside() {
            line.depth = above + 1;
            continue;
        }
        let below = line.cause.and_then(|cause| open.iter().rposition(|&serial| serial == cause));
        open.truncate(below.map_or(0, |at| at + 1));
        line.depth = if line.kind == Kind::Input { 0 } else { open.len() + 1 };
        open.extend(line.serial);
        above = line.depth;
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            write!(f, "{}", "  ".repeat(line.depth))?;
            match (line.kind, line.serial) {
                (Kind::Fact, Some(serial)) => write!(f, "#{serial} {}", line.text)?,
                (Kind::Alteration | Kind::Reason, _) => write!(f, "· {}", line.text)?,
                (Kind::Prevented, _) => write!(f, "✗ {}", line.text)?,
                (Kind::Input | Kind::Fact, _) => write!(f, "{}", line.text)?,
            }
            writeln!(f, "{}", line.late().map_or_else(String::new, |serial| format!(" [after #{serial}]")))?;
        }
        Ok(())
    }
}

/// What was recorded of one moment.
pub(crate) struct Record<'a, G: Game> {
    pub entries: &'a [EntryOf<G>],
    pub notes: Vec<(usize, &'a NoteOf<G>)>,
    pub detours: &'a [DetourOf<G>],
}

/// A line under construction: its parent is the serial number of a fact of this moment.
struct Draft {
    parent: Option<u32>,
    line: Line,
    /// How it came about: alterations and reasons, in order.
    beside: Vec<(Kind, String)>,
}

/// Explains the facts of one moment. `before` is the live state they started from.
pub(crate) fn explain<G: Told>(
    game: &G,
    mut before: LiveOf<G>,
    input: Option<(&InputOf<G>, u32)>,
    record: Record<'_, G>,
) -> Explanation {
    let mut lines = Vec::new();
    if let Some((input, _)) = input {
        lines.push(Line::new(Kind::Input, None, tell_input(game, &before, input)));
    }
    let drafts = draft(game, &mut before, record, input.is_some(), &|_, _| true);
    let first = input.map_or(0, |(_, serial)| serial);
    lay_out(drafts, first, &mut lines);
    Explanation { lines }
}

/// What a viewer may know of a moment.
pub(crate) struct Sighted<'a, G: Game> {
    /// The input was his own.
    pub own: bool,
    /// Something may be hidden from him in this match.
    pub hides: bool,
    /// How much he may know of each fact.
    pub glimpses: &'a [Glimpse],
    /// Whether he may know of an effect that took another way.
    pub hears_of: &'a dyn Fn(&G::State, &G::Effect) -> bool,
}

impl<G: Game> Sighted<'_, G> {
    /// Whether he may know the input, besides what came of it.
    fn hears_input(&self) -> bool {
        self.own || !self.hides && self.glimpses.iter().all(|glimpse| matches!(glimpse, Glimpse::Whole))
    }
}

/// [`explain`] for a viewer who may not know all of it.
pub(crate) fn explain_for<G: Told>(
    game: &G,
    mut before: LiveOf<G>,
    input: (&InputOf<G>, u32),
    record: Record<'_, G>,
    sight: &Sighted<'_, G>,
) -> Explanation {
    let (input, first) = input;
    let mut lines = Vec::new();
    if sight.hears_input() {
        lines.push(Line::new(Kind::Input, None, tell_input(game, &before, input)));
    }
    let drafts = draft(game, &mut before, record, !lines.is_empty(), sight.hears_of);
    let drafts = veil(drafts, first, sight);
    lay_out(drafts, first, &mut lines);
    if sight.hides {
        renumber(&mut lines);
    }
    Explanation { lines }
}

/// The facts that are seen are counted anew, so that no gap tells of others.
fn renumber(lines: &mut [Line]) {
    let seen: Vec<u32> = lines.iter().filter_map(|line| line.serial).collect();
    let counted = |serial: u32| seen.binary_search(&serial).ok().map(|at| at as u32);
    for line in lines {
        line.serial = line.serial.and_then(counted);
        line.cause = line.cause.and_then(counted);
    }
}

/// Leaves out what may not be known. What followed from a hidden fact hangs where that would have
/// hung; what was changed or prevented is told only beside facts that are seen whole.
fn veil<G: Game>(drafts: Vec<Draft>, first: u32, sight: &Sighted<'_, G>) -> Vec<Draft> {
    let glimpse =
        |serial: u32| sight.glimpses.get(serial.wrapping_sub(first) as usize).unwrap_or(&Glimpse::Hidden);
    let mut lifted: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    let mut seen = Vec::new();
    for mut draft in drafts {
        let cause = draft.parent;
        draft.parent = cause.and_then(|serial| lifted.get(&serial).copied().unwrap_or(Some(serial)));
        let Some(serial) = draft.line.serial else {
            let told = cause.map_or(sight.hears_input(), |serial| {
                serial < first || matches!(glimpse(serial), Glimpse::Whole)
            });
            seen.extend(told.then_some(draft));
            continue;
        };
        match glimpse(serial) {
            Glimpse::Whole => {}
            Glimpse::Part(text) => {
                draft.line.text.clone_from(text);
                draft.beside.clear();
            }
            Glimpse::Hidden => {
                lifted.insert(serial, draft.parent);
                continue;
            }
        }
        seen.push(draft);
    }
    seen
}

fn draft<G: Told>(
    game: &G,
    live: &mut LiveOf<G>,
    record: Record<'_, G>,
    answers_are_told: bool,
    hears_of: &dyn Fn(&G::State, &G::Effect) -> bool,
) -> Vec<Draft> {
    let mut drafts = Vec::new();
    let mut detours = record.detours.iter().peekable();
    let mut notes = record.notes.into_iter().peekable();
    let mut beside = Vec::new();
    for (at, entry) in record.entries.iter().enumerate() {
        while let Some(detour) = detours.next_if(|detour| detour.serial <= live.serial) {
            if is_heard::<G>(live, detour, hears_of) {
                take_detour(game, live, detour, &mut beside, &mut drafts);
            }
        }
        let serial = live.serial;
        let reasons: Vec<&NoteOf<G>> =
            std::iter::from_fn(|| notes.next_if(|(of, _)| *of <= at)).map(|(_, note)| note).collect();
        let text = tell_fact(game, live, entry, &reasons);
        beside.extend(reasons.iter().map(|note| (Kind::Reason, game.tell_note(&live.state, note))));
        let quiet = match &entry.fact {
            Fact::Event(event) => game.is_quiet(event),
            // The input above says it already.
            Fact::Answered(_) => answers_are_told,
            Fact::Asked(_) | Fact::ActionRejected { .. } => false,
        };
        drafts.push(Draft {
            parent: parent(entry.cause.after),
            line: Line { quiet, ..Line::new(Kind::Fact, Some(serial), text) },
            beside: std::mem::take(&mut beside),
        });
    }
    for detour in detours.filter(|detour| is_heard::<G>(live, detour, hears_of)) {
        take_detour(game, live, detour, &mut beside, &mut drafts);
    }
    drafts
}

/// Whether an effect that took another way may be known, and all that took its place.
fn is_heard<G: Game>(
    live: &LiveOf<G>,
    detour: &DetourOf<G>,
    hears_of: &dyn Fn(&G::State, &G::Effect) -> bool,
) -> bool {
    let heard = |effect: &G::Effect| hears_of(&live.state, effect);
    let instead = match &detour.fate {
        Fate::Altered { to, .. } => heard(to),
        Fate::Replaced { with, .. } => with.iter().all(heard),
        Fate::Cancelled { .. } | Fate::Stale | Fate::Nothing | Fate::Unmet | Fate::Withdrawn => true,
    };
    heard(&detour.effect) && instead
}

fn parent(origin: Origin) -> Option<u32> {
    match origin {
        Origin::Event(serial) => Some(serial),
        Origin::Action | Origin::Idle => None,
    }
}

fn take_detour<G: Told>(
    game: &G,
    live: &LiveOf<G>,
    detour: &DetourOf<G>,
    beside: &mut Vec<(Kind, String)>,
    drafts: &mut Vec<Draft>,
) {
    let state = &live.state;
    let what = || game.tell_effect(state, &detour.effect);
    let who = |listener| game.tell_listener(state, listener);
    let text = match &detour.fate {
        Fate::Altered { by, to } => {
            beside.push((Kind::Alteration, game.tell_alteration(state, *by, &detour.effect, to)));
            return;
        }
        Fate::Replaced { by, with } => {
            let with: Vec<String> = with.iter().map(|effect| game.tell_effect(state, effect)).collect();
            format!("{}: replaced by {} ({})", what(), with.join(", "), who(*by))
        }
        Fate::Cancelled { by } => format!("{}: prevented ({})", what(), who(*by)),
        Fate::Stale => format!("{}: no longer possible", what()),
        Fate::Nothing => format!("{}: nothing to do", what()),
        Fate::Unmet => format!("{}: dropped, what it depends on did not happen", what()),
        Fate::Withdrawn => format!("{}: withdrawn", what()),
    };
    // That somebody stopped it is news; that there was nothing left to do is not, unless it was to be expected.
    let stopped = matches!(detour.fate, Fate::Replaced { .. } | Fate::Cancelled { .. });
    let quiet = !stopped && !game.is_missed(&detour.effect);
    drafts.push(Draft {
        parent: parent(detour.cause.after),
        line: Line { quiet, ..Line::new(Kind::Prevented, None, text) },
        beside: std::mem::take(beside),
    });
}

/// In the order in which it happened. What followed from an earlier moment hangs at the root.
fn lay_out(drafts: Vec<Draft>, first: u32, lines: &mut Vec<Line>) {
    for draft in drafts {
        let cause = draft.parent.filter(|&serial| serial >= first);
        lines.push(Line { cause, ..draft.line });
        lines.extend(draft.beside.into_iter().map(|(kind, text)| Line::new(kind, None, text)));
    }
    indent(lines);
}

fn tell_input<G: Told>(game: &G, live: &LiveOf<G>, input: &InputOf<G>) -> String {
    match (input, &live.pending) {
        (Input::Act(action), _) => game.tell_action(&live.state, action),
        (Input::Choose(answer), Some(pending)) => game.tell_answer(&live.state, &pending.question, answer),
        (Input::Choose(answer), None) => format!("{answer:?}"),
    }
}

/// Folds the fact and puts it in words.
fn tell_fact<G: Told>(game: &G, live: &mut LiveOf<G>, entry: &EntryOf<G>, reasons: &[&NoteOf<G>]) -> String {
    let pending = live.pending.clone();
    fold(game, live, &entry.fact);
    let by = entry.cause.by.map(|listener| game.tell_listener(&live.state, listener));
    let text = match &entry.fact {
        Fact::Event(event) => game.tell(&live.state, event, reasons),
        Fact::Asked(asked) => format!("asked: {}", game.tell_question(&live.state, &asked.question)),
        Fact::Answered(answer) => match pending {
            Some(asked) => {
                format!("answered: {}", game.tell_answer(&live.state, &asked.question, answer))
            }
            None => format!("answered: {answer:?}"),
        },
        Fact::ActionRejected { rejection, .. } => format!("refused: {rejection}"),
    };
    match by {
        Some(listener) => format!("{text} ({listener})"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(serial: u32, cause: Option<u32>, text: &str) -> Line {
        Line { cause, ..Line::new(Kind::Fact, Some(serial), text.to_owned()) }
    }

    fn told(lines: Vec<Line>) -> Vec<(usize, String)> {
        lines.into_iter().map(|line| (line.depth, line.text)).collect()
    }

    #[test]
    fn what_followed_from_a_quiet_fact_hangs_where_that_would_have_hung() {
        let beside = |text: &str| Line::new(Kind::Alteration, None, text.to_owned());
        let mut lines = vec![
            Line::new(Kind::Input, None, "strike".to_owned()),
            Line { quiet: true, ..fact(0, None, "the turn goes on") },
            beside("of the books"),
            fact(1, Some(0), "a hit"),
            beside("harder"),
            fact(2, None, "a wound"),
        ];
        indent(&mut lines);
        let brief = told(Explanation { lines }.brief().lines);
        let wanted = [(0, "strike"), (1, "a hit"), (2, "harder"), (1, "a wound")];
        assert_eq!(brief, wanted.map(|(depth, text)| (depth, text.to_owned())));
    }

    #[test]
    fn what_comes_late_stands_where_it_happened_and_says_what_it_followed_from() {
        let mut lines = vec![
            fact(4, None, "a card"),
            fact(5, Some(4), "its copy is made"),
            fact(6, Some(4), "the card hits"),
            fact(7, Some(5), "the copy hits"),
            fact(8, Some(7), "a wound"),
        ];
        indent(&mut lines);
        let late: Vec<_> = lines.iter().map(|line| (line.depth, line.late())).collect();
        assert_eq!(late, [(1, None), (2, None), (2, None), (1, Some(5)), (2, None)]);
        renumber(&mut lines);
        assert!(Explanation { lines: lines.clone() }.to_string().contains("  #3 the copy hits [after #1]"));
        // With the copy left out of the log, its hit hangs below the card again.
        lines[1].quiet = true;
        let brief = told(Explanation { lines }.brief().lines);
        assert_eq!(brief.iter().map(|(depth, _)| *depth).collect::<Vec<_>>(), [1, 2, 2, 3]);
    }

    #[test]
    fn what_was_prevented_after_a_hidden_fact_is_not_told_be_it_the_first() {
        let (first, hears_of) = (5, |_: &u32, _: &u32| true);
        let prevented = |serial| Draft {
            parent: Some(serial),
            line: Line::new(Kind::Prevented, None, format!("after #{serial}")),
            beside: Vec::new(),
        };
        let told = |glimpses: &[Glimpse]| -> Vec<String> {
            let sight = Sighted::<crate::doc::Nim> { own: true, hides: true, glimpses, hears_of: &hears_of };
            let seen = veil((4..=6).map(prevented).collect(), first, &sight);
            seen.into_iter().map(|draft| draft.line.text).collect()
        };
        assert_eq!(told(&[Glimpse::Hidden, Glimpse::Whole]), ["after #4", "after #6"]);
        assert_eq!(told(&[Glimpse::Whole, Glimpse::Part(String::new())]), ["after #4", "after #5"]);
    }
}
