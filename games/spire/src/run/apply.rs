//! Writes facts of the run into the state: the only place that does.

use super::action::Ware;
use super::effect::Purpose;
use super::event::{Ending, Event, Find, Goods, LineUp, Lot};
use super::journey::Journey;
use super::rules;
use super::tower::{End, FightKind, Fighting, Progress, Reward, Screen};
use crate::catalog::events::END;
use crate::seeds::{CardNo, FightNo, NeowGift, Place, PotionNo, RelicNo, Room};
use crate::state::State;
use crate::state::{Counts, DeckCard, MOST_BODIES, NONE, OwnedRelic};

/// The cells of the memory game.
const CELLS: u8 = 12;

/// Nobody has more HP.
const MOST_HP: i32 = 9999;

impl Journey<'_> {
    /// Whether the entries that a fact from outside names are there; places in lists are looked up when it is
    /// written.
    pub(crate) fn has_all_of(&self, s: &State, event: &Event) -> bool {
        let card = |card: &CardNo| usize::from(card.0) < self.tables.cards.len();
        let relic = |relic: &RelicNo| usize::from(relic.0) < self.tables.relics.len();
        let potion = |potion: &PotionNo| usize::from(potion.0) < self.tables.potions.len();
        match event {
            Event::FightBegan { fight, line_up, .. } => {
                usize::from(fight.0) < self.tables.fights.len() && self.can_stand(s, line_up)
            }
            Event::RelicGained { relic: gained, instead_of, .. } => {
                relic(gained) && instead_of.iter().all(relic)
            }
            Event::RelicLost { relic: named } | Event::Counted { relic: named, .. } => relic(named),
            Event::PotionGained { potion: named, .. }
            | Event::PotionDrunk { potion: named, .. }
            | Event::PotionLost { potion: named, .. } => potion(named),
            Event::BossRelicTaken { relic: named, .. } => relic(named),
            Event::Flipped { cell, card: named, pair } => {
                *cell < CELLS && pair.is_none_or(|cell| cell < CELLS) && card(named)
            }
            Event::Bought { what, .. } | Event::Restocked { what, .. } => match what {
                Goods::Card(named) => card(named),
                Goods::Relic(named) => relic(named),
                Goods::Potion(named) => potion(named),
                Goods::Removal => true,
            },
            Event::CardAdded { card: named, .. }
            | Event::CurseDrawn { card: named, .. }
            | Event::CardRemoved { card: named, .. }
            | Event::CardUpgraded { card: named, .. }
            | Event::CardCopied { card: named, .. }
            | Event::CardBottled { card: named, .. }
            | Event::OfferPicked { card: named } => card(named),
            Event::SlotsChanged { slots, potions } => {
                potions.len() == usize::from(*slots) && potions.iter().flatten().all(potion)
            }
            Event::CardTransformed { from, into, .. } => card(from) && card(into),
            Event::Stepped { step, drawn, .. } => {
                let known = match drawn {
                    Lot::Nothing | Lot::Places(_) => true,
                    Lot::Relic(named) => relic(named),
                    Lot::Cards(named) => named.iter().all(card),
                    Lot::Potions(named) => named.iter().all(potion),
                };
                known && self.step(*step).is_some()
            }
            Event::Searched { step, .. } => self.step(*step).is_some(),
            Event::CardsOffered { cards, .. } => cards.iter().all(card),
            Event::RelicsDrawn { relics, .. } => relics.iter().all(relic),
            Event::Gifted { .. }
            | Event::Moved { .. }
            | Event::Arrived { .. }
            | Event::FightEnded { .. }
            | Event::Opened { .. }
            | Event::RewardsAdded { .. }
            | Event::ChestUnlocked { .. }
            | Event::Closed
            | Event::NodeReached { .. }
            | Event::VarSet { .. }
            | Event::GoldGained { .. }
            | Event::GoldLost { .. }
            | Event::Healed { .. }
            | Event::Hurt { .. }
            | Event::MaxHpChanged { .. }
            | Event::Picked { .. }
            | Event::KeyGained { .. }
            | Event::RewardTaken { .. }
            | Event::ActBegan { .. }
            | Event::Ended { .. } => true,
        }
    }

    /// Whether a fight may stand so: monsters that there are, and every card of the deck once.
    fn can_stand(&self, s: &State, line_up: &LineUp) -> bool {
        let kinds = self.game.catalog.monsters.len();
        let mut draw = line_up.draw.clone();
        draw.sort_unstable();
        line_up.monsters.len() < MOST_BODIES
            && line_up.monsters.iter().all(|monster| usize::from(monster.kind) < kinds)
            && draw.into_iter().map(usize::from).eq(0..s.run.deck.len())
    }

    /// Writes a fact. Fights are written by whoever fights them.
    pub fn apply(&self, s: &mut State, event: &Event) {
        if let Some(change) = event.change() {
            change.apply(&mut s.tower.edit().fate);
        }
        match event {
            Event::Gifted { gift, .. } => open_gift(s, gift),
            Event::Moved { place, floor, .. } => self.arrive_at(s, *place, *floor),
            Event::Arrived { room, .. } => self.enter_room(s, *room),
            Event::FightBegan { fight, kind, .. } => begin_fight(s, *fight, *kind),
            Event::FightEnded { stolen, .. } => s.tower.edit().stolen = (*stolen).max(0) as u32,
            Event::ActBegan { act, floor, healed, .. } => begin_act(s, *act, *floor, *healed),
            Event::Ended { end, floor } => end_run(s, *end, *floor),
            Event::Opened { screen, .. } => open_screen(s, screen),
            Event::ChestUnlocked { rewards, .. } => {
                let screens = &mut s.tower.edit().screens;
                screens.pop();
                screens.push(Screen::Rewards(rewards.clone()));
            }
            Event::RewardsAdded { rewards, .. } => add_rewards(s, rewards),
            Event::Closed | Event::BossRelicTaken { .. } => _ = s.tower.edit().screens.pop(),
            Event::NodeReached { node } => self.reach_node(s, *node),
            // What it drew is all there is to write.
            Event::Stepped { .. } | Event::CurseDrawn { .. } => {}
            Event::CardsOffered { cards, .. } => s.tower.edit().offer.clone_from(cards),
            Event::RelicsDrawn { relics, .. } => {
                if let Some(event) = s.tower.edit().event_mut() {
                    event.relics.clone_from(relics);
                }
            }
            // One search more; the guardian ends the searching.
            Event::Searched { find, .. } => {
                if let Some(event) = s.tower.edit().event_mut() {
                    let count = &mut event.counts[usize::from(*find == Find::Guardian)];
                    *count = count.saturating_add(1);
                }
            }
            Event::VarSet { var, to } => {
                if let Some(event) = s.tower.edit().event_mut()
                    && let Some(count) = event.counts.get_mut(usize::from(*var))
                {
                    *count = *to;
                }
            }
            Event::Picked { .. } => s.tower.edit().answer = None,
            Event::OfferPicked { .. } => {
                let tower = s.tower.edit();
                tower.answer = None;
                tower.offer.clear();
            }
            Event::Flipped { cell, pair, .. } => flip(s, *cell, *pair),
            Event::RewardTaken { reward, spoiled, .. } => take_reward(s, *reward, *spoiled),
            Event::Bought { ware, .. } => self.sell(s, *ware),
            Event::Restocked { ware, what, price, .. } => {
                if let Some(Screen::Shop(shop)) = shop_of(s.tower.edit()) {
                    rules::restock(shop, *ware, *what, *price);
                }
            }
            Event::KeyGained { key } => s.tower.edit().keys |= 1 << (*key as u8),
            Event::GoldGained { amount } => {
                s.run.gold = s.run.gold.saturating_add(*amount);
                let tally = &mut s.tower.edit().tally;
                tally.gold_gained = tally.gold_gained.saturating_add((*amount).max(0) as u32);
            }
            Event::GoldLost { amount, .. } => s.run.gold -= amount,
            Event::Healed { amount } => s.run.hp = (s.run.hp + *amount as i16).min(s.run.max_hp),
            Event::Hurt { amount } => s.run.hp -= *amount as i16,
            Event::MaxHpChanged { by, healed } => {
                let run = &mut s.run;
                run.max_hp = (i32::from(run.max_hp) + by).clamp(1, MOST_HP) as i16;
                run.hp = (i32::from(run.hp) + healed).min(run.max_hp.into()) as i16;
            }
            Event::RelicGained { relic, counter, instead_of } => {
                let relics = &mut s.run.relics;
                let place = relics.iter().position(|held| Some(RelicNo(held.id)) == *instead_of);
                let place = place.unwrap_or(relics.len());
                relics.insert(place, OwnedRelic { id: relic.0, counter: *counter });
                s.tower.edit().fate.relics.forget(*relic);
            }
            Event::RelicLost { relic } => s.run.relics.retain(|held| held.id != relic.0),
            Event::Counted { relic, to } => self.set_count(s, *relic, *to),
            Event::PotionGained { slot, potion } => set_potion(s, *slot, potion.0),
            Event::PotionLost { slot, .. } | Event::PotionDrunk { slot, .. } => set_potion(s, *slot, NONE),
            Event::SlotsChanged { slots, potions } => {
                s.run.potion_slots = *slots;
                s.run.potions = potions.iter().map(|held| held.map_or(NONE, |potion| potion.0)).collect();
            }
            Event::CardAdded { card, up, .. } => s.run.deck.push(new_card(*card, *up)),
            Event::CardTransformed { index, into, up, .. } => {
                take_out(s, *index);
                s.run.deck.push(new_card(*into, *up));
            }
            Event::CardRemoved { index, .. } => take_out(s, *index),
            Event::CardCopied { index, .. } => {
                let copy = s.run.deck.get(usize::from(*index)).copied();
                s.run.deck.extend(copy.map(|card| DeckCard { bottled: false, ..card }));
            }
            Event::CardUpgraded { index, .. } => {
                if let Some(card) = s.run.deck.get_mut(usize::from(*index)) {
                    card.up = card.up.saturating_add(1);
                }
            }
            Event::CardBottled { index, .. } => {
                if let Some(card) = s.run.deck.get_mut(usize::from(*index)) {
                    card.bottled = true;
                }
            }
        }
    }

    fn arrive_at(&self, s: &mut State, place: Place, floor: u8) {
        s.run.floor = floor;
        let tower = s.tower.edit();
        tower.place = Some(place);
        tower.path.push(place);
    }

    fn enter_room(&self, s: &mut State, room: Room) {
        let unknown = s.tower.shown_room() == Some(Room::Event);
        let tower = s.tower.edit();
        tower.room = Some(room);
        tower.tally.unknown += u8::from(unknown);
    }

    /// Marks the end of a fight; called when it has left the state, with what it counted.
    pub(crate) fn leave_fight(&self, s: &mut State, ending: Ending, counts: &Counts) {
        let (act, gold) = (s.run.act, s.run.gold);
        let tower = s.tower.edit();
        let Some(fighting) = tower.fighting.take() else { return };
        tower.tally.note(counts, gold);
        match ending {
            Ending::Lost => tower.killer = Some(fighting.fight),
            Ending::Fled => {}
            Ending::Won => {
                tower.tally.beat(fighting.kind, act, counts.harmed);
                if fighting.kind == FightKind::Boss {
                    tower.progress = match tower.progress {
                        Progress::BossBeaten(n) => Progress::BossBeaten(n + 1),
                        _ => Progress::BossBeaten(1),
                    };
                }
            }
        }
    }

    fn reach_node(&self, s: &mut State, node: u8) {
        let tower = s.tower.edit();
        if node == END {
            let event = tower.screens.iter().rposition(|screen| matches!(screen, Screen::Event(_)));
            if let Some(at) = event {
                tower.screens.remove(at);
            }
        } else if let Some(event) = tower.event_mut() {
            event.node = node;
        }
    }

    fn sell(&self, s: &mut State, ware: Ware) {
        let tower = s.tower.edit();
        if ware == Ware::Removal {
            tower.removals = tower.removals.saturating_add(1);
        }
        if let Some(Screen::Shop(shop)) = shop_of(tower) {
            rules::sell(shop, ware);
        }
    }

    fn set_count(&self, s: &mut State, relic: RelicNo, to: i16) {
        if let Some(owned) = s.run.relics.iter_mut().find(|r| r.id == relic.0) {
            owned.counter = to;
        }
    }

    /// Writes an answer where the held effect finds it.
    pub(crate) fn apply_answer(&self, s: &mut State, answer: u16) {
        s.tower.edit().answer = Some(answer);
    }
}

