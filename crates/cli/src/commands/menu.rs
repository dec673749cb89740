//! `turnstone` alone: games and saved matches.

use std::io::{self, IsTerminal, Write};

use anyhow::{Result, anyhow};
use ratatui::crossterm::event::{
    self, Event, KeyCode, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};
use ratatui::{DefaultTerminal, Frame};
use turnstone_table::{Host, Named, Opening, Seat, Setting, Table};

use crate::Ended;
use crate::commands::play::sit_down;
use crate::memory::{Choices, Memory};
use crate::out::{FAINT, Out, TITLE, screen_colours};
use crate::play::{Play, bot_seed, seed_of_nobody};
use crate::progress::{Best, Progress};
use crate::render::{clip, pad, width, wrap};
use crate::screen::theme::Theme;
use crate::screen::with_terminal;
use crate::store::{Saved, Store, remove};

/// A list on the screen, or lines in a pipe.
pub fn run(store: &Store) -> Result<Ended> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        print(store)?;
        return Ok(Ended::Well);
    }
    while let Some(play) = with_terminal(|terminal| choose(terminal, store))? {
        sit_down(play, store, false)?;
    }
    Ok(Ended::Well)
}

fn print(store: &Store) -> Result<()> {
    let mut out = Out::new();
    writeln!(out, "{}", out.paint(TITLE, "Games"))?;
    for host in store.games.all() {
        writeln!(out, "  {:<10} {}", host.name(), host.about())?;
    }
    let saved = store.list();
    if !saved.is_empty() {
        writeln!(out, "{}", out.paint(TITLE, "Saved matches"))?;
    }
    for match_ in saved.iter().take(20) {
        let line = out.paint(FAINT, match_.line());
        writeln!(out, "  {:<16} {line}", match_.name)?;
    }
    writeln!(
        out,
        "\nturnstone play GAME starts, turnstone resume [NAME] goes on, turnstone help shows more."
    )?;
    out.flush()?;
    Ok(())
}

/// One line of a list.
struct Entry {
    name: String,
    about: String,
}

impl From<Named> for Entry {
    fn from(named: Named) -> Self {
        Entry { name: named.id, about: named.about }
    }
}

/// Asks what to play until there is an answer; `None` to leave.
fn choose(terminal: &mut DefaultTerminal, store: &Store) -> Result<Option<Play>> {
    let mut trouble = String::new();
    let mut memory = Memory::read(store);
    let hosts = store.games.all();
    let mut at = hosts.iter().position(|host| host.name() == memory.game).unwrap_or(0);
    loop {
        // What is not over comes first: one goes on with it.
        let mut saved = store.list();
        saved.sort_by_key(|saved| !saved.is_unfinished());
        let mut entries: Vec<Entry> = hosts
            .iter()
            .map(|host| Entry { name: host.name().to_owned(), about: host.about().to_owned() })
            .collect();
        entries.extend(saved.iter().map(saved_entry));
        let mut list =
            List { trouble: &trouble, at, ..List::new("Turnstone: what shall we play?", &entries) };
        list.saves_from = Some(hosts.len());
        list.hint = match saved.first().filter(|saved| saved.is_unfinished()) {
            Some(latest) => format!("{HINT}   g go on with {}{SAVES}", latest.name),
            None if !saved.is_empty() => format!("{HINT}{SAVES}"),
            None => HINT.to_owned(),
        };
        let picked = list.wait(terminal)?;
        at = list.at;
        let of = |line: usize| line.checked_sub(hosts.len()).and_then(|line| saved.get(line));
        let result = match picked {
            Picked::Nothing => return Ok(None),
            Picked::Line(line) => match hosts.get(line) {
                Some(host) => begin(terminal, *host, store, &mut memory),
                None => Play::load(&saved[line - hosts.len()].path, None, store.games).map(Some),
            },
            Picked::Latest => match saved.first().filter(|saved| saved.is_unfinished()) {
                Some(latest) => Play::load(&latest.path, None, store.games).map(Some),
                None => Ok(None),
            },
            Picked::Delete(line) => of(line).map_or(Ok(()), |saved| delete(terminal, saved)).map(|()| None),
            Picked::Rename(line) => {
                of(line).map_or(Ok(()), |saved| rename(terminal, store, saved)).map(|()| None)
            }
            Picked::Describe(line) => {
                of(line).map_or(Ok(()), |saved| describe(terminal, store, saved)).map(|()| None)
            }
            Picked::Seed => Ok(None),
        };
        match result {
            Ok(Some(play)) => return Ok(Some(play)),
            Ok(None) => trouble.clear(),
            Err(error) => trouble = format!("{error:#}"),
        }
    }
}

