//! The mouse: a click points as the cursor does, the wheel scrolls what is under it.

use anyhow::Result;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::desk::{Desk, Focus};
use super::overlay::Overlay;

/// What was drawn somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A cell of the board, by column and row.
    Cell(u16, u16),
    /// A line of a panel.
    Item(usize, usize),
    /// A line of the list of options.
    Option(usize),
    /// The log.
    Log,
    /// A line of the list that lies over the desk.
    Entry(usize),
}

impl Desk {
    /// What was drawn there last.
    fn spot(&self, event: &MouseEvent) -> Option<Spot> {
        let at = Position::new(event.column, event.row);
        // What was drawn later lies above.
        self.spots.iter().rev().find(|(place, _): &&(Rect, Spot)| place.contains(at)).map(|(_, spot)| *spot)
    }

    /// Answers the mouse.
    pub fn mouse(&mut self, event: &MouseEvent) -> Result<()> {
        let spot = self.spot(event);
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(spot),
            MouseEventKind::Down(MouseButton::Right) => self.turn_away(),
            MouseEventKind::ScrollUp => self.wheel(spot, -1),
            MouseEventKind::ScrollDown => self.wheel(spot, 1),
            _ => Ok(()),
        }
    }

    /// The other button takes back the last pointing, or closes what lies over the desk.
    fn turn_away(&mut self) -> Result<()> {
        match self.overlay {
            Some(_) => {
                self.cancel_overlay();
                Ok(())
            }
            None => self.step_back(),
        }
    }

    fn click(&mut self, spot: Option<Spot>) -> Result<()> {
        if self.overlay.is_some() {
            return match spot {
                Some(Spot::Entry(at)) => self.click_entry(at),
                _ if matches!(
                    self.overlay,
                    Some(Overlay::Help | Overlay::About | Overlay::Why(_) | Overlay::HandOver(_))
                ) =>
                {
                    self.overlay = None;
                    Ok(())
                }
                _ => Ok(()),
            };
        }
        match spot {
            Some(Spot::Cell(x, y)) => {
                (self.focus, self.cell, self.roaming) = (Focus::Board, (x, y), true);
                self.enter()
            }
            Some(Spot::Item(panel, line)) => {
                self.focus = Focus::Panel(panel);
                self.items[panel] = line;
                self.enter()
            }
            Some(Spot::Option(line)) => {
                (self.focus, self.option) = (Focus::Options, line);
                self.enter()
            }
            Some(Spot::Log) => {
                self.focus = Focus::Log;
                Ok(())
            }
            Some(Spot::Entry(_)) | None => Ok(()),
        }
    }

    /// Turns the wheel by so many notches, down being positive.
    fn wheel(&mut self, spot: Option<Spot>, by: i32) -> Result<()> {
        if self.overlay.is_some() {
            self.move_overlay(by);
            return Ok(());
        }
        match spot {
            Some(Spot::Item(panel, _)) => {
                let length = self.scene.panels[panel].items.len();
                self.items[panel] = super::keys::step(self.items[panel], by, length);
            }
            Some(Spot::Option(_)) => self.option = super::keys::step(self.option, by, self.listed().len()),
            Some(Spot::Log) => self.log_up = self.log_up.saturating_add_signed(-3 * by as isize),
            Some(Spot::Cell(..) | Spot::Entry(_)) | None => {}
        }
        Ok(())
    }
}
