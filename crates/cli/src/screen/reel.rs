//! A match that is looked at, from its beginning: where it stands, how fast it runs, what is searched for.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::Result;
use ratatui::crossterm::event::KeyCode;
use turnstone_table::scene::Scene;
use turnstone_table::{Moment, Table};

use super::desk::{Desk, Mode};
use super::overlay::{Line, Overlay};

/// How long a moment stays when a replay runs by itself, slowest first.
const PAUSES: [u64; 6] = [2800, 1400, 700, 350, 120, 40];
/// The usual one.
const USUAL: usize = 2;

/// The line of play that is looked at.
pub struct Reel {
    /// Its moments, the beginning first.
    pub moments: Vec<Moment>,
    /// Which of them is shown.
    pub at: usize,
    speed: usize,
    /// What is still to be shown on the way to the next moment, once it was asked for.
    parts: Option<VecDeque<Scene>>,
    /// What was searched for last.
    pub sought: String,
}

impl Reel {
    /// The line a table stands on. To be looked at, the table goes back to its beginning.
    pub fn new(table: &mut dyn Table, mode: Mode) -> Self {
        let mut moments = vec![0];
        if mode == Mode::Replay {
            while table.redo() {}
            moments = table.line();
            // The beginning is a moment of every line.
            let _ = table.jump(0);
        }
        Reel { moments, at: 0, speed: USUAL, parts: None, sought: String::new() }
    }

    /// How long a moment stays; a part of one stays half as long.
    pub fn pause(&self) -> Duration {
        let whole = Duration::from_millis(PAUSES[self.speed]);
        if self.parts.is_some() { whole / 2 } else { whole }
    }

    /// How fast it runs, beside the usual speed.
    pub fn pace(&self) -> &'static str {
        ["¼×", "½×", "1×", "2×", "6×", "18×"][self.speed]
    }

    /// How many moments there are behind the beginning.
    pub fn length(&self) -> usize {
        self.moments.len() - 1
    }

    /// Where it stands, as a bar of that many columns.
    pub fn bar(&self, columns: usize) -> String {
        let room = columns.saturating_sub(1);
        let before = (room * self.at).checked_div(self.length()).unwrap_or(room);
        format!("{}●{}", "━".repeat(before), "─".repeat(room - before))
    }

    /// Another line of play: shown from where it leaves this one.
    fn change(&mut self, line: Vec<Moment>) {
        let common = self.moments.iter().zip(&line).take_while(|(one, other)| one == other).count();
        self.at = self.at.min(common.saturating_sub(1));
        self.moments = line;
    }
}

