//! Whether anybody may act at a moment, seen before it comes: a moment that nobody acts at need not come. A glance tells
//! of now: ask only where nothing can happen before the moment does.

use super::calling::{Calling, wakes};
use crate::catalog::compile::kind_bit;
use crate::catalog::words::{CardType, Moment};
use crate::event::Event;
use crate::game::Spire;
use crate::state::{Body, NO_CARD, NOBODY, PLAYER, Slot, State, any_place};

impl Spire {
    /// Whether anybody may act at a moment of a card that is being played. Who only counts it, and who waits for a
    /// card of another type, need not hear of it.
    #[inline(always)]
    pub(crate) fn play_heard(&self, s: &State, moment: Moment, slot: Slot, kind: CardType) -> bool {
        let acted = s.combat.moments >> moment as u32 & 1 != 0 && self.play_acted_on(s, moment, slot, kind);
        if cfg!(debug_assertions) && !acted {
            let event = Event::Moment { moment, owner: PLAYER, other: NOBODY, card: slot, number: 0 };
            assert!(self.nobody_hears(s, &event), "somebody acts on {event:?}");
        }
        acted
    }

    #[inline(never)]
    fn play_acted_on(&self, s: &State, moment: Moment, slot: Slot, kind: CardType) -> bool {
        let relics = self.relics_that_act(s, moment, kind);
        let bodies = s.combat.hints.bodies >> moment as u32 & 1 != 0;
        (relics != 0 || bodies) && self.anybody_wakes(s, moment, (slot, kind), relics)
    }

    #[inline(never)]
    fn anybody_wakes(&self, s: &State, moment: Moment, (slot, kind): (Slot, CardType), relics: u64) -> bool {
        let call = Calling::new(s, moment, slot).of_kind(kind_bit(kind));
        let wakes = |body: &Body| body.moments >> moment as u32 & 1 != 0 && self.body_wakes(body, call);
        any_place(relics, s.run.relics.len(), |place| self.relic_wakes(s, place, call))
            || s.combat.bodies.iter().any(wakes)
    }

    /// The places of the relics that may act at a moment of a play of a card of that type. Those that do not care for
    /// it, and those that only count it, are seen at a glance.
    #[inline(always)]
    fn relics_that_act(&self, s: &State, moment: Moment, kind: CardType) -> u64 {
        let hints = &s.combat.hints;
        if s.combat.relic_moments >> moment as u32 & 1 == 0 {
            0
        } else if hints.due && moment == Moment::CardUsed {
            hints.acting[kind as usize] | hints.counting[kind as usize]
        } else {
            hints.acting[kind as usize]
        }
    }

    /// Whether anybody may act at a moment of that body's, were it to come now.
    #[inline(never)]
    pub(crate) fn may_act(&self, s: &State, moment: Moment, owner: u8) -> bool {
        let call = Calling::new(s, moment, NO_CARD);
        let relic_wakes = |place: usize| {
            let relic = s.run.relics[place];
            let ears = &self.catalog.relics[relic.id as usize].ears;
            wakes(ears, &call.seen_by(s.combat.player(), relic.counter))
        };
        let hears = |body: &Body| body.moments >> moment as u32 & 1 != 0 && self.body_wakes(body, call);
        let acts = owner == PLAYER
            && any_place(self.relics_that_hear(s, moment), s.run.relics.len(), relic_wakes)
            || s.combat.body(owner).is_some_and(hears);
        if cfg!(debug_assertions) && !acts {
            let event = Event::Moment { moment, owner, other: NOBODY, card: NO_CARD, number: 0 };
            assert!(self.nobody_hears(s, &event), "somebody acts on {event:?}");
        }
        acts
    }

    #[inline(never)]
    fn relic_wakes(&self, s: &State, place: usize, call: Calling) -> bool {
        let relic = s.run.relics[place];
        let tally = &self.catalog.tallies[relic.id as usize];
        if tally.plays & call.moment.play_bit() == 0 {
            return false;
        }
        if tally.alone && tally.moment == call.moment {
            return tally.is_due(relic.counter) && tally.kinds & call.sight.kind != 0;
        }
        let ears = &self.catalog.relics[relic.id as usize].ears;
        wakes(ears, &call.seen_by(s.combat.player(), relic.counter))
    }

    /// Whether a power of a body, or the monster itself, may act.
    #[inline(never)]
    fn body_wakes(&self, body: &Body, call: Calling) -> bool {
        let monster = self.catalog.monsters.get(body.kind as usize);
        let mut powers = body.powers.iter().map(|power| &self.catalog.powers[power.id as usize].ears);
        let call = call.seen_by(body, 0);
        powers.any(|ears| wakes(ears, &call)) || monster.is_some_and(|info| wakes(&info.ears, &call))
    }
}
