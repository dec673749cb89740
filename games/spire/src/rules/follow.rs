//! What follows from a fact by itself.

use crate::catalog::words::Moment;
use crate::effect::{ANY_PLAY, ANY_RESOLVE, Effect, Phase};
use crate::event::Event;
use crate::game::{Out, Spire};
use crate::state::{NO_CARD, NOBODY, PLAYER, Slot, State};

impl Spire {
    pub(crate) fn follow_now(&self, s: &State, event: &Event, out: &mut Out) {
        match *event {
            Event::Hit { .. } => self.follow_hit(s, event, out),
            Event::HpSet { to, hp: 0 } => {
                out.first(Effect::Death { who: to, by: PLAYER, card: NO_CARD, on_kill: 0, any: false });
            }
            Event::MaxHpChanged { amount } if amount > 0 => {
                out.first(Effect::Heal { to: PLAYER, amount });
            }
            Event::Played { slot, target, x, way, .. } => self.follow_played(s, slot, target, x, way, out),
            Event::Ran { slot, target, x } => self.follow_ran(s, slot, target, x, out),
            Event::Selected(ref selected) => self.follow_selected(s, selected, out),
            Event::Offered(ref offered) => {
                self.follow_offered(s, offered.program, offered.pc, offered.ctx, out);
            }
            Event::Found { .. } => {
                out.first(Effect::Obtain { slot: (s.combat.cards.len() - 1) as Slot });
            }
            Event::Evoked { silent, .. } => self.follow_evoked(s, silent, out),
            Event::PassiveFired { index } => self.follow_passive(s, index, out),
            Event::StanceChanged { from, to } if self.profile.stance_steps_first => {
                self.follow_stance(s, from, to, out);
            }
            Event::HandKept { .. } => self.follow_hand_kept(s, out),
            Event::Acted { who, .. } => self.follow_acted(s, who, out),
            Event::Spawned { kind, .. } => self.follow_spawned(s, kind, out),
            Event::Died { .. } => {
                self.follow_died(s, event, out);
                self.decide(s, out);
            }
            Event::Escaped { .. } => self.decide(s, out),
            Event::TurnEnding { .. } => self.follow_turn_ending(s, out),
            // Who waits already is followed by this one.
            Event::Taken { .. } if s.combat.taken.len() == 1 => {
                out.agenda(Effect::PlayTaken);
            }
            Event::Conjured { card, up, spot, cost, combat_cost, .. } => {
                out.last(Effect::Create { card, up, spot, cost, combat_cost, kept: 0 });
            }
            Event::Aimed { target, exhaust, late: false, .. } => {
                out.first(Effect::TakeTop { target, exhaust });
            }
            Event::Aimed { target, exhaust, late: true, .. } => {
                out.last(Effect::TakeTop { target, exhaust });
            }
            Event::EndMarked { .. } => {
                out.withdraw(ANY_PLAY);
                out.withdraw(Effect::PlayTaken);
                out.withdraw(ANY_RESOLVE);
                self.put_taken_away(s, out);
            }
            Event::TurnStarted { .. } => self.follow_turn_started(s, out),
            Event::Drew { .. } => self.follow_drew(s, event, out),
            Event::PotionUsed { target, .. } => self.follow_potion(s, target, out),
            Event::Began => {
                out.agenda(Effect::Phase(Phase::Prepare));
            }
            Event::Lost | Event::Fled => out.withdraw_all(),
            Event::Run(ref event) => self.follow_run(s, event, out),
            // Nothing follows by itself.
            Event::Moment { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Applied { .. }
            | Event::Reduced { .. }
            | Event::StanceChanged { .. }
            | Event::Shuffled { .. }
            | Event::Discarded { .. }
            | Event::Exhausted { .. }
            | Event::Kept { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | Event::Channeled { .. }
            | Event::HalfDied { .. }
            | Event::Obtained { .. }
            | Event::HpSet { .. }
            | Event::MaxHpChanged { .. }
            | Event::BlockCleared { .. }
            | Event::Cleansed { .. }
            | Event::Stored { .. }
            | Event::OrbStored { .. }
            | Event::Counted { .. }
            | Event::EnergyChanged { .. }
            | Event::DrawShuffled { .. }
            | Event::OfferClosed
            | Event::Moved { .. }
            | Event::Upgraded { .. }
            | Event::DeckUpgraded { .. }
            | Event::Priced { .. }
            | Event::Grew { .. }
            | Event::Retained { .. }
            | Event::Taken { .. }
            | Event::SlotsChanged { .. }
            | Event::GoldChanged { .. }
            | Event::PotionGained { .. }
            | Event::PotionTossed { .. }
            | Event::Intended { .. }
            | Event::Spoke { .. }
            | Event::Stripped { .. }
            | Event::Revived { .. }
            | Event::VarSet { .. }
            | Event::Stole { .. }
            | Event::CardTaken { .. }
            | Event::CardReturned { .. }
            | Event::Faced { .. }
            | Event::Forgot { .. }
            | Event::Spared { .. }
            | Event::WornOff { .. }
            | Event::Decayed { .. }
            | Event::RoundBlock { .. }
            | Event::EnemyStarted { .. }
            | Event::MonstersStarted { .. }
            | Event::TurnCardsReset
            | Event::TurnMarked
            | Event::TurnHurt
            | Event::Left
            | Event::AttackCountReset
            | Event::Won
            | Event::LimboReturned { .. } => {}
        }
    }

    /// A turn ends when nothing waits, so that the first phase of its end need not wait for that.
    #[inline]
    pub(crate) fn follow_turn_ending(&self, s: &State, out: &mut Out) {
        if self.profile.phases_drained {
            out.agenda(Effect::Phase(Phase::EndRelics));
        } else {
            self.expand_phase(s, Phase::EndRelics, out);
        }
    }

    /// Energy was refilled.
    #[inline]
    pub(crate) fn follow_turn_started(&self, s: &State, out: &mut Out) {
        if !self.profile.phases_drained {
            self.moment_if(s, Moment::EnergyRefilled, PLAYER, NOBODY, NO_CARD, 0, out);
        }
    }

    /// What could not be drawn is drawn after a shuffle.
    #[inline(always)]
    pub(crate) fn follow_drew(&self, s: &State, event: &Event, out: &mut Out) {
        if let Event::Drew { left, .. } = *event {
            self.draw_the_rest(s, left, out);
        }
    }

    /// So many are still to be drawn.
    #[inline(always)]
    pub(crate) fn draw_the_rest(&self, s: &State, left: u8, out: &mut Out) {
        if left == 0 {
            return;
        }
        // The original shuffles even if there is nothing to shuffle.
        if s.run.dice.is_some() {
            out.first(Effect::Shuffle);
        }
        out.first(Effect::DrawMore { amount: i16::from(left) });
    }
}
