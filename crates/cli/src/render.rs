//! Scenes and explanations as text.

use std::io::Write;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use turnstone_table::scene::{Board, Cell, Choice, Ground, Ink, Panel, Pick, Scene};
use turnstone_table::{Explanation, Kind};
use unicode_width::UnicodeWidthStr;

use crate::out::{BAD, CHANGED, FAINT, Out, TITLE};

/// Title, board, panels, question. Unless all is wanted, a board that is only to be looked up is left out,
/// and panels after those that are picked from are told in a line, as are lists of things with what they do.
pub fn scene(out: &mut Out, scene: &Scene, all: bool) -> Result<()> {
    let title = out.paint(TITLE, &scene.title);
    writeln!(out, "{title}")?;
    if let Some(shown) = scene.board.as_ref().filter(|board| all || !board.aside) {
        board(out, shown)?;
    }
    let last = last_needed(scene).filter(|_| !all);
    let needed = last.map_or(scene.panels.len(), |last| last + 1);
    for (index, shown) in scene.panels.iter().enumerate() {
        match index < needed {
            true if !all && last.is_none() && is_inventory(shown) && shown.items.len() > SHORT => {
                fold(out, shown, "; `show` tells the rest")?;
            }
            false if shown.items.len() > 1 => fold(out, shown, "")?,
            true | false => panel(out, shown)?,
        }
    }
    if let Some(question) = &scene.question {
        let question = out.paint(TITLE, question);
        writeln!(out, "{question}")?;
    }
    Ok(())
}

/// The last panel that something is picked from: games list what matters first, so that those before it
/// matter too.
pub fn last_needed(scene: &Scene) -> Option<usize> {
    let picks = || scene.options.iter().flat_map(|option| &option.picks);
    let picked = |id: &str| picks().any(|pick| matches!(pick, Pick::Item(panel, _) if panel == id));
    scene.panels.iter().rposition(|panel| picked(&panel.id))
}

/// Whether a panel only lists things by their names, each with what it does.
fn is_inventory(panel: &Panel) -> bool {
    let explained = panel.items.iter().filter(|item| item.text.contains(": ")).count();
    explained > 2 && explained + 1 >= panel.items.len()
}

/// Lists up to this length are told in full: what they say would else be lost to save a line or two.
const SHORT: usize = 8;

/// A panel in a line or two: only what stands before a colon of each item, and what is said of the rest.
fn fold(out: &mut Out, panel: &Panel, rest: &str) -> Result<()> {
    let names = panel.items.iter().map(|item| item.text.split(": ").next().unwrap_or("").trim());
    let text = format!("{}: {}{rest}", panel.title, names.collect::<Vec<_>>().join(", "));
    for (i, piece) in wrap(&text, out.width.saturating_sub(4)).into_iter().enumerate() {
        let piece = out.paint(FAINT, piece);
        writeln!(out, "{}{piece}", if i == 0 { "" } else { "  " })?;
    }
    Ok(())
}

/// The columns a text takes on a terminal.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text, filled up with blanks on the right.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Columns of one cell: its text and a gap.
pub fn cell_width(board: &Board) -> usize {
    let text = board.cells.iter().map(|cell| width(&cell.text)).max().unwrap_or(1);
    let names = board.columns.iter().map(|name| width(name)).max().unwrap_or(0);
    text.max(names).clamp(1, 3) + 1
}

/// Columns of the names of the rows.
pub fn row_names_width(board: &Board) -> usize {
    board.rows.iter().map(|name| width(name)).max().unwrap_or(0)
}

fn board(out: &mut Out, board: &Board) -> Result<()> {
    let (cell, margin) = (cell_width(board), row_names_width(board));
    if !board.columns.is_empty() {
        let names: String = board.columns.iter().map(|name| pad(name, cell)).collect();
        let names = out.paint(FAINT, names.trim_end());
        writeln!(out, "{} {names}", " ".repeat(margin))?;
    }
    for y in 0..usize::from(board.height) {
        let name = board.rows.get(y).map_or("", String::as_str);
        let name = out.paint(FAINT, format!("{}{name}", " ".repeat(margin - width(name))));
        let mut line = String::new();
        for x in 0..usize::from(board.width) {
            let Some(shown) = board.cells.get(y * usize::from(board.width) + x) else { break };
            let text = cell_text(shown);
            let gap = " ".repeat(cell.saturating_sub(width(&text) + 1));
            line.push(if is_marked(shown) { RECENT } else { ' ' });
            line.push_str(&out.paint(ink(shown.ink), text));
            line.push_str(&gap);
        }
        writeln!(out, "{name}{}", line.trim_end())?;
    }
    Ok(())
}

