//! The run in words.

use super::action::{Action, Question, Ware};
use super::apply::purpose_word;
use super::consequences::capital;
use super::effect::{Effect, StepAt};
use super::event::{Ending, Event, Find, Goods};
use super::journey::Journey;
use super::screens::cell_word;
use super::tower::{End, Key, Reward, Screen};
use crate::catalog::compile::Op;
pub use crate::catalog::defs::title;
use crate::catalog::words::Stage;
use crate::seeds::{CardNo, FightNo, Names, Place, PotionNo, RelicNo, Room};
use crate::state::State;

/// What an entry is called; what is missing, by its id.
fn named<T: Into<usize> + Copy>(called: Option<&String>, names: &Names, number: T) -> String {
    called.cloned().unwrap_or_else(|| title(names.name(number)))
}

/// A key by its colour.
pub(super) fn key_word(key: Key) -> &'static str {
    match key {
        Key::Ruby => "the ruby key",
        Key::Emerald => "the emerald key",
        Key::Sapphire => "the sapphire key",
    }
}

impl Journey<'_> {
    /// The name of a card, with a plus if it is upgraded.
    pub(crate) fn card_name(&self, card: CardNo, up: u8) -> String {
        let plus = match up {
            0 => String::new(),
            1 => "+".into(),
            n => format!("+{n}"),
        };
        format!(
            "{}{plus}",
            named(
                self.game.catalog.cards.get(usize::from(card)).map(|it| &it.name),
                &self.tables.cards,
                card
            )
        )
    }

    /// The name of a relic.
    pub(crate) fn relic_name(&self, relic: RelicNo) -> String {
        named(self.game.catalog.relics.get(usize::from(relic)).map(|it| &it.name), &self.tables.relics, relic)
    }

    /// The name of a potion.
    pub(crate) fn potion_name(&self, potion: PotionNo) -> String {
        named(
            self.game.catalog.potions.get(usize::from(potion)).map(|it| &it.name),
            &self.tables.potions,
            potion,
        )
    }

    /// The name of a fight.
    pub(crate) fn fight_name(&self, fight: FightNo) -> String {
        named(
            self.game.catalog.encounters.get(usize::from(fight)).map(|it| &it.name),
            &self.tables.fights,
            fight,
        )
    }

    /// A reward in words.
    pub(crate) fn reward_name(&self, reward: &Reward) -> String {
        match reward {
            Reward::Gold(gold) => format!("{gold} gold"),
            Reward::StolenGold(gold) => format!("{gold} stolen gold"),
            Reward::Relic(relic) => self.relic_name(*relic),
            Reward::Potion(potion) => self.potion_name(*potion),
            Reward::Key(key) => key_word(*key).into(),
            Reward::Cards(offer) => {
                let cards = offer.iter().map(|o| self.card_name(o.card, u8::from(o.upgraded)));
                format!("one of {}", cards.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// One sentence about a fact; `s` is the state after it.
    pub fn tell(&self, s: &State, event: &Event) -> String {
        match event {
            Event::Gifted { option, .. } => match s.tower.fate.neow.get(usize::from(*option)) {
                Some(offer) => format!("Neow's gift: {}", self.neow_words(s, offer)),
                None => "Neow's gift is taken".into(),
            },
            Event::Moved { place, floor, .. } => format!("To floor {floor}, column {}", place.x + 1),
            Event::Arrived { room, .. } => arrival(*room).into(),
            Event::FightBegan { fight, .. } => format!("The fight begins: {}", self.fight_name(*fight)),
            Event::FightEnded { ending: Ending::Won, .. } => "Out of the fight, won".into(),
            Event::FightEnded { ending: Ending::Lost, .. } => "Out of the fight, lost".into(),
            Event::FightEnded { ending: Ending::Fled, .. } => "Out of the fight, fled".into(),
            Event::Opened { screen, .. } => self.tell_opened(s, screen),
            Event::RewardsAdded { rewards, .. } | Event::ChestUnlocked { rewards, .. } => {
                self.tell_rewards(rewards)
            }
            Event::Closed => "Moving on".into(),
            Event::NodeReached { .. } => "The event goes on".into(),
            Event::Stepped { step, value, .. } => self.tell_step(s, *step, *value),
            Event::Searched { find: Find::Guardian, .. } => "The guardian comes back".into(),
            Event::Searched { .. } => "The search goes on".into(),
            Event::CardsOffered { cards, .. } => format!("{} cards to choose from", cards.len()),
            Event::RelicsDrawn { relics, .. } => {
                let names: Vec<String> = relics.iter().map(|relic| self.relic_name(*relic)).collect();
                format!("Asked for: {}", names.join(", "))
            }
            Event::VarSet { .. } => "The event takes note".into(),
            Event::GoldGained { amount } => format!("+{amount} gold"),
            Event::GoldLost { amount, .. } => format!("−{amount} gold"),
            Event::Healed { amount } => format!("Healed {amount} HP"),
            Event::Hurt { amount } => format!("Lost {amount} HP"),
            Event::MaxHpChanged { by, .. } => format!("Max HP {by:+}"),
            Event::KeyGained { key } => format!("Found {}", key_word(*key)),
            Event::ActBegan { .. } => "The next act begins".into(),
            Event::Ended { end, .. } => tell_end(s, *end),
            other => self.tell_belongings(s, other),
        }
    }

    /// Whether a fact only keeps the books: what was taken is told by what follows from it.
    pub(crate) fn is_quiet(&self, event: &Event) -> bool {
        match event {
            Event::RewardTaken { .. } | Event::BossRelicTaken { .. } | Event::Picked { .. } => true,
            Event::OfferPicked { .. } | Event::Closed | Event::NodeReached { .. } => true,
            Event::FightEnded { .. } | Event::Counted { .. } => true,
            // What was done says it already; what is there says the screen that opens.
            Event::Gifted { .. } | Event::Moved { .. } | Event::Arrived { .. } => true,
            Event::Bought { .. } | Event::PotionDrunk { .. } => true,
            // What came of a step is told by what followed, unless luck had a hand in it.
            Event::Stepped { step, .. } => {
                !matches!(self.step(*step), Some(Op::Chance { .. } | Op::OneOf { .. }))
            }
            Event::Searched { find, .. } => *find != Find::Guardian,
            Event::CardsOffered { .. } | Event::RelicsDrawn { .. } | Event::VarSet { .. } => true,
            _ => false,
        }
    }

    /// The name of a card of the deck by its place.
    fn deck_name(&self, s: &State, index: u16) -> String {
        match s.run.deck.get(usize::from(index)) {
            Some(card) => self.card_name(CardNo(card.id), card.up),
            None => format!("Card {}", index + 1),
        }
    }

    /// Which card lies there: whoever turns two over is to remember both.
    fn tell_upgraded(&self, s: &State, index: u16) -> String {
        match s.run.deck.get(usize::from(index)) {
            Some(card) => {
                let name = |up: u8| self.card_name(CardNo(card.id), up);
                format!("{} becomes {}", name(card.up.saturating_sub(1)), name(card.up))
            }
            None => "A card is upgraded".into(),
        }
    }

    fn tell_belongings(&self, s: &State, event: &Event) -> String {
        match event {
            Event::RelicGained { relic, .. } => format!("Obtained {}", self.relic_name(*relic)),
            Event::RelicLost { relic } => format!("Lost {}", self.relic_name(*relic)),
            // Numbers below zero are notes that no player sees.
            Event::Counted { relic, to } if *to < 0 => format!("{} remembers it", self.relic_name(*relic)),
            Event::Counted { relic, to } => format!("{} counts {to}", self.relic_name(*relic)),
            Event::PotionGained { potion, .. } => format!("Got {}", self.potion_name(*potion)),
            Event::PotionDrunk { potion, .. } => format!("Drank {}", self.potion_name(*potion)),
            Event::PotionLost { potion, .. } => format!("{} is gone", self.potion_name(*potion)),
            Event::CardAdded { card, up, .. } => format!("{} joins the deck", self.card_name(*card, *up)),
            Event::CurseDrawn { card, .. } => format!("{} comes", self.card_name(*card, 0)),
            Event::CardTransformed { from, into, up, .. } => {
                format!("{} becomes {}", self.card_name(*from, 0), self.card_name(*into, *up))
            }
            Event::CardRemoved { card, .. } => format!("{} leaves the deck", self.card_name(*card, 0)),
            Event::CardUpgraded { index, .. } => self.tell_upgraded(s, *index),
            Event::CardCopied { index, .. } => format!("{} is copied", self.deck_name(s, *index)),
            Event::CardBottled { index, .. } => format!("{} is bottled", self.deck_name(s, *index)),
            Event::Picked { purpose, index } => {
                format!("{} is chosen: {}", self.deck_name(s, *index), purpose_word(*purpose))
            }
            Event::OfferPicked { card } => format!("{} is chosen", self.card_name(*card, 0)),
            Event::Bought { what, price, .. } => {
                format!("Bought {} for {price} gold", self.goods_name(*what))
            }
            Event::Restocked { what, .. } => format!("The merchant puts out {}", self.goods_name(*what)),
            Event::Flipped { cell, card, .. } => {
                format!("{}: {}", capital(&cell_word(usize::from(*cell))), self.card_name(*card, 0))
            }
            Event::SlotsChanged { slots, .. } => format!("{slots} potion slots"),
            Event::RewardTaken { .. } => "The reward is taken".into(),
            Event::BossRelicTaken { .. } => "One of the three is taken".into(),
            _ => "Noted".into(),
        }
    }

    /// What was going to happen, for explanations of what was changed or did not happen.
    pub(crate) fn tell_effect(&self, s: &State, effect: &Effect) -> String {
        match effect {
            Effect::Gold(amount) => format!("{amount} gold"),
            Effect::LoseGold { amount, .. } => format!("a loss of {amount} gold"),
            Effect::Heal(amount) => format!("healing of {amount}"),
            Effect::Hurt { amount, .. } => format!("a loss of {amount} HP"),
            Effect::MaxHp(by) => format!("max HP {by:+}"),
            Effect::GainRelic(relic) | Effect::Count { relic, .. } => self.relic_name(*relic),
            Effect::LoseRelic(relic) => format!("the loss of {}", self.relic_name(*relic)),
            Effect::GainPotion(potion) => self.potion_name(*potion),
            Effect::LosePotion(_) => "the loss of a potion".into(),
            Effect::Drink(_) => "a drink".into(),
            Effect::PotionSlots(slots) => format!("{slots} potion slots"),
            Effect::AddCard { card, up } => format!("{} for the deck", self.card_name(*card, *up)),
            Effect::RandomCurse => "a curse".into(),
            Effect::Remove(index) => format!("removing {}", self.deck_name(s, *index)),
            Effect::Upgrade(index) => format!("upgrading {}", self.deck_name(s, *index)),
            Effect::Transform { index, .. } => format!("transforming {}", self.deck_name(s, *index)),
            Effect::Copy(index) => format!("copying {}", self.deck_name(s, *index)),
            Effect::Bottle(index) => format!("bottling {}", self.deck_name(s, *index)),
            Effect::Pick(pick) => format!("a card to {}", purpose_word(pick.purpose)),
            Effect::PickOffer => "a card to keep".into(),
            Effect::Key(key) => key_word(*key).into(),
            Effect::Fight(_) => "a fight".into(),
            Effect::EndFight => "the end of the fight".into(),
            Effect::Reward(_) => "rewards".into(),
            Effect::Goto(_) => "the next page of the event".into(),
            Effect::Step { .. } => "a step further".into(),
            Effect::TakeReward(_) | Effect::TakeCard { .. } | Effect::Bowl(_) => "taking a reward".into(),
            Effect::BossRelic(_) => "taking one of the three".into(),
            Effect::Buy(_) => "a purchase".into(),
            Effect::Restock(_) => "a new ware".into(),
            Effect::SecondBoss => "the second boss".into(),
            Effect::NextAct => "the next act".into(),
            Effect::Die => "death".into(),
            Effect::Finish(_) => "the end of the run".into(),
            _ => "the next screen".into(),
        }
    }

    /// What is sold, by its name.
    fn goods_name(&self, goods: Goods) -> String {
        match goods {
            Goods::Card(card) => self.card_name(card, 0),
            Goods::Relic(relic) => self.relic_name(relic),
            Goods::Potion(potion) => self.potion_name(potion),
            Goods::Removal => "the removal of a card".to_owned(),
        }
    }

    fn tell_step(&self, s: &State, step: StepAt, value: i32) -> String {
        match self.step(step) {
            Some(Op::Chance { hit, .. }) if value == 1 => format!("Luck: {}", self.list_words(s, *hit)),
            Some(Op::Chance { miss, .. }) => format!("No luck: {}", self.list_words(s, *miss)),
            Some(Op::OneOf { lists }) => {
                let list = usize::try_from(value).ok().and_then(|nth| lists.get(nth));
                let words = list.map_or("nothing".to_owned(), |list| self.list_words(s, *list));
                format!("By lot: {words}")
            }
            Some(Op::Counter { .. }) => "It counts".into(),
            // What comes of the step is told below it.
            Some(op) => {
                let words = self.op_words(op, &self.within(s, step.program, 0));
                words.map_or_else(|| "A step further".into(), |words| capital(&words))
            }
            None => "A step further".into(),
        }
    }

    fn tell_rewards(&self, rewards: &[Reward]) -> String {
        let names: Vec<String> = rewards.iter().map(|r| self.reward_name(r)).collect();
        format!("Rewards: {}", names.join("; "))
    }

    /// A screen, and for rewards whose relics had a hand in them.
    fn tell_opened(&self, s: &State, screen: &Screen) -> String {
        let told = self.tell_screen(screen);
        let Screen::Rewards(list) = screen else { return told };
        let stages: Vec<Stage> = list.iter().flat_map(reward_stages).copied().collect();
        let minds = |relic: u16| stages.iter().any(|stage| self.minds(relic, Some(*stage), None));
        let relics = s.run.relics.iter().filter(|owned| minds(owned.id));
        let names: Vec<String> = relics.map(|owned| self.relic_name(RelicNo(owned.id))).collect();
        if names.is_empty() { told } else { format!("{told} (with {})", names.join(", ")) }
    }

    fn tell_screen(&self, screen: &Screen) -> String {
        match screen {
            Screen::Neow => "Neow waits".into(),
            Screen::Event(event) => {
                let name = self.event(event.event).map_or("an event", |e| e.name.as_str());
                format!("An event: {name}")
            }
            Screen::Rewards(list) => self.tell_rewards(list),
            Screen::BossChest(relics) => {
                let names: Vec<String> = relics.iter().map(|r| self.relic_name(*r)).collect();
                format!("The boss chest: {}", names.join(", "))
            }
            Screen::Rest => "A campfire".into(),
            Screen::Chest(chest) => format!("A {} chest", chest.size.word()),
            Screen::Shop(_) => "The merchant".into(),
        }
    }

    /// An action in words.
    pub fn tell_action(&self, s: &State, action: Action) -> String {
        match (action, s.tower.screen()) {
            (Action::Neow(i), _) => match s.tower.fate.neow.get(usize::from(i)) {
                Some(o) => self.neow_words(s, o),
                None => format!("Offer {i}"),
            },
            (Action::Go(x), _) => self.tell_go(s, x),
            (Action::Option(i), Some(Screen::Event(_))) => {
                self.option(s, i).map_or_else(String::new, |option| self.option_words(s, option))
            }
            (Action::Take(i), Some(Screen::Rewards(list))) => {
                let name = list.get(usize::from(i)).map(|r| self.reward_name(r)).unwrap_or_default();
                format!("Take {name}")
            }
            (Action::TakeCard { reward, card }, Some(Screen::Rewards(list))) => {
                match list.get(usize::from(reward)) {
                    Some(Reward::Cards(offer)) => offer
                        .get(usize::from(card))
                        .map(|o| format!("Take {}", self.card_name(o.card, u8::from(o.upgraded))))
                        .unwrap_or_default(),
                    _ => String::new(),
                }
            }
            (Action::BossRelic(i), Some(Screen::BossChest(relics))) => relics
                .get(usize::from(i))
                .map(|r| format!("Take {}", self.relic_name(*r)))
                .unwrap_or_default(),
            (Action::BuyCard(i), _) => self.tell_buy(s, Ware::Card(i)),
            (Action::BuyRelic(i), _) => self.tell_buy(s, Ware::Relic(i)),
            (Action::BuyPotion(i), _) => self.tell_buy(s, Ware::Potion(i)),
            (Action::BuyRemoval, _) => self.tell_buy(s, Ware::Removal),
            (Action::Drink(slot), _) => {
                format!("Drink {}", self.potion_at(s, slot).map(|p| self.potion_name(p)).unwrap_or_default())
            }
            (Action::Discard(slot), _) => {
                format!(
                    "Throw away {}",
                    self.potion_at(s, slot).map(|p| self.potion_name(p)).unwrap_or_default()
                )
            }
            (action, _) => plain_action(*self, s, action),
        }
    }

    fn tell_go(&self, s: &State, x: u8) -> String {
        let y = s.tower.place.map_or(0, |p| p.y + 1);
        let node = s.tower.fate.map.node(Place { x, y });
        let boss = y >= s.tower.fate.boss_row();
        let room = if boss { "boss" } else { node.room.map_or("?", room_word) };
        let burning = s.tower.fate.map.burning.is_some_and(|(place, _)| place == Place { x, y });
        let key = if burning { " with the emerald key" } else { "" };
        let boots = self.next_columns(s).iter().any(|(column, boots)| *column == x && *boots);
        format!("Column {}: {room}{key}{}", x + 1, if boots { " (with Winged Boots)" } else { "" })
    }

    fn tell_buy(&self, s: &State, ware: Ware) -> String {
        let price = self.price(s, ware).unwrap_or(0);
        format!("Buy {} for {price} gold", self.ware_name(s, ware).unwrap_or_default())
    }

    /// The name of a ware of the shop one is in, sold or not.
    fn ware_name(&self, s: &State, ware: Ware) -> Option<String> {
        self.goods(s, ware).map(|goods| self.goods_name(goods))
    }

    /// A question in words.
    pub(crate) fn tell_question(&self, question: Question) -> String {
        match question {
            Question::Deck(pick) => format!("Choose a card to {}", purpose_word(pick.purpose)),
            Question::Offer => "Choose a card to keep".into(),
            Question::Flip => "Turn a card over".into(),
        }
    }

    /// An answer in words.
    pub fn tell_answer(&self, s: &State, question: Question, answer: u16) -> String {
        match question {
            Question::Deck(_) => match s.run.deck.get(usize::from(answer)) {
                Some(card) => self.card_name(CardNo(card.id), card.up),
                None => format!("card {answer}"),
            },
            Question::Offer => match s.tower.offer.get(usize::from(answer)) {
                Some(card) => self.card_name(*card, 0),
                None => format!("card {answer}"),
            },
            Question::Flip => cell_word(usize::from(answer)),
        }
    }
}

fn plain_action(journey: Journey<'_>, s: &State, action: Action) -> String {
    match action {
        Action::Rest => format!("Rest: heal {}", journey.rest_amount(s)),
        Action::Smith => "Smith: upgrade a card".into(),
        Action::Offer(chosen) => {
            let run = &s.run;
            let offer = journey.fire_offers(s).find(|(place, ..)| *place == chosen);
            let relic = run.relics.get(usize::from(chosen)).map(|owned| RelicNo(owned.id));
            let (Some((_, name, steps)), Some(relic)) = (offer, relic) else { return "use a relic".into() };
            match journey.program_words(s, steps) {
                words if words.is_empty() => format!("{name} ({})", journey.relic_name(relic)),
                words => format!("{name}: {words}"),
            }
        }
        Action::Recall => "Recall: take the ruby key".into(),
        Action::OpenChest => "Open the chest".into(),
        Action::Bowl(_) => match journey.for_cards(s) {
            Some((relic, steps)) => {
                format!(
                    "{}: {} instead of a card",
                    journey.relic_name(relic),
                    journey.program_words(s, steps)
                )
            }
            None => "Something instead of a card".into(),
        },
        Action::Proceed => "Go on".into(),
        Action::GiveUp => "Give up: nobody wins this fight any more".into(),
        Action::Operator(_) => "A change by the operator".into(),
        _ => "Nothing to do with this screen".into(),
    }
}

/// How it ended: a map made by hand, the spire.
fn tell_end(s: &State, end: End) -> String {
    match (end, &s.tower.hand_made) {
        (End::Died, _) => "The run ends in death".into(),
        (End::Heart, _) => "The heart is beaten".into(),
        (End::Won, Some(map)) => format!("{} is climbed", map.name),
        (End::Won, None) => "The spire is climbed".into(),
    }
}

/// What a player calls a room that he sees on the map.
pub(crate) fn room_word(room: Room) -> &'static str {
    match room {
        Room::Event => "unknown",
        Room::Shop => "merchant",
        known => known.word(),
    }
}

/// The numbers behind a reward that relics may change.
fn reward_stages(reward: &Reward) -> &'static [Stage] {
    match reward {
        Reward::Gold(_) => &[Stage::GoldReward],
        Reward::Potion(_) => &[Stage::PotionChance],
        Reward::Cards(_) => &[Stage::CardRewardSize, Stage::RareChance],
        _ => &[],
    }
}

fn arrival(room: Room) -> &'static str {
    match room {
        Room::Monster => "Monsters are here",
        Room::Elite => "An elite is here",
        Room::Boss => "The boss is here",
        Room::Rest => "A place to rest",
        Room::Shop => "A merchant is here",
        Room::Treasure => "A treasure room",
        Room::Event => "Something unknown is here",
    }
}
