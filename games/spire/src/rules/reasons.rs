//! Whoever changes a number says so while it is worked out. The notes stand with the event, and `explain` tells them.

use crate::catalog::compile::Id;
use crate::catalog::words::{DamageKind, Stage};
use crate::effect::{Effect, Origin, Way, attack_flag};
use crate::event::Event;
use crate::game::Spire;
use crate::reason::Reason;
use crate::rules::hits::{Arrival, BlockGain};
use crate::rules::numbers::About;
use crate::state::{NO_CARD, PLAYER, Slot, State};
use smallvec::SmallVec;
use turnstone::{Note, Notes};

/// How a chain about a cost begins.
pub(crate) const COST_OF: &str = "cost of ";

/// Stages as one mask.
const fn bits(stages: &[Stage]) -> u64 {
    let (mut mask, mut index) = (0, 0);
    while index < stages.len() {
        mask |= 1 << stages[index] as u32;
        index += 1;
    }
    mask
}

/// The way of one number. What nobody changes needs no reason.
pub(crate) struct Chain<'a> {
    base: Reason,
    pub(crate) number: i32,
    begun: bool,
    notes: &'a mut Notes<Reason>,
}

impl<'a> Chain<'a> {
    /// A number as it is before anybody changes it.
    pub(crate) fn new(base: Reason, number: i32, notes: &'a mut Notes<Reason>) -> Self {
        Chain { base, number, begun: false, notes }
    }

    /// Somebody makes it another.
    #[inline(always)]
    pub(crate) fn to(&mut self, who: Reason, number: i32) {
        if number != self.number {
            self.changed(who, number);
        }
    }

    #[inline(never)]
    fn changed(&mut self, who: Reason, number: i32) {
        if !self.begun {
            self.begun = true;
            self.notes.made(self.base, self.number);
        }
        self.notes.changed(who, self.number, number);
        self.number = number;
    }
}

impl Spire {
    /// Notes how the number of an event came about. `s` is the state before it.
    #[inline(never)]
    pub(crate) fn reasons(&self, s: &State, effect: &Effect, event: &Event, notes: &mut Notes<Reason>) {
        match (effect, event) {
            (Effect::Attack { .. } | Effect::Damage { .. }, &Event::Hit { by, to, .. }) => {
                if let Some(hit) = Arrival::told_by(event) {
                    self.reasons_of_hit(s, effect, (by, to), &hit, notes);
                }
            }
            (
                &Effect::Block { to, amount, base, card },
                &(Event::Blocked { amount: gained, .. } | Event::Guarded { amount: gained, .. }),
            ) => self.reasons_of_block(s, &BlockGain { to, amount, base, card, gained }, notes),
            (&Effect::Heal { to, amount }, &Event::Healed { amount: healed, .. }) => {
                let mut chain = self.chain(to, NO_CARD, amount, notes);
                self.reasons_of_stage(s, Stage::Heal, to, About::default(), &mut chain);
                chain.to(Reason::Limit, healed.into());
            }
            (&Effect::Play { slot, way: Way::Hand, .. }, &Event::Played { cost, .. }) => {
                self.reasons_of_cost(s, slot, cost, notes);
            }
            (&Effect::Apply { by, power, amount: base, .. }, &Event::Applied { to, amount, .. }) => {
                self.reasons_of_power(s, (by, to), power, base, amount, notes);
            }
            (Effect::TurnStarted, &Event::TurnStarted { energy, block }) => {
                self.reasons_of_energy(s, energy, notes);
                self.reasons_of_block_left(s, block, notes);
            }
            (Effect::Run(effect), Event::Run(event)) => self.journey().reasons(s, effect, event, notes),
            _ => {}
        }
    }

