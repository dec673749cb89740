//! What lies over the desk for a while: help, lists, questions.

use std::cell::Cell;
use std::path::PathBuf;

use anyhow::Result;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use turnstone_table::{BranchLine, Number, Seat};

use super::desk::{Desk, Mode};
use super::keys::step;
use crate::asides::{Aside, asides, is_grave};
use crate::store::{self, Saved};

/// Something that takes all keys until it is closed.
pub enum Overlay {
    /// The keys.
    Help,
    /// All that is known about what the cursor is on.
    About,
    /// Why a bot did what it did.
    Why(Vec<String>),
    /// Really leave?
    Quit,
    /// Really do that?
    Sure(Deed),
    /// The numbers that are shown: which one is asked where it comes from?
    Numbers { list: Vec<Number>, at: usize },
    /// What can be said beside the options.
    Asides { list: Vec<Aside>, at: usize },
    /// Somebody else is to look at the screen now.
    HandOver(Seat),
    /// Several options end at what was picked: which?
    Choose { numbers: Vec<usize>, at: usize },
    /// Every line that was played.
    Branches { list: Vec<BranchLine>, at: usize },
    /// The saved matches. Whether the one under the cursor is to be thrown away is asked once.
    Open { list: Vec<Saved>, at: usize, doomed: bool },
    /// A line is being typed.
    Ask(Line, String),
}

/// How far a text that is longer than the screen is scrolled. Only who draws it knows how long it is.
#[derive(Debug, Default)]
pub struct Scroll {
    top: Cell<usize>,
    most: Cell<usize>,
}

impl Scroll {
    /// Begins again at the top.
    pub fn reset(&self) {
        self.top.set(0);
    }

    /// The first line that is shown, of so many in so much room.
    pub fn top(&self, lines: usize, room: usize) -> usize {
        self.most.set(lines.saturating_sub(room));
        self.top.set(self.top.get().min(self.most.get()));
        self.top.get()
    }

    fn by(&self, lines: isize) {
        self.top.set(self.top.get().saturating_add_signed(lines).min(self.most.get()));
    }

    /// Follows a key; whether it was one that scrolls what is longer than the screen.
    fn key(&self, code: KeyCode) -> bool {
        const PAGE: isize = 10;
        match code {
            _ if self.most.get() == 0 => return false,
            KeyCode::Up => self.by(-1),
            KeyCode::Down => self.by(1),
            KeyCode::PageUp => self.by(-PAGE),
            KeyCode::PageDown | KeyCode::Char(' ') => self.by(PAGE),
            KeyCode::Home => self.top.set(0),
            KeyCode::End => self.top.set(self.most.get()),
            _ => return false,
        }
        true
    }
}

/// What is asked about before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The option with that number.
    Option(usize),
    /// What a text means.
    Text(String),
}

/// What a typed line is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The file to save to.
    Save,
    /// The number of a moment.
    Jump,
    /// Words of the log.
    Find,
    /// Another name for a saved match.
    Rename(PathBuf),
    /// What a saved match is about.
    Describe(PathBuf),
}

impl Line {
    /// The head of the box, and what is said above the line.
    pub fn words(&self) -> (&'static str, &'static str) {
        match self {
            Line::Save => ("Save as", "A bare name goes to the saved matches, a path anywhere."),
            Line::Jump => ("Go to", "The number of a moment; the beginning is 0."),
            Line::Find => ("Find", "Words of the log; n finds the next place."),
            Line::Rename(_) => ("Rename", "Its new name among the saved matches."),
            Line::Describe(_) => ("Describe", "A few words that stand beside it in the lists."),
        }
    }
}

impl Overlay {
    /// The list of branches, the present one marked.
    pub fn branches(desk: &Desk) -> Self {
        let list = desk.play.table.branches(desk.viewer);
        let at = list.iter().position(|branch| branch.current).unwrap_or(0);
        Overlay::Branches { list, at }
    }

    /// The list of saved matches.
    pub fn open(desk: &Desk) -> Self {
        Overlay::Open { list: desk.store.list(), at: 0, doomed: false }
    }

    /// How many lines can be chosen from, and where the cursor is.
    fn list(&mut self) -> Option<(usize, &mut usize)> {
        match self {
            Overlay::Choose { numbers, at } => Some((numbers.len(), at)),
            Overlay::Branches { list, at } => Some((list.len(), at)),
            Overlay::Open { list, at, .. } => Some((list.len(), at)),
            Overlay::Asides { list, at } => Some((list.len(), at)),
            Overlay::Numbers { list, at } => Some((list.len(), at)),
            Overlay::Help
            | Overlay::About
            | Overlay::Why(_)
            | Overlay::Quit
            | Overlay::Sure(_)
            | Overlay::HandOver(_)
            | Overlay::Ask(..) => None,
        }
    }

