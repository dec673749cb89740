//! The box below everything: what waits, what the cursor is on, what it would do.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use turnstone_table::scene::Pick;

use super::desk::{Desk, Focus, Mode};
use super::layout::Parts;
use super::panes::{rule, tabs};
use crate::render::wrap;

/// Draws what fits; the key that shows the rest is named if there is one.
pub fn draw(frame: &mut Frame, parts: &Parts, desk: &Desk) {
    let place = parts.info;
    if place.height < 2 {
        return;
    }
    let columns = usize::from(place.width).saturating_sub(1);
    let lines = wrapped(desk, columns);
    let room = usize::from(place.height - 1);
    let mark = match lines.len().saturating_sub(room) {
        0 => String::new(),
        1 => "i: 1 more line".to_owned(),
        more => format!("i: {more} more lines"),
    };
    let inner = rule(frame, place, desk, &tabs(parts, desk), &mark, false);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
    frame.render_widget(Paragraph::new(lines.into_iter().take(room).collect::<Vec<_>>()), inner);
}

/// Everything there is to say, in lines of that width.
pub fn wrapped(desk: &Desk, columns: usize) -> Vec<Line<'static>> {
    let told = waiting_lines(desk).into_iter().chain(about_cursor(desk));
    told.flat_map(|(text, style)| {
        wrap(&text, columns.max(1)).into_iter().map(move |piece| Line::styled(piece, style))
    })
    .collect()
}

/// What has ended, gone wrong, or waits.
fn waiting_lines(desk: &Desk) -> Vec<(String, Style)> {
    let mut lines = Vec::new();
    if desk.is_typing() {
        return desk.typed_lines();
    }
    if desk.mode == Mode::Replay {
        let (at, of) = (desk.reel.at, desk.reel.length());
        lines.push((format!("{} {at} of {of}", desk.reel.bar(32)), desk.theme.faint()));
    }
    match (desk.play.ending(), desk.mode) {
        (Some(ending), Mode::Play) => {
            let (undo, quit) = (desk.command_key('u'), desk.command_key('q'));
            let next = desk.play.what_follows().map(|next| format!(" Enter goes on with {next},"));
            let next = next.unwrap_or_default();
            lines.push((format!("{ending}{next} {undo} takes it back, {quit} leaves."), desk.theme.title()));
        }
        (Some(ending), Mode::Replay) => lines.push((ending, desk.theme.title())),
        (None, _) => {}
    }
    if let Some((text, style)) = &desk.message {
        lines.push((text.clone(), *style));
    } else if desk.mode == Mode::Play && desk.play.bot_is_next() {
        lines.push((waiting(desk), desk.theme.faint()));
    } else if let Some(question) = &desk.scene.question {
        lines.push((question.clone(), desk.theme.title()));
    } else if !desk.picks.is_empty()
        && !desk.led
        && desk.overlay.is_none()
        && desk.option_under_cursor().is_none()
    {
        lines.push((next_step(desk), desk.theme.faint()));
    }
    lines
}

/// What completes that which has been picked: something to point at, or words with their keys.
fn next_step(desk: &Desk) -> String {
    let nexts = || desk.scene.options.iter().filter_map(|option| desk.next_pick(option));
    let keyed = desk.words().into_iter().filter_map(|(word, key)| Some((word, key?)));
    let fitting = keyed.filter(|(word, _)| nexts().any(|pick| *pick == Pick::Word(word.clone())));
    let words: Vec<String> = fitting.map(|(word, key)| format!("{key} to {word}")).collect();
    match (words.is_empty(), nexts().all(|pick| matches!(pick, Pick::Word(_)))) {
        (true, _) => "Now point at what it is for. Esc takes it back.".to_owned(),
        (false, true) => format!("Press {}. Esc takes it back.", words.join(", ")),
        (false, false) => {
            format!("Now point at what it is for, or press {}. Esc takes it back.", words.join(", "))
        }
    }
}

/// The thing under the cursor in full, what choosing it would do, and what is known about it. Nothing is
/// said twice.
fn about_cursor(desk: &Desk) -> Vec<(String, Style)> {
    let option = desk.option_under_cursor();
    let preview = option.map_or(String::new(), |option| option.preview.replace('\n', "; "));
    let label = option.map_or("", |option| option.label.as_str());
    // A card in the hand says itself what it does; at its target, the numbers are those of the moment.
    let first = match (desk.focus, preview.is_empty()) {
        (Focus::Panel(_), _) if desk.picks.is_empty() => String::new(),
        (_, true) => label.to_owned(),
        (_, false) => format!("{label}: {preview}"),
    };
    let mut lines: Vec<(String, Style)> = Vec::new();
    let texts = [first, desk.item_text().trim_start().to_owned(), preview];
    let notes = desk.note().lines().map(str::to_owned);
    for text in texts.into_iter().chain(notes).filter(|text| !text.is_empty()) {
        if !lines.iter().any(|(said, _)| said.contains(&text)) {
            let style = if lines.is_empty() { desk.theme.title() } else { Style::new() };
            lines.push((text, style));
        }
    }
    lines
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
