//! Programs: queueing their steps, and what each step stands for when its turn comes.

use crate::catalog::compile::{Id, Making, Num, Op, Picking, Price, Program, Select};
use crate::catalog::defs::Debuff;
use crate::catalog::ready::{At, Ready};
use crate::catalog::verb::only_on_the_way;
use crate::catalog::words::{DamageKind, Flag, Moment, Queue, Spot, Until, Who};
use crate::effect::{Ctx, Effect, Origin, Source, Way, attack_flag};
use crate::eval::Env;
use crate::game::{Out, Spire};
use crate::state::{NO_CARD, NO_COST, NOBODY, NONE, PLAYER, Slot, State};
use turnstone::{Expanded, Lane};

// The verbs of fights by who expands them, as patterns: one that nobody expands does not compile.

/// Harm, block and powers.
macro_rules! first_steps {
    () => {
        Op::Apply { .. }
            | Op::Attack { .. }
            | Op::Damage { .. }
            | Op::LoseHp { .. }
            | Op::Kill { .. }
            | Op::Heal { .. }
            | Op::SetHp { .. }
            | Op::Block { .. }
            | Op::RemoveBlock { .. }
            | Op::Reduce { .. }
            | Op::RemoveDebuffs { .. }
            | Op::Store { .. }
            | Op::Counter { .. }
    };
}

/// What else cards and relics do.
macro_rules! more_steps {
    () => {
        Op::MaxHp { .. }
            | Op::Energy { .. }
            | Op::Draw { .. }
            | Op::Gold { .. }
            | Op::OrbSlots { .. }
            | Op::Stance { .. }
            | Op::EndTurn { .. }
            | Op::Grow { .. }
            | Op::Channel { .. }
            | Op::Evoke { .. }
            | Op::Passive { .. }
            | Op::If { .. }
            | Op::Repeat { .. }
            | Op::GainPotion { .. }
            | Op::Replay
    };
}

/// What monsters do, and what finds its cards when it settles.
macro_rules! last_steps {
    () => {
        Op::SetMove { .. }
            | Op::Reroll
            | Op::Summon { .. }
            | Op::Escape { .. }
            | Op::Obtain { .. }
            | Op::RemovePowers { .. }
            | Op::HalfDie
            | Op::Appear
            | Op::Revive { .. }
            | Op::SetVar { .. }
            | Op::Steal { .. }
            | Op::Speak { .. }
            | Op::Search { .. }
            | Op::TakeCard
            | Op::ReturnCard
            | Op::FaceTarget
            | Op::Flee
            | Op::Forget
            | Op::ResetAttackCount
            | Op::Play { .. }
            | Op::Upgrade { .. }
            | Op::Discard { .. }
            | Op::Exhaust { .. }
            | Op::Move { .. }
            | Op::Create { .. }
            | Op::Cost { .. }
            | Op::Retain { .. }
            | Op::Scry { .. }
            | Op::ChooseOne { .. }
    };
}

/// Whom a ready step means.
#[inline]
fn meant(at: At, ctx: &Ctx) -> u8 {
    match at {
        At::Other => ctx.other,
        At::Owner => ctx.owner,
        At::Player => PLAYER,
    }
}

/// Puts an effect into a lane.
#[inline(always)]
pub(crate) fn put(out: &mut Out, lane: Lane, effect: Effect) {
    match lane {
        Lane::First => out.first(effect),
        Lane::Last => out.last(effect),
        Lane::Agenda => out.agenda(effect),
    };
}

/// The lane of a hook's queue.
pub(crate) fn lane(queue: Queue) -> Lane {
    match queue {
        Queue::Last => Lane::Last,
        Queue::First | Queue::Now => Lane::First,
    }
}

/// Which step of which program, and where it goes.
#[derive(Clone, Copy)]
struct Place {
    program: Program,
    pc: u8,
    lane: Lane,
}

/// What the blows of one step share.
struct Blow {
    base: i32,
    card: Slot,
    strength: i32,
    on_kill: Program,
    flags: u8,
    lane: Lane,
}

impl Spire {
    /// Queues the steps of a program.
    #[inline]
    pub(crate) fn propose(&self, s: &State, program: Program, ctx: Ctx, lane: Lane, out: &mut Out) {
        let place = Place { program, pc: 0, lane };
        match &*self.catalog.ready[program as usize] {
            [] => {}
            [one] => self.propose_ready(s, one, place, &ctx, out),
            steps => self.propose_steps(s, steps, place, &ctx, out),
        }
    }

