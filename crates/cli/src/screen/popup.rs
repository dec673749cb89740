//! Drawing what lies over the desk for a while.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph};

use super::desk::{Desk, Mode};
use super::info;
use super::overlay::Overlay;
use super::panes::window;
use crate::render::{clip, pad, width, wrap};
use crate::store::ago;

const HELP: &str = "\
Arrows     move the cursor; where they walk, Shift and arrows look around
Enter      point at what is under the cursor; then at its target
Esc        take back the last pointing
Tab        next list: board, panels, options, log; it opens what is closed
1 … 9, 0   that line of the list that is marked with digits
letters    the words at the bottom of the screen
i          all that is known about what is under the cursor
PgUp PgDn  scroll the log
u  Ctrl-Z  undo, as far back as you like
r  Ctrl-Y  redo
b          branches: every line that was played is kept
s  o       save to a file, open a saved match
p          pause: bots and clocks wait
q          quit; the match stays saved

▸ or underlined: can be picked. Green: fits what you picked.
Shaded, or › without colours: the last action, the way so far.";

/// Draws it, if there is anything.
pub fn draw(frame: &mut Frame, desk: &Desk) {
    let Some(shown) = &desk.overlay else { return };
    match shown {
        Overlay::Help => {
            let columns = usize::from(frame.area().width).saturating_sub(4).max(1);
            popup(frame, desk, "Help", plain(wrap(HELP, columns)));
        }
        Overlay::About => {
            let columns = usize::from(frame.area().width).saturating_sub(8).clamp(1, 80);
            popup(frame, desk, "About", info::wrapped(desk, columns));
        }
        Overlay::Quit => {
            let kept = match &desk.play.slot {
                Some(path) if desk.mode == Mode::Play => format!("The match is saved as {}.", path.display()),
                _ => "Nothing is saved.".to_owned(),
            };
            let mut lines = plain(wrap(&kept, usize::from(frame.area().width).saturating_sub(4).max(1)));
            lines.push(Line::raw(""));
            lines.push(Line::styled("Leave? y or Enter leaves, any other key stays.", desk.theme.title()));
            popup(frame, desk, "Quit", lines);
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

fn plain<S: Into<String>>(lines: impl IntoIterator<Item = S>) -> Vec<Line<'static>> {
    lines.into_iter().map(|line| Line::raw(line.into())).collect()
}

fn list(frame: &mut Frame, desk: &Desk, title: &str, texts: Vec<String>, at: usize) {
    if texts.is_empty() {
        return popup(frame, desk, title, vec![Line::raw("There are none.")]);
    }
    let room = usize::from(frame.area().height.saturating_sub(4)).max(1);
    let top = window(at, room, texts.len());
    let most = usize::from(frame.area().width.saturating_sub(4));
    let widest = texts.iter().map(|text| width(text)).max().unwrap_or(0).min(most);
    let lines = texts.iter().enumerate().skip(top).take(room).map(|(line, text)| {
        let style = if line == at { desk.theme.cursor() } else { Style::new() };
        Line::styled(pad(&clip(text, most), widest), style)
    });
    let title = match texts.len() > room {
        true => format!("{title} ({} of {})", at + 1, texts.len()),
        false => title.to_owned(),
    };
    popup(frame, desk, &title, lines.collect());
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
    let style = desk.theme.frame(true);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(style)
        .title(Line::styled(format!(" {title} "), style))
        .padding(Padding::horizontal(1));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(Text::from(lines)).block(block), place);
}
