//! A simple player's choices in fights: how much each play does now, read off the numbers on the table.
//!
//! Nothing is tried out and nothing hidden is looked at. Blows and block are reckoned with the few powers that
//! everybody knows, not by all the rules, so a choice costs a fraction of what follows from it; who wants
//! plays tried out asks the greedy player.

use smallvec::SmallVec;

use super::policy::best;
use super::tastes::{Aim, Look, Sketch, Tastes};
use crate::action::Action;
use crate::catalog::compile::{Id, Num, Op};
use crate::catalog::words::{CardType, Rank};
use crate::eval::Env;
use crate::game::Spire;
use crate::question::Answer;
use crate::state::{Body, NOBODY, Slot, State};

/// A turn by which most fights are over.
/// Cards of one turn after which the next must be worth something.
const MANY: i32 = 40;
const LONG: i32 = 20;

/// What is known before a play is looked at.
struct Table<'t> {
    s: &'t State,
    tastes: &'t Tastes,
    /// By number; the player's own entry stays empty.
    foes: SmallVec<[Foe; 8]>,
    /// Damage that comes at the end of the turn, block not counted.
    incoming: i32,
    /// Damage that comes and is not blocked yet.
    open: i32,
    /// Damage that every attack card costs.
    hide: i32,
    /// How many quarters a hit point is worth: more, the fewer there are.
    blood: i32,
    strength: i32,
    /// What the player's blows are multiplied by, in quarters.
    dealt: i32,
    dexterity: i32,
    /// What the player's block is multiplied by, in quarters.
    kept: i32,
    /// What blows on the player are multiplied by, in halves.
    exposed: i32,
}

/// An enemy as a simple player sees it.
#[derive(Clone, Copy, Default)]
struct Foe {
    alive: bool,
    hp: i32,
    block: i32,
    /// Damage that it means to do.
    threat: i32,
    /// What its blows are increased by, and multiplied by in quarters.
    force: (i32, i32),
    thorns: i32,
    /// What an attack card costs its player.
    hide: i32,
    /// What blows on it are multiplied by, in halves.
    taken: i32,
}

impl Spire {
    /// The index of the action a simple player would take in a fight.
    pub(crate) fn tactical_choice(
        &self,
        s: &State,
        tastes: &Tastes,
        actions: impl Iterator<Item = Action>,
    ) -> usize {
        let table = self.look(s, tastes);
        best(actions.map(|action| self.play_worth(&table, &action)))
    }

    /// The answer a simple player would give in a fight: the first card, or no card.
    pub(crate) fn tactical_answer(&self, answers: &[Answer]) -> usize {
        answers.iter().position(|a| matches!(a, Answer::Pick(_) | Answer::Option(_))).unwrap_or(0)
    }

