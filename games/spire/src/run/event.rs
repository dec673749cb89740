//! Facts about the run: what happened, as the log tells it.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::action::Ware;
use super::effect::{Purpose, StepAt};
use super::tower::{End, FightKind, Key, Reward, Screen};
use crate::catalog::compile::Id;
use crate::seeds::{CardNo, FateChange, FightNo, NeowGift, Place, PotionNo, RelicNo, Room};
use crate::state::{Body, Slot};

/// What a search of an event's finds brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Find {
    /// What guards them comes.
    Guardian,
    /// Gold.
    Gold,
    /// A relic.
    Relic(RelicNo),
    /// Nothing.
    Nothing,
}

/// What is sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goods {
    /// This card.
    Card(CardNo),
    /// This relic.
    Relic(RelicNo),
    /// This potion.
    Potion(PotionNo),
    /// The removal of a card.
    Removal,
}

/// A fact about the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Neow gave something.
    Gifted {
        /// Which of the offers.
        option: u8,
        /// What the seed decided of it.
        gift: Box<NeowGift>,
        /// How chance stands then.
        change: FateChange,
    },
    /// The player went on.
    Moved {
        /// To this room.
        place: Place,
        /// The floor it is on.
        floor: u8,
        /// By no way on the map.
        boots: bool,
        /// How chance stands then.
        change: FateChange,
    },
    /// The room turned out to be this.
    Arrived {
        /// What it is.
        room: Room,
        /// How chance stands then.
        change: FateChange,
    },
    /// A fight began.
    FightBegan {
        /// Against whom.
        fight: FightNo,
        /// What kind of fight.
        kind: FightKind,
        /// Who came, and how the cards lie.
        line_up: Box<LineUp>,
        /// How chance stands then.
        change: FateChange,
    },
    /// A fight ended.
    FightEnded {
        /// How.
        ending: Ending,
        /// What kind of fight it was.
        kind: FightKind,
        /// Gold that thieves had on them.
        stolen: i32,
    },
    /// A screen was opened.
    Opened {
        /// The screen.
        screen: Box<Screen>,
        /// How chance stands then.
        change: FateChange,
    },
    /// Rewards lie there to be taken.
    RewardsAdded {
        /// These.
        rewards: Vec<Reward>,
        /// How chance stands then.
        change: FateChange,
    },
    /// A chest was opened.
    ChestUnlocked {
        /// What was in it.
        rewards: Vec<Reward>,
        /// How chance stands then.
        change: FateChange,
    },
    /// The screen on top was left.
    Closed,
    /// An event went on.
    NodeReached {
        /// At this node.
        node: u8,
    },
    /// An event offers cards, of which one may be taken.
    CardsOffered {
        /// These.
        cards: Vec<CardNo>,
        /// How chance stands then.
        change: FateChange,
    },
    /// An event drew relics of the player's.
    RelicsDrawn {
        /// These.
        relics: SmallVec<[RelicNo; 2]>,
        /// How chance stands then.
        change: FateChange,
    },
    /// An event's finds were searched.
    Searched {
        /// By which step.
        step: StepAt,
        /// What came of it.
        find: Find,
        /// How chance stands then.
        change: FateChange,
    },
    /// A variable of an event was set.
    VarSet {
        /// Which.
        var: u8,
        /// To this.
        to: u8,
    },
    /// A step of a program happened.
    Stepped {
        /// Which.
        step: StepAt,
        /// The number of what it follows from.
        #[serde(default, skip_serializing_if = "is_zero")]
        number: i32,
        /// The number that was worked out or drawn.
        value: i32,
        /// What was drawn besides.
        #[serde(default, skip_serializing_if = "Lot::is_nothing")]
        drawn: Lot,
        /// How chance stands then.
        change: FateChange,
    },
    /// Gold was gained.
    GoldGained {
        /// So much.
        amount: i32,
    },
    /// Gold was lost or spent.
    GoldLost {
        /// So much.
        amount: i32,
        /// In a shop.
        in_shop: bool,
    },
    /// HP were healed.
    Healed {
        /// So many.
        amount: i32,
    },
    /// HP were lost.
    Hurt {
        /// So many.
        amount: i32,
    },
    /// Max HP changed, and so many HP came with it.
    MaxHpChanged {
        /// By so much.
        by: i32,
        /// HP that came with it.
        healed: i32,
    },
    /// A relic was obtained, in place of another or behind all others.
    RelicGained {
        /// Which.
        relic: RelicNo,
        /// What its counter shows.
        counter: i16,
        /// The relic whose place it takes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<RelicNo>,
    },
    /// A relic was lost.
    RelicLost {
        /// Which.
        relic: RelicNo,
    },
    /// A relic's counter changed.
    Counted {
        /// The relic.
        relic: RelicNo,
        /// What it shows now.
        to: i16,
    },
    /// A potion was obtained.
    PotionGained {
        /// Into this slot.
        slot: u8,
        /// Which.
        potion: PotionNo,
    },
    /// A potion is gone.
    PotionLost {
        /// From this slot.
        slot: u8,
        /// Which.
        potion: PotionNo,
    },
    /// A potion was drunk.
    PotionDrunk {
        /// From this slot.
        slot: u8,
        /// Which.
        potion: PotionNo,
    },
    /// There are more slots for potions now, or fewer: then empty ones go first, and the last potions.
    SlotsChanged {
        /// So many.
        slots: u8,
        /// What is in them.
        potions: Vec<Option<PotionNo>>,
    },
    /// A card entered the deck.
    CardAdded {
        /// Which.
        card: CardNo,
        /// How often upgraded.
        up: u8,
        /// How chance stands then.
        change: FateChange,
    },
    /// A curse came up; it may still be warded off. In place of the card at `instead_of`, if any.
    CurseDrawn {
        /// Which.
        card: CardNo,
        /// The place in the deck of the card that goes.
        instead_of: Option<u16>,
        /// How chance stands then.
        change: FateChange,
    },
    /// A card left the deck.
    CardRemoved {
        /// Its place.
        index: u16,
        /// Which it was.
        card: CardNo,
    },
    /// A card was upgraded.
    CardUpgraded {
        /// Its place.
        index: u16,
        /// Which.
        card: CardNo,
    },
    /// A card became another.
    CardTransformed {
        /// Its place.
        index: u16,
        /// What it was.
        from: CardNo,
        /// What came of it.
        into: CardNo,
        /// How often that is upgraded.
        up: u8,
        /// How chance stands then.
        change: FateChange,
    },
    /// A copy of a card entered the deck.
    CardCopied {
        /// The place of the first.
        index: u16,
        /// Which.
        card: CardNo,
    },
    /// A card was bottled.
    CardBottled {
        /// Its place.
        index: u16,
        /// Which.
        card: CardNo,
    },
    /// A card of the deck was chosen.
    Picked {
        /// What for.
        purpose: Purpose,
        /// Its place.
        index: u16,
    },
    /// One of the cards on offer was chosen.
    OfferPicked {
        /// Which.
        card: CardNo,
    },
    /// A card of the memory game was turned up.
    Flipped {
        /// Its place on the table.
        cell: u8,
        /// Which card it is.
        card: CardNo,
        /// The place of the same card that was turned up before it: both stay open.
        pair: Option<u8>,
    },
    /// A key was found.
    KeyGained {
        /// Which.
        key: Key,
    },
    /// A reward was taken.
    RewardTaken {
        /// Its place on the screen.
        reward: u8,
        /// Which of its cards, if it is cards and one of them is taken.
        chosen: Option<u8>,
        /// What it is.
        what: Reward,
        /// The place of the reward that goes with it.
        spoiled: Option<u8>,
    },
    /// A relic of the boss's chest was taken.
    BossRelicTaken {
        /// Its place in the chest.
        place: u8,
        /// Which.
        relic: RelicNo,
    },
    /// Something was bought.
    Bought {
        /// Its place in the shop.
        ware: Ware,
        /// What it is.
        what: Goods,
        /// For so much.
        price: i32,
    },
    /// The merchant filled a gap.
    Restocked {
        /// Which.
        ware: Ware,
        /// With what.
        what: Goods,
        /// What it costs before anybody has a say in it.
        price: u32,
        /// How chance stands then.
        change: FateChange,
    },
    /// An act began.
    ActBegan {
        /// Which.
        act: u8,
        /// The floor one stands on.
        floor: u8,
        /// HP that were healed on the way.
        healed: i16,
        /// How chance stands then.
        change: FateChange,
    },
    /// The run ended.
    Ended {
        /// How.
        end: End,
        /// On which floor.
        floor: u8,
    },
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

