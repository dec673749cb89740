//! The merchant's stock and prices.

use serde::{Deserialize, Serialize};

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CardNo, CardType, PotionNo, Rarity, RelicNo, Rules, Tier};
use super::map::half_up;
use super::relics::End;
use super::tables::Tables;

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
            ShopRelic { relic, base_price: self.vary(150.0) }
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
    pub fn shop_card(&mut self, tables: &Tables, kind: CardType) -> (CardNo, Rarity) {
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
        loop {
            let drawn = self.shop_card(tables, kind);
            if drawn.0 != not {
                return drawn;
            }
        }
    }

    /// A colorless card of a rarity (uncommon or rare).
    pub fn colorless_card(&mut self, tables: &Tables, rarity: Rarity) -> CardNo {
        let list = &tables.colorless[usize::from(rarity == Rarity::Rare)];
        list[self.streams.card.index(list.len())]
    }

    /// The price of a card: 50, 75 or 150, a tenth up or down; colorless ones a fifth dearer.
    pub fn card_price(&mut self, rarity: Rarity, colorless: bool) -> u32 {
        let base = [50.0_f32, 75.0, 150.0][rarity as usize];
        let price = base * self.streams.merchant.range(0.9, 1.1);
        (if colorless { price * 1.2_f32 } else { price }) as u32
    }

    /// A relic for one of the two open slots, with its price.
    pub fn tiered_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> ShopRelic {
        let tier = match self.streams.merchant.percent() {
            0..48 => Tier::Common,
            48..82 => Tier::Uncommon,
            _ => Tier::Rare,
        };
        let relic = self.take_relic(tables, holder, tier, End::Back);
        let base = match tables.tier(relic) {
            Some(Tier::Common | Tier::Shop) => 150.0,
            Some(Tier::Uncommon) => 250.0,
            _ => 300.0,
        };
        ShopRelic { relic, base_price: self.vary(base) }
    }

    /// A potion with its price.
    pub fn shop_potion(&mut self, tables: &Tables) -> ShopPotion {
        let potion = self.roll_potion(tables);
        let base = [50.0_f32, 75.0, 100.0][tables.potion_rarity(potion) as usize];
        ShopPotion { potion, base_price: self.vary(base) }
    }

    fn vary(&mut self, base: f32) -> u32 {
        half_up(base * self.streams.merchant.range(0.95, 1.05)) as u32
    }
}

/// What lowers prices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Discounts {
    /// The Courier: a fifth off.
    pub courier: bool,
    /// The Membership Card: half off.
    pub membership: bool,
}

/// The price to pay for a base price.
pub fn price(base: u32, ascension: u8, rules: Rules, discounts: Discounts) -> u32 {
    let mut price = base;
    if ascension >= 16 {
        price = scale(price, if rules.original() { 1.1 } else { 0.8 });
    }
    discounted(price, discounts)
}

/// The price of removing a card: dearer every time, untouched by ascension.
pub fn removal_price(removals: u32, discounts: Discounts, smiling_mask: bool) -> u32 {
    if smiling_mask { 50 } else { discounted(75 + 25 * removals, discounts) }
}

fn discounted(mut price: u32, discounts: Discounts) -> u32 {
    if discounts.courier {
        price = scale(price, 0.8);
    }
    if discounts.membership {
        price = scale(price, 0.5);
    }
    price
}

fn scale(price: u32, factor: f32) -> u32 {
    half_up(price as f32 * factor) as u32
}