    fn look<'t>(&self, s: &'t State, tastes: &'t Tastes) -> Table<'t> {
        let mut table = Table::of_player(s, tastes);
        // The player's own place is taken too, so that the numbers fit.
        table.foes.push(Foe::default());
        for (who, body) in (1..).zip(&s.combat.bodies[1..]) {
            let mut foe = Foe::default();
            if body.alive() {
                foe = Foe::of(body, tastes);
                foe.threat = self.threat(&table, who, body, foe.force);
                table.incoming += foe.threat;
                table.hide += foe.hide;
            }
            table.foes.push(foe);
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

    /// The damage an enemy means to do, with what its blows are increased by and multiplied by in quarters.
    fn threat(&self, table: &Table<'_>, who: u8, body: &Body, (more, quarters): (i32, i32)) -> i32 {
        let Some(made) = self.move_of(body.kind, body.intent) else { return 0 };
        let number = |n: Num| match n {
            Num::Const(n) => n,
            Num::Expr(index) => self.eval(index, &Env::new(table.s, self.monster_ctx(who))),
        };
        let mut sum = 0;
        for op in self.catalog.program(made.program) {
            if let Op::Attack { amount, times, .. } = *op {
                let blow = (number(amount) + more) * quarters * table.exposed / 8;
                sum += blow.max(0) * number(times).max(1);
            }
        }
        sum
    }

    fn play_worth(&self, table: &Table<'_>, action: &Action) -> i32 {
        match *action {
            Action::Play { card, target } => self.card_play_worth(table, card, target.unwrap_or(NOBODY)),
            Action::Begin | Action::Leave => 1,
            // A fight that drags on is not won by waiting; nor is it by a card that comes back to the hand for ever.
            Action::EndTurn => {
                let counts = &table.s.combat.counts;
                4 * (LONG - i32::from(counts.turn)).min(0) + (i32::from(counts.cards_played) - MANY).max(0)
            }
            Action::Toss { .. } => -1000,
            Action::Potion { .. } => table.potion_worth(),
        }
    }

    fn card_play_worth(&self, table: &Table<'_>, slot: Slot, target: u8) -> i32 {
        let combat = &table.s.combat;
        let card = &combat.cards[usize::from(slot)];
        let sketch = table.tastes.sketch(card);
        let mut worth = self.sketch_worth(table, sketch, slot, target) + 1;
        if sketch.power {
            worth += if combat.counts.turn <= 3 { 56 } else { 24 };
        }
        if sketch.attack {
            worth -= table.hide * table.blood;
        }
        worth - 3 * self.price(table.s, slot)
    }

    /// What a card costs, as far as the card itself knows.
    fn price(&self, s: &State, slot: Slot) -> i32 {
        let card = &s.combat.cards[usize::from(slot)];
        let own = card.cost_is_own();
        let cost = if own { self.catalog.brief(card).cost } else { self.cost_now(s, card, slot) };
        i32::from(cost.max(0))
    }

    fn sketch_worth(&self, table: &Table<'_>, sketch: &Sketch, slot: Slot, target: u8) -> i32 {
        let mut worth = i32::from(sketch.flat);
        if sketch.times > 0 {
            worth += table.attack_worth(sketch.hit.into(), sketch.times.into(), sketch.aim, target);
        }
        if sketch.block > 0 {
            worth += table.block_worth(sketch.block.into());
        }
        let looks = table.tastes.looks(sketch);
        if looks.is_empty() {
            return worth;
        }
        let mut ctx = self.card_ctx(slot);
        (ctx.other, ctx.n) = (target, table.s.combat.energy);
        let env = Env::new(table.s, ctx);
        worth + looks.iter().map(|look| self.look_worth(table, look, slot, target, &env)).sum::<i32>()
    }

    fn look_worth(&self, table: &Table<'_>, look: &Look, slot: Slot, target: u8, env: &Env<'_>) -> i32 {
        let number = |n: Num| self.num(n, env);
        match *look {
            Look::Attack { amount, times, aim } => {
                table.attack_worth(number(amount), number(times), aim, target)
            }
            Look::Block { amount } => table.block_worth(number(amount)),
            Look::Apply { power, each, amount, aim } => {
                table.apply_worth(power, each.into(), number(amount), aim, target)
            }
            Look::Stance { to } => self.stance_worth(table, slot, to),
            Look::Bleed { amount } => -table.blood * number(amount),
            Look::Number { each, amount } => i32::from(each) * number(amount),
            Look::Half { ref sketch } => self.sketch_worth(table, sketch, slot, target) / 2,
        }
    }

    /// Wrath doubles both ways: it pays while energy for attacks is left and little comes back, and is left
    /// when the attacks are made. Calm is left for two energy.
    fn stance_worth(&self, table: &Table<'_>, slot: Slot, to: Id) -> i32 {
        let (s, tastes) = (table.s, table.tastes);
        let now = s.combat.stance;
        if to == now {
            return 0;
        }
        let calm = i32::from(now == tastes.calm);
        let left = i32::from(s.combat.energy) - self.price(s, slot) + 2 * calm;
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

    /// Whether another card in the hand is an attack that so much energy pays for.
    fn has_attack_for(&self, s: &State, slot: Slot, energy: i32) -> bool {
        s.combat.hand.iter().filter(|other| **other != slot).any(|&other| {
            let card = &s.combat.cards[usize::from(other)];
            let attack = self.catalog.cards[usize::from(card.id)].kind == CardType::Attack;
            attack && self.price(s, other) <= energy
        })
    }
}

impl Foe {
    fn of(body: &Body, tastes: &Tastes) -> Foe {
        let (hp, block) = (body.hp.into(), body.block.into());
        let mut foe = Foe { alive: true, hp, block, force: (0, 4), taken: 2, ..Foe::default() };
        for power in &body.powers {
            match power.id {
                id if id == tastes.strength => foe.force.0 = power.n.into(),
                id if id == tastes.weak => foe.force.1 = 3,
                id if id == tastes.vulnerable => foe.taken = 3,
                id if id == tastes.thorns => foe.thorns = power.n.into(),
                // Names content: what a simple player looks out for.
                id if id == tastes.sharp_hide => foe.hide = power.n.into(),
                _ => {}
            }
        }
        foe
    }
}

impl<'t> Table<'t> {
    /// What the player brings; nobody else is looked at yet.
    fn of_player(s: &'t State, tastes: &'t Tastes) -> Table<'t> {
        let (dealt, exposed) = match s.combat.stance {
            stance if stance == tastes.wrath => (2, 2),
            stance if stance == tastes.divinity => (3, 1),
            _ => (1, 1),
        };
        let mut table = Table {
            s,
            tastes,
            foes: SmallVec::new(),
            incoming: 0,
            open: 0,
            hide: 0,
            blood: 5,
            strength: 0,
            dealt: 4 * dealt,
            dexterity: 0,
            kept: 4,
            exposed: 2 * exposed,
        };
        for power in &s.combat.player().powers {
            match power.id {
                id if id == tastes.strength => table.strength = power.n.into(),
                id if id == tastes.dexterity => table.dexterity = power.n.into(),
                id if id == tastes.weak => table.dealt = 3 * dealt,
                id if id == tastes.frail => table.kept = 3,
                id if id == tastes.vulnerable => table.exposed = 3 * exposed,
                _ => {}
            }
        }
        table
    }

    /// Potions are for hard fights and hard moments.
    fn potion_worth(&self) -> i32 {
        let combat = &self.s.combat;
        let hard = combat.rank >= Rank::Elite as u8;
        let danger = self.open * 2 >= i32::from(combat.player().hp);
        if hard || danger { 120 } else { -5 }
    }

    fn attack_worth(&self, base: i32, times: i32, aim: Aim, target: u8) -> i32 {
        let force = (base + self.strength) * self.dealt;
        let worth = |foe: &Foe| self.hit_worth(foe, (force * foe.taken / 8).max(0) * times, times);
        let living = self.foes.iter().filter(|foe| foe.alive);
        match aim {
            Aim::Target => self.foes.get(usize::from(target)).map_or(0, worth),
            Aim::Random => living.clone().map(worth).sum::<i32>() / (living.count() as i32).max(1),
            _ => living.map(worth).sum(),
        }
    }

    /// Damage counts as far as it bites; an enemy that falls strikes no more, thorns strike back.
    fn hit_worth(&self, foe: &Foe, damage: i32, times: i32) -> i32 {
        let bites = (damage - foe.block).clamp(0, foe.hp);
        let chips = damage.min(foe.block) / 3;
        let felled = if bites >= foe.hp { 32 + foe.threat.min(self.open) * self.blood } else { 0 };
        // The weaker of two enemies first: it is sooner gone.
        let focus = if foe.hp <= 25 { 4 } else { 0 };
        4 * (bites + chips) + focus + felled - foe.thorns * times * self.blood
    }

    fn block_worth(&self, base: i32) -> i32 {
        let block = ((base + self.dexterity) * self.kept / 4).max(0);
        block.min(self.open) * self.blood + (block - self.open).max(0) / 2
    }

    /// A power on an enemy counts while the enemy lives long enough, and for less if it is there already.
    fn apply_worth(&self, power: Id, each: i32, amount: i32, aim: Aim, target: u8) -> i32 {
        let stacks = amount.abs().min(6);
        let on = |body: &Body| match body {
            body if i32::from(body.hp) <= 10 => stacks * each / 4,
            body if body.power(power).is_some() => stacks * each / 2,
            _ => stacks * each + 4,
        };
        let combat = &self.s.combat;
        match aim {
            Aim::Me if amount < 0 => -stacks * each / 2,
            Aim::Me => stacks * each,
            Aim::Target => combat.living(target).map_or(0, on),
            _ => combat.bodies.iter().skip(1).filter(|body| body.alive()).map(on).sum(),
        }
    }
}
