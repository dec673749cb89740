//! Pictures of results, as SVG that needs nothing else. They can be read without colour: what matters
//! is also written, and lines differ in their dashes.

use std::fmt::Write;

/// One line of a forest: a value between its bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Whose it is.
    pub label: String,
    /// The value.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// What is written behind it.
    pub note: String,
    /// Where it leads, if anywhere.
    pub link: Option<String>,
}

/// One column of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// From here.
    pub from: f64,
    /// To here.
    pub to: f64,
    /// So many.
    pub count: u64,
    /// Where it leads, if anywhere.
    pub link: Option<String>,
}

/// One field of a heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// How dark it is, from 0 to 1.
    pub shade: f64,
    /// What is written in it.
    pub text: String,
    /// Where it leads, if anywhere.
    pub link: Option<String>,
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is.
    pub name: String,
    /// Its points: where, how much, and the bounds of how much.
    pub points: Vec<(f64, f64, f64, f64)>,
    /// Where each of them leads, if anywhere; none where it is empty.
    pub links: Vec<Option<String>>,
    /// How it goes from one point to the next.
    pub shape: Shape,
}

/// How a line goes from one point to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Straight.
    Straight,
    /// It stays as it is until the next point, and every point but the first, where it begins, is marked.
    Steps,
}

impl Line {
    /// Every corner: where, how much, and the bounds of how much.
    fn corners(&self) -> Vec<(f64, f64, f64, f64)> {
        match self.shape {
            Shape::Straight => self.points.clone(),
            Shape::Steps => {
                let before = self.points.iter().zip(self.points.iter().skip(1));
                let corners = before.flat_map(|(last, next)| [(next.0, last.1, last.2, last.3), *next]);
                self.points.first().copied().into_iter().chain(corners).collect()
            }
        }
    }
}

const DARK: &str = "#1b3a57";
const PALE: &str = "#8fb3d1";
const GRID: &str = "#d5d9dd";
const FONT: &str = "font-family=\"system-ui,sans-serif\" font-size=\"13\"";

/// Text as it may stand in SVG and HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

fn frame(title: &str, width: f64, height: f64, inside: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" {FONT}><title>{0}</title>\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\
         <text x=\"8\" y=\"18\" font-weight=\"bold\">{0}</text>{inside}</svg>",
        escape(title)
    )
}

/// What leads somewhere, if it does.
fn linked(link: Option<&String>, inside: &str) -> String {
    match link {
        Some(link) => format!("<a href=\"{}\">{inside}</a>", escape(link)),
        None => inside.to_owned(),
    }
}

fn text(x: f64, y: f64, anchor: &str, what: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escape(what))
}

fn line(from: (f64, f64), to: (f64, f64), style: &str) -> String {
    format!("<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>", from.0, from.1, to.0, to.1)
}

/// Round numbers that divide a range into four to ten parts.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let range = (high - low).max(1e-9);
    let power = 10.0_f64.powf((range / 5.0).log10().floor());
    let parts = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = parts.into_iter().find(|step| range / step <= 8.0).unwrap_or(power * 10.0);
    let first = (low / step).ceil() as i64;
    (first..).map(|k| k as f64 * step).take_while(|tick| *tick <= high + step * 1e-6).collect()
}

/// What is written at ticks: all with as many digits behind the point as one of them needs.
fn tick_labels(ticks: Vec<f64>) -> Vec<(f64, String)> {
    let fits = |digits: &usize| {
        let power = 10.0_f64.powi(*digits as i32);
        ticks.iter().all(|tick| (tick * power - (tick * power).round()).abs() < 1e-6)
    };
    let digits = (0..6).find(fits).unwrap_or(6);
    // What is nearly nothing must not be written as less than nothing.
    let label = |tick: f64| format!("{:.digits$}", if tick.abs() < 1e-9 { 0.0 } else { tick });
    ticks.iter().map(|tick| (*tick, label(*tick))).collect()
}

