//! Board, lists and log, each under a rule with its title.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use turnstone_table::scene::{Board, Cell, Figure, Panel, Pick, Thing};

use super::desk::{Desk, Focus};
use super::layout::{MARGIN, Parts};
use super::mouse::Spot;
use crate::render::{RECENT, clip, is_marked, pad, row_names_width, width, wrap};

/// Draws everything between the title and the box below.
pub fn draw(frame: &mut Frame, parts: &Parts, desk: &mut Desk, spots: &mut Vec<(Rect, Spot)>) {
    board(frame, parts, desk, spots);
    for (index, place) in parts.panels.iter().enumerate() {
        panel(frame, *place, index, desk, spots);
    }
    options(frame, parts.options, desk, spots);
    log(frame, parts.log, desk);
    spots.push((parts.log, Spot::Log));
}

/// Draws a rule with a title on the left and a mark on the right; gives what is below.
pub fn rule(frame: &mut Frame, place: Rect, desk: &Desk, title: &str, mark: &str, focus: bool) -> Rect {
    let (stroke, style) = (if focus { "━" } else { "─" }, desk.theme.frame(focus));
    let columns = usize::from(place.width);
    let mark = if mark.is_empty() { String::new() } else { format!(" {mark} {stroke}") };
    let room = columns.saturating_sub(width(&mark) + 3);
    let title =
        if title.is_empty() { String::new() } else { format!(" {} ", clip(title, room.saturating_sub(1))) };
    let filled = width(&title) + width(&mark) + 1;
    let fill = stroke.repeat(columns.saturating_sub(filled));
    let line = Line::from(vec![
        Span::styled(stroke, style),
        Span::styled(title, if focus { style } else { desk.theme.heading() }),
        Span::styled(fill, style),
        Span::styled(mark, desk.theme.key()),
    ]);
    frame.render_widget(Paragraph::new(line), Rect { height: place.height.min(1), ..place });
    Rect { y: place.y + 1, height: place.height.saturating_sub(1), ..place }
}

/// The part of a board that is in sight, and how it is drawn.
struct Window {
    /// The columns and rows in sight, as they are shown.
    across: Range<usize>,
    down: Range<usize>,
    /// Columns and lines of a cell.
    columns: usize,
    lines: usize,
    /// Columns of the names of the rows.
    margin: usize,
    /// The board is shown from its other side.
    turned: bool,
    size: (usize, usize),
}

impl Window {
    fn new(board: &Board, place: Rect, cell: (u16, u16), desk: &Desk) -> Self {
        let (columns, lines) = (usize::from(cell.0).max(1), usize::from(cell.1).max(1));
        let margin = row_names_width(board) + usize::from(!board.rows.is_empty());
        let size = (usize::from(board.width), usize::from(board.height));
        let names = usize::from(!board.columns.is_empty());
        let across = (usize::from(place.width).saturating_sub(margin) / columns).min(size.0);
        let down = (usize::from(place.height - 1).saturating_sub(names) / lines).min(size.1);
        let turned = desk.is_turned();
        let mut seen = Window { across: 0..0, down: 0..0, columns, lines, margin, turned, size };
        let (x, y) = seen.cell(usize::from(desk.cell.0), usize::from(desk.cell.1));
        let (left, top) = (window(x, across, size.0), window(y, down, size.1));
        (seen.across, seen.down) = (left..left + across, top..top + down);
        seen
    }

    /// The cell that is shown at a column and row, and the other way round.
    fn cell(&self, x: usize, y: usize) -> (usize, usize) {
        match self.turned {
            true => ((self.size.0 - 1).saturating_sub(x), (self.size.1 - 1).saturating_sub(y)),
            false => (x, y),
        }
    }

    fn is_whole(&self) -> bool {
        (self.across.len(), self.down.len()) == self.size
    }
}

fn board(frame: &mut Frame, parts: &Parts, desk: &Desk, spots: &mut Vec<(Rect, Spot)>) {
    let place = parts.board;
    let Some(shown) = desk.scene.board.as_ref().filter(|_| place.height > 1) else { return };
    let seen = Window::new(shown, place, parts.cell, desk);
    let (title, mark) = (if shown.aside { "Map" } else { "" }, if seen.is_whole() { "" } else { "goes on" });
    let inner = rule(frame, place, desk, title, mark, desk.focus == Focus::Board);
    let mut lines = Vec::new();
    if !shown.columns.is_empty() {
        lines.push(column_names(shown, &seen, desk));
    }
    for row in seen.down.clone() {
        let top = inner.y + lines.len() as u16;
        lines.extend(board_row(shown, &seen, row, desk));
        let columns = seen.columns as u16;
        spots.extend(seen.across.clone().zip(0u16..).map(|(column, at)| {
            let (x, y) = seen.cell(column, row);
            let place =
                Rect::new(inner.x + seen.margin as u16 + at * columns, top, columns, seen.lines as u16);
            (place.intersection(inner), Spot::Cell(x as u16, y as u16))
        }));
    }
    frame.render_widget(Paragraph::new(lines), inner);
}

