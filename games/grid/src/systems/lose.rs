//! Lose: the acting agent is dead.

use crate::component::Mask;
use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

#[inline]
pub(crate) fn lose(turn: &Turn, orders: &mut Orders) {
    if !turn.world.live.lose && turn.world.has(turn.agent, Mask::DEAD) {
        orders.propose(Effect::Lose { agent: turn.agent });
    }
}
