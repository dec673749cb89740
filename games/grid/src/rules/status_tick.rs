//! Status tick: time-limited effects that somebody bears lose one step. An
//! effect in two statuses loses two; lying or carried ones lose none.

use turnstone::Notes;

use crate::component::Mask;
use crate::effect::Effect;
use crate::event::Event;
use crate::reason::Reason;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

pub(crate) fn status_tick(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    for &bearer in &world.cast.bearers {
        for &effect in world.status(bearer) {
            if world.has(effect, Mask::TIME_LIMIT) {
                orders.propose(Effect::Tick { bearer, effect });
            }
        }
    }
}

pub(crate) fn settle_tick(
    world: &World,
    bearer: Slot,
    effect: Slot,
    notes: &mut Notes<Reason>,
) -> Option<Event> {
    let before = world.time_left(effect)?;
    let left = before.saturating_sub(1);
    notes.changed(Reason::Time { effect }, before, left);
    Some(Event::Ticked { bearer, effect, left })
}

pub(crate) fn settle_spend(
    world: &World,
    bearer: Slot,
    effect: Slot,
    notes: &mut Notes<Reason>,
) -> Option<Event> {
    let before = world.uses_left(effect)?;
    let left = before.saturating_sub(1);
    notes.changed(Reason::Use { effect }, before, left);
    Some(Event::Spent { bearer, effect, left })
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn only_what_is_borne_loses_time() {
        let trial = Trial::new("\n@s.E\n\ns = shield time=5").plays("right wait");
        assert_eq!(trial.world().time_left(trial.find("shield")), Some(5));
        let trial = trial.plays("pick_up wait");
        assert_eq!(trial.world().time_left(trial.find("shield")), Some(4));
        assert!(trial.tells("Your shield lasts 4 steps more"), "{:?}", trial.told);
    }
}
