//! Everything of a run that its seed decides, as plain data.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fights::Fights;
use super::ids::{CardNo, CharacterNo, FightNo, Rules};
use super::map::{BOSS_ROW, Map};
use super::neow::{self, NeowOption};
use super::relics::RelicPools;
use super::rewards::RARITY_OFFSET_START;
use super::shared::Shared;
use super::stream::Streams;
use super::tables::Tables;
use super::unknown::{EventLists, Misses};

/// Chances that move with what was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Drift {
    /// Added to the 40 percent of a potion drop.
    pub potion_chance: i16,
    /// Added to every rarity roll of cards.
    pub rarity_offset: i8,
    /// Unknown rooms.
    pub unknown: Misses,
}

/// What a new run is made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RunSetup {
    /// The seed.
    pub seed: u64,
    /// The character.
    pub character: CharacterNo,
    /// Ascension, from 0 on.
    pub ascension: u8,
    /// Whose rules.
    pub rules: Rules,
}

/// The seed of a run unrolled: streams with their counters, pools, lists, map.
///
/// Every draw is a method that changes this value and nothing else.
///
/// ```
/// use turnstone_spire::seeds::{Fate, Rules, RunSetup, Tables};
/// let tables = Tables::embedded();
/// let character = tables.characters.find("ironclad").unwrap();
/// let setup = RunSetup { seed: 1, character, ascension: 0, rules: Rules::Original };
/// let fate = Fate::new(tables, setup);
/// assert_eq!(tables.fights.name(fate.boss()), "slime_boss");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fate {
    /// The seed.
    pub seed: u64,
    /// The character.
    pub character: CharacterNo,
    /// Ascension, from 0 on.
    pub ascension: u8,
    /// Whose rules.
    pub rules: Rules,
    /// Act, from 1.
    pub act: u8,
    /// The number sources.
    pub streams: Streams,
    /// Chances that move.
    pub drift: Drift,
    /// Relic pools.
    pub relics: Shared<RelicPools>,
    /// Neow's offers.
    pub neow: SmallVec<[NeowOption; 4]>,
    /// The map of this act.
    pub map: Shared<Map>,
    /// The fights of this act.
    pub fights: Shared<Fights>,
    /// Events still to come.
    pub events: Shared<EventLists>,
    /// The memory game's colorless list once it was shuffled in this act.
    pub colorless: Vec<CardNo>,
}

impl Fate {
    /// A new run: Neow's offers, pools, and the first act.
    pub fn new(tables: &Tables, setup: RunSetup) -> Fate {
        let RunSetup { seed, character, ascension, rules } = setup;
        let mut streams = Streams::new(seed);
        Fate {
            seed,
            character,
            ascension,
            rules,
            act: 1,
            relics: Shared::new(RelicPools::new(tables, character, rules, &mut streams.relic)),
            neow: neow::options(tables, &mut streams.neow),
            map: Shared::new(Map::generate(&tables.map_plan(1, ascension), seed, rules)),
            fights: Shared::new(Fights::new(1, tables.act(1), rules, &mut streams.monster)),
            events: Shared::new(EventLists::new(tables, 1, ascension, rules)),
            colorless: Vec::new(),
            drift: Drift { potion_chance: 0, rarity_offset: RARITY_OFFSET_START, unknown: Misses::default() },
            streams,
        }
    }

    /// Renews the streams that live for one floor.
    pub fn enter_floor(&mut self, floor: u8) {
        self.streams.enter_floor(self.seed, floor);
    }

    /// Moves on to the next act: a new map, new fights and events, chances reset.
    pub fn next_act(&mut self, tables: &Tables) {
        self.act += 1;
        self.round_card_counter();
        if self.act > 3 {
            return self.begin_ending(tables);
        }
        let plan = tables.map_plan(self.act, self.ascension);
        *self.map = Map::generate(&plan, self.seed, self.rules);
        *self.fights = Fights::new(self.act, tables.act(self.act), self.rules, &mut self.streams.monster);
        self.events.enter_act(tables, self.act, self.rules);
        self.colorless.clear();
        self.drift.potion_chance = 0;
        self.drift.unknown = Misses::default();
    }

    /// The last act: a straight way to its boss.
    fn begin_ending(&mut self, tables: &Tables) {
        let [elite, boss] = tables.ending.each_ref().map(|fights| match fights[..] {
            [only] => only,
            _ => fights[self.streams.monster.index(fights.len())],
        });
        *self.map = Map::line(&tables.way);
        *self.fights = Fights::fixed(elite, boss);
        self.drift.potion_chance = 0;
        self.drift.unknown = Misses::default();
    }

