//! Rewards of fights and chests: gold, potions with a drifting chance, cards with a drifting rarity.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CardNo, PotionNo, Rarity, RelicNo, Tier, words};
use super::neow::{draw_new, transform_into};
use super::relics::End;
use super::tables::Tables;
use crate::floats::Single;

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

impl CardOdds {
    /// Below which percentages a card is rare, and uncommon.
    pub(crate) const fn bounds(self) -> (i32, i32) {
        match self {
            CardOdds::Normal => (3, 40),
            CardOdds::Elite => (10, 50),
            CardOdds::Boss => (100, 100),
        }
    }
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
    const fn numbers(size: ChestSize) -> (i32, i32, i32, i32) {
        match size {
            ChestSize::Small => (50, 75, 100, 25),
            ChestSize::Medium => (35, 35, 85, 50),
            ChestSize::Large => (50, 0, 75, 75),
        }
    }
}

/// The chance of a potion after a fight at first, in percent.
pub(crate) const POTION_CHANCE: i32 = 40;

/// Rarities move down by one for every common card, back to this after a rare one.
pub(crate) const RARITY_OFFSET_START: i8 = 5;
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
    pub fn boss_gold(&mut self, tables: &Tables) -> u32 {
        let gold = Single::whole(100 + self.streams.misc.int(-5, 5));
        gold.times(Single::percent(tables.hardship(self.ascension).boss_gold)).half_up().max(0) as u32
    }

    /// The chance of a potion after a fight, in percent, before relics change it.
    pub fn potion_chance(&self) -> i32 {
        POTION_CHANCE + i32::from(self.drift.potion_chance)
    }

    /// The potion test after a fight. `chance`: what relics make of it; `listed`: rewards so far.
    pub fn potion_drop(&mut self, tables: &Tables, chance: i32, listed: usize) -> Option<PotionNo> {
        let chance = if listed >= 4 { 0 } else { chance };
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
        let fits = |potion: &PotionNo| tables.potion_rarity(*potion) == rarity;
        let none_fits = !tables.of(self.character).potions.iter().any(fits);
        loop {
            let potion = self.any_potion(tables);
            if none_fits || fits(&potion) {
                return potion;
            }
        }
    }

    /// Any potion, all equally likely.
    pub(crate) fn any_potion(&mut self, tables: &Tables) -> PotionNo {
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
        self.card_reward_from(tables, lists, odds, count, rare_factor)
    }

    /// A card reward from other lists than the character's own.
    pub(crate) fn card_reward_from(
        &mut self,
        tables: &Tables,
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
        let chance = self.upgrade_chance(tables);
        for offered in offer.iter_mut().filter(|o| o.rarity != Rarity::Rare) {
            // In act 1 nothing is upgraded, but the draw is made all the same.
            offered.upgraded = self.streams.card.below_share(chance);
        }
        offer
    }

    /// A choice of colorless cards. A rare one ends the wait for rare cards like any other.
    pub(crate) fn colorless_reward(&mut self, tables: &Tables, count: usize) -> CardOffer {
        let mut offer = CardOffer::new();
        for _ in 0..count {
            let rare = self.streams.card.chance(30);
            let rarity = if rare { Rarity::Rare } else { Rarity::Uncommon };
            if rare {
                self.drift.rarity_offset = RARITY_OFFSET_START;
            }
            let card = draw_new(&mut self.streams.card, &tables.colorless[usize::from(rare)], &offer);
            offer.push(OfferedCard { card, rarity, upgraded: false });
        }
        offer
    }

    fn roll_card_rarity(&mut self, odds: CardOdds, rare_factor: i32) -> Rarity {
        let r = self.streams.card.percent() + i32::from(self.drift.rarity_offset);
        let rarity = match odds {
            CardOdds::Boss => Rarity::Rare,
            CardOdds::Elite | CardOdds::Normal => {
                let (rare, uncommon) = odds.bounds();
                rarity_below(r, rare * rare_factor, uncommon)
            }
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

    /// The chance that a card of this act is upgraded, in percent, before ascension changes it.
    fn usual_upgrade_chance(&self) -> i32 {
        match self.act {
            1 => 0,
            2 => 25,
            _ => 50,
        }
    }

    fn upgrade_chance(&self, tables: &Tables) -> Single {
        let share = Single::percent(tables.hardship(self.ascension).upgrade_chance);
        Single::percent(self.usual_upgrade_chance()).times(share)
    }

    /// The chance that a card is upgraded, in percent: in this act, and at this ascension.
    pub(crate) fn upgrade_percents(&self, tables: &Tables) -> (i32, i32) {
        (self.usual_upgrade_chance(), self.upgrade_chance(tables).in_percent())
    }

    /// A random curse.
    pub(crate) fn random_curse(&mut self, tables: &Tables) -> CardNo {
        tables.curses[self.streams.card.index(tables.curses.len())]
    }

    /// What an event turns a card into: one draw of the floor's own stream.
    pub(crate) fn event_transform(&mut self, tables: &Tables, old: CardNo) -> CardNo {
        let list = self.transform_list(tables, old);
        transform_into(&mut self.streams.misc, list, old)
    }

    /// The card that `old` turns into at Neow's, by his own stream.
    pub(crate) fn neow_transform(&mut self, tables: &Tables, old: CardNo) -> CardNo {
        let list = self.transform_list(tables, old);
        transform_into(&mut self.streams.neow, list, old)
    }

    /// A curse stays a curse and a colorless card colorless; everything else becomes a card of the character.
    fn transform_list<'t>(&self, tables: &'t Tables, old: CardNo) -> &'t [CardNo] {
        if tables.curses.contains(&old) {
            &tables.curses
        } else if tables.has_a_class(old) {
            &tables.of(self.character).transform
        } else {
            &tables.colorless_transform
        }
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
            let middle = Single::whole(middle);
            let (low, high) = (middle.times(Single::percent(90)), middle.times(Single::percent(110)));
            self.streams.treasure.range(low, high).half_up() as u32
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::bench::ironclad;
    use crate::seeds::bench::{NOBODY, floating, original, rolling, run};
    use crate::seeds::ids::Rules;

    fn tables() -> &'static Tables {
        Tables::embedded()
    }

    #[test]
    fn rarities_have_their_bounds_and_the_offset_is_added() {
        let rarity = |odds, offset: i8, percent, factor| {
            let mut fate = original();
            (fate.drift.rarity_offset, fate.streams.card) = (offset, rolling(percent));
            fate.roll_card_rarity(odds, factor)
        };
        let (normal, elite) = (CardOdds::Normal, CardOdds::Elite);
        for (odds, offset, percent, factor, expected) in [
            (normal, 0, 2, 1, Rarity::Rare),
            (normal, 0, 3, 1, Rarity::Uncommon),
            (normal, 0, 39, 1, Rarity::Uncommon),
            (normal, 0, 40, 1, Rarity::Common),
            (normal, 5, 34, 1, Rarity::Uncommon),
            (normal, 5, 35, 1, Rarity::Common),
            (normal, -40, 42, 1, Rarity::Rare),
            (normal, 0, 8, 3, Rarity::Rare),
            (normal, 0, 9, 3, Rarity::Uncommon),
            (elite, 0, 9, 1, Rarity::Rare),
            (elite, 0, 10, 1, Rarity::Uncommon),
            (elite, 0, 49, 1, Rarity::Uncommon),
            (elite, 0, 50, 1, Rarity::Common),
            (elite, 0, 29, 3, Rarity::Rare),
            (CardOdds::Boss, 5, 99, 1, Rarity::Rare),
        ] {
            assert_eq!(rarity(odds, offset, percent, factor), expected, "{odds:?} {offset} {percent}");
        }
    }

    #[test]
    fn commons_lower_the_offset_and_a_rare_card_resets_it() {
        let after = |before: i8, percent| {
            let mut fate = original();
            (fate.drift.rarity_offset, fate.streams.card) = (before, rolling(percent));
            fate.roll_card_rarity(CardOdds::Normal, 1);
            fate.drift.rarity_offset
        };
        assert_eq!(original().drift.rarity_offset, 5);
        assert_eq!((after(5, 99), after(-39, 99), after(-40, 99)), (4, -40, -40), "common");
        assert_eq!((after(0, 20), after(0, 0)), (0, 5), "uncommon, rare");
        let mut fate = original();
        fate.drift.rarity_offset = -7;
        fate.card_reward(tables(), CardOdds::Boss, 3, 1);
        assert_eq!(fate.drift.rarity_offset, 5, "boss cards count too");
    }

    #[test]
    fn cards_come_upgraded_by_act_and_half_as_often_from_ascension_12() {
        for (act, ascension, chance) in
            [(1, 0, 0), (2, 0, 250), (3, 11, 500), (4, 0, 500), (1, 12, 0), (2, 12, 125), (3, 20, 250)]
        {
            let mut fate = run(ascension, Rules::Original);
            fate.act = act;
            let thousand = fate.upgrade_chance(tables()).times(Single::whole(1000));
            assert_eq!(thousand, Single::whole(chance), "act {act}, {ascension}");
        }
    }

    #[test]
    fn rare_cards_take_no_draw_for_an_upgrade_and_others_do_in_every_act() {
        let draws = |odds| {
            let mut fate = original();
            let offer = fate.card_reward(tables(), odds, 1, 1);
            (offer[0].rarity == Rarity::Rare, fate.streams.card.counter())
        };
        assert_eq!(draws(CardOdds::Boss), (true, 2), "rarity and card");
        assert_eq!(draws(CardOdds::Normal), (false, 3), "and an upgrade, even in act 1");
    }

    #[test]
    fn the_chance_of_a_potion_drifts_by_tens() {
        let test = |chance: i16, percent, certain, listed| {
            let mut fate = original();
            (fate.drift.potion_chance, fate.streams.potion) = (chance, rolling(percent));
            let chance = if certain { 100 } else { fate.potion_chance() };
            let dropped = fate.potion_drop(tables(), chance, listed).is_some();
            (dropped, fate.drift.potion_chance)
        };
        assert_eq!(test(0, 39, false, 1), (true, -10));
        assert_eq!(test(0, 40, false, 1), (false, 10));
        assert_eq!(test(10, 49, false, 1), (true, 0));
        assert_eq!(test(-40, 0, false, 1), (false, -30));
        assert_eq!(test(0, 99, true, 1), (true, -10), "White Beast Statue");
        assert_eq!(test(0, 0, true, 4), (false, 10), "four rewards leave no room");
        assert_eq!(test(0, 0, false, 3), (true, -10));
    }

    #[test]
    fn potions_have_their_bounds() {
        for (percent, rarity) in [
            (0, Rarity::Common),
            (64, Rarity::Common),
            (65, Rarity::Uncommon),
            (89, Rarity::Uncommon),
            (90, Rarity::Rare),
        ] {
            let mut fate = original();
            fate.streams.potion = rolling(percent);
            let potion = fate.roll_potion(tables());
            assert_eq!(tables().potion_rarity(potion), rarity, "{percent}");
            assert!(fate.streams.potion.counter() >= 2);
        }
    }

    #[test]
    fn bosses_leave_less_from_ascension_13() {
        for seed in 0..40 {
            let gold = |ascension| {
                let mut fate = run(ascension, Rules::Original);
                fate.streams.enter_floor(seed, 16);
                fate.boss_gold(tables())
            };
            let full = gold(12);
            assert!((95..=105).contains(&full));
            assert_eq!(gold(13), (full * 3 + 2) / 4, "halves up");
        }
    }

    #[test]
    fn chests_are_made_by_two_rolls() {
        // Size, second roll: gold, tier.
        for (size, v, gold, tier) in [
            (0, 49, true, Tier::Common),
            (0, 50, false, Tier::Common),
            (0, 75, false, Tier::Uncommon),
            (0, 99, false, Tier::Uncommon),
            (50, 34, true, Tier::Common),
            (50, 35, false, Tier::Uncommon),
            (50, 84, false, Tier::Uncommon),
            (50, 85, false, Tier::Rare),
            (83, 0, true, Tier::Uncommon),
            (83, 49, true, Tier::Uncommon),
            (83, 74, false, Tier::Uncommon),
            (83, 75, false, Tier::Rare),
        ] {
            let matching =
                |stream: &mut crate::seeds::Stream| stream.percent() == size && stream.percent() == v;
            let found = (1..).map(crate::seeds::Stream::new).find(|s| matching(&mut { *s }));
            let mut fate = original();
            fate.streams.treasure = found.expect("a seed");
            let chest = fate.make_chest();
            let expected = match size {
                0 => ChestSize::Small,
                50 => ChestSize::Medium,
                _ => ChestSize::Large,
            };
            assert_eq!(chest, Chest { size: expected, has_gold: gold, tier }, "{size} {v}");
        }
        for (size, least, most) in
            [(ChestSize::Small, 23, 28), (ChestSize::Medium, 45, 55), (ChestSize::Large, 68, 83)]
        {
            let mut fate = original();
            let chest = Chest { size, has_gold: true, tier: Tier::Common };
            let (gold, _) = fate.open_chest(tables(), &NOBODY, chest);
            assert!(gold.is_some_and(|gold| (least..=most).contains(&gold)), "{size:?} {gold:?}");
            assert_eq!(fate.streams.treasure.counter(), 1);
        }
    }

    #[test]
    fn a_card_transforms_among_its_own_kind_into_another() {
        let number = |name: &str| -> CardNo { tables().cards.find(name).expect(name) };
        let class = &tables().of(ironclad()).transform;
        for seed in 0..200 {
            let into = |name: &str| {
                let mut fate = original();
                (fate.streams.misc, fate.streams.neow) =
                    (crate::seeds::Stream::new(seed), crate::seeds::Stream::new(seed));
                let old = number(name);
                let (event, neow) = (fate.event_transform(tables(), old), fate.neow_transform(tables(), old));
                assert_eq!(event, neow, "the same list, each by its own stream");
                assert_ne!(event, old, "{name} became itself");
                event
            };
            assert!(class.contains(&into("strike_ironclad")) && class.contains(&into("anger")));
            assert!(class.contains(&into("zap")), "a card of another class becomes one of the own");
            assert!(tables().curses.contains(&into("regret")));
            assert!(tables().colorless_transform.contains(&into("panache")));
            assert!(tables().colorless_transform.contains(&into("jax")), "colorless, though in no pool");
        }
    }

    #[test]
    fn a_rare_colorless_card_ends_the_wait_too() {
        let mut fate = original();
        (fate.drift.rarity_offset, fate.streams.card) = (-9, floating(0, 300));
        let offer = fate.colorless_reward(tables(), 1);
        assert_eq!((offer[0].rarity, fate.drift.rarity_offset), (Rarity::Rare, 5));
        (fate.drift.rarity_offset, fate.streams.card) = (-9, floating(300, 1000));
        let offer = fate.colorless_reward(tables(), 1);
        assert_eq!((offer[0].rarity, fate.drift.rarity_offset), (Rarity::Uncommon, -9));
    }
}
