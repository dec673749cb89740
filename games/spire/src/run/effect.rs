//! Proposed changes of the run.

use serde::{Deserialize, Serialize};

use super::action::Ware;
use super::tower::{End, FightKind, Key};
use crate::seeds::{CardNo, PotionNo, RelicNo};

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StepAt {
    /// The program.
    pub program: u16,
    /// Which of its steps.
    pub pc: u8,
}

/// A card of the deck to choose: why, and by which step, which may say which cards are up for choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pick {
    /// Why.
    pub purpose: Purpose,
    /// By which step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<StepAt>,
}

impl From<Purpose> for Pick {
    fn from(purpose: Purpose) -> Pick {
        Pick { purpose, of: None }
    }
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
    Bottle,
    /// To burn it.
    Burn {
        /// The thanks for a curse.
        gift: RelicNo,
    },
}

/// A proposed change of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// One of Neow's offers is taken.
    Gift(u8),
    /// The player goes on.
    Move {
        /// To this column of the next row.
        x: u8,
    },
    /// The room that was reached turns out to be something.
    Arrive,
    /// A fight begins.
    Fight(FightKind),
    /// The fight is over, and the run takes over what it changed.
    EndFight,
    /// What a fight pays.
    Reward(FightKind),
    /// The merchant lays out his stock.
    OpenShop,
    /// A campfire is reached.
    OpenRest,
    /// A chest is found.
    OpenChest,
    /// An event begins.
    OpenEvent,
    /// The chest behind a boss.
    OpenBossChest,
    /// The chest is opened.
    Unlock,
    /// The screen on top is left.
    Close,
    /// An event goes on at a node.
    Goto(u8),
    /// A step of a program.
    Step {
        /// Which.
        step: StepAt,
        /// The number of what it follows from.
        number: i32,
    },
    /// Gold is gained.
    Gold(i32),
    /// Gold is lost or spent.
    LoseGold {
        /// So much, or all there is.
        amount: i32,
        /// In a shop, where some relics look on.
        in_shop: bool,
    },
    /// HP are healed.
    Heal(i32),
    /// HP are lost.
    Hurt {
        /// So many.
        amount: i32,
        /// By a blow, not by a bargain.
        blow: bool,
    },
    /// Max HP change by so much.
    MaxHp(i32),
    /// A relic is obtained.
    GainRelic(RelicNo),
    /// A relic is lost.
    LoseRelic(RelicNo),
    /// A relic's counter changes.
    Count {
        /// The relic.
        relic: RelicNo,
        /// What it shows then.
        to: i16,
    },
    /// A potion is obtained.
    GainPotion(PotionNo),
    /// The potion in a slot goes.
    LosePotion(u8),
    /// The potion in a slot is drunk.
    Drink(u8),
    /// So many slots more for potions, or fewer.
    PotionSlots(i8),
    /// A card enters the deck.
    AddCard {
        /// Which.
        card: CardNo,
        /// How often upgraded.
        up: u8,
    },
    /// A random curse enters the deck.
    RandomCurse,
    /// The card at this place leaves the deck.
    Remove(u16),
    /// The card at this place is upgraded.
    Upgrade(u16),
    /// A card becomes another.
    Transform {
        /// Its place in the deck.
        index: u16,
        /// The result is upgraded.
        upgraded: bool,
        /// By Neow's numbers.
        neow: bool,
    },
    /// A copy of the card at this place enters the deck.
    Copy(u16),
    /// The card at this place is bottled.
    Bottle(u16),
    /// A card of the deck is chosen.
    Pick(Pick),
    /// One of the cards on offer is chosen.
    PickOffer,
    /// A card of the memory game is turned up.
    Flip,
    /// A key is found.
    Key(Key),
    /// A reward is taken.
    TakeReward(u8),
    /// A card of a reward is taken.
    TakeCard {
        /// The reward.
        reward: u8,
        /// Which of its cards.
        card: u8,
    },
    /// A card reward is left for what a relic gives instead.
    Bowl(u8),
    /// A relic of the boss's chest is taken.
    BossRelic(u8),
    /// Something is bought.
    Buy(Ware),
    /// The merchant fills a gap.
    Restock(Ware),
    /// The way leads straight to the boss.
    ToTheBoss,
    /// A second boss waits behind the first.
    SecondBoss,
    /// The next act begins.
    NextAct,
    /// The player dies, unless something stands in between.
    Die,
    /// The run ends.
    Finish(End),
}
