//! The fights of an act: weak ones, strong ones, elites and bosses, listed in advance.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::ids::{FightNo, Rules};
use super::java::java_shuffle;
use super::stream::Stream;
use super::tables::{ActTables, RollList};

/// The lists of an act and how far they were used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fights {
    /// Normal fights in order.
    pub monsters: SmallVec<[FightNo; 16]>,
    /// Elite fights in order.
    pub elites: SmallVec<[FightNo; 10]>,
    /// Bosses; the first is fought, from ascension 20 in act 3 the second too.
    pub bosses: [FightNo; 3],
    /// Normal fights met so far.
    pub monsters_met: u8,
    /// Elite fights met so far.
    pub elites_met: u8,
}

const ELITES: usize = 10;
const STRONG_AFTER_FIRST: usize = 12;

impl Fights {
    pub(super) fn new(act: u8, tables: &ActTables, rules: Rules, monster: &mut Stream) -> Self {
        let mut monsters = SmallVec::new();
        extend(&mut monsters, &tables.weak, tables.weak_count, 2, monster);
        monsters.push(first_strong(act, tables, rules, &monsters, monster));
        extend(&mut monsters, &tables.strong, STRONG_AFTER_FIRST, 2, monster);
        let mut elites = SmallVec::new();
        extend(&mut elites, &tables.elites, ELITES, 1, monster);
        let mut bosses = tables.bosses;
        java_shuffle(&mut bosses, monster.long());
        Fights { monsters, elites, bosses, monsters_met: 0, elites_met: 0 }
    }

    /// The lists of an act in which only one elite and one boss live.
    pub(super) fn fixed(elite: FightNo, boss: FightNo) -> Self {
        Fights {
            monsters: SmallVec::new(),
            elites: SmallVec::from_slice(&[elite]),
            bosses: [boss; 3],
            monsters_met: 0,
            elites_met: 0,
        }
    }

    /// The next normal fight; a used-up list is continued with strong ones.
    pub fn next_monster(&mut self, tables: &ActTables, monster: &mut Stream) -> FightNo {
        let at = usize::from(self.monsters_met);
        if at >= self.monsters.len() {
            extend(&mut self.monsters, &tables.strong, STRONG_AFTER_FIRST, 2, monster);
        }
        self.monsters_met = self.monsters_met.saturating_add(1);
        self.monsters[at]
    }

    /// The next elite fight; a used-up list is continued.
    pub fn next_elite(&mut self, tables: &ActTables, monster: &mut Stream) -> FightNo {
        let at = usize::from(self.elites_met);
        if at >= self.elites.len() {
            extend(&mut self.elites, &tables.elites, ELITES, 1, monster);
        }
        self.elites_met = self.elites_met.saturating_add(1);
        self.elites[at]
    }
}

/// Appends rolls; one that equals any of the last `memory` entries is thrown away and rolled again.
fn extend<A: smallvec::Array<Item = FightNo>>(
    list: &mut SmallVec<A>,
    rolls: &RollList,
    count: usize,
    memory: usize,
    monster: &mut Stream,
) {
    let end = list.len() + count;
    while list.len() < end {
        let fight = rolls.pick(monster.k24());
        if !list.iter().rev().take(memory).any(|&f| f == fight) {
            list.push(fight);
        }
    }
}

/// The first strong fight may not be a bigger version of the last weak one.
fn first_strong(
    act: u8,
    tables: &ActTables,
    rules: Rules,
    monsters: &[FightNo],
    monster: &mut Stream,
) -> FightNo {
    let honoured = act == 1 || rules.original();
    let excluded = tables.not_after.iter().find(|(weak, _)| monsters.last() == Some(weak));
    loop {
        let fight = tables.strong.pick(monster.k24());
        if !honoured || excluded.is_none_or(|(_, list)| !list.contains(&fight)) {
            return fight;
        }
    }
}
