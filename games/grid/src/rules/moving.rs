//! Moving: patrollers walk along their axis, `speed` cells per step. Being
//! stopped uses up the rest of the step; those that bounce turn round.

use crate::component::Mask;
use crate::effect::Effect;
use crate::event::Event;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

pub(crate) fn moving(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    for &mover in &world.cast.movers {
        if world.cast.of(mover).speed <= 0 || !is_on_board(world, mover) {
            continue;
        }
        // D3: either each looks when its turn comes, or all look now.
        let live = turn.rules.profile.movers_see_movers;
        let plan = if live { None } else { Some(plan(world, mover)) };
        orders.propose(Effect::Patrol { mover, plan });
    }
}

fn is_on_board(world: &World, mover: Slot) -> bool {
    world.has(mover, Mask::MOVING) && world.cell(mover).is_some()
}

/// How far the mover gets, and whether something stops it there.
fn plan(world: &World, mover: Slot) -> (u32, bool) {
    let traits = world.cast.of(mover);
    let Some(motion) = world.motion(mover) else { return (0, false) };
    let blocking = world.has(mover, Mask::BLOCKING);
    let stops = if blocking { Mask::STOPS_THINGS } else { Mask::STOPS_WALKING };
    let vector = traits.axis.vector(i32::from(motion.direction));
    let mut here = world.cell(mover);
    for step in 0..traits.speed.unsigned_abs() {
        match world.cast.bounds.step(here, vector).filter(|next| !world.blocks(*next, stops)) {
            Some(next) => here = next,
            None => return (step, true),
        }
    }
    (traits.speed.unsigned_abs(), false)
}

pub(crate) fn settle(world: &World, mover: Slot, fixed: Option<(u32, bool)>) -> Option<Event> {
    if !is_on_board(world, mover) {
        return None;
    }
    let (steps, stopped) = fixed.unwrap_or_else(|| plan(world, mover));
    Some(Event::Patrolled { mover, steps, stopped })
}

#[cfg(test)]
mod tests {
    use crate::ruleset::Profile;
    use crate::trial::Trial;

    #[test]
    fn turning_round_takes_a_step() {
        let mut trial = Trial::new("\n@#m..#E\n\nm = monster moves=right pace=2");
        for (x, words) in [(4, "walks 2 cells to (4, 0)"), (4, "at (4, 0) is stopped"), (2, "walks 2 cells")]
        {
            trial = trial.plays("wait");
            assert_eq!(trial.place("monster"), (x, 0));
            assert!(trial.tells(words), "{:?}", trial.told);
        }
    }

    #[test]
    fn who_does_not_bounce_waits_until_the_way_is_free() {
        let trial = Trial::new("\n@#mBE\n\nm = monster moves=right bounce=no").plays("wait wait");
        let motion = trial.world().motion(trial.find("monster")).unwrap();
        assert_eq!((trial.place("monster"), motion.direction), ((2, 0), 1));
    }

    #[test]
    fn movers_see_the_cells_of_before_or_of_now() {
        let text = "\n@#ab.E\n\na = box pushable=no moves=right\nb = thing look=cart blocking moves=right";
        assert_eq!(Trial::under(Profile::SEED, text).plays("wait").place("box"), (2, 0));
        assert_eq!(Trial::under(Profile::HEAD, text).plays("wait").place("box"), (2, 0));
        let text = "\n@#ba.E\n\na = box pushable=no moves=right\nb = thing look=cart blocking moves=right";
        assert_eq!(Trial::under(Profile::SEED, text).plays("wait").place("cart"), (2, 0));
        assert_eq!(Trial::under(Profile::HEAD, text).plays("wait").place("box"), (4, 0));
    }
}