    /// The row of the boss on this act's map.
    pub fn boss_row(&self) -> u8 {
        if self.act > 3 { self.map.height() } else { BOSS_ROW }
    }

    /// Card draws of different acts begin at round counters: 250, 500, 750.
    fn round_card_counter(&mut self) {
        let counter = self.streams.card.counter();
        let untouched = self.rules.original() && counter.is_multiple_of(250);
        if let Some(target) = [250, 500, 750].into_iter().find(|t| counter < *t && !untouched) {
            self.streams.card.advance_to(target);
        }
    }

    /// The next normal fight.
    pub fn next_monster(&mut self, tables: &Tables) -> FightNo {
        self.fights.next_monster(tables.act(self.act), &mut self.streams.monster)
    }

    /// The next elite fight.
    pub fn next_elite(&mut self, tables: &Tables) -> FightNo {
        self.fights.next_elite(tables.act(self.act), &mut self.streams.monster)
    }

    /// The boss of this act.
    pub fn boss(&self) -> FightNo {
        self.fights.boss(0)
    }

    /// The second boss of the third act, where there are two.
    pub fn second_boss(&self, tables: &Tables) -> Option<FightNo> {
        (self.act == 3 && tables.hardship(self.ascension).bosses > 1).then(|| self.fights.boss(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::bench::{original, run};

    #[test]
    fn a_new_act_rounds_the_counter_of_cards_up() {
        for (counter, in_original, simulated) in [
            (0, 0, 250),
            (1, 250, 250),
            (249, 250, 250),
            (250, 250, 500),
            (251, 500, 500),
            (500, 500, 750),
            (700, 750, 750),
            (750, 750, 750),
            (800, 800, 800),
        ] {
            for (rules, expected) in [(Rules::Original, in_original), (Rules::Simulator, simulated)] {
                let mut fate = run(0, rules);
                fate.streams.card.advance_to(counter);
                fate.next_act(Tables::embedded());
                assert_eq!(fate.streams.card.counter(), expected, "{counter} by {rules:?}");
            }
        }
    }

    #[test]
    fn a_new_act_resets_chances_but_not_the_rarity_of_cards() {
        let mut fate = original();
        let met = fate.events.one_time[0];
        fate.events.forget(met);
        fate.drift = Drift {
            potion_chance: 30,
            rarity_offset: -12,
            unknown: Misses { monster: 4, shop: 2, treasure: 1 },
        };
        fate.colorless = vec![CardNo(1)];
        let other_streams = (fate.streams.relic, fate.streams.treasure, fate.streams.event);
        fate.next_act(Tables::embedded());
        let expected = Drift { potion_chance: 0, rarity_offset: -12, unknown: Misses::default() };
        assert_eq!(fate.drift, expected);
        assert!(fate.colorless.is_empty(), "the memory game's list is in base order again");
        assert!(!fate.events.one_time.contains(&met), "what comes once per run has come");
        assert_eq!((fate.streams.relic, fate.streams.treasure, fate.streams.event), other_streams);
        assert_eq!((fate.fights.monsters.len(), fate.fights.elites.len()), (15, 10));
    }

    #[test]
    fn the_last_act_is_a_line_of_four() {
        let mut fate = original();
        (0..3).for_each(|_| fate.next_act(Tables::embedded()));
        let rooms: Vec<_> = fate.map.nodes().filter_map(|(_, node)| node.room).collect();
        use crate::seeds::Room::{Elite, Rest, Shop};
        assert_eq!((rooms, fate.boss_row()), (vec![Rest, Shop, Elite], 3));
        let names = &Tables::embedded().fights;
        assert_eq!(names.name(fate.next_elite(Tables::embedded())), "shield_and_spear");
        assert_eq!(names.name(fate.boss()), "the_heart");
        assert_eq!(fate.map.burning, None);
    }

    #[test]
    fn two_bosses_wait_at_ascension_20_in_the_third_act_only() {
        for ascension in [19, 20] {
            let mut fate = run(ascension, Rules::Original);
            for act in 1..=3 {
                assert_eq!(
                    fate.second_boss(Tables::embedded()).is_some(),
                    act == 3 && ascension == 20,
                    "{act} {ascension}"
                );
                fate.next_act(Tables::embedded());
            }
        }
    }

    #[test]
    fn three_streams_live_for_a_floor_and_the_others_for_the_run() {
        let mut fate = original();
        fate.enter_floor(3);
        let third = crate::seeds::Stream::new(fate.seed + 3);
        let s = &fate.streams;
        assert_eq!((s.misc, s.shuffle, s.card_random), (third, third, third));
        assert_eq!(s.treasure, crate::seeds::Stream::new(fate.seed));
    }
}