/// A number with as many digits as it needs.
pub fn short(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 || size == size.round() => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        // Three that count, however small it is.
        size if size >= 1e-9 => (2.0 - size.log10().floor()) as usize,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    if text.trim_matches(['-', '0', '.']).is_empty() { "0".to_owned() } else { text }
}

/// The room that a range of values has on paper.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let margin = if high > low { 0.04 * (high - low) } else { 0.5 };
        Scale { low: low - margin, high: high + margin, from, to }
    }

    /// What lies outside is drawn at the edge.
    fn at(&self, value: f64) -> f64 {
        let value = if value.is_nan() { self.low } else { value.clamp(self.low, self.high) };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }
}

/// A label as far as there is room for it.
fn clipped(label: &str) -> String {
    if label.chars().count() <= LABEL {
        return label.to_owned();
    }
    label.chars().take(LABEL - 1).chain(['…']).collect()
}

/// Letters that fit beside a picture.
const LABEL: usize = 64;

/// Values one below the other, each with its bounds, and a line at `mark`.
pub fn forest(title: &str, unit: &str, bars: &[Bar], mark: Option<f64>) -> String {
    let widest = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0) as f64;
    let left = 30.0 + 7.2 * widest.min(LABEL as f64);
    // The room of values does not shrink for long labels; the picture grows.
    let (right, row) = ((left + 300.0).max(640.0), 24.0);
    let bottom = 34.0 + row * bars.len() as f64;
    let values = bars.iter().flat_map(|bar| [bar.low, bar.value, bar.high]).chain(mark);
    let scale = Scale::new(values, left, right);
    let mut inside = String::new();
    for (tick, label) in tick_labels(ticks(scale.low, scale.high)) {
        let x = scale.at(tick);
        inside += &line((x, 28.0), (x, bottom), &format!("stroke=\"{GRID}\""));
        inside += &text(x, bottom + 16.0, "middle", &label);
    }
    if let Some(mark) = mark {
        let x = scale.at(mark);
        inside += &line((x, 28.0), (x, bottom), "stroke=\"#000\" stroke-dasharray=\"4 3\"");
    }
    for (index, bar) in bars.iter().enumerate() {
        let y = 40.0 + row * index as f64;
        inside += &text(left - 8.0, y + 4.0, "end", &clipped(&bar.label));
        let style = format!("stroke=\"{DARK}\" stroke-width=\"2\"");
        inside += &line((scale.at(bar.low), y), (scale.at(bar.high), y), &style);
        let x = scale.at(bar.value);
        let point = format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{DARK}\"/>");
        let note = text(right + 10.0, y + 4.0, "start", &bar.note);
        inside += &linked(bar.link.as_ref(), &(point + &note));
    }
    inside += &text(right, bottom + 32.0, "end", unit);
    frame(title, right + 220.0, bottom + 42.0, &inside)
}

/// A table, dark where much is; nothing where there is nothing.
pub fn heat(title: &str, rows: &[String], columns: &[String], fields: &[Vec<Option<Field>>]) -> String {
    let widest = |labels: &[String]| {
        labels.iter().map(|label| label.chars().count().min(40)).max().unwrap_or(0) as f64
    };
    let (left, top) = (20.0 + 7.5 * widest(rows), 40.0 + 5.0 * widest(columns));
    let (wide, high) = (56.0, 28.0);
    let mut inside = String::new();
    for (column, label) in columns.iter().enumerate() {
        let (x, y) = (left + wide * (column as f64 + 0.5), top - 8.0);
        let _ = write!(
            inside,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"start\" transform=\"rotate(-40 {x:.1} {y:.1})\">{}</text>",
            escape(label)
        );
    }
    for (row, (label, fields)) in rows.iter().zip(fields).enumerate() {
        let y = top + high * row as f64;
        inside += &text(left - 8.0, y + high * 0.65, "end", label);
        for (column, field) in fields.iter().enumerate() {
            let Some(field) = field else { continue };
            inside += &drawn_field(field, left + wide * column as f64, y, (wide, high));
        }
    }
    let width = left + wide * columns.len() as f64 + 40.0 + 5.0 * widest(columns);
    let title_width = 24.0 + 8.0 * title.chars().count() as f64;
    frame(title, width.max(title_width), top + high * rows.len() as f64 + 12.0, &inside)
}

