//! Neow's four offers and what they hold.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CardNo, PotionNo, Rarity, RelicNo, Tier, words};
use super::relics::End;
use super::rewards::{CardOdds, CardOffer, OfferedCard};
use super::stream::Stream;
use super::tables::Tables;

// Names content: the gifts of the original, of which a seed draws; what most of them do is content.
words! {
    /// What an option gives.
    Bonus {
        /// Choose one of three class cards.
        ThreeCards = "three_cards",
        /// A random rare card.
        OneRandomRareCard = "one_random_rare_card",
        /// Remove a card.
        RemoveCard = "remove_card",
        /// Upgrade a card.
        UpgradeCard = "upgrade_card",
        /// Transform a card.
        TransformCard = "transform_card",
        /// Choose one of three uncommon colorless cards.
        RandomColorless = "random_colorless",
        /// Three potions.
        ThreeSmallPotions = "three_small_potions",
        /// A common relic.
        RandomCommonRelic = "random_common_relic",
        /// A tenth more hit points.
        TenPercentHpBonus = "ten_percent_hp_bonus",
        /// Enemies of the next three fights have one hit point.
        ThreeEnemyKill = "three_enemy_kill",
        /// A hundred gold.
        HundredGold = "hundred_gold",
        /// Choose one of three rare colorless cards.
        RandomColorless2 = "random_colorless_2",
        /// Remove two cards.
        RemoveTwo = "remove_two",
        /// A rare relic.
        OneRareRelic = "one_rare_relic",
        /// Choose one of three rare class cards.
        ThreeRareCards = "three_rare_cards",
        /// Two hundred and fifty gold.
        TwoFiftyGold = "two_fifty_gold",
        /// Transform two cards.
        TransformTwoCards = "transform_two_cards",
        /// A fifth more hit points.
        TwentyPercentHpBonus = "twenty_percent_hp_bonus",
        /// A boss relic for the starter relic.
        BossRelic = "boss_relic",
    }
}

// Names content: the same of drawbacks.
words! {
    /// What an option costs.
    Drawback {
        /// Nothing.
        None = "none",
        /// A tenth of the maximum hit points.
        TenPercentHpLoss = "ten_percent_hp_loss",
        /// All gold.
        NoGold = "no_gold",
        /// A curse.
        Curse = "curse",
        /// Three tenths of the current hit points.
        PercentDamage = "percent_damage",
        /// The starter relic.
        LoseStarterRelic = "lose_starter_relic",
    }
}

// Names content: in the order of the original.
const ROW_A: [Bonus; 6] = [
    Bonus::ThreeCards,
    Bonus::OneRandomRareCard,
    Bonus::RemoveCard,
    Bonus::UpgradeCard,
    Bonus::TransformCard,
    Bonus::RandomColorless,
];
const ROW_B: [Bonus; 5] = [
    Bonus::ThreeSmallPotions,
    Bonus::RandomCommonRelic,
    Bonus::TenPercentHpBonus,
    Bonus::ThreeEnemyKill,
    Bonus::HundredGold,
];
const ROW_C: [Bonus; 7] = [
    Bonus::RandomColorless2,
    Bonus::RemoveTwo,
    Bonus::OneRareRelic,
    Bonus::ThreeRareCards,
    Bonus::TwoFiftyGold,
    Bonus::TransformTwoCards,
    Bonus::TwentyPercentHpBonus,
];
/// Each drawback with the bonus it would spoil, which is then left out of the third row.
const DRAWBACKS: [(Drawback, Option<Bonus>); 4] = [
    (Drawback::TenPercentHpLoss, Some(Bonus::TwentyPercentHpBonus)),
    (Drawback::NoGold, Some(Bonus::TwoFiftyGold)),
    (Drawback::Curse, Some(Bonus::RemoveTwo)),
    (Drawback::PercentDamage, None),
];

/// One of Neow's offers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct NeowOption {
    /// What it gives.
    pub bonus: Bonus,
    /// What it costs.
    pub drawback: Drawback,
}