    #[inline(never)]
    fn propose_steps(&self, s: &State, steps: &[Ready], first: Place, ctx: &Ctx, out: &mut Out) {
        for (pc, step) in steps.iter().enumerate() {
            self.propose_ready(s, step, Place { pc: pc as u8, ..first }, ctx, out);
        }
    }

    /// Attacks and block of cards and moves are numbers fixed when the card is used or the move made. One step and no
    /// loop around it, and the frequent ones apart: each would fetch what any of them needs.
    #[inline(never)]
    fn propose_ready(&self, s: &State, step: &Ready, place: Place, ctx: &Ctx, out: &mut Out) {
        debug_assert!(
            self.rises_as_its_number(s, step, place, ctx),
            "{step:?} is not what its number is now"
        );
        let step = self.at_level(s, step);
        match step {
            Ready::Blow { .. } if self.fixes(ctx) => self.propose_ready_blow(s, step, place.lane, ctx, out),
            Ready::Guard { .. } => self.propose_ready_guard(s, step, place, ctx, out),
            Ready::Blow { .. }
            | Ready::Give { .. }
            | Ready::Heal { .. }
            | Ready::Energy { .. }
            | Ready::Draw { .. }
            | Ready::Rising(_)
            | Ready::Step
            | Ready::Later => self.propose_ready_step(s, step, place, ctx, out),
        }
    }

    #[inline(never)]
    fn propose_ready_blow(&self, s: &State, step: &Ready, lane: Lane, ctx: &Ctx, out: &mut Out) {
        let Ready::Blow { base, strength, at, on_kill, any_death } = *step else { return };
        let card = if ctx.source == Source::MONSTER { NO_CARD } else { ctx.slot() };
        let (base, strength) = (base.into(), strength.into());
        let blow = Blow { base, card, strength, on_kill, flags: fixed(any_death), lane };
        put(out, lane, self.blow(s, ctx.owner, meant(at, ctx), &blow, true));
    }

    #[inline(never)]
    fn propose_ready_guard(&self, s: &State, step: &Ready, place: Place, ctx: &Ctx, out: &mut Out) {
        let Ready::Guard { base, raw } = *step else { return };
        let effect = if self.fixes(ctx) {
            self.guard(s, ctx, base.into(), !raw && ctx.source != Source::MONSTER)
        } else if self.is_plain(ctx, raw) {
            Effect::Block { to: ctx.owner, amount: base, base, card: false }
        } else {
            return self.propose_later(s, place, ctx, out);
        };
        put(out, place.lane, effect);
    }

    /// A step whose number nobody changes.
    #[inline(never)]
    fn propose_ready_step(&self, s: &State, step: &Ready, place: Place, ctx: &Ctx, out: &mut Out) {
        let effect = match *step {
            Ready::Give { power, amount, to } => {
                Effect::Apply { by: ctx.owner, to: meant(to, ctx), power, amount, stored: 0 }
            }
            Ready::Heal { amount, to } => Effect::Heal { to: meant(to, ctx), amount },
            Ready::Energy { amount } => Effect::Energy { amount },
            Ready::Draw { amount } => Effect::Draw { amount },
            Ready::Step => Effect::Step { program: place.program, pc: place.pc, ctx: *ctx },
            Ready::Blow { .. } | Ready::Guard { .. } | Ready::Rising(_) | Ready::Later => {
                return self.propose_later(s, place, ctx, out);
            }
        };
        put(out, place.lane, effect);
    }

    /// The step that stands for one whose number rises with the ascension, at the level of this run.
    #[inline(always)]
    fn at_level<'a>(&'a self, s: &State, step: &'a Ready) -> &'a Ready {
        let Ready::Rising(index) = *step else { return step };
        let levels = &self.catalog.rising[usize::from(index)];
        &levels[usize::from(s.run.ascension).min(levels.len() - 1)]
    }

    /// Whether a step that rises with the ascension is the one that its number gives, worked out.
    fn rises_as_its_number(&self, s: &State, step: &Ready, place: Place, ctx: &Ctx) -> bool {
        let Some(op) = self.catalog.step(place.program, place.pc) else { return true };
        match (step, op) {
            (
                Ready::Rising(_),
                Op::Attack { amount, .. } | Op::Block { amount, .. } | Op::Apply { amount, .. },
            ) => {
                let now = Ready::rising(op, &[self.number_now(s, *ctx, *amount)]);
                now.is_some_and(|now| now.first() == Some(self.at_level(s, step)))
            }
            _ => true,
        }
    }

