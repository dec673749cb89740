//! A simple player's choices in fights: how much each play does now, read off the numbers on the table.
//!
//! Nothing is tried out and nothing hidden is looked at, so a choice costs little.

use crate::catalog::compile::{Num, Op};
use crate::catalog::words::{CardType, Rank, Who};
use crate::effect::{Action, Answer};
use crate::eval::Env;
use crate::game::Spire;
use crate::state::{NO_CARD, NOBODY, PLAYER, Slot, State};

/// What is known before a play is looked at.
struct Table {
    /// Damage that comes at the end of the turn, block not counted.
    incoming: i32,
    /// The same by enemy.
    by_enemy: [i32; 16],
}

impl Spire {
    /// The action a simple player would take in a fight; `actions` is not empty.
    pub fn tactical_choice(&self, s: &State, actions: &[Action]) -> usize {
        let table = self.look(s);
        let mut best = (i32::MIN, 0);
        for (index, action) in actions.iter().enumerate() {
            let value = self.play_worth(s, &table, action);
            if value > best.0 {
                best = (value, index);
            }
        }
        best.1
    }

    /// The answer a simple player would give in a fight: the first card, or no card.
    pub fn tactical_answer(&self, _s: &State, answers: &[Answer]) -> usize {
        answers.iter().position(|a| matches!(a, Answer::Pick(_) | Answer::Option(_))).unwrap_or(0)
    }

    fn look(&self, s: &State) -> Table {
        let mut table = Table { incoming: 0, by_enemy: [0; 16] };
        for who in s.combat.enemies() {
            let damage = self.intended_damage(s, who);
            table.incoming += damage;
            table.by_enemy[usize::from(who) % 16] = damage;
        }
        table
    }

    /// The damage an enemy means to do.
    pub fn intended_damage(&self, s: &State, who: u8) -> i32 {
        let Some(body) = s.combat.living(who) else { return 0 };
        let Some(made) = self.move_of(body.kind, body.intent) else { return 0 };
        let env = Env::new(s, self.monster_ctx(who));
        let mut sum = 0;
        for op in self.catalog.program(made.program) {
            if let Op::Attack { amount, times, .. } = op {
                let base = self.num(*amount, &env);
                let hit = self.attack_number(s, who, PLAYER, base, NO_CARD, 1);
                sum += hit * self.num(*times, &env).max(1);
            }
        }
        sum
    }

    fn play_worth(&self, s: &State, table: &Table, action: &Action) -> i32 {
        match *action {
            Action::Begin | Action::Leave => 1,
            Action::EndTurn => 0,
            Action::Toss { .. } => -1000,
            Action::Potion { .. } => self.potion_worth(s, table),
            Action::Play { card, target } => self.card_play_worth(s, table, card, target.unwrap_or(NOBODY)),
        }
    }

    /// Potions are for hard fights and hard moments.
    fn potion_worth(&self, s: &State, table: &Table) -> i32 {
        let hard = s.combat.rank >= Rank::Elite as u8;
        let player = s.combat.player();
        let danger = table.incoming - i32::from(player.block) >= i32::from(player.hp) / 2;
        if hard || danger { 30 } else { -5 }
    }

    fn card_play_worth(&self, s: &State, table: &Table, slot: Slot, target: u8) -> i32 {
        let card = &s.combat.cards[usize::from(slot)];
        let info = &self.catalog.cards[usize::from(card.id)];
        let mut ctx = self.card_ctx(slot);
        ctx.other = target;
        ctx.n = s.combat.energy;
        let env = Env::new(s, ctx);
        let mut worth = 0;
        for op in self.catalog.program(info.forms[card.form()].program) {
            worth += self.op_play_worth(s, table, op, slot, target, &env);
        }
        if info.kind == CardType::Power {
            worth += if s.combat.counts.turn <= 3 { 14 } else { 6 };
        }
        worth * 4 - 3 * i32::from(self.cost_now(s, card, slot).max(0)) + 1
    }

    fn op_play_worth(&self, s: &State, table: &Table, op: &Op, slot: Slot, target: u8, env: &Env<'_>) -> i32 {
        let player = s.combat.player();
        let number = |n: Num| self.num(n, env);
        match op {
            Op::Attack { amount, times, to, .. } => {
                let (base, times) = (number(*amount), number(*times).max(0));
                let hits = |who: u8| self.attack_number(s, PLAYER, who, base, slot, 1) * times;
                match to {
                    Who::Target => self.hit_worth(s, table, target, hits(target)),
                    _ => s.combat.enemies().map(|who| self.hit_worth(s, table, who, hits(who))).sum(),
                }
            }
            Op::Block { amount, .. } => {
                let block = self.card_block(s, PLAYER, number(*amount), slot);
                let open = (table.incoming - i32::from(player.block)).max(0);
                block.min(open) + (block - open).max(0) / 8
            }
            Op::Apply { amount, to, .. } => {
                let stacks = number(*amount).clamp(0, 4);
                if *to == Who::Me { 2 * stacks } else { 2 * stacks + 1 }
            }
            Op::Draw { amount } => 2 * number(*amount),
            Op::Energy { amount } => 3 * number(*amount),
            Op::Channel { .. } => 5,
            Op::Heal { amount, .. } => number(*amount) / 2,
            Op::LoseHp { amount, .. } => -2 * number(*amount),
            Op::Create { .. } | Op::Upgrade { .. } | Op::Scry { .. } => 2,
            Op::If { then, .. } => {
                let inner = self.catalog.program(*then);
                inner.iter().map(|op| self.op_play_worth(s, table, op, slot, target, env)).sum::<i32>() / 2
            }
            _ => 1,
        }
    }

    /// Damage counts as far as it bites; an enemy that falls strikes no more.
    fn hit_worth(&self, s: &State, table: &Table, who: u8, damage: i32) -> i32 {
        let Some(body) = s.combat.living(who) else { return 0 };
        let (hp, block) = (i32::from(body.hp), i32::from(body.block));
        let bites = (damage - block).clamp(0, hp);
        let chips = damage.min(block) / 3;
        let felled = bites >= hp;
        // The weaker of two enemies first: it is sooner gone.
        let focus = if hp <= 25 { 1 } else { 0 };
        bites + chips + focus + if felled { 8 + table.by_enemy[usize::from(who) % 16] } else { 0 }
    }
}
