//! Timed conditions end before the turn passes: most when their bearer's turn
//! ends, `dodging` when its bearer's turn comes.

use crate::catalog::Tick;
use crate::effect::{Effect, Listener};
use crate::reason::Reason;
use crate::rules::conditions::running_out;
use crate::stage::BodyId;
use crate::state::State;
use turnstone::{Listeners, Proposals, Verdict};

/// A turn on its way: whose ends, whose comes, in which round.
pub type Passing = (BodyId, BodyId, i64);

/// Listens for whoever has a condition at its last turn.
pub fn list(state: &State, from: BodyId, to: BodyId, heard: &mut Listeners<Listener>) {
    if state.timers.is_empty() {
        return;
    }
    if running_out(state, from, Tick::TurnEnd).next().is_some() {
        heard.push(10, Listener::RunsOut { body: from });
    }
    if running_out(state, to, Tick::TurnStart).next().is_some() {
        heard.push(20, Listener::RunsOutFirst { body: to });
    }
}

/// First the conditions end, in the order in which they came; then the turn passes.
pub fn before_end(
    state: &State,
    body: BodyId,
    passing: Passing,
    out: &mut Proposals<Effect, Listener, Reason>,
) -> Verdict {
    expire(state, body, Tick::TurnEnd, passing, out)
}

/// The same for what ends when the bearer's turn comes.
pub fn before_start(
    state: &State,
    body: BodyId,
    passing: Passing,
    out: &mut Proposals<Effect, Listener, Reason>,
) -> Verdict {
    expire(state, body, Tick::TurnStart, passing, out)
}

fn expire(
    state: &State,
    body: BodyId,
    tick: Tick,
    (from, to, round): Passing,
    out: &mut Proposals<Effect, Listener, Reason>,
) -> Verdict {
    for condition in running_out(state, body, tick) {
        out.first(Effect::Expire { body, condition });
    }
    out.first(Effect::Pass { from, to, round });
    Verdict::Replaced
}
