//! What reports over many levels tell: whether they can be solved, how long the shortest way is, and how many ways part
//! from it.

use std::collections::BTreeSet;

use serde_json::Value;
use turnstone::digest::digest;
use turnstone::{Input, Off, Position, Resolver};

use crate::action::Action;
use crate::bots::SIGHT;
use crate::game::Grid;
use crate::solve::{Solution, solve_from};
use crate::state::State;

/// What is known of a level before anybody plays it.
pub(crate) fn survey(game: &Grid, state: &State) -> Vec<(String, Value)> {
    let found = solve_from(game, state, SIGHT);
    let told = |name: &str, value: Value| (name.to_string(), value);
    // Every level tells both, so that shares are shares of all levels.
    let mut all = vec![
        told("moments", found.seen.into()),
        told("solvable", matches!(found.solution, Solution::Won(_)).into()),
        told("not known whether solvable", (found.solution == Solution::GaveUp).into()),
    ];
    match found.solution {
        Solution::Won(way) => {
            all.push(told("shortest way", way.len().into()));
            all.push(told("ways at each step", branching(game, state, &way).into()));
        }
        Solution::Impossible | Solution::GaveUp => {}
    }
    all
}

/// How many different moments can follow one of the shortest way, in the mean.
fn branching(game: &Grid, state: &State, way: &[Action]) -> f64 {
    let (mut position, mut resolver) = (Position::<Grid>::new(state.clone()), Resolver::<Grid>::default());
    let mut ways = 0;
    for action in way {
        let mut after = BTreeSet::new();
        for tried in position.inputs(game) {
            let mut next = position.clone();
            let gives_up = matches!(tried, Input::Act(Action::Resign { .. }));
            if !gives_up && resolver.act(game, &mut next, &tried, &mut Off).is_ok() {
                let mut world = next.state().world.clone();
                world.live.turn = 0;
                after.insert(digest(&State::new(world)).0);
            }
        }
        ways += after.len();
        if resolver.act(game, &mut position, &Input::Act(action.clone()), &mut Off).is_err() {
            break;
        }
    }
    ways as f64 / way.len().max(1) as f64
}
