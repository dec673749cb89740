//! The lines of a report.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use turnstone_table::{Crossing, Graft, Seat};

use crate::stats::{Mean, Paired, Share};

/// A match that shows something.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Of which group.
    pub group: usize,
    /// With which seed.
    pub seed: u64,
    /// Where it is played both ways, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Crossing>,
    /// What was changed in the set-up, if something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graft: Option<Graft>,
}

impl Example {
    /// The name of its match file.
    pub fn file(&self) -> String {
        let mut name = format!("{}-{}", self.group, self.seed);
        if let Some(Crossing { moment, with, .. }) = self.fork {
            name += &format!("-at-{moment}-{with}");
        }
        if let Some(graft) = &self.graft {
            let plain = |text: &str| {
                text.chars()
                    .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
                    .collect::<String>()
            };
            let sign = if graft.removes { "without" } else { "with" };
            name += &format!("-{}-{sign}-{}-{}", graft.seat, plain(&graft.kind), plain(&graft.name));
        }
        name + ".turn.gz"
    }

    /// The file that shows it, of those that there are: its own, or one in which the same match goes another way
    /// somewhere.
    pub fn shown_by(&self, files: &BTreeSet<String>) -> Option<String> {
        let own = self.file();
        if self.graft.is_some() || files.contains(&own) {
            return files.contains(&own).then_some(own);
        }
        let forks = format!("{}-{}-at-", self.group, self.seed);
        files.range(forks.clone()..).next().filter(|file| file.starts_with(&forks)).cloned()
    }
}

/// How a seat does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatRow {
    /// Who sits there.
    pub name: String,
    /// Matches won.
    pub won: Share,
    /// A match that it won; if it won none, another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
}

/// Something that the game tells in words, or with yes or no.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WordRow {
    /// Of which kind: `killed by`.
    pub kind: String,
    /// Which.
    pub word: String,
    /// In how many of those matches that tell the kind.
    pub share: Share,
    /// A match that shows it.
    pub example: Example,
}

/// A number that the game tells of a match, or that is counted in every match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NumberRow {
    /// Which.
    pub name: String,
    /// Its mean.
    pub mean: Mean,
    /// The least.
    pub least: f64,
    /// The middle one.
    pub median: f64,
    /// The greatest.
    pub greatest: f64,
    /// How often it lies where.
    pub bins: Vec<Bin>,
}

impl NumberRow {
    /// A match with a number like most.
    pub fn example(&self) -> Option<&Example> {
        let frequent = self.bins.iter().rev().max_by_key(|bin| bin.count);
        frequent.map(|bin| &bin.example)
    }
}

/// A part of a histogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// From here.
    pub from: f64,
    /// To here; what lies at the end belongs to the next one, but for the last.
    pub to: f64,
    /// So many.
    pub count: u64,
    /// A match that shows it.
    pub example: Example,
}

/// Matches that were opened alike, where several ways to open them were tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupRow {
    /// How they were opened: `difficulty hard`.
    pub name: String,
    /// The values by which it differs from the others, by what they are values of.
    pub values: Vec<(String, String)>,
    /// How many.
    pub runs: u64,
    /// Won by each seat.
    pub seats: Vec<Share>,
    /// Drawn, or not over.
    pub drawn: Share,
    /// Lost by all, where several play.
    #[serde(default)]
    pub lost: Share,
    /// The numbers, by name.
    pub numbers: Vec<(String, Mean)>,
    /// What is told with yes or no, by name: the share of yes.
    pub facts: Vec<(String, Share)>,
    /// A match that shows it.
    pub example: Example,
}

/// A part of matches, such as a fight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StretchRow {
    /// Which.
    pub name: String,
    /// What it costs who lives through it; those of one match go together, so it is a mean of so many matches.
    pub cost: Mean,
    /// In how many matches it was met; none in reports of before they were counted.
    #[serde(default)]
    pub matches: u64,
    /// In how many of them it was the end.
    pub fatal: Share,
    /// Won by the first seat, of the matches that met it; of none in reports of before that was counted.
    #[serde(default)]
    pub won: Share,
    /// What is measured, of the matches that met it.
    #[serde(default)]
    pub measure: Mean,
    /// A match that shows it; one that ended there, if one did.
    pub example: Example,
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoiceRow {
    /// By whom.
    pub seat: Seat,
    /// Of which kind.
    pub kind: String,
    /// Which.
    pub name: String,
    /// In how many of the matches in which it was offered it was taken, once or more.
    pub taken: Share,
    /// How often it was taken when it was offered; offers of one match go together, so it is a mean of so many matches.
    #[serde(default)]
    pub of_offers: Mean,
    /// Won by who took it, of the matches in which he did.
    pub won_with: Share,
    /// Won by who left it, of the matches in which it was offered and never taken.
    pub won_left: Share,
    /// What is measured, of those who took it.
    pub measure: Mean,
    /// The same of those who left it.
    pub measure_left: Mean,
    /// How likely the shares of wins differ so by chance, corrected for the number of choices.
    pub by_chance: f64,
    /// A match in which it was taken, or offered if it never was.
    pub example: Example,
}

/// Something that one can have in the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldingRow {
    /// Who.
    pub seat: Seat,
    /// Of which kind: `card`.
    pub kind: String,
    /// Which.
    pub name: String,
    /// In how many matches.
    pub had: Share,
    /// Won of those with it.
    pub won_with: Share,
    /// Of the others.
    pub won_without: Share,
    /// In how many of the matches that were won.
    pub of_winners: Share,
    /// What is measured, of those with it.
    pub measure: Mean,
    /// How likely the shares of wins differ so by chance, corrected for the number of things.
    pub by_chance: f64,
    /// A match that shows it.
    pub example: Example,
}

/// Two things that are had together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRow {
    /// One.
    pub one: String,
    /// The other.
    pub other: String,
    /// Matches with both.
    pub both: u64,
    /// How many times as many as chance would have it.
    pub lift: f64,
    /// Won of those with both.
    pub won: Share,
    /// How likely that is by chance, corrected for the number of pairs.
    pub by_chance: f64,
    /// A match that shows it.
    pub example: Example,
}

/// What a thing itself does: a choice that was played both ways, or a change of the set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectRow {
    /// For whom.
    pub seat: Seat,
    /// Of which kind.
    pub kind: String,
    /// Which.
    pub name: String,
    /// The difference in points: 1 for a win, a half for a draw.
    pub points: Paired,
    /// The difference in what is measured.
    pub measure: Paired,
    /// How likely so great a difference is by chance, corrected for the number of things: in what is measured where
    /// one plays alone, in points else.
    pub by_chance: f64,
    /// Whether there are too few pairs to say anything.
    pub too_few: bool,
    /// A match that shows it.
    pub example: Example,
}

/// One match, as far as another report may be compared with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRow(
    /// Its group.
    pub usize,
    /// Its seed.
    pub u64,
    /// Halves of a point of the first seat.
    pub u8,
    /// What is measured.
    pub f64,
);