fn drawn_field(field: &Field, x: f64, y: f64, (wide, high): (f64, f64)) -> String {
    let shade = if field.shade.is_finite() { field.shade.clamp(0.0, 1.0) } else { 0.0 };
    let ink = if shade > 0.6 { "#fff" } else { "#000" };
    let drawn = format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{high}\" fill=\"{DARK}\" \
         fill-opacity=\"{shade:.3}\" stroke=\"{GRID}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
         fill=\"{ink}\">{}</text>",
        x + wide / 2.0,
        y + high * 0.65,
        escape(&field.text)
    );
    linked(field.link.as_ref(), &drawn)
}

/// How often values lie where. Where all are `whole`, what is written below a column is what it stands for.
pub fn histogram(title: &str, unit: &str, columns: &[Column], whole: bool) -> String {
    let (left, right, top, bottom) = (64.0, 700.0, 40.0, 240.0);
    let shift = if whole { 0.5 } else { 0.0 };
    let ends = columns.iter().flat_map(|column| [column.from - shift, column.to - shift]);
    let across = Scale::new(ends, left, right);
    let most = columns.iter().map(|column| column.count).max().unwrap_or(1) as f64;
    let up = Scale { low: 0.0, high: most.max(1.0) * 1.05, from: bottom, to: top };
    let mut inside = String::new();
    for tick in ticks(up.low, up.high).into_iter().filter(|tick| tick.fract() == 0.0) {
        inside += &line((left, up.at(tick)), (right, up.at(tick)), &format!("stroke=\"{GRID}\""));
        inside += &text(left - 6.0, up.at(tick) + 4.0, "end", &short(tick));
    }
    let below = ticks(across.low, across.high).into_iter().filter(|tick| !whole || tick.fract() == 0.0);
    for (tick, label) in tick_labels(below.collect()) {
        inside += &text(across.at(tick), bottom + 16.0, "middle", &label);
    }
    let narrow = columns.len() > 14;
    for column in columns {
        let (x, y) = (across.at(column.from - shift), up.at(column.count as f64));
        let wide = (across.at(column.to - shift) - x - 1.0).max(1.0);
        let mut bar = format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" fill=\"{PALE}\" stroke=\"{DARK}\">\
             <title>{}: {}</title></rect>",
            bottom - y,
            stretch(column, whole),
            column.count
        );
        if !narrow {
            bar += &text(x + wide / 2.0, y - 4.0, "middle", &column.count.to_string());
        }
        inside += &linked(column.link.as_ref(), &bar);
    }
    inside += &line((left, bottom), (right, bottom), "stroke=\"#000\"");
    inside += &text(right, bottom + 32.0, "end", unit);
    frame(title, 860.0, bottom + 42.0, &inside)
}

/// What a column stands for, in words; a column of whole numbers ends before its end.
fn stretch(column: &Column, whole: bool) -> String {
    let last = if whole { column.to - 1.0 } else { column.to };
    if last <= column.from {
        return short(column.from);
    }
    format!("{} to {}", short(column.from), short(last))
}

