//! Lists the listeners of a body, of the relics, of a card or a pile.

use super::calling::Calling;
use crate::catalog::compile::{Ears, Hook};
use crate::catalog::words::{Moment, Queue};
use crate::effect::{Hearer, Listener, Origin, Source};
use crate::game::{Heard, Spire};
use crate::state::{Life, NO_CARD, PLAYER, Slot, State, place_bit, places};

/// Hooks that go in front of the queue are asked behind all others, counted down from here.
const FIRSTS: i32 = 1 << 30;

impl Spire {
    /// Lists the hooks that a glance does not rule out.
    #[inline(never)]
    pub(super) fn list(&self, ears: &Ears, call: &Calling, owner: u8, source: Source, heard: &mut Heard) {
        self.list_now(ears, call, owner, source, heard);
    }

    /// The same without a call, for many in a row.
    #[inline(always)]
    fn list_now(&self, ears: &Ears, call: &Calling, owner: u8, source: Source, heard: &mut Heard) {
        for (index, hook) in ears.hooks.iter().enumerate() {
            if hook.moment == call.moment && call.may_wake(hook) {
                let (card, moment) = (call.card, Some(call.moment));
                self.list_hook(hook, Listener { owner, hook: index as u8, source, card, moment }, heard);
            }
        }
    }

    #[inline(never)]
    fn list_hook(&self, hook: &Hook, listener: Listener, heard: &mut Heard) {
        let place = order(hook.moment) + i32::from(hook.at);
        // Each one in front of the queue goes in front of those before it, so the last to hear runs first.
        let turned = hook.queue == Queue::First && !self.profile.firsts_in_order;
        let place = if turned { FIRSTS - place * 256 - heard.len() as i32 } else { place };
        heard.push(place, Hearer::Fight(listener));
    }

    /// Lists the listeners of one body: the player's relics, then powers, then the monster itself.
    pub fn listen(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        if owner == PLAYER {
            self.listen_relics_for(s, moment, card, heard);
        }
        self.listen_powers(s, moment, owner, card, heard);
    }

    pub(super) fn listen_powers(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        self.listen_powers_for(s, Calling::new(s, moment, card), owner, heard);
    }

    pub(super) fn listen_powers_for(&self, s: &State, call: Calling, owner: u8, heard: &mut Heard) {
        let Some(body) = s.combat.body(owner) else { return };
        if body.moments >> call.moment as u32 & 1 == 0 {
            return;
        }
        let call = call.seen_by(body, 0);
        for power in &body.powers {
            let source = Source::of(Origin::Power(power.id));
            self.list(&self.catalog.powers[power.id as usize].ears, &call, owner, source, heard);
        }
        if let Some(monster) = self.catalog.monsters.get(body.kind as usize) {
            self.list(&monster.ears, &call, owner, Source::of(Origin::Monster), heard);
        }
    }

    /// Everybody: the player, then the living monsters.
    pub(super) fn listen_all(&self, s: &State, moment: Moment, card: Slot, heard: &mut Heard) {
        self.listen(s, moment, PLAYER, card, heard);
        for &who in &s.combat.board {
            if matches!(s.combat.bodies[who as usize].life, Life::Alive | Life::HalfDead) {
                self.listen_powers(s, moment, who, card, heard);
            }
        }
    }

    pub(super) fn listen_card(&self, s: &State, moment: Moment, slot: Slot, heard: &mut Heard) {
        if s.combat.card_moments >> moment as u32 & 1 == 0 {
            return;
        }
        if let Some(ears) = self.ears_of(s, PLAYER, Source::of(Origin::Card), slot) {
            let call = Calling::new(s, moment, slot).seen_by(s.combat.player(), 0);
            self.list(ears, &call, PLAYER, Source::of(Origin::Card), heard);
        }
    }

    pub(super) fn listen_pile(&self, s: &State, moment: Moment, pile: &[Slot], heard: &mut Heard) {
        if s.combat.card_moments >> moment as u32 & 1 != 0 {
            pile.iter().for_each(|&slot| self.listen_card(s, moment, slot, heard));
        }
    }

    pub(super) fn listen_relics(&self, s: &State, moment: Moment, heard: &mut Heard) {
        self.listen_relics_for(s, moment, NO_CARD, heard);
    }

    pub(super) fn listen_relics_for(&self, s: &State, moment: Moment, card: Slot, heard: &mut Heard) {
        self.listen_relics_of(s, Calling::new(s, moment, card), heard);
    }

    #[inline]
    pub(super) fn listen_relics_of(&self, s: &State, call: Calling, heard: &mut Heard) {
        let mask = self.relics_that_hear(s, call.moment);
        if mask != 0 {
            self.list_relics(s, mask, call, heard);
        }
    }

    #[inline(never)]
    fn list_relics(&self, s: &State, mask: u64, call: Calling, heard: &mut Heard) {
        let mut call = call.seen_by(s.combat.player(), 0);
        for place in places(mask, s.run.relics.len()) {
            let relic = s.run.relics[place];
            let source = Source::of(Origin::Relic(place as u8));
            call.sight.count = relic.counter;
            self.list_now(&self.catalog.relics[relic.id as usize].ears, &call, PLAYER, source, heard);
        }
    }

    /// The places of the relics that may hear a moment.
    #[inline]
    pub(super) fn relics_that_hear(&self, s: &State, moment: Moment) -> u64 {
        let known = s.combat.hints.relics.get(moment as usize).copied().unwrap_or(u64::MAX);
        debug_assert!(
            s.combat.relic_moments >> moment as u32 & 1 == 0
                || s.run.relics.iter().enumerate().all(|(place, relic)| {
                    known & place_bit(place) != 0
                        || !self.catalog.relics[relic.id as usize].ears.hears(moment)
                }),
            "a relic hears {moment:?} and nobody knows"
        );
        known
    }

    pub(super) fn listen_monster(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        let Some(body) = s.combat.body(owner) else { return };
        if let Some(monster) = self.catalog.monsters.get(body.kind as usize) {
            let call = Calling::new(s, moment, card).seen_by(body, 0);
            self.list(&monster.ears, &call, owner, Source::of(Origin::Monster), heard);
        }
    }
}

/// Moments that one event brings together come in this order; within each, hooks by their place.
fn order(moment: Moment) -> i32 {
    match moment {
        Moment::Attacking => 0,
        Moment::Attacked => 1000,
        Moment::BlockBroken => 2000,
        Moment::HpLost => 3000,
        Moment::Inflicted => 4000,
        Moment::Bloodied => 5000,
        Moment::Draw | Moment::Discard | Moment::Exhaust | Moment::Scry | Moment::StanceChange => 6000,
        Moment::OwnerDied => -1000,
        _ => 0,
    }
}
