//! The numbers that content may say: what is beyond them cannot be played.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use turnstone_content::{Document, Problem, Tree};

type Limit = (&'static str, RangeInclusive<i64>);

const HP: Limit = ("hp", 1..=9999);
const AC: Limit = ("ac", 0..=99);
const SPEED: Limit = ("speed", 0..=99);
const MODIFIER: RangeInclusive<i64> = -99..=99;
const TURNS: RangeInclusive<i64> = 0..=999;
const POINTS: RangeInclusive<i64> = 0..=1_000_000;
const SHARE: RangeInclusive<i64> = 0..=1000;

pub const MONSTER: [Limit; 4] = [HP, AC, SPEED, ("attack", MODIFIER)];
pub const CLASS: [Limit; 5] = [HP, AC, SPEED, ("attack", MODIFIER), ("reach", 0..=99)];
pub const ABILITY: [Limit; 4] =
    [("range", 0..=99), ("bonus", MODIFIER), ("cooldown", TURNS), ("turns", TURNS)];
pub const CONDITION: [Limit; 3] = [("attack", MODIFIER), ("ac", MODIFIER), ("duration", TURNS)];
pub const DIFFICULTY: [Limit; 6] = [
    ("attack_percent", 0..=100),
    ("ability_percent", 0..=100),
    ("attack", MODIFIER),
    ("damage", MODIFIER),
    ("ac", MODIFIER),
    ("health_percent", 1..=1000),
];
pub const MODULE: [Limit; 2] = [("flat_damage", 0..=9999), SPEED];
/// What costs nothing would be bought without end.
pub const XP: [Limit; 4] = [
    ("minion", 1..=1_000_000),
    ("standard", 1..=1_000_000),
    ("elite", 1..=1_000_000),
    ("boss", 1..=1_000_000),
];
pub const TEMPLATE: [Limit; 4] = [("minion", SHARE), ("standard", SHARE), ("elite", SHARE), ("boss", SHARE)];

/// The budgets, whose names are the author's.
pub fn budget(document: &mut Document, problems: &mut Vec<Problem>) -> Option<BTreeMap<String, i64>> {
    if let Some(Tree::Table(rows)) = document.node("budget").map(|node| &node.value) {
        for (.., node) in rows {
            if let Tree::Int(number) = node.value
                && !POINTS.contains(&number)
            {
                problems.push(Problem::beyond(&node.place, &POINTS, number));
            }
        }
    }
    document.value("budget", problems)
}
