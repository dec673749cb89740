//! Turn: the step is counted; out of time is lost. Where agents take turns,
//! the next living one is up, and with nobody left the game is lost.

use crate::effect::Effect;
use crate::event::Event;
use crate::ruleset::Order;
use crate::schedule::{Orders, Turn};
use crate::state::State;
use crate::world::{Slot, World};

#[inline]
pub(crate) fn turn(_turn: &Turn, orders: &mut Orders) {
    orders.propose(Effect::EndTurn);
}

#[inline]
pub(crate) fn settle(state: &State, order: Order) -> Event {
    let world = &state.world;
    let late = world.cast.turn_limit.is_some_and(|limit| world.live.turn.saturating_add(1) >= limit);
    if order == Order::Anyone {
        return Event::TurnEnded { lost: late && !world.live.win, next: Slot::NONE };
    }
    let up = next_agent(world, state.next);
    let lost = (late || !up.is_some()) && !world.live.win;
    Event::TurnEnded { lost, next: if order == Order::Rotation { up } else { Slot::NONE } }
}

/// A rival gives up: whoever comes after him is next.
pub(crate) fn settle_resign(state: &State, agent: Slot) -> Option<Event> {
    if !state.world.is_active(agent) || state.world.is_over() {
        return None;
    }
    let after = if state.next == agent { next_agent(&state.world, agent) } else { state.next };
    Some(Event::Resigned { agent, next: if after == agent { Slot::NONE } else { after } })
}

/// The first active agent after `last` in id order, beginning again at the lowest.
pub(crate) fn next_agent(world: &World, last: Slot) -> Slot {
    let active = || world.agents().filter(|agent| world.is_active(*agent));
    let after = active().find(|agent| last.is_some() && *agent > last);
    after.or_else(|| active().next()).unwrap_or(Slot::NONE)
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn out_of_time_is_lost_but_not_after_a_victory() {
        let late = Trial::new("turn_limit: 2\n\n@..E").plays("wait wait");
        assert!(late.world().live.lose && late.tells("Time is up, the level is lost"));
        let won = Trial::new("turn_limit: 1\n\n@E").plays("right");
        assert!(won.world().live.win && !won.world().live.lose);
    }
}