/// The lines of a row: what stands on a cell is in the middle of it.
fn board_row(board: &Board, seen: &Window, row: usize, desk: &Desk) -> Vec<Line<'static>> {
    let (_, y) = seen.cell(0, row);
    let name = board.rows.get(y).map_or("", String::as_str);
    let name = match seen.margin {
        0 => String::new(),
        margin => format!("{}{name} ", " ".repeat(margin.saturating_sub(width(name) + 1))),
    };
    let cells: Vec<Span> =
        seen.across.clone().map(|column| cell(board, seen.cell(column, row), seen.columns, desk)).collect();
    // With one line to spare it is below, where the bars are.
    let middle = (seen.lines - 1) / 2;
    let line = |at: usize| {
        let head = if at == middle { name.clone() } else { " ".repeat(seen.margin) };
        let cells = seen.across.clone().zip(&cells).map(|(column, span)| match at {
            _ if at == middle => span.clone(),
            _ if at + 1 == seen.lines => below(board, seen.cell(column, row), seen.columns, span.style, desk),
            _ => Span::styled(" ".repeat(seen.columns), span.style),
        });
        Line::from_iter(std::iter::once(Span::styled(head, desk.theme.faint())).chain(cells))
    };
    (0..seen.lines).map(line).collect()
}

/// The last line of a large cell: how whoever stands there is.
fn below(board: &Board, (x, y): (usize, usize), columns: usize, ground: Style, desk: &Desk) -> Span<'static> {
    let cell = board.cells.get(y * usize::from(board.width) + x);
    let figure = cell.and_then(|cell| cell.figures.last()).filter(|figure| !figure.down);
    match figure.and_then(measured) {
        Some((now, most)) => {
            let ink = desk.theme.gauge(now, most);
            Span::styled(centred(&bar(now, most, columns - 2), columns), ground.patch(ink))
        }
        None => Span::styled(" ".repeat(columns), ground),
    }
}

/// What of a figure goes up and down, and how far: its first gauge with an end.
fn measured(figure: &Figure) -> Option<(i64, i64)> {
    figure.gauges.iter().find_map(|gauge| Some((gauge.now, gauge.most.filter(|most| *most > 0)?)))
}

/// A bar of so many columns: it is full only if nothing is missing, and empty only if nothing is left.
fn bar(now: i64, most: i64, columns: usize) -> String {
    let full = (now.max(0) * columns as i64 / most).max(i64::from(now > 0));
    let full = (full as usize).min(columns);
    format!("{}{}", "▰".repeat(full), "▱".repeat(columns - full))
}

fn column_names(board: &Board, seen: &Window, desk: &Desk) -> Line<'static> {
    let mut text = " ".repeat(seen.margin);
    for column in seen.across.clone() {
        let (x, _) = seen.cell(column, 0);
        let name = clip(board.columns.get(x).map_or("", String::as_str), seen.columns);
        text.push_str(&centred(&name, seen.columns));
    }
    Line::styled(text, desk.theme.faint())
}

fn cell(board: &Board, (x, y): (usize, usize), columns: usize, desk: &Desk) -> Span<'static> {
    let empty = Cell::default();
    let shown = board.cells.get(y * usize::from(board.width) + x).unwrap_or(&empty);
    let pick = Pick::Cell(x as u16, y as u16);
    let pickable = desk.is_pickable(&pick);
    let mut style = desk.theme.ground(shown).patch(desk.theme.ink(shown.ink));
    let mut text = shown.text.clone();
    if is_marked(shown) && !desk.theme.colours && width(&text) < columns {
        text.insert(0, RECENT);
    }
    if pickable && desk.picks.is_empty() {
        if text.trim().is_empty() {
            text = "·".to_owned();
        } else {
            style = style.patch(desk.theme.movable());
        }
    } else if pickable {
        style = style.patch(desk.theme.target());
        if text.trim().is_empty() {
            text = "•".to_owned();
        }
    }
    if desk.picks.contains(&pick) {
        style = style.patch(desk.theme.picked());
    }
    if desk.has_cursor() && (x, y) == (usize::from(desk.cell.0), usize::from(desk.cell.1)) {
        style = style.patch(desk.theme.cursor());
    }
    Span::styled(centred(&clip(&text, columns), columns), style)
}

