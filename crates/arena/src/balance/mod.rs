//! What many matches say about a game: who wins, how long runs last, what is chosen, what fights cost, and what
//! a choice or a change itself does.
//!
//! Shares of wins of matches in which something was chosen are confounded: good runs see more. The fork
//! is not: one decision is played on both ways with the same dice, and the difference is the choice's. A
//! graft is the same for a set-up: an ability more, a creature less, on the same seeds.
//!
//! Nothing here knows a game. What there is to count, games tell through [`Hosted`](turnstone_table): `tally` and
//! `survey` (numbers, words, yes or no), `topics` (choices), `holdings` (belongings), `chapter` (parts of a match) and
//! `grafts` (changes of a set-up).

mod compare;
mod gather;
mod notes;
mod page;
mod rows;
mod study;
mod text;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Trouble;
use crate::stats::{Mean, Share, Survival};

pub use compare::{Change, Comparison, LEVEL, Side};
pub use gather::{About, Crossroads, Gathering, Opened};
pub use page::{AFTER, Picture};
pub use rows::{
    Bin, ChoiceRow, EffectRow, Example, GroupRow, HoldingRow, NumberRow, PairRow, RunRow, SeatRow,
    StretchRow, WordRow,
};
pub use study::{Group, Study};

/// The version of saved reports.
const FORMAT: u32 = 1;

/// What many matches say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// The version of the report.
    pub format: u32,
    /// The game.
    pub game: String,
    /// How matches were opened and who played, in words.
    pub source: String,
    /// Matches.
    pub runs: u64,
    /// How each seat does.
    pub seats: Vec<SeatRow>,
    /// Drawn, or not over.
    pub drawn: Share,
    /// Lost by all, where several play.
    #[serde(default)]
    pub lost: Share,
    /// Where several play, a match that is drawn or not over; if there is none, another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn_example: Option<Example>,
    /// A match that all lost, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_example: Option<Example>,
    /// What is measured, such as `floor`; inputs if the game tells no such number.
    pub measure: String,
    /// Its mean.
    pub mean: Mean,
    /// The share of runs that get farther than each value, where one plays alone.
    pub survival: Survival,
    /// What the game tells in words, such as who killed, and with yes or no; most frequent first.
    pub words: Vec<WordRow>,
    /// What it tells in numbers.
    pub numbers: Vec<NumberRow>,
    /// The ways in which matches were opened, if there were several.
    pub groups: Vec<GroupRow>,
    /// The parts of matches, such as fights: what they cost, the dearest first.
    pub stretches: Vec<StretchRow>,
    /// What was chosen.
    pub choices: Vec<ChoiceRow>,
    /// What choosing itself does.
    pub forks: Vec<EffectRow>,
    /// What changes of the set-up do.
    pub grafts: Vec<EffectRow>,
    /// What everybody had in the end.
    pub holdings: Vec<HoldingRow>,
    /// Things that are had together more often, or less, than by chance.
    pub pairs: Vec<PairRow>,
    /// Fewer pairs than this are too few to say anything.
    pub least: u64,
    /// Those who play by the clock: what is said here cannot be repeated to the letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timed: Vec<String>,
    /// What was asked for and not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Who played the choices both ways, and why no better player; and of how many nothing can be said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fork_notes: Vec<String>,
    /// Every match, for comparisons.
    pub all: Vec<RunRow>,
}

impl Balance {
    /// Reads a report that was saved as JSON, whole or as the `balance` of a page.
    ///
    /// # Errors
    /// If it is none, or one of another version.
    pub fn read(text: &str) -> Result<Self, Trouble> {
        let wrong = |error: serde_json::Error| {
            Trouble::new("BAD_REPORT", format!("this is no balance report: {error}"))
        };
        let mut value: serde_json::Value = serde_json::from_str(text).map_err(wrong)?;
        if let Some(inner) = value.get_mut("balance") {
            value = inner.take();
        }
        let format = value["format"].as_u64();
        if format != Some(u64::from(FORMAT)) {
            let found = format.map_or("none".to_owned(), |format| format.to_string());
            return Err(Trouble::new(
                "BAD_REPORT",
                format!("a report of version {FORMAT} is needed, this one has {found}"),
            ));
        }
        serde_json::from_value(value).map_err(wrong)
    }

    /// Whether everybody plays for himself alone.
    pub(crate) fn alone(&self) -> bool {
        self.seats.len() < 2
    }

    /// The name of a seat, where there are several.
    pub(crate) fn of_seat(&self, seat: u8) -> String {
        let name = self.seats.get(usize::from(seat)).filter(|_| !self.alone());
        name.map_or(String::new(), |row| format!(" ({})", row.name))
    }

    /// Matches that show what the report says, those that are played both ways first, each once: a match that is played
    /// both ways shows what it shows by itself, too.
    pub fn examples(&self) -> Vec<Example> {
        let effects = |few: bool| {
            let rows = self.forks.iter().chain(&self.grafts).filter(move |row| row.too_few == few);
            rows.map(|row| row.example.clone())
        };
        let mut all: Vec<Example> = effects(false).chain(effects(true)).collect();
        all.extend(self.groups.iter().map(|row| row.example.clone()));
        all.extend(self.seats.iter().filter_map(|row| row.example.clone()));
        all.extend(self.drawn_example.iter().chain(&self.lost_example).cloned());
        all.extend(self.words.iter().map(|row| row.example.clone()));
        all.extend(self.stretches.iter().map(|row| row.example.clone()));
        all.extend(self.choices.iter().map(|row| row.example.clone()));
        all.extend(self.holdings.iter().map(|row| row.example.clone()));
        all.extend(self.pairs.iter().map(|row| row.example.clone()));
        all.extend(self.numbers.iter().flat_map(|row| &row.bins).map(|bin| bin.example.clone()));
        let mut files = BTreeSet::new();
        all.retain(|example| example.shown_by(&files).is_none() && files.insert(example.file()));
        all.extend(self.fallen(&mut files));
        all
    }

    /// For every place where runs end, one that ended there and has no file yet; then it has one.
    pub(crate) fn fallen(&self, files: &mut BTreeSet<String>) -> Vec<Example> {
        let mut found = Vec::new();
        for step in &self.survival.steps {
            let Some(example) = self.fell_at(step.at, files) else { continue };
            if example.shown_by(files).is_none() {
                files.insert(example.file());
                found.push(example);
            }
        }
        found
    }

    /// A run that ended there; one that has a file, if one has.
    pub(crate) fn fell_at(&self, at: i64, files: &BTreeSet<String>) -> Option<Example> {
        let fell = |run: &&RunRow| run.3 as i64 == at && run.2 < 2;
        let of = |run: &RunRow| Example { group: run.0, seed: run.1, fork: None, graft: None };
        let mut runs = self.all.iter().filter(fell).map(of).peekable();
        let first = runs.peek().cloned();
        runs.find(|example| example.shown_by(files).is_some()).or(first)
    }
}

#[cfg(test)]
mod tests;
