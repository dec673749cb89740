//! Orbs: channeling, evoking, passives; and stances.

use super::numbers::About;
use crate::catalog::compile::{Id, Num, Op, OrbKind, Which};
use crate::catalog::words::Stage;
use crate::dice::{Die, Roller};
use crate::effect::{Ctx, Effect, Origin, Source};
use crate::eval::Env;
use crate::event::Event;
use crate::game::{Out, Settling, Spire};
use crate::state::{NO_CARD, NOBODY, Orb, PLAYER, State};
use turnstone::{Expanded, Lane, Settled};

impl Spire {
    /// What a step about orbs stands for.
    pub(crate) fn expand_orb_step(
        &self,
        s: &State,
        op: &Op,
        env: &Env<'_>,
        out: &mut Out,
    ) -> Expanded<Effect> {
        match op {
            Op::Channel { orb, count } => {
                for _ in 0..self.num(*count, env).clamp(0, 30) {
                    out.first(match orb {
                        OrbKind::Kind(id) => {
                            Effect::Channel { orb: *id, stored: self.catalog.orbs[*id as usize].stored }
                        }
                        OrbKind::Random => Effect::ChannelRandom,
                        OrbKind::LastEvoked => Effect::ChannelLast,
                    });
                }
            }
            Op::Evoke { which, times } => {
                let orbs =
                    if *which == Which::Next { s.combat.orbs.len().min(1) } else { s.combat.orbs.len() };
                let times = self.num(*times, env).clamp(0, 99) as u8;
                if *which == Which::Next && times == 0 {
                    return Expanded::Nothing;
                }
                (0..orbs).for_each(|_| {
                    out.first(Effect::Evoke { times });
                });
            }
            Op::Passive { which, times } => {
                let cables = !self.profile.cables_ignore_steps;
                for _ in 0..self.num(*times, env).clamp(0, 99) {
                    match which {
                        Which::Next => _ = out.first(Effect::Passive { index: 0 }),
                        Which::All => self.fire_passives(s, |_| true, cables, out),
                        Which::Kind(id) => self.fire_passives(s, |orb| orb.id == *id, cables, out),
                    }
                }
            }
            _ => return Expanded::Nothing,
        }
        Expanded::Into
    }

    /// A full row evokes its oldest orb first.
    pub(crate) fn expand_channel(&self, s: &State, effect: Effect, out: &mut Out) -> Expanded<Effect> {
        let combat = &s.combat;
        // After a lost fight nothing is evoked any more, so no place would ever become free.
        if combat.orb_slots == 0 || combat.stage == crate::state::Stage::Lost {
            return Expanded::Nothing;
        }
        if combat.orbs.len() < combat.orb_slots as usize {
            return Expanded::Keep;
        }
        out.first(Effect::Evoke { times: 1 });
        out.first(effect);
        Expanded::Into
    }

    /// A random kind is rolled; a returning orb keeps what it holds.
    pub(crate) fn settle_channel(&self, s: &State, effect: &Effect) -> Settling {
        let mut roller = Roller::new(s);
        let (orb, stored) = match *effect {
            Effect::Channel { orb, stored } => (orb, stored),
            Effect::ChannelRandom => {
                let order = &self.catalog.orb_order;
                let Some(&orb) = order.get(roller.index(Die::CardRandom, order.len())) else {
                    return Settled::Stale;
                };
                (orb, self.catalog.orbs[orb as usize].stored)
            }
            _ => match s.combat.last_orb {
                Some(orb) => (orb.id, orb.stored),
                None => return Settled::Stale,
            },
        };
        Settled::Event(Event::Channeled { orb, stored, rolls: roller.drawn() })
    }

    /// Evoked several times: only the last time removes it.
    pub(crate) fn expand_evoke(&self, s: &State, times: u8, out: &mut Out) -> Expanded<Effect> {
        if s.combat.orbs.is_empty() {
            return Expanded::Nothing;
        }
        if times <= 1 {
            return Expanded::Keep;
        }
        (1..times).for_each(|_| {
            out.first(Effect::EvokeKept);
        });
        out.first(Effect::Evoke { times: 1 });
        Expanded::Into
    }

    /// The number of an orb, Focus included.
    pub fn orb_number(&self, s: &State, orb: Orb, evoke: bool, index: u8) -> i32 {
        let (base, focused) = self.orb_base(s, orb, evoke, index);
        if !focused {
            return base;
        }
        let about = About { orb: Some(orb.id), ..About::default() };
        self.altered_number(s, Stage::OrbValue, PLAYER, base, about).0.max(0)
    }

