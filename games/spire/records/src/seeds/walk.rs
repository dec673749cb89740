//! A fixed stroll through a whole run: always the left-most way, nothing taken, everything won.
//!
//! The recorded files describe exactly this walk, and it shows well what a seed holds.

use smallvec::SmallVec;

use turnstone_spire::seeds::EventDetail;
use turnstone_spire::seeds::Stock;
use turnstone_spire::seeds::Tables;
use turnstone_spire::seeds::UnknownRelics;
use turnstone_spire::seeds::{BOSS_ROW, Place, Room};
use turnstone_spire::seeds::{CardOdds, CardOffer, Chest};
use turnstone_spire::seeds::{DeckCard, Holder};
use turnstone_spire::seeds::{EventNo, FightNo, PotionNo, RelicNo};
use turnstone_spire::seeds::{Fate, RunSetup};

/// What lies on a reward screen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rewards {
    /// Gold.
    pub gold: Option<u32>,
    /// Relic.
    pub relic: Option<RelicNo>,
    /// Potion.
    pub potion: Option<PotionNo>,
    /// Cards to choose one of.
    pub cards: CardOffer,
    /// The burning elite's key.
    pub emerald_key: bool,
    /// The chest's key.
    pub sapphire_key: bool,
}

/// What a room held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A fight; the last boss gives nothing.
    Fight(FightNo, Option<Rewards>),
    /// A chest.
    Chest(Chest, Rewards),
    /// A shop.
    Shop(Box<Stock>),
    /// An event.
    Event(EventNo, Option<EventDetail>),
    /// A campfire, or nothing at all.
    Quiet,
}

/// A room of the walk, with the state of chance when it was left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Floor.
    pub floor: u8,
    /// Where on the map.
    pub place: Place,
    /// What the map showed.
    pub shown: Room,
    /// What it was.
    pub room: Room,
    /// What it held.
    pub content: Content,
    /// Everything of the seed after the room.
    pub after: Fate,
}

/// An act of the walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActWalk {
    /// Everything of the seed when the act began.
    pub start: Fate,
    /// Its sixteen rooms.
    pub steps: Vec<Step>,
    /// The boss chest of acts 1 and 2.
    pub boss_chest: Option<[RelicNo; 3]>,
}

/// The deck and relics of a new run, from which the walk never departs.
pub struct Beginner {
    deck: Vec<DeckCard>,
    relics: SmallVec<[RelicNo; 1]>,
    max_hp: i32,
    hp: i32,
}

impl Beginner {
    /// A new run's belongings.
    pub fn new(tables: &Tables, setup: RunSetup) -> Self {
        let own = tables.of(setup.character);
        let hardship = tables.hardship(setup.ascension);
        let deck =
            hardship.deck.iter().chain(&own.starter_deck).map(|&card| tables.deck_card(card)).collect();
        let max_hp = own.max_hp(setup.ascension);
        let hp = hardship.first_hp(max_hp);
        Beginner { deck, relics: own.starter_relics.iter().copied().collect(), max_hp, hp }
    }

    /// The beginner somewhere on his way.
    pub fn at(&self, act: u8, floor: u8, row: u8) -> Holder<'_> {
        Holder {
            floor,
            act,
            row,
            gold: 99,
            hp: self.hp,
            max_hp: self.max_hp,
            relics: &self.relics,
            deck: &self.deck,
            potions: &[],
        }
    }
}

/// Walks all three acts of a run.
pub fn walk(tables: &Tables, setup: RunSetup) -> Vec<ActWalk> {
    let mut walker =
        Walker { tables, beginner: Beginner::new(tables, setup), fate: Fate::new(tables, setup), floor: 0 };
    (1..=3).map(|act| walker.act(act)).collect()
}

struct Walker<'t> {
    tables: &'t Tables,
    beginner: Beginner,
    fate: Fate,
    floor: u8,
}

