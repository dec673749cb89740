//! Drawing what lies over the desk for a while.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph};

use super::desk::{Desk, Mode};
use super::info;
use super::mouse::Spot;
use super::overlay::{Deed, Overlay};
use super::panes::window;
use crate::render::{clip, pad, width, wrap};

/// The columns in which the help names keys.
const HELP_KEYS: usize = 11;

const HELP: &str = "\
typing     a move, a name or a few words of an option; Enter plays it, Tab completes
Arrows     move the cursor; where they walk, Shift and arrows look around
Enter      point at what is under the cursor; then at its target
Esc        take back the last pointing
Tab        next list: board, panels, options, log; it opens what is closed
1 … 9, 0   that line of the list that is marked with digits
letters    the words at the bottom of the screen
mouse      a click points, the other button takes back, the wheel scrolls;
           most terminals select text while Shift is held
i  F2      all that is known about what is under the cursor
e          the log tells every reason of the last action, or all actions in short
v          where a number comes from: every change of it, and who made it
t  w       a hint by the strongest bot; why the last bot did what it did
g          give up, offer or accept a draw, where the game knows that
f          turn the board round
PgUp PgDn  scroll the log
u  Ctrl-Z  undo, as far back as you like
r  Ctrl-Y  redo
Home       back to the beginning; what was played stays a branch
b          branches: every line that was played is kept
s  o       save to a file; open, rename, describe or delete a saved match
p          pause: bots and clocks wait
q  Ctrl-C  quit; the match stays saved. Ctrl-C twice leaves at once
Where a letter begins a move or a name it is typed; then ^E, say, is the command e.

▸ or underlined: can be picked. Green: fits what you picked.
Shaded, or › without colours: the last action, the way so far.";

