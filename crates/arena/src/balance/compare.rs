//! Two reports beside each other: what changed, and how sure that is.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::Balance;
use super::rows::{EffectRow, RunRow};
use crate::stats::{Mean, Paired, Share, Z95, benjamini_hochberg, log_rank, mcnemar, two_shares};
use crate::svg;

/// Of what is said to differ, this share may be wrong.
pub const LEVEL: f64 = 0.05;

/// What differs between two reports: other rules, other content, other options, or another version of the program.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The first, in words.
    pub before: String,
    /// The second.
    pub after: String,
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
    /// How many things were compared: what is sure is corrected for their number.
    pub compared: usize,
    /// How: by Benjamini and Hochberg.
    pub corrected_by: &'static str,
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
}

/// Everything that both tell.
#[derive(Default)]
struct Compared {
    all: Vec<Change>,
}

impl Compared {
    fn push(&mut self, what: String, before: f64, after: f64, error: f64, by_chance: f64) {
        self.all.push(Change { what, before, after, error, by_chance });
    }

    fn share(&mut self, what: String, one: Share, two: Share) {
        let width = |share: &Share| share.share * (1.0 - share.share) / share.of.max(1) as f64;
        let error = Z95 * (width(&one) + width(&two)).sqrt();
        self.push(what, one.share, two.share, error, two_shares((one.count, one.of), (two.count, two.of)));
    }

    fn mean(&mut self, what: String, one: &Mean, two: &Mean) {
        self.push(what, one.mean, two.mean, one.error.hypot(two.error), one.differs(two));
    }

