//! Drawing the desk: the title, everything on it, and the keys below.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use turnstone_table::scene::Pick;

use super::desk::{Desk, Mode};
use super::keys::arrow;
use super::layout::{LEAST, Parts, parts};
use super::overlay::Overlay;
use super::{info, panes, popup};
use crate::render::{clip, pad, width, wrap};

/// Draws everything.
pub fn desk(frame: &mut Frame, desk: &mut Desk) {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return too_small(frame, area);
    }
    let mut spots = Vec::new();
    // While the screen is handed over, nothing of the table is on it.
    if !matches!(desk.overlay, Some(Overlay::HandOver(_))) {
        let parts = divide(area, desk);
        title(frame, parts.title, desk);
        panes::draw(frame, &parts, desk, &mut spots);
        info::draw(frame, &parts, desk);
        footer(frame, parts.footer, desk);
    }
    spots.extend(popup::draw(frame, desk));
    desk.spots = spots;
}

/// Lists that shrink stay where they are, until others take their place.
fn divide(area: Rect, desk: &mut Desk) -> Parts {
    let shape = (area, desk.scene.panels.iter().map(|panel| panel.id.clone()).collect());
    let columns = if desk.settled.0 == shape { desk.settled.1 } else { 1 };
    let parts = parts(area, &desk.scene, desk.focus, columns);
    desk.settled = (shape, parts.columns);
    parts
}

fn too_small(frame: &mut Frame, area: Rect) {
    let (columns, rows) = LEAST;
    let text = format!("This window is too small: make it {columns} by {rows} at least.");
    let lines = wrap(&text, usize::from(area.width).max(1));
    frame.render_widget(Paragraph::new(lines.into_iter().map(Line::raw).collect::<Vec<_>>()), area);
}

fn title(frame: &mut Frame, place: Rect, desk: &Desk) {
    let table = &desk.play.table;
    let line = match desk.mode {
        Mode::Play => (desk.play.told_line().len() - 1).to_string(),
        Mode::Replay => format!("{} of {}", desk.reel.at, desk.reel.length()),
    };
    let mode = match (desk.mode, desk.paused) {
        (Mode::Replay, true) => "replay · ".to_owned(),
        (Mode::Replay, false) => format!("replay at {} · ", desk.reel.pace()),
        (Mode::Play, true) => "paused · ".to_owned(),
        (Mode::Play, false) => String::new(),
    };
    let left = format!(" {} · {}", table.game(), desk.scene.title);
    let clock = clock(desk);
    let columns = usize::from(place.width).saturating_sub(clock.iter().map(Span::width).sum::<usize>());
    // Where the match stands goes before what one can look up.
    let against = against(desk);
    let tails = [
        desk.play
            .shown_seed()
            .map_or_else(String::new, |seed| format!("{mode}{against}seed {seed} · {line} played ")),
        format!("{mode}{against}{line} played "),
        format!("{mode}{line} played "),
        mode,
    ];
    let fits = |tail: &&String| !tail.is_empty() && width(&left) + 1 + width(tail) <= columns;
    let tail = tails.iter().find(fits).unwrap_or(&tails[3]).clone();
    let room = columns.saturating_sub(width(&tail) + 1);
    let mut spans = vec![Span::styled(pad(&clip(&left, room), room), desk.theme.title()), Span::raw(" ")];
    spans.extend(clock);
    spans.push(Span::styled(tail, desk.theme.faint()));
    frame.render_widget(Paragraph::new(Line::from(spans)), place);
}

/// Whom one plays against, if those are bots: each once.
fn against(desk: &Desk) -> String {
    let mut names: Vec<String> = desk.play.table.bots().into_iter().map(|(_, name)| name).collect();
    names.dedup();
    if names.is_empty() || desk.play.people().is_empty() || desk.mode == Mode::Replay {
        return String::new();
    }
    format!("against {} · ", names.join(", "))
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

fn footer(frame: &mut Frame, place: Rect, desk: &Desk) {
    let mut entries = hints(desk);
    let length = |entries: &[(String, String)]| -> usize {
        entries.iter().map(|(key, what)| width(key) + width(what) + 3).sum()
    };
    // What everybody knows after a minute gives way first; help always shows the rest.
    let spares = [
        "open",
        "save",
        "give up, draw",
        "turn",
        "branches",
        "redo",
        "part",
        "next line",
        "find",
        "speed",
        "log",
        "pick",
        "next list",
        "hint",
        "why",
        "undo",
        "quit",
    ];
    for spare in spares {
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
    let plain = |key: &str, what: &str| (key.to_owned(), what.to_owned());
    let command = |letter: char, what: &str| (desk.command_key(letter), what.to_owned());
    match desk.mode {
        Mode::Replay => hints.extend([
            plain("← →", "step"),
            plain(".", "part"),
            plain("Space", if desk.paused { "run" } else { "stop" }),
            plain("+ -", "speed"),
            plain("g", "go to"),
            plain("/", "find"),
            plain("]", "next line"),
            plain("e", "why"),
        ]),
        Mode::Play => {
            hints.extend([plain("Enter", "pick"), command('u', "undo"), command('r', "redo")]);
            hints.extend([command('t', "hint"), command('e', "why")]);
            if desk.scene.board.as_ref().is_some_and(|board| !board.aside && board.graph.is_none()) {
                hints.push(command('f', "turn"));
            }
            if desk.play.table.outcome().is_none() && desk.play.table.parse("resign").is_some() {
                hints.push(command('g', "give up, draw"));
            }
        }
    }
    hints.extend([plain("Tab", "next list"), plain("PgUp", "log"), command('b', "branches")]);
    if desk.mode == Mode::Play {
        hints.extend([command('s', "save"), command('o', "open")]);
    }
    hints.extend([plain("?", "help"), command('q', "quit")]);
    hints
}

/// The label of the option that a word of one letter stands for.
fn label<'a>(desk: &'a Desk, word: &str) -> &'a str {
    let stands = |pick: Option<&Pick>| matches!(pick, Some(Pick::Word(next)) if next == word);
    let option = desk.scene.options.iter().find(|option| stands(desk.next_pick(option)));
    option.map_or("", |option| &option.label)
}