fn delete(terminal: &mut DefaultTerminal, saved: &Saved) -> Result<()> {
    let head = format!("Delete {} for good?", saved.name);
    let answers = [Named::new("keep it", "Nothing is changed."), Named::new("delete it", saved.line())];
    match Player(terminal).pick(&head, &answers, 0)? {
        Some(1) => remove(&saved.path),
        _ => Ok(()),
    }
}

fn rename(terminal: &mut DefaultTerminal, store: &Store, saved: &Saved) -> Result<()> {
    let head = format!("A new name for {}", saved.name);
    match type_words(terminal, &mut List::new(&head, &[]), " Name: ", &saved.name, |_| true)? {
        Some(name) => store.rename(&saved.path, name.trim()),
        None => Ok(()),
    }
}

fn describe(terminal: &mut DefaultTerminal, store: &Store, saved: &Saved) -> Result<()> {
    let head = format!("A few words about {}", saved.name);
    match type_words(terminal, &mut List::new(&head, &[]), " About: ", &saved.note.about, |_| true)? {
        Some(words) => store.describe(&saved.path, words.trim()),
        None => Ok(()),
    }
}

fn saved_entry(saved: &Saved) -> Entry {
    Entry { name: format!("↺ {}", saved.name), about: saved.line() }
}

/// The line of that name, or the first.
fn line_of(entries: &[Named], name: &str) -> usize {
    entries.iter().position(|entry| entry.id == name).unwrap_or(0)
}

/// The set-up of last time; if it is a level that was solved, the next one that was not.
fn first_setup(progress: &Progress, host: &dyn Host, setups: &[Named], before: &str) -> usize {
    let at = line_of(setups, before);
    let solved = |setup: &Named| progress.of(host.name(), &setup.id).is_some();
    match setups.get(at) {
        Some(setup) if solved(setup) => {
            setups.iter().skip(at).position(|setup| !solved(setup)).map_or(at, |ahead| at + ahead)
        }
        _ => at,
    }
}

/// A set-up with how well it was solved, if it was.
fn with_progress(progress: &Progress, host: &dyn Host, setup: &Named) -> Named {
    match progress.of(host.name(), &setup.id) {
        Some(Best { turns: Some(turns) }) => {
            Named::new(&setup.id, format!("✓ best: {turns} turns. {}", setup.about))
        }
        Some(Best { turns: None }) => Named::new(&setup.id, format!("✓ {}", setup.about)),
        None => setup.clone(),
    }
}

