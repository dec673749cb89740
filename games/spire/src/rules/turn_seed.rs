//! The round of the recorded engine: every phase is drained before the next begins.

use super::turn::time;
use crate::catalog::words::Moment;
use crate::effect::{Effect, Phase};
use crate::game::{Out, Spire};
use crate::state::{Life, PLAYER, State};

impl Spire {
    /// Phases from one on, until one has work; gives the phase after that one.
    #[inline(never)]
    pub(crate) fn phases_seed(&self, s: &State, from: Phase, out: &mut Out) -> Option<Phase> {
        let mut phase = from;
        loop {
            if self.seed_idle(s, phase, out) {
                return Some(phase);
            }
            let next = self.phase_seed(s, phase, out);
            if !out.is_empty() {
                return next;
            }
            phase = next?;
        }
    }

    /// One phase; gives the phase after it.
    fn phase_seed(&self, s: &State, phase: Phase, out: &mut Out) -> Option<Phase> {
        match phase {
            Phase::Prepare => {
                for who in 1..s.combat.bodies.len() as u8 {
                    let kind = s.combat.bodies[who as usize].kind;
                    let start = self.catalog.monsters[kind as usize].start;
                    self.propose(s, start, self.monster_ctx(who), turnstone::Lane::Last, out);
                }
                self.call(s, Moment::CombatPrep, PLAYER, out);
                Some(Phase::Opening)
            }
            Phase::TurnStart if s.combat.player().hp <= 0 => None,
            Phase::Opening | Phase::TurnStart => {
                out.first(Effect::TurnStarted);
                if self.catalog.stances[s.combat.stance as usize].one_turn {
                    out.first(Effect::Stance { to: self.known.neutral });
                }
                if phase == Phase::Opening {
                    self.call(s, Moment::CombatStart, PLAYER, out);
                }
                Some(Phase::StartRelics)
            }
            Phase::StartRelics => {
                self.call(s, Moment::TurnStart, PLAYER, out);
                Some(Phase::StartPowers)
            }
            Phase::StartPowers => {
                self.call(s, Moment::EnergyRefilled, PLAYER, out);
                self.call(s, Moment::CombatStartPreDraw, PLAYER, out);
                if self.decays(s, time::TURN_START, true, false) {
                    out.first(Effect::Decay { when: time::TURN_START, player: true, monsters: false });
                }
                Some(Phase::StartOrbs)
            }
            Phase::StartOrbs => {
                out.first(Effect::TurnMarked);
                if !s.combat.orbs.is_empty() {
                    out.first(Effect::Passives { start: true });
                }
                Some(Phase::StartScry)
            }
            Phase::StartScry => {
                self.call(s, Moment::BeforeDraw, PLAYER, out);
                Some(Phase::StartDraw)
            }
            Phase::StartDraw => {
                out.first(Effect::Draw { amount: self.draw_count(s) });
                Some(Phase::StartTools)
            }
            Phase::StartTools => {
                self.call(s, Moment::TurnStartPostDraw, PLAYER, out);
                Some(Phase::StartFinish)
            }
            Phase::StartFinish => {
                if !s.combat.limbo.is_empty() {
                    out.first(Effect::ReturnLimbo);
                }
                for who in s.combat.enemies() {
                    out.last(Effect::Choose { who });
                }
                None
            }
            _ => self.phase_seed_end(s, phase, out),
        }
    }

    /// Whenever nothing waits on the player's turn, an empty hand may call for a card, between phases too.
    pub(crate) fn seed_idle(&self, s: &State, phase: Phase, out: &mut Out) -> bool {
        let players = !matches!(
            phase,
            Phase::Prepare
                | Phase::Opening
                | Phase::TurnStart
                | Phase::Enemy(..)
                | Phase::EnemyAct(_)
                | Phase::EnemyEnd(_)
                | Phase::Round
                | Phase::RoundEnd
        );
        if !players || !s.combat.hand.is_empty() || s.combat.moments >> Moment::QueueIdle as u32 & 1 == 0 {
            return false;
        }
        self.idle_draw(s, out);
        !out.is_empty()
    }

