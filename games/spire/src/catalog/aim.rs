//! Whether steps are aimed at the enemy whom the player chooses. Every field of every verb is asked, whatever its
//! kind: a verb that is new, or a new field of one, cannot be forgotten.

use super::expr::{Arg, Expr, Read};
use super::verb::{How, Made, NewCost, Orb, Orbs, Pick, Reward, Step, Verb};
use super::words::{Drawn, Pool, Rarity, Spot, Until, Who};

/// Something written in a step.
pub(super) trait Aims {
    /// Whether it means the chosen target, in the base or the upgraded form.
    fn aims(&self, upgraded: bool) -> bool;
}

/// What cannot mean anybody.
macro_rules! aimless {
    ($($kind:ty),*) => {
        $(impl Aims for $kind {
            fn aims(&self, _: bool) -> bool {
                false
            }
        })*
    };
}

aimless! { bool, i16, String, Spot, Until, Pool, Drawn, Rarity, Orb, Orbs }

impl Aims for Who {
    fn aims(&self, _: bool) -> bool {
        *self == Who::Target
    }
}

impl Aims for Expr {
    fn aims(&self, upgraded: bool) -> bool {
        match self {
            Expr::Int(_) => false,
            // It is asked what the target would suffer.
            Expr::Read(Read::AttackNumber, _) => true,
            Expr::Read(_, args) => args.aims(upgraded),
            Expr::Two(_, left, right) => left.aims(upgraded) || right.aims(upgraded),
            Expr::Not(inner) => inner.aims(upgraded),
            Expr::Upgrade(base, better) => if upgraded { better } else { base }.aims(upgraded),
            Expr::Ascension(rows) => rows.iter().any(|(_, value)| value.aims(upgraded)),
        }
    }
}

impl Aims for Arg {
    fn aims(&self, upgraded: bool) -> bool {
        match self {
            Arg::Who(who) => who.aims(upgraded),
            Arg::Expr(expr) => expr.aims(upgraded),
            Arg::Name(_) | Arg::Zone(_) | Arg::Type(_) | Arg::Kind(_) | Arg::Drawn(_) => false,
        }
    }
}

impl<T: Aims> Aims for Option<T> {
    fn aims(&self, upgraded: bool) -> bool {
        self.as_ref().is_some_and(|inner| inner.aims(upgraded))
    }
}

impl<T: Aims> Aims for Vec<T> {
    fn aims(&self, upgraded: bool) -> bool {
        self.iter().any(|inner| inner.aims(upgraded))
    }
}

impl Aims for Pick {
    fn aims(&self, upgraded: bool) -> bool {
        let number = match &self.how {
            How::All => false,
            How::Choose(n) | How::UpTo(n) | How::Random(n) | How::Top(n) => n.aims(upgraded),
        };
        number || self.filter.aims(upgraded)
    }
}

impl Aims for Made {
    fn aims(&self, upgraded: bool) -> bool {
        match self {
            Made::Card(_) => false,
            Made::CopyOf(pick) => pick.aims(upgraded),
            Made::From(_, filter) => filter.aims(upgraded),
        }
    }
}

impl Aims for NewCost {
    fn aims(&self, upgraded: bool) -> bool {
        match self {
            NewCost::Set(number) | NewCost::Add(number) => number.aims(upgraded),
            NewCost::Random => false,
        }
    }
}

impl Aims for (NewCost, Until) {
    fn aims(&self, upgraded: bool) -> bool {
        self.0.aims(upgraded)
    }
}

impl Aims for Reward {
    fn aims(&self, upgraded: bool) -> bool {
        match self {
            Reward::Gold(amount) => amount.aims(upgraded),
            Reward::Cards | Reward::Colorless | Reward::Relic(_) | Reward::Potion | Reward::Drawn => false,
        }
    }
}

impl Aims for Step {
    fn aims(&self, upgraded: bool) -> bool {
        match &self.verb {
            // Known at load: the other branch is never taken.
            Verb::If { condition: Expr::Read(Read::Upgraded, _), then, otherwise } => {
                if upgraded { then } else { otherwise }.aims(upgraded)
            }
            verb => verb.aims(upgraded),
        }
    }
}
