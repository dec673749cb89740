//! Damage: from the number of an attack or other harm to the HP that is really lost.

use super::numbers::About;
use crate::catalog::compile::{Id, Program};
use crate::catalog::words::{DamageKind, Stage};
use crate::dice::{Die, Roller, Rolls};
use crate::effect::{Effect, attack_flag};
use crate::eval::weakest;
use crate::event::Event;
use crate::game::{Out, Settling, Spire};
use crate::reason::Reason;
use crate::state::{ALLY_OF, ANYBODY, Body, Life, NO_CARD, NOBODY, NONE, PLAYER, Slot, State, WEAKEST};
use turnstone::Settled;

/// Stages of the attacker and of the victim between a number and the HP it costs.
const DEALT: u64 = 1 << Stage::UnblockedDealt as u32;
const TAKEN: u64 =
    1 << Stage::DamageTaken as u32 | 1 << Stage::UnblockedTaken as u32 | 1 << Stage::HpLoss as u32;

/// Damage that meets nothing but block.
#[inline(always)]
fn plain_arrival(body: &Body, number: i32, kind: DamageKind) -> Arrival {
    let blocked = if kind == DamageKind::HpLoss { 0 } else { number.min(i32::from(body.block)) };
    let rest = number - blocked;
    let lost = rest.min(body.hp.into()).max(0);
    Arrival {
        amount: number as i16,
        blocked: blocked as i16,
        rest: rest as i16,
        lost: lost as i16,
        spent: NONE,
    }
}

/// Whether it is only found out when an effect happens whom it means.
#[inline]
pub(super) fn is_found_out(to: u8) -> bool {
    matches!(to, ANYBODY | WEAKEST)
}

/// A gain of block: what was to be gained, before anybody changed it and after, and what was gained.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockGain {
    pub to: u8,
    pub amount: i16,
    pub base: i16,
    /// From a card.
    pub card: bool,
    pub(crate) gained: i16,
}

/// What becomes of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The number that arrived.
    pub amount: i16,
    /// What block took.
    pub blocked: i16,
    /// What is left after everything.
    pub rest: i16,
    /// HP lost: the rest, or what HP there were.
    pub lost: i16,
    /// The power that was spent on it.
    pub spent: Id,
}

impl Arrival {
    /// What a hit says of it.
    pub(crate) fn told_by(event: &Event) -> Option<Arrival> {
        match *event {
            Event::Hit { amount, blocked, lost, spent, .. } => {
                Some(Arrival { amount, blocked, lost, rest: lost, spent })
            }
            _ => None,
        }
    }
}

impl Spire {
    /// Whom an effect means at this moment.
    #[inline]
    pub(crate) fn resolve(&self, s: &State, to: u8, roller: &mut Roller<'_>) -> u8 {
        match to {
            ANYBODY => {
                let living: smallvec::SmallVec<[u8; 8]> = s.combat.enemies().collect();
                if living.is_empty() { NOBODY } else { living[roller.index(Die::CardRandom, living.len())] }
            }
            WEAKEST => weakest(s),
            one => one,
        }
    }

    /// The same with the dice for it, which most effects need not even look at.
    #[inline]
    pub(crate) fn resolved(&self, s: &State, to: u8) -> (u8, Rolls) {
        if is_found_out(to) { self.resolve_rolled(s, to) } else { (to, Rolls::NONE) }
    }

    #[inline(never)]
    fn resolve_rolled(&self, s: &State, to: u8) -> (u8, Rolls) {
        let mut roller = Roller::new(s);
        let to = self.resolve(s, to, &mut roller);
        (to, roller.drawn())
    }

