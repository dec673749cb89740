//! What many matches say about a game: who wins, how long runs last, what is chosen, and what a choice
//! itself does.
//!
//! Shares of wins of matches in which something was chosen are confounded: good runs see more. The fork
//! is not: one decision is played on both ways with the same dice, and the difference is the choice's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use turnstone_table::{Outcome, Played, Studied};

use crate::stats::{Paired, Share, Survival, Z95, benjamini_hochberg, log_rank, mcnemar, two_shares};
use crate::svg;

/// What many matches say.
#[derive(Clone, Debug, Serialize)]
pub struct Balance {
    /// The game.
    pub game: String,
    /// Matches.
    pub runs: usize,
    /// Won by the first seat, or by who plays alone.
    pub won: Share,
    /// What is measured, such as `floor`; inputs if the game tells no such number.
    pub measure: String,
    /// Its mean and the half width of the 95 % interval.
    pub mean: (f64, f64),
    /// The share of runs that get farther than each value.
    pub survival: Survival,
    /// What the game tells in words, such as who killed, most frequent first.
    pub words: Vec<WordRow>,
    /// What was chosen.
    pub choices: Vec<ChoiceRow>,
    /// What choosing does.
    pub forks: Vec<ForkRow>,
    /// The parts of matches, such as fights: what they cost, the dearest first.
    pub stretches: Vec<StretchRow>,
    /// What the first seat had in the end.
    pub holdings: Vec<HoldingRow>,
    /// Things that are had together more often, or less, than by chance.
    pub pairs: Vec<PairRow>,
    /// Fewer pairs than this are too few to say anything.
    pub least: usize,
    #[serde(skip)]
    ends: Vec<(i64, bool)>,
    #[serde(skip)]
    by_seed: BTreeMap<u64, (bool, f64)>,
}

/// A word that the game tells at the end.
#[derive(Clone, Debug, Serialize)]
pub struct WordRow {
    /// Of which kind: `killed by`.
    pub kind: String,
    /// Which.
    pub word: String,
    /// In how many of those matches that tell the kind.
    pub share: Share,
    /// A seed whose match shows it.
    pub seed: u64,
}

/// A part of matches, such as a fight.
#[derive(Clone, Debug, Serialize)]
pub struct StretchRow {
    /// Which.
    pub name: String,
    /// What it costs who lives through it, in the mean, and the half width of the 95 % interval.
    pub cost: (f64, f64),
    /// How often it is the end.
    pub fatal: Share,
    /// A seed whose match shows it.
    pub seed: u64,
}

/// Something that one can have in the end.
#[derive(Clone, Debug, Serialize)]
pub struct HoldingRow {
    /// Of which kind: `card`.
    pub kind: String,
    /// Which.
    pub name: String,
    /// In how many matches.
    pub had: Share,
    /// Matches won of those with it.
    pub won_with: Share,
    /// Of the others.
    pub won_without: Share,
    /// What is measured, in the mean of those with it.
    pub mean: f64,
    /// How likely the shares of wins differ so by chance, corrected for the number of things.
    pub by_chance: f64,
    /// A seed whose match shows it.
    pub seed: u64,
}

/// Two things that are had together.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    /// One.
    pub one: String,
    /// The other.
    pub other: String,
    /// Matches with both.
    pub both: u64,
    /// How many times as many as chance would have it.
    pub lift: f64,
    /// How likely that is by chance, corrected for the number of pairs.
    pub by_chance: f64,
}

/// Something that can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct ChoiceRow {
    /// What.
    pub choice: String,
    /// How often it was taken when it was offered.
    pub taken: Share,
    /// Matches won of those in which it was taken.
    pub won_with: Share,
    /// Of the others.
    pub won_without: Share,
    /// What is measured, in the mean of those in which it was taken.
    pub mean: f64,
    /// How likely the shares differ so by chance, corrected for the number of choices.
    pub by_chance: f64,
    /// A seed whose match shows it.
    pub seed: u64,
}

/// What a choice itself does.
#[derive(Clone, Debug, Serialize)]
pub struct ForkRow {
    /// What.
    pub choice: String,
    /// The difference in wins.
    pub wins: Paired,
    /// The difference in what is measured.
    pub measure: Paired,
    /// How likely the latter is so great by chance, corrected for the number of choices.
    pub by_chance: f64,
    /// Whether there are too few pairs to say anything.
    pub too_few: bool,
    /// A seed and a moment at which it was tried.
    pub example: (u64, u64),
}