    /// Moves the cursor of a list.
    fn move_by(&mut self, by: i32) {
        if let Some((length, at)) = self.list() {
            *at = step(*at, by, length);
        }
    }
}

impl Desk {
    /// Lists what can be said beside the options.
    pub fn list_asides(&mut self) {
        let list = if self.play.bot_is_next() { Vec::new() } else { asides(&*self.play.table) };
        self.overlay = Some(Overlay::Asides { list, at: 0 });
    }

    /// Says something beside the options; what ends the match is asked once.
    pub fn begin_aside(&mut self, text: &str) -> Result<()> {
        if is_grave(text) {
            self.overlay = Some(Overlay::Sure(Deed::Text(text.to_owned())));
            return Ok(());
        }
        self.say_aside(text)
    }

    /// Plays what a text means, from one's own seat.
    pub fn say_aside(&mut self, text: &str) -> Result<()> {
        let Some(input) = self.play.table.parse(text) else { return Ok(()) };
        let seat = self.play.seat;
        let result = self.play.act(|table| match seat {
            Some(seat) => table.act_from(seat, &input),
            None => table.act(&input),
        });
        // What was refused can be mended.
        let refused = result.is_err();
        self.after(result)?;
        if refused {
            self.typed.text = text.to_owned();
        }
        Ok(())
    }

    /// Answers a key while something lies over the desk.
    pub fn overlay_key(&mut self, key: KeyEvent) -> Result<()> {
        match &mut self.overlay {
            Some(Overlay::Ask(..)) => self.line_key(key.code),
            Some(Overlay::Open { doomed: true, .. }) => self.doomed_key(key.code),
            Some(
                Overlay::Choose { .. }
                | Overlay::Branches { .. }
                | Overlay::Open { .. }
                | Overlay::Asides { .. }
                | Overlay::Numbers { .. },
            ) => self.list_key(key.code),
            Some(Overlay::Quit) => {
                self.leaving = matches!(key.code, KeyCode::Char('y' | 'Y' | 'q') | KeyCode::Enter);
                self.overlay = None;
                Ok(())
            }
            Some(Overlay::Sure(deed)) => {
                let deed = deed.clone();
                self.overlay = None;
                match (key.code, deed) {
                    (KeyCode::Char('y' | 'Y') | KeyCode::Enter, Deed::Option(number)) => {
                        self.carry_out(number)
                    }
                    (KeyCode::Char('y' | 'Y') | KeyCode::Enter, Deed::Text(text)) => self.say_aside(&text),
                    _ => self.step_back(),
                }
            }
            Some(Overlay::Help | Overlay::About | Overlay::Why(_)) if self.scroll.key(key.code) => Ok(()),
            Some(Overlay::Help | Overlay::About | Overlay::Why(_) | Overlay::HandOver(_)) | None => {
                self.overlay = None;
                Ok(())
            }
        }
    }

    /// Moves the cursor of a list, or scrolls a text, by so many notches of the wheel.
    pub fn move_overlay(&mut self, by: i32) {
        match &mut self.overlay {
            Some(Overlay::Help | Overlay::About | Overlay::Why(_)) => self.scroll.by(3 * by as isize),
            Some(overlay) => overlay.move_by(by),
            None => {}
        }
    }

    fn line_key(&mut self, code: KeyCode) -> Result<()> {
        let Some(Overlay::Ask(_, text)) = &mut self.overlay else { return Ok(()) };
        match code {
            KeyCode::Char(letter) => text.push(letter),
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Enter => return self.close_with_enter(),
            KeyCode::Esc => self.overlay = None,
            _ => {}
        }
        Ok(())
    }

    fn list_key(&mut self, code: KeyCode) -> Result<()> {
        if let Some(Overlay::Open { list, at, doomed }) = &mut self.overlay
            && let Some(saved) = list.get(*at)
        {
            let path = saved.path.clone();
            match code {
                KeyCode::Char('d') | KeyCode::Delete => {
                    *doomed = true;
                    return Ok(());
                }
                KeyCode::Char('r') => {
                    self.overlay = Some(Overlay::Ask(Line::Rename(path), saved.name.clone()));
                    return Ok(());
                }
                KeyCode::Char('n') => {
                    self.overlay = Some(Overlay::Ask(Line::Describe(path), saved.note.about.clone()));
                    return Ok(());
                }
                _ => {}
            }
        }
        let Some((length, at)) = self.overlay.as_mut().and_then(Overlay::list) else { return Ok(()) };
        match code {
            KeyCode::Up => *at = step(*at, -1, length),
            KeyCode::Down => *at = step(*at, 1, length),
            KeyCode::PageUp | KeyCode::Home => *at = 0,
            KeyCode::PageDown | KeyCode::End => *at = length.saturating_sub(1),
            KeyCode::Char(digit @ '1'..='9') if (digit as usize - '1' as usize) < length => {
                *at = digit as usize - '1' as usize;
                return self.close_with_enter();
            }
            KeyCode::Enter | KeyCode::Char(' ') => return self.close_with_enter(),
            KeyCode::Esc | KeyCode::Char('q') => self.cancel_overlay(),
            _ => {}
        }
        Ok(())
    }

