//! Two reports beside each other: what changed, and how sure that is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Serialize;

use super::Balance;
use super::rows::{ChoiceRow, EffectRow, Example, HoldingRow, NumberRow, RunRow, StretchRow, WordRow};
use crate::stats::{Mean, Paired, Share, Z95, benjamini_hochberg, log_rank, mcnemar, two_shares};
use crate::svg;
use crate::told::by_chance;

/// Of what is said to differ, this share may be wrong.
pub const LEVEL: f64 = 0.05;

/// What differs between two reports: other rules, other content, other options, or another version of the program.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The first, in words.
    pub before: String,
    /// The second.
    pub after: String,
    /// Which of the two is the report that the comparison belongs to, and whose match files lie beside it.
    pub own: Side,
    /// Matches with the same seeds in both; with none the two are compared as groups.
    pub seeds: usize,
    /// The difference in the first seat's points: the second less the first.
    pub points: Paired,
    /// The difference in what is measured.
    pub measure: Paired,
    /// How likely the curves of survival differ so by chance (log-rank); 1 where there are none.
    pub survival_by_chance: f64,
    /// What differs for sure, the surest first.
    pub changes: Vec<Change>,
    /// What only the first tells, and what only the second tells, where nothing stands beside it to compare with.
    pub gone: Vec<String>,
    /// See `gone`.
    pub new: Vec<String>,
    /// How many things were compared: what is sure is corrected for their number.
    pub compared: usize,
    /// How: by Benjamini and Hochberg.
    pub corrected_by: &'static str,
}

/// Which of two reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first.
    Before,
    /// The second.
    After,
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// What: `killed by Hexaghost`, `effect of card Bash`.
    pub what: String,
    /// How it was.
    pub before: f64,
    /// How it is.
    pub after: f64,
    /// The half width of the 95 % interval of the difference.
    pub error: f64,
    /// How likely so great a difference is by chance, corrected.
    pub by_chance: f64,
    /// A match of the first report that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_before: Option<Example>,
    /// A match of the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_after: Option<Example>,
}

/// Everything that either tells.
#[derive(Default)]
struct Compared {
    /// In how many ways each opened the matches of a seed. Those go together: they count as one.
    ways: (u64, u64),
    all: Vec<Change>,
    gone: Vec<String>,
    new: Vec<String>,
    /// What shows the things that are compared now, before and after.
    shows: (Option<Example>, Option<Example>),
}

impl Compared {
    fn push(&mut self, what: String, before: f64, after: f64, error: f64, by_chance: f64) {
        let (shown_before, shown_after) = self.shows.clone();
        self.all.push(Change { what, before, after, error, by_chance, shown_before, shown_after });
    }

    /// What follows is shown by these.
    fn show(&mut self, one: Option<&Example>, two: Option<&Example>) {
        self.shows = (one.cloned(), two.cloned());
    }

    /// What one of the two alone has.
    fn only(&mut self, first: bool, what: String) {
        if first { &mut self.gone } else { &mut self.new }.push(what);
    }

    fn share(&mut self, what: String, one: Share, two: Share) {
        let (ones, twos) = (fewer(&one, self.ways.0), fewer(&two, self.ways.1));
        let width = |share: &Share, of: u64| share.share * (1.0 - share.share) / of.max(1) as f64;
        let error = Z95 * (width(&one, ones.1) + width(&two, twos.1)).sqrt();
        self.push(what, one.share, two.share, error, two_shares(ones, twos));
    }

    fn mean(&mut self, what: String, one: &Mean, two: &Mean) {
        let (one, two) = (one.of_groups(self.ways.0), two.of_groups(self.ways.1));
        self.push(what, one.mean, two.mean, one.error.hypot(two.error), one.differs(&two));
    }

    fn effect(&mut self, what: String, one: &Mean, two: &Mean) {
        self.push(what, one.mean, two.mean, one.error.hypot(two.error), one.differs(two));
    }

    fn paired(&mut self, what: String, one: &Paired, two: &Paired) {
        let mean = |paired: &Paired| {
            // Reports of before do not say what belongs together.
            let of = if paired.bundles == 0 { paired.pairs } else { paired.bundles };
            Mean { of: of as u64, mean: paired.mean, error: paired.error }
        };
        self.effect(what, &mean(one), &mean(two));
    }

