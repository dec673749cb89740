//! The short way of the frequent effects: settled, written and followed in one place, while the numbers are at hand.
//!
//! Each arm names the writer and the consequences of its fact, the same that the long way finds by the fact's kind;
//! debug builds compare the two.

use super::hits::{Arrival, BlockGain, is_found_out};
use super::play::{Playing, Running};
use crate::catalog::words::{DamageKind, Flag, Moment, Prevent};
use crate::dice::Rolls;
use crate::effect::{Effect, Way};
use crate::event::Event;
use crate::game::{Out, Spire};
use crate::state::{Card, Life, NO_CARD, NOBODY, PLAYER, Pile, Slot, Stage, State};
use turnstone::{PenOf, Settled, Written};

/// What was settled, if it is a fact; whatever else it is takes the long way.
macro_rules! fact {
    ($settled:expr) => {{
        let Settled::Event(event) = $settled else { return None };
        event
    }};
}

/// Writes a fact and says what follows from it.
#[inline(always)]
fn happen(
    s: PenOf<'_, Spire>,
    event: Event,
    write: impl FnOnce(&mut State, &Event),
    follow: impl FnOnce(&State, &Event),
) -> Option<Written<Event>> {
    let (after, written) = s.write(event, write);
    follow(after, written.event());
    Some(written)
}

/// Nothing follows.
#[inline(always)]
fn nothing(_: &State) {}

/// The same for a fact whose parts are at hand: it is made last, where it stays.
#[inline(always)]
fn happen_first(
    s: PenOf<'_, Spire>,
    write: impl FnOnce(&mut State),
    follow: impl FnOnce(&State),
    event: impl FnOnce() -> Event,
) -> Option<Written<Event>> {
    Some(s.write_first(write, follow, event))
}

/// Energy is gained or lost, as far as there is some.
fn express_energy(s: PenOf<'_, Spire>, amount: i16) -> Option<Written<Event>> {
    let amount = amount.max(-s.combat.energy);
    happen_first(
        s,
        |s| s.combat.energy = (s.combat.energy + amount).max(0),
        nothing,
        || Event::EnergyChanged { amount },
    )
}

impl Spire {
    /// The whole way of a frequent effect that nobody stops: no more than the jump to the function of its kind, none of
    /// which pays for another.
    #[inline(always)]
    pub(crate) fn express_now(
        &self,
        s: PenOf<'_, Spire>,
        effect: &Effect,
        out: &mut Out,
    ) -> Option<Written<Event>> {
        if matches!(s.combat.stage, Stage::Lost | Stage::None) {
            return None;
        }
        match effect {
            Effect::Attack { .. } => self.express_attack(s, effect, out),
            Effect::Block { .. } => self.express_block(s, effect, out),
            Effect::Play { .. } => self.express_play(s, effect, out),
            Effect::Clean { slot } => self.express_clean(s, *slot, out),
            Effect::Moment { .. } => self.express_moment(s, effect),
            Effect::CloseTurn => self.express_close_turn(s, out),
            Effect::KeepHand => self.express_keep_hand(s, out),
            Effect::Act { who } => self.express_act(s, *who, out),
            Effect::Choose { who } => self.express_choose(s, *who),
            Effect::TurnStarted => self.express_turn_started(s, out),
            Effect::Draw { amount } => self.express_draw(s, *amount, out),
            Effect::Damage { .. } => self.express_damage(s, effect, out),
            Effect::Apply { .. } => self.express_apply(s, effect, out),
            Effect::Decay { when, player, monsters } => self.express_decay(s, *when, *player, *monsters),
            Effect::Step { .. } => self.express_step(s, effect, out),
            // What always stands for others has no short way.
            Effect::Phase(_)
            | Effect::QueueDraw { .. }
            | Effect::QueuePassives { .. }
            | Effect::QueueClean { .. }
            | Effect::QueueDecay { .. }
            | Effect::QueueRun { .. } => None,
            _ => self.express_more(s, effect, out),
        }
    }

    /// A step that stands for one effect goes the way of that.
    #[inline(never)]
    fn express_step(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let Effect::Step { program, pc, ctx } = effect else { return None };
        match self.stands_for(&s, self.catalog.step(*program, *pc)?, ctx)? {
            effect @ Effect::Damage { .. } => self.express_damage(s, &effect, out),
            effect @ Effect::Apply { .. } => self.express_apply(s, &effect, out),
            effect @ Effect::Block { .. } => self.express_block(s, &effect, out),
            _ => None,
        }
    }

