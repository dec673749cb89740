//! How a game becomes numbers.

use serde::Serialize;
use turnstone::{InputOf, Outcome, Position, Rejection, Seat};
use turnstone_host::Hosted;

use crate::part::{Part, Sheet};

/// A number of any size as it is written into an observation.
#[inline]
pub fn word(number: impl TryInto<i64>) -> i16 {
    number.try_into().map_or(i16::MAX, |number: i64| number.clamp(i16::MIN.into(), i16::MAX.into()) as i16)
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By the rules: the learner won.
    Won,
    /// By the rules: the learner lost.
    Lost,
    /// By the rules: nobody won.
    Drawn,
    /// Cut short: the limit of steps was reached.
    OutOfTime,
    /// Cut short: a single input would have set off more than the rules allow.
    OverBudget,
}

impl Ending {
    /// Whether the rules ended it, so that nothing is to be expected after it.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Won | Self::Lost | Self::Drawn)
    }

    /// What an outcome is to a seat.
    pub fn of(outcome: Outcome, seat: Seat) -> Self {
        match outcome {
            Outcome::Won(winner) if winner == seat => Self::Won,
            Outcome::WonByAll => Self::Won,
            Outcome::Won(_) | Outcome::Lost => Self::Lost,
            Outcome::Drawn => Self::Drawn,
        }
    }
}

/// The numbers of one game under one set-up: how its inputs are counted and what an observation is made of. Made
/// once for a batch; every method is a pure function.
pub trait Coder<G: Hosted>: Send + Sync + 'static {
    /// What a buffer shows of one world already, for those who then write only what has changed.
    type Canvas: Clone + Default + Send;

    /// What an observation is made of, the same for every position.
    fn parts(&self) -> Vec<Part>;

    /// How many numbers inputs have, the same for every position.
    fn numbers(&self) -> usize;

    /// The number of an input that is offered now as number `place` of the offered list. A function of what the
    /// one who may send it can see; different for different inputs; `None` for what has no number.
    fn number(&self, game: &G, position: &Position<G>, input: &InputOf<G>, place: usize) -> Option<usize>;

    /// What a number stands for in general, whether or not it is allowed now: `a card to the place of the second enemy`.
    /// `None` for what is no number of this game's.
    fn meaning(&self, game: &G, number: usize) -> Option<String>;

    /// Whether every number is allowed as long as the game goes on, so that nothing need be listed:
    /// [`input`](Coder::input) then gives the input at once.
    fn is_direct(&self) -> bool {
        false
    }

    /// The input with that number, asked only if all are allowed.
    fn input(&self, _game: &G, _position: &Position<G>, _number: usize) -> Option<InputOf<G>> {
        None
    }

    /// Whether a match begins alike with every seed, so that its beginning need not be made again and again.
    fn begins_alike(&self) -> bool {
        false
    }

    /// Whether observations have room for a match that begins here.
    ///
    /// # Errors
    /// Why not.
    fn admits(&self, _game: &G, _first: &Position<G>) -> Result<(), Rejection> {
        Ok(())
    }

    /// Writes what that seat may know, over whatever was there. Two positions of which the seat has the same view
    /// give the same observation.
    fn observe(&self, game: &G, position: &Position<G>, seat: Seat, sheet: &mut Sheet<'_>);

    /// The same, into a buffer that was left as the canvas says. Unless the canvas is a new one, the position is the one
    /// it showed last: stepped since, or another one copied over it by `clone_from`.
    #[inline]
    fn update(
        &self,
        game: &G,
        position: &Position<G>,
        seat: Seat,
        _canvas: &mut Self::Canvas,
        sheet: &mut Sheet<'_>,
    ) {
        self.observe(game, position, seat, sheet);
    }

    /// Looks at what a step of this position will look at first. It is asked while another world is about to be stepped,
    /// so that memory is fetched meanwhile; it says nothing, and by default does nothing.
    #[inline]
    fn glance(&self, _position: &Position<G>) {}

    /// How that seat stands; a reward is the difference between two standings. By default nothing counts but
    /// the end: 1 for a victory, -1 for a defeat.
    #[inline]
    fn standing(&self, game: &G, position: &Position<G>, seat: Seat) -> f32 {
        result(game, position, seat)
    }

    /// How the episode has ended for that seat, if it has.
    #[inline]
    fn ending(&self, game: &G, position: &Position<G>, seat: Seat) -> Option<Ending> {
        game.outcome(position.state()).map(|outcome| Ending::of(outcome, seat))
    }
}

/// 1 for a victory, -1 for a defeat, 0 for everything else.
#[inline]
pub fn result<G: Hosted>(game: &G, position: &Position<G>, seat: Seat) -> f32 {
    match game.outcome(position.state()).map(|outcome| Ending::of(outcome, seat)) {
        Some(Ending::Won) => 1.0,
        Some(Ending::Lost) => -1.0,
        _ => 0.0,
    }
}

/// A game that numbers its inputs and writes observations of its own. Games that do not are played by
/// [`Plain`](crate::Plain) numbers.
pub trait Learned: Hosted {
    /// What counts and writes.
    type Coder: Coder<Self>;

    /// The numbers for a set-up whose first position is `first`. `taste` is what the learner asked for besides:
    /// which view, which reward; unknown words are refused.
    ///
    /// # Errors
    /// What was asked for and is not there.
    fn coder(
        &self,
        setup: &Self::Setup,
        first: &Position<Self>,
        taste: &Taste,
    ) -> Result<Self::Coder, Rejection>;
}

/// What a learner may ask of a game's numbers, by names that each game explains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taste {
    /// Which observation; empty for the default.
    pub observe: String,
    /// Which reward; empty for the default.
    pub reward: String,
    /// Which parts of the observation are written, by their names; all of them if none is named.
    pub parts: Vec<String>,
}

impl Taste {
    /// Whether a part of that name is wanted.
    pub fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }

    /// The asked-for one of the known words, the first if nothing was asked.
    ///
    /// # Errors
    /// `UNKNOWN_OBSERVATION` or `UNKNOWN_REWARD`, naming those there are.
    pub fn choose<'k>(what: Asked, asked: &str, known: &[&'k str]) -> Result<&'k str, Rejection> {
        let found = known.iter().find(|name| **name == asked || asked.is_empty());
        found.copied().ok_or_else(|| {
            let (code, noun) = match what {
                Asked::Observation => ("UNKNOWN_OBSERVATION", "observation"),
                Asked::Reward => ("UNKNOWN_REWARD", "reward"),
            };
            Rejection::new(code, format!("there is no {noun} \"{asked}\"; there are: {}", known.join(", ")))
        })
    }

    /// The observation asked for.
    ///
    /// # Errors
    /// As [`Taste::choose`].
    pub fn observation<'k>(&self, known: &[&'k str]) -> Result<&'k str, Rejection> {
        Taste::choose(Asked::Observation, &self.observe, known)
    }

    /// The reward asked for.
    ///
    /// # Errors
    /// As [`Taste::choose`].
    pub fn reward<'k>(&self, known: &[&'k str]) -> Result<&'k str, Rejection> {
        Taste::choose(Asked::Reward, &self.reward, known)
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// An observation.
    Observation,
    /// A reward.
    Reward,
}