    /// Whether the numbers of attacks and block are fixed when their steps are queued.
    #[inline]
    fn fixes(&self, ctx: &Ctx) -> bool {
        !self.profile.numbers_worked_out_late && (ctx.source == Source::MONSTER || ctx.source.is_card())
    }

    /// Whether nobody changes the number of a block: it is no card's, or the card says so.
    #[inline]
    fn is_plain(&self, ctx: &Ctx, raw: bool) -> bool {
        !ctx.source.is_card() || raw && !self.profile.recorded_numbers
    }

    /// Queues a step that is not ready.
    #[inline(never)]
    fn propose_later(&self, s: &State, place: Place, ctx: &Ctx, out: &mut Out) {
        let Place { program, pc, lane } = place;
        let Some(op) = self.catalog.step(program, pc) else { return };
        if !self.fixes(ctx) || !self.propose_fixed(s, op, *ctx, ctx.source == Source::MONSTER, lane, out) {
            self.propose_step(s, op, Effect::Step { program, pc, ctx: *ctx }, lane, out);
        }
    }

    /// Block of a card or a move.
    #[inline]
    fn guard(&self, s: &State, ctx: &Ctx, base: i32, card: bool) -> Effect {
        let number = if card { self.card_block(s, ctx.owner, base, ctx.slot()) } else { base };
        let (amount, base) = (number.clamp(0, 30_000) as i16, base.clamp(0, 30_000) as i16);
        Effect::Block { to: ctx.owner, amount, base, card: false }
    }

    /// Queues a step that finds out when its turn comes what it stands for.
    fn propose_step(&self, s: &State, op: &Op, step: Effect, to: Lane, out: &mut Out) {
        let Effect::Step { ctx, .. } = step else { return };
        match op {
            Op::Apply { only: Some(_), .. } => self.propose_apply(s, op, ctx, to, out),
            Op::If { condition, then, otherwise } if self.early(*condition) => {
                let holds = self.eval(*condition, &Env::new(s, ctx)) != 0;
                self.propose(s, if holds { *then } else { *otherwise }, ctx, to, out);
            }
            _ => put(out, to, step),
        }
    }

    /// Whom a power with `only` meets is decided now, before the steps in front of it run.
    fn propose_apply(&self, s: &State, op: &Op, ctx: Ctx, lane: Lane, out: &mut Out) {
        let Op::Apply { power, amount, to, only, store } = op else { return };
        let env = Env::new(s, ctx);
        let stored = self.short(*store, &env);
        for &to in &self.targets(*to, &env) {
            if let Some(given) = self.given(*power, *amount, *only, stored, &Env { each: to, ..env }) {
                put(out, lane, given);
            }
        }
    }

    /// What a power given to the one at hand is, if it is anything.
    fn given(&self, power: Id, amount: Num, only: Option<u16>, stored: i16, env: &Env<'_>) -> Option<Effect> {
        let amount = self.short(amount, env);
        // Nothing of a power is nothing: it does not even meet Artifact. Some powers count from 0, though.
        let counts = amount != 0 || self.catalog.powers[power as usize].keep_zero;
        let (by, to) = (env.ctx.owner, env.each);
        (counts && self.holds(only, env)).then_some(Effect::Apply { by, to, power, amount, stored })
    }

    /// The recorded engine reads conditions when a card is played, unless they ask what its steps did.
    fn early(&self, condition: u16) -> bool {
        self.profile.conditions_read_early && !self.lazy(Num::Expr(condition))
    }

    /// Whether a number depends on what earlier steps did.
    #[inline]
    fn lazy(&self, num: Num) -> bool {
        matches!(num, Num::Expr(index) if self.catalog.lazy[index as usize])
    }