fn is_nothing(count: &u32) -> bool {
    *count == 0
}

/// Whether a monster rolled nothing for itself, or nothing is told of it.
pub(crate) fn rolled_nothing(vars: &[i16; 4]) -> bool {
    *vars == [0; 4]
}

/// The facts that draw.
macro_rules! change_of {
    ($event:expr) => {
        match $event {
            Event::Gifted { change, .. }
            | Event::Moved { change, .. }
            | Event::Arrived { change, .. }
            | Event::FightBegan { change, .. }
            | Event::Opened { change, .. }
            | Event::RewardsAdded { change, .. }
            | Event::ChestUnlocked { change, .. }
            | Event::Stepped { change, .. }
            | Event::CardsOffered { change, .. }
            | Event::RelicsDrawn { change, .. }
            | Event::Searched { change, .. }
            | Event::CardAdded { change, .. }
            | Event::CurseDrawn { change, .. }
            | Event::CardTransformed { change, .. }
            | Event::Restocked { change, .. }
            | Event::ActBegan { change, .. } => Some(change),
            Event::FightEnded { .. }
            | Event::Closed
            | Event::NodeReached { .. }
            | Event::VarSet { .. }
            | Event::GoldGained { .. }
            | Event::GoldLost { .. }
            | Event::Healed { .. }
            | Event::Hurt { .. }
            | Event::MaxHpChanged { .. }
            | Event::RelicGained { .. }
            | Event::RelicLost { .. }
            | Event::Counted { .. }
            | Event::PotionGained { .. }
            | Event::PotionLost { .. }
            | Event::PotionDrunk { .. }
            | Event::SlotsChanged { .. }
            | Event::CardRemoved { .. }
            | Event::CardUpgraded { .. }
            | Event::CardCopied { .. }
            | Event::CardBottled { .. }
            | Event::Picked { .. }
            | Event::OfferPicked { .. }
            | Event::Flipped { .. }
            | Event::KeyGained { .. }
            | Event::RewardTaken { .. }
            | Event::BossRelicTaken { .. }
            | Event::Bought { .. }
            | Event::Ended { .. } => None,
        }
    };
}

