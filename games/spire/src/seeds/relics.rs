//! Relic pools: shuffled once, then taken from either end.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use turnstone::dice::{Draw, Lots};

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{CharacterNo, RelicNo, Rules, Tier};
use super::java::java_shuffle;
use super::stream::Stream;
use super::tables::Tables;

/// One pool in draw order.
pub type Pool = SmallVec<[RelicNo; 34]>;

/// The end of a pool a relic is taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Rewards.
    Front,
    /// Shops.
    Back,
}

/// The five pools of a run, by [`Tier`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelicPools {
    pools: [Pool; 5],
}

impl RelicPools {
    pub(super) fn new(tables: &Tables, character: CharacterNo, rules: Rules, relic: &mut Stream) -> Self {
        let lists = &tables.of(character).relics;
        let pools = lists.each_ref().map(|list| {
            let mut pool = Pool::from_slice(list);
            // The original counts these draws, the simulator does not; the numbers are the same.
            let seed = if rules.original() { relic.long() } else { relic.raw() };
            java_shuffle(&mut pool, seed);
            pool
        });
        RelicPools { pools }
    }

    /// A pool in draw order.
    pub fn pool(&self, tier: Tier) -> &[RelicNo] {
        &self.pools[tier as usize]
    }

    /// Removes a relic that was obtained by other means.
    pub fn forget(&mut self, relic: RelicNo) {
        for pool in &mut self.pools {
            pool.retain(|r| *r != relic);
        }
    }

    /// Every pool in another order.
    pub(crate) fn reshuffle(&mut self, lots: &mut Lots) {
        for pool in &mut self.pools {
            pool.sort_unstable();
            lots.shuffle(pool);
        }
    }

    /// Every pool in the order of its numbers.
    pub fn sort(&mut self) {
        self.pools.iter_mut().for_each(|pool| pool.sort_unstable());
    }

    fn pop(&mut self, tier: Tier, end: End) -> Option<RelicNo> {
        let pool = &mut self.pools[tier as usize];
        match end {
            End::Back => pool.pop(),
            End::Front if pool.is_empty() => None,
            End::Front => Some(pool.remove(0)),
        }
    }
}

/// What an empty pool hands over to.
fn next_tier(tier: Tier) -> Option<Tier> {
    match tier {
        Tier::Common | Tier::Shop => Some(Tier::Uncommon),
        Tier::Uncommon => Some(Tier::Rare),
        Tier::Rare | Tier::Boss => None,
    }
}

impl Fate {
    /// Takes a relic of a tier. One that may not come up now is lost and the next is tried, from the back.
    pub(crate) fn take_relic(
        &mut self,
        tables: &Tables,
        holder: &Holder<'_>,
        tier: Tier,
        end: End,
    ) -> RelicNo {
        let mut from = (tier, end);
        loop {
            match self.relics.pop(from.0, from.1) {
                Some(relic) if holder.may_find(tables, self.rules, relic, end == End::Back) => return relic,
                Some(_) if from.0 == Tier::Boss && self.rules.original() => {}
                Some(_) => from.1 = End::Back,
                None => match next_tier(from.0) {
                    Some(next) => from = (next, end),
                    None if from.0 == Tier::Boss => return tables.boss_stand_in,
                    None => return tables.stand_in,
                },
            }
        }
    }

    /// Rolls the tier of an elite's relic.
    fn roll_elite_tier(&mut self) -> Tier {
        match self.streams.relic.percent() {
            0..50 => Tier::Common,
            50..83 => Tier::Uncommon,
            _ => Tier::Rare,
        }
    }

    /// Rolls the tier of any other relic. In the last act every one is uncommon; the draw is made all the same.
    fn roll_tier(&mut self) -> Tier {
        let rolled = self.roll_elite_tier();
        if self.act > 3 { Tier::Uncommon } else { rolled }
    }

