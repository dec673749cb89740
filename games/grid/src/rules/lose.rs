//! Lose: the acting agent is dead, or any partner. Of rivals the last one alive wins.

use crate::component::Mask;
use crate::effect::Effect;
use crate::label::Company;
use crate::schedule::{Orders, Turn};
use crate::world::{Slot, World};

#[inline]
pub(crate) fn lose(turn: &Turn, orders: &mut Orders) {
    let world = turn.world;
    if world.live.lose {
        return;
    }
    let dead = |agent: &Slot| world.has(*agent, Mask::DEAD);
    let loser = match world.cast.company {
        Company::Strangers => Some(turn.agent).filter(dead),
        Company::Partners => world.agents().find(dead),
        Company::Rivals => return orders.extend(last_standing(world)),
    };
    if let Some(agent) = loser {
        orders.propose(Effect::Lose { agent });
    }
}

/// What follows when all rivals but one, or all of them, are out.
fn last_standing(world: &World) -> Option<Effect> {
    let mut active = world.agents().filter(|agent| world.is_active(*agent));
    match (active.next(), active.next()) {
        _ if world.is_over() => None,
        (None, _) => world.first_agent().map(|agent| Effect::Lose { agent }),
        (Some(agent), None) if world.cast.agents.len() > 1 => Some(Effect::Win { agent }),
        (Some(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::trial::Trial;

    #[test]
    fn death_loses() {
        let trial = Trial::new("\n@~E").plays("right");
        assert!(
            trial.world().live.lose && trial.tells("You are dead, the level is lost"),
            "{:?}",
            trial.told
        );
    }
}
