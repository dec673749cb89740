//! One page with pictures, in which everything leads to a match that shows it.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{
    EffectRow, Example, GroupRow, HoldingRow, NumberRow, PairRow, SeatRow, StretchRow, WordRow,
};
use super::text::{about, percent};
use super::{Balance, Change, Comparison, LEVEL, Side};
use crate::stats::{Mean, Share};
use crate::svg::{self, Bar, Column, Field, Line, Shape};
use crate::told::{by_chance, clock_told};

/// A picture of a report.
pub struct Picture {
    /// Its name as a file, without an ending.
    pub name: String,
    /// The heading under which it stands.
    pub heading: &'static str,
    /// The picture itself, as SVG.
    pub svg: String,
}

/// Rows of a picture at most: what does not fit stands in the table.
const MOST: usize = 60;

/// Where match files of the report lie with which this one is compared, below the others.
pub const AFTER: &str = "after";

/// Which matches have files, and where those are.
struct Links<'f> {
    own: &'f BTreeSet<String>,
    /// Those of the report that this one is compared with, by their names in the directory of their own.
    others: BTreeSet<String>,
}

impl<'f> Links<'f> {
    fn new(files: &'f BTreeSet<String>) -> Self {
        let below = |file: &String| Some(file.strip_prefix(AFTER)?.strip_prefix('/')?.to_owned());
        Links { own: files, others: files.iter().filter_map(below).collect() }
    }

    fn to(&self, example: &Example) -> Option<String> {
        example.shown_by(self.own).map(|file| format!("matches/{file}"))
    }

    /// To a match of the report that this one is compared with.
    fn other(&self, example: &Example) -> Option<String> {
        example.shown_by(&self.others).map(|file| format!("matches/{AFTER}/{file}"))
    }

    fn cell(&self, example: &Example) -> String {
        svg::leads(&format!("seed {}", example.seed), self.to(example).as_deref())
    }
}

fn bar(label: String, share: &Share, note: String, link: Option<String>) -> Bar {
    let [value, low, high] = [share.share, share.low, share.high].map(|part| 100.0 * part);
    Bar { label, value, low, high, note, link }
}

impl Balance {
    /// As one page that needs nothing else, with a comparison if there is one. `files` are the names of the match files
    /// that lie beside it in `matches/`; those of the other report begin with [`AFTER`].
    pub fn html(&self, comparison: Option<(&Balance, &Comparison)>, files: &BTreeSet<String>) -> String {
        let links = Links::new(files);
        let mut sections: Vec<(String, String)> = Vec::new();
        let mut pictures = self.pictures(comparison, files);
        if let Some(told) = clock_told(&self.timed) {
            sections.push(("By the clock".to_owned(), format!("<p>{}</p>", svg::escape(&told))));
        }
        if !self.notes.is_empty() {
            let notes = self.notes.iter().map(|note| format!("<p>{}</p>", svg::escape(note)));
            sections.push(("What was not found".to_owned(), notes.collect()));
        }
        if let Some((_, comparison)) = comparison {
            let text = format!("<pre>{}</pre>", svg::escape(&comparison.text(&self.measure)));
            sections.push(("What changed".to_owned(), text));
        }
        let changes = comparison.map_or(String::new(), |(_, comparison)| changes_table(comparison, &links));
        for (heading, table) in self.tables(changes, &links) {
            let of: Vec<Picture> = pictures.extract_if(.., |picture| picture.heading == heading).collect();
            let drawn: String = of.into_iter().map(|picture| picture.svg).collect();
            if !drawn.is_empty() || !table.is_empty() {
                let known = sections.iter_mut().find(|(known, _)| known == heading);
                match known {
                    Some((_, html)) => *html += &(drawn + &table),
                    None => sections.push((heading.to_owned(), drawn + &table)),
                }
            }
        }
        let show = "<p>What is underlined leads to a match file: <code>turnstone replay FILE</code> steps through it, \
                    <code>turnstone explain FILE</code> tells why everything happened. Where a choice was played both ways \
                    the file holds both as branches.</p>";
        sections.push(("To see it yourself".to_owned(), show.to_owned()));
        svg::page(&format!("{}: {} matches, {}", self.game, self.runs, self.source), &sections)
    }