/// The first of `room` places that keep `at` in sight.
pub fn window(at: usize, room: usize, length: usize) -> usize {
    at.saturating_sub(room / 2).min(length.saturating_sub(room))
}

/// What is hidden above and below the lines shown, in a few words.
fn hidden(shown: &Range<usize>, length: usize) -> String {
    match (shown.start, length - shown.end.min(length)) {
        (0, 0) => String::new(),
        (0, below) => format!("{below} more ↓"),
        (above, 0) => format!("{above} more ↑"),
        (above, below) => format!("{above} more ↑ {below} more ↓"),
    }
}

/// How many rows each of the texts in sight gets. When there is room for all, long ones are wrapped as far
/// as there are rows; otherwise each has one, and those around the cursor are in sight.
fn rows(texts: &[&str], at: usize, room: usize, columns: usize) -> (Range<usize>, Vec<usize>) {
    if texts.len() > room {
        let top = window(at, room, texts.len());
        return (top..top + room, vec![1; room]);
    }
    let mut spare = room - texts.len();
    let wanted = texts.iter().map(|text| {
        let more = (wrap(text, columns.max(1)).len() - 1).min(spare);
        spare -= more;
        1 + more
    });
    (0..texts.len(), wanted.collect())
}

/// Where the lines in sight are, one below the other.
fn stacked<'a>(
    inner: Rect,
    sight: &Range<usize>,
    heights: &'a [usize],
) -> impl Iterator<Item = (usize, Rect)> + use<'a> {
    let tops = heights.iter().scan(0, |below, height| {
        let top = *below;
        *below += *height as u16;
        Some((top, *height as u16))
    });
    let place =
        move |(top, height): (u16, u16)| Rect { y: inner.y + top, height, ..inner }.intersection(inner);
    sight.clone().zip(tops.map(place))
}

/// A text in that many rows, cut if it is longer; wrapped lines stand under the first.
fn fitted(text: &str, columns: usize, rows: usize) -> Vec<String> {
    let mut lines = wrap(text, columns.max(1));
    if lines.len() > rows {
        let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
        lines.push(clip(&rest, columns));
    }
    lines
}

