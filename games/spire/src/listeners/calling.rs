//! A moment, with what one sees at a glance of who may act at it.

use crate::catalog::compile::{ANY_KIND, Ears, Hook, Sight};
use crate::catalog::words::Moment;
use crate::state::{Body, Slot, State};

/// A moment that comes, with what a hook sees of it at a glance.
#[derive(Clone, Copy)]
pub(super) struct Calling {
    pub(super) moment: Moment,
    pub(super) card: Slot,
    pub(super) sight: Sight,
}

impl Calling {
    #[inline]
    pub(super) fn new(s: &State, moment: Moment, card: Slot) -> Self {
        let turn = s.combat.counts.turn;
        Calling { moment, card, sight: Sight { kind: ANY_KIND, turn, count: 0, guarded: false } }
    }

    /// The same for cards of these types.
    #[inline]
    pub(super) fn of_kind(mut self, kind: u8) -> Self {
        self.sight.kind = kind;
        self
    }

    /// The same as a body sees it, and the relic with that count.
    #[inline]
    pub(super) fn seen_by(mut self, body: &Body, count: i16) -> Self {
        (self.sight.guarded, self.sight.count) = (body.block != 0, count);
        self
    }

    /// Whether a hook of this moment may act: its condition is not ruled out, and its count has come round.
    #[inline]
    pub(super) fn may_wake(&self, hook: &Hook) -> bool {
        hook.glance.allows(&self.sight) && (hook.tally == 0 || self.sight.count == 0)
    }
}

/// Whether a hook of an entry may act.
pub(super) fn wakes(ears: &Ears, call: &Calling) -> bool {
    let may = |hook: &Hook| hook.moment == call.moment && call.may_wake(hook);
    ears.hears(call.moment) && ears.hooks.iter().any(may)
}
