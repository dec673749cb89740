//! Steps that are ready when they are proposed: their numbers are known at load, and whom they mean is known by then.

use super::compile::{Id, Num, Op, Program};
use super::words::Who;

/// A step as it is proposed. It follows from its [`Op`], which says the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// One hit at one body.
    Blow {
        /// The number before anybody changes it.
        base: i16,
        /// How often Strength counts.
        strength: i8,
        /// At whom.
        at: At,
        /// What follows if it kills.
        on_kill: Program,
        /// Any death counts as a kill.
        any_death: bool,
    },
    /// Block for the owner.
    Guard {
        /// The number before anybody changes it.
        base: i16,
        /// Nobody changes it.
        raw: bool,
    },
    /// A power for one body.
    Give {
        /// Which power.
        power: Id,
        /// How much of it.
        amount: i16,
        /// For whom.
        to: At,
    },
    /// HP for one body.
    Heal {
        /// How many.
        amount: i16,
        /// For whom.
        to: At,
    },
    /// Energy.
    Energy {
        /// How much.
        amount: i16,
    },
    /// Cards are drawn.
    Draw {
        /// How many.
        amount: i16,
    },
    /// One of these for each level of ascension ([`Catalog::rising`](super::compile::Catalog::rising)).
    Rising(u16),
    /// It waits as it is, and finds out when its turn comes what it stands for.
    Step,
    /// What it stands for is looked for when it is proposed.
    Later,
}

/// Whom a step means, as the memory of its program says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The other side.
    Other,
    /// The owner.
    Owner,
    /// The player.
    Player,
}

impl At {
    /// Whom a word means, if that does not depend on who lives when its turn comes.
    fn of(who: Who) -> Option<At> {
        match who {
            Who::Target | Who::Attacker | Who::Victim => Some(At::Other),
            Who::Me => Some(At::Owner),
            Who::Player => Some(At::Player),
            Who::Enemies
            | Who::Random
            | Who::Others
            | Who::Each
            | Who::Weakest
            | Who::RandomAlly
            | Who::Leader => None,
        }
    }
}

impl Ready {
    /// What is ready of a step.
    pub fn of(op: &Op) -> Ready {
        Ready::known(op).unwrap_or(match op {
            Op::Attack { .. } | Op::Block { .. } | Op::Apply { only: Some(_), .. } | Op::If { .. } => {
                Ready::Later
            }
            _ => Ready::Step,
        })
    }

    /// A step whose number is that of the level of ascension reached, once for each of these numbers, the last for
    /// all levels above; nothing unless that makes all of them ready.
    pub fn rising(op: &Op, numbers: &[i32]) -> Option<Vec<Ready>> {
        let at = |&number: &i32| {
            let mut op = op.clone();
            match &mut op {
                Op::Attack { amount, .. } | Op::Block { amount, .. } | Op::Apply { amount, .. } => {
                    *amount = Num::Const(number);
                }
                _ => return None,
            }
            Ready::known(&op)
        };
        numbers.iter().map(at).collect()
    }

    fn known(op: &Op) -> Option<Ready> {
        Some(match *op {
            Op::Attack {
                amount: Num::Const(base @ 0..=9999),
                to: who @ (Who::Target | Who::Player),
                times: Num::Const(1),
                strength: Num::Const(strength @ 0..=100),
                on_kill,
                any_death,
            } => {
                let (base, strength) = (base as i16, strength as i8);
                Ready::Blow { base, strength, at: At::of(who)?, on_kill, any_death }
            }
            Op::Block { amount: Num::Const(base @ 0..=9999), to: Who::Me, raw } => {
                Ready::Guard { base: base as i16, raw }
            }
            Op::Apply {
                power,
                amount: Num::Const(amount @ 1..=9999),
                to,
                only: None,
                store: Num::Const(0),
            } => Ready::Give { power, amount: amount as i16, to: At::of(to)? },
            Op::Heal { amount: Num::Const(amount @ 0..=9999), to } => {
                Ready::Heal { amount: amount as i16, to: At::of(to)? }
            }
            Op::Energy { amount: Num::Const(amount @ -99..=99) } => Ready::Energy { amount: amount as i16 },
            Op::Draw { amount: Num::Const(amount @ 0..=99), late: false } => {
                Ready::Draw { amount: amount as i16 }
            }
            _ => return None,
        })
    }
}