/// Lines with their bands, and dashed lines at some heights.
pub fn chart(title: &str, axes: (&str, &str), lines: &[Line], marks: &[(f64, &str)]) -> String {
    let (left, right, top, bottom) = (64.0, 700.0, 50.0, 346.0);
    let points = || lines.iter().flat_map(|line| &line.points);
    let across = Scale::new(points().map(|point| point.0), left, right);
    let heights = points().flat_map(|point| [point.1, point.2, point.3]);
    let up = Scale::new(heights.chain(marks.iter().map(|mark| mark.0)), bottom, top);
    let mut inside = String::new();
    for (tick, label) in tick_labels(ticks(across.low, across.high)) {
        inside += &line((across.at(tick), top), (across.at(tick), bottom), &format!("stroke=\"{GRID}\""));
        inside += &text(across.at(tick), bottom + 16.0, "middle", &label);
    }
    for (tick, label) in tick_labels(ticks(up.low, up.high)) {
        inside += &line((left, up.at(tick)), (right, up.at(tick)), &format!("stroke=\"{GRID}\""));
        inside += &text(left - 6.0, up.at(tick) + 4.0, "end", &label);
    }
    for (height, name) in marks {
        let style = "stroke=\"#000\" stroke-dasharray=\"4 3\"";
        inside += &line((left, up.at(*height)), (right, up.at(*height)), style);
        inside += &text(right + 6.0, up.at(*height) + 4.0, "start", name);
    }
    for (index, one) in lines.iter().enumerate() {
        inside += &drawn(one, index, &across, &up);
    }
    match lines {
        [one] => {
            let end = one.points.last().map(|last| (across.at(last.0) + 6.0, up.at(last.1) + 4.0));
            inside += &end.map_or(String::new(), |(x, y)| text(x, y, "start", &one.name));
        }
        several => inside += &legend(several, right + 12.0, top),
    }
    inside += &text((left + right) / 2.0, bottom + 34.0, "middle", axes.0);
    inside += &text(left, top - 8.0, "start", axes.1);
    frame(title, 860.0, bottom + 44.0, &inside)
}

/// How lines are told apart without colour: by their dashes, and by their marks.
const DASHES: [&str; 4] = ["", "6 3", "2 3", "8 3 2 3"];

/// Which line is which: where lines end together, no name at their end can say so.
fn legend(lines: &[Line], x: f64, top: f64) -> String {
    let one = |(index, line): (usize, &Line)| {
        let y = top + 10.0 + 20.0 * index as f64;
        let dashes = DASHES[index % DASHES.len()];
        let style = format!("stroke=\"{DARK}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"");
        let sample = self::line((x, y), (x + 36.0, y), &style) + &mark(index, x + 18.0, y);
        sample + &text(x + 44.0, y + 4.0, "start", &line.name)
    };
    lines.iter().enumerate().map(one).collect()
}

/// A point: full and round on the first line, hollow and square on the others.
fn mark(index: usize, x: f64, y: f64) -> String {
    if index == 0 {
        return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{DARK}\"/>");
    }
    let (left, top) = (x - 3.0, y - 3.0);
    format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"6\" height=\"6\" fill=\"#fff\" stroke=\"{DARK}\" \
         stroke-width=\"1.5\"/>"
    )
}

fn drawn(one: &Line, index: usize, across: &Scale, up: &Scale) -> String {
    let place = |x: f64, y: f64| format!("{:.1},{:.1}", across.at(x), up.at(y));
    let corners = one.corners();
    let above = corners.iter().map(|point| place(point.0, point.3));
    let below = corners.iter().rev().map(|point| place(point.0, point.2));
    let band: Vec<String> = above.chain(below).collect();
    let middle: Vec<String> = corners.iter().map(|point| place(point.0, point.1)).collect();
    let dashes = DASHES[index % DASHES.len()];
    let marked = |place: usize| match one.shape {
        Shape::Straight => one.links.get(place).is_some_and(Option::is_some),
        Shape::Steps => place > 0,
    };
    let point = |(place, point): (usize, &(f64, f64, f64, f64))| {
        let drawn = mark(index, across.at(point.0), up.at(point.1));
        linked(one.links.get(place).and_then(Option::as_ref), &drawn)
    };
    let points = one.points.iter().enumerate().filter(|(place, _)| marked(*place));
    format!(
        "<polygon points=\"{}\" fill=\"{PALE}\" fill-opacity=\"0.4\"/>\
         <polyline points=\"{}\" fill=\"none\" stroke=\"{DARK}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>{}",
        band.join(" "),
        middle.join(" "),
        points.map(point).collect::<String>()
    )
}

