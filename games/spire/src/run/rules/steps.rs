//! Steps of scripts: what a step draws, and the effects it stands for.

use std::collections::BTreeSet;

use smallvec::SmallVec;
use turnstone::Settled;

use super::amounts::drawn_card;
use super::{Out, Outcome, deck_where, fact};
use crate::catalog::words::CardType;
use crate::run::effect::{Effect, Event, Purpose};
use crate::run::journey::Journey;
use crate::run::script::{KindWord, ListNo, Op, StepNo};
use crate::run::tower::{FightKind, Reward};
use crate::seeds::{
    CardNo, CardOdds, CardOffer, EventDetail, Fate, FateChange, FightNo, PotionNo, Rarity, RelicNo,
    java_shuffle,
};
use crate::state::{DeckCard, State};

/// What a step drew: a number and a list.
type Draws = (i32, SmallVec<[u16; 4]>);

fn number(value: i32) -> Draws {
    (value, SmallVec::new())
}

impl Journey<'_> {
    pub(super) fn settle_step(&self, s: &State, step: StepNo) -> Outcome {
        let Some(op) = self.book.step(step) else { return Settled::Stale };
        if let Some(rewards) = self.step_rewards(s, op) {
            return rewards;
        }
        let ((value, drawn), change) = self.drawing(s, |fate| self.step_draws(s, op, fate));
        fact(Event::Stepped { step, value, drawn, change })
    }

    fn step_draws(&self, s: &State, op: &Op, fate: &mut Fate) -> Draws {
        match op {
            Op::Gold(n) | Op::LoseGold(n) | Op::Heal(n) | Op::Damage(n) => number(self.amount(s, *n, fate)),
            Op::LoseHp(n) | Op::MaxHp(n) | Op::LoseMaxHp(n) => number(self.amount(s, *n, fate)),
            Op::Cards { count, .. } => number(self.amount(s, *count, fate)),
            Op::Chance { percent, .. } => {
                let percent = self.amount(s, *percent, fate);
                number(i32::from(fate.streams.misc.percent() < percent))
            }
            Op::OneOf(lists) => number(fate.streams.misc.index(lists.len()) as i32),
            Op::RelicOf { relics, new } => number(i32::from(self.one_relic_of(s, relics, *new, fate).0)),
            Op::RandomRelic => {
                let relic = self.with_holder(s, |holder| fate.event_relic(&self.tables, holder));
                number(i32::from(relic.0))
            }
            Op::UpgradeRandom { kind, count } => (0, self.random_upgrades(s, *kind, *count, fate)),
            Op::ColorlessCard => number(i32::from(fate.uncommon_colorless(&self.tables).0)),
            Op::Library(count) => (0, self.library(*count, fate)),
            Op::FillPotions(count) => {
                let empty = s.run.potions.iter().filter(|p| **p == crate::state::NONE).count() as i32;
                let count = self.amount(s, *count, fate).clamp(0, empty);
                (0, (0..count).map(|_| fate.roll_potion(&self.tables).0).collect())
            }
            Op::Counter { to, .. } => number(self.amount(s, *to, fate)),
            Op::ReplaceCards(filter) => (0, self.replacements(s, *filter, fate)),
            Op::UpgradeCards { filter, count } => {
                let cards = self.told_cards(s, *filter);
                (0, self.some_upgrades(s, |index| cards.contains(&index), *count, fate))
            }
            Op::DrawTwoRelics => {
                let mut relics: SmallVec<[u16; 4]> = s.run.relics.iter().map(|r| r.id).collect();
                java_shuffle(&mut relics, fate.streams.misc.long());
                relics.truncate(2);
                (0, relics)
            }
            Op::SearchAdventurer => self.search(s, fate),
            // Nothing is drawn. Every one stands here, so that a new one is not forgotten.
            Op::LoseAllGold
            | Op::HealFull
            | Op::Relic(_)
            | Op::LoseRelic(_)
            | Op::RemoveCard
            | Op::UpgradeCard
            | Op::UpgradeAll
            | Op::UpgradeStarters
            | Op::Transform { .. }
            | Op::Duplicate
            | Op::RemoveCurses
            | Op::ReplaceStrikes { .. }
            | Op::Bottle(_)
            | Op::PotionSlots(_)
            | Op::Treasure { .. }
            | Op::RelicRewards(_)
            | Op::Colorless(_)
            | Op::Fight(_)
            | Op::Count(_)
            | Op::Goto(_)
            | Op::DrawnPotions
            | Op::GiveDrawnRelic(_)
            | Op::GiveDrawnPotion
            | Op::LoseDrawn(_)
            | Op::ToTheBoss
            | Op::MemoryGame
            | Op::Bonfire(_)
            | Op::RandomCurse
            | Op::FoundRelic
            | Op::RemoveCards(_) => number(0),
        }
    }

    /// Steps that open a reward screen.
    fn step_rewards(&self, s: &State, op: &Op) -> Option<Outcome> {
        let (rewards, change) = match op {
            Op::Treasure { gold, potions, cards } => self.drawing(s, |fate| {
                let mut list = Vec::new();
                if *gold > 0 {
                    list.push(Reward::Gold(*gold));
                }
                list.extend((0..*potions).map(|_| Reward::Potion(fate.roll_potion(&self.tables))));
                list.extend((0..*cards).map(|_| Reward::Cards(self.card_offer(s, fate, CardOdds::Normal))));
                list
            }),
            Op::RelicRewards(tiers) => self.drawing(s, |fate| {
                self.with_holder(s, |holder| {
                    let relic = |tier| Reward::Relic(fate.screenless_relic(&self.tables, holder, tier));
                    tiers.iter().copied().map(relic).collect()
                })
            }),
            Op::Colorless(count) => self.drawing(s, |fate| {
                (0..*count).map(|_| Reward::Cards(self.colorless_offer(s, fate))).collect()
            }),
            Op::FoundRelic => self.drawing(s, |fate| {
                let relic = self.with_holder(s, |holder| fate.found_relic(&self.tables, holder));
                vec![Reward::Relic(relic)]
            }),
            Op::DrawnPotions => (drawn_potions(s), FateChange::default()),
            // No screen of rewards. Every one stands here, so that a new one is not forgotten.
            Op::Gold(_)
            | Op::LoseGold(_)
            | Op::LoseAllGold
            | Op::Heal(_)
            | Op::HealFull
            | Op::Damage(_)
            | Op::LoseHp(_)
            | Op::MaxHp(_)
            | Op::LoseMaxHp(_)
            | Op::Cards { .. }
            | Op::Relic(_)
            | Op::RelicOf { .. }
            | Op::RandomRelic
            | Op::LoseRelic(_)
            | Op::RemoveCard
            | Op::UpgradeCard
            | Op::UpgradeRandom { .. }
            | Op::UpgradeAll
            | Op::UpgradeStarters
            | Op::Transform { .. }
            | Op::Duplicate
            | Op::RemoveCurses
            | Op::ReplaceStrikes { .. }
            | Op::Bottle(_)
            | Op::FillPotions(_)
            | Op::PotionSlots(_)
            | Op::ColorlessCard
            | Op::Library(_)
            | Op::Fight(_)
            | Op::Chance { .. }
            | Op::OneOf(_)
            | Op::Count(_)
            | Op::Goto(_)
            | Op::DrawTwoRelics
            | Op::GiveDrawnRelic(_)
            | Op::GiveDrawnPotion
            | Op::LoseDrawn(_)
            | Op::ToTheBoss
            | Op::MemoryGame
            | Op::Bonfire(_)
            | Op::SearchAdventurer
            | Op::Counter { .. }
            | Op::RandomCurse
            | Op::RemoveCards(_)
            | Op::ReplaceCards(_)
            | Op::UpgradeCards { .. } => return None,
        };
        Some(if rewards.is_empty() { Settled::Stale } else { fact(Event::RewardsAdded { rewards, change }) })
    }

    fn colorless_offer(&self, s: &State, fate: &mut Fate) -> CardOffer {
        let mut offer = fate.colorless_reward(&self.tables, self.offer_size(s));
        for offered in &mut offer {
            offered.upgraded |= self.comes_upgraded(s, offered.card);
        }
        offer
    }

    fn one_relic_of(&self, s: &State, relics: &[RelicNo], new: bool, fate: &mut Fate) -> RelicNo {
        let owned = |relic: &RelicNo| s.run.relics.iter().any(|r| r.id == relic.0);
        if !new {
            return relics[fate.streams.misc.index(relics.len())];
        }
        let mut left: Vec<RelicNo> = relics.iter().copied().filter(|r| !owned(r)).collect();
        java_shuffle(&mut left, fate.streams.misc.long());
        left.first().copied().unwrap_or(self.tables.stand_in)
    }

    fn random_upgrades(
        &self,
        s: &State,
        kind: Option<KindWord>,
        count: u8,
        fate: &mut Fate,
    ) -> SmallVec<[u16; 4]> {
        let deck = &s.run.deck;
        let fits = |index: u16| kind.is_none_or(|k| self.is_kind(&deck[usize::from(index)], k));
        self.some_upgrades(s, fits, count, fate)
    }

    fn some_upgrades(
        &self,
        s: &State,
        fits: impl Fn(u16) -> bool,
        count: u8,
        fate: &mut Fate,
    ) -> SmallVec<[u16; 4]> {
        let mut cards: Vec<u16> =
            deck_where(s, |c| self.can_upgrade(c)).filter(|index| fits(*index)).collect();
        java_shuffle(&mut cards, fate.streams.misc.long());
        cards.into_iter().take(usize::from(count)).collect()
    }

    fn library(&self, count: u8, fate: &mut Fate) -> SmallVec<[u16; 4]> {
        let lists = &self.tables.of(fate.character).by_rarity;
        let mut cards: SmallVec<[u16; 4]> = SmallVec::new();
        let different: BTreeSet<CardNo> = lists.iter().flatten().copied().collect();
        while cards.len() < usize::from(count).min(different.len()) {
            let rarity = match fate.streams.card.percent() + i32::from(fate.drift.rarity_offset) {
                r if r < 3 => Rarity::Rare,
                r if r < 40 => Rarity::Uncommon,
                _ => Rarity::Common,
            };
            let list = &lists[rarity as usize];
            let card = list[fate.streams.card.index(list.len())].0;
            if !cards.contains(&card) {
                cards.push(card);
            }
        }
        cards
    }

    fn replacements(&self, s: &State, filter: Option<u16>, fate: &mut Fate) -> SmallVec<[u16; 4]> {
        let starters = self.told_cards(s, filter).len();
        let list = &self.tables.of(fate.character).any;
        (0..starters).map(|_| list[fate.streams.card_random.index(list.len())].0).collect()
    }

    fn is_starter(&self, card: &DeckCard) -> bool {
        let facts = self.card(CardNo(card.id));
        facts.strike || facts.defend
    }

    /// Value 1: the guardian comes. Otherwise the list names what was found: 0 gold, 1 nothing, 2 relic.
    fn search(&self, s: &State, fate: &mut Fate) -> Draws {
        let Some(event) = s.tower.event() else { return number(0) };
        let Some(EventDetail::GuardedFinds { order, .. }) = &event.detail else { return number(0) };
        let searched = event.counts[0];
        if fate.streams.misc.percent() < self.search_risk(s) {
            return number(1);
        }
        let found = order[usize::from(searched).min(2)];
        let relic = if found == 2 {
            self.with_holder(s, |holder| fate.event_relic(&self.tables, holder)).0
        } else {
            0
        };
        (0, SmallVec::from_slice(&[u16::from(found), relic]))
    }

    /// Percent chance that the guardian comes at the next search.
    pub fn search_risk(&self, s: &State) -> i32 {
        let first = if s.run.ascension >= 15 { 35 } else { 25 };
        first + 25 * i32::from(s.tower.event().map_or(0, |event| event.counts[0]))
    }

    /// The guardian of the dead adventurer.
    pub(super) fn guardian(&self, s: &State) -> FightNo {
        match s.tower.event().and_then(|e| e.detail.as_ref()) {
            Some(EventDetail::GuardedFinds { guardian, .. }) => *guardian,
            _ => FightNo::default(),
        }
    }

    /// The guardian leaves what was not found, and some gold of its own.
    pub(super) fn adventurer_pay(&self, s: &State, fate: &mut Fate, list: &mut Vec<Reward>) {
        let Some(event) = s.tower.event() else { return };
        let Some(EventDetail::GuardedFinds { order, .. }) = &event.detail else { return };
        let left = &order[usize::from(event.counts[0]).min(3)..];
        let purse = if left.contains(&0) { 30 } else { 0 };
        list.push(Reward::Gold(self.gold_reward(s, fate.elite_gold() + purse)));
        if left.contains(&2) {
            let relic = self.with_holder(s, |holder| fate.event_relic(&self.tables, holder));
            list.push(Reward::Relic(relic));
        }
    }

    /// The effects a step stands for. Every word has its line, so that a new one is not forgotten.
    pub(super) fn follow_step(&self, s: &State, step: StepNo, value: i32, drawn: &[u16], out: &mut Out) {
        let Some(op) = self.book.step(step) else { return };
        let run = &s.run;
        let effect = match op {
            Op::Gold(_) => Effect::Gold(value),
            Op::LoseGold(_) => Effect::LoseGold { amount: value, in_shop: false },
            Op::LoseAllGold => Effect::LoseGold { amount: run.gold, in_shop: false },
            Op::Heal(_) => Effect::Heal(value),
            Op::HealFull => Effect::Heal((run.max_hp - run.hp).into()),
            Op::Damage(_) => Effect::Hurt { amount: value, blow: true },
            Op::LoseHp(_) => Effect::Hurt { amount: value, blow: false },
            Op::MaxHp(_) => Effect::MaxHp(value),
            Op::LoseMaxHp(_) => Effect::MaxHp(-value),
            Op::Relic(relic) => Effect::GainRelic(*relic),
            Op::RelicOf { .. } | Op::RandomRelic => Effect::GainRelic(RelicNo(value as u16)),
            Op::LoseRelic(relic) => Effect::LoseRelic(*relic),
            Op::Counter { relic, .. } => Effect::Count { relic: *relic, to: value as i16 },
            Op::PotionSlots(more) => Effect::PotionSlots(*more),
            Op::Fight(_) => Effect::Fight(FightKind::Event(step)),
            Op::Goto(node) => Effect::Goto(*node),
            Op::RandomCurse => Effect::RandomCurse,
            Op::ColorlessCard => Effect::AddCard { card: CardNo(value as u16), up: 0 },
            Op::Library(_) => Effect::PickOffer,
            Op::MemoryGame => Effect::Flip,
            Op::RemoveCard => Effect::Pick(Purpose::Remove),
            Op::UpgradeCard => Effect::Pick(Purpose::Upgrade),
            Op::Duplicate => Effect::Pick(Purpose::Duplicate),
            Op::Bottle(kind) => Effect::Pick(Purpose::Bottle(*kind)),
            Op::Bonfire(gift) => Effect::Pick(Purpose::Burn { gift: *gift }),
            Op::Chance { hit, miss, .. } => {
                return self.push_list(if value == 1 { *hit } else { *miss }, out);
            }
            Op::OneOf(lists) => return self.push_list(lists[value as usize % lists.len().max(1)], out),
            Op::SearchAdventurer => return self.found(step, value, drawn, out),
            Op::Transform { count, upgraded, neow } => {
                let deck = run.deck.len() as u16;
                let purpose = |old| Purpose::Transform { upgraded: *upgraded, neow: *neow, old };
                // Each transformation takes one of the old cards away, whatever comes of it.
                let picks = (0..u16::from(*count)).map(|done| purpose(deck.saturating_sub(done)));
                return all(picks.map(Effect::Pick), out);
            }
            Op::Cards { card, .. } => return add(value, *card, out),
            Op::UpgradeRandom { .. } | Op::UpgradeCards { .. } => {
                return all(drawn.iter().map(|index| Effect::Upgrade(*index)), out);
            }
            Op::UpgradeAll => return all(deck_where(s, |c| self.can_upgrade(c)).map(Effect::Upgrade), out),
            Op::UpgradeStarters => {
                let starters = deck_where(s, |c| self.is_starter(c) && self.can_upgrade(c));
                return all(starters.map(Effect::Upgrade), out);
            }
            Op::RemoveCurses => {
                let cursed =
                    |c: &DeckCard| self.can_remove(c) && self.card(CardNo(c.id)).kind == CardType::Curse;
                return remove(deck_where(s, cursed), out);
            }
            Op::ReplaceStrikes { card, count } => {
                remove(deck_where(s, |c| self.card(CardNo(c.id)).strike), out);
                return add((*count).into(), *card, out);
            }
            Op::RemoveCards(filter) => return remove(self.told_cards(s, *filter).into_iter(), out),
            Op::ReplaceCards(filter) => {
                remove(self.told_cards(s, *filter).into_iter(), out);
                return all(drawn.iter().map(|card| Effect::AddCard { card: CardNo(*card), up: 0 }), out);
            }
            Op::FillPotions(_) => {
                return all(drawn.iter().map(|potion| Effect::GainPotion(PotionNo(*potion))), out);
            }
            Op::GiveDrawnRelic(which) => {
                let given = s.tower.event().and_then(|event| event.relics.get(usize::from(*which)));
                return all(given.copied().map(Effect::LoseRelic).into_iter(), out);
            }
            Op::GiveDrawnPotion => return all(drawn_potion_slot(s).map(Effect::LosePotion).into_iter(), out),
            Op::LoseDrawn(what) => return all(drawn_card(s, *what).map(Effect::Remove).into_iter(), out),
            Op::ToTheBoss => return all([Effect::Close, Effect::ToTheBoss].into_iter(), out),
            // They open a screen, or are written down.
            Op::Treasure { .. }
            | Op::RelicRewards(_)
            | Op::Colorless(_)
            | Op::FoundRelic
            | Op::DrawnPotions
            | Op::DrawTwoRelics
            | Op::Count(_) => return,
        };
        out.first(effect.into());
    }

    /// The steps of a list, before all that waits.
    pub(super) fn push_list(&self, list: ListNo, out: &mut Out) {
        all(self.book.list(list).map(Effect::Step), out);
    }

    fn found(&self, step: StepNo, value: i32, drawn: &[u16], out: &mut Out) {
        let found = match (value, drawn) {
            (1, _) => Some(Effect::Fight(FightKind::Event(step))),
            (_, [0, ..]) => Some(Effect::Gold(30)),
            (_, [2, relic, ..]) => Some(Effect::GainRelic(RelicNo(*relic))),
            _ => None,
        };
        all(found.into_iter(), out);
    }
}