/// Set-up and seed, rules, the game's own settings, who plays the other seats, and by which clock; each begins with what
/// was chosen last time. `None` if the player goes back.
fn begin(
    terminal: &mut DefaultTerminal,
    host: &dyn Host,
    store: &Store,
    memory: &mut Memory,
) -> Result<Option<Play>> {
    let mut choices = memory.of(host.name());
    let setups = host.setups();
    let title = format!("{}: which set-up?", host.name());
    let progress = Progress::read(store.dir());
    let first = first_setup(&progress, host, &setups, &choices.setup);
    let told: Vec<Named> = setups.iter().map(|setup| with_progress(&progress, host, setup)).collect();
    let Some((at, seed)) = choose_setup(terminal, &title, &told, first)? else { return Ok(None) };
    let mut ask = Player(terminal);
    let setup = setups.get(at).map(|setup| setup.id.clone());
    let settings = host.settings(setup.as_deref().unwrap_or_default());
    // Set-ups that leave nothing else open say themselves which rules they are for.
    let rulesets = if at == 0 || !settings.is_empty() { host.rulesets() } else { Vec::new() };
    let rules = if rulesets.len() > 1 {
        let first = line_of(&rulesets, &choices.ruleset);
        ask.pick(&format!("{}: which rules?", host.name()), &rulesets, first)?
    } else {
        Some(0)
    };
    let Some(rules) = rules else { return Ok(None) };
    let ruleset = rulesets.get(rules).map(|rules| rules.id.clone());
    let Some(wishes) = ask_settings(host, &settings, &choices.wishes, &mut ask)? else { return Ok(None) };
    let named = seed.is_some();
    let seed = seed.map_or_else(seed_of_nobody, Ok)?;
    choices = Choices {
        setup: setup.clone().unwrap_or_default(),
        ruleset: ruleset.clone().unwrap_or_default(),
        wishes: wishes.clone(),
        ..choices
    };
    let opening = Opening { setup, ruleset: ruleset.map(Into::into), seed, wishes, ..Opening::default() };
    let mut table = host.open(&opening).map_err(|refusal| anyhow!(refusal))?;
    if table.seats().len() > 1 {
        match seat_opponents(&mut *table, host, &choices.opponent, &mut ask)? {
            Some(opponent) => choices.opponent = opponent,
            None => return Ok(None),
        }
    }
    let timed = table.time_out(0).is_some_and(|told| told.input.is_some());
    let mut play = Play::new(table, Some(store.fresh(host.name())), None);
    play.sign();
    if !named {
        play.hide_seed();
    }
    if timed {
        let clocks = CLOCKS.map(|(id, about)| Named::new(id, about));
        let first = line_of(&clocks, &choices.clock);
        let Some(at) = ask.pick("Against the clock?", &clocks, first)? else { return Ok(None) };
        choices.clock = CLOCKS[at].0.to_owned();
        if let Ok(control) = CLOCKS[at].0.parse() {
            play.set_clock(control)?;
        }
    }
    memory.keep(store, host.name(), choices);
    Ok(Some(play))
}

/// Somebody who can be asked: the player at the terminal, or a test.
trait Ask {
    /// One of several, beginning at that line; `None` to go back.
    fn pick(&mut self, head: &str, entries: &[Named], at: usize) -> Result<Option<usize>>;
    /// Words; `None` to leave things as they are.
    fn words(&mut self, head: &str) -> Result<Option<String>>;
}

/// The player at the terminal.
struct Player<'a>(&'a mut DefaultTerminal);

impl Ask for Player<'_> {
    fn pick(&mut self, head: &str, entries: &[Named], at: usize) -> Result<Option<usize>> {
        let entries: Vec<Entry> = entries.iter().cloned().map(Entry::from).collect();
        List { at, ..List::new(head, &entries) }.pick(self.0)
    }

    fn words(&mut self, head: &str) -> Result<Option<String>> {
        type_words(self.0, &mut List::new(head, &[]), "", "", |_| true)
    }
}

/// One page with all settings of the game, beginning with those of last time, and the way on above them. What differs
/// from the usual becomes wishes; `None` if the player goes back.
fn ask_settings(
    host: &dyn Host,
    settings: &[Setting],
    before: &[(String, String)],
    ask: &mut dyn Ask,
) -> Result<Option<Vec<(String, String)>>> {
    let kept = |setting: &Setting| {
        let (_, value) = before.iter().find(|(id, value)| *id == setting.id && setting.allows(value))?;
        Some(value.clone())
    };
    let mut values: Vec<String> =
        settings.iter().map(|setting| kept(setting).unwrap_or_else(|| setting.usual())).collect();
    let mut at = 0;
    while !settings.is_empty() {
        let go = Named::new("go on", "With what is set below; each line can be changed.");
        let lines = settings.iter().zip(&values);
        let lines =
            lines.map(|(setting, value)| Named::new(format!("{}: {value}", setting.id), &setting.about));
        let entries: Vec<Named> = std::iter::once(go).chain(lines).collect();
        match ask.pick(&format!("{}: which settings?", host.name()), &entries, at)? {
            None => return Ok(None),
            Some(0) => break,
            Some(line) => {
                at = line;
                let setting = &settings[line - 1];
                if let Some(value) = ask_one(host, setting, &values[line - 1], ask)? {
                    values[line - 1] = value;
                }
            }
        }
    }
    // The usual answer needs no wish.
    let changed = settings.iter().zip(values).filter(|(setting, value)| *value != setting.usual());
    Ok(Some(changed.map(|(setting, value)| (setting.id.clone(), value)).collect()))
}