/// Whether a cell is marked as one of the last action: where the ground has a meaning of its own, that is shown.
pub fn is_marked(cell: &Cell) -> bool {
    cell.recent && matches!(cell.ground, Ground::Plain | Ground::Dark)
}

/// Stands before a cell of the last action, or of the way so far, where backgrounds cannot be.
pub const RECENT: char = '›';

/// What is shown of a cell where backgrounds cannot be.
fn cell_text(cell: &Cell) -> String {
    if !cell.text.trim().is_empty() {
        return cell.text.clone();
    }
    match cell.ground {
        Ground::Wall => "#",
        Ground::Water => "~",
        Ground::Rough => ",",
        Ground::Hot => "^",
        Ground::Bright => "+",
        Ground::Hidden => "?",
        Ground::Plain | Ground::Dark => ".",
    }
    .to_owned()
}

fn panel(out: &mut Out, panel: &Panel) -> Result<()> {
    let title = out.paint(TITLE, &panel.title);
    writeln!(out, "{title}")?;
    for item in &panel.items {
        for (i, piece) in wrap(&item.text, out.width.saturating_sub(6)).into_iter().enumerate() {
            let text = out.paint(ink(item.ink), piece);
            writeln!(out, "  {}{text}", if i == 0 { "" } else { "  " })?;
        }
    }
    Ok(())
}

fn ink(ink: Ink) -> Style {
    match ink {
        Ink::Plain => Style::new(),
        Ink::Ours => AnsiColor::BrightCyan.on_default().bold(),
        Ink::Theirs => AnsiColor::BrightRed.on_default().bold(),
        Ink::Neutral => AnsiColor::Yellow.on_default(),
        Ink::Good => AnsiColor::Green.on_default(),
        Ink::Bad => AnsiColor::Red.on_default(),
        Ink::Special => AnsiColor::Magenta.on_default(),
        Ink::Faint => Style::new().dimmed(),
    }
}

/// The numbered options, in columns. Long runs of the same kind, such as every cell one may walk to,
/// become one line each, unless all are wanted.
pub fn options(out: &mut Out, options: &[Choice], all: bool) -> Result<()> {
    let mut texts = Vec::new();
    for run in runs(options, if all { usize::MAX } else { RUN }) {
        let (first, last) = (run.start, run.end - 1);
        if options[run.clone()].iter().all(|option| *option == options[first]) {
            let many = if run.len() == 1 { String::new() } else { format!(" (×{})", run.len()) };
            texts.push(format!("{:>3} {}{many}", first + 1, options[first].label));
            continue;
        }
        write_columns(out, &texts)?;
        texts.clear();
        let ends: Vec<&str> = options[run].iter().map(|option| split_label(&option.label).1).collect();
        let line = format!(
            "{:>3}–{} {} {}",
            first + 1,
            last + 1,
            split_label(&options[first].label).0,
            ends.join("  ")
        );
        writeln!(out, "{}", clip(&line, out.width))?;
    }
    write_columns(out, &texts)
}

/// Runs of options that differ in the last word only are shown in one line from this length on.
pub const RUN: usize = 9;

/// A label without its last word, and that word.
pub fn split_label(label: &str) -> (&str, &str) {
    label.rsplit_once(' ').unwrap_or(("", label))
}

/// Cuts the options into runs: equal ones, long ones of the same kind, all others of one each.
fn runs(options: &[Choice], least: usize) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < options.len() {
        let equal = options[start..].iter().take_while(|option| **option == options[start]).count();
        if equal > 1 {
            runs.push(start..start + equal);
            start += equal;
            continue;
        }
        let kind = split_label(&options[start].label).0;
        let alike = options[start..].iter().take_while(|option| split_label(&option.label).0 == kind).count();
        let length = if alike >= least && !kind.is_empty() { alike } else { 1 };
        runs.push(start..start + length);
        start += length;
    }
    runs
}

