//! Tournaments that can be trusted: who is better, and how sure one may be.
//!
//! A [`Plan`] is a tournament file: a game, its set-ups, seeds and players. A [`Tournament`] plays it
//! into a results file that is only appended to, survives being killed, is taken up again, and has the
//! same bytes for any number of threads. A [`Report`] is a function of those results.
//!
//! ```
//! use turnstone_arena::{Plan, Report, Tournament};
//! use turnstone_table::testing::GAMES;
//!
//! let plan = Plan::read("game = \"pebbles\"\nseeds = { count = 4 }\n\
//!                        [bot.a]\nname = \"random\"\n[bot.b]\nname = \"random\"")?;
//! let host = GAMES.find(&plan.game).expect("it is there");
//! let tournament = Tournament::new(plan, host, &[], &[])?;
//! let path = std::env::temp_dir().join(format!("arena-example-{}.jsonl", std::process::id()));
//! let units = tournament.run(&path, 2, |_| {})?;
//! let report = Report::new(tournament.plan(), &units);
//! assert_eq!(report.games, 8);
//! println!("{}", report.text());
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whoever plays, built-in bot or program, loses a game in which he crashes, stalls or breaks the
//! rules; that is counted apart and stops nothing. [`stats`] has the formulas, all of them functions of
//! counts.

mod apart;
pub mod balance;
mod course;
mod memory;
pub mod parallel;
mod plan;
mod play;
#[cfg(feature = "pictures")]
mod png;
mod report;
mod rival;
mod running;
pub mod stats;
pub mod svg;
mod told;
mod tournament;

pub use apart::play_apart;
pub use plan::{BotPlan, Format, Kind, Plan, Seeds, SprtPlan};
pub use play::{Game, Reason, play_at_table};
#[cfg(feature = "pictures")]
pub use png::png;
pub use report::{BotRow, FaultRow, PairRow, Report, SeatRow, TestRow};
pub use rival::Fault;
pub use told::clock_told;
pub use tournament::{Progress, Results, Tournament, Unit};

use turnstone_table::Rejection;

/// Why something could not be done, with a stable code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("[{code}] {text}")]
pub struct Trouble {
    /// The code.
    pub code: String,
    /// In words.
    pub text: String,
}

impl Trouble {
    pub(crate) fn new(code: &str, text: impl Into<String>) -> Self {
        Trouble { code: code.to_owned(), text: text.into() }
    }
}

impl From<Rejection> for Trouble {
    fn from(rejection: Rejection) -> Self {
        let text = rejection.to_string();
        let words = text.split_once("] ").map_or(text.as_str(), |(_, words)| words);
        Trouble::new(rejection.code(), words)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Trouble::new("FILE", error.to_string())
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Trouble::new("FILE", error.to_string())
    }
}
