//! The merchant.

use turnstone::Settled;

use super::{Out, Outcome, fact, maybe, next};
use crate::catalog::words::CardType;
use crate::catalog::words::{Flag, Prevent, Stage};
use crate::run::action::Ware;
use crate::run::effect::{Effect, Purpose};
use crate::run::event::{Event, Goods};
use crate::run::journey::Journey;
use crate::run::rulebook::empty_slot;
use crate::run::tower::{Screen, Shop};
use crate::seeds::{price, removal_price};
use crate::state::State;

/// The slot on sale once its card is sold and another lies there at full price.
const NO_SALE: u8 = u8::MAX;

impl Journey<'_> {
    pub(super) fn settle_open_shop(&self, s: &State) -> Outcome {
        let (stock, change) =
            self.drawing(s, |fate| self.with_holder(s, |holder| fate.make_shop(&self.tables, holder)));
        let shop = Shop { stock, cards_sold: 0, relics_sold: 0, potions_sold: 0, removed: false };
        fact(Event::Opened { screen: Box::new(Screen::Shop(Box::new(shop))), change })
    }

    /// The price of a ware, if it is still there.
    pub fn price(&self, s: &State, ware: Ware) -> Option<i32> {
        let full = self.full_price(s, ware)? as i32;
        if ware == Ware::Removal {
            return Some(self.altered(s, Stage::RemovalPrice, self.altered(s, Stage::ShopPrice, full)));
        }
        let risen = price(full as u32, self.tables.hardship(s.run.ascension), s.tower.fate.rules) as i32;
        Some(self.altered(s, Stage::ShopPrice, risen))
    }

    /// The price of a ware that is still there before anybody has a say in it.
    pub(crate) fn full_price(&self, s: &State, ware: Ware) -> Option<u32> {
        let Some(Screen::Shop(shop)) = s.tower.screen() else { return None };
        let left = |sold: u8, slot: u8| sold >> slot & 1 == 0;
        match ware {
            Ware::Card(i) => {
                let card = shop.stock.cards.get(usize::from(i)).filter(|_| left(shop.cards_sold, i))?;
                Some(card.base_price)
            }
            Ware::Relic(i) => {
                let relic = shop.stock.relics.get(usize::from(i)).filter(|_| left(shop.relics_sold, i))?;
                Some(relic.base_price)
            }
            Ware::Potion(i) => {
                let potion = shop.stock.potions.get(usize::from(i)).filter(|_| left(shop.potions_sold, i))?;
                Some(potion.base_price)
            }
            Ware::Removal => (!shop.removed).then(|| removal_price(s.tower.removals.into())),
        }
    }

    /// Whether a ware can be bought now.
    pub(crate) fn can_buy(&self, s: &State, ware: Ware) -> bool {
        let run = &s.run;
        let room = match ware {
            Ware::Potion(_) => empty_slot(run).is_some() && !self.prevents(s, Prevent::Potion),
            Ware::Removal => run.deck.iter().any(|c| self.can_remove(c)),
            _ => true,
        };
        room && self.price(s, ware).is_some_and(|price| price <= run.gold)
    }

    pub(super) fn settle_buy(&self, s: &State, ware: Ware) -> Outcome {
        match self.price(s, ware) {
            Some(price) if self.can_buy(s, ware) => {
                maybe(self.goods(s, ware).map(|what| Event::Bought { ware, what, price }))
            }
            _ => Settled::Stale,
        }
    }

    /// What lies in a place of the shop.
    pub(crate) fn goods(&self, s: &State, ware: Ware) -> Option<Goods> {
        let Some(Screen::Shop(shop)) = s.tower.screen() else { return None };
        let stock = &shop.stock;
        match ware {
            Ware::Card(i) => stock.cards.get(usize::from(i)).map(|sold| Goods::Card(sold.card)),
            Ware::Relic(i) => stock.relics.get(usize::from(i)).map(|sold| Goods::Relic(sold.relic)),
            Ware::Potion(i) => stock.potions.get(usize::from(i)).map(|sold| Goods::Potion(sold.potion)),
            Ware::Removal => Some(Goods::Removal),
        }
    }

    pub(super) fn follow_bought(&self, s: &State, ware: Ware, price: i32, out: &mut Out) {
        let Some(Screen::Shop(shop)) = s.tower.screen() else { return };
        out.first(Effect::LoseGold { amount: price, in_shop: true }.into());
        match ware {
            Ware::Card(i) => {
                let card = shop.stock.cards[usize::from(i)].card;
                out.first(Effect::AddCard { card, up: 0 }.into());
            }
            Ware::Relic(i) => next(Effect::GainRelic(shop.stock.relics[usize::from(i)].relic), out),
            Ware::Potion(i) => next(Effect::GainPotion(shop.stock.potions[usize::from(i)].potion), out),
            Ware::Removal => next(Effect::Pick(Purpose::Remove.into()), out),
        }
        if ware != Ware::Removal && self.flagged(s, Flag::RestockShop) {
            out.first(Effect::Restock(ware).into());
        }
    }

    /// The courier fills a slot again with something of the same kind.
    pub(super) fn settle_restock(&self, s: &State, ware: Ware) -> Outcome {
        let tables = &self.tables;
        let ((what, price), change) = self.drawing(s, |fate| match ware {
            Ware::Card(slot) => {
                let (card, rarity) = match slot {
                    0 | 1 => fate.shop_card(tables, CardType::Attack),
                    2 | 3 => fate.shop_card(tables, CardType::Skill),
                    4 => fate.shop_card(tables, CardType::Power),
                    _ => {
                        let rare = fate.streams.card.chance(30);
                        let rarity =
                            if rare { crate::seeds::Rarity::Rare } else { crate::seeds::Rarity::Uncommon };
                        (fate.colorless_card(tables, rarity), rarity)
                    }
                };
                (Goods::Card(card), fate.card_price(rarity, slot >= 5))
            }
            Ware::Relic(_) => {
                let sold = self.with_holder(s, |holder| fate.tiered_relic(tables, holder));
                (Goods::Relic(sold.relic), sold.base_price)
            }
            _ => {
                let sold = fate.shop_potion(tables);
                (Goods::Potion(sold.potion), sold.base_price)
            }
        });
        fact(Event::Restocked { ware, what, price, change })
    }
}