    /// The same where the numbers are to be worked out first.
    #[inline(never)]
    fn propose_fixed(&self, s: &State, op: &Op, ctx: Ctx, monster: bool, to: Lane, out: &mut Out) -> bool {
        match op {
            Op::Attack {
                amount,
                to: who @ (Who::Target | Who::Enemies | Who::Player),
                times,
                strength,
                on_kill,
                any_death,
            } if !self.lazy(*amount) && !self.lazy(*times) => {
                let number = |num| self.number_now(s, ctx, num);
                let base = number(*amount);
                let card = if monster { NO_CARD } else { ctx.slot() };
                let (strength, on_kill) = (number(*strength), *on_kill);
                let blow = Blow { base, card, strength, on_kill, flags: fixed(*any_death), lane: to };
                match *who {
                    _ if *times != Num::Const(1) => self.propose_blows(s, ctx, *who, *times, &blow, out),
                    Who::Enemies => self.propose_blows(s, ctx, *who, *times, &blow, out),
                    Who::Player => self.propose_blow(s, ctx.owner, PLAYER, &blow, true, out),
                    _ => self.propose_blow(s, ctx.owner, ctx.other, &blow, true, out),
                }
                true
            }
            Op::Block { amount, to: Who::Me, raw } if !self.lazy(*amount) => {
                let base = self.number_now(s, ctx, *amount);
                put(out, to, self.guard(s, &ctx, base, !*raw && !monster));
                true
            }
            _ => false,
        }
    }

    /// A number of a program that is queued now.
    #[inline]
    fn number_now(&self, s: &State, ctx: Ctx, num: Num) -> i32 {
        match num {
            Num::Const(number) => number,
            Num::Expr(index) => self.eval(index, &Env::new(s, ctx)),
        }
    }

    /// Several blows, or one for each enemy.
    #[inline(never)]
    fn propose_blows(&self, s: &State, ctx: Ctx, who: Who, times: Num, blow: &Blow, out: &mut Out) {
        let mut first = true;
        for _ in 0..self.number_now(s, ctx, times).clamp(0, 99) {
            if who == Who::Enemies {
                for target in s.combat.enemies() {
                    self.propose_blow(s, ctx.owner, target, blow, first, out);
                    first = false;
                }
            } else {
                let target = if who == Who::Player { PLAYER } else { ctx.other };
                self.propose_blow(s, ctx.owner, target, blow, first, out);
                first = false;
            }
        }
    }

    #[inline(never)]
    fn propose_blow(&self, s: &State, by: u8, to: u8, blow: &Blow, first: bool, out: &mut Out) {
        put(out, blow.lane, self.blow(s, by, to, blow, first));
    }

    /// A blow whose number is fixed now.
    #[inline]
    fn blow(&self, s: &State, by: u8, to: u8, blow: &Blow, first: bool) -> Effect {
        let Blow { base, card, strength, on_kill, flags, .. } = *blow;
        let flags = if first { flags | attack_flag::FIRST } else { flags };
        let amount = self.attack_number(s, by, to, base, card, strength).min(30_000) as i16;
        let base = base.clamp(0, 30_000) as i16;
        // The number is fixed; how often Strength counts in it is kept for its reasons.
        let strength = strength.clamp(0, 100) as i8;
        Effect::Attack { by, to, amount, base, card, strength, on_kill, flags }
    }