    fn phase_seed_end(&self, s: &State, phase: Phase, out: &mut Out) -> Option<Phase> {
        match phase {
            Phase::EndRelics => {
                if !s.combat.orbs.is_empty() {
                    out.first(Effect::Passives { start: false });
                }
                Some(Phase::EndCore)
            }
            Phase::EndCore => {
                self.call(s, Moment::TurnEndRelics, PLAYER, out);
                Some(Phase::EndPowers)
            }
            Phase::EndPowers => {
                self.call(s, Moment::TurnEnd, PLAYER, out);
                Some(Phase::EndCards)
            }
            Phase::EndCards => {
                self.seed_cards_in_hand(s, out);
                Some(Phase::EndWater)
            }
            Phase::EndWater => {
                out.first(Effect::TurnHurt);
                self.call(s, Moment::TurnEndPreCards, PLAYER, out);
                if self.decays(s, time::TURN_END, true, false) {
                    out.last(Effect::Decay { when: time::TURN_END, player: true, monsters: false });
                }
                Some(Phase::EndPlans)
            }
            Phase::EndPlans => {
                self.call(s, Moment::BeforeDiscard, PLAYER, out);
                Some(Phase::EndDiscard)
            }
            Phase::EndDiscard => {
                for &slot in &s.combat.hand {
                    out.last(if self.stays(s, slot) {
                        Effect::Keep { slot }
                    } else {
                        Effect::Discard { slot, effect: false }
                    });
                }
                Some(Phase::EndDone)
            }
            Phase::EndDone => {
                out.first(Effect::TurnCards);
                Some(if s.combat.skip_enemies { Phase::TurnStart } else { Phase::Enemy(1, 0) })
            }
            Phase::Enemy(who, _) => {
                if who == 1 && (s.combat.decided || s.combat.player().hp <= 0) {
                    return None;
                }
                let Some(body) = s.combat.body(who) else { return Some(Phase::RoundEnd) };
                if !matches!(body.life, Life::Alive | Life::HalfDead) {
                    return Some(Phase::Enemy(who + 1, 0));
                }
                self.call(s, Moment::TurnStart, who, out);
                Some(Phase::EnemyAct(who))
            }
            Phase::EnemyAct(who) => {
                let body = &s.combat.bodies[who as usize];
                if body.life == Life::Alive {
                    out.first(Effect::EnemyStarted { who });
                    if body.intent != u8::MAX {
                        out.first(Effect::Act { who });
                    }
                }
                Some(Phase::EnemyEnd(who))
            }
            Phase::EnemyEnd(who) => {
                if matches!(s.combat.bodies[who as usize].life, Life::Alive | Life::HalfDead) {
                    self.call(s, Moment::TurnEnd, who, out);
                }
                Some(Phase::Enemy(who + 1, 0))
            }
            _ => {
                out.first(Effect::RoundBlock);
                self.call(s, Moment::RoundEnd, PLAYER, out);
                if self.decays(s, time::ROUND_END, true, true) {
                    out.last(Effect::Decay { when: time::ROUND_END, player: true, monsters: true });
                }
                Some(Phase::TurnStart)
            }
        }
    }

    fn seed_cards_in_hand(&self, s: &State, out: &mut Out) {
        for &slot in &s.combat.hand {
            let card = &s.combat.cards[slot as usize];
            if self.catalog.cards[card.id as usize].forms[card.form()].ears.hears(Moment::TurnEndInHand) {
                let (owner, other, number) = (PLAYER, crate::state::NOBODY, 0);
                out.last(Effect::Moment { moment: Moment::TurnEndInHand, owner, other, card: slot, number });
            }
        }
    }
}