fn panel(frame: &mut Frame, place: Rect, index: usize, desk: &Desk, spots: &mut Vec<(Rect, Spot)>) {
    let Some(shown) = desk.scene.panels.get(index).filter(|_| place.height > 0) else { return };
    let focus = desk.focus == Focus::Panel(index);
    let texts: Vec<&str> = shown.items.iter().map(|item| item.text.as_str()).collect();
    let columns = usize::from(place.width.saturating_sub(MARGIN));
    let (sight, heights) = rows(&texts, desk.items[index], usize::from(place.height - 1), columns);
    let inner = rule(frame, place, desk, &shown.title, &hidden(&sight, texts.len()), focus);
    let keyed = if desk.digits_point_at() == Some(index) { desk.keyed(index) } else { Vec::new() };
    spots.extend(stacked(inner, &sight, &heights).map(|(line, place)| (place, Spot::Item(index, line))));
    let lines: Vec<Line> = sight
        .zip(heights)
        .flat_map(|(line, height)| {
            let key = keyed.iter().position(|&one| one == line);
            item(shown, line, (columns, height), (focus && line == desk.items[index], key), desk)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn item(
    panel: &Panel,
    line: usize,
    (columns, height): (usize, usize),
    (cursor, key): (bool, Option<usize>),
    desk: &Desk,
) -> Vec<Line<'static>> {
    let shown = &panel.items[line];
    let pick = Pick::Item(panel.id.clone(), line as u16);
    let pickable = desk.is_pickable(&pick);
    let mut style = desk.theme.ink(shown.ink);
    if desk.picks.contains(&pick) {
        style = style.patch(desk.theme.picked());
    } else if pickable && !desk.picks.is_empty() {
        style = style.patch(desk.theme.target());
    }
    if cursor {
        style = style.patch(desk.theme.cursor());
    }
    let digit = key.filter(|_| pickable).map_or(' ', digit);
    let mark = format!("{digit}{}", if pickable { "▸" } else { " " });
    let mut marks = std::iter::once(mark).chain(std::iter::repeat(" ".repeat(usize::from(MARGIN))));
    let mut gauge = match shown.thing.as_deref() {
        // A game may draw its own.
        Some(Thing::Figure(figure)) => measured(figure).filter(|_| !shown.text.contains('█')),
        _ => None,
    };
    let pieces = fitted(&shown.text, columns, height).into_iter();
    pieces
        .map(|piece| {
            let mut spans = vec![Span::styled(marks.next().unwrap_or_default(), desk.theme.key())];
            let room = columns.saturating_sub(width(&piece) + 1);
            match gauge.take().filter(|_| room >= BAR) {
                Some((now, most)) => {
                    spans.push(Span::styled(pad(&piece, columns - BAR), style));
                    spans.push(Span::styled(bar(now, most, BAR), desk.theme.gauge(now, most)));
                }
                None => spans.push(Span::styled(pad(&piece, columns), style)),
            }
            Line::from(spans)
        })
        .collect()
}

/// Columns of a bar beside a line.
const BAR: usize = 8;

/// The key of a line, by how many come before it.
fn digit(before: usize) -> char {
    match before {
        0..=8 => char::from(b'1' + before as u8),
        9 => '0',
        _ => ' ',
    }
}

fn options(frame: &mut Frame, place: Rect, desk: &Desk, spots: &mut Vec<(Rect, Spot)>) {
    if place.height < 1 {
        return;
    }
    let listed = desk.listed();
    let focus = desk.focus == Focus::Options;
    let head = match desk.led || desk.fitting().len() == desk.scene.options.len() {
        true => format!("Options {}", listed.len()),
        false => format!("Options {} of {}", listed.len(), desk.scene.options.len()),
    };
    let texts: Vec<&str> = listed.iter().map(|&number| desk.scene.options[number].label.as_str()).collect();
    let columns = usize::from(place.width.saturating_sub(MARGIN));
    let (sight, heights) = rows(&texts, desk.option, usize::from(place.height - 1), columns);
    let inner = rule(frame, place, desk, &head, &hidden(&sight, texts.len()), focus);
    let digits = desk.digits_point_at().is_none();
    spots.extend(stacked(inner, &sight, &heights).map(|(line, place)| (place, Spot::Option(line))));
    let lines: Vec<Line> = sight
        .zip(heights)
        .flat_map(|(line, height)| {
            let style = if focus && line == desk.option { desk.theme.cursor() } else { Style::new() };
            let mut mark = if digits { digit(line) } else { ' ' };
            let pieces = fitted(texts[line], columns, height).into_iter();
            pieces.map(move |piece| {
                let mark = format!("{} ", std::mem::replace(&mut mark, ' '));
                Line::from(vec![
                    Span::styled(mark, desk.theme.key()),
                    Span::styled(pad(&piece, columns), style),
                ])
            })
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn log(frame: &mut Frame, place: Rect, desk: &mut Desk) {
    desk.log_in_sight = place.height > 1;
    if !desk.log_in_sight {
        return;
    }
    let focus = desk.focus == Focus::Log;
    let columns = usize::from(place.width);
    let lines = match desk.why {
        true => desk.log.reasons(&*desk.play.table, desk.viewer, columns, desk.theme),
        false => desk.log.lines(&*desk.play.table, desk.viewer, columns, desk.theme),
    };
    let room = usize::from(place.height - 1);
    desk.log_up = desk.log_up.min(lines.len().saturating_sub(room));
    let end = lines.len() - desk.log_up;
    let shown = end.saturating_sub(room)..end;
    let title = if desk.why { "Why" } else { "Log" };
    let inner = rule(frame, place, desk, title, &hidden(&shown, lines.len()), focus);
    frame.render_widget(Paragraph::new(lines[shown].to_vec()), inner);
}

/// The names of what is not shown, and the key that opens it.
pub fn tabs(parts: &Parts, desk: &Desk) -> String {
    let closed = desk.stops().into_iter().filter(|stop| parts.closed.contains(stop));
    let names: Vec<String> = closed.map(|stop| name(stop, desk)).collect();
    if names.is_empty() { String::new() } else { format!("Tab: {}", names.join(" · ")) }
}

fn name(stop: Focus, desk: &Desk) -> String {
    match stop {
        Focus::Board => "Map".to_owned(),
        Focus::Panel(index) => {
            desk.scene.panels.get(index).map_or(String::new(), |panel| panel.title.clone())
        }
        Focus::Options => format!("Options {}", desk.listed().len()),
        Focus::Log => "Log".to_owned(),
    }
}

fn centred(text: &str, columns: usize) -> String {
    let room = columns.saturating_sub(width(text));
    format!("{}{text}{}", " ".repeat(room / 2), " ".repeat(room - room / 2))
}
