//! What is certain of steps that have not happened yet, so that those behind them can be told as they will be.

use super::journey::Journey;
use crate::catalog::compile::{Node, Num, Op, Program};
use crate::catalog::expr::Read;
use crate::eval::Env;
use crate::state::State;

/// What a step will have changed, in the places that values read.
enum Change {
    Gold(i32),
    Hp(i32),
    MaxHp(i32),
    Var(u8, u8),
}

impl Journey<'_> {
    /// Does to a copy of the state what is certain of a step.
    pub(super) fn foresee(&self, s: &mut State, program: Program, op: &Op) {
        let change = self.change(op, &self.within(s, program, 0));
        match (change, op) {
            (Some(change), _) => change.apply(s),
            (None, Op::If { condition, then, otherwise }) => {
                let holds = self.game.eval(*condition, &self.within(s, program, 0)) != 0;
                self.foresee_all(s, if holds { *then } else { *otherwise });
            }
            (None, Op::Repeat { times, program: inner }) => {
                let times = self.game.num(*times, &self.within(s, program, 0)).clamp(0, 99);
                (0..times).for_each(|_| self.foresee_all(s, *inner));
            }
            (None, _) => {}
        }
    }

    fn foresee_all(&self, s: &mut State, program: Program) {
        self.steps(program).iter().for_each(|op| self.foresee(s, program, op));
    }

    fn change(&self, op: &Op, at: &Env<'_>) -> Option<Change> {
        let certain = |num: &Num| match self.rolled(*num, at) {
            Some(_) => None,
            None => Some(self.game.num(*num, at)),
        };
        match op {
            Op::Gold { amount } => certain(amount).map(Change::Gold),
            Op::Heal { amount, .. } => certain(amount).map(Change::Hp),
            Op::MaxHp { amount } => certain(amount).map(Change::MaxHp),
            Op::LoseHp { amount, .. } => certain(amount).map(|amount| Change::Hp(-amount)),
            Op::Damage { amount, times, .. } => {
                Some(Change::Hp(-certain(amount)?.saturating_mul(certain(times)?)))
            }
            Op::SetVar { var, to } => {
                Some(Change::Var(*var as u8, self.game.num(*to, at).clamp(0, 255) as u8))
            }
            _ => None,
        }
    }

    /// The values of which nobody knows what they will be behind a step.
    pub(super) fn unsettled(&self, op: &Op, at: &Env<'_>, out: &mut Vec<Read>) {
        let within = |program: &Program, out: &mut Vec<Read>| {
            for op in self.steps(*program) {
                out.extend(touched(op));
                self.unsettled(op, at, out);
            }
        };
        match op {
            Op::Chance { hit, miss, .. } => [hit, miss].into_iter().for_each(|list| within(list, out)),
            Op::OneOf { lists } => lists.iter().for_each(|list| within(list, out)),
            Op::If { then, otherwise, .. } => {
                for op in [then, otherwise].into_iter().flat_map(|list| self.steps(*list)) {
                    self.unsettled(op, at, out);
                }
            }
            Op::Repeat { program, .. } => {
                self.steps(*program).iter().for_each(|op| self.unsettled(op, at, out));
            }
            other if self.change(other, at).is_none() => out.extend(touched(other)),
            _ => {}
        }
    }

    /// Whether a condition reads one of these values.
    pub(super) fn reads(&self, expr: u16, values: &[Read]) -> bool {
        match self.game.catalog.exprs.get(usize::from(expr)) {
            Some(Node::Read(read, ..)) => values.contains(read),
            Some(Node::Two(_, a, b)) => self.reads(*a, values) || self.reads(*b, values),
            Some(Node::Not(inner)) => self.reads(*inner, values),
            Some(Node::Ascension(levels)) => levels.iter().any(|level| self.reads(*level, values)),
            Some(Node::Int(_)) | None => false,
        }
    }
}

/// The values that a step changes.
fn touched(op: &Op) -> &'static [Read] {
    match op {
        Op::Gold { .. } => &[Read::Gold],
        Op::Heal { .. } | Op::LoseHp { .. } | Op::Damage { .. } => &[Read::Hp],
        Op::MaxHp { .. } => &[Read::MaxHp, Read::Hp],
        Op::SetVar { .. } => &[Read::Var],
        _ => &[],
    }
}

impl Change {
    fn apply(self, s: &mut State) {
        match self {
            Change::Gold(by) => s.run.gold = s.run.gold.saturating_add(by).max(0),
            Change::Hp(by) => s.run.hp = raised(s.run.hp, by).min(s.run.max_hp),
            Change::MaxHp(by) => {
                s.run.max_hp = raised(s.run.max_hp, by).max(1);
                s.run.hp = raised(s.run.hp, by.max(0)).min(s.run.max_hp);
            }
            Change::Var(var, to) => {
                let event = s.tower.edit().event_mut();
                if let Some(count) = event.and_then(|event| event.counts.get_mut(usize::from(var))) {
                    *count = to;
                }
            }
        }
    }
}

fn raised(number: i16, by: i32) -> i16 {
    (i32::from(number) + by.clamp(-30_000, 30_000)).clamp(0, 30_000) as i16
}