fn ask_one(host: &dyn Host, setting: &Setting, now: &str, ask: &mut dyn Ask) -> Result<Option<String>> {
    let head = format!("{}: {}", host.name(), setting.question);
    let choices = setting.choices();
    if choices.is_empty() {
        let head =
            format!("{head} ({}; now {})", setting.allowed(), if now.is_empty() { "nothing" } else { now });
        return Ok(ask.words(&head)?.filter(|value| setting.allows(value)));
    }
    let at = choices.iter().position(|choice| choice.id == now).unwrap_or(0);
    Ok(ask.pick(&head, choices, at)?.and_then(|at| choices.get(at)).map(|choice| choice.id.clone()))
}

/// Clocks one is asked about; `--clock` takes any.
const CLOCKS: [(&str, &str); 5] = [
    ("no clock", "Take your time."),
    ("3+2", "Three minutes each, two seconds more for every move."),
    ("5+3", "Five minutes each, three seconds more for every move."),
    ("10", "Ten minutes each."),
    ("30+20", "Half an hour each, twenty seconds more for every move."),
];

/// Asks who plays the seats of the others, beginning with who did last time, or with the level in the middle: a fair
/// one to begin with. Levels come first, then the bots by their names. Gives who; `None` if the player goes back.
fn seat_opponents(
    table: &mut dyn Table,
    host: &dyn Host,
    before: &str,
    ask: &mut dyn Ask,
) -> Result<Option<String>> {
    let (seats, levels) = (table.seats(), host.levels());
    let bots: Vec<Named> = levels.iter().cloned().chain(host.bots()).collect();
    let mut entries = bots.clone();
    entries.push(Named::new("people", "Somebody beside you, at this keyboard."));
    let head = format!("You are {}. Who plays {}?", seats[0], seats[1..].join(", "));
    let first = entries.iter().position(|entry| entry.id == before).unwrap_or(levels.len() / 2);
    let Some(at) = ask.pick(&head, &entries, first)? else { return Ok(None) };
    let seed = bot_seed(table);
    if let Some(bot) = bots.get(at) {
        for seat in 1..seats.len() as Seat {
            table.seat_bot(seat, &bot.id, seed).map_err(|refusal| anyhow!(refusal))?;
        }
    }
    Ok(entries.get(at).map(|entry| entry.id.clone()))
}

/// The set-up, where there are several, and the seed, if the player types one.
fn choose_setup(
    terminal: &mut DefaultTerminal,
    title: &str,
    setups: &[Named],
    first: usize,
) -> Result<Option<(usize, Option<u64>)>> {
    if setups.len() < 2 {
        return Ok(Some((0, None)));
    }
    let entries: Vec<Entry> = setups.iter().cloned().map(Entry::from).collect();
    let mut seed = None;
    let mut list = List { has_seed: true, at: first, ..List::new(title, &entries) };
    loop {
        list.hint = seed_hint(seed);
        match list.wait(terminal)? {
            Picked::Line(at) => return Ok(Some((at, seed))),
            Picked::Seed => seed = type_seed(terminal, &mut list, seed)?,
            Picked::Nothing => return Ok(None),
            Picked::Latest | Picked::Delete(_) | Picked::Rename(_) | Picked::Describe(_) => {}
        }
    }
}

fn seed_hint(seed: Option<u64>) -> String {
    let seed = seed.map_or("another one every time".to_owned(), |seed| seed.to_string());
    format!("{HINT}   s seed: {seed}")
}

/// Lets the player type a seed in the bottom line; an empty one is drawn anew for every match.
fn type_seed(terminal: &mut DefaultTerminal, list: &mut List, before: Option<u64>) -> Result<Option<u64>> {
    let head = " Seed, in digits: ";
    let Some(digits) = type_words(terminal, list, head, "", |letter| letter.is_ascii_digit())? else {
        return Ok(before);
    };
    // Digits past the largest seed do not count.
    Ok((!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX)))
}

