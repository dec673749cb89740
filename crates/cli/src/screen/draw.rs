//! Drawing the desk.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use turnstone_table::scene::{Board, Cell, Panel, Pick};

use super::desk::{Desk, Focus, Mode};
use super::keys::arrow;
use super::layout::{cell_columns, parts};
use super::log::wrap;
use super::overlay::Overlay;
use crate::render::{clip, pad, row_names_width, width};
use crate::store::ago;

/// Draws everything.
pub fn desk(frame: &mut Frame, desk: &mut Desk) {
    let parts = parts(frame.area(), &desk.scene, desk.focus);
    title(frame, parts.title, desk);
    board(frame, parts.board, desk);
    for (index, place) in parts.panels.iter().enumerate() {
        panel(frame, *place, index, desk);
    }
    options(frame, parts.options, desk);
    log(frame, parts.log, desk);
    info(frame, parts.info, desk);
    footer(frame, parts.footer, desk);
    overlay(frame, desk);
}

fn title(frame: &mut Frame, place: Rect, desk: &Desk) {
    let table = &desk.play.table;
    let line = table.line().len() - 1;
    let mode = match (desk.mode, desk.paused) {
        (Mode::Replay, _) => "replay · ",
        (Mode::Play, true) => "paused · ",
        (Mode::Play, false) => "",
    };
    let right = format!("{mode}seed {} · {line} played ", table.seed());
    let left = format!(" {} · {}", table.game(), desk.scene.title);
    let clock = clock(desk);
    let taken = width(&right) + clock.iter().map(Span::width).sum::<usize>() + 1;
    let room = usize::from(place.width).saturating_sub(taken);
    let mut spans = vec![Span::styled(pad(&clip(&left, room), room), desk.theme.title()), Span::raw(" ")];
    spans.extend(clock);
    spans.push(Span::styled(right, desk.theme.faint()));
    frame.render_widget(Paragraph::new(Line::from(spans)), place);
}

/// The faces of the clock; the one that runs stands out.
fn clock(desk: &Desk) -> Vec<Span<'static>> {
    let clock = desk.play.clock.as_ref().filter(|_| desk.mode == Mode::Play);
    let faces = clock.map(|clock| clock.faces(&*desk.play.table)).unwrap_or_default();
    let style = |short: bool, runs: bool| match (short, runs) {
        (true, true) => desk.theme.error(),
        (false, true) => desk.theme.key(),
        (_, false) => desk.theme.faint(),
    };
    let shown = faces.iter().map(|face| {
        let mark = if face.runs { "▸" } else { " " };
        Span::styled(format!("{mark}{face} "), style(face.is_short(), face.runs))
    });
    let mut spans: Vec<Span> = shown.collect();
    if !spans.is_empty() {
        spans.push(Span::styled("· ", desk.theme.faint()));
    }
    spans
}

fn frame_block(desk: &Desk, title: String, focus: bool) -> Block<'static> {
    let kind = if focus { BorderType::Thick } else { BorderType::Rounded };
    let style = desk.theme.frame(focus);
    let title = if title.is_empty() { Line::default() } else { Line::styled(format!(" {title} "), style) };
    Block::bordered().border_type(kind).border_style(style).title(title)
}

fn board(frame: &mut Frame, place: Rect, desk: &Desk) {
    let Some(shown) = desk.scene.board.as_ref().filter(|_| !place.is_empty()) else { return };
    let block = frame_block(desk, String::new(), desk.focus == Focus::Board);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let columns = usize::from(cell_columns(shown, place.width));
    let margin = row_names_width(shown) + usize::from(!shown.rows.is_empty());
    let names = usize::from(!shown.columns.is_empty());
    let across = (usize::from(inner.width).saturating_sub(margin) / columns).min(usize::from(shown.width));
    let down = usize::from(inner.height).saturating_sub(names).min(usize::from(shown.height));
    let left = window(usize::from(desk.cell.0), across, usize::from(shown.width));
    let top = window(usize::from(desk.cell.1), down, usize::from(shown.height));
    let mut lines = Vec::new();
    if names == 1 {
        let mut text = " ".repeat(margin);
        for x in left..left + across {
            let name = clip(shown.columns.get(x).map_or("", String::as_str), columns);
            text.push_str(&centred(&name, columns));
        }
        lines.push(Line::styled(text, desk.theme.faint()));
    }
    for y in top..top + down {
        let name = shown.rows.get(y).map_or("", String::as_str);
        let name = format!("{}{name} ", " ".repeat(margin.saturating_sub(width(name) + 1)));
        let mut spans =
            vec![Span::styled(if margin == 0 { String::new() } else { name }, desk.theme.faint())];
        spans.extend((left..left + across).map(|x| cell(shown, x, y, columns, desk)));
        lines.push(Line::from(spans));
    }
    frame.render_widget(Paragraph::new(lines), inner);
}