/// The four offers of a seed; five draws.
pub(super) fn options(neow: &mut Stream) -> [NeowOption; 4] {
    let first = ROW_A[neow.index(ROW_A.len())];
    let second = ROW_B[neow.index(ROW_B.len())];
    let (drawback, spoilt) = DRAWBACKS[neow.index(DRAWBACKS.len())];
    let rest: SmallVec<[Bonus; 8]> = ROW_C.into_iter().filter(|b| Some(*b) != spoilt).collect();
    let third = rest[neow.index(rest.len())];
    neow.index(1);
    [
        NeowOption { bonus: first, drawback: Drawback::None },
        NeowOption { bonus: second, drawback: Drawback::None },
        NeowOption { bonus: third, drawback },
        NeowOption { bonus: Bonus::BossRelic, drawback: Drawback::LoseStarterRelic },
    ]
}

/// What a chosen option brings, as far as the seed decides it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct NeowGift {
    /// The curse of the drawback.
    pub curse: Option<CardNo>,
    /// Cards to choose one of.
    pub offer: CardOffer,
    /// A card that is simply given.
    pub card: Option<CardNo>,
    /// A relic that is simply given.
    pub relic: Option<RelicNo>,
    /// Potions.
    pub potions: SmallVec<[PotionNo; 3]>,
}

impl Fate {
    /// Draws what a chosen option brings. For the boss relic the holder has already lost his starter.
    pub fn neow_gift(&mut self, tables: &Tables, holder: &Holder<'_>, option: NeowOption) -> NeowGift {
        let mut gift = NeowGift::default();
        if option.drawback == Drawback::Curse {
            gift.curse = Some(self.random_curse(tables));
        }
        match option.bonus {
            Bonus::ThreeCards => gift.offer = self.neow_cards(tables, None),
            Bonus::ThreeRareCards => gift.offer = self.neow_cards(tables, Some(Rarity::Rare)),
            Bonus::RandomColorless => gift.offer = self.neow_colorless(tables, Rarity::Uncommon),
            Bonus::RandomColorless2 => gift.offer = self.neow_colorless(tables, Rarity::Rare),
            Bonus::OneRandomRareCard => {
                let rares = &tables.of(self.character).by_rarity[Rarity::Rare as usize];
                gift.card = Some(rares[self.streams.neow.index(rares.len())]);
            }
            Bonus::ThreeSmallPotions => gift.potions = self.neow_potions(tables),
            Bonus::RandomCommonRelic => gift.relic = Some(self.neow_relic(tables, holder, Tier::Common)),
            Bonus::OneRareRelic => gift.relic = Some(self.neow_relic(tables, holder, Tier::Rare)),
            Bonus::BossRelic => gift.relic = Some(self.neow_relic(tables, holder, Tier::Boss)),
            _ => {}
        }
        gift
    }

    fn neow_relic(&mut self, tables: &Tables, holder: &Holder<'_>, tier: Tier) -> RelicNo {
        self.take_relic(tables, holder, tier, End::Front)
    }

    /// Three class cards; the rarity test is drawn even where the rarity is given.
    fn neow_cards(&mut self, tables: &Tables, rarity: Option<Rarity>) -> CardOffer {
        let lists = &tables.of(self.character).by_rarity;
        let mut offer = CardOffer::new();
        for _ in 0..3 {
            let rolled = if self.streams.neow.chance(33) { Rarity::Uncommon } else { Rarity::Common };
            let rarity = rarity.unwrap_or(rolled);
            let card = draw_new(&mut self.streams.neow, &lists[rarity as usize], &offer);
            offer.push(OfferedCard { card, rarity, upgraded: false });
        }
        offer
    }

    fn neow_colorless(&mut self, tables: &Tables, rarity: Rarity) -> CardOffer {
        let list = &tables.colorless[usize::from(rarity == Rarity::Rare)];
        let mut offer = CardOffer::new();
        for _ in 0..3 {
            self.streams.neow.chance(33);
            let card = draw_new(&mut self.streams.card, list, &offer);
            offer.push(OfferedCard { card, rarity, upgraded: false });
        }
        offer
    }

