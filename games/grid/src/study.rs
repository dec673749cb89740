//! What reports over many levels tell: whether they can be solved, how long the shortest way is, and how many ways part
//! from it.

use std::collections::BTreeSet;

use serde_json::Value;
use turnstone::digest::digest;
use turnstone::{Input, Off, Position, Resolver};

use crate::action::{Action, Deed};
use crate::bots::SIGHT;
use crate::game::Grid;
use crate::solve::{Solution, solve_from};
use crate::state::State;

/// What is known of a level before anybody plays it.
pub(crate) fn survey(game: &Grid, state: &State) -> Vec<(String, Value)> {
    let found = solve_from(game, state, SIGHT);
    let told = |name: &str, value: Value| (name.to_string(), value);
    let mut all = vec![told("moments", found.seen.into())];
    match found.solution {
        Solution::Won(deeds) => {
            all.push(told("solvable", true.into()));
            all.push(told("shortest way", deeds.len().into()));
            all.push(told("ways at each step", branching(game, state, &deeds).into()));
        }
        Solution::Impossible => all.push(told("solvable", false.into())),
        Solution::GaveUp => all.push(told("solvable", "not known".into())),
    }
    all
}

/// How many different moments can follow one of the shortest way, in the mean.
fn branching(game: &Grid, state: &State, deeds: &[Deed]) -> f64 {
    let (mut position, mut resolver) = (Position::<Grid>::new(state.clone()), Resolver::<Grid>::default());
    let mut ways = 0;
    for deed in deeds {
        let mut after = BTreeSet::new();
        for tried in Deed::ALL {
            let mut next = position.clone();
            if resolver.act(game, &mut next, &Input::Act(Action::step(tried)), &mut Off).is_ok() {
                let mut world = next.state().world.clone();
                world.live.turn = 0;
                after.insert(digest(&State::new(world)).0);
            }
        }
        ways += after.len();
        if resolver.act(game, &mut position, &Input::Act(Action::step(*deed)), &mut Off).is_err() {
            break;
        }
    }
    ways as f64 / deeds.len().max(1) as f64
}
