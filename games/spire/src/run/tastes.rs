//! What a simple player thinks of a content, worked out once: each card as a sum of what it does, powers and
//! stances found by name.

use crate::catalog::compile::Catalog;
use crate::catalog::compile::{CardInfo, Id, Num, Op, Program};
use crate::catalog::words::{CardType, Who};
use crate::state::{Card, NONE};

/// A stack of these on oneself or on an enemy is worth so much damage.
// Names content: tastes are opinions about it.
const STACKS: &[(&str, i16)] = &[
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

/// The worth of a stack of any other power.
const OTHER_STACK: i16 = 2;

/// What a simple player knows of the content. All worths are in quarters of a point of damage.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Tastes {
    // Names content: what a simple player looks out for.
    pub(super) strength: Id,
    pub(super) dexterity: Id,
    pub(super) weak: Id,
    pub(super) frail: Id,
    pub(super) vulnerable: Id,
    pub(super) thorns: Id,
    pub(super) sharp_hide: Id,
    pub(super) calm: Id,
    pub(super) wrath: Id,
    pub(super) divinity: Id,
    /// By card: as it is, and upgraded.
    cards: Vec<[Sketch; 2]>,
    /// What sketches leave to be looked at.
    looks: Vec<Look>,
}

/// What a card does: plain numbers where they are plain, the rest to be looked at when it is in hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sketch {
    /// Worth at any table.
    pub flat: i16,
    /// The damage of one blow, and how many there are.
    pub hit: i16,
    pub times: i16,
    pub aim: Aim,
    pub block: i16,
    /// It is an attack card.
    pub attack: bool,
    /// It is a power card.
    pub power: bool,
    looks: (u16, u16),
}

/// Whom a step is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Aim {
    #[default]
    Target,
    Me,
    Random,
    All,
}

/// Something whose worth depends on what stands on the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look {
    Attack {
        amount: Num,
        times: Num,
        aim: Aim,
    },
    Block {
        amount: Num,
    },
    /// A power, and what a stack of it is worth.
    Apply {
        power: Id,
        each: i16,
        amount: Num,
        aim: Aim,
    },
    Stance {
        to: Id,
    },
    /// Hit points lost by oneself.
    Bleed {
        amount: Num,
    },
    /// Worth so much each.
    Number {
        each: i16,
        amount: Num,
    },
    /// Steps that are taken only sometimes.
    Half {
        sketch: Sketch,
    },
}

impl Tastes {
    /// By the names and programs of a catalog; what it does not know is never met.
    pub fn of(catalog: &Catalog) -> Tastes {
        // Names content: the same.
        let power = |name: &str| catalog.power(name).unwrap_or(NONE);
        let stance = |name: &str| catalog.find("stance", name).unwrap_or(NONE);
        let mut tastes = Tastes {
            strength: power("strength"),
            dexterity: power("dexterity"),
            weak: power("weak"),
            frail: power("frail"),
            vulnerable: power("vulnerable"),
            thorns: power("thorns"),
            sharp_hide: power("sharp_hide"),
            calm: stance("calm"),
            wrath: stance("wrath"),
            divinity: stance("divinity"),
            cards: Vec::new(),
            looks: Vec::new(),
        };
        let stacks: Vec<(Id, i16)> = STACKS.iter().map(|(name, worth)| (power(name), *worth)).collect();
        let mut artist = Artist { catalog, stacks, looks: Vec::new() };
        let card = |info: &CardInfo| {
            info.forms.each_ref().map(|form| Sketch {
                attack: info.kind == CardType::Attack,
                power: info.kind == CardType::Power,
                ..artist.draw(form.program)
            })
        };
        tastes.cards = catalog.cards.iter().map(card).collect();
        tastes.looks = artist.looks;
        tastes
    }

    /// The sketch of a card.
    #[inline]
    pub(super) fn sketch(&self, card: &Card) -> &Sketch {
        &self.cards[usize::from(card.id)][card.form()]
    }

    /// What a sketch leaves to be looked at.
    #[inline]
    pub(super) fn looks(&self, sketch: &Sketch) -> &[Look] {
        &self.looks[usize::from(sketch.looks.0)..usize::from(sketch.looks.1)]
    }
}

/// Draws sketches of programs.
struct Artist<'s> {
    catalog: &'s Catalog,
    stacks: Vec<(Id, i16)>,
    looks: Vec<Look>,
}

impl Artist<'_> {
    fn draw(&mut self, program: Program) -> Sketch {
        let (mut sketch, mut left) = (Sketch::default(), Vec::new());
        for op in self.catalog.program(program) {
            self.add(&mut sketch, op, &mut left);
        }
        let start = self.looks.len() as u16;
        self.looks.append(&mut left);
        sketch.looks = (start, self.looks.len() as u16);
        sketch
    }

    fn add(&mut self, sketch: &mut Sketch, op: &Op, left: &mut Vec<Look>) {
        let mut number = |each: i16, amount: Num| match amount {
            Num::Const(n) => sketch.flat += each * n as i16,
            Num::Expr(_) => left.push(Look::Number { each, amount }),
        };
        match *op {
            Op::Draw { amount, .. } => number(8, amount),
            Op::Energy { amount } => number(12, amount),
            Op::Heal { amount, .. } => number(2, amount),
            Op::LoseHp { amount, .. } => left.push(Look::Bleed { amount }),
            Op::Stance { to } => left.push(Look::Stance { to }),
            Op::Attack { amount: Num::Const(hit), times: Num::Const(times), to, .. } if sketch.times == 0 => {
                (sketch.hit, sketch.times, sketch.aim) = (hit as i16, times as i16, aim(to));
            }
            Op::Attack { amount, times, to, .. } => left.push(Look::Attack { amount, times, aim: aim(to) }),
            Op::Block { amount: Num::Const(block), .. } if sketch.block == 0 => sketch.block = block as i16,
            Op::Block { amount, .. } => left.push(Look::Block { amount }),
            Op::Apply { power, amount, to, .. } => {
                let known = self.stacks.iter().find(|(id, _)| *id == power);
                let each = 4 * known.map_or(OTHER_STACK, |(_, worth)| *worth);
                left.push(Look::Apply { power, each, amount, aim: aim(to) });
            }
            Op::If { then, .. } => left.push(Look::Half { sketch: self.draw(then) }),
            Op::Channel { .. } => sketch.flat += 20,
            Op::Create { .. } | Op::Upgrade { .. } | Op::Scry { .. } => sketch.flat += 8,
            _ => sketch.flat += 4,
        }
    }
}

fn aim(who: Who) -> Aim {
    match who {
        Who::Target => Aim::Target,
        Who::Random => Aim::Random,
        Who::Me | Who::Player => Aim::Me,
        _ => Aim::All,
    }
}
