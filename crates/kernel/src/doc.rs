//! The smallest game, for examples in the documentation: take one to three matches; who takes the
//! last one wins.

use crate::{Game, Never, NotesOf, Outcome, ProposalsOf, Rejection, Seat, Seen, Settled, Told};

/// Nim. The state is the number of matches left.
#[derive(Clone, Copy, Debug)]
pub struct Nim;

impl Game for Nim {
    type Setup = u32;
    type State = u32;
    type Action = u32;
    type Effect = u32;
    type Event = u32;
    type Listener = Never;
    type Question = Never;
    type Answer = Never;
    type Reason = Never;

    fn start(&self, setup: &u32, _seed: u64) -> Result<u32, Rejection> {
        Ok(*setup)
    }
    fn check(&self, state: &u32, action: &u32) -> Result<(), Rejection> {
        match (1..=3).contains(action) && action <= state {
            true => Ok(()),
            false => Err(Rejection::new("TOO_MANY", format!("{action} of {state} cannot be taken"))),
        }
    }
    fn open(&self, _state: &u32, action: &u32, out: &mut ProposalsOf<Self>) {
        out.last(*action);
    }
    fn settle(&self, _state: &u32, effect: &u32, _notes: &mut NotesOf<Self>) -> Settled<u32, Never> {
        Settled::Event(*effect)
    }
    fn apply(&self, state: &mut u32, event: &u32) {
        *state -= event;
    }
    fn legal(&self, state: &u32, out: &mut Vec<u32>) {
        out.extend(1..=3.min(*state));
    }
    fn actor(&self, state: &u32) -> Option<Seat> {
        (*state > 0).then_some(0)
    }
    fn outcome(&self, state: &u32) -> Option<Outcome> {
        (*state == 0).then_some(Outcome::Won(0))
    }
}

impl Seen for Nim {}
impl Told for Nim {}
