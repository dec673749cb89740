//! A bot's thinking, in a thread of its own: the keys stay alive.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use turnstone_table::{Moment, Table};

/// Somebody thinks about a moment. Dropping it forgets what will come of it.
pub struct Thought {
    about: Moment,
    since: Instant,
    answer: Receiver<usize>,
}

/// What has come of it.
pub enum Answer {
    /// Nothing yet.
    Wait,
    /// The number of an input.
    Number(usize),
    /// The bot has failed.
    Failed,
}

impl Thought {
    /// Lets the bot that is to act think.
    pub fn begin(table: &dyn Table) -> Option<Self> {
        let thinking = table.think()?;
        let (sender, answer) = channel();
        thread::spawn(move || {
            // Nobody may be waiting any more.
            let _ = sender.send(thinking());
        });
        Some(Thought { about: table.here(), since: Instant::now(), answer })
    }

    /// Whether it is about that moment.
    pub fn is_about(&self, moment: Moment) -> bool {
        self.about == moment
    }

    /// How long it has taken.
    pub fn taken(&self) -> Duration {
        self.since.elapsed()
    }

    /// What has come of it. An answer is given once.
    pub fn answer(&self) -> Answer {
        match self.answer.try_recv() {
            Ok(number) => Answer::Number(number),
            Err(TryRecvError::Empty) => Answer::Wait,
            Err(TryRecvError::Disconnected) => Answer::Failed,
        }
    }
}