    /// An attack arrives.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn settle_attack(
        &self,
        s: &State,
        by: u8,
        to: u8,
        amount: i16,
        base: i16,
        card: Slot,
        strength: i8,
        on_kill: Program,
        flags: u8,
    ) -> Settling {
        let (to, rolls) = self.resolved(s, to);
        let Some(hit) = self.struck(s, by, to, amount, card, strength, flags) else { return Settled::Stale };
        let kind = DamageKind::Normal;
        let Arrival { amount, blocked, lost, spent, .. } = hit;
        let hit =
            Event::Hit { by, to, kind, base, amount, blocked, lost, card, on_kill, flags, spent, rolls };
        Settled::Event(hit)
    }

    /// What becomes of an attack; nothing if there is nobody any more.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn struck(
        &self,
        s: &State,
        by: u8,
        to: u8,
        amount: i16,
        card: Slot,
        strength: i8,
        flags: u8,
    ) -> Option<Arrival> {
        if s.combat.living(to).is_none() || (by != PLAYER && s.combat.living(by).is_none()) {
            return None;
        }
        let number = if flags & attack_flag::FIXED != 0 {
            i32::from(amount)
        } else {
            self.attack_number(s, by, to, i32::from(amount), card, i32::from(strength))
        };
        Some(self.arrive(s, by, to, number, DamageKind::Normal))
    }

    /// Other damage arrives.
    pub(crate) fn settle_damage(
        &self,
        s: &State,
        by: u8,
        to: u8,
        amount: i16,
        kind: DamageKind,
        orb: bool,
    ) -> Settling {
        let (to, rolls) = self.resolved(s, to);
        let Some(hit) = self.harmed(s, by, to, amount, kind, orb) else { return Settled::Stale };
        Settled::Event(Event::Hit {
            by,
            to,
            kind,
            base: amount,
            amount: hit.amount,
            blocked: hit.blocked,
            lost: hit.lost,
            card: NO_CARD,
            on_kill: 0,
            flags: 0,
            spent: hit.spent,
            rolls,
        })
    }

    /// What becomes of other damage; nothing if there is nobody any more.
    #[inline(always)]
    pub(super) fn harmed(
        &self,
        s: &State,
        by: u8,
        to: u8,
        amount: i16,
        kind: DamageKind,
        orb: bool,
    ) -> Option<Arrival> {
        s.combat.living(to)?;
        let mut number = i32::from(amount);
        if orb {
            number = self.altered_number(s, Stage::OrbDamage, to, number, About::default()).0;
        }
        Some(self.arrive(s, by, to, number, kind))
    }

    /// Damage meets block and what else protects.
    #[inline]
    pub fn arrive(&self, s: &State, by: u8, to: u8, number: i32, kind: DamageKind) -> Arrival {
        if self.only_block_meets(s, by, to) {
            let plain = plain_arrival(&s.combat.bodies[to as usize], number.clamp(0, 30_000), kind);
            debug_assert_eq!(plain, self.arrive_altered(s, (by, to), number, kind));
            return plain;
        }
        self.arrive_altered(s, (by, to), number, kind)
    }

    /// Whether nothing but block changes damage on its way from one body to another.
    #[inline]
    pub(super) fn only_block_meets(&self, s: &State, by: u8, to: u8) -> bool {
        let dealt = if by == NOBODY { 0 } else { self.stages(s, by) & DEALT };
        dealt | self.stages(s, to) & TAKEN == 0
    }

    #[inline(never)]
    fn arrive_altered(&self, s: &State, who: (u8, u8), number: i32, kind: DamageKind) -> Arrival {
        self.arrive_steps(s, who, number, kind, |_, _| {})
    }

    /// The same, telling who changed the number, and to what it was changed.
    #[inline]
    pub(super) fn arrive_steps(
        &self,
        s: &State,
        (by, to): (u8, u8),
        number: i32,
        kind: DamageKind,
        mut tell: impl FnMut(Reason, i32),
    ) -> Arrival {
        let body = &s.combat.bodies[to as usize];
        let about = |other| About { kind: Some(kind), other: Some(other), ..About::default() };
        let mut number = number.clamp(0, 30_000);
        tell(Reason::Limit, number);
        if !(self.profile.attacks_pass_damage_taken && kind == DamageKind::Normal) {
            number = self.alter_told(s, Stage::DamageTaken, to, number, about(by), &mut tell).0.max(0);
        }
        let blocked = if kind == DamageKind::HpLoss { 0 } else { number.min(i32::from(body.block)) };
        let rest = number - blocked;
        tell(Reason::Limit, number);
        tell(Reason::Block, rest);
        let rest = match by {
            NOBODY => rest,
            _ => self.alter_told(s, Stage::UnblockedDealt, by, rest, about(to), &mut tell).0,
        };
        let (rest, spent) = self.alter_told(s, Stage::UnblockedTaken, to, rest, about(by), &mut tell);
        let (rest, _) = self.alter_told(s, Stage::HpLoss, to, rest, about(by), &mut tell);
        let lost = rest.clamp(0, i32::from(body.hp).max(0));
        tell(Reason::Limit, lost);
        Arrival {
            amount: number as i16,
            blocked: blocked as i16,
            rest: rest as i16,
            lost: lost as i16,
            spent,
        }
    }

    /// A number of one stage, telling who changes it.
    #[inline]
    fn alter_told(
        &self,
        s: &State,
        stage: Stage,
        owner: u8,
        number: i32,
        about: About,
        tell: &mut impl FnMut(Reason, i32),
    ) -> (i32, Id) {
        if !self.altered(s, stage, owner) {
            return (number, NONE);
        }
        self.alter_steps(s, stage, owner, number, about, |acting, _, number| tell(Reason::of(acting), number))
    }

    /// Writes a hit.
    #[inline(always)]
    pub(crate) fn apply_hit(&self, s: &mut State, event: &Event) {
        let (&Event::Hit { by, to, kind, flags, .. }, Some(hit)) = (event, Arrival::told_by(event)) else {
            return;
        };
        self.write_blow(s, (by, to), kind, hit, flags);
    }

    /// Writes what became of damage.
    #[inline(always)]
    pub(super) fn write_blow(
        &self,
        s: &mut State,
        (by, to): (u8, u8),
        kind: DamageKind,
        hit: Arrival,
        flags: u8,
    ) {
        let combat = &mut s.combat;
        let body = &mut combat.bodies[to as usize];
        body.block -= hit.blocked;
        body.hp -= hit.lost;
        if kind == DamageKind::Normal {
            if flags & attack_flag::FIRST != 0 {
                combat.dealt = 0;
            }
            combat.dealt = combat.dealt.saturating_add(hit.lost);
            if by == PLAYER {
                combat.counts.hardest_blow = combat.counts.hardest_blow.max(hit.amount);
            }
        }
        if to == PLAYER && hit.lost > 0 {
            combat.counts.times_hurt = combat.counts.times_hurt.saturating_add(1);
            combat.counts.harmed |= kind != DamageKind::HpLoss;
        }
        if hit.spent != NONE {
            self.lower_power(&mut combat.bodies[to as usize], hit.spent, 1);
            self.refresh_union(s);
        }
    }

    /// Who reaches 0 HP dies, before anything else.
    #[inline(always)]
    pub(crate) fn follow_hit(&self, s: &State, event: &Event, out: &mut Out) {
        let Event::Hit { by, to, card, on_kill, lost, flags, .. } = *event else { return };
        self.follow_blow(s, (by, to), (card, on_kill), lost, flags, out);
    }

    /// The same of a blow.
    #[inline(always)]
    pub(super) fn follow_blow(
        &self,
        s: &State,
        (by, to): (u8, u8),
        (card, on_kill): (Slot, Program),
        lost: i16,
        flags: u8,
        out: &mut Out,
    ) {
        let body = &s.combat.bodies[to as usize];
        if body.hp <= 0 && body.life == Life::Alive && lost > 0 {
            let any = flags & attack_flag::ANY_DEATH != 0;
            out.first(Effect::Death { who: to, by, card, on_kill, any });
        }
    }

    /// Block of a gain: the number is final unless it comes from a card.
    #[inline(always)]
    pub(crate) fn settle_block(&self, s: &State, to: u8, amount: i16, card: bool) -> Settling {
        let (to, rolls) =
            if (ALLY_OF..WEAKEST).contains(&to) { self.resolve_ally(s, to) } else { (to, Rolls::NONE) };
        let Some(amount) = self.guarded(s, to, amount, card) else { return Settled::Stale };
        Settled::Event(if rolls.is_none() {
            Event::Blocked { to, amount }
        } else {
            Event::Guarded { to, amount, rolls }
        })
    }

    /// The block that somebody gains, if he gains any.
    #[inline(always)]
    pub(super) fn guarded(&self, s: &State, to: u8, amount: i16, card: bool) -> Option<i16> {
        let body = s.combat.living(to)?;
        let number =
            if card { self.card_block(s, to, i32::from(amount), NO_CARD) } else { i32::from(amount) };
        let (number, _) = self.altered_number(s, Stage::AnyBlock, to, number, About::default());
        let number = number.clamp(0, 999 - i32::from(body.block).min(999)) as i16;
        (number != 0).then_some(number)
    }

    /// Another monster at random; one that is alone means itself.
    #[inline(never)]
    fn resolve_ally(&self, s: &State, to: u8) -> (u8, Rolls) {
        let mut roller = Roller::new(s);
        let owner = to - ALLY_OF;
        let others: smallvec::SmallVec<[u8; 8]> = s.combat.enemies().filter(|&who| who != owner).collect();
        let ally = if others.is_empty() { owner } else { others[roller.index(Die::Ai, others.len())] };
        (ally, roller.drawn())
    }

    /// Healing, with what relics make of it.
    pub(crate) fn settle_heal(&self, s: &State, to: u8, amount: i16) -> Settling {
        let Some(body) = s.combat.body(to).filter(|body| body.life != Life::Dead) else {
            return Settled::Stale;
        };
        let (number, _) = self.altered_number(s, Stage::Heal, to, i32::from(amount), About::default());
        let number = number.clamp(0, i32::from(body.max_hp.saturating_sub(body.hp)).max(0)) as i16;
        if number == 0 { Settled::Stale } else { Settled::Event(Event::Healed { to, amount: number }) }
    }
}
