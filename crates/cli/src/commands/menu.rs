//! `turnstone` alone: games and saved matches.

use std::io::{self, IsTerminal, Write};

use anyhow::{Result, anyhow};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};
use ratatui::{DefaultTerminal, Frame};
use turnstone_table::{Host, Named, Opening, Seat, Setting, Table};

use crate::Ended;
use crate::commands::play::sit_down;
use crate::out::{FAINT, Out, TITLE, screen_colours};
use crate::play::{Play, bot_seed, seed_of_nobody};
use crate::render::{clip, pad, width, wrap};
use crate::screen::theme::Theme;
use crate::screen::with_terminal;
use crate::store::{Saved, Store, ago};

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
        let age = out.paint(FAINT, ago(match_.age));
        writeln!(out, "  {:<16} {} ({age})", match_.name, match_.note.title)?;
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
    loop {
        let saved = store.list();
        let hosts = store.games.all();
        let mut entries: Vec<Entry> = hosts
            .iter()
            .map(|host| Entry { name: host.name().to_owned(), about: host.about().to_owned() })
            .collect();
        entries.extend(saved.iter().map(saved_entry));
        let list = List { trouble: &trouble, ..List::new("Turnstone: what shall we play?", &entries) };
        let Some(at) = list.pick(terminal)? else {
            return Ok(None);
        };
        let result = match hosts.get(at) {
            Some(host) => begin(terminal, *host, store),
            None => Play::load(&saved[at - hosts.len()].path, None, store.games).map(Some),
        };
        match result {
            Ok(Some(play)) => return Ok(Some(play)),
            Ok(None) => trouble.clear(),
            Err(error) => trouble = format!("{error:#}"),
        }
    }
}

fn saved_entry(saved: &Saved) -> Entry {
    let over = if saved.note.over { ", over" } else { "" };
    let about = format!("{} ({}{over})", saved.note.title, ago(saved.age));
    Entry { name: format!("↺ {}", saved.name), about }
}

/// Set-up and seed, rules, the game's own settings, who plays the other seats, and by which clock. `None` if the
/// player goes back.
fn begin(terminal: &mut DefaultTerminal, host: &dyn Host, store: &Store) -> Result<Option<Play>> {
    let setups = host.setups();
    let title = format!("{}: which set-up?", host.name());
    let Some((at, seed)) = choose_setup(terminal, &title, &setups)? else { return Ok(None) };
    let mut ask = Player(terminal);
    let setup = setups.get(at).map(|setup| setup.id.clone());
    let settings = host.settings(setup.as_deref().unwrap_or_default());
    // Set-ups that leave nothing else open say themselves which rules they are for.
    let rulesets = if at == 0 || !settings.is_empty() { host.rulesets() } else { Vec::new() };
    let rules = if rulesets.len() > 1 {
        ask.pick(&format!("{}: which rules?", host.name()), &rulesets, 0)?
    } else {
        Some(0)
    };
    let Some(rules) = rules else { return Ok(None) };
    let ruleset = rulesets.get(rules).map(|rules| rules.id.clone().into());
    let Some(wishes) = ask_settings(host, &settings, &mut ask)? else { return Ok(None) };
    let named = seed.is_some();
    let seed = seed.map_or_else(seed_of_nobody, Ok)?;
    let opening = Opening { setup, ruleset, seed, wishes, ..Opening::default() };
    let mut table = host.open(&opening).map_err(|refusal| anyhow!(refusal))?;
    if table.seats().len() > 1 && !seat_opponents(&mut *table, host, &mut ask)? {
        return Ok(None);
    }
    let timed = table.time_out(0).is_some_and(|told| told.input.is_some());
    let mut play = Play::new(table, Some(store.fresh(host.name())), None);
    if !named {
        play.hide_seed();
    }
    if timed {
        let clocks = CLOCKS.map(|(id, about)| Named::new(id, about));
        let Some(at) = ask.pick("Against the clock?", &clocks, 0)? else { return Ok(None) };
        if let Ok(control) = CLOCKS[at].0.parse() {
            play.set_clock(control)?;
        }
    }
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
        type_words(self.0, &mut List::new(head, &[]), "", |_| true)
    }
}