/// What differs between two rulebooks, or two contents, on the same seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Seeds that both have played.
    pub seeds: usize,
    /// The difference in wins: the second less the first.
    pub wins: Paired,
    /// How likely wins are so uneven by chance (McNemar).
    pub wins_by_chance: f64,
    /// The difference in what is measured.
    pub measure: Paired,
    /// How likely the curves of survival differ so by chance (log-rank).
    pub survival_by_chance: f64,
    /// Single shares and forks that differ, corrected for the number of all comparisons.
    pub changes: Vec<Change>,
    /// How many were compared.
    pub compared: usize,
}

/// One thing that differs.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// What: `killed by Hexaghost`, `taken Bash`, `effect of Bash`.
    pub what: String,
    /// How it was.
    pub before: f64,
    /// How it is.
    pub after: f64,
    /// How likely that is by chance, corrected.
    pub by_chance: f64,
}

fn won(played: &Played) -> bool {
    played.outcome == Some(Outcome::Won(0))
}

fn number(played: &Played, measure: &str) -> f64 {
    let told = played.tally.iter().find(|(name, _)| name == measure).and_then(|(_, value)| value.as_f64());
    told.unwrap_or(played.inputs as f64)
}

impl Balance {
    /// What those matches say. `measure` is a number of the game's tally, the first one if left out.
    pub fn new(game: &str, studied: &[Studied], measure: Option<&str>, least: usize) -> Self {
        let first = || {
            let tally = studied.first().map(|one| one.played.tally.as_slice()).unwrap_or_default();
            tally.iter().find(|(_, value)| value.is_number()).map(|(name, _)| name.clone())
        };
        let measure = measure.map(str::to_owned).or_else(first).unwrap_or_else(|| "inputs".to_owned());
        let values: Vec<f64> = studied.iter().map(|one| number(&one.played, &measure)).collect();
        let ends: Vec<(i64, bool)> =
            studied.iter().zip(&values).map(|(one, value)| (*value as i64, !won(&one.played))).collect();
        let wins = studied.iter().filter(|one| won(&one.played)).count();
        let seeds = studied.iter().zip(&values);
        Balance {
            game: game.to_owned(),
            runs: studied.len(),
            won: Share::new(wins as u64, studied.len() as u64),
            mean: mean(&values),
            survival: Survival::new(&ends),
            words: words(studied),
            choices: choices(studied, &measure),
            forks: forks(studied, &measure, least),
            stretches: stretches(studied),
            holdings: holdings(studied, &measure),
            pairs: pairs(studied),
            by_seed: seeds.map(|(one, value)| (one.played.seed, (won(&one.played), *value))).collect(),
            measure,
            least,
            ends,
        }
    }

    /// What differs in `other`, which was played on the same seeds.
    pub fn compare(&self, other: &Balance) -> Comparison {
        let both: Vec<((bool, f64), (bool, f64))> =
            self.by_seed.iter().filter_map(|(seed, one)| Some((*one, *other.by_seed.get(seed)?))).collect();
        let wins: Vec<f64> = both.iter().map(|(one, other)| f64::from(other.0) - f64::from(one.0)).collect();
        let values: Vec<f64> = both.iter().map(|(one, other)| other.1 - one.1).collect();
        let only = |sign: f64| wins.iter().filter(|gain| **gain == sign).count() as u64;
        let (compared, changes) = self.changes(other);
        Comparison {
            seeds: both.len(),
            wins: Paired::new(&wins),
            wins_by_chance: mcnemar(only(1.0), only(-1.0)),
            measure: Paired::new(&values),
            survival_by_chance: log_rank(&self.ends, &other.ends),
            changes,
            compared,
        }
    }

