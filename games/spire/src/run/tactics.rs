//! A simple player's choices in fights: how much each play does now, read off the numbers on the table.
//!
//! Nothing is tried out and nothing hidden is looked at, so a choice costs little.

use super::policy::best;
use crate::catalog::compile::{Id, Num, Op};
use crate::catalog::words::{CardType, Rank, Who};
use crate::effect::{Action, Answer};
use crate::eval::Env;
use crate::game::Spire;
use crate::state::{NO_CARD, NOBODY, NONE, PLAYER, Slot, State};

/// What a simple player thinks of powers and stances: looked up once, since the catalog knows them by name.
#[derive(Clone, Debug)]
pub struct Tastes {
    /// Powers, and what a stack of each is worth to the player.
    powers: Vec<(Id, i32)>,
    sharp_hide: Id,
    thorns: Id,
    calm: Id,
    wrath: Id,
    divinity: Id,
}

/// A stack of these on oneself or on an enemy is worth so much damage.
const STACKS: &[(&str, i32)] = &[
    ("vulnerable", 4),
    ("weak", 3),
    ("poison", 3),
    ("strength", 5),
    ("dexterity", 4),
    ("focus", 6),
    ("artifact", 4),
    ("plated_armor", 3),
    ("metallicize", 4),
    ("intangible", 15),
    ("buffer", 10),
    ("thorns", 2),
    ("regeneration", 2),
    ("mantra", 1),
    ("vigor", 1),
];

/// A turn by which most fights are over.
const LONG: i32 = 20;

/// The worth of a stack of any other power.
const OTHER_STACK: i32 = 2;

impl Tastes {
    /// By the names of a catalog; what it does not know is never met.
    pub fn of(spire: &Spire) -> Tastes {
        let power = |name: &str| spire.catalog.power(name).unwrap_or(NONE);
        let stance = |name: &str| spire.catalog.find("stance", name).unwrap_or(NONE);
        Tastes {
            powers: STACKS.iter().map(|(name, worth)| (power(name), *worth)).collect(),
            sharp_hide: power("sharp_hide"),
            thorns: power("thorns"),
            calm: stance("calm"),
            wrath: stance("wrath"),
            divinity: stance("divinity"),
        }
    }

    fn stack(&self, power: Id) -> i32 {
        self.powers.iter().find(|(id, _)| *id == power).map_or(OTHER_STACK, |(_, worth)| *worth)
    }
}

/// What is known before a play is looked at.
struct Table<'t> {
    tastes: &'t Tastes,
    /// Damage that comes at the end of the turn, block not counted.
    incoming: i32,
    /// The same by enemy.
    by_enemy: [i32; 16],
    /// Damage that comes and is not blocked yet.
    open: i32,
    /// Damage that every attack card costs.
    hide: i32,
    /// How many quarters a hit point is worth: more, the fewer there are.
    blood: i32,
}

impl Spire {
    /// The index of the action a simple player would take in a fight.
    pub fn tactical_choice(
        &self,
        s: &State,
        tastes: &Tastes,
        actions: impl Iterator<Item = Action>,
    ) -> usize {
        let table = self.look(s, tastes);
        best(actions.map(|action| self.play_worth(s, &table, &action)))
    }

    /// The answer a simple player would give in a fight: the first card, or no card.
    pub fn tactical_answer(&self, answers: &[Answer]) -> usize {
        answers.iter().position(|a| matches!(a, Answer::Pick(_) | Answer::Option(_))).unwrap_or(0)
    }

