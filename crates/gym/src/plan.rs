//! What a learner wants of a batch.

use serde::{Deserialize, Serialize};
use turnstone::{Rejection, Seat};

use crate::coder::Taste;

/// When a world that has ended begins again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autoreset {
    /// In the next step, whose action is not looked at and whose reward is 0.
    #[default]
    NextStep,
    /// In the step that ended it: the observation is already that of the new beginning, and the last one of the
    /// episode stands in [`Frame::finals`](crate::Frame::finals).
    SameStep,
    /// When it is asked to; until then steps change nothing and tell the same end.
    Disabled,
}

/// How inputs are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actions {
    /// By the game's own numbers, which stay.
    Fixed,
    /// By their places in the offered list, of which so many are seen; every offer is described by
    /// [`FEATURES`](crate::FEATURES) numbers in a part named `offers`.
    Offered(usize),
}

/// What becomes of a number that stands for nothing now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Illegal {
    /// The world stays as it is, and the step earns [`Plan::illegal_reward`].
    #[default]
    Penalty,
    /// Nothing at all is stepped, in any world.
    Refuse,
    /// One of the allowed inputs is taken instead, by lot.
    Random,
}

/// Which episode of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The present one.
    Present,
    /// The one that ended last.
    Last,
    /// The one with this number, as [`Episode`](crate::Episode) has it.
    Number(u64),
}

/// What a learner wants of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How many worlds.
    pub lanes: usize,
    /// Over how many threads they are stepped; 1 is the caller's own. Results do not depend on it.
    pub threads: usize,
    /// From where all seeds follow.
    pub seed: u64,
    /// The learner's seat; `None`: it plays for whoever is to act.
    pub seat: Option<Seat>,
    /// The bot in all other seats.
    pub opponent: String,
    /// How inputs are numbered.
    pub actions: Actions,
    /// When worlds begin again.
    pub autoreset: Autoreset,
    /// What becomes of a number that stands for nothing now.
    pub illegal: Illegal,
    /// What such a step earns.
    pub illegal_reward: f32,
    /// After so many steps an episode is cut short; 0: never.
    pub time_limit: u32,
    /// Of how many episodes that ended the inputs are kept in every world, besides those of the present one, so that
    /// they can become match files; 0: of none.
    pub record: usize,
    /// How many observations are seen: the present one, and behind it those of the decisions before, the latest
    /// first, all as whoever is to act saw them; nothing where the episode had not begun.
    pub history: usize,
    /// What is asked of the game's own numbers.
    pub taste: Taste,
}

impl Plan {
    /// Bounds what a slip of the keyboard would otherwise ask of the memory.
    pub(crate) fn check(&self) -> Result<(), Rejection> {
        if self.lanes == 0 {
            return Err(Rejection::new("NO_WORLDS", "a batch has at least one world"));
        }
        let offers = match self.actions {
            Actions::Fixed => 0,
            Actions::Offered(count) => count,
        };
        let bounds = [
            ("worlds", self.lanes, 1 << 20),
            ("offers", offers, 1 << 16),
            ("threads", self.threads, 1 << 10),
            ("observations", self.history, 1 << 10),
        ];
        match bounds.into_iter().find(|(_, asked, most)| asked > most) {
            Some((what, asked, most)) => {
                Err(Rejection::new("TOO_MANY", format!("{asked} {what} were asked for; {most} are possible")))
            }
            None => Ok(()),
        }
    }
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            lanes: 1,
            threads: 1,
            seed: 0,
            seat: Some(0),
            opponent: "random".into(),
            actions: Actions::Fixed,
            autoreset: Autoreset::default(),
            illegal: Illegal::default(),
            illegal_reward: 0.0,
            time_limit: 0,
            record: 0,
            history: 1,
            taste: Taste::default(),
        }
    }
}
