//! The merchant's stock and prices.

use serde::{Deserialize, Serialize};

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CardNo, PotionNo, Rarity, RelicNo, Rules, Tier};
use super::relics::End;
use super::tables::Hardship;
use super::tables::Tables;
use crate::catalog::words::CardType;
use crate::floats::Single;

/// A card for sale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ShopCard {
    /// Which.
    pub card: CardNo,
    /// The rarity its price comes from.
    pub rarity: Rarity,
    /// Price after the sale, before ascension and discounts.
    pub base_price: u32,
}

/// A relic for sale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ShopRelic {
    /// Which.
    pub relic: RelicNo,
    /// Price before ascension and discounts.
    pub base_price: u32,
}

/// A potion for sale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ShopPotion {
    /// Which.
    pub potion: PotionNo,
    /// Price before ascension and discounts.
    pub base_price: u32,
}

/// The stock of a shop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stock {
    /// Two attacks, two skills, a power, two colorless cards.
    pub cards: [ShopCard; 7],
    /// Two of any tier, one of the shop's own.
    pub relics: [ShopRelic; 3],
    /// Three potions.
    pub potions: [ShopPotion; 3],
    /// The card on sale.
    pub sale_slot: u8,
}

impl Fate {
    /// Makes the stock of a shop, in the original's order of draws.
    pub fn make_shop(&mut self, tables: &Tables, holder: &Holder<'_>) -> Stock {
        let drawn = self.shop_cards(tables);
        let mut slot = 0;
        let mut cards = drawn.map(|(card, rarity)| {
            let base_price = self.card_price(rarity, slot >= 5);
            slot += 1;
            ShopCard { card, rarity, base_price }
        });
        let sale_slot = self.streams.merchant.index(5);
        cards[sale_slot].base_price /= 2;
        let relics = [self.tiered_relic(tables, holder), self.tiered_relic(tables, holder), {
            let relic = self.take_relic(tables, holder, Tier::Shop, End::Back);
            ShopRelic { relic, base_price: self.vary(150) }
        }];
        let potions = [(); 3].map(|()| self.shop_potion(tables));
        Stock { cards, relics, potions, sale_slot: sale_slot as u8 }
    }

    fn shop_cards(&mut self, tables: &Tables) -> [(CardNo, Rarity); 7] {
        let attack = self.shop_card(tables, CardType::Attack);
        let second_attack = self.other_shop_card(tables, CardType::Attack, attack.0);
        let skill = self.shop_card(tables, CardType::Skill);
        let second_skill = self.other_shop_card(tables, CardType::Skill, skill.0);
        let power = self.shop_card(tables, CardType::Power);
        let uncommon = self.colorless_card(tables, Rarity::Uncommon);
        let rare = self.colorless_card(tables, Rarity::Rare);
        let colorless = [(uncommon, Rarity::Uncommon), (rare, Rarity::Rare)];
        [attack, second_attack, skill, second_skill, power, colorless[0], colorless[1]]
    }

    /// A card of a type with a rolled rarity; no power is common.
    pub(crate) fn shop_card(&mut self, tables: &Tables, kind: CardType) -> (CardNo, Rarity) {
        let rolled = match self.streams.card.percent() + i32::from(self.drift.rarity_offset) {
            r if r < 9 => Rarity::Rare,
            r if r >= 46 => Rarity::Common,
            _ => Rarity::Uncommon,
        };
        let too_common = kind == CardType::Power && rolled == Rarity::Common;
        let rarity = if too_common { Rarity::Uncommon } else { rolled };
        let list = &tables.of(self.character).by_type[kind as usize][rarity as usize];
        (list[self.streams.card.index(list.len())], rarity)
    }

    fn other_shop_card(&mut self, tables: &Tables, kind: CardType, not: CardNo) -> (CardNo, Rarity) {
        let no_other =
            tables.of(self.character).by_type[kind as usize].iter().flatten().all(|card| *card == not);
        loop {
            let drawn = self.shop_card(tables, kind);
            if no_other || drawn.0 != not {
                return drawn;
            }
        }
    }

    /// A colorless card of a rarity (uncommon or rare).
    pub(crate) fn colorless_card(&mut self, tables: &Tables, rarity: Rarity) -> CardNo {
        let list = &tables.colorless[usize::from(rarity == Rarity::Rare)];
        list[self.streams.card.index(list.len())]
    }

    /// The price of a card: 50, 75 or 150, a tenth up or down; colorless ones a fifth dearer.
    pub(crate) fn card_price(&mut self, rarity: Rarity, colorless: bool) -> u32 {
        let base = Single::whole([50, 75, 150][rarity as usize]);
        let price = base.times(self.streams.merchant.range(Single::percent(90), Single::percent(110)));
        let price = if colorless { price.times(Single::percent(120)) } else { price };
        price.floor() as u32
    }

    /// A relic for one of the two open slots, with its price.
    pub(crate) fn tiered_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> ShopRelic {
        let tier = match self.streams.merchant.percent() {
            0..48 => Tier::Common,
            48..82 => Tier::Uncommon,
            _ => Tier::Rare,
        };
        let relic = self.take_relic(tables, holder, tier, End::Back);
        let base = match tables.tier(relic) {
            Some(Tier::Common | Tier::Shop) => 150,
            Some(Tier::Uncommon) => 250,
            _ => 300,
        };
        ShopRelic { relic, base_price: self.vary(base) }
    }

