//! Everything of a run that its seed decides, as plain data.

use serde::{Deserialize, Serialize};

use super::fights::Fights;
use super::ids::{CardNo, Character, FightNo, Rules};
use super::map::{BOSS_ROW, ENDING_BOSS_ROW, Map};
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
    pub potion_chance: i8,
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
    pub character: Character,
    /// Ascension, 0 to 20.
    pub ascension: u8,
    /// Whose rules.
    pub rules: Rules,
}

/// The seed of a run unrolled: streams with their counters, pools, lists, map.
///
/// Every draw is a method that changes this value and nothing else.
///
/// ```
/// use turnstone_spire::seeds::{Character, Fate, Rules, RunSetup, Tables};
/// let tables = Tables::embedded();
/// let setup = RunSetup { seed: 1, character: Character::Ironclad, ascension: 0, rules: Rules::Original };
/// let fate = Fate::new(tables, setup);
/// assert_eq!(tables.fights.name(fate.boss()), "slime_boss");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fate {
    /// The seed.
    pub seed: u64,
    /// The character.
    pub character: Character,
    /// Ascension, 0 to 20.
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
    pub neow: [NeowOption; 4],
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
            neow: neow::options(&mut streams.neow),
            map: Shared::new(Map::generate(seed, 1, ascension, rules)),
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
        *self.map = Map::generate(self.seed, self.act, self.ascension, self.rules);
        *self.fights = Fights::new(self.act, tables.act(self.act), self.rules, &mut self.streams.monster);
        self.events.enter_act(tables, self.act, self.rules);
        self.colorless.clear();
        self.drift.potion_chance = 0;
        self.drift.unknown = Misses::default();
    }

    /// The last act: a straight way past one elite to the heart.
    fn begin_ending(&mut self, tables: &Tables) {
        let [elite, boss] = tables.ending;
        *self.map = Map::ending();
        *self.fights = Fights::fixed(elite, boss);
        self.drift.potion_chance = 0;
        self.drift.unknown = Misses::default();
    }

    /// The row of the boss on this act's map.
    pub fn boss_row(&self) -> u8 {
        if self.act > 3 { ENDING_BOSS_ROW } else { BOSS_ROW }
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
        self.fights.bosses[0]
    }

    /// The second boss, at ascension 20 in the third act.
    pub fn second_boss(&self) -> Option<FightNo> {
        (self.act == 3 && self.ascension >= 20).then_some(self.fights.bosses[1])
    }
}