    /// All pictures, in the order of the page.
    pub fn pictures(
        &self,
        comparison: Option<(&Balance, &Comparison)>,
        files: &BTreeSet<String>,
    ) -> Vec<Picture> {
        let links = Links::new(files);
        let mut all = Vec::new();
        let mut add = |name: &str, heading, drawn: Option<String>| {
            all.extend(drawn.map(|svg| Picture { name: name.to_owned(), heading, svg }));
        };
        add(
            "changes",
            "What changed",
            comparison.and_then(|(_, comparison)| changes_picture(comparison, &links)),
        );
        add("seats", "Who wins", self.seats_picture(&links));
        add("groups", "Ways to open a match", self.groups_picture(&links));
        for name in self.group_measures() {
            add(
                &format!("groups-{}", plain(&name)),
                "Ways to open a match",
                self.group_numbers_picture(&name, &links),
            );
        }
        add("groups-heat", "Ways to open a match", self.groups_heat(&links));
        add("survival", "How far runs get", self.survival_picture(comparison, &links));
        for row in &self.numbers {
            add(&format!("number-{}", plain(&row.name)), "Numbers", Some(number_picture(row, &links)));
        }
        add("told", "What is told of matches", self.words_picture(&links));
        add("parts", "What fights and other parts cost", self.stretches_picture(&links));
        add("forks", "What a choice itself does", self.effects_picture(&self.forks, &links));
        add("changes-of-set-up", "What a thing is worth", self.effects_picture(&self.grafts, &links));
        add("had", "What one has in the end", self.holdings_picture(&links));
        add("pairs", "What goes together", self.pairs_picture(&links));
        all
    }

    fn tables(&self, changes: String, links: &Links<'_>) -> Vec<(&'static str, String)> {
        vec![
            ("What changed", changes),
            ("Who wins", String::new()),
            ("Ways to open a match", self.groups_table(links)),
            ("How far runs get", String::new()),
            ("Numbers", self.numbers_table(links)),
            ("What is told of matches", String::new()),
            ("What fights and other parts cost", self.stretches_table(links)),
            ("What a choice itself does", self.forks_table(links)),
            ("What a thing is worth", self.effects_table(&self.grafts, links)),
            ("What is chosen", self.choices_table(links)),
            ("What one has in the end", self.holdings_table(links)),
            ("What goes together", self.pairs_table(links)),
        ]
    }

    fn seats_picture(&self, links: &Links<'_>) -> Option<String> {
        let link = |row: &SeatRow| row.example.as_ref().and_then(|example| links.to(example));
        let of = |row: &SeatRow| bar(row.name.clone(), &row.won, percent(&row.won), link(row));
        let mut bars: Vec<Bar> = self.seats.iter().map(of).collect();
        let mut together = |name: &str, share: &Share, example: Option<&Example>| {
            let link = example.and_then(|example| links.to(example));
            bars.push(bar(name.to_owned(), share, percent(share), link));
        };
        if !self.alone() {
            together("nobody", &self.drawn, self.drawn_example.as_ref());
        }
        if self.lost_by_all() {
            together("lost by all", &self.lost, self.lost_example.as_ref());
        }
        (self.runs > 0).then(|| svg::forest("Matches won, with 95 % intervals", "%", &bars, None))
    }

    /// Whether there is anything that several lost together.
    pub(super) fn lost_by_all(&self) -> bool {
        !self.alone() && self.lost.count > 0
    }