/// Neow's potions and cards are taken from a screen of rewards.
fn open_gift(s: &mut State, gift: &NeowGift) {
    let tower = s.tower.edit();
    tower.screens.pop();
    let mut list: Vec<Reward> = gift.potions.iter().map(|potion| Reward::Potion(*potion)).collect();
    list.extend(gift.offers.iter().cloned().map(Reward::Cards));
    if !list.is_empty() {
        tower.screens.push(Screen::Rewards(list));
    }
}

fn begin_fight(s: &mut State, fight: FightNo, kind: FightKind) {
    let gold = s.run.gold;
    let tower = s.tower.edit();
    tower.fighting = Some(Fighting { fight, kind });
    tower.tally.gold_before = gold;
}

fn begin_act(s: &mut State, act: u8, floor: u8, healed: i16) {
    let run = &mut s.run;
    run.act = act;
    run.floor = floor;
    run.hp += healed;
    let tower = s.tower.edit();
    tower.progress = Progress::Climbing;
    tower.place = None;
    tower.room = None;
    tower.path.clear();
}

fn end_run(s: &mut State, end: End, floor: u8) {
    s.run.floor = floor;
    let tower = s.tower.edit();
    tower.end = Some(end);
    let last = tower.fighting.take().map(|fighting| fighting.fight);
    if end == End::Died {
        tower.killer = tower.killer.or(last);
    }
    tower.screens.clear();
}