    /// What a step stands for now.
    pub(crate) fn expand_step(
        &self,
        s: &State,
        program: Program,
        pc: u8,
        ctx: Ctx,
        out: &mut Out,
    ) -> Expanded<Effect> {
        let Some(op) = self.catalog.program(program).get(pc as usize) else { return Expanded::Nothing };
        let env = Env::new(s, ctx);
        match op {
            Op::Apply { .. } => return self.expand_apply(op, &env, out),
            Op::Attack { .. } => self.expand_attack(s, op, &env, out),
            Op::Damage { amount, to, times } => {
                let hits = self.num(*times, &env).clamp(0, 99);
                return again(hits, out, |out| self.damage(*amount, *to, DamageKind::Thorns, &env, out));
            }
            Op::LoseHp { amount, to } => return self.damage(*amount, *to, DamageKind::HpLoss, &env, out),
            Op::Kill { to } => return self.aim(*to, &env, out, |to| Effect::SetHp { to, amount: 0 }),
            Op::Heal { amount, to } => {
                let amount = self.short(*amount, &env);
                return self.aim(*to, &env, out, |to| Effect::Heal { to, amount });
            }
            Op::SetHp { amount, to } => {
                return self.aim(*to, &env, out, |to| {
                    let amount = self.short(*amount, &Env { each: to, ..env });
                    Effect::SetHp { to, amount }
                });
            }
            Op::Block { amount, to, raw } => {
                let amount = self.short(*amount, &env) + self.forced(s, *amount, ctx);
                let card = !*raw && matches!(ctx.source.origin(), Origin::Card | Origin::Copy);
                return self.aim(*to, &env, out, |to| Effect::Block { to, amount, base: amount, card });
            }
            Op::RemoveBlock { to } => return self.aim(*to, &env, out, |to| Effect::ClearBlock { to }),
            Op::Reduce { power, by, to } => {
                let Some(power) = power.or(running_power(ctx)) else { return Expanded::Nothing };
                let by = by.map_or(i16::MAX, |by| self.short(by, &env));
                return self.aim(*to, &env, out, |to| Effect::Reduce { to, power, by });
            }
            Op::RemoveDebuffs { to } => return self.aim(*to, &env, out, |to| Effect::Cleanse { to }),
            Op::Store { amount } => {
                let amount = self.short(*amount, &env);
                return match ctx.source.origin() {
                    Origin::Power(power) => Expanded::To(Effect::Store { to: ctx.owner, power, amount }),
                    Origin::Orb(index) => Expanded::To(Effect::StoreOrb { index, amount }),
                    _ => Expanded::Nothing,
                };
            }
            Op::Counter { amount } => {
                let Origin::Relic(relic) = ctx.source.origin() else { return Expanded::Nothing };
                return Expanded::To(Effect::Counter { relic, amount: self.short(*amount, &env) });
            }
            more_steps!() | last_steps!() | only_on_the_way!() => {
                return self.expand_more(s, op, program, pc, &env, out);
            }
        }
        Expanded::Into
    }

    /// The one effect that a step stands for now, if it is one of those that mostly stand for one.
    #[inline]
    pub(super) fn stands_for(&self, s: &State, op: &Op, ctx: &Ctx) -> Option<Effect> {
        match *op {
            Op::Damage { amount, to, times: Num::Const(1) } => {
                self.harm_to_one(amount, to, DamageKind::Thorns, &Env::new(s, *ctx))
            }
            Op::LoseHp { amount, to } => self.harm_to_one(amount, to, DamageKind::HpLoss, &Env::new(s, *ctx)),
            Op::Apply { power, amount, to, only, store } => {
                let env = Env::new(s, *ctx);
                let to = self.target(to, &env)?;
                self.given(power, amount, only, self.short(store, &env), &Env { each: to, ..env })
            }
            _ => None,
        }
    }

    /// A power for each who is meant.
    fn expand_apply(&self, op: &Op, env: &Env<'_>, out: &mut Out) -> Expanded<Effect> {
        let Op::Apply { power, amount, to, only, store } = op else { return Expanded::Keep };
        let stored = self.short(*store, env);
        let given = |to: u8| self.given(*power, *amount, *only, stored, &Env { each: to, ..*env });
        match self.target(*to, env) {
            Some(to) => given(to).map_or(Expanded::Into, Expanded::To),
            None => {
                self.targets(*to, env).iter().filter_map(|&to| given(to)).for_each(|each| {
                    out.first(each);
                });
                Expanded::Into
            }
        }
    }

    /// Hits, each of which finds its number when it arrives.
    fn expand_attack(&self, s: &State, op: &Op, env: &Env<'_>, out: &mut Out) {
        let Op::Attack { amount, to, times, strength, on_kill, any_death } = op else { return };
        let ctx = env.ctx;
        let base = self.short(*amount, env) + self.forced(s, *amount, ctx);
        let strength = self.num(*strength, env).clamp(0, 100) as i8;
        let targets = self.targets(*to, env);
        let card = if ctx.source.origin() == Origin::Monster { NO_CARD } else { ctx.slot() };
        for hit in 0..self.num(*times, env).clamp(0, 99) {
            for (index, &target) in targets.iter().enumerate() {
                let (by, on_kill, flags) = (ctx.owner, *on_kill, hit_flags(hit, index, *any_death));
                out.first(Effect::Attack {
                    by,
                    to: target,
                    amount: base,
                    base,
                    card,
                    strength,
                    on_kill,
                    flags,
                });
            }
        }
    }