/// One page with all settings of the game, and the way on above them. What was changed becomes wishes;
/// `None` if the player goes back.
fn ask_settings(
    host: &dyn Host,
    settings: &[Setting],
    ask: &mut dyn Ask,
) -> Result<Option<Vec<(String, String)>>> {
    let mut values: Vec<String> = settings.iter().map(Setting::usual).collect();
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

/// Asks who plays the seats of the others. False if the player goes back.
fn seat_opponents(table: &mut dyn Table, host: &dyn Host, ask: &mut dyn Ask) -> Result<bool> {
    let (seats, bots) = (table.seats(), host.bots());
    let mut entries = bots.clone();
    entries.push(Named::new("people", "Somebody beside you, at this keyboard."));
    let head = format!("You are {}. Who plays {}?", seats[0], seats[1..].join(", "));
    let Some(at) = ask.pick(&head, &entries, 0)? else { return Ok(false) };
    let seed = bot_seed(table);
    if let Some(bot) = bots.get(at) {
        for seat in 1..seats.len() as Seat {
            table.seat_bot(seat, &bot.id, seed).map_err(|refusal| anyhow!(refusal))?;
        }
    }
    Ok(true)
}

/// The set-up, where there are several, and the seed, if the player types one.
fn choose_setup(
    terminal: &mut DefaultTerminal,
    title: &str,
    setups: &[Named],
) -> Result<Option<(usize, Option<u64>)>> {
    if setups.len() < 2 {
        return Ok(Some((0, None)));
    }
    let entries: Vec<Entry> = setups.iter().cloned().map(Entry::from).collect();
    let mut seed = None;
    let mut list = List { has_seed: true, ..List::new(title, &entries) };
    loop {
        list.hint = seed_hint(seed);
        match list.wait(terminal)? {
            Picked::Line(at) => return Ok(Some((at, seed))),
            Picked::Seed => seed = type_seed(terminal, &mut list, seed)?,
            Picked::Nothing => return Ok(None),
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
    let Some(digits) = type_words(terminal, list, head, |letter| letter.is_ascii_digit())? else {
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
    allowed: fn(char) -> bool,
) -> Result<Option<String>> {
    let mut words = String::new();
    loop {
        list.hint = format!("{head}{words}▏  Enter takes it, Esc leaves things as they were");
        terminal.draw(|frame| draw(frame, list))?;
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
    Nothing,
}

const HINT: &str = " ↑ ↓ choose   Enter go on   Esc back";

/// Lines to pick one from.
struct List<'a> {
    title: &'a str,
    entries: &'a [Entry],
    trouble: &'a str,
    hint: String,
    /// Whether `s` asks for a seed.
    has_seed: bool,
    at: usize,
}

impl<'a> List<'a> {
    fn new(title: &'a str, entries: &'a [Entry]) -> Self {
        List { title, entries, trouble: "", hint: HINT.to_owned(), has_seed: false, at: 0 }
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
            terminal.draw(|frame| draw(frame, self))?;
            if let Some(picked) = key(event::read()?).and_then(|key| self.press(key)) {
                return Ok(picked);
            }
        }
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

fn draw(frame: &mut Frame, list: &List) {
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
    let lines = lines(list.width, entries, at, room, theme);
    frame.render_widget(Paragraph::new(lines).block(block), list);
    let style = if trouble.is_empty() { Style::new() } else { theme.error() };
    let said: Vec<Line> = said.into_iter().map(|line| Line::styled(format!(" {line}"), style)).collect();
    frame.render_widget(Paragraph::new(said), about);
    frame.render_widget(Paragraph::new(Line::styled(hint.to_owned(), theme.faint())), foot);
}

/// The entries around the cursor, names and sentences one below the other.
fn lines(columns: u16, entries: &[Entry], at: usize, room: usize, theme: Theme) -> Vec<Line<'static>> {
    let top = at.saturating_sub(room / 2).min(entries.len().saturating_sub(room));
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
        let wishes = ask_settings(host, &settings, &mut script).expect("asks").expect("not gone back");
        assert_eq!(wishes, [("ascension".to_owned(), "20".to_owned())]);
        assert!(script.1[1].starts_with("spire: ") && script.1[1].contains("ascension"), "{:?}", script.1);
        let opening = Opening { setup: Some("silent".into()), wishes, ..Opening::default() };
        let table = host.open(&opening).expect("opens");
        assert!(table.view(Viewer::All)["tower"]["fate"]["ascension"] == 20);
        let back = ask_settings(host, &settings, &mut Script(vec!["ascension"], Vec::new())).expect("asks");
        assert_eq!(back, None);
    }

    #[test]
    fn words_that_are_not_allowed_change_nothing() {
        let host = &turnstone_table::testing::PEBBLES;
        let settings = [Setting::number("rows", "how many?", "Rows.", 1..=9, 3)];
        let mut script = Script(vec!["rows", "12", "rows", "5", "go on"], Vec::new());
        let wishes = ask_settings(host, &settings, &mut script).unwrap().unwrap();
        assert_eq!(wishes, [("rows".to_owned(), "5".to_owned())]);
        assert_eq!(script.1[1], "pebbles: how many? (a number from 1 to 9; now 3)");
    }
}