    /// A saved match is thrown away if that is confirmed. The one being played stays.
    fn doomed_key(&mut self, code: KeyCode) -> Result<()> {
        let Some(Overlay::Open { list, at, doomed }) = &mut self.overlay else { return Ok(()) };
        *doomed = false;
        let Some(saved) = list.get(*at).filter(|_| matches!(code, KeyCode::Char('y' | 'Y'))) else {
            return Ok(());
        };
        let path = saved.path.clone();
        if self.play.slot.as_deref() == Some(&path) {
            self.overlay = None;
            self.complain("That match is being played.");
            return Ok(());
        }
        let result = store::remove(&path);
        self.show_saved(result, 0);
        Ok(())
    }

    /// The list again after something was done to it, or what went wrong.
    fn show_saved(&mut self, result: Result<()>, at: usize) {
        match result {
            Ok(()) => self.overlay = Some(Overlay::Open { list: self.store.list(), at, doomed: false }),
            Err(error) => {
                self.overlay = None;
                self.complain(&format!("{error:#}"));
            }
        }
    }

    /// Chooses a line of the list that lies over the desk.
    pub fn click_entry(&mut self, entry: usize) -> Result<()> {
        if let Some((length, at)) = self.overlay.as_mut().and_then(Overlay::list)
            && entry < length
        {
            *at = entry;
            return self.close_with_enter();
        }
        Ok(())
    }

    pub fn cancel_overlay(&mut self) {
        if let Some(Overlay::Choose { .. }) = self.overlay.take() {
            self.picks.pop();
        }
    }

    fn close_with_enter(&mut self) -> Result<()> {
        match self.overlay.take() {
            Some(Overlay::Choose { numbers, at }) => match numbers.get(at) {
                Some(&number) => self.choose(number),
                None => Ok(()),
            },
            Some(Overlay::Branches { list, at }) => {
                let Some(branch) = list.get(at) else { return Ok(()) };
                if self.mode == Mode::Replay {
                    return self.show_branch(branch.tip);
                }
                let moved = self.play.jump(branch.tip).is_ok();
                // To look at a line is not to play it on.
                self.paused |= self.play.bot_is_next();
                self.travelled(moved, "That branch is gone.")
            }
            Some(Overlay::Asides { list, at }) => match list.get(at) {
                Some(aside) => self.begin_aside(aside.word),
                None => Ok(()),
            },
            Some(Overlay::Numbers { list, at }) => {
                if let Some(number) = list.get(at) {
                    self.tell_number(&number.id);
                }
                Ok(())
            }
            Some(Overlay::Ask(line, text)) => self.take_line(&line, text.trim()),
            Some(Overlay::Open { list, at, .. }) => {
                if let Some(saved) = list.get(at) {
                    self.open_file(saved.path.clone());
                }
                Ok(())
            }
            Some(
                Overlay::Help
                | Overlay::About
                | Overlay::Why(_)
                | Overlay::Quit
                | Overlay::Sure(_)
                | Overlay::HandOver(_),
            )
            | None => Ok(()),
        }
    }

    fn take_line(&mut self, line: &Line, text: &str) -> Result<()> {
        match line {
            Line::Save => self.save_as(text),
            Line::Jump => return self.jump_to(text),
            Line::Find => return self.find(text),
            Line::Rename(path) => self.rename(path, text),
            Line::Describe(path) => {
                // The note of the match being played is written again with every action.
                if self.play.slot.as_ref() == Some(path) {
                    self.play.about = text.to_owned();
                }
                let result = self.store.describe(path, text);
                self.show_saved(result, 0);
            }
        }
        Ok(())
    }

    fn rename(&mut self, path: &std::path::Path, name: &str) {
        if self.play.slot.as_deref() == Some(path) {
            self.complain("That match is being played; s saves it under another name.");
            return;
        }
        let result = self.store.rename(path, name);
        self.show_saved(result, 0);
    }

    fn save_as(&mut self, name: &str) {
        if name.is_empty() {
            self.complain("Not saved: a file name is missing.");
            return;
        }
        match self.play.save_as(&self.store, name) {
            Ok(path) => self.say(&format!("Saved to {}.", path.display())),
            Err(error) => self.complain(&format!("Not saved: {error:#}")),
        }
    }

    fn open_file(&mut self, path: PathBuf) {
        match self.play.leave_for(&path, self.store.games) {
            Ok(play) => {
                *self = Desk::new(play, self.store.clone(), Mode::Play);
                self.say(&format!("Going on with {}.", path.display()));
            }
            Err(error) => self.complain(&format!("Not opened: {error:#}")),
        }
    }
}
