//! Reports as texts for people and as comma-separated values.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Balance;
use super::rows::{EffectRow, Example, GroupRow, PairRow};
use crate::stats::{Mean, Paired, Share, Step};
use crate::svg;
use crate::told::clock_told;

/// A share with its interval.
pub(super) fn percent(share: &Share) -> String {
    if share.of == 0 {
        return "-".to_owned();
    }
    format!("{:.1} % ({:.1}–{:.1})", 100.0 * share.share, 100.0 * share.low, 100.0 * share.high)
}

/// So many words are told in the gist.
const WORDS: usize = 24;

/// A mean with its error.
pub(super) fn about(mean: &Mean) -> String {
    match mean.of {
        0 => "-".to_owned(),
        // One alone says nothing about how far others lie.
        1 => svg::short(mean.mean),
        _ => format!("{} ± {}", svg::short(mean.mean), svg::short(mean.error)),
    }
}

/// A value that holds a comma or a quotation mark stands in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Balance {
    /// As a text for people: the gist. The page has all of it.
    pub fn text(&self) -> String {
        let mut out = format!("{}: {} matches ({})\n", self.game, self.runs, self.source);
        for note in clock_told(&self.timed).iter().chain(&self.notes) {
            let _ = writeln!(out, "{note}");
        }
        for row in &self.seats {
            let who = if self.alone() { "won".to_owned() } else { format!("won by {}", row.name) };
            let _ = writeln!(out, "  {who:<44} {}", percent(&row.won));
        }
        if !self.alone() {
            let _ = writeln!(out, "  {:<44} {}", "drawn or not over", percent(&self.drawn));
            if self.lost.count > 0 {
                let _ = writeln!(out, "  {:<44} {}", "lost by all", percent(&self.lost));
            }
        }
        for row in &self.numbers {
            let spread = format!("{} to {}", svg::short(row.least), svg::short(row.greatest));
            let _ = writeln!(out, "  {:<44} {}  ({spread})", row.name, about(&row.mean));
        }
        for row in self.words.iter().take(WORDS) {
            let _ = writeln!(out, "  {:<44} {}", format!("{} {}", row.kind, row.word), percent(&row.share));
        }
        if self.words.len() > WORDS {
            let _ = writeln!(out, "  and {} more: --report has them all", self.words.len() - WORDS);
        }
        self.groups_text(&mut out);
        self.stretches_text(&mut out);
        let what = "what a choice itself does, both ways played with the same dice";
        self.effects_text(&mut out, what, &self.forks, &self.fork_notes);
        let what = "what a thing is worth to who has it, on the same seeds";
        self.effects_text(&mut out, what, &self.grafts, &[]);
        out
    }

    fn stretches_text(&self, out: &mut String) {
        if self.stretches.is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            "what fights and other parts cost, the dearest first, and how matches go that meet them:"
        );
        for row in self.stretches.iter().take(WORDS) {
            let _ = writeln!(
                out,
                "  {:<44} cost {}, fatal {}, won {}, {} {}",
                row.name,
                about(&row.cost),
                percent(&row.fatal),
                percent(&row.won),
                self.measure,
                about(&row.measure)
            );
        }
        if self.stretches.len() > WORDS {
            let _ = writeln!(out, "  and {} more: --report has them all", self.stretches.len() - WORDS);
        }
    }

    fn groups_text(&self, out: &mut String) {
        for GroupRow { name, seats, drawn, lost, numbers, facts, .. } in &self.groups {
            let won: Vec<String> =
                seats.iter().map(|share| format!("{:.1} %", 100.0 * share.share)).collect();
            let _ = write!(out, "{name:<32} won {}", won.join(" : "));
            if seats.len() > 1 {
                let _ = write!(out, ", drawn {:.1} %", 100.0 * drawn.share);
                if lost.count > 0 {
                    let _ = write!(out, ", lost by all {:.1} %", 100.0 * lost.share);
                }
            }
            for (name, share) in facts {
                let _ = write!(out, ", {name} {:.1} %", 100.0 * share.share);
            }
            for (name, mean) in numbers {
                let _ = write!(out, ", {name} {}", svg::short(mean.mean));
            }
            out.push('\n');
        }
    }

    fn effects_text(&self, out: &mut String, title: &str, rows: &[EffectRow], notes: &[String]) {
        if rows.is_empty() {
            return;
        }
        let _ = writeln!(out, "{title} (* not by chance):");
        for note in notes {
            let _ = writeln!(out, "  {note}");
        }
        for row in rows.iter().filter(|row| !row.too_few) {
            let sure = if row.by_chance < super::LEVEL { "*" } else { " " };
            let Paired { mean, error, pairs, .. } = row.measure;
            let measured = if self.alone() {
                format!("{} {mean:+.3} ± {error:.3}  ", self.measure)
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "{sure} {:<44} {measured}points {:+.2} % ± {:.2}  {pairs} pairs",
                format!("{} {}{}", row.kind, row.name, self.of_seat(row.seat)),
                100.0 * row.points.mean,
                100.0 * row.points.error
            );
        }
        let few: Vec<&str> = rows.iter().filter(|row| row.too_few).map(|row| row.name.as_str()).collect();
        if !few.is_empty() {
            let shown = few.iter().take(8).copied().collect::<Vec<_>>().join(", ");
            let more = if few.len() > 8 { format!(" and {} more", few.len() - 8) } else { String::new() };
            let _ = writeln!(out, "  too few pairs (below {}): {shown}{more}", self.least);
        }
    }

    /// Everything as comma-separated values, one row for each thing; `files` are the match files that there are.
    pub fn csv(&self, files: &BTreeSet<String>) -> String {
        let file = |example: &Example| example.shown_by(files).unwrap_or_default();
        let mut out = String::from(
            "section,seat,kind,name,count,of,share,low,high,mean,mean_error,won_with,won_without,pairs,points,points_error,\
             effect,effect_error,by_chance,match\n",
        );
        let share = |share: &Share| {
            format!("{},{},{:.6},{:.6},{:.6}", share.count, share.of, share.share, share.low, share.high)
        };
        for (seat, row) in self.seats.iter().enumerate() {
            let shown = row.example.as_ref().map_or(String::new(), file);
            let _ = writeln!(out, "won,{seat},,{},{},,,,,,,,,,,{shown}", quoted(&row.name), share(&row.won));
        }
        let drawn = (!self.alone()).then_some(("drawn", &self.drawn, &self.drawn_example));
        let lost = self.lost_by_all().then_some(("lost", &self.lost, &self.lost_example));
        for (section, of, example) in drawn.into_iter().chain(lost) {
            let shown = example.as_ref().map_or(String::new(), file);
            let _ = writeln!(out, "{section},,,,{},,,,,,,,,,,{shown}", share(of));
        }
        for row in &self.words {
            let (kind, word, shown) = (quoted(&row.kind), quoted(&row.word), file(&row.example));
            let _ = writeln!(out, "told,,{kind},{word},{},,,,,,,,,,,{shown}", share(&row.share));
        }
        for row in &self.numbers {
            let Mean { of, mean, error } = row.mean;
            let (name, shown) = (quoted(&row.name), row.example().map_or(String::new(), file));
            let _ = writeln!(out, "number,,,{name},,{of},,,,{mean:.6},{error:.6},,,,,,,,,{shown}");
        }
        for row in &self.groups {
            for (seat, won) in row.seats.iter().enumerate() {
                let (name, shown) = (quoted(&row.name), file(&row.example));
                let _ = writeln!(out, "group,{seat},,{name},{},,,,,,,,,,,{shown}", share(won));
            }
        }
        for row in &self.stretches {
            let (name, Mean { mean, error, .. }, shown) = (quoted(&row.name), row.cost, file(&row.example));
            let _ = writeln!(out, "part,,,{name},{},{mean:.6},{error:.6},,,,,,,,,{shown}", share(&row.fatal));
            let Mean { mean, error, .. } = row.measure;
            let _ = writeln!(out, "met,,,{name},{},{mean:.6},{error:.6},,,,,,,,,{shown}", share(&row.won));
        }
        // What never happened has no share and no mean.
        let number = |of: u64, value: f64| if of == 0 { String::new() } else { format!("{value:.6}") };
        for row in &self.choices {
            let (seat, kind, name) = (row.seat, quoted(&row.kind), quoted(&row.name));
            let _ = writeln!(
                out,
                "choice,{seat},{kind},{name},{},{},{},{},{},,,,,,{:.6},{}",
                share(&row.taken),
                number(row.measure.of, row.measure.mean),
                number(row.measure.of.saturating_sub(1), row.measure.error),
                number(row.won_with.of, row.won_with.share),
                number(row.won_left.of, row.won_left.share),
                row.by_chance,
                file(&row.example)
            );
        }
        for row in &self.holdings {
            let (seat, kind, name) = (row.seat, quoted(&row.kind), quoted(&row.name));
            let _ = writeln!(
                out,
                "had,{seat},{kind},{name},{},{},{},{},{},,,,,,{:.6},{}",
                share(&row.had),
                number(row.measure.of, row.measure.mean),
                number(row.measure.of.saturating_sub(1), row.measure.error),
                number(row.won_with.of, row.won_with.share),
                number(row.won_without.of, row.won_without.share),
                row.by_chance,
                file(&row.example)
            );
        }
        self.pairs_csv(&mut out, files);
        self.survival_csv(&mut out, files);
        self.effects_csv(&mut out, files);
        out
    }

    /// What goes together: how often, and how many times as often as by chance.
    fn pairs_csv(&self, out: &mut String, files: &BTreeSet<String>) {
        for PairRow { one, other, both, lift, won, by_chance, example } in &self.pairs {
            let (name, shown) =
                (quoted(&format!("{one} + {other}")), example.shown_by(files).unwrap_or_default());
            let _ = writeln!(
                out,
                "together,,,{name},{both},,,,,,,{:.6},,,,,{lift:.6},,{by_chance:.6},{shown}",
                won.share
            );
        }
    }

    /// Who fell where, of how many who had come so far, and the share that gets farther.
    fn survival_csv(&self, out: &mut String, files: &BTreeSet<String>) {
        let measure = quoted(&self.measure);
        for Step { at, at_risk, fell, share, low, high } in &self.survival.steps {
            let shown =
                self.fell_at(*at, files).and_then(|example| example.shown_by(files)).unwrap_or_default();
            let _ = writeln!(
                out,
                "survival,,{measure},{at},{fell},{at_risk},{share:.6},{low:.6},{high:.6},,,,,,,,,,,{shown}"
            );
        }
    }

    fn effects_csv(&self, out: &mut String, files: &BTreeSet<String>) {
        let file = |example: &Example| example.shown_by(files).unwrap_or_default();
        let forks = self.forks.iter().map(|row| ("fork", row));
        for (section, row) in forks.chain(self.grafts.iter().map(|row| ("change", row))) {
            let (seat, kind, name) = (row.seat, quoted(&row.kind), quoted(&row.name));
            let (points, measure) = (row.points, row.measure);
            let _ = write!(out, "{section},{seat},{kind},{name},,,,,,,,,,{},", points.pairs);
            let _ = if row.too_few {
                writeln!(out, ",,,,,{}", file(&row.example))
            } else {
                writeln!(
                    out,
                    "{:.6},{:.6},{:.6},{:.6},{:.6},{}",
                    points.mean,
                    points.error,
                    measure.mean,
                    measure.error,
                    row.by_chance,
                    file(&row.example)
                )
            };
        }
    }
}
