//! Meanings as colours; without colours, as bold, underlined and reversed.

use ratatui::style::{Color, Modifier, Style};
use turnstone_table::Kind;
use turnstone_table::scene::{Cell, Ground, Ink};

use crate::render::is_marked;

/// The colours in use, or none.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Whether there are colours.
    pub colours: bool,
}

impl Theme {
    fn colour(self, style: Style, plain: Modifier) -> Style {
        if self.colours { style } else { Style::new().add_modifier(plain) }
    }

    /// What stands somewhere.
    pub fn ink(self, ink: Ink) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        match ink {
            Ink::Plain => Style::new(),
            Ink::Ours => self.colour(bold.fg(Color::LightCyan), Modifier::BOLD),
            Ink::Theirs => self.colour(bold.fg(Color::LightRed), Modifier::BOLD),
            Ink::Neutral => self.colour(Style::new().fg(Color::LightYellow), Modifier::empty()),
            Ink::Good => self.colour(Style::new().fg(Color::LightGreen), Modifier::empty()),
            Ink::Bad => self.colour(Style::new().fg(Color::LightRed), Modifier::empty()),
            Ink::Special => self.colour(Style::new().fg(Color::LightMagenta), Modifier::empty()),
            Ink::Faint => self.colour(Style::new().fg(Color::DarkGray), Modifier::DIM),
        }
    }

    /// What lies under it.
    pub fn ground(self, cell: &Cell) -> Style {
        let indexed = |index| self.colour(Style::new().bg(Color::Indexed(index)), Modifier::empty());
        match cell.ground {
            _ if is_marked(cell) => indexed(60),
            Ground::Plain => indexed(239),
            Ground::Dark => indexed(235),
            Ground::Wall => indexed(243),
            Ground::Rough => indexed(58),
            Ground::Water => indexed(24),
            Ground::Hot => indexed(52),
            Ground::Bright => indexed(29),
            Ground::Hidden => indexed(233),
        }
    }

    /// A bar that is so full: much, little, or nearly nothing.
    pub fn gauge(self, now: i64, most: i64) -> Style {
        self.ink(match (now * 3, most) {
            (now, most) if now >= 2 * most => Ink::Good,
            (now, most) if now >= most => Ink::Neutral,
            _ => Ink::Bad,
        })
    }

    /// What can be picked next.
    pub fn target(self) -> Style {
        self.colour(Style::new().bg(Color::Indexed(28)), Modifier::UNDERLINED)
    }

    /// What can be picked first.
    pub fn movable(self) -> Style {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }

    /// What has been picked.
    pub fn picked(self) -> Style {
        let style = Style::new().bg(Color::Indexed(178)).fg(Color::Black).add_modifier(Modifier::BOLD);
        self.colour(style, Modifier::BOLD.union(Modifier::UNDERLINED))
    }

    /// Where the cursor is.
    pub fn cursor(self) -> Style {
        let style = Style::new().bg(Color::Indexed(255)).fg(Color::Black).add_modifier(Modifier::BOLD);
        self.colour(style, Modifier::REVERSED)
    }

    /// Titles.
    pub fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Titles of lists.
    pub fn heading(self) -> Style {
        self.colour(Style::new().fg(Color::Indexed(252)), Modifier::empty())
    }

    /// Frames of the pane in focus and of the others.
    pub fn frame(self, focus: bool) -> Style {
        match focus {
            true => self.colour(Style::new().fg(Color::LightYellow), Modifier::BOLD),
            false => self.faint(),
        }
    }

    /// Beside the point.
    pub fn faint(self) -> Style {
        self.colour(Style::new().fg(Color::Indexed(245)), Modifier::DIM)
    }

    /// Keys to press.
    pub fn key(self) -> Style {
        self.colour(Style::new().fg(Color::LightYellow).add_modifier(Modifier::BOLD), Modifier::BOLD)
    }

    /// Something went wrong.
    pub fn error(self) -> Style {
        self.colour(Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD), Modifier::BOLD)
    }

    /// Lines of the log.
    pub fn log(self, kind: Kind) -> Style {
        match kind {
            Kind::Input => self.title(),
            Kind::Fact => Style::new(),
            Kind::Alteration | Kind::Reason => {
                self.colour(Style::new().fg(Color::LightCyan), Modifier::empty())
            }
            Kind::Prevented => self.colour(Style::new().fg(Color::LightRed), Modifier::empty()),
        }
    }
}