    /// A hit at somebody who is known.
    #[inline(never)]
    fn express_attack(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let Effect::Attack { by, to, amount, base, card, strength, on_kill, flags } = *effect else {
            return None;
        };
        if is_found_out(to) {
            return None;
        }
        let hit = self.struck(&s, by, to, amount, card, strength, flags)?;
        self.note_hit(&s, effect, (by, to), (DamageKind::Normal, base), &hit, out);
        let Arrival { amount, blocked, lost, spent, .. } = hit;
        let (kind, rolls) = (DamageKind::Normal, Rolls::NONE);
        happen_first(
            s,
            |s| self.write_blow(s, (by, to), kind, hit, flags),
            |s| self.follow_blow(s, (by, to), (card, on_kill), lost, flags, out),
            || Event::Hit { by, to, kind, base, amount, blocked, lost, card, on_kill, flags, spent, rolls },
        )
    }

    /// Damage to somebody who is known.
    #[inline(never)]
    fn express_damage(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let Effect::Damage { by, to, amount: base, kind, orb } = *effect else { return None };
        if is_found_out(to) {
            return None;
        }
        let hit = self.harmed(&s, by, to, base, kind, orb)?;
        self.note_hit(&s, effect, (by, to), (kind, base), &hit, out);
        let Arrival { amount, blocked, lost, spent, .. } = hit;
        let (card, on_kill, flags, rolls) = (NO_CARD, 0, 0, Rolls::NONE);
        happen_first(
            s,
            |s| self.write_blow(s, (by, to), kind, hit, flags),
            |s| self.follow_blow(s, (by, to), (card, on_kill), lost, flags, out),
            || Event::Hit { by, to, kind, base, amount, blocked, lost, card, on_kill, flags, spent, rolls },
        )
    }

    /// Block for somebody who is known.
    #[inline(never)]
    fn express_block(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let Effect::Block { to, amount, base, card } = *effect else { return None };
        let gained = self.guarded(&s, to, amount, card)?;
        let block = BlockGain { to, amount, base, card, gained };
        if out.notes().are_wanted() && !self.block_is_plain(&s, &block) {
            self.reasons_of_block(&s, &block, out.notes());
        }
        happen_first(
            s,
            |s| s.combat.bodies[to as usize].block += gained,
            nothing,
            || Event::Blocked { to, amount: gained },
        )
    }

    /// A card from the hand at somebody who is known, or at nobody.
    #[inline(never)]
    fn express_play(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let Effect::Play { slot, target, x: i16::MIN, way: Way::Hand, exhaust: false } = *effect else {
            return self.express_play_otherwise(s, effect, out);
        };
        let (way, exhaust) = (Way::Hand, false);
        let card = s.combat.cards.get(slot as usize)?;
        let brief = self.catalog.brief(card);
        if target == NOBODY && brief.aims() {
            return None;
        }
        let (cost, x) = match brief.plain() {
            true => self.price_of_plain(&s, card, slot),
            false => self.price_now(&s, slot, target)?,
        };
        let (kind, running) = (brief.kind, Running::new(slot, card, brief));
        if cost != brief.cost && out.notes().are_wanted() {
            self.reasons_of_cost(&s, slot, cost, out.notes());
        }
        happen_first(
            s,
            |s| self.apply_played(s, (slot, kind), cost, way, exhaust),
            |s| self.follow_play(s, running, target, x, way, out),
            || Event::Played { slot, target, cost, x, way, exhaust, rolls: Rolls::NONE },
        )
    }

    /// What a card costs whose cost depends on nothing but what it is, and its X, which it does not have.
    #[inline]
    fn price_of_plain(&self, s: &State, card: &Card, slot: Slot) -> (i8, i16) {
        let cost = self.cost_now(s, card, slot);
        debug_assert_eq!(self.price_now(s, slot, PLAYER), Some((cost, cost.max(0).into())));
        (cost, cost.max(0).into())
    }

    /// What a card that is played from the hand costs, and its X.
    #[inline(never)]
    fn price_now(&self, s: &State, slot: Slot, target: u8) -> Option<(i8, i16)> {
        let Playing { cost, x, .. } = self.playing(s, slot, target, i16::MIN, Way::Hand, false).ok()?;
        Some((cost, x))
    }

    #[inline(never)]
    fn express_play_otherwise(
        &self,
        s: PenOf<'_, Spire>,
        effect: &Effect,
        out: &mut Out,
    ) -> Option<Written<Event>> {
        let Effect::Play { slot, target, x, way, exhaust } = *effect else { return None };
        let event = fact!(self.settle_play(&s, slot, target, x, way, exhaust));
        self.happen_as_ever(s, event, out)
    }

