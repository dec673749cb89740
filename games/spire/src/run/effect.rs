//! What a player declares, what travels the queue, what is logged, what is asked.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::script::{KindWord, StepNo};
use super::tower::{End, FightKind, Key, Reward, Screen};
use crate::seeds::{CardNo, FateChange, FightNo, NeowGift, Place, PotionNo, RelicNo, Room};

/// What a player declares outside of fights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Take one of Neow's offers.
    Neow(u8),
    /// Go to that column of the next row.
    Go(u8),
    /// Choose an option of an event.
    Option(u8),
    /// Take a reward.
    Take(u8),
    /// Take a card of a reward.
    TakeCard {
        /// The reward.
        reward: u8,
        /// The card.
        card: u8,
    },
    /// Turn a card reward into hit points (Singing Bowl).
    Bowl(u8),
    /// Take a relic of the boss chest.
    BossRelic(u8),
    /// Rest.
    Rest,
    /// Upgrade a card at the campfire.
    Smith,
    /// Do what a relic offers at the campfire; its place in the row.
    Offer(u8),
    /// Take the ruby key.
    Recall,
    /// Open the chest.
    OpenChest,
    /// Buy a card.
    BuyCard(u8),
    /// Buy a relic.
    BuyRelic(u8),
    /// Buy a potion.
    BuyPotion(u8),
    /// Pay for the removal of a card.
    BuyRemoval,
    /// Drink a potion outside of a fight.
    Drink(u8),
    /// Throw a potion away.
    Discard(u8),
    /// Leave the screen.
    Proceed,
    /// Give a fight up that neither side can end, and the run with it.
    GiveUp,
    /// A bare change by whoever runs a sandbox; never possible in a run.
    Operator(Verb),
}

/// A bare change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Take damage.
    Damage(i32),
    /// Heal.
    Heal(i32),
    /// Lose gold.
    Spend(i32),
    /// Gain gold.
    Gain(i32),
}

/// Why a card of the deck is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To remove it.
    Remove,
    /// To upgrade it.
    Upgrade,
    /// To transform it.
    Transform {
        /// The result is upgraded.
        upgraded: bool,
        /// By Neow's numbers.
        neow: bool,
        /// Only the deck's first so many cards are up for choice; what came of the same gift lies behind them.
        old: u16,
    },
    /// To copy it.
    Duplicate,
    /// To bottle it.
    Bottle(KindWord),
    /// To burn it.
    Burn {
        /// The thanks for a curse.
        gift: RelicNo,
    },
}

/// What can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ware {
    /// A card.
    Card(u8),
    /// A relic.
    Relic(u8),
    /// A potion.
    Potion(u8),
    /// The removal of a card.
    Removal,
}

/// A proposed change of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Effect {
    Gift(u8),
    Move { x: u8 },
    Arrive,
    Fight(FightKind),
    EndFight,
    Reward(FightKind),
    OpenShop,
    OpenRest,
    OpenChest,
    OpenEvent,
    OpenBossChest,
    Unlock,
    Close,
    Goto(u8),
    Step(StepNo),
    Gold(i32),
    LoseGold { amount: i32, in_shop: bool },
    Heal(i32),
    Hurt { amount: i32, blow: bool },
    MaxHp(i32),
    GainRelic(RelicNo),
    LoseRelic(RelicNo),
    Count { relic: RelicNo, to: i16 },
    GainPotion(PotionNo),
    LosePotion(u8),
    Drink(u8),
    PotionSlots(i8),
    AddCard { card: CardNo, up: u8 },
    RandomCurse,
    Remove(u16),
    Upgrade(u16),
    Transform { index: u16, upgraded: bool, neow: bool },
    Copy(u16),
    Bottle(u16),
    Pick(Purpose),
    PickOffer,
    Flip,
    Key(Key),
    TakeReward(u8),
    TakeCard { reward: u8, card: u8 },
    Bowl(u8),
    BossRelic(u8),
    Buy(Ware),
    Restock(Ware),
    ToTheBoss,
    SecondBoss,
    NextAct,
    Die,
    Finish(End),
}

