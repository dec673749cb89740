//! Tile reward: rewarding things in the agent's cell pay in every substep,
//! except those to be picked up.

use crate::component::Mask;
use crate::effect::Effect;
use crate::schedule::{Orders, Turn};
use crate::world::Slot;

pub(crate) fn tile_reward(turn: &Turn, orders: &mut Orders) {
    let (world, agent) = (turn.world, turn.agent);
    if world.is_over() || world.has(agent, Mask::DEAD) || !world.around(agent).any(Mask::REWARDABLE) {
        return;
    }
    let pays = |slot: &Slot| world.has(*slot, Mask::REWARDABLE) && !world.has(*slot, Mask::COLLECTIBLE);
    for source in world.at(world.cell(agent)).filter(pays) {
        let amount = world.cast.of(source).reward;
        if amount != 0 {
            orders.propose(Effect::Score { agent, source, amount });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn paid_in_every_step_unless_it_can_be_picked_up() {
        let trial = Trial::new("\n@r.E\n\nr = thing look=floor background reward=3").plays("right wait");
        assert_eq!(trial.world().live.score, 6);
        assert_eq!(Trial::new("\n@o.E").plays("right wait").world().live.score, 0);
    }
}
