//! Neow's offers and what they hold. Which gifts there are, in which row, at what cost and of what draws stands in
//! `content/events/neow.toml`.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CardNo, GiftNo, PotionNo, Rarity, RelicNo};
use super::relics::End;
use super::rewards::{CardOdds, CardOffer, OfferedCard};
use super::stream::Stream;
use super::tables::Tables;
use crate::catalog::gifts::GiftDraw;
use crate::catalog::words::GiftRow;

/// One of Neow's offers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct NeowOption {
    /// What it gives.
    pub bonus: GiftNo,
    /// What it costs.
    pub drawback: Option<GiftNo>,
}

/// A seed's offers: one gift of each row, five draws with that of the drawback. A row without gifts offers nothing.
pub(super) fn options(tables: &Tables, neow: &mut Stream) -> SmallVec<[NeowOption; 4]> {
    let gifts = &tables.gifts;
    let mut draw = |row: &[GiftNo]| (!row.is_empty()).then(|| row[neow.index(row.len())]);
    let offer = |drawn: Option<GiftNo>, cost: Option<GiftNo>| {
        drawn.map(|bonus| NeowOption { bonus, drawback: gifts.entry(bonus).cost.or(cost) })
    };
    let first = draw(gifts.row(GiftRow::First));
    let second = draw(gifts.row(GiftRow::Second));
    let drawback = draw(gifts.row(GiftRow::Drawback));
    let spoilt = drawback.map_or(&[][..], |drawback| &gifts.entry(drawback).spoils);
    let unspoilt = gifts.row(GiftRow::Third).iter().copied().filter(|gift| !spoilt.contains(gift));
    let third = draw(&unspoilt.collect::<SmallVec<[GiftNo; 8]>>());
    let last = draw(gifts.row(GiftRow::Last));
    let offers = [offer(first, None), offer(second, None), offer(third, drawback), offer(last, None)];
    offers.into_iter().flatten().collect()
}

/// What a chosen option brings, as far as the seed decides it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NeowGift {
    /// Curses.
    pub curses: SmallVec<[CardNo; 1]>,
    /// Cards to choose one of, each time.
    pub offers: SmallVec<[CardOffer; 1]>,
    /// Cards that are simply given.
    pub cards: SmallVec<[CardNo; 1]>,
    /// Relics that are simply given.
    pub relics: SmallVec<[RelicNo; 1]>,
    /// Potions.
    pub potions: SmallVec<[PotionNo; 3]>,
}

impl Fate {
    /// Draws what a chosen option brings, what it costs first.
    pub fn neow_gift(&mut self, tables: &Tables, holder: &Holder<'_>, option: NeowOption) -> NeowGift {
        // What the cost takes is gone by the time the gift is drawn.
        let taken = option.drawback.is_some_and(|cost| tables.gifts.entry(cost).takes_the_starter);
        let starter = tables.of(self.character).starter_relic();
        let left: Vec<RelicNo> =
            holder.relics.iter().copied().filter(|relic| !(taken && *relic == starter)).collect();
        let holder = Holder { relics: &left, ..*holder };
        let mut gift = NeowGift::default();
        for part in option.drawback.into_iter().chain([option.bonus]) {
            for draw in &tables.gifts.entry(part).draws {
                self.neow_draw(tables, &holder, *draw, &mut gift);
            }
        }
        gift
    }

    fn neow_draw(&mut self, tables: &Tables, holder: &Holder<'_>, draw: GiftDraw, gift: &mut NeowGift) {
        match draw {
            GiftDraw::ClassCards(count, rarity) => gift.offers.push(self.neow_cards(tables, count, rarity)),
            GiftDraw::ColorlessCards(count, rarity) => {
                gift.offers.push(self.neow_colorless(tables, count, rarity));
            }
            GiftDraw::Cards(count, rarity) => {
                let list = &tables.of(self.character).by_rarity[rarity as usize];
                gift.cards.extend((0..count).map(|_| list[self.streams.neow.index(list.len())]));
            }
            GiftDraw::Potions(count) => gift.potions.extend(self.neow_potions(tables, count)),
            GiftDraw::Relics(count, tier) => {
                gift.relics.extend((0..count).map(|_| self.take_relic(tables, holder, tier, End::Front)));
            }
            GiftDraw::Curses(count) => gift.curses.extend((0..count).map(|_| self.random_curse(tables))),
        }
    }

    /// Class cards; the rarity test is drawn even where the rarity is given.
    fn neow_cards(&mut self, tables: &Tables, count: u8, rarity: Option<Rarity>) -> CardOffer {
        let lists = &tables.of(self.character).by_rarity;
        let mut offer = CardOffer::new();
        for _ in 0..count {
            let rolled = if self.streams.neow.chance(33) { Rarity::Uncommon } else { Rarity::Common };
            let rarity = rarity.unwrap_or(rolled);
            let card = draw_new(&mut self.streams.neow, &lists[rarity as usize], &offer);
            offer.push(OfferedCard { card, rarity, upgraded: false });
        }
        offer
    }

    fn neow_colorless(&mut self, tables: &Tables, count: u8, rarity: Rarity) -> CardOffer {
        let list = &tables.colorless[usize::from(rarity == Rarity::Rare)];
        let mut offer = CardOffer::new();
        for _ in 0..count {
            self.streams.neow.chance(33);
            let card = draw_new(&mut self.streams.card, list, &offer);
            offer.push(OfferedCard { card, rarity, upgraded: false });
        }
        offer
    }

