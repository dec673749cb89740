//! One mechanic per file: how effects of the run settle, and what follows from its facts.

mod acts;
mod belongings;
pub(crate) mod drawn;
mod picks;
mod rest;
mod rewards;
mod rooms;
mod shop;
mod steps;

pub(super) use shop::{restock, sell};
use turnstone::Settled;

use super::action::Question;
use super::effect::Effect;
use super::event::Event;
use super::journey::Journey;
use super::rulebook::empty_slot;
use crate::catalog::words::Moment;
pub(crate) use crate::game::Out;
use crate::seeds::{CardNo, Fate, FateChange, PotionNo, RelicNo};
use crate::state::{DeckCard, NONE, State};

/// What a run's effect becomes.
pub(crate) type Outcome = Settled<Event, Question>;

/// An effect of the run next, before all that waits.
pub(super) fn next(effect: Effect, out: &mut Out) {
    out.first(effect.into());
}

/// An effect of the run behind all that waits.
pub(super) fn last(effect: Effect, out: &mut Out) {
    out.last(effect.into());
}

/// A fact without draws.
pub(super) fn fact(event: Event) -> Outcome {
    Settled::Event(event)
}

/// A fact, if it makes sense now.
fn maybe(event: Option<Event>) -> Outcome {
    event.map_or(Settled::Stale, Settled::Event)
}

/// A fact of an amount, if there is any.
fn some(amount: i32, event: impl FnOnce(i32) -> Event) -> Outcome {
    maybe((amount > 0).then(|| event(amount)))
}

/// A card of the deck.
fn held(s: &State, index: u16) -> Option<&DeckCard> {
    s.run.deck.get(usize::from(index))
}

