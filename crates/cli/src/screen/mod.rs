//! The terminal screen. It draws any [`Scene`](turnstone_table::scene::Scene) and knows no game.

mod desk;
mod draw;
mod info;
mod keys;
mod layout;
mod log;
mod mouse;
mod overlay;
mod panes;
mod popup;
mod reasons;
mod reel;
pub mod theme;
mod thought;
mod typing;

use std::time::{Duration, Instant};

use anyhow::Result;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{Clear, ClearType};

use crate::play::Play;
use crate::store::Store;
use desk::{Desk, Mode};
pub use typing::proper_name;

/// A bot's action stays on the screen this long before the next one.
const BOT_PAUSE: Duration = Duration::from_millis(350);

/// Plays a match on the screen until the player leaves. The terminal is restored whatever happens.
pub fn play(play: Play, store: &Store) -> Result<()> {
    with_terminal(|terminal| run(terminal, Desk::new(play, store.clone(), Mode::Play)))
}

/// Steps through a match on the screen; nothing is changed.
pub fn replay(play: Play, store: &Store) -> Result<()> {
    with_terminal(|terminal| run(terminal, Desk::new(play, store.clone(), Mode::Replay)))
}

/// Runs something on the whole terminal. A panic restores it too.
pub fn with_terminal<T>(body: impl FnOnce(&mut DefaultTerminal) -> Result<T>) -> Result<T> {
    let mut terminal = ratatui::try_init()?;
    let mouse = Mouse::listen();
    // Not every terminal begins with an empty screen, and not every one tells where its cursor is, as
    // `Terminal::clear` would ask.
    let cleared = execute!(std::io::stdout(), Clear(ClearType::All));
    let result = cleared.map_err(Into::into).and_then(|()| body(&mut terminal));
    drop(mouse);
    ratatui::try_restore()?;
    result
}

/// Gives the mouse back to the terminal when it is dropped, also by a panic.
struct Mouse;

impl Mouse {
    fn listen() -> Self {
        // A terminal without a mouse is played with keys.
        let _ = execute!(std::io::stdout(), EnableMouseCapture);
        Mouse
    }
}

impl Drop for Mouse {
    fn drop(&mut self) {
        let _ = execute!(std::io::stdout(), DisableMouseCapture);
    }
}

fn run(terminal: &mut DefaultTerminal, mut desk: Desk) -> Result<()> {
    desk.save()?;
    let mut wake = Instant::now() + desk.pause();
    while !desk.leaving {
        desk.let_think();
        terminal.draw(|frame| draw::desk(frame, &mut desk))?;
        if !desk.moves_by_itself() {
            wake = Instant::now() + desk.pause();
        }
        let pause = wake.saturating_duration_since(Instant::now());
        let patience = if desk.mode == Mode::Replay && !desk.paused { pause } else { desk.patience() };
        let event = if event::poll(patience)? { Some(event::read()?) } else { None };
        let now = Instant::now();
        desk.pass_time(now)?;
        match event {
            Some(Event::Key(key)) if key.kind != KeyEventKind::Release => desk.key(key)?,
            Some(Event::Mouse(mouse)) => desk.mouse(&mouse)?,
            Some(Event::Paste(text)) => desk.paste(&text),
            _ => {}
        }
        desk.look_for_hint();
        desk.look_for_reasons();
        if now >= wake && desk.moves_by_itself() && desk.tick()? {
            wake = now + desk.pause();
        }
    }
    // What was thought about the last move counts when the match is resumed.
    desk.put_away()
}

#[cfg(test)]
mod spire_tests;
#[cfg(test)]
mod tests;
