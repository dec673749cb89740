//! Win: the objective is reached while the agent lives and nothing is decided.
//! Partners win when all of them have reached it.

use crate::component::Mask;
use crate::effect::Effect;
use crate::label::Company;
use crate::schedule::{Orders, Turn};

#[inline]
pub(crate) fn win(turn: &Turn, orders: &mut Orders) {
    let (world, agent) = (turn.world, turn.agent);
    if world.is_over() || world.has(agent, Mask::DEAD) || !world.cell(agent).is_some() {
        return;
    }
    if !turn.is_reached(agent) {
        return;
    }
    let all = match world.cast.company {
        Company::Strangers | Company::Rivals => true,
        Company::Partners => world.agents().all(|partner| turn.is_reached(partner)),
    };
    if all {
        orders.propose(Effect::Win { agent });
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn the_dead_do_not_win() {
        assert!(Trial::new("\n@E").plays("right").world().live.win);
        let trial = Trial::new("\n@x\n\nx = exit; lava").plays("right");
        assert!(!trial.world().live.win && trial.world().live.lose);
    }
}
