//! Typing a move or the name of an option: letters build a text in the box below everything, and Enter plays what
//! it means.

use anyhow::Result;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Style;
use turnstone_table::scene::{Choice, Pick};

use super::desk::{Desk, Mode};

/// Nobody types more than this.
const LONGEST: usize = 120;
/// So many options that fit are named.
const NAMED: usize = 12;

/// A text being typed.
#[derive(Default)]
pub struct Typed {
    pub text: String,
    /// Which of the options that fit was chosen with the arrows.
    at: Option<usize>,
}

impl Desk {
    /// Whether a text is being typed.
    pub fn is_typing(&self) -> bool {
        !self.typed.text.is_empty()
    }

    /// Whether written moves begin with this letter, so that it can mean nothing else.
    pub fn begins_move(&self, letter: char) -> bool {
        let own = |other: char| other.eq_ignore_ascii_case(&letter);
        self.mode == Mode::Play && self.scene.notation.chars().any(own)
    }

    /// Whether the name of something that can be chosen begins with this letter.
    pub fn begins_name(&self, letter: char) -> bool {
        let begins = |option: &Choice| {
            let name = proper_name(&option.label);
            name.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(&letter))
        };
        self.mode == Mode::Play && self.scene.options.iter().any(begins)
    }

    /// Whether some option has a word that begins with this letter.
    pub fn begins_word(&self, letter: char) -> bool {
        let begins =
            |word: &str| word.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(&letter));
        self.mode == Mode::Play
            && self.scene.options.iter().any(|option| option.label.split_whitespace().any(begins))
    }

    /// Adds what was typed or pasted.
    pub fn type_text(&mut self, text: &str) {
        self.message = None;
        self.typed.at = None;
        let room = LONGEST.saturating_sub(self.typed.text.chars().count());
        self.typed.text.extend(text.chars().filter(|letter| !letter.is_control()).take(room));
    }

    /// Forgets it.
    pub fn clear_typed(&mut self) {
        self.typed = Typed::default();
    }

    /// Answers a key while a text is being typed; false if it is not about the text.
    pub fn typing_key(&mut self, code: KeyCode) -> Result<bool> {
        match code {
            KeyCode::Char(letter) => self.type_text(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => {
                self.typed.text.pop();
                self.typed.at = None;
            }
            KeyCode::Esc => self.clear_typed(),
            KeyCode::Tab => self.complete(),
            KeyCode::Down => self.turn_over(1),
            KeyCode::Up => self.turn_over(-1),
            KeyCode::Enter => self.play_typed()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The options that the text may mean, the likeliest first; equal ones once.
    pub fn meant(&self) -> Vec<usize> {
        let text = squeezed(&self.typed.text);
        let ranked = self.scene.options.iter().enumerate();
        let mut ranked: Vec<(u8, usize)> =
            ranked.filter_map(|(number, option)| Some((self.likeness(option, &text)?, number))).collect();
        ranked.sort_unstable();
        let mut meant: Vec<usize> = ranked.into_iter().map(|(_, number)| number).collect();
        meant.dedup_by(|one, other| self.scene.options[*one] == self.scene.options[*other]);
        meant
    }

    /// How near an option is to a text, 0 being the same; `None` if it does not fit. What a single letter would
    /// press if it were not typed is the likeliest.
    fn likeness(&self, option: &Choice, text: &str) -> Option<u8> {
        let lower = text.to_lowercase();
        let pressed = self.pressed_by(text).map(Pick::Word);
        if pressed.is_some() && option.picks.first() == pressed.as_ref() {
            return Some(0);
        }
        let names = [squeezed(&option.label), squeezed(proper_name(&option.label)), self.squares(option)];
        let best = names.iter().filter(|name| !name.is_empty()).filter_map(|name| {
            let low = name.to_lowercase();
            match () {
                () if name == text => Some(0),
                () if low == lower => Some(1),
                () if name.starts_with(text) => Some(2),
                () if low.starts_with(&lower) => Some(3),
                () => None,
            }
        });
        let words = || option.label.split_whitespace().any(|word| word.to_lowercase().starts_with(&lower));
        best.min().or_else(|| (text.chars().count() > 1 && words()).then_some(4))
    }

    /// The word that has this one letter as its key.
    fn pressed_by(&self, text: &str) -> Option<String> {
        let mut letters = text.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
        self.words().into_iter().find(|(_, key)| *key == Some(letter)).map(|(word, _)| word)
    }

    /// The names of the squares one would point at, one after the other: `e2e4`.
    fn squares(&self, option: &Choice) -> String {
        let Some(board) = &self.scene.board else { return String::new() };
        let name = |pick: &Pick| match pick {
            Pick::Cell(x, y) => {
                let column = board.columns.get(usize::from(*x))?;
                Some(format!("{column}{}", board.rows.get(usize::from(*y))?))
            }
            Pick::Item(..) | Pick::Word(_) => None,
        };
        option.picks.iter().map(name).collect::<Option<String>>().unwrap_or_default()
    }

    /// Types on as far as everything that fits agrees; then goes through what fits.
    fn complete(&mut self) {
        let meant = self.meant();
        let labels: Vec<&str> =
            meant.iter().map(|&number| self.scene.options[number].label.as_str()).collect();
        let Some(first) = labels.first() else { return };
        let agreed = |end: usize| labels.iter().all(|label| label.get(..end) == first.get(..end));
        let ends = first.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let longest = ends.take_while(|&end| agreed(end)).last().unwrap_or(0);
        match longest > self.typed.text.len() {
            true => self.typed.text = first[..longest].to_owned(),
            false => self.turn_over(1),
        }
    }

    fn turn_over(&mut self, by: isize) {
        let length = self.meant().len().min(NAMED) as isize;
        if length > 0 {
            let from = self.typed.at.map_or(if by > 0 { -1 } else { 0 }, |at| at as isize);
            self.typed.at = Some((from + by).rem_euclid(length) as usize);
        }
    }

    /// Plays what the text means: an option chosen from those that fit, a label, the game's own notation, or the
    /// beginning of exactly one option.
    fn play_typed(&mut self) -> Result<()> {
        let meant = self.meant();
        if let Some(&number) = self.typed.at.and_then(|at| meant.get(at)) {
            return self.choose(number);
        }
        let text = self.typed.text.trim().to_owned();
        let named = |option: &Choice| option.label == text;
        if let Some(number) = self.scene.options.iter().position(named) {
            return self.choose(number);
        }
        if self.play.bot_is_next() {
            self.complain("It is not your turn yet.");
            return Ok(());
        }
        if self.play.table.parse(&text).is_some() {
            return self.begin_aside(&text);
        }
        let exact = |number: &&usize| {
            matches!(self.likeness(&self.scene.options[**number], &squeezed(&text)), Some(0 | 1))
        };
        match (meant.as_slice(), meant.iter().filter(exact).count()) {
            ([only], _) | ([only, ..], 1) => self.choose(*only),
            ([], _) => {
                self.complain(&format!("\"{text}\" is no move and no option here. Esc forgets it."));
                Ok(())
            }
            _ => {
                self.complain(&format!("\"{text}\" fits several: type on, or choose with ↑ and ↓."));
                Ok(())
            }
        }
    }

    /// What the box shows while somebody types.
    pub fn typed_lines(&self) -> Vec<(String, Style)> {
        let meant = self.meant();
        let label = |number: usize| self.scene.options[number].label.as_str();
        let then = match (self.typed.at.and_then(|at| meant.get(at)), meant.as_slice()) {
            (Some(&chosen), _) => format!("Enter: {}", label(chosen)),
            (None, [only]) => format!("Enter: {}", label(*only)),
            (None, _) => "Enter plays it".to_owned(),
        };
        let named = (0..).zip(meant.iter().take(NAMED)).map(|(at, &number)| {
            let mark = if self.typed.at == Some(at) { "›" } else { "" };
            format!("{mark}{}", label(number))
        });
        let named: Vec<String> = named.collect();
        let more = if meant.len() > NAMED { " …" } else { "" };
        let mut lines = vec![(
            format!("▸ {}▏  {then} · Tab completes · Esc forgets", self.typed.text),
            self.theme.title(),
        )];
        lines.extend(self.message.clone());
        if !named.is_empty() {
            lines.push((format!("{}{more}", named.join(" · ")), Style::new()));
        }
        lines
    }
}

/// What a label calls by name, behind the words that say what is done with it: `Strike` in `play Strike`; nothing if
/// it names nothing.
pub fn proper_name(label: &str) -> &str {
    let named = |word: &&str| word.chars().next().is_some_and(|first| first.is_uppercase());
    match label.split_whitespace().find(named) {
        Some(word) => label.find(word).map_or("", |at| &label[at..]),
        None => "",
    }
}

/// Without the blanks, which nobody types alike.
fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}