impl Event {
    /// Where the event says how chance stands now.
    pub fn change_mut(&mut self) -> Option<&mut FateChange> {
        change_of!(self)
    }

    /// What it changes of what the seed decides.
    pub fn change(&self) -> Option<&FateChange> {
        change_of!(self)
    }
}

/// What a step drew besides a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lot {
    /// Nothing.
    #[default]
    Nothing,
    /// A relic.
    Relic(RelicNo),
    /// Cards.
    Cards(SmallVec<[CardNo; 4]>),
    /// Potions.
    Potions(SmallVec<[PotionNo; 4]>),
    /// Cards of the deck, by their places.
    Places(SmallVec<[u16; 4]>),
}

impl Lot {
    /// Whether nothing was drawn.
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Lot::Nothing
    }

    /// The cards that were drawn.
    pub fn cards(&self) -> &[CardNo] {
        if let Lot::Cards(cards) = self { cards } else { &[] }
    }

    /// The potions that were drawn.
    pub fn potions(&self) -> &[PotionNo] {
        if let Lot::Potions(potions) = self { potions } else { &[] }
    }

    /// The places in the deck that were drawn.
    pub fn places(&self) -> &[u16] {
        if let Lot::Places(places) = self { places } else { &[] }
    }
}

/// How a fight stands before it begins: all that was rolled for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineUp {
    /// The monsters, in the order of their numbers, which begin at 1.
    pub monsters: Vec<Newcomer>,
    /// The draw pile, the lowest card first, by places in the deck; empty for whoever may not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draw: Vec<Slot>,
    /// Draws that were made of the one stream of the recorded engine, where that is the one in use.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub rolls: u32,
}

/// A monster as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Newcomer {
    /// Of which kind.
    pub kind: Id,
    /// Where it stands.
    pub x: i16,
    /// The HP, which are the most that it can have, too.
    pub hp: i16,
    /// What it rolled for itself; not there for whoever may not know.
    #[serde(default, skip_serializing_if = "rolled_nothing")]
    pub vars: [i16; 4],
    /// It goes with its leader.
    pub minion: bool,
}

impl Newcomer {
    /// What there is to tell of a monster that has done nothing yet.
    pub(crate) fn of(body: &Body) -> Self {
        Newcomer { kind: body.kind, x: body.x, hp: body.hp, vars: body.vars, minion: body.minion }
    }

    /// The monster itself.
    pub(crate) fn body(&self) -> Body {
        let Newcomer { kind, x, hp, vars, minion } = *self;
        let mut body = Body::new(kind, hp);
        (body.x, body.vars, body.minion) = (x, vars, minion);
        body
    }
}

/// How a fight ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Fled: no rewards.
    Fled,
}
