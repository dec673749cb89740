//! Powers: gaining, stacking, losing and wearing off.

use super::numbers::About;
use crate::catalog::compile::{Id, PowerInfo};
use crate::catalog::defs::{Debuff, When};
use crate::catalog::words::{Flag, Prevent, Stack, Stage};
use crate::effect::{Origin, Source};
use crate::event::{Event, Worn, WornPowers};
use crate::game::{Settling, Spire};
use crate::state::{Body, Life, NONE, PLAYER, Power, State};
use smallvec::SmallVec;
use turnstone::Settled;

/// The bits of a body's flags from here on: something of it may wear off at that time.
const WEARS_AT: u32 = 29;

/// When a power may wear off, as bits of a body's flags. One that is fresh loses that at the end of the round.
pub(crate) fn wears(decay: Option<When>, removed: Option<When>, fresh: bool) -> u32 {
    let bit = |when: Option<When>| when.map_or(0, |when| 1 << (WEARS_AT + u32::from(when_number(when))));
    bit(decay) | bit(removed) | if fresh { bit(Some(When::RoundEnd)) } else { 0 }
}

/// The bit of a body's flags that says that something of it may wear off at that time.
#[inline]
fn wearing(when: u8) -> u32 {
    1 << (WEARS_AT + u32::from(when))
}

/// [`When`] as a number, for effects.
pub(crate) fn when_number(when: When) -> u8 {
    match when {
        When::RoundEnd => 0,
        When::TurnStart => 1,
        When::TurnEnd => 2,
    }
}

impl Spire {
    /// Whether that amount of the power is a debuff.
    pub(crate) fn is_debuff(&self, power: Id, amount: i16) -> bool {
        match self.catalog.powers[power as usize].debuff {
            Debuff::Always => true,
            Debuff::Negative => amount < 0,
            Debuff::Never => false,
        }
    }

    /// A power is given.
    pub(crate) fn settle_apply(
        &self,
        s: &State,
        by: u8,
        to: u8,
        power: Id,
        amount: i16,
        stored: i16,
    ) -> Settling {
        let (to, rolls) = self.resolved(s, to);
        match self.given_to(s, by, to, power, amount) {
            Some(amount) => Settled::Event(Event::Applied { by, to, power, amount, stored, rolls }),
            None => Settled::Stale,
        }
    }

    /// How much of a power somebody gets, if he is there to get it.
    #[inline(always)]
    pub(super) fn given_to(&self, s: &State, by: u8, to: u8, power: Id, amount: i16) -> Option<i16> {
        let body = s.combat.body(to)?;
        let nothing = amount == 0 && !self.catalog.powers[power as usize].keep_zero;
        if !matches!(body.life, Life::Alive | Life::HalfDead) || nothing {
            return None;
        }
        let mut amount = i32::from(amount);
        if let Some(about) = About::power_given(by, to, power) {
            amount = self.altered_number(s, Stage::PowerGiven, by, amount, about).0;
        }
        Some(amount.clamp(-9999, 9999) as i16)
    }

    /// A power is lowered, if it is there.
    pub(crate) fn settle_reduce(&self, s: &State, to: u8, power: Id, by: i16) -> Settling {
        let Some(held) = s.combat.body(to).and_then(|body| body.power(power)) else { return Settled::Stale };
        let info = &self.catalog.powers[power as usize];
        let left = if by == i16::MAX { 0 } else { held.n.saturating_sub(by).clamp(info.least, info.most) };
        let by = held.n.saturating_sub(left);
        Settled::Event(Event::Reduced { to, power, by, gone: left == 0 && !info.keep_zero })
    }

    /// The debuffs of a body go.
    pub(crate) fn settle_cleanse(&self, s: &State, to: u8) -> Settling {
        let Some(body) = s.combat.body(to) else { return Settled::Stale };
        let debuffs = body.powers.iter().filter(|held| self.is_debuff(held.id, held.n));
        Settled::Event(Event::Cleansed { to, powers: debuffs.map(|held| held.id).collect() })
    }

    /// Everybody but the one the player turns to stands behind him, which a power of theirs says.
    pub(crate) fn settle_face(&self, s: &State, who: u8) -> Settling {
        if s.combat.facing == who {
            return Settled::Stale;
        }
        let marks = |info: &PowerInfo| info.ears.has(Flag::BehindPlayer);
        let power = self.catalog.powers.iter().position(marks).map_or(NONE, |id| id as Id);
        let others = (1..s.combat.bodies.len() as u8).filter(|&other| other != who && power != NONE);
        let behind = others.filter(|&other| s.combat.living(other).is_some()).collect();
        Settled::Event(Event::Faced { who, power, behind })
    }