    #[inline(never)]
    fn express_clean(&self, s: PenOf<'_, Spire>, slot: Slot, out: &mut Out) -> Option<Written<Event>> {
        match self.simply_put_away(&s, slot)? {
            Effect::Discard { slot, effect } => happen_first(
                s,
                |s| self.write_discarded(s, slot, effect),
                nothing,
                || Event::Discarded { slot, effect },
            ),
            Effect::Exhaust { slot, played } => {
                let event = fact!(self.settle_exhaust(&s, slot, played));
                self.happen_as_ever(s, event, out)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn express_moment(&self, s: PenOf<'_, Spire>, effect: &Effect) -> Option<Written<Event>> {
        let Effect::Moment { moment, owner, other, card, number } = *effect else { return None };
        happen_first(
            s,
            |s| self.write_moment(s, moment, owner),
            nothing,
            || Event::Moment { moment, owner, other, card, number },
        )
    }

    #[inline(never)]
    fn express_close_turn(&self, s: PenOf<'_, Spire>, out: &mut Out) -> Option<Written<Event>> {
        if s.combat.stage != Stage::Player {
            return None;
        }
        let skip = s.combat.skip_enemies;
        happen_first(
            s,
            |s| self.write_turn_ending(s, skip),
            |s| self.follow_turn_ending(s, out),
            || Event::TurnEnding { skip },
        )
    }

    #[inline(never)]
    fn express_keep_hand(&self, s: PenOf<'_, Spire>, out: &mut Out) -> Option<Written<Event>> {
        let discarded = self.discarded_hand(&s);
        happen_first(
            s,
            |s| self.apply_hand_kept(s, &discarded),
            |s| self.follow_hand_kept(s, out),
            || Event::HandKept { discarded },
        )
    }

    #[inline(never)]
    fn express_act(&self, s: PenOf<'_, Spire>, who: u8, out: &mut Out) -> Option<Written<Event>> {
        let body = s.combat.body(who)?;
        if !matches!(body.life, Life::Alive | Life::HalfDead) {
            return None;
        }
        let (kind, mv) = (body.kind, body.intent);
        happen_first(
            s,
            |s| self.apply_acted(s, who, mv),
            |s| self.follow_acted(s, who, out),
            || Event::Acted { who, kind, mv },
        )
    }

    #[inline(never)]
    fn express_choose(&self, s: PenOf<'_, Spire>, who: u8) -> Option<Written<Event>> {
        let (mv, rolls) =
            self.chosen_move(&s, who).filter(|_| s.combat.bodies[who as usize].life != Life::Dead)?;
        let kind = s.combat.bodies[who as usize].kind;
        happen_first(
            s,
            |s| self.write_intent(s, who, mv, rolls),
            nothing,
            || Event::Intended { who, kind, mv, rolls },
        )
    }

    #[inline(never)]
    fn express_turn_started(&self, s: PenOf<'_, Spire>, out: &mut Out) -> Option<Written<Event>> {
        let (energy, block) = self.turn_begins_with(&s);
        if out.notes().are_wanted() && self.turn_begins_altered(&s) {
            self.reasons_of_energy(&s, energy, out.notes());
            self.reasons_of_block_left(&s, block, out.notes());
        }
        happen_first(
            s,
            |s| self.apply_turn_started(s, energy, block),
            |s| self.follow_turn_started(s, out),
            || Event::TurnStarted { energy, block },
        )
    }

    #[inline(never)]
    fn express_draw(&self, s: PenOf<'_, Spire>, amount: i16, out: &mut Out) -> Option<Written<Event>> {
        if self.draw_waits(&s) || self.flagged(&s, Flag::RandomCosts) {
            return None;
        }
        let (cards, left) = self.drawn(&s, amount)?;
        happen_first(
            s,
            |s| self.apply_drew(s, &cards, false, None),
            |s| self.draw_the_rest(s, left, out),
            || Event::Drew { cards, left, more: false, costs: None },
        )
    }

    #[inline(never)]
    fn express_apply(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let Effect::Apply { by, to, power, amount: base, stored } = *effect else { return None };
        if is_found_out(to) || self.power_stopped(&s, to) {
            return None;
        }
        let amount = self.given_to(&s, by, to, power, base)?;
        if amount != base && out.notes().are_wanted() {
            self.reasons_of_power(&s, (by, to), power, base, amount, out.notes());
        }
        happen_first(
            s,
            |s| self.apply_power(s, by, to, power, amount, stored),
            nothing,
            || Event::Applied { by, to, power, amount, stored, rolls: Rolls::NONE },
        )
    }

    #[inline(never)]
    fn express_decay(
        &self,
        s: PenOf<'_, Spire>,
        when: u8,
        player: bool,
        monsters: bool,
    ) -> Option<Written<Event>> {
        let worn = self.wearing_off(&s, when, player, monsters);
        let event = Event::WornOff { when, worn };
        happen(s, event, |s, event| self.write_worn_off(s, event), |_, _| {})
    }

    /// The short way of those that are less frequent: apart, so that the others have it shorter.
    #[inline(never)]
    fn express_more(&self, s: PenOf<'_, Spire>, effect: &Effect, out: &mut Out) -> Option<Written<Event>> {
        let event = match *effect {
            Effect::Heal { to, amount } => {
                let event = fact!(self.settle_heal(&s, to, amount));
                self.note(&s, effect, &event, out);
                event
            }
            Effect::Energy { amount } => return express_energy(s, amount),
            Effect::DrawMore { amount } if !self.draw_waits(&s) => fact!(self.settle_draw(&s, amount, true)),
            Effect::Shuffle => fact!(self.settle_shuffle(&s, true)),
            Effect::Reduce { to, power, by } => fact!(self.settle_reduce(&s, to, power, by)),
            Effect::Death { who, by, card, on_kill, any } if !self.death_stopped(&s, who) => {
                fact!(self.settle_death(&s, who, by, card, on_kill, any))
            }
            Effect::Create { card, up, spot, cost, combat_cost, kept } => {
                let (spot, place, rolls) = self.made_at(&s, spot);
                let up = self.created_up(&s, card, up);
                Event::Created { card, up, spot, cost, combat_cost, kept, place, rolls }
            }
            Effect::Counter { relic, amount } => fact!(self.settle_counter(&s, relic, amount)),
            Effect::Put { slot, spot } => fact!(self.settle_put(&s, slot, spot)),
            Effect::Exhaust { slot, played } => fact!(self.settle_exhaust(&s, slot, played)),
            Effect::Discard { slot, effect } => fact!(self.settle_discard(&s, slot, effect)),
            Effect::MonstersStarted => Event::MonstersStarted { left: self.blocks_left(&s) },
            Effect::Victory => Event::Won,
            _ => return None,
        };
        self.happen_as_ever(s, event, out)
    }

    /// Writes a fact and says what follows from it, whatever it is.
    #[inline(never)]
    fn happen_as_ever(&self, s: PenOf<'_, Spire>, event: Event, out: &mut Out) -> Option<Written<Event>> {
        happen(s, event, |s, event| self.write(s, event), |s, event| self.follow_now(s, event, out))
    }

    /// Notes the reasons of a hit, unless nothing happened to it.
    #[inline(always)]
    fn note_hit(
        &self,
        s: &State,
        effect: &Effect,
        (by, to): (u8, u8),
        (kind, base): (DamageKind, i16),
        hit: &Arrival,
        out: &mut Out,
    ) {
        if out.notes().are_wanted() && !self.hit_is_plain(s, (by, to), kind, base, hit) {
            self.reasons_of_hit(s, effect, (by, to), hit, out.notes());
        }
    }

    /// Notes the reasons of a number, if anybody will read them.
    #[inline(always)]
    fn note(&self, s: &State, effect: &Effect, event: &Event, out: &mut Out) {
        if out.notes().are_wanted() {
            self.reasons(s, effect, event, out.notes());
        }
    }

    /// How a played card is put away, if nobody has a say in it.
    #[inline(always)]
    fn simply_put_away(&self, s: &State, slot: Slot) -> Option<Effect> {
        let card = &s.combat.cards[slot as usize];
        let brief = self.catalog.brief(card);
        let charged = s.combat.player().flags >> Flag::NextToDrawTop as u32 & 1 != 0;
        let waited_for = self.play_heard(s, Moment::AfterCard, slot, brief.kind);
        let simple = card.pile == Pile::Play && !charged && !waited_for;
        simple.then(|| self.putting_away(s, (slot, card, brief), false))
    }

    /// Whether something may keep a power from that body; one that is still to be found may be anybody.
    fn power_stopped(&self, s: &State, to: u8) -> bool {
        let stops = s.combat.body(to).map_or(u32::MAX, |body| body.stops);
        let relics = if to == PLAYER { s.combat.relic_stops } else { 0 };
        (stops | relics) & (1 << Prevent::Debuff as u32 | 1 << Prevent::Power as u32) != 0
    }

    /// Whether something may keep that body from death; the player's potions may, too.
    fn death_stopped(&self, s: &State, who: u8) -> bool {
        let stops = s.combat.body(who).map_or(0, |body| body.stops);
        who == PLAYER || stops >> Prevent::Death as u32 & 1 != 0
    }

    /// Whether a draw has to wait for a shuffle, or may be stopped.
    fn draw_waits(&self, s: &State) -> bool {
        let stops = s.combat.player().stops | s.combat.relic_stops;
        s.combat.draw.is_empty() || stops >> Prevent::Draw as u32 & 1 != 0
    }
}