/// Lets the player type words in the bottom line; `None` for Esc.
fn type_words(
    terminal: &mut DefaultTerminal,
    list: &mut List,
    head: &str,
    before: &str,
    allowed: fn(char) -> bool,
) -> Result<Option<String>> {
    let mut words = before.to_owned();
    loop {
        list.hint = format!("{head}{words}▏  Enter takes it, Esc leaves things as they were");
        terminal.draw(|frame| {
            draw(frame, list);
        })?;
        match key(event::read()?) {
            Some(KeyCode::Char(letter)) if allowed(letter) => words.push(letter),
            Some(KeyCode::Backspace) => drop(words.pop()),
            Some(KeyCode::Enter) => return Ok(Some(words)),
            Some(KeyCode::Esc) => return Ok(None),
            _ => {}
        }
    }
}

/// What a player does with a list.
enum Picked {
    Line(usize),
    Seed,
    /// The match that was played last and is not over.
    Latest,
    /// Something is to be done with the saved match on that line.
    Delete(usize),
    Rename(usize),
    Describe(usize),
    Nothing,
}

const SAVES: &str = "   r rename  n describe  d delete";
const HINT: &str = " ↑ ↓ choose   Enter go on   Esc back";

/// Lines to pick one from.
struct List<'a> {
    title: &'a str,
    entries: &'a [Entry],
    trouble: &'a str,
    hint: String,
    /// Whether `s` asks for a seed.
    has_seed: bool,
    /// From this line on there are saved matches.
    saves_from: Option<usize>,
    at: usize,
}

impl<'a> List<'a> {
    fn new(title: &'a str, entries: &'a [Entry]) -> Self {
        List { title, entries, trouble: "", hint: HINT.to_owned(), has_seed: false, saves_from: None, at: 0 }
    }

    /// Lets the player pick one line; `None` for Esc.
    fn pick(mut self, terminal: &mut DefaultTerminal) -> Result<Option<usize>> {
        match self.wait(terminal)? {
            Picked::Line(at) => Ok(Some(at)),
            _ => Ok(None),
        }
    }

    /// Shows the list until the player has done something with it.
    fn wait(&mut self, terminal: &mut DefaultTerminal) -> Result<Picked> {
        loop {
            let mut lines = (Rect::default(), 0);
            terminal.draw(|frame| lines = draw(frame, self))?;
            let picked = match event::read()? {
                Event::Mouse(mouse) => self.point(&mouse, lines),
                event => key(event).and_then(|key| self.press(key)),
            };
            if let Some(picked) = picked {
                return Ok(picked);
            }
        }
    }

    /// Answers the mouse: where the lines are, and which of them is the first in sight, is known from drawing them.
    fn point(&mut self, mouse: &MouseEvent, (place, top): (Rect, usize)) -> Option<Picked> {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.press(KeyCode::Up),
            MouseEventKind::ScrollDown => self.press(KeyCode::Down),
            MouseEventKind::Down(MouseButton::Right) => Some(Picked::Nothing),
            MouseEventKind::Down(MouseButton::Left) if place.contains((mouse.column, mouse.row).into()) => {
                let line = top + usize::from(mouse.row - place.y);
                (line < self.entries.len()).then_some(Picked::Line(line))
            }
            _ => None,
        }
    }

    /// Whether the cursor is on a saved match.
    fn on_save(&self) -> bool {
        self.saves_from.is_some_and(|from| (from..self.entries.len()).contains(&self.at))
    }

    fn press(&mut self, key: KeyCode) -> Option<Picked> {
        let last = self.entries.len().saturating_sub(1);
        match key {
            KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Down => self.at = (self.at + 1).min(last),
            KeyCode::Home | KeyCode::PageUp => self.at = 0,
            KeyCode::End | KeyCode::PageDown => self.at = last,
            KeyCode::Enter | KeyCode::Char(' ') if !self.entries.is_empty() => {
                return Some(Picked::Line(self.at));
            }
            KeyCode::Char(digit @ '1'..='9') if (digit as usize - '1' as usize) < self.entries.len() => {
                return Some(Picked::Line(digit as usize - '1' as usize));
            }
            KeyCode::Char('s') if self.has_seed => return Some(Picked::Seed),
            KeyCode::Char('g') if self.saves_from.is_some() => return Some(Picked::Latest),
            KeyCode::Char('d') | KeyCode::Delete if self.on_save() => return Some(Picked::Delete(self.at)),
            KeyCode::Char('r') if self.on_save() => return Some(Picked::Rename(self.at)),
            KeyCode::Char('n') if self.on_save() => return Some(Picked::Describe(self.at)),
            KeyCode::Esc | KeyCode::Char('q' | 'c') => return Some(Picked::Nothing),
            _ => {}
        }
        None
    }
}