    fn expand_more(
        &self,
        s: &State,
        op: &Op,
        program: Program,
        pc: u8,
        env: &Env<'_>,
        out: &mut Out,
    ) -> Expanded<Effect> {
        let ctx = env.ctx;
        match op {
            Op::MaxHp { amount } => return Expanded::To(Effect::MaxHp { amount: self.short(*amount, env) }),
            Op::Energy { amount } => {
                return Expanded::To(Effect::Energy { amount: self.short(*amount, env) });
            }
            Op::Draw { amount, late } => {
                let amount = self.short(*amount, env);
                if *late && !self.profile.late_draws_at_once {
                    out.last(Effect::Draw { amount });
                    return Expanded::Into;
                }
                return match self.expand_draw(s, amount, Effect::DrawMore { amount }, out) {
                    Expanded::Keep => Expanded::To(Effect::Draw { amount }),
                    other => other,
                };
            }
            Op::Gold { amount } => return Expanded::To(Effect::Gold { amount: self.short(*amount, env) }),
            Op::OrbSlots { amount } => {
                return Expanded::To(Effect::Slots { amount: self.num(*amount, env).clamp(-10, 10) as i8 });
            }
            Op::Stance { to } => return Expanded::To(Effect::Stance { to: *to }),
            Op::EndTurn { skip_enemies } => return Expanded::To(Effect::EndTurn { skip: *skip_enemies }),
            Op::Grow { by, all, permanent } => {
                let by = self.short(*by, env);
                return Expanded::To(Effect::Grow { slot: ctx.slot(), by, all: *all, permanent: *permanent });
            }
            Op::Channel { .. } | Op::Evoke { .. } | Op::Passive { .. } => {
                return self.expand_orb_step(s, op, env, out);
            }
            Op::If { condition, then, otherwise } => {
                let holds = self.eval(*condition, env) != 0;
                self.propose(s, if holds { *then } else { *otherwise }, ctx, Lane::First, out);
            }
            Op::Repeat { times, program } => {
                for _ in 0..self.num(*times, env).clamp(0, 99) {
                    self.propose(s, *program, ctx, Lane::First, out);
                }
            }
            Op::GainPotion { count } => {
                // The original rolls for full slots too; what finds no room is lost.
                let room = match s.run.dice {
                    Some(_) => s.run.potions.len() as i32,
                    None => s.run.potions.iter().filter(|&&potion| potion == NONE).count() as i32,
                };
                for _ in 0..self.num(*count, env).clamp(0, room) {
                    out.first(Effect::Potion);
                }
            }
            Op::Create { made: Making::Card(_), .. } => return self.make_cards(op, env, out),
            Op::Create { made: Making::Pool(..), to: Spot::DrawRandom, offer, .. }
                if self.num(*offer, env) == 0 && s.run.dice.is_some() =>
            {
                return Expanded::To(Effect::ConjureAll { program, pc, ctx });
            }
            Op::Create { made: Making::Pool(..), count, offer, .. } if self.num(*offer, env) == 0 => {
                let count = self.num(*count, env).clamp(0, 50);
                return again(count, out, |_| Expanded::To(Effect::Conjure { program, pc, ctx }));
            }
            Op::Replay => {
                if ctx.slot() != NO_CARD {
                    let (slot, target, x) = (ctx.slot(), ctx.other, ctx.event);
                    put(out, Lane::Agenda, Effect::Play { slot, target, x, way: Way::Copy, exhaust: false });
                }
            }
            first_steps!() | last_steps!() | only_on_the_way!() => {
                return self.expand_monster(s, op, program, pc, env, out);
            }
        }
        Expanded::Into
    }

    /// Cards of one kind are made.
    fn make_cards(&self, op: &Op, env: &Env<'_>, out: &mut Out) -> Expanded<Effect> {
        let Op::Create { made: Making::Card(card), count, to, upgraded, cost, kept, .. } = op else {
            return Expanded::Nothing;
        };
        let up = u8::from(self.num(*upgraded, env) != 0);
        let (price, combat_cost) = self.created_cost(cost, env);
        let kept = kept.map_or(0, |kept| self.short(kept, env));
        let made = Effect::Create { card: *card, up, spot: *to, cost: price, combat_cost, kept };
        again(self.num(*count, env).clamp(0, 50), out, |_| Expanded::To(made))
    }

    /// The changed cost of a created card: the number and whether it lasts for the combat.
    pub(crate) fn created_cost(&self, cost: &Option<(Price, Until)>, env: &Env<'_>) -> (i8, bool) {
        match cost {
            Some((Price::Set(n), until)) => (self.num(*n, env).clamp(0, 99) as i8, *until != Until::Turn),
            _ => (NO_COST, false),
        }
    }