    fn groups_picture(&self, links: &Links<'_>) -> Option<String> {
        let of = |row: &GroupRow| {
            let won = row.seats.first().copied().unwrap_or(Share::new(0, 0));
            bar(row.name.clone(), &won, percent(&won), links.to(&row.example))
        };
        let bars: Vec<Bar> = self.groups.iter().take(MOST).map(of).collect();
        let alike = self.groups.iter().all(|row| row.seats.len() == self.seats.len());
        let who = match self.seats.first().filter(|_| !self.alone()) {
            Some(row) if alike => format!(" by {}", row.name),
            Some(_) => " by the first seat".to_owned(),
            None => String::new(),
        };
        let title = format!("Matches won{who}, with 95 % intervals");
        (!bars.is_empty()).then(|| svg::forest(&title, "%", &bars, None))
    }

    /// The numbers that are drawn for each group: what differs between them.
    fn group_measures(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.groups.iter().flat_map(|row| &row.numbers) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    fn group_numbers_picture(&self, name: &str, links: &Links<'_>) -> Option<String> {
        let of = |row: &GroupRow| {
            let (_, mean) = row.numbers.iter().find(|(known, _)| known == name)?;
            Some(Bar {
                label: row.name.clone(),
                value: mean.mean,
                low: mean.mean - mean.error,
                high: mean.mean + mean.error,
                note: about(mean),
                link: links.to(&row.example),
            })
        };
        let bars: Vec<Bar> = self.groups.iter().take(MOST).filter_map(of).collect();
        let several = self.groups.iter().flat_map(|row| &row.numbers).any(|(_, mean)| mean.of > 1);
        let title = format!("Mean {name}{}", if several { ", with 95 % intervals" } else { "" });
        (bars.len() > 1).then(|| svg::forest(&title, name, &bars, None))
    }

    /// Where two things were varied: one by the other.
    fn groups_heat(&self, links: &Links<'_>) -> Option<String> {
        let pair = |row: &GroupRow| match row.values.as_slice() {
            [(_, down), (_, across)] => Some((down.clone(), across.clone())),
            _ => None,
        };
        let places: Vec<(String, String)> = self.groups.iter().map(pair).collect::<Option<_>>()?;
        let distinct = |of: &dyn Fn(&(String, String)) -> &String| {
            let mut names: Vec<String> = Vec::new();
            places.iter().map(of).for_each(|name| {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            });
            names
        };
        let (rows, columns) = (distinct(&|place| &place.0), distinct(&|place| &place.1));
        let field = |row: &String, column: &String| {
            let place = places.iter().position(|(down, across)| (down, across) == (row, column))?;
            let group = &self.groups[place];
            let won = group.seats.first()?.share;
            Some(Field { shade: won, text: format!("{:.0}", 100.0 * won), link: links.to(&group.example) })
        };
        let fields: Vec<Vec<Option<Field>>> =
            rows.iter().map(|row| columns.iter().map(|column| field(row, column)).collect()).collect();
        let [(down, _), (across, _)] = self.groups.first()?.values.as_slice() else { return None };
        Some(svg::heat(&format!("Won by the first seat in %: {down} by {across}"), &rows, &columns, &fields))
    }

    fn survival_picture(
        &self,
        comparison: Option<(&Balance, &Comparison)>,
        links: &Links<'_>,
    ) -> Option<String> {
        if self.survival.steps.is_empty() {
            return None;
        }
        let (own, others) = match comparison.map(|(_, comparison)| comparison.own) {
            None => ("", ""),
            Some(Side::Before) => ("before", "after"),
            Some(Side::After) => ("after", "before"),
        };
        let own_link = |at| self.fell_at(at, links.own).and_then(|example| links.to(&example));
        let mut lines = vec![self.survival_line(own, own_link)];
        lines.extend(comparison.map(|(other, _)| {
            let link = |at| other.fell_at(at, &links.others).and_then(|example| links.other(&example));
            other.survival_line(others, link)
        }));
        let title = format!("Runs that get farther than each {}", self.measure);
        Some(svg::chart(&title, (&self.measure, "% of runs, with 95 % bands"), &lines, &[]))
    }

    /// Every point but the first, where all begin, leads to a match that ended there.
    fn survival_line(&self, name: &str, link: impl Fn(i64) -> Option<String>) -> Line {
        let step = |step: &crate::stats::Step| {
            (step.at as f64, 100.0 * step.share, 100.0 * step.low, 100.0 * step.high)
        };
        // All are there before the first of them falls.
        let first = self.survival.steps.first().map(|step| (step.at - 1).min(0) as f64);
        let all = first.map(|at| (at, 100.0, 100.0, 100.0));
        let points = all.into_iter().chain(self.survival.steps.iter().map(step)).collect();
        let links = self.survival.steps.iter().map(|step| link(step.at));
        let links = std::iter::once(None).chain(links).collect();
        Line { name: name.to_owned(), points, links, shape: Shape::Steps }
    }

    fn words_picture(&self, links: &Links<'_>) -> Option<String> {
        let of = |row: &WordRow| {
            let note = format!("{} of {}", row.share.count, row.share.of);
            bar(format!("{} {}", row.kind, row.word), &row.share, note, links.to(&row.example))
        };
        let bars: Vec<Bar> = self.words.iter().take(MOST).map(of).collect();
        (!bars.is_empty()).then(|| svg::forest("Shares with 95 % intervals", "%", &bars, None))
    }

    fn stretches_picture(&self, links: &Links<'_>) -> Option<String> {
        let of = |row: &StretchRow| Bar {
            label: row.name.clone(),
            value: row.cost.mean,
            low: row.cost.mean - row.cost.error,
            high: row.cost.mean + row.cost.error,
            note: format!("fatal {} of {}", row.fatal.count, row.fatal.of),
            link: links.to(&row.example),
        };
        // What nobody lived through cost nobody anything: it has no mean, and 0 would be a lie.
        let lived = self.stretches.iter().filter(|row| row.cost.of > 0);
        let bars: Vec<Bar> = lived.take(MOST).map(of).collect();
        let title = "The mean cost to who lives through it, with 95 % intervals";
        (!bars.is_empty()).then(|| svg::forest(title, "cost", &bars, Some(0.0)))
    }

    /// The greatest and the least, where there are many.
    fn effects_picture(&self, rows: &[EffectRow], links: &Links<'_>) -> Option<String> {
        let mut shown: Vec<&EffectRow> = rows.iter().filter(|row| !row.too_few).collect();
        let worth = |row: &EffectRow| if self.alone() { row.measure.mean } else { row.points.mean };
        shown.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        let all = shown.len();
        if all > MOST {
            shown.drain(MOST / 2..all - MOST / 2);
        }
        let of = |row: &&EffectRow| {
            let (effect, scale) = if self.alone() { (row.measure, 1.0) } else { (row.points, 100.0) };
            let sure = if row.by_chance < LEVEL { "* " } else { "" };
            Bar {
                label: format!("{sure}{} {}{}", row.kind, row.name, self.of_seat(row.seat)),
                value: scale * effect.mean,
                low: scale * (effect.mean - effect.error),
                high: scale * (effect.mean + effect.error),
                note: match self.alone() {
                    true => format!("{:+.2} {}, {} pairs", effect.mean, self.measure, effect.pairs),
                    false => format!("{:+.2} % points, {} pairs", scale * effect.mean, effect.pairs),
                },
                link: links.to(&row.example),
            }
        };
        let bars: Vec<Bar> = shown.iter().map(of).collect();
        let unit = if self.alone() { self.measure.as_str() } else { "% of points" };
        let some = format!(": the {0} greatest and the {0} least of {all}", MOST / 2);
        let some = if all > MOST { some.as_str() } else { "" };
        let title = format!("With it less without it, on the same dice{some}; * not by chance");
        (!bars.is_empty()).then(|| svg::forest(&title, unit, &bars, Some(0.0)))
    }

    fn holdings_picture(&self, links: &Links<'_>) -> Option<String> {
        let mut sure: Vec<&HoldingRow> = self.holdings.iter().filter(|row| row.by_chance < LEVEL).collect();
        sure.sort_by(|a, b| b.won_with.share.total_cmp(&a.won_with.share));
        let of = |row: &&HoldingRow| {
            let note = format!("without {:.1} %", 100.0 * row.won_without.share);
            let label = format!("{} {}{}", row.kind, row.name, self.of_seat(row.seat));
            bar(label, &row.won_with, note, links.to(&row.example))
        };
        let bars: Vec<Bar> = sure.iter().take(MOST).map(of).collect();
        (!bars.is_empty()).then(|| svg::forest("Won with it, where that is not by chance", "%", &bars, None))
    }

    /// The things with the most pairs, each by each.
    fn pairs_picture(&self, links: &Links<'_>) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in self.pairs.iter().flat_map(|pair| [&pair.one, &pair.other]) {
            *counts.entry(name).or_default() += 1;
        }
        let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let names: Vec<String> = names.into_iter().take(16).map(|(name, _)| name.to_owned()).collect();
        let most = self.pairs.iter().map(|pair| pair.lift).fold(1.0, f64::max);
        let field = |row: &String, column: &String| {
            let same = |pair: &&PairRow| {
                (&pair.one, &pair.other) == (row, column) || (&pair.one, &pair.other) == (column, row)
            };
            let pair = self.pairs.iter().find(same)?;
            Some(Field {
                shade: pair.lift / most,
                text: svg::short(pair.lift),
                link: links.to(&pair.example),
            })
        };
        let fields: Vec<Vec<Option<Field>>> =
            names.iter().map(|row| names.iter().map(|column| field(row, column)).collect()).collect();
        (!names.is_empty())
            .then(|| svg::heat("How many times as often together as by chance", &names, &names, &fields))
    }

