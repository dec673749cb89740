//! What lies over the desk for a while: help, lists, questions.

use std::path::PathBuf;

use anyhow::Result;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use turnstone_table::BranchLine;

use super::desk::{Desk, Mode};
use super::keys::step;
use crate::play::Play;
use crate::store::Saved;

/// Something that takes all keys until it is closed.
pub enum Overlay {
    /// The keys.
    Help,
    /// All that is known about what the cursor is on.
    About,
    /// Really leave?
    Quit,
    /// Several options end at what was picked: which?
    Choose { numbers: Vec<usize>, at: usize },
    /// Every line that was played.
    Branches { list: Vec<BranchLine>, at: usize },
    /// A file name is being typed.
    Save { text: String },
    /// The saved matches.
    Open { list: Vec<Saved>, at: usize },
}

impl Overlay {
    /// The list of branches, the present one marked.
    pub fn branches(desk: &Desk) -> Self {
        let list = desk.play.table.branches(desk.viewer);
        let at = list.iter().position(|branch| branch.current).unwrap_or(0);
        Overlay::Branches { list, at }
    }

    /// A line for a file name.
    pub fn save(desk: &Desk) -> Self {
        Overlay::Save { text: format!("{}.turn", desk.play.table.game()) }
    }

    /// The list of saved matches.
    pub fn open(desk: &Desk) -> Self {
        Overlay::Open { list: desk.store.list(), at: 0 }
    }

    /// How many lines can be chosen from, and where the cursor is.
    fn list(&mut self) -> Option<(usize, &mut usize)> {
        match self {
            Overlay::Choose { numbers, at } => Some((numbers.len(), at)),
            Overlay::Branches { list, at } => Some((list.len(), at)),
            Overlay::Open { list, at } => Some((list.len(), at)),
            Overlay::Help | Overlay::About | Overlay::Quit | Overlay::Save { .. } => None,
        }
    }
}

impl Desk {
    /// Answers a key while something lies over the desk.
    pub fn overlay_key(&mut self, key: KeyEvent) -> Result<()> {
        let Some(overlay) = &mut self.overlay else { return Ok(()) };
        if let Overlay::Save { text } = overlay {
            match key.code {
                KeyCode::Char(letter) => text.push(letter),
                KeyCode::Backspace => {
                    text.pop();
                }
                KeyCode::Enter => return self.close_with_enter(),
                KeyCode::Esc => self.overlay = None,
                _ => {}
            }
            return Ok(());
        }
        if let Some((length, at)) = overlay.list() {
            match key.code {
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
            return Ok(());
        }
        match (&self.overlay, key.code) {
            (Some(Overlay::Quit), KeyCode::Char('y' | 'Y' | 'q') | KeyCode::Enter) => self.leaving = true,
            _ => self.overlay = None,
        }
        Ok(())
    }

    fn cancel_overlay(&mut self) {
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
                let moved = self.play.jump(branch.tip).is_ok();
                self.travelled(moved, "That branch is gone.")
            }
            Some(Overlay::Save { text }) => {
                self.save_as(text.trim());
                Ok(())
            }
            Some(Overlay::Open { list, at }) => {
                if let Some(saved) = list.get(at) {
                    self.open_file(saved.path.clone());
                }
                Ok(())
            }
            Some(Overlay::Help | Overlay::About | Overlay::Quit) | None => Ok(()),
        }
    }

    fn save_as(&mut self, name: &str) {
        if name.is_empty() {
            self.complain("Not saved: a file name is missing.");
            return;
        }
        let path = self.store.place(name);
        match self.store.make().and_then(|()| self.play.save_to(&path)) {
            Ok(()) => self.say(&format!("Saved to {}.", path.display())),
            Err(error) => self.complain(&format!("Not saved: {error:#}")),
        }
    }

    fn open_file(&mut self, path: PathBuf) {
        match Play::load(&path, None, self.store.games) {
            Ok(play) => {
                *self = Desk::new(play, self.store.clone(), Mode::Play);
                self.say(&format!("Going on with {}.", path.display()));
            }
            Err(error) => self.complain(&format!("Not opened: {error:#}")),
        }
    }
}