/// The key of an event that presses one.
fn key(event: Event) -> Option<KeyCode> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(key.code),
        _ => None,
    }
}

/// Columns of a name; longer ones are cut.
const NAME: usize = 24;

/// Draws it; gives the place of its lines, and which is the first of them.
fn draw(frame: &mut Frame, list: &List) -> (Rect, usize) {
    let theme = Theme { colours: screen_colours() };
    let List { title, entries, trouble, ref hint, at, .. } = *list;
    let chosen = entries.get(at).map_or(String::new(), |entry| format!("{}: {}", entry.name, entry.about));
    let said = if trouble.is_empty() { chosen.as_str() } else { trouble };
    let said = wrap(said, usize::from(frame.area().width.saturating_sub(2)).max(1));
    let rows = (said.len() as u16).clamp(2, 6);
    let [list, about, foot] =
        Layout::vertical([Constraint::Min(3), Constraint::Length(rows), Constraint::Length(1)])
            .areas(frame.area());
    let room = usize::from(list.height.saturating_sub(2)).max(1);
    let count =
        if entries.len() > room { format!("({} of {}) ", at + 1, entries.len()) } else { String::new() };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.faint())
        .title(Line::styled(format!(" {title} {count}"), theme.title()));
    let (place, top) = (block.inner(list), top_of(entries.len(), at, room));
    let lines = lines(list.width, entries, at, room, theme);
    frame.render_widget(Paragraph::new(lines).block(block), list);
    let style = if trouble.is_empty() { Style::new() } else { theme.error() };
    let said: Vec<Line> = said.into_iter().map(|line| Line::styled(format!(" {line}"), style)).collect();
    frame.render_widget(Paragraph::new(said), about);
    frame.render_widget(Paragraph::new(Line::styled(hint.to_owned(), theme.faint())), foot);
    (place, top)
}

/// The first line in sight.
fn top_of(length: usize, at: usize, room: usize) -> usize {
    at.saturating_sub(room / 2).min(length.saturating_sub(room))
}