    /// The potions come on a reward screen whose cards are rolled and thrown away.
    fn neow_potions(&mut self, tables: &Tables) -> SmallVec<[PotionNo; 3]> {
        self.card_reward(tables, CardOdds::Normal, 3, 1);
        (0..3).map(|_| self.any_potion(tables)).collect()
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
    use crate::seeds::{Rules, Streams};

    #[test]
    fn a_drawback_leaves_out_the_bonus_it_would_spoil() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..2_000 {
            let [first, second, third, fourth] = options(&mut Streams::new(seed).neow);
            assert!(ROW_A.contains(&first.bonus) && first.drawback == Drawback::None);
            assert!(ROW_B.contains(&second.bonus) && second.drawback == Drawback::None);
            assert_eq!((fourth.bonus, fourth.drawback), (Bonus::BossRelic, Drawback::LoseStarterRelic));
            seen.insert((third.drawback, third.bonus));
        }
        for (drawback, spoilt) in [
            (Drawback::TenPercentHpLoss, Bonus::TwentyPercentHpBonus),
            (Drawback::NoGold, Bonus::TwoFiftyGold),
            (Drawback::Curse, Bonus::RemoveTwo),
        ] {
            assert!(!seen.contains(&(drawback, spoilt)), "{drawback:?} {spoilt:?}");
            assert_eq!(seen.iter().filter(|(seen, _)| *seen == drawback).count(), 6);
        }
        assert_eq!(seen.len(), 25);
    }

    /// Counters of the streams after a gift: cards, Neow's own, potions.
    fn counters(bonus: Bonus, drawback: Drawback) -> (u32, u32, u32, NeowGift) {
        let mut fate = original();
        let gift = fate.neow_gift(Tables::embedded(), &NOBODY, NeowOption { bonus, drawback });
        let streams = &fate.streams;
        (streams.card.counter(), streams.neow.counter(), streams.potion.counter(), gift)
    }

    #[test]
    fn gifts_draw_from_their_own_streams() {
        let plain = |bonus| counters(bonus, Drawback::None);
        let (card, neow, potion, gift) = plain(Bonus::ThreeCards);
        assert!((card, potion) == (0, 0) && neow >= 11 && gift.offer.len() == 3);
        let (card, neow, _, gift) = plain(Bonus::RandomColorless);
        assert!(neow == 8 && card >= 3 && gift.offer.iter().all(|o| o.rarity == Rarity::Uncommon));
        let (card, neow, _, gift) = plain(Bonus::RandomColorless2);
        assert!(neow == 8 && card >= 3 && gift.offer.iter().all(|o| o.rarity == Rarity::Rare));
        let (card, neow, _, gift) = plain(Bonus::OneRandomRareCard);
        assert!((card, neow) == (0, 6) && gift.card.is_some());
        let (card, neow, potion, gift) = plain(Bonus::ThreeSmallPotions);
        assert!((neow, potion) == (5, 3) && card >= 6 && gift.potions.len() == 3, "a reward is thrown away");
        let (card, .., gift) = counters(Bonus::HundredGold, Drawback::Curse);
        assert!(card == 1 && gift.curse.is_some());
        let both = counters(Bonus::RandomColorless, Drawback::Curse);
        assert_eq!(both.3.curse, gift.curse, "the curse is drawn before the gift");
        for (bonus, tier) in [
            (Bonus::RandomCommonRelic, Tier::Common),
            (Bonus::OneRareRelic, Tier::Rare),
            (Bonus::BossRelic, Tier::Boss),
        ] {
            let fate = original();
            let front = fate.relics.pool(tier)[0];
            assert_eq!(plain(bonus).3.relic, Some(front), "{bonus:?}");
        }
    }

    #[test]
    fn a_better_starter_is_no_swap_for_the_starter() {
        let mut fate = run(0, Rules::Original);
        let swap = NeowOption { bonus: Bonus::BossRelic, drawback: Drawback::LoseStarterRelic };
        for _ in 0..22 {
            let gift = fate.neow_gift(Tables::embedded(), &NOBODY, swap);
            assert_ne!(gift.relic, Some(relic("black_blood")));
        }
    }
}