fn cell(board: &Board, x: usize, y: usize, columns: usize, desk: &Desk) -> Span<'static> {
    let empty = Cell::default();
    let shown = board.cells.get(y * usize::from(board.width) + x).unwrap_or(&empty);
    let pick = Pick::Cell(x as u16, y as u16);
    let pickable = desk.is_pickable(&pick);
    let mut style = desk.theme.ground(shown.ground).patch(desk.theme.ink(shown.ink));
    let mut text = shown.text.clone();
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
fn window(at: usize, room: usize, length: usize) -> usize {
    at.saturating_sub(room / 2).min(length.saturating_sub(room))
}

fn panel(frame: &mut Frame, place: Rect, index: usize, desk: &Desk) {
    let Some(shown) = desk.scene.panels.get(index).filter(|_| place.height > 0) else { return };
    let focus = desk.focus == Focus::Panel(index);
    let block = frame_block(desk, shown.title.clone(), focus);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let room = usize::from(inner.height);
    let top = window(desk.items[index], room, shown.items.len());
    let lines: Vec<Line> = (top..(top + room).min(shown.items.len()))
        .map(|line| item(shown, line, usize::from(inner.width), focus && line == desk.items[index], desk))
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn item(panel: &Panel, line: usize, columns: usize, cursor: bool, desk: &Desk) -> Line<'static> {
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
    let mark = if pickable { "▸" } else { " " };
    Line::from(vec![
        Span::styled(mark, desk.theme.key()),
        Span::styled(pad(&clip(&shown.text, columns.saturating_sub(1)), columns.saturating_sub(1)), style),
    ])
}