/// A fact about the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Event {
    Gifted {
        option: u8,
        gift: Box<NeowGift>,
        change: FateChange,
    },
    Moved {
        place: Place,
        floor: u8,
        boots: bool,
        change: FateChange,
    },
    Arrived {
        room: Room,
        change: FateChange,
    },
    FightBegan {
        fight: FightNo,
        kind: FightKind,
        change: FateChange,
    },
    FightEnded {
        ending: Ending,
        kind: FightKind,
        stolen: i32,
    },
    Opened {
        screen: Box<Screen>,
        change: FateChange,
    },
    RewardsAdded {
        rewards: Vec<Reward>,
        change: FateChange,
    },
    ChestUnlocked {
        rewards: Vec<Reward>,
        change: FateChange,
    },
    Closed,
    NodeReached {
        node: u8,
    },
    Stepped {
        step: StepNo,
        value: i32,
        drawn: SmallVec<[u16; 4]>,
        change: FateChange,
    },
    GoldGained {
        amount: i32,
    },
    GoldLost {
        amount: i32,
        in_shop: bool,
    },
    Healed {
        amount: i32,
    },
    Hurt {
        amount: i32,
    },
    /// Max HP changed, and so many HP came with it.
    MaxHpChanged {
        by: i32,
        healed: i32,
    },
    /// A relic was obtained, in place of another or behind all others.
    RelicGained {
        relic: RelicNo,
        counter: i16,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<RelicNo>,
    },
    RelicLost {
        relic: RelicNo,
    },
    Counted {
        relic: RelicNo,
        to: i16,
    },
    PotionGained {
        slot: u8,
        potion: PotionNo,
    },
    PotionLost {
        slot: u8,
    },
    PotionDrunk {
        slot: u8,
        potion: PotionNo,
    },
    SlotsChanged {
        slots: u8,
    },
    CardAdded {
        card: CardNo,
        up: u8,
        change: FateChange,
    },
    /// A curse came up; it may still be warded off. In place of the card at `instead_of`, if any.
    CurseDrawn {
        card: CardNo,
        instead_of: Option<u16>,
        change: FateChange,
    },
    CardRemoved {
        index: u16,
        card: CardNo,
    },
    CardUpgraded {
        index: u16,
    },
    CardTransformed {
        index: u16,
        from: CardNo,
        into: CardNo,
        up: u8,
        change: FateChange,
    },
    CardCopied {
        index: u16,
    },
    CardBottled {
        index: u16,
    },
    Picked {
        purpose: Purpose,
        index: u16,
    },
    OfferPicked {
        card: CardNo,
    },
    Flipped {
        cell: u8,
    },
    KeyGained {
        key: Key,
    },
    RewardTaken {
        reward: u8,
        card: Option<u8>,
    },
    BossRelicTaken {
        relic: u8,
    },
    Bought {
        ware: Ware,
        price: i32,
    },
    Restocked {
        ware: Ware,
        with: (u16, u32),
        change: FateChange,
    },
    ActBegan {
        act: u8,
        floor: u8,
        healed: i16,
        change: FateChange,
    },
    Ended {
        end: End,
        floor: u8,
    },
}

impl Event {
    /// Where the event says how chance stands now.
    pub fn change_mut(&mut self) -> Option<&mut FateChange> {
        match self {
            Event::Gifted { change, .. }
            | Event::Moved { change, .. }
            | Event::Arrived { change, .. }
            | Event::FightBegan { change, .. }
            | Event::Opened { change, .. }
            | Event::RewardsAdded { change, .. }
            | Event::ChestUnlocked { change, .. }
            | Event::Stepped { change, .. }
            | Event::CardAdded { change, .. }
            | Event::CurseDrawn { change, .. }
            | Event::CardTransformed { change, .. }
            | Event::Restocked { change, .. }
            | Event::ActBegan { change, .. } => Some(change),
            _ => None,
        }
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

/// What is asked outside of fights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Choose a card of the deck.
    Deck(Purpose),
    /// Choose one of the cards on offer.
    Offer,
    /// Open a cell of the memory game.
    Flip,
}
