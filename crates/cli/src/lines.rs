//! Where the lines of line mode come from, and how long one waits for them.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use turnstone_table::protocol::{BoundedLines, is_too_long};

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// A line.
    Line(String),
    /// A line that is longer than anybody types; what was in it is gone.
    TooLong,
    /// Nothing in time.
    Late,
    /// Nothing more will come.
    End,
}

/// Somebody who says lines.
pub trait Lines {
    /// The next line. Whoever can waits no longer than `patience`.
    ///
    /// # Errors
    /// If it cannot be read.
    fn next(&mut self, patience: Option<Duration>) -> io::Result<Said>;
}

/// Readers wait as long as it takes.
impl<R: BufRead> Lines for R {
    fn next(&mut self, _patience: Option<Duration>) -> io::Result<Said> {
        let mut lines = BoundedLines::new(self);
        let line = lines.next_line()?;
        lines.skip_rest()?;
        Ok(line.map_or(Said::End, said))
    }
}

fn said(line: String) -> Said {
    if is_too_long(&line) { Said::TooLong } else { Said::Line(line) }
}

/// Standard input, read in a thread of its own, so that a flag falls while nobody types.
pub struct Typed {
    lines: Receiver<io::Result<String>>,
}

impl Typed {
    pub fn new() -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut lines = BoundedLines::new(io::stdin().lock());
            while let Some(line) = lines.next_line().transpose() {
                // Nobody may be listening any more.
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Typed { lines }
    }
}

impl Lines for Typed {
    fn next(&mut self, patience: Option<Duration>) -> io::Result<Said> {
        let line = match patience {
            Some(patience) => self.lines.recv_timeout(patience),
            None => self.lines.recv().map_err(RecvTimeoutError::from),
        };
        match line {
            Ok(line) => line.map(said),
            Err(RecvTimeoutError::Timeout) => Ok(Said::Late),
            Err(RecvTimeoutError::Disconnected) => Ok(Said::End),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_heard() {
        let text = format!("{}\nhelp\n", "x".repeat(5_000_000));
        let mut input = text.as_bytes();
        assert_eq!(input.next(None).unwrap(), Said::TooLong);
        assert_eq!(input.next(None).unwrap(), Said::Line("help\n".to_owned()));
        assert_eq!(input.next(None).unwrap(), Said::End);
    }
}
