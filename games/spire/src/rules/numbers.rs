//! Numbers that content may alter: who alters them, in which order, and how they are rounded.

use crate::catalog::compile::{Alter, Alteration, Ears, Id};
use crate::catalog::words::{DamageKind, Stage};
use crate::effect::{Ctx, Origin, Source};
use crate::eval::Env;
use crate::game::Spire;
use crate::state::{NO_CARD, NONE, PLAYER, Slot, State};
use smallvec::SmallVec;

/// One alteration that acts, with the memory its values read.
#[derive(Clone, Copy)]
pub struct Acting<'a> {
    /// Order: group of stages, then place within it.
    pub key: i32,
    /// The alteration.
    pub alter: &'a Alter,
    /// What it reads.
    pub ctx: Ctx,
}

type Actings<'a> = SmallVec<[Acting<'a>; 6]>;

/// What is known while a number is worked out.
#[derive(Clone, Copy, Default)]
pub struct About {
    /// The card at work.
    pub card: Option<Slot>,
    /// The other body.
    pub other: Option<u8>,
    /// The kind of damage.
    pub kind: Option<DamageKind>,
    /// The orb.
    pub orb: Option<Id>,
    /// The power in question.
    pub power: Option<Id>,
}

impl Spire {
    /// Everything that alters a stage for that body, unsorted.
    fn gather<'a>(
        &'a self,
        s: &State,
        stage: Stage,
        owner: u8,
        group: i32,
        about: About,
        out: &mut Actings<'a>,
    ) {
        let combat = &s.combat;
        let Some(body) = combat.body(owner) else { return };
        let bit = 1u64 << stage as u32;
        let mut take = |ears: &'a Ears, n: i16, source: Origin| {
            let other = about.other.unwrap_or(owner);
            let card = about.power.or(about.card).unwrap_or(NO_CARD);
            let ctx = Ctx { owner, other, card, n, event: 0, source: Source::of(source) };
            for alter in ears.alters.iter().filter(|alter| alter.stage == stage) {
                out.push(Acting { key: (group << 16) + i32::from(alter.at) + 0x4000, alter, ctx });
            }
        };
        // Most do not alter it: that is seen before anything is done.
        let alters = |ears: &Ears| ears.stages & bit != 0;
        if owner == PLAYER {
            if combat.relic_stages & bit != 0 {
                for (index, relic) in s.run.relics.iter().enumerate() {
                    let ears = &self.catalog.relics[relic.id as usize].ears;
                    if alters(ears) {
                        take(ears, relic.counter, Origin::Relic(index as u8));
                    }
                }
            }
            if combat.card_stages & bit != 0 {
                for &slot in &combat.hand {
                    let card = &combat.cards[slot as usize];
                    let ears = &self.catalog.cards[card.id as usize].forms[card.form()].ears;
                    if alters(ears) {
                        take(ears, 0, Origin::Card);
                    }
                }
            }
            let stance = &self.catalog.stances[combat.stance as usize].ears;
            if alters(stance) {
                take(stance, 0, Origin::Stance(combat.stance));
            }
        }
        if body.stages & bit != 0 {
            for power in &body.powers {
                let ears = &self.catalog.powers[power.id as usize].ears;
                if alters(ears) {
                    take(ears, power.n, Origin::Power(power.id));
                }
            }
            if let Some(monster) = self.catalog.monsters.get(body.kind as usize)
                && alters(&monster.ears)
            {
                take(&monster.ears, 0, Origin::Monster);
            }
        }
    }

    /// The stages that anything may alter for that body, one bit each.
    #[inline]
    pub fn stages(&self, s: &State, owner: u8) -> u64 {
        let combat = &s.combat;
        let body = combat.body(owner).map_or(0, |body| body.stages);
        if owner != PLAYER {
            return body;
        }
        let stance = self.catalog.stances.get(combat.stance as usize).map_or(0, |stance| stance.ears.stages);
        body | combat.relic_stages | combat.card_stages | stance
    }

    /// Whether anything may alter the stage for that body.
    #[inline]
    pub fn altered(&self, s: &State, stage: Stage, owner: u8) -> bool {
        self.stages(s, owner) >> stage as u32 & 1 != 0
    }

    fn env<'a>(&self, s: &'a State, acting: &Acting<'_>, about: About, number: i32) -> Env<'a> {
        let mut env = Env::new(s, acting.ctx);
        env.kind = about.kind;
        env.number = Some(number);
        env.orb = about.orb.unwrap_or(NONE);
        env
    }

    /// A number of one stage, in whole numbers; tells which power was spent on it.
    #[inline]
    pub fn altered_number(&self, s: &State, stage: Stage, owner: u8, start: i32, about: About) -> (i32, Id) {
        if self.altered(s, stage, owner) {
            self.alter_number(s, stage, owner, start, about)
        } else {
            (start, NONE)
        }
    }

    #[inline(never)]
    fn alter_number(&self, s: &State, stage: Stage, owner: u8, start: i32, about: About) -> (i32, Id) {
        self.alter_steps(s, stage, owner, start, about, |_, _, _| {})
    }

    /// The same, telling every alteration with the number before and after it.
    pub fn alter_steps(
        &self,
        s: &State,
        stage: Stage,
        owner: u8,
        start: i32,
        about: About,
        mut tell: impl FnMut(&Acting<'_>, i32, i32),
    ) -> (i32, Id) {
        let mut list = Actings::new();
        self.gather(s, stage, owner, 0, about, &mut list);
        sort(&mut list);
        let (mut number, mut spent) = (start, NONE);
        for acting in &list {
            let env = self.env(s, acting, about, number);
            if !self.holds(acting.alter.when, &env) {
                continue;
            }
            let before = number;
            number = self.change(acting.alter, &env, number);
            tell(acting, before, number);
            if acting.alter.spend.is_some()
                && before != number
                && let Origin::Power(id) = acting.ctx.source.origin()
            {
                spent = id;
            }
        }
        (number, spent)
    }

    pub(crate) fn change(&self, alter: &Alter, env: &Env<'_>, number: i32) -> i32 {
        match alter.change {
            Alteration::Add(n) => number + self.num(n, env),
            Alteration::Set(n) => self.num(n, env),
            Alteration::AtMost(n) => number.min(self.num(n, env)),
            Alteration::AtLeast(n) => number.max(self.num(n, env)),
            Alteration::Mul(a, b) => {
                let (a, b) = (i64::from(self.num(a, env)), i64::from(self.num(b, env)).max(1));
                let product = i64::from(number) * a;
                let rounded =
                    if alter.nearest { (product * 2 + b).div_euclid(b * 2) } else { product.div_euclid(b) };
                rounded as i32
            }
        }
    }

    /// The damage of an attack before it meets block.
    #[inline]
    pub fn attack_number(&self, s: &State, by: u8, to: u8, base: i32, card: Slot, strength: i32) -> i32 {
        const DEALT: u64 = 1 << Stage::AttackBase as u32 | 1 << Stage::AttackDealt as u32;
        const TAKEN: u64 = 1 << Stage::AttackTaken as u32 | 1 << Stage::AttackTakenFinal as u32;
        if self.stages(s, by) & DEALT | self.stages(s, to) & TAKEN == 0 {
            return self.behind(s, by, base.max(0));
        }
        self.attack_steps(s, by, to, base, card, strength, &mut |_, _| {})
    }

    /// The same, telling every alteration and the number after it (in hundredths).
    #[allow(clippy::too_many_arguments)]
    pub fn attack_steps(
        &self,
        s: &State,
        by: u8,
        to: u8,
        base: i32,
        card: Slot,
        strength: i32,
        tell: &mut dyn FnMut(&Acting<'_>, f32),
    ) -> i32 {
        let about = |other| About {
            card: (card != NO_CARD).then_some(card),
            other: Some(other),
            kind: Some(DamageKind::Normal),
            ..About::default()
        };
        let mut list = Actings::new();
        let group = |classic: i32| if self.profile.changes_in_one_list { 0 } else { classic };
        if card != NO_CARD && self.altered(s, Stage::AttackBase, by) {
            self.gather(s, Stage::AttackBase, by, group(0), about(to), &mut list);
        }
        if self.altered(s, Stage::AttackDealt, by) {
            self.gather(s, Stage::AttackDealt, by, group(1), about(to), &mut list);
        }
        if self.altered(s, Stage::AttackTaken, to) {
            self.gather(s, Stage::AttackTaken, to, group(2), about(by), &mut list);
        }
        if self.altered(s, Stage::AttackTakenFinal, to) {
            self.gather(s, Stage::AttackTakenFinal, to, group(3), about(by), &mut list);
        }
        if list.is_empty() {
            return self.behind(s, by, base.max(0));
        }
        sort(&mut list);
        let number = if self.profile.rounded_each_time {
            self.attack_house(s, base, strength, &list, about(to), tell)
        } else {
            self.attack_floats(s, base, strength, &list, about(to), tell)
        };
        self.behind(s, by, number.max(0))
    }

    /// House rounding: down after every factor.
    fn attack_house(
        &self,
        s: &State,
        base: i32,
        strength: i32,
        list: &Actings<'_>,
        about: About,
        tell: &mut dyn FnMut(&Acting<'_>, f32),
    ) -> i32 {
        let mut number = base;
        for acting in list {
            let env = self.env(s, acting, about, number);
            if !self.holds(acting.alter.when, &env) {
                continue;
            }
            number = match acting.alter.change {
                Alteration::Add(n) => number + self.num(n, &env) * self.times(acting, strength),
                _ => self.change(acting.alter, &env, number),
            };
            tell(acting, number as f32);
        }
        number
    }

    /// The original's rounding: single-precision factors, down once at the end.
    fn attack_floats(
        &self,
        s: &State,
        base: i32,
        strength: i32,
        list: &Actings<'_>,
        about: About,
        tell: &mut dyn FnMut(&Acting<'_>, f32),
    ) -> i32 {
        let mut number = base as f32;
        for acting in list {
            let env = self.env(s, acting, about, floor(number));
            if !self.holds(acting.alter.when, &env) {
                continue;
            }
            number = match acting.alter.change {
                Alteration::Add(n) => number + (self.num(n, &env) * self.times(acting, strength)) as f32,
                Alteration::Mul(a, b) => number * factor(self.num(a, &env), self.num(b, &env)),
                Alteration::Set(n) => self.num(n, &env) as f32,
                Alteration::AtMost(n) => number.min(self.num(n, &env) as f32),
                Alteration::AtLeast(n) => number.max(self.num(n, &env) as f32),
            };
            tell(acting, number);
        }
        floor(number.max(0.0))
    }

    /// Strength counts several times for some cards.
    fn times(&self, acting: &Acting<'_>, strength: i32) -> i32 {
        if strength != 1 && acting.ctx.source.origin() == Origin::Power(self.known.strength) {
            strength
        } else {
            1
        }
    }

    /// Whoever stands behind the player hits for half as much again.
    #[inline]
    fn behind(&self, s: &State, by: u8, number: i32) -> i32 {
        use crate::catalog::words::Flag;
        let behind = s.combat.body(by).is_some_and(|body| body.flags >> Flag::BehindPlayer as u32 & 1 != 0);
        if behind { number * 3 / 2 } else { number }
    }

    /// Block that a card would give.
    #[inline]
    pub fn card_block(&self, s: &State, owner: u8, base: i32, card: Slot) -> i32 {
        if self.altered(s, Stage::CardBlock, owner) {
            self.altered_block(s, owner, base, card)
        } else {
            base.max(0)
        }
    }

    #[inline(never)]
    fn altered_block(&self, s: &State, owner: u8, base: i32, card: Slot) -> i32 {
        self.block_steps(s, owner, base, card, &mut |_, _| {})
    }

    /// The same, telling every alteration and the number after it.
    pub fn block_steps(
        &self,
        s: &State,
        owner: u8,
        base: i32,
        card: Slot,
        tell: &mut dyn FnMut(&Acting<'_>, f32),
    ) -> i32 {
        let about = About { card: Some(card), ..About::default() };
        let mut list = Actings::new();
        self.gather(s, Stage::CardBlock, owner, 0, about, &mut list);
        sort(&mut list);
        if self.profile.rounded_each_time {
            return self.attack_house(s, base, 1, &list, about, tell).max(0);
        }
        self.attack_floats(s, base, 1, &list, about, tell).max(0)
    }

    /// A percentage that relics may change: the player's relics for debuffs of enemies and of himself.
    pub fn rate(&self, s: &State, owner: u8, stage: Stage, start: i32) -> i32 {
        let stage = match (owner, stage) {
            (PLAYER, Stage::RateVulnerable) => Stage::RateVulnerableSelf,
            (PLAYER, _) => return start,
            (_, stage) => stage,
        };
        if s.combat.relic_stages >> stage as u32 & 1 == 0 {
            return start;
        }
        self.altered_number(s, stage, PLAYER, start, About::default()).0
    }
}

/// Into the order in which they act. There is seldom more than one.
fn sort(list: &mut Actings<'_>) {
    if list.len() > 1 {
        list.sort_by_key(|acting| acting.key);
    }
}

/// Rounded down: what `f32::floor` gives, which is a call on processors of the common kind.
pub(crate) fn floor(number: f32) -> i32 {
    let whole = number as i32;
    whole.saturating_sub(i32::from(whole as f32 > number))
}

/// A factor as the original computes it. Tenths (Slow) are one plus a multiple of 0.1, which differs in the
/// last bit from a quotient.
fn factor(a: i32, b: i32) -> f32 {
    if b == 10 { 1.0 + (a - 10) as f32 * 0.1 } else { a as f32 / b.max(1) as f32 }
}