    fn groups_table(&self, links: &Links<'_>) -> String {
        if self.groups.is_empty() {
            return String::new();
        }
        let numbers = self.group_measures();
        let mut facts: Vec<String> = Vec::new();
        for (name, _) in self.groups.iter().flat_map(|row| &row.facts) {
            if !facts.contains(name) {
                facts.push(name.clone());
            }
        }
        let row = |row: &GroupRow| {
            let mut cells = vec![row.name.clone(), row.runs.to_string()];
            let shared = row.seats.len() > 1;
            let of_shared = |share: &Share| if shared { percent(share) } else { String::new() };
            let won = |seat: usize| row.seats.get(seat).map_or(String::new(), percent);
            cells.extend((0..self.seats.len()).map(won));
            cells.extend((!self.alone()).then(|| of_shared(&row.drawn)));
            cells.extend(self.lost_by_all().then(|| of_shared(&row.lost)));
            let fact =
                |name| row.facts.iter().find(|(known, _)| known == name).map(|(_, share)| percent(share));
            cells.extend(facts.iter().map(|name| fact(name).unwrap_or_default()));
            let mean =
                |name| row.numbers.iter().find(|(known, _)| known == name).map(|(_, mean)| about(mean));
            cells.extend(numbers.iter().map(|name| mean(name).unwrap_or_default()));
            cells.push(links.cell(&row.example));
            cells
        };
        let mut head: Vec<String> = vec!["opened with".to_owned(), "matches".to_owned()];
        head.extend(
            self.seats
                .iter()
                .map(|seat| if self.alone() { "won".to_owned() } else { format!("won: {}", seat.name) }),
        );
        head.extend((!self.alone()).then(|| "nobody".to_owned()));
        head.extend(self.lost_by_all().then(|| "lost by all".to_owned()));
        head.extend(facts.iter().cloned().chain(numbers.iter().cloned()).chain(["a match".to_owned()]));
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        svg::table(&head, &self.groups.iter().map(row).collect::<Vec<_>>())
    }