    /// Everything that both tell, and of it what differs for sure.
    fn changes(&self, other: &Balance) -> (usize, Vec<Change>) {
        let mut all: Vec<(String, f64, f64, f64)> = Vec::new();
        let mut share = |what: String, one: Share, two: Share| {
            all.push((what, one.share, two.share, two_shares((one.count, one.of), (two.count, two.of))));
        };
        for one in &self.words {
            let same = other.words.iter().find(|two| (&two.kind, &two.word) == (&one.kind, &one.word));
            let of = other.words.iter().find(|two| two.kind == one.kind).map_or(0, |two| two.share.of);
            share(
                format!("{} {}", one.kind, one.word),
                one.share,
                same.map_or(Share::new(0, of), |two| two.share),
            );
        }
        for one in &self.choices {
            let Some(two) = other.choices.iter().find(|two| two.choice == one.choice) else { continue };
            share(format!("taken {}", one.choice), one.taken, two.taken);
        }
        for one in &self.stretches {
            let Some(two) = other.stretches.iter().find(|two| two.name == one.name) else { continue };
            share(format!("fatal {}", one.name), one.fatal, two.fatal);
        }
        for one in &self.holdings {
            let same = other.holdings.iter().find(|two| (&two.kind, &two.name) == (&one.kind, &one.name));
            let two = same.map_or(Share::new(0, other.runs as u64), |two| two.had);
            share(format!("{} {} had", one.kind, one.name), one.had, two);
        }
        for (one, two) in self
            .stretches
            .iter()
            .filter_map(|one| Some((one, other.stretches.iter().find(|two| two.name == one.name)?)))
        {
            let spread = (one.cost.1.powi(2) + two.cost.1.powi(2)).sqrt() / Z95;
            let z = (two.cost.0 - one.cost.0) / spread.max(1e-12);
            let p = if spread > 0.0 { 2.0 * crate::stats::phi(-z.abs()) } else { 1.0 };
            all.push((format!("cost of {}", one.name), one.cost.0, two.cost.0, p));
        }
        for one in self.forks.iter().filter(|one| !one.too_few) {
            let same = other.forks.iter().find(|two| two.choice == one.choice && !two.too_few);
            let Some(two) = same else { continue };
            let spread = (one.measure.error.powi(2) + two.measure.error.powi(2)).sqrt() / Z95;
            let z = (two.measure.mean - one.measure.mean) / spread.max(1e-12);
            let p = 2.0 * crate::stats::phi(-z.abs());
            all.push((format!("effect of {}", one.choice), one.measure.mean, two.measure.mean, p));
        }
        let corrected = benjamini_hochberg(&all.iter().map(|one| one.3).collect::<Vec<_>>());
        let compared = all.len();
        let sure = all.into_iter().zip(corrected).filter(|(_, by_chance)| *by_chance < 0.05);
        let change = |((what, before, after, _), by_chance)| Change { what, before, after, by_chance };
        let mut changes: Vec<Change> = sure.map(change).collect();
        changes.sort_by(|a, b| a.by_chance.total_cmp(&b.by_chance).then_with(|| a.what.cmp(&b.what)));
        (compared, changes)
    }
}

/// A share with its interval.
fn percent(share: &Share) -> String {
    format!("{:.1} % ({:.1}–{:.1})", 100.0 * share.share, 100.0 * share.low, 100.0 * share.high)
}

fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, Z95 * (variance / n).sqrt())
}

fn words(studied: &[Studied]) -> Vec<WordRow> {
    let mut counts: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for one in studied {
        for (kind, value) in &one.played.tally {
            let Value::String(word) = value else { continue };
            *kinds.entry(kind).or_default() += 1;
            counts.entry((kind, word)).or_insert((0, one.played.seed)).0 += 1;
        }
    }
    let row = |((kind, word), (count, seed)): ((&str, &str), (u64, u64))| WordRow {
        kind: kind.to_owned(),
        word: word.to_owned(),
        share: Share::new(count, kinds[kind]),
        seed,
    };
    let mut rows: Vec<WordRow> = counts.into_iter().map(row).collect();
    rows.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.share.count.cmp(&a.share.count)));
    rows
}

fn choices(studied: &[Studied], measure: &str) -> Vec<ChoiceRow> {
    #[derive(Default)]
    struct Count {
        offered: u64,
        taken: u64,
        matches: u64,
        won: u64,
        sum: f64,
        seed: u64,
    }
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    for one in studied {
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        for offered in &one.offered {
            let count = counts.entry(&offered.choice).or_default();
            count.offered += 1;
            count.taken += u64::from(offered.taken);
            if offered.taken {
                taken.insert(&offered.choice);
            }
        }
        for choice in taken {
            let count = counts.entry(choice).or_default();
            count.matches += 1;
            count.won += u64::from(won(&one.played));
            count.sum += number(&one.played, measure);
            count.seed = one.played.seed;
        }
    }
    let (all, won) = (studied.len() as u64, studied.iter().filter(|one| won(&one.played)).count() as u64);
    let row = |(choice, count): (&str, Count)| ChoiceRow {
        choice: choice.to_owned(),
        taken: Share::new(count.taken, count.offered),
        won_with: Share::new(count.won, count.matches),
        won_without: Share::new(won - count.won, all - count.matches),
        mean: count.sum / count.matches.max(1) as f64,
        by_chance: two_shares((count.won, count.matches), (won - count.won, all - count.matches)),
        seed: count.seed,
    };
    let mut rows: Vec<ChoiceRow> = counts.into_iter().map(row).collect();
    let corrected = benjamini_hochberg(&rows.iter().map(|row| row.by_chance).collect::<Vec<_>>());
    rows.iter_mut().zip(corrected).for_each(|(row, by_chance)| row.by_chance = by_chance);
    rows.sort_by(|a, b| b.taken.share.total_cmp(&a.taken.share).then_with(|| a.choice.cmp(&b.choice)));
    rows
}

