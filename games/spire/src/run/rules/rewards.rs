//! Rewards of fights, chests and boss chests.

use super::steps::tier;
use super::{Out, Outcome, fact, last, maybe};
use crate::catalog::compile::Op;
use crate::catalog::words::{Flag, Prevent, Stage};
use crate::run::effect::Effect;
use crate::run::event::Event;
use crate::run::journey::Journey;
use crate::run::plan::Contents;
use crate::run::rulebook::empty_slot;
use crate::run::tower::{FightKind, Key, Reward, Screen};
use crate::seeds::{CardNo, CardOdds, CardOffer, End, Fate, Rarity, RelicNo, Room};
use crate::state::State;
use turnstone::Settled;

impl Journey<'_> {
    /// A card reward with everything that changes its size, odds and pool.
    pub fn card_offer(&self, s: &State, fate: &mut Fate, odds: CardOdds) -> CardOffer {
        let count = self.offer_size(s);
        // Nobody has a say in what is dreamt at a campfire.
        let dreamt = s.tower.room == Some(Room::Rest);
        let factor = if dreamt { 1 } else { self.altered(s, Stage::RareChance, 1) };
        let mut offer = if self.flagged(s, Flag::AnyRewardColor) {
            fate.card_reward_from(&self.tables, &self.every_color(), odds, count, factor)
        } else {
            fate.card_reward(&self.tables, odds, count, factor)
        };
        for offered in &mut offer {
            offered.upgraded |= self.comes_upgraded(s, offered.card);
        }
        offer
    }

    /// How many cards a card reward shows.
    pub(super) fn offer_size(&self, s: &State) -> usize {
        self.altered(s, Stage::CardRewardSize, 3).clamp(1, 20) as usize
    }

    fn every_color(&self) -> [Vec<CardNo>; 3] {
        let tables = &self.tables;
        let of = |r: Rarity| {
            tables.everybody.iter().flat_map(move |c| tables.of(*c).by_rarity[r as usize].clone())
        };
        [
            of(Rarity::Common).collect(),
            of(Rarity::Uncommon).chain(tables.colorless[0].clone()).collect(),
            of(Rarity::Rare).chain(tables.colorless[1].clone()).collect(),
        ]
    }

    /// The reward screen of a won fight.
    pub(super) fn settle_reward(&self, s: &State, kind: FightKind) -> Outcome {
        let (rewards, change) = self.drawing(s, |fate| self.fight_rewards(s, fate, kind));
        if rewards.is_empty() {
            return Settled::Stale;
        }
        fact(Event::Opened { screen: Box::new(Screen::Rewards(rewards)), change })
    }

    fn fight_rewards(&self, s: &State, fate: &mut Fate, kind: FightKind) -> Vec<Reward> {
        let mut list = Vec::with_capacity(5);
        let odds = match kind {
            FightKind::Monster => {
                list.push(Reward::Gold(self.gold_reward(s, fate.monster_gold())));
                CardOdds::Normal
            }
            FightKind::Elite => {
                self.elite_rewards(s, fate, &mut list);
                CardOdds::Elite
            }
            FightKind::Boss => {
                list.push(Reward::Gold(self.gold_reward(s, fate.boss_gold(&self.tables))));
                CardOdds::Boss
            }
            FightKind::Event(step) => match self.event_pay(s, fate, step, &mut list) {
                true => CardOdds::Normal,
                false => return list,
            },
        };
        if s.tower.stolen > 0 {
            // Before the gold of the fight; the simulator puts it behind.
            let at = if fate.rules.original() { 0 } else { list.len().min(1) };
            list.insert(at, Reward::StolenGold(s.tower.stolen));
        }
        let chance = self.altered(s, Stage::PotionChance, fate.potion_chance());
        list.extend(fate.potion_drop(&self.tables, chance, list.len()).map(Reward::Potion));
        list.push(Reward::Cards(self.card_offer(s, fate, odds)));
        let offers = if kind == FightKind::Monster { self.altered(s, Stage::CardRewards, 1) } else { 1 };
        for _ in 1..offers {
            list.push(Reward::Cards(self.card_offer(s, fate, CardOdds::Normal)));
        }
        list.retain(|r| !matches!(r, Reward::Cards(offer) if offer.is_empty()));
        list
    }

    pub(super) fn gold_reward(&self, s: &State, gold: u32) -> u32 {
        self.altered(s, Stage::GoldReward, gold as i32).max(0) as u32
    }

    fn elite_rewards(&self, s: &State, fate: &mut Fate, list: &mut Vec<Reward>) {
        list.push(Reward::Gold(self.gold_reward(s, fate.elite_gold())));
        self.with_holder(s, |holder| {
            list.push(Reward::Relic(fate.elite_relic(&self.tables, holder)));
            for _ in 1..self.altered(s, Stage::EliteRelics, 1) {
                list.push(Reward::Relic(fate.second_elite_relic(&self.tables, holder)));
            }
        });
        if s.tower.at_burning_elite() {
            list.push(Reward::Key(Key::Emerald));
        }
    }

    /// What an event's fight pays; false if it pays nothing at all.
    fn event_pay(
        &self,
        s: &State,
        fate: &mut Fate,
        step: crate::run::effect::StepAt,
        list: &mut Vec<Reward>,
    ) -> bool {
        let (gold, relics, tiers) = match self.step(step) {
            Some(Op::Fight { unpaid: false, gold, relics, tiers, .. }) => (gold, relics, tiers),
            Some(Op::SearchFinds { .. }) => {
                self.guarded_pay(s, fate, list);
                return true;
            }
            _ => return false,
        };
        if let Some(gold) = gold {
            let gold = self.amount(*gold, &self.within(s, step.program, 0), fate).max(0) as u32;
            list.push(Reward::Gold(self.gold_reward(s, gold)));
        }
        list.extend(relics.iter().map(|relic| Reward::Relic(RelicNo(*relic))));
        self.with_holder(s, |holder| {
            for &found in tiers {
                list.push(Reward::Relic(fate.take_relic(&self.tables, holder, tier(found), End::Front)));
            }
        });
        true
    }

    /// The chest with the key that may be taken in place of its relic.
    pub(super) fn settle_unlock(&self, s: &State) -> Outcome {
        let Some(Screen::Chest(chest)) = s.tower.screen() else { return Settled::Stale };
        let more = self.altered(s, Stage::ChestRelics, 0);
        let robbed = self.prevents(s, Prevent::ChestRelic);
        let (rewards, change) = self.drawing(s, |fate| {
            self.with_holder(s, |holder| {
                let mut list = Vec::with_capacity(4);
                for _ in 0..more {
                    list.push(Reward::Relic(fate.nested_relic(&self.tables, holder)));
                }
                let (gold, relic) = match self.contents_here(s) {
                    Some(Contents::Relic(relic)) => (None, relic),
                    _ => fate.open_chest(&self.tables, holder, *chest),
                };
                list.splice(0..0, gold.map(Reward::Gold));
                list.push(Reward::Relic(relic));
                list
            })
        });
        let rewards = finish_chest(s, rewards, robbed);
        fact(Event::ChestUnlocked { rewards, change })
    }

    pub(super) fn settle_boss_chest(&self, s: &State) -> Outcome {
        let floor = s.run.floor + 1;
        let (relics, change) = self.drawing(s, |fate| {
            fate.enter_floor(floor);
            self.with_holder(s, |holder| fate.boss_chest(&self.tables, holder))
        });
        fact(Event::Opened { screen: Box::new(Screen::BossChest(relics)), change })
    }

    /// Taking a reward: a relic spoils the sapphire key beside it and the other way round.
    pub(super) fn settle_take(&self, s: &State, reward: u8, card: Option<u8>) -> Outcome {
        let Some(Screen::Rewards(list)) = s.tower.screen() else { return Settled::Stale };
        match list.get(usize::from(reward)) {
            Some(Reward::Potion(_)) if empty_slot(&s.run).is_none() => Settled::Stale,
            Some(_) => self.settle_taken(s, reward, card),
            None => Settled::Stale,
        }
    }

    /// A reward leaves the screen, for whatever is made of it.
    pub(super) fn settle_taken(&self, s: &State, reward: u8, chosen: Option<u8>) -> Outcome {
        let Some(Screen::Rewards(list)) = s.tower.screen() else { return Settled::Stale };
        let Some(what) = list.get(usize::from(reward)) else { return Settled::Stale };
        let spoiled = spoiled_by(list, usize::from(reward)).map(|place| place as u8);
        fact(Event::RewardTaken { reward, chosen, what: what.clone(), spoiled })
    }

    /// A relic of the boss's chest is taken, and the others with their chest are left.
    pub(super) fn settle_boss_relic(&self, s: &State, place: u8) -> Outcome {
        let Some(Screen::BossChest(relics)) = s.tower.screen() else { return Settled::Stale };
        maybe(relics.get(usize::from(place)).map(|&relic| Event::BossRelicTaken { place, relic }))
    }

    /// What taking a reward brings, read before it leaves the screen.
    pub(crate) fn open_take(&self, s: &State, reward: u8, card: Option<u8>, out: &mut Out) {
        let Some(Screen::Rewards(list)) = s.tower.screen() else { return };
        let Some(taken) = list.get(usize::from(reward)) else { return };
        out.last(
            match card {
                Some(card) => Effect::TakeCard { reward, card },
                None => Effect::TakeReward(reward),
            }
            .into(),
        );
        match taken {
            Reward::Gold(gold) | Reward::StolenGold(gold) => last(Effect::Gold(*gold as i32), out),
            Reward::Relic(relic) => last(Effect::GainRelic(*relic), out),
            Reward::Potion(potion) => last(Effect::GainPotion(*potion), out),
            Reward::Key(key) => last(Effect::Key(*key), out),
            Reward::Cards(offer) => {
                if let Some(o) = card.and_then(|c| offer.get(usize::from(c))) {
                    out.last(Effect::AddCard { card: o.card, up: u8::from(o.upgraded) }.into());
                }
            }
        }
    }

    pub(crate) fn open_boss_relic(&self, s: &State, which: u8, out: &mut Out) {
        let Some(Screen::BossChest(relics)) = s.tower.screen() else { return };
        let Some(&relic) = relics.get(usize::from(which)) else { return };
        out.last(Effect::BossRelic(which).into());
        out.last(Effect::GainRelic(relic).into());
    }
}

fn finish_chest(s: &State, mut rewards: Vec<Reward>, robbed: bool) -> Vec<Reward> {
    if robbed && let Some(first) = rewards.iter().position(|r| matches!(r, Reward::Relic(_))) {
        rewards.remove(first);
    }
    let relic_left = matches!(rewards.last(), Some(Reward::Relic(_)));
    if relic_left && !s.tower.has_key(Key::Sapphire) {
        rewards.push(Reward::Key(Key::Sapphire));
    }
    rewards
}

/// The reward that goes when another is taken, since they exclude each other.
fn spoiled_by(rewards: &[Reward], taken: usize) -> Option<usize> {
    let sapphire = Reward::Key(Key::Sapphire);
    match rewards.get(taken)? {
        Reward::Relic(_) => Some(taken + 1).filter(|&next| rewards.get(next) == Some(&sapphire)),
        reward if *reward == sapphire => taken.checked_sub(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sapphire_key_excludes_its_relic() {
        let list = [Reward::Gold(9), Reward::Relic(RelicNo(1)), Reward::Key(Key::Sapphire)];
        assert_eq!([0, 1, 2].map(|taken| spoiled_by(&list, taken)), [None, Some(2), Some(1)]);
    }
}