    fn numbers_table(&self, links: &Links<'_>) -> String {
        let row = |row: &NumberRow| {
            let [least, median, greatest] = [row.least, row.median, row.greatest].map(svg::short);
            let shown = row.example().map_or(String::new(), |example| links.cell(example));
            vec![row.name.clone(), about(&row.mean), least, median, greatest, shown]
        };
        svg::table(
            &["number", "mean", "least", "median", "greatest", "a match"],
            &self.numbers.iter().map(row).collect::<Vec<_>>(),
        )
    }

    fn stretches_table(&self, links: &Links<'_>) -> String {
        let row = |row: &StretchRow| {
            vec![
                row.name.clone(),
                about(&row.cost),
                percent(&row.fatal),
                row.matches.to_string(),
                percent(&row.won),
                about(&row.measure),
                links.cell(&row.example),
            ]
        };
        let head = ["part", "cost", "fatal", "matches", "won", &self.measure, "a match"];
        let table = folded(&head, &self.stretches.iter().map(row).collect::<Vec<_>>());
        if table.is_empty() { table } else { format!("{MET}{table}") }
    }

    fn forks_table(&self, links: &Links<'_>) -> String {
        let notes = self.fork_notes.iter().map(|note| format!("<p>{}</p>", svg::escape(note)));
        notes.chain([self.effects_table(&self.forks, links)]).collect()
    }

