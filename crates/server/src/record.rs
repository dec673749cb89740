//! What is kept of a match beside the lines of its file: who sits where, what was said and offered, the clocks.
//!
//! A line in the store begins with a letter: `m` is followed by a line of the match file, byte for byte, `r` by
//! a record. So the file of a match is what remains when the records are left out.

use serde::{Deserialize, Serialize};
use turnstone_table::{Moment, Outcome, Seat};

use crate::message::{Absent, Control, Watch, What};

/// A line of the match file begins with this in the store.
pub const FILE: char = 'm';
/// A record does with this.
pub const RECORD: char = 'r';

/// How a match was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// In the lobby.
    pub public: bool,
    /// Who may watch.
    pub watch: Watch,
    /// Changes that spectators lag behind.
    pub delay: usize,
    /// The clock.
    pub clock: Option<Control>,
    /// What becomes of the seat of who is away.
    pub absent: Absent,
    /// After so many seconds.
    pub patience: u64,
    /// Takebacks without asking, hints, the file at any time.
    pub practice: bool,
}

/// Who sits in a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A person.
    Person,
    /// A bot.
    Bot,
    /// Nobody: whoever comes.
    #[default]
    Open,
    /// Nobody: whoever has the invitation.
    Invited,
}

/// A seat, and who holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Who.
    pub who: Who,
    /// What he is called.
    pub name: String,
    /// The hash of his token. A bot that stands in for somebody keeps his.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The hash of the invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// He may not speak.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// The name of the player for whom a bot stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<String>,
}

/// How the live match came to a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Something was played: the moment is new.
    Input,
    /// Back.
    Undo,
    /// Forward again.
    Redo,
    /// Straight there.
    Jump,
}

/// How a match ended, if not by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Everybody agreed.
    Agreed,
    /// Somebody gave up or stayed away.
    Forfeit,
    /// Somebody's time ran out.
    Time,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "k", rename_all = "snake_case")]
pub enum Record {
    /// The match was opened. Always the first.
    Opened {
        /// When.
        at: i64,
        /// The game.
        game: String,
        /// How.
        options: Options,
        /// The hash of the host's token.
        host: String,
        /// Mixed with the seed in the commitment.
        salt: String,
        /// The seed of its bots.
        bot_seed: u64,
        /// Who sits where.
        seats: Vec<Holder>,
        /// What each seat is called in the game.
        roles: Vec<String>,
        /// How it was asked for, so that it can be played again.
        #[serde(default)]
        wanted: serde_json::Value,
    },
    /// What the line of the file before this one did.
    Did {
        /// When.
        at: i64,
        /// Who.
        by: Option<Seat>,
        /// Who may know: a bit for each seat, the highest for spectators.
        told: u64,
        /// The sender's number for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// What is left on the clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<Left>,
    },
    /// A seat changed hands.
    Seat {
        /// Which.
        seat: Seat,
        /// Who holds it now.
        holder: Holder,
        /// When; records of old do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<i64>,
    },
    /// Something was said.
    Say {
        /// By whom; none for spectators.
        seat: Option<Seat>,
        /// Under which name.
        name: String,
        /// What.
        text: String,
        /// About which moment.
        moment: Moment,
        /// When.
        at: i64,
    },
    /// Something was offered.
    Offer {
        /// Its number.
        offer: u64,
        /// What.
        what: What,
        /// By whom.
        by: Seat,
        /// Where to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moment: Option<Moment>,
        /// Whose seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
    /// Somebody agreed.
    Agreed {
        /// To which offer.
        offer: u64,
        /// Who.
        seat: Seat,
    },
    /// An offer is off the table.
    Settled {
        /// Which.
        offer: u64,
        /// Whether everybody agreed.
        accepted: bool,
    },
    /// The clocks were stopped or go on.
    Clock {
        /// When.
        at: i64,
        /// They stand by consent.
        paused: bool,
        /// What is left.
        left: Option<Left>,
    },
    /// A spectator may not speak, or may again.
    Muted {
        /// Under which name.
        name: String,
        /// Whether.
        muted: bool,
    },
    /// Whether only who sits may speak.
    Hushed {
        /// Whether.
        hushed: bool,
    },
    /// A spectator was sent away for good.
    Removed {
        /// Under which name.
        name: String,
    },
    /// The match ended otherwise than by its rules.
    End {
        /// When.
        at: i64,
        /// How.
        outcome: Outcome,
        /// Why.
        how: Ending,
    },
    /// It is played again.
    Next {
        /// There.
        id: String,
    },
}

/// What is left on the clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Milliseconds, by seat.
    pub seats: Vec<u64>,
    /// Clocks are set anew when the game's number changes.
    pub round: u32,
    /// For days: until when the next turn must be taken, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<i64>,
}

impl Record {
    /// As a line of the store.
    pub fn line(&self) -> String {
        // Records hold nothing that JSON cannot.
        format!("{RECORD}{}", serde_json::to_string(self).unwrap_or_default())
    }
}

/// The lines of a text of a match file, as lines of the store.
pub fn file_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| format!("{FILE}{line}"))
}