    fn look<'t>(&self, s: &State, tastes: &'t Tastes) -> Table<'t> {
        let mut table = Table { tastes, incoming: 0, by_enemy: [0; 16], open: 0, hide: 0, blood: 4 };
        for who in s.combat.enemies() {
            let damage = self.intended_damage(s, who);
            table.incoming += damage;
            table.by_enemy[usize::from(who) % 16] = damage;
            table.hide += i32::from(s.combat.bodies[usize::from(who)].stacks(tastes.sharp_hide));
        }
        let player = s.combat.player();
        let (hp, block) = (i32::from(player.hp).max(1), i32::from(player.block));
        table.open = (table.incoming - block).max(0);
        table.blood = match table.open {
            open if open >= hp => 12,
            open if open * 3 >= hp => 6,
            _ => 5,
        };
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

    fn play_worth(&self, s: &State, table: &Table<'_>, action: &Action) -> i32 {
        match *action {
            Action::Begin | Action::Leave => 1,
            // A fight that drags on is not won by waiting.
            Action::EndTurn => 4 * (LONG - i32::from(s.combat.counts.turn)).min(0),
            Action::Toss { .. } => -1000,
            Action::Potion { .. } => self.potion_worth(s, table),
            // The first among equals is taken, so its twins need not be looked at.
            Action::Play { card, .. } if has_twin_before(s, card) => i32::MIN,
            Action::Play { card, target } => self.card_play_worth(s, table, card, target.unwrap_or(NOBODY)),
        }
    }

    /// Potions are for hard fights and hard moments.
    fn potion_worth(&self, s: &State, table: &Table<'_>) -> i32 {
        let hard = s.combat.rank >= Rank::Elite as u8;
        let danger = table.open * 2 >= i32::from(s.combat.player().hp);
        if hard || danger { 120 } else { -5 }
    }

    fn card_play_worth(&self, s: &State, table: &Table<'_>, slot: Slot, target: u8) -> i32 {
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
        match info.kind {
            CardType::Power => worth += if s.combat.counts.turn <= 3 { 56 } else { 24 },
            CardType::Attack => worth -= table.hide * table.blood,
            _ => {}
        }
        worth - 3 * i32::from(self.cost_now(s, card, slot).max(0)) + 1
    }

    /// In quarters of a point of damage.
    fn op_play_worth(
        &self,
        s: &State,
        table: &Table<'_>,
        op: &Op,
        slot: Slot,
        target: u8,
        env: &Env<'_>,
    ) -> i32 {
        let number = |n: Num| self.num(n, env);
        match op {
            Op::Attack { amount, times, to, .. } => {
                let (base, times) = (number(*amount), number(*times).max(0));
                let hits = |who: u8| self.attack_number(s, PLAYER, who, base, slot, 1) * times;
                let worth = |who: u8| self.hit_worth(s, table, who, hits(who), times);
                match to {
                    Who::Target => worth(target),
                    Who::Random => {
                        let all: i32 = s.combat.enemies().map(worth).sum();
                        all / (s.combat.enemies().count() as i32).max(1)
                    }
                    _ => s.combat.enemies().map(worth).sum(),
                }
            }
            Op::Block { amount, .. } => {
                let block = self.card_block(s, PLAYER, number(*amount), slot);
                block.min(table.open) * table.blood + (block - table.open).max(0) / 2
            }
            Op::Apply { power, amount, to, .. } => {
                self.apply_worth(s, table, *power, number(*amount), *to, target)
            }
            Op::Stance { to } => self.stance_worth(s, table, slot, *to),
            Op::Draw { amount } => 8 * number(*amount),
            Op::Energy { amount } => 12 * number(*amount),
            Op::Channel { .. } => 20,
            Op::Heal { amount, .. } => 2 * number(*amount),
            Op::LoseHp { amount, .. } => -table.blood * number(*amount),
            Op::Create { .. } | Op::Upgrade { .. } | Op::Scry { .. } => 8,
            Op::If { then, .. } => {
                let inner = self.catalog.program(*then);
                inner.iter().map(|op| self.op_play_worth(s, table, op, slot, target, env)).sum::<i32>() / 2
            }
            _ => 4,
        }
    }

    /// A power on an enemy counts while the enemy lives long enough, weakness only if it strikes.
    fn apply_worth(&self, s: &State, table: &Table<'_>, power: Id, amount: i32, to: Who, target: u8) -> i32 {
        let stacks = amount.abs().min(6);
        let each = 4 * table.tastes.stack(power);
        let on = |who: u8| match s.combat.living(who) {
            Some(body) if i32::from(body.hp) <= 10 => stacks * each / 4,
            Some(body) if body.power(power).is_some() => stacks * each / 2,
            Some(_) => stacks * each + 4,
            None => 0,
        };
        match to {
            Who::Me | Who::Player if amount < 0 => -stacks * each / 2,
            Who::Me | Who::Player => stacks * each,
            Who::Target => on(target),
            _ => s.combat.enemies().map(on).sum(),
        }
    }

    /// Wrath doubles both ways: it pays while energy for attacks is left and little comes back, and is left
    /// when the attacks are made. Calm is left for two energy.
    fn stance_worth(&self, s: &State, table: &Table<'_>, slot: Slot, to: Id) -> i32 {
        let (now, tastes) = (s.combat.stance, table.tastes);
        if to == now {
            return 0;
        }
        let calm = i32::from(now == tastes.calm);
        let left = self.energy_after(s, slot) + 2 * calm;
        let leaving = match now {
            _ if now == tastes.wrath && self.has_attack_for(s, slot, left) => 0,
            _ if now == tastes.wrath => table.open * table.blood,
            _ => 40 * calm,
        };
        let entering = match to {
            _ if to == tastes.wrath => 24 * left - table.incoming * table.blood - 8,
            _ if to == tastes.divinity => 60,
            _ if to == tastes.calm => 24,
            _ => 10,
        };
        leaving + entering
    }

    /// The energy left once this card is played.
    fn energy_after(&self, s: &State, slot: Slot) -> i32 {
        let cost = self.cost_now(s, &s.combat.cards[usize::from(slot)], slot);
        i32::from(s.combat.energy) - i32::from(cost.max(0))
    }

    /// Whether another card in the hand is an attack that so much energy pays for.
    fn has_attack_for(&self, s: &State, slot: Slot, energy: i32) -> bool {
        s.combat.hand.iter().filter(|other| **other != slot).any(|&other| {
            let card = &s.combat.cards[usize::from(other)];
            let attack = self.catalog.cards[usize::from(card.id)].kind == CardType::Attack;
            attack && i32::from(self.cost_now(s, card, other).max(0)) <= energy
        })
    }

    /// Damage counts as far as it bites; an enemy that falls strikes no more, thorns strike back.
    fn hit_worth(&self, s: &State, table: &Table<'_>, who: u8, damage: i32, times: i32) -> i32 {
        let Some(body) = s.combat.living(who) else { return 0 };
        let (hp, block) = (i32::from(body.hp), i32::from(body.block));
        let bites = (damage - block).clamp(0, hp);
        let chips = damage.min(block) / 3;
        let felled = if bites >= hp {
            32 + table.by_enemy[usize::from(who) % 16].min(table.open) * table.blood
        } else {
            0
        };
        // The weaker of two enemies first: it is sooner gone.
        let focus = if hp <= 25 { 4 } else { 0 };
        let thorns = i32::from(body.stacks(table.tastes.thorns)) * times;
        4 * (bites + chips) + focus + felled - thorns * table.blood
    }
}

/// Whether a card in front of this one in the hand is its like in every respect.
fn has_twin_before(s: &State, slot: Slot) -> bool {
    let card = &s.combat.cards[usize::from(slot)];
    let before = s.combat.hand.iter().take_while(|other| **other != slot);
    before.into_iter().any(|other| s.combat.cards[usize::from(*other)] == *card)
}