fn stretches(studied: &[Studied]) -> Vec<StretchRow> {
    let mut found: BTreeMap<&str, (Vec<f64>, u64, u64)> = BTreeMap::new();
    for one in studied {
        for stretch in &one.stretches {
            let entry = found.entry(&stretch.name).or_insert((Vec::new(), 0, one.played.seed));
            if stretch.fatal {
                entry.1 += 1;
                entry.2 = one.played.seed;
            } else {
                entry.0.push(stretch.cost as f64);
            }
        }
    }
    let row = |(name, (costs, fatal, seed)): (&str, (Vec<f64>, u64, u64))| StretchRow {
        name: name.to_owned(),
        cost: mean(&costs),
        fatal: Share::new(fatal, costs.len() as u64 + fatal),
        seed,
    };
    let mut rows: Vec<StretchRow> = found.into_iter().map(row).collect();
    rows.sort_by(|a, b| b.cost.0.total_cmp(&a.cost.0).then_with(|| a.name.cmp(&b.name)));
    rows
}

/// What the first seat had, of each match.
fn had(one: &Studied) -> impl Iterator<Item = (&str, &str)> {
    one.holdings.iter().filter(|(seat, ..)| *seat == 0).map(|(_, kind, name)| (kind.as_str(), name.as_str()))
}

fn holdings(studied: &[Studied], measure: &str) -> Vec<HoldingRow> {
    let mut found: BTreeMap<(&str, &str), (u64, u64, f64, u64)> = BTreeMap::new();
    for one in studied {
        for thing in had(one) {
            let entry = found.entry(thing).or_insert((0, 0, 0.0, one.played.seed));
            entry.0 += 1;
            entry.1 += u64::from(won(&one.played));
            entry.2 += number(&one.played, measure);
        }
    }
    let (all, wins) = (studied.len() as u64, studied.iter().filter(|one| won(&one.played)).count() as u64);
    let row = |((kind, name), (count, with, sum, seed)): ((&str, &str), (u64, u64, f64, u64))| HoldingRow {
        kind: kind.to_owned(),
        name: name.to_owned(),
        had: Share::new(count, all),
        won_with: Share::new(with, count),
        won_without: Share::new(wins - with, all - count),
        mean: sum / count.max(1) as f64,
        by_chance: two_shares((with, count), (wins - with, all - count)),
        seed,
    };
    let mut rows: Vec<HoldingRow> = found.into_iter().map(row).collect();
    let corrected = benjamini_hochberg(&rows.iter().map(|row| row.by_chance).collect::<Vec<_>>());
    rows.iter_mut().zip(corrected).for_each(|(row, by_chance)| row.by_chance = by_chance);
    rows.sort_by(|a, b| {
        a.kind.cmp(&b.kind).then(b.had.count.cmp(&a.had.count)).then_with(|| a.name.cmp(&b.name))
    });
    rows
}

