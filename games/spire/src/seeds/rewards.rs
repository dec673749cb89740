//! Rewards of fights and chests: gold, potions with a drifting chance, cards with a drifting rarity.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CardNo, PotionNo, Rarity, RelicNo, Tier, words};
use super::map::half_up;
use super::neow::{draw_new, transform_into};
use super::relics::End;
use super::tables::Tables;

/// A card on offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct OfferedCard {
    /// Which.
    pub card: CardNo,
    /// The rarity that was rolled for it.
    pub rarity: Rarity,
    /// Whether it comes upgraded.
    pub upgraded: bool,
}

/// Cards to choose one of.
pub type CardOffer = SmallVec<[OfferedCard; 4]>;

/// Which table of rarities a reward uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardOdds {
    /// Fights, events, rests.
    Normal,
    /// Elites.
    Elite,
    /// Bosses: rare only.
    Boss,
}

words! {
    /// Chests by size.
    ChestSize {
        /// Every second one.
        Small = "small",
        /// Every third.
        Medium = "medium",
        /// The rest.
        Large = "large",
    }
}

/// A chest as it stands in the room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Chest {
    /// How big.
    pub size: ChestSize,
    /// Whether gold lies in it beside the relic.
    pub has_gold: bool,
    /// The tier of the relic.
    pub tier: Tier,
}

impl Chest {
    /// Second roll below: gold, common relic, uncommon relic; and the gold's middle.
    const fn numbers(size: ChestSize) -> (i32, i32, i32, f32) {
        match size {
            ChestSize::Small => (50, 75, 100, 25.0),
            ChestSize::Medium => (35, 35, 85, 50.0),
            ChestSize::Large => (50, 0, 75, 75.0),
        }
    }
}

/// Rarities move down by one for every common card, back to this after a rare one.
pub const RARITY_OFFSET_START: i8 = 5;
const RARITY_OFFSET_LOWEST: i8 = -40;

impl Fate {
    /// Gold of a normal fight.
    pub fn monster_gold(&mut self) -> u32 {
        self.streams.treasure.int(10, 20) as u32
    }

    /// Gold of an elite.
    pub fn elite_gold(&mut self) -> u32 {
        self.streams.treasure.int(25, 35) as u32
    }

    /// Gold of a boss.
    pub fn boss_gold(&mut self) -> u32 {
        let gold = 100 + self.streams.misc.int(-5, 5);
        if self.ascension >= 13 { half_up(gold as f32 * 0.75) as u32 } else { gold as u32 }
    }

    /// The potion test after a fight. `certain`: a relic guarantees the drop; `listed`: rewards so far.
    pub fn potion_drop(&mut self, tables: &Tables, certain: bool, listed: usize) -> Option<PotionNo> {
        let chance = match (certain, listed >= 4) {
            (_, true) => 0,
            (true, _) => 100,
            _ => 40 + i32::from(self.drift.potion_chance),
        };
        if self.streams.potion.percent() >= chance {
            self.drift.potion_chance = self.drift.potion_chance.saturating_add(10);
            return None;
        }
        self.drift.potion_chance = self.drift.potion_chance.saturating_sub(10);
        Some(self.roll_potion(tables))
    }

    /// A potion by rarity: drawn again and again until the rarity fits.
    pub fn roll_potion(&mut self, tables: &Tables) -> PotionNo {
        let rarity = match self.streams.potion.percent() {
            0..65 => Rarity::Common,
            65..90 => Rarity::Uncommon,
            _ => Rarity::Rare,
        };
        loop {
            let potion = self.any_potion(tables);
            if tables.potion_rarity(potion) == rarity {
                return potion;
            }
        }
    }

    /// Any potion, all equally likely.
    pub fn any_potion(&mut self, tables: &Tables) -> PotionNo {
        let list = &tables.of(self.character).potions;
        list[self.streams.potion.index(list.len())]
    }

