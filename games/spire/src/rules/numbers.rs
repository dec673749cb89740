//! Numbers that content may alter: who alters them, in which order, and how they are rounded.

use crate::catalog::compile::{Alter, Alteration, Ears, Id, Num, Pull};
use crate::catalog::words::{DamageKind, Stage};
use crate::effect::{Ctx, Origin, Source};
use crate::eval::Env;
use crate::floats::Single;
use crate::game::Spire;
use crate::profile::Profile;
use crate::reason::Reason;
use crate::state::{Adder, Factor, Force, NO_CARD, NONE, PLAYER, Power, Slot, State};
use smallvec::SmallVec;

/// One alteration that acts, with the memory its values read.
#[derive(Clone, Copy)]
pub struct Acting<'a> {
    /// Order: group of stages, then place within it.
    pub key: i32,
    /// The alteration.
    pub alter: &'a Alter,
    /// What it reads.
    pub(crate) ctx: Ctx,
}

type Actings<'a> = SmallVec<[Acting<'a>; 6]>;

/// What is known while a number is worked out.
#[derive(Clone, Copy, Default)]
pub(crate) struct About {
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

impl About {
    /// What is known of a power that the player gives to a foe, the only one whose number may be altered.
    #[inline(always)]
    pub(crate) fn power_given(by: u8, to: u8, power: Id) -> Option<Self> {
        let about = || About { power: Some(power), other: Some(to), ..About::default() };
        (by == PLAYER && to != PLAYER).then(about)
    }
}

/// The stages of an attack's number.
pub(crate) const ATTACK: u64 = 1 << Stage::AttackBase as u32
    | 1 << Stage::AttackDealt as u32
    | 1 << Stage::AttackTaken as u32
    | 1 << Stage::AttackTakenFinal as u32;

/// What is known of any attack.
const NORMAL: About =
    About { card: None, other: None, kind: Some(DamageKind::Normal), orb: None, power: None };

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
            let card = about.power.map(Ctx::in_question).or(about.card).unwrap_or(NO_CARD);
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
                if self.catalog.power_stages[power.id as usize] & bit != 0 {
                    let ears = &self.catalog.powers[power.id as usize].ears;
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
        if owner == PLAYER {
            let stages = s.combat.hints.stages;
            debug_assert_eq!(self.players_stages(s) & !stages, 0, "a stage is altered and nobody knows");
            return stages;
        }
        s.combat.body(owner).map_or(0, |body| body.stages)
    }

    /// The same for the player, worked out.
    fn players_stages(&self, s: &State) -> u64 {
        s.combat.body(PLAYER).map_or(0, |body| body.stages) | self.others_stages(s)
    }

    /// Takes down what may be altered for the player, after a change of powers, relics, cards or stance.
    #[inline]
    pub(crate) fn refresh_stages(&self, s: &mut State) {
        s.combat.hints.stages = self.players_stages(s);
    }

    /// Whether anything may alter the stage for that body.
    #[inline]
    pub fn altered(&self, s: &State, stage: Stage, owner: u8) -> bool {
        self.stages(s, owner) >> stage as u32 & 1 != 0
    }