impl Journey<'_> {
    /// Draws on a copy of the run's fate and tells what changed.
    pub(super) fn drawing<T>(&self, s: &State, draw: impl FnOnce(&mut Fate) -> T) -> (T, FateChange) {
        let mut fate = s.tower.fate.clone();
        let drawn = draw(&mut fate);
        (drawn, FateChange::between(&s.tower.fate, &fate))
    }

    /// A potion may stand between the player and his end.
    pub(crate) fn expand(&self, s: &State, effect: &Effect, out: &mut Out) -> bool {
        let saviour = if *effect == Effect::Die { self.saviour(s) } else { None };
        let Some((slot, steps)) = saviour else { return false };
        out.first(Effect::LosePotion(slot).into());
        self.push_program(steps, 0, out);
        true
    }

    /// Turns an effect of the run into a fact.
    pub fn settle(&self, s: &State, effect: &Effect) -> Outcome {
        if s.tower.end.is_some() {
            // What was still on its way when the run ended never happens.
            return Settled::Stale;
        }
        match *effect {
            Effect::Gift(option) => self.settle_gift(s, option),
            Effect::Move { x } => self.settle_move(s, x),
            Effect::Arrive => self.settle_arrive(s),
            Effect::Fight(kind) => self.settle_fight(s, kind),
            Effect::Reward(kind) => self.settle_reward(s, kind),
            Effect::OpenShop => self.settle_open_shop(s),
            Effect::OpenRest => self.open(super::tower::Screen::Rest),
            Effect::OpenChest => self.settle_open_chest(s),
            Effect::OpenEvent => self.settle_open_event(s),
            Effect::OpenBossChest => self.settle_boss_chest(s),
            Effect::Unlock => self.settle_unlock(s),
            Effect::Close => fact(Event::Closed),
            Effect::Goto(node) => self.settle_goto(s, node),
            Effect::Step { step, number } => self.settle_step(s, step, number),
            Effect::Pick(pick) => self.settle_pick(s, pick),
            Effect::PickOffer => self.settle_offer(s),
            Effect::Flip => self.settle_flip(s),
            Effect::TakeReward(reward) => self.settle_take(s, reward, None),
            Effect::TakeCard { reward, card } => self.settle_take(s, reward, Some(card)),
            Effect::Bowl(reward) => self.settle_taken(s, reward, None),
            Effect::BossRelic(place) => self.settle_boss_relic(s, place),
            Effect::Buy(ware) => self.settle_buy(s, ware),
            Effect::Restock(ware) => self.settle_restock(s, ware),
            Effect::ToTheBoss => self.settle_to_the_boss(s),
            Effect::NextAct => self.settle_next_act(s),
            Effect::SecondBoss => self.settle_second_boss(s),
            Effect::Finish(end) => fact(Event::Ended { end, floor: self.last_floor(s, end) }),
            Effect::Die => fact(Event::Ended { end: super::tower::End::Died, floor: s.run.floor }),
            // The fight itself ends it.
            Effect::EndFight => Settled::Stale,
            Effect::Gold(amount) => some(amount, |amount| Event::GoldGained { amount }),
            Effect::LoseGold { amount, in_shop } => {
                some(amount.min(s.run.gold), |amount| Event::GoldLost { amount, in_shop })
            }
            Effect::Heal(amount) => {
                some(amount.min((s.run.max_hp - s.run.hp).into()), |amount| Event::Healed { amount })
            }
            Effect::Hurt { amount, .. } => some(amount.min(s.run.hp.into()), |amount| Event::Hurt { amount }),
            Effect::MaxHp(by) => self.settle_max_hp(s, by),
            Effect::GainRelic(relic) => self.settle_relic(&s.run, relic),
            Effect::LoseRelic(relic) => {
                let owned = s.run.relics.iter().any(|held| held.id == relic.0);
                maybe(owned.then_some(Event::RelicLost { relic }))
            }
            Effect::Count { relic, to } => fact(Event::Counted { relic, to }),
            Effect::GainPotion(potion) => {
                maybe(empty_slot(&s.run).map(|slot| Event::PotionGained { slot, potion }))
            }
            Effect::LosePotion(slot) => {
                maybe(self.potion_at(s, slot).map(|potion| Event::PotionLost { slot, potion }))
            }
            Effect::Drink(slot) => {
                maybe(self.potion_at(s, slot).map(|potion| Event::PotionDrunk { slot, potion }))
            }
            Effect::PotionSlots(more) => {
                let slots = s.run.potion_slots.saturating_add_signed(more);
                fact(Event::SlotsChanged { slots, potions: fitting(&s.run.potions, usize::from(slots)) })
            }
            Effect::Key(key) => fact(Event::KeyGained { key }),
            Effect::AddCard { card, up } => {
                fact(Event::CardAdded { card, up, change: FateChange::default() })
            }
            Effect::RandomCurse => {
                let (card, change) = self.drawing(s, |fate| fate.random_curse(&self.tables));
                fact(Event::CurseDrawn { card, instead_of: None, change })
            }
            Effect::Remove(index) => {
                maybe(held(s, index).map(|card| Event::CardRemoved { index, card: CardNo(card.id) }))
            }
            Effect::Upgrade(index) => {
                let card = held(s, index).filter(|card| self.can_upgrade(card));
                maybe(card.map(|card| Event::CardUpgraded { index, card: CardNo(card.id) }))
            }
            Effect::Transform { index, upgraded, neow } => self.settle_transform(s, index, upgraded, neow),
            Effect::Copy(index) => {
                maybe(held(s, index).map(|card| Event::CardCopied { index, card: CardNo(card.id) }))
            }
            Effect::Bottle(index) => {
                maybe(held(s, index).map(|card| Event::CardBottled { index, card: CardNo(card.id) }))
            }
        }
    }

    /// The rules' own consequences of a fact.
    pub fn follow(&self, s: &State, event: &Event, out: &mut Out) {
        match event {
            Event::Gifted { option, gift, .. } => self.follow_gift(s, *option, gift, out),
            Event::Moved { .. } => last(Effect::Arrive, out),
            Event::Arrived { room, .. } => self.follow_arrived(*room, out),
            Event::FightEnded { ending, kind, .. } => self.follow_fight(s, *ending, *kind, out),
            Event::NodeReached { node } => self.follow_node(s, *node, out),
            Event::Opened { screen, .. } => self.follow_opened(s, screen, out),
            Event::Stepped { step, number, value, drawn, .. } => {
                self.follow_step(s, *step, *number, (*value, drawn), out);
            }
            Event::CardsOffered { .. } => next(Effect::PickOffer, out),
            Event::Searched { step, find, .. } => self.follow_search(*step, *find, out),
            Event::Picked { purpose, index } => self.follow_pick(s, *purpose, *index, out),
            Event::OfferPicked { card } => next(Effect::AddCard { card: *card, up: 0 }, out),
            Event::Flipped { cell, .. } => self.follow_flip(s, *cell, out),
            Event::Bought { ware, price, .. } => self.follow_bought(s, *ware, *price, out),
            Event::BossRelicTaken { .. } | Event::RewardTaken { .. } => {}
            Event::RelicGained { relic, .. } => self.follow_gained(s, *relic, out),
            Event::CardRemoved { card, .. } | Event::CardTransformed { from: card, .. } => {
                for program in self.card_deeds(s, *card) {
                    self.push_program(program, 0, out);
                }
            }
            Event::CurseDrawn { card, instead_of, .. } => {
                if let Some(index) = instead_of {
                    out.first(Effect::Remove(*index).into());
                }
                out.first(Effect::AddCard { card: *card, up: 0 }.into());
            }
            Event::RelicLost { relic } => self.follow_lost(s, *relic, out),
            Event::PotionDrunk { potion, .. } => self.follow_drink(*potion, out),
            Event::Hurt { .. } | Event::MaxHpChanged { .. } if s.run.hp <= 0 => next(Effect::Die, out),
            // Nothing follows by itself. Every one stands here, so that a new one is not forgotten.
            Event::FightBegan { .. }
            | Event::RewardsAdded { .. }
            | Event::ChestUnlocked { .. }
            | Event::RelicsDrawn { .. }
            | Event::VarSet { .. }
            | Event::Closed
            | Event::GoldGained { .. }
            | Event::GoldLost { .. }
            | Event::Healed { .. }
            | Event::Hurt { .. }
            | Event::MaxHpChanged { .. }
            | Event::Counted { .. }
            | Event::PotionGained { .. }
            | Event::PotionLost { .. }
            | Event::SlotsChanged { .. }
            | Event::CardAdded { .. }
            | Event::CardUpgraded { .. }
            | Event::CardCopied { .. }
            | Event::CardBottled { .. }
            | Event::KeyGained { .. }
            | Event::Restocked { .. }
            | Event::ActBegan { .. }
            | Event::Ended { .. } => {}
        }
    }

    /// What a relic does at a moment of its own.
    fn answer(&self, s: &State, relic: RelicNo, moment: Moment, out: &mut Out) {
        for program in self.deeds(s, relic, moment, 0, None) {
            self.push_program(program, 0, out);
        }
    }

    /// What comes with a relic, besides what it does: the relic it replaces goes, its potion slots come.
    fn follow_gained(&self, s: &State, relic: RelicNo, out: &mut Out) {
        self.answer(s, relic, Moment::Obtained, out);
        if let Some(old) = self.replaced_by(relic) {
            next(Effect::LoseRelic(old), out);
        }
        if let slots @ 1.. = self.slots_of(relic) {
            next(Effect::PotionSlots(slots), out);
        }
    }

    fn follow_lost(&self, s: &State, relic: RelicNo, out: &mut Out) {
        self.answer(s, relic, Moment::Lost, out);
        if let slots @ 1.. = self.slots_of(relic) {
            next(Effect::PotionSlots(-slots), out);
        }
    }

    /// When nothing waits: what comes by itself.
    pub fn idle(&self, s: &State, out: &mut Out) {
        self.onward(s, out);
    }

    pub(super) fn open(&self, screen: super::tower::Screen) -> Outcome {
        fact(Event::Opened { screen: Box::new(screen), change: FateChange::default() })
    }
}

/// What is left of potions in so many slots: empty slots go first, then the last potions.
fn fitting(potions: &[u16], slots: usize) -> Vec<Option<PotionNo>> {
    let mut left: Vec<_> = potions.iter().map(|&id| (id != NONE).then_some(PotionNo(id))).collect();
    while left.len() > slots {
        let empty = left.iter().rposition(Option::is_none);
        left.remove(empty.unwrap_or(left.len() - 1));
    }
    left.resize(slots, None);
    left
}

/// Indices of deck cards that pass a test.
pub(super) fn deck_where(
    s: &State,
    mut test: impl FnMut(&DeckCard) -> bool,
) -> impl DoubleEndedIterator<Item = u16> {
    let deck = s.run.deck.iter().enumerate();
    deck.filter(move |(_, card)| test(card)).map(|(index, _)| index as u16)
}
