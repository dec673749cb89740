//! Where the lines of line mode come from, and how long one waits for them.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// A line.
    Line(String),
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
        let mut line = String::new();
        let length = self.read_line(&mut line)?;
        Ok(if length == 0 { Said::End } else { Said::Line(line) })
    }
}

/// Standard input, read in a thread of its own, so that a flag falls while nobody types.
pub struct Typed {
    lines: Receiver<io::Result<String>>,
}

impl Typed {
    pub fn new() -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
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
            Ok(line) => line.map(Said::Line),
            Err(RecvTimeoutError::Timeout) => Ok(Said::Late),
            Err(RecvTimeoutError::Disconnected) => Ok(Said::End),
        }
    }
}
