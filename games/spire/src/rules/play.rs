//! Playing a card: paying, copies, its steps, and where it goes.

use super::numbers::About;
use crate::catalog::compile::{Brief, COST_NONE, COST_X, Program};
use crate::catalog::words::{CardType, Flag, Moment, Prevent, Spot, Stage};
use crate::dice::{Die, Roller, Rolls};
use crate::effect::{Ctx, Effect, Origin, Source, Way};
use crate::eval::Env;
use crate::event::Event;
use crate::game::{Out, Settling, Spire};
use crate::state::{ANYBODY, Card, NOBODY, NONE, PLAYER, Pile, Power, Slot, State, Taken, card_flag};
use turnstone::{Expanded, Lane, Settled};

/// What is fixed when a card is played.
pub(super) struct Playing {
    pub target: u8,
    pub cost: i8,
    pub x: i16,
    pub rolls: Rolls,
}

/// A card whose steps run, as far as they are asked for.
#[derive(Clone, Copy)]
pub(super) struct Running {
    slot: Slot,
    kind: CardType,
    program: Program,
    source: Source,
}

impl Running {
    #[inline(always)]
    pub(super) fn new(slot: Slot, card: &Card, brief: &Brief) -> Self {
        let origin = if card.has(card_flag::COPY) { Origin::Copy } else { Origin::Card };
        Running { slot, kind: brief.kind, program: brief.program, source: Source::of(origin) }
    }
}

/// What is known of a potion's number.
pub(super) const POTENCY: About = About { card: None, other: None, kind: None, orb: None, power: Some(NONE) };

impl Spire {
    /// A card is played: cost, X and target are fixed.
    pub(crate) fn settle_play(
        &self,
        s: &State,
        slot: Slot,
        target: u8,
        x: i16,
        way: Way,
        exhaust: bool,
    ) -> Settling {
        match self.playing(s, slot, target, x, way, exhaust) {
            Ok(Playing { target, cost, x, rolls }) => {
                Settled::Event(Event::Played { slot, target, cost, x, way, exhaust, rolls })
            }
            Err(settled) => settled,
        }
    }