/// Pairs that chance alone would bring together at least five times, and of them the surest.
fn pairs(studied: &[Studied]) -> Vec<PairRow> {
    let mut single: BTreeMap<&str, u64> = BTreeMap::new();
    let mut both: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for one in studied {
        let names: Vec<&str> = had(one).map(|(_, name)| name).collect();
        for (index, name) in names.iter().enumerate() {
            *single.entry(name).or_default() += 1;
            for other in &names[index + 1..] {
                *both.entry((name.min(other), name.max(other))).or_default() += 1;
            }
        }
    }
    let all = studied.len() as u64;
    // What everybody has goes with everything.
    let rare = |name: &str| single[name] * 10 < all * 9;
    let expected = |one: &str, other: &str| single[one] as f64 * single[other] as f64 / all.max(1) as f64;
    let met =
        both.into_iter().filter(|((one, other), _)| rare(one) && rare(other) && expected(one, other) >= 5.0);
    let mut rows: Vec<PairRow> = met
        .map(|((one, other), count)| {
            let (with, without) = (single[one], all - single[one]);
            PairRow {
                one: one.to_owned(),
                other: other.to_owned(),
                both: count,
                lift: count as f64 / expected(one, other),
                by_chance: two_shares((count, with), (single[other] - count, without)),
            }
        })
        .collect();
    let corrected = benjamini_hochberg(&rows.iter().map(|row| row.by_chance).collect::<Vec<_>>());
    rows.iter_mut().zip(corrected).for_each(|(row, by_chance)| row.by_chance = by_chance);
    rows.retain(|row| row.by_chance < 0.05);
    rows.sort_by(|a, b| b.lift.total_cmp(&a.lift).then_with(|| (&a.one, &a.other).cmp(&(&b.one, &b.other))));
    rows.truncate(60);
    rows
}

fn forks(studied: &[Studied], measure: &str, least: usize) -> Vec<ForkRow> {
    type Differences = (Vec<f64>, Vec<f64>, (u64, u64));
    let mut found: BTreeMap<&str, Differences> = BTreeMap::new();
    for fork in studied.iter().flat_map(|one| &one.forks) {
        let example = (fork.with.seed, fork.moment);
        let entry = found.entry(&fork.choice).or_insert((Vec::new(), Vec::new(), example));
        entry.0.push(f64::from(won(&fork.with)) - f64::from(won(&fork.without)));
        entry.1.push(number(&fork.with, measure) - number(&fork.without, measure));
    }
    let row = |(choice, (wins, values, example)): (&str, Differences)| ForkRow {
        choice: choice.to_owned(),
        wins: Paired::new(&wins),
        measure: Paired::new(&values),
        by_chance: 1.0,
        too_few: values.len() < least,
        example,
    };
    let mut rows: Vec<ForkRow> = found.into_iter().map(row).collect();
    let sure: Vec<usize> = (0..rows.len()).filter(|index| !rows[*index].too_few).collect();
    let corrected = benjamini_hochberg(&sure.iter().map(|index| rows[*index].measure.p).collect::<Vec<_>>());
    sure.iter().zip(corrected).for_each(|(index, by_chance)| rows[*index].by_chance = by_chance);
    rows.sort_by(|a, b| {
        let rank = a.too_few.cmp(&b.too_few).then(b.measure.mean.total_cmp(&a.measure.mean));
        rank.then_with(|| a.choice.cmp(&b.choice))
    });
    rows
}

impl Balance {
    /// As a text for people.
    pub fn text(&self) -> String {
        let Share { share, low, high, .. } = self.won;
        let mut out = format!(
            "{}: {} runs, {:.2} % won ({:.2}–{:.2}), {} {:.2} ± {:.2}\n",
            self.game,
            self.runs,
            100.0 * share,
            100.0 * low,
            100.0 * high,
            self.measure,
            self.mean.0,
            self.mean.1
        );
        for row in self.words.iter().take(20) {
            let Share { share, low, high, .. } = row.share;
            let what = format!("{} {}", row.kind, row.word);
            let _ = writeln!(
                out,
                "  {what:<44} {:5.1} % ({:.1}–{:.1})",
                100.0 * share,
                100.0 * low,
                100.0 * high
            );
        }
        if !self.forks.is_empty() {
            let _ = writeln!(
                out,
                "what a choice itself does to {}, both ways played with the same dice:",
                self.measure
            );
        }
        for row in self.forks.iter().filter(|row| !row.too_few) {
            let sure = if row.by_chance < 0.05 { "*" } else { " " };
            let Paired { mean, error, pairs, .. } = row.measure;
            let wins = 100.0 * row.wins.mean;
            let _ = writeln!(
                out,
                "{sure} {:<28} {mean:+.3} ± {error:.3}  wins {wins:+.2} %  {pairs} pairs",
                row.choice
            );
        }
        let few = self.forks.iter().filter(|row| row.too_few).count();
        if few > 0 {
            let _ = writeln!(out, "too few pairs (below {}) for {few} choices", self.least);
        }
        out
    }