    fn expand_monster(
        &self,
        s: &State,
        op: &Op,
        program: Program,
        pc: u8,
        env: &Env<'_>,
        out: &mut Out,
    ) -> Expanded<Effect> {
        let who = env.ctx.owner;
        match op {
            Op::SetMove { name } => {
                let kind = s.combat.body(who).map_or(NONE, |body| body.kind);
                let Some(mv) = self.move_named(kind, name) else { return Expanded::Nothing };
                return Expanded::To(Effect::SetMove { who, mv });
            }
            Op::Reroll => return Expanded::To(Effect::ChooseAgain { who }),
            Op::Summon { .. } => self.expand_summon(s, op, program, pc, env, out),
            Op::Escape { to } => return self.aim(*to, env, out, |who| Effect::Escape { who }),
            Op::Obtain { card, count } => {
                let found = Effect::Find { card: *card };
                return again(self.num(*count, env).clamp(0, 50), out, |_| Expanded::To(found));
            }
            Op::RemovePowers { to } => return self.aim(*to, env, out, |to| Effect::Strip { to }),
            Op::HalfDie => return Expanded::To(Effect::HalfDie { who }),
            Op::Appear => {
                self.moment_if(s, Moment::MonsterSpawned, PLAYER, who, NO_CARD, 0, out);
                if out.is_empty() {
                    return Expanded::Nothing;
                }
            }
            Op::Revive { percent } => {
                return Expanded::To(Effect::Revive { who, percent: self.short(*percent, env) });
            }
            Op::SetVar { var, to } => {
                return Expanded::To(Effect::Var { who, var: *var as u8, amount: self.short(*to, env) });
            }
            Op::Steal { amount } => {
                return Expanded::To(Effect::Steal { who, amount: self.short(*amount, env) });
            }
            Op::Speak { count } => {
                return again(self.num(*count, env).clamp(0, 9), out, |_| {
                    Expanded::To(Effect::Speak { who })
                });
            }
            Op::Search { .. } => {
                let found = self.candidates(s, op, env.ctx).len().min(255) as u8;
                return Expanded::To(Effect::Search { found });
            }
            Op::TakeCard => return Expanded::To(Effect::TakeCard { who }),
            Op::ReturnCard => return Expanded::To(Effect::ReturnCard { who }),
            // In a monster's own steps it is the monster that the player turns to.
            Op::FaceTarget => {
                let own = env.ctx.source.origin() == Origin::Monster;
                return Expanded::To(Effect::Face { who: if own { who } else { env.ctx.other } });
            }
            // What is done at the end of a won fight is done here too.
            Op::Flee => {
                self.call(s, Moment::VictoryFirst, PLAYER, out);
                self.call(s, Moment::Victory, PLAYER, out);
                out.first(Effect::Flee);
            }
            Op::Forget => return Expanded::To(Effect::Forget { who }),
            Op::ResetAttackCount => return Expanded::To(Effect::ResetAttackCount),
            Op::Play { cards: Select { how: Picking::Top(n), .. }, exhaust, late, .. } => {
                let left = self.num(*n, env).clamp(0, 20) as u8;
                if self.profile.top_taken_one_by_one {
                    out.agenda(Effect::PlayTop { left, exhaust: *exhaust });
                } else {
                    let aim = Effect::Aim { exhaust: *exhaust, late: *late };
                    return again(i32::from(left), out, |_| Expanded::To(aim));
                }
            }
            Op::Upgrade { .. }
            | Op::Discard { .. }
            | Op::Exhaust { .. }
            | Op::Move { .. }
            | Op::Create { .. }
            | Op::Cost { .. }
            | Op::Retain { .. }
            | Op::Play { .. }
            | Op::Scry { .. }
            | Op::ChooseOne { .. } => return Expanded::Keep,
            // Expanded before.
            first_steps!() | more_steps!() | only_on_the_way!() => return Expanded::Nothing,
        }
        Expanded::Into
    }

    /// Recorded cards may carry another number than their kind says; the difference counts as growth.
    fn forced(&self, s: &State, amount: Num, ctx: Ctx) -> i16 {
        if !self.profile.recorded_numbers || !matches!(amount, Num::Const(_)) || ctx.slot() == NO_CARD {
            return 0;
        }
        let from_card = matches!(ctx.source.origin(), Origin::Card | Origin::Copy);
        s.combat.cards.get(ctx.slot() as usize).filter(|_| from_card).map_or(0, |card| card.grown)
    }