fn write_columns(out: &mut Out, texts: &[String]) -> Result<()> {
    let column = texts.iter().map(|text| width(text)).max().unwrap_or(0) + 2;
    let across = (out.width / column).clamp(1, 4);
    let down = texts.len().div_ceil(across);
    for row in 0..down {
        let cells: Vec<String> =
            texts.iter().skip(row).step_by(down.max(1)).map(|text| pad(text, column)).collect();
        writeln!(out, "{}", cells.concat().trim_end())?;
    }
    Ok(())
}

/// The text, cut to that many columns.
pub fn clip(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    for letter in text.chars() {
        out.push(letter);
        if width(&out) + usize::from(columns > 3) > columns {
            out.pop();
            break;
        }
    }
    if columns > 3 {
        out.push('…');
    }
    out
}

/// Breaks a text at blanks so that no line is wider than `columns`; longer words are cut.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        // What stands before the first word sets it apart and stays.
        let words = paragraph.trim_start_matches(' ');
        let mut line = " ".repeat((paragraph.len() - words.len()).min(columns / 2));
        for (i, word) in words.split(' ').enumerate() {
            let gap = usize::from(i > 0 && !line.is_empty());
            if i > 0 && !line.is_empty() && width(&line) + gap + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            } else if gap == 1 {
                line.push(' ');
            }
            for letter in word.chars() {
                if width(&line) >= columns {
                    lines.push(std::mem::take(&mut line));
                }
                line.push(letter);
            }
        }
        lines.push(line);
    }
    lines
}

/// An explanation with the number of its moment; nothing if there is nothing to tell.
pub fn moment(out: &mut Out, number: u32, told: &Explanation) -> Result<()> {
    let Some(first) = told.lines.first() else { return Ok(()) };
    let number = out.paint(FAINT, format!("[{number}]"));
    // An input that may not be known leaves its place empty.
    write!(out, "{number}{}", if first.depth == 0 { " " } else { "\n" })?;
    explanation(out, told)
}

/// An explanation with colours.
pub fn explanation(out: &mut Out, explanation: &Explanation) -> Result<()> {
    for line in &explanation.lines {
        let indent = "  ".repeat(line.depth);
        let text = match (line.kind, line.serial) {
            (Kind::Input, _) => out.paint(TITLE, &line.text),
            (Kind::Fact, Some(serial)) => format!("{} {}", out.paint(FAINT, format!("#{serial}")), line.text),
            (Kind::Fact, None) => line.text.clone(),
            (Kind::Alteration | Kind::Reason, _) => out.paint(CHANGED, format!("· {}", line.text)),
            (Kind::Prevented, _) => out.paint(BAD, format!("✗ {}", line.text)),
        };
        let late = line.late().map(|serial| out.paint(FAINT, format!(" [after #{serial}]")));
        writeln!(out, "{indent}{text}{}", late.unwrap_or_default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_one_line() {
        let labels =
            (0..12).map(|i| format!("walk to {i}")).chain(["rest".to_owned(), "end turn".to_owned()]);
        let options: Vec<Choice> = labels.map(|label| Choice { label, ..Choice::default() }).collect();
        assert_eq!(runs(&options, RUN), [0..12, 12..13, 13..14]);
        assert_eq!(runs(&options, usize::MAX).len(), 14);
    }

    #[test]
    fn equal_options_are_one() {
        let labels = ["Strike", "Strike", "Bash", "Defend", "Defend"];
        let options: Vec<Choice> =
            labels.map(|label| Choice { label: label.to_owned(), ..Choice::default() }).to_vec();
        assert_eq!(runs(&options, RUN), [0..2, 2..3, 3..5]);
    }

    #[test]
    fn texts_are_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("a\nb", 3), ["a", "b"]);
        assert_eq!(wrap("  49 gold", 6), ["  49", "gold"]);
    }

    #[test]
    fn texts_are_cut_to_their_columns() {
        assert_eq!(
            (clip("abcdef", 6), clip("abcdef", 5), clip("abcdef", 2)),
            ("abcdef".into(), "abcd…".into(), "ab".into())
        );
    }

    #[test]
    fn columns_are_measured_in_cells_not_bytes() {
        assert_eq!((width("♞"), pad("♞", 3)), (1, "♞  ".to_owned()));
    }
}