    /// What was chosen and what that does, as comma-separated values.
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "choice,offered,taken,won_with,matches_with,won_without,pairs,effect,effect_error,wins,wins_error,by_chance\n",
        );
        for row in &self.choices {
            let fork = self.forks.iter().find(|fork| fork.choice == row.choice);
            let name = row.choice.replace('"', "\"\"");
            let _ = write!(
                out,
                "\"{name}\",{},{},{},{},{:.6},",
                row.taken.of, row.taken.count, row.won_with.count, row.won_with.of, row.won_without.share
            );
            let _ = match fork {
                Some(ForkRow { wins, measure, by_chance, .. }) => writeln!(
                    out,
                    "{},{:.6},{:.6},{:.6},{:.6},{by_chance:.6}",
                    measure.pairs, measure.mean, measure.error, wins.mean, wins.error
                ),
                None => writeln!(out, "0,,,,,"),
            };
        }
        out
    }

    /// What fights cost and what one has in the end, as comma-separated values.
    pub fn things_csv(&self) -> String {
        let mut out =
            String::from("kind,name,matches,won_with,won_without,mean,mean_error,fatal,by_chance,seed\n");
        for row in &self.stretches {
            let name = row.name.replace('"', "\"\"");
            let (cost, error) = row.cost;
            let _ = writeln!(
                out,
                "part,\"{name}\",{},,,{cost:.4},{error:.4},{},,{}",
                row.fatal.of, row.fatal.count, row.seed
            );
        }
        for row in &self.holdings {
            let name = row.name.replace('"', "\"\"");
            let (with, without) = (row.won_with.share, row.won_without.share);
            let _ = writeln!(
                out,
                "{},\"{name}\",{},{with:.6},{without:.6},{:.4},,,{:.6},{}",
                row.kind, row.had.count, row.mean, row.by_chance, row.seed
            );
        }
        out
    }

    /// As one page that needs nothing else, with a comparison if there is one.
    pub fn html(&self, comparison: Option<(&Balance, &Comparison)>) -> String {
        let mut lines = vec![self.survival_line(if comparison.is_some() { "before" } else { "" })];
        lines.extend(comparison.map(|(other, _)| other.survival_line("after")));
        let title = format!("Runs that get farther than each {}", self.measure);
        let mut sections = vec![(
            "How far runs get".to_owned(),
            svg::chart(&title, (&self.measure, "% of runs, with 95 % bands"), &lines, &[]),
        )];
        if let Some((_, comparison)) = comparison {
            sections.insert(0, ("What changed".to_owned(), comparison.html(&self.measure)));
        }
        if !self.words.is_empty() {
            sections.push(("How they end".to_owned(), self.words_picture()));
        }
        if !self.stretches.is_empty() {
            sections.push(("What fights cost".to_owned(), self.stretches_picture()));
        }
        if self.forks.iter().any(|row| !row.too_few) {
            sections.push(("What a choice itself does".to_owned(), self.forks_picture()));
        }
        if !self.choices.is_empty() {
            sections.push(("What is chosen".to_owned(), self.choices_table()));
        }
        if !self.holdings.is_empty() {
            sections.push(("What one has in the end".to_owned(), self.holdings_table()));
        }
        if !self.pairs.is_empty() {
            sections.push(("What goes together".to_owned(), self.pairs_table()));
        }
        let show = "<p>A row's seed shows it: <code>turnstone run GAME --seed SEED --games 1 --save DIR</code> \
                    with the same bot writes its match file, <code>turnstone replay</code> steps through it.</p>";
        sections.push(("To see it yourself".to_owned(), show.to_owned()));
        let title = format!("{}: {} runs, {:.2} % won", self.game, self.runs, 100.0 * self.won.share);
        svg::page(&title, &sections)
    }

    fn survival_line(&self, name: &str) -> svg::Line {
        let step = |step: &crate::stats::Step| {
            (step.at as f64, 100.0 * step.share, 100.0 * step.low, 100.0 * step.high)
        };
        svg::Line { name: name.to_owned(), points: self.survival.steps.iter().map(step).collect() }
    }

    fn words_picture(&self) -> String {
        let bar = |row: &WordRow| svg::Bar {
            label: format!("{} {}", row.kind, row.word),
            value: 100.0 * row.share.share,
            low: 100.0 * row.share.low,
            high: 100.0 * row.share.high,
            note: format!("{} of {}, seed {}", row.share.count, row.share.of, row.seed),
        };
        let bars: Vec<svg::Bar> = self.words.iter().take(40).map(bar).collect();
        svg::forest("Shares with 95 % intervals", "%", &bars, None)
    }

    fn stretches_picture(&self) -> String {
        let bar = |row: &StretchRow| svg::Bar {
            label: row.name.clone(),
            value: row.cost.0,
            low: row.cost.0 - row.cost.1,
            high: row.cost.0 + row.cost.1,
            note: format!("{} of {} fatal, seed {}", row.fatal.count, row.fatal.of, row.seed),
        };
        let bars: Vec<svg::Bar> = self.stretches.iter().take(80).map(bar).collect();
        svg::forest("The mean cost to who lives through it, with 95 % intervals", "cost", &bars, Some(0.0))
    }

    fn holdings_table(&self) -> String {
        let row = |row: &HoldingRow| {
            vec![
                row.kind.clone(),
                row.name.clone(),
                row.had.count.to_string(),
                percent(&row.won_with),
                percent(&row.won_without),
                format!("{:.1}", row.mean),
                format!("{:.3}", row.by_chance),
                row.seed.to_string(),
            ]
        };
        let head = ["kind", "what", "matches", "won with", "won without", &self.measure, "by chance", "seed"];
        let note = "<p>Who lives longer finds more: these shares are confounded, forks are not.</p>";
        format!("{note}{}", svg::table(&head, &self.holdings.iter().map(row).collect::<Vec<_>>()))
    }

    fn pairs_table(&self) -> String {
        let row = |row: &PairRow| {
            let lift = format!("{:.2}", row.lift);
            vec![
                row.one.clone(),
                row.other.clone(),
                row.both.to_string(),
                lift,
                format!("{:.4}", row.by_chance),
            ]
        };
        let head = ["one", "other", "matches with both", "times chance", "by chance"];
        svg::table(&head, &self.pairs.iter().map(row).collect::<Vec<_>>())
    }

    fn forks_picture(&self) -> String {
        let bar = |row: &ForkRow| svg::Bar {
            label: format!("{}{}", if row.by_chance < 0.05 { "* " } else { "" }, row.choice),
            value: row.measure.mean,
            low: row.measure.mean - row.measure.error,
            high: row.measure.mean + row.measure.error,
            note: format!("{} pairs, seed {} at {}", row.measure.pairs, row.example.0, row.example.1),
        };
        let bars: Vec<svg::Bar> = self.forks.iter().filter(|row| !row.too_few).map(bar).collect();
        let title = "Taken less not taken, the same dice; * not by chance";
        svg::forest(title, &self.measure, &bars, Some(0.0))
    }

    fn choices_table(&self) -> String {
        let row = |row: &ChoiceRow| {
            vec![
                row.choice.clone(),
                row.taken.of.to_string(),
                percent(&row.taken),
                percent(&row.won_with),
                percent(&row.won_without),
                format!("{:.1}", row.mean),
                format!("{:.3}", row.by_chance),
                row.seed.to_string(),
            ]
        };
        let head =
            ["choice", "offered", "taken", "won with", "won without", &self.measure, "by chance", "seed"];
        let note =
            "<p>Who wins with something may have won anyway: these shares are confounded, forks are not.</p>";
        format!("{note}{}", svg::table(&head, &self.choices.iter().map(row).collect::<Vec<_>>()))
    }
}

