//! Relic pools: shuffled once, then taken from either end.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::fate::Fate;
use super::holder::Holder;
use super::ids::{Character, RelicNo, Rules, Tier};
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
    pub(super) fn new(tables: &Tables, character: Character, rules: Rules, relic: &mut Stream) -> Self {
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
    pub fn take_relic(&mut self, tables: &Tables, holder: &Holder<'_>, tier: Tier, end: End) -> RelicNo {
        let mut from = (tier, end);
        loop {
            match self.relics.pop(from.0, from.1) {
                Some(relic) if holder.may_find(tables, self.rules, relic, end == End::Back) => return relic,
                Some(_) if from.0 == Tier::Boss && self.rules.original() => {}
                Some(_) => from.1 = End::Back,
                None => match next_tier(from.0) {
                    Some(next) => from = (next, end),
                    None if from.0 == Tier::Boss => return tables.red_circlet,
                    None => return tables.circlet,
                },
            }
        }
    }

    /// Rolls the tier of an elite's or event's relic. In the last act every one is uncommon.
    pub fn roll_tier(&mut self) -> Tier {
        if self.act > 3 {
            return Tier::Uncommon;
        }
        match self.streams.relic.percent() {
            0..50 => Tier::Common,
            50..83 => Tier::Uncommon,
            _ => Tier::Rare,
        }
    }

    /// The relic of an elite.
    pub fn elite_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_tier();
        self.take_relic(tables, holder, tier, End::Front)
    }

    /// The second relic of an elite, which never is one for the campfire.
    pub fn black_star_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_tier();
        loop {
            let relic = self.take_relic(tables, holder, tier, End::Front);
            if !tables.campfire_relics().contains(&relic) {
                return relic;
            }
        }
    }

    /// A random relic given by an event, which never is one that opens a screen of its own.
    pub fn event_relic(&mut self, tables: &Tables, holder: &Holder<'_>) -> RelicNo {
        let tier = self.roll_tier();
        self.screenless_relic(tables, holder, tier)
    }

    /// A relic of a tier that opens no screen of its own.
    pub fn screenless_relic(&mut self, tables: &Tables, holder: &Holder<'_>, tier: Tier) -> RelicNo {
        loop {
            let relic = self.take_relic(tables, holder, tier, End::Front);
            if !tables.not_from_events.contains(&relic) {
                return relic;
            }
        }
    }

    /// The three relics of a boss chest.
    pub fn boss_chest(&mut self, tables: &Tables, holder: &Holder<'_>) -> [RelicNo; 3] {
        [(); 3].map(|()| self.take_relic(tables, holder, Tier::Boss, End::Front))
    }
}