fn options(frame: &mut Frame, place: Rect, desk: &Desk) {
    if place.height < 3 {
        return;
    }
    let listed = desk.listed();
    let focus = desk.focus == Focus::Options;
    let head = match listed.len() == desk.scene.options.len() {
        true => format!("Options {}", listed.len()),
        false => format!("Options {} of {}", listed.len(), desk.scene.options.len()),
    };
    let block = frame_block(desk, head, focus);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let room = usize::from(inner.height);
    let top = window(desk.option, room, listed.len());
    let lines: Vec<Line> = listed
        .iter()
        .enumerate()
        .skip(top)
        .take(room)
        .map(|(line, &number)| {
            let style = if focus && line == desk.option { desk.theme.cursor() } else { Style::new() };
            let text = format!(" {}", desk.scene.options[number].label);
            Line::styled(pad(&clip(&text, usize::from(inner.width)), usize::from(inner.width)), style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), inner);
}

fn log(frame: &mut Frame, place: Rect, desk: &mut Desk) {
    if place.height < 3 {
        return;
    }
    let focus = desk.focus == Focus::Log;
    let columns = usize::from(place.width.saturating_sub(2));
    let lines = desk.log.lines(&*desk.play.table, desk.viewer, columns, desk.theme);
    let room = usize::from(place.height - 2);
    desk.log_up = desk.log_up.min(lines.len().saturating_sub(room));
    let end = lines.len() - desk.log_up;
    let head = if desk.log_up > 0 { format!("Log, {} lines below", desk.log_up) } else { "Log".to_owned() };
    let block = frame_block(desk, head, focus);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let shown: Vec<Line> = lines[end.saturating_sub(room)..end].to_vec();
    frame.render_widget(Paragraph::new(shown), inner);
}

/// What waits, what the cursor is on, what it would do.
fn info(frame: &mut Frame, place: Rect, desk: &Desk) {
    let block = frame_block(desk, String::new(), false);
    let inner = block.inner(place);
    frame.render_widget(block, place);
    let mut lines: Vec<Line> = Vec::new();
    if let Some(ending) = desk.play.ending() {
        lines.push(Line::styled(format!("{ending} u takes it back, q leaves."), desk.theme.title()));
    }
    if let Some((text, style)) = &desk.message {
        lines.push(Line::styled(text.clone(), *style));
    } else if desk.mode == Mode::Play && desk.play.bot_is_next() {
        lines.push(Line::styled(waiting(desk), desk.theme.faint()));
    } else if let Some(question) = &desk.scene.question {
        lines.push(Line::styled(question.clone(), desk.theme.title()));
    } else if !desk.picks.is_empty() && !desk.led {
        lines.push(Line::styled("Now point at what it is for. Esc takes it back.", desk.theme.faint()));
    }
    if let Some(option) = desk.option_under_cursor() {
        let mut spans = vec![Span::styled(option.label.clone(), desk.theme.title())];
        if !option.preview.is_empty() {
            spans.push(Span::raw(format!(": {}", option.preview.replace('\n', "; "))));
        }
        lines.push(Line::from(spans));
    }
    lines.extend(desk.note().lines().filter(|line| !line.is_empty()).map(|line| Line::raw(line.to_owned())));
    let columns = usize::from(inner.width);
    let wrapped =
        lines.into_iter().flat_map(|line| wrap_spans(line, columns)).take(usize::from(inner.height));
    frame.render_widget(Paragraph::new(wrapped.collect::<Vec<_>>()), inner);
}

/// A line of one style may be long; one of several is cut.
fn wrap_spans(line: Line<'static>, columns: usize) -> Vec<Line<'static>> {
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    if line.spans.len() > 1 && width(&text) <= columns {
        return vec![line];
    }
    let style = line.style.patch(line.spans.first().map_or(Style::new(), |span| span.style));
    let style = if line.spans.len() > 1 { Style::new() } else { style };
    wrap(&text, columns.max(1)).into_iter().map(|piece| Line::styled(piece, style)).collect()
}

/// Who keeps us waiting, and for how long.
fn waiting(desk: &Desk) -> String {
    let seats = desk.play.table.seats();
    let seat = desk.play.table.actor().map(usize::from).unwrap_or(0);
    let name = seats.get(seat).map_or("", String::as_str);
    let seconds = desk.thought.as_ref().map_or(0, |thought| thought.taken().as_secs());
    match (desk.paused, seconds) {
        (true, _) => format!("Paused: {name} to act. p goes on."),
        (false, 0) => format!("Waiting for {name} …"),
        (false, _) => format!("Waiting for {name} … {seconds} s"),
    }
}

fn footer(frame: &mut Frame, place: Rect, desk: &Desk) {
    let mut entries = hints(desk);
    let length = |entries: &[(String, String)]| -> usize {
        entries.iter().map(|(key, what)| width(key) + width(what) + 3).sum()
    };
    // What everybody knows after a minute gives way first; help always shows the rest.
    for spare in ["pane", "open", "save", "branches", "redo"] {
        if length(&entries) > usize::from(place.width) {
            entries.retain(|(_, what)| what != spare);
        }
    }
    let spans: Vec<Span> = entries
        .into_iter()
        .flat_map(|(key, what)| {
            [
                Span::styled(format!(" {key}"), desk.theme.key()),
                Span::styled(format!(" {what} "), desk.theme.faint()),
            ]
        })
        .collect();
    frame.render_widget(Paragraph::new(Line::from(spans)), place);
}

/// Keys and what they do: first the game's words, then our own.
fn hints(desk: &Desk) -> Vec<(String, String)> {
    let mut hints = Vec::new();
    let words = desk.words();
    let arrows: String = words.iter().filter_map(|(word, _)| arrow(word)).collect();
    if !arrows.is_empty() {
        hints.push((arrows, "move".to_owned()));
    }
    for (word, key) in words.iter().filter(|(word, _)| arrow(word).is_none()) {
        if let Some(key) = key {
            let what = if word.chars().count() == 1 { label(desk, word) } else { word };
            hints.push((key.to_string(), what.to_owned()));
        }
    }
    let own: &[(&str, &str)] = match (desk.mode, desk.paused) {
        (Mode::Replay, true) => &[("← →", "step"), ("Space", "run")],
        (Mode::Replay, false) => &[("Space", "stop")],
        (Mode::Play, _) => &[("Enter", "pick"), ("u", "undo"), ("r", "redo")],
    };
    let common =
        [("Tab", "pane"), ("b", "branches"), ("s", "save"), ("o", "open"), ("?", "help"), ("q", "quit")];
    hints.extend(own.iter().chain(&common).map(|(key, what)| ((*key).to_owned(), (*what).to_owned())));
    hints
}

/// The label of the option that a word of one letter stands for.
fn label<'a>(desk: &'a Desk, word: &str) -> &'a str {
    let stands = |pick: Option<&Pick>| matches!(pick, Some(Pick::Word(next)) if next == word);
    let option = desk.scene.options.iter().find(|option| stands(desk.next_pick(option)));
    option.map_or("", |option| &option.label)
}

