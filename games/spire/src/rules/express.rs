//! The short way of the frequent effects ([`turnstone::Game::express`]).
//!
//! The rules are the same functions as on the long way. They stand here once per kind of effect, so that the
//! compiler knows the event that comes and lays its writing and what follows from it behind one jump.

use crate::catalog::words::{Flag, Moment, Prevent};
use crate::effect::{Effect, Event};
use crate::game::{Out, Spire};
use crate::state::{Life, PLAYER, Pile, Slot, Stage, State};
use turnstone::{PenOf, Settled, Written};

/// Writes the event of a settled effect and proposes what follows; anything else goes the long way.
macro_rules! happen {
    ($spire:expr, $s:expr, $out:expr, $settled:expr) => {{
        let Settled::Event(event) = $settled else { return None };
        happen!($spire, $s, $out; event)
    }};
    // The same for an effect with a number that may have reasons.
    ($spire:expr, $s:expr, $out:expr, $settled:expr, $effect:expr) => {{
        let Settled::Event(event) = $settled else { return None };
        if $out.notes().are_wanted() {
            $spire.reasons(&$s, $effect, &event, $out.notes());
        }
        happen!($spire, $s, $out; event)
    }};
    ($spire:expr, $s:expr, $out:expr; $event:expr) => {{
        let event = $event;
        let (after, written) = $s.write(event, |state, event| $spire.write(state, event));
        $spire.follow_now(after, written.event(), $out);
        Some(written)
    }};
}

impl Spire {
    /// The whole way of a frequent effect that nobody stops.
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
        match *effect {
            Effect::Attack { by, to, amount, base, card, strength, on_kill, flags } => {
                let settled = self.settle_attack(&s, by, to, amount, base, card, strength, on_kill, flags);
                happen!(self, s, out, settled, effect)
            }
            Effect::Damage { by, to, amount, kind, orb } => {
                happen!(self, s, out, self.settle_damage(&s, by, to, amount, kind, orb), effect)
            }
            Effect::Block { to, amount, card, .. } => {
                happen!(self, s, out, self.settle_block(&s, to, amount, card), effect)
            }
            Effect::Play { slot, target, x, way, exhaust } => {
                happen!(self, s, out, self.settle_play(&s, slot, target, x, way, exhaust))
            }
            Effect::Clean { slot } => match self.simply_put_away(&s, slot)? {
                Effect::Discard { slot, effect } => {
                    happen!(self, s, out, Settled::<_, ()>::Event(Event::Discarded { slot, effect }))
                }
                Effect::Exhaust { slot, played } => {
                    happen!(self, s, out, self.settle_exhaust(&s, slot, played))
                }
                _ => None,
            },
            Effect::Moment { moment, owner, other, card, number } => {
                let event = Event::Moment { moment, owner, other, card, number };
                happen!(self, s, out, Settled::<_, ()>::Event(event))
            }
            Effect::Apply { by, to, power, amount, stored } if !self.power_stopped(&s, to) => {
                happen!(self, s, out, self.settle_apply(&s, by, to, power, amount, stored))
            }
            Effect::Reduce { to, power, by } => happen!(self, s, out, self.settle_reduce(&s, to, power, by)),
            Effect::Decay { when, player, monsters } => {
                happen!(self, s, out, Settled::<_, ()>::Event(Event::Decayed { when, player, monsters }))
            }
            Effect::Death { who, by, card, on_kill, any } if !self.death_stopped(&s, who) => {
                happen!(self, s, out, self.settle_death(&s, who, by, card, on_kill, any))
            }
            Effect::Create { card, up, spot, cost, combat_cost, kept } => {
                let (spot, place, rolls) = self.made_at(&s, spot);
                let up = self.created_up(&s, card, up);
                let event = Event::Created { card, up, spot, cost, combat_cost, kept, place, rolls };
                happen!(self, s, out, Settled::<_, ()>::Event(event))
            }
            Effect::Counter { relic, amount } if (relic as usize) < s.run.relics.len() => {
                happen!(self, s, out, Settled::<_, ()>::Event(Event::Counted { relic, amount }))
            }
            Effect::CloseTurn if s.combat.stage == Stage::Player => {
                let skip = s.combat.skip_enemies;
                happen!(self, s, out, Settled::<_, ()>::Event(Event::TurnEnding { skip }))
            }
            Effect::KeepHand => happen!(self, s, out, self.settle_hand_kept(&s)),
            Effect::Act { who } => {
                if !s.combat.body(who).is_some_and(|body| matches!(body.life, Life::Alive | Life::HalfDead)) {
                    return None;
                }
                happen!(self, s, out, Settled::<_, ()>::Event(Event::Acted { who }))
            }
            Effect::Choose { who } => happen!(self, s, out, self.settle_choose(&s, who)),
            Effect::TurnStarted => happen!(self, s, out, self.settle_turn_started(&s)),
            Effect::Draw { amount } if !self.draw_waits(&s) => {
                happen!(self, s, out, self.settle_draw(&s, amount, false))
            }
            Effect::DrawMore { amount } if !self.draw_waits(&s) => {
                happen!(self, s, out, self.settle_draw(&s, amount, true))
            }
            Effect::Shuffle => happen!(self, s, out, self.settle_shuffle(&s, true)),
            _ => None,
        }
    }

    /// How a played card is put away, if nobody has a say in it.
    #[inline(always)]
    fn simply_put_away(&self, s: &State, slot: Slot) -> Option<Effect> {
        let card = &s.combat.cards[slot as usize];
        let charged = s.combat.player().flags >> Flag::NextToDrawTop as u32 & 1 != 0;
        let waited_for = s.combat.moments >> Moment::AfterCard as u32 & 1 != 0;
        let simple = card.pile == Pile::Play && !charged && !waited_for;
        simple.then(|| self.putting_away(s, card, slot, false))
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