    fn sure(mut self) -> (usize, Vec<Change>) {
        let compared = self.all.len();
        let corrected = benjamini_hochberg(&self.all.iter().map(|one| one.by_chance).collect::<Vec<_>>());
        self.all.iter_mut().zip(corrected).for_each(|(one, by_chance)| one.by_chance = by_chance);
        self.all.retain(|one| one.by_chance < LEVEL);
        self.all.sort_by(|a, b| a.by_chance.total_cmp(&b.by_chance).then_with(|| a.what.cmp(&b.what)));
        (compared, self.all)
    }
}

impl Balance {
    /// What differs in `other`.
    pub fn compare(&self, other: &Balance) -> Comparison {
        let (seeds, points, measure) = self.differences(other);
        let ends = |balance: &Balance| {
            let end = |RunRow(_, _, halves, value): &RunRow| (*value as i64, *halves < 2);
            balance.all.iter().map(end).collect::<Vec<_>>()
        };
        let ways = (self.ways(), other.ways());
        let alone = self.alone() && other.alone() && ways == (1, 1);
        let mut compared = Compared { ways, ..Compared::default() };
        let first = |balance: &Balance| balance.seats.first().and_then(|row| row.example.clone());
        compared.shows = (first(self), first(other));
        compared.push(
            "points of the first seat".to_owned(),
            self.points(),
            other.points(),
            points.error,
            points.p,
        );
        let what = format!("mean {}", self.measure);
        compared.push(what, self.mean.mean, other.mean.mean, measure.error, measure.p);
        self.compare_shares(other, &mut compared);
        self.compare_means(other, &mut compared);
        let (gone, new) = (std::mem::take(&mut compared.gone), std::mem::take(&mut compared.new));
        let (count, changes) = compared.sure();
        Comparison {
            before: self.source.clone(),
            after: other.source.clone(),
            own: Side::Before,
            seeds,
            points,
            measure,
            survival_by_chance: if alone { log_rank(&ends(self), &ends(other)) } else { 1.0 },
            changes,
            gone,
            new,
            compared: count,
            corrected_by: "Benjamini and Hochberg",
        }
    }

    /// What differs here from what was `saved` before.
    pub fn compare_with_saved(&self, saved: &Balance) -> Comparison {
        Comparison { own: Side::After, ..saved.compare(self) }
    }

    /// In how many ways the matches of a seed were opened.
    fn ways(&self) -> u64 {
        self.groups.len().max(1) as u64
    }

    fn points(&self) -> f64 {
        let halves: u64 = self.all.iter().map(|run| u64::from(run.2)).sum();
        halves as f64 / (2 * self.all.len().max(1)) as f64
    }

    /// Over the same seeds if there are any, else between the groups.
    fn differences(&self, other: &Balance) -> (usize, Paired, Paired) {
        let known: BTreeMap<(usize, u64), &RunRow> =
            other.all.iter().map(|run| ((run.0, run.1), run)).collect();
        let both: Vec<(&RunRow, &RunRow)> =
            self.all.iter().filter_map(|run| Some((run, *known.get(&(run.0, run.1))?))).collect();
        let points = |run: &RunRow| f64::from(run.2) / 2.0;
        if both.len() > 1 {
            let gains: Vec<(u64, f64)> =
                both.iter().map(|(one, two)| (one.1, points(two) - points(one))).collect();
            let values = both.iter().map(|(one, two)| (one.1, two.3 - one.3));
            let only = |sign: f64| gains.iter().filter(|(_, gain)| *gain == sign).count() as u64;
            let mut paired = Paired::bundled(gains.iter().copied());
            if self.alone() && self.ways() == 1 {
                paired.p = mcnemar(only(1.0), only(-1.0));
            }
            return (both.len(), paired, Paired::bundled(values));
        }
        let unpaired = |value: &dyn Fn(&RunRow) -> f64| {
            let mean = |of: &Balance| Mean::new(of.all.iter().map(value)).of_groups(of.ways());
            let (one, two) = (mean(self), mean(other));
            Paired {
                pairs: 0,
                bundles: 0,
                mean: two.mean - one.mean,
                error: one.error.hypot(two.error),
                p: one.differs(&two),
            }
        };
        (0, unpaired(&points), unpaired(&|run| run.3))
    }