    /// A potion with its price.
    pub(crate) fn shop_potion(&mut self, tables: &Tables) -> ShopPotion {
        let potion = self.roll_potion(tables);
        let base = [50, 75, 100][tables.potion_rarity(potion) as usize];
        ShopPotion { potion, base_price: self.vary(base) }
    }

    fn vary(&mut self, base: i32) -> u32 {
        let factor = self.streams.merchant.range(Single::percent(95), Single::percent(105));
        Single::whole(base).times(factor).half_up() as u32
    }
}

/// The price to pay for a base price, before relics have their say.
pub fn price(base: u32, hardship: &Hardship, rules: Rules) -> u32 {
    let percent = match hardship.prices {
        // The simulator's slip: what ought to be dearer is cheaper there.
        dearer if dearer > 100 && !rules.original() => 80,
        percent => percent,
    };
    Single::whole(base as i32).times(Single::percent(percent)).half_up().max(0) as u32
}

/// The price of removing a card before relics have their say: dearer every time, untouched by ascension.
pub fn removal_price(removals: u32) -> u32 {
    75 + 25 * removals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::bench::{NOBODY, original, rolling};
    use crate::seeds::{Stream, Streams};

    #[test]
    fn a_shop_takes_sixteen_draws_of_the_merchant() {
        for seed in 0..50 {
            let mut fate = original();
            fate.streams = Streams::new(seed);
            let stock = fate.make_shop(Tables::embedded(), &NOBODY);
            assert_eq!(fate.streams.merchant.counter(), 16);
            assert_eq!(fate.drift.rarity_offset, 5, "looking at wares changes no odds");
            assert_ne!(stock.cards[0].card, stock.cards[1].card);
            assert_ne!(stock.cards[2].card, stock.cards[3].card);
            assert_ne!(stock.cards[4].rarity, Rarity::Common, "no power is common");
            assert_eq!((stock.cards[5].rarity, stock.cards[6].rarity), (Rarity::Uncommon, Rarity::Rare));
            assert_eq!(Tables::embedded().tier(stock.relics[2].relic), Some(Tier::Shop));
        }
    }

    #[test]
    fn prices_stay_within_their_spread_and_one_card_is_half() {
        for seed in 0..200 {
            let mut fate = original();
            fate.streams.merchant = Stream::new(seed);
            let stock = fate.make_shop(Tables::embedded(), &NOBODY);
            for (slot, card) in stock.cards.iter().enumerate() {
                let base = [50, 75, 150][card.rarity as usize] * if slot >= 5 { 6 } else { 5 };
                let half = if slot == usize::from(stock.sale_slot) { 2 } else { 1 };
                let (least, most) = (base * 9 / 50 / half, base * 11 / 50 / half);
                assert!((least..=most).contains(&card.base_price), "slot {slot}: {card:?}");
            }
            for potion in &stock.potions {
                let base = [50, 75, 100][Tables::embedded().potion_rarity(potion.potion) as usize];
                assert!((base * 95 / 100..=base * 105 / 100 + 1).contains(&potion.base_price), "{potion:?}");
            }
            for relic in &stock.relics {
                let base = match Tables::embedded().tier(relic.relic) {
                    Some(Tier::Uncommon) => 250,
                    Some(Tier::Rare) => 300,
                    _ => 150,
                };
                assert!((base * 95 / 100..=base * 105 / 100 + 1).contains(&relic.base_price), "{relic:?}");
            }
        }
    }

    #[test]
    fn rarities_of_wares_have_their_own_bounds() {
        for (offset, percent, rarity) in [
            (0, 8, Rarity::Rare),
            (0, 9, Rarity::Uncommon),
            (0, 45, Rarity::Uncommon),
            (0, 46, Rarity::Common),
            (5, 3, Rarity::Rare),
            (5, 4, Rarity::Uncommon),
        ] {
            let mut fate = original();
            (fate.drift.rarity_offset, fate.streams.card) = (offset, rolling(percent));
            assert_eq!(fate.shop_card(Tables::embedded(), CardType::Attack).1, rarity, "{offset} {percent}");
        }
        for (percent, tier) in
            [(47, Tier::Common), (48, Tier::Uncommon), (81, Tier::Uncommon), (82, Tier::Rare)]
        {
            let mut fate = original();
            fate.streams.merchant = rolling(percent);
            let sold = fate.tiered_relic(Tables::embedded(), &NOBODY);
            assert_eq!(Tables::embedded().tier(sold.relic), Some(tier), "{percent}");
        }
    }

    #[test]
    fn from_ascension_16_everything_but_removal_is_dearer() {
        for (base, dearer, simulated) in [(50, 55, 40), (75, 83, 60), (25, 28, 20), (151, 166, 121)] {
            let price = |level, rules| price(base, Tables::embedded().hardship(level), rules);
            assert_eq!(price(15, Rules::Original), base);
            assert_eq!(price(16, Rules::Original), dearer);
            assert_eq!(price(16, Rules::Simulator), simulated, "the simulator's slip");
        }
        assert_eq!([0, 1, 4].map(removal_price), [75, 100, 175]);
    }
}
