//! Random scripts: a seed and a list of numbers, each choosing one of the inputs possible then. Any
//! sublist of a script is a script, so a failing one can be shrunk by leaving numbers out.

use std::sync::Arc;

use turnstone::{Game, InputOf, LiveOf, Match, Position, Rejection};

/// What to play.
#[derive(Clone, Debug)]
pub struct Script<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// What the match starts from.
    pub setup: G::Setup,
    /// The seed of its dice.
    pub seed: u64,
    /// Which of the possible inputs to take, modulo their number.
    pub picks: Vec<u16>,
}

/// A script that has been played.
pub struct Scripted<G: Game> {
    /// The match at its end.
    pub game: Match<G>,
    /// The inputs taken.
    pub inputs: Vec<InputOf<G>>,
    /// The position at the start and after every input.
    pub positions: Vec<Position<G>>,
}

impl<G: Game> Scripted<G> {
    /// The live state at the start.
    pub fn first(&self) -> &LiveOf<G> {
        self.positions[0].live()
    }

    /// The position at the end.
    pub fn last(&self) -> &Position<G> {
        &self.positions[self.positions.len() - 1]
    }

    /// Indices of at most `count` positions, evenly spread, the first and the last among them.
    pub fn probes(&self, count: usize) -> impl Iterator<Item = usize> {
        let last = self.positions.len() - 1;
        let count = count.clamp(1, last + 1);
        (0..count).map(move |i| if count == 1 { last } else { i * last / (count - 1) })
    }
}

impl<G: Game> Script<G> {
    /// A script.
    pub fn new(game: Arc<G>, setup: G::Setup, seed: u64, picks: Vec<u16>) -> Self {
        Script { game, setup, seed, picks }
    }

    /// A fresh match, nothing played.
    ///
    /// # Errors
    /// If the set-up is refused.
    pub fn start(&self) -> Result<Match<G>, Rejection> {
        // A small interval, so that undo meets snapshots and folds alike.
        Match::with_interval(Arc::clone(&self.game), self.setup.clone(), self.seed, 5)
    }

    /// Plays the script. It ends early when nothing can be done any more.
    ///
    /// # Errors
    /// If the set-up is refused.
    pub fn play(&self) -> Result<Scripted<G>, Rejection> {
        let mut game = self.start()?;
        let mut inputs = Vec::new();
        let mut positions = vec![game.position().clone()];
        for &pick in &self.picks {
            let mut possible = game.inputs();
            if possible.is_empty() {
                break;
            }
            let input = possible.swap_remove(usize::from(pick) % possible.len());
            // Refusals of what is listed are judged by the oracle `legal_is_accepted`.
            if game.act(input.clone()).is_ok() {
                inputs.push(input);
                positions.push(game.position().clone());
            }
        }
        Ok(Scripted { game, inputs, positions })
    }
}
