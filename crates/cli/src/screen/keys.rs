//! Keys: the same for every game, except that a game's own words come first.

use anyhow::Result;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use turnstone_table::scene::{Lie, Pick};

use super::desk::{Desk, Focus, Mode};
use super::overlay::{Line, Overlay};

/// The screen's own letters. A word of the game that is one letter long takes precedence; the same
/// command is then on Ctrl.
const OWN: &str = "urbsoqpi";
/// All commands that are letters. Those that are not [`OWN`] give way to the game's words.
const COMMANDS: &str = "urbsoqpi?tfegwv";

impl Desk {
    /// The words that can be picked next, each with its key.
    pub fn words(&self) -> Vec<(String, Option<char>)> {
        let mut words: Vec<String> = Vec::new();
        for option in &self.scene.options {
            // A word that begins an option is always at hand.
            let next = self.next_pick(option).or(option.picks.first());
            if let Some(Pick::Word(word)) = next
                && !words.contains(word)
            {
                words.push(word.clone());
            }
        }
        let single = |word: &String| (word.chars().count() == 1).then(|| word.chars().next()).flatten();
        // While a question waits, its answers have their own first letters: the queen's is q.
        let own = if self.scene.question.is_some() { "" } else { OWN };
        let mut taken: Vec<char> = words.iter().filter_map(single).chain(own.chars()).collect();
        let mut keyed = Vec::new();
        for word in words {
            let key = single(&word).or_else(|| {
                if arrow(&word).is_some() {
                    return None;
                }
                let letters = word.to_lowercase();
                let upper = letters.to_uppercase();
                let mut candidates = letters.chars().chain(upper.chars());
                let free =
                    candidates.find(|letter| letter.is_ascii_alphabetic() && !taken.contains(letter))?;
                taken.push(free);
                Some(free)
            });
            keyed.push((word, key));
        }
        keyed
    }