fn open_screen(s: &mut State, screen: &Screen) {
    let tower = s.tower.edit();
    tower.screens.push(screen.clone());
    tower.stolen = 0;
    if matches!(screen, Screen::BossChest(_)) {
        tower.progress = Progress::Chest;
        s.run.floor = s.run.floor.saturating_add(1);
    }
}

fn add_rewards(s: &mut State, rewards: &[Reward]) {
    let screens = &mut s.tower.edit().screens;
    match screens.last_mut() {
        Some(Screen::Rewards(list)) => list.extend(rewards.iter().cloned()),
        _ => screens.push(Screen::Rewards(rewards.to_vec())),
    }
}

fn new_card(card: CardNo, up: u8) -> DeckCard {
    DeckCard { id: card.0, up, bottled: false, grown: 0 }
}

fn take_out(s: &mut State, index: u16) {
    if usize::from(index) < s.run.deck.len() {
        s.run.deck.remove(usize::from(index));
    }
}

fn set_potion(s: &mut State, slot: u8, potion: u16) {
    if let Some(place) = s.run.potions.get_mut(usize::from(slot)) {
        *place = potion;
    }
}

fn shop_of(tower: &mut super::tower::Tower) -> Option<&mut Screen> {
    tower.screens.iter_mut().rev().find(|screen| matches!(screen, Screen::Shop(_)))
}

/// The first cell of a try stays face up until the second is opened.
fn flip(s: &mut State, cell: u8, pair: Option<u8>) {
    let tower = s.tower.edit();
    tower.answer = None;
    let Some(event) = tower.event_mut() else { return };
    if event.counts[0] == 0 {
        event.counts[0] = cell + 1;
        return;
    }
    event.counts[0] = 0;
    event.tries = event.tries.saturating_sub(1);
    if let Some(first) = pair {
        event.open |= 1 << first | 1 << cell;
    }
}

fn take_reward(s: &mut State, reward: u8, spoiled: Option<u8>) {
    let tower = s.tower.edit();
    let Some(Screen::Rewards(list)) = tower.screens.last_mut() else { return };
    let mut places = 0_u8..;
    list.retain(|_| places.next().is_none_or(|place| place != reward && Some(place) != spoiled));
    if list.is_empty() {
        tower.screens.pop();
    }
}

/// What a purpose is called.
pub(super) fn purpose_word(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Remove => "remove",
        Purpose::Upgrade => "upgrade",
        Purpose::Transform { .. } => "transform",
        Purpose::Duplicate => "copy",
        Purpose::Bottle => "bottle",
        Purpose::Burn { .. } => "give up",
    }
}