    /// An effect for each who is meant; one alone takes the step's place.
    fn aim(&self, who: Who, env: &Env<'_>, out: &mut Out, effect: impl Fn(u8) -> Effect) -> Expanded<Effect> {
        match self.target(who, env) {
            Some(one) => Expanded::To(effect(one)),
            None => {
                for &each in &self.targets(who, env) {
                    out.first(effect(each));
                }
                Expanded::Into
            }
        }
    }

    /// Harm for each who is meant; for one alone it takes the step's place.
    fn damage(
        &self,
        amount: Num,
        to: Who,
        kind: DamageKind,
        env: &Env<'_>,
        out: &mut Out,
    ) -> Expanded<Effect> {
        let who = self.harms(to, env);
        if let Some(to) = self.target(who, env) {
            return self.harm(amount, to, kind, env).map_or(Expanded::Into, Expanded::To);
        }
        for harm in self.targets(who, env).iter().filter_map(|&to| self.harm(amount, to, kind, env)) {
            out.first(harm);
        }
        Expanded::Into
    }

    /// Whom harm is meant for: some orbs that hit anybody hit all.
    fn harms(&self, to: Who, env: &Env<'_>) -> Who {
        let orb = to == Who::Random && matches!(env.ctx.source.origin(), Origin::Orb(_));
        if orb && self.flagged(env.s, Flag::LightningHitsAll) { Who::Enemies } else { to }
    }

    /// Harm for one body, if it is anything.
    fn harm(&self, amount: Num, to: u8, kind: DamageKind, env: &Env<'_>) -> Option<Effect> {
        let amount = match amount {
            Num::Const(number) => number.clamp(-30_000, 30_000) as i16,
            Num::Expr(_) => self.short(amount, &Env { each: to, ..*env }),
        };
        let (by, orb) = (self.blamed(env.ctx), matches!(env.ctx.source.origin(), Origin::Orb(_)));
        (kind != DamageKind::HpLoss || amount > 0).then_some(Effect::Damage { by, to, amount, kind, orb })
    }

    /// The same if only one is meant.
    fn harm_to_one(&self, amount: Num, to: Who, kind: DamageKind, env: &Env<'_>) -> Option<Effect> {
        let to = self.target(self.harms(to, env), env)?;
        self.harm(amount, to, kind, env)
    }

    /// Who is to blame for damage: nobody for debuffs such as poison.
    fn blamed(&self, ctx: Ctx) -> u8 {
        match ctx.source.origin() {
            Origin::Power(id) if self.catalog.powers[id as usize].debuff == Debuff::Always => NOBODY,
            Origin::Potion(_) => NOBODY,
            _ => ctx.owner,
        }
    }

    /// Whether a power of the player or a relic has the flag.
    pub(crate) fn flagged(&self, s: &State, flag: Flag) -> bool {
        (s.combat.player().flags | s.combat.relic_flags) >> flag as u32 & 1 != 0
    }
}

/// The same several times; what is done once and is one effect takes the step's place.
fn again(times: i32, out: &mut Out, once: impl Fn(&mut Out) -> Expanded<Effect>) -> Expanded<Effect> {
    if times == 1 {
        return once(out);
    }
    for _ in 0..times {
        if let Expanded::To(effect) = once(out) {
            out.first(effect);
        }
    }
    Expanded::Into
}

/// The marks of a blow whose number is fixed.
fn fixed(any_death: bool) -> u8 {
    attack_flag::FIXED | if any_death { attack_flag::ANY_DEATH } else { 0 }
}

/// The marks of one hit of an attack.
fn hit_flags(hit: i32, index: usize, any_death: bool) -> u8 {
    let first = if hit == 0 && index == 0 { attack_flag::FIRST } else { 0 };
    first | if any_death { attack_flag::ANY_DEATH } else { 0 }
}

/// The power a program belongs to.
fn running_power(ctx: Ctx) -> Option<u16> {
    match ctx.source.origin() {
        Origin::Power(id) => Some(id),
        _ => None,
    }
}

/// Whether a pick needs the player.
pub(crate) fn asks(how: Picking) -> bool {
    matches!(how, Picking::Choose(_) | Picking::UpTo(_))
}
