//! Tile cost: at the end of a step the acting agents pay for what they stand
//! on, except for things to be picked up. The winning step is free.

use crate::component::Mask;
use crate::effect::Effect;
use crate::schedule::{Orders, Turn};
use crate::world::Slot;

#[inline]
pub(crate) fn tile_cost(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    if world.is_over() {
        return;
    }
    for agent in turn.actors() {
        if world.has(agent, Mask::DEAD) || !world.around(agent).any(Mask::COST) {
            continue;
        }
        let costs = |slot: &Slot| world.has(*slot, Mask::COST) && !world.has(*slot, Mask::COLLECTIBLE);
        for source in world.at(world.cell(agent)).filter(costs) {
            let amount = world.cast.of(source).cost.saturating_neg();
            if amount != 0 {
                orders.propose(Effect::Score { agent, source, amount });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn standing_costs_and_winning_is_free() {
        let text = "\n@m.E\n\nm = thing look=mud background cost=4";
        assert_eq!(Trial::new(text).plays("right wait").world().live.score, -8);
        let free = Trial::new("\n@x\n\nx = thing look=mud background cost=4; exit").plays("right");
        assert_eq!(free.world().live.score, 0);
    }
}
