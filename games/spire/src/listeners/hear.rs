//! Who hears of what, fact by fact.

use super::calling::Calling;
use super::sounds::silent;
use crate::catalog::compile::Program;
use crate::catalog::words::{DamageKind, Moment};
use crate::effect::{Hearer, Listener, Origin, Source};
use crate::event::Event;
use crate::game::{Heard, Spire};
use crate::state::{NO_CARD, NOBODY, PLAYER, Slot, State};

/// The place of stances among those who hear of their change.
const STANCES: i32 = 5500;
/// What a stance hears of its change: that it is left,
const LEAVES: u8 = 0;
/// or that it is entered.
const ENTERS: u8 = 1;

impl Spire {
    /// Who hears of an event after it happened.
    #[inline(never)]
    pub fn hear(&self, s: &State, event: &Event, heard: &mut Heard) {
        let combat = &s.combat;
        let any = |moment: Moment| combat.moments >> moment as u32 & 1 != 0;
        match *event {
            Event::Run(ref event) => self.hear_run(s, event, heard),
            Event::Moment { moment, owner, card, .. } => self.hear_moment(s, moment, owner, card, heard),
            Event::Hit { by, to, kind, lost, blocked, .. } => {
                self.hear_hit(s, by, to, kind, lost, blocked, heard);
            }
            Event::Blocked { to, .. } | Event::Guarded { to, .. } if any(Moment::BlockGained) => {
                self.listen(s, Moment::BlockGained, to, NO_CARD, heard);
            }
            Event::Healed { to: PLAYER, amount } => {
                let body = combat.player();
                if any(Moment::NotBloodied)
                    && body.hp * 2 > body.max_hp
                    && (body.hp - amount) * 2 <= body.max_hp
                {
                    self.listen(s, Moment::NotBloodied, PLAYER, NO_CARD, heard);
                }
            }
            Event::Applied { by, to, power, amount, .. } => {
                self.hear_applied(s, by, to, power, amount, heard);
            }
            Event::Reduced { to, power, gone: true, .. }
                if any(Moment::PowerRemoved) || self.removal_heard(power) =>
            {
                let ears = &self.catalog.powers[power as usize].ears;
                let call =
                    Calling::new(s, Moment::PowerRemoved, power).seen_by(&combat.bodies[to as usize], 0);
                self.list(ears, &call, to, Source::of(Origin::Power(power)), heard);
                self.listen_monster(s, Moment::PowerRemoved, to, power, heard);
            }
            Event::StanceChanged { from, to } => {
                if any(Moment::StanceChanged) {
                    self.listen_powers(s, Moment::StanceChanged, PLAYER, NO_CARD, heard);
                    self.listen_relics(s, Moment::StanceChanged, heard);
                }
                if !self.profile.stance_steps_first {
                    self.listen_stance(from, LEAVES, heard);
                    self.listen_stance(to, ENTERS, heard);
                }
                self.listen_pile(s, Moment::StanceChange, &combat.discard, heard);
            }
            Event::Channeled { .. } if any(Moment::OrbChanneled) => {
                self.listen(s, Moment::OrbChanneled, PLAYER, NO_CARD, heard);
            }
            Event::Evoked { .. } if any(Moment::OrbEvoked) => {
                self.listen(s, Moment::OrbEvoked, PLAYER, NO_CARD, heard);
            }
            Event::PotionUsed { .. } if any(Moment::PotionUsed) => {
                self.listen(s, Moment::PotionUsed, PLAYER, NO_CARD, heard);
            }
            Event::Spawned { .. } if any(Moment::MonsterSpawned) => {
                self.listen(s, Moment::MonsterSpawned, PLAYER, NO_CARD, heard);
            }
            Event::Died { who, .. } | Event::HalfDied { who } if who != PLAYER => {
                self.listen_powers(s, Moment::OwnerDied, who, NO_CARD, heard);
                if any(Moment::MonsterDied) {
                    self.listen(s, Moment::MonsterDied, PLAYER, NO_CARD, heard);
                }
            }
            Event::Reduced { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Channeled { .. }
            | Event::Evoked { .. }
            | Event::PotionUsed { .. }
            | Event::Spawned { .. }
            | Event::Died { .. }
            | Event::HalfDied { .. }
            | Event::Drew { .. }
            | Event::Discarded { .. }
            | Event::Exhausted { .. }
            | Event::Kept { .. }
            | Event::Shuffled { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | Event::Obtained { .. }
            | silent!() => self.hear_cards(s, event, heard),
        }
    }

    /// Who hears of cards.
    fn hear_cards(&self, s: &State, event: &Event, heard: &mut Heard) {
        let combat = &s.combat;
        let any = |moment: Moment| combat.moments >> moment as u32 & 1 != 0;
        match *event {
            Event::Drew { ref cards, .. } => {
                for &slot in cards.as_slice() {
                    if any(Moment::CardDrawn) {
                        self.listen(s, Moment::CardDrawn, PLAYER, slot, heard);
                    }
                    self.listen_card(s, Moment::Draw, slot, heard);
                }
            }
            Event::Discarded { slot, effect: true } => {
                if any(Moment::CardDiscarded) {
                    self.listen(s, Moment::CardDiscarded, PLAYER, slot, heard);
                }
                self.listen_card(s, Moment::Discard, slot, heard);
            }
            Event::Exhausted { slot, .. } => {
                if any(Moment::CardExhausted) {
                    self.listen(s, Moment::CardExhausted, PLAYER, slot, heard);
                }
                self.listen_card(s, Moment::Exhaust, slot, heard);
            }
            Event::Kept { slot } => {
                if any(Moment::CardRetained) {
                    self.listen(s, Moment::CardRetained, PLAYER, slot, heard);
                }
                self.listen_card(s, Moment::Retain, slot, heard);
            }
            Event::Shuffled { .. } if any(Moment::Shuffled) => {
                self.listen(s, Moment::Shuffled, PLAYER, NO_CARD, heard);
            }
            Event::Created { .. } | Event::Copied { .. } if any(Moment::CardCreated) => {
                self.listen(s, Moment::CardCreated, PLAYER, combat.cards.len() as Slot - 1, heard);
            }
            Event::Obtained { slot } => self.listen_relics_for(s, Moment::CardObtained, slot, heard),
            // Heard of above, or by nobody now.
            Event::Run(_)
            | Event::Moment { .. }
            | Event::Applied { .. }
            | Event::Reduced { .. }
            | Event::StanceChanged { .. }
            | Event::Hit { .. }
            | Event::Blocked { .. }
            | Event::Guarded { .. }
            | Event::Healed { .. }
            | Event::Channeled { .. }
            | Event::Evoked { .. }
            | Event::PotionUsed { .. }
            | Event::Spawned { .. }
            | Event::Died { .. }
            | Event::HalfDied { .. }
            | Event::Discarded { .. }
            | Event::Shuffled { .. }
            | Event::Created { .. }
            | Event::Copied { .. }
            | silent!() => {}
        }
    }

    /// In the original the stances themselves are heard behind powers and relics, and before the cards.
    fn listen_stance(&self, stance: u16, hook: u8, heard: &mut Heard) {
        if self.stance_program(stance, hook) == 0 {
            return;
        }
        let source = Source::of(Origin::Stance(stance));
        let moment = Some(Moment::StanceChanged);
        let listener = Listener { owner: PLAYER, hook, source, card: NO_CARD, moment };
        heard.push(STANCES, Hearer::Fight(listener));
    }

    /// What a stance does when it is left or entered.
    pub(super) fn stance_program(&self, stance: u16, hook: u8) -> Program {
        let stance = &self.catalog.stances[stance as usize];
        if hook == LEAVES { stance.on_exit } else { stance.on_enter }
    }

    fn removal_heard(&self, power: u16) -> bool {
        self.catalog.powers[power as usize].ears.hears(Moment::PowerRemoved)
    }

    #[inline(always)]
    fn hear_moment(&self, s: &State, moment: Moment, owner: u8, card: Slot, heard: &mut Heard) {
        match moment {
            Moment::CardUsed | Moment::AfterCard | Moment::BeforeCard | Moment::AfterOtherCard => {
                let call = Calling::new(s, moment, card).of_kind(self.kind_at(s, card));
                self.listen_powers_for(s, call, PLAYER, heard);
                self.listen_relics_of(s, call, heard);
                for who in s.combat.enemies() {
                    self.listen_powers_for(s, call, who, heard);
                }
            }
            Moment::OtherCardPlayed => self.listen_pile(s, moment, &s.combat.hand, heard),
            Moment::TurnEndInHand => self.listen_card(s, moment, card, heard),
            Moment::Scried => {
                self.listen(s, moment, PLAYER, card, heard);
                self.listen_pile(s, Moment::Scry, &s.combat.discard, heard);
            }
            Moment::RoundEnd => self.listen_all(s, moment, card, heard),
            Moment::TurnStartPostDraw
                if s.combat.counts.turn == 1 && !self.profile.first_draw_heard_by_all =>
            {
                self.listen_relics(s, moment, heard);
            }
            _ if owner == NOBODY => {
                for who in s.combat.enemies() {
                    self.listen_powers(s, moment, who, card, heard);
                }
            }
            _ => self.listen(s, moment, owner, card, heard),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn hear_hit(
        &self,
        s: &State,
        by: u8,
        to: u8,
        kind: DamageKind,
        lost: i16,
        blocked: i16,
        heard: &mut Heard,
    ) {
        if kind != DamageKind::HpLoss {
            if by != NOBODY && by != to && kind == DamageKind::Normal {
                self.listen(s, Moment::Attacking, by, NO_CARD, heard);
            }
            self.listen(s, Moment::Attacked, to, NO_CARD, heard);
        }
        if blocked > 0 && to != PLAYER && s.combat.bodies[to as usize].block == 0 {
            self.listen(s, Moment::BlockBroken, PLAYER, NO_CARD, heard);
        }
        if lost <= 0 {
            return;
        }
        self.listen_powers(s, Moment::HpLost, to, NO_CARD, heard);
        if to == PLAYER {
            self.listen_relics(s, Moment::HpLost, heard);
        }
        if by != NOBODY && kind != DamageKind::Thorns && by != to {
            self.listen(s, Moment::Inflicted, by, NO_CARD, heard);
        }
        let body = &s.combat.bodies[to as usize];
        if to == PLAYER && body.hp * 2 <= body.max_hp && (body.hp + lost) * 2 > body.max_hp {
            self.listen(s, Moment::Bloodied, PLAYER, NO_CARD, heard);
        }
    }

    fn hear_applied(&self, s: &State, by: u8, to: u8, power: u16, amount: i16, heard: &mut Heard) {
        let ears = &self.catalog.powers[power as usize].ears;
        if ears.hears(Moment::PowerGained) {
            let call = Calling::new(s, Moment::PowerGained, power).seen_by(&s.combat.bodies[to as usize], 0);
            self.list(ears, &call, to, Source::of(Origin::Power(power)), heard);
        }
        if s.combat.moments >> Moment::PowerGained as u32 & 1 != 0 {
            self.listen_monster(s, Moment::PowerGained, to, power, heard);
        }
        if by == PLAYER
            && to != PLAYER
            && s.combat.moments >> Moment::DebuffGiven as u32 & 1 != 0
            && self.is_debuff(power, amount)
        {
            self.listen(s, Moment::DebuffGiven, PLAYER, power, heard);
        }
    }
}
