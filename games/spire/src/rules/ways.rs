//! How the numbers that are shown come about, asked before anything happens: what a card costs, what an enemy's blow
//! would do.

use turnstone::Notes;

use super::numbers::{About, floor};
use super::reasons::{Chain, Reason};
use crate::catalog::compile::Op;
use crate::catalog::words::Stage;
use crate::eval::Env;
use crate::game::Spire;
use crate::state::{NO_CARD, NO_COST, PLAYER, Slot, State};

impl Spire {
    /// Notes in words, a line each.
    pub(crate) fn tell_reasons(&self, s: &State, notes: &Notes<Reason>) -> Vec<String> {
        notes.list().iter().map(|note| self.tell_reason(s, note)).collect()
    }

    /// Who made the cost of a card another than what is printed on it.
    pub(crate) fn cost_reasons(&self, s: &State, slot: Slot) -> Vec<String> {
        let mut notes = Notes::wanted();
        self.reasons_of_cost(s, slot, self.cost_now(s, &s.combat.cards[slot as usize], slot), &mut notes);
        self.tell_reasons(s, &notes)
    }

    /// Notes how a card came to cost so much. What costs as much as is printed on it needs no reason, and what has no
    /// number none either.
    pub(crate) fn reasons_of_cost(&self, s: &State, slot: Slot, cost: i8, notes: &mut Notes<Reason>) {
        let card = &s.combat.cards[slot as usize];
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        if form.cost < 0 || cost < 0 || form.cost == cost {
            return;
        }
        let mut chain = Chain::new(Reason::Base { by: PLAYER, card: slot }, form.cost.into(), notes);
        chain.to(Reason::Fight, self.combat_cost(card).into());
        let drift = if form.cost_change.is_some() { self.cost_drift(s, slot) - card.cost_from } else { 0 };
        let turn = self.cost_this_turn(s, card, slot);
        if turn > 0 {
            let set = if card.turn_cost == NO_COST { self.combat_cost(card) } else { card.turn_cost };
            chain.to(Reason::Turn, set.into());
            chain.to(Reason::Own, set.saturating_add(drift).max(0).into());
        }
        chain.to(Reason::Turn, turn.into());
        if turn > 0 {
            let about = About { card: Some(slot), ..About::default() };
            self.alter_steps(s, Stage::CardCost, PLAYER, turn.into(), about, |acting, _, number| {
                chain.to(Reason::of(acting), number);
            });
        }
        chain.to(Reason::Limit, chain.number.clamp(0, 99));
        chain.to(Reason::Own, cost.into());
    }

    /// Who made the blows of an enemy's intent what they are.
    pub(crate) fn intent_reasons(&self, s: &State, who: u8) -> Vec<String> {
        let Some(made) = s.combat.living(who).and_then(|body| self.move_of(body.kind, body.intent)) else {
            return Vec::new();
        };
        let env = Env::new(s, self.monster_ctx(who));
        let mut notes = Notes::wanted();
        for op in self.catalog.program(made.program) {
            let Op::Attack { amount, .. } = op else { continue };
            let base = self.num(*amount, &env);
            let mut chain = Chain::new(Reason::Base { by: who, card: NO_CARD }, base, &mut notes);
            let number = self.attack_steps(s, who, PLAYER, base, NO_CARD, 1, |acting, number| {
                chain.to(Reason::of(acting), floor(number));
            });
            chain.to(Reason::Limit, chain.number.max(0));
            chain.to(Reason::Behind, number);
        }
        self.tell_reasons(s, &notes)
    }
}
