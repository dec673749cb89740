//! What the catalog tells the run about cards.

use turnstone::Rejection;

use super::rulebook::CardFacts;
use crate::catalog::Problem;
use crate::catalog::compile::{CardInfo, Catalog, Num, Op, Program};
use crate::catalog::words::{CardType, Rarity, Who};
use crate::seeds::Rarity as Found;

/// The refusal of a content with these problems.
pub(super) fn bad_content(problems: &[Problem]) -> Rejection {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Rejection::new("BAD_CONTENT", lines.join("\n"))
}

pub(super) fn card_facts(catalog: &Catalog) -> Vec<CardFacts> {
    catalog.cards.iter().map(|card| facts(catalog, card)).collect()
}

fn facts(catalog: &Catalog, card: &CardInfo) -> CardFacts {
    let tagged =
        |tag: &str| card.tags.iter().any(|t| catalog.tags.get(usize::from(*t)).is_some_and(|n| n == tag));
    let basic = card.rarity == Rarity::Basic;
    let sizes = [0, 1].map(|form| sizes(catalog, card.forms[form].program));
    CardFacts {
        kind: card.kind,
        rarity: match card.rarity {
            Rarity::Common => Some(Found::Common),
            Rarity::Uncommon => Some(Found::Uncommon),
            Rarity::Rare => Some(Found::Rare),
            _ => None,
        },
        basic,
        strike: basic && tagged("strike"),
        defend: basic && tagged("defend"),
        removable: !tagged("eternal"),
        upgradable: card.upgradable,
        many_upgrades: card.many_upgrades,
        damage: [bounded(sizes[0].damage), bounded(sizes[1].damage)],
        worth: [worth(card, 0, &sizes[0]), worth(card, 1, &sizes[1])],
    }
}

/// The plain numbers of a card's steps.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    damage: i32,
    block: i32,
    other: i32,
}

fn sizes(catalog: &Catalog, program: Program) -> Sizes {
    let constant = |n: Num, otherwise: i32| match n {
        Num::Const(n) => n.clamp(-99, 99),
        Num::Expr(_) => otherwise,
    };
    let mut sum = Sizes::default();
    for op in catalog.program(program) {
        match op {
            Op::Attack { amount, times, to, .. } => {
                let all = if *to == Who::Target { 2 } else { 3 };
                sum.damage += constant(*amount, 8) * constant(*times, 2).max(1) * all / 2;
            }
            Op::Block { amount, .. } => sum.block += constant(*amount, 8),
            Op::Draw { amount, .. } => sum.other += 3 * constant(*amount, 2),
            Op::Energy { amount } => sum.other += 4 * constant(*amount, 1),
            Op::Apply { .. } | Op::Channel { .. } => sum.other += 4,
            Op::Create { .. } | Op::Stance { .. } | Op::Scry { .. } | Op::Upgrade { .. } => sum.other += 3,
            Op::LoseHp { amount, .. } => sum.other -= constant(*amount, 2),
            Op::If { then, .. } => {
                let inner = sizes(catalog, *then);
                sum.other += (inner.damage + inner.block + inner.other) / 2;
            }
            _ => {}
        }
    }
    sum
}

/// What a card does for its cost, with a bonus for what is hard to come by.
fn worth(card: &CardInfo, form: usize, sizes: &Sizes) -> i16 {
    if matches!(card.kind, CardType::Curse | CardType::Status) {
        return -20;
    }
    let bonus = match card.rarity {
        Rarity::Rare => 7,
        Rarity::Uncommon => 4,
        Rarity::Common => 2,
        Rarity::Special => 3,
        _ => 0,
    };
    let power = if card.kind == CardType::Power { 10 } else { 0 };
    let cost = i32::from(card.forms[form].cost.clamp(0, 4));
    bounded(sizes.damage + sizes.block + sizes.other + bonus + power - 4 * cost)
}

/// Cards may do as much as they like; to compare them less will do.
fn bounded(number: i32) -> i16 {
    number.clamp(-9999, 9999) as i16
}