    fn env<'a>(&self, s: &'a State, ctx: Ctx, about: About, number: i32) -> Env<'a> {
        let mut env = Env::new(s, ctx);
        env.kind = about.kind;
        env.number = Some(number);
        env.orb = about.orb.unwrap_or(NONE);
        env
    }

    /// A number of one stage, in whole numbers; tells which power was spent on it.
    #[inline]
    pub(crate) fn altered_number(
        &self,
        s: &State,
        stage: Stage,
        owner: u8,
        start: i32,
        about: About,
    ) -> (i32, Id) {
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
    pub(crate) fn alter_steps(
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
            let env = self.env(s, acting.ctx, about, number);
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
            Alteration::Add(n) => number.saturating_add(self.num(n, env)),
            Alteration::Set(n) => self.num(n, env),
            Alteration::AtMost(n) => number.min(self.num(n, env)),
            Alteration::AtLeast(n) => number.max(self.num(n, env)),
            Alteration::Mul(a, b) => {
                let (a, b) = (i64::from(self.num(a, env)), i64::from(self.num(b, env)).max(1));
                let product = i64::from(number) * a;
                let rounded =
                    if alter.nearest { (product * 2 + b).div_euclid(b * 2) } else { product.div_euclid(b) };
                rounded.clamp(i32::MIN.into(), i32::MAX.into()) as i32
            }
        }
    }

    /// Whether anything may alter the number of an attack of one body on another.
    #[inline]
    pub(super) fn attack_altered(&self, s: &State, by: u8, to: u8) -> bool {
        const DEALT: u64 = 1 << Stage::AttackBase as u32 | 1 << Stage::AttackDealt as u32;
        const TAKEN: u64 = 1 << Stage::AttackTaken as u32 | 1 << Stage::AttackTakenFinal as u32;
        self.stages(s, by) & DEALT | self.stages(s, to) & TAKEN != 0
    }

    /// The damage of an attack before it meets block.
    #[inline]
    pub fn attack_number(&self, s: &State, by: u8, to: u8, base: i32, card: Slot, strength: i32) -> i32 {
        if !self.attack_altered(s, by, to) {
            return self.behind(s, by, base.max(0));
        }
        match (s.combat.body(by), s.combat.body(to)) {
            (Some(one), Some(other)) if one.force.known && other.force.known => {
                let forced = Forced::new(&one.force, &other.force, base, strength);
                let number = self.behind(s, by, forced.number());
                debug_assert_eq!(number, self.altered_attack(s, by, to, base, card, strength));
                number
            }
            _ => self.altered_attack(s, by, to, base, card, strength),
        }
    }

    /// What two bodies' powers make of an attack before it meets block, told by power; nothing if that is not as simple
    /// as it mostly is.
    #[inline]
    pub(super) fn forced_attack<'a>(
        &self,
        s: &'a State,
        (by, to): (u8, u8),
        base: i32,
        strength: i32,
    ) -> Option<ForcedAttack<'a>> {
        let (one, other) = (&s.combat.body(by)?.force, &s.combat.body(to)?.force);
        let adder = match one.adder {
            Adder::Nobody => NONE,
            Adder::One(power) => power,
            Adder::Several => return None,
        };
        if !one.known || !other.known {
            return None;
        }
        let forced = Forced::new(one, other, base, strength);
        let number = self.behind(s, by, forced.number());
        Some(ForcedAttack { number, forced, adder: (by, adder), one, other: (to, other) })
    }

    /// Takes down what everybody's powers do to attacks, after a change of relics, cards or stance.
    pub(crate) fn refresh_forces(&self, s: &mut State) {
        for who in 0..s.combat.bodies.len() {
            self.refresh_force(s, who);
        }
    }

    /// The same for one body, after a change of its powers.
    pub(crate) fn refresh_force(&self, s: &mut State, who: usize) {
        let known = !self.attacks_are_listed() && (who != 0 || self.others_stages(s) & ATTACK == 0);
        s.combat.bodies[who].force = match s.combat.bodies[who].stages & ATTACK {
            _ if !known => Force::default(),
            0 => Force { known, ..Force::default() },
            _ => self.force(s, who as u8).unwrap_or_default(),
        };
    }

    /// Whether a change of a power makes a difference to attacks: that it came or went, or only that its count changed.
    #[inline]
    pub(super) fn alters_attacks(&self, power: Id, came_or_went: bool) -> bool {
        let stages = if came_or_went { &self.catalog.power_stages } else { &self.catalog.counted_stages };
        stages[power as usize] & ATTACK != 0
    }

    /// The stages that relics, cards and stance alter for the player.
    #[inline]
    fn others_stages(&self, s: &State) -> u64 {
        s.combat.relic_stages | s.combat.card_stages | self.stance_stages(s)
    }

    /// Whether the changes of attacks have to be listed and sorted whoever makes them.
    #[inline]
    fn attacks_are_listed(&self) -> bool {
        let Profile { changes_in_one_list, rounded_each_time, powers_by_number, .. } = self.profile;
        let loose = self.catalog.loose_stages & ATTACK != 0;
        changes_in_one_list || rounded_each_time || powers_by_number || loose
    }

    #[inline]
    fn stance_stages(&self, s: &State) -> u64 {
        self.catalog.stances.get(s.combat.stance as usize).map_or(0, |stance| stance.ears.stages)
    }

    /// The stages that a monster alters by itself.
    #[inline]
    fn monster_stages(&self, s: &State, who: u8) -> u64 {
        let kind = s.combat.body(who).filter(|_| who != PLAYER).map_or(NONE, |body| body.kind);
        self.catalog.monsters.get(kind as usize).map_or(0, |info| info.ears.stages)
    }

    /// What a body's powers do to attacks, if that is simple.
    #[inline(never)]
    fn force(&self, s: &State, who: u8) -> Option<Force> {
        let body = s.combat.body(who)?;
        if self.monster_stages(s, who) & ATTACK != 0 {
            return None;
        }
        let mut force = Force { known: true, ..Force::default() };
        for held in &body.powers {
            self.add_force(s, who, held, &mut force)?;
        }
        Some(force)
    }

    /// One more power, if it fits.
    #[inline]
    fn add_force(&self, s: &State, who: u8, held: &Power, force: &mut Force) -> Option<()> {
        let by = held.id;
        let worth = |num: Num| self.seen_worth(num, s, who, held);
        match self.catalog.pulls[by as usize] {
            Pull::Nothing => {}
            Pull::Adds(n) if force.dealt.by == NONE => {
                let strength = self.catalog.powers[by as usize].strength;
                let sum = if strength { &mut force.strength } else { &mut force.add };
                *sum = sum.checked_add(worth(n)?)?;
                force.adder = match force.adder {
                    Adder::Nobody => Adder::One(by),
                    Adder::One(_) | Adder::Several => Adder::Several,
                };
            }
            Pull::Deals(a, b) if force.dealt.by == NONE => {
                force.dealt = Factor { times: Single::factor(worth(a)?.into(), worth(b)?.into()), by };
            }
            Pull::Takes(a, b) if force.taken.by == NONE => {
                force.taken = Factor { times: Single::factor(worth(a)?.into(), worth(b)?.into()), by };
            }
            Pull::Adds(_) | Pull::Deals(..) | Pull::Takes(..) | Pull::Otherwise => return None,
        }
        Some(())
    }

    /// A number of a power, if it is seen at once.
    #[inline]
    fn seen_worth(&self, num: Num, s: &State, owner: u8, held: &Power) -> Option<i16> {
        let number = match num {
            Num::Const(number) => number,
            Num::Expr(index) => {
                let source = Source::of(Origin::Power(held.id));
                let ctx = Ctx { owner, other: owner, card: NO_CARD, n: held.n, event: 0, source };
                self.seen(index, s, ctx)?
            }
        };
        i16::try_from(number).ok()
    }

    #[inline(never)]
    fn altered_attack(&self, s: &State, by: u8, to: u8, base: i32, card: Slot, strength: i32) -> i32 {
        self.attack_steps(s, by, to, base, card, strength, |_, _| {})
    }

    /// The same, telling every alteration and the number after it (in hundredths).
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn attack_steps(
        &self,
        s: &State,
        by: u8,
        to: u8,
        base: i32,
        card: Slot,
        strength: i32,
        tell: impl FnMut(&Acting<'_>, Single),
    ) -> i32 {
        if self.only_powers_attack(s, by, to) {
            return self.attack_in_order(s, (by, to), base, card, strength, tell);
        }
        self.attack_listed(s, by, to, base, card, strength, tell)
    }

    /// Whether only powers change the attacks of one body on another, so that they stand in their order already.
    #[inline]
    fn only_powers_attack(&self, s: &State, by: u8, to: u8) -> bool {
        let others = self.others_stages(s) | self.monster_stages(s, by) | self.monster_stages(s, to);
        !self.attacks_are_listed() && others & ATTACK == 0
    }

    /// The damage of an attack that only powers change, one after the other as they stand.
    fn attack_in_order(
        &self,
        s: &State,
        (by, to): (u8, u8),
        base: i32,
        card: Slot,
        strength: i32,
        mut tell: impl FnMut(&Acting<'_>, Single),
    ) -> i32 {
        let mut number = Single::whole(base);
        let mut meet = |stage: Stage, owner: u8, other: u8| {
            let bit = 1u64 << stage as u32;
            let Some(body) = s.combat.body(owner) else { return };
            for held in &body.powers {
                if self.catalog.power_stages[held.id as usize] & bit == 0 {
                    continue;
                }
                let source = Source::of(Origin::Power(held.id));
                let ctx = Ctx { owner, other, card, n: held.n, event: 0, source };
                let alters = self.catalog.powers[held.id as usize].ears.alters.iter();
                for alter in alters.filter(|alter| alter.stage == stage) {
                    if let Some(next) = self.altered_by(s, alter, ctx, NORMAL, number, strength) {
                        number = next;
                        tell(&Acting { key: 0, alter, ctx }, number);
                    }
                }
            }
        };
        let stages = |who: u8| s.combat.body(who).map_or(0, |body| body.stages);
        let (dealt, taken) = (stages(by), stages(to));
        let mut at = |stages: u64, stage: Stage, owner: u8, other: u8| {
            if stages >> stage as u32 & 1 != 0 {
                meet(stage, owner, other);
            }
        };
        if card != NO_CARD {
            at(dealt, Stage::AttackBase, by, to);
        }
        at(dealt, Stage::AttackDealt, by, to);
        at(taken, Stage::AttackTaken, to, by);
        at(taken, Stage::AttackTakenFinal, to, by);
        self.behind(s, by, number.at_least(0).floor().max(0))
    }

    /// The same whoever changes it.
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn attack_listed(
        &self,
        s: &State,
        by: u8,
        to: u8,
        base: i32,
        card: Slot,
        strength: i32,
        tell: impl FnMut(&Acting<'_>, Single),
    ) -> i32 {
        let about = |other| About {
            card: (card != NO_CARD).then_some(card),
            other: Some(other),
            kind: Some(DamageKind::Normal),
            ..About::default()
        };
        let mut list = Actings::new();
        let group = |classic: i32| if self.profile.changes_in_one_list { 0 } else { classic };
        let (dealt, taken) = (self.stages(s, by), self.stages(s, to));
        let mut gather = |stages: u64, stage: Stage, owner: u8, place: i32, other: u8| {
            if stages >> stage as u32 & 1 != 0 {
                self.gather(s, stage, owner, group(place), about(other), &mut list);
            }
        };
        if card != NO_CARD {
            gather(dealt, Stage::AttackBase, by, 0, to);
        }
        gather(dealt, Stage::AttackDealt, by, 1, to);
        gather(taken, Stage::AttackTaken, to, 2, by);
        gather(taken, Stage::AttackTakenFinal, to, 3, by);
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
        mut tell: impl FnMut(&Acting<'_>, Single),
    ) -> i32 {
        let mut number = base;
        for acting in list {
            let env = self.env(s, acting.ctx, about, number);
            if !self.holds(acting.alter.when, &env) {
                continue;
            }
            number = match acting.alter.change {
                Alteration::Add(n) => number + self.num(n, &env) * self.times(acting.ctx.source, strength),
                _ => self.change(acting.alter, &env, number),
            };
            tell(acting, Single::whole(number));
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
        mut tell: impl FnMut(&Acting<'_>, Single),
    ) -> i32 {
        let mut number = Single::whole(base);
        for acting in list {
            if let Some(next) = self.altered_by(s, acting.alter, acting.ctx, about, number, strength) {
                number = next;
                tell(acting, number);
            }
        }
        number.at_least(0).floor()
    }

    /// What an alteration makes of the number at hand, if it acts on it.
    #[inline]
    fn altered_by(
        &self,
        s: &State,
        alter: &Alter,
        ctx: Ctx,
        about: About,
        number: Single,
        strength: i32,
    ) -> Option<Single> {
        if alter.when.is_some() && !self.acts(s, alter, ctx, about, number) {
            return None;
        }
        let worth = |num: Num| self.number_of(num, s, ctx, about, number);
        Some(match alter.change {
            Alteration::Add(n) => number.plus(worth(n) * self.times(ctx.source, strength)),
            Alteration::Mul(a, b) => number.times(Single::factor(worth(a), worth(b))),
            Alteration::Set(n) => Single::whole(worth(n)),
            Alteration::AtMost(n) => number.at_most(worth(n)),
            Alteration::AtLeast(n) => number.at_least(worth(n)),
        })
    }

    /// Whether the condition of an alteration holds.
    #[inline(never)]
    fn acts(&self, s: &State, alter: &Alter, ctx: Ctx, about: About, number: Single) -> bool {
        self.holds(alter.when, &self.env(s, ctx, about, number.floor()))
    }

    /// A number of an alteration.
    #[inline]
    fn number_of(&self, num: Num, s: &State, ctx: Ctx, about: About, number: Single) -> i32 {
        match num {
            Num::Const(worth) => worth,
            Num::Expr(index) => {
                let seen = self.seen(index, s, ctx);
                debug_assert!(
                    seen.is_none_or(|seen| seen == self.number_now_of(index, s, ctx, about, number)),
                    "a number is not what was seen of it"
                );
                match seen {
                    Some(worth) => worth,
                    None => self.number_now_of(index, s, ctx, about, number),
                }
            }
        }
    }

    #[inline(never)]
    fn number_now_of(&self, index: u16, s: &State, ctx: Ctx, about: About, number: Single) -> i32 {
        self.eval(index, &self.env(s, ctx, about, number.floor()))
    }

    /// Strength counts several times for some cards.
    #[inline]
    fn times(&self, source: Source, strength: i32) -> i32 {
        match source.origin() {
            Origin::Power(id) if strength != 1 && self.catalog.powers[id as usize].strength => strength,
            _ => 1,
        }
    }

    /// Whoever stands behind the player hits for half as much again.
    #[inline]
    pub(super) fn behind(&self, s: &State, by: u8, number: i32) -> i32 {
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
        self.block_steps(s, owner, base, card, |_, _| {})
    }

    /// The same, telling every alteration and the number after it.
    pub(crate) fn block_steps(
        &self,
        s: &State,
        owner: u8,
        base: i32,
        card: Slot,
        tell: impl FnMut(&Acting<'_>, Single),
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

/// Into the order in which they act, those of one place as they were found. There are seldom more than two.
#[inline]
fn sort(list: &mut Actings<'_>) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && list[at - 1].key > list[at].key {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// An attack between two whose powers are simple.
pub(super) struct ForcedAttack<'a> {
    /// What it is before it meets block.
    pub(super) number: i32,
    forced: Forced,
    /// Who attacks, and the power that adds.
    adder: (u8, Id),
    one: &'a Force,
    other: (u8, &'a Force),
}

impl ForcedAttack<'_> {
    /// Which power of whom makes what of it.
    #[inline(always)]
    pub(super) fn tell(&self, mut tell: impl FnMut(Reason, i32)) {
        let ((by, adder), (to, other)) = (self.adder, self.other);
        let power = |owner: u8, id: Id| Reason::Changed { owner, source: Source::of(Origin::Power(id)) };
        if adder != NONE {
            tell(power(by, adder), self.forced.sum);
        }
        if self.one.dealt.by != NONE {
            tell(power(by, self.one.dealt.by), self.forced.dealt.floor());
        }
        if other.taken.by != NONE {
            tell(power(to, other.taken.by), self.forced.taken.floor());
        }
    }
}

/// The number of an attack between two whose powers are simple, after each part of its way. Sums are whole numbers, so
/// that it does not matter in which order they are made; factors come as they stand.
struct Forced {
    /// After what the attacker's powers add.
    sum: i32,
    /// After the attacker's factor.
    dealt: Single,
    /// After the factor of the attacked.
    taken: Single,
}

impl Forced {
    #[inline]
    fn new(by: &Force, to: &Force, base: i32, strength: i32) -> Self {
        let sum = base + i32::from(by.add) + i32::from(by.strength) * strength;
        let dealt = Single::whole(sum).times(by.dealt.times);
        Forced { sum, dealt, taken: dealt.times(to.taken.times) }
    }

    /// At its end, rounded down.
    #[inline]
    fn number(&self) -> i32 {
        self.taken.at_least(0).floor()
    }
}
