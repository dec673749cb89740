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
            let rolled = if self.streams.neow.chance(0.33) { Rarity::Uncommon } else { Rarity::Common };
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
            self.streams.neow.chance(0.33);
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

    /// The card that `old` turns into at Neow's, by his own stream.
    pub fn neow_transform(&mut self, tables: &Tables, old: CardNo) -> CardNo {
        let list = &tables.of(self.character).transform;
        transform_into(&mut self.streams.neow, list, old)
    }
}

/// A card of the list other than `old`: one draw over the others.
pub(super) fn transform_into(stream: &mut Stream, list: &[CardNo], old: CardNo) -> CardNo {
    match list.iter().position(|&c| c == old) {
        None => list[stream.index(list.len())],
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