/// What the keys of a replay do.
const REPLAY_HELP: &str = "\
← →        one moment back, one on      Home End   the beginning, the end
Space      run, and stop                 + -        faster, slower
.          the next part of what the next input sets off: one cell of a slide, one blast
g          go to a moment by its number
/  n       find words of the log, find the next place
] [        the next line that was played, and the one before, where they part
b          all lines that were played
e          every reason of this moment beside the board, or the log in short
v          where a number comes from: every change of it, and who made it
f          turn the board round
Tab        next list: board, panels, log; arrows ↑ ↓ move in it
i  F2      all that is known about what is under the cursor
PgUp PgDn  scroll the log; so does the wheel of the mouse
q  Ctrl-C  leave; nothing is changed";

/// Draws it, if there is anything; gives where the lines of a list are.
pub fn draw(frame: &mut Frame, desk: &Desk) -> Vec<(Rect, Spot)> {
    let Some(shown) = &desk.overlay else {
        desk.scroll.reset();
        return Vec::new();
    };
    match shown {
        Overlay::Help => {
            let columns = usize::from(frame.area().width).saturating_sub(4).max(1);
            let help = if desk.mode == Mode::Replay { REPLAY_HELP.to_owned() } else { help(desk) };
            text(frame, desk, "Help", plain(wrap(&help, columns)));
        }
        Overlay::Sure(deed) => {
            let label = match deed {
                Deed::Option(number) => {
                    desk.scene.options.get(*number).map_or("", |option| option.label.as_str())
                }
                Deed::Text(text) => text,
            };
            let lines = vec![
                Line::styled(label.to_owned(), desk.theme.title()),
                Line::raw("y or Enter does it, any other key does not."),
            ];
            popup(frame, desk, "Really?", lines);
        }
        Overlay::HandOver(seat) => {
            let seats = desk.play.table.seats();
            let name = seats.get(usize::from(*seat)).map_or("", String::as_str);
            let lines = vec![
                Line::styled(format!("{name} is to look now."), desk.theme.title()),
                Line::raw("Hand over; any key shows the table."),
            ];
            popup(frame, desk, "Hand over", lines);
        }
        Overlay::About => {
            let columns = usize::from(frame.area().width).saturating_sub(8).clamp(1, 80);
            text(frame, desk, "About", info::wrapped(desk, columns));
        }
        Overlay::Why(lines) => {
            let columns = usize::from(frame.area().width).saturating_sub(8).max(1);
            text(frame, desk, "Why", plain(wrap(&lines.join("\n"), columns)));
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
            return list(frame, desk, "Which?", labels, *at);
        }
        Overlay::Branches { list: branches, at } => {
            let line = |branch: &turnstone_table::BranchLine| {
                let (mark, from) = match (branch.current, branch.forked_at) {
                    (true, _) => ('●', "where you are".to_owned()),
                    (false, 0) => ('○', "from the beginning".to_owned()),
                    (false, at) => ('○', format!("another way from {at}")),
                };
                format!("{mark} {:>4} played, {from:<21} {}", branch.length, branch.last)
            };
            return list(frame, desk, "Branches: Enter goes there", branches.iter().map(line).collect(), *at);
        }
        Overlay::Numbers { list: numbers, at } => {
            let texts = numbers.iter().map(|number| format!("{:>5}  {}", number.now, number.name)).collect();
            return list(frame, desk, "Where does it come from?", texts, *at);
        }
        Overlay::Asides { list: said, at } => {
            let texts = said.iter().map(|aside| format!("{:<12} {}", aside.word, aside.about)).collect();
            return list(frame, desk, "Beside the moves", texts, *at);
        }
        Overlay::Open { list: saved, at, doomed } => {
            let line = |saved: &crate::store::Saved| format!("{:<16} {}", saved.name, saved.line());
            let head = match (doomed, saved.get(*at)) {
                (true, Some(saved)) => format!("Delete {} for good? y does it", saved.name),
                _ => "Saved: Enter opens, r renames, n describes, d deletes".to_owned(),
            };
            return list(frame, desk, &head, saved.iter().map(line).collect(), *at);
        }
        Overlay::Ask(line, text) => {
            let (head, about) = line.words();
            let lines = vec![Line::raw(about), Line::styled(format!("{text}▏"), desk.theme.title())];
            popup(frame, desk, head, lines);
        }
    }
    Vec::new()
}

/// The help, with the keys as they are now: where a letter begins a move or a name, its command is on Ctrl.
fn help(desk: &Desk) -> String {
    let spelled = |line: &str| {
        let (keys, about) = line.split_at_checked(HELP_KEYS).unwrap_or((line, ""));
        let letters: Vec<char> =
            keys.split_whitespace().filter(|key| key.len() == 1).flat_map(str::chars).collect();
        if letters.is_empty() || letters.iter().any(|letter| !letter.is_ascii_lowercase()) {
            return line.to_owned();
        }
        let key = |key: &str| match key.chars().next() {
            Some(letter) if key.len() == 1 => desk.command_key(letter),
            _ => key.to_owned(),
        };
        let keys: Vec<String> = keys.split_whitespace().map(key).collect();
        format!("{:<HELP_KEYS$}{about}", keys.join("  "))
    };
    HELP.lines().map(spelled).collect::<Vec<_>>().join("\n")
}

/// Draws a text that may be longer than the screen.
fn text(frame: &mut Frame, desk: &Desk, title: &str, mut lines: Vec<Line<'static>>) {
    let room = usize::from(frame.area().height.saturating_sub(2)).max(1);
    let (count, top) = (lines.len(), desk.scroll.top(lines.len(), room));
    let title = match count > room {
        true => format!("{title} ({} to {} of {count}; ↑ ↓ scroll)", top + 1, (top + room).min(count)),
        false => title.to_owned(),
    };
    popup(frame, desk, &title, lines.drain(..).skip(top).take(room).collect());
}

fn plain<S: Into<String>>(lines: impl IntoIterator<Item = S>) -> Vec<Line<'static>> {
    lines.into_iter().map(|line| Line::raw(line.into())).collect()
}

/// Draws a list; gives where its lines are.
fn list(frame: &mut Frame, desk: &Desk, title: &str, texts: Vec<String>, at: usize) -> Vec<(Rect, Spot)> {
    if texts.is_empty() {
        popup(frame, desk, title, vec![Line::raw("There are none.")]);
        return Vec::new();
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
    let inner = popup(frame, desk, &title, lines.collect());
    let shown = (top..texts.len()).take(usize::from(inner.height));
    let row = |entry: usize| Rect { y: inner.y + (entry - top) as u16, height: 1, ..inner };
    shown.map(|entry| (row(entry), Spot::Entry(entry))).collect()
}

/// Draws a box in the middle; gives the place of its text.
fn popup(frame: &mut Frame, desk: &Desk, title: &str, lines: Vec<Line<'static>>) -> Rect {
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
    let inner = block.inner(place);
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(Text::from(lines)).block(block), place);
    inner
}