    fn compare_shares(&self, other: &Balance, compared: &mut Compared) {
        let told = |balance: &Balance, kind: &str| {
            balance.words.iter().find(|row| row.kind == kind).map_or(0, |row| row.share.of)
        };
        // What is never told did not happen in any match that tells the kind.
        for ((kind, word), one, two) in union(&self.words, &other.words, |row| (&row.kind, &row.word)) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            let share = |row: Option<&WordRow>, balance: &Balance| {
                row.map_or_else(|| Share::new(0, told(balance, kind)), |row| row.share)
            };
            compared.share(format!("{kind} {word}"), share(one, self), share(two, other));
        }
        for (name, one, two) in union(&self.stretches, &other.stretches, |row| &row.name) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            // Reports of before matches were counted tell fights instead, of which those of a match go together.
            if [one, two].into_iter().flatten().any(|row| row.matches == 0) {
                continue;
            }
            let met = |row: Option<&StretchRow>, runs| Share::new(row.map_or(0, |row| row.matches), runs);
            compared.share(format!("met {name}"), met(one, self.runs), met(two, other.runs));
            if let (Some(one), Some(two)) = (one, two) {
                compared.share(format!("fatal {name}"), one.fatal, two.fatal);
            }
        }
        let key = |row: &ChoiceRow| (row.seat, row.kind.clone(), row.name.clone());
        for ((seat, kind, name), one, two) in union(&self.choices, &other.choices, key) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            // By matches: offers of one match go together. Reports of before they were counted so have these numbers.
            let matches = |row: &ChoiceRow| row.won_with.of + row.won_left.of;
            let offered = |row: Option<&ChoiceRow>, runs| Share::new(row.map_or(0, matches), runs);
            let taken = |row: &ChoiceRow| Share::new(row.won_with.of, matches(row));
            let what = format!("{kind} {name}{}", self.of_seat(seat));
            compared.share(format!("offered {what}"), offered(one, self.runs), offered(two, other.runs));
            if let (Some(one), Some(two)) = (one, two) {
                compared.share(format!("taken {what}"), taken(one), taken(two));
            }
        }
        let key = |row: &HoldingRow| (row.seat, row.kind.clone(), row.name.clone());
        for ((seat, kind, name), one, two) in union(&self.holdings, &other.holdings, key) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            let had = |row: Option<&HoldingRow>, runs: u64| row.map_or(Share::new(0, runs), |row| row.had);
            let what = format!("had {kind} {name}{}", self.of_seat(seat));
            compared.share(what, had(one, self.runs), had(two, other.runs));
        }
        for (name, one, two) in union(&self.groups, &other.groups, |row| &row.name) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            let (Some(one), Some(two)) = (one, two) else {
                compared.only(one.is_some(), format!("matches of {name}"));
                continue;
            };
            // Of one way each seed has one match.
            compared.ways = (1, 1);
            for (seat, (one_won, two_won)) in one.seats.iter().zip(&two.seats).enumerate() {
                compared.share(format!("{name}: won{}", self.of_seat(seat as u8)), *one_won, *two_won);
            }
        }
    }

    fn compare_means(&self, other: &Balance, compared: &mut Compared) {
        compared.ways = (self.ways(), other.ways());
        let numbers = union(&self.numbers, &other.numbers, |row| &row.name);
        for (name, one, two) in numbers.into_iter().filter(|(name, ..)| **name != self.measure) {
            let shown = |row: &NumberRow| row.bins.last().map(|bin| bin.example.clone());
            compared.shows = (one.and_then(shown), two.and_then(shown));
            match (one, two) {
                (Some(one), Some(two)) => compared.mean(format!("mean {name}"), &one.mean, &two.mean),
                (one, _) => compared.only(one.is_some(), format!("the number {name}")),
            }
        }
        for (name, one, two) in union(&self.stretches, &other.stretches, |row| &row.name) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            if let (Some(one), Some(two)) = (one, two)
                && one.matches.min(two.matches) > 0
            {
                compared.mean(format!("cost of {name}"), &one.cost, &two.cost);
            }
        }
        self.compare_effects(&self.forks, &other.forks, compared);
        self.compare_effects(&self.grafts, &other.grafts, compared);
    }

    /// What is not there at all has no effect.
    fn compare_effects(&self, ones: &[EffectRow], twos: &[EffectRow], compared: &mut Compared) {
        let nothing = Paired { pairs: 0, bundles: 0, mean: 0.0, error: 0.0, p: 1.0 };
        let key = |row: &EffectRow| (row.seat, row.kind.clone(), row.name.clone());
        for ((seat, kind, name), one, two) in union(ones, twos, key) {
            compared.show(one.map(|row| &row.example), two.map(|row| &row.example));
            if one.is_some_and(|row| row.too_few) || two.is_some_and(|row| row.too_few) {
                continue;
            }
            let of = |row: &EffectRow| if self.alone() { row.measure } else { row.points };
            let what = format!("effect of {kind} {name}{}", self.of_seat(seat));
            match (one.map(of), two.map(of)) {
                (Some(one), Some(two)) => compared.paired(what, &one, &two),
                (Some(one), None) => compared.push(what, one.mean, nothing.mean, one.error, one.p),
                (None, Some(two)) => compared.push(what, nothing.mean, two.mean, two.error, two.p),
                (None, None) => {}
            }
        }
    }
}