    fn chain<'a>(&self, by: u8, card: Slot, base: i16, notes: &'a mut Notes<Reason>) -> Chain<'a> {
        Chain::new(Reason::Base { by, card }, base.into(), notes)
    }

    /// Notes how the HP that a hit costs came about.
    #[inline(never)]
    pub(super) fn reasons_of_hit(
        &self,
        s: &State,
        effect: &Effect,
        (by, to): (u8, u8),
        hit: &Arrival,
        notes: &mut Notes<Reason>,
    ) {
        let (mut chain, kind) = match *effect {
            Effect::Attack { amount, base, card, strength, flags, .. } => {
                let mut chain = self.chain(by, card, base, notes);
                let fixed = (flags & attack_flag::FIXED != 0).then_some(i32::from(amount));
                self.reasons_of_attack(s, (by, to, card), strength.into(), fixed, &mut chain);
                (chain, DamageKind::Normal)
            }
            Effect::Damage { amount, orb, kind, .. } => {
                let mut chain = self.chain(by, NO_CARD, amount, notes);
                if orb {
                    self.reasons_of_stage(s, Stage::OrbDamage, to, About::default(), &mut chain);
                }
                (chain, kind)
            }
            _ => return,
        };
        if self.only_block_meets(s, by, to) {
            let number = chain.number.clamp(0, 30_000);
            chain.to(Reason::Limit, number);
            chain.to(Reason::Block, number - i32::from(hit.blocked));
            chain.to(Reason::Limit, hit.lost.into());
        } else {
            self.reasons_of_arrival(s, (by, to), kind, &mut chain);
        }
        debug_assert_eq!(chain.number, i32::from(hit.lost), "the reasons of {effect:?} add up to {hit:?}");
    }

    /// Notes what becomes of damage that meets more than block.
    #[inline(never)]
    fn reasons_of_arrival(&self, s: &State, who: (u8, u8), kind: DamageKind, chain: &mut Chain<'_>) {
        self.arrive_steps(s, who, chain.number, kind, |who, number| chain.to(who, number));
    }

    /// Notes what becomes of a number at one stage.
    fn reasons_of_stage(&self, s: &State, stage: Stage, owner: u8, about: About, chain: &mut Chain<'_>) {
        if self.altered(s, stage, owner) {
            self.alter_steps(s, stage, owner, chain.number, about, |acting, _, number| {
                chain.to(Reason::of(acting), number);
            });
        }
    }

    /// Notes how much of a power somebody gets.
    #[inline(never)]
    pub(super) fn reasons_of_power(
        &self,
        s: &State,
        (by, to): (u8, u8),
        power: Id,
        base: i16,
        amount: i16,
        notes: &mut Notes<Reason>,
    ) {
        let mut chain = self.chain(by, NO_CARD, base, notes);
        if let Some(about) = About::power_given(by, to, power) {
            self.reasons_of_stage(s, Stage::PowerGiven, by, about, &mut chain);
        }
        chain.to(Reason::Limit, amount.into());
    }

    /// Notes how much energy a turn begins with: what there is every turn, and what is left of the one before.
    #[inline(never)]
    pub(super) fn reasons_of_energy(&self, s: &State, energy: i16, notes: &mut Notes<Reason>) {
        if self.profile.energy_with_the_cards {
            return;
        }
        let mut chain = Chain::new(Reason::Energy, s.run.energy.into(), notes);
        self.reasons_of_stage(s, Stage::EnergyPerTurn, PLAYER, About::default(), &mut chain);
        if s.combat.counts.turn > 0 && self.altered(s, Stage::EnergyKept, PLAYER) {
            let fresh = chain.number;
            self.alter_steps(s, Stage::EnergyKept, PLAYER, 0, About::default(), |acting, _, kept| {
                chain.to(Reason::of(acting), fresh + kept);
            });
        }
        chain.to(Reason::Limit, energy.into());
    }

    /// Notes why block of the turn before is left.
    #[inline(never)]
    pub(super) fn reasons_of_block_left(&self, s: &State, left: i16, notes: &mut Notes<Reason>) {
        let block = i32::from(s.combat.player().block);
        if s.combat.counts.turn == 0 || !self.altered(s, Stage::BlockLost, PLAYER) {
            return;
        }
        let mut chain = Chain::new(Reason::Left, 0, notes);
        self.alter_steps(s, Stage::BlockLost, PLAYER, block, About::default(), |acting, _, lost| {
            chain.to(Reason::of(acting), block - lost.clamp(0, block.max(0)));
        });
        chain.to(Reason::Limit, left.into());
    }

    /// Whether there is nothing to say about a hit: nobody could change its number, and all of it arrived.
    #[inline]
    pub(super) fn hit_is_plain(
        &self,
        s: &State,
        (by, to): (u8, u8),
        kind: DamageKind,
        base: i16,
        hit: &Arrival,
    ) -> bool {
        base == hit.amount && hit.blocked == 0 && hit.lost == base && !self.hit_altered(s, by, to, kind)
    }

    /// The same of a gain of block.
    #[inline]
    pub(super) fn block_is_plain(&self, s: &State, block: &BlockGain) -> bool {
        const ALTERED: u64 = bits(&[Stage::CardBlock, Stage::AnyBlock]);
        let &BlockGain { to, amount, base, gained, .. } = block;
        base == amount && amount == gained && self.stages(s, to) & ALTERED == 0
    }

    /// Whether anything alters damage of that kind that one body does to another.
    #[inline]
    fn hit_altered(&self, s: &State, by: u8, to: u8, kind: DamageKind) -> bool {
        const DEALT: u64 = bits(&[Stage::UnblockedDealt]);
        const TAKEN: u64 =
            bits(&[Stage::OrbDamage, Stage::DamageTaken, Stage::UnblockedTaken, Stage::HpLoss]);
        const ATTACKS: u64 = bits(&[Stage::AttackBase, Stage::AttackDealt]);
        const ATTACKED: u64 = bits(&[Stage::AttackTaken, Stage::AttackTakenFinal]);
        let (dealt, taken) = match kind {
            DamageKind::Normal => (DEALT | ATTACKS, TAKEN | ATTACKED),
            DamageKind::Thorns | DamageKind::HpLoss => (DEALT, TAKEN),
        };
        self.stages(s, by) & dealt | self.stages(s, to) & taken != 0
    }

    /// What an attack becomes before it meets block. A number that was fixed when it was set off, and which the same
    /// changes no longer give, was changed by others then.
    #[inline(always)]
    pub(super) fn reasons_of_attack(
        &self,
        s: &State,
        (by, to, card): (u8, u8, Slot),
        strength: i32,
        fixed: Option<i32>,
        chain: &mut Chain<'_>,
    ) {
        let base = chain.number;
        if !self.attack_altered(s, by, to) {
            return self.reasons_of_plain_attack(s, by, fixed, chain);
        }
        let forced = self.forced_attack(s, (by, to), base, strength);
        let number = match &forced {
            Some(forced) => forced.number,
            None => self.attack_number(s, by, to, base, card, strength),
        };
        if fixed.is_some_and(|fixed| fixed != number.min(30_000)) {
            return chain.to(Reason::Earlier, fixed.unwrap_or(number));
        }
        debug_assert!(self.forces_tell_the_same(s, (by, to, card), base, strength), "other reasons");
        if let Some(forced) = forced {
            forced.tell(|who, number| chain.to(who, number));
        } else {
            let steps = self.listed_steps(s, (by, to, card), base, strength);
            steps.into_iter().for_each(|(who, number)| chain.to(who, number));
        }
        chain.to(Reason::Limit, chain.number.max(0));
        chain.to(Reason::Behind, number);
    }

    /// The same of an attack that nobody changes now.
    fn reasons_of_plain_attack(&self, s: &State, by: u8, fixed: Option<i32>, chain: &mut Chain<'_>) {
        let number = self.behind(s, by, chain.number.max(0));
        if fixed.is_some_and(|fixed| fixed != number.min(30_000)) {
            return chain.to(Reason::Earlier, fixed.unwrap_or(number));
        }
        chain.to(Reason::Limit, chain.number.max(0));
        chain.to(Reason::Behind, number);
    }

    /// Who changes the number of an attack, and what each makes of it, asked one by one.
    #[inline(never)]
    fn listed_steps(
        &self,
        s: &State,
        (by, to, card): (u8, u8, Slot),
        base: i32,
        strength: i32,
    ) -> SmallVec<[(Reason, i32); 6]> {
        let mut steps = SmallVec::new();
        self.attack_steps(s, by, to, base, card, strength, |acting, number| {
            steps.push((Reason::of(acting), number.floor()));
        });
        steps
    }

    /// Whether what is kept of powers tells the same of an attack as they do when asked one by one.
    fn forces_tell_the_same(&self, s: &State, who: (u8, u8, Slot), base: i32, strength: i32) -> bool {
        let changes = |steps: &[(Reason, i32)]| {
            let mut number = base;
            let changed = |step: &&(Reason, i32)| std::mem::replace(&mut number, step.1) != step.1;
            steps.iter().filter(changed).copied().collect::<Vec<_>>()
        };
        let Some(forced) = self.forced_attack(s, (who.0, who.1), base, strength) else { return true };
        let mut parts = Vec::new();
        forced.tell(|who, number| parts.push((who, number)));
        changes(&parts) == changes(&self.listed_steps(s, who, base, strength))
    }

    /// Notes how a gain of block came about.
    #[inline(never)]
    pub(super) fn reasons_of_block(&self, s: &State, block: &BlockGain, notes: &mut Notes<Reason>) {
        if self.block_is_plain(s, block) {
            return;
        }
        let BlockGain { to, amount, base, card, gained } = *block;
        let mut chain = self.chain(to, NO_CARD, base, notes);
        if card || base != amount {
            let mut steps: SmallVec<[(Reason, i32); 6]> = SmallVec::new();
            let number = self.block_steps(s, to, base.into(), NO_CARD, |acting, number| {
                steps.push((Reason::of(acting), number.floor()));
            });
            if card || number == i32::from(amount) {
                for (who, number) in steps {
                    chain.to(who, number);
                }
                chain.to(Reason::Limit, number);
            } else {
                chain.to(Reason::Earlier, amount.into());
            }
        }
        self.reasons_of_stage(s, Stage::AnyBlock, to, About::default(), &mut chain);
        chain.to(Reason::Limit, gained.into());
    }

    /// A note in words: `Strength of Ironclad: 6 → 8`.
    pub(crate) fn tell_reason(&self, s: &State, note: &Note<Reason>) -> String {
        let who = self.reason_name(s, note.who);
        match note.from {
            Some(from) => format!("{who}: {from} → {}", note.to),
            None => format!("{who}: {}", note.to),
        }
    }

    /// Who made or changed a number.
    pub(crate) fn reason_name(&self, s: &State, who: Reason) -> String {
        match who {
            Reason::Base { card, .. } if card != NO_CARD => self.card_name(s, card),
            Reason::Base { by, .. } if s.combat.body(by).is_some() => self.body_name(s, by),
            Reason::Base { .. } => "at first".to_owned(),
            // A number that stands beside a play is not told to be its damage.
            Reason::Cost { card } => format!("{COST_OF}{}", self.card_name(s, card)),
            Reason::Energy => "energy of every turn".to_owned(),
            Reason::Left => "block of the turn before".to_owned(),
            Reason::Changed { owner, source } => match source.origin() {
                // A card alters what its owner does from the hand.
                Origin::Card | Origin::Copy => "a card in hand".to_owned(),
                _ => self.tell_source_for(s, owner, NO_CARD, source),
            },
            Reason::Earlier => "as it was when it was set off".to_owned(),
            Reason::Behind => "from behind".to_owned(),
            Reason::Block => "block".to_owned(),
            Reason::Limit => "as far as it goes".to_owned(),
            Reason::Ascension => format!("ascension {}", s.run.ascension),
            Reason::Fight => "in this fight".to_owned(),
            Reason::Turn => "this turn".to_owned(),
            Reason::Own => "by its own rule".to_owned(),
        }
    }
}
