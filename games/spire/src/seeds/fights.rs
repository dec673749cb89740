//! The fights of an act: weak ones, strong ones, elites and bosses, listed in advance.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use turnstone::dice::{Draw, Lots};

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
    pub bosses: SmallVec<[FightNo; 3]>,
    /// Normal fights met so far.
    pub(crate) monsters_met: u8,
    /// Elite fights met so far.
    pub(crate) elites_met: u8,
}

const ELITES: usize = 10;
const STRONG_AFTER_FIRST: usize = 12;

impl Fights {
    /// The fights that are to come in another order; the first boss is known.
    pub(crate) fn reshuffle(&mut self, lots: &mut Lots) {
        self.sort();
        self.still_ahead().into_iter().for_each(|fights| lots.shuffle(fights));
    }

    /// The fights that are to come in the order of their numbers.
    pub fn sort(&mut self) {
        self.still_ahead().into_iter().for_each(|fights| fights.sort_unstable());
    }

    fn still_ahead(&mut self) -> [&mut [FightNo]; 3] {
        let (monsters, elites) = (usize::from(self.monsters_met), usize::from(self.elites_met));
        [(&mut self.monsters[..], monsters), (&mut self.elites[..], elites), (&mut self.bosses[..], 1)]
            .map(|(fights, met)| fights.get_mut(met..).unwrap_or_default())
    }

    pub(super) fn new(act: u8, tables: &ActTables, rules: Rules, monster: &mut Stream) -> Self {
        let mut monsters = SmallVec::new();
        extend(&mut monsters, &tables.weak, tables.weak_count, 2, monster);
        monsters.push(first_strong(act, tables, rules, &monsters, monster));
        extend(&mut monsters, &tables.strong, STRONG_AFTER_FIRST, 2, monster);
        let mut elites = SmallVec::new();
        extend(&mut elites, &tables.elites, ELITES, 1, monster);
        let mut bosses = SmallVec::from_slice(&tables.bosses);
        java_shuffle(&mut bosses, monster.long());
        Fights { monsters, elites, bosses, monsters_met: 0, elites_met: 0 }
    }

    /// The lists of an act in which only one elite and one boss live.
    pub(super) fn fixed(elite: FightNo, boss: FightNo) -> Self {
        Fights {
            monsters: SmallVec::new(),
            elites: SmallVec::from_slice(&[elite]),
            bosses: SmallVec::from_slice(&[boss]),
            monsters_met: 0,
            elites_met: 0,
        }
    }

    /// The boss that comes as the first, the second; the first again where there is no other.
    pub fn boss(&self, which: usize) -> FightNo {
        self.bosses.get(which).or(self.bosses.first()).copied().unwrap_or_default()
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
    // A list too short to avoid its last ones avoids as many as it can.
    let memory = memory.min(rolls.possible().count().saturating_sub(1));
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
    let excluded = excluded.filter(|(_, list)| tables.strong.possible().any(|fight| !list.contains(&fight)));
    loop {
        let fight = tables.strong.pick(monster.k24());
        if !honoured || excluded.is_none_or(|(_, list)| !list.contains(&fight)) {
            return fight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::bench::run;
    use crate::seeds::{Streams, Tables};

    fn lists(act: u8, seed: u64, rules: Rules) -> Fights {
        Fights::new(act, Tables::embedded().act(act), rules, &mut Streams::new(seed).monster)
    }

    fn names(list: &[FightNo]) -> Vec<&'static str> {
        list.iter().map(|fight| Tables::embedded().fights.name(*fight)).collect()
    }

    #[test]
    fn nothing_comes_again_too_soon() {
        for seed in 0..300 {
            for act in 1..=3 {
                let fights = lists(act, seed, Rules::Original);
                let weak = if act == 1 { 3 } else { 2 };
                assert_eq!(fights.monsters.len(), weak + 13);
                for (i, fight) in fights.monsters.iter().enumerate().filter(|(i, _)| *i != weak) {
                    assert!(!fights.monsters[i.saturating_sub(2)..i].contains(fight), "{seed} {act} {i}");
                }
                assert!(fights.elites.windows(2).all(|pair| pair[0] != pair[1]), "{seed} {act}");
            }
        }
    }

    #[test]
    fn the_first_strong_fight_is_no_bigger_version_of_the_last_weak_one() {
        let rows: [(u8, &str, &[&str]); 7] = [
            (1, "small_slimes", &["large_slime", "lots_of_slimes"]),
            (1, "two_louse", &["three_louse"]),
            (2, "spheric_guardian", &["sentry_and_sphere"]),
            (2, "three_byrds", &["chosen_and_byrds"]),
            (2, "chosen", &["chosen_and_byrds", "cultist_and_chosen"]),
            (3, "three_darklings", &["three_darklings"]),
            (3, "three_shapes", &["four_shapes"]),
        ];
        for (act, last, excluded) in rows {
            let weak = if act == 1 { 3 } else { 2 };
            let clashes = |rules| {
                let clash = |seed: &u64| {
                    let fights = lists(act, *seed, rules);
                    let list = names(&fights.monsters);
                    list[weak - 1] == last && excluded.contains(&list[weak])
                };
                (0..3_000).filter(clash).count()
            };
            assert_eq!(clashes(Rules::Original), 0, "{last}");
            // The simulator knows the rows of the first act only.
            assert_eq!(clashes(Rules::Simulator) > 0, act > 1, "{last}");
        }
    }

    #[test]
    fn used_up_lists_go_on() {
        let mut fate = run(0, Rules::Original);
        let tables = Tables::embedded();
        let (mut fights, mut elites) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            fights.push(fate.next_monster(tables));
            elites.push(fate.next_elite(tables));
        }
        assert_eq!(fights[..16], fate.fights.monsters[..16]);
        assert!(elites.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