/// So many of so many, where every so many are one and the same draw.
fn fewer(share: &Share, ways: u64) -> (u64, u64) {
    let of = share.of / ways;
    (((share.count + ways / 2) / ways).min(of), of)
}

/// Every row of both, by its key, with the row of each that has it; those of the first come first.
fn union<'r, R, K: PartialEq>(
    ones: &'r [R],
    twos: &'r [R],
    key: impl Fn(&'r R) -> K,
) -> Vec<(K, Option<&'r R>, Option<&'r R>)> {
    let find = |rows: &'r [R], wanted: &K| rows.iter().find(|row| key(row) == *wanted);
    let first = ones.iter().map(|row| {
        let name = key(row);
        let two = find(twos, &name);
        (name, Some(row), two)
    });
    let new =
        twos.iter().filter(|row| find(ones, &key(row)).is_none()).map(|row| (key(row), None, Some(row)));
    first.chain(new).collect()
}

impl Comparison {
    /// Matches of the `other` report that show what changed and how far its runs get, each once.
    pub fn examples(&self, other: &Balance) -> Vec<Example> {
        let shown = |change: &Change| match self.own {
            Side::Before => change.shown_after.clone(),
            Side::After => change.shown_before.clone(),
        };
        let mut files = BTreeSet::new();
        let mut all: Vec<Example> = self.changes.iter().filter_map(shown).collect();
        all.retain(|example| files.insert(example.file()));
        all.extend(other.fallen(&mut files));
        all
    }

    /// As a text for people.
    pub fn text(&self, measure: &str) -> String {
        let how = match self.seeds {
            0 => "compared as groups, with no seed in common".to_owned(),
            seeds => format!("compared on {seeds} seeds"),
        };
        let mut out = format!(
            "before: {}\nafter:  {}\n{how}: points {:+.2} % ± {:.2} (by chance {}), {measure} {:+.3} ± {:.3} (by chance {})",
            self.before,
            self.after,
            100.0 * self.points.mean,
            100.0 * self.points.error,
            by_chance(self.points.p, 4),
            self.measure.mean,
            self.measure.error,
            by_chance(self.measure.p, 4),
        );
        if self.survival_by_chance < 1.0 {
            let _ = write!(out, ", survival by chance {}", by_chance(self.survival_by_chance, 4));
        }
        let _ = writeln!(
            out,
            "\n{} of {} comparisons differ for sure (corrected by {}, {} % of them may be wrong){}",
            self.changes.len(),
            self.compared,
            self.corrected_by,
            100.0 * LEVEL,
            if self.changes.is_empty() { "" } else { ":" }
        );
        for change in &self.changes {
            let _ = writeln!(
                out,
                "  {:<48} {:>8} → {:<8} ± {}",
                change.what,
                svg::short(change.before),
                svg::short(change.after),
                svg::short(change.error)
            );
        }
        for (whose, what) in [("before", &self.gone), ("after", &self.new)] {
            if !what.is_empty() {
                let _ = writeln!(out, "only {whose}: {}", what.join(", "));
            }
        }
        out
    }

    /// What changed, as comma-separated values.
    pub fn csv(&self) -> String {
        let mut out = String::from("what,before,after,error,by_chance\n");
        for change in &self.changes {
            let Change { what, before, after, error, by_chance, .. } = change;
            let _ = writeln!(
                out,
                "{},{before:.6},{after:.6},{error:.6},{by_chance:.6}",
                super::text::quoted(what)
            );
        }
        out
    }
}