impl Desk {
    /// Answers a key that is about the replay; false if it is not.
    pub fn reel_key(&mut self, code: KeyCode) -> Result<bool> {
        let at = self.reel.at;
        match code {
            KeyCode::Left => self.show_moment(at.saturating_sub(1))?,
            KeyCode::Right => self.step_reel()?,
            KeyCode::Char('.') => self.step_part()?,
            KeyCode::Home => self.show_moment(0)?,
            KeyCode::End => self.show_moment(self.reel.length())?,
            KeyCode::Char(' ' | 'p') => self.run_or_stop()?,
            KeyCode::Char('+' | '=') => self.reel.speed = (self.reel.speed + 1).min(PAUSES.len() - 1),
            KeyCode::Char('-') => self.reel.speed = self.reel.speed.saturating_sub(1),
            KeyCode::Char('g' | ':') => self.overlay = Some(Overlay::Ask(Line::Jump, String::new())),
            KeyCode::Char('/') => self.overlay = Some(Overlay::Ask(Line::Find, String::new())),
            KeyCode::Char('n') => self.find_next()?,
            KeyCode::Char('v') => self.list_numbers(),
            KeyCode::Char(']') => self.next_branch(1)?,
            KeyCode::Char('[') => self.next_branch(-1)?,
            KeyCode::Char('e') => self.why = !self.why,
            KeyCode::Char('u' | 'r' | 't') => self.complain("This is a replay: step with ← and →."),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn run_or_stop(&mut self) -> Result<()> {
        self.paused = !self.paused;
        // At the end there is nothing to run but the whole of it, again.
        if !self.paused && self.reel.at == self.reel.length() {
            self.show_moment(0)?;
        }
        Ok(())
    }

    /// Shows a moment of the line.
    pub fn show_moment(&mut self, at: usize) -> Result<()> {
        self.reel.at = at.min(self.reel.length());
        self.reel.parts = None;
        let moved = self.play.table.jump(self.reel.moments[self.reel.at]).is_ok();
        self.travelled(moved, "That moment is gone.")
    }

    /// The next part of what the next input set off, and at last all of it.
    pub fn step_part(&mut self) -> Result<()> {
        let next = self.reel.moments.get(self.reel.at + 1).copied();
        let Some(next) = next else { return self.step_reel() };
        let (table, viewer) = (&self.play.table, self.viewer);
        let parts = self.reel.parts.get_or_insert_with(|| table.parts(next, viewer).into());
        match parts.pop_front() {
            Some(scene) => {
                self.message = None;
                self.show(scene);
                Ok(())
            }
            None => self.step_reel(),
        }
    }

    /// One moment on.
    pub fn step_reel(&mut self) -> Result<()> {
        if self.reel.at == self.reel.length() {
            self.paused = true;
            self.complain("This is the end; Home goes to the beginning.");
            return Ok(());
        }
        self.show_moment(self.reel.at + 1)
    }

    /// Goes to the moment with that number.
    pub fn jump_to(&mut self, text: &str) -> Result<()> {
        match text.trim().parse::<usize>() {
            Ok(at) if at <= self.reel.length() => self.show_moment(at),
            _ => {
                self.complain(&format!("Moments have the numbers 0 to {}.", self.reel.length()));
                Ok(())
            }
        }
    }

    /// Looks for words in the log.
    pub fn find(&mut self, text: &str) -> Result<()> {
        self.reel.sought = text.trim().to_lowercase();
        self.find_next()
    }

    /// The next moment of which the log tells what was sought; after the last comes the first.
    fn find_next(&mut self) -> Result<()> {
        let sought = self.reel.sought.clone();
        if sought.is_empty() {
            self.complain("/ asks what to look for.");
            return Ok(());
        }
        let length = self.reel.length();
        let tells = |at: &usize| {
            let told = self.play.table.explain(self.reel.moments[*at], self.viewer);
            told.lines.iter().any(|line| line.text.to_lowercase().contains(&sought))
        };
        let found = (1..=length).map(|by| (self.reel.at + by - 1) % length.max(1) + 1).find(tells);
        match found {
            Some(at) => {
                self.show_moment(at)?;
                self.say(&format!("\"{sought}\" at {at}; n goes on."));
            }
            None => self.complain(&format!("The log does not say \"{sought}\".")),
        }
        Ok(())
    }

    /// Another line that was played, where it leaves this one.
    fn next_branch(&mut self, by: isize) -> Result<()> {
        let branches = self.play.table.branches(self.viewer);
        if branches.len() < 2 {
            self.complain("Only one line was played.");
            return Ok(());
        }
        let tip = self.reel.moments.last();
        let here = branches.iter().position(|branch| Some(&branch.tip) == tip).unwrap_or(0) as isize;
        let next = (here + by).rem_euclid(branches.len() as isize) as usize;
        self.show_branch(branches[next].tip)?;
        self.say(&format!("Line {} of {}.", next + 1, branches.len()));
        Ok(())
    }

    /// The line that ends in that moment.
    pub fn show_branch(&mut self, tip: Moment) -> Result<()> {
        if self.play.table.jump(tip).is_ok() {
            self.reel.change(self.play.table.line());
        }
        self.show_moment(self.reel.at)
    }
}