/// One after another, before all that waits.
fn all(effects: impl Iterator<Item = Effect>, out: &mut Out) {
    effects.for_each(|effect| {
        out.first(effect.into());
    });
}

/// So many copies of a card enter the deck.
fn add(count: i32, card: CardNo, out: &mut Out) {
    all((0..count).map(|_| Effect::AddCard { card, up: 0 }), out);
}

/// Cards leave the deck from its end, so that positions stay true.
fn remove(cards: impl DoubleEndedIterator<Item = u16>, out: &mut Out) {
    all(cards.rev().map(Effect::Remove), out);
}

/// The event drew the n-th potion carried; slots may lie empty between.
fn drawn_potion_slot(s: &State) -> Option<u8> {
    let Some(EventDetail::Belongings { potion: Some(nth), .. }) = s.tower.event()?.detail.as_ref() else {
        return None;
    };
    let potions = s.run.potions.iter().enumerate().filter(|(_, p)| **p != crate::state::NONE);
    potions.map(|(slot, _)| slot as u8).nth(usize::from(*nth))
}

fn drawn_potions(s: &State) -> Vec<Reward> {
    match s.tower.event().and_then(|e| e.detail.as_ref()) {
        Some(EventDetail::Potions { potions }) => potions.iter().map(|p| Reward::Potion(*p)).collect(),
        _ => Vec::new(),
    }
}