impl Walker<'_> {
    fn act(&mut self, act: u8) -> ActWalk {
        if act > 1 {
            self.fate.next_act(self.tables);
        }
        let start = self.fate.clone();
        let mut steps = Vec::with_capacity(16);
        let mut x = start.map.row(0).next().map_or(3, |(place, _)| place.x);
        let mut left_shop = false;
        for y in 0..BOSS_ROW {
            let step = self.room(Place { x, y }, left_shop);
            left_shop = step.room == Room::Shop;
            steps.push(step);
            x = start.map.node(Place { x, y }).targets().next().unwrap_or(3);
        }
        steps.push(self.boss());
        let boss_chest = (act < 3).then(|| {
            self.enter_floor();
            self.fate.boss_chest(self.tables, &self.beginner.at(act, self.floor, BOSS_ROW))
        });
        ActWalk { start, steps, boss_chest }
    }

    fn enter_floor(&mut self) {
        self.floor += 1;
        self.fate.enter_floor(self.floor);
    }

    fn room(&mut self, place: Place, left_shop: bool) -> Step {
        self.enter_floor();
        let shown = self.fate.map.node(place).room.unwrap_or(Room::Monster);
        let room = match shown {
            Room::Event => self.fate.resolve_unknown(left_shop, UnknownRelics::default()),
            other => other,
        };
        let content = self.content(place, room);
        Step { floor: self.floor, place, shown, room, content, after: self.fate.clone() }
    }

    fn content(&mut self, place: Place, room: Room) -> Content {
        let holder = self.beginner.at(self.fate.act, self.floor, place.y);
        match room {
            Room::Monster => {
                let fight = self.fate.next_monster(self.tables);
                let gold = self.fate.monster_gold();
                Content::Fight(fight, Some(self.fight_rewards(gold, None, false, CardOdds::Normal)))
            }
            Room::Elite => {
                let fight = self.fate.next_elite(self.tables);
                let gold = self.fate.elite_gold();
                let relic = self.fate.elite_relic(self.tables, &holder);
                let burning = self.fate.map.burning.is_some_and(|(p, _)| p == place);
                let rewards = self.fight_rewards(gold, Some(relic), burning, CardOdds::Elite);
                Content::Fight(fight, Some(rewards))
            }
            Room::Treasure => {
                let chest = self.fate.make_chest();
                let (gold, relic) = self.fate.open_chest(self.tables, &holder, chest);
                let rewards = Rewards { gold, relic: Some(relic), sapphire_key: true, ..Rewards::default() };
                Content::Chest(chest, rewards)
            }
            Room::Shop => Content::Shop(Box::new(self.fate.make_shop(self.tables, &holder))),
            Room::Event => match self.fate.choose_event(self.tables, &holder) {
                Some(event) => Content::Event(event, self.fate.enter_event(self.tables, &holder, event)),
                None => Content::Quiet,
            },
            Room::Rest | Room::Boss => Content::Quiet,
        }
    }

    fn fight_rewards(
        &mut self,
        gold: u32,
        relic: Option<RelicNo>,
        emerald_key: bool,
        odds: CardOdds,
    ) -> Rewards {
        let listed = 1 + usize::from(relic.is_some()) + usize::from(emerald_key);
        Rewards {
            gold: Some(gold),
            relic,
            emerald_key,
            potion: self.fate.potion_drop(self.tables, self.fate.potion_chance(), listed),
            cards: self.fate.card_reward(self.tables, odds, 3, 1),
            sapphire_key: false,
        }
    }

    fn boss(&mut self) -> Step {
        self.enter_floor();
        let rewards = (self.fate.act < 3).then(|| {
            let gold = self.fate.boss_gold(self.tables);
            self.fight_rewards(gold, None, false, CardOdds::Boss)
        });
        let content = Content::Fight(self.fate.boss(), rewards);
        let place = Place { x: 3, y: BOSS_ROW };
        Step {
            floor: self.floor,
            place,
            shown: Room::Boss,
            room: Room::Boss,
            content,
            after: self.fate.clone(),
        }
    }
}
