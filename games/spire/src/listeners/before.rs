//! Who may prevent an effect, and how.

use crate::catalog::words::Prevent;
use crate::effect::{Ctx, Effect, Hearer, Listener, Origin};
use crate::eval::Env;
use crate::game::{Heard, Out, Spire};
use crate::state::{NO_CARD, NOBODY, PLAYER, State};
use turnstone::Verdict;

impl Spire {
    /// Who may prevent an effect.
    pub(crate) fn hear_before(&self, s: &State, effect: &Effect, heard: &mut Heard) {
        let (owner, whats): (u8, &[Prevent]) = match *effect {
            Effect::Run(ref effect) => return self.hear_before_run(s, effect, heard),
            Effect::Apply { to, power, amount, .. } => {
                let Some(body) = s.combat.body(to) else { return };
                let mask = body.stops | if to == PLAYER { s.combat.relic_stops } else { 0 };
                if mask & (1 << Prevent::Debuff as u32 | 1 << Prevent::Power as u32) == 0 {
                    return;
                }
                let whats: &[Prevent] = if self.is_debuff(power, amount) {
                    &[Prevent::Power, Prevent::Debuff]
                } else {
                    &[Prevent::Power]
                };
                (to, whats)
            }
            Effect::Draw { .. } | Effect::DrawMore { .. } => (PLAYER, &[Prevent::Draw]),
            Effect::Stance { .. } => (PLAYER, &[Prevent::StanceChange]),
            Effect::Gold { amount } if amount > 0 => (PLAYER, &[Prevent::Gold]),
            Effect::Potion => (PLAYER, &[Prevent::Potion]),
            Effect::Death { who, .. } => (who, &[Prevent::Death]),
            Effect::Obtain { .. } => (PLAYER, &[Prevent::CardObtained]),
            _ => return,
        };
        let Some(body) = s.combat.body(owner) else { return };
        for &what in whats {
            let bit = 1u32 << what as u32;
            let relics = if owner == PLAYER { s.combat.relic_stops } else { 0 };
            if (body.stops | relics) & bit == 0 && !(owner == PLAYER && what == Prevent::Death) {
                continue;
            }
            for (source, stop, _) in self.stops(s, owner, what) {
                let Some(ears) = self.ears_of(s, owner, source, NO_CARD) else { continue };
                let index = ears.preventions.iter().position(|known| known.what == stop.what);
                let hook = index.unwrap_or(0) as u8;
                heard.push(0, Hearer::Fight(Listener { owner, hook, source, card: NO_CARD, moment: None }));
            }
        }
    }

    /// A listener prevents an effect, if its condition holds.
    pub fn prevent(&self, listener: Listener, s: &State, effect: &Effect, out: &mut Out) -> Verdict {
        let Some(ears) = self.ears_of(s, listener.owner, listener.source, NO_CARD) else {
            return Verdict::Pass;
        };
        let Some(stop) = ears.preventions.get(listener.hook as usize) else { return Verdict::Pass };
        let (other, card, number) = match *effect {
            Effect::Apply { by, power, amount, .. } => (by, Ctx::in_question(power), amount),
            Effect::Death { by, .. } => (by, NO_CARD, 0),
            Effect::Obtain { slot } => (NOBODY, slot, 0),
            _ => (NOBODY, NO_CARD, 0),
        };
        let n = match listener.source.origin() {
            Origin::Potion(id) => self.potency(s, id),
            _ => self.stacks_of(s, listener),
        };
        let ctx = Ctx { owner: listener.owner, other, card, n, event: number, source: listener.source };
        let env = Env::new(s, ctx);
        if !self.holds(stop.when, &env) {
            return Verdict::Pass;
        }
        self.spend(s, stop.spend.map(|spend| self.short(spend, &env)), listener, out);
        if let Effect::Death { who, by, card, on_kill, any } = *effect {
            out.first(Effect::Spared { who });
            self.propose(s, stop.program, ctx, turnstone::Lane::First, out);
            if any {
                self.follow_kill(s, who, by, card, on_kill, out);
            }
            return Verdict::Replaced;
        }
        // The original rolls for a potion that nobody may have.
        if matches!(effect, Effect::Potion) && s.run.dice.is_some() {
            out.first(Effect::LosePotion);
        }
        self.propose(s, stop.program, ctx, turnstone::Lane::First, out);
        Verdict::Replaced
    }

    fn spend(&self, s: &State, amount: Option<i16>, listener: Listener, out: &mut Out) {
        match listener.source.origin() {
            Origin::Potion(id) => {
                if let Some(index) = s.run.potions.iter().position(|&potion| potion == id) {
                    out.first(Effect::DropPotion { index: index as u8 });
                }
            }
            Origin::Power(power) => {
                if let Some(by) = amount {
                    out.first(Effect::Reduce { to: listener.owner, power, by });
                }
            }
            Origin::Relic(relic) => {
                if let (Some(by), Some(held)) = (amount, s.run.relics.get(relic as usize)) {
                    out.first(Effect::Counter { relic, amount: held.counter.saturating_sub(by) });
                }
            }
            _ => {}
        }
    }
}
