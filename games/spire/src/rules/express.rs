//! The short way of the frequent effects ([`turnstone::Game::express`]).
//!
//! The rules are the same functions as on the long way. They stand here once per kind of effect, so that the
//! compiler knows the event that comes and lays its writing and what follows from it behind one jump.

use crate::catalog::words::{Flag, Moment, Prevent};
use crate::effect::{Effect, Event};
use crate::game::{Out, Spire};
use crate::state::{Life, Pile, Slot, Stage, State};
use turnstone::Settled;

/// Writes the event of a settled effect and proposes what follows; anything else goes the long way.
macro_rules! happen {
    ($spire:expr, $s:expr, $out:expr, $settled:expr) => {{
        let Settled::Event(event) = $settled else { return None };
        $spire.write($s, &event);
        $spire.follow_now($s, &event, $out);
        Some(event)
    }};
}

impl Spire {
    /// The whole way of a frequent effect that nobody stops.
    #[inline(always)]
    pub(crate) fn express_now(&self, s: &mut State, effect: &Effect, out: &mut Out) -> Option<Event> {
        if matches!(s.combat.stage, Stage::Lost | Stage::None) {
            return None;
        }
        match *effect {
            Effect::Attack { by, to, amount, base, card, strength, on_kill, flags } => {
                let settled = self.settle_attack(s, by, to, amount, base, card, strength, on_kill, flags);
                happen!(self, s, out, settled)
            }
            Effect::Block { to, amount, card } => {
                happen!(self, s, out, self.settle_block(s, to, amount, card))
            }
            Effect::Play { slot, target, x, way, exhaust } => {
                happen!(self, s, out, self.settle_play(s, slot, target, x, way, exhaust))
            }
            Effect::Clean { slot } => {
                if !self.simply_discarded(s, slot) {
                    return None;
                }
                happen!(self, s, out, Settled::<_, ()>::Event(Event::Discarded { slot, effect: false }))
            }
            Effect::Counter { relic, amount } if (relic as usize) < s.run.relics.len() => {
                happen!(self, s, out, Settled::<_, ()>::Event(Event::Counted { relic, amount }))
            }
            Effect::CloseTurn if s.combat.stage == Stage::Player => {
                let skip = s.combat.skip_enemies;
                happen!(self, s, out, Settled::<_, ()>::Event(Event::TurnEnding { skip }))
            }
            Effect::KeepHand => happen!(self, s, out, Settled::<_, ()>::Event(Event::HandKept)),
            Effect::Act { who } => {
                if !s.combat.body(who).is_some_and(|body| matches!(body.life, Life::Alive | Life::HalfDead)) {
                    return None;
                }
                happen!(self, s, out, Settled::<_, ()>::Event(Event::Acted { who }))
            }
            Effect::Choose { who } => happen!(self, s, out, self.settle_choose(s, who)),
            Effect::TurnStarted => happen!(self, s, out, self.settle_turn_started(s)),
            Effect::Draw { amount } if !self.draw_waits(s) => {
                happen!(self, s, out, self.settle_draw(s, amount, false))
            }
            _ => None,
        }
    }

    /// Whether a played card goes to the discard pile and nobody has a say in it.
    fn simply_discarded(&self, s: &State, slot: Slot) -> bool {
        let card = &s.combat.cards[slot as usize];
        let charged = s.combat.player().flags >> Flag::NextToDrawTop as u32 & 1 != 0;
        let waited_for = s.combat.moments >> Moment::AfterCard as u32 & 1 != 0;
        card.pile == Pile::Play
            && !charged
            && !waited_for
            && matches!(self.putting_away(s, card, slot, false), Effect::Discard { .. })
    }

    /// Whether a draw has to wait for a shuffle, or may be stopped.
    fn draw_waits(&self, s: &State) -> bool {
        let stops = s.combat.player().stops | s.combat.relic_stops;
        s.combat.draw.is_empty() || stops >> Prevent::Draw as u32 & 1 != 0
    }
}