const HELP: &str = "\
Arrows     move the cursor; where they walk instead, Shift and arrows look around
Enter      point at what is under the cursor; point again at the target
Esc        take back the last pointing
Tab        next pane: board, panels, options, log
1 … 9      that line of the hand, or of the list
letters    the words at the bottom of the screen

u  Ctrl-Z  undo, as far back as you like
r  Ctrl-Y  redo
b          branches: every line that was played is kept
s  o       save to a file, open a saved match
PgUp PgDn  scroll the log
p          pause: bots and clocks wait
q          quit; the match stays saved

Underlined or dotted: can be picked. Green: fits what you picked.";

fn overlay(frame: &mut Frame, desk: &Desk) {
    let Some(shown) = &desk.overlay else { return };
    match shown {
        Overlay::Help => {
            popup(frame, desk, "Help", HELP.lines().map(|line| Line::raw(line.to_owned())).collect());
        }
        Overlay::Quit => {
            let kept = match &desk.play.slot {
                Some(path) if desk.mode == Mode::Play => format!("The match is saved as {}.", path.display()),
                _ => "Nothing is saved.".to_owned(),
            };
            let ask = Line::styled("Leave? y or Enter leaves, any other key stays.", desk.theme.title());
            popup(frame, desk, "Quit", vec![Line::raw(kept), Line::raw(""), ask]);
        }
        Overlay::Choose { numbers, at } => {
            let labels = numbers.iter().map(|&number| desk.scene.options[number].label.clone()).collect();
            list(frame, desk, "Which?", labels, *at);
        }
        Overlay::Branches { list: branches, at } => {
            let line = |branch: &turnstone_table::BranchLine| {
                let mark = if branch.current { '●' } else { '○' };
                format!("{mark} {:>4} played, left at {:<4} {}", branch.length, branch.forked_at, branch.last)
            };
            list(frame, desk, "Branches: Enter goes there", branches.iter().map(line).collect(), *at);
        }
        Overlay::Open { list: saved, at } => {
            let line = |saved: &crate::store::Saved| {
                format!("{:<14} {:<10} {}", saved.name, ago(saved.age), saved.note.title)
            };
            list(frame, desk, "Saved matches: Enter opens", saved.iter().map(line).collect(), *at);
        }
        Overlay::Save { text } => {
            let lines = vec![
                Line::raw("A bare name goes to the saved matches, a path anywhere."),
                Line::styled(format!("{text}▏"), desk.theme.title()),
            ];
            popup(frame, desk, "Save as", lines);
        }
    }
}

fn list(frame: &mut Frame, desk: &Desk, title: &str, texts: Vec<String>, at: usize) {
    if texts.is_empty() {
        return popup(frame, desk, title, vec![Line::raw("There are none.")]);
    }
    let room = usize::from(frame.area().height.saturating_sub(4)).max(1);
    let top = window(at, room, texts.len());
    let widest = texts.iter().map(|text| width(text)).max().unwrap_or(0).min(usize::from(frame.area().width));
    let lines = texts.iter().enumerate().skip(top).take(room).map(|(line, text)| {
        let style = if line == at { desk.theme.cursor() } else { Style::new() };
        Line::styled(pad(text, widest), style)
    });
    popup(frame, desk, title, lines.collect());
}

fn popup(frame: &mut Frame, desk: &Desk, title: &str, lines: Vec<Line<'static>>) {
    let area = frame.area();
    let wanted = lines.iter().map(Line::width).max().unwrap_or(0).max(width(title) + 2) as u16 + 4;
    let (columns, rows) = (wanted.min(area.width), (lines.len() as u16 + 2).min(area.height));
    let place = Rect {
        x: area.x + (area.width - columns) / 2,
        y: area.y + (area.height - rows) / 2,
        width: columns,
        height: rows,
    };
    let block = frame_block(desk, title.to_owned(), true).padding(ratatui::widgets::Padding::horizontal(1));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(Text::from(lines)).block(block), place);
}

fn centred(text: &str, columns: usize) -> String {
    let room = columns.saturating_sub(width(text));
    format!("{}{text}{}", " ".repeat(room / 2), " ".repeat(room - room / 2))
}