    fn paired(&mut self, what: String, one: &Paired, two: &Paired) {
        let mean = |paired: &Paired| Mean { of: paired.pairs as u64, mean: paired.mean, error: paired.error };
        self.mean(what, &mean(one), &mean(two));
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
        let alone = self.alone() && other.alone();
        let mut compared = Compared::default();
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
        let (count, changes) = compared.sure();
        Comparison {
            before: self.source.clone(),
            after: other.source.clone(),
            seeds,
            points,
            measure,
            survival_by_chance: if alone { log_rank(&ends(self), &ends(other)) } else { 1.0 },
            changes,
            compared: count,
            corrected_by: "Benjamini and Hochberg",
        }
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
            let gains: Vec<f64> = both.iter().map(|(one, two)| points(two) - points(one)).collect();
            let values: Vec<f64> = both.iter().map(|(one, two)| two.3 - one.3).collect();
            let only = |sign: f64| gains.iter().filter(|gain| **gain == sign).count() as u64;
            let mut paired = Paired::new(&gains);
            if self.alone() {
                paired.p = mcnemar(only(1.0), only(-1.0));
            }
            return (both.len(), paired, Paired::new(&values));
        }
        let unpaired = |value: &dyn Fn(&RunRow) -> f64| {
            let (one, two) = (Mean::new(self.all.iter().map(value)), Mean::new(other.all.iter().map(value)));
            Paired {
                pairs: 0,
                mean: two.mean - one.mean,
                error: one.error.hypot(two.error),
                p: one.differs(&two),
            }
        };
        (0, unpaired(&points), unpaired(&|run| run.3))
    }

    fn compare_shares(&self, other: &Balance, compared: &mut Compared) {
        for one in &self.words {
            let same = other.words.iter().find(|two| (&two.kind, &two.word) == (&one.kind, &one.word));
            let of = other.words.iter().find(|two| two.kind == one.kind).map_or(0, |two| two.share.of);
            let two = same.map_or(Share::new(0, of), |two| two.share);
            compared.share(format!("{} {}", one.kind, one.word), one.share, two);
        }
        for one in &self.stretches {
            let Some(two) = other.stretches.iter().find(|two| two.name == one.name) else { continue };
            compared.share(format!("fatal {}", one.name), one.fatal, two.fatal);
        }
        for one in &self.choices {
            let same = |two: &&super::ChoiceRow| {
                (two.seat, &two.kind, &two.name) == (one.seat, &one.kind, &one.name)
            };
            let Some(two) = other.choices.iter().find(same) else { continue };
            let what = format!("taken {} {}{}", one.kind, one.name, self.of_seat(one.seat));
            compared.share(what, one.taken, two.taken);
        }
        for one in &self.holdings {
            let same = |two: &&super::HoldingRow| {
                (two.seat, &two.kind, &two.name) == (one.seat, &one.kind, &one.name)
            };
            let two = other.holdings.iter().find(same).map_or(Share::new(0, other.runs), |two| two.had);
            compared.share(format!("had {} {}{}", one.kind, one.name, self.of_seat(one.seat)), one.had, two);
        }
        for one in &self.groups {
            let Some(two) = other.groups.iter().find(|two| two.name == one.name) else { continue };
            for (seat, (one_won, two_won)) in one.seats.iter().zip(&two.seats).enumerate() {
                compared.share(format!("{}: won{}", one.name, self.of_seat(seat as u8)), *one_won, *two_won);
            }
        }
    }

    fn compare_means(&self, other: &Balance, compared: &mut Compared) {
        for one in self.numbers.iter().filter(|one| one.name != self.measure) {
            let Some(two) = other.numbers.iter().find(|two| two.name == one.name) else { continue };
            compared.mean(format!("mean {}", one.name), &one.mean, &two.mean);
        }
        for one in &self.stretches {
            let Some(two) = other.stretches.iter().find(|two| two.name == one.name) else { continue };
            compared.mean(format!("cost of {}", one.name), &one.cost, &two.cost);
        }
        let alone = self.alone();
        let mut effects = |ones: &[EffectRow], twos: &[EffectRow]| {
            for one in ones.iter().filter(|one| !one.too_few) {
                let same = |two: &&EffectRow| {
                    !two.too_few && (two.seat, &two.kind, &two.name) == (one.seat, &one.kind, &one.name)
                };
                let Some(two) = twos.iter().find(same) else { continue };
                let what = format!("effect of {} {}{}", one.kind, one.name, self.of_seat(one.seat));
                let of = |row: &EffectRow| if alone { row.measure } else { row.points };
                compared.paired(what, &of(one), &of(two));
            }
        };
        effects(&self.forks, &other.forks);
        effects(&self.grafts, &other.grafts);
    }
}

impl Comparison {
    /// As a text for people.
    pub fn text(&self, measure: &str) -> String {
        let how = match self.seeds {
            0 => "compared as groups, with no seed in common".to_owned(),
            seeds => format!("compared on {seeds} seeds"),
        };
        let mut out = format!(
            "before: {}\nafter:  {}\n{how}: points {:+.2} % ± {:.2} (by chance {:.4}), {measure} {:+.3} ± {:.3} (by chance \
             {:.4})",
            self.before,
            self.after,
            100.0 * self.points.mean,
            100.0 * self.points.error,
            self.points.p,
            self.measure.mean,
            self.measure.error,
            self.measure.p,
        );
        if self.survival_by_chance < 1.0 {
            let _ = write!(out, ", survival by chance {:.4}", self.survival_by_chance);
        }
        let _ = writeln!(
            out,
            "\n{} of {} comparisons differ for sure (corrected by {}, {} % of them may be wrong):",
            self.changes.len(),
            self.compared,
            self.corrected_by,
            100.0 * LEVEL
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
        out
    }

    /// What changed, as comma-separated values.
    pub fn csv(&self) -> String {
        let mut out = String::from("what,before,after,error,by_chance\n");
        for change in &self.changes {
            let Change { what, before, after, error, by_chance } = change;
            let _ = writeln!(
                out,
                "{},{before:.6},{after:.6},{error:.6},{by_chance:.6}",
                super::text::quoted(what)
            );
        }
        out
    }
}
