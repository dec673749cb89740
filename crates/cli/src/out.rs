//! Printing: colours only where they are welcome, progress only where somebody watches.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// Standard output, with or without colours. Nothing is lost and nothing panics when the reader goes
/// away: writing gives an error, which ends the command quietly.
pub struct Out {
    writer: Box<dyn Write>,
    /// Whether to paint.
    pub colour: bool,
    /// Columns to fill.
    pub width: usize,
}

impl Default for Out {
    fn default() -> Self {
        Out::new()
    }
}

impl Out {
    /// Standard output.
    pub fn new() -> Self {
        let stdout = io::stdout();
        let colour = stdout.is_terminal() && colour_is_welcome();
        let width = if stdout.is_terminal() { terminal_width() } else { 100 };
        let writer: BufWriter<StdoutLock<'static>> = BufWriter::new(stdout.lock());
        Out { writer: Box::new(writer), colour, width }
    }

    /// Anything else, without colours.
    #[cfg(test)]
    pub fn to(writer: Box<dyn Write>) -> Self {
        Out { writer, colour: false, width: 80 }
    }

    /// The text in that style, if colours are on.
    pub fn paint(&self, style: Style, text: impl std::fmt::Display) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Styles by what they mean.
pub const TITLE: Style = Style::new().bold();
/// Agrees, good.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Differs, bad.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Changed on the way.
pub const CHANGED: Style = AnsiColor::Cyan.on_default();
/// Beside the point.
pub const FAINT: Style = Style::new().dimmed();

fn colour_is_welcome() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !unwanted && !dumb
}

/// Whether the screen may use colours.
pub fn screen_colours() -> bool {
    colour_is_welcome()
}

fn terminal_width() -> usize {
    ratatui::crossterm::terminal::size().map_or(100, |(width, _)| usize::from(width).max(40))
}

/// The word that begins an error message.
pub fn paint_error(text: &str) -> String {
    if io::stderr().is_terminal() && colour_is_welcome() {
        format!("{BAD}{text}{BAD:#}")
    } else {
        text.to_owned()
    }
}

/// A bar on standard error that counts to `length`; invisible in a pipe.
pub fn progress(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = "{msg} {wide_bar:.cyan/dim} {pos}/{len} {elapsed} {left}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─").with_key("left", time_left));
    }
    bar.set_message(what.to_owned());
    // A single unit may take long: that time passes shows that something is done.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// How long it will still take, as soon as something is done from which that can be known.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let speed = state.per_sec();
    let _ = match state.pos() > 0 && speed > 0.0 {
        true => write!(out, "{speed:.1}/s, {:#} left", HumanDuration(state.eta())),
        false => write!(out, "–"),
    };
}

/// A turning wheel for work whose length is not known; invisible in a pipe.
pub fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A number with its thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_set_apart() {
        let numbers = [0, 999, 1000, 1234567].map(super::grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
    }
}
