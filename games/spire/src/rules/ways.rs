//! How the numbers that are shown come about, asked before anything happens: what a card costs and does, what an enemy's
//! blow would do, what orbs and potions are worth.

use turnstone::Notes;

use super::numbers::About;
use super::play::POTENCY;
use super::reasons::{COST_OF, Chain};
use crate::catalog::compile::Op;
use crate::catalog::words::Stage;
use crate::eval::Env;
use crate::faces::{Counted, FaceNumber};
use crate::game::Spire;
use crate::reason::Reason;
use crate::state::{NO_CARD, NO_COST, NOBODY, PLAYER, Slot, State};

/// How one number that is shown comes about.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What it counts: `damage`, `block`.
    pub what: &'static str,
    /// The number as it is shown.
    pub number: i32,
    /// From what is printed to what is shown; nothing where they are the same.
    pub notes: Notes<Reason>,
}

impl Spire {
    /// How the numbers on a card come about, those against `target` if one is meant.
    pub fn face_ways(&self, s: &State, slot: Slot, target: Option<u8>) -> Vec<Shown> {
        let Some(card) = s.combat.cards.get(slot as usize) else { return Vec::new() };
        let Some(entry) = self.content.cards.get(card.id as usize) else { return Vec::new() };
        let (_, said) = self.card_said(s, slot, target);
        let printed = self.printed_numbers(entry, card.up);
        // Where a card says something else once it has grown, its numbers begin as they are.
        let alike = said.len() == printed.len();
        let first = |at: usize| if alike { printed[at].base } else { said[at].base };
        (0..said.len()).map(|at| self.face_way(s, slot, target, said[at], first(at))).collect()
    }

    fn face_way(&self, s: &State, slot: Slot, target: Option<u8>, said: FaceNumber, printed: i32) -> Shown {
        let mut notes = Notes::wanted();
        let mut chain = Chain::new(Reason::Base { by: PLAYER, card: slot }, printed, &mut notes);
        chain.to(Reason::Own, said.base);
        match said.counted {
            Counted::Attack { strength } => {
                let to = target.unwrap_or(NOBODY);
                self.reasons_of_attack(s, (PLAYER, to, slot), strength, None, &mut chain);
            }
            Counted::Block => {
                let number = self.block_steps(s, PLAYER, said.base, slot, |acting, number| {
                    chain.to(Reason::of(acting), number.floor());
                });
                chain.to(Reason::Limit, number);
            }
        }
        let number = chain.number;
        Shown { what: said.counted.word(), number, notes }
    }

    /// How the number of an orb comes about, by itself or when it is evoked.
    pub fn orb_way(&self, s: &State, index: u8, evoke: bool) -> Option<Shown> {
        let orb = *s.combat.orbs.get(usize::from(index))?;
        let (base, focused) = self.orb_base(s, orb, evoke, index);
        let mut notes = Notes::wanted();
        let mut chain = Chain::new(Reason::Base { by: NOBODY, card: NO_CARD }, base, &mut notes);
        if focused {
            let about = About { orb: Some(orb.id), ..About::default() };
            self.alter_steps(s, Stage::OrbValue, PLAYER, base, about, |acting, _, number| {
                chain.to(Reason::of(acting), number);
            });
            chain.to(Reason::Limit, chain.number.max(0));
        }
        let number = chain.number;
        Some(Shown { what: if evoke { "evoked" } else { "by itself" }, number, notes })
    }

    /// How the potency of a potion comes about in a fight.
    pub fn potency_way(&self, s: &State, potion: u16) -> Shown {
        let base = self.catalog.potions[potion as usize].potency;
        let mut notes = Notes::wanted();
        let mut chain = Chain::new(Reason::Base { by: NOBODY, card: NO_CARD }, base, &mut notes);
        self.alter_steps(s, Stage::Potency, PLAYER, base, POTENCY, |acting, _, number| {
            chain.to(Reason::of(acting), number);
        });
        let number = chain.number;
        Shown { what: "potency", number, notes }
    }

    /// Numbers that are shown, each change a line; those that are told alike once.
    pub(crate) fn tell_shown(&self, s: &State, shown: &[Shown]) -> Vec<String> {
        let told = |shown: &Shown| {
            let lines = self.tell_reasons(s, &shown.notes).into_iter();
            lines.map(|line| format!("{} · {line}", shown.what)).collect::<Vec<_>>()
        };
        let mut groups: Vec<Vec<String>> = Vec::new();
        for lines in shown.iter().map(told) {
            if !groups.contains(&lines) {
                groups.push(lines);
            }
        }
        groups.concat()
    }

    /// Notes in words, a line each.
    pub(crate) fn tell_reasons(&self, s: &State, notes: &Notes<Reason>) -> Vec<String> {
        notes.list().iter().map(|note| self.tell_reason(s, note)).collect()
    }

    /// Who made the cost of a card another than what is printed on it.
    pub(crate) fn cost_reasons(&self, s: &State, slot: Slot) -> Vec<String> {
        let mut notes = Notes::wanted();
        self.reasons_of_cost(s, slot, self.cost_now(s, &s.combat.cards[slot as usize], slot), &mut notes);
        // Where it is shown it stands behind that word already.
        let short = |line: String| line.strip_prefix(COST_OF).map_or(line.clone(), str::to_owned);
        self.tell_reasons(s, &notes).into_iter().map(short).collect()
    }

    /// Notes how a card came to cost so much. What costs as much as is printed on it needs no reason, and what has no
    /// number none either.
    pub(crate) fn reasons_of_cost(&self, s: &State, slot: Slot, cost: i8, notes: &mut Notes<Reason>) {
        let card = &s.combat.cards[slot as usize];
        let form = &self.catalog.cards[card.id as usize].forms[card.form()];
        if form.cost < 0 || cost < 0 || form.cost == cost {
            return;
        }
        let mut chain = Chain::new(Reason::Cost { card: slot }, form.cost.into(), notes);
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
                chain.to(Reason::of(acting), number.floor());
            });
            chain.to(Reason::Limit, chain.number.max(0));
            chain.to(Reason::Behind, number);
        }
        self.tell_reasons(s, &notes)
    }
}