    /// Writes a gained power.
    pub fn apply_power(&self, s: &mut State, by: u8, to: u8, power: Id, amount: i16, stored: i16) {
        let info = &self.catalog.powers[power as usize];
        let monsters = s.combat.stage == crate::state::Stage::Enemies;
        let body = &mut s.combat.bodies[to as usize];
        let before = body.powers.len();
        // Curses act at the end of the player's turn as if a monster did (Doubt, Shame).
        let fresh = info.fresh && monsters && (by != PLAYER || to == PLAYER);
        match body.powers.iter_mut().find(|held| held.id == power) {
            Some(held) => {
                held.n = match info.stack {
                    Stack::Highest | Stack::Flag => held.n.max(amount),
                    _ => held.n.saturating_add(amount),
                }
                .clamp(info.least, info.most);
                held.stored = held.stored.saturating_add(stored);
                if held.n == 0 && !info.keep_zero {
                    self.drop_power(body, power);
                }
            }
            None => {
                let n = amount.clamp(info.least, info.most);
                if n != 0 || info.keep_zero {
                    let key = |id: Id| {
                        if self.profile.powers_by_number {
                            0
                        } else {
                            self.catalog.powers[id as usize].priority
                        }
                    };
                    let at = if self.profile.powers_by_number {
                        body.powers.partition_point(|held| held.id < power)
                    } else {
                        body.powers.partition_point(|held| key(held.id) <= info.priority)
                    };
                    body.powers.insert(at, Power { id: power, n, stored, fresh });
                    self.refresh_masks(body);
                }
            }
        }
        if to == PLAYER && amount > 0 && self.catalog.powers[power as usize].counted {
            let mantra = &mut s.combat.counts.mantra;
            *mantra = mantra.saturating_add(amount as u16);
        }
        let others = s.combat.bodies[to as usize].powers.len() != before;
        self.refresh_powers(s, to as usize, others, self.alters_attacks(power, others));
    }

    /// Takes down what follows from the powers of one body after a change of them: whether they are others than before,
    /// and whether one that has to do with attacks changed.
    fn refresh_powers(&self, s: &mut State, who: usize, others: bool, attacks: bool) {
        if others {
            self.refresh_ears_of_bodies(s);
        }
        if attacks {
            self.refresh_force(s, who);
        }
    }

    /// Lowers a power; `i16::MAX` removes it, a negative number raises it. Tells whether it is gone.
    pub(crate) fn lower_power(&self, body: &mut Body, power: Id, by: i16) -> bool {
        let info = &self.catalog.powers[power as usize];
        let Some(held) = body.powers.iter_mut().find(|held| held.id == power) else { return false };
        held.n = if by == i16::MAX { 0 } else { held.n.saturating_sub(by).clamp(info.least, info.most) };
        if held.n == 0 && !info.keep_zero {
            self.drop_power(body, power);
            return true;
        }
        false
    }

    pub(crate) fn drop_power(&self, body: &mut Body, power: Id) {
        body.powers.retain(|held| held.id != power);
        self.refresh_masks(body);
    }

    /// Recomputes what a body listens to, whose powers may be written by hand: then they may stand elsewhere than those
    /// that came in play.
    pub fn refresh_body(&self, body: &mut Body) {
        let priority = |held: &Power| self.catalog.powers[held.id as usize].priority;
        if !self.profile.powers_by_number && !body.powers.is_sorted_by_key(priority) {
            body.powers.sort_by_key(priority);
        }
        self.refresh_masks(body);
    }

    /// Recomputes what a body listens to.
    fn refresh_masks(&self, body: &mut Body) {
        (body.moments, body.stages, body.stops, body.flags) = (0, 0, 0, 0);
        for held in &body.powers {
            let ears = &self.catalog.powers[held.id as usize].ears;
            body.moments |= ears.moments;
            body.stages |= ears.stages;
            body.stops |= ears.stops;
            body.flags |= ears.flags | self.catalog.powers[held.id as usize].wears;
        }
        if let Some(monster) = self.catalog.monsters.get(body.kind as usize) {
            body.moments |= monster.ears.moments;
            body.stages |= monster.ears.stages;
            body.stops |= monster.ears.stops;
            body.flags |= monster.ears.flags;
        }
        body.minion |= body.flags >> Flag::Minion as u32 & 1 != 0;
    }

    /// Recomputes what anybody listens to, and what follows from it.
    pub fn refresh_union(&self, s: &mut State) {
        self.refresh_ears(s);
        self.refresh_forces(s);
    }

    /// Recomputes what anybody listens to.
    fn refresh_ears(&self, s: &mut State) {
        let bodies = bodies_moments(s);
        s.combat.hints.bodies = bodies;
        s.combat.moments = bodies | s.combat.relic_moments;
        self.refresh_stages(s);
        self.refresh_sounds(s);
    }

    /// The same after a change of powers alone, most of which hear nothing.
    fn refresh_ears_of_bodies(&self, s: &mut State) {
        if s.combat.hints.bodies == bodies_moments(s) {
            self.refresh_stages(s);
        } else {
            self.refresh_ears(s);
        }
    }

