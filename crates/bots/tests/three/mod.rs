//! A game for three of nothing but choices: five in a row, the first two of them by the first seat. What they come to
//! follows from its number.

use std::sync::Arc;

use serde_json::Value;
use turnstone::dice::{Draw, Lots, Stream};
use turnstone::digest::{Digest, digest};
use turnstone::{
    Game, Indexed, InputOf, Never, NotesOf, Outcome, Position, ProposalsOf, Rejection, Seat, Seen, Settled,
    Told, Viewer,
};
use turnstone_host::scene::{Choice, Scene};
use turnstone_host::{Bot, Hosted, Named, Opening, Secretive};

/// So many things can be chosen each time.
pub const WIDTH: u8 = 3;

/// Who chooses when.
const TURNS: [Seat; 5] = [0, 0, 1, 2, 0];

/// The number of the game.
pub struct Three(pub u64);

/// What was chosen.
pub type State = Vec<u8>;

impl Three {
    /// The worst that the others can make of it for the first seat, as far as he does his best: 1 for a victory, -1
    /// for a loss.
    pub fn worst(&self, state: &State) -> i32 {
        if let Some(outcome) = self.outcome(state) {
            return match outcome {
                Outcome::Won(0) | Outcome::WonByAll => 1,
                Outcome::Drawn => 0,
                Outcome::Won(_) | Outcome::Lost => -1,
            };
        }
        let all = (0..WIDTH).map(|choice| {
            let mut after = state.clone();
            self.apply(&mut after, &choice);
            self.worst(&after)
        });
        if self.actor(state) == Some(0) { all.max().unwrap() } else { all.min().unwrap() }
    }
}

impl Game for Three {
    type Setup = ();
    type State = State;
    type Action = u8;
    type Effect = u8;
    type Event = u8;
    type Listener = Never;
    type Question = Never;
    type Answer = Never;
    type Reason = Never;

    fn start(&self, _setup: &(), _seed: u64) -> Result<State, Rejection> {
        Ok(Vec::new())
    }
    fn check(&self, state: &State, choice: &u8) -> Result<(), Rejection> {
        if self.outcome(state).is_none() && *choice < WIDTH {
            return Ok(());
        }
        Err(Rejection::new("NO_CHOICE", "there is no such choice"))
    }
    fn open(&self, _state: &State, choice: &u8, out: &mut ProposalsOf<Self>) {
        out.last(*choice);
    }
    fn settle(&self, _state: &State, choice: &u8, _: &mut NotesOf<Self>) -> Settled<u8, Never> {
        Settled::Event(*choice)
    }
    fn apply(&self, state: &mut State, choice: &u8) {
        state.push(*choice);
    }
    fn legal(&self, state: &State, out: &mut Vec<u8>) {
        if self.outcome(state).is_none() {
            out.extend(0..WIDTH);
        }
    }
    fn actor(&self, state: &State) -> Option<Seat> {
        TURNS.get(state.len()).copied()
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let ends = [
            Outcome::Won(0),
            Outcome::WonByAll,
            Outcome::Drawn,
            Outcome::Drawn,
            Outcome::Won(1),
            Outcome::Won(2),
            Outcome::Lost,
            Outcome::Lost,
        ];
        let place = state.iter().fold(1, |place, choice| place * u64::from(WIDTH) + u64::from(*choice));
        let mut lots = Lots::new(self.0, Stream::named("ends").nth(place));
        (state.len() == TURNS.len()).then(|| lots.pick(&ends).copied()).flatten()
    }
}

impl Seen for Three {}
impl Told for Three {}
impl Secretive for Three {}

impl Indexed for Three {
    fn action_count(&self) -> usize {
        usize::from(WIDTH)
    }
    fn action_index(&self, _state: &State, choice: &u8) -> Option<usize> {
        Some(usize::from(*choice))
    }
    fn action_at(&self, _state: &State, index: usize) -> Option<u8> {
        (index < usize::from(WIDTH)).then_some(index as u8)
    }
}

impl Hosted for Three {
    const NAME: &'static str = "three";
    const ABOUT: &'static str = "Choices of three seats.";

    fn open_table(_opening: &Opening) -> Result<(Arc<Self>, ()), Rejection> {
        Ok((Arc::new(Three(0)), ()))
    }
    fn rulesets() -> Vec<Named> {
        vec![Named::new("usual", "Five choices.")]
    }
    fn setups() -> Vec<Named> {
        vec![Named::new("empty", "Nothing was chosen yet.")]
    }
    fn ruleset(&self) -> Value {
        "usual".into()
    }
    fn content(&self) -> Digest {
        digest(&self.0)
    }
    fn seats(&self, _state: &State) -> Vec<String> {
        ["first", "second", "third"].map(str::to_owned).to_vec()
    }
    fn scene(&self, _position: &Position<Self>, inputs: &[InputOf<Self>], _viewer: Viewer) -> Scene {
        let choice = |input: &InputOf<Self>| Choice { label: format!("{input:?}"), ..Choice::default() };
        Scene { options: inputs.iter().map(choice).collect(), ..Scene::default() }
    }
    fn bots() -> Vec<Named> {
        Vec::new()
    }
    fn bot(_name: &str, _seat: Seat) -> Option<Box<dyn Bot<Self>>> {
        None
    }
}