    /// How a card is played, or what becomes of it instead.
    #[inline(always)]
    #[allow(clippy::result_large_err)]
    pub(super) fn playing(
        &self,
        s: &State,
        slot: Slot,
        target: u8,
        x: i16,
        way: Way,
        exhaust: bool,
    ) -> Result<Playing, Settling> {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Err(Settled::Stale) };
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        if way != Way::Hand && self.play_fails(s, card, slot, target, way) {
            return Err(self.settle_unplayed(s, slot, way, exhaust));
        }
        let target = if form.aims || way == Way::Hand { target } else { NOBODY };
        let (target, rolls) = match form.aims && target == NOBODY {
            true => self.auto_target(s),
            false => (target, Rolls::NONE),
        };
        if way == Way::Copy && !self.profile.copies_never_fail && self.copy_fails(s, card, slot, target) {
            return Err(Settled::Stale);
        }
        let mut cost = if way == Way::Hand { self.cost_now(s, card, slot) } else { 0 };
        let x = if x != i16::MIN { x } else { self.x_of(s, form.cost, cost, way, exhaust) };
        if form.unpaid.is_some() && self.holds(form.unpaid, &Env::new(s, self.card_ctx(slot))) {
            cost = 0;
        }
        Ok(Playing { target, cost, x, rolls })
    }

    /// Whether a card that an effect plays cannot be played. Whom it was aimed at may be gone by now.
    #[inline(never)]
    fn play_fails(&self, s: &State, card: &Card, slot: Slot, target: u8, way: Way) -> bool {
        let aims = self.catalog.cards[card.id as usize].forms[card.form()].aims;
        let missed = way == Way::Auto && aims && target != NOBODY && s.combat.living(target).is_none();
        missed || self.playable_by_effect(s, card, slot).is_err()
    }

    /// What becomes of a card that cannot be played.
    #[inline(never)]
    fn settle_unplayed(&self, s: &State, slot: Slot, way: Way, exhaust: bool) -> Settling {
        let gone = s.combat.cards[slot as usize].pile == Pile::Gone || way == Way::Copy;
        match (gone, exhaust) {
            (true, _) => Settled::Stale,
            (false, true) if !self.profile.unplayable_discarded => self.settle_exhaust(s, slot, true),
            _ => Settled::Event(Event::Discarded { slot, effect: false }),
        }
    }

    /// A card that was taken waits for its turn: the first one taken is played first, and the others behind it.
    pub(crate) fn expand_play_taken(&self, s: &State, out: &mut Out) -> Expanded<Effect> {
        let next = if self.taken_backwards { s.combat.taken.last() } else { s.combat.taken.first() };
        let Some(&Taken { slot, target, exhaust }) = next else { return Expanded::Nothing };
        let play = Effect::Play { slot, target, x: i16::MIN, way: Way::Auto, exhaust };
        if s.combat.taken.len() == 1 {
            return Expanded::To(play);
        }
        out.first(play);
        out.agenda(Effect::PlayTaken);
        Expanded::Into
    }

    /// The top card of the draw pile is taken, behind a shuffle if there is none.
    pub(crate) fn expand_take_top(&self, s: &State, effect: Effect, out: &mut Out) -> Expanded<Effect> {
        let combat = &s.combat;
        if !combat.draw.is_empty() {
            return Expanded::Keep;
        }
        if combat.discard.is_empty() {
            return Expanded::Nothing;
        }
        out.first(Effect::Shuffle);
        out.first(effect);
        Expanded::Into
    }

    /// It leaves the pile at once, so that the next one taken is another.
    pub(crate) fn settle_take_top(&self, s: &State, target: u8, exhaust: bool) -> Settling {
        let Some(&slot) = s.combat.draw.last() else { return Settled::Stale };
        Settled::Event(Event::Taken { slot, target, exhaust })
    }

    /// Somebody is found at whom the card will be played, also if it turns out not to aim.
    pub(crate) fn settle_aim(&self, s: &State, exhaust: bool, late: bool) -> Settling {
        let (target, rolls) = self.resolved(s, ANYBODY);
        Settled::Event(Event::Aimed { target, exhaust, late, rolls })
    }

    /// Writes that a card waits to be played.
    pub(crate) fn apply_taken(&self, s: &mut State, slot: Slot, target: u8, exhaust: bool) {
        s.combat.lift(slot);
        s.combat.cards[slot as usize].pile = Pile::Play;
        s.combat.taken.push(Taken { slot, target, exhaust });
    }

    /// The turn ends before their turn came: they are put away unplayed.
    pub(crate) fn put_taken_away(&self, s: &State, out: &mut Out) {
        for taken in &s.combat.taken {
            out.last(match taken.exhaust {
                true => Effect::Exhaust { slot: taken.slot, played: true },
                false => Effect::Discard { slot: taken.slot, effect: false },
            });
        }
    }

    /// The top card of the draw pile, then those that are on top by then.
    pub(crate) fn expand_play_top(
        &self,
        s: &State,
        left: u8,
        exhaust: bool,
        out: &mut Out,
    ) -> Expanded<Effect> {
        let combat = &s.combat;
        let Some(&slot) = combat.draw.last() else {
            if left == 0 || combat.discard.is_empty() || self.profile.top_without_shuffle {
                return Expanded::Nothing;
            }
            out.first(Effect::Shuffle);
            out.first(Effect::PlayTop { left, exhaust });
            return Expanded::Into;
        };
        if left == 0 {
            return Expanded::Nothing;
        }
        if left > 1 {
            out.agenda(Effect::PlayTop { left: left - 1, exhaust });
        }
        out.first(Effect::Play { slot, target: NOBODY, x: i16::MIN, way: Way::Auto, exhaust });
        Expanded::Into
    }

    fn playable_by_effect(&self, s: &State, card: &Card, slot: Slot) -> Result<(), turnstone::Rejection> {
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        if self.profile.effects_play_anything {
            let empty = form.cost == COST_NONE || form.program == 0;
            return if empty {
                Err(turnstone::Rejection::new("UNPLAYABLE", "it has no effect"))
            } else {
                Ok(())
            };
        }
        self.playable(s, slot)
    }

    fn auto_target(&self, s: &State) -> (u8, Rolls) {
        if self.profile.auto_aims_at_first {
            return (s.combat.enemies().next().unwrap_or(NOBODY), Rolls::NONE);
        }
        self.resolved(s, ANYBODY)
    }

    #[inline]
    fn x_of(&self, s: &State, base: i8, cost: i8, way: Way, exhaust: bool) -> i16 {
        if base != COST_X {
            return i16::from(cost.max(0));
        }
        let zero = self.profile.exhausted_x_is_zero && way == Way::Auto && exhaust;
        let energy = if zero { 0 } else { i32::from(s.combat.energy) };
        self.altered_number(s, Stage::XValue, PLAYER, energy, About::default()).0 as i16
    }

    /// Writes that a card of that type is being played; a copy is a card of its own.
    #[inline(always)]
    pub(crate) fn apply_played(
        &self,
        s: &mut State,
        (slot, kind): (Slot, CardType),
        cost: i8,
        way: Way,
        exhaust: bool,
    ) {
        let combat = &mut s.combat;
        if way == Way::Copy {
            let mut copy = combat.cards[slot as usize];
            copy.pile = Pile::Play;
            copy.flags |= card_flag::COPY;
            copy.of = slot;
            combat.cards.push(copy);
            if !combat.order.is_empty() {
                combat.order.push(i32::MAX / 2);
            }
            if !self.profile.counted_when_run {
                self.count_play(s, kind);
            }
            return;
        }
        combat.lift(slot);
        let energy = combat.energy;
        let card = &mut combat.cards[slot as usize];
        card.pile = Pile::Play;
        if self.profile.free_once_spent_at_once {
            card.flags &= !card_flag::FREE_ONCE;
        }
        if exhaust {
            card.flags |= card_flag::EXHAUST;
        }
        if way == Way::Auto {
            card.flags |= card_flag::AUTO;
        } else {
            combat.energy -= if cost == COST_X { energy } else { i16::from(cost.max(0)) };
        }
        if !self.profile.counted_when_run {
            self.count_play(s, kind);
        }
    }

    /// What follows: its steps, then those of its copies.
    pub(super) fn follow_played(&self, s: &State, slot: Slot, target: u8, x: i16, way: Way, out: &mut Out) {
        let slot = if way == Way::Copy { (s.combat.cards.len() - 1) as Slot } else { slot };
        self.follow_play(s, self.running(s, slot), target, x, way, out);
    }

    /// The same of a card that is known.
    #[inline(always)]
    pub(super) fn follow_play(&self, s: &State, card: Running, target: u8, x: i16, way: Way, out: &mut Out) {
        let slot = card.slot;
        if !self.profile.counted_when_run {
            if target != NOBODY && target != PLAYER {
                self.moment_if(s, Moment::TargetChosen, PLAYER, target, slot, 0, out);
            }
            return self.run_steps(s, card, target, x, out);
        }
        // The recorded engine: the card, its copies, and only then the card is put away.
        out.agenda(Effect::Clean { slot });
        if way != Way::Copy {
            self.moment_if(s, Moment::PlanCopies, PLAYER, target, slot, x, out);
        }
        out.first(Effect::QueueRun { slot, target, x });
    }

    /// A copy is dropped when its target is gone, the limit of cards is reached or it may not be played.
    fn copy_fails(&self, s: &State, card: &Card, slot: Slot, target: u8) -> bool {
        let aims = self.catalog.cards[card.id as usize].forms[card.form()].aims;
        let gone = aims && s.combat.living(target).is_none();
        let beyond = i32::from(s.combat.counts.cards_played) >= self.card_limit(s);
        gone || beyond || !self.may_play(s, slot)
    }

    /// In the recorded engine a copy runs by itself, unless its target is gone.
    pub(crate) fn settle_resolve(&self, s: &State, slot: Slot, target: u8, x: i16) -> Settling {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Settled::Stale };
        let info = &self.catalog.cards[card.id as usize];
        let form = &info.forms[card.form()];
        let lost = form.aims && !info.loose_target && s.combat.living(target).is_none();
        if lost && card.has(card_flag::COPY) {
            return Settled::Stale;
        }
        Settled::Event(Event::Ran { slot, target, x })
    }

    /// What is known of a card whose steps run.
    fn running(&self, s: &State, slot: Slot) -> Running {
        let card = &s.combat.cards[slot as usize];
        Running::new(slot, card, self.catalog.brief(card))
    }

    /// Counts the card.
    pub(crate) fn apply_ran(&self, s: &mut State, slot: Slot) {
        self.count_play(s, self.catalog.brief(&s.combat.cards[slot as usize]).kind);
    }

    /// Counts a card of that type.
    #[inline(always)]
    fn count_play(&self, s: &mut State, kind: CardType) {
        let combat = &mut s.combat;
        let counts = &mut combat.counts;
        counts.previous = counts.current;
        counts.current = kind as u8;
        counts.cards_played = counts.cards_played.saturating_add(1);
        counts.most_played = counts.most_played.max(counts.cards_played);
        match kind {
            CardType::Attack => {
                counts.attacks_played = counts.attacks_played.saturating_add(1);
                counts.attack_count = counts.attack_count.saturating_add(1);
            }
            CardType::Skill => counts.skills_played = counts.skills_played.saturating_add(1),
            CardType::Power => {
                counts.powers_this_turn = counts.powers_this_turn.saturating_add(1);
                counts.powers_played = counts.powers_played.saturating_add(1);
            }
            _ => {}
        }
        combat.played.push(kind as u8);
        combat.handled = 0;
        combat.dealt = 0;
        combat.chosen.clear();
        combat.drawn.clear();
        self.count_card(s, kind);
    }

    /// Queues the steps of a card and those who watch it.
    pub(super) fn follow_ran(&self, s: &State, slot: Slot, target: u8, x: i16, out: &mut Out) {
        self.run_steps(s, self.running(s, slot), target, x, out);
    }

    /// The same of a card that is known.
    #[inline(always)]
    fn run_steps(&self, s: &State, card: Running, target: u8, x: i16, out: &mut Out) {
        let Running { slot, program, source, .. } = card;
        let ctx = Ctx { owner: PLAYER, other: target, card: slot, n: x, event: 0, source };
        self.call_play(s, Moment::BeforeCard, card, target, x, out);
        if self.profile.card_end_queued {
            self.other_card_played(s, slot, target, x, out);
            self.call_play(s, Moment::CardUsed, card, target, x, out);
            self.propose(s, program, ctx, Lane::Last, out);
            if s.combat.moments >> Moment::AfterCard as u32 & 1 != 0 || self.grants_after_card(program) {
                out.last(Effect::Moment {
                    moment: Moment::AfterCard,
                    owner: PLAYER,
                    other: target,
                    card: slot,
                    number: x,
                });
            }
            return;
        }
        self.call_play(s, Moment::CardUsed, card, target, x, out);
        self.other_card_played(s, slot, target, x, out);
        self.call_play(s, Moment::AfterOtherCard, card, target, x, out);
        let watched = !out.is_empty();
        self.propose(s, program, ctx, Lane::Last, out);
        // What watchers queue comes before the card is put away.
        if watched {
            out.first(Effect::QueueClean { slot });
        } else {
            out.last(Effect::Clean { slot });
        }
    }

    /// A moment of the card that is being played, if anybody may act at it. What comes before it may change what a
    /// glance sees, so that nobody is ruled out by one then.
    #[inline(always)]
    fn call_play(&self, s: &State, moment: Moment, card: Running, target: u8, x: i16, out: &mut Out) {
        let heard = s.combat.moments >> moment as u32 & 1 != 0;
        if heard && (!out.is_empty() || self.play_heard(s, moment, card.slot, card.kind)) {
            out.first(Effect::Moment { moment, owner: PLAYER, other: target, card: card.slot, number: x });
        }
    }

    /// The cards in the hand hear of it.
    #[inline]
    fn other_card_played(&self, s: &State, slot: Slot, target: u8, x: i16, out: &mut Out) {
        if s.combat.card_moments >> Moment::OtherCardPlayed as u32 & 1 != 0 {
            let (moment, owner) = (Moment::OtherCardPlayed, PLAYER);
            out.first(Effect::Moment { moment, owner, other: target, card: slot, number: x });
        }
    }

    /// A card that grants a power may make it hear the very card.
    fn grants_after_card(&self, program: u16) -> bool {
        use crate::catalog::compile::Op;
        self.catalog.program(program).iter().any(|op| match op {
            Op::Apply { power, .. } => self.catalog.powers[*power as usize].ears.hears(Moment::AfterCard),
            _ => false,
        })
    }

    /// The card is put away; in the original those who wait for that act first.
    pub(crate) fn expand_clean(&self, s: &State, slot: Slot, out: &mut Out) -> Expanded<Effect> {
        let card = &s.combat.cards[slot as usize];
        if card.pile != Pile::Play {
            return Expanded::Nothing;
        }
        let charged = self.spend_rebound(s, out);
        let away = self.putting_away(s, (slot, card, self.catalog.brief(card)), charged);
        if !self.profile.card_end_queued {
            self.call_play(s, Moment::AfterCard, self.running(s, slot), NOBODY, 0, out);
        }
        if out.is_empty() && !matches!(away, Effect::PutShuffled { .. }) {
            return Expanded::To(away);
        }
        out.first(away);
        Expanded::Into
    }

    /// Where a card goes after it was played.
    #[inline]
    pub(super) fn putting_away(
        &self,
        s: &State,
        (slot, card, brief): (Slot, &Card, &Brief),
        charged: bool,
    ) -> Effect {
        let changed = charged || card.has(card_flag::EXHAUST | card_flag::COPY);
        let exhausts = brief.kind == CardType::Skill && self.flagged(s, Flag::SkillsExhaust);
        if brief.discarded() && !changed && !exhausts {
            debug_assert_eq!(
                self.putting_elsewhere(s, card, slot, false),
                Effect::Discard { slot, effect: false }
            );
            return Effect::Discard { slot, effect: false };
        }
        self.putting_elsewhere(s, card, slot, charged)
    }

    #[inline(never)]
    fn putting_elsewhere(&self, s: &State, card: &Card, slot: Slot, charged: bool) -> Effect {
        let info = &self.catalog.cards[card.id as usize];
        let form = &info.forms[card.form()];
        let clutter = matches!(info.kind, CardType::Curse | CardType::Status);
        let exhausts = card.has(card_flag::EXHAUST)
            || form.exhaust
            || info.kind == CardType::Skill && self.flagged(s, Flag::SkillsExhaust)
            || clutter && form.cost == COST_NONE;
        if card.has(card_flag::COPY) || info.kind == CardType::Power {
            return Effect::Put { slot, spot: Spot::Deck };
        }
        match info.after_play {
            _ if exhausts => Effect::Exhaust { slot, played: true },
            _ if charged => Effect::Put { slot, spot: Spot::DrawTop },
            // The original puts it anywhere in the pile instead of shuffling all of it.
            Some(Spot::DrawShuffled) if s.run.dice.is_some() => Effect::Put { slot, spot: Spot::DrawRandom },
            Some(Spot::DrawShuffled) => Effect::PutShuffled { slot },
            Some(spot) => Effect::Put { slot, spot },
            None => Effect::Discard { slot, effect: false },
        }
    }

    /// Rebound: every card uses a charge up, also one that goes elsewhere. The card that gave the charge does not:
    /// the mark lies in the second number. Tells whether the card goes on top of the draw pile.
    fn spend_rebound(&self, s: &State, out: &mut Out) -> bool {
        let player = s.combat.player();
        if player.flags >> Flag::NextToDrawTop as u32 & 1 == 0 {
            return false;
        }
        let charge = |held: &&Power| self.catalog.powers[held.id as usize].ears.has(Flag::NextToDrawTop);
        let Some(power) = player.powers.iter().find(charge) else { return false };
        if power.stored > 0 {
            out.first(Effect::Store { to: PLAYER, power: power.id, amount: 0 });
            return false;
        }
        out.first(Effect::Reduce { to: PLAYER, power: power.id, by: 1 });
        true
    }

    /// A card is discarded, unless it is elsewhere by now.
    #[inline]
    pub(crate) fn settle_discard(&self, s: &State, slot: Slot, effect: bool) -> Settling {
        match s.combat.cards.get(slot as usize) {
            Some(card) if matches!(card.pile, Pile::Hand | Pile::Play) => {
                Settled::Event(Event::Discarded { slot, effect })
            }
            _ => Settled::Stale,
        }
    }

    /// A card is exhausted, unless something saves a played one.
    pub(crate) fn settle_exhaust(&self, s: &State, slot: Slot, played: bool) -> Settling {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Settled::Stale };
        if matches!(card.pile, Pile::Exhaust | Pile::Gone) {
            return Settled::Stale;
        }
        if played
            && (s.combat.relic_stops | s.combat.player().stops) >> Prevent::ExhaustOnPlay as u32 & 1 != 0
        {
            let mut roller = Roller::new(s);
            for (source, stop, n) in self.stops(s, PLAYER, Prevent::ExhaustOnPlay) {
                let ctx = Ctx { owner: PLAYER, other: NOBODY, card: slot, n, event: 0, source };
                // An even chance is a coin.
                let saved = |roller: &mut Roller<'_>| match stop.chance {
                    50 => roller.coin(Die::CardRandom),
                    chance => roller.percent(Die::CardRandom) < chance,
                };
                if self.holds(stop.when, &Env::new(s, ctx)) && saved(&mut roller) {
                    let rolls = roller.drawn();
                    return Settled::Event(Event::Moved { slot, spot: Spot::Discard, place: 0, rolls });
                }
            }
            let rolls = roller.drawn();
            return Settled::Event(Event::Exhausted { slot, rolls });
        }
        Settled::Event(Event::Exhausted { slot, rolls: Rolls::NONE })
    }

    /// The potency of a potion.
    pub fn potency(&self, s: &State, potion: u16) -> i16 {
        let base = self.catalog.potions[potion as usize].potency;
        self.altered_number(s, Stage::Potency, PLAYER, base, POTENCY).0 as i16
    }
}