    /// The relic of an elite.
    pub fn elite_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_elite_tier();
        self.take_relic(tables, holder, tier, End::Front)
    }

    /// A relic that is dug up.
    pub fn found_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_tier();
        self.take_relic(tables, holder, tier, End::Front)
    }

    /// The second relic of an elite, which never is one for the campfire.
    pub fn second_elite_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_elite_tier();
        loop {
            let relic = self.take_relic(tables, holder, tier, End::Front);
            if relic == tables.stand_in || !tables.campfire_relics().contains(&relic) {
                return relic;
            }
        }
    }

    /// A further relic in a chest: common three times of four, otherwise uncommon.
    pub(crate) fn nested_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = if self.streams.relic.chance(75) { Tier::Common } else { Tier::Uncommon };
        self.take_relic(tables, holder, tier, End::Front)
    }

    /// A random relic given by an event, which never is one that opens a screen of its own.
    pub fn event_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_tier();
        self.screenless_relic(tables, holder, tier)
    }

    /// A relic of a tier that opens no screen of its own.
    pub(crate) fn screenless_relic(&mut self, tables: &Tables, holder: &Holder<'_>, tier: Tier) -> RelicNo {
        loop {
            let relic = self.take_relic(tables, holder, tier, End::Front);
            if relic == tables.stand_in || !tables.not_from_events.contains(&relic) {
                return relic;
            }
        }
    }

    /// The three relics of a boss chest.
    pub fn boss_chest(&mut self, tables: &Tables, holder: &Holder<'_>) -> [RelicNo; 3] {
        [(); 3].map(|()| self.take_relic(tables, holder, Tier::Boss, End::Front))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::words::CardType;
    use crate::seeds::bench::{NOBODY, card, original, relic, rolling, run};

    const TABLES: fn() -> &'static Tables = Tables::embedded;

    fn may_find(holder: &Holder<'_>, rules: Rules, name: &str, in_shop: bool) -> bool {
        holder.may_find(TABLES(), rules, relic(name), in_shop)
    }

    #[test]
    fn relics_appear_up_to_their_last_floor() {
        let last_floors = [
            ("tiny_chest", 35),
            ("wing_boots", 40),
            ("matryoshka", 40),
            ("girya", 47),
            ("peace_pipe", 47),
            ("shovel", 47),
            ("maw_bank", 48),
            ("old_coin", 48),
            ("smiling_mask", 48),
            ("the_courier", 48),
            ("ancient_tea_set", 48),
            ("ceramic_fish", 48),
            ("darkstone_periapt", 48),
            ("dream_catcher", 48),
            ("frozen_egg", 48),
            ("juzu_bracelet", 48),
            ("meal_ticket", 48),
            ("meat_on_the_bone", 48),
            ("molten_egg", 48),
            ("omamori", 48),
            ("potion_belt", 48),
            ("prayer_wheel", 48),
            ("question_card", 48),
            ("regal_pillow", 48),
            ("singing_bowl", 48),
            ("toxic_egg", 48),
            ("preserved_insect", 52),
        ];
        for (name, last) in last_floors {
            let on = |floor| may_find(&Holder { floor, ..NOBODY }, Rules::Original, name, false);
            assert!(on(1) && on(last) && !on(last + 1), "{name}");
        }
        let late = Holder { floor: 60, act: 4, ..NOBODY };
        assert!(may_find(&late, Rules::Original, "anchor", false), "others always");
    }

    #[test]
    fn some_relics_are_not_sold() {
        for (name, original, simulator) in [
            ("maw_bank", false, false),
            ("old_coin", false, false),
            ("smiling_mask", false, false),
            ("the_courier", false, true),
            ("membership_card", true, true),
        ] {
            assert_eq!(may_find(&NOBODY, Rules::Original, name, true), original, "{name}");
            assert_eq!(may_find(&NOBODY, Rules::Simulator, name, true), simulator, "{name}");
            assert!(may_find(&NOBODY, Rules::Original, name, false), "{name} as a reward");
        }
    }

    #[test]
    fn bottles_need_a_card_and_better_starters_the_old_one() {
        for (bottle, kind, basic_counts) in [
            ("bottled_flame", CardType::Attack, false),
            ("bottled_lightning", CardType::Skill, false),
            ("bottled_tornado", CardType::Power, true),
        ] {
            let with = |basic| {
                let deck = [card("anger", kind, basic)];
                may_find(&Holder { deck: &deck, ..NOBODY }, Rules::Original, bottle, false)
            };
            assert!(with(false) && with(true) == basic_counts, "{bottle}");
            assert!(!may_find(&NOBODY, Rules::Original, bottle, false), "{bottle}");
        }
        for (better, starter) in [
            ("black_blood", "burning_blood"),
            ("ring_of_the_serpent", "ring_of_the_snake"),
            ("frozen_core", "cracked_core"),
            ("holy_water", "pure_water"),
        ] {
            let relics = [relic(starter)];
            assert!(may_find(&Holder { relics: &relics, ..NOBODY }, Rules::Original, better, false));
            assert!(!may_find(&NOBODY, Rules::Original, better, false), "{better}");
        }
    }

    #[test]
    fn two_relics_for_the_campfire_are_enough() {
        let two = [relic("girya"), relic("peace_pipe")];
        let one = Holder { relics: &two[..1], ..NOBODY };
        assert!(may_find(&one, Rules::Original, "shovel", false));
        assert!(!may_find(&Holder { relics: &two, ..NOBODY }, Rules::Original, "shovel", false));
    }

    #[test]
    fn ectoplasm_comes_in_the_first_act_unless_simulated() {
        let second = Holder { act: 2, ..NOBODY };
        assert!(may_find(&NOBODY, Rules::Original, "ectoplasm", false));
        assert!(!may_find(&second, Rules::Original, "ectoplasm", false));
        assert!(may_find(&second, Rules::Simulator, "ectoplasm", false));
    }

    fn pools(fate: &mut Fate, tier: Tier, names: &[&str]) {
        fate.relics.edit().pools[tier as usize] = names.iter().map(|name| relic(name)).collect();
    }

    #[test]
    fn what_may_not_appear_is_lost_and_the_next_comes_from_the_back() {
        let taken = |tier, end, rules, names: &[&str]| {
            let mut fate = run(0, rules);
            pools(&mut fate, tier, names);
            let taken = fate.take_relic(TABLES(), &NOBODY, tier, end);
            let left = fate.relics.pool(tier).iter().map(|r| TABLES().relics.name(*r)).collect::<Vec<_>>();
            (TABLES().relics.name(taken).to_owned(), left.join(" "))
        };
        let bottles = ["bottled_flame", "pear", "kunai"];
        let (front, back) = (End::Front, End::Back);
        assert_eq!(
            taken(Tier::Uncommon, front, Rules::Original, &bottles),
            ("kunai".into(), "pear".into()),
            "lost at the front, replaced from the back"
        );
        assert_eq!(
            taken(Tier::Uncommon, back, Rules::Original, &["pear", "kunai", "bottled_flame"]),
            ("kunai".into(), "pear".into())
        );
        let bosses = ["black_blood", "sozu", "astrolabe"];
        assert_eq!(
            taken(Tier::Boss, front, Rules::Original, &bosses),
            ("sozu".into(), "astrolabe".into()),
            "boss relics are replaced from the front"
        );
        assert_eq!(taken(Tier::Boss, front, Rules::Simulator, &bosses), ("astrolabe".into(), "sozu".into()));
    }

    #[test]
    fn an_empty_pool_hands_over() {
        for (asked, emptied, given) in [
            (Tier::Common, &[Tier::Common][..], "pear"),
            (Tier::Shop, &[Tier::Shop], "pear"),
            (Tier::Uncommon, &[Tier::Uncommon], "mango"),
            (Tier::Common, &[Tier::Common, Tier::Uncommon], "mango"),
            (Tier::Rare, &[Tier::Rare], "circlet"),
            (Tier::Common, &[Tier::Common, Tier::Uncommon, Tier::Rare], "circlet"),
            (Tier::Boss, &[Tier::Boss], "red_circlet"),
        ] {
            let mut fate = original();
            pools(&mut fate, Tier::Uncommon, &["pear"]);
            pools(&mut fate, Tier::Rare, &["mango"]);
            emptied.iter().for_each(|tier| pools(&mut fate, *tier, &[]));
            let taken = fate.take_relic(TABLES(), &NOBODY, asked, End::Front);
            assert_eq!(TABLES().relics.name(taken), given, "{asked:?}");
        }
    }

    #[test]
    fn tiers_are_rolled_and_in_the_last_act_only_elites_heed_the_roll() {
        for (percent, tier) in [
            (0, Tier::Common),
            (49, Tier::Common),
            (50, Tier::Uncommon),
            (82, Tier::Uncommon),
            (83, Tier::Rare),
            (99, Tier::Rare),
        ] {
            for act in [1, 3, 4] {
                let mut fate = original();
                (fate.act, fate.streams.relic) = (act, rolling(percent));
                assert_eq!(fate.clone().roll_elite_tier(), tier);
                let expected = if act == 4 { Tier::Uncommon } else { tier };
                assert_eq!(fate.roll_tier(), expected, "act {act}");
                assert_eq!(fate.streams.relic.counter(), 1, "the draw is made in every act");
            }
        }
    }

    #[test]
    fn events_give_nothing_that_opens_a_screen() {
        let mut fate = original();
        pools(&mut fate, Tier::Common, &["whetstone", "anchor"]);
        fate.streams.relic = rolling(0);
        let given = fate.event_relic(TABLES(), &NOBODY);
        assert_eq!(TABLES().relics.name(given), "anchor");
        assert!(fate.relics.pool(Tier::Common).is_empty(), "the other is lost");
    }

    #[test]
    fn only_the_original_counts_the_shuffles_of_pools() {
        assert_eq!(original().streams.relic.counter(), 5);
        let simulated = run(0, Rules::Simulator);
        assert_eq!(simulated.streams.relic.counter(), 0);
        assert_eq!(simulated.relics, original().relics);
    }
}