    fn effects_table(&self, rows: &[EffectRow], links: &Links<'_>) -> String {
        let row = |row: &EffectRow| {
            let name = format!("{} {}{}", row.kind, row.name, self.of_seat(row.seat));
            let pairs = row.points.pairs.to_string();
            if row.too_few {
                let few = "too few".to_owned();
                return vec![name, few.clone(), few, pairs, "-".to_owned(), links.cell(&row.example)];
            }
            let points = format!("{:+.2} ± {:.2} %", 100.0 * row.points.mean, 100.0 * row.points.error);
            let measure = format!("{:+.3} ± {:.3}", row.measure.mean, row.measure.error);
            vec![name, points, measure, pairs, by_chance(row.by_chance, 4), links.cell(&row.example)]
        };
        let head = ["what", "points", &self.measure, "pairs", "by chance", "a match"];
        folded(&head, &rows.iter().map(row).collect::<Vec<_>>())
    }

    fn choices_table(&self, links: &Links<'_>) -> String {
        let row = |row: &super::ChoiceRow| {
            vec![
                format!("{}{}", row.kind, self.of_seat(row.seat)),
                row.name.clone(),
                row.taken.of.to_string(),
                percent(&row.taken),
                each_time(&row.of_offers),
                percent(&row.won_with),
                percent(&row.won_left),
                about(&row.measure),
                about(&row.measure_left),
                by_chance(row.by_chance, 3),
                links.cell(&row.example),
            ]
        };
        let (with, left) = (format!("{} with", self.measure), format!("{} left", self.measure));
        let head = [
            "kind",
            "what",
            "offered in",
            "taken in",
            "of offers",
            "won with",
            "won, left",
            &with,
            &left,
            "by chance",
            "a match",
        ];
        let table = folded(&head, &self.choices.iter().map(row).collect::<Vec<_>>());
        if table.is_empty() { table } else { format!("{CONFOUNDED}{table}") }
    }

    fn holdings_table(&self, links: &Links<'_>) -> String {
        let row = |row: &HoldingRow| {
            vec![
                format!("{}{}", row.kind, self.of_seat(row.seat)),
                row.name.clone(),
                row.had.count.to_string(),
                percent(&row.won_with),
                percent(&row.won_without),
                percent(&row.of_winners),
                about(&row.measure),
                by_chance(row.by_chance, 3),
                links.cell(&row.example),
            ]
        };
        let head = [
            "kind",
            "what",
            "matches",
            "won with",
            "won without",
            "of winners",
            &self.measure,
            "by chance",
            "a match",
        ];
        let table = folded(&head, &self.holdings.iter().map(row).collect::<Vec<_>>());
        if table.is_empty() { table } else { format!("{CONFOUNDED}{table}") }
    }

    fn pairs_table(&self, links: &Links<'_>) -> String {
        let row = |row: &PairRow| {
            vec![
                row.one.clone(),
                row.other.clone(),
                row.both.to_string(),
                format!("{:.2}", row.lift),
                percent(&row.won),
                by_chance(row.by_chance, 4),
                links.cell(&row.example),
            ]
        };
        let head = ["one", "other", "matches with both", "times chance", "won", "by chance", "a match"];
        folded(&head, &self.pairs.iter().map(row).collect::<Vec<_>>())
    }
}