impl Comparison {
    /// As a text for people.
    pub fn text(&self, measure: &str) -> String {
        let mut out = format!(
            "compared on {} seeds: wins {:+.2} % ± {:.2} (by chance {:.4}), {measure} {:+.3} ± {:.3} (by chance {:.4}), survival by chance {:.4}\n",
            self.seeds,
            100.0 * self.wins.mean,
            100.0 * self.wins.error,
            self.wins_by_chance,
            self.measure.mean,
            self.measure.error,
            self.measure.p,
            self.survival_by_chance
        );
        let _ =
            writeln!(out, "{} of {} single comparisons differ for sure:", self.changes.len(), self.compared);
        for change in &self.changes {
            let _ = writeln!(
                out,
                "  {:<44} {} → {}",
                change.what,
                svg::short(change.before),
                svg::short(change.after)
            );
        }
        out
    }

    fn html(&self, measure: &str) -> String {
        let row = |change: &Change| {
            vec![
                change.what.clone(),
                svg::short(change.before),
                svg::short(change.after),
                format!("{:.4}", change.by_chance),
            ]
        };
        let rows: Vec<Vec<String>> = self.changes.iter().map(row).collect();
        format!(
            "<pre>{}</pre>{}",
            svg::escape(&self.text(measure)),
            svg::table(&["what", "before", "after", "by chance"], &rows)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnstone_table::{Fork, Offered, Stretch};

    fn played(seed: u64, floor: u64, won: bool) -> Played {
        let outcome = Some(if won { Outcome::Won(0) } else { Outcome::Lost });
        let mut tally = vec![("floor".to_owned(), Value::from(floor))];
        if !won {
            tally.push(("killed by".to_owned(), if floor.is_multiple_of(2) { "even" } else { "odd" }.into()));
        }
        Played { seed, outcome, inputs: 10, stuck: None, tally, standing: None }
    }

    /// Runs in which `gift` adds that many floors; without any, nothing differs.
    fn league(gift: u64) -> Vec<Studied> {
        let run = |seed: u64| {
            let floor = 5 + seed * 7 % 13;
            let (with, without) = (played(seed, floor + gift, false), played(seed, floor, false));
            Studied {
                played: played(seed, floor + gift * (seed % 2), seed.is_multiple_of(10)),
                offered: vec![Offered { choice: "gift".into(), taken: seed % 2 == 1 }],
                forks: vec![Fork { choice: "gift".into(), moment: 3, with, without }],
                stretches: vec![Stretch {
                    name: "ogre".into(),
                    cost: 5 + gift as i64 + (seed % 3) as i64,
                    fatal: false,
                }],
                holdings: [
                    (seed.is_multiple_of(2), "cup"),
                    (seed.is_multiple_of(2) || seed % 16 == 1, "saucer"),
                    (seed.is_multiple_of(3), "hat"),
                ]
                .iter()
                .filter(|(has, _)| *has)
                .map(|(_, name)| (0, "thing".to_owned(), (*name).to_owned()))
                .collect(),
            }
        };
        (0..400).map(run).collect()
    }

    #[test]
    fn a_planted_effect_is_found_with_its_sign_and_size_and_none_is_not() {
        let (strong, none) =
            (Balance::new("g", &league(3), None, 200), Balance::new("g", &league(0), None, 200));
        assert_eq!(strong.measure, "floor");
        assert!((strong.forks[0].measure.mean - 3.0).abs() < 1e-9 && strong.forks[0].by_chance < 0.05);
        assert!(none.forks[0].measure.mean == 0.0 && none.forks[0].by_chance > 0.05);
        let changed = none.compare(&strong);
        assert!((changed.measure.mean - 1.5).abs() < 1e-9 && changed.measure.p < 1e-6, "{changed:?}");
        assert!(changed.changes.iter().any(|change| change.what == "effect of gift"), "{changed:?}");
        let same = none.compare(&none);
        assert!(
            same.changes.is_empty() && same.measure.p == 1.0 && same.survival_by_chance > 0.99,
            "{same:?}"
        );
    }

    #[test]
    fn what_goes_together_and_what_fights_cost_is_told() {
        let (before, after) =
            (Balance::new("g", &league(0), None, 200), Balance::new("g", &league(4), None, 200));
        let pair = &before.pairs[0];
        assert_eq!((pair.one.as_str(), pair.other.as_str(), pair.both), ("cup", "saucer", 200));
        assert!(pair.lift > 1.5 && before.pairs.len() == 1, "{:?}", before.pairs);
        assert!((before.stretches[0].cost.0 - 6.0).abs() < 0.1, "{:?}", before.stretches);
        let cup = before.holdings.iter().find(|row| row.name == "cup").unwrap();
        assert_eq!((cup.had.count, cup.won_with.count, cup.won_without.count), (200, 40, 0));
        let changes = before.compare(&after).changes;
        let cost = changes.iter().find(|change| change.what == "cost of ogre").expect("it is dearer");
        assert!((cost.after - cost.before - 4.0).abs() < 0.01);
        assert!(before.compare(&before).changes.is_empty());
        let html = before.html(None);
        assert!(
            html.contains("What fights cost") && html.contains("What goes together") && !html.contains("NaN")
        );
        assert!(before.things_csv().contains("part,\"ogre\",400,,,5.9975,"), "{}", before.things_csv());
    }

    #[test]
    fn few_pairs_say_nothing() {
        let balance = Balance::new("g", &league(3), Some("floor"), 1000);
        assert!(balance.forks[0].too_few && balance.text().contains("too few pairs"));
        assert_eq!(balance.won.count, 40);
        let html = balance.html(None);
        assert!(html.contains("How far runs get") && !html.contains("NaN"));
        assert!(balance.csv().lines().nth(1).is_some_and(|line| line.starts_with("\"gift\",400,200,")));
        assert_eq!(Balance::new("g", &[], None, 1).runs, 0);
    }
}