/// A page that needs nothing else: a title, then sections of a heading and its HTML.
pub fn page(title: &str, sections: &[(String, String)]) -> String {
    let mut body = String::new();
    for (heading, html) in sections {
        let _ = write!(body, "<section><h2>{}</h2>{html}</section>", escape(heading));
    }
    format!(
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title><style>\
         div{{overflow-x:auto}}body{{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#111}}\
         table{{border-collapse:collapse;font-size:13px}}td,th{{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:right}}\
         td:first-child,th:first-child{{text-align:left}}td:not(:first-child):not(:last-child){{white-space:nowrap}}svg{{max-width:100%;height:auto}}\
         pre{{white-space:pre-wrap;background:#f4f5f6;padding:.7rem}}a{{color:#1b3a57}}details{{margin:.6rem 0}}\
         </style><h1>{0}</h1>{body}</html>\n",
        escape(title)
    )
}

/// A cell that leads somewhere: what is written, and where to.
pub fn leads(text: &str, link: Option<&str>) -> String {
    link.map_or_else(|| text.to_owned(), |link| format!("{text}{LEADS}{link}"))
}

/// No text of ours holds this.
const LEADS: char = '\u{1f}';

fn cell_html(cell: &str) -> String {
    match cell.split_once(LEADS) {
        Some((text, link)) => format!("<a href=\"{}\">{}</a>", escape(link), escape(text)),
        None => escape(cell),
    }
}

/// A table of texts.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, row: &[String]| {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", cell_html(cell))).collect::<String>()
    };
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>", cells("td", row))).collect();
    format!("<div><table><tr>{}</tr>{rows}</table></div>", cells("th", &head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(-7.0, 23.0), [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]);
        for range in [0.001, 0.3, 7.0, 12345.0] {
            assert!((3..=11).contains(&ticks(0.0, range).len()), "{range}: {:?}", ticks(0.0, range));
        }
    }

    /// Two shares of a thousandth once read `0.001 → 0.001 ± 0`.
    #[test]
    fn three_digits_count_however_small_a_number_is() {
        let written = [0.001_23, 0.001_456, 0.000_04, 0.265, -0.05, 2.34, 28.64, 290.4, 7.0, 0.0].map(short);
        assert_eq!(
            written,
            ["0.00123", "0.00146", "0.0000400", "0.265", "-0.0500", "2.34", "28.6", "290", "7", "0"]
        );
    }

    #[test]
    fn what_is_written_at_the_ticks_of_an_axis_is_alike() {
        let written = |low, high| tick_labels(ticks(low, high)).into_iter().map(|(_, label)| label);
        assert_eq!(written(0.3, 1.3).collect::<Vec<_>>(), ["0.4", "0.6", "0.8", "1.0", "1.2"]);
        assert_eq!(written(-4.0, 4.0).collect::<Vec<_>>(), ["-4", "-3", "-2", "-1", "0", "1", "2", "3", "4"]);
    }

    #[test]
    fn a_column_of_whole_numbers_stands_above_its_number() {
        let column = |from: f64| Column { from, to: from + 1.0, count: 3, link: None };
        let columns = [column(1.0), column(2.0), column(3.0)];
        let (whole, others) = (histogram("t", "act", &columns, true), histogram("t", "act", &columns, false));
        assert!(whole.contains("<title>2: 3</title>") && others.contains("<title>2 to 3: 3</title>"));
        // The number below the middle column stands in its middle.
        let middle = |picture: &str, end: &str| {
            let place = picture.find(end).unwrap();
            let x = picture[..place].rfind("x=\"").unwrap() + 3;
            picture[x..].split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let below = "\" y=\"256.0\" text-anchor=\"middle\">2</text>";
        assert!((middle(&whole, below) - 382.0).abs() < 1.0, "{whole}");
        assert!(!whole.contains(">1.5</text>") && others.contains(">1.5</text>"));
    }

    /// The names of two lines that end together once lay on top of each other, and slopes told of falls where nobody fell.
    #[test]
    fn lines_that_end_together_are_told_apart_and_steps_fall_where_something_happens() {
        let line = |name: &str| Line {
            name: name.into(),
            points: vec![(0.0, 100.0, 100.0, 100.0), (13.0, 50.0, 40.0, 60.0), (16.0, 0.0, 0.0, 5.0)],
            links: Vec::new(),
            shape: Shape::Steps,
        };
        let (lines, plain) = ([line("before"), line("after")], Line { shape: Shape::Straight, ..line("x") });
        let corners: Vec<(f64, f64)> = lines[0].corners().iter().map(|at| (at.0, at.1)).collect();
        assert_eq!(corners, [(0.0, 100.0), (13.0, 100.0), (13.0, 50.0), (16.0, 50.0), (16.0, 0.0)]);
        assert_eq!(plain.corners(), plain.points);
        let drawn = chart("t", ("x", "y"), &lines, &[]);
        let height = |name: &str| {
            let end = drawn.find(&format!(">{name}</text>")).unwrap();
            let y = drawn[..end].rfind(" y=\"").unwrap() + 4;
            drawn[y..].split('"').next().unwrap().parse::<f64>().unwrap()
        };
        assert!((height("before") - height("after")).abs() >= 16.0, "{drawn}");
        // Two points and a sample each, of their own form.
        assert_eq!((drawn.matches("<circle").count(), drawn.matches("height=\"6\"").count()), (3, 3));
    }

    /// What differed in its last words read alike: `difficulty normal, party fighter,cleric,ran…`.
    #[test]
    fn long_labels_are_not_cut_and_leave_room_for_values() {
        let bar = |label: &str| {
            let (label, note) = (label.to_owned(), "77.5 %".to_owned());
            Bar { label, value: 1.0, low: 0.0, high: 2.0, note, link: None }
        };
        let long = "difficulty normal, party fighter,cleric,ranger";
        let (wide, usual) = (forest("t", "%", &[bar(long)], None), forest("t", "%", &[bar("white")], None));
        assert!(wide.contains(&format!(">{long}</text>")) && wide.contains("width=\"881\""), "{wide}");
        assert!(usual.contains("width=\"860\""), "{usual}");
        assert!(forest("t", "%", &[bar(&long.repeat(2))], None).contains('…'));
    }

    #[test]
    fn a_title_fits_above_a_small_table() {
        let drawn =
            heat("Won by the first seat in %: difficulty by party", &["r".into()], &["c".into()], &[]);
        assert!(drawn.contains("width=\"400\""), "{drawn}");
    }

    #[test]
    fn nothing_and_infinity_can_be_drawn() {
        let bar = Bar {
            label: "<b>".into(),
            value: 1.0,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            note: "&".into(),
            link: Some("a\"b".into()),
        };
        let drawn = forest("t", "Elo", &[bar], None);
        assert!(drawn.contains("&lt;b&gt;") && !drawn.contains("NaN") && !drawn.contains("inf"));
        assert!(!chart("t", ("x", "y"), &[], &[]).contains("NaN"));
        assert!(drawn.contains("<a href=\"a&quot;b\">"));
        assert!(heat("t", &[], &[], &[]).starts_with("<svg"));
        let dark = Field { shade: f64::NAN, text: "-".into(), link: None };
        assert!(!heat("t", &["r".into()], &["c".into()], &[vec![Some(dark), None]]).contains("NaN"));
        assert!(!histogram("t", "floor", &[], true).contains("NaN"));
    }
}