    /// What a body's powers (and the player's relics and potions) prevent.
    pub fn stops(
        &self,
        s: &State,
        owner: u8,
        what: Prevent,
    ) -> SmallVec<[(Source, crate::catalog::compile::Stop, i16); 4]> {
        let mut out = SmallVec::new();
        let Some(body) = s.combat.body(owner) else { return out };
        let bit = 1u32 << what as u32;
        let mut take = |source: Source, ears: &crate::catalog::compile::Ears, n: i16| {
            for stop in ears.preventions.iter().filter(|stop| stop.what == what) {
                out.push((source, *stop, n));
            }
        };
        if owner == PLAYER {
            for &potion in s.run.potions.iter().filter(|&&potion| potion != NONE) {
                let info = &self.catalog.potions[potion as usize];
                if info.ears.stops & bit != 0 {
                    let potency = self.potency(s, potion);
                    take(Source::of(Origin::Potion(potion)), &info.ears, potency);
                }
            }
            if s.combat.relic_stops & bit != 0 {
                for (index, relic) in s.run.relics.iter().enumerate() {
                    let source = Source::of(Origin::Relic(index as u8));
                    take(source, &self.catalog.relics[relic.id as usize].ears, relic.counter);
                }
            }
        }
        if body.stops & bit != 0 {
            for power in &body.powers {
                let source = Source::of(Origin::Power(power.id));
                take(source, &self.catalog.powers[power.id as usize].ears, power.n);
            }
            if let Some(monster) = self.catalog.monsters.get(body.kind as usize) {
                take(Source::of(Origin::Monster), &monster.ears, 0);
            }
        }
        out
    }

    /// Whether anything wears off for these bodies at that time.
    pub(crate) fn decays(&self, s: &State, when: u8, player: bool, monsters: bool) -> bool {
        let wears = |body: &Body| body.flags & wearing(when) != 0 && self.wears_off(body, when);
        let Some((first, others)) = s.combat.bodies.split_first() else { return false };
        player && wears(first) || monsters && others.iter().any(|body| wears(body) && present(body))
    }

    #[inline(never)]
    fn wears_off(&self, body: &Body, when: u8) -> bool {
        body.powers.iter().any(|power| self.decaying(power, when) != 0 || power.fresh && when == 0)
    }

    fn decaying(&self, power: &Power, when: u8) -> i16 {
        let info = &self.catalog.powers[power.id as usize];
        if info.removed.map(when_number) == Some(when) {
            return i16::MAX;
        }
        i16::from(info.decay.map(when_number) == Some(when))
    }

    /// The powers that wear off at that time of the round.
    pub(crate) fn wearing_off(&self, s: &State, when: u8, player: bool, monsters: bool) -> WornPowers {
        let mut worn = WornPowers::new();
        for (who, body) in s.combat.bodies.iter().enumerate() {
            let meant = if who == 0 { player } else { monsters && present(body) };
            if meant && body.flags & wearing(when) != 0 {
                worn.extend(body.powers.iter().filter_map(|held| self.worn(who as u8, held, when)));
            }
        }
        worn
    }

    fn worn(&self, who: u8, held: &Power, when: u8) -> Option<Worn> {
        let fresh = when == 0 && held.fresh;
        let info = &self.catalog.powers[held.id as usize];
        let by = match self.decaying(held, when) {
            0 => 0,
            _ if fresh => 0,
            i16::MAX => held.n,
            by => held.n - held.n.saturating_sub(by).clamp(info.least, info.most),
        };
        (fresh || by != 0).then_some(Worn { who, power: held.id, by })
    }

    /// Lets powers wear off.
    pub(crate) fn apply_worn(&self, s: &mut State, worn: &[Worn]) {
        for of_one in worn.chunk_by(|a, b| a.who == b.who) {
            self.wear_off(s, of_one);
        }
    }

    fn wear_off(&self, s: &mut State, worn: &[Worn]) {
        let Some(who) = worn.first().map(|worn| usize::from(worn.who)) else { return };
        let body = &mut s.combat.bodies[who];
        let (before, mut attacks) = (body.powers.len(), false);
        for &Worn { power, by, .. } in worn {
            if by == 0 {
                body.powers.iter_mut().filter(|held| held.id == power).for_each(|held| held.fresh = false);
            } else {
                let gone = self.lower_power(body, power, by);
                attacks |= self.alters_attacks(power, gone);
            }
        }
        let others = body.powers.len() != before;
        self.refresh_powers(s, who, others, attacks);
    }
}

/// The moments that anybody's powers, or a monster itself, hear.
fn bodies_moments(s: &State) -> u128 {
    s.combat.bodies.iter().fold(0, |sum, body| sum | body.moments)
}

/// Whoever is dead or gone keeps what he had.
fn present(body: &Body) -> bool {
    matches!(body.life, Life::Alive | Life::HalfDead)
}