    /// The number of an orb before anybody changes it, and whether anybody may.
    #[inline]
    pub(super) fn orb_base(&self, s: &State, orb: Orb, evoke: bool, index: u8) -> (i32, bool) {
        let info = &self.catalog.orbs[orb.id as usize];
        let base = match if evoke { info.evoke.0 } else { info.passive.0 } {
            Num::Const(number) => number,
            num => self.num(num, &Env::new(s, self.orb_ctx(index, 0, orb.stored))),
        };
        (base, info.focus[usize::from(evoke)])
    }

    fn orb_ctx(&self, index: u8, n: i16, stored: i16) -> Ctx {
        let source = Source::of(Origin::Orb(index));
        Ctx { owner: PLAYER, other: NOBODY, card: NO_CARD, n, event: stored, source }
    }

    /// The first orb is evoked.
    pub(crate) fn settle_evoke(&self, s: &State, last: bool, silent: bool) -> Settling {
        let Some(&Orb { id: orb, stored }) = s.combat.orbs.first() else { return Settled::Stale };
        Settled::Event(Event::Evoked { orb, stored, last, silent })
    }

    /// There are more slots, or fewer: then the newest orbs go, or first the oldest.
    pub(crate) fn settle_slots(&self, s: &State, amount: i8) -> Settling {
        let (before, held) = (s.combat.orb_slots, s.combat.orbs.len());
        let slots = (i16::from(before) + i16::from(amount)).clamp(0, 10) as u8;
        let oldest = usize::from(self.profile.lost_slots_take_the_oldest && slots < before && held > 0);
        let kept = (oldest + usize::from(slots)).min(held);
        let gone = (0..oldest).chain(kept..held).map(|place| place as u8).collect();
        Settled::Event(Event::SlotsChanged { slots, gone })
    }

    /// Steps of an evoked orb.
    pub(crate) fn follow_evoked(&self, s: &State, silent: bool, out: &mut Out) {
        let (Some(orb), false) = (s.combat.last_orb, silent) else { return };
        let n = self.orb_number_gone(s, orb);
        let program = self.catalog.orbs[orb.id as usize].evoke.1;
        // The orb has left its place: what it held travels with the step.
        self.propose(s, program, self.orb_ctx(u8::MAX, n, orb.stored), Lane::First, out);
    }

    fn orb_number_gone(&self, s: &State, orb: Orb) -> i16 {
        self.orb_number(s, orb, true, u8::MAX).clamp(0, 30_000) as i16
    }

    /// Steps of a passive.
    pub(crate) fn follow_passive(&self, s: &State, index: u8, out: &mut Out) {
        let Some(&orb) = s.combat.orbs.get(index as usize) else { return };
        let n = self.orb_number(s, orb, false, index).clamp(0, 30_000) as i16;
        let program = self.catalog.orbs[orb.id as usize].passive.1;
        self.propose(s, program, self.orb_ctx(index, n, orb.stored), Lane::First, out);
    }

    /// All passives of the start or end of a turn, the oldest orb first.
    pub(crate) fn expand_passives(&self, s: &State, start: bool, out: &mut Out) -> Expanded<Effect> {
        let due = |orb: &Orb| self.catalog.orbs[orb.id as usize].at_turn_start == start;
        self.fire_passives(s, due, true, out);
        if out.is_empty() { Expanded::Nothing } else { Expanded::Into }
    }

    /// Passives of all orbs that are meant. Cables repeat one: the oldest, behind all others; in the recorded
    /// engine the newest.
    pub(crate) fn fire_passives(&self, s: &State, meant: impl Fn(&Orb) -> bool, cables: bool, out: &mut Out) {
        let orbs = &s.combat.orbs;
        for (index, _) in orbs.iter().enumerate().filter(|(_, orb)| meant(orb)) {
            out.first(Effect::Passive { index: index as u8 });
        }
        let repeated = if self.profile.cables_repeat_newest { orbs.len().saturating_sub(1) } else { 0 };
        if cables && orbs.get(repeated).is_some_and(meant) {
            let again = self.altered_number(s, Stage::OrbPassives, PLAYER, 0, About::default()).0;
            (0..again).for_each(|_| {
                out.first(Effect::Passive { index: repeated as u8 });
            });
        }
    }

    /// Steps of leaving and entering, where they come before everybody else's.
    pub(crate) fn follow_stance(&self, s: &State, from: Id, to: Id, out: &mut Out) {
        self.propose(s, self.catalog.stances[from as usize].on_exit, stance_ctx(from), Lane::First, out);
        self.propose(s, self.catalog.stances[to as usize].on_enter, stance_ctx(to), Lane::First, out);
    }
}

/// What the steps of a stance remember.
pub(crate) fn stance_ctx(stance: Id) -> Ctx {
    let source = Source::of(Origin::Stance(stance));
    Ctx { owner: PLAYER, other: NOBODY, card: NO_CARD, n: 0, event: 0, source }
}
