//! A listener reacts to what it hears.

use crate::catalog::compile::Hook;
use crate::catalog::hook::Once;
use crate::catalog::words::{DamageKind, Moment};
use crate::effect::{Ctx, Effect, Listener, Origin};
use crate::eval::Env;
use crate::event::Event;
use crate::game::{Out, Spire};
use crate::rules::orbs::stance_ctx;
use crate::rules::steps::lane;
use crate::state::{NO_CARD, NOBODY, NONE, Slot, State};

/// What a listener may know of an event.
#[derive(Clone, Copy)]
struct Facts {
    other: u8,
    number: i16,
    card: Slot,
    kind: Option<DamageKind>,
    stances: (u16, u16),
}

impl Facts {
    const NOTHING: Facts =
        Facts { other: NOBODY, number: 0, card: NO_CARD, kind: None, stances: (NONE, NONE) };
}

impl Spire {
    fn facts(&self, s: &State, moment: Moment, event: &Event, listener: Listener) -> Facts {
        let mut facts = Facts { card: listener.card, ..Facts::NOTHING };
        match *event {
            Event::Moment { other, number, card, .. } => {
                facts.other = other;
                facts.number = number;
                if !matches!(listener.source.origin(), Origin::Card | Origin::Copy) {
                    facts.card = card;
                }
            }
            Event::Hit { by, to, kind, amount, blocked, lost, .. } => {
                facts.kind = Some(kind);
                facts.other = if matches!(moment, Moment::Attacking | Moment::Inflicted | Moment::BlockBroken)
                {
                    to
                } else {
                    by
                };
                facts.number = match moment {
                    Moment::HpLost | Moment::Inflicted | Moment::Bloodied => lost,
                    _ => (amount - blocked).max(0).min(if lost == 0 { amount - blocked } else { i16::MAX }),
                };
                if matches!(moment, Moment::Attacked | Moment::Attacking) {
                    facts.number = if amount - blocked > 0 { lost.max(i16::from(lost > 0)) } else { 0 };
                }
            }
            Event::Blocked { amount, .. } | Event::Guarded { amount, .. } | Event::Healed { amount, .. } => {
                facts.number = amount;
            }
            Event::Applied { by, to, amount, power, .. } => {
                facts.other = if moment == Moment::DebuffGiven { to } else { by };
                facts.number = amount;
                facts.card = Ctx::in_question(power);
            }
            Event::Reduced { power, .. } => facts.card = Ctx::in_question(power),
            Event::StanceChanged { from, to } => facts.stances = (from, to),
            Event::Died { who, .. } | Event::HalfDied { who } => facts.other = who,
            Event::Spawned { .. } => facts.other = s.combat.bodies.len() as u8 - 1,
            _ => {}
        }
        facts
    }

    /// A listener reacts.
    pub(crate) fn react(&self, listener: Listener, s: &State, event: &Event, out: &mut Out) {
        match (listener.source.origin(), event) {
            (Origin::Relic(place), &Event::Moment { other, card, number, .. }) => {
                self.react_at_moment(
                    listener,
                    place,
                    s,
                    Facts { other, number, card, ..Facts::NOTHING },
                    out,
                );
            }
            _ => self.react_to(listener, s, event, out),
        }
    }

    /// A relic reacts at a moment: mostly nothing but that has come.
    fn react_at_moment(&self, listener: Listener, place: u8, s: &State, facts: Facts, out: &mut Out) {
        let Some(relic) = s.run.relics.get(usize::from(place)) else { return };
        let ears = &self.catalog.relics[relic.id as usize].ears;
        let Some(hook) = ears.hooks.get(usize::from(listener.hook)) else { return };
        self.act_on(listener, hook, s, (relic.counter, &facts), out);
    }

    #[inline(never)]
    fn react_to(&self, listener: Listener, s: &State, event: &Event, out: &mut Out) {
        let Some(moment) = listener.moment else { return };
        if let (Origin::Stance(stance), Event::StanceChanged { .. }) = (listener.source.origin(), event) {
            let program = self.stance_program(stance, listener.hook);
            return self.propose(s, program, stance_ctx(stance), turnstone::Lane::Last, out);
        }
        let Some(ears) = self.ears_of(s, listener.owner, listener.source, listener.card) else { return };
        let Some(hook) = ears.hooks.get(listener.hook as usize) else { return };
        let facts = self.facts(s, moment, event, listener);
        self.act_on(listener, hook, s, (self.stacks_of(s, listener), &facts), out);
    }

    /// A hook that hears acts, if its condition holds.
    #[inline(always)]
    fn act_on(&self, listener: Listener, hook: &Hook, s: &State, (n, facts): (i16, &Facts), out: &mut Out) {
        let Listener { owner, source, .. } = listener;
        let ctx = Ctx { owner, other: facts.other, card: facts.card, n, event: facts.number, source };
        let counts = hook.tally == 0 && (hook.every.is_some() || hook.once.is_some());
        let simple = hook.glance.whole && !counts;
        if (cfg!(debug_assertions) || !simple) && !self.hook_acts(s, hook, listener, (ctx, facts), out) {
            debug_assert!(!simple, "{hook:?} was seen to hold");
            return;
        }
        // Copies are planned before the card itself is queued.
        let copies = hook.moment == Moment::PlanCopies;
        let lane = if copies { turnstone::Lane::First } else { lane(hook.queue) };
        self.propose(s, hook.program, ctx, lane, out);
    }

    /// Whether a hook acts: its condition holds, and its count has come round.
    #[inline(never)]
    fn hook_acts(
        &self,
        s: &State,
        hook: &Hook,
        listener: Listener,
        (ctx, facts): (Ctx, &Facts),
        out: &mut Out,
    ) -> bool {
        let env = Env { kind: facts.kind, stances: facts.stances, ..Env::new(s, ctx) };
        self.holds(hook.when, &env) && (hook.tally != 0 || self.counted(s, hook, listener, &env, out))
    }

    pub(super) fn stacks_of(&self, s: &State, listener: Listener) -> i16 {
        match listener.source.origin() {
            Origin::Power(id) => s.combat.body(listener.owner).map_or(0, |body| body.stacks(id)),
            Origin::Relic(index) => s.run.relics.get(index as usize).map_or(0, |relic| relic.counter),
            _ => 0,
        }
    }

    /// `every` and `once`: counts this moment and tells whether the hook acts.
    fn counted(&self, s: &State, hook: &Hook, listener: Listener, env: &Env<'_>, out: &mut Out) -> bool {
        if hook.every.is_none() && hook.once.is_none() {
            return true;
        }
        let count = match listener.source.origin() {
            Origin::Relic(index) => s.run.relics.get(index as usize).map_or(0, |relic| relic.counter),
            Origin::Power(id) => {
                s.combat.body(listener.owner).and_then(|body| body.power(id)).map_or(0, |power| power.stored)
            }
            _ => 0,
        };
        let (acts, next) = match (hook.every, hook.once) {
            (Some(every), _) => {
                let reached = i32::from(count) + 1 >= self.num(every, env);
                (reached, if reached { 0 } else { count.saturating_add(1) })
            }
            (None, Some(Once::Turn | Once::Combat)) => (count == 0, 1),
            (None, None) => (true, count),
        };
        if next != count {
            out.first(match listener.source.origin() {
                Origin::Relic(relic) => Effect::Counter { relic, amount: next },
                Origin::Power(power) => Effect::Store { to: listener.owner, power, amount: next },
                _ => return acts,
            });
        }
        acts
    }
}
