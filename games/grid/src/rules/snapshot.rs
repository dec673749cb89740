//! Snapshot: remember where everything is, so that later systems can tell who
//! has moved since. The end of the turn takes one too, so the one after the
//! last substep is only taken when a system of the user's may still look.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

pub(crate) fn snapshot_before(_turn: &Turn, orders: &mut Orders) {
    orders.propose(Effect::NotePositions);
}

/// Whether anybody may look before the turn ends.
#[inline]
pub(crate) fn takes_snapshot(turn: &Turn) -> bool {
    !turn.is_last_substep || turn.game.schedule.has_guests
}

pub(crate) fn snapshot(turn: &Turn, orders: &mut Orders) {
    if takes_snapshot(turn) {
        snapshot_before(turn, orders);
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn nothing_has_moved_since_the_end_of_a_step() {
        let trial = Trial::new("\n@.m.E\n\nm = monster moves=right").plays("right");
        let moved = trial.world().entities().filter(|slot| trial.world().has_moved(*slot)).count();
        assert_eq!((moved, trial.here()), (0, (1, 0)));
    }
}