    /// A card reward. `rare_factor` multiplies the bound below which a card is rare.
    pub fn card_reward(
        &mut self,
        tables: &Tables,
        odds: CardOdds,
        count: usize,
        rare_factor: i32,
    ) -> CardOffer {
        let lists = &tables.of(self.character).by_rarity;
        self.card_reward_from(lists, odds, count, rare_factor)
    }

    /// A card reward from other lists than the character's own.
    pub fn card_reward_from(
        &mut self,
        lists: &[Vec<CardNo>; 3],
        odds: CardOdds,
        count: usize,
        rare_factor: i32,
    ) -> CardOffer {
        let mut offer = CardOffer::new();
        for _ in 0..count {
            let rarity = self.roll_card_rarity(odds, rare_factor);
            let card = draw_new(&mut self.streams.card, &lists[rarity as usize], &offer);
            offer.push(OfferedCard { card, rarity, upgraded: false });
        }
        let chance = self.upgrade_chance();
        for offered in offer.iter_mut().filter(|o| o.rarity != Rarity::Rare) {
            // In act 1 nothing is upgraded, but the draw is made all the same.
            offered.upgraded = self.streams.card.chance(chance);
        }
        offer
    }

    fn roll_card_rarity(&mut self, odds: CardOdds, rare_factor: i32) -> Rarity {
        let r = self.streams.card.percent() + i32::from(self.drift.rarity_offset);
        let rarity = match odds {
            CardOdds::Boss => Rarity::Rare,
            CardOdds::Elite => rarity_below(r, 10 * rare_factor, 50),
            CardOdds::Normal => rarity_below(r, 3 * rare_factor, 40),
        };
        match rarity {
            Rarity::Common => {
                self.drift.rarity_offset = (self.drift.rarity_offset - 1).max(RARITY_OFFSET_LOWEST);
            }
            Rarity::Uncommon => {}
            Rarity::Rare => self.drift.rarity_offset = RARITY_OFFSET_START,
        }
        rarity
    }

    fn upgrade_chance(&self) -> f32 {
        let whole = match self.act {
            1 => 0.0,
            2 => 0.25,
            _ => 0.5,
        };
        if self.ascension >= 12 { whole / 2.0 } else { whole }
    }

    /// A random curse.
    pub fn random_curse(&mut self, tables: &Tables) -> CardNo {
        tables.curses[self.streams.card.index(tables.curses.len())]
    }

    /// What an event turns a card into: one draw of the floor's own stream.
    pub fn event_transform(&mut self, tables: &Tables, old: CardNo) -> CardNo {
        let list = if tables.curses.contains(&old) {
            &tables.curses
        } else if tables.colorless_transform.contains(&old) {
            &tables.colorless_transform
        } else {
            &tables.of(self.character).transform
        };
        transform_into(&mut self.streams.misc, list, old)
    }

    /// The chest of a treasure room, made on entering.
    pub fn make_chest(&mut self) -> Chest {
        let size = match self.streams.treasure.percent() {
            0..50 => ChestSize::Small,
            50..83 => ChestSize::Medium,
            _ => ChestSize::Large,
        };
        let v = self.streams.treasure.percent();
        let (gold, common, uncommon, _) = Chest::numbers(size);
        let tier = match v {
            v if v < common => Tier::Common,
            v if v < uncommon => Tier::Uncommon,
            _ => Tier::Rare,
        };
        Chest { size, has_gold: v < gold, tier }
    }

    /// Opens a chest: its gold, if any, and its relic.
    pub fn open_chest(
        &mut self,
        tables: &Tables,
        holder: &Holder<'_>,
        chest: Chest,
    ) -> (Option<u32>, RelicNo) {
        let gold = chest.has_gold.then(|| {
            let middle = Chest::numbers(chest.size).3;
            half_up(self.streams.treasure.range(middle * 0.9, middle * 1.1)) as u32
        });
        (gold, self.take_relic(tables, holder, chest.tier, End::Front))
    }
}

fn rarity_below(r: i32, rare: i32, uncommon: i32) -> Rarity {
    match r {
        r if r < rare => Rarity::Rare,
        r if r < uncommon => Rarity::Uncommon,
        _ => Rarity::Common,
    }
}