/// The entries around the cursor, names and sentences one below the other.
fn lines(columns: u16, entries: &[Entry], at: usize, room: usize, theme: Theme) -> Vec<Line<'static>> {
    let top = top_of(entries.len(), at, room);
    let names = entries.iter().map(|entry| width(&entry.name)).max().unwrap_or(0).min(NAME);
    let rest = usize::from(columns).saturating_sub(names + 6);
    let shown = entries.iter().enumerate().skip(top).take(room);
    shown
        .map(|(line, entry)| {
            let style = if line == at { theme.cursor() } else { Style::new() };
            let name = format!(" {} ", pad(&clip(&entry.name, names), names));
            let name = Span::styled(name, theme.title().patch(style));
            Line::from(vec![name, Span::raw(" "), Span::raw(clip(&entry.about, rest))])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use turnstone_table::Viewer;

    use super::*;

    #[test]
    fn keys_walk_the_list_and_ask_for_a_seed() {
        let entries: Vec<Entry> = [Named::new("a", ""), Named::new("b", "")].map(Entry::from).into();
        let mut list = List { has_seed: true, ..List::new("", &entries) };
        assert!(list.press(KeyCode::Down).is_none() && list.press(KeyCode::Down).is_none());
        assert!(matches!(list.press(KeyCode::Enter), Some(Picked::Line(1))));
        assert!(matches!(list.press(KeyCode::Char('1')), Some(Picked::Line(0))));
        assert!(list.press(KeyCode::Char('3')).is_none());
        assert!(matches!(list.press(KeyCode::Char('s')), Some(Picked::Seed)));
        list.has_seed = false;
        assert!(list.press(KeyCode::Char('s')).is_none());
        assert!(matches!(list.press(KeyCode::Esc), Some(Picked::Nothing)));
        assert!(seed_hint(Some(42)).ends_with("s seed: 42"));
    }

    /// Picks what it is told to, in order, and then goes back.
    struct Script(Vec<&'static str>, Vec<String>);

    impl Ask for Script {
        fn pick(&mut self, head: &str, entries: &[Named], _at: usize) -> Result<Option<usize>> {
            self.1.push(head.to_owned());
            let word = if self.0.is_empty() { return Ok(None) } else { self.0.remove(0) };
            Ok(Some(entries.iter().position(|entry| entry.id.starts_with(word)).expect(word)))
        }

        fn words(&mut self, head: &str) -> Result<Option<String>> {
            self.1.push(head.to_owned());
            Ok(Some(self.0.remove(0).to_owned()))
        }
    }

    #[test]
    fn settings_become_wishes_that_open_a_table() {
        let host = turnstone_games::games().find("spire").expect("spire is hosted");
        let settings = host.settings("silent");
        let mut script = Script(vec!["ascension", "20", "go on"], Vec::new());
        let wishes = ask_settings(host, &settings, &[], &mut script).expect("asks").expect("not gone back");
        assert_eq!(wishes, [("ascension".to_owned(), "20".to_owned())]);
        assert!(script.1[1].starts_with("spire: ") && script.1[1].contains("ascension"), "{:?}", script.1);
        let opening = Opening { setup: Some("silent".into()), wishes, ..Opening::default() };
        let table = host.open(&opening).expect("opens");
        assert!(table.view(Viewer::All)["tower"]["fate"]["ascension"] == 20);
        let back =
            ask_settings(host, &settings, &[], &mut Script(vec!["ascension"], Vec::new())).expect("asks");
        assert_eq!(back, None);
    }

    #[test]
    fn settings_begin_with_those_of_last_time_as_far_as_they_are_allowed() {
        let host = &turnstone_table::testing::PEBBLES;
        let settings = [Setting::number("rows", "how many?", "Rows.", 1..=9, 3)];
        let ask = |value: &str| {
            let before = [("rows".to_owned(), value.to_owned())];
            ask_settings(host, &settings, &before, &mut Script(vec!["go on"], Vec::new())).unwrap().unwrap()
        };
        assert_eq!(ask("5"), [("rows".to_owned(), "5".to_owned())]);
        assert_eq!(ask("12"), []);
    }

    #[test]
    fn the_first_opponent_is_a_fair_one_and_then_the_last_one() {
        let host = turnstone_games::games().find("skirmish").expect("skirmish is hosted");
        struct First;
        impl Ask for First {
            fn pick(&mut self, _head: &str, _entries: &[Named], at: usize) -> Result<Option<usize>> {
                Ok(Some(at))
            }
            fn words(&mut self, _head: &str) -> Result<Option<String>> {
                Ok(None)
            }
        }
        let seat = |before: &str| {
            let mut table = host.open(&Opening::default()).expect("opens");
            seat_opponents(&mut *table, host, before, &mut First).unwrap().unwrap()
        };
        assert_ne!(seat(""), "random");
        assert_eq!((seat("easy"), seat("people")), ("easy".to_owned(), "people".to_owned()));
    }

    #[test]
    fn words_that_are_not_allowed_change_nothing() {
        let host = &turnstone_table::testing::PEBBLES;
        let settings = [Setting::number("rows", "how many?", "Rows.", 1..=9, 3)];
        let mut script = Script(vec!["rows", "12", "rows", "5", "go on"], Vec::new());
        let wishes = ask_settings(host, &settings, &[], &mut script).unwrap().unwrap();
        assert_eq!(wishes, [("rows".to_owned(), "5".to_owned())]);
        assert_eq!(script.1[1], "pebbles: how many? (a number from 1 to 9; now 3)");
    }
}