/// A share of offers: they go together by matches, so its error is that of a mean over those.
fn each_time(taken: &Mean) -> String {
    match taken.of {
        0 => "-".to_owned(),
        1 => format!("{:.1} %", 100.0 * taken.mean),
        _ => format!("{:.1} % ± {:.1}", 100.0 * taken.mean, 100.0 * taken.error),
    }
}

const MET: &str = "<p>Won, and how far they got, are the matches that met it: who meets somebody late has come that \
                   far.</p>";

const CONFOUNDED: &str = "<p>Who lives longer sees and finds more, and who takes something may have won anyway: these \
                          shares are confounded. What is played both ways is not.</p>";

/// A long table is folded away; of nothing there is none.
fn folded(head: &[&str], rows: &[Vec<String>]) -> String {
    match rows.len() {
        0 => String::new(),
        1..=12 => svg::table(head, rows),
        count => format!("<details><summary>{count} rows</summary>{}</details>", svg::table(head, rows)),
    }
}

fn number_picture(row: &NumberRow, links: &Links<'_>) -> String {
    let columns: Vec<Column> = row
        .bins
        .iter()
        .map(|bin| Column { from: bin.from, to: bin.to, count: bin.count, link: links.to(&bin.example) })
        .collect();
    let ends = row.bins.iter().flat_map(|bin| [bin.from, bin.to]);
    let whole = ends.chain([row.least, row.median, row.greatest]).all(|number| number.fract() == 0.0);
    svg::histogram(&format!("How many matches have which {}", row.name), &row.name, &columns, whole)
}

/// To the match of that side which shows a change, if it has a file: the report's own lie beside it, the others below.
fn leads_to(change: &Change, side: Side, own: Side, links: &Links<'_>) -> Option<String> {
    let example = match side {
        Side::Before => change.shown_before.as_ref(),
        Side::After => change.shown_after.as_ref(),
    }?;
    if side == own { links.to(example) } else { links.other(example) }
}

fn changes_table(comparison: &Comparison, links: &Links<'_>) -> String {
    let cell = |example: Option<&Example>, link: Option<String>| {
        example
            .map_or(String::new(), |example| svg::leads(&format!("seed {}", example.seed), link.as_deref()))
    };
    let row = |change: &Change| {
        vec![
            change.what.clone(),
            svg::short(change.before),
            svg::short(change.after),
            svg::short(change.error),
            cell(change.shown_before.as_ref(), leads_to(change, Side::Before, comparison.own, links)),
            cell(change.shown_after.as_ref(), leads_to(change, Side::After, comparison.own, links)),
        ]
    };
    let head = ["what", "before", "after", "±", "a match before", "a match after"];
    folded(&head, &comparison.changes.iter().map(row).collect::<Vec<_>>())
}

/// What changed, in errors of the difference, so that everything fits into one picture.
fn changes_picture(comparison: &Comparison, links: &Links<'_>) -> Option<String> {
    let link = |change: &Change, side| leads_to(change, side, comparison.own, links);
    let of = |change: &Change| {
        let error = change.error.max(1e-9);
        let sizes = (change.after - change.before) / error;
        Bar {
            label: change.what.clone(),
            value: sizes,
            low: sizes - 1.0,
            high: sizes + 1.0,
            note: format!("{} → {}", svg::short(change.before), svg::short(change.after)),
            link: link(change, Side::After).or_else(|| link(change, Side::Before)),
        }
    };
    let bars: Vec<Bar> = comparison.changes.iter().take(MOST).map(of).collect();
    let title = "What differs for sure, in half widths of the difference's 95 % interval";
    (!bars.is_empty()).then(|| svg::forest(title, "half widths", &bars, Some(0.0)))
}

/// A name as it may stand in a file's name.
fn plain(name: &str) -> String {
    name.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .collect()
}