    /// Answers a key.
    pub fn key(&mut self, key: KeyEvent) -> Result<()> {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            // Who asks twice means it.
            self.leaving = matches!(self.overlay, Some(Overlay::Quit));
            self.overlay = Some(Overlay::Quit);
            return Ok(());
        }
        if self.overlay.is_some() {
            return self.overlay_key(key);
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('z') => self.undo(),
                KeyCode::Char('y') => self.redo(),
                KeyCode::Char(letter) => self.command(letter),
                _ => Ok(()),
            };
        }
        if self.is_typing() && self.typing_key(key.code)? {
            return Ok(());
        }
        if self.mode == Mode::Replay && self.reel_key(key.code)? {
            return Ok(());
        }
        match key.code {
            KeyCode::Up => self.arrow("up", 0, -1, key.modifiers),
            KeyCode::Down => self.arrow("down", 0, 1, key.modifiers),
            KeyCode::Left => self.arrow("left", -1, 0, key.modifiers),
            KeyCode::Right => self.arrow("right", 1, 0, key.modifiers),
            KeyCode::Tab => self.move_focus(1),
            KeyCode::BackTab => self.move_focus(-1),
            KeyCode::PageUp => self.scroll(10),
            KeyCode::PageDown => self.scroll(-10),
            KeyCode::Enter => self.enter(),
            KeyCode::Esc => self.step_back(),
            KeyCode::Home => self.restart(),
            KeyCode::F(1) => self.command('?'),
            KeyCode::F(2) => self.command('i'),
            KeyCode::Char(letter) => self.letter(letter),
            _ => Ok(()),
        }
    }

    /// A letter begins a move where moves are written; presses a word of the game; points at a line; begins the name
    /// of something; or is a command.
    fn letter(&mut self, letter: char) -> Result<()> {
        if self.begins_move(letter) {
            self.type_text(letter.encode_utf8(&mut [0; 4]));
            return Ok(());
        }
        let word = self.words().into_iter().find(|(_, key)| *key == Some(letter));
        match (word, letter) {
            (Some((word, _)), _) => self.pick(Pick::Word(word)),
            (None, ' ') => self.enter(),
            (None, '1'..='9') => self.digit(letter as usize - '1' as usize),
            (None, '0') => self.digit(9),
            (None, _) if self.begins_name(letter) => {
                self.type_text(letter.encode_utf8(&mut [0; 4]));
                Ok(())
            }
            (None, _) if COMMANDS.contains(letter) => self.command(letter),
            (None, _) if self.begins_word(letter) => {
                self.type_text(letter.encode_utf8(&mut [0; 4]));
                Ok(())
            }
            (None, _) => self.command(letter),
        }
    }

    /// How a command is given now: by its letter, or with Ctrl where the letter means something else.
    pub fn command_key(&self, letter: char) -> String {
        let taken = self.begins_move(letter)
            || self.begins_name(letter)
            || self.words().iter().any(|(_, key)| *key == Some(letter));
        if taken && letter.is_ascii_alphabetic() {
            format!("^{}", letter.to_ascii_uppercase())
        } else {
            letter.to_string()
        }
    }

    fn command(&mut self, letter: char) -> Result<()> {
        match letter {
            'u' => return self.undo(),
            'r' => return self.redo(),
            'p' => self.paused = !self.paused,
            'q' => self.overlay = Some(Overlay::Quit),
            'i' => self.overlay = Some(Overlay::About),
            '?' => self.overlay = Some(Overlay::Help),
            'b' => self.overlay = Some(Overlay::branches(self)),
            's' => self.overlay = Some(Overlay::Ask(Line::Save, String::new())),
            'o' => self.overlay = Some(Overlay::open(self)),
            't' => self.ask_hint(),
            'g' => self.list_asides(),
            'v' => self.list_numbers(),
            'w' => self.ask_why(),
            'f' => self.flipped = !self.flipped,
            'e' => self.why = !self.why,
            _ => self.complain("That key does nothing here; ? shows those that do."),
        }
        Ok(())
    }

    /// An arrow is a word of the game if the game has such words, and moves the cursor otherwise.
    fn arrow(&mut self, word: &str, x: i32, y: i32, modifiers: KeyModifiers) -> Result<()> {
        let pick = Pick::Word(word.to_owned());
        self.roaming |= modifiers.contains(KeyModifiers::SHIFT);
        if !modifiers.contains(KeyModifiers::SHIFT)
            && matches!(self.focus, Focus::Board | Focus::Panel(_))
            && self.is_pickable(&pick)
        {
            self.roaming = false;
            return self.pick(pick);
        }
        match self.focus {
            Focus::Board => self.move_cell(x, y),
            Focus::Panel(index) if y != 0 => {
                let length = self.scene.panels[index].items.len();
                self.items[index] = step(self.items[index], y, length);
            }
            Focus::Options if y != 0 => self.option = step(self.option, y, self.listed().len()),
            Focus::Log if y != 0 => return self.scroll(-y as isize),
            _ => return self.move_focus(x as isize),
        }
        Ok(())
    }

    fn move_cell(&mut self, x: i32, y: i32) {
        let turned = self.is_turned();
        let Some(board) = &self.scene.board else { return };
        let (x, y) = if turned { (-x, -y) } else { (x, y) };
        let shift = |at: u16, by: i32, length: u16| {
            (i32::from(at) + by).clamp(0, i32::from(length.saturating_sub(1))) as u16
        };
        self.cell = (shift(self.cell.0, x, board.width), shift(self.cell.1, y, board.height));
    }

    fn move_focus(&mut self, by: isize) -> Result<()> {
        let stops = self.stops();
        let at = stops.iter().position(|stop| *stop == self.focus).unwrap_or(0) as isize;
        self.focus = stops[(at + by).rem_euclid(stops.len() as isize) as usize];
        Ok(())
    }

    /// Scrolls the log; where it is not in sight, it comes into sight.
    fn scroll(&mut self, up: isize) -> Result<()> {
        if !self.log_in_sight {
            self.focus = Focus::Log;
            return Ok(());
        }
        self.log_up = self.log_up.saturating_add_signed(up);
        Ok(())
    }

    /// Points at what the cursor is on.
    pub fn enter(&mut self) -> Result<()> {
        if self.mode == Mode::Play && self.play.what_follows().is_some() {
            self.go_on();
            return Ok(());
        }
        if self.focus == Focus::Options {
            return match self.listed().get(self.option) {
                Some(&number) => self.choose(number),
                None => Ok(()),
            };
        }
        match self.under_cursor() {
            Some(pick) => self.pick(pick),
            None => Ok(()),
        }
    }

    /// Takes back the last pointing.
    pub fn step_back(&mut self) -> Result<()> {
        self.message = None;
        self.picks.pop();
        self.led = false;
        self.option = 0;
        if self.picks.is_empty() {
            self.go_home();
        }
        Ok(())
    }

    /// A digit points at a line of the list that shows digits.
    fn digit(&mut self, index: usize) -> Result<()> {
        match self.digits_point_at() {
            Some(panel) => {
                let Some(&line) = self.keyed(panel).get(index) else { return Ok(()) };
                // The cursor goes along, so that what is explained is what was picked.
                self.items[panel] = line;
                self.pick(Pick::Item(self.scene.panels[panel].id.clone(), line as u16))
            }
            None => match self.listed().get(index) {
                Some(&number) => self.choose(number),
                None => Ok(()),
            },
        }
    }

    /// The lines of a panel that digits point at, in order: those that can be picked. In a hand it is the place that
    /// counts, also of what cannot be played.
    pub fn keyed(&self, panel: usize) -> Vec<usize> {
        let panel = &self.scene.panels[panel];
        let lines = 0..panel.items.len();
        let is_keyed = |line: &usize| self.is_pickable(&Pick::Item(panel.id.clone(), *line as u16));
        if panel.lie == Lie::Hand { lines.collect() } else { lines.filter(is_keyed).collect() }
    }

    /// The panel that digits point at: the one in focus if something can be picked there, or the first in
    /// which something can be; none if they choose from the list of options.
    pub fn digits_point_at(&self) -> Option<usize> {
        let lively = |index: &usize| {
            let panel = &self.scene.panels[*index];
            (0..panel.items.len() as u16).any(|line| self.is_pickable(&Pick::Item(panel.id.clone(), line)))
        };
        match self.focus {
            Focus::Options => None,
            Focus::Panel(index) if lively(&index) => Some(index),
            _ => (0..self.scene.panels.len()).find(lively),
        }
    }
}

/// Whether a word is an arrow key.
pub fn arrow(word: &str) -> Option<char> {
    match word {
        "up" => Some('↑'),
        "down" => Some('↓'),
        "left" => Some('←'),
        "right" => Some('→'),
        _ => None,
    }
}

/// One step in a list, stopping at its ends.
pub fn step(at: usize, by: i32, length: usize) -> usize {
    at.saturating_add_signed(by as isize).min(length.saturating_sub(1))
}