/// Puts a new ware into a slot; what does not belong there is not put there.
pub(crate) fn restock(shop: &mut Shop, ware: Ware, what: Goods, price: u32) {
    let stock = &mut shop.stock;
    match (ware, what) {
        (Ware::Card(i), Goods::Card(card)) => {
            if let Some(slot) = stock.cards.get_mut(usize::from(i)) {
                (slot.card, slot.base_price) = (card, price);
                shop.cards_sold &= !(1 << i);
                if stock.sale_slot == i {
                    stock.sale_slot = NO_SALE;
                }
            }
        }
        (Ware::Relic(i), Goods::Relic(relic)) => {
            if let Some(slot) = stock.relics.get_mut(usize::from(i)) {
                (slot.relic, slot.base_price) = (relic, price);
                shop.relics_sold &= !(1 << i);
            }
        }
        (Ware::Potion(i), Goods::Potion(potion)) => {
            if let Some(slot) = stock.potions.get_mut(usize::from(i)) {
                (slot.potion, slot.base_price) = (potion, price);
                shop.potions_sold &= !(1 << i);
            }
        }
        (Ware::Card(_) | Ware::Relic(_) | Ware::Potion(_) | Ware::Removal, _) => {}
    }
}

/// Marks a ware as sold.
pub(crate) fn sell(shop: &mut Shop, ware: Ware) {
    match ware {
        Ware::Card(i) => shop.cards_sold |= 1 << i,
        Ware::Relic(i) => shop.relics_sold |= 1 << i,
        Ware::Potion(i) => shop.potions_sold |= 1 << i,
        Ware::Removal => shop.removed = true,
    }
}
