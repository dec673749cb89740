//! Who hears of an effect before it happens. One kind of listener per file.

pub mod edge;
pub mod hurts;
pub mod modifier;
pub mod runs_out;

use crate::effect::{Effect, Listener};
use crate::reason::Reason;
use crate::state::State;
use turnstone::{Listeners, Proposals, Verdict};

/// Lists the listeners of an effect: two masks and a look at the timers.
pub fn before_listeners(state: &State, effect: &Effect, heard: &mut Listeners<Listener>) {
    match effect {
        Effect::Strike(strike) => {
            edge::list(state, strike, heard);
            modifier::list(state, strike, heard);
        }
        Effect::Pass { from, to, .. } if state.stage.is_modern() => {
            runs_out::list(state, *from, *to, heard);
            hurts::list(state, *to, heard);
        }
        _ => {}
    }
}

/// An effect as it would arrive: everybody who hears of it before has been heard.
pub fn weigh(state: &State, mut effect: Effect) -> Effect {
    let (mut heard, mut out) = (Listeners::default(), Proposals::default());
    before_listeners(state, &effect, &mut heard);
    heard.sort();
    for listener in heard.iter() {
        before(listener, state, &mut effect, &mut out);
    }
    effect
}

/// Lets one listener act.
pub fn before(
    listener: Listener,
    state: &State,
    effect: &mut Effect,
    out: &mut Proposals<Effect, Listener, Reason>,
) -> Verdict {
    match (listener, effect) {
        (Listener::Modifier { body, condition }, Effect::Strike(strike)) => {
            modifier::before(state, body, condition, strike, out.notes())
        }
        (Listener::Edge, Effect::Strike(strike)) => edge::before(state, strike, out.notes()),
        (Listener::RunsOut { body }, Effect::Pass { from, to, round }) => {
            runs_out::before_end(state, body, (*from, *to, *round), out)
        }
        (Listener::RunsOutFirst { body }, Effect::Pass { from, to, round }) => {
            runs_out::before_start(state, body, (*from, *to, *round), out)
        }
        (Listener::Hurts { body, condition }, Effect::Pass { from, to, round }) => {
            hurts::before(body, condition, (*from, *to, *round), out)
        }
        _ => Verdict::Pass,
    }
}
