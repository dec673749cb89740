//! Forget: a step begins without the hits and trails of the one before.

use crate::effect::Effect;
use crate::schedule::{Orders, Turn};

pub(crate) fn forget(_turn: &Turn, orders: &mut Orders) {
    orders.propose(Effect::Forget);
}