    /// The potions come on a reward screen whose cards are rolled and thrown away.
    fn neow_potions(&mut self, tables: &Tables, count: u8) -> SmallVec<[PotionNo; 3]> {
        self.card_reward(tables, CardOdds::Normal, 3, 1);
        (0..count).map(|_| self.any_potion(tables)).collect()
    }
}

/// A card of the list other than `old`: one draw over the others.
pub(super) fn transform_into(stream: &mut Stream, list: &[CardNo], old: CardNo) -> CardNo {
    match list.iter().position(|&c| c == old) {
        None => list[stream.index(list.len())],
        Some(_) if list.len() == 1 => old,
        Some(_) => {
            let i = stream.index(list.len() - 1);
            if list[i] == old { list[i + 1] } else { list[i] }
        }
    }
}

/// A card of the list that is not yet on offer; every further try is a draw.
pub(super) fn draw_new(stream: &mut Stream, list: &[CardNo], offer: &[OfferedCard]) -> CardNo {
    loop {
        let card = list[stream.index(list.len())];
        if offer.len() >= list.len() || offer.iter().all(|o| o.card != card) {
            return card;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::bench::{NOBODY, original, relic, run};
    use crate::seeds::{Rules, Streams, Tier};

    fn gift(name: &str) -> GiftNo {
        Tables::embedded().gifts.names.find(name).unwrap_or_else(|| panic!("no gift {name}"))
    }

    #[test]
    fn a_drawback_leaves_out_the_gift_it_would_spoil() {
        let tables = Tables::embedded();
        let row = |gift: GiftNo, row| tables.gifts.row(row).contains(&gift);
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..2_000 {
            let offers = options(tables, &mut Streams::new(seed).neow);
            let [first, second, third, fourth] = offers[..] else { panic!("{offers:?}") };
            assert!(row(first.bonus, GiftRow::First) && first.drawback.is_none());
            assert!(row(second.bonus, GiftRow::Second) && second.drawback.is_none());
            assert_eq!(
                fourth,
                NeowOption { bonus: gift("boss_relic"), drawback: Some(gift("lose_starter_relic")) }
            );
            seen.insert((third.drawback, third.bonus));
        }
        for (drawback, spoilt) in [
            ("ten_percent_hp_loss", "twenty_percent_hp_bonus"),
            ("no_gold", "two_fifty_gold"),
            ("curse", "remove_two"),
        ] {
            let cost = Some(gift(drawback));
            assert!(!seen.contains(&(cost, gift(spoilt))), "{drawback} {spoilt}");
            assert_eq!(seen.iter().filter(|(seen, _)| *seen == cost).count(), 6);
        }
        assert_eq!(seen.len(), 25);
    }

    /// Counters of the streams after a gift: cards, Neow's own, potions.
    fn counters(bonus: &str, drawback: Option<&str>) -> (u32, u32, u32, NeowGift) {
        let mut fate = original();
        let option = NeowOption { bonus: gift(bonus), drawback: drawback.map(gift) };
        let gift = fate.neow_gift(Tables::embedded(), &NOBODY, option);
        let streams = &fate.streams;
        (streams.card.counter(), streams.neow.counter(), streams.potion.counter(), gift)
    }

    #[test]
    fn gifts_draw_from_their_own_streams() {
        let plain = |bonus| counters(bonus, None);
        let all = |gift: &NeowGift, rarity| {
            gift.offers[0].len() == 3 && gift.offers[0].iter().all(|o| o.rarity == rarity)
        };
        let (card, neow, potion, gift) = plain("three_cards");
        assert!((card, potion) == (0, 0) && neow >= 11 && gift.offers[0].len() == 3);
        let (card, neow, _, gift) = plain("random_colorless");
        assert!(neow == 8 && card >= 3 && all(&gift, Rarity::Uncommon));
        let (card, neow, _, gift) = plain("random_colorless_2");
        assert!(neow == 8 && card >= 3 && all(&gift, Rarity::Rare));
        let (card, neow, _, gift) = plain("one_random_rare_card");
        assert!((card, neow, gift.cards.len()) == (0, 6, 1));
        let (card, neow, potion, gift) = plain("three_small_potions");
        assert!((neow, potion) == (5, 3) && card >= 6 && gift.potions.len() == 3, "a reward is thrown away");
        let (card, .., gift) = counters("hundred_gold", Some("curse"));
        assert!(card == 1 && gift.curses.len() == 1);
        let both = counters("random_colorless", Some("curse"));
        assert_eq!(both.3.curses, gift.curses, "the curse is drawn before the gift");
        for (bonus, tier) in [
            ("random_common_relic", Tier::Common),
            ("one_rare_relic", Tier::Rare),
            ("boss_relic", Tier::Boss),
        ] {
            let front = original().relics.pool(tier)[0];
            assert_eq!(plain(bonus).3.relics[..], [front], "{bonus}");
        }
    }

    #[test]
    fn a_better_starter_is_no_swap_for_the_starter() {
        let mut fate = run(0, Rules::Original);
        let swap = NeowOption { bonus: gift("boss_relic"), drawback: Some(gift("lose_starter_relic")) };
        let starter = [Tables::embedded().of(fate.character).starter_relic()];
        let holder = Holder { relics: &starter, ..NOBODY };
        for _ in 0..22 {
            let gift = fate.neow_gift(Tables::embedded(), &holder, swap);
            assert!(!gift.relics.contains(&relic("black_blood")));
        }
    }
}
